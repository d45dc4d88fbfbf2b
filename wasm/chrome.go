//go:build js

package main

import (
	"fmt"
	"syscall/js"

	"honnef.co/go/js/dom/v2"

	"swizzle/shaderkit/ir"
)

// narrow reports whether the window shows one panel at a time.
func (p *page) narrow() bool { return p.media.Get("matches").Bool() }

// reveal brings a panel to the front where one shows at a time.
func (p *page) reveal(panel string) {
	p.doc.Body().SetAttribute("data-show", panel)
	for _, tab := range p.tabs() {
		chosen := tab.GetAttribute("data-show") == panel
		tab.SetAttribute("aria-selected", fmt.Sprint(chosen))
		tab.SetAttribute("tabindex", map[bool]string{true: "0", false: "-1"}[chosen])
	}
	if p.session != nil {
		p.list.reveal(p.token) // what does not show does not scroll
	}
}

func (p *page) tabs() []dom.Element { return p.byID("tabs").QuerySelectorAll("[role=tab]") }

// roles makes the panels tab panels where they are, and regions where all show.
func (p *page) roles() {
	for _, tab := range p.tabs() {
		panel := p.byID(tab.GetAttribute("data-show"))
		if p.narrow() {
			panel.SetAttribute("role", "tabpanel")
			panel.SetAttribute("aria-labelledby", tab.ID())
		} else {
			panel.RemoveAttribute("role")
			panel.SetAttribute("aria-labelledby", panel.ID()+"-title")
		}
	}
}

// listenChrome wires what stands around the panels: tabs, shader choice, undo, theme, help.
func (p *page) listenChrome() {
	p.media = js.Global().Call("matchMedia", "(max-width: 720px)")
	on(p.media, "change", func(js.Value) { p.roles() })
	p.roles()
	tabs := p.byID("tabs").Underlying()
	on(tabs, "click", func(e js.Value) {
		if panel, ok := closest(e, "data-show"); ok {
			p.reveal(panel)
		}
	})
	on(tabs, "keydown", func(e js.Value) {
		step, ok := map[string]int{"ArrowRight": 1, "ArrowLeft": -1}[keyOf(e)]
		if !ok {
			return
		}
		all := p.tabs()
		for i, tab := range all {
			if tab.GetAttribute("aria-selected") == "true" {
				next := all[(i+step+len(all))%len(all)]
				p.reveal(next.GetAttribute("data-show"))
				next.Underlying().Call("focus")
				break
			}
		}
		e.Call("preventDefault")
	})
	on(p.byID("stages").Underlying(), "click", func(e js.Value) {
		if stage, ok := closest(e, "data-stage"); ok && p.session.Document(ir.Stage(stage)) != nil {
			p.session.Stage = ir.Stage(stage)
			p.token = 0
			p.show()
		}
	})
	on(p.byID("undo").Underlying(), "click", func(js.Value) { p.editor.handle.Call("undo") })
	on(p.byID("redo").Underlying(), "click", func(js.Value) { p.editor.handle.Call("redo") })
	on(p.doc.Underlying(), "keydown", p.globalKey)
	on(p.byID("help-button").Underlying(), "click", func(js.Value) { p.byID("help").Underlying().Call("showModal") })
	menu := p.byID("export-menu").Underlying()
	on(p.doc.Underlying(), "click", func(e js.Value) {
		if !menu.Call("contains", e.Get("target")).Bool() {
			menu.Set("open", false)
		}
	})
	on(menu, "keydown", func(e js.Value) {
		if keyOf(e) == "Escape" {
			menu.Set("open", false)
			menu.Call("querySelector", "summary").Call("focus")
		}
	})
	p.listenTheme()
}

// globalKey makes Ctrl+Z and its kin work outside text boxes: the journal of the editor holds the
// edits of words too.
func (p *page) globalKey(e js.Value) {
	if !e.Get("ctrlKey").Bool() && !e.Get("metaKey").Bool() || e.Get("defaultPrevented").Bool() {
		return
	}
	if e.Get("target").Call("closest", "input, textarea, [contenteditable=true]").Truthy() {
		return
	}
	what := ""
	switch key := e.Get("key").String(); {
	case key == "z" && !e.Get("shiftKey").Bool():
		what = "undo"
	case key == "y", key == "Z", key == "z":
		what = "redo"
	default:
		return
	}
	e.Call("preventDefault")
	p.editor.handle.Call(what)
}

// listenTheme applies the choice of a theme and keeps it; the loader applies it at the next visit.
func (p *page) listenTheme() {
	theme := p.byID("theme").(*dom.HTMLSelectElement)
	root := p.doc.DocumentElement()
	theme.SetValue(root.GetAttribute("data-theme"))
	on(theme.Underlying(), "change", func(js.Value) {
		setAttr(root, "data-theme", theme.Value())
		keep := js.Global().Get("swizzleKeep")
		keep.Invoke("swizzle-theme", theme.Value())
	})
}
