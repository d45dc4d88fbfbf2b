package render

import "swizzle/shaderkit/ir"

// A Stencil is the stencil test and what it does to the stored values. Depth formats without a stencil
// pass it.
type Stencil struct {
	On          bool
	Front, Back StencilFace
}

// A StencilFace is the test for front or for back faces: (Ref & Read) Func (stored & Read).
type StencilFace struct {
	Func        Func
	Fail        StencilOp // the test fails
	DepthFail   StencilOp // it passes and the depth test fails
	Pass        StencilOp // both pass
	Read, Write uint8     // masks of bits that are compared, and that are written
	Ref         uint8     // data
}

// A StencilOp is what becomes of a stored value.
type StencilOp uint8

const (
	StencilKeep StencilOp = iota
	StencilZero
	StencilReplace // by Ref
	StencilIncrSat
	StencilDecrSat
	StencilInvert
	StencilIncr // wrapping
	StencilDecr
)

// StencilNames are the names of the operations.
var StencilNames = []string{"keep", "zero", "replace", "incrsat", "decrsat", "invert", "incr", "decr"}

// A stencilled is one face's part of the program.
type stencilled struct {
	m    *merger
	face *StencilFace
	ref  ir.Reg
}

// test gives the mask of the test.
func (t *stencilled) test(stored ir.Reg) ir.Reg {
	and := func(v ir.Reg) ir.Reg {
		if t.face.Read == 0xFF {
			return v
		}
		return t.m.op(ir.And, v, t.m.b.U(uint32(t.face.Read)))
	}
	return t.m.compareInts(t.face.Func, and(t.ref), and(stored))
}

// after gives the value to store.
func (t *stencilled) after(stored, passed, depthPassed ir.Reg) ir.Reg {
	m, f := t.m, t.face
	v := t.apply(f.Pass, stored)
	if f.DepthFail != f.Pass {
		v = m.op(ir.Sel, depthPassed, v, t.apply(f.DepthFail, stored))
	}
	v = m.op(ir.Sel, passed, v, t.apply(f.Fail, stored))
	if f.Write == 0xFF {
		return v
	}
	w := uint32(f.Write)
	return m.op(ir.Or, m.op(ir.And, v, m.b.U(w)), m.op(ir.And, stored, m.b.U(^w)))
}

func (t *stencilled) apply(o StencilOp, v ir.Reg) ir.Reg {
	m, b := t.m, t.m.b
	switch o {
	case StencilZero:
		return b.U(0)
	case StencilReplace:
		return t.ref
	case StencilIncrSat:
		return m.op(ir.UMin, m.op(ir.IAdd, v, b.U(1)), b.U(255))
	case StencilDecrSat:
		return m.op(ir.ISub, m.op(ir.UMax, v, b.U(1)), b.U(1))
	case StencilInvert:
		return m.op(ir.Xor, v, b.U(255))
	case StencilIncr:
		return m.op(ir.And, m.op(ir.IAdd, v, b.U(1)), b.U(255))
	case StencilDecr:
		return m.op(ir.And, m.op(ir.ISub, v, b.U(1)), b.U(255))
	}
	return v
}

// stencil gives for a stored stencil and the mask of the depth test the mask of the stencil test and the
// value to store, of the face at hand.
func (m *merger) stencil(stored, depthPassed ir.Reg) (passed, after ir.Reg) {
	s := &m.state.Stencil
	one := func(f *StencilFace, word uint64) (ir.Reg, ir.Reg) {
		t := stencilled{m, f, m.data(word)}
		passed := t.test(stored)
		return passed, t.after(stored, passed, depthPassed)
	}
	passed, after = one(&s.Front, dataFrontRef)
	if s.Front != s.Back {
		p, a := one(&s.Back, dataBackRef)
		front := m.op(ir.FLt, m.b.U(0), m.b.Emit(ir.TriWord, recFace))
		passed, after = m.op(ir.Sel, front, passed, p), m.op(ir.Sel, front, after, a)
	}
	return
}
