//go:build js

package main

import (
	"fmt"
	"slices"
	"strings"
	"syscall/js"

	"honnef.co/go/js/dom/v2"

	"swizzle/shaderkit/ir"
	"swizzle/shaderkit/isa"
	"swizzle/shaderkit/source"
	"swizzle/wasm/markup"
	"swizzle/wasm/playground"
)

// A page ties the session to the DOM. Every handler runs to its end on the main thread and never
// blocks: slow work is the worker's.
type page struct {
	win    dom.Window
	doc    dom.HTMLDocument
	editor *editor
	list   rowList
	view   *picture
	media  js.Value // whether the window is narrow

	session  *playground.Session
	edited   bool // the person changed it
	token    int  // selected, of the document shown
	link     playground.Link
	problems []markup.Problem
}

// newPage starts the page: the worker first, since it takes longest, then what is to be opened.
func newPage() *page {
	p := &page{win: dom.GetWindow()}
	p.doc = p.win.Document().(dom.HTMLDocument)
	p.list.root = p.byID("token-list")
	p.view = newPicture(p)
	p.begin()
	return p
}

// take makes the first session the page's: the static HTML gives way to the program.
func (p *page) take(s *playground.Session) {
	p.session = s
	p.editor = newEditor(p.resetHost("editor"), func() string { return p.current().Text }, editorEvents{
		arch:    func() *isa.Arch { return p.current().Arch() },
		changed: p.typed,
		caret:   p.caretMoved,
	})
	p.list.begin()
	p.listenWords()
	p.listenFiles()
	p.listenChrome()
	p.view.listenCanvas()
	p.listenScene()
	p.show()
	p.view.redraw()
	p.doc.DocumentElement().SetAttribute("data-ready", "true")
}

// replace makes another session the page's.
func (p *page) replace(s *playground.Session) {
	p.session, p.edited = s, false
	p.token = 0
	p.view.problem, p.view.seconds, p.view.foreign = nil, 0, true
	p.editor.handle.Call("forget")
	p.show()
	p.showScene()
	p.view.redraw()
}

func (p *page) byID(id string) dom.Element { return p.doc.GetElementByID(id) }

func (p *page) input(id string) *dom.HTMLInputElement { return p.byID(id).(*dom.HTMLInputElement) }

// resetHost empties an element that holds the first paint.
func (p *page) resetHost(id string) js.Value {
	e := p.byID(id)
	e.SetInnerHTML("")
	return e.Underlying()
}

func (p *page) current() *playground.Document { return p.session.Current() }

// show brings the document of the session's stage into the editor.
func (p *page) show() {
	d := p.current()
	p.editor.open(p.session.Name(), d.Text)
	p.token = min(p.token, len(d.Tokens)-1)
	for _, b := range p.doc.QuerySelectorAll("#stages button") {
		stage := ir.Stage(b.GetAttribute("data-stage"))
		b.SetAttribute("aria-pressed", fmt.Sprint(stage == p.session.Stage))
		absent := p.session.Document(stage) == nil
		b.Underlying().Set("disabled", absent)
		setAttr(b, "title", map[bool]string{true: "The scene has none: a plain one is made for the other shader"}[absent])
	}
	p.byID("command").SetTextContent(p.session.Command(p.view.mode))
	p.refresh()
}

// typed takes the text of the editor after a change by the person, an undo, or an edit of the page's own.
func (p *page) typed(text string) {
	if d := p.current(); d.Text != text {
		d.SetText(text)
		p.edited = true
		p.refresh()
		p.view.redraw()
	}
}

