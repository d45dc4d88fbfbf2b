package scene_test

import (
	"fmt"
	"image/color"
	"slices"
	"strings"
	"testing"

	"swizzle/internal/jittest"
	"swizzle/render/scene"
	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/interp"
)

// engines are what every behaviour is tested on.
func engines(t *testing.T) map[string]exec.Engine {
	return map[string]exec.Engine{"interp": interp.New(), "jit": jittest.New(t)}
}

// Shaders of the scenes below: a colour from c0, two targets, the time.
const members = `-- read.asm --
ps_2_0
dcl t0.xy
dcl_2d s0
texld r0, t0, s0
add r0, r0, r0
mov oC0, r0
-- depth.asm --
ps_2_0
dcl t0.xy
dcl_2d s0
texld r0, t0, s0
mov oC0, r0.x
-- colour.asm --
ps_2_0
mov oC0, c0
-- two.asm --
ps_2_0
def c0, 1, 0, 0, 1
def c1, 0, 0.2, 0.4, 1
mov oC0, c0
mov oC1, c1
`

// A scene of several passes, on a picture of 8x8; the colours are those at its middle.
var passCases = []struct {
	what, json string
	want       color.NRGBA
}{{
	"the second target of a pass is the picture",
	`"targets": {"a": {}}, "passes": [{"colors": [{"target": "a"}, {}], "draws": [{"ps": "two.asm"}]}]`,
	color.NRGBA{0, 51, 102, 255},
}, {
	"a pass that does not load clears to the scene's colour",
	`"clear": [0, 1, 0, 1], "passes": [{"draws": [{"ps": "colour.asm"}]}, {}]`,
	color.NRGBA{0, 255, 0, 255},
}, {
	"or to its own",
	`"clear": [0, 1, 0, 1], "passes": [{"draws": [{"ps": "colour.asm"}]}, {"colors": [{"clear": [0.2, 0.4, 0.6]}]}]`,
	color.NRGBA{51, 102, 153, 255},
}, {
	"a pass that loads draws over what was there",
	`"passes": [{"draws": [RED]}, {"colors": [{"load": true}], "draws": [{"ps": "colour.asm", "outputs": [{"blend": "add", "write": "gb"}],
	  "psConstants": [{"to": "c0", "value": [0.2, 0.4, 0.6, 1]}]}]}]`,
	color.NRGBA{255, 102, 153, 255},
}, {
	"an equation of blending: 0.4 * factor - picture * (1 - factor)",
	`"clear": [0.5, 0.5, 0.5, 1], "passes": [{"draws": [{"ps": "colour.asm", "psConstants": [{"to": "c0", "value": [0.4, 0.4, 0.4, 1]}],
	  "blendFactor": [1, 0.5, 0.75, 1], "outputs": [{"src": "blendfactor", "op": "subtract", "dst": "invblendfactor", "srcAlpha": "one", "opAlpha": "add", "dstAlpha": "zero"}]}]}]`,
	color.NRGBA{102, 0, 45, 255}, // 0.4*0.75 - 128/255*0.25 = 0.1745
}, {
	"a stencil that the first draw writes lets the second through where it is equal",
	`"targets": {"z": {"format": "d24s8"}}, "passes": [{"colors": [{}], "depth": {"target": "z", "clear": [1, 7]}, "draws": [
	  {"ps": "colour.asm", "depth": "always", "stencil": {"on": true, "front": {"func": "equal", "ref": 7, "pass": "incr"}}, "psConstants": [{"to": "c0", "value": [0, 0, 1, 1]}]},
	  {"ps": "colour.asm", "depth": "always", "stencil": {"on": true, "front": {"func": "equal", "ref": 7}}, "psConstants": [{"to": "c0", "value": [1, 0, 0, 1]}]},
	  {"ps": "colour.asm", "depth": "always", "stencil": {"on": true, "front": {"func": "equal", "ref": 8}}, "psConstants": [{"to": "c0", "value": [0, 1, 0, 1]}], "outputs": [{"write": "g"}]}]}]`,
	color.NRGBA{0, 255, 255, 255},
}, {
	"a pass without a depth buffer passes every test",
	`"passes": [{"depth": {"target": "none"}, "draws": [{"ps": "colour.asm", "depth": "never", "psConstants": [{"to": "c0", "value": [0, 1, 1, 1]}]}]}]`,
	color.NRGBA{0, 255, 255, 255},
}, {
	"a depth buffer that the first pass filled keeps the second from drawing",
	`"passes": [{"draws": [RED]}, {"colors": [{"load": true}], "depth": {"load": true}, "draws": [
	  {"ps": "colour.asm", "depth": "less", "psConstants": [{"to": "c0", "value": [0, 1, 0, 1]}]}]}]`,
	color.NRGBA{255, 0, 0, 255},
}, {
	"the alpha test ends pixels",
	`"clear": [0, 0, 1, 1], "passes": [{"draws": [{"ps": "colour.asm", "alphaTest": "greater", "alphaRef": 0.5, "psConstants": [{"to": "c0", "value": [0, 1, 0, 0.5]}]}]}]`,
	color.NRGBA{0, 0, 255, 255},
}, {
	"logic: exclusive or",
	`"clear": [1, 0.2, 0, 1], "passes": [{"draws": [{"ps": "colour.asm", "logic": "xor", "psConstants": [{"to": "c0", "value": [1, 1, 0.2, 0]}]}]}]`,
	color.NRGBA{0, 204, 51, 255},
}, {
	"a write in sRGB: linear 0.5 is 188",
	`"passes": [{"draws": [{"ps": "colour.asm", "srgbWrite": true, "psConstants": [{"to": "c0", "value": [0.5, 0, 1, 1]}]}]}]`,
	color.NRGBA{188, 0, 255, 255},
}, {
	"a target that the second pass reads: 0.2 of red at the middle, doubled by adding it twice",
	`"targets": {"a": {}}, "textures": {"of": {"target": "a"}}, "passes": [{"colors": [{"target": "a"}], "draws": [{"ps": "colour.asm", "psConstants": [{"to": "c0", "value": [0.2, 0, 1, 1]}]}]},
	  {"draws": [{"ps": "read.asm", "psTextures": [{"to": "s0", "texture": "of", "filter": "nearest", "mip": "none"}]}]}]`,
	color.NRGBA{102, 0, 255, 255},
}, {
	"a depth buffer that is read: the quad lies at 0, cleared is 0.4",
	`"targets": {"z": {"format": "d32f"}}, "textures": {"of": {"target": "z"}}, "passes": [{"depth": {"target": "z", "clear": [0.4]}},
	  {"draws": [{"ps": "depth.asm", "psTextures": [{"to": "s0", "texture": "of", "filter": "nearest", "mip": "none"}]}]}]`,
	color.NRGBA{102, 102, 102, 255},
}, {
	"four samples, all of them covered, resolved to the picture",
	`"samples": 4, "passes": [{"draws": [{"ps": "colour.asm", "api": "d3d10", "psConstants": [{"to": "c0", "value": [0.2, 0.4, 0.6, 1]}]}]}]`,
	color.NRGBA{51, 102, 153, 255},
}, {
	"a target of four samples, resolved to another, which is read",
	`"targets": {"m": {"samples": 4}, "a": {}}, "textures": {"of": {"target": "a"}}, "passes": [
	  {"colors": [{"target": "m", "resolve": "a"}], "draws": [{"ps": "colour.asm", "api": "d3d10", "psConstants": [{"to": "c0", "value": [0.2, 0.4, 0, 1]}]}]},
	  {"draws": [{"ps": "read.asm", "psTextures": [{"to": "s0", "texture": "of", "filter": "nearest", "mip": "none"}]}]}]`,
	color.NRGBA{102, 204, 0, 255},
}, {
	"a scissor that leaves the middle out",
	`"clear": [0, 0, 1, 1], "passes": [{"draws": [{"ps": "colour.asm", "scissor": [0, 0, 0.5, 1], "psConstants": [{"to": "c0", "value": [1, 0, 0, 1]}]}]}]`,
	color.NRGBA{0, 0, 255, 255},
}, {
	"a viewport on the left half",
	`"clear": [0, 0, 1, 1], "passes": [{"draws": [{"ps": "colour.asm", "viewport": [0, 0, 0.5, 1, 0, 1], "psConstants": [{"to": "c0", "value": [1, 0, 0, 1]}]}]}]`,
	color.NRGBA{0, 0, 255, 255},
}, {
	"a clip plane that keeps the right half",
	`"clear": [0, 0, 1, 1], "passes": [{"draws": [{"ps": "colour.asm", "planes": [[1, 0, 0, 0]], "psConstants": [{"to": "c0", "value": [1, 0, 0, 1]}]}]}]`,
	color.NRGBA{255, 0, 0, 255},
}, {
	"linear fog: the quad lies at depth 0, the fog from -1 to 1 covers half of it",
	`"passes": [{"draws": [{"ps": "colour.asm", "fog": {"mode": "linear", "start": -1, "end": 1, "color": [0, 0, 1]}, "psConstants": [{"to": "c0", "value": [1, 0, 0, 1]}]}]}]`,
	color.NRGBA{128, 0, 128, 255},
}}

