package interp

import (
	"fmt"
	"math"
	"testing"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// light writes a lighting shader of about 15 vector instructions: normalise, two lights and a
// hemisphere, times a colour.
func light(b *ir.Builder, n [3]ir.Reg, c [4]ir.Reg, constant func(i int, f float32) ir.Reg) [4]ir.Reg {
	mul := func(x, y ir.Reg) ir.Reg { return b.Emit(ir.FMulZ, 0, x, y) }
	add := func(x, y ir.Reg) ir.Reg { return b.Emit(ir.FAdd, 0, x, y) }
	dot := func(x, y [3]ir.Reg) ir.Reg { return add(add(mul(x[0], y[0]), mul(x[1], y[1])), mul(x[2], y[2])) }
	i := 0
	vec := func(f ...float32) (v [3]ir.Reg) {
		for k := range v {
			v[k] = constant(i, f[k])
			i++
		}
		return v
	}
	r := b.Emit(ir.FDiv, 0, b.F(1), b.Emit(ir.FSqrt, 0, dot(n, n)))
	for k := range n {
		n[k] = mul(n[k], r)
	}
	d0 := b.Emit(ir.FMax, 0, dot(n, vec(0.5, 0.5, 0.70710678)), b.F(0))
	d1 := b.Emit(ir.FMax, 0, dot(n, vec(-0.6, 0, 0.8)), b.F(0))
	half := vec(0.5, 0.5, 0)
	h := add(mul(n[1], half[0]), half[1])
	l0, l1, sky, base := vec(0.8, 0.7, 0.6), vec(0.2, 0.3, 0.4), vec(0.1, 0.15, 0.2), vec(0.05, 0.05, 0.05)
	var out [4]ir.Reg
	for k := range 3 {
		l := add(add(mul(l0[k], d0), mul(l1[k], d1)), add(mul(h, sky[k]), base[k]))
		out[k] = b.Emit(ir.FMin, 0, mul(c[k], l), b.F(1))
	}
	out[3] = c[3]
	return out
}

const (
	planeWord  = 13
	lightWords = planeWord + 3*8
)

// lightProgram is a tile program: edges, perspective, the lighting shader as a function with its
// constants in memory, and a store.
func lightProgram() *ir.Program {
	s := ir.NewBuilder("light", ir.C32s(7), ir.C32s(4))
	in := s.Func.Params
	c := light(s, [3]ir.Reg(in), [4]ir.Reg(in[3:]), func(i int, f float32) ir.Reg {
		return s.Emit(ir.Load, 0, s.Emit(ir.Res, 0), s.U(uint32(4*i)))
	})
	shader := s.Finish(c[:]...)

	b := ir.NewBuilder("main", nil, nil)
	x, y := b.Emit(ir.LaneX, 0), b.Emit(ir.LaneY, 0)
	b.Emit(ir.Cover, 0, b.Emit(ir.Edges, 4, x, y))
	fx, fy := b.Emit(ir.U2F, 0, x), b.Emit(ir.U2F, 0, y)
	w := b.Emit(ir.FDiv, 0, b.F(1), b.Emit(ir.Plane, planeWord, fx, fy))
	var args []ir.Reg
	for i := range 7 {
		args = append(args, b.Emit(ir.FMul, 0, b.Emit(ir.Plane, uint64(planeWord+3+3*i), fx, fy), w))
	}
	out := b.Call(1, shader, args...)
	b.Emit(ir.Store, 0, b.Emit(ir.Res, 1), tileOffset(b), b.Emit(ir.Pack8, 0, out...))
	return program(ir.Tile, b.Finish(), shader)
}

// lightTile makes a job of the given triangles: A, B, C of three edges each.
func lightTile(a *exec.Arena, edges ...[9]int32) uint32 {
	d := a.Alloc(exec.JobRecords + 2*exec.RecordWords)
	at := a.Alloc(lightWords * len(edges))
	copy(a.Words(d, 3), []uint32{uint32(len(edges)), at, lightWords})
	for i, e := range edges {
		t := a.Words(at+uint32(4*lightWords*i), lightWords)
		// The box of the blocks that the triangle touches.
		box := [4]uint32{exec.TileSize, exec.TileSize, 0, 0}
		for y := range uint32(exec.TileSize) {
			for x := range uint32(exec.TileSize) {
				inside := true
				for k := range 3 {
					inside = inside && e[3*k]*int32(x)+e[3*k+1]*int32(y)+e[3*k+2] >= 0
				}
				if inside {
					box = [4]uint32{min(box[0], x&^7), min(box[1], y&^7), max(box[2], x&^7+8), max(box[3], y&^7+8)}
				}
			}
		}
		copy(t, box[:])
		for k, w := range e {
			t[4+k] = uint32(w)
		}
		for k := range 8 {
			for j, f := range []float32{0.001, 0.002, 0.3 + float32(k)*0.1} {
				t[planeWord+3*k+j] = math.Float32bits(f)
			}
		}
	}
	constants := resource(a, d, 0, 64)
	for i := range 64 {
		a.Words(constants, 64)[i] = math.Float32bits(float32(i%7) * 0.1)
	}
	resource(a, d, 1, exec.TileSize*exec.TileSize)
	return d
}

// triangles covers the tile with two triangles for each square of n pixels.
func triangles(n int) (out [][9]int32) {
	s := int32(n)
	for y := int32(0); y < exec.TileSize; y += s {
		for x := int32(0); x < exec.TileSize; x += s {
			out = append(out,
				[9]int32{1, 0, -x, 0, 1, -y, -1, -1, x + y + s - 1},
				[9]int32{-1, 0, x + s - 1, 0, -1, y + s - 1, 1, 1, -x - y - s})
		}
	}
	return out
}

func BenchmarkLight(b *testing.B) {
	for _, size := range []int{64, 16, 8, 4, 2} {
		b.Run(fmt.Sprintf("square%d", size), func(b *testing.B) {
			k := mustCompile(b, lightProgram())
			var a exec.Arena
			d := lightTile(&a, triangles(size)...)
			b.ReportAllocs()
			var lanes uint64
			for b.Loop() {
				lanes += k.Run(&a, d, exec.Options{}).Lanes
			}
			b.ReportMetric(float64(lanes)/b.Elapsed().Seconds()/1e6, "Mpixel/s")
		})
	}
}

// BenchmarkOp gives the cost of each row for a full batch.
func BenchmarkOp(b *testing.B) {
	var r [4]lanes
	var w [4]lanes64
	for i := range maxLanes {
		for k := range r {
			r[k][i/4][i%4] = math.Float32bits(float32(i*(k+1)%17) * 0.3)
			w[k][i/4][i%4] = math.Float64bits(float64(i*(k+1)%17) * 0.3)
		}
	}
	run := func(name string, f row) {
		b.Run(name, func(b *testing.B) {
			v := vm{q: maxQuads, active: math.MaxUint64}
			in := inst{row: f, d: &r[0], a: &r[1], b: &r[2], c: &r[3], d64: &w[0], a64: &w[1], b64: &w[2], c64: &w[3]}
			for b.Loop() {
				f(&v, &in)
			}
		})
	}
	for op, f := range rows {
		switch op := ir.Op(op); op {
		case ir.Load, ir.Store, ir.Write, ir.Invalid:
		default:
			if f != nil {
				run(op.String(), f)
			}
		}
	}
	run("muladd", rowMulAdd)
	run("mulzadd", rowMulZAdd)
}

func BenchmarkCompile(b *testing.B) {
	p := lightProgram()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := (Engine{}).Compile(p); err != nil {
			b.Fatal(err)
		}
	}
}
