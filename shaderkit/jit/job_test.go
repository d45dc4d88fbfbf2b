package jit_test

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"swizzle/internal/jittest"
	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/interp"
	"swizzle/shaderkit/ir"
)

// sameRun runs a job on both engines and compares results and memory.
func sameRun(t *testing.T, e exec.Engine, p *ir.Program, run func(check func(a *exec.Arena, desc uint32, what any) exec.Result)) {
	t.Helper()
	want, err := interp.New().Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	got, err := e.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	run(func(a *exec.Arena, desc uint32, what any) exec.Result {
		t.Helper()
		b := &exec.Arena{Mem: slices.Clone(a.Mem)}
		w, g := want.Run(a, desc, exec.Options{}), got.Run(b, desc, exec.Options{})
		if g != w {
			t.Errorf("%s, %v: %+v, want %+v", p.Name, what, g, w)
		}
		for i := range a.Mem {
			if a.Mem[i] != b.Mem[i] {
				t.Errorf("%s, %v: word %d is %#x, want %#x", p.Name, what, i, b.Mem[i], a.Mem[i])
				break
			}
		}
		return w
	})
}

func linear(b *ir.Builder, resources ...ir.ResourceKind) *ir.Program {
	return program(ir.Linear, b, resources...)
}

func program(kind ir.Kind, b *ir.Builder, resources ...ir.ResourceKind) *ir.Program {
	p := &ir.Program{Kind: kind, Funcs: []*ir.Func{b.Finish()}}
	for _, k := range resources {
		p.Interface.Resources = append(p.Interface.Resources, ir.Resource{Kind: k})
	}
	return p
}

// tileOffset gives the byte offset of a pixel in a tile.
func tileOffset(b *ir.Builder, x, y ir.Reg) ir.Reg {
	offset := b.U(0)
	for _, part := range []struct {
		v        ir.Reg
		mask, up uint32
	}{{x, 1, 2}, {y, 1, 3}, {x, 6, 3}, {y, 6, 5}, {x, 56, 5}, {y, 56, 8}} {
		offset = b.Emit(ir.Or, 0, offset, b.Emit(ir.Shl, 0, b.Emit(ir.And, 0, part.v, b.U(part.mask)), b.U(part.up)))
	}
	return offset
}

// Any record and any offset, inside and outside of everything: the same words are read and written.
func TestAccesses(t *testing.T) {
	e := jittest.New(t)
	for _, uniform := range []bool{false, true} {
		b := ir.NewBuilder("main", nil, nil)
		at := b.Emit(ir.Shl, 0, b.Emit(ir.Item, 0), b.U(4))
		pick := func(k uint32) ir.Reg {
			return b.Emit(ir.Load, 0, b.Emit(ir.Res, 0), b.Emit(ir.IAdd, 0, at, b.U(4*k)))
		}
		from, to := pick(0), pick(2)
		if uniform {
			from, to = b.Emit(ir.Desc, 3), b.Emit(ir.Desc, 4)
		}
		v := b.Emit(ir.Load, 0, from, pick(1))
		b.Emit(ir.Store, 0, to, pick(3), b.Emit(ir.IAdd, 0, v, b.U(1)))
		b.Emit(ir.Store, 0, b.Emit(ir.Res, 1), b.Emit(ir.Shl, 0, b.Emit(ir.Item, 0), b.U(2)), v)
		p := linear(b, ir.ConstFloat, ir.Buffer)
		sameRun(t, e, p, func(check func(*exec.Arena, uint32, any) exec.Result) {
			for seed := range uint64(60) {
				r := rand.New(rand.NewPCG(seed, 3))
				a := &exec.Arena{}
				const items = 24
				desc := a.Alloc(exec.JobRecords + 2*exec.RecordWords)
				in := a.Alloc(4 * items)
				records := a.Alloc(8 * exec.RecordWords)
				out, data := a.Alloc(items), a.Alloc(64)
				end := uint32(4 * len(a.Mem))
				for i := range uint32(64) {
					a.Words(data, 64)[i] = 100 + i
				}
				places := []uint32{data, data + 16, data + 17, data + 128, end - 8, end, 0xFFFFFFF0}
				sizes := []uint32{0, 3, 4, 11, 64, 128, 1 << 31, 0xFFFFFFFF}
				for i := range uint32(8) {
					copy(a.Words(records+32*i, 2), []uint32{places[r.IntN(len(places))], sizes[r.IntN(len(sizes))]})
				}
				record := func() uint32 {
					return []uint32{records + 32*r.Uint32N(8), records + 32*r.Uint32N(8), end - 32, end - 28, end, 0xFFFFFFE0}[r.IntN(6)]
				}
				offset := func() uint32 {
					return []uint32{4 * r.Uint32N(34), r.Uint32N(40), 0x7FFFFFFC, 0xFFFFFFFC, r.Uint32()}[r.IntN(5)]
				}
				for i := range uint32(items) {
					copy(a.Words(in+16*i, 4), []uint32{record(), offset(), record(), offset()})
				}
				copy(a.Words(desc, 5), []uint32{items - r.Uint32N(9), 0, 0, record(), record()})
				a.SetRecord(desc, 0, exec.Record{exec.RecBase: in, exec.RecSize: 16 * items})
				a.SetRecord(desc, 1, exec.Record{exec.RecBase: out, exec.RecSize: 4 * items})
				check(a, desc, seed)
			}
		})
	}
}

