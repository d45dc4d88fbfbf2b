//go:build js

package main

import (
	"slices"
	"syscall/js"

	"swizzle/render"
	"swizzle/shaderkit/exec"
	"swizzle/wasm/protocol"
)

// A helper is a worker beside the first one. It draws a part of each picture. All of them go when one fails, and
// when the first one is replaced.
type helper struct {
	worker js.Value
	ready  bool
	sent   string // the scene that it has
}

const (
	// slowFrames is how many pictures in a row take longer than a slice before there is another helper.
	slowFrames = 3
	// maxHelpers bounds them whatever the machine has.
	maxHelpers = 15
)

// grow adds a helper where pictures take long, and the machine has a core and memory for it. One core is the page's.
func (v *picture) grow(f *protocol.Frame) {
	if f.Compiled {
		return
	}
	if f.Millis <= float64(protocol.Slice.Milliseconds()) {
		v.slow = 0
		return
	}
	n := len(v.helpers)
	if v.slow++; v.slow < slowFrames || v.alone || n > 0 && !v.helpers[n-1].ready {
		return
	}
	v.slow = 0
	navigator := js.Global().Get("navigator")
	limit := min(navigator.Get("hardwareConcurrency").Int()-2, maxHelpers, (f.Height-1)/exec.TileSize)
	if memory := navigator.Get("deviceMemory"); memory.Truthy() { // gigabytes, where the browser says it
		limit = min(limit, int(2*memory.Float())-1)
	}
	if n < limit {
		v.help()
	}
}

// help starts a helper.
func (v *picture) help() {
	h := &helper{worker: js.Global().Call("swizzleWorker", js.Global().Get("swizzleModule"))}
	v.helpers = append(v.helpers, h)
	on(h.worker, "message", func(e js.Value) {
		if slices.Contains(v.helpers, h) {
			v.hear(h, e.Get("data"))
		}
	})
	on(h.worker, "error", func(js.Value) {
		if slices.Contains(v.helpers, h) {
			v.without()
		}
	})
}

// hear takes a message of a helper. What is wrong with a scene the first worker says.
func (v *picture) hear(h *helper, data js.Value) {
	m, buffer, err := message(data)
	if err != nil {
		v.without()
		return
	}
	switch m := m.(type) {
	case protocol.Ready:
		h.ready = true
	case protocol.Alive:
		v.alive()
	case protocol.Frame:
		v.take(h.worker, m, buffer)
	}
}

// without goes on without helpers, since one failed.
func (v *picture) without() {
	v.alone = true
	v.disband()
	if v.busy {
		v.redraw()
	}
}

// disband ends all helpers.
func (v *picture) disband() {
	for _, h := range v.helpers {
		h.worker.Call("terminate")
	}
	v.helpers, v.slow = nil, 0
}

// share sends a request to the helpers that are ready, a part each, and gives the number of parts. The first
// part is left.
func (v *picture) share(req *protocol.Draw) (parts int) {
	parts = 1
	if req.View != "" {
		return parts // its range of colours is that of the whole picture
	}
	for _, h := range v.helpers {
		if h.ready {
			parts++
		}
	}
	part := 0
	for _, h := range v.helpers {
		if !h.ready {
			continue
		}
		part++
		r := *req
		r.Part, r.Parts = part, parts
		if r.Scene == h.sent {
			r.Scene = ""
		} else {
			h.sent = r.Scene
		}
		send(h.worker, r)
	}
	return parts
}

// An assembly is a picture of which parts came.
type assembly struct {
	seq      int
	got      int
	millis   float64 // the most of the parts
	compiled bool
	complete bool
	arrays   [2]js.Value // RGBA: of the picture and of one before, which may be shown
	at       int
}

func (a *assembly) pixels() js.Value { return a.arrays[a.at] }

// add puts a part in its place, and tells whether the picture is complete; f becomes what is to be said of it.
func (a *assembly) add(f *protocol.Frame, pixels js.Value) bool {
	switch {
	case f.Seq < a.seq:
		return false
	case f.Seq > a.seq:
		if a.complete {
			a.at = 1 - a.at
		}
		*a = assembly{seq: f.Seq, arrays: a.arrays, at: a.at}
		if p, n := &a.arrays[a.at], 4*f.Width*f.Height; !p.Truthy() || p.Length() != n {
			*p = js.Global().Get("Uint8ClampedArray").New(n)
		}
	}
	band := 4 * f.Width * exec.TileSize
	from, part := 0, render.Part{Index: f.Part, Count: f.Parts}
	for y := 0; y*exec.TileSize < f.Height; y++ {
		if part.Has(y) {
			to := min(from+band, pixels.Length())
			a.pixels().Call("set", pixels.Call("subarray", from, to), y*band)
			from = to
		}
	}
	a.got++
	a.millis, a.compiled = max(a.millis, f.Millis), a.compiled || f.Compiled
	f.Millis, f.Compiled = a.millis, a.compiled
	a.complete = a.got == f.Parts
	return a.complete
}
