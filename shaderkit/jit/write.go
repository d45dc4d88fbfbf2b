package jit

import (
	"swizzle/shaderkit/internal/wasmenc"
	"swizzle/shaderkit/ir"
)

// A wave is eight lanes in two vectors of four. Where nobody can tell, code takes two waves at once: see wide.go.
const (
	waveVectors = 2
	maxVectors  = 2 * waveVectors
)

// A place is where a register lives: one local for each vector of four words, or two vectors of two
// long words for each four lanes. A uniform register has one, and so has one whose vectors are the same.
type place [2 * maxVectors]uint32

// A writer writes the code of one function.
type writer struct {
	*wasmenc.Func
	m *module
	f *function

	at      []place
	globals []uint32 // by register: that of a constant, from 1
	spans   []span   // of records by register, see memory.go; those that have none are zero
	free    []uint32 // vector locals to use again
	pos     int

	active   [maxVectors]uint32 // locals: mask of the lanes that execute
	live     [maxVectors]uint32 // entry: locals, when no other function changes them
	spent    [maxVectors]uint32
	loops    []*loopCode
	results  []place // of Return; not in the entry
	returned [maxVectors]uint32
	leave    wasmenc.Label // block to break out of when no lane is left: the innermost that may be
	waveEnd  wasmenc.Label // entry
	parted   int           // open Ifs and Loops in which an active lane may have left another behind

	// Of an optimistic entry, see optimist.go: vectors, and what strict is given.
	sum, hoped, lived [maxVectors]uint32
	stopped           uint32
	zeroSum           uint32 // what sum begins with, unless that is 0

	// Of the entry: the place of the wave in the tile, or its first item, as locals.
	x, y, item uint32
	rest       uint32 // local: items that are left
	left       uint32 // local: triangles that are left
	bx, by     uint32 // locals: the place of the block
	part       uint32 // local: the wave of the block
	done       wasmenc.Label
	forms      *pixelForms
	offsets    []pixelOffset // each of another form
	edges      [3]edge
	full       uint32        // local: the whole block is inside all edges
	box        [4]uint32     // locals: x0, y0, x1, y1 of the triangle's box
	cut        uint32        // local: the box cuts the block
	whole      uint32        // local: all pixels of the block are covered
	solid      uint32        // local: all lanes of the wave are active and live; not in strict waves
	lanes      uint32        // local: lanes that were covered
	covered    bool          // Cover is done
	uncovered  wasmenc.Label // of waves that Cover leaves out
}

// mark notes where the code of in begins.
func (w *writer) mark(in *ir.Inst) {
	if n := len(w.m.pcs); n == 0 || w.m.pcs[n-1].f != w.Func || w.m.pcs[n-1].from != in.From {
		w.m.pcs = append(w.m.pcs, pc{w.Func, len(w.Code), in.From})
	}
}

// temp gives a vector local; release gives it back.
func (w *writer) temp() uint32 {
	if n := len(w.free); n > 0 {
		t := w.free[n-1]
		w.free = w.free[:n-1]
		return t
	}
	return w.Local(wasmenc.V128)
}

func (w *writer) release(t ...uint32) { w.free = append(w.free, t...) }

func (w *writer) temps() (t [maxVectors]uint32) {
	for v := range w.m.n {
		t[v] = w.temp()
	}
	return t
}

// width is the number of vectors of a register of class c.
func (m *module) width(c ir.Class, uniform bool) int {
	switch {
	case uniform:
		return 1
	case c == ir.C64:
		return 2 * m.n
	}
	return m.n
}

func (w *writer) width(r ir.Reg) int { return w.m.width(w.f.Class[r], w.f.uniform[r] || w.f.same[r]) }

// declare gives a register its locals.
func (w *writer) declare(r ir.Reg) {
	for v := range w.width(r) {
		w.at[r][v] = w.temp()
	}
}