// refresh shows what the current document assembles to.
func (p *page) refresh() {
	d := p.current()
	p.byID("detected").SetTextContent(p.session.Detected())
	p.showTokens()
	p.byID("token-count").SetTextContent(fmt.Sprintf("%d words", len(d.Tokens)))
	for _, id := range []string{"tokens", "word"} {
		setClass(p.byID(id), "old", !d.Current)
	}
	p.editor.diagnostics(d.Diags)
	p.problems = nil
	said := map[string]bool{} // the engine finds some of what the text shows already
	for _, g := range append(d.Diags[:len(d.Diags):len(d.Diags)], p.view.findings(p.session.Name())...) {
		if !g.InText && said[g.Code+g.Message] {
			continue
		}
		said[g.Code+g.Message] = true
		q := markup.Problem{Diagnostic: g}
		if g.InText {
			q.Line, q.Col = source.Position(d.Text, g.Span.Start)
		}
		p.problems = append(p.problems, q)
	}
	p.byID("problems").SetInnerHTML(markup.Problems(p.problems))
	verdict := p.byID("verdict")
	if text := d.Verdict(); verdict.TextContent() != text {
		verdict.SetTextContent(text)
	}
	class := "ok"
	if d.Diags.HasErrors() {
		class = "bad"
	}
	verdict.SetAttribute("class", class)
	if len(d.Tokens) == 0 { // no text has been good
		p.showWord()
	}
	p.select_(min(max(p.token, 0), len(d.Tokens)-1), false)
}

// showTokens shows the words of the current document; the data of comments only when asked.
func (p *page) showTokens() {
	d := p.current()
	unfolded, fileOrder := p.input("unfold").Checked(), p.input("file-order").Checked()
	shown := make([]int, 0, len(d.Tokens))
	folds := false
	for i := range d.Tokens {
		fold := markup.Folded(d, i)
		folds = folds || fold
		if unfolded || !fold {
			shown = append(shown, i)
		}
	}
	setAttr(p.byID("unfold-label"), "hidden", map[bool]string{false: "hidden"}[folds])
	p.list.set(shown, func(i int) string { return markup.Token(d, i, fileOrder) })
}

// caretMoved lights the words of the line under the caret.
func (p *page) caretMoved(off int) {
	if link, ok := p.current().LinkAt(off); ok && p.editor.hasFocus() {
		p.link = link
		p.token = link.Token
		p.light()
		p.showWord()
		p.list.reveal(link.Token)
	}
}

// select_ makes a token the selected one: its line and operand light up and its bits appear.
func (p *page) select_(token int, reveal bool) {
	d := p.current()
	if token < 0 || token >= len(d.Tokens) {
		return
	}
	p.token = token
	p.link, _ = d.LinkOf(token)
	p.light()
	p.showWord()
	if reveal {
		p.list.reveal(token)
		if p.link.Line.End > 0 {
			p.editor.reveal(p.link.Line.Start)
		}
	}
}

// light marks the linked line, operand and words.
func (p *page) light() {
	d := p.current()
	if !d.Current {
		p.editor.links(source.Span{}, source.Span{})
		p.list.mark(0, 0, p.token)
		return
	}
	p.editor.links(p.link.Line, d.Part(p.token))
	p.list.mark(p.link.First, p.link.Last, p.token)
}

// showWord shows the bits and fields of the selected token. Where the focus is in them it stays.
func (p *page) showWord() {
	d := p.current()
	if p.token < 0 || p.token >= len(d.Tokens) {
		p.byID("word-title").SetTextContent("Bits")
		p.input("word-hex").SetValue("")
		for _, id := range []string{"bits", "fields", "field-help", "help-text"} {
			p.byID(id).SetInnerHTML("")
		}
		return
	}
	t := &d.Tokens[p.token]
	focus := ""
	if active := p.doc.ActiveElement(); active != nil {
		for _, a := range []string{"data-bit", "data-field"} {
			if v := active.GetAttribute(a); active.HasAttribute(a) {
				focus = "[" + a + "='" + v + "']"
			}
		}
	}
	p.byID("word-title").SetTextContent(markup.WordTitle(d, p.token))
	p.input("word-hex").SetValue(markup.Hex(t, false))
	p.byID("bits").SetInnerHTML(markup.Bits(t))
	p.byID("fields").SetInnerHTML(markup.Fields(t))
	p.explain(-1)
	p.byID("help-text").SetInnerHTML(markup.Help(d, p.token))
	if focus != "" {
		if e := p.byID("word").QuerySelector(focus); e != nil {
			p.focusBit(e)
		}
	}
}

