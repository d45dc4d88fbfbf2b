//go:build js

package main

import (
	"cmp"
	"errors"
	"image"
	"syscall/js"
	"time"

	"swizzle/render"
	"swizzle/render/scene"
	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/interp"
	"swizzle/shaderkit/ir"
	"swizzle/shaderkit/jit"
	"swizzle/shaderkit/jit/browserhost"
	"swizzle/wasm/protocol"
)

// An engine is the worker's side: it draws the newest scene in slices and looks for messages between.
type engine struct {
	view   *scene.View
	next   *protocol.Draw  // the newest request that is not begun
	count  *protocol.Count // likewise, for when there is no other
	seq    int             // of the request being drawn
	awake  chan struct{}   // a message came
	yields chan struct{}   // the event loop came round
	port   js.Value        // a message to it comes back as a yield
	packed []byte          // what rows gives
	spare  js.Value        // buffer that the page gave back
}

// runEngine never returns: the page ends the worker.
func runEngine() {
	e := &engine{view: scene.NewView(newEngine()), awake: make(chan struct{}, 1), yields: make(chan struct{}, 1)}
	channel := js.Global().Get("MessageChannel").New()
	e.port = channel.Get("port1")
	channel.Get("port2").Set("onmessage", js.FuncOf(func(js.Value, []js.Value) any {
		e.yields <- struct{}{}
		return nil
	}))
	js.Global().Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		e.receive(args[0].Get("data"))
		return nil
	}))
	send(js.Global(), protocol.Ready{})
	for range e.awake {
		for e.next != nil || e.count != nil {
			if e.next != nil {
				e.draw()
			} else {
				e.statistics()
			}
		}
	}
}

// newEngine gives the fast engine, which the interpreter helps out until programs are compiled. What jit cannot
// take runs on the interpreter; the console says so.
func newEngine() exec.Engine {
	return exec.NewTiered(interp.New(), &exec.Fallback{First: jit.New(browserhost.New()), Second: interp.New(), Told: func(p *ir.Program, why error) {
		js.Global().Get("console").Call("warn", p.Name+" runs on interp: "+why.Error())
	}})
}

// send posts a message.
func send(to js.Value, m protocol.Message) { to.Call("postMessage", protocol.Encode(m)) }

// post posts a message with a buffer, which is transferred.
func post(to js.Value, m protocol.Message, buffer js.Value) {
	to.Call("postMessage", []any{protocol.Encode(m), buffer}, []any{buffer})
}

func (e *engine) receive(data js.Value) {
	if data.Type() == js.TypeObject {
		e.spare = data
		return
	}
	m, err := protocol.Decode(data.String())
	if err != nil {
		send(js.Global(), protocol.Problem{Seq: e.seq, Message: err.Error()})
		return
	}
	switch m := m.(type) {
	case protocol.Draw:
		if e.next != nil && m.Scene == "" {
			m.Scene = e.next.Scene // the request that is dropped brought one
		}
		e.next, e.count = &m, nil
	case protocol.Count:
		e.count = &m
	}
	select {
	case e.awake <- struct{}{}:
	default:
	}
}

// draw takes the newest request and draws it unless a newer one comes.
func (e *engine) draw() {
	req := e.next
	e.next = nil
	e.seq = req.Seq
	began := time.Now()
	if err := e.begin(req); err != nil {
		e.problem(err)
		return
	}
	if !e.tiles() {
		return
	}
	picture := e.view.Image()
	size := picture.Bounds().Size()
	var views []string
	if req.Scene != "" {
		views = e.view.Modes()
	}
	span := e.view.Range()
	e.sendPicture(protocol.Frame{
		Views: views, Low: span.Min, High: span.Max, Of: span.Of,
		Seq: e.seq, Width: size.X, Height: size.Y, Part: req.Part, Parts: req.Parts,
		Millis: float64(time.Since(began).Microseconds()) / 1000, Compiled: e.view.Stats().Compiled > 0,
	}, e.rows(picture))
}

// tiles draws the frame in slices, and reports whether it is complete: a newer request ends it.
func (e *engine) tiles() bool {
	slice := time.Now()
	for !e.view.DrawTiles(1) {
		if time.Since(slice) < protocol.Slice {
			continue
		}
		n, done := e.view.Tiles()
		send(js.Global(), protocol.Alive{Seq: e.seq, Done: done, Tiles: n})
		e.port.Call("postMessage", js.Null())
		<-e.yields
		if e.next != nil {
			return false
		}
		slice = time.Now()
	}
	return true
}

// statistics draws the picture once more, and once for each thing that is counted in a frame of its own.
func (e *engine) statistics() {
	req := e.count
	e.count = nil
	out := protocol.Counted{Seq: req.Seq}
	e.view.Part = render.Part{}
	for i, name := range append([]string{scene.Picture}, scene.CountModes...) {
		mode, err := scene.ModeByName(name)
		if err == nil {
			e.view.SetMode(mode)
			err = e.view.Begin(req.Seconds, req.Width, req.Height)
		}
		if err != nil || !e.tiles() {
			return // the page knows the error from the picture
		}
		if i == 0 {
			out.Stats = e.view.Stats()
		} else {
			out.Counts.Add(e.view.Counted())
		}
	}
	send(js.Global(), out)
}

// sendPicture posts a picture, in the buffer of an earlier one if it is as long.
func (e *engine) sendPicture(f protocol.Frame, pixels []byte) {
	buffer := e.spare
	e.spare = js.Value{}
	if !buffer.Truthy() || buffer.Get("byteLength").Int() != len(pixels) {
		buffer = js.Global().Get("ArrayBuffer").New(len(pixels))
	}
	js.CopyBytesToJS(js.Global().Get("Uint8Array").New(buffer), pixels)
	post(js.Global(), f, buffer)
}

// rows gives the pixels of the part that was drawn.
func (e *engine) rows(m *image.NRGBA) []byte {
	if e.view.Part.Count < 2 {
		return m.Pix
	}
	e.packed = e.packed[:0]
	band := exec.TileSize * m.Stride
	for y := 0; y*band < len(m.Pix); y++ {
		if e.view.Part.Has(y) {
			e.packed = append(e.packed, m.Pix[y*band:min(len(m.Pix), (y+1)*band)]...)
		}
	}
	return e.packed
}

func (e *engine) begin(req *protocol.Draw) error {
	if req.Scene != "" {
		s, err := scene.Parse([]byte(req.Scene))
		if err != nil {
			return err
		}
		if err := e.view.Load(s, scene.Compile); err != nil {
			return err
		}
		send(js.Global(), protocol.Alive{Seq: e.seq})
	}
	mode, err := scene.ModeByName(cmp.Or(req.View, scene.Picture))
	if err != nil {
		return err
	}
	e.view.SetMode(mode)
	e.view.Part = render.Part{Index: req.Part, Count: req.Parts}
	return e.view.Begin(req.Seconds, req.Width, req.Height)
}

// problem says why there is no picture, with the findings where the scene gives them.
func (e *engine) problem(err error) {
	p := protocol.Problem{Seq: e.seq, Message: err.Error()}
	var list *scene.Error
	if errors.As(err, &list) {
		p.Findings = list.List
	}
	send(js.Global(), p)
}
