package browsertest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// block opens the page without the files whose address has part in it.
func block(t *testing.T, part string) *tab {
	t.Helper()
	b := blank(t, wide)
	b.blocked = part
	call(b, network.SetBypassServiceWorker, network.SetBypassServiceWorkerParams{Bypass: true})
	call(b, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: true})
	call(b, network.SetBlockedURLs, network.SetBlockedURLsParams{URLPatterns: []*network.BlockPattern{{URLPattern: built.origin + "/*" + part + "*", Block: true}}})
	b.run(chromedp.Navigate(built.origin + "/"))
	return b
}

// TestNoProgram blocks what the page is made of: the static page stays and says why nothing can be edited.
func TestNoProgram(t *testing.T) {
	for _, part := range []string{".wasm", "wasm_exec", "editor"} {
		b := block(t, part)
		b.wait("what is wrong without "+part, `!document.querySelector("#toast").hidden && document.querySelector("#engine").innerText.includes("could not start")`)
		if rows := b.rows(); len(rows) < 10 {
			t.Errorf("without %s the page shows %q", part, rows)
		}
	}
}

// TestNoEngine blocks the worker: after a few attempts the page says so, and text and words go on.
func TestNoEngine(t *testing.T) {
	b := blank(t, wide)
	b.blocked = "nothing.js"
	call(b, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
		Source: `{ const Real = Worker; globalThis.Worker = function () { return new Real("/nothing.js"); }; }`})
	b.run(chromedp.Navigate(built.origin + "/"))
	b.wait("what is wrong", `document.querySelector("#stale").innerText.includes("engine cannot start")`)
	b.click(b.row(0x30))
	b.click("#bits [data-bit='17']")
	b.wait("the text after a flip", `document.querySelector(".cm-content").innerText.includes("mul r0.xzw, r0, c0")`)
}

// TestLostEngine ends the worker behind the page's back: the next edit is drawn by another.
func TestLostEngine(t *testing.T) {
	b := blank(t, wide)
	b.run(chromedp.Navigate(built.origin + "/" + link(t, tinted)))
	b.wait("the page", `document.documentElement.dataset.ready && document.querySelector("#canvas").dataset.seq > 0`)
	eval[bool](b, `(() => {
		const make = Worker.prototype.postMessage;
		Worker.prototype.postMessage = function (...args) { Worker.prototype.postMessage = make; this.terminate(); return make.apply(this, args); };
		return true;
	})()`)
	b.caret("mul r0, r0, c0")
	b.insert(".x")
	b.wait("that the picture is an old one", `document.querySelector("#stale").innerText.startsWith("Drawing.")`)
	b.after("the loss", func() {
		b.caret("mul r0, r0, c0.x")
		b.insert("y")
	})
	b.is("label", eval[bool](b, `document.querySelector("#stale").hidden`), true)
}

// TestAddress follows a link that is put into the address of the open page, there and back.
func TestAddress(t *testing.T) {
	other := strings.Replace(tinted, "// tinted", "// other", 1)
	b := open(t, wide, link(t, tinted))
	first := eval[string](b, "location.hash")
	for i, want := range []string{other, tinted} {
		b.after("another address", func() {
			if i == 0 {
				eval[bool](b, fmt.Sprintf(`(location.hash = %q, true)`, link(t, other)))
			} else {
				eval[bool](b, `(history.back(), true)`)
			}
		})
		b.is("text", b.source(), want)
	}
	b.is("address", eval[string](b, "location.hash"), first)
	eval[bool](b, `(location.hash = "#v1=@@", true)`)
	b.wait("what is wrong with the link", `document.querySelector("#toast").innerText.includes("link could not be opened")`)
	b.after("an example", func() {
		eval[bool](b, `(() => { const s = document.querySelector("#examples"); s.selectedIndex = 0; return s.dispatchEvent(new Event("change", {bubbles: true})); })()`)
	})
	b.is("address with an example", eval[string](b, "location.hash"), "")
}

// TestReload edits, and reloads the page: the text is there. Who enters the address gets the example.
func TestReload(t *testing.T) {
	b := open(t, wide, link(t, tinted))
	b.after("a constant", func() {
		b.run(chromedp.Focus(chromedp.CSS("[data-constant='0.1']")))
		b.key(kb.ArrowUp)
	})
	b.caret("mul r0, r0, c0")
	b.after("an edit", func() { b.insert(".x") })
	edited := b.source()
	for range 2 {
		eval[bool](b, `(document.documentElement.dataset.ready = "", location.reload(), true)`)
		b.wait("the page again", `document.documentElement.dataset.ready && document.querySelector("#canvas").dataset.seq > 0`)
		b.is("text after a reload", b.source(), edited)
		b.is("constant after a reload", eval[string](b, `document.querySelector("[data-constant='0.1']").value`), "0.55")
	}
	b.run(chromedp.Navigate(built.origin + "/"))
	b.wait("the page again", `document.documentElement.dataset.ready`)
	if b.source() == edited {
		t.Error("a visit that is no reload shows the edited text")
	}
}

// TestForeign opens a shader that cannot be drawn: the picture of before does not pass for its last good one.
func TestForeign(t *testing.T) {
	b := open(t, wide, "")
	b.drop(map[string][]byte{"blind.vso": assemble(t, "vs_2_0\nmov oT0, c0\n")})
	b.wait("whose picture it is", `document.querySelector("#stale").innerText.startsWith("Showing the picture of what was open before. no-position: the vertex shader blind.vso")`)
	b.is("words", len(b.rows()), 5)
	b.is("detected", b.texts("#detected"), []string{"D3D9 vs_2_0"})
	b.wait("dimmed", `document.querySelector("#frame").classList.contains("old")`)
}

// TestVersionShown types another version: what the page calls the shader follows.
func TestVersionShown(t *testing.T) {
	b := open(t, wide, link(t, "ps_2_0\nmov oC0, c0\n"))
	b.caret("ps_2_0")
	b.key("a", chromedp.ModifierCtrl)
	b.after("a version", func() { b.insert("ps_3_0\nmov oC0, c0\n") })
	b.is("detected", b.texts("#detected"), []string{"D3D9 ps_3_0"})
}

// TestPaste pastes an array of C over everything: it becomes the assembly, and undo gives the text of before.
func TestPaste(t *testing.T) {
	b := open(t, wide, link(t, tinted))
	b.caret("ps_2_0")
	b.key("a", chromedp.ModifierCtrl)
	b.after("the paste", func() {
		b.paste("static const DWORD ps[] = {\r\n 0xffff0200, 0x02000001, 0x800f0800, 0xa0e40001, 0x0000ffff,\r\n};\r\n")
	})
	b.is("text", strings.Join(strings.Fields(b.source()), " "), "ps_2_0 mov oC0, c1")
	b.after("undo", func() { b.click("#undo") })
	b.is("text after undo", b.source(), tinted)
}

// TestLow uses windows that are lower than the panels need: the page scrolls, and no panel vanishes.
func TestLow(t *testing.T) {
	for _, w := range []window{{width: 1440, height: 450}, {width: 900, height: 450}} {
		b := open(t, w, "")
		for _, id := range []string{"source", "token-list", "bits", "fields", "canvas", "scene-controls"} {
			if height := eval[int](b, fmt.Sprintf(`document.getElementById(%q).offsetHeight`, id)); height < 70 {
				t.Errorf("in %d by %d %s is %d pixels high", w.width, w.height, id, height)
			}
		}
	}
}