// Descriptors, triangle records and boxes that lie outside of the arena or the tile.
func TestJobsOutsideTheArena(t *testing.T) {
	e := jittest.New(t)
	b := ir.NewBuilder("main", nil, nil)
	b.Emit(ir.Store, 0, b.Emit(ir.Res, 0), b.Emit(ir.Shl, 0, b.Emit(ir.Item, 0), b.U(2)), b.Emit(ir.Desc, 3))
	linear := linear(b, ir.Buffer)
	b = ir.NewBuilder("main", nil, nil)
	b.Emit(ir.Cover, 0, b.Emit(ir.Edges, 900, b.Emit(ir.LaneX, 0), b.Emit(ir.LaneY, 0)))
	b.Emit(ir.Store, 0, b.Emit(ir.Res, 0), b.Emit(ir.Shl, 0, b.Emit(ir.LaneX, 0), b.U(2)), b.Emit(ir.TriWord, 800))
	for _, p := range []*ir.Program{linear, program(ir.Tile, b, ir.Buffer)} {
		sameRun(t, e, p, func(check func(*exec.Arena, uint32, any) exec.Result) {
			for _, mem := range [][]uint32{nil, {1, 2}, {70, 70, 70, 70}, {3, 4, 0xFFFFFFFF, 0, 0, 9, 9}} {
				for _, desc := range []uint32{0, 4, 400, 0xFFFFFFFC} {
					check(&exec.Arena{Mem: slices.Clone(mem)}, desc, desc)
				}
			}
		})
	}
}

