package ir

import (
	"math"
	"slices"
)

// ExpandMacros replaces every macro op of p by its definition in primitive ops. An engine that has
// no rows of its own for macros needs only this; the value of each result is the same bit for bit,
// NaNs being equal to each other.
func ExpandMacros(p *Program) { Expand(p, func(in *Inst) bool { return !in.Op.numeric() }) }

// Expand does what ExpandMacros does to those macro and transcendental ops that want reports.
//
// The short macros become instructions in place, and so does a Sample or Fetch that no other is like.
// Else it becomes a Call of a function that all sites with the same sampler state and of the same kind
// share, whatever their resource: it takes the words of the resource record as operands. These functions
// have Macro set: calls of them are not counted against the budget, since an engine that runs the macro
// as one row makes no call.
func Expand(p *Program, want func(*Inst) bool) {
	e := macroExpander{program: p, want: want, samplers: map[samplerKey]int{}, sites: map[samplerKey]int{}}
	e.keepTaps = !want(&Inst{Op: Taps})
	for _, f := range p.Funcs {
		f.Body.Walk(func(in *Inst) {
			if in.Op == Sample || in.Op == Fetch {
				e.sites[e.key(in)]++
			}
		})
	}
	for _, f := range p.Funcs {
		e.fn(f)
	}
}

// SamplerAt gives the state that a Sample or Fetch of p reads with.
func (p *Program) SamplerAt(in *Inst) (s SamplerState) {
	if n := SampleSiteOf(in.Imm).Resource; n < len(p.Samplers) {
		s = p.Samplers[n]
	}
	return s
}

type samplerKey struct {
	state SamplerState
	site  SampleSite // of resource 0
}

type macroExpander struct {
	program  *Program
	want     func(*Inst) bool
	keepTaps bool
	sites    map[samplerKey]int // how many there are
	samplers map[samplerKey]int // number of the function
	alias    []Reg              // of the function at hand: result of a macro → register that holds it
	some     bool               // there is an alias
}

func (e *macroExpander) fn(f *Func) {
	e.alias, e.some = make([]Reg, len(f.Class)), false
	for r := range e.alias {
		e.alias[r] = Reg(r)
	}
	e.block(f, f.Body)
	if !e.some {
		return
	}
	f.Body.Walk(func(in *Inst) {
		for i, r := range in.Args {
			if int(r) < len(e.alias) {
				in.Args[i] = e.alias[r]
			}
		}
	})
}

func (e *macroExpander) block(f *Func, b *Block) {
	if b == nil {
		return
	}
	room := 0
	for i := range b.Insts {
		in := &b.Insts[i]
		if e.expands(in) {
			room += roughly(in.Op)
		} else if in.Blocks[0] != nil {
			e.block(f, in.Blocks[0])
			e.block(f, in.Blocks[1])
		}
	}
	if room == 0 {
		return
	}
	insts := b.Insts
	b.Insts = make([]Inst, 0, len(insts)+room)
	out := &Builder{Func: f, cur: b}
	for i := range insts {
		in := &insts[i]
		if !e.expands(in) {
			b.Insts = append(b.Insts, *in)
			continue
		}
		out.From = in.From
		var results []Reg
		switch in.Op {
		case Edges:
			results = []Reg{out.edges(in.Imm, in.Args[0], in.Args[1])}
		case Plane:
			results = []Reg{out.plane(in.Imm, in.Args[0], in.Args[1])}
		case Pack8:
			results = []Reg{out.pack8([4]Reg(in.Args))}
		case Unpack8:
			v := out.unpack8(in.Args[0])
			results = v[:]
		case Taps:
			results = out.taps(in.Args)
		case Sample, Fetch:
			results = e.sample(out, in)
		default:
			results = []Reg{ExpandNumeric(out, in.Op, in.Args...)}
		}
		for i, r := range results {
			e.alias[in.Dst+Reg(i)] = r
		}
		e.some = true
	}
}

// expands reports whether in is replaced.
func (e *macroExpander) expands(in *Inst) bool { return roughly(in.Op) > 0 && e.want(in) }

// roughly gives how many instructions an op becomes, if any.
func roughly(o Op) int {
	switch o {
	case Edges, Unpack8, Taps, FSin, FCos, FExp2, FLog2:
		return 30
	case Plane:
		return 7
	case Pack8:
		return 50
	case FPow:
		return 100
	case Sample, Fetch:
		return 450
	}
	return 0
}

