package render

import (
	"math"
	"testing"

	"swizzle/internal/jittest"
	"swizzle/shaderkit/exec"
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

// The value that a trace gives is that of the pixel, also where a frame feeds on the one before: what it
// loads, and what it reads as a texture while it draws into it.
func TestTraceFeedback(t *testing.T) {
	grow := pixelShader([]ir.Element{texCoord}, func(b *ir.Builder, in []ir.Reg) []ir.Reg {
		s := b.F(1.0 / 64)
		c := b.EmitN(ir.Sample, ir.SampleImm(0, ir.SampleImplicit), b.Emit(ir.FMul, 0, in[0], s), b.Emit(ir.FMul, 0, in[1], s), b.F(0))
		return []ir.Reg{b.Emit(ir.FAdd, 0, c[0], b.F(0.125)), c[1], c[2], b.F(1)}
	})
	grow.Interface.Resources = []ir.Resource{{Name: "s0", Kind: ir.Texture}}
	for _, e := range []exec.Engine{interp.New(), jittest.New(t)} {
		for _, load := range []bool{false, true} {
			target := &Target{Format: RGBA32F, Width: 64, Height: 64}
			d := draw(grow, rect(0, 0, 64, 64, 0, red), State{Depth: Always, Blend: AllTargets(BlendAdd)})
			d.Pixel.Textures = map[string]Texture{"s0": {Image: TargetImage(target)}}
			r := New(e)
			var before uint32
			for range 4 {
				before = 0
				if load {
					before = r.Texel(target, 20, 30, 0)[0]
				}
				if err := r.Begin([]Pass{{Colors: []Attachment{{Target: target, Load: load}}, Draws: []Draw{d}}}); err != nil {
					t.Fatal(err)
				}
				r.DrawTiles(1)
			}
			tr, err := r.Trace(interp.Engine{}, 20, 30, func(int) (vs, ps *ir.Program, err error) { return })
			if err != nil || len(tr.Fragments) != 1 {
				t.Fatal(err)
			}
			f, now := tr.Fragments[0], r.Texel(target, 20, 30, 0)[0]
			if f.Before.Colour != before || f.After.Colour != now {
				t.Errorf("%s, load %t: from %08X to %08X, want %08X to %08X", e.Name(), load, f.Before.Colour, f.After.Colour, before, now)
			}
			want := map[bool]float32{false: 0.5, true: 1.875}[load] // n/8; 2^n - 1 eighths
			if math.Float32frombits(now) != want {
				t.Errorf("%s, load %t: the pixel is %v, want %v", e.Name(), load, math.Float32frombits(now), want)
			}
		}
	}
}
