//go:build js

package main

import (
	"fmt"
	"strconv"
	"strings"
	"syscall/js"

	"swizzle/wasm/markup"
)

// showScene shows the constants and choices of the scene.
func (p *page) showScene() {
	p.byID("scene-controls").SetInnerHTML(markup.Scene(p.session))
	p.setTool(map[bool]string{true: "pixel", false: "orbit"}[p.session.Scene.Camera.Flat])
	play := p.byID("play")
	if p.session.Scene.Moves() {
		play.RemoveAttribute("hidden")
	} else {
		play.SetAttribute("hidden", "")
		p.setPlaying(false)
	}
}

// setTool says what dragging and arrow keys on the picture do: "orbit" or "pixel". A click picks a
// pixel in both.
func (p *page) setTool(tool string) {
	p.view.orbiting = tool == "orbit"
	for _, b := range p.doc.QuerySelectorAll("[data-tool]") {
		b.SetAttribute("aria-pressed", fmt.Sprint(b.GetAttribute("data-tool") == tool))
	}
}

func (p *page) setPlaying(on bool) {
	p.view.play(on)
	text := "Play"
	if on {
		text = "Pause"
	}
	p.byID("play").SetTextContent(text)
}

// listenScene wires the constants, the choices, the tool of the picture and the time.
func (p *page) listenScene() {
	p.showScene()
	on(p.byID("statistics").Underlying(), "toggle", func(js.Value) { p.view.count() })
	controls := p.byID("scene-controls").Underlying()
	for _, event := range []string{"input", "change"} {
		on(controls, event, func(js.Value) { p.edited = true })
	}
	on(controls, "input", func(e js.Value) {
		target := e.Get("target")
		if c, ok := closest(e, "data-constant"); ok {
			p.constantChanged(c, target)
			p.view.redraw()
		}
	})
	on(controls, "change", func(e js.Value) {
		value := e.Get("target").Get("value").String()
		if _, ok := closest(e, "data-mesh"); ok {
			p.session.Scene.First().Mesh = value
			p.view.redraw()
		} else if name, ok := closest(e, "data-texture"); ok {
			t := p.session.Scene.Textures[name]
			t.Image, t.File = value, ""
			p.session.Scene.Textures[name] = t
			p.view.redraw()
		}
	})
	on(controls, "click", func(e js.Value) {
		if _, ok := closest(e, "data-add"); ok {
			if err := p.session.AddConstant(p.input("new-constant").Value()); err != nil {
				p.toast(sentence(err.Error()))
				return
			}
			p.edited = true
			p.showScene()
			p.view.redraw()
		}
	})
	on(p.byID("scene").Underlying(), "click", func(e js.Value) {
		if tool, ok := closest(e, "data-tool"); ok {
			p.setTool(tool)
		}
	})
	on(p.byID("play").Underlying(), "click", func(js.Value) { p.setPlaying(!p.view.playing) })
	still := js.Global().Call("matchMedia", "(prefers-reduced-motion: reduce)").Get("matches").Bool()
	p.setPlaying(p.session.Scene.Moves() && !still)
}

// constantChanged takes one component, or the colour of three; the fields beside follow.
func (p *page) constantChanged(place string, target js.Value) {
	var i, comp int
	if _, err := fmt.Sscanf(place, "%d.%d", &i, &comp); err != nil {
		return
	}
	list := p.session.Constants()
	if i >= len(list) {
		return
	}
	value := list[i].Binding.Value
	text := target.Get("value").String()
	if comp < 0 {
		rgb, err := strconv.ParseUint(strings.TrimPrefix(text, "#"), 16, 32)
		if err != nil {
			return
		}
		for k := 0; k < 3 && k < len(value); k++ {
			value[k] = float64(rgb>>(16-8*k)&255) / 255
			if field := p.byID("scene-controls").QuerySelector(fmt.Sprintf("[data-constant='%d.%d']", i, k)); field != nil {
				field.Underlying().Set("value", markup.Number(value[k]))
			}
		}
		return
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || comp >= len(value) || x != x || x > 1e30 || x < -1e30 {
		return
	}
	value[comp] = x
	for _, field := range p.byID("scene-controls").QuerySelectorAll(fmt.Sprintf("[data-constant='%d.%d']", i, comp)) {
		if e := field.Underlying(); !e.Equal(target) {
			e.Set("value", text)
		}
	}
	if swatch := p.byID("scene-controls").QuerySelector(fmt.Sprintf("[data-constant='%d.-1']", i)); swatch != nil {
		swatch.Underlying().Set("value", markup.Colour(value))
	}
}
