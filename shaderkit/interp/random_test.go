package interp

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// A generator writes random programs whose lanes part and meet in every way. A lane reads resource 0
// anywhere and stores to its own words of resource 1.
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
	own   func(k int) ir.Reg // byte offset of word k of what belongs to the lane
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
		if !function && g.r.Intn(3) == 0 {
			g.set(b.Emit(ir.Load, 0, b.Emit(ir.Res, 1), g.own(g.r.Intn(outWords))))
			return
		}
		g.set(g.emit(ir.Load, b.Emit(ir.Res, 0), g.emit(ir.And, g.get(), b.U(1023))))
	case k < 12 && !function:
		b.Emit(ir.Store, 0, b.Emit(ir.Res, 1), g.own(g.r.Intn(outWords)), g.get())
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
func randomProgram(r *rand.Rand, kind ir.Kind, trace bool) *ir.Program {
	g := &generator{r: r, trace: trace}
	nFuncs := r.Intn(4)
	g.p = program(kind, make([]*ir.Func, 1+nFuncs)...)
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
	if kind == ir.Linear {
		g.own = func(k int) ir.Reg { return itemOffset(g.b, outWords, k) }
	} else {
		g.own = func(k int) ir.Reg {
			return g.b.Emit(ir.Or, 0, g.b.Emit(ir.Shl, 0, tileOffset(g.b), g.b.U(3)), g.b.U(uint32(4*k)))
		}
		cover := g.b.Emit(ir.Edges, 4, g.b.Emit(ir.LaneX, 0), g.b.Emit(ir.LaneY, 0))
		if r.Intn(2) == 0 {
			cover = g.b.Emit(ir.And, 0, cover, g.b.Emit(ir.INe, 0, g.b.Emit(ir.And, 0, g.b.Emit(ir.LaneX, 0), g.b.U(6)), g.b.Emit(ir.Desc, 3)))
		}
		g.b.Emit(ir.Cover, 0, cover)
	}
	for i := range 6 {
		v := g.b.Emit(ir.Load, 0, g.b.Emit(ir.Res, 0), g.own(i))
		switch {
		case i == 0:
			v = g.b.Emit(ir.Desc, 3)
		case i == 1 && kind == ir.Tile:
			v = g.b.Emit(ir.FMul, 0, g.b.Emit(ir.I2F, 0, g.b.Emit(ir.TriWord, 13)), g.b.Emit(ir.I2F, 0, g.b.Emit(ir.Desc, 3)))
		}
		g.vars = append(g.vars, g.b.NewVar(v))
	}
	for range 2 {
		g.longs = append(g.longs, g.b.NewVar(g.b.Emit(ir.Pack64, 0, g.get(), g.get())))
	}
	g.size, g.depth, g.funcs = 20+r.Intn(100), 0, nFuncs
	g.statements(5+r.Intn(20), false)
	for i, v := range g.vars {
		g.b.Emit(ir.Store, 0, g.b.Emit(ir.Res, 1), g.own(i), g.b.Get(v))
	}
	g.b.Emit(ir.Store, 0, g.b.Emit(ir.Res, 1), g.own(6), g.b.Emit(ir.Lo64, 0, g.long()))
	g.p.Funcs[0] = g.b.Finish()
	return g.p
}