// Triangles of all sizes, their edges near the limits of 32 bits too, one over the other, with what is
// stored read again; with the block shortcuts, without them, and without Cover.
func TestTiles(t *testing.T) {
	e := jittest.New(t)
	for k, name := range []string{"edges", "masked edges", "everywhere"} {
		b := ir.NewBuilder("main", nil, nil)
		x, y := b.Emit(ir.LaneX, 0), b.Emit(ir.LaneY, 0)
		switch k {
		case 0:
			b.Emit(ir.Cover, 0, b.Emit(ir.Edges, 4, x, y))
		case 1:
			odd := b.Emit(ir.INe, 0, b.Emit(ir.And, 0, x, b.Emit(ir.Desc, 3)), b.U(0))
			b.Emit(ir.Cover, 0, b.Emit(ir.And, 0, b.Emit(ir.Edges, 4, x, y), odd))
		}
		offset := tileOffset(b, x, y)
		old := b.Emit(ir.Load, 0, b.Emit(ir.Res, 0), offset)
		b.Emit(ir.Kill, 0, b.Emit(ir.IEq, 0, b.Emit(ir.And, 0, b.Emit(ir.IAdd, 0, x, old), b.U(7)), b.U(0)))
		v := b.Emit(ir.IAdd, 0, old, b.Emit(ir.TriWord, 13))
		b.If(b.Emit(ir.ULt, 0, x, b.Emit(ir.TriWord, 14)))
		b.Emit(ir.Store, 0, b.Emit(ir.Res, 0), offset, v)
		b.EndIf()
		p := program(ir.Tile, b, ir.Buffer)
		p.Name, p.Large = name, k == 0
		covered := uint64(0)
		sameRun(t, e, p, func(check func(*exec.Arena, uint32, any) exec.Result) {
			for seed := range uint64(60) {
				r := rand.New(rand.NewPCG(seed, 4))
				a := &exec.Arena{}
				const words, n = 15, 9
				desc, at := a.Alloc(exec.JobRecords+exec.RecordWords), a.Alloc(words*n)
				copy(a.Words(desc, 4), []uint32{n, at, words, r.Uint32N(4)})
				for i := range uint32(n) {
					tri := a.Words(at+4*words*i, words)
					x0, y0 := r.Uint32N(64), r.Uint32N(64)
					copy(tri, []uint32{x0, y0, x0 + r.Uint32N(70), y0 + r.Uint32N(70)})
					if r.IntN(2) == 0 { // whole blocks
						for k := range 4 {
							tri[k] &^= 7
						}
					}
					for k := 4; k < 13; k++ {
						reach := []int64{3, 64, 40000, 1 << 31}[r.IntN(4)]
						tri[k] = uint32(r.Int64N(2*reach) - reach*2/3)
					}
					tri[13], tri[14] = r.Uint32N(9), r.Uint32N(80)
				}
				size := uint32(4 * exec.TileSize * exec.TileSize)
				target := a.Alloc(int(size / 4))
				if seed%4 == 0 {
					size -= 40 + r.Uint32N(4000) // the target ends early
				}
				a.SetRecord(desc, 0, exec.Record{exec.RecBase: target, exec.RecSize: size})
				covered += check(a, desc, seed).Lanes
			}
		})
		if covered < 60*exec.TileSize {
			t.Errorf("%s: only %d pixels covered", name, covered)
		}
	}
}

