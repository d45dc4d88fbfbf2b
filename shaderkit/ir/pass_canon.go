package ir

import "fmt"

// Float ops may make NaNs of any bits; these become the canonical NaN where their bits are seen: by
// an op that reads a 32 or 64-bit integer, by Store, Write, or whoever calls a Shader. A value is
// also seen if it is moved to where it is seen, by Sel, If, Loop or Call. Pack64, Lo64 and Hi64 do
// not move a number: what they make of a NaN depends on its bits.

// placeCanon puts a Canon behind each float op whose NaNs would be seen. Doubles, which have no op
// for it, are compared with themselves.
func placeCanon(p *Program, _ Options) {
	for i, seen := range seenBits(p) {
		c := canonPlacer{f: p.Funcs[i], seen: seen, instead: make([]Reg, len(seen))}
		for r := range c.instead {
			c.instead[r] = Reg(r)
		}
		if c.anyRaw(c.f.Body) {
			c.block(c.f.Body)
		}
	}
}

// VerifyCanon checks that no NaN is seen that is not canonical: every float op whose result is seen
// is a Canon or cannot make a NaN. Of doubles it checks nothing.
func (p *Program) VerifyCanon() error {
	var err *VerifyError
	for fn, seen := range seenBits(p) {
		n := -1
		p.Funcs[fn].Body.Walk(func(in *Inst) {
			n++
			if err != nil || !in.Op.makesNaN() || ops[in.Op].Type != 'f' {
				return
			}
			for k := range in.N {
				if r := in.Dst + Reg(k); seen[r] {
					err = &VerifyError{Code: "canon", Func: fn, Inst: n, What: fmt.Sprintf("the NaN bits of %%%d, made by %s, are seen", r, in.Op)}
				}
			}
		})
	}
	if err != nil {
		return err
	}
	return nil
}

// makesNaN reports whether o may give a NaN that is not canonical.
func (o Op) makesNaN() bool {
	switch o {
	case Canon, I2F, U2F, Unpack8:
		return false
	}
	t := ops[o].Type
	return t == 'f' || t == 'd'
}

type canonPlacer struct {
	f       *Func
	seen    []bool
	instead []Reg // the canonical copy of a register, or itself
}

func (c *canonPlacer) anyRaw(b *Block) (raw bool) {
	b.Walk(func(in *Inst) { raw = raw || c.raw(in) })
	return raw
}

// raw reports whether in makes NaNs that are seen.
func (c *canonPlacer) raw(in *Inst) bool {
	if in.Op.makesNaN() {
		for k := range in.N {
			if c.seen[in.Dst+Reg(k)] {
				return true
			}
		}
	}
	return false
}

func (c *canonPlacer) block(b *Block) {
	out := make([]Inst, 0, len(b.Insts)+4)
	for i := range b.Insts {
		in := b.Insts[i]
		for k, r := range in.Args {
			in.Args[k] = c.instead[r]
		}
		out = append(out, in)
		if c.raw(&in) {
			for k := range in.N {
				if r := in.Dst + Reg(k); c.seen[r] {
					out = c.canonical(out, r, ops[in.Op].Class, in.From)
				}
			}
		}
		for _, inner := range in.Blocks {
			if inner != nil {
				c.block(inner)
			}
		}
	}
	b.Insts = out
}

// canonical appends what makes the NaNs of r canonical.
func (c *canonPlacer) canonical(out []Inst, r Reg, class Class, from int32) []Inst {
	add := func(op Op, imm uint64, args ...Reg) Reg {
		d := c.f.NewReg(ops[op].Class)
		out = append(out, Inst{Op: op, N: 1, Dst: d, Args: args, Imm: imm, From: from})
		return d
	}
	if class == C32 {
		c.instead[r] = add(Canon, 0, r)
	} else {
		c.instead[r] = add(Sel64, 0, add(DEq, 0, r, r), r, add(Const64, canonNaN64))
	}
	return out
}

// seenBits gives for each function the registers whose bits are seen.
func seenBits(p *Program) [][]bool {
	s := seeing{p: p, seen: make([][]bool, len(p.Funcs)), moves: make([][]move, len(p.Funcs))}
	for fn, f := range p.Funcs {
		s.seen[fn] = make([]bool, len(f.Class))
	}
	for fn, f := range p.Funcs {
		s.fn, s.f = fn, f
		s.block(f.Body, nil, nil)
	}
	// moves lead backward in the text but for loops and calls, so this ends after few rounds
	for changed := true; changed; {
		changed = false
		for fn := range p.Funcs {
			for i := len(s.moves[fn]) - 1; i >= 0; i-- {
				m := s.moves[fn][i]
				if s.seen[m.toFunc][m.to] && !s.seen[fn][m.from] {
					s.seen[fn][m.from] = true
					changed = true
				}
			}
		}
	}
	return s.seen
}

// A move hands the bits of register from to register to, which may be another function's.
type move struct {
	from, to Reg
	toFunc   int32
}

type seeing struct {
	p     *Program
	fn    int
	f     *Func
	seen  [][]bool
	moves [][]move // by function of the source
}

func (s *seeing) see(r Reg) { s.seen[s.fn][r] = true }

func (s *seeing) move(from, to Reg) {
	s.moves[s.fn] = append(s.moves[s.fn], move{from, to, int32(s.fn)})
}

func (s *seeing) block(b *Block, outer, loop *Inst) {
	for i := range b.Insts {
		in := &b.Insts[i]
		switch in.Op {
		case Sel, Sel64:
			s.see(in.Args[0])
			s.move(in.Args[1], in.Dst)
			s.move(in.Args[2], in.Dst)
		case If:
			s.see(in.Args[0])
			s.block(in.Blocks[0], in, loop)
			s.block(in.Blocks[1], in, loop)
		case Loop:
			for k, r := range in.Args {
				s.move(r, in.Blocks[0].Params[k])
			}
			s.block(in.Blocks[0], nil, in)
		case Yield:
			for k, r := range in.Args {
				s.move(r, outer.Dst+Reg(k))
			}
		case Break:
			for k, r := range in.Args {
				s.move(r, loop.Dst+Reg(k))
			}
		case Continue:
			for k, r := range in.Args {
				s.move(r, loop.Blocks[0].Params[k])
			}
		case Call:
			s.call(in)
		case Return:
			if s.fn == 0 {
				for _, r := range in.Args {
					s.see(r)
				}
			}
		case Sample: // reads floats
		case Fetch: // reads integers; a gather floats, then integers
			site := SampleSiteOf(in.Imm)
			for k, r := range in.Args {
				if site.Kind == FetchTexel || k >= site.extra() {
					s.see(r)
				}
			}
		default:
			letters := ops[in.Op].Args
			for k, r := range in.Args {
				if c := letters[k]; c != 'f' && c != 'd' {
					s.see(r)
				}
			}
		}
	}
}

// call notes what goes into a call and what comes out of it.
func (s *seeing) call(in *Inst) {
	callee := int(in.Imm)
	g := s.p.Funcs[callee]
	for k, r := range in.Args {
		s.moves[s.fn] = append(s.moves[s.fn], move{r, g.Params[k], int32(callee)})
	}
	g.Body.Walk(func(end *Inst) {
		if end.Op == Return {
			for k, r := range end.Args {
				s.moves[callee] = append(s.moves[callee], move{r, in.Dst + Reg(k), int32(s.fn)})
			}
		}
	})
}
