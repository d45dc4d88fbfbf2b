package cases

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"swizzle/internal/jittest"
	"swizzle/shaderkit/interp"
)

// A writer1 writes random programs of vs_1_1 and ps_1_1 to ps_1_4.
type writer1 struct {
	*rand.Rand
	version string
	text    strings.Builder
}

func (w *writer1) pick(s ...string) string { return s[w.IntN(len(s))] }

func (w *writer1) line(s ...string) { w.text.WriteString(strings.Join(s, "") + "\n") }

func (w *writer1) swizzle() string {
	if w.IntN(2) == 0 {
		return ""
	}
	if w.version == "vs_1_1" {
		return "." + w.pick("x", "y", "z", "w") + w.pick("x", "y", "z", "w") + w.pick("x", "y", "z", "w") + w.pick("x", "y", "z", "w")
	}
	return "." + w.pick("r", "g", "b", "a")
}

func (w *writer1) source() string {
	if w.version == "vs_1_1" {
		r := w.pick("r0", "r1", "r2", "v0", "v1", "c0", "c1", "c2", "c[a0.x + 1]", "c2[a0.x]")
		return w.pick("", "-") + r + w.swizzle()
	}
	r := w.pick("r0", "r1", "r2", "r3", "t0", "t1", "t2", "v0", "v1", "c0", "c1")
	if w.version == "ps_1_4" {
		r = w.pick("r0", "r1", "r2", "r3", "r4", "v0", "v1", "c0", "c1")
	}
	switch w.IntN(4) {
	case 0:
		return "1-" + r + w.swizzle()
	case 1:
		return w.pick("", "-") + r + w.pick("_bias", "_bx2", "_x2") + w.swizzle()
	}
	return w.pick("", "-") + r + w.swizzle()
}

// arithmetic writes an instruction.
func (w *writer1) arithmetic(mask string) {
	op := w.pick("mov 1", "add 2", "sub 2", "mul 2", "mad 3", "lrp 3", "dp3 2", "dp4 2", "cnd 3", "cmp 3")
	dst := w.pick("r0", "r1", "r2", "r3")
	if w.version == "vs_1_1" {
		op = w.pick("mov 1", "add 2", "mul 2", "mad 3", "dp3 2", "dp4 2", "min 2", "max 2", "slt 2", "sge 2", "rcp 1", "rsq 1", "exp 1", "log 1", "expp 1", "logp 1", "lit 1", "dst 2", "frc 1", "a0 1")
	}
	name, n := op[:len(op)-2], int(op[len(op)-1]-'0')
	if name == "a0" {
		w.line("mov a0.x, ", w.source())
		return
	}
	if w.version != "vs_1_1" {
		name += w.pick("", "", "_x2", "_x4", "_x8", "_d2", "_d4", "_d8") + w.pick("", "_sat")
	}
	s := name + " " + dst + mask
	for range n {
		s += ", " + w.source()
	}
	w.line(s)
}

// addressing writes an instruction on texture stages.
func (w *writer1) addressing() {
	if w.version == "ps_1_4" {
		switch w.IntN(4) {
		case 0:
			w.line("texcrd r", w.pick("1", "2", "3", "4"), ".rgb, t", w.pick("0", "1", "2", "3", "4", "5"), w.pick("", ".xyw"))
		case 1:
			w.line("bem r", w.pick("1", "2"), ".rg, ", w.source(), ", ", w.source())
		default:
			w.line("texld r", w.pick("1", "2", "3"), ", ", w.pick("t0", "t4.xyw", "t2_dw.xyw", "r1", "r0_dz", "r2_dz.xyz"))
		}
		return
	}
	m := w.pick("", "_bx2")
	switch w.IntN(9) {
	case 0:
		w.line("texm3x2pad t1, t0", m)
		w.line(w.pick("texm3x2tex", "texm3x2depth"), " t2, t0", m)
	case 1:
		w.line("texm3x3pad t1, t0", m)
		w.line("texm3x3pad t2, t0", m)
		if w.IntN(2) == 0 {
			w.line("texm3x3spec t3, t0", m, ", c1")
		} else {
			w.line(w.pick("texm3x3tex", "texm3x3", "texm3x3vspec"), " t3, t0", m)
		}
	case 2, 3:
		w.line(w.pick("tex", "texcoord", "texkill"), " t", w.pick("0", "1", "2", "3"))
	default:
		w.line(w.pick("texbem", "texbeml", "texreg2ar", "texreg2gb", "texreg2rgb", "texdp3", "texdp3tex"), " t", w.pick("1", "2", "3"), ", t0", m)
	}
}

