package jit_test

import (
	"math"
	"testing"

	"swizzle/internal/jittest"
	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/interp"
	"swizzle/shaderkit/ir"
	"swizzle/shaderkit/jit"
)

// Words of a triangle record of litProgram.
const (
	litEdges  = 4
	litPlanes = 13
	litWords  = litPlanes + 3*8
)

// litProgram is a tile program of some 115 scalar ops a pixel: edges, perspective, a normal and a
// colour, two lights and a hemisphere by constants in memory, and a store. Products are op.
func litProgram(op ir.Op) *ir.Program {
	b := ir.NewBuilder("main", nil, nil)
	n := uint32(0)
	constant := func() ir.Reg {
		n++
		return b.Emit(ir.Load, 0, b.Emit(ir.Res, 0), b.U(4*(n-1)))
	}
	mul := func(x, y ir.Reg) ir.Reg { return b.Emit(op, 0, x, y) }
	add := func(x, y ir.Reg) ir.Reg { return b.Emit(ir.FAdd, 0, x, y) }
	vec := func() [3]ir.Reg { return [3]ir.Reg{constant(), constant(), constant()} }
	dot := func(x, y [3]ir.Reg) ir.Reg { return add(add(mul(x[0], y[0]), mul(x[1], y[1])), mul(x[2], y[2])) }

	x, y := b.Emit(ir.LaneX, 0), b.Emit(ir.LaneY, 0)
	b.Emit(ir.Cover, 0, b.Emit(ir.Edges, litEdges, x, y))
	fx, fy := b.Emit(ir.U2F, 0, x), b.Emit(ir.U2F, 0, y)
	w := b.Emit(ir.FDiv, 0, b.F(1), b.Emit(ir.Plane, litPlanes, fx, fy))
	var in [7]ir.Reg
	for i := range in {
		in[i] = b.Emit(ir.FMul, 0, b.Emit(ir.Plane, uint64(litPlanes+3+3*i), fx, fy), w)
	}
	normal, colour := [3]ir.Reg(in[:3]), in[3:]
	r := b.Emit(ir.FDiv, 0, b.F(1), b.Emit(ir.FSqrt, 0, dot(normal, normal)))
	for k := range normal {
		normal[k] = mul(normal[k], r)
	}
	d0, d1 := b.Emit(ir.FMax, 0, dot(normal, vec()), b.F(0)), b.Emit(ir.FMax, 0, dot(normal, vec()), b.F(0))
	h := add(mul(normal[1], constant()), constant())
	l0, l1, sky, ground := vec(), vec(), vec(), vec()
	for k := range 3 {
		l := add(add(mul(l0[k], d0), mul(l1[k], d1)), add(mul(h, sky[k]), ground[k]))
		colour[k] = b.Emit(ir.FMin, 0, mul(colour[k], l), b.F(1))
	}
	offset := tileOffset(b, x, y)
	b.Emit(ir.Store, 0, b.Emit(ir.Res, 1), offset, b.Emit(ir.Pack8, 0, colour...))
	return ir.Optimize(&ir.Program{Kind: ir.Tile, Funcs: []*ir.Func{b.Finish()},
		Interface: ir.Interface{Resources: []ir.Resource{{Kind: ir.ConstFloat, Count: 16}, {Kind: ir.Buffer}}}}, ir.Options{})
}

// litTile is a job of two triangles that cover the tile.
func litTile() (*exec.Arena, uint32) {
	a := &exec.Arena{}
	desc, at := a.Alloc(exec.JobRecords+2*exec.RecordWords), a.Alloc(2*litWords)
	copy(a.Words(desc, 3), []uint32{2, at, litWords})
	for i, e := range [2][9]int32{{1, 0, 0, 0, 1, 0, -1, -1, 63}, {-1, 0, 63, 0, -1, 63, 1, 1, -64}} {
		t := a.Words(at+uint32(4*litWords*i), litWords)
		copy(t, []uint32{0, 0, 64, 64})
		for k, w := range e {
			t[litEdges+k] = uint32(w)
		}
		for k := range 24 {
			t[litPlanes+k] = math.Float32bits([]float32{0.001, 0.002, 0.3 + float32(k)*0.03}[k%3])
		}
	}
	constants, target := a.Alloc(64), a.Alloc(exec.TileSize*exec.TileSize)
	for i := range 64 {
		a.Words(constants, 64)[i] = math.Float32bits(float32(i%7) * 0.1)
	}
	a.SetRecord(desc, 0, exec.Record{exec.RecBase: constants, exec.RecSize: 256})
	a.SetRecord(desc, 1, exec.Record{exec.RecBase: target, exec.RecSize: 4 * exec.TileSize * exec.TileSize})
	return a, desc
}

func BenchmarkLit(b *testing.B) {
	for name, op := range map[string]ir.Op{"fmul": ir.FMul, "fmulz": ir.FMulZ} {
		for _, e := range []exec.Engine{interp.New(), jittest.New(b)} {
			b.Run(e.Name()+"/"+name, func(b *testing.B) {
				k, err := e.Compile(litProgram(op))
				if err != nil {
					b.Fatal(err)
				}
				a, desc := litTile()
				if h, ok := e.(exec.Holder); ok {
					h.Hold(a)
				}
				for b.Loop() {
					k.Run(a, desc, exec.Options{})
				}
				b.ReportMetric(float64(exec.TileSize*exec.TileSize)/1e6/b.Elapsed().Seconds()*float64(b.N), "Mpixel/s")
			})
		}
	}
}

func BenchmarkEmit(b *testing.B) {
	p := litProgram(ir.FMulZ)
	m, err := jit.Emit(p)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		jit.Emit(p)
	}
	b.ReportMetric(float64(len(m.Wasm)), "bytes")
}