// explain shows what a field of the selected token is for; -1 is the token itself.
func (p *page) explain(field int) {
	if d := p.current(); p.token >= 0 && p.token < len(d.Tokens) {
		p.byID("field-help").SetInnerHTML(markup.FieldHelp(&d.Tokens[p.token], field))
	}
}

// fieldUnder gives the field that an event in the bits or the table is about, or -1.
func (p *page) fieldUnder(e js.Value) int {
	d := p.current()
	n := -1
	if v, ok := closest(e, "data-row"); ok {
		fmt.Sscan(v, &n)
	} else if v, ok := closest(e, "data-bit"); ok && p.token < len(d.Tokens) {
		fmt.Sscan(v, &n)
		n = playground.FieldOf(&d.Tokens[p.token], n)
	}
	return n
}

// focusBit moves the focus to a cell or field and, for a cell, the one tab stop of the strip with it.
func (p *page) focusBit(e dom.Element) {
	if e.HasAttribute("data-bit") {
		for _, old := range p.doc.QuerySelectorAll("#bits [tabindex='0']") {
			old.SetAttribute("tabindex", "-1")
		}
		e.SetAttribute("tabindex", "0")
	}
	e.Underlying().Call("focus")
}

// setWord gives the selected word a value: text, tokens and picture follow.
func (p *page) setWord(value uint32) {
	d := p.current()
	if p.token < 0 || p.token >= len(d.Tokens) {
		return
	}
	before, off := d.Text, d.Tokens[p.token].Offset
	edit, err := d.SetWord(off, value)
	if err != nil {
		p.toast(sentence(err.Error()))
		p.showWord()
		return
	}
	if d.Text == before {
		p.showWord()
		return
	}
	p.edited = true
	p.token = d.TokenAt(off)
	p.editor.edit(before, edit)
	if len(edit.Notes) > 0 {
		p.toast(sentence(strings.Join(edit.Notes, "; ")))
	}
	p.refresh()
	p.view.redraw()
}

// sentence gives a message a capital and a full stop.
func sentence(s string) string { return capital(strings.TrimSuffix(s, ".")) + "." }

func capital(s string) string { return strings.ToUpper(s[:min(1, len(s))]) + s[min(1, len(s)):] }

// toast shows a message for a while; readers announce it.
func (p *page) toast(message string) {
	e := p.byID("toast")
	e.SetTextContent(message)
	e.RemoveAttribute("hidden")
	later(6000, func() {
		if e.TextContent() == message {
			e.SetAttribute("hidden", "")
		}
	})
}