// randomJob makes a job for a random program and fills its memory with words of interest.
func randomJob(r *rand.Rand, kind ir.Kind, n int) (*exec.Arena, uint32) {
	a := &exec.Arena{}
	var d uint32
	if kind == ir.Linear {
		d = linearJob(a, r.Intn(3), n)
		n += 3
	} else {
		var ts [][13]int32
		for range 1 + r.Intn(5) {
			t := [13]int32{r.Int31n(32), r.Int31n(32)}
			t[2], t[3] = t[0]+r.Int31n(24), t[1]+r.Int31n(24)
			for e := range 3 {
				t[4+3*e], t[5+3*e], t[6+3*e] = r.Int31n(9)-4, r.Int31n(9)-4, r.Int31n(99)
			}
			ts = append(ts, t)
		}
		d = tileJob(a, ts...)
		for i := range ts {
			a.Words(a.Words(d, 2)[1], triangleWords*len(ts))[triangleWords*i+13] = r.Uint32() % 1000
		}
		n = exec.TileSize * exec.TileSize
	}
	in := resource(a, d, 0, outWords*n)
	resource(a, d, 1, outWords*n)
	w := a.Words(in, outWords*n)
	same := r.Intn(2) == 0 // lanes that agree, now and then
	for i := range w {
		w[i] = []uint32{0, 1, 2, 7, 0x3F800000, 0x40A00000, 0xC0000000, 0x7F800000, 0x7FC00000, 0x80000000, r.Uint32(), r.Uint32() >> 20}[r.Intn(12)]
		if same && i >= outWords && r.Intn(8) != 0 {
			w[i] = w[i-outWords]
		}
	}
	a.Words(d, 4)[3] = r.Uint32() >> uint(r.Intn(32))
	return a, d
}

func clone(a *exec.Arena) *exec.Arena { return &exec.Arena{Mem: slices.Clone(a.Mem)} }

// expect runs every lane of a job alone, in order, and calls visit for each that starts: with the
// triangle record, or -1.
func expect(p *ir.Program, a *exec.Arena, desc uint32, budget int, visit func(s *scalar, record int)) {
	d := a.Words(desc, 4)
	fresh := func() *scalar {
		return &scalar{p: p, mem: a.Mem, desc: desc, budget: budget, traced: make([]uint32, len(p.Traced))}
	}
	if p.Kind == ir.Linear {
		for i := range d[exec.JobCount] {
			s := fresh()
			s.item = d[exec.JobFirst] + i
			s.run()
			visit(s, -1)
		}
		return
	}
	for t := range int(d[exec.JobCount]) {
		tri := a.Words(d[exec.JobFirst]+4*d[exec.JobStride]*uint32(t), int(d[exec.JobStride]))
		for q := range exec.TileSize * exec.TileSize / quadLanes {
			var quad [quadLanes]*scalar
			any := false
			for k := range quad {
				s := fresh()
				x, y := pixelAt(q*quadLanes + k)
				s.x, s.y, s.tri = uint32(x), uint32(y), tri
				quad[k] = s
				s.outside = s.x < tri[0] || s.y < tri[1] || s.x >= tri[2] || s.y >= tri[3]
				any = s.covers() || any
			}
			if !any {
				continue
			}
			for _, s := range quad {
				s.run()
				visit(s, t)
			}
		}
	}
}

// pixelAt inverts exec.TileIndex.
func pixelAt(i int) (x, y int) {
	return i>>6&7<<3 | i>>2&3<<1 | i&1, i>>9<<3 | i>>4&3<<1 | i>>1&1
}

func checkRandom(t *testing.T, kind ir.Kind, seed int64) (shares bool) {
	r := rand.New(rand.NewSource(seed))
	p := randomProgram(r, kind, false)
	k, err := Engine{}.compile(p, options{})
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	if k.fast.order.never {
		t.Fatalf("seed %d: stores to the lane's own words are not recognised", seed)
	}
	for _, n := range []int{64, 13, 150} {
		a, d := randomJob(r, kind, n)
		budget := []int{exec.DefaultBudget, 1 + r.Intn(60)}[r.Intn(2)]
		want := clone(a)
		var res exec.Result
		expect(p, want, d, budget, func(s *scalar, _ int) {
			res.Stopped = res.Stopped || s.stopped
			if s.covered {
				res.Lanes++
			}
		})
		for _, strict := range []bool{false, true} {
			run := k
			if strict {
				run = &kernel{p: p, fast: k.inOrder()}
			}
			got := clone(a)
			if r := run.Run(got, d, exec.Options{Budget: budget}); r != res {
				t.Fatalf("seed %d, %d items, strict %v: %+v, want %+v\n%s", seed, n, strict, r, res, p)
			}
			for i := range got.Mem {
				if got.Mem[i] != want.Mem[i] {
					t.Fatalf("seed %d, %d items, strict %v, budget %d: word %d is %08x, want %08x\n%s", seed, n, strict, budget, i, got.Mem[i], want.Mem[i], p)
				}
			}
		}
	}
	return k.fast.shares
}

