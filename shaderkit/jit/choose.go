package jit

import (
	"swizzle/shaderkit/internal/wasmenc"
	"swizzle/shaderkit/ir"
)

// wazero makes several machine instructions of some SIMD instructions: they change a temporary in place,
// and then read an operand. Where that operand has been spilled, and registers are few, it may be
// reloaded into the one register that the temporary is in, since a block behind wants it there; then the
// temporary is reloaded as it was before it was changed. This is so for v128.bitselect, f32x4.abs,
// f32x4.neg (which package wasmenc does not even know for this reason) and for i64x2.mul. What stands here
// is of instructions that read all operands before they change anything.

// choose pops x, y and a mask, and pushes the bits of x where those of the mask are set, else those of y,
// by (x^y)&mask ^ y: three instructions, as many as x64 takes for v128.bitselect.
func (w *writer) choose() {
	mask, y := w.temp(), w.temp()
	w.Set(mask).Tee(y).V(wasmenc.V128Xor).Get(mask).V(wasmenc.V128And).Get(y).V(wasmenc.V128Xor)
	w.release(mask, y)
}

// signBit pops a float and pushes it with another sign: FNeg or FAbs.
func (w *writer) signBit(op ir.Op) {
	if op == ir.FNeg {
		w.constant(1 << 31)
		w.V(wasmenc.V128Xor)
		return
	}
	w.constant(1<<31 - 1)
	w.V(wasmenc.V128And)
}

// fresh pushes vector v of r as a value that nothing else reads, so no other block wants it in a certain
// register.
func (w *writer) fresh(r ir.Reg, v int) {
	w.vec(r, v)
	w.Splat(0).V(wasmenc.V128Or)
}
