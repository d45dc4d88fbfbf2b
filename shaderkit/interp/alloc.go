package interp

import (
	"slices"

	"swizzle/shaderkit/ir"
)

// prune marks pure instructions without used results as dead, and counts uses.
func (f *flattener) prune() {
	lists := []*list{}
	for _, i := range f.order {
		lists = append(lists, &f.funcs[i].list)
	}
	lists = append(lists, &f.main)
	for _, l := range lists {
		f.pruneList(l)
	}
	if f.cover >= 0 {
		f.vals[f.cover].uses++
	}
	f.pruneList(&f.pre)
	f.pruneList(&f.tri)
	f.pruneList(&f.job)
}

func (f *flattener) pruneList(l *list) {
	for i := len(l.code) - 1; i >= 0; i-- {
		in := &l.code[i]
		if in.ctl == ctlHalt && in.row != nil && pure(in.op) && !slices.ContainsFunc(in.dst, func(d val) bool { return f.vals[d].uses > 0 }) {
			in.dead = true
			continue
		}
		switch in.ctl {
		case ctlElse, ctlEnd, ctlBreak, ctlMove:
			in.moves = slices.DeleteFunc(in.moves, func(m pair) bool { return f.vals[m.d].uses == 0 })
		}
		for _, a := range in.args {
			f.vals[a].uses++
		}
		for _, m := range in.moves {
			f.vals[m.s].uses++
		}
	}
}

// fuse joins products and the sums they alone go into: one row instead of two. The product is still
// rounded.
func (f *flattener) fuse(l *list) {
	at := map[val]int{}
	for i := range l.code {
		in := &l.code[i]
		if in.dead {
			continue
		}
		if in.op == ir.FMul || in.op == ir.FMulZ {
			at[in.dst[0]] = i
			continue
		}
		if in.op != ir.FAdd {
			continue
		}
		for k := range 2 {
			p := in.args[k]
			j, ok := at[p]
			if !ok || f.vals[p].uses != 1 || f.vals[p].loop != f.vals[in.dst[0]].loop {
				continue
			}
			mul := &l.code[j]
			mul.dead = true
			in.args = []val{mul.args[0], mul.args[1], in.args[1-k]}
			in.row = rowMulAdd
			if mul.op == ir.FMulZ {
				in.row = rowMulZAdd
			}
			in.op = ir.Invalid
			break
		}
	}
}

// use notes that v is read at position pos of l, inside loop.
func (f *flattener) use(l *list, v val, pos, loop int32) {
	x := &f.vals[v]
	if x.list != l {
		return
	}
	// A value from outside a loop must survive to the loop's end.
	for o := loop; o >= 0 && o != x.loop; o = l.loops[o].parent {
		pos = max(pos, l.loops[o].end)
	}
	x.last = max(x.last, pos)
}

// intervals computes from where to where each value of l occupies a register.
func (f *flattener) intervals(l *list) {
	loop := int32(-1)
	for i := range l.code {
		pos := int32(i)
		in := &l.code[i]
		if in.ctl == ctlBack {
			// The moves at the end of the body still belong to it.
			for _, m := range in.moves {
				f.use(l, m.s, pos, loop)
			}
			loop = l.loops[loop].parent
			continue
		}
		if in.dead {
			continue
		}
		for _, d := range in.dst {
			f.vals[d].first = pos
			f.vals[d].last = max(f.vals[d].last, pos)
		}
		for _, d := range in.defs {
			f.vals[d].first = pos
			f.vals[d].last = max(f.vals[d].last, pos)
		}
		for _, a := range in.args {
			f.use(l, a, pos, loop)
		}
		for _, m := range in.moves {
			f.use(l, m.s, pos, loop)
		}
		if in.ctl == ctlLoop {
			loop = f.loopAt(l, pos)
		}
	}
}

func (f *flattener) loopAt(l *list, begin int32) int32 {
	i, _ := slices.BinarySearchFunc(l.loops, begin, func(r loopRange, b int32) int { return int(r.begin - b) })
	return int32(i)
}

// A pool hands out registers of one class, from base on.
type pool struct {
	free []int32
	next int32
}

func (p *pool) take(hint int32) int32 {
	if n := len(p.free); n > 0 {
		i := n - 1
		if hint >= 0 {
			if k := slices.Index(p.free, hint); k >= 0 {
				i = k
			}
		}
		r := p.free[i]
		p.free = append(p.free[:i], p.free[i+1:]...)
		return r
	}
	p.next++
	return p.next - 1
}

// assign gives the values of l registers, which start at first, and gives the first ones behind
// them. A register is free again after the last use of its value.
func (f *flattener) assign(l *list, first [2]int32, held ...val) [2]int32 {
	pools := [2]pool{{next: first[0]}, {next: first[1]}}
	ends := make([][]val, len(l.code)+1)
	begin := func(v val, hint int32) {
		x := &f.vals[v]
		if x.list != l {
			return
		}
		x.reg = pools[x.class].take(hint)
		ends[x.last] = append(ends[x.last], v)
	}
	for _, v := range held {
		begin(v, -1)
	}
	done := 0
	for i := range l.code {
		in := &l.code[i]
		release := func() {
			for ; done < len(ends[i]); done++ {
				x := &f.vals[ends[i][done]]
				pools[x.class].free = append(pools[x.class].free, x.reg)
			}
		}
		done = 0
		if !in.dead {
			// Rows with one result read an element before they write it. Others must not
			// overwrite an operand, nor may what keeps its register through the instruction.
			if len(in.dst) <= 1 && in.op != ir.DDX && in.op != ir.DDY && macros[in.op] == nil {
				release()
			}
			for _, d := range in.dst {
				begin(d, -1)
			}
			for _, d := range in.defs {
				hint := int32(-1)
				for _, m := range in.moves {
					if s := &f.vals[m.s]; m.d == d && s.list == l && s.class == f.vals[d].class {
						hint = s.reg
					}
				}
				begin(d, hint)
			}
		}
		release()
	}
	return [2]int32{pools[0].next, pools[1].next}
}
