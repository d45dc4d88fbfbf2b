package jit_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"swizzle/internal/jittest"
	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/interp"
	"swizzle/shaderkit/ir"
	"swizzle/shaderkit/jit"
)

// Waves that hope for plain products give the same bits when a factor is zero and the other one
// infinite or NaN: with all that may swallow or drop the NaN behind, in arms and loops that lanes
// leave one by one, with lanes that are killed, and with steps that run out.
func TestHopefulWaves(t *testing.T) {
	e := jittest.New(t)
	specials := []uint32{0, 1 << 31, 0x3F800000, 0xC0000000, 0x3F000000, 0x7F800000, 0xFF800000, 0x7FC00000, 0x7F7FFFFF}
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 7))
		p := hopefulProgram(seed, r)
		want, err := interp.New().Compile(p)
		if err != nil {
			t.Fatal(err)
		}
		got, err := e.Compile(p)
		if err != nil {
			t.Fatal(err)
		}
		for run := range 6 {
			const items = 32
			a := &exec.Arena{}
			desc := a.Alloc(exec.JobRecords + 2*exec.RecordWords)
			in, out := a.Alloc(8*items), a.Alloc(8*items)
			data := a.Words(in, 8*items)
			for i := range data {
				if data[i] = 0x3F000000 + r.Uint32()>>7; r.IntN(10) < 2*(run%3) {
					data[i] = specials[r.IntN(len(specials))]
				}
			}
			a.Words(desc, 1)[0] = items - uint32(run)
			a.SetRecord(desc, 0, exec.Record{exec.RecBase: in, exec.RecSize: 32 * items})
			a.SetRecord(desc, 1, exec.Record{exec.RecBase: out, exec.RecSize: 32 * items})
			b := &exec.Arena{Mem: slices.Clone(a.Mem)}
			o := exec.Options{Budget: []int{0, 3}[run/3]}
			if w, g := want.Run(a, desc, o), got.Run(b, desc, o); g != w || !slices.Equal(a.Mem, b.Mem) {
				for i := range a.Mem {
					if a.Mem[i] != b.Mem[i] {
						t.Errorf("item %d, word %d: %#x, want %#x; inputs %#x", (i-int(out/4))/8, (i-int(out/4))%8, b.Mem[i], a.Mem[i], data[(i-int(out/4))/8*8:][:8])
						break
					}
				}
				t.Fatalf("seed %d, run %d: %+v, want %+v; memory equal: %t\n%s", seed, run, g, w, slices.Equal(a.Mem, b.Mem), p)
			}
		}
		got.Close()
	}
}

// A tile job gets stuck at any wave of any triangle and goes on there: each pixel adds up what the triangles
// over it give, in their order, and some pixels of some triangles multiply zero by infinity.
func TestStuckTiles(t *testing.T) {
	e := jittest.New(t)
	b := ir.NewBuilder("main", nil, nil)
	x, y := b.Emit(ir.LaneX, 0), b.Emit(ir.LaneY, 0)
	b.Emit(ir.Cover, 0, b.Emit(ir.Edges, 4, x, y))
	offset := tileOffset(b, x, y)
	old := b.Emit(ir.Load, 0, b.Emit(ir.Res, 1), offset)
	product := b.Emit(ir.FMulZ, 0, b.Emit(ir.Load, 0, b.Emit(ir.Res, 0), offset), b.Emit(ir.TriWord, 13))
	b.Emit(ir.Kill, 0, b.Emit(ir.FLt, 0, product, b.F(-4)))
	b.Emit(ir.Store, 0, b.Emit(ir.Res, 1), offset, b.Emit(ir.Canon, 0, b.Emit(ir.FAdd, 0, b.Emit(ir.FMul, 0, old, b.F(0.5)), product)))
	narrow := ir.Optimize(program(ir.Tile, b, ir.ConstFloat, ir.Buffer), ir.Options{})
	wide := narrow.Clone()
	wide.Large = true
	for _, p := range []*ir.Program{narrow, wide} {
		stuckTiles(t, e, p)
	}
}

