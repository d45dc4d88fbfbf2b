//go:build js

package main

import (
	"fmt"
	"html"
	"runtime"
	"slices"
	"syscall/js"

	"honnef.co/go/js/dom/v2"

	"swizzle/render/scene"
	"swizzle/shaderkit/source"
	"swizzle/wasm/markup"
	"swizzle/wasm/playground"
	"swizzle/wasm/protocol"
)

// A picture is the canvas and the worker that draws for it.
type picture struct {
	page    *page
	canvas  *dom.HTMLCanvasElement
	context js.Value

	helpers []*helper // more workers, for pictures that take long
	parts   assembly  // of the newest picture that came in parts
	slow    int       // pictures in a row that took long
	alone   bool      // helpers failed: there are no more of them

	worker  js.Value
	ready   bool           // the worker takes messages
	waiting *protocol.Draw // to be sent when it does
	sent    string         // the scene that the worker has
	seq     int            // of the newest request
	first   int            // of those since the worker was idle
	answer  int            // the newest that is answered
	busy    bool           // it is not answered
	late    bool           // and has not been for a while: the picture is an old one
	proven  bool           // the worker has answered before
	failed  int            // workers that ended before they were ready, in a row
	asked   float64        // when the newest request was sent
	heard   float64        // when it was last heard of, or got work
	watch   func()         // stops the timer that ends a silent worker; nil without one

	pixels        js.Value // RGBA of the picture shown
	buffer        js.Value // of pixels, where it goes back to the worker
	shown         int      // pictures so far
	width, height int
	foreign       bool // it is of what was open before
	x, y          int  // pixel cursor
	picked        bool // the person placed it
	orbiting      bool // dragging and arrow keys turn the camera
	size          int
	mode          string   // a scene.Mode
	views         []string // to choose from
	span          string   // what its colours stand for
	seconds       float64  // of the scene's time
	playing       bool
	clock         float64 // when its time was zero, in milliseconds of the browser's
	tick          js.Func

	problem *protocol.Problem // why the newest scene has no picture
}

func newPicture(p *page) *picture {
	v := &picture{page: p, canvas: p.byID("canvas").(*dom.HTMLCanvasElement), size: 256, mode: scene.Picture}
	// every pixel is made by this program: a canvas in plain memory is the faster one
	v.context = v.canvas.Underlying().Call("getContext", "2d", object("willReadFrequently", true))
	v.spawn()
	return v
}

// collectEach is how many pictures there are between collections of garbage. The small objects of JavaScript
// that came with each live until then, and Go alone would take thousands of pictures.
const collectEach = 512

// lateAfter is how long an old picture may stand for a new text before it says so, in milliseconds.
const lateAfter = 700

// countAfter is how long a picture stays before its statistics are asked for, in milliseconds.
const countAfter = 200

// readyWithin is how long a worker may take to start, in milliseconds.
const readyWithin = 20000

// spawn starts a worker, in the place of the one before.
func (v *picture) spawn() {
	v.ready, v.busy, v.proven, v.sent = false, false, false, ""
	v.worker = js.Global().Call("swizzleWorker", js.Global().Get("swizzleModule"))
	worker := v.worker
	on(worker, "message", func(e js.Value) {
		if worker.Equal(v.worker) {
			v.receive(e.Get("data"))
		}
	})
	on(worker, "error", func(e js.Value) {
		why := e.Get("message")
		if !why.Truthy() {
			why = js.ValueOf("its program did not load") // then the browser says nothing
		}
		if worker.Equal(v.worker) {
			v.fail(why.String())
		}
	})
	later(readyWithin, func() {
		if worker.Equal(v.worker) && !v.ready {
			v.fail("it did not start")
		}
	})
}

// fail replaces a worker that failed, unless the ones before have not even started.
func (v *picture) fail(why string) {
	if v.failed++; v.failed < 3 {
		v.replace("The engine failed and was started again: " + why)
		return
	}
	v.worker.Call("terminate")
	v.disband()
	v.unwatch()
	v.busy, v.ready = false, false
	v.tell("The engine cannot start: " + why + ". Text and words can be edited; reload the page to try again")
}

// tell says why there is no new picture.
func (v *picture) tell(why string) {
	v.problem, v.late = &protocol.Problem{Seq: v.seq, Message: why}, false
	engine := v.page.byID("engine")
	engine.SetTextContent(capital(why) + ".")
	engine.SetAttribute("class", "bad")
	if v.page.session != nil {
		v.label()
		v.page.refresh()
	}
}

// replace ends the worker and starts another; the page goes on with the last good picture.
func (v *picture) replace(why string) {
	v.worker.Call("terminate")
	v.disband()
	v.unwatch()
	v.spawn()
	v.tell(why)
}