// program writes a program; what a version does not have is in it too, and runs.
func (w *writer1) program() string {
	w.line(w.version)
	if w.version == "vs_1_1" {
		w.line("dcl_position v0\ndcl_texcoord v1\nmov r0, v0\nmov r1, v1\nmov r2, c3")
		for range 3 + w.IntN(8) {
			w.arithmetic(w.pick("", ".x", ".yz", ".xyw"))
		}
		w.line("mov oPos, r0\nmov oT0, r1\nmov oD0, r2\nmov oFog, r1.x\nmov oPts, r2.y")
		return w.text.String()
	}
	for range 1 + w.IntN(4) {
		w.addressing()
	}
	w.line("mov r0, v0\nmov r1, v1")
	for range 2 + w.IntN(6) {
		if w.IntN(2) == 0 {
			w.arithmetic(w.pick("", ".rgb", ".a"))
			continue
		}
		w.arithmetic(".rgb")
		w.text.WriteString("+ ")
		w.arithmetic(w.pick(".a", ".a", ".rgb"))
	}
	if w.version == "ps_1_4" && w.IntN(2) == 0 {
		w.line("phase")
		w.addressing()
		w.arithmetic("")
		w.line(w.pick("", "texdepth r5"))
	}
	return w.text.String()
}

// Random programs of the first versions, wrong ones among them, have the same answer on both engines.
func TestRandomFirstVersions(t *testing.T) {
	e := jittest.New(t)
	r := rand.New(rand.NewPCG(1, 4))
	number := func() any {
		if r.IntN(12) == 0 {
			return [...]string{"0x7F800000", "0xFF800000", "0x7FC00000", "0x80000000", "0x00000001"}[r.IntN(5)]
		}
		return float64(r.IntN(65)-32) / 16
	}
	vector := func() []any { return []any{number(), number(), number(), number()} }
	ran := 0
	for range 400 {
		w := &writer1{Rand: r, version: [...]string{"vs_1_1", "ps_1_1", "ps_1_2", "ps_1_3", "ps_1_4"}[r.IntN(5)]}
		c := map[string]any{"isa": "d3d9", "text": w.program(), "mode": [...]string{"d3d9", "ieee"}[r.IntN(2)]}
		if w.version != "vs_1_1" {
			c["mode"] = [...]string{"d3d9", "ieee", "range", "fixed"}[r.IntN(4)]
		}
		inputs, floats, bump, textures := map[string]any{}, map[string]any{}, map[string]any{}, map[string]any{}
		for i := range 6 {
			inputs[fmt.Sprintf("v%d", i)] = []any{vector(), vector(), vector(), vector()}
			inputs[fmt.Sprintf("t%d", i)] = []any{vector(), vector(), vector(), vector()}
			floats[fmt.Sprintf("c%d", i)] = vector()
			s := fmt.Sprintf("s%d", i)
			bump[s] = append(vector(), number(), number())
			kind := [...]string{"2d", "cube", "volume"}[r.IntN(3)]
			texels := make([]any, map[string]int{"2d": 4, "cube": 24, "volume": 8}[kind])
			for k := range texels {
				texels[k] = vector()
			}
			textures[s] = map[string]any{"kind": kind, "width": 2, "height": 2, "depth": 2, "texels": texels,
				"filter": [...]string{"point", "linear"}[r.IntN(2)], "address": [...]string{"wrap", "clamp", "mirror"}[r.IntN(3)]}
		}
		c["inputs"], c["floats"], c["bump"], c["textures"] = inputs, floats, bump, textures
		line, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		want, got := Run(line, Defaults{Engine: interp.New()}), Run(line, Defaults{Engine: e})
		if !bytes.Equal(got, want) {
			t.Fatalf("%s\ngot  %s\nwant %s", c["text"], got, want)
		}
		if !bytes.Contains(want, []byte(`"error"`)) {
			ran++
		}
	}
	if ran < 300 {
		t.Errorf("%d of 400 programs ran", ran)
	}
}
