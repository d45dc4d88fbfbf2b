package browsertest

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// row gives the selector of the token row at a byte offset.
func (b *tab) row(offset int) string {
	b.t.Helper()
	id := eval[string](b, fmt.Sprintf(`[...document.querySelectorAll("#token-list .w")].find((w) => w.firstChild.textContent === "%04X")?.id ?? ""`, offset))
	if id == "" {
		b.t.Fatalf("no word at %04X among %q", offset, b.rows())
	}
	return "#" + id
}

// replace types over the value of a field and presses Enter.
func (b *tab) replace(selector, value string) {
	b.t.Helper()
	eval[bool](b, fmt.Sprintf(`(() => { const e = document.querySelector(%q); e.focus(); e.select(); return true; })()`, selector))
	b.insert(value)
	b.key(kb.Enter)
}

// texts gives the texts of all elements that match.
func (b *tab) texts(selector string) []string {
	b.t.Helper()
	return eval[[]string](b, fmt.Sprintf(`[...document.querySelectorAll(%q)].map((e) => e.textContent)`, selector))
}

func (b *tab) is(what string, got, want any) {
	b.t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		b.t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// TestMainJob types an instruction, sees its words, clicks one, flips a bit, sees text and pixels
// change, and gets both back: by flipping back and by undo.
func TestMainJob(t *testing.T) {
	b := open(t, wide, link(t, tinted))
	words := len(b.rows())
	before, varied := b.pixels()
	if varied == 0 {
		t.Fatal("the first picture is empty")
	}

	b.caret("// tinted")
	b.after("typing", func() { b.insert("\nmul r0, r0, r0") })
	b.is("words after typing", len(b.rows()), words+4)
	typed, _ := b.pixels()
	if typed == before {
		t.Error("the picture did not change")
	}
	b.is("lit by the caret", b.texts("#token-list .linked > :nth-child(2)"), []string{"03000005", "800F0000", "80E40000", "80E40000"})

	text := b.source()
	b.click(b.row(0x40))
	b.is("line lit by the word", b.texts(".cm-line.linked"), []string{"mul r0, r0, r0"})
	b.is("operand lit by the word", b.texts(".linked-part"), []string{"r0"})
	b.is("bits of the word", strings.Join(b.texts("#bits .bit b"), ""), "10000000000011110000000000000000")

	b.after("a flip", func() { b.click("#bits [data-bit='17']") })
	if !strings.Contains(b.source(), "mul r0.xzw, r0, r0") || !strings.Contains(b.source(), "// tinted") {
		t.Errorf("after the flip the text is %q", b.source())
	}
	flipped, _ := b.pixels()
	if flipped == typed {
		t.Error("the picture did not change with the bit")
	}
	b.is("operand lit after the flip", b.texts(".linked-part"), []string{"r0.xzw"})
	if !slices.ContainsFunc(b.rows(), func(r string) bool { return strings.HasPrefix(r, "0040 800D0000") }) {
		t.Errorf("the word is not in the list: %q", b.rows())
	}

	b.after("the flip back", func() { b.click("#bits [data-bit='17']") })
	b.is("text flipped back", b.source(), text)
	if again, _ := b.pixels(); again != typed {
		t.Error("flipping back gives another picture")
	}

	b.after("a flip", func() { b.click("#bits [data-bit='17']") })
	b.after("undo", func() { b.key("z", chromedp.ModifierCtrl) })
	b.is("text after undo", b.source(), text)
	if again, _ := b.pixels(); again != typed {
		t.Error("undo gives another picture")
	}
	b.after("redo", func() { b.click("#redo") })
	if again, _ := b.pixels(); again != flipped {
		t.Error("redo gives another picture")
	}
}

// TestKeyboard does the same with keys alone: list, hex value, bits, fields.
func TestKeyboard(t *testing.T) {
	b := open(t, wide, link(t, tinted))
	first, _ := b.pixels()
	b.run(chromedp.Focus(chromedp.CSS("#token-list")))
	b.key(kb.PageDown)
	b.key(kb.ArrowDown)
	b.key(kb.ArrowDown)
	b.is("selected", b.texts("#token-list [aria-selected=true] > :nth-child(2)"), []string{"800F0000"})
	b.is("named by the list", eval[bool](b, `document.getElementById(document.querySelector("#token-list").getAttribute("aria-activedescendant"))?.ariaSelected === "true"`), true)

	// a digit starts a value, Enter takes it
	for _, k := range "800D0000" {
		b.key(string(k))
	}
	b.after("a hex value", func() { b.key(kb.Enter) })
	if !strings.Contains(b.source(), "mul r0.xzw, r0, c0") {
		t.Errorf("after the value the text is %q", b.source())
	}
	b.key(kb.Escape)
	b.is("focus after Escape", eval[string](b, "document.activeElement.id"), "token-list")

	// Enter goes to the bits, arrows move, Space flips, the focus stays
	b.key(kb.Enter)
	for range 14 {
		b.key(kb.ArrowRight)
	}
	b.is("focused bit", eval[string](b, "document.activeElement.dataset.bit"), "17")
	b.after("Space", func() { b.key(" ") })
	b.is("text", b.source(), strings.TrimSuffix(tinted, "\n")+"\n")
	b.is("focused bit after the flip", eval[string](b, "document.activeElement.dataset.bit"), "17")
	b.key(kb.ArrowDown)
	b.is("focused bit after Down", eval[string](b, "document.activeElement.dataset.bit"), "1")
	if again, _ := b.pixels(); again != first {
		t.Error("the picture is another one")
	}
	b.key(kb.Escape)
	b.is("focus after Escape", eval[string](b, "document.activeElement.id"), "token-list")

	// Tab leaves the source
	b.caret("ps_2_0")
	b.key(kb.Tab)
	if in := eval[bool](b, `document.querySelector("#editor").contains(document.activeElement)`); in {
		t.Error("Tab stays in the source")
	}
}

// TestFieldEdit changes the raw value of a field, and is told when it does not fit.
func TestFieldEdit(t *testing.T) {
	b := open(t, wide, link(t, tinted))
	b.click(b.row(0x30))
	field := func(name, value string) {
		selector := fmt.Sprintf(`#fields input[aria-label='raw value of %s']`, name)
		b.replace(selector, value)
	}
	name := eval[string](b, `[...document.querySelectorAll("#fields tr")].find((r) => r.cells[2].textContent === "19:16").cells[1].textContent`)
	b.after("a field", func() { field(name, "5") })
	if !strings.Contains(b.source(), "mul r0.xz, r0, c0") {
		t.Errorf("after the field the text is %q", b.source())
	}
	text := b.source()
	field(name, "1F")
	b.wait("the message", `document.querySelector("#toast").innerText.includes("does not fit in the 4 bits")`)
	b.is("text after a value that does not fit", b.source(), text)
	b.replace("#word-hex", "nonsense")
	b.wait("the message", `document.querySelector("#toast").innerText.includes("is not a word")`)
	b.is("text after a value that is none", b.source(), text)
}

// TestExplanation selects a word, looks at its explanation, and at that of a bit's field under focus and pointer.
func TestExplanation(t *testing.T) {
	b := open(t, wide, link(t, tinted))
	b.click(b.row(0x2C))
	b.wait("the instruction", `document.querySelector("#help-text").innerText.startsWith("mul dst, src0, src1")`)
	b.click(b.row(0x30))
	about := func() string { return eval[string](b, `document.querySelector("#field-help").innerText`) }
	if word := about(); !strings.HasPrefix(word, "destination") {
		t.Errorf("the word is explained by %q", word)
	}
	b.wait("the instruction of the operand", `document.querySelector("#help-text").innerText.includes("mul dst, src0, src1")`)
	b.run(chromedp.Focus(chromedp.CSS("#bits [data-bit='17']")))
	if mask := about(); !strings.Contains(mask, "mask") || !strings.Contains(mask, "write mask") {
		t.Errorf("bit 17 is explained by %q", mask)
	}
	b.key(kb.ArrowDown)
	if number := about(); !strings.Contains(number, "register number") {
		t.Errorf("bit 1 is explained by %q", number)
	}
}

// TestLongComment folds the data of a comment until the caret comes into its line.
func TestLongComment(t *testing.T) {
	data := strings.Repeat("AbCd", 32)
	b := open(t, wide, link(t, "ps_2_0\n.comment CTAB \""+data+"\"\nmov oC0, c0\n"))
	if line := strings.Split(b.source(), "\n")[1]; !strings.HasPrefix(line, ".comment CTAB \"AbCdAbCd… 120 characters") {
		t.Errorf("the line is %q", line)
	}
	b.caret("ps_2_0")
	b.key(kb.ArrowDown)
	b.wait("the data", fmt.Sprintf(`document.querySelector(".cm-content").textContent.includes(%q)`, data))
	b.key(kb.ArrowDown)
	b.wait("the folded data", `document.querySelector(".folded")`)
	b.is("words", b.texts("#token-count"), []string{"31 words"})
}

// TestLongList selects words all over a list of 12,000: the page holds few of them at a time.
func TestLongList(t *testing.T) {
	b := open(t, wide, link(t, tinted))
	b.caret("ps_2_0")
	b.key("a", chromedp.ModifierCtrl)
	b.after("a long text", func() { b.paste("ps_3_0\n" + strings.Repeat("mul r0, r0, c0\n", 3000) + "mov oC0, r0\n") })
	b.is("count", b.texts("#token-count"), []string{"12005 words"})
	selected := func() string {
		return eval[string](b, `(() => {
			const row = document.querySelector("#token-list [aria-selected=true]"), list = document.querySelector("#token-list");
			const r = row?.getBoundingClientRect(), l = list.getBoundingClientRect();
			if (!row || r.top < l.top || r.bottom > l.bottom || list.getAttribute("aria-activedescendant") !== row.id) return "out of sight";
			return row.children[0].textContent + " " + row.children[1].textContent;
		})()`)
	}
	b.run(chromedp.Focus(chromedp.CSS("#token-list")))
	b.key(kb.End)
	b.is("the last word", selected(), "BB90 0000FFFF")
	b.key(kb.ArrowUp)
	b.is("the one before", selected(), "BB8C 80E40000")
	b.key(kb.Home)
	b.is("the first word", selected(), "0000 FFFF0300")
	eval[bool](b, `(document.querySelector("#token-list").scrollTop = 22 * 6000, true)`)
	b.wait("rows in the middle", `(() => { const l = document.querySelector("#token-list").getBoundingClientRect(); return document.elementFromPoint(l.x + 60, l.y + 60).closest(".w"); })()`)
	if n := len(b.texts("#token-list .w")); n > 400 {
		t.Errorf("the page holds %d words", n)
	}
	eval[bool](b, `(() => { const l = document.querySelector("#token-list").getBoundingClientRect(); document.elementFromPoint(l.x + 60, l.y + 60).click(); return true; })()`)
	if s := selected(); s == "out of sight" {
		t.Error("a click in the middle selects nothing")
	}
}

// TestCommentData shows the words of a comment when asked.
func TestCommentData(t *testing.T) {
	b := open(t, wide, link(t, "ps_2_0\n.comment CTAB \""+strings.Repeat("AbCd", 4)+"\"\nmov oC0, c0\n"))
	b.is("words shown", len(b.rows()), 6)
	b.click("#unfold")
	b.is("words shown with the data", len(b.rows()), 10)
	b.click("#unfold")
	b.is("words shown without", len(b.rows()), 6)
	b.run(chromedp.Focus(chromedp.CSS("#token-list")))
	b.key(kb.Home + kb.ArrowDown + kb.ArrowDown)
	b.is("selected past the data", b.texts("#token-list [aria-selected=true] b"), []string{"mov"})
}

// TestErrors breaks the text and mends it: the last good picture stays, dimmed and labelled.
func TestErrors(t *testing.T) {
	b := open(t, wide, link(t, tinted))
	good, _ := b.pixels()
	b.caret("mul r0, r0, c0")
	b.insert("x")
	b.wait("the label", `!document.querySelector("#stale").hidden`)
	label := eval[string](b, `document.querySelector("#stale").innerText`)
	if !strings.Contains(label, "last good picture") || !strings.Contains(label, "line 5") {
		t.Errorf("the label is %q", label)
	}
	b.is("dimmed", eval[bool](b, `+getComputedStyle(document.querySelector("#canvas")).opacity < 0.6`), true)
	b.wait("the underline", `document.querySelector(".cm-lintRange-error")`)
	b.wait("the list of problems", `document.querySelector("#problems .error")?.innerText.includes("line 5")`)
	b.wait("the verdict", `document.querySelector("#verdict").innerText.startsWith("1 error")`)
	if now, _ := b.pixels(); now != good {
		t.Error("the last good picture did not stay")
	}
	b.click("#problems button")
	b.is("the problem leads to its place", eval[bool](b, `document.querySelector("#editor").contains(document.activeElement)`), true)
	b.click("#bits [data-bit='3']")
	b.wait("why bits cannot be edited", `document.querySelector("#toast").innerText.includes("text has errors")`)
	b.after("undo", func() { b.click("#undo") })
	b.is("label after mending", eval[bool](b, `document.querySelector("#stale").hidden && !document.querySelector("#frame").classList.contains("old")`), true)
	if now, _ := b.pixels(); now != good {
		t.Error("the mended text draws another picture")
	}
}

// TestHelp completes a name and explains one under the pointer: both come from the table of instructions.
func TestHelp(t *testing.T) {
	b := open(t, wide, link(t, tinted))
	b.caret("// tinted")
	b.key(kb.Enter + "mu")
	b.wait("completions", `[...document.querySelectorAll(".cm-tooltip-autocomplete li")].some((l) => l.textContent.startsWith("mul"))`)
	if os.Getenv("SWIZZLE_SHOTS") != "" {
		b.screenshot("completion")
	}
	time.Sleep(300 * time.Millisecond) // the editor ignores a key that comes too soon after the list
	b.key(kb.Enter)
	b.wait("the completed name", `[...document.querySelectorAll(".cm-line")].some((l) => l.textContent.trim() === "mul")`)

	at := eval[[]float64](b, `(() => {
		const line = [...document.querySelectorAll(".cm-line")].find((l) => l.textContent.startsWith("texld"));
		const box = line.querySelector(".t-opcode").getBoundingClientRect();
		return [box.x + 8, box.y + 8];
	})()`)
	b.run(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, at[0], at[1]))
	b.wait("the explanation", `document.querySelector(".hover-doc")?.innerText.toLowerCase().includes("texld")`)
	if os.Getenv("SWIZZLE_SHOTS") != "" {
		b.screenshot("hover")
	}
}