// numeric reports whether o is one of the transcendental ops.
func (o Op) numeric() bool {
	switch o {
	case FSin, FCos, FExp2, FLog2, FPow:
		return true
	}
	return false
}

func (e *macroExpander) key(in *Inst) samplerKey {
	site := SampleSiteOf(in.Imm)
	site.Resource = 0
	return samplerKey{e.program.SamplerAt(in), site}
}

// sample calls the function of the site's sampler state and kind, which it makes at its first use, or
// writes what it does, when no other site would use it.
func (e *macroExpander) sample(b *Builder, in *Inst) []Reg {
	key := e.key(in)
	if !key.state.Bound {
		out := make([]Reg, 4)
		for i, bits := range key.state.Unbound {
			out[i] = b.U(bits)
		}
		return out
	}
	texture := textureOperands(b, SampleSiteOf(in.Imm).Resource)
	if e.sites[key] == 1 {
		return e.sampler(b, key, texture).read(in.Args)
	}
	return e.call(b, key, in.Args, texture)
}

// call calls the function of a key, which it makes at its first use.
func (e *macroExpander) call(b *Builder, key samplerKey, args, texture []Reg) []Reg {
	fn, ok := e.samplers[key]
	if !ok {
		f := e.sampleFunc(key)
		fn = len(e.program.Funcs)
		e.program.Funcs = append(e.program.Funcs, f)
		e.samplers[key] = fn
	}
	return b.Call(fn, e.program.Funcs[fn], slices.Concat(args, texture)...)
}

func (b *Builder) op(o Op, args ...Reg) Reg { return b.Emit(o, 0, args...) }

// edges defines Edges: the sign bit of the three edge values together says whether one is negative.
func (b *Builder) edges(word uint64, x, y Reg) Reg {
	var any Reg
	for i := uint64(0); i < 9; i += 3 {
		v := b.op(IAdd,
			b.op(IAdd, b.op(IMul, b.Emit(TriWord, word+i), x), b.op(IMul, b.Emit(TriWord, word+i+1), y)),
			b.Emit(TriWord, word+i+2))
		if i == 0 {
			any = v
		} else {
			any = b.op(Or, any, v)
		}
	}
	return b.op(Not, b.op(ShrS, any, b.U(31)))
}

// taps defines Taps.
func (b *Builder) taps(args []Reg) (words []Reg) {
	for _, row := range args[4:6] {
		for _, x := range args[2:4] {
			texel := b.op(IAdd, row, x)
			words = append(words, b.op(Load, args[0], b.op(IAdd, args[1], b.op(IMul, texel, b.U(4)))))
		}
	}
	return words
}

// plane defines Plane.
func (b *Builder) plane(word uint64, x, y Reg) Reg {
	return b.op(FAdd,
		b.op(FMul, x, b.Emit(TriWord, word)),
		b.op(FAdd, b.op(FMul, y, b.Emit(TriWord, word+1)), b.Emit(TriWord, word+2)))
}

// clampF is x between lo and hi; NaN gives lo.
func (b *Builder) clampF(x Reg, lo, hi float32) Reg {
	return b.op(FMin, b.op(FMax, b.F(lo), x), b.F(hi))
}

// pack8 defines Pack8.
func (b *Builder) pack8(c [4]Reg) Reg {
	var word Reg
	for i, x := range c {
		byt := b.op(F2U, b.op(FAdd, b.op(FMul, b.clampF(x, 0, 1), b.F(255)), b.F(0.5)))
		if i == 0 {
			word = byt
		} else {
			word = b.op(Or, word, b.op(Shl, byt, b.U(uint32(8*i))))
		}
	}
	return word
}

// unpack8 defines Unpack8.
func (b *Builder) unpack8(word Reg) (c [4]Reg) {
	for i := range c {
		byt := b.op(And, b.op(ShrU, word, b.U(uint32(8*i))), b.U(255))
		c[i] = b.op(FDiv, b.op(U2F, byt), b.F(255))
	}
	return c
}

// PackBytes is the value of Pack8, on the bits of floats.
func PackBytes(c [4]uint32) (word uint32) {
	for i, bits := range c {
		x := PMin(PMax(0, math.Float32frombits(bits)), 1)
		word |= uint32(float32(x*255)+0.5) << (8 * i)
	}
	return word
}