// step goes on to the next position and frees what is not read behind the current one.
func (w *writer) step() {
	for _, r := range w.f.ends.at(w.pos) {
		if w.at[r] == (place{}) {
			continue
		}
		w.release(w.at[r][:w.width(r)]...)
		w.at[r] = place{}
	}
	w.pos++
}

// vec pushes vector v of a register: lanes 4v to 4v+3 of one of 32 bits, 2v and 2v+1 of one of 64.
func (w *writer) vec(r ir.Reg, v int) {
	if in := w.f.def[r]; in != nil {
		switch in.Op {
		case ir.Const:
			if g := w.globals[r]; g > 0 {
				w.GetGlobal(g - 1)
			} else if g, ok := w.constant(uint32(in.Imm)); ok {
				w.globals[r] = g + 1
			}
			return
		case ir.Const64:
			lo, hi := uint32(in.Imm), uint32(in.Imm>>32)
			w.VConst([4]uint32{lo, hi, lo, hi})
			return
		}
	}
	if w.f.uniform[r] || w.f.same[r] {
		v = 0
	}
	w.Get(w.at[r][v])
}

// constant pushes a vector of four equal words, vector one of any. Those that take a processor more than
// an instruction or two are variables that nobody changes: V8 would make them again in each round of a
// loop. It gives the variable, if there is one.
func (w *writer) constant(word uint32) (global uint32, ok bool) {
	switch word {
	case 0, ^uint32(0):
		w.Splat(word)
		return 0, false
	}
	return w.vector([4]uint32{word, word, word, word}), true
}

func (w *writer) vector(words [4]uint32) (global uint32) {
	g, ok := w.m.constants[words]
	if !ok {
		g = w.m.GlobalVec(words)
		w.m.constants[words] = g
	}
	w.GetGlobal(g)
	return g
}

// lane0 pushes the value of a uniform register as a word.
func (w *writer) lane0(r ir.Reg) {
	if bits, ok := w.f.constant(r); ok {
		w.I32(int32(bits))
		return
	}
	w.vec(r, 0)
	w.VLane(wasmenc.I32x4ExtractLane, 0)
}

// set pops vector v of r.
func (w *writer) set(r ir.Reg, v int) { w.Set(w.at[r][v]) }

// any pushes whether a bit of these vectors is set.
func (w *writer) any(masks ...uint32) {
	for i, m := range masks {
		if w.Get(m); i > 0 {
			w.V(wasmenc.V128Or)
		}
	}
	w.V(wasmenc.V128AnyTrue)
}

// sign pushes vector v of a condition as a mask.
func (w *writer) sign(r ir.Reg, v int) {
	if w.vec(r, v); !w.f.mask[r] {
		w.I32(31).V(wasmenc.I32x4ShrS)
	}
}

// maskOf pushes the mask for vector v of a register of class c.
func (w *writer) maskOf(c ir.Class, mask [maxVectors]uint32, v int) {
	if c == ir.C32 {
		w.Get(mask[v])
		return
	}
	w.Get(mask[v/2]).Get(mask[v/2])
	if v%2 == 0 {
		w.Shuffle([4]byte{0, 0, 1, 1})
	} else {
		w.Shuffle([4]byte{2, 2, 3, 3})
	}
}

// assign copies registers to places all at once: whole, or in the lanes of mask only. A place has the
// class of its source and is uniform where single says so.
func (w *writer) assign(to []place, single func(i int) bool, from []ir.Reg, mask *[maxVectors]uint32) {
	var sets []uint32
	for i, r := range from {
		c := w.f.Class[r]
		one := single(i)
		for v := range w.m.width(c, one) {
			w.vec(r, v)
			if mask != nil && !one {
				w.Get(to[i][v])
				w.maskOf(c, *mask, v)
				w.choose()
			}
			sets = append(sets, to[i][v])
		}
	}
	for i := len(sets) - 1; i >= 0; i-- {
		w.Set(sets[i])
	}
}
