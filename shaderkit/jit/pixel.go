package jit

import (
	"math/bits"

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

// pixelForms finds the forms of registers of the entry of a Tile program.
func pixelForms(f *ir.Func) map[ir.Reg]pixelForm {
	forms := map[ir.Reg]pixelForm{}
	f.Body.Walk(func(in *ir.Inst) {
		if in.N != 1 {
			return
		}
		var a, b pixelForm
		var okA, okB bool
		if len(in.Args) == 2 {
			a, okA = forms[in.Args[0]]
			b, okB = forms[in.Args[1]]
		}
		both := okA && okB
		kA, constA := a.constant()
		kB, constB := b.constant()
		var o pixelForm
		ok := false
		switch in.Op {
		case ir.LaneX, ir.LaneY:
			o, ok = constantForm(0), true
			for i := range int8(6) {
				if o[i] = i; in.Op == ir.LaneY {
					o[i] += bitY
				}
			}
		case ir.Const:
			o, ok = constantForm(uint32(in.Imm)), true
		case ir.Or, ir.Xor, ir.IAdd:
			if both {
				o, ok = a.union(b)
			}
		case ir.And:
			switch {
			case both && constB:
				o, ok = a.and(kB), true
			case both && constA:
				o, ok = b.and(kA), true
			}
		case ir.Shl:
			o, ok = a.shift(int(kB&31)), both && constB
		case ir.ShrU:
			o, ok = a.shift(-int(kB&31)), both && constB
		case ir.IMul:
			switch {
			case both && constB && bits.OnesCount32(kB) == 1:
				o, ok = a.shift(bits.TrailingZeros32(kB)), true
			case both && constA && bits.OnesCount32(kA) == 1:
				o, ok = b.shift(bits.TrailingZeros32(kA)), true
			}
		}
		if ok {
			forms[in.Dst] = o
		}
	})
	return forms
}

// A pixelOffset is where a form lies in the wave at hand.
type pixelOffset struct {
	block uint32 // local: value at the first pixel of the block; in a strict wave not used
	wave  uint32 // local: value at the first pixel of the wave, which is vector 0
	next  uint32 // what vector 1 adds
}

// contiguous gives the byte offset of the first lane of vector v as a local and a number to add, when
// the others follow word by word.
func (w *writer) contiguous(off ir.Reg, v int) (local, more uint32, ok bool) {
	form, ok := w.forms[off]
	if !ok || !form.quad() {
		return 0, 0, false
	}
	o := w.offsets[form]
	return o.wave, uint32(v) * o.next, true
}

// declareOffsets gives locals to the offsets that contiguous gives.
func (w *writer) declareOffsets() {
	w.f.Body.Walk(func(in *ir.Inst) {
		if w.f.dead[in] || in.Op != ir.Load && in.Op != ir.Store {
			return
		}
		form, ok := w.forms[in.Args[1]]
		if !ok || !form.quad() {
			return
		}
		if _, done := w.offsets[form]; done {
			return
		}
		o := pixelOffset{block: w.Local(wasmenc.I32), wave: w.Local(wasmenc.I32)}
		for i, b := range form {
			if b == 1 {
				o.next |= 1 << i
			}
		}
		w.offsets[form] = o
		w.order = append(w.order, form)
	})
}

// blockOffsets computes the offsets at the first pixel of the block that begins at w.x, w.y.
func (w *writer) blockOffsets() {
	for _, form := range w.order {
		w.pixelOffset(form)
		w.Set(w.offsets[form].block)
	}
}

// waveOffsets computes the offsets in wave number part of the block. Of a wave's place bit 2 of x and
// bits 1 and 2 of y differ from the block's, which are bits 0, 1 and 2 of part.
func (w *writer) waveOffsets(part uint32) {
	for _, form := range w.order {
		var moves [64]uint32 // of part: bits by the distance they move up, from -31
		for i, b := range form {
			switch b {
			case 2:
				moves[i+31] |= 1
			case bitY + 1, bitY + 2:
				k := b - bitY
				moves[i-int(k)+31] |= 1 << k
			}
		}
		w.Get(w.offsets[form].block)
		w.move(part, &moves)
		w.Set(w.offsets[form].wave)
	}
}

// pixelOffset pushes the value of a form at the pixel w.x, w.y.
func (w *writer) pixelOffset(form pixelForm) {
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