// Samplers of all states read the same.
func TestSamplers(t *testing.T) {
	e := jittest.New(t)
	for seed := range uint64(240) {
		r := rand.New(rand.NewPCG(seed, 5))
		state := ir.SamplerState{Dim: ir.Dim(r.IntN(7)), Format: ir.Format(r.IntN(3)), Min: ir.Filter(r.IntN(2)), Mag: ir.Filter(r.IntN(2)),
			Mip: ir.MipFilter(r.IntN(3)), U: ir.Address(r.IntN(5)), V: ir.Address(r.IntN(5)), W: ir.Address(r.IntN(5)),
			Aniso: []uint8{0, 0, 2, 16}[r.IntN(4)], CompareZ: r.IntN(4) == 0, Ones: uint8(r.IntN(16) & r.IntN(16)), Seamless: r.IntN(2) == 0, LODRange: r.IntN(3) == 0, MinLOD: 0.25, MaxLOD: float32(r.IntN(3)),
			Compare: ir.Comparison(r.IntN(8)), RefBits: []uint8{0, 8, 16, 24}[r.IntN(4)], Outside: [4]uint32{3: 1},
			Border: [4]uint32{0x3F000000, 0, 0x3F800000, 0x3E800000}, LODBias: float32(r.IntN(3)) / 2, Bound: true}
		site := ir.SampleSite{Resource: 2, Kind: ir.SampleKind(r.IntN(8)), Layer: state.Dim.Array()}
		read := ir.Sample
		if site.Kind >= ir.FetchTexel {
			read = ir.Fetch
		}
		if site.Kind != ir.SampleLOD && site.Kind != ir.FetchTexel {
			site.Compare = r.IntN(3) == 0
		}
		if site.Kind > ir.FetchTexel && !site.Compare {
			site.Component = uint8(r.IntN(4))
		}
		if r.IntN(3) == 0 {
			site.Offset = [3]int8{int8(r.IntN(16) - 8), int8(r.IntN(16) - 8), int8(r.IntN(16) - 8)}
		}
		b := ir.NewBuilder("main", nil, nil)
		item := b.Emit(ir.Item, 0)
		at := b.Emit(ir.IMul, 0, item, b.U(44))
		var args []ir.Reg
		for i := range site.Operands() {
			r := b.Emit(ir.Load, 0, b.Emit(ir.Res, 0), b.Emit(ir.IAdd, 0, at, b.U(uint32(4*i))))
			if site.Kind == ir.FetchTexel {
				r = b.Emit(ir.F2I, 0, b.Emit(ir.FMul, 0, r, b.F(2)))
			}
			args = append(args, r)
		}
		for i, v := range b.EmitN(read, site.Imm(), args...) {
			to := b.Emit(ir.Or, 0, b.Emit(ir.Shl, 0, item, b.U(4)), b.U(uint32(4*i)))
			b.Emit(ir.Store, 0, b.Emit(ir.Res, 1), to, b.Emit(ir.Canon, 0, v))
		}
		p := linear(b, ir.ConstFloat, ir.Buffer, ir.Texture)
		p.Interface.Resources[2].Dim = state.Dim
		p.Samplers = []ir.SamplerState{{}, {}, state}
		sameRun(t, e, p, func(check func(*exec.Arena, uint32, any) exec.Result) {
			a := &exec.Arena{}
			const items = 64
			desc := a.Alloc(exec.JobRecords + 3*exec.RecordWords)
			in, out := a.Alloc(11*items), a.Alloc(4*items)
			for i := range uint32(11 * items) {
				a.Words(in, 11*items)[i] = math.Float32bits(float32(r.NormFloat64()))
			}
			copy(a.Words(desc, 1), []uint32{items})
			a.SetRecord(desc, 0, exec.Record{exec.RecBase: in, exec.RecSize: 44 * items})
			a.SetRecord(desc, 1, exec.Record{exec.RecBase: out, exec.RecSize: 16 * items})
			texture := &exec.Texture{Dim: state.Dim, Format: state.Format, Width: 8, Height: 8, Depth: 1}
			switch state.Dim {
			case ir.Dim3D:
				texture.Depth = 4
			case ir.Dim1D, ir.Dim1DArray:
				texture.Height = 1
			}
			if state.Dim.Array() {
				texture.Layers = 3
			}
			for l := range 4 {
				data := make([]uint32, texture.LevelWords(l))
				for i := range data {
					if data[i] = r.Uint32(); state.Format != ir.RGBA8 {
						data[i] = math.Float32bits(float32(r.NormFloat64()))
					}
				}
				texture.Levels = append(texture.Levels, data)
			}
			record, err := exec.PutTexture(a, texture)
			if err != nil {
				t.Fatal(err)
			}
			a.SetRecord(desc, 2, record)
			check(a, desc, [2]any{state, site})
		})
	}
}

