package render

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"testing"

	"swizzle/internal/jittest"
	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/interp"
	"swizzle/shaderkit/ir"
)

// The image of a target has the texels, mip levels included, of an image that holds the same bytes.
func TestTargetImages(t *testing.T) {
	const w, h = 13, 70 // two tiles
	in := []ir.Element{texCoord}
	ps := pixelShader(in, func(b *ir.Builder, in []ir.Reg) []ir.Reg {
		s, c := b.F(1.0/64), b.F(0.25)
		x, y := b.Emit(ir.FMul, 0, in[0], s), b.Emit(ir.FMul, 0, in[1], s)
		return []ir.Reg{b.Emit(ir.FSub, 0, x, c), y, b.Emit(ir.FMul, 0, x, y), b.Emit(ir.FSub, 0, y, x)}
	})
	reader := pixelShader(in, func(b *ir.Builder, in []ir.Reg) []ir.Reg {
		return b.EmitN(ir.Sample, ir.SampleImm(0, ir.SampleImplicit), in[0], in[1], b.F(0))
	})
	reader.Interface.Resources = []ir.Resource{{Name: "s0", Kind: ir.Texture}}
	for _, e := range []exec.Engine{interp.New(), jittest.New(t)} {
		r := New(e)
		for f := range numFormats {
			row := f.row()
			if row.words == 0 || f == D24S8 || f == D32FS8 { // files of these hold the stencil elsewhere
				continue
			}
			t.Run(fmt.Sprintf("%s/%s", e.Name(), f), func(t *testing.T) {
				target := &Target{Format: f, Width: w, Height: h}
				picture := &Target{Format: RGBA8, Width: w, Height: h}
				m := TargetImage(target)
				second := Draw{Vertex: Stage{Float: identity}, Pixel: Stage{Shader: reader}, Mesh: pixelRect([4]float32{0, 0, w, h}, 0, w, h), State: flatState}
				second.Pixel.Textures = map[string]Texture{"s0": {Image: m, Sampler: ir.SamplerState{Mip: ir.MipLinear}}}
				first := Pass{Draws: []Draw{{Vertex: Stage{Float: identity}, Pixel: Stage{Shader: ps}, Mesh: pixelRect([4]float32{0, 0, w, h}, 0.4, w, h), State: State{Depth: LessEqual, DepthWrite: true}}}}
				a := Clearing(target, 1, 0, 0, 0)
				if f.IsDepth() {
					first.Depth = &a
				} else {
					first.Colors = []Attachment{a}
				}
				if err := r.Begin([]Pass{first, {Colors: []Attachment{{Target: picture}}, Draws: []Draw{second}}}); err != nil {
					t.Fatal(err)
				}
				r.DrawTiles(1 << 30)

				same := &Image{Width: w, Height: h, Format: f, Levels: make([][]byte, 1)}
				for y := range h {
					for x := range w {
						words := r.Texel(target, x, y, 0)
						var pixel []byte
						for _, word := range words {
							pixel = binary.LittleEndian.AppendUint32(pixel, word)
						}
						same.Levels[0] = append(same.Levels[0], pixel[:row.bytes]...)
					}
				}
				want, err := same.texture(true)
				if err != nil {
					t.Fatal(err)
				}
				rec := r.images[imageKey{m, true}]
				if int(rec[exec.RecLevels]) != len(want.Levels) {
					t.Fatalf("%d levels, want %d", rec[exec.RecLevels], len(want.Levels))
				}
				at := rec[exec.RecBase]
				for l, texels := range want.Levels {
					r.memory.Fetch(&r.arena, at, len(texels))
					got := slices.Clone(r.arena.Words(at, len(texels)))
					at += uint32(4 * len(texels))
					for i := range texels {
						if got[i] != texels[i] {
							t.Fatalf("level %d, word %d is %08X (%v), want %08X (%v)", l, i, got[i], math.Float32frombits(got[i]), texels[i], math.Float32frombits(texels[i]))
						}
					}
				}
			})
		}
	}
}
