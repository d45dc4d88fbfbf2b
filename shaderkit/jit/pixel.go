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

// contiguous gives a local with the byte offset of the first lane of vector v, when the others follow
// word by word.
func (w *writer) contiguous(off ir.Reg, v int) (local uint32, ok bool) {
	form, ok := w.forms[off]
	if !ok || !form.quad() {
		return 0, false
	}
	return w.offsets[form][v], true
}

// declareOffsets computes, once a wave, the offsets that contiguous gives.
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
		var at [vectors]uint32
		for v := range at {
			at[v] = w.Local(wasmenc.I32)
			w.firstOffset(form, v)
			w.Set(at[v])
		}
		w.offsets[form] = at
	})
}

// firstOffset pushes the value of a form at the left top pixel of vector v.
func (w *writer) firstOffset(form pixelForm, v int) {
	var ones uint32
	var moves [2][64]uint32 // of x and y: bits by the distance they move up, from -31
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
	for axis, local := range [2]uint32{w.x, w.y} {
		for n, mask := range moves[axis] {
			if mask == 0 {
				continue
			}
			if w.Get(local); axis == 0 && v > 0 {
				w.I32(int32(2 * v)).Op(wasmenc.I32Add)
			}
			w.I32(int32(mask)).Op(wasmenc.I32And)
			if n >= 31 {
				w.I32(int32(n - 31)).Op(wasmenc.I32Shl)
			} else {
				w.I32(int32(31 - n)).Op(wasmenc.I32ShrU)
			}
			w.Op(wasmenc.I32Or)
		}
	}
}
