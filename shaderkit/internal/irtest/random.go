package irtest

import (
	"fmt"
	"math/rand/v2"

	"swizzle/shaderkit/ir"
)

// Options of Random.
type Options struct {
	Size  int  // statements at most
	Trace bool // writes to traced registers
	Tile  bool // a Tile program with a Cover; else a Linear one
	Block bool // of a Tile program: its pixels are those of a block, see NewBlock
}

// Words of the memory that programs of Random expect; NewWave lays it out.
const (
	constants = 64 // words of resource 0, which is read only
	own       = 16 // words that each item has in resource 1
	traced    = 4
)

// Random writes a verified program that depends on nothing undefined. Lanes part and meet in every
// way; resource 0 is a constant file, in resource 1 each item reads and writes its own words.
func Random(seed uint64, o Options) *ir.Program {
	g := &generator{r: rand.New(rand.NewPCG(seed, 1)), Options: o}
	g.p = &ir.Program{Name: fmt.Sprintf("random.%d", seed), Kind: ir.Linear}
	if o.Tile {
		g.p.Kind = ir.Tile
	}
	g.p.Interface.Resources = []ir.Resource{{Name: "c", Kind: ir.ConstFloat, Count: constants / 4}, {Name: "out", Kind: ir.Buffer}}
	if o.Trace {
		for i := range traced {
			g.p.Traced = append(g.p.Traced, ir.TracedReg{Name: "r0", Comp: uint8(i)})
		}
	}
	// functions call those behind them, so they are written from the last
	n := g.r.IntN(4)
	g.p.Funcs = make([]*ir.Func, n+1)
	for fn := n; fn >= 0; fn-- {
		g.function(fn)
	}
	return g.p
}

// NewWave gives memory and lanes for programs of Random, filled from the seed.
func NewWave(seed uint64) *Wave {
	r := rand.New(rand.NewPCG(seed, 2))
	w := &Wave{Live: uint8(r.Uint32()) | 1, Budget: 1 << 16, Noise: r.Uint64()}
	const records, data = 16, 64
	w.Mem = make([]uint32, data+constants+Lanes*own)
	w.Desc, w.Tri = 0, 4*32
	w.Mem[records], w.Mem[records+1] = 4*data, 4*constants
	w.Mem[records+8], w.Mem[records+9] = 4*(data+constants), 4*Lanes*own
	for i := 32; i < len(w.Mem); i++ {
		w.Mem[i] = word(r)
	}
	for l := range Lanes {
		w.Item[l] = uint32(l)
		w.X[l], w.Y[l] = uint32(l>>2*2+l&1), uint32(l>>1&1)
	}
	return w
}

// BlockPixels is how many pixels have words in the memory of NewBlock.
const BlockPixels = 64

// NewBlock gives the memory for programs of Random with Options.Block: that of NewWave with words for all pixels
// of the block at the left top, and a triangle's box that is all of it.
func NewBlock(seed uint64) *Wave {
	w := NewWave(seed)
	r := rand.New(rand.NewPCG(seed, 3))
	for range (BlockPixels - Lanes) * own {
		w.Mem = append(w.Mem, word(r))
	}
	w.Mem[16+8+1] = 4 * BlockPixels * own
	copy(w.Mem[w.Tri/4:], []uint32{0, 0, 8, 8})
	return w
}

// word gives bits that are worth computing with.
func word(r *rand.Rand) uint32 {
	some := []uint32{0, 1, 2, 3, 0x3F800000, 0xBF800000, 0x40000000, 0x40490FDB, 0x7F800000, 0x7FC00001, 0xFFC12345, 0x00400000, 1 << 31, ^uint32(0)}
	switch i := r.IntN(4 * len(some)); {
	case i < len(some):
		return some[i]
	case i < 2*len(some):
		return r.Uint32()
	default:
		return 0x3F000000 + r.Uint32()>>6 // 0.5 .. 16
	}
}

type generator struct {
	Options
	r     *rand.Rand
	p     *ir.Program
	b     *ir.Builder
	fn    int
	vars  []ir.Var
	longs []ir.Var
	base  ir.Reg // byte offset of the item's words
	depth int
	size  int
}

func (g *generator) op(op ir.Op, args ...ir.Reg) ir.Reg { return g.b.Emit(op, 0, args...) }
func (g *generator) pick(ops ...ir.Op) ir.Op            { return ops[g.r.IntN(len(ops))] }
func (g *generator) get() ir.Reg                        { return g.b.Get(g.vars[g.r.IntN(len(g.vars))]) }
func (g *generator) long() ir.Reg                       { return g.b.Get(g.longs[g.r.IntN(len(g.longs))]) }
func (g *generator) setLong(r ir.Reg)                   { g.b.Set(g.longs[g.r.IntN(len(g.longs))], r) }

func (g *generator) set(r ir.Reg) {
	g.b.From++
	i := g.r.IntN(len(g.vars))
	g.b.Set(g.vars[i], r)
	if g.Trace && i < traced {
		g.b.Emit(ir.Write, uint64(i), r)
	}
}

