package interp

import (
	"math"
	"testing"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// resource puts a buffer of n words into the arena and makes it resource i of the job at desc.
func resource(a *exec.Arena, desc uint32, i, n int) uint32 {
	at := a.Alloc(n)
	r := a.Words(desc+4*uint32(exec.JobRecords+exec.RecordWords*i), exec.RecordWords)
	r[exec.RecBase], r[exec.RecSize] = at, uint32(4*n)
	return at
}

// linearJob makes a descriptor with room for two resources.
func linearJob(a *exec.Arena, first, n int) uint32 {
	d := a.Alloc(exec.JobRecords + 2*exec.RecordWords)
	a.Words(d, 2)[exec.JobCount] = uint32(n)
	a.Words(d, 2)[exec.JobFirst] = uint32(first)
	return d
}

// itemOffset gives the byte offset of word k of n words an item.
func itemOffset(b *ir.Builder, n, k int) ir.Reg {
	return b.Emit(ir.IAdd, 0, b.Emit(ir.IMul, 0, b.Emit(ir.Item, 0), b.U(uint32(4*n))), b.U(uint32(4*k)))
}

// program makes a program with two buffers.
func program(kind ir.Kind, f ...*ir.Func) *ir.Program {
	return &ir.Program{Kind: kind, Funcs: f, Interface: ir.Interface{Resources: []ir.Resource{{Kind: ir.Buffer}, {Kind: ir.Buffer}}}}
}

func mustCompile(t testing.TB, p *ir.Program) exec.Kernel {
	t.Helper()
	k, err := Engine{}.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestLinear(t *testing.T) {
	b := ir.NewBuilder("main", nil, nil)
	x := b.Emit(ir.Load, 0, b.Emit(ir.Res, 0), itemOffset(b, 1, 0))
	y := b.Emit(ir.FAdd, 0, b.Emit(ir.FMul, 0, x, b.F(2)), b.F(1))
	b.Emit(ir.Store, 0, b.Emit(ir.Res, 1), itemOffset(b, 1, 0), y)
	k := mustCompile(t, program(ir.Linear, b.Finish()))
	for _, n := range []int{0, 1, 7, 64, 65, 200} {
		var a exec.Arena
		d := linearJob(&a, 3, n)
		in, out := resource(&a, d, 0, 256), resource(&a, d, 1, 256)
		for i := range 256 {
			a.Words(in, 256)[i] = math.Float32bits(float32(i))
		}
		r := k.Run(&a, d, exec.Options{})
		if r.Lanes != uint64(n) || r.Stopped {
			t.Errorf("%d items: %+v", n, r)
		}
		for i, w := range a.Words(out, 256) {
			want := float32(0)
			if 3 <= i && i < 3+n {
				want = float32(i*2 + 1)
			}
			if math.Float32frombits(w) != want {
				t.Fatalf("%d items: word %d is %v, want %v", n, i, math.Float32frombits(w), want)
			}
		}
	}
}

// tileOffset gives the byte offset of the pixel's word in tile storage order.
func tileOffset(b *ir.Builder) ir.Reg {
	x, y := b.Emit(ir.LaneX, 0), b.Emit(ir.LaneY, 0)
	field := func(r ir.Reg, shift, bits, to uint32) ir.Reg {
		r = b.Emit(ir.And, 0, b.Emit(ir.ShrU, 0, r, b.U(shift)), b.U(1<<bits-1))
		return b.Emit(ir.Shl, 0, r, b.U(to))
	}
	sum := field(x, 0, 1, 2)
	for _, r := range []ir.Reg{field(y, 0, 1, 3), field(x, 1, 2, 4), field(y, 1, 2, 6), field(x, 3, 3, 8), field(y, 3, 3, 11)} {
		sum = b.Emit(ir.Or, 0, sum, r)
	}
	return sum
}

const triangleWords = 16

// tileJob makes a tile job of triangles; each is its box and A, B, C of three edges.
func tileJob(a *exec.Arena, triangles ...[13]int32) uint32 {
	d := a.Alloc(exec.JobRecords + 2*exec.RecordWords)
	at := a.Alloc(triangleWords * len(triangles))
	copy(a.Words(d, 3), []uint32{uint32(len(triangles)), at, triangleWords})
	for i, t := range triangles {
		for k, w := range t {
			a.Words(at, triangleWords*len(triangles))[triangleWords*i+k] = uint32(w)
		}
	}
	return d
}

func TestTile(t *testing.T) {
	for _, fast := range []bool{true, false} {
		b := ir.NewBuilder("main", nil, nil)
		in := b.Emit(ir.Edges, 4, b.Emit(ir.LaneX, 0), b.Emit(ir.LaneY, 0))
		if !fast { // in front of Cover stands something else than the edges
			in = b.Emit(ir.Not, 0, b.Emit(ir.Not, 0, in))
		}
		b.Emit(ir.Cover, 0, in)
		old := b.Emit(ir.Load, 0, b.Emit(ir.Res, 1), tileOffset(b))
		b.Emit(ir.Store, 0, b.Emit(ir.Res, 1), tileOffset(b), b.Emit(ir.IAdd, 0, old, b.Emit(ir.TriWord, 13)))
		k := mustCompile(t, program(ir.Tile, b.Finish()))
		var a exec.Arena
		triangles := [][13]int32{
			{0, 0, 64, 64, 1, 0, -3, 0, 1, -5, -1, -2, 100}, // a triangle
			{0, 0, 64, 64, 0, 0, 0, 0, 0, 0, 0, 0, 0},       // everything
			{11, 18, 29, 33, -7, 3, 40, 2, 2, 0, 0, 0, 1 << 30},
			{0, 0, 64, 99, 1 << 30, 0, -1 << 30, 0, 0, 0, 0, 1 << 26, -1 << 31}, // sums wrap
		}
		d := tileJob(&a, triangles...)
		for i := range triangles {
			a.Words(a.Words(d, 2)[1], triangleWords*4)[triangleWords*i+13] = 1 << (8 * i)
		}
		out := resource(&a, d, 1, 4096)
		r := k.Run(&a, d, exec.Options{})
		lanes := uint64(0)
		for y := range int32(64) {
			for x := range int32(64) {
				want := uint32(0)
				for i, tr := range triangles {
					inside := x >= tr[0] && x < tr[2] && y >= tr[1] && y < tr[3]
					for e := range 3 {
						inside = inside && tr[4+3*e]*x+tr[5+3*e]*y+tr[6+3*e] >= 0
					}
					if inside {
						want += 1 << (8 * i)
						lanes++
					}
				}
				if got := a.Words(out, 4096)[exec.TileIndex(int(x), int(y))]; got != want {
					t.Fatalf("fast %v: pixel %d, %d is %08x, want %08x", fast, x, y, got, want)
				}
			}
		}
		if r.Lanes != lanes {
			t.Errorf("fast %v: %d lanes, want %d", fast, r.Lanes, lanes)
		}
	}
}