func TestRandomProgramsEqualOneLaneAtATime(t *testing.T) {
	for seed := range int64(200) {
		checkRandom(t, ir.Linear, seed)
	}
	shares := 0
	for seed := range int64(40) {
		if checkRandom(t, ir.Tile, seed) {
			shares++
		}
	}
	if shares < 6 {
		t.Errorf("triangles share batches in %d programs", shares)
	}
}

func FuzzRandomPrograms(f *testing.F) {
	f.Add(int64(1), false)
	f.Add(int64(2), true)
	f.Fuzz(func(t *testing.T, seed int64, tile bool) {
		kind := ir.Linear
		if tile {
			kind = ir.Tile
		}
		checkRandom(t, kind, seed)
	})
}

// A trace tells, lane for lane, what each lane alone would write, and the job comes out as in a run.
func TestTraceEqualsRun(t *testing.T) {
	for seed := range int64(40) {
		for _, kind := range []ir.Kind{ir.Linear, ir.Tile} {
			r := rand.New(rand.NewSource(seed))
			p := randomProgram(r, kind, true)
			a, d := randomJob(r, kind, 20)
			budget := []int{exec.DefaultBudget, 1 + r.Intn(60)}[r.Intn(2)]
			pick := exec.Pick{Item: a.Words(d, 2)[1] + uint32(r.Intn(20)), X: r.Intn(32), Y: r.Intn(32)}
			run, traced := clone(a), clone(a)
			res := mustCompile(t, p).Run(run, d, exec.Options{Budget: budget})
			tr, err := Engine{}.Trace(p, traced, d, pick, exec.Options{Budget: budget})
			if err != nil {
				t.Fatal(err)
			}
			if tr.Result != res || !slices.Equal(run.Mem, traced.Mem) {
				t.Fatalf("seed %d: traced %+v, run %+v; memory equal: %v", seed, tr.Result, res, slices.Equal(run.Mem, traced.Mem))
			}
			var waves [][]*scalar // of each wave, its lanes
			var records []int
			var lane []*scalar
			expect(p, clone(a), d, budget, func(s *scalar, record int) {
				n := 4
				if kind == ir.Linear {
					n = 8
				}
				lane = append(lane, s)
				if len(lane) == n || kind == ir.Linear && s.item == a.Words(d, 2)[1]+19 {
					for _, l := range lane {
						if kind == ir.Linear && l.item == pick.Item || kind == ir.Tile && l.covered && int(l.x) == pick.X && int(l.y) == pick.Y {
							waves, records = append(waves, lane), append(records, record)
						}
					}
					lane = nil
				}
			})
			if len(tr.Waves) != len(waves) {
				t.Fatalf("seed %d: %d waves, want %d", seed, len(tr.Waves), len(waves))
			}
			for i, w := range tr.Waves {
				if w.Record != records[i] {
					t.Errorf("seed %d: wave %d is of record %d, want %d", seed, i, w.Record, records[i])
				}
				for k, l := range waves[i] {
					var got []exec.Write
					for _, x := range w.Writes {
						if x.Active>>k&1 != 0 {
							got = append(got, exec.Write{Traced: x.Traced, From: x.From, Depth: x.Depth, Trip: x.Trip, Old: [8]uint32{x.Old[k]}, New: [8]uint32{x.New[k]}})
						} else if x.Old[k] != x.New[k] {
							t.Fatalf("seed %d: a lane that did not write changed", seed)
						}
					}
					if !slices.Equal(got, l.writes) {
						t.Fatalf("seed %d, kind %d, lane %d of wave %d:\n got %v\nwant %v\n%s", seed, kind, k, i, got, l.writes, p)
					}
					if live := w.Live>>k&1 != 0; live != l.live {
						t.Fatalf("seed %d: lane %d is live %v at the end, want %v", seed, k, live, l.live)
					}
				}
			}
		}
	}
}
