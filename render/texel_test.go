package render

import (
	"encoding/binary"
	"math"
	"math/rand"
	"testing"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// TestTexelIsWhatTargetsRead: a texel decodes to the colour that a pixel of the format is read as.
func TestTexelIsWhatTargetsRead(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for f := range numFormats {
		row := f.row()
		if row.words == 0 || row.depth {
			continue
		}
		b := ir.NewBuilder("unpack", ir.C32s(row.words+1), nil)
		c := converter{b: b, table: b.Func.Params[row.words]}
		fn := b.Finish(c.unpack(f, b.Func.Params[:row.words])...)
		for range 2000 {
			var data [20]byte
			r.Read(data[:row.bytes])
			args := make([]uint32, row.words+1)
			for i := range row.words {
				args[i] = binary.LittleEndian.Uint32(data[4*i:])
			}
			want := [4]uint32(evaluate(fn, args...))
			if got := f.texel(data[:]); got != want {
				t.Fatalf("%s % x: %08x, want %08x", f, data[:row.bytes], got, want)
			}
		}
	}
}

// TestClasses: the class of a format holds each of its texels.
func TestClasses(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	for f := range numFormats {
		row := f.row()
		if row.bytes == 0 {
			continue
		}
		data := make([]byte, 64*row.bytes)
		r.Read(data)
		words := f.decode(data, 8, 4, 2)
		for i := range 64 {
			want, class := f.texel(data[i*row.bytes:]), f.class()
			var got [4]uint32
			switch n := int(class.Words()); class {
			case ir.RGBA8:
				for k := range got {
					got[k] = number(unorm, 8, words[i]>>(8*k)&255)
				}
			default:
				copy(got[:], words[i*n:][:n])
				for k := n; k < 4; k++ {
					got[k] = f.missing(k)
				}
			}
			if got != want {
				t.Errorf("%s texel %d: %08x, want %08x", f, i, got, want)
				break
			}
		}
	}
}

// TestFormats that only textures have, by numbers that follow from their definition.
func TestTextureFormats(t *testing.T) {
	bits := math.Float32bits
	one := bits(1)
	for _, c := range []struct {
		f    Format
		data []byte
		want [4]uint32
	}{
		{A8, []byte{51}, [4]uint32{0, 0, 0, bits(0.2)}},
		{BGRA4, []byte{0x3C, 0xF6}, [4]uint32{bits(6.0 / 15), bits(3.0 / 15), bits(12.0 / 15), one}},
		{RGB9E5, []byte{0x00, 0x00, 0x00, 0xF8}, [4]uint32{0, 0, 0, one}},
		// fractions 511, 1, 256 of 2^-9, exponents 31-15, then 0-15
		{RGB9E5, []byte{0xFF, 0x03, 0x00, 0xFC}, [4]uint32{bits(65408), bits(128), bits(32768), one}},
		{RGB9E5, []byte{0x01, 0x00, 0x00, 0x00}, [4]uint32{bits(0x1p-24), 0, 0, one}},
		{D24S8, []byte{0xFF, 0xFF, 0xFF, 0x77}, [4]uint32{one, 0, 0, one}},
		{D16, []byte{0xFF, 0x7F}, [4]uint32{bits(32767.0 / 65535), 0, 0, one}},
	} {
		if got := c.f.texel(c.data); got != c.want {
			t.Errorf("%s % x: %08x, want %08x", c.f, c.data, got, c.want)
		}
	}
}

// TestBlocksAtEdges: of blocks that a level cuts the outer texels are left out; each slice begins with
// a block.
func TestBlocksAtEdges(t *testing.T) {
	solid := func(c uint16) []byte { return []byte{byte(c), byte(c >> 8), byte(c), byte(c >> 8), 0, 0, 0, 0} }
	const red, green, blue = 31 << 11, 63 << 5, 31
	var data []byte
	for _, c := range []uint16{red, green, blue, red, green, green, green, green} {
		data = append(data, solid(c)...)
	}
	got := BC1.decode(data, 5, 6, 2)
	colours := map[uint32]byte{0xFF0000FF: 'r', 0xFF00FF00: 'g', 0xFFFF0000: 'b'}
	var s []byte
	for i, w := range got {
		if i%5 == 0 {
			s = append(s, ' ')
		}
		s = append(s, colours[w])
	}
	if want := " rrrrg rrrrg rrrrg rrrrg bbbbr bbbbr ggggg ggggg ggggg ggggg ggggg ggggg"; string(s) != want {
		t.Errorf("%s, want %s", s, want)
	}
	// 5:6:5 bits 3, 17, 13 are promoted to 24, 69, 107, then sRGB is undone
	if got := BC1SRGB.decode(solid(3<<11|17<<5|13), 1, 1, 1); [4]uint32(got) != [4]uint32{srgbDecode[24], srgbDecode[69], srgbDecode[107], math.Float32bits(1)} {
		t.Errorf("sRGB of bytes 24, 69, 107: %08x", got)
	}
}

// TestGeneratedMips: the mean of linear values, and of eight texels of a volume.
func TestGeneratedMips(t *testing.T) {
	black, white := uint32(0xFF000000), uint32(0xFFFFFFFF)
	m := &Image{Width: 2, Height: 2, Format: RGBA8SRGB, Texels: []uint32{black, white, white, black}}
	x, err := m.texture(true)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := [4]uint32(x.Levels[1]), math.Float32bits(0.5); got != [4]uint32{want, want, want, math.Float32bits(1)} {
		t.Errorf("sRGB: %08x", got)
	}
	v := &Image{Dim: ir.Dim3D, Width: 2, Height: 1, Depth: 3, Texels: []uint32{1, 3, 5, 8, 100, 200}}
	if x, err = v.texture(true); err != nil {
		t.Fatal(err)
	}
	// (2*(1+3+5+8) + 4) / 8 = 4; the third slice is left out, as are odd rows and columns
	if len(x.Levels) != 2 || len(x.Levels[1]) != 1 || x.Levels[1][0] != 4 {
		t.Errorf("volume: %d", x.Levels[1:])
	}
	i := &Image{Width: 2, Height: 2, Format: RGBA8UInt, Texels: []uint32{1, 2, 3, 4}}
	if x, err = i.texture(true); err != nil || len(x.Levels) != 1 {
		t.Errorf("integers have %d levels, error %v", len(x.Levels), err)
	}
	var a exec.Arena
	lines := &Image{Dim: ir.Dim2DArray, Width: 4, Height: 1, Layers: 2, Format: R16F,
		Levels: [][]byte{{0, 0x3C, 0, 0x40, 0, 0x44, 0, 0x44, 0, 0, 0, 0, 0, 0, 0, 0}}}
	if x, err = lines.texture(true); err != nil {
		t.Fatal(err)
	}
	if got := x.Levels[1]; len(got) != 4 || got[0] != math.Float32bits(1.5) || got[1] != math.Float32bits(4) || got[2] != 0 {
		t.Errorf("halves: %08x", got)
	}
	if _, err := lines.put(&a, true); err != nil {
		t.Error(err)
	}
}

// TestImageErrors: data that does not fit the measures is told.
func TestImageErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		m    Image
		want string
	}{
		{"texels of bytes", Image{Width: 1, Height: 1, Format: R8, Texels: []uint32{1}}, "image-format: texels of 32 bits are none of format r8"},
		{"few texels", Image{Width: 2, Height: 1, Format: BGRA8, Texels: []uint32{1}}, "image-data: 1 texels, want 2"},
		{"few words", Image{Width: 2, Height: 1, Texels: []uint32{1}}, "texture-data: level 0 has 1 words, want 2"},
		{"few bytes", Image{Width: 5, Height: 4, Format: BC1, Levels: [][]byte{make([]byte, 8)}}, "image-data: level 0 has 8 bytes, want 16"},
		{"no level", Image{Width: 1, Height: 1}, "texture-levels: 0 levels, want 1 to 1"},
		{"oblong cube", Image{Dim: ir.DimCube, Width: 1, Height: 2, Texels: make([]uint32, 12)}, "texture-shape: 2 texels along an axis that has 1"},
	} {
		if _, err := c.m.texture(false); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

// TestSampled: what the state of a sampler takes over from the format.
func TestSampled(t *testing.T) {
	bits := math.Float32bits
	border := [4]uint32{bits(2), bits(-3), bits(0.5), bits(0.25)}
	for _, c := range []struct {
		f    Format
		want ir.SamplerState
	}{
		{RGBA8, ir.SamplerState{Border: [4]uint32{bits(1), 0, bits(0.5), bits(0.25)}, RefBits: 8}},
		{R8SNorm, ir.SamplerState{Format: ir.R32F, Border: [4]uint32{bits(1), 0, 0, bits(1)}, Outside: [4]uint32{3: bits(1)}}},
		{RG32F, ir.SamplerState{Format: ir.RGBA32F, Border: [4]uint32{bits(2), bits(-3), 0, bits(1)}, Outside: [4]uint32{3: bits(1)}}},
		{RG16UInt, ir.SamplerState{Format: ir.RGBA32F, Border: [4]uint32{bits(2), bits(-3), 0, 1}, Outside: [4]uint32{3: 1}}},
		{D24S8, ir.SamplerState{Format: ir.R32F, Border: [4]uint32{bits(1), 0, 0, bits(1)}, Outside: [4]uint32{3: bits(1)}, RefBits: 24}},
		{BC5, ir.SamplerState{Format: ir.RGBA32F, Border: [4]uint32{bits(1), 0, 0, bits(1)}, Outside: [4]uint32{3: bits(1)}}},
		{A8, ir.SamplerState{Border: [4]uint32{0, 0, 0, bits(0.25)}, RefBits: 8}},
	} {
		s := ir.SamplerState{Border: border}
		c.f.sampled(&s, &D3D10)
		if s != c.want {
			t.Errorf("%s: %+v, want %+v", c.f, s, c.want)
		}
	}
	for f, want := range map[Format]uint8{R32F: 6, RG16: 4, RGBA8: 0, B5G6R5: 0, A8: 0, BC5: 4} {
		var s ir.SamplerState
		if f.sampled(&s, &D3D9); s.Ones != want {
			t.Errorf("%s in Direct3D 9: components %b are 1, want %b", f, s.Ones, want)
		}
	}
}
