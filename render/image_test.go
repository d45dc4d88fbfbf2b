package render

import (
	"math"
	"testing"

	"swizzle/shaderkit/ir"
)

// TestImagesInDraws: a draw reads an image where the shape of the resource fits, through the format's
// part of the sampler state, and the unbound colour where not.
func TestImagesInDraws(t *testing.T) {
	bits := math.Float32bits
	volume := &Image{Dim: ir.Dim3D, Width: 1, Height: 1, Depth: 2, Texels: []uint32{0xFF0000FF, 0xFF00FF00}}
	cube := NewImage(1, 1, true)
	copy(cube.Texels, []uint32{1, 2, 3, 4, 5, 0xFF0000FF})
	depth := &Image{Width: 1, Height: 1, Format: D32F, Levels: [][]byte{{0, 0, 0, 0x3F}}} // 0.5
	layers := &Image{Dim: ir.Dim2DArray, Width: 1, Height: 1, Layers: 2, Format: R8, Levels: [][]byte{{0, 51}}}
	line := &Image{Width: 2, Height: 1, Texels: []uint32{0, 0xFFFFFFFF}}
	for _, c := range []struct {
		name    string
		image   *Image
		dim     ir.Dim
		sampler ir.SamplerState
		at      [4]float32 // x, y, z, layer
		want    uint32
	}{
		{"volume", volume, ir.Dim3D, ir.SamplerState{}, [4]float32{0, 0, 0.75}, 0xFF00FF00},
		{"cube", cube, ir.DimCube, ir.SamplerState{}, [4]float32{0, 0, -1}, 0xFF0000FF},
		{"layer", layers, ir.Dim2DArray, ir.SamplerState{}, [4]float32{0, 0, 0, 1}, 0xFFFFFF33},
		{"a picture as a line", line, ir.Dim1D, ir.SamplerState{}, [4]float32{0.75, 9, 9}, 0xFFFFFFFF},
		{"depth compared with z", depth, ir.Dim2D, ir.SamplerState{Compare: ir.Less, CompareZ: true}, [4]float32{0, 0, 0.25}, 0xFFFFFFFF},
		{"border of a format without alpha", layers, ir.Dim2DArray, ir.SamplerState{U: ir.Border, Border: [4]uint32{bits(0.4), bits(1), bits(1), 0}}, [4]float32{5}, 0xFFFFFF66},
		{"another shape", volume, ir.Dim2D, ir.SamplerState{}, [4]float32{}, 0xFF000000},
		{"a cube is no picture", cube, ir.Dim2D, ir.SamplerState{}, [4]float32{}, 0xFF000000},
	} {
		ps := pixelShader(nil, func(b *ir.Builder, _ []ir.Reg) []ir.Reg {
			site := ir.SampleSite{Kind: ir.SampleLevel, Layer: c.dim.Array()}
			args := []ir.Reg{b.F(c.at[0]), b.F(c.at[1]), b.F(c.at[2])}
			if site.Layer {
				args = append(args, b.F(c.at[3]))
			}
			return b.EmitN(ir.Sample, site.Imm(), append(args, b.F(0))...)
		})
		ps.Interface.Resources = []ir.Resource{{Name: "s0", Kind: ir.Texture, Dim: c.dim}}
		d := draw(ps, rect(0, 0, 64, 64, 0, [4]float32{}), flatState)
		d.Pixel.Textures = map[string]Texture{"s0": {Image: c.image, Sampler: c.sampler}}
		r := render(t, d)
		if got, _ := r.Pixel(3, 3); got != c.want {
			t.Errorf("%s: %08X, want %08X", c.name, got, c.want)
		}
	}
	// what cannot be bound is told when the frame begins
	ps := pixelShader(nil, func(b *ir.Builder, _ []ir.Reg) []ir.Reg {
		return b.EmitN(ir.Sample, ir.SampleImm(0, ir.SampleLevel), b.F(0), b.F(0), b.F(0), b.F(0))
	})
	ps.Interface.Resources = []ir.Resource{{Name: "s0", Kind: ir.Texture}}
	d := draw(ps, rect(0, 0, 8, 8, 0, [4]float32{}), flatState)
	d.Pixel.Textures = map[string]Texture{"s0": {Image: &Image{Width: 2, Height: 2, Format: BC1, Levels: [][]byte{{1}}}}}
	if err := New(nil).BeginPicture(8, 8, [4]float32{}, []Draw{d}); err == nil || err.Error() != "image-data: level 0 has 1 bytes, want 8" {
		t.Errorf("a short image: %v", err)
	}
}
