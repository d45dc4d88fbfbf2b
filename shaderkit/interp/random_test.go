package interp

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// A generator writes random linear programs whose lanes part and meet in every way. An item reads
// resource 0 anywhere and stores to its own words of resource 1.
type generator struct {
	r     *rand.Rand
	p     *ir.Program
	b     *ir.Builder
	vars  []ir.Var // of 32 bits
	longs []ir.Var
	funcs int // functions 1..funcs may be called
	depth int
	size  int
	trace bool
}

const outWords = 8 // of an item

var unaryOps = []ir.Op{ir.FSqrt, ir.FNeg, ir.FAbs, ir.FFloor, ir.FCeil, ir.FTrunc, ir.FNearest, ir.FSin, ir.FCos, ir.FExp2, ir.FLog2,
	ir.FFlush, ir.INeg, ir.Not, ir.F2I, ir.F2U, ir.I2F, ir.U2F}
var binaryOps = []ir.Op{ir.FAdd, ir.FAdd, ir.FSub, ir.FMul, ir.FMul, ir.FDiv, ir.FMin, ir.FMax, ir.FMulZ, ir.FPow, ir.IAdd, ir.IAdd, ir.ISub, ir.IMul, ir.IMulHi, ir.UMulHi,
	ir.IDiv, ir.UDiv, ir.URem, ir.And, ir.Or, ir.Xor, ir.Shl, ir.ShrS, ir.ShrU, ir.IMin, ir.IMax, ir.UMin, ir.UMax}
var compareOps = []ir.Op{ir.FLt, ir.FLe, ir.FEq, ir.FNe, ir.IEq, ir.INe, ir.ILt, ir.ULt}
var long2 = []ir.Op{ir.DAdd, ir.DSub, ir.DMul, ir.DDiv, ir.LAdd, ir.LSub, ir.LMul, ir.LAnd, ir.LOr, ir.LXor}

func (g *generator) pick(ops []ir.Op) ir.Op { return ops[g.r.Intn(len(ops))] }
func (g *generator) get() ir.Reg            { return g.b.Get(g.vars[g.r.Intn(len(g.vars))]) }
func (g *generator) long() ir.Reg           { return g.b.Get(g.longs[g.r.Intn(len(g.longs))]) }
func (g *generator) emit(op ir.Op, args ...ir.Reg) ir.Reg {
	r := g.b.Emit(op, 0, args...)
	if op == ir.D2F || op <= ir.FFlush && op >= ir.FAdd {
		r = g.b.Emit(ir.Canon, 0, r)
	}
	return r
}
func (g *generator) set(r ir.Reg) {
	i := g.r.Intn(len(g.vars))
	g.b.Set(g.vars[i], r)
	if g.trace && i < 4 {
		g.b.From = int32(g.r.Intn(100))
		g.b.Emit(ir.Write, uint64(i), r)
	}
}

// mask gives a condition that tends to differ between lanes, or to agree.
func (g *generator) mask() ir.Reg {
	if g.r.Intn(3) == 0 {
		return g.emit(ir.INe, g.emit(ir.And, g.emit(ir.IAdd, g.get(), g.get()), g.b.U(1<<g.r.Intn(4))), g.b.U(0))
	}
	return g.emit(g.pick(compareOps), g.get(), g.get())
}

func (g *generator) statements(n int, function bool) {
	for range n {
		if g.size--; g.size < 0 {
			return
		}
		g.statement(function)
	}
}

