package render

import (
	"testing"

	"swizzle/internal/jittest"
	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/interp"
)

// BenchmarkOutput fills 512x512 pixels with a colour: what the output merger takes by itself.
func BenchmarkOutput(b *testing.B) {
	plain := State{Depth: Always}
	stencil := State{Depth: LessEqual, DepthWrite: true, Stencil: Stencil{On: true,
		Front: StencilFace{Func: Always, Pass: StencilIncr, Read: 0xFF, Write: 0xFF}}}
	stencil.Stencil.Back = stencil.Stencil.Front
	with := func(s State, change func(*State)) State {
		change(&s)
		return s
	}
	for _, c := range []struct {
		name    string
		format  Format
		samples int
		depth   Format
		state   State
	}{
		{"fill", RGBA8, 1, NoFormat, plain},
		{"alpha", RGBA8, 1, NoFormat, with(plain, func(s *State) { s.Blend = AllTargets(BlendAlpha) })},
		{"add", RGBA8, 1, NoFormat, with(plain, func(s *State) { s.Blend = AllTargets(BlendAdd) })},
		{"bgra8", BGRA8, 1, NoFormat, plain},
		{"srgb", RGBA8SRGB, 1, NoFormat, plain},
		{"srgb-alpha", RGBA8SRGB, 1, NoFormat, with(plain, func(s *State) { s.Blend = AllTargets(BlendAlpha) })},
		{"rgb10a2", RGB10A2, 1, NoFormat, plain},
		{"rgba16f", RGBA16F, 1, NoFormat, plain},
		{"rgba16f-alpha", RGBA16F, 1, NoFormat, with(plain, func(s *State) { s.Blend = AllTargets(BlendAlpha) })},
		{"rgba32f", RGBA32F, 1, NoFormat, plain},
		{"d32f", RGBA8, 1, D32F, DefaultState},
		{"d16", RGBA8, 1, D16, DefaultState},
		{"d24s8", RGBA8, 1, D24S8, DefaultState},
		{"stencil", RGBA8, 1, D24S8, stencil},
		{"samples", RGBA8, 4, D32F, DefaultState},
	} {
		for _, e := range []exec.Engine{interp.New(), jittest.New(b)} {
			b.Run(c.name+"/"+e.Name(), func(b *testing.B) {
				const size = 512
				colour := &Target{Format: c.format, Width: size, Height: size, Samples: c.samples}
				d := solid{colors: []Vec{FloatVec(0.25, 0.5, 0.75, 0.5)}}
				pass := Pass{Colors: []Attachment{{Target: colour, Load: true}}}
				if c.depth != NoFormat {
					pass.Depth = &Attachment{Target: &Target{Format: c.depth, Width: size, Height: size, Samples: c.samples}, Clear: FloatVec(1, 0, 0, 0)}
				}
				pass.Draws = []Draw{{Vertex: Stage{Float: identity}, Pixel: Stage{Shader: d.program(), Float: d.colors},
					Mesh: pixelRect([4]float32{0, 0, size, size}, 0.5, size, size), State: c.state}}
				r := New(e)
				for b.Loop() {
					if err := r.Begin([]Pass{pass}); err != nil {
						b.Fatal(err)
					}
					r.DrawTiles(1 << 30)
				}
				b.ReportMetric(b.Elapsed().Seconds()*1e9/size/size/float64(b.N), "ns/pixel")
			})
		}
	}
}