func passScene(json string) string {
	red := `{"ps": "colour.asm", "psConstants": [{"to": "c0", "value": [1, 0, 0, 1]}]}`
	return "-- scene.json --\n{\"version\": 1, \"size\": [8, 8], \"camera\": {\"flat\": true}, " + strings.ReplaceAll(json, "RED", red) + "}\n" + members
}

func TestPasses(t *testing.T) {
	for name, e := range engines(t) {
		v := scene.NewView(e)
		for _, c := range passCases {
			s, err := scene.Parse([]byte(passScene(c.json)))
			if err != nil {
				t.Fatal(c.what, scene.Explain(err, "", passScene(c.json), nil))
			}
			if err := v.Load(s, scene.Compile); err != nil {
				t.Fatal(c.what, err)
			}
			m, _, err := v.Draw(0, 8, 8)
			if err != nil {
				t.Fatal(c.what, err)
			}
			if got := m.NRGBAAt(4, 4); got != c.want {
				t.Errorf("%s, %s: %v, want %v", name, c.what, got, c.want)
			}
		}
	}
}

// What is wrong between values has the place of one of them.
func TestPassErrors(t *testing.T) {
	for _, c := range []struct{ json, want string }{
		{`"targets": {"z": {"format": "d16"}}, "passes": [{"depth": {"target": "z"}}]`, `no-picture]: no pass draws into the picture: a pass without colors does, or one with a colour target ""`},
		{`"passes": [{"colors": [{"target": "b"}, {}]}]`, `unknown-target]: no target "b" in targets`},
		{`"targets": {"z": {"format": "d16"}}, "passes": [{"colors": [{"target": "z"}, {}]}]`, `bad-format]: z has the format d16: depth formats are for the depth buffer alone`},
		{`"targets": {"a": {}}, "passes": [{"colors": [{}], "depth": {"target": "a"}}]`, `bad-format]: a has the format rgba8: depth formats are for the depth buffer alone`},
		{`"passes": [{"colors": [{}, {}]}]`, `target-twice]: "" is attached twice`},
		{`"targets": {"a": {}}, "passes": [{"colors": [{"target": "a"}]}]`, `no-picture]: no pass draws into the picture: a pass without colors does, or one with a colour target ""`},
		{`"passes": [{"colors": [{"clear": [1, 2, 3, 4, 5]}]}]`, `wrong-length]: want at most 4 values, not 5`},
		{`"passes": [{"draws": [{"ps": "colour.asm", "outputs": [{"write": "rgx"}]}]}]`, `unknown-value]: "rgx": want letters of rgba`},
		{`"passes": [{"draws": [{"ps": "colour.asm", "planes": [[1, 2]]}]}]`, `wrong-length]: want 4 values, not 2`},
		{`"targets": {"b": {"samples": 2}}`, `out-of-range]: 2 samples a pixel, there are 1 and 4`},
		{`"textures": {"t": {"target": "b"}}, "passes": [{"draws": [{"ps": "colour.asm", "psTextures": [{"to": "s0", "texture": "t"}]}]}]`, `unknown-target]: no target "b" in targets`},
		{`"targets": {"m": {"samples": 4}}, "textures": {"t": {"target": "m"}}, "passes": [{"draws": [{"ps": "colour.asm", "psTextures": [{"to": "s0", "texture": "t"}]}]}]`, `bad-texture]: m has 4 samples a pixel: resolve it to another target first`},
		{`"passes": [{"draws": [{"ps": "none.asm"}]}]`, `unknown-member]: no member "none.asm"`},
		{`"passes": [{"draws": [{"ps": "colour.asm", "psTextures": [{"to": "s0", "texture": "x"}]}]}]`, `unknown-texture]: no texture "x" in textures`},
	} {
		archive := passScene(c.json)
		s, err := scene.Parse([]byte(archive))
		if err != nil {
			t.Fatal(c.json, err)
		}
		err = scene.NewView(interp.New()).Load(s, scene.Compile)
		got := scene.Explain(err, "a", archive, s)
		if len(got) != 1 || !strings.HasPrefix(got[0], "a:2:") || !strings.HasSuffix(got[0], "error["+c.want) {
			t.Errorf("%s: %q, want %s", c.json, got, c.want)
			continue
		}
		var line, col int
		fmt.Sscanf(got[0], "a:%d:%d:", &line, &col)
		at := archive[len("-- scene.json --\n")+col-1:]
		if !slices.ContainsFunc([]string{`"b"`, `"z"`, `"a"`, `{}]`, `[{`, `[1, 2`, `"rgx`, `"none`, `"x"`, `2}`, `"m"`}, func(s string) bool { return strings.HasPrefix(at, s) }) {
			t.Errorf("%s: the place is %.20s", c.json, at)
		}
	}
}