// A held arena takes part of what the caller and the jobs change, and no other arena does.
func TestHold(t *testing.T) {
	h := jittest.New(t)
	b := ir.NewBuilder("main", nil, nil)
	at := b.Emit(ir.Shl, 0, b.Emit(ir.Item, 0), b.U(2))
	b.Emit(ir.Store, 0, b.Emit(ir.Res, 0), at, b.Emit(ir.IAdd, 0, b.Emit(ir.Load, 0, b.Emit(ir.Res, 0), at), b.U(1)))
	k, err := h.Compile(linear(b, ir.Buffer))
	if err != nil {
		t.Fatal(err)
	}
	job := func() (a *exec.Arena, desc, data uint32) {
		a = &exec.Arena{}
		desc, data = a.Alloc(exec.JobRecords+exec.RecordWords), a.Alloc(8)
		copy(a.Words(desc, 1), []uint32{8})
		a.SetRecord(desc, 0, exec.Record{exec.RecBase: data, exec.RecSize: 32})
		return a, desc, data
	}
	a, desc, data := job()
	other, _, _ := job()
	expect := func(what string, a *exec.Arena, want ...uint32) {
		t.Helper()
		if got := a.Words(data, len(want)); !slices.Equal(got, want) {
			t.Errorf("%s: %d, want %d", what, got, want)
		}
	}
	h.Hold(a)
	k.Run(a, desc, exec.Options{})
	k.Run(other, desc, exec.Options{})
	expect("another arena", other, 1, 1)
	k.Run(a, desc, exec.Options{})
	h.Fetch(a, data, 1)
	expect("two runs, in part", a, 2, 1) // the other arena made room for itself in between
	h.Fetch(a, data, 8)
	expect("two runs", a, 2, 2)
	a.Words(data, 8)[0] = 10
	k.Run(a, desc, exec.Options{})
	h.Fetch(a, data, 8)
	expect("a change that was not told", a, 3, 3)
	a.Words(data, 8)[0] = 10
	h.Changed(a, data, 1)
	k.Run(a, desc, exec.Options{})
	h.Release(a)
	expect("a change that was told", a, 11, 4)
	a.Words(data, 8)[0] = 20
	k.Run(a, desc, exec.Options{})
	expect("after Release", a, 21, 5)

	h.Hold(a)
	k.Run(a, desc, exec.Options{})
	late := a.Alloc(1 << 16) // behind what is held, and behind the end of the memory
	copy(a.Words(late, 8), []uint32{7, 7, 7, 7, 7, 7, 7, 7})
	a.SetRecord(desc, 0, exec.Record{exec.RecBase: late, exec.RecSize: 32})
	h.Changed(a, desc, exec.JobRecords+exec.RecordWords)
	h.Changed(a, late, 8)
	k.Run(a, desc, exec.Options{})
	h.Fetch(a, late, 8)
	if got := a.Words(late, 8)[7]; got != 8 {
		t.Errorf("a word behind what was held: %d, want 8", got)
	}
	expect("what is not asked for", a, 21, 5)
	h.Release(a)
	expect("what was not asked for, after Release", a, 22, 6)
}

// What is filled and moved where the memory is, is what is filled and moved in the arena.
func TestMoves(t *testing.T) {
	h := jittest.New(t)
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 9))
		width, height, pitch := 1+r.IntN(150), 1+r.IntN(150), 1+r.IntN(4)
		if seed%2 == 0 {
			width, pitch = 4+width&^3, 1
		}
		step, stride := 4096*(1+r.IntN(2)), width*pitch+r.IntN(3)
		tiles := (width + 63) / 64 * ((height + 63) / 64)
		draw := func(m exec.Memory) *exec.Arena {
			r := rand.New(rand.NewPCG(seed, 10))
			a := &exec.Arena{}
			a.Alloc(r.IntN(3) * 4)
			from, to := a.Alloc(tiles*step), a.Alloc(height*stride)
			words := a.Words(from, tiles*step)
			for i := range words {
				words[i] = r.Uint32()
			}
			m.Hold(a)
			for range 4 {
				i := r.IntN(len(words))
				m.Fill(a, from+uint32(4*i), r.IntN(min(200, len(words)-i+1)), r.Uint32())
			}
			m.Rows(a, exec.Rows{From: from, Step: uint32(4 * step), Width: width, Height: height, To: to, Stride: stride, Pitch: pitch, Or: r.Uint32() & r.Uint32()})
			out := make([]byte, 4*height*stride)
			m.Bytes(a, to, out)
			m.Release(a)
			for i, w := range a.Words(to, height*stride) {
				if got := binary.LittleEndian.Uint32(out[4*i:]); got != w {
					t.Fatalf("seed %d: Bytes gives %#x for word %d, which is %#x", seed, got, i, w)
				}
			}
			return a
		}
		want, got := draw(exec.InPlace{}), draw(h)
		for i := range want.Mem {
			if got.Mem[i] != want.Mem[i] {
				t.Fatalf("seed %d, %d x %d, pitch %d: word %d is %#x, want %#x", seed, width, height, pitch, i, got.Mem[i], want.Mem[i])
			}
		}
	}
}
