package jit

import "swizzle/shaderkit/ir"

// prepare gives a program of primitive ops that does what p does, with what is uniform in front, and
// the word of the triangle record whose Edges are all that Cover looks at, or -1.
func prepare(p *ir.Program) (q *ir.Program, edges int64) {
	edges = coverEdges(p)
	q = p.Clone()
	ir.ExpandMacrosBut(q, func(in *ir.Inst) bool { return in.Op == ir.Taps })
	expandNumerics(q)
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

// expandNumerics replaces each transcendental op by its definition, but FLog2.
func expandNumerics(p *ir.Program) {
	n := numerics{}
	for _, f := range p.Funcs {
		n.f = f
		n.block(f.Body)
	}
}

type numerics struct {
	f         *ir.Func
	templates [ir.FPow + 1]*ir.Func // straight functions of one result
}

func (n *numerics) block(b *ir.Block) {
	if b == nil {
		return
	}
	insts := b.Insts
	b.Insts = make([]ir.Inst, 0, len(insts))
	for _, in := range insts {
		for _, inner := range in.Blocks {
			n.block(inner)
		}
		if numeric(in.Op) {
			n.expand(b, in)
		} else {
			b.Insts = append(b.Insts, in)
		}
	}
}

func numeric(op ir.Op) bool {
	switch op {
	case ir.FSin, ir.FCos, ir.FExp2, ir.FPow:
		return true
	}
	return false
}

// expand appends the definition of in to b; its last instruction takes the place of in.
func (n *numerics) expand(b *ir.Block, in ir.Inst) {
	t := n.templates[in.Op]
	if t == nil {
		w := ir.NewBuilder(in.Op.String(), ir.C32s(len(in.Args)), ir.C32s(1))
		t = w.Finish(ir.ExpandNumeric(w, in.Op, w.Func.Params...))
		n.templates[in.Op] = t
	}
	rename := make([]ir.Reg, len(t.Class))
	for i, r := range t.Params {
		rename[r] = in.Args[i]
	}
	body := t.Body.Insts
	result := body[len(body)-1].Args[0]
	for _, d := range body[:len(body)-1] {
		args := make([]ir.Reg, len(d.Args))
		for i, a := range d.Args {
			args[i] = rename[a]
		}
		if rename[d.Dst] = in.Dst; d.Dst != result {
			rename[d.Dst] = n.f.NewReg(t.Class[d.Dst])
		}
		d.Args, d.Dst, d.From = args, rename[d.Dst], in.From
		b.Insts = append(b.Insts, d)
	}
}
