package scene_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"swizzle/render/scene"
	"swizzle/shaderkit/interp"
)

// stored reports whether colours go into the target as the shaders give them.
func stored(s *scene.Scene) bool {
	for _, p := range s.Passes {
		for _, d := range p.Draws {
			if d.Blend != "off" || d.SRGBWrite || d.Fog.Mode != "off" {
				return false
			}
		}
	}
	return true
}

// The law of the debugger: the colour that a trace ends with, converted as NUMERICS.md says, is what
// the picture holds; and so it is for every fragment of the pixel, seen or hidden.
func TestTracedColourIsTheStoredOne(t *testing.T) {
	const size, pixels = 128, 100
	for _, name := range gallery(t) {
		s := parse(t, name)
		if s.Samples > 1 {
			continue // the picture is the mean of the samples, the trace is of the first
		}
		v, plain := load(t, name), stored(s)
		if _, _, err := v.Draw(0.75, size, size); err != nil {
			t.Fatal(name, err)
		}
		random := rand.New(rand.NewPCG(1, 2))
		checked, reached := 0, 0
		for n := 0; checked < pixels; n++ {
			x, y := random.IntN(size), random.IntN(size)
			if _, z := v.Pixel(x, y); z == clearDepth && n%8 != 0 {
				continue // few of the pixels that nothing was drawn on
			}
			checked++
			tr, err := v.Trace(interp.Engine{}, x, y)
			if err != nil {
				t.Fatal(name, err)
			}
			colour, _ := v.Pixel(x, y)
			want := tr.Clear
			for _, f := range tr.Fragments {
				if f.Before.Colour != want {
					t.Errorf("%s (%d, %d): a fragment begins with %08X, the one before left %08X", name, x, y, f.Before.Colour, want)
				}
				if f.Stored && f.HasColour {
					if want = convert(f.Colour); !plain {
						want = f.After.Colour // of what it is blended with; the picture is compared below
					}
					reached++
				}
				if f.After.Colour != want {
					t.Errorf("%s (%d, %d): %08X is stored, the traced value is %08X", name, x, y, f.After.Colour, want)
				}
				if f.Stored && f.After.Depth != f.Depth {
					t.Errorf("%s (%d, %d): depth %08X is stored, traced is %08X", name, x, y, f.After.Depth, f.Depth)
				}
				for _, c := range f.Vertices {
					if len(c.Wave.Writes) == 0 && c.Program.Traced != nil {
						t.Errorf("%s (%d, %d): no writes of vertex %d", name, x, y, c.Index)
					}
				}
			}
			if colour != want {
				t.Errorf("%s (%d, %d): the picture holds %08X, the trace ends with %08X", name, x, y, colour, want)
			}
		}
		if reached < pixels/2 {
			t.Errorf("%s: only %d fragments were stored", name, reached)
		}
	}
}

const clearDepth = 0x3F800000 // 1

// convert is the conversion of NUMERICS.md without blending.
func convert(bits [4]uint32) (word uint32) {
	for k, b := range bits {
		c := math.Float32frombits(b)
		switch {
		case c != c || c < 0:
			c = 0
		case c > 1:
			c = 1
		}
		scaled := float32(c * 255)
		word |= uint32(float32(scaled+0.5)) << (8 * k)
	}
	return
}