// TestBrokenLink opens a scene whose text has errors: they show, and no picture is claimed.
func TestBrokenLink(t *testing.T) {
	b := blank(t, wide)
	b.run(chromedp.Navigate(built.origin + "/" + link(t, "ps_2_0\nmvo oC0, c0\n")))
	b.wait("the label", `document.querySelector("#stale").innerText.startsWith("No picture yet. Pixel shader, line 2")`)
	b.is("bits without words", b.texts("#bits .bit, #fields tr, #help-text div"), []string{})
	b.caret("mvo oC0, c0")
	b.key("a", chromedp.ModifierCtrl)
	b.insert("ps_2_0\nmov oC0, c0\n")
	b.wait("the picture", `document.querySelector("#canvas").dataset.seq > 0 && document.querySelector("#stale").hidden`)
}

// TestRunaway draws a shader that takes very long: the page stays alive, the worker is replaced, and
// a better shader draws.
func TestRunaway(t *testing.T) {
	slow := "ps_3_0\nmov r0, c0\n" + strings.Repeat("rep i0\n", 4) + strings.Repeat("mad r0, r0, c0, c0\n", 400) + strings.Repeat("endrep\n", 4) + "mov oC0, r0\n"
	b := blank(t, wide)
	b.run(chromedp.Navigate(built.origin + "/" + link(t, slow)))
	b.wait("the page", `document.documentElement.dataset.ready`)
	b.click(b.row(0x4)) // the page answers while the worker is lost
	b.is("selected", len(b.texts("#token-list [aria-selected=true]")), 1)
	b.wait("the end of the worker", `document.querySelector("#stale").innerText.includes("stopped")`)
	b.caret("mov r0, c0")
	b.key("a", chromedp.ModifierCtrl)
	b.insert("ps_3_0\nmov oC0, c0\n")
	b.wait("the picture of the better shader", `document.querySelector("#canvas").dataset.seq > 0 && document.querySelector("#stale").hidden`)

	// a worker that has answered before is not waited for when there is something newer to draw
	b.key("a", chromedp.ModifierCtrl)
	b.insert(slow)
	b.wait("the slow text", `document.querySelector("#verdict").innerText.includes("410 instructions")`)
	time.Sleep(1200 * time.Millisecond)
	b.key("a", chromedp.ModifierCtrl)
	b.insert("ps_3_0\nmov oC0, c0.x\n")
	b.wait("the picture after the slow one", fmt.Sprintf(`document.querySelector("#canvas").dataset.seq > %d && document.querySelector("#stale").hidden`, b.seq()))
}
