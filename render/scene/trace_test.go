package scene_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"swizzle/shaderkit/interp"
)

// The law of the debugger: the colour that a trace ends with, converted as NUMERICS.md says, is what
// the picture holds; and so it is for every fragment of the pixel, seen or hidden.
func TestTracedColourIsTheStoredOne(t *testing.T) {
	const size, pixels = 128, 100
	for _, name := range gallery(t) {
		v := load(t, name)
		if _, _, err := v.Draw(0.75, size, size); err != nil {
			t.Fatal(name, err)
		}
		random := rand.New(rand.NewPCG(1, 2))
		checked, stored := 0, 0
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
					want = convert(f.Colour)
					stored++
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
		if stored < pixels/2 {
			t.Errorf("%s: only %d fragments were stored", name, stored)
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
