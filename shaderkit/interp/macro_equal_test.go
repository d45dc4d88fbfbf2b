package interp

import (
	"encoding/binary"
	"math"
	"math/rand"
	"testing"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// pickSampler gives a sampler state and kind for each number, all of the 1536 combinations of
// dimension, format, filters and one address mode for numbers below that.
func pickSampler(pick uint64) (s ir.SamplerState, kind ir.SampleKind) {
	take := func(n uint64) uint64 {
		v := pick % n
		pick /= n
		return v
	}
	s = ir.SamplerState{
		Bound:  true,
		Dim:    ir.Dim(take(4)),
		Format: ir.Format(take(2)),
		Mip:    ir.MipFilter(take(3)),
		Min:    ir.Filter(take(2)),
		Mag:    ir.Filter(take(2)),
		U:      ir.Address(take(4)),
		Border: [4]uint32(asBits(0.25, -1, nan, 3)),
	}
	kind = ir.SampleKind(take(4))
	s.V = (s.U + ir.Address(take(4))) & 3
	s.W = (s.U + ir.Address(take(4))) & 3
	s.LODBias = []float32{0, 0.75, -1, nan}[take(4)]
	return s, kind
}

// randomTexture fills a texture of random size, or a record of nonsense that points into words.
func randomTexture(t testing.TB, r *rand.Rand, s ir.SamplerState) func(*exec.Arena) exec.Record {
	size := func() int { return []int{1, 2, 3, 4, 5, 8, 16, 31}[r.Intn(8)] }
	tex := exec.Texture{Dim: s.Dim, Format: s.Format, Width: size(), Height: size(), Depth: 1}
	switch s.Dim {
	case ir.DimCube:
		tex.Height = tex.Width
	case ir.Dim3D:
		tex.Depth = size()
	case ir.Dim1D:
		tex.Height = 1
	}
	for l := 0; l == 0 || max(tex.Width, tex.Height, tex.Depth)>>l > 0; l++ {
		level := make([]uint32, tex.LevelWords(l))
		for i := range level {
			level[i] = r.Uint32()
			if s.Format == ir.RGBA32F && r.Intn(8) > 0 {
				level[i] = math.Float32bits(r.Float32() - 0.5)
			}
		}
		tex.Levels = append(tex.Levels, level)
	}
	if r.Intn(4) > 0 {
		return putter(t, &tex)
	}
	seed := r.Int63()
	return func(a *exec.Arena) exec.Record {
		r := rand.New(rand.NewSource(seed))
		rec, err := exec.PutTexture(a, &tex)
		if err != nil {
			t.Fatal(err)
		}
		end := rec[exec.RecSize]
		for range 1 + r.Intn(3) {
			switch i := r.Intn(exec.RecordWords); i {
			case exec.RecBase:
				rec[i] += 4 * uint32(r.Intn(4))
				end = min(end, rec[exec.RecSize]-16)
			case exec.RecSize:
				rec[i] = uint32(r.Intn(int(end) + 1))
			case exec.RecTable:
				rec[i] = []uint32{0, rec[exec.RecBase], rec[exec.RecTable] + 4, 0xFFFFFFF0}[r.Intn(4)]
			default:
				rec[i] = []uint32{0, 1, 2, 7, 100, 16384, 16385, 1 << 20, 0x7FFFFFFF, 0xFFFFFFFF, r.Uint32()}[r.Intn(11)]
			}
		}
		rec[exec.RecSize] = min(rec[exec.RecSize], end)
		return rec
	}
}

// randomFloat prefers what coordinates and levels are, and has all that floats can be.
func randomFloat(r *rand.Rand) uint32 {
	switch r.Intn(10) {
	case 0:
		return r.Uint32()
	case 1:
		return math.Float32bits([]float32{0, float32(math.Copysign(0, -1)), 1, -1, 2, inf, -inf, nan, 1e30, -1e30, 1e-40, -1e-40, 1 << 23, 1 << 24, 0.5, 1.5}[r.Intn(16)])
	case 2, 3:
		return math.Float32bits(float32(r.Intn(129)-64) / float32(int(1)<<r.Intn(7)))
	case 4:
		return math.Float32bits(float32((r.Float64() - 0.5) * 1e6))
	case 5:
		return math.Float32bits(float32((r.Float64() - 0.5) * 1e-3))
	}
	return math.Float32bits(r.Float32()*3 - 1)
}

// sampleOnce compares row and definition for one state and random texture and operands, of which the
// first are given.
func sampleOnce(t testing.TB, pick uint64, seed int64, given []uint32) {
	s, kind := pickSampler(pick)
	r := rand.New(rand.NewSource(seed))
	s.Seamless = r.Intn(2) == 0
	if r.Intn(3) == 0 {
		s.LODRange, s.MinLOD, s.MaxLOD = true, 2*r.Float32()-0.5, 3*r.Float32()-0.5
	}
	const items = 24
	n := of(kind).Operands()
	operands := make([]uint32, items*n)
	for i := range operands {
		operands[i] = randomFloat(r)
	}
	if r.Intn(2) == 0 && kind <= ir.SampleBias { // a smooth quad, whose lanes mostly choose one level
		for i := range operands {
			if i%n < 3 && i >= n {
				before := math.Float32frombits(operands[i-n])
				operands[i] = math.Float32bits(before + (r.Float32()-0.5)*0.25)
			}
		}
	}
	copy(operands, given)
	both(t, s, of(kind), operands, items, randomTexture(t, r, s))
}

func TestSampleRowEqualsDefinition(t *testing.T) {
	for pick := range uint64(1536) {
		sampleOnce(t, pick, int64(pick), nil)
		sampleOnce(t, pick|uint64(rand.New(rand.NewSource(int64(pick))).Intn(64))*1536, ^int64(pick), nil)
	}
}

func FuzzSampleRow(f *testing.F) {
	f.Add(uint64(0), int64(1), []byte{})
	f.Add(uint64(1535), int64(2), []byte{0, 0, 0x80, 0x7F})
	f.Fuzz(func(t *testing.T, pick uint64, seed int64, data []byte) {
		var given []uint32
		for ; len(data) >= 4; data = data[4:] {
			given = append(given, binary.LittleEndian.Uint32(data))
		}
		sampleOnce(t, pick, seed, given)
	})
}

// TestLog2OfSmallIsNotPositive holds what halfLog relies on: a length of at most 1 texel magnifies.
func TestLog2OfSmallIsNotPositive(t *testing.T) {
	one := math.Float32bits(1)
	for bits := math.Float32bits(0.5); bits <= one; bits++ {
		if x := math.Float32frombits(bits); ir.Log2(x) > 0 {
			t.Fatalf("log2 of %v is %v", x, ir.Log2(x))
		}
	}
	for bits := uint32(0); bits < one; bits += 997 {
		if x := math.Float32frombits(bits); ir.Log2(x) > 0 {
			t.Fatalf("log2 of %v is %v", x, ir.Log2(x))
		}
	}
}

// BenchmarkSample measures the row of a Sample at 64 lanes of a smooth 256x256 texture.
func BenchmarkSample(b *testing.B) {
	smooth := ir.SamplerState{Bound: true, Min: ir.Bilinear, Mag: ir.Bilinear}
	with := func(change func(*ir.SamplerState)) ir.SamplerState {
		s := smooth
		change(&s)
		return s
	}
	for _, c := range []struct {
		name  string
		state ir.SamplerState
		step  float64 // texels from pixel to pixel
	}{
		{"bilinear-wrap", smooth, 1},
		{"bilinear-clamp", with(func(s *ir.SamplerState) { s.U, s.V = ir.Clamp, ir.Clamp }), 1},
		{"bilinear-border", with(func(s *ir.SamplerState) { s.U, s.V = ir.Border, ir.Border }), 1},
		{"nearest-wrap", ir.SamplerState{Bound: true}, 1},
		{"trilinear-near", with(func(s *ir.SamplerState) { s.Mip = ir.MipLinear }), 0.5},
		{"trilinear-far", with(func(s *ir.SamplerState) { s.Mip = ir.MipLinear }), 2.5},
		{"mipnearest-far", with(func(s *ir.SamplerState) { s.Mip = ir.MipNearest }), 2.5},
		{"cube", with(func(s *ir.SamplerState) { s.Dim = ir.DimCube }), 1},
		{"float-wrap", with(func(s *ir.SamplerState) { s.Format = ir.RGBA32F }), 1},
	} {
		b.Run(c.name, func(b *testing.B) {
			tex := exec.Texture{Dim: c.state.Dim, Format: c.state.Format, Width: 256, Height: 256, Depth: 1}
			r := rand.New(rand.NewSource(1))
			for l := range 9 {
				level := make([]uint32, tex.LevelWords(l))
				for i := range level {
					level[i] = r.Uint32() >> 2
				}
				tex.Levels = append(tex.Levels, level)
			}
			var a exec.Arena
			record := putter(b, &tex)(&a)
			span := a.Words(record[exec.RecBase], int(record[exec.RecSize]/4))
			s := newSampler(c.state, ir.SampleSite{})
			var in [3]lanes
			for q := range maxQuads {
				for k := range quadLanes {
					x, y := float64(2*q+k&1), float64(k>>1)
					in[0][q][k] = math.Float32bits(float32(0.3 + (x*c.step+y*0.01)/256))
					in[1][q][k] = math.Float32bits(float32(0.7 + (y*c.step+x*0.02)/256))
					in[2][q][k] = math.Float32bits(0.2)
				}
			}
			var out [4]lanes
			args, dst := []*lanes{&in[0], &in[1], &in[2]}, []*lanes{&out[0], &out[1], &out[2], &out[3]}
			b.ReportAllocs()
			for b.Loop() {
				s.bind(record, span)
				s.read(&vm{q: maxQuads, active: firstLanes(maxLanes)}, args, dst)
			}
			b.ReportMetric(float64(b.N)*maxLanes/1e6/b.Elapsed().Seconds(), "Mtexel/s")
		})
	}
}

// fixedMacros is a tile program that stores Edges, Plane, Pack8 and Unpack8 of words that it loads
// by pixel from resource 0, in resource 1.
func fixedMacros() *ir.Program {
	b := ir.NewBuilder("entry", nil, nil)
	op := func(o ir.Op, args ...ir.Reg) ir.Reg { return b.Emit(o, 0, args...) }
	pixel := op(ir.Or, op(ir.LaneX), op(ir.Shl, op(ir.LaneY), b.U(3)))
	from, to := b.Emit(ir.Res, 0), b.Emit(ir.Res, 1)
	var in [5]ir.Reg
	for i := range in {
		in[i] = op(ir.Load, from, op(ir.IAdd, op(ir.IMul, pixel, b.U(20)), b.U(uint32(4*i))))
	}
	out := []ir.Reg{
		b.Emit(ir.Edges, 4, in[0], in[1]),
		op(ir.Canon, b.Emit(ir.Plane, 13, in[0], in[1])),
		op(ir.Pack8, in[0], in[1], in[2], in[3]),
	}
	out = append(out, b.EmitN(ir.Unpack8, 0, in[4])...)
	for i, r := range out {
		op(ir.Store, to, op(ir.IAdd, op(ir.IMul, pixel, b.U(28)), b.U(uint32(4*i))), r)
	}
	return &ir.Program{Kind: ir.Tile, Funcs: []*ir.Func{b.Finish()}, Interface: ir.Interface{
		Resources: []ir.Resource{{Name: "in", Kind: ir.Buffer}, {Name: "out", Kind: ir.Buffer}}}}
}

// runFixed gives what fixedMacros stores for each of 64 pixels.
func runFixed(t testing.TB, p *ir.Program, in [64][5]uint32, triangle [12]uint32) (out [64][7]uint32) {
	t.Helper()
	if err := p.Verify(); err != nil {
		t.Fatal(err)
	}
	k, err := New().Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	var a exec.Arena
	desc := a.Alloc(exec.JobRecords + 2*exec.RecordWords)
	record, from, to := a.Alloc(16), a.Alloc(64*5), a.Alloc(64*7)
	copy(a.Words(desc, 3), []uint32{exec.JobCount: 1, exec.JobFirst: record, exec.JobStride: 16})
	copy(a.Words(record, 16), append([]uint32{0, 0, 8, 8}, triangle[:]...))
	a.SetRecord(desc, 0, exec.Record{exec.RecBase: from, exec.RecSize: 64 * 20})
	a.SetRecord(desc, 1, exec.Record{exec.RecBase: to, exec.RecSize: 64 * 28})
	for i, w := range in {
		copy(a.Words(from+uint32(20*i), 5), w[:])
	}
	k.Run(&a, desc, exec.Options{})
	for i := range out {
		out[i] = [7]uint32(a.Words(to+uint32(28*i), 7))
	}
	return out
}

func bothFixed(t testing.TB, in [64][5]uint32, triangle [12]uint32) [64][7]uint32 {
	t.Helper()
	row := runFixed(t, fixedMacros(), in, triangle)
	p := fixedMacros()
	ir.ExpandMacros(p)
	if definition := runFixed(t, p, in, triangle); row != definition {
		t.Fatalf("rows and definitions differ for %08x, triangle %08x:\n%08x\n%08x", in, triangle, row, definition)
	}
	return row
}

func TestFixedMacros(t *testing.T) {
	var in [64][5]uint32
	inside := func(x, y int32) uint32 { // x - 2 >= 0, 3 - y >= 0, x + y - 4 >= 0
		return mask(x >= 2 && y <= 3 && x+y >= 4)
	}
	minus := func(n uint32) uint32 { return -n }
	triangle := [12]uint32{1, 0, minus(2), 0, minus(1), 3, 1, 1, minus(4), math.Float32bits(0.5), math.Float32bits(-2), math.Float32bits(10)}
	for i := range in {
		in[i] = [5]uint32{uint32(i & 7), uint32(i >> 3), 0, 0, uint32(i) * 0x04030201}
	}
	for i, got := range bothFixed(t, in, triangle) {
		if want := inside(int32(i&7), int32(i>>3)); got[0] != want {
			t.Errorf("pixel %d: edges %08x, want %08x", i, got[0], want)
		}
		for k := range 4 {
			b := uint32(i) * 0x04030201 >> (8 * k) & 255
			if want := math.Float32bits(float32(float64(b) / 255)); got[3+k] != want {
				t.Errorf("byte %d: %08x, want %08x", b, got[3+k], want)
			}
		}
	}
	for i := range in {
		x, y := float32(i)/4-8, 3-float32(i)/8
		in[i] = [5]uint32{math.Float32bits(x), math.Float32bits(y)}
	}
	colours := [][5]uint32{
		{0, 0x3F800000, 0x7FC00000, 0xFFC00000},
		{0x7F800000, 0xFF800000, math.Float32bits(0.5), math.Float32bits(-0.5)},
		// 0.5/255 rounds up, a little less down; just below 1 up
		{math.Float32bits(0.5 / 255), math.Float32bits(0.49 / 255), math.Float32bits(0.999), math.Float32bits(254.4 / 255)},
	}
	copy(in[:], colours)
	got := bothFixed(t, in, triangle)
	for i, want := range []uint32{0x0000FF00, 0x008000FF, 0xFEFF0001} {
		if got[i][2] != want {
			t.Errorf("colour %d: %08x, want %08x", i, got[i][2], want)
		}
	}
	for i := len(colours); i < 64; i++ {
		x, y := float32(i)/4-8, 3-float32(i)/8
		if want := math.Float32bits(0.5*x + (10 - 2*y)); got[i][1] != want { // exact
			t.Errorf("pixel %d: plane %08x, want %08x", i, got[i][1], want)
		}
	}
}

func FuzzFixedMacros(f *testing.F) {
	for seed := range int64(20) {
		f.Add(seed, []byte{})
	}
	f.Fuzz(func(t *testing.T, seed int64, data []byte) {
		r := rand.New(rand.NewSource(seed))
		var in [64][5]uint32
		var triangle [12]uint32
		next := func() uint32 {
			if len(data) >= 4 {
				w := binary.LittleEndian.Uint32(data)
				data = data[4:]
				return w
			}
			return randomFloat(r)
		}
		for i := range triangle {
			triangle[i] = next()
		}
		for i := range in {
			for k := range in[i] {
				in[i][k] = next()
			}
		}
		bothFixed(t, in, triangle)
	})
}
