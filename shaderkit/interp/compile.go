package interp

import (
	"errors"
	"slices"

	"swizzle/shaderkit/ir"
)

type options struct {
	trace  bool // keep Write
	strict bool // waves in order: no load is moved, batches are one wave
}

// A code is a compiled program: its instructions and the registers they point at.
type code struct {
	kind       ir.Kind
	o          options
	insts      []inst
	job, tri   []inst // straight code, run for one quad of lanes
	pre, main  int32  // entries
	regs       []lanes
	regs64     []lanes64
	x, y, item *lanes // what LaneX, LaneY, Item give
	preX, preY *lanes // the same in front of Cover
	cover      *lanes // what Cover was given; nil without one
	edges      int64  // Cover was given Edges of LaneX, LaneY at this word; -1 otherwise
	jobOut     uniforms
	triOut     spreads
	shares     bool // triangles may share a batch
	slots      int32
	quiet      bool // no loop, no called function, no trace
	enters     int  // inlined calls that count against the budget
	order      order
}

// uniforms are the registers that straight code fills and that all lanes read.
type uniforms struct {
	r []*lanes
	w []*lanes64
}

// spreads are what triangles share: computed in one register, read by their lanes in another, since
// a batch may hold lanes of several triangles.
type spreads struct {
	r []move
	w []move64
}

// spread gives quads from up to to the values of the current triangle.
func (u *spreads) spread(from, to int) {
	for _, m := range u.r {
		x := m.s[0][0]
		for i := from; i < to; i++ {
			m.d[i] = [quadLanes]uint32{x, x, x, x}
		}
	}
	for _, m := range u.w {
		x := m.s[0][0]
		for i := from; i < to; i++ {
			m.d[i] = [quadLanes]uint64{x, x, x, x}
		}
	}
}

// compile makes code of a verified program.
func compile(p *ir.Program, o options) (*code, error) {
	if err := p.Verify(); err != nil {
		return nil, err
	}
	if p.Kind == ir.Shader {
		return nil, errors.New("interp: a shader cannot run without the program around it [kind]")
	}
	p = expandRare(p)
	f := flatten(p, o)
	f.prune()
	c := &code{kind: p.Kind, o: o, slots: f.slots, quiet: !f.loops && !o.trace, enters: f.enters, edges: -1}
	body := []*list{&f.pre, &f.main}
	for _, i := range f.order {
		body = append(body, &f.funcs[i].list)
	}

	// Registers: those that all lanes share first, then one pool for each list.
	var next [2]int32
	fixed := func(v val) {
		x := &f.vals[v]
		x.reg = next[x.class]
		next[x.class]++
	}
	for v := valX; v < firstVal; v++ {
		fixed(v)
	}
	for _, v := range f.crossing {
		fixed(v)
	}
	for _, l := range []*list{&f.job, &f.tri} {
		for i := range l.code {
			if in := &l.code[i]; !in.dead {
				for _, d := range in.dst {
					fixed(d)
				}
			}
		}
	}
	for i := range f.vals {
		if x := &f.vals[i]; x.rate == rateTri {
			x.lanes = next[x.class]
			next[x.class]++
		}
	}
	scratch := next
	next[0]++
	next[1]++
	for _, l := range body {
		f.fuse(l)
		if l == &f.pre && f.covers {
			f.vals[f.cover].last = max(0, int32(len(l.code))-1)
		}
		f.intervals(l)
		var held []val
		for _, i := range f.order {
			if fn := f.funcs[i]; l == &fn.list {
				held = append(append(held, fn.params...), fn.results...)
			}
		}
		next = f.assign(l, next, held...)
	}

	c.regs, c.regs64 = make([]lanes, next[0]), make([]lanes64, next[1])
	e := &emitter{f: f, c: c, scratch: &c.regs[scratch[0]], scratch64: &c.regs64[scratch[1]]}
	c.x, c.y, c.item = e.reg(valX), e.reg(valY), e.reg(valItem)
	c.preX, c.preY = e.reg(valPreX), e.reg(valPreY)
	e.once = true
	c.job, c.jobOut = e.straight(&f.job)
	c.tri, _ = e.straight(&f.tri)
	e.once = false
	if f.covers {
		c.cover = e.reg(f.cover)
		if x := &f.vals[f.cover]; len(f.crossing) == 0 && x.op == ir.Edges && x.args[0] == valPreX && x.args[1] == valPreY {
			c.edges = int64(x.imm)
		}
		f.pre.code = append(f.pre.code, flat{ctl: ctlHalt})
	}
	c.pre = e.list(&f.pre)
	c.main = e.list(&f.main)
	starts := map[int32]int32{}
	for _, i := range f.order {
		starts[int32(i)] = e.list(&f.funcs[i].list)
	}
	for i := range c.insts {
		if in := &c.insts[i]; in.row == nil && in.ctl == ctlCall {
			in.to = starts[in.to]
		}
	}
	c.triOut = e.spreads()
	c.order = f.findOrder(e)
	c.shares = c.edges >= 0 && !o.strict && !o.trace && f.helpersUnseen()
	return c, nil
}

