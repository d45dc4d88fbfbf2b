package main

import (
	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/inpututil"
)

// An action is what a key does; the help lists them in this order.
type action struct {
	keys   []ebiten.Key
	name   string // of the keys, for people
	what   string
	repeat bool // while the key is held
	do     func(*window)
}

// actions are all keys. Escape, Tab, Enter and the arrows of a focused slider are the widgets' own.
var actions = []action{
	{[]ebiten.Key{ebiten.KeyF1, ebiten.KeyH}, "F1, H", "this help", false, func(w *window) { w.help = !w.help }},
	{[]ebiten.Key{ebiten.KeySpace}, "Space", "play, pause", false, func(w *window) { w.app.TogglePlay() }},
	{[]ebiten.Key{ebiten.KeyR}, "R", "time back to 0", false, func(w *window) { w.app.Seek(0) }},
	{[]ebiten.Key{ebiten.KeyComma}, ",", "a sixtieth of a second back", true, func(w *window) { w.step(-1) }},
	{[]ebiten.Key{ebiten.KeyPeriod}, ".", "and forward", true, func(w *window) { w.step(1) }},
	{[]ebiten.Key{ebiten.KeyE}, "E", "the other engine", false, func(w *window) { w.app.NextEngine() }},
	{[]ebiten.Key{ebiten.KeyV}, "V", "the next view: wireframe, depth, overdraw, cost … with Shift the one before", false, func(w *window) {
		if w.app.NextView(1); ebiten.IsKeyPressed(ebiten.KeyShift) {
			w.app.NextView(-2)
		}
	}},
	{[]ebiten.Key{ebiten.KeyS}, "S", "the shader of the other stage", false, func(w *window) { w.app.NextStage() }},
	{[]ebiten.Key{ebiten.KeyDown}, "Down", "next line of the listing", true, func(w *window) { w.list.move(w, 1) }},
	{[]ebiten.Key{ebiten.KeyUp}, "Up", "the line before", true, func(w *window) { w.list.move(w, -1) }},
	{[]ebiten.Key{ebiten.KeyPageDown}, "Page Down", "a page on", true, func(w *window) { w.list.move(w, 20) }},
	{[]ebiten.Key{ebiten.KeyPageUp}, "Page Up", "a page back", true, func(w *window) { w.list.move(w, -20) }},
	{[]ebiten.Key{ebiten.KeyF, ebiten.KeyDigit0}, "F, 0", "the whole picture", false, func(w *window) { w.view.ZoomToFit() }},
	{[]ebiten.Key{ebiten.KeyDigit1}, "1", "one pixel of the screen for each", false, func(w *window) { w.view.ZoomTo(1, w.centre()) }},
	{[]ebiten.Key{ebiten.KeyEqual, ebiten.KeyNumpadAdd}, "+", "zoom in; so does the wheel", true, func(w *window) { w.view.Step(1, w.centre()) }},
	{[]ebiten.Key{ebiten.KeyMinus, ebiten.KeyNumpadSubtract}, "-", "zoom out", true, func(w *window) { w.view.Step(-1, w.centre()) }},
	{[]ebiten.Key{ebiten.KeyI}, "I J K L", "move the picture; so does dragging", true, func(w *window) { w.view.Pan(0, w.pan()) }},
	{[]ebiten.Key{ebiten.KeyK}, "", "", true, func(w *window) { w.view.Pan(0, -w.pan()) }},
	{[]ebiten.Key{ebiten.KeyJ}, "", "", true, func(w *window) { w.view.Pan(w.pan(), 0) }},
	{[]ebiten.Key{ebiten.KeyL}, "", "", true, func(w *window) { w.view.Pan(-w.pan(), 0) }},
	{[]ebiten.Key{ebiten.KeyA}, "W A X D", "turn the camera; so does dragging with the right button", true, func(w *window) { w.app.Orbit(-5, 0) }},
	{[]ebiten.Key{ebiten.KeyD}, "", "", true, func(w *window) { w.app.Orbit(5, 0) }},
	{[]ebiten.Key{ebiten.KeyW}, "", "", true, func(w *window) { w.app.Orbit(0, 5) }},
	{[]ebiten.Key{ebiten.KeyX}, "", "", true, func(w *window) { w.app.Orbit(0, -5) }},
	{[]ebiten.Key{ebiten.KeyQ}, "Ctrl+Q", "quit", false, func(w *window) { w.quit = ebiten.IsKeyPressed(ebiten.KeyControl) }},
}

// A held key repeats after half a second, twenty times a second; a tick is a sixtieth.
const (
	repeatAfter = 30
	repeatEvery = 3
)

// keys runs the actions of the keys that are down.
func (w *window) keys() {
	if inpututil.IsKeyJustPressed(ebiten.KeyEscape) {
		w.help = false
		w.ui.ClearFocus()
		w.stir()
	}
	for _, a := range actions {
		for _, k := range a.keys {
			n := inpututil.KeyPressDuration(k)
			// A key may be down and up again within a slow frame.
			if pressed := inpututil.IsKeyJustPressed(k); (pressed || a.repeat && n > repeatAfter && n%repeatEvery == 0) && !w.ofWidget(k) {
				a.do(w)
				w.stir()
			}
		}
	}
}

// ofWidget reports whether a focused widget takes the key.
func (w *window) ofWidget(k ebiten.Key) bool {
	if w.ui.GetFocusedWidget() == nil {
		return false
	}
	switch k {
	case ebiten.KeySpace, ebiten.KeyUp, ebiten.KeyDown:
		return true
	}
	return false
}
