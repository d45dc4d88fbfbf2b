package scene_test

import (
	"bytes"
	"image"
	"image/color"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"swizzle/internal/jittest"
	"swizzle/render/scene"
	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/interp"
)

// The left half of the picture and all of it; what the modes show at three places is derived beside each.
const modeScene = `-- scene.json --
{"version": 1, "size": [16, 16], "camera": {"flat": true}, "clear": [0, 0, 0, 1], "passes": [{"draws": [
  {"mesh": "quad", "scale": [0.5, 0.5, 1], "ps": "colour.asm", "depth": "DEPTH", "psConstants": [{"to": "c0", "value": [1, 0, 0, 1]}]},
  {"mesh": "quad", "scale": [0.5, 0.5, 1], "ps": "colour.asm", "depth": "DEPTH", "psConstants": [{"to": "c0", "value": [1, 0, 0, 1]}]},
  {"mesh": "quad", "ps": "PS", "depth": "DEPTH", "psConstants": [{"to": "c0", "value": VALUE}, {"to": "i0", "value": [COUNT, 0, 1, 0]}]}]}]}
-- colour.asm --
ps_2_0
mov oC0, c0
-- kill.asm --
ps_2_0
dcl t0
def c1, 0.5, 0.5, 0.5, 0
sub r0, t0.x, c1.x
texkill r0
mov oC0, c0
-- loop.asm --
ps_3_0
mov r0, c0
rep i0
add r0, r0, c0
endrep
mov oC0, r0
-- overflow.asm --
ps_2_0
def c1, 1e30, 0, 0, 0
mul r0, c0, c1.x
mul r0, r0, c1.x
mov oC0, r0
-- notanumber.asm --
ps_2_0
def c1, 1e30, 0, 0, 0
mul r0, c0, c1.x
mul r0, r0, c1.x
sub r0, r0, r0
mov oC0, r0
`

// A play is the scene with its words filled in, in a mode.
func play(t *testing.T, e exec.Engine, mode string, with ...string) (*scene.View, *image.NRGBA) {
	t.Helper()
	text := strings.NewReplacer(append(with, "DEPTH", "always", "PS", "colour.asm", "VALUE", "[1, 1, 1, 1]", "COUNT", "3")...).Replace(modeScene)
	s, err := scene.Parse([]byte(text))
	if err != nil {
		t.Fatal(scene.Explain(err, "", text, nil))
	}
	v := scene.NewView(e)
	if err := v.Load(s, scene.Compile); err != nil {
		t.Fatal(scene.Explain(err, "", text, s))
	}
	m, err := scene.ModeByName(mode)
	if err != nil {
		t.Fatal(err)
	}
	v.SetMode(m)
	p, _, err := v.Draw(0, 16, 16)
	if err != nil {
		t.Fatal(err)
	}
	return v, p
}

func TestOverdraw(t *testing.T) {
	for name, e := range engines(t) {
		// The range is 0 to 4 at least; three of four lie 3/4 on the way from the fourth colour to the fifth.
		// Three quads one over the other in the middle, one at the edge; each runs once a pixel.
		v, m := play(t, e, scene.Overdraw)
		if got := v.Range(); got.Max != 4 || m.NRGBAAt(8, 8) != (color.NRGBA{250, 144, 94, 0xFF}) || m.NRGBAAt(1, 1) == m.NRGBAAt(8, 8) {
			t.Errorf("%s: range %+v, middle %v, edge %v", name, got, m.NRGBAAt(8, 8), m.NRGBAAt(1, 1))
		}
		// By "less" only the first of the three runs at the middle: the depths are the same.
		if v, m := play(t, e, scene.Overdraw, "DEPTH", "less"); v.Range().Max != 4 || m.NRGBAAt(8, 8) != m.NRGBAAt(1, 1) {
			t.Errorf("%s: less: range %+v", name, v.Range())
		}
		// A shader that ends pixels runs its depth test late: all three run, the last reaches a half of 16x16.
		v, _ = play(t, e, scene.Picture, "PS", "kill.asm")
		c, err := v.Count(0, 16, 16)
		if want := uint64(16*16 + 2*8*8); err != nil || c.Runs != want || c.Killed != 16*16/2 {
			t.Errorf("%s: %+v, want %d runs and %d killed", name, c, want, 16*16/2)
		}
	}
}