func (g *generator) function(fn int) {
	g.fn, g.size, g.depth = fn, g.Size, 0
	if fn > 0 {
		g.size /= 4
	}
	var params, results []ir.Class
	if fn > 0 {
		params = append(ir.C32s(2+g.r.IntN(3)), ir.C64)
		results = append(ir.C32s(g.r.IntN(3)), ir.C64)
	}
	b := ir.NewBuilder(fmt.Sprintf("f%d", fn), params, results)
	g.b, g.vars, g.longs = b, nil, nil
	var item ir.Reg
	switch {
	case fn > 0:
		g.base = b.Func.Params[0]
	case g.Tile:
		x, y := g.op(ir.LaneX), g.op(ir.LaneY)
		b.Emit(ir.Cover, 0, g.op(ir.ULt, x, b.Emit(ir.Desc, 3)))
		item = g.op(ir.Or, g.op(ir.Shl, g.op(ir.ShrU, x, b.U(1)), b.U(2)), g.op(ir.Or, g.op(ir.And, x, b.U(1)), g.op(ir.Shl, y, b.U(1))))
		if g.Block { // in the order of tiles
			item = g.op(ir.And, x, b.U(1))
			for _, part := range []struct {
				v        ir.Reg
				mask, up uint32
			}{{y, 1, 1}, {x, 6, 1}, {y, 6, 3}, {x, 56, 3}, {y, 56, 6}} {
				item = g.op(ir.Or, item, g.op(ir.Shl, g.op(ir.And, part.v, b.U(part.mask)), b.U(part.up)))
			}
		}
		g.base = g.op(ir.IMul, item, b.U(4*own))
	default:
		item = g.op(ir.Item)
		g.base = g.op(ir.IMul, item, b.U(4*own))
	}
	for i := range 6 {
		v := g.constant()
		if fn > 0 && i+1 < len(params)-1 {
			v = b.Func.Params[i+1]
		}
		g.vars = append(g.vars, b.NewVar(v))
	}
	long := b.Emit(ir.Const64, 0x4008000000000000)
	if fn > 0 {
		long = b.Func.Params[len(params)-1]
	}
	g.longs = []ir.Var{b.NewVar(long), b.NewVar(b.Emit(ir.Const64, 3))}
	g.statements(g.size)
	for i, v := range g.vars {
		if fn == 0 {
			g.store(i, b.Get(v))
		}
	}
	var out []ir.Reg
	for _, c := range results {
		if c == ir.C32 {
			out = append(out, g.get())
		} else {
			out = append(out, g.long())
		}
	}
	if fn == 0 {
		g.store(6, g.op(ir.Lo64, g.long()))
		g.store(7, g.op(ir.Hi64, g.long()))
	}
	g.p.Funcs[fn] = b.Finish(out...)
}

func (g *generator) store(i int, v ir.Reg) {
	g.op(ir.Store, g.b.Emit(ir.Res, 1), g.op(ir.IAdd, g.base, g.b.U(uint32(4*i))), v)
}

func (g *generator) constant() ir.Reg { return g.b.U(word(g.r)) }

func (g *generator) statements(n int) {
	for range n {
		if g.size--; g.size < 0 {
			return
		}
		g.statement()
	}
}

// mask gives a condition, more often one that differs between lanes.
func (g *generator) mask() ir.Reg {
	switch g.r.IntN(5) {
	case 0:
		return g.op(ir.INe, g.op(ir.And, g.b.Emit(ir.Desc, uint64(g.r.IntN(16))), g.b.U(1)), g.b.U(0))
	case 1:
		return g.op(ir.INe, g.op(ir.And, g.op(ir.ShrU, g.base, g.b.U(6)), g.b.U(1<<g.r.IntN(3))), g.b.U(0))
	case 2:
		return g.op(g.pick(ir.IEq, ir.INe, ir.ILt, ir.ULt), g.get(), g.get())
	default:
		return g.op(g.pick(ir.FLt, ir.FLe, ir.FEq, ir.FNe), g.get(), g.get())
	}
}