func (v *picture) unwatch() {
	if v.watch != nil {
		v.watch()
		v.watch = nil
	}
}

// expect gives the worker the limit from now on. One that has not answered yet gets more, since it has
// the program to warm up and textures to make.
func (v *picture) expect() {
	v.unwatch()
	v.heard = now()
	limit := protocol.Limit
	if !v.proven {
		limit *= 3
	}
	v.watch = later(int(limit.Milliseconds()), func() {
		v.watch = nil
		newer := v.seq > v.first // it may be better than the one that the worker was lost in
		v.replace(fmt.Sprintf("The drawing was stopped: the engine did not answer for %d seconds", int(limit.Seconds())))
		if newer {
			v.redraw()
		}
	})
}

// lost reports whether the worker is so long about an old scene that a new one should not wait for it.
func (v *picture) lost() bool {
	return v.busy && v.proven && now()-v.heard > float64(protocol.Patience.Milliseconds())
}

// redraw asks for a picture of the session's scene as it is. While a text has errors there is none to ask
// for: the last good picture stays, dimmed and labelled.
func (v *picture) redraw() {
	v.label()
	if _, d := v.page.session.Broken(); d != nil {
		return
	}
	v.seq++
	req := protocol.Draw{Seq: v.seq, Scene: v.page.session.SceneText(), Width: v.size, Height: v.size, Seconds: v.seconds}
	if v.mode != scene.Picture {
		req.View = v.mode
	}
	if v.lost() {
		v.worker.Call("terminate")
		v.disband()
		v.unwatch()
		v.spawn()
	}
	if v.ready {
		v.send(&req)
	} else {
		v.waiting = &req
	}
}

func (v *picture) send(req *protocol.Draw) {
	req.Parts = 1
	if req.View == "" { // the colours of a view stand for what is in all of it
		req.Parts = v.share(req)
	}
	if req.Scene == v.sent {
		req.Scene = ""
	} else {
		v.sent = req.Scene
	}
	if !v.busy {
		v.expect() // a newer request does not give a silent worker more time
	}
	if !v.busy {
		v.first = req.Seq
	}
	if !v.busy && v.pixels.Truthy() && !v.playing {
		first := v.first
		later(lateAfter, func() {
			if v.busy && v.answer < first {
				v.late = true
				v.label()
			}
		})
	}
	v.busy = true
	v.asked = now()
	send(v.worker, *req)
}

// message takes a message apart.
func message(data js.Value) (m protocol.Message, buffer js.Value, err error) {
	header := data
	if data.Type() == js.TypeObject {
		header, buffer = data.Index(0), data.Index(1)
	}
	m, err = protocol.Decode(header.String())
	return m, buffer, err
}

func (v *picture) receive(data js.Value) {
	m, buffer, err := message(data)
	if err != nil {
		v.fail(err.Error())
		return
	}
	switch m := m.(type) {
	case protocol.Ready:
		v.ready, v.failed = true, 0
		if v.waiting != nil {
			v.send(v.waiting)
			v.waiting = nil
		} else {
			v.page.byID("engine").SetTextContent("engine ready")
		}
	case protocol.Alive:
		v.alive()
		if m.Tiles > 0 && v.busy && now()-v.asked > 500 {
			v.page.byID("engine").SetTextContent(fmt.Sprintf("drawing: %d of %d tiles", m.Done, m.Tiles))
		}
	case protocol.Frame:
		v.take(v.worker, m, buffer)
	case protocol.Counted:
		if m.Seq == v.seq {
			v.page.byID("counts").SetInnerHTML(markup.Statistics(&m.Stats, &m.Counts))
		}
	case protocol.Problem:
		v.answered(m.Seq)
		v.problem = &m
		v.label()
		v.page.refresh()
	}
}

// alive notes that a worker goes on.
func (v *picture) alive() {
	if v.busy {
		v.proven = true
		v.expect()
	}
}

// take shows a finished frame, when all its parts are there.
func (v *picture) take(from js.Value, f protocol.Frame, buffer js.Value) {
	pixels, old := js.Global().Get("Uint8ClampedArray").New(buffer), v.buffer
	if f.Parts > 1 {
		v.alive()
		complete := v.parts.add(&f, pixels)
		giveBack(from, buffer)
		if !complete {
			return
		}
		pixels, buffer = v.parts.pixels(), js.Value{}
	}
	v.answered(f.Seq)
	v.problem = nil
	v.span = playground.Span(f.Low, f.High, f.Of)
	v.offer(f.Views)
	v.present(f, pixels)
	if v.shown++; v.shown%collectEach == 0 {
		later(0, runtime.GC)
	}
	v.buffer = buffer
	if old.Truthy() {
		giveBack(v.worker, old)
	}
	v.grow(&f)
}

