package jit

import "swizzle/shaderkit/ir"

// prepare gives a program of primitive ops that does what p does, with what is uniform in front, and
// the word of the triangle record whose Edges are all that Cover looks at, or -1.
func prepare(p *ir.Program) (q *ir.Program, edges int64) {
	edges = coverEdges(p)
	q = p.Clone()
	ir.Expand(q, func(in *ir.Inst) bool { return in.Op != ir.Taps && in.Op != ir.FLog2 }) // see taps.go, log.go
	ir.Hoist(q)
	return q, edges
}

// coverEdges finds the triangle words of an Edges of LaneX and LaneY that Cover is given as it is.
func coverEdges(p *ir.Program) int64 {
	f := p.Funcs[0]
	def := make([]*ir.Inst, len(f.Class))
	for i := range f.Body.Insts {
		in := &f.Body.Insts[i]
		if in.Op == ir.Cover {
			if d := def[in.Args[0]]; d.Op == ir.Edges && def[d.Args[0]].Op == ir.LaneX && def[d.Args[1]].Op == ir.LaneY {
				return int64(d.Imm)
			}
			return -1
		}
		for k := range in.N {
			def[in.Dst+ir.Reg(k)] = in
		}
	}
	return -1
}