// Targets have the size of the picture, a part of it, or their own, and what they hold stays from frame to
// frame.
func TestTargetSizes(t *testing.T) {
	archive := passScene(`"targets": {"a": {"scale": 0.5}, "b": {"size": [3, 5]}, "c": {"size": [0, 2]}, "z": {"format": "d16", "scale": 0.5}},
	  "passes": [{"colors": [{"target": "a"}], "depth": {"target": "z"}, "draws": [RED]}, {"colors": [{"target": "b"}], "draws": [RED]}, {"colors": [{"target": "c"}], "draws": [RED]}, {"draws": [RED]}]`)
	s, err := scene.Parse([]byte(archive))
	if err != nil {
		t.Fatal(err)
	}
	for name, e := range engines(t) {
		v := scene.NewView(e)
		if err := v.Load(s, scene.Compile); err != nil {
			t.Fatal(err)
		}
		for _, size := range [][2]int{{8, 8}, {100, 70}, {8, 8}} {
			m, stats, err := v.Draw(0, size[0], size[1])
			if err != nil {
				t.Fatal(err)
			}
			w, h := size[0], size[1]
			if want := uint64(w*h + (w/2)*(h/2) + 15 + w*2); stats.Lanes > want || stats.Lanes < want/2 || m.NRGBAAt(w/2, h/2) != (color.NRGBA{255, 0, 0, 255}) {
				t.Errorf("%s, %v: %d pixels shaded, %v in the middle", name, size, stats.Lanes, m.NRGBAAt(w/2, h/2))
			}
		}
	}
	s.Targets["b"] = scene.Target{Format: "rgba32f", Size: [2]int{4096, 4096}, Samples: 1}
	v := scene.NewView(interp.New())
	if err := v.Load(s, scene.Compile); err != nil {
		t.Fatal(err)
	}
	if err := v.Begin(0, 8, 8); err == nil || !strings.Contains(err.Error(), "allowed are 67108864") {
		t.Errorf("too large: %v", err)
	}
}

