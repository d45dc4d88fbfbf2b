package browsertest

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"swizzle/render/scene"
	"swizzle/shaderkit"
	"swizzle/shaderkit/ir"
	"swizzle/shaderkit/isa"
)

// drop drops files on the window, as a file manager does. Each is a name and its bytes.
func (b *tab) drop(files map[string][]byte) {
	b.t.Helper()
	var list []string
	for name, data := range files {
		list = append(list, fmt.Sprintf(`new File([Uint8Array.from(atob(%q), (c) => c.charCodeAt(0))], %q)`, base64.StdEncoding.EncodeToString(data), name))
	}
	eval[bool](b, fmt.Sprintf(`(() => {
		const data = new DataTransfer();
		for (const f of [%s]) data.items.add(f);
		const at = document.querySelector(".cm-content");
		at.dispatchEvent(new DragEvent("dragover", {bubbles: true, cancelable: true, dataTransfer: data}));
		return at.dispatchEvent(new DragEvent("drop", {bubbles: true, cancelable: true, dataTransfer: data}));
	})()`, strings.Join(list, ",")))
}

func assemble(t *testing.T, text string) []byte {
	t.Helper()
	p, _, diags := shaderkit.Assemble(text, isa.Options{})
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	return p.Data
}

// TestDrop opens files of all sorts, good and broken. Whatever is dropped, the page goes on.
func TestDrop(t *testing.T) {
	words := assemble(t, tinted)
	b := open(t, wide, "")

	b.after("a drop", func() { b.drop(map[string][]byte{"tinted.pso": words}) })
	b.is("words", len(b.rows()), len(words)/4)
	if !strings.Contains(b.source(), "mul r0, r0, c0") {
		t.Errorf("the text of the words is %q", b.source())
	}

	text := b.source()
	for name, data := range map[string][]byte{"noise.bin": {1, 2, 3, 4, 5}, "empty.bin": {}, "prose.txt": []byte("Dear reader,\n")} {
		b.drop(map[string][]byte{name: data})
		b.wait("what is wrong with "+name, fmt.Sprintf(`document.querySelector("#toast").innerText.includes(%q)`, name))
		b.is("text after "+name, b.source(), text)
	}

	cut := words[:len(words)-10]
	b.drop(map[string][]byte{"cut.pso": cut})
	b.wait("the cut file", `document.querySelector("#toast").innerText.includes("cut.pso")`)
	if rows := b.rows(); len(rows) < len(cut)/4 || !strings.Contains(b.source(), "texld r0, t0, s0") {
		t.Errorf("the cut file shows %q and %q", rows, b.source())
	}
	b.wait("what is wrong with it", `document.querySelector("#problems button")`)

	b.drop(map[string][]byte{"worse.asm": []byte("ps_2_0\nfrobnicate r0\nmov oC0, c0\nmov r99999, c0\n")})
	b.wait("two problems", `document.querySelectorAll("#problems .error").length >= 2`)

	b.after("a good file", func() {
		b.drop(map[string][]byte{"v.vso": assemble(t, "vs_2_0\ndcl_position v0\nm4x4 oPos, v0, c0\n"), "p.pso": words})
	})
	b.wait("both shaders", `document.querySelectorAll("#stages button:not(:disabled)").length === 2`)
	b.click("#stages [data-stage=vs]")
	b.wait("the vertex shader", `document.querySelector(".cm-content").innerText.includes("m4x4 oPos, v0, c0")`)
}

// TestExport saves the words and reads what was saved.
func TestExport(t *testing.T) {
	b := open(t, wide, link(t, tinted))
	eval[bool](b, `(() => {
		URL.createObjectURL = (blob) => { globalThis.saved = blob; return "blob:"; };
		HTMLAnchorElement.prototype.click = function () { globalThis.savedName = this.download; };
		return true;
	})()`)
	save := func(what string) (name string, data []byte) {
		b.click("#export-menu summary")
		b.click(fmt.Sprintf("#export-menu [data-export=%s]", what))
		b.wait("the saved file", `globalThis.savedName`)
		v := eval[[]string](b, `saved.arrayBuffer().then((a) => { const n = savedName; savedName = ""; return [n, btoa(String.fromCharCode(...new Uint8Array(a)))]; })`)
		data, err := base64.StdEncoding.DecodeString(v[1])
		if err != nil {
			t.Fatal(err)
		}
		return v[0], data
	}
	if name, data := save("binary"); name != "shared.pso" || string(data) != string(assemble(t, tinted)) {
		t.Errorf("%s: %x", name, data)
	}
	if name, data := save("text"); name != "shared.ps.asm" || string(data) != tinted {
		t.Errorf("%s: %q", name, data)
	}
	if name, data := save("header"); name != "shared.ps.h" || !strings.Contains(string(data), "static const uint32_t shared_ps[] = {\n\t0xFFFF0200,") {
		t.Errorf("%s: %q", name, data)
	}
	if name, data := save("scene"); name != "shared.txtar" || !strings.Contains(string(data), "mul r0, r0, c0      // tinted") {
		t.Errorf("%s: %q", name, data)
	}
	if name, data := save("picture"); name != "shared.png" || !strings.HasPrefix(string(data), "\x89PNG") {
		t.Errorf("%s: %x", name, data[:8])
	}
}

