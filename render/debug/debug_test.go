package debug_test

import (
	"math"
	"os"
	"strings"
	"testing"

	"swizzle/render"
	"swizzle/render/debug"
	"swizzle/render/scene"
	"swizzle/shaderkit/interp"
	"swizzle/shaderkit/ir"
)

func trace(t *testing.T, change func(*scene.Scene), x, y int) *render.Trace {
	t.Helper()
	data, err := os.ReadFile("../../static/examples/orange-quad.txtar")
	if err != nil {
		t.Fatal(err)
	}
	s, err := scene.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(s)
	}
	v := scene.NewView(interp.New())
	if err := v.Load(s, scene.Compile); err != nil {
		t.Fatal(err)
	}
	if _, _, err := v.Draw(0, 64, 64); err != nil {
		t.Fatal(err)
	}
	tr, err := v.Trace(interp.Engine{}, x, y)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// The first-minute scene, instruction by instruction: texld, mul, mov.
func TestSteps(t *testing.T) {
	tr := trace(t, nil, 8, 8)
	if len(tr.Fragments) != 1 {
		t.Fatalf("%d fragments", len(tr.Fragments))
	}
	f := &tr.Fragments[0]
	var names []string
	var last [4]float32
	for _, s := range debug.Steps(f.Program, &f.Wave) {
		if s.From < 0 {
			continue
		}
		for _, w := range s.Writes {
			names = append(names, w.Name)
			if w.Mask != 15 {
				t.Errorf("%s: mask %d", w.Name, w.Mask)
			}
			for k := range last {
				last[k] = math.Float32frombits(w.New[f.Wave.Pick][k])
			}
		}
	}
	if got := strings.Join(names, " "); got != "r0 r0 oC0" {
		t.Errorf("registers written: %s", got)
	}
	// A light square of the checkerboard, 0.92 in bytes, times the tint.
	light := float32(235) / 255
	for k, tint := range []float32{1, 0.5, 0.2, 1} {
		want := light * tint
		if k == 3 {
			want = 1
		}
		if last[k] != want || math.Float32frombits(f.Colour[k]) != want {
			t.Errorf("component %d of oC0 is %v, of the fragment %v, want %v", k, last[k], math.Float32frombits(f.Colour[k]), want)
		}
	}
}

func TestWhy(t *testing.T) {
	shader := func(text string) func(*scene.Scene) {
		return func(s *scene.Scene) { s.SetFile("quad.asm", []byte(text)) }
	}
	for _, c := range []struct {
		name   string
		change func(*scene.Scene)
		x, y   int
		want   string
	}{
		{"beside the quad", nil, 0, 0, "no triangle covers the pixel: it has the clear colour"},
		{"seen", nil, 8, 8, "draw 0, triangle 0: stored"},
		{"depth", func(s *scene.Scene) { s.First().Depth = "greater" }, 8, 8, "draw 0, triangle 0: the depth test failed: 0 against 1"},
		{"killed", shader("ps_2_0\ndef c0, -1, 0, 0, 0\nmov r0, c0.x\ntexkill r0\nmov oC0, r0\n"), 8, 8, "draw 0, triangle 0: the shader ended the pixel"},
		{"black", shader("ps_2_0\ndef c0, 0, 0, 0, 1\nmov r0, c0\nmov oC0, r0\n"), 8, 8, "the shader's colour is black"},
		{"too bright", shader("ps_2_0\ndef c0, 2, 0, 0, 1\nmov r0, c0\nmov oC0, r0\n"), 8, 8, "red is 2 and stored as 1"},
	} {
		got := strings.Join(debug.Why(trace(t, c.change, c.x, c.y)), "\n")
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q in it", c.name, got, c.want)
		}
	}
}

// Which test ended a pixel.
func TestFatesOfTests(t *testing.T) {
	b := ir.NewBuilder("main", nil, ir.C32s(4))
	ps := &ir.Program{Name: "grey", Interface: ir.Interface{Stage: ir.Pixel,
		Outputs: []ir.Element{{Register: "oC0", Mask: 15, System: ir.Target}}}}
	grey := b.F(0.5)
	ps.Funcs = []*ir.Func{b.Finish(grey, grey, grey, grey)}
	for _, c := range []struct {
		state render.State
		want  string
	}{
		{render.State{Depth: render.Always}, "stored"},
		{render.State{Depth: render.Always, AlphaTest: true, AlphaFunc: render.Greater, AlphaRef: 0.75}, "the alpha test failed: 0.5 against 0.75"},
		{render.State{Depth: render.Greater}, "the depth test failed: 0 against 1"},
		{render.State{Depth: render.Greater, Stencil: render.Stencil{On: true, Front: render.StencilFace{Func: render.Equal, Ref: 3, Read: 0xFF}}}, "the stencil test failed where 7 is stored"},
	} {
		colour, depth := &render.Target{Format: render.RGBA8, Width: 8, Height: 8}, &render.Target{Format: render.D24S8, Width: 8, Height: 8}
		r := render.New(interp.New())
		d := render.Draw{Pixel: render.Stage{Shader: ps}, Mesh: render.NewMesh("quad", 1), State: c.state}
		d.Vertex.Float = []render.Vec{render.FloatVec(1, 0, 0, 0), render.FloatVec(0, 1, 0, 0), render.FloatVec(0, 0, 0, 0), render.FloatVec(0, 0, 0, 1)}
		a := render.Clearing(depth, 1, 0, 0, 0)
		a.Clear[1] = 7
		if err := r.Begin([]render.Pass{{Colors: []render.Attachment{{Target: colour}}, Depth: &a, Draws: []render.Draw{d}}}); err != nil {
			t.Fatal(err)
		}
		r.DrawTiles(1)
		tr, err := r.Trace(interp.Engine{}, 4, 4, func(int) (vs, ps *ir.Program, err error) { return })
		if err != nil || len(tr.Fragments) != 1 {
			t.Fatal(err, len(tr.Fragments))
		}
		if got := debug.Fate(&tr.Fragments[0]); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
