package interp

import (
	"fmt"
	"math"
	"testing"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// of is a plain site of a kind.
func of(kind ir.SampleKind) ir.SampleSite { return ir.SampleSite{Kind: kind} }

// A sampling is a program that samples resource 0 by a Sample or Fetch at the operands in resource 1, an item each, and
// stores the canonical bits of the results in resource 2.
func sampling(s ir.SamplerState, site ir.SampleSite) *ir.Program {
	n, read := site.Operands(), ir.Sample
	if site.Kind >= ir.FetchTexel {
		read = ir.Fetch
	}
	b := ir.NewBuilder("entry", nil, nil)
	op := func(o ir.Op, args ...ir.Reg) ir.Reg { return b.Emit(o, 0, args...) }
	item, from, to := op(ir.Item), b.Emit(ir.Res, 1), b.Emit(ir.Res, 2)
	at := op(ir.IMul, item, b.U(uint32(4*n)))
	args := make([]ir.Reg, n)
	for i := range args {
		args[i] = op(ir.Load, from, op(ir.IAdd, at, b.U(uint32(4*i))))
	}
	for i, c := range b.EmitN(read, site.Imm(), args...) {
		if read == ir.Sample {
			c = op(ir.Canon, c)
		}
		op(ir.Store, to, op(ir.IAdd, op(ir.IMul, item, b.U(16)), b.U(uint32(4*i))), c)
	}
	return &ir.Program{Kind: ir.Linear, Funcs: []*ir.Func{b.Finish()}, Samplers: []ir.SamplerState{s},
		Interface: ir.Interface{Resources: []ir.Resource{
			{Name: "s0", Kind: ir.Texture, Dim: s.Dim}, {Name: "in", Kind: ir.Buffer}, {Name: "out", Kind: ir.Buffer}}}}
}

// run compiles p and runs it for operands in the order of the items. put lays out the texture.
func run(t testing.TB, p *ir.Program, operands []uint32, items int, put func(*exec.Arena) exec.Record) [][4]uint32 {
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
	desc := a.Alloc(exec.JobRecords + 3*exec.RecordWords)
	buffer := func(n int) exec.Record {
		return exec.Record{exec.RecBase: a.Alloc(n), exec.RecSize: uint32(4 * n), exec.RecWidth: 1, exec.RecHeight: 1}
	}
	texture, in, out := put(&a), buffer(len(operands)), buffer(4*items)
	copy(a.Words(in[exec.RecBase], len(operands)), operands)
	for i, r := range []exec.Record{texture, in, out} {
		a.SetRecord(desc, i, r)
	}
	a.Words(desc, 1)[exec.JobCount] = uint32(items)
	if r := k.Run(&a, desc, exec.Options{Budget: 1}); r.Stopped {
		t.Fatal("sampling takes from the budget")
	}
	got := make([][4]uint32, items)
	for i := range got {
		got[i] = [4]uint32(a.Words(out[exec.RecBase]+uint32(16*i), 4))
	}
	return got
}

// both runs the row and the definition, which must agree.
func both(t testing.TB, s ir.SamplerState, site ir.SampleSite, operands []uint32, items int, put func(*exec.Arena) exec.Record) [][4]uint32 {
	t.Helper()
	row := run(t, sampling(s, site), operands, items, put)
	p := sampling(s, site)
	ir.ExpandMacros(p)
	definition := run(t, p, operands, items, put)
	for i := range row {
		if row[i] != definition[i] {
			n := site.Operands()
			t.Fatalf("%+v %+v record %v item %d at %v: the row gives %08x, the definition %08x",
				s, site, put(&exec.Arena{}), i, asFloats(operands[i*n:(i+1)*n]), row[i], definition[i])
		}
	}
	return row
}

func asFloats(bits []uint32) (f []float32) {
	for _, b := range bits {
		f = append(f, math.Float32frombits(b))
	}
	return f
}

func asBits(f ...float32) (bits []uint32) {
	for _, x := range f {
		bits = append(bits, math.Float32bits(x))
	}
	return bits
}

func putter(t testing.TB, tex *exec.Texture) func(*exec.Arena) exec.Record {
	t.Helper()
	return func(a *exec.Arena) exec.Record {
		r, err := exec.PutTexture(a, tex)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
}

// levels gives texels, one number each: of RGBA8 the byte in red and green and its complement in
// blue and alpha, of RGBA32F the number in red, its negative in green, and 1, 2.
func levels(f ir.Format, values ...[]float32) (out [][]uint32) {
	for _, level := range values {
		var words []uint32
		for _, v := range level {
			if b := uint32(int32(v)); f == ir.RGBA8 {
				words = append(words, b|b<<8|(255-b)<<16|(255-b)<<24)
			} else {
				words = append(words, asBits(v, -v, 1, 2)...)
			}
		}
		out = append(out, words)
	}
	return out
}

var (
	nan = float32(math.NaN())
	inf = float32(math.Inf(1))
)

// level0 is what samples of one texture at given places give in red, in units of a texel's number.
type level0 struct {
	x, y, z float32
	want    float64
}

func (c level0) operands(kind ir.SampleKind) []uint32 {
	return append(asBits(c.x, c.y, c.z), make([]uint32, of(kind).Operands()-3)...)
}

// check samples at each place and compares all components with the number, which red shows.
func check(t *testing.T, name string, s ir.SamplerState, tex *exec.Texture, ulp int32, places []level0) {
	t.Helper()
	s.Bound, tex.Format, tex.Dim = true, s.Format, s.Dim
	var operands []uint32
	for _, c := range places {
		operands = append(operands, c.operands(ir.SampleLevel)...)
	}
	for i, got := range both(t, s, of(ir.SampleLevel), operands, len(places), putter(t, tex)) {
		c := places[i]
		// a sum of bytes with 16 bits of weights is exact in both float64 and float32
		want := asBits(float32(c.want), float32(-c.want), 1, 2)
		if s.Format == ir.RGBA8 {
			red, blue := float32(c.want*65536)/(255*65536), float32((255-c.want)*65536)/(255*65536)
			want = asBits(red, red, blue, blue)
		}
		for k := range got {
			if d := int32(got[k] - want[k]); d < -ulp || d > ulp {
				t.Errorf("%s: %v gives %v, want %v", name, c, asFloats(got[:]), asFloats(want))
				break
			}
		}
	}
}

// TestAddress follows the table of places and texels of NUMERICS.md, section Textures.
func TestAddress(t *testing.T) {
	border := asBits(50.0/255, 50.0/255, 205.0/255, 205.0/255)
	borderF := asBits(50, -50, 1, 2)
	eps := float32(0x1p-20)
	type row struct {
		x                            float32
		wrap, clamp, mirror, borders float64
	}
	// texels 10 20 30 40; centres at 1/8, 3/8, 5/8, 7/8
	nearest := []row{
		{0, 10, 10, 10, 10},
		{0.24, 10, 10, 10, 10},
		{0.25, 20, 20, 20, 20},
		{0.5, 30, 30, 30, 30},
		{0.99, 40, 40, 40, 40},
		{1, 10, 40, 40, 50},
		{1.25, 20, 40, 30, 50},
		{1.3, 20, 40, 30, 50},
		{1.9, 40, 40, 10, 50},
		{2, 10, 40, 10, 50},
		{2.3, 20, 40, 20, 50},
		{-eps, 40, 10, 10, 50},
		{-1e-30, 40, 10, 10, 50}, // rounds to the other end, which is handled
		{-0.3, 30, 10, 20, 50},
		{-1.1, 40, 10, 40, 50},
		{1000000.25, 20, 40, 20, 50},
		{-1000000.25, 40, 10, 10, 50},
		{1e30, 10, 40, 10, 50},
		{nan, 10, 10, 10, 50},
		{inf, 10, 40, 10, 50},
		{-inf, 10, 10, 10, 50},
	}
	linear := []row{
		{0.125, 10, 10, 10, 10},
		{0.25, 15, 15, 15, 15},
		{0.375, 20, 20, 20, 20},
		{0.4375, 22.5, 22.5, 22.5, 22.5},
		{0.875, 40, 40, 40, 40},
		{0, 25, 10, 10, 30},
		{0.0625, 17.5, 10, 10, 20},
		{1, 25, 40, 40, 45},
		{0.9375, 32.5, 40, 40, 42.5},
		{1.125, 10, 40, 40, 50},
		{1.25, 15, 40, 35, 50},
		{-0.125, 40, 10, 10, 50},
		{-0.25, 35, 10, 15, 50},
		{2.25, 15, 40, 15, 50},
		{nan, 25, 10, 10, 50},
		{inf, 25, 40, 10, 50},
		{-inf, 25, 10, 10, 50},
	}
	for _, format := range []ir.Format{ir.RGBA8, ir.RGBA32F} {
		for _, dim := range []ir.Dim{ir.Dim1D, ir.Dim2D, ir.Dim3D} {
			for mode := ir.Wrap; mode <= ir.Border; mode++ {
				for filter := ir.Nearest; filter <= ir.Bilinear; filter++ {
					rows := nearest
					if filter == ir.Bilinear {
						rows = linear
					}
					// the row of texels lies along each axis in turn
					for along := range map[ir.Dim]int{ir.Dim1D: 1, ir.Dim2D: 2, ir.Dim3D: 3}[dim] {
						s := ir.SamplerState{Dim: dim, Format: format, Min: filter, Mag: filter, U: ir.Clamp, V: ir.Clamp, W: ir.Clamp}
						*[]*ir.Address{&s.U, &s.V, &s.W}[along] = mode
						s.Border = [4]uint32(border)
						if format == ir.RGBA32F {
							s.Border = [4]uint32(borderF)
						}
						size := [3]int{1, 1, 1}
						size[along] = 4
						tex := exec.Texture{Width: size[0], Height: size[1], Depth: size[2], Levels: levels(format, []float32{10, 20, 30, 40})}
						var places []level0
						for _, r := range rows {
							at := [3]float32{0.5, 0.5, 0.5}
							at[along] = r.x
							want := []float64{r.wrap, r.clamp, r.mirror, r.borders}[mode]
							places = append(places, level0{at[0], at[1], at[2], want})
						}
						ulp := int32(0)
						if format == ir.RGBA8 && along == 2 {
							ulp = 1 // slices are combined as floats
						}
						check(t, fmt.Sprintf("dim %d format %d mode %d filter %d axis %d", dim, format, mode, filter, along), s, &tex, ulp, places)
					}
				}
			}
		}
	}
}

// bilinear is a state without mipmaps.
func bilinear(f ir.Format) ir.SamplerState {
	return ir.SamplerState{Format: f, Min: ir.Bilinear, Mag: ir.Bilinear, U: ir.Clamp, V: ir.Clamp, W: ir.Clamp}
}

func TestBilinearWeights(t *testing.T) {
	// texels 0 64 / 128 255; x and y at 1/4 and 3/4 are centres
	tex := exec.Texture{Width: 2, Height: 2, Depth: 1}
	for _, f := range []ir.Format{ir.RGBA8, ir.RGBA32F} {
		tex.Levels = levels(f, []float32{0, 64, 128, 255})
		check(t, "corners", bilinear(f), &tex, 0, []level0{
			{0.25, 0.25, 0, 0}, {0.75, 0.25, 0, 64}, {0.25, 0.75, 0, 128}, {0.75, 0.75, 0, 255},
			{0.5, 0.25, 0, 32}, {0.25, 0.5, 0, 64}, {0.5, 0.75, 0, 191.5}, {0.5, 0.5, 0, (0 + 64 + 128 + 255) / 4.0},
			{0.375, 0.625, 0, (3*0+64)/16.0 + 3*(3*128+255)/16.0},
		})
	}
	// a line 0 255 of 2 texels: half a step of 1/256 texel rounds up, less does not
	step, tiny := float32(1.0/512), float32(0x1p-16)
	line := exec.Texture{Width: 2, Height: 1, Depth: 1, Levels: levels(ir.RGBA8, []float32{0, 255})}
	check(t, "8 bits of fraction", bilinear(ir.RGBA8), &line, 0, []level0{
		{0.25 + step, 0, 0, 255.0 / 256}, {0.25 + step/2, 0, 0, 255.0 / 256}, {0.25 + step/2 - tiny, 0, 0, 0},
		{0.25 + 3*step/2 - tiny, 0, 0, 255.0 / 256}, {0.75 - step, 0, 0, 255 * 255.0 / 256}, {0.75 - step/2 + tiny, 0, 0, 255},
	})
	line.Levels = levels(ir.RGBA32F, []float32{0, 1 << 20})
	check(t, "all bits of fraction", bilinear(ir.RGBA32F), &line, 0, []level0{
		{0.25 + tiny, 0, 0, 1 << 5}, {0.25 + step/2, 0, 0, 1 << 11}, {0.75 - tiny, 0, 0, 1<<20 - 1<<5},
	})
}

func TestVolume(t *testing.T) {
	// 2x2x2 texels 0..7
	tex := exec.Texture{Width: 2, Height: 2, Depth: 2, Levels: levels(ir.RGBA32F, []float32{0, 1, 2, 3, 4, 5, 6, 7})}
	s := bilinear(ir.RGBA32F)
	s.Dim = ir.Dim3D
	check(t, "linear", s, &tex, 0, []level0{
		{0.25, 0.25, 0.25, 0}, {0.75, 0.25, 0.25, 1}, {0.25, 0.75, 0.25, 2}, {0.25, 0.25, 0.75, 4}, {0.75, 0.75, 0.75, 7},
		{0.5, 0.5, 0.5, 3.5}, {0.5, 0.25, 0.375, 1.5},
	})
	s.Min, s.Mag = ir.Nearest, ir.Nearest
	check(t, "nearest", s, &tex, 0, []level0{{0.1, 0.1, 0.1, 0}, {0.9, 0.1, 0.9, 5}, {0.9, 0.9, 0.9, 7}})
}

// TestBorderOfBytes: a border colour is rounded to bytes before it is filtered; NaN gives 0.
func TestBorderOfBytes(t *testing.T) {
	s := bilinear(ir.RGBA8)
	s.Bound, s.U = true, ir.Border
	s.Border = [4]uint32(asBits(0.5, nan, -3, 7))
	tex := exec.Texture{Width: 1, Height: 1, Depth: 1, Levels: [][]uint32{{0x00FF00FF}}} // red 255, blue 255
	got := both(t, s, of(ir.SampleImplicit), asBits(-1, 0.5, 0, 0, 0.5, 0), 2, putter(t, &tex))
	want := [][4]uint32{
		[4]uint32(asBits(128.0/255, 0, 0, 1)),
		[4]uint32(asBits((255+128)/2.0/255, 0, 0.5, 0.5)),
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%v, want %v", asFloats(got[i][:]), asFloats(want[i][:]))
		}
	}
}

// TestInfiniteTexelOfNoWeight: at the centre of a texel its neighbours do not show.
func TestInfiniteTexelOfNoWeight(t *testing.T) {
	s := bilinear(ir.RGBA32F)
	tex := exec.Texture{Width: 2, Height: 2, Depth: 1, Levels: levels(ir.RGBA32F, []float32{3, inf, nan, inf})}
	check(t, "centre", s, &tex, 0, []level0{{0.25, 0.25, 0, 3}})
}

// TestPointKeepsBits: RGBA32F texels that are not filtered keep their bits.
func TestPointKeepsBits(t *testing.T) {
	texel := [4]uint32{0x80000000, 1, 0xFF800000, 0x3F800001}
	s := ir.SamplerState{Bound: true, Format: ir.RGBA32F}
	tex := exec.Texture{Format: ir.RGBA32F, Width: 1, Height: 1, Depth: 1, Levels: [][]uint32{texel[:]}}
	if got := both(t, s, of(ir.SampleImplicit), asBits(0, 0, 0), 1, putter(t, &tex))[0]; got != texel {
		t.Errorf("%08x, want %08x", got, texel)
	}
}

// TestLevels: a 4x4 texture whose levels are 10, 20, 30 shows which levels are read.
func TestLevels(t *testing.T) {
	const (
		none, near, lin = ir.MipNone, ir.MipNearest, ir.MipLinear
	)
	flat := func(v float32, n int) (out []float32) {
		for range n {
			out = append(out, v)
		}
		return
	}
	// level 0 is 10 but its left top texel is 50, so that at (3/8, 3/8), the centre of texel (1, 1),
	// and at (1/4, 1/4), between four texels, filters tell apart
	first := flat(10, 16)
	first[0] = 50
	all := [][]float32{first, flat(20, 4), flat(30, 1)}
	d := func(pixel float32) []float32 { // derivatives of given length in texels, along x
		return []float32{pixel / 4, 0, 0, 0, 0, 0}
	}
	for _, c := range []struct {
		name     string
		min, mag ir.Filter
		mip      ir.MipFilter
		bias     float32
		kind     ir.SampleKind
		extra    []float32
		want     float64
	}{
		{"level 0", 1, 1, lin, 0, ir.SampleLevel, []float32{0}, 20}, // bilinear at the corner: (50+3*10)/4
		{"level 0 nearest", 0, 0, lin, 0, ir.SampleLevel, []float32{0}, 10},
		{"negative level", 1, 0, lin, 0, ir.SampleLevel, []float32{-3}, 10}, // mag
		{"level 1", 1, 1, lin, 0, ir.SampleLevel, []float32{1}, 20},
		{"level 1.5", 1, 1, lin, 0, ir.SampleLevel, []float32{1.5}, 25},
		{"level 1.25", 0, 0, lin, 0, ir.SampleLevel, []float32{1.25}, 22.5},
		{"last level", 1, 1, lin, 0, ir.SampleLevel, []float32{2}, 30},
		{"behind the last level", 1, 1, lin, 0, ir.SampleLevel, []float32{9}, 30},
		{"infinite level", 1, 1, near, 0, ir.SampleLevel, []float32{inf}, 30},
		{"level NaN", 0, 1, lin, 0, ir.SampleLevel, []float32{nan}, 20}, // level 0, mag
		{"nearest level below", 0, 0, near, 0, ir.SampleLevel, []float32{1.49}, 20},
		{"nearest level above", 0, 0, near, 0, ir.SampleLevel, []float32{1.5}, 30},
		{"no mipmaps", 0, 0, none, 0, ir.SampleLevel, []float32{2}, 10},
		{"no mipmaps, min", 1, 0, none, 0, ir.SampleLevel, []float32{0.01}, 20},
		{"no mipmaps, mag", 1, 0, none, 0, ir.SampleLevel, []float32{0}, 10},
		{"sampler bias", 0, 0, lin, 1.5, ir.SampleLevel, []float32{0}, 25},
		{"sampler bias back", 0, 0, lin, -1, ir.SampleLevel, []float32{2.5}, 25},
		{"1 texel a pixel", 0, 1, lin, 0, ir.SampleGrad, d(1), 20}, // lod 0: mag
		{"2 texels a pixel", 0, 0, lin, 0, ir.SampleGrad, d(2), 20},
		{"4 texels a pixel", 0, 0, lin, 0, ir.SampleGrad, d(-4), 30},
		{"sqrt 2 texels a pixel", 0, 0, lin, 0, ir.SampleGrad, []float32{0.25, 0.25, 0, 0, 0, 0}, 15},
		{"sqrt 8 texels a pixel along y", 0, 0, lin, 0, ir.SampleGrad, []float32{0.25, 0, 0, 0.5, -0.5, 0}, 25},
		{"third derivative of a 2D texture", 0, 0, lin, 0, ir.SampleGrad, []float32{0.25, 0, 99, 0, 0, 99}, 10},
		{"no derivative", 0, 0, lin, 0, ir.SampleGrad, d(0), 10},
		{"no derivative, any bias", 0, 0, lin, 9, ir.SampleGrad, d(0), 10},
		{"infinite derivative", 0, 0, lin, 0, ir.SampleGrad, d(inf), 30},
		{"derivative NaN", 0, 1, lin, 0, ir.SampleGrad, d(nan), 20},
		{"half a texel a pixel and bias", 0, 0, lin, 2, ir.SampleGrad, d(0.5), 20},
	} {
		for _, format := range []ir.Format{ir.RGBA8, ir.RGBA32F} {
			s := ir.SamplerState{Bound: true, Format: format, Min: c.min, Mag: c.mag, Mip: c.mip, LODBias: c.bias}
			tex := exec.Texture{Format: format, Width: 4, Height: 4, Depth: 1, Levels: levels(format, all...)}
			operands := asBits(append([]float32{0.25, 0.25, 0}, c.extra...)...)
			got := float64(math.Float32frombits(both(t, s, of(c.kind), operands, 1, putter(t, &tex))[0][0]))
			tolerance := 0.0
			if format == ir.RGBA8 {
				got, tolerance = got*255, 1e-5 // levels are combined as rounded floats
			}
			if !(math.Abs(got-c.want) <= tolerance) {
				t.Errorf("%s, format %d: %v, want %v", c.name, format, got, c.want)
			}
		}
	}
}

// TestImplicitLevels: each lane takes the differences of its row and of its column.
func TestImplicitLevels(t *testing.T) {
	tex := exec.Texture{Width: 4, Height: 4, Depth: 1}
	for v := range 3 {
		tex.Levels = append(tex.Levels, levels(ir.RGBA32F, make([]float32, 16>>(2*v)))...)
		for i := 0; i < len(tex.Levels[v]); i += 4 {
			tex.Levels[v][i] = math.Float32bits(float32(v))
		}
	}
	tex.Format = ir.RGBA32F
	s := ir.SamplerState{Bound: true, Format: ir.RGBA32F, Mip: ir.MipLinear}
	// differences in texels: top row 1, bottom row 4, left column 2, right column 1 along v and 3 along u
	at := func(u, v float32) []float32 { return []float32{u / 4, v / 4, 0} }
	var operands []uint32
	for _, p := range [][]float32{at(0, 0), at(1, 0), at(0, 2), at(4, 2)} {
		operands = append(operands, asBits(p...)...)
	}
	right := math.Log2(3*3+2*2) / 2
	want := []float64{1, right, 2, 2}
	got := both(t, s, of(ir.SampleImplicit), operands, 4, putter(t, &tex))
	for i, w := range want {
		if g := float64(math.Float32frombits(got[i][0])); math.Abs(g-w) > 1e-6 {
			t.Errorf("lane %d: level %v, want %v", i, g, w)
		}
	}
	var biased []uint32
	for i := range 4 {
		biased = append(append(biased, operands[3*i:3*i+3]...), asBits(-0.5)...)
	}
	got = both(t, s, of(ir.SampleBias), biased, 4, putter(t, &tex))
	for i, w := range want {
		if g := float64(math.Float32frombits(got[i][0])); math.Abs(g-w+0.5) > 1e-6 {
			t.Errorf("lane %d with bias: level %v, want %v", i, g, w-0.5)
		}
	}
}

// TestCubeFaces: face f is 2x2 texels 4f .. 4f+3; each row says where its left top texel lies, and
// the axes that go right and down, as Direct3D draws the six faces seen from the inside.
func TestCubeFaces(t *testing.T) {
	var values []float32
	for i := range 24 {
		values = append(values, float32(i))
	}
	tex := exec.Texture{Dim: ir.DimCube, Width: 2, Height: 2, Depth: 1}
	var places []level0
	at := func(v [3]float32, want float64) { places = append(places, level0{v[0], v[1], v[2], want}) }
	for face, f := range []struct{ centre, right, down [3]float32 }{
		{[3]float32{1, 0, 0}, [3]float32{0, 0, -1}, [3]float32{0, -1, 0}},
		{[3]float32{-1, 0, 0}, [3]float32{0, 0, 1}, [3]float32{0, -1, 0}},
		{[3]float32{0, 1, 0}, [3]float32{1, 0, 0}, [3]float32{0, 0, 1}},
		{[3]float32{0, -1, 0}, [3]float32{1, 0, 0}, [3]float32{0, 0, -1}},
		{[3]float32{0, 0, 1}, [3]float32{1, 0, 0}, [3]float32{0, -1, 0}},
		{[3]float32{0, 0, -1}, [3]float32{-1, 0, 0}, [3]float32{0, -1, 0}},
	} {
		for i := range 4 {
			var v [3]float32
			for k := range v {
				v[k] = 3 * (f.centre[k] + float32(i&1*2-1)*0.5*f.right[k] + float32(i>>1*2-1)*0.5*f.down[k])
			}
			at(v, float64(4*face+i))
		}
	}
	// ties: z before y before x
	at([3]float32{1, 1, 1}, 4*4+1)
	at([3]float32{-1, 1, -1}, 4*5+1)
	at([3]float32{1, 1, 0.5}, 4*2+3)
	at([3]float32{-1, -1, 0.5}, 4*3+0)
	at([3]float32{2, 0.5, -2}, 4*5+0)
	at([3]float32{0, 0, 0}, 4*4)
	at([3]float32{nan, 1, 1}, 4*0)
	at([3]float32{inf, 1, 1}, 4*0+3)
	for _, f := range []ir.Format{ir.RGBA8, ir.RGBA32F} {
		tex.Levels = levels(f, values)
		check(t, "faces", ir.SamplerState{Dim: ir.DimCube, Format: f, U: ir.Wrap, V: ir.Border}, &tex, 0, places)
	}
	// filters stay on the face: at the corner of +z the corner texel alone
	s := bilinear(ir.RGBA32F)
	s.Dim = ir.DimCube
	tex.Levels = levels(ir.RGBA32F, values)
	check(t, "clamp within a face", s, &tex, 0, []level0{{-1, 1, 1, 16}, {1, -1, 1, 19}, {0, 0, 1, 17.5}})
}

// TestCubeLevels: at the centre of face +z, 8 texels wide, u is x/2z, so that 1 texel is 1/4 in x.
func TestCubeLevels(t *testing.T) {
	tex := exec.Texture{Dim: ir.DimCube, Format: ir.RGBA32F, Width: 8, Height: 8, Depth: 1}
	for l := range 4 {
		values := make([]float32, 6*(8>>l)*(8>>l))
		for i := range values {
			values[i] = float32(l)
		}
		tex.Levels = append(tex.Levels, levels(ir.RGBA32F, values)...)
	}
	s := ir.SamplerState{Bound: true, Dim: ir.DimCube, Format: ir.RGBA32F, Mip: ir.MipLinear}
	for _, c := range []struct {
		at, dx, dy [3]float32
		want       float64
	}{
		{[3]float32{0, 0, 1}, [3]float32{0.5, 0, 0}, [3]float32{}, 1},
		{[3]float32{0, 0, 2}, [3]float32{0.5, 0, 0}, [3]float32{0, 1, 0}, 1},
		{[3]float32{0, 0, 1}, [3]float32{0, 0, 7}, [3]float32{}, 0}, // along the axis
		// (1/2, 0, 1) + 3/4 (0, 0, -1): s/m grows from 1/2 by 1/2 * 3/4 = 3/8, u by 3/16, 1.5 texels
		{[3]float32{0.5, 0, 1}, [3]float32{0, 0, -0.75}, [3]float32{}, math.Log2(1.5)},
		// the same on −x, where s is z and m is −x
		{[3]float32{-1, 0, 0.5}, [3]float32{0.75, 0, 0}, [3]float32{}, math.Log2(1.5)},
	} {
		operands := asBits(append(append(c.at[:], c.dx[:]...), c.dy[:]...)...)
		got := float64(math.Float32frombits(both(t, s, of(ir.SampleGrad), operands, 1, putter(t, &tex))[0][0]))
		if math.Abs(got-c.want) > 1e-6 {
			t.Errorf("%v %v %v: level %v, want %v", c.at, c.dx, c.dy, got, c.want)
		}
	}
}

func TestUnboundAndEmpty(t *testing.T) {
	none := func(*exec.Arena) exec.Record { return exec.Record{} }
	one := [4]uint32{3: math.Float32bits(1)}
	if got := both(t, ir.SamplerState{Unbound: one}, of(ir.SampleImplicit), asBits(1, 2, 3), 1, none)[0]; got != one {
		t.Errorf("unbound gives %08x, want %08x", got, one)
	}
	for _, f := range []ir.Format{ir.RGBA8, ir.RGBA32F} {
		s := ir.SamplerState{Bound: true, Format: f, Min: ir.Bilinear, Mip: ir.MipLinear}
		if got := both(t, s, of(ir.SampleImplicit), asBits(1, 2, 3), 1, none)[0]; got != [4]uint32{} {
			t.Errorf("a record of zeros gives %08x, want 0", got)
		}
	}
}