func (g *generator) statement(function bool) {
	b := g.b
	switch k := g.r.Intn(24); {
	case k == 22: // what Continue hands on in a circle
		i, j := g.r.Intn(len(g.vars)), g.r.Intn(len(g.vars))
		x, y := b.Get(g.vars[i]), b.Get(g.vars[j])
		b.Set(g.vars[i], y)
		b.Set(g.vars[j], x)
	case k == 23: // what becomes one row
		product := b.Emit([]ir.Op{ir.FMul, ir.FMulZ}[g.r.Intn(2)], 0, g.get(), g.get())
		terms := []ir.Reg{product, g.get()}
		i := g.r.Intn(2)
		g.set(b.Emit(ir.Canon, 0, b.Emit(ir.FAdd, 0, terms[i], terms[1-i])))
	case k < 3:
		g.set(g.emit(g.pick(unaryOps), g.get()))
	case k < 8:
		g.set(g.emit(g.pick(binaryOps), g.get(), g.get()))
	case k < 9:
		g.set(g.emit(ir.Sel, g.mask(), g.get(), g.get()))
	case k < 10:
		g.set(b.U([]uint32{0, 1, 3, 0x3F800000, 0xBF000000, 0x40490FDB, ^uint32(0), 1 << 31}[g.r.Intn(8)]))
	case k < 11:
		g.set(g.emit(ir.Load, b.Emit(ir.Res, 0), g.emit(ir.And, g.get(), b.U(1023))))
	case k < 12:
		b.Emit(ir.Store, 0, b.Emit(ir.Res, 1), itemOffset(b, outWords, g.r.Intn(outWords)), g.get())
	case k < 13:
		switch g.r.Intn(8) {
		case 0:
			v := b.Emit(ir.Pack64, 0, g.get(), g.get())
			b.Set(g.longs[g.r.Intn(2)], v)
		case 1:
			g.set(b.Emit(ir.Lo64, 0, g.long()))
		case 2:
			g.set(b.Emit(ir.Hi64, 0, b.Emit(ir.LMul, 0, g.long(), g.long())))
		case 3:
			b.Set(g.longs[g.r.Intn(2)], b.Emit(ir.Sel64, 0, g.mask(), g.long(), g.long()))
		case 4:
			b.Set(g.longs[g.r.Intn(2)], b.Emit([]ir.Op{ir.LShl, ir.LShrU, ir.LShrS}[g.r.Intn(3)], 0, g.long(), g.get()))
		case 5:
			g.set(g.emit([]ir.Op{ir.DLt, ir.DEq, ir.LEq, ir.LULt}[g.r.Intn(4)], g.long(), g.long()))
		case 6:
			// NaNs of double precision have any bits: only finite doubles go on.
			v := b.Emit(g.pick([]ir.Op{ir.DAdd, ir.DSub, ir.DMul}), 0, b.Emit(ir.F2D, 0, b.Emit(ir.I2F, 0, g.get())), b.Emit(ir.F2D, 0, b.Emit(ir.U2F, 0, g.get())))
			b.Set(g.longs[g.r.Intn(2)], v)
			g.set(g.emit(ir.D2F, b.Emit(ir.DSqrt, 0, v)))
		case 7:
			b.Set(g.longs[g.r.Intn(2)], b.Emit(g.pick(long2[4:]), 0, g.long(), g.long()))
		}
	case k < 14:
		if g.r.Intn(4) == 0 {
			b.Emit(ir.Kill, 0, g.mask())
		}
	case k < 16 && g.depth < 4:
		g.depth++
		b.If(g.mask())
		g.statements(1+g.r.Intn(4), function)
		if g.r.Intn(2) == 0 {
			b.Else()
			g.statements(1+g.r.Intn(4), function)
		}
		b.EndIf()
		g.depth--
	case k < 18 && g.depth < 4:
		g.depth++
		count := b.NewVar(b.U(0))
		limit := g.emit(ir.And, g.get(), b.U(7))
		b.Loop()
		b.BreakIf(g.emit(ir.ULt, limit, b.Get(count)))
		b.Set(count, b.Emit(ir.IAdd, 0, b.Get(count), b.U(1)))
		g.statements(1+g.r.Intn(6), function)
		b.EndLoop()
		g.depth--
	case k < 20 && b.InLoop():
		b.If(g.mask())
		if g.r.Intn(2) == 0 {
			b.Break()
		} else {
			b.Continue()
		}
		b.EndIf()
	case k == 20 && function && g.depth > 0:
		b.If(g.mask())
		b.Return(g.get(), g.get(), g.long())
		b.EndIf()
	case k == 21 && g.funcs > 0:
		fn := 1 + g.r.Intn(g.funcs)
		out := b.Call(fn, g.p.Funcs[fn], g.get(), g.get(), g.long())
		g.set(out[0])
		g.set(out[1])
		b.Set(g.longs[0], out[2])
	}
}

var shared = []ir.Class{ir.C32, ir.C32, ir.C64}