// giveBack sends the buffer of a picture to a worker, for another one.
func giveBack(worker, buffer js.Value) { worker.Call("postMessage", buffer, []any{buffer}) }

func (v *picture) answered(seq int) {
	v.proven, v.late, v.answer = true, false, seq
	if seq == v.seq {
		v.busy = false
		v.unwatch()
	} else {
		v.expect()
	}
}

// offer lists the views of a scene.
func (v *picture) offer(views []string) {
	if len(views) == 0 || slices.Equal(views, v.views) {
		return
	}
	v.views = views
	v.page.byID("view").SetInnerHTML(markup.Views(views, v.mode))
	if !slices.Contains(views, v.mode) {
		v.mode = scene.Picture
		v.redraw()
	}
}

// present puts a finished frame on the canvas.
func (v *picture) present(f protocol.Frame, pixels js.Value) {
	hadProblem := v.page.byID("frame").Class().Contains("old")
	v.pixels, v.foreign = pixels, false
	if f.Width != v.width || f.Height != v.height {
		v.width, v.height = f.Width, f.Height
		v.canvas.SetWidth(f.Width)
		v.canvas.SetHeight(f.Height)
		if !v.picked {
			v.x, v.y = f.Width/2, f.Height/2
		}
		v.x, v.y = min(v.x, f.Width-1), min(v.y, f.Height-1)
	}
	image := js.Global().Get("ImageData").New(v.pixels, f.Width, f.Height)
	v.context.Call("putImageData", image, 0, 0)
	v.page.byID("first-picture").SetAttribute("hidden", "")
	v.canvas.SetAttribute("data-seq", fmt.Sprint(f.Seq))
	v.canvas.SetAttribute("data-workers", fmt.Sprint(max(1, f.Parts)))
	engine := v.page.byID("engine")
	engine.SetTextContent(fmt.Sprintf("%d×%d drawn in %.1f ms", f.Width, f.Height, f.Millis))
	engine.SetAttribute("class", "dim")
	v.label()
	if hadProblem {
		v.page.refresh()
	}
	v.showPixel()
	if v.playing {
		v.animate()
	} else {
		v.count()
	}
}

// count asks for the statistics of the picture, when they are open and it stays for a moment.
func (v *picture) count() {
	if !v.page.byID("statistics").HasAttribute("open") {
		return
	}
	seq := v.seq
	later(countAfter, func() {
		if seq == v.seq && v.ready && !v.busy && !v.playing && v.problem == nil {
			send(v.worker, protocol.Count{Seq: seq, Width: v.size, Height: v.size, Seconds: v.seconds})
		}
	})
}

// label says under the picture when it is not that of the text, and why.
func (v *picture) label() {
	why := ""
	shown := "Showing the last good picture. "
	switch {
	case !v.pixels.Truthy():
		shown = "No picture yet. "
	case v.foreign:
		shown = "Showing the picture of what was open before. "
	}
	if name, d := v.page.session.Broken(); d != nil {
		why = shown + capital(name) + ", " + d.FirstError()
	} else if v.problem != nil {
		why = shown + playground.Explain(v.problem.Message, v.problem.Findings)
	} else if v.late {
		why = "Drawing. Until that is done, this is the picture from before"
	}
	stale := v.page.byID("stale")
	setClass(v.page.byID("frame"), "old", why != "")
	if why == "" {
		stale.SetAttribute("hidden", "")
		return
	}
	stale.SetTextContent(sentence(why))
	stale.RemoveAttribute("hidden")
}

// findings gives what the engine said about a member of the newest scene.
func (v *picture) findings(name string) source.List {
	var list source.List
	if v.problem != nil {
		for _, d := range v.problem.Findings {
			if d.File == name {
				list = append(list, d)
			}
		}
	}
	return list
}

// showPixel says what lies under the pixel cursor.
func (v *picture) showPixel() {
	if !v.pixels.Truthy() {
		return
	}
	at := 4 * (v.y*v.width + v.x)
	var c [4]int
	for i := range c {
		c[i] = v.pixels.Index(at + i).Int()
	}
	cursor := v.page.byID("cursor")
	cursor.RemoveAttribute("hidden")
	style := cursor.Underlying().Get("style")
	for name, value := range map[string]int{"left": 100 * v.x, "top": 100 * v.y} {
		size := v.width
		if name == "top" {
			size = v.height
		}
		style.Set(name, fmt.Sprintf("%.3f%%", float64(value)/float64(size)))
	}
	style.Set("width", fmt.Sprintf("%.3f%%", 100/float64(v.width)))
	style.Set("height", fmt.Sprintf("%.3f%%", 100/float64(v.height)))
	f := func(x int) string { return fmt.Sprintf("%.3f", float64(x)/255) }
	below := fmt.Sprintf("r %s g %s b %s a %s", f(c[0]), f(c[1]), f(c[2]), f(c[3]))
	if v.span != "" {
		below = html.EscapeString(v.span)
	}
	v.page.byID("pixel").SetInnerHTML(fmt.Sprintf(
		`pixel (%d, %d) <span class="swatch" style="background:rgb(%d %d %d)"></span> %02X%02X%02X%02X<br>%s`,
		v.x, v.y, c[0], c[1], c[2], c[0], c[1], c[2], c[3], below))
}

