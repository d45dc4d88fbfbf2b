package render

import (
	"slices"

	"swizzle/shaderkit/ir"
)

// A Probe counts what happens to each pixel of a pass, beside drawing it: in a word of Target, which the
// pass clears to 0.
type Probe struct {
	Kind   ProbeKind
	Target *Target // of format R32UInt, and of the size of the pass
	Load   bool    // what an earlier pass counted stays
}

// A ProbeKind is what a probe counts.
type ProbeKind uint8

const (
	NoProbe        ProbeKind = iota
	ProbeRuns                // runs of pixel shaders in the low 16 bits; in the high ones those that reached the targets
	ProbeOps                 // primitive operations that pixel shaders ran; see counting
	ProbeNonFinite           // bit 0: a colour with a NaN came out of a shader, bit 1: one with an infinity
)

// check finds what is wrong with a probe of a pass of w times h pixels.
func (p *Probe) check(w, h int) error {
	if p.Kind == NoProbe {
		return nil
	}
	if t := p.Target; t == nil || t.Format != R32UInt || t.Width != w || t.Height != h {
		return errorf("bad-probe", "a probe needs a target of format %s and of the size of its pass, %d x %d", R32UInt, w, h)
	}
	return nil
}

// A prober writes a probe's part of a pixel program.
type prober struct {
	kind   ProbeKind
	b      *ir.Builder
	plane  ir.Reg
	offset ir.Reg
}

// join gives the word of the pixel another value, made of the old one.
func (p *prober) join(op ir.Op, v ir.Reg) {
	old := p.b.Emit(ir.Load, 0, p.plane, p.offset)
	p.b.Emit(ir.Store, 0, p.plane, p.offset, p.b.Emit(op, 0, old, v))
}

// before stands in front of the call of the shader.
func (p *prober) before() {
	if p.kind == ProbeRuns {
		p.join(ir.IAdd, p.b.U(1))
	}
}

// after stands behind all tests.
func (p *prober) after(outputs []ir.Element, values []ir.Reg) {
	switch p.kind {
	case ProbeRuns:
		p.join(ir.IAdd, p.b.U(1<<16))
	case ProbeNonFinite:
		b := p.b
		flags := b.U(0)
		for i, e := range outputs {
			if e.System != ir.Target {
				continue
			}
			for _, v := range values[4*i : 4*i+4] {
				magnitude := b.Emit(ir.And, 0, v, b.U(0x7FFFFFFF))
				nan := b.Emit(ir.ULt, 0, b.U(0x7F800000), magnitude)
				inf := b.Emit(ir.IEq, 0, magnitude, b.U(0x7F800000))
				flags = b.Emit(ir.Or, 0, flags, b.Emit(ir.And, 0, nan, b.U(1)))
				flags = b.Emit(ir.Or, 0, flags, b.Emit(ir.And, 0, inf, b.U(2)))
			}
		}
		p.join(ir.Or, flags)
	}
}

// counting gives a pixel shader that adds to resource number plane, in every block of its code, the
// number of operations there: of the optimised shader, macro ops by their definitions, constants and
// control flow for nothing. So a texture read counts what it computes, and all engines count the same.
func counting(ps *ir.Program, plane int) *ir.Program {
	q := ir.Optimize(ps, ir.Options{})
	ir.ExpandMacros(q)
	for _, f := range q.Funcs {
		head, code := within(f)
		w := wrapper{b: head}
		c := counter{f: f, plane: head.Emit(ir.Res, uint64(plane))}
		c.offset = w.tileOffset(head.Emit(ir.LaneX, 0), head.Emit(ir.LaneY, 0))
		c.block(f.Body)
		f.Body.Insts = slices.Concat(code.Insts, f.Body.Insts)
	}
	return q
}

// within gives a builder of code with registers of f, and the block that it writes.
func within(f *ir.Func) (*ir.Builder, *ir.Block) {
	b := ir.NewBuilder("", nil, nil)
	code := b.Func.Body
	b.Func = f
	return b, code
}

// A counter instruments one function.
type counter struct {
	f             *ir.Func
	plane, offset ir.Reg
}

func (c *counter) block(block *ir.Block) {
	n := uint32(0)
	for i := range block.Insts {
		switch in := &block.Insts[i]; in.Op {
		case ir.Const, ir.Const64, ir.Res, ir.Call, ir.If, ir.Loop, ir.Yield, ir.Break, ir.Continue, ir.Return:
			for _, sub := range in.Blocks {
				if sub != nil {
					c.block(sub)
				}
			}
		default:
			n++
		}
	}
	if n > 0 {
		b, code := within(c.f)
		(&prober{b: b, plane: c.plane, offset: c.offset}).join(ir.IAdd, b.U(n))
		block.Insts = slices.Concat(code.Insts, block.Insts)
	}
}