// TestShare opens a shared link in another tab.
func TestShare(t *testing.T) {
	b := open(t, wide, link(t, tinted))
	b.caret("// tinted")
	b.after("typing", func() { b.insert(", more or less\nmul r0, r0, r0") })
	want, _ := b.pixels()
	b.click("#share")
	b.wait("the link", `document.querySelector("#toast").innerText.includes("link")`)
	hash := eval[string](b, "location.hash")
	if !strings.HasPrefix(hash, "#v1=") {
		t.Fatalf("the address ends in %q", hash)
	}
	other := open(t, wide, hash)
	other.is("text", other.source(), b.source())
	if got, _ := other.pixels(); got != want {
		t.Error("the shared scene draws another picture")
	}

	bad := open(t, wide, "#v1=nonsense")
	bad.wait("what is wrong with the link", `document.querySelector("#toast").innerText.includes("link could not be opened")`)
}

// TestScene changes constants, size and camera, and moves the pixel cursor.
func TestScene(t *testing.T) {
	b := open(t, wide, link(t, tinted))
	hash, _ := b.pixels()
	changed := func(what string, do func()) {
		t.Helper()
		b.after(what, do)
		now, _ := b.pixels()
		if now == hash {
			t.Errorf("%s changes nothing", what)
		}
		hash = now
	}
	set := func(selector, value, event string) {
		t.Helper()
		eval[bool](b, fmt.Sprintf(`(() => { const e = document.querySelector(%q); e.value = %q; return e.dispatchEvent(new Event(%q, {bubbles: true})); })()`, selector, value, event))
	}
	changed("a number", func() { set("[data-constant='0.1']", "0.9", "input") })
	changed("a colour", func() { set("[data-constant='0.-1']", "#3060ff", "input") })
	b.is("the number follows the colour", eval[string](b, `document.querySelector("[data-constant='0.2']").value`), "1")
	s := scene.Default(ir.Pixel, "ps.asm", []byte("ps_2_0\nmov oC0, c0.x\n"))
	s.First().PSConstants = []scene.Binding{{To: "c0", Value: []float64{0.5}, Rows: 4, Max: 2, Label: "Grey"}}
	other := open(t, wide, scene.Link(s))
	other.run(chromedp.Focus(chromedp.CSS("[type=range]")))
	other.after("an arrow on a slider", func() { other.key(kb.ArrowRight) })
	other.is("the number beside the slider", eval[string](other, `document.querySelector("[type=number]").value`), "0.51")
	changed("the mesh", func() { set("[data-mesh]", "sphere", "change") })
	changed("the image", func() { set("[data-texture]", "uv", "change") })
	changed("the size", func() { set("#size", "128", "change") })
	b.is("canvas", eval[int](b, `document.querySelector("#canvas").width`), 128)

	text := b.pixel()
	eval[bool](b, `(document.querySelector("[data-tool=orbit]").click(), document.querySelector("#canvas").focus(), true)`)
	changed("orbiting", func() { b.key(kb.ArrowRight) })
	eval[bool](b, `(document.querySelector("[data-tool=pixel]").click(), document.querySelector("#canvas").focus(), true)`)
	b.key(kb.ArrowRight, chromedp.ModifierShift)
	if now := b.pixel(); now == text || !strings.Contains(now, "pixel (74, 64)") {
		t.Errorf("ten to the right of %q is %q", text, now)
	}
	b.click("#canvas")
	at := b.pixel()
	if !strings.Contains(at, "pixel (64, 64)") && !strings.Contains(at, "pixel (63, 63)") {
		t.Errorf("a click in the middle picks %q", at)
	}
	eval[bool](b, `(document.querySelector("#canvas").focus(), true)`)
	b.key("q")
	b.is("the pixel stays on other keys", b.pixel(), at)
}

// pixel gives what the page says about the pixel under the cursor.
func (b *tab) pixel() string {
	b.t.Helper()
	return eval[string](b, `document.querySelector("#pixel").innerText`)
}

// TestTime plays a scene that moves, pauses it, and starts paused for who asked for less motion.
func TestTime(t *testing.T) {
	s := scene.Default(ir.Pixel, "ps.asm", []byte("ps_2_0\nmov oC0, c0\n"))
	s.First().PSConstants = []scene.Binding{{To: "c0", From: "time", Rows: 4, Max: 1}}
	address := scene.Link(s)

	b := open(t, wide, address)
	b.wait("frames without a key", `document.querySelector("#canvas").dataset.seq > 5`)
	b.is("button", b.texts("#play"), []string{"Pause"})
	b.click("#play")
	b.is("button", b.texts("#play"), []string{"Play"})
	time.Sleep(300 * time.Millisecond) // what is under way may still come
	seq := b.seq()
	time.Sleep(500 * time.Millisecond)
	b.is("frame while paused", b.seq(), seq)

	still := wide
	still.still = true
	b = open(t, still, address)
	time.Sleep(500 * time.Millisecond)
	b.is("frame for who wants less motion", b.seq(), 1)
	b.is("button", b.texts("#play"), []string{"Play"})
}