// moveTo places the pixel cursor.
func (v *picture) moveTo(x, y int) {
	if v.width == 0 {
		return
	}
	v.picked = true
	v.x, v.y = min(max(x, 0), v.width-1), min(max(y, 0), v.height-1)
	v.showPixel()
}

// listenCanvas wires dragging, clicks and keys on the picture.
func (v *picture) listenCanvas() {
	c := v.canvas.Underlying()
	var fromX, fromY float64
	down, moved := false, false
	place := func(e js.Value) {
		box := c.Call("getBoundingClientRect")
		x := (e.Get("clientX").Float() - box.Get("left").Float()) / box.Get("width").Float()
		y := (e.Get("clientY").Float() - box.Get("top").Float()) / box.Get("height").Float()
		v.moveTo(int(x*float64(v.width)), int(y*float64(v.height)))
	}
	on(c, "pointerdown", func(e js.Value) {
		down, moved = true, false
		if !v.orbiting {
			place(e)
		}
		fromX, fromY = e.Get("clientX").Float(), e.Get("clientY").Float()
		c.Call("setPointerCapture", e.Get("pointerId"))
	})
	on(c, "pointermove", func(e js.Value) {
		if !down {
			return
		}
		x, y := e.Get("clientX").Float(), e.Get("clientY").Float()
		if !moved && (x-fromX)*(x-fromX)+(y-fromY)*(y-fromY) < 9 {
			return
		}
		moved = true
		if !v.orbiting {
			place(e)
			return
		}
		v.orbit((x-fromX)*0.5, (y-fromY)*0.5)
		fromX, fromY = x, y
	})
	on(c, "pointerup", func(e js.Value) {
		if down && !moved {
			place(e)
		}
		down = false
	})
	on(c, "pointercancel", func(js.Value) { down = false })
	on(c, "keydown", func(e js.Value) {
		step := map[string][2]int{"ArrowLeft": {-1, 0}, "ArrowRight": {1, 0}, "ArrowUp": {0, -1}, "ArrowDown": {0, 1}}
		d, ok := step[keyOf(e)]
		if !ok {
			return
		}
		n := 1
		if e.Get("shiftKey").Bool() {
			n = 10
		}
		if v.orbiting {
			v.orbit(float64(d[0]*n)*3, float64(d[1]*n)*3)
		} else {
			v.moveTo(v.x+d[0]*n, v.y+d[1]*n)
		}
		e.Call("preventDefault")
	})
	pixel := v.page.byID("pixel")
	on(c, "focus", func(js.Value) { pixel.SetAttribute("aria-live", "polite") })
	on(c, "blur", func(js.Value) { pixel.RemoveAttribute("aria-live") })
	view := v.page.byID("view").(*dom.HTMLSelectElement)
	on(view.Underlying(), "change", func(js.Value) {
		v.mode = view.Value()
		v.page.byID("command").SetTextContent(v.page.session.Command(v.mode))
		v.redraw()
	})
	size := v.page.byID("size").(*dom.HTMLSelectElement)
	on(size.Underlying(), "change", func(js.Value) {
		fmt.Sscan(size.Value(), &v.size) // the options are numbers
		v.picked = false
		v.redraw()
	})
}

// orbit turns the camera by degrees.
func (v *picture) orbit(dx, dy float64) {
	v.page.session.Orbit(dx, dy)
	v.redraw()
}

// play starts or stops the time of a scene that moves.
func (v *picture) play(on bool) {
	v.playing = on
	if on {
		v.clock = now() - 1000*v.seconds
		v.animate()
	}
}

// animate asks for the next frame at the browser's next turn to paint.
func (v *picture) animate() {
	if !v.tick.Truthy() {
		v.tick = js.FuncOf(func(js.Value, []js.Value) any {
			if v.playing && !v.busy {
				v.seconds = (now() - v.clock) / 1000
				v.redraw()
			}
			return nil
		})
	}
	js.Global().Call("requestAnimationFrame", v.tick)
}

func now() float64 { return js.Global().Get("performance").Call("now").Float() }