// listenWords wires the token list, the bits and the fields.
func (p *page) listenWords() {
	list := p.list.root.Underlying()
	on(list, "click", func(e js.Value) {
		var row int
		if id, ok := closest(e, "id"); ok {
			if _, err := fmt.Sscanf(id, "w%d", &row); err == nil {
				p.byID("hint").SetAttribute("hidden", "")
				p.select_(row, true)
			}
		}
	})
	on(list, "keydown", func(e js.Value) {
		step := map[string]int{"ArrowDown": 1, "ArrowUp": -1, "PageDown": 10, "PageUp": -10, "Home": -len(p.list.shown), "End": len(p.list.shown)}
		key := keyOf(e)
		switch n, moves := step[key]; {
		case moves:
			p.step(n)
		case key == "Enter" || key == "ArrowRight":
			p.reveal("word")
			if cell := p.byID("bits").QuerySelector(".bit"); cell != nil {
				p.focusBit(cell)
			}
		case isHexDigit(key):
			// the digit itself comes with the key press that follows, over what is selected
			p.reveal("word")
			p.byID("word-hex").Underlying().Call("select")
			return
		default:
			return
		}
		e.Call("preventDefault")
	})
	bits := p.byID("bits").Underlying()
	on(bits, "click", func(e js.Value) {
		var bit int
		if v, ok := closest(e, "data-bit"); ok {
			if _, err := fmt.Sscan(v, &bit); err == nil && p.token < len(p.current().Tokens) {
				p.setWord(p.current().Tokens[p.token].Value ^ 1<<bit)
			}
		}
	})
	on(bits, "keydown", func(e js.Value) { p.bitKey(e) })
	hex := p.byID("word-hex").Underlying()
	on(hex, "change", func(js.Value) {
		value, err := playground.ParseHex(p.input("word-hex").Value())
		if err != nil {
			p.toast(sentence(err.Error()))
			p.showWord()
			return
		}
		p.setWord(value)
	})
	on(hex, "keydown", func(e js.Value) {
		if keyOf(e) == "Escape" {
			p.showWord()
			p.reveal("tokens")
			list.Call("focus")
		}
	})
	on(p.byID("fields").Underlying(), "change", func(e js.Value) {
		v, ok := closest(e, "data-field")
		var field int
		if _, err := fmt.Sscan(v, &field); !ok || err != nil || p.token >= len(p.current().Tokens) {
			return
		}
		t := &p.current().Tokens[p.token]
		value, err := playground.ParseHex(e.Get("target").Get("value").String())
		if err == nil && field < len(t.Fields) && value>>t.Fields[field].Width != 0 {
			err = fmt.Errorf("0x%X does not fit in the %d bits of %s", value, t.Fields[field].Width, t.Fields[field].Name)
		}
		if err != nil {
			p.toast(sentence(err.Error()))
			p.showWord()
			return
		}
		p.setWord(playground.SetField(t, field, value))
	})
	for _, id := range []string{"bits", "fields"} {
		for _, event := range []string{"focusin", "pointerover"} {
			on(p.byID(id).Underlying(), event, func(e js.Value) { p.explain(p.fieldUnder(e)) })
		}
	}
	on(p.byID("file-order").Underlying(), "change", func(js.Value) { p.refresh() })
	on(p.byID("unfold").Underlying(), "change", func(js.Value) {
		p.showTokens()
		p.list.reveal(p.token)
	})
	on(p.byID("problems").Underlying(), "click", func(e js.Value) {
		var i int
		v, ok := closest(e, "data-problem")
		if _, err := fmt.Sscan(v, &i); !ok || err != nil || i >= len(p.problems) {
			return
		}
		switch q := p.problems[i]; {
		case q.InText:
			p.editor.focus()
			p.editor.selectSpan(q.Span)
		case q.Bytes.Len > 0:
			p.select_(p.current().TokenAt(q.Bytes.Off), true)
		}
	})
}

// step moves the selection by rows that show.
func (p *page) step(n int) {
	if len(p.list.shown) == 0 {
		return
	}
	place, found := slices.BinarySearch(p.list.shown, p.token)
	if !found && n > 0 {
		place-- // the selected one is folded away: the next one stands here
	}
	p.select_(p.list.shown[min(max(place+n, 0), len(p.list.shown)-1)], true)
}

// bitKey moves the focus among the bits; Space and Enter are clicks of the button already.
func (p *page) bitKey(e js.Value) {
	v, ok := closest(e, "data-bit")
	var bit int
	if _, err := fmt.Sscan(v, &bit); !ok || err != nil {
		return
	}
	columns := 16
	if p.narrow() {
		columns = 8
	}
	step := map[string]int{"ArrowLeft": 1, "ArrowRight": -1, "ArrowUp": columns, "ArrowDown": -columns, "Home": 31 - bit, "End": -bit}
	key := keyOf(e)
	n, moves := step[key]
	switch {
	case moves:
		if cell := p.byID("bits").QuerySelector(fmt.Sprintf("[data-bit='%d']", bit+n)); cell != nil {
			p.focusBit(cell)
		}
	case key == "Escape":
		p.reveal("tokens")
		p.list.root.Underlying().Call("focus")
	default:
		return
	}
	e.Call("preventDefault")
}
