package jit

import (
	"math/bits"
	"slices"

	"swizzle/shaderkit/internal/wasmenc"
	"swizzle/shaderkit/ir"
)

// A pixelForm says of a value of a Tile program what each of its bits is: zero, one, or a bit of the
// pixel's x (from 0) or y (from bitY) within the tile. The place of a pixel in a target has one.
type pixelForm [32]int8

const (
	bitZero int8 = -1
	bitOne  int8 = -2
	bitY    int8 = 8
)

func constantForm(k uint32) (o pixelForm) {
	for i := range o {
		o[i] = bitZero
		if k>>i&1 != 0 {
			o[i] = bitOne
		}
	}
	return o
}

// constant gives the value when no bit comes from the pixel.
func (o *pixelForm) constant() (k uint32, ok bool) {
	for i, b := range o {
		if b >= 0 {
			return 0, false
		}
		if b == bitOne {
			k |= 1 << i
		}
	}
	return k, true
}

// union joins two forms of which at each bit one is zero.
func (o pixelForm) union(b pixelForm) (pixelForm, bool) {
	for i := range o {
		switch {
		case o[i] == bitZero:
			o[i] = b[i]
		case b[i] != bitZero:
			return o, false
		}
	}
	return o, true
}

func (o pixelForm) and(k uint32) pixelForm {
	for i := range o {
		if k>>i&1 == 0 {
			o[i] = bitZero
		}
	}
	return o
}

// shift moves bits up by n.
func (o pixelForm) shift(n int) (r pixelForm) {
	for i := range r {
		r[i] = bitZero
		if j := i - n; 0 <= j && j < len(o) {
			r[i] = o[j]
		}
	}
	return r
}

// quad reports whether the four lanes of a quad lie at consecutive words.
func (o *pixelForm) quad() bool {
	for i, b := range o {
		switch {
		case i < 2 && b != bitZero,
			(b == 0) != (i == 2),
			(b == bitY) != (i == 3):
			return false
		}
	}
	return true
}

// pixelForms are the forms of registers of the entry of a Tile program, constants left out.
type pixelForms struct {
	f    *function
	at   []int32 // by register: where its form is in list, from 1; 0: it has none
	list []pixelForm
}

// form gives the form of a register, which may be a constant.
func (p *pixelForms) form(r ir.Reg) (o pixelForm, ok bool) {
	if p.at[r] > 0 {
		return p.list[p.at[r]-1], true
	}
	if bits, ok := p.f.constant(r); ok {
		return constantForm(bits), true
	}
	return o, false
}

// quad gives the form of r where it puts the lanes of a quad at consecutive words.
func (p *pixelForms) quad(r ir.Reg) (o *pixelForm, ok bool) {
	if p == nil || p.at[r] == 0 {
		return nil, false
	}
	o = &p.list[p.at[r]-1]
	return o, o.quad()
}

// formsOf finds the forms of the entry of a Tile program.
func formsOf(f *function) *pixelForms {
	p := &pixelForms{f: f, at: make([]int32, len(f.Class))}
	for _, in := range f.all {
		if o, ok := p.result(in); ok {
			p.list = append(p.list, o)
			p.at[in.Dst] = int32(len(p.list))
		}
	}
	return p
}

// result gives the form of what in computes.
func (p *pixelForms) result(in *ir.Inst) (o pixelForm, ok bool) {
	switch in.Op {
	case ir.LaneX, ir.LaneY:
		o = constantForm(0)
		for i := range int8(6) {
			if o[i] = i; in.Op == ir.LaneY {
				o[i] += bitY
			}
		}
		return o, true
	case ir.Or, ir.Xor, ir.IAdd, ir.And, ir.Shl, ir.ShrU, ir.IMul:
	default:
		return o, false
	}
	if p.at[in.Args[0]] == 0 && p.at[in.Args[1]] == 0 {
		return o, false
	}
	a, okA := p.form(in.Args[0])
	b, okB := p.form(in.Args[1])
	if !okA || !okB {
		return o, false
	}
	kA, constA := a.constant()
	kB, constB := b.constant()
	switch in.Op {
	case ir.Or, ir.Xor, ir.IAdd:
		return a.union(b)
	case ir.And:
		if constA {
			return b.and(kA), true
		}
		return a.and(kB), constB
	case ir.Shl:
		return a.shift(int(kB & 31)), constB
	case ir.ShrU:
		return a.shift(-int(kB & 31)), constB
	}
	if constA {
		return b.shift(bits.TrailingZeros32(kA)), bits.OnesCount32(kA) == 1
	}
	return a.shift(bits.TrailingZeros32(kB)), constB && bits.OnesCount32(kB) == 1
}