// A scene with a rate draws all the frames that lead to a time: each adds a little, and load keeps it.
func TestRate(t *testing.T) {
	archive := passScene(`"rate": 10, "clear": [0, 0, 0, 1], "passes": [{"colors": [{"load": true}], "draws": [{"ps": "colour.asm", "blend": "add", "psConstants": [{"to": "c0", "value": [0.2, 0, 0, 0]}]}]}]`)
	s, err := scene.Parse([]byte(archive))
	if err != nil {
		t.Fatal(err)
	}
	if !s.Moves() {
		t.Error("a scene with a rate moves")
	}
	// A frame that is left in the middle for the next is finished first.
	v := scene.NewView(interp.New())
	if err := v.Load(s, scene.Compile); err != nil {
		t.Fatal(err)
	}
	for _, seconds := range []float64{0, 0.1, 0.2} {
		if err := v.Begin(seconds, 200, 200); err != nil {
			t.Fatal(err)
		}
		v.DrawTiles(1)
	}
	v.DrawTiles(1 << 30)
	if got := v.Image().NRGBAAt(150, 150).R; got != 153 {
		t.Errorf("three frames, each left for the next: %d, want 153", got)
	}
	for name, e := range engines(t) {
		v := scene.NewView(e)
		if err := v.Load(s, scene.Compile); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			seconds float64
			want    uint8
		}{{0, 51}, {0.1, 102}, {0.35, 204}, {0.35, 204}, {0.39, 204}, {0, 51}, {0.25, 153}, {9, 255}} {
			m, _, err := v.Draw(c.seconds, 8, 8)
			if err != nil {
				t.Fatal(err)
			}
			if got := m.NRGBAAt(4, 4).R; got != c.want {
				t.Errorf("%s: %v seconds: %d, want %d", name, c.seconds, got, c.want)
			}
		}
	}
}
