package ir

// dead removes what nobody uses: ops without effects, results of If and Loop and parameters of Loop
// that lead nowhere, an If whose arms do nothing, functions without a call, and, but in traces, calls
// of functions that do nothing. Loops stay, since they may use up the budget. Registers are numbered
// anew in the order of the text.
func dead(p *Program, o Options) {
	if !o.Trace {
		p.Traced = nil
	}
	matters := make([]bool, len(p.Funcs)) // functions whose call is an effect
	for _, fn := range calleesFirst(p) {
		p.Funcs[fn].Body.Walk(func(in *Inst) {
			switch in.Op {
			case Loop, Store, Kill:
				matters[fn] = true
			case Write:
				matters[fn] = matters[fn] || o.Trace
			case Call:
				matters[fn] = matters[fn] || matters[in.Imm]
			}
		})
	}
	for _, f := range p.Funcs {
		d := deadCode{f: f, matters: matters, trace: o.Trace,
			live: make([]bool, len(f.Class)), site: make([]site, len(f.Class)), number: make([]Reg, len(f.Class))}
		for r := range d.number {
			d.number[r] = NoReg
		}
		d.roots(f.Body, nil)
		d.spread()
		d.renumber()
	}
	dropUncalled(p)
}

// A site is where a register is assigned.
type site struct {
	in    *Inst // nil: as a parameter of the function
	param bool  // of a Loop
	k     int32 // which parameter or result
}

type deadCode struct {
	f       *Func
	matters []bool
	trace   bool
	live    []bool
	site    []site
	todo    []Reg
	ends    map[*Inst][]*Inst // the Break and Continue instructions of a Loop
	class   []Class
	number  []Reg // new numbers
}

func (d *deadCode) mark(r Reg) {
	if !d.live[r] {
		d.live[r] = true
		d.todo = append(d.todo, r)
	}
}

func (d *deadCode) markAll(regs []Reg) {
	for _, r := range regs {
		d.mark(r)
	}
}

// effect reports whether in has to stay whoever uses its results.
func (d *deadCode) effect(in *Inst) bool {
	switch in.Op {
	case Write:
		return d.trace
	case Call:
		return d.trace || d.matters[in.Imm]
	case Loop:
		return true
	}
	return in.Op.effect()
}

// roots notes where registers are assigned, marks what effects need, and reports whether b has
// effects besides its Yield.
func (d *deadCode) roots(b *Block, loop *Inst) (effects bool) {
	for i := range b.Insts {
		in := &b.Insts[i]
		for k := range in.N {
			d.site[in.Dst+Reg(k)] = site{in, false, k}
		}
		switch in.Op {
		case If:
			then, other := d.roots(in.Blocks[0], loop), d.roots(in.Blocks[1], loop)
			if then || other {
				effects = true
				d.mark(in.Args[0])
			}
		case Loop:
			effects = true
			for k, r := range in.Blocks[0].Params {
				d.site[r] = site{in, true, int32(k)}
			}
			d.roots(in.Blocks[0], in)
		case Yield:
		case Break, Continue:
			effects = true
			if d.ends == nil {
				d.ends = map[*Inst][]*Inst{}
			}
			d.ends[loop] = append(d.ends[loop], in)
		default:
			if d.effect(in) {
				effects = true
				d.markAll(in.Args)
			}
		}
	}
	return effects
}

// spread marks what marked registers follow from.
func (d *deadCode) spread() {
	for len(d.todo) > 0 {
		r := d.todo[len(d.todo)-1]
		d.todo = d.todo[:len(d.todo)-1]
		s := d.site[r]
		switch {
		case s.in == nil:
		case s.in.Op == If:
			d.mark(s.in.Args[0])
			for _, arm := range s.in.Blocks {
				if end := &arm.Insts[len(arm.Insts)-1]; end.Op == Yield {
					d.mark(end.Args[s.k])
				}
			}
		case s.in.Op == Loop:
			if s.param {
				d.mark(s.in.Args[s.k])
			}
			for _, end := range d.ends[s.in] {
				if (end.Op == Continue) == s.param {
					d.mark(end.Args[s.k])
				}
			}
		default:
			d.markAll(s.in.Args)
		}
	}
}

// assign gives r its new number.
func (d *deadCode) assign(r Reg) Reg {
	d.class = append(d.class, d.f.Class[r])
	d.number[r] = Reg(len(d.class) - 1)
	return d.number[r]
}

func (d *deadCode) renumber() {
	d.class = make([]Class, 0, len(d.f.Class))
	for i, r := range d.f.Params {
		d.f.Params[i] = d.assign(r)
	}
	d.block(d.f.Body, shape{}, shape{}, shape{})
	d.f.Class = d.class
}

// A shape says which values of Yield, Break or Continue stay.
type shape []bool

func (d *deadCode) shape(first Reg, n int32) shape {
	s := make(shape, n)
	for k := range s {
		s[k] = d.live[first+Reg(k)]
	}
	return s
}

// list drops operands that do not stay and renumbers the others.
func (d *deadCode) list(args []Reg, stay shape) []Reg {
	out := args[:0]
	for k, r := range args {
		if stay[k] {
			out = append(out, d.number[r])
		}
	}
	return out
}

// results gives the results that stay new numbers.
func (d *deadCode) results(in *Inst, stay shape) {
	first := in.Dst
	in.Dst, in.N = NoReg, 0
	for k, ok := range stay {
		if ok {
			if n := d.assign(first + Reg(k)); in.N == 0 {
				in.Dst = n
			}
			in.N++
		}
	}
}

func (d *deadCode) block(b *Block, yield, brk, cont shape) {
	out := b.Insts[:0]
	for i := range b.Insts {
		in := b.Insts[i]
		switch in.Op {
		case If:
			stay := d.shape(in.Dst, in.N)
			d.results(&in, stay)
			in.Args[0] = d.number[in.Args[0]]
			for _, arm := range in.Blocks {
				d.block(arm, stay, brk, cont)
			}
			if in.N == 0 && loneEnd(in.Blocks[0]) && loneEnd(in.Blocks[1]) {
				continue
			}
		case Loop:
			body := in.Blocks[0]
			stay := d.shape(in.Dst, in.N)
			d.results(&in, stay)
			params := make(shape, len(body.Params))
			for k, r := range body.Params {
				params[k] = d.live[r]
			}
			in.Args = d.list(in.Args, params)
			kept := body.Params[:0]
			for k, r := range body.Params {
				if params[k] {
					kept = append(kept, d.assign(r))
				}
			}
			body.Params = kept
			d.block(body, nil, stay, params)
		case Yield:
			in.Args = d.list(in.Args, yield)
		case Break:
			in.Args = d.list(in.Args, brk)
		case Continue:
			in.Args = d.list(in.Args, cont)
		default:
			if !d.effect(&in) && !d.anyLive(&in) {
				continue
			}
			for k, r := range in.Args {
				in.Args[k] = d.number[r]
			}
			first := in.Dst
			for k := range in.N {
				if n := d.assign(first + Reg(k)); k == 0 {
					in.Dst = n
				}
			}
		}
		out = append(out, in)
	}
	b.Insts = out
}

func (d *deadCode) anyLive(in *Inst) bool {
	for k := range in.N {
		if d.live[in.Dst+Reg(k)] {
			return true
		}
	}
	return false
}

// loneEnd reports whether an arm does nothing but yield.
func loneEnd(b *Block) bool { return len(b.Insts) == 1 && b.Insts[0].Op == Yield }
