package jit

import (
	"swizzle/shaderkit/internal/wasmenc"
	"swizzle/shaderkit/ir"
)

// Half of the definition of FLog2 is for denormals, zeros, infinities, NaNs and what is below zero. So
// only the other half stands where it is used, and a function that has all of it is called where a
// lane is none of the normal numbers.

// unary gives a function of one operand.
func unary(expand func(b *ir.Builder, x ir.Reg) ir.Reg) *ir.Func {
	b := ir.NewBuilder("log2", ir.C32s(1), ir.C32s(1))
	return b.Finish(expand(b, b.Func.Params[0]))
}

var (
	wholeLog = unary(func(b *ir.Builder, x ir.Reg) ir.Reg { return ir.ExpandNumeric(b, ir.FLog2, x) })
	quickLog = unary(ir.ExpandLog2)
)

// log2 writes an FLog2.
func (w *writer) log2(in *ir.Inst) {
	if w.m.log == nil {
		w.m.log = w.m.Func(vecs(1), vecs(1))
		f := &writer{Func: w.m.log, m: w.m}
		f.straight(wholeLog, func() { f.Get(0) })
	}
	x := in.Args[0]
	for v := range w.width(in.Dst) {
		w.straight(quickLog, func() { w.vec(x, v) })
		w.set(in.Dst, v)
	}
	// Normal numbers above zero are those whose bits, plus this, are a number below that, both with sign.
	const plus, below = 0x7F800000, 0xFF000000
	for v := range w.width(in.Dst) {
		w.constant(below - 1)
		w.vec(x, v)
		w.constant(plus)
		if w.V(wasmenc.I32x4Add).V(wasmenc.I32x4LtS); v > 0 {
			w.V(wasmenc.V128Or)
		}
	}
	w.V(wasmenc.V128AnyTrue)
	w.If()
	for v := range w.width(in.Dst) {
		w.vec(x, v)
		w.Call(w.m.log)
		w.set(in.Dst, v)
	}
	w.End()
}

// straight writes a function of a vector that has no control flow, and leaves its result on the stack.
func (w *writer) straight(f *ir.Func, operand func()) {
	def := make([]*ir.Inst, len(f.Class))
	local := make([]uint32, len(f.Class))
	push := func(r ir.Reg) {
		switch d := def[r]; {
		case d == nil:
			operand()
		case d.Op == ir.Const:
			w.constant(uint32(d.Imm))
		default:
			w.Get(local[r])
		}
	}
	var temps []uint32
	for i := range f.Body.Insts {
		in := &f.Body.Insts[i]
		switch in.Op {
		case ir.Const:
			def[in.Dst] = in
			continue
		case ir.Return:
			push(in.Args[0])
			w.release(temps...)
			return
		case ir.Sel:
			push(in.Args[1])
			push(in.Args[2])
			push(in.Args[0])
			w.choose()
		case ir.FNeg, ir.FAbs:
			push(in.Args[0])
			w.signBit(in.Op)
		case ir.Shl, ir.ShrS, ir.ShrU:
			push(in.Args[0])
			w.I32(int32(def[in.Args[1]].Imm)).V(map[ir.Op]wasmenc.VOp{ir.Shl: wasmenc.I32x4Shl, ir.ShrS: wasmenc.I32x4ShrS, ir.ShrU: wasmenc.I32x4ShrU}[in.Op])
		default:
			for _, a := range in.Args {
				push(a)
			}
			w.V(direct[in.Op])
		}
		def[in.Dst], local[in.Dst] = in, w.temp()
		temps = append(temps, local[in.Dst])
		w.Set(local[in.Dst])
	}
}