func (g *generator) statement() {
	b := g.b
	switch k := g.r.IntN(30); k {
	case 0, 1, 2:
		g.set(g.op(g.pick(ir.FSqrt, ir.FNeg, ir.FAbs, ir.FFloor, ir.FCeil, ir.FTrunc, ir.FNearest, ir.FSin, ir.FCos, ir.FExp2, ir.FLog2, ir.FFlush, ir.Canon), g.get()))
	case 3, 4, 5, 6, 7, 8:
		g.set(g.op(g.pick(ir.FAdd, ir.FSub, ir.FMul, ir.FDiv, ir.FMin, ir.FMax, ir.FMulZ, ir.FPow), g.get(), g.get()))
	case 9, 10:
		g.set(g.op(g.pick(ir.INeg, ir.Not, ir.F2I, ir.F2U, ir.I2F, ir.U2F), g.get()))
	case 11, 12, 13:
		g.set(g.op(g.pick(ir.IAdd, ir.ISub, ir.IMul, ir.IMulHi, ir.UMulHi, ir.IDiv, ir.UDiv, ir.URem, ir.And, ir.Or, ir.Xor, ir.Shl, ir.ShrS, ir.ShrU, ir.IMin, ir.IMax, ir.UMin, ir.UMax), g.get(), g.get()))
	case 14:
		g.set(g.op(ir.Sel, g.mask(), g.get(), g.get()))
	case 15:
		g.set(g.constant())
	case 16: // constant files, at a fixed and at any place
		g.set(g.op(ir.Load, b.Emit(ir.Res, 0), b.U(uint32(4*g.r.IntN(constants)))))
	case 17:
		g.set(g.op(ir.Load, b.Emit(ir.Res, 0), g.op(ir.And, g.get(), b.U(511))))
	case 18:
		g.set(g.op(ir.Load, b.Emit(ir.Res, 1), g.op(ir.IAdd, g.base, b.U(uint32(4*g.r.IntN(own))))))
	case 19:
		g.store(g.r.IntN(own), g.get())
	case 20:
		if g.depth == 0 && g.fn == 0 { // in divergent code neighbours may be undefined
			g.set(g.op(g.pick(ir.DDX, ir.DDY), g.get()))
		} else {
			g.set(g.op(ir.Active))
		}
	case 21, 22:
		g.longStatement()
	case 23:
		if g.r.IntN(3) == 0 {
			b.Emit(ir.Kill, 0, g.mask())
		} else if g.Tile {
			g.set(b.Emit(ir.TriWord, uint64(g.r.IntN(16))))
		}
	case 24, 25:
		g.nested(func() {
			b.If(g.mask())
			g.statements(1 + g.r.IntN(6))
			if g.r.IntN(2) == 0 {
				b.Else()
				g.statements(1 + g.r.IntN(6))
			}
			b.EndIf()
		})
	case 26:
		g.nested(g.loop)
	case 27:
		g.leave()
	default:
		g.call()
	}
}

func (g *generator) nested(write func()) {
	if g.depth < 5 {
		g.depth++
		write()
		g.depth--
	}
}

// loop writes a loop of at most four rounds.
func (g *generator) loop() {
	b := g.b
	limit := g.op(ir.And, g.get(), b.U(3))
	count := b.NewVar(b.U(0))
	b.Loop()
	b.BreakIf(g.op(ir.ULt, limit, b.Get(count)))
	b.Set(count, g.op(ir.IAdd, b.Get(count), b.U(1)))
	g.statements(1 + g.r.IntN(8))
	b.EndLoop()
}

// leave writes a Break, Continue or Return in some lanes.
func (g *generator) leave() {
	b := g.b
	if g.depth == 0 { // the entry stays whole, for DDX
		return
	}
	always := g.r.IntN(4) == 0
	if !always {
		b.If(g.mask())
	}
	switch {
	case b.InLoop() && g.r.IntN(2) == 0:
		b.Break()
	case b.InLoop() && g.r.IntN(2) == 0:
		b.Continue()
	case g.fn > 0:
		var out []ir.Reg
		for _, c := range b.Func.Results {
			if c == ir.C32 {
				out = append(out, g.get())
			} else {
				out = append(out, g.long())
			}
		}
		b.Return(out...)
	}
	if !always {
		b.EndIf()
	}
}

func (g *generator) call() {
	if g.fn+1 >= len(g.p.Funcs) {
		return
	}
	fn := g.fn + 1 + g.r.IntN(len(g.p.Funcs)-g.fn-1)
	f := g.p.Funcs[fn]
	args := []ir.Reg{g.base}
	for range len(f.Params) - 2 {
		args = append(args, g.get())
	}
	args = append(args, g.long())
	for i, r := range g.b.Call(fn, f, args...) {
		if f.Results[i] == ir.C32 {
			g.set(r)
		} else {
			g.setLong(r)
		}
	}
}

func (g *generator) longStatement() {
	switch g.r.IntN(8) {
	case 0:
		g.setLong(g.op(ir.Pack64, g.get(), g.get()))
	case 1:
		g.set(g.op(g.pick(ir.Lo64, ir.Hi64), g.long()))
	case 2:
		g.setLong(g.op(ir.Sel64, g.mask(), g.long(), g.long()))
	case 3:
		g.setLong(g.op(g.pick(ir.LShl, ir.LShrU, ir.LShrS), g.long(), g.get()))
	case 4:
		g.set(g.op(g.pick(ir.DLt, ir.DEq, ir.LEq, ir.LULt), g.long(), g.long()))
	case 5:
		g.setLong(g.op(g.pick(ir.DAdd, ir.DSub, ir.DMul, ir.DDiv), g.long(), g.long()))
	case 6:
		g.setLong(g.op(ir.DSqrt, g.op(ir.F2D, g.get())))
		g.set(g.op(ir.D2F, g.long()))
	case 7:
		g.setLong(g.op(g.pick(ir.LAdd, ir.LSub, ir.LMul, ir.LAnd, ir.LOr, ir.LXor), g.long(), g.long()))
	}
}