// An emitter writes instructions over registers.
type emitter struct {
	f         *flattener
	c         *code
	scratch   *lanes
	scratch64 *lanes64
	once      bool // in code that runs once a job or triangle
}

// place gives the register of v of class c, -1 when v is of the other class.
func (e *emitter) place(v val, c ir.Class) int32 {
	x := &e.f.vals[v]
	switch {
	case x.class != c:
		return -1
	case x.rate == rateTri && !e.once:
		x.spread = true
		return x.lanes
	}
	return x.reg
}

func (e *emitter) reg(v val) *lanes {
	if r := e.place(v, ir.C32); r >= 0 {
		return &e.c.regs[r]
	}
	return nil
}

func (e *emitter) reg64(v val) *lanes64 {
	if r := e.place(v, ir.C64); r >= 0 {
		return &e.c.regs64[r]
	}
	return nil
}

// spreads lists what triangles share and lanes read.
func (e *emitter) spreads() (u spreads) {
	for i := range e.f.vals {
		switch x := &e.f.vals[i]; {
		case !x.spread:
		case x.class == ir.C32:
			u.r = append(u.r, move{&e.c.regs[x.lanes], &e.c.regs[x.reg]})
		default:
			u.w = append(u.w, move64{&e.c.regs64[x.lanes], &e.c.regs64[x.reg]})
		}
	}
	return u
}

func (e *emitter) inst(in *flat) inst {
	out := inst{row: in.row, imm: in.imm, from: in.from, ctl: in.ctl, to: in.to, skip: in.skip, slot: in.slot}
	if len(in.dst) > 0 {
		out.d, out.d64 = e.reg(in.dst[0]), e.reg64(in.dst[0])
	}
	for i, a := range in.args[:min(3, len(in.args))] {
		*[]**lanes{&out.a, &out.b, &out.c}[i] = e.reg(a)
		*[]**lanes64{&out.a64, &out.b64, &out.c64}[i] = e.reg64(a)
	}
	if in.pixel {
		o, _ := e.f.offsetOf(in.dst[0])
		out.row = pixelRow(o)
	}
	if macros[in.op] != nil {
		for _, d := range in.dst {
			out.dst = append(out.dst, e.reg(d))
		}
		for _, a := range in.args {
			out.args = append(out.args, e.reg(a))
		}
	}
	out.moves = sequence(in.moves, e.reg, e.scratch, func(d, s *lanes) move { return move{d, s} })
	out.wide = sequence(in.moves, e.reg64, e.scratch64, func(d, s *lanes64) move64 { return move64{d, s} })
	return out
}

// sequence orders moves that happen at once so that none overwrites what another one still reads;
// a cycle goes through the scratch register.
func sequence[R comparable, M any](moves []pair, reg func(val) R, scratch R, move func(d, s R) M) (out []M) {
	var none R
	type step struct{ d, s R }
	var todo []step
	for _, m := range moves {
		if d, s := reg(m.d), reg(m.s); d != none && d != s {
			todo = append(todo, step{d, s})
		}
	}
	for len(todo) > 0 {
		i := slices.IndexFunc(todo, func(m step) bool {
			return !slices.ContainsFunc(todo, func(o step) bool { return o.s == m.d })
		})
		if i < 0 { // every destination is still read: free the first one
			d := todo[0].d
			out = append(out, move(scratch, d))
			for k := range todo {
				if todo[k].s == d {
					todo[k].s = scratch
				}
			}
			continue
		}
		out = append(out, move(todo[i].d, todo[i].s))
		todo = append(todo[:i], todo[i+1:]...)
	}
	return out
}

// straight emits the code of a rate. Constants are filled in here and need no code.
func (e *emitter) straight(l *list) (code []inst, out uniforms) {
	for i := range l.code {
		in := &l.code[i]
		if in.dead {
			continue
		}
		constant := e.f.vals[in.dst[0]].rate == rateConst
		at := e.inst(in)
		if constant {
			var v vm
			v.shared()
			at.row(&v, &at)
		} else {
			code = append(code, at)
		}
		for _, d := range in.dst {
			switch r, w := e.reg(d), e.reg64(d); {
			case constant && r != nil:
				r.broadcast(1, maxQuads)
			case constant:
				w.broadcast(1, maxQuads)
			case r != nil:
				out.r = append(out.r, r)
			default:
				out.w = append(out.w, w)
			}
		}
	}
	return code, out
}

// list emits the code of a list and gives its entry.
func (e *emitter) list(l *list) int32 {
	entry := int32(len(e.c.insts))
	at := make([]int32, len(l.code)+1)
	next := entry
	for i := range l.code {
		at[i] = next
		if !l.code[i].dead {
			next++
		}
	}
	at[len(l.code)] = next
	for i := range l.code {
		in := l.code[i]
		if in.dead {
			continue
		}
		out := e.inst(&in)
		if in.row == nil {
			out.skip = at[in.skip]
			if in.ctl != ctlCall {
				out.to = at[in.to]
			}
		}
		e.c.insts = append(e.c.insts, out)
	}
	return entry
}
