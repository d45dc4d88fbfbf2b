package ir

import "slices"

// Options of Optimize.
type Options struct {
	Trace bool // keep Write, all it needs, and the calls, which a trace shows
}

// A pass changes a verified program into another verified program that does the same.
type pass struct {
	name string
	run  func(*Program, Options)
}

// passes are run in this order.
var passes = []pass{
	// First, because what a function computes is known best where it is called.
	{"inline", inline},
	// Known and repeated values; fewer operands depend on joins and loops behind it.
	{"simplify", simplify},
	// Needs to see which values follow from uniform ones, so after simplify.
	{"hoist", hoist},
	// Hoisting brings equal values of different arms to one place.
	{"simplify", simplify},
	// The passes above leave what nobody uses any more.
	{"dead", dead},
	// Last: no other pass may move, merge or fold what Canon guards.
	{"canon", placeCanon},
}

// Optimize gives a program that does the same as p and costs less; p, which is verified, stays as it
// is. Lanes may take fewer steps of their budget, since calls are inlined: all engines are to run the
// same program. The result is verified, and canonical by VerifyCanon.
func Optimize(p *Program, o Options) *Program {
	q := p.Clone()
	for _, pass := range passes {
		pass.run(q, o)
	}
	return q
}

// Clone gives a copy of p that shares nothing that a pass may change.
func (p *Program) Clone() *Program {
	q := *p
	q.Funcs = make([]*Func, len(p.Funcs))
	for i, f := range p.Funcs {
		c := cloner{}
		f.Body.Walk(func(in *Inst) { c.regs += len(in.Args) })
		c.slab = make([]Reg, 0, c.regs)
		g := *f
		g.Params = slices.Clone(f.Params)
		g.Class = slices.Clone(f.Class)
		g.Body = c.block(f.Body)
		q.Funcs[i] = &g
	}
	return &q
}

// A cloner copies blocks; rename, when set, gives the register that stands for one of the original.
type cloner struct {
	regs   int
	slab   []Reg
	rename []Reg
}

func (c *cloner) list(r []Reg) []Reg {
	if len(r) == 0 {
		return nil
	}
	if cap(c.slab)-len(c.slab) < len(r) {
		c.slab = make([]Reg, 0, max(256, len(r)))
	}
	at := len(c.slab)
	c.slab = append(c.slab, r...)
	out := c.slab[at : at+len(r) : at+len(r)]
	if c.rename != nil {
		for i := range out {
			out[i] = c.rename[out[i]]
		}
	}
	return out
}

func (c *cloner) block(b *Block) *Block {
	if b == nil {
		return nil
	}
	out := &Block{Params: c.list(b.Params), Insts: slices.Clone(b.Insts)}
	for i := range out.Insts {
		in := &out.Insts[i]
		in.Args = c.list(in.Args)
		if c.rename != nil && in.Dst != NoReg {
			in.Dst = c.rename[in.Dst]
		}
		for k, inner := range in.Blocks {
			in.Blocks[k] = c.block(inner)
		}
	}
	return out
}

// size is the number of instructions of b and the blocks below.
func (b *Block) size() int {
	n := 0
	b.Walk(func(*Inst) { n++ })
	return n
}

// pure reports whether in does nothing but compute its results from its operands and from what does
// not change during a run, so that it may be computed earlier, once for many, or not at all. A Load or Taps
// is pure where its resource is read only.
func (in *Inst) pure(readOnly bool) bool {
	switch in.Op {
	case If, Loop, Call, Active:
		return false
	case Load, Taps:
		return readOnly
	}
	return !in.Op.effect()
}

// loads reports whether o reads words of the resource whose record is its first operand.
func (o Op) loads() bool { return o == Load || o == Taps }

// readOnly reports whether no program writes to resource n.
func (p *Program) readOnly(n uint64) bool {
	return n < uint64(len(p.Interface.Resources)) && p.Interface.Resources[n].Kind != Buffer
}
