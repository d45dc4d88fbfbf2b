package interp

import "swizzle/shaderkit/ir"

// macros makes the row of a macro op for one instruction of a program.
//
// A row finds the operands of the instruction in in.args and its results in in.dst, and computes v.q
// quads of lanes, active or not; no result shares a register with an operand.
var macros = [256]func(p *ir.Program, in *ir.Inst) row{
	ir.Edges:   same(rowEdges),
	ir.Plane:   same(rowPlane),
	ir.Pack8:   same(rowPack8),
	ir.Unpack8: same(rowUnpack8),
	ir.Sample:  makeSample,
}

// expandRare gives p with the definition in place of the samples that rows do not take.
func expandRare(p *ir.Program) *ir.Program {
	takes := func(in *ir.Inst) bool {
		switch in.Op {
		case ir.Sample:
			s := p.SamplerAt(in)
			return !s.Bound || rowTakes(&s, ir.SampleSiteOf(in.Imm))
		case ir.Fetch, ir.Taps:
			return false
		}
		return true
	}
	rare := false
	for _, f := range p.Funcs {
		f.Body.Walk(func(in *ir.Inst) { rare = rare || !takes(in) })
	}
	if rare {
		p = p.Clone()
		ir.Expand(p, func(in *ir.Inst) bool { return !takes(in) })
	}
	return p
}

// same is for macro ops that have one row for all instructions.
func same(r row) func(*ir.Program, *ir.Inst) row {
	return func(*ir.Program, *ir.Inst) row { return r }
}