func stuckTiles(t *testing.T, e exec.Engine, p *ir.Program) {
	t.Helper()
	partial, err := jit.Emit(p)
	if err != nil || !partial.Partial {
		t.Fatal("the module has all it may need", err)
	}
	want, err := interp.New().Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(120) {
		got, err := e.Compile(p)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(seed, 9))
		const words, n, pixels = 14, 5, exec.TileSize * exec.TileSize
		a := &exec.Arena{}
		desc, at := a.Alloc(exec.JobRecords+2*exec.RecordWords), a.Alloc(words*n)
		copy(a.Words(desc, 3), []uint32{n, at, words})
		for i := range uint32(n) {
			tri := a.Words(at+4*words*i, words)
			x0, y0 := r.Uint32N(64), r.Uint32N(64)
			copy(tri, []uint32{x0, y0, x0 + r.Uint32N(70), y0 + r.Uint32N(70)})
			for k := 4; k < 13; k++ {
				tri[k] = uint32(r.Int64N(128) - 40)
			}
			if tri[13] = math.Float32bits(r.Float32()*8 - 2); r.IntN(3) == 0 {
				tri[13] = []uint32{0, 1 << 31, 0x7F800000}[r.IntN(3)]
			}
		}
		in, target := a.Alloc(pixels), a.Alloc(pixels)
		for i := range a.Words(in, pixels) {
			w := &a.Words(in, pixels)[i]
			if *w = math.Float32bits(r.Float32()*4 - 2); r.IntN(300) == 0 {
				*w = []uint32{0, 0x7F800000, 0xFF800000, 0x7FC00000}[r.IntN(4)]
			}
		}
		a.SetRecord(desc, 0, exec.Record{exec.RecBase: in, exec.RecSize: 4 * pixels})
		a.SetRecord(desc, 1, exec.Record{exec.RecBase: target, exec.RecSize: 4 * pixels})
		c := &exec.Arena{Mem: slices.Clone(a.Mem)}
		for run := range 2 { // stuck, and whole from the begin
			if w, g := want.Run(a, desc, exec.Options{}), got.Run(c, desc, exec.Options{}); g != w || !slices.Equal(a.Mem, c.Mem) {
				t.Fatalf("seed %d, run %d: %+v, want %+v; memory equal: %t", seed, run, g, w, slices.Equal(a.Mem, c.Mem))
			}
		}
		got.Close()
	}
}

// hopefulProgram makes a program of products and what may hide that they are NaNs, which stores at its
// end. Specials of a run hit some lanes only.
func hopefulProgram(seed uint64, r *rand.Rand) *ir.Program {
	b := ir.NewBuilder("main", nil, nil)
	at := b.Emit(ir.Shl, 0, b.Emit(ir.Item, 0), b.U(5))
	word := func(k int) ir.Reg { return b.Emit(ir.IAdd, 0, at, b.U(uint32(4*k))) }
	var values []ir.Reg
	for k := range 8 {
		values = append(values, b.Emit(ir.Load, 0, b.Emit(ir.Res, 0), word(k)))
	}
	var vars []ir.Var
	for k := range 4 {
		vars = append(vars, b.NewVar(values[k]))
	}
	pick := func() ir.Reg {
		if k := r.IntN(6); k < len(vars) && r.IntN(3) == 0 {
			return b.Get(vars[k])
		}
		return values[len(values)-1-r.IntN(min(len(values), 12))]
	}
	emit := func(op ir.Op, args ...ir.Reg) ir.Reg { return b.Emit(op, 0, args...) }
	var some func(n, depth int)
	some = func(n, depth int) {
		outer := len(values)
		for range n {
			v := ir.NoReg
			switch x := pick(); r.IntN(18) {
			case 0, 1, 2, 3, 4:
				v = emit(ir.FMulZ, x, pick())
			case 5, 6:
				v = emit([]ir.Op{ir.FAdd, ir.FSub, ir.FMul}[r.IntN(3)], x, pick())
			case 7:
				v = emit([]ir.Op{ir.FNeg, ir.FAbs, ir.FFloor, ir.FSqrt, ir.FExp2, ir.FSin}[r.IntN(6)], x)
			case 8, 9:
				v = emit([]ir.Op{ir.FMin, ir.FMax}[r.IntN(2)], x, pick())
			case 10, 11:
				v = emit(ir.Sel, emit([]ir.Op{ir.FNe, ir.FEq}[r.IntN(2)], x, x), pick(), pick())
			case 12:
				v = emit(ir.Sel, emit(ir.FLt, x, pick()), pick(), pick())
			case 13:
				v = emit(ir.I2F, emit(ir.F2I, x))
			case 14:
				b.Set(vars[r.IntN(len(vars))], x)
			case 15:
				if depth < 2 {
					b.If(emit(ir.FLt, x, pick()))
					some(5, depth+1)
					if r.IntN(2) == 0 {
						b.Else()
						some(4, depth+1)
					}
					b.EndIf()
				}
			case 16:
				if depth < 2 {
					n := b.NewVar(b.U(0))
					b.Loop()
					b.BreakIf(emit(ir.Not, emit(ir.ULt, b.Get(n), b.U(uint32(2+r.IntN(4))))))
					b.Set(n, emit(ir.IAdd, b.Get(n), b.U(1)))
					some(5, depth+1)
					if r.IntN(2) == 0 {
						b.BreakIf(emit(ir.FLt, pick(), b.F(0.25)))
					}
					some(2, depth+1)
					b.EndLoop()
				}
			case 17:
				if depth == 0 && r.IntN(4) == 0 {
					b.Emit(ir.Kill, 0, emit(ir.FLt, x, b.F(0)))
				}
			}
			if v != ir.NoReg {
				values = append(values, v)
			}
		}
		if depth > 0 {
			b.Set(vars[r.IntN(len(vars))], values[len(values)-1])
			values = values[:outer]
		}
	}
	some(30, 0)
	for k := range 8 {
		v := pick()
		if k < len(vars) {
			v = b.Get(vars[k])
		}
		b.Emit(ir.Store, 0, b.Emit(ir.Res, 1), word(k), emit(ir.Canon, v))
		if k == 5 {
			some(4, 2) // behind the first stores
		}
	}
	p := ir.Optimize(linear(b, ir.ConstFloat, ir.Buffer), ir.Options{})
	p.Name = fmt.Sprint("hopeful ", seed)
	return p
}
