package jit

import (
	"swizzle/shaderkit/internal/wasmenc"
	"swizzle/shaderkit/ir"
)

// Dot products and the like are sums of FMulZ. They are computed with plain products: where the sum is
// no NaN no product was one, and all is as it should be. Otherwise the sum is computed again, each
// product cleared where it must be. So there is one look for NaNs a sum, not one a product.
//
// A product or partial sum that only a later sum of the same block reads is late: it is looked at
// there. Its factors live until then.

// sums finds what is late.
func (f *function) sums() {
	uses := make([]int32, len(f.Class))
	for _, in := range f.all {
		if !f.isDead(in) {
			for _, a := range in.Args {
				uses[a]++
			}
		}
	}
	here := make([]int32, len(f.Class)) // the block in which a register is a candidate
	blocks := int32(0)
	var block func(insts []ir.Inst)
	block = func(insts []ir.Inst) {
		blocks++
		at := blocks
		for i := range insts {
			in := &insts[i]
			if f.isDead(in) {
				continue
			}
			for _, inner := range in.Blocks {
				if inner != nil {
					block(inner.Insts)
				}
			}
			switch in.Op {
			case ir.FMulZ:
				if !f.isPlain(in) && uses[in.Dst] == 1 {
					here[in.Dst] = at
				}
			case ir.FAdd, ir.FSub:
				for _, a := range in.Args {
					if here[a] == at && f.uniform[a] == f.uniform[in.Dst] {
						f.late[a] = true
						if uses[in.Dst] == 1 {
							here[in.Dst] = at
						}
					}
				}
			}
		}
	}
	for _, insts := range [][]ir.Inst{f.job, f.tri, f.body} {
		block(insts)
	}
}

// lateArg reports whether operand k of in is looked at with in.
func (f *function) lateArg(in *ir.Inst, k int) bool {
	d := f.def[in.Args[k]]
	return (in.Op == ir.FAdd || in.Op == ir.FSub) && d != nil && f.late[d.Dst]
}

// sum reports whether an operand of in is looked at with in.
func (f *function) sum(in *ir.Inst) bool {
	for k := range in.Args {
		if f.lateArg(in, k) {
			return true
		}
	}
	return false
}

// factors visits what in reads again where it finds a NaN: the operands of what is late.
func (f *function) factors(in *ir.Inst, visit func(ir.Reg)) {
	for k := range in.Args {
		if f.lateArg(in, k) {
			d := f.def[in.Args[k]]
			for _, a := range d.Args {
				visit(a)
			}
			f.factors(d, visit)
		}
	}
}

// plainProduct reports whether the product of a and b is a NaN only where a factor is one.
func (f *function) plainProduct(a, b ir.Reg) bool { return a == b || f.regular(a) || f.regular(b) }

// product writes an FMulZ or a sum of some.
func (w *writer) product(in *ir.Inst) {
	n := w.width(in.Dst)
	for v := range n {
		for _, a := range in.Args {
			w.vec(a, v)
		}
		w.V(plain[in.Op])
		w.set(in.Dst, v)
	}
	if w.f.late[in.Dst] {
		return
	}
	for v := range n {
		w.vec(in.Dst, v)
		w.vec(in.Dst, v)
		if w.V(wasmenc.F32x4Ne); v > 0 {
			w.V(wasmenc.V128Or)
		}
	}
	w.V(wasmenc.V128AnyTrue)
	w.If()
	for v := range n {
		w.exact(in, v)
		w.set(in.Dst, v)
	}
	w.End()
}

// plain are the instructions that compute sums and products as if no product were a NaN.
var plain = [...]wasmenc.VOp{ir.FMulZ: wasmenc.F32x4Mul, ir.FAdd: wasmenc.F32x4Add, ir.FSub: wasmenc.F32x4Sub}

// exact pushes vector v of what product computes, each product cleared where it is a NaN and a factor
// is zero.
func (w *writer) exact(in *ir.Inst, v int) {
	if in.Op != ir.FMulZ {
		for k, a := range in.Args {
			if w.f.lateArg(in, k) {
				w.exact(w.f.def[a], v)
			} else {
				w.vec(a, v)
			}
		}
		w.V(plain[in.Op])
		return
	}
	t := w.temp()
	for _, a := range in.Args {
		w.vec(a, v)
	}
	w.V(wasmenc.F32x4Mul).Tee(t).Get(t).Get(t).V(wasmenc.F32x4Ne)
	for _, a := range in.Args {
		w.vec(a, v)
		w.Splat(0).V(wasmenc.F32x4Eq)
	}
	w.V(wasmenc.V128Or).V(wasmenc.V128And).V(wasmenc.V128AndNot)
	w.release(t)
}
