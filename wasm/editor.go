//go:build js

package main

import (
	"encoding/json"
	"syscall/js"

	"swizzle/shaderkit/isa"
	"swizzle/shaderkit/source"
	"swizzle/wasm/markup"
	"swizzle/wasm/playground"
)

// An editor is the handle that static/editor/editor.js gives. Offsets on this side are bytes.
type editor struct {
	handle js.Value
	text   func() string // of the document shown
}

// editorEvents is what the editor needs to know and tells.
type editorEvents struct {
	arch    func() *isa.Arch
	changed func(text string)
	caret   func(off int)
}

func newEditor(parent js.Value, text func() string, on editorEvents) *editor {
	callbacks := map[string]any{
		"marks": js.FuncOf(func(_ js.Value, args []js.Value) any { return marks(on.arch(), args[0].String()) }),
		"complete": js.FuncOf(func(_ js.Value, args []js.Value) any {
			return completions(on.arch(), args[0].String(), args[1].Int())
		}),
		"hover": js.FuncOf(func(_ js.Value, args []js.Value) any {
			return hover(on.arch(), args[0].String(), args[1].Int())
		}),
		"pasted":  js.FuncOf(func(_ js.Value, args []js.Value) any { return playground.Pasted(args[0].String()) }),
		"changed": js.FuncOf(func(_ js.Value, args []js.Value) any { on.changed(args[0].String()); return nil }),
		"caret": js.FuncOf(func(_ js.Value, args []js.Value) any {
			on.caret(playground.Bytes(text(), args[0].Int()))
			return nil
		}),
	}
	return &editor{js.Global().Call("swizzleEditor", parent, callbacks), text}
}

// marks gives from, to, class of each coloured piece as a Uint32Array.
func marks(arch *isa.Arch, text string) js.Value {
	ms := arch.Highlight(text)
	b := make([]byte, 0, 12*len(ms))
	put := func(x int) { b = append(b, byte(x), byte(x>>8), byte(x>>16), byte(x>>24)) }
	at := playground.NewOffsets(text)
	for _, m := range ms {
		put(at.UTF16(m.Span.Start))
		put(at.UTF16(m.Span.End))
		put(int(m.Class))
	}
	bytes := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(bytes, b)
	return js.Global().Get("Uint32Array").New(bytes.Get("buffer"))
}

func asJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(b)
}

func completions(arch *isa.Arch, text string, units int) string {
	type option struct {
		Label  string `json:"label"`
		Detail string `json:"detail,omitempty"`
		Info   string `json:"info,omitempty"`
		Type   string `json:"type"`
	}
	list := arch.Complete(text, playground.Bytes(text, units))
	if len(list) == 0 {
		return ""
	}
	options := make([]option, len(list))
	for i, c := range list {
		options[i] = option{c.Text, c.Detail, c.Doc, c.Class.String()}
	}
	span := list[0].Span
	return asJSON(map[string]any{"from": playground.UTF16(text, span.Start), "to": playground.UTF16(text, span.End), "options": options})
}

func hover(arch *isa.Arch, text string, units int) string {
	h, ok := arch.Hover(text, playground.Bytes(text, units))
	if !ok {
		return ""
	}
	return asJSON(map[string]any{"from": playground.UTF16(text, h.Span.Start), "to": playground.UTF16(text, h.Span.End), "html": markup.Hover(h)})
}

func (e *editor) units(off int) int { return playground.UTF16(e.text(), off) }

func (e *editor) open(name, text string) { e.handle.Call("open", name, text) }

// edit makes an edit of the text before it; e.text gives the text after it.
func (e *editor) edit(before string, ed playground.Edit) {
	e.handle.Call("edit", playground.UTF16(before, ed.From), playground.UTF16(before, ed.To), ed.Insert, e.units(ed.Anchor), e.units(ed.Head))
}

func (e *editor) links(line, part source.Span) {
	e.handle.Call("links", e.units(line.Start), e.units(line.End), e.units(part.Start), e.units(part.End))
}

func (e *editor) diagnostics(list source.List) {
	type mark struct {
		From     int    `json:"from"`
		To       int    `json:"to"`
		Severity string `json:"severity"`
		Message  string `json:"message"`
	}
	names := map[source.Severity]string{source.Error: "error", source.Warning: "warning", source.Note: "info"}
	out := []mark{}
	for _, d := range list {
		if d.InText {
			out = append(out, mark{e.units(d.Span.Start), e.units(max(d.Span.End, d.Span.Start+1)), names[d.Severity], d.Message})
		}
	}
	e.handle.Call("diagnostics", asJSON(out))
}

func (e *editor) selectSpan(s source.Span) { e.handle.Call("select", e.units(s.Start), e.units(s.End)) }
func (e *editor) reveal(off int)           { e.handle.Call("reveal", e.units(off)) }
func (e *editor) focus()                   { e.handle.Call("focus") }
func (e *editor) hasFocus() bool           { return e.handle.Call("hasFocus").Bool() }