// A pixelOffset is where a form lies in the wave at hand.
type pixelOffset struct {
	form  pixelForm
	block uint32    // local: value at the first pixel of the block; in a strict wave not used
	wave  uint32    // local: value at the first pixel of the wave, which is vector 0
	next  [2]uint32 // what vector 1 adds, and vector 2
}

// contiguous gives the byte offset of the first lane of vector v as a local and a number to add, when
// the others follow word by word.
func (w *writer) contiguous(off ir.Reg, v int) (local, more uint32, ok bool) {
	form, ok := w.forms.quad(off)
	if !ok {
		return 0, 0, false
	}
	for i := range w.offsets {
		if o := &w.offsets[i]; o.form == *form {
			return o.wave, uint32(v&1)*o.next[0] + uint32(v>>1)*o.next[1], true
		}
	}
	return 0, 0, false
}

// declareOffsets gives locals to the offsets that contiguous gives.
func (w *writer) declareOffsets() {
	for _, in := range w.f.all {
		if in.Op != ir.Load && in.Op != ir.Store || w.f.isDead(in) {
			continue
		}
		form, ok := w.forms.quad(in.Args[1])
		if !ok || slices.ContainsFunc(w.offsets, func(o pixelOffset) bool { return o.form == *form }) {
			continue
		}
		o := pixelOffset{form: *form, block: w.Local(wasmenc.I32), wave: w.Local(wasmenc.I32)}
		for i, b := range form {
			if b == 1 || b == 2 {
				o.next[b-1] |= 1 << i
			}
		}
		w.offsets = append(w.offsets, o)
	}
}

// blockOffsets computes the offsets at the first pixel of the block that begins at w.x, w.y.
func (w *writer) blockOffsets() {
	for i := range w.offsets {
		w.pixelOffset(&w.offsets[i].form)
		w.Set(w.offsets[i].block)
	}
}

// waveOffsets computes the offsets in wave number part of the block. Of a wave's place bit 2 of x and
// bits 1 and 2 of y differ from the block's, which are bits 0, 1 and 2 of part; of two waves at once bits 1
// and 2 of y, which are bits 0 and 1.
func (w *writer) waveOffsets(part uint32) {
	for n := range w.offsets {
		o := &w.offsets[n]
		var moves [64]uint32 // of part: bits by the distance they move up, from -31
		for i, b := range o.form {
			first := int8(0) // bit of part that is bit 1 of y
			if !w.m.wide() {
				if first = 1; b == 2 {
					moves[i+31] |= 1
				}
			}
			if k := b - bitY - 1 + first; b == bitY+1 || b == bitY+2 {
				moves[i-int(k)+31] |= 1 << k
			}
		}
		w.Get(o.block)
		w.move(part, &moves)
		w.Set(o.wave)
	}
}

// pixelOffset pushes the value of a form at the pixel w.x, w.y.
func (w *writer) pixelOffset(form *pixelForm) {
	var ones uint32
	var moves [2][64]uint32 // of x and y
	for i, b := range form {
		switch {
		case b == bitOne:
			ones |= 1 << i
		case b >= bitY:
			moves[1][i-int(b-bitY)+31] |= 1 << (b - bitY)
		case b >= 0:
			moves[0][i-int(b)+31] |= 1 << b
		}
	}
	w.I32(int32(ones))
	w.move(w.x, &moves[0])
	w.move(w.y, &moves[1])
}

// move moves bits of a local, listed by the distance they move up from -31 on, into the word on the stack.
func (w *writer) move(local uint32, moves *[64]uint32) {
	for n, mask := range moves {
		if mask == 0 {
			continue
		}
		w.Get(local).I32(int32(mask)).Op(wasmenc.I32And)
		if n >= 31 {
			w.I32(int32(n - 31)).Op(wasmenc.I32Shl)
		} else {
			w.I32(int32(31 - n)).Op(wasmenc.I32ShrU)
		}
		w.Op(wasmenc.I32Or)
	}
}
