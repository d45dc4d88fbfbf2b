package browsertest

import (
	"testing"

	"swizzle/render/scene"
	"swizzle/shaderkit/ir"
)

// tinted is a quad with a checkerboard under a pixel shader that tints it.
const tinted = `ps_2_0
dcl t0.xy
dcl_2d s0
texld r0, t0, s0    // the texel
mul r0, r0, c0      // tinted
mov oC0, r0
`

// link gives the address of a scene with the pixel shader text.
func link(t testing.TB, text string) string {
	t.Helper()
	s := scene.Default(ir.Pixel, "ps.asm", []byte(text))
	d := s.First()
	d.Mesh = "quad"
	d.PSConstants = []scene.Binding{
		{To: "c0", Value: []float64{1, 0.5, 0.25, 1}, Rows: 4, Max: 1, Label: "Tint", Color: true},
		{To: "i0", Value: []float64{255, 0, 0, 0}, Rows: 4, Max: 255},
	}
	return scene.Link(s)
}