// Each trip through a loop takes the same number of operations, and both engines count the same.
func TestCost(t *testing.T) {
	var counts [][]uint64
	for name, e := range engines(t) {
		var ops []uint64
		for _, n := range []string{"0", "1", "5", "25"} {
			v, _ := play(t, e, scene.Picture, "PS", "loop.asm", "COUNT", n)
			c, err := v.Count(0, 16, 16)
			if err != nil {
				t.Fatal(err)
			}
			ops = append(ops, c.Ops)
		}
		trip := ops[1] - ops[0]
		if trip < 4*16*16 || ops[2]-ops[1] != 4*trip || ops[3]-ops[2] != 20*trip {
			t.Errorf("%s: %v operations with 0, 1, 5 and 25 trips: want steps of %d", name, ops, trip)
		}
		counts = append(counts, ops)
	}
	if !slices.Equal(counts[0], counts[1]) {
		t.Errorf("the engines count %v", counts)
	}
}

func TestNonFinite(t *testing.T) {
	for name, e := range engines(t) {
		for _, c := range []struct {
			ps, value string
			want      color.NRGBA
		}{
			{"colour.asm", "[1, 1, 1, 1]", color.NRGBA{85, 85, 85, 255}}, // white at a third
			{"overflow.asm", "[1, 1, 1, 1]", color.NRGBA{255, 220, 0, 255}},
			{"notanumber.asm", "[1, 1, 1, 1]", color.NRGBA{255, 0, 255, 255}},
		} {
			_, m := play(t, e, scene.NonFinite, "PS", c.ps, "VALUE", c.value)
			if got := m.NRGBAAt(8, 8); got != c.want {
				t.Errorf("%s, %s: %v, want %v", name, c.ps, got, c.want)
			}
		}
	}
}

// The quad's texture coordinates run from 0 to 1 over it: the pixel's number over 16, with D3D9's centres.
func TestVarying(t *testing.T) {
	for name, e := range engines(t) {
		v, m := play(t, e, "varying:TEXCOORD0", "PS", "kill.asm")
		// Where the partner of colour.asm gives no texture coordinate it is 0; the last quad covers all.
		got := v.Range()
		if got.Min != 0 || got.Max < 0.9 || got.Max > 1 || got.Of == "" {
			t.Errorf("%s: range %+v", name, got)
		}
		left, right := m.NRGBAAt(1, 8), m.NRGBAAt(14, 8)
		if left.R > 40 || right.R < 200 || left.G != right.G || left.A != 255 {
			t.Errorf("%s: left %v, right %v", name, left, right)
		}
		if want := []string{"picture", "wireframe", "depth", "overdraw", "cost", "nonfinite", "varying:TEXCOORD0"}; !slices.Equal(v.Modes(), want) {
			t.Errorf("%s: modes %q, want %q", name, v.Modes(), want)
		}
	}
}

// All modes of all examples are the same on both engines, show something, and leave the picture as it was.
func TestModesOfExamples(t *testing.T) {
	both := []exec.Engine{interp.New(), jittest.New(t)}
	for _, file := range gallery(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			s := parse(t, file)
			var views [2]*scene.View
			for i, e := range both {
				views[i] = scene.NewView(e)
				if err := views[i].Load(s, scene.Compile); err != nil {
					t.Fatal(err)
				}
			}
			before, _, err := views[0].Draw(1, 96, 64)
			if err != nil {
				t.Fatal(err)
			}
			want := slices.Clone(before.Pix)
			for _, name := range views[0].Modes() {
				m, err := scene.ModeByName(name)
				if err != nil {
					t.Fatal(err)
				}
				var pix [2][]byte
				var span [2]scene.Range
				for i, v := range views {
					v.SetMode(m)
					p, _, err := v.Draw(1, 96, 64)
					if err != nil {
						t.Fatal(name, err)
					}
					pix[i], span[i] = slices.Clone(p.Pix), v.Range()
				}
				if !bytes.Equal(pix[0], pix[1]) || span[0] != span[1] {
					t.Errorf("%s: the engines differ: %+v", name, span)
				}
				if name != scene.Picture && bytes.Equal(pix[0], want) {
					t.Errorf("%s shows the picture", name)
				}
			}
			views[0].SetMode(scene.Mode{})
			if after, _, err := views[0].Draw(1, 96, 64); err != nil || !bytes.Equal(after.Pix, want) {
				t.Errorf("the picture is another one behind the modes: %v", err)
			}
		})
	}
}

func TestModeNames(t *testing.T) {
	for _, name := range []string{"", "heat", "varying:", "varying:7", "Picture"} {
		if _, err := scene.ModeByName(name); err == nil {
			t.Errorf("%q is taken", name)
		}
	}
	for _, name := range []string{"picture", "varying:TEXCOORD12", "varying:COLOR"} {
		if m, err := scene.ModeByName(name); err != nil || m.String() != name {
			t.Errorf("%q: %v", name, err)
		}
	}
}