// randomProgram gives a program that r decides.
func randomProgram(r *rand.Rand, trace bool) *ir.Program {
	g := &generator{r: r, trace: trace}
	nFuncs := r.Intn(4)
	g.p = program(ir.Linear, make([]*ir.Func, 1+nFuncs)...)
	if trace {
		for i := range 4 {
			g.p.Traced = append(g.p.Traced, ir.TracedReg{Name: "r0", Comp: uint8(i)})
		}
	}
	// Functions call only those made before, which have higher numbers in no case.
	for i := 1; i <= nFuncs; i++ {
		g.b = ir.NewBuilder(fmt.Sprint("f", i), shared, shared)
		p := g.b.Func.Params
		g.vars, g.longs = nil, []ir.Var{g.b.NewVar(p[2]), g.b.NewVar(p[2])}
		for _, x := range []ir.Reg{p[0], p[1], p[0], p[1]} {
			g.vars = append(g.vars, g.b.NewVar(x))
		}
		g.size, g.depth, g.funcs = 4+r.Intn(60), 0, i-1
		g.statements(3+r.Intn(10), true)
		g.p.Funcs[i] = g.b.Finish(g.get(), g.get(), g.long())
	}
	g.b = ir.NewBuilder("main", nil, nil)
	g.vars, g.longs = nil, nil
	for i := range 6 {
		v := g.b.Emit(ir.Load, 0, g.b.Emit(ir.Res, 0), itemOffset(g.b, 6, i))
		if i == 0 {
			v = g.b.Emit(ir.Desc, 3)
		}
		g.vars = append(g.vars, g.b.NewVar(v))
	}
	for range 2 {
		g.longs = append(g.longs, g.b.NewVar(g.b.Emit(ir.Pack64, 0, g.get(), g.get())))
	}
	g.size, g.depth, g.funcs = 20+r.Intn(100), 0, nFuncs
	g.statements(5+r.Intn(20), false)
	for i, v := range g.vars {
		g.b.Emit(ir.Store, 0, g.b.Emit(ir.Res, 1), itemOffset(g.b, outWords, i), g.b.Get(v))
	}
	g.b.Emit(ir.Store, 0, g.b.Emit(ir.Res, 1), itemOffset(g.b, outWords, 6), g.b.Emit(ir.Lo64, 0, g.long()))
	g.p.Funcs[0] = g.b.Finish()
	return g.p
}

// randomArena fills the resources of a job with interesting words.
func randomArena(r *rand.Rand, items int) (*exec.Arena, uint32) {
	a := &exec.Arena{}
	d := linearJob(a, 0, items)
	in := resource(a, d, 0, 6*items)
	resource(a, d, 1, outWords*items)
	w := a.Words(in, 6*items)
	same := r.Intn(2) == 0 // lanes that agree, now and then
	for i := range w {
		w[i] = []uint32{0, 1, 2, 7, 0x3F800000, 0x40A00000, 0xC0000000, 0x7F800000, 0x7FC00000, 0x80000000, r.Uint32(), r.Uint32() >> 20}[r.Intn(12)]
		if same && i >= 6 && r.Intn(8) != 0 {
			w[i] = w[i-6]
		}
	}
	a.Words(d, 4)[3] = r.Uint32() >> uint(r.Intn(32))
	return a, d
}

func clone(a *exec.Arena) *exec.Arena { return &exec.Arena{Mem: slices.Clone(a.Mem)} }

// expect runs every item of a linear job alone.
func expect(p *ir.Program, a *exec.Arena, desc uint32, budget int) (stopped bool) {
	for i := range a.Words(desc, 1)[0] {
		s := scalar{p: p, mem: a.Mem, desc: desc, item: a.Words(desc, 2)[1] + i, budget: budget, traced: make([]uint32, len(p.Traced))}
		s.run()
		stopped = stopped || s.stopped
	}
	return stopped
}

func checkRandom(t *testing.T, seed int64) {
	r := rand.New(rand.NewSource(seed))
	p := randomProgram(r, false)
	if err := p.Verify(); err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	k, err := Engine{}.compile(p, options{})
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	if k.fast.order.never {
		t.Fatalf("seed %d: stores to the item's own words are not recognised", seed)
	}
	for _, items := range []int{64, 13, 150} {
		a, d := randomArena(r, items)
		budget := []int{exec.DefaultBudget, 1 + r.Intn(60)}[r.Intn(2)]
		want := clone(a)
		wantStopped := expect(p, want, d, budget)
		for _, strict := range []bool{false, true} {
			run := k
			if strict {
				run = &kernel{p: p, fast: k.inOrder()}
			}
			got := clone(a)
			res := run.Run(got, d, exec.Options{Budget: budget})
			if res.Stopped != wantStopped {
				t.Fatalf("seed %d, %d items, strict %v: stopped %v, want %v\n%s", seed, items, strict, res.Stopped, wantStopped, p)
			}
			for i := range got.Mem {
				if got.Mem[i] != want.Mem[i] {
					t.Fatalf("seed %d, %d items, strict %v, budget %d: word %d is %08x, want %08x\n%s", seed, items, strict, budget, i, got.Mem[i], want.Mem[i], p)
				}
			}
		}
	}
}

func TestRandomProgramsEqualOneLaneAtATime(t *testing.T) {
	n := 1000
	if testing.Short() {
		n = 100
	}
	for seed := range n {
		checkRandom(t, int64(seed))
	}
}

func FuzzRandomPrograms(f *testing.F) {
	f.Add(int64(1))
	f.Fuzz(checkRandom)
}
