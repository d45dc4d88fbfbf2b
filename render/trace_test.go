package render

import (
	"testing"

	"swizzle/shaderkit/interp"
	"swizzle/shaderkit/ir"
)

// A trace runs through the passes that decide what is shown: those whose targets are loaded, those that
// are resolved to it, not those of other targets.
func TestTracePasses(t *testing.T) {
	ps := pixelShader([]ir.Element{colour0}, showColour)
	rect1 := draw(ps, rect(0, 0, 64, 64, 0.5, red), State{Depth: LessEqual, DepthWrite: true})
	rect2 := draw(ps, rect(0, 0, 64, 64, 0.5, green), State{Depth: LessEqual, DepthWrite: true})
	target := func(f Format, samples int) *Target {
		return &Target{Format: f, Width: 64, Height: 64, Samples: samples}
	}
	depth, other, samples, shown := target(D32F, 4), target(RGBA8, 1), target(RGBA8, 4), target(RGBA8, 1)
	clear := Clearing(depth, 1, 0, 0, 0)
	r := New(interp.New())
	err := r.Begin([]Pass{
		{Depth: &clear, Draws: []Draw{rect1}},
		{Colors: []Attachment{{Target: other}}, Draws: []Draw{rect1}},
		{Colors: []Attachment{{Target: samples, Resolve: shown}}, Depth: &Attachment{Target: depth, Load: true}, Draws: []Draw{rect1, rect2}},
	})
	if err != nil {
		t.Fatal(err)
	}
	r.DrawTiles(3)
	tr, err := r.Trace(interp.Engine{}, 20, 20, func(int) (vs, ps *ir.Program, err error) { return })
	if err != nil {
		t.Fatal(err)
	}
	var draws []int
	for _, f := range tr.Fragments {
		draws = append(draws, f.Draw)
		if !f.Stored {
			t.Errorf("draw %d is not stored", f.Draw)
		}
	}
	if len(draws) != 3 || draws[0] != 0 || draws[1] != 2 || draws[2] != 3 {
		t.Fatalf("fragments of draws %v, want 0, 2, 3", draws)
	}
	if f := tr.Fragments[2]; f.Before.Colour != redWord || f.After.Colour != greenWord {
		t.Errorf("the last fragment changes %08X to %08X", f.Before.Colour, f.After.Colour)
	}
	if got := r.Image().NRGBAAt(20, 20); got.G != 255 || got.R != 0 {
		t.Errorf("the picture is %v", got)
	}
}
