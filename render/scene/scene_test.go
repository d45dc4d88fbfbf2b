package scene_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"swizzle/render"
	"swizzle/render/scene"
	"swizzle/shaderkit/interp"
	"swizzle/shaderkit/ir"
)

func TestRoundTrip(t *testing.T) {
	for _, name := range gallery(t) {
		s := parse(t, name)
		text := s.Format()
		back, err := scene.Parse(text)
		if err != nil {
			t.Fatal(name, err)
		}
		if d := cmp.Diff(s, back); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if again := back.Format(); !bytes.Equal(text, again) {
			t.Errorf("%s: the second Format differs: %s", name, cmp.Diff(string(text), string(again)))
		}
	}
}

// Members keep every byte, whatever it is.
func TestMembersKeepTheirBytes(t *testing.T) {
	s := scene.Default(ir.Pixel, "ps.asm", []byte("ps_2_0\n"))
	for name, data := range map[string]string{
		"empty": "", "binary": "\x00\x02\xFF\xFF", "no newline": "ps_2_0", "returns": "ps_2_0\r\n", "marker": "-- x --\n",
		"marker later": "a\n-- x --\nb\n", "long": strings.Repeat("\x00", 1000), "named.base64": "text\n", "utf-8": "Bézier\n", "bad utf-8": "\xFF\n",
	} {
		s.SetFile(name, []byte(data))
	}
	back, err := scene.Parse(s.Format())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range s.Files {
		if g := back.File(f.Name); g == nil || !bytes.Equal(g.Data, f.Data) {
			t.Errorf("%s: %q became %v", f.Name, f.Data, g)
		}
	}
}

func TestDefaults(t *testing.T) {
	s, err := scene.Parse([]byte("-- scene.json --\n{\"version\": 1, \"passes\": [{\"draws\": [{\"psConstants\": [{}], \"psTextures\": [{}]}]}], \"textures\": {\"a\": {}}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	// Written out, so that a change of the table of version 1 fails.
	face := scene.StencilFace{Func: "always", Fail: "keep", DepthFail: "keep", Pass: "keep", Read: 255, Write: 255}
	want := &scene.Scene{
		Version: 1, Size: [2]int{256, 256}, Clear: [4]float64{0.11, 0.12, 0.15, 1}, Pixel: [2]int{128, 128},
		Camera: scene.Camera{Yaw: 30, Pitch: 20, Distance: 4, FOV: 40, Near: 0.1, Far: 100}, Light: [3]float64{0.5, 0.8, 0.6}, LightSize: 3, Samples: 1,
		Textures: map[string]scene.Texture{"a": {Image: "checker", Size: 256}},
		Passes: []scene.Pass{{Draws: []scene.Draw{{
			Mesh: "quad", Detail: 32, Scale: [3]float64{1, 1, 1}, Cull: "ccw", Depth: "lessequal", DepthWrite: true, Fill: "solid", Lines: "aliased",
			DepthClip: true, Viewport: [6]float64{0, 0, 1, 1, 0, 1}, Scissor: [4]float64{0, 0, 1, 1}, API: "d3d9", Blend: "off",
			BlendFactor: [4]float64{1, 1, 1, 1}, Logic: "off", Stencil: scene.Stencil{Front: face, Back: face}, AlphaTest: "always",
			Fog:         scene.Fog{Mode: "off", End: 1, Density: 1},
			PSConstants: []scene.Binding{{Rows: 4, Max: 1}},
			PSTextures:  []scene.TextureBinding{{Filter: "linear", Mip: "linear", Address: "wrap"}},
		}}}},
	}
	if d := cmp.Diff(want, s); d != "" {
		t.Error(d)
	}
}

func TestStrictErrors(t *testing.T) {
	for _, c := range []struct{ json, want string }{
		{`{"version": 1, "sise": [1, 2]}`, `2:16: error[unknown-key]: no key "sise" here; allowed are version, title, size, clear, pixel, camera, light, lightSize, textures, targets, passes, samples, rate`},
		{`{"version": 2}`, `2:13: error[unknown-version]: want "version": 1`},
		{`{}`, `2:1: error[unknown-version]: want "version": 1`},
		{`[]`, `2:1: error[wrong-type]: want a object, not a list`},
		{`{"version": 1, "size": [0, 4]}`, `2:25: error[out-of-range]: 0 is not allowed: the minimum is 1`},
		{`{"version": 1, "size": [5000, 4]}`, `2:25: error[out-of-range]: 5000 is not allowed: the maximum is 4096`},
		{`{"version": 1, "size": [1.5, 4]}`, `2:25: error[wrong-type]: want a whole number, not 1.5`},
		{`{"version": 1, "size": [1]}`, `2:24: error[wrong-length]: want 2 values, not 1`},
		{`{"version": 1, "title": 3}`, `2:25: error[wrong-type]: want a text, not a number`},
		{`{"version": 1, "title": "a", "title": "b"}`, `2:30: error[repeated-key]: "title" is there twice`},
		{`{"version": 1, "passes": [{"draws": [{"cull": "both"}]}]}`, `2:47: error[unknown-value]: "both" is none of none, cw, ccw`},
		{`{"version": 1, "passes": [` + strings.Repeat(`{}, `, 16) + `{}]}`, `2:1: error[too-many-passes]: 17 passes, allowed are 16`},
		{`{"version": 1, "targets": {"a": {"format": "rgb9"}}}`, `2:44: error[unknown-value]: "rgb9" is none of r8, rg8, rgba8, bgra8, r16, rg16, rgba16, rgb10a2, b5g6r5, bgr5a1, ` +
			`rgba8srgb, bgra8srgb, r8snorm, rg8snorm, rgba8snorm, r16snorm, rg16snorm, rgba16snorm, r8uint, rg8uint, rgba8uint, r16uint, rg16uint, rgba16uint, ` +
			`r32uint, rg32uint, rgba32uint, rgb10a2uint, r8sint, rg8sint, rgba8sint, r16sint, rg16sint, rgba16sint, r32sint, rg32sint, rgba32sint, r11g11b10f, ` +
			`r16f, rg16f, rgba16f, r32f, rg32f, rgba32f, d16, d24s8, d32f, d32fs8`},
		{`{"version": 1, "passes": [{"draws": [{"stencil": {"front": {"ref": 256}}}]}]}`, `2:68: error[out-of-range]: 256 is not allowed: the maximum is 255`},
		{`{"version": 1, "camera": {"pitch": 91}}`, `2:36: error[out-of-range]: 91 is not allowed: the maximum is 90`},
		{`{"version": 1, "clear": [1e999, 0, 0, 0]}`, `2:26: error[bad-number]: 1e999 is no number of double precision`},
		{`{"version": 1`, `3:1: error[bad-json]: scene.json ends in the middle`},
		{`{"version": 1,,}`, `2:15: error[bad-json]: invalid character ',' looking for beginning of object key string`},
		{`{"version": 1} x`, `2:16: error[bad-json]: text behind the closing brace`},
		{strings.Repeat("[", 40) + strings.Repeat("]", 40), `2:34: error[bad-json]: nested deeper than 32`},
		{strings.Repeat("[", 40), `3:1: error[bad-json]: scene.json ends in the middle`},
		{``, `3:1: error[bad-json]: scene.json ends in the middle`},
		{`{"title": "\u00e9\"", "version": 1.0.0}`, `2:37: error[bad-json]: invalid character '.' after object key:value pair`},
	} {
		text := "-- scene.json --\n" + c.json + "\n"
		_, err := scene.Parse([]byte(text))
		e, ok := err.(*scene.Error)
		if !ok {
			t.Errorf("%s: %v", c.json, err)
			continue
		}
		if got := strings.TrimPrefix(e.List[0].Format("", text), ":"); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.json, got, c.want)
		}
	}
}

func TestArchiveErrors(t *testing.T) {
	ok := "-- scene.json --\n{\"version\": 1}\n"
	for _, c := range []struct{ text, want string }{
		{"", ":1:1: error[no-scene]: there is no member scene.json"},
		{ok + "-- a --\n-- a --\n", ":4:1: error[repeated-member]: a is there twice"},
		{ok + "-- a.base64 --\n***\n", ":4:1: error[bad-base64]: a.base64: illegal base64 data at input byte 0"},
	} {
		_, err := scene.Parse([]byte(c.text))
		e, ok := err.(*scene.Error)
		if !ok {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if got := e.List[0].Format("", c.text); got != c.want {
			t.Errorf("%q:\ngot  %s\nwant %s", c.text, got, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, name := range gallery(f) {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := scene.Parse(data)
		if err != nil {
			if e, ok := err.(*scene.Error); !ok || !e.List.HasErrors() {
				t.Fatalf("an error without a diagnostic: %v", err)
			}
			return
		}
		text := s.Format()
		back, err := scene.Parse(text)
		if err != nil {
			t.Fatalf("Format gives what Parse refuses: %v\n%s", err, text)
		}
		if again := back.Format(); !bytes.Equal(text, again) {
			t.Fatalf("Format is not stable:\n%s\n%s", text, again)
		}
	})
}

// Whatever a scene asks for, drawing it ends, and ends well.
func FuzzDraw(f *testing.F) {
	f.Add(scene.Default(ir.Pixel, "no-output", []byte("ps_3_0\ndef c5, 0.5, 0.5, 1, -1\ndcl_texcoord v0\n")).Format())
	for _, name := range gallery(f) {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := scene.Parse(data)
		if err != nil {
			return
		}
		for i := range s.Passes {
			for k := range s.Passes[i].Draws {
				s.Passes[i].Draws[k].Detail = min(s.Passes[i].Draws[k].Detail, 8)
			}
		}
		for name, x := range s.Textures {
			x.Size = min(x.Size, 16)
			s.Textures[name] = x
		}
		v := scene.NewView(interp.New())
		v.Budget = 100
		if err := v.Load(s, scene.Compile); err != nil {
			if e, ok := err.(*scene.Error); !ok || !e.List.HasErrors() {
				t.Fatalf("an error without a diagnostic: %v", err)
			}
			return
		}
		if _, _, err := v.Draw(1, 24, 16); err != nil {
			return
		}
		tr, err := v.Trace(interp.Engine{}, 12, 8)
		if err != nil {
			t.Fatal(err)
		}
		// Of several samples the picture is the mean, and the trace is of the first.
		if colour, _ := v.Pixel(12, 8); s.Samples == 1 && len(tr.Fragments) > 0 && tr.Fragments[len(tr.Fragments)-1].After.Colour != colour {
			t.Fatalf("the picture holds %08X, the trace ends with %08X", colour, tr.Fragments[len(tr.Fragments)-1].After.Colour)
		}
	})
}

// Links made by any version so far, and what they hold. Never change one; add one with each version
// of the format.
var goldenLinks = []struct{ link, title, shader string }{{
	link:   "#v1=jFNNb9swDL3rVzx4V0eQs61bc1yBXndYL0NRNIrNJFpkyRPpJu2Q_z5IaZM224AZsGDyke_xQ55MwC0F0j84Bkwm6pcCqgdK7GKoZmjqbIsTT9UM1ddkw4rwc7RdVZDW9pRsNUPOA6qlt1LNIGkkBewP2bSTMRGfohbRpu5oAhW7p8x_8aE49sfUwTKXxNsCHOO7ZLcn92uowEPGqlylttyXSo8Yt7b0cmv0ZY1yNHf12-yrGFhskLcS5zIlWGKWas0bkYI8WD8WoSbLfMzH9FyrBHq7IJ9ZblyQP3na6GM6zfT07F9Z5x3cnGb-Xw3wXxp43luGDwv7t7o6994dF3mn9moygSfmGHTf5Uv2Dt_jmLB0iQUSNxRYqW9uB-8CMfJ2YdGuqd1QKtpwAbFcPo0r79oNbHjENqYOcQlZ04EG3rHMiu1JhBLDCfIuO8YyJni3WgvGQSvVvDDNPxtzbYwx87pkdsTighUXQyaf96Ofa3xxwmguIBHNJWwiZMc2OSH0ljczJOpqrBJRqLHwI9WwflhbraYa194NWDhB80njJpdLO8GC2tgTY56M3j1t57ChOzDAMUKEj2FFCf3oxQ3eUXfobXBt3gxkTIHxSN7HrVbvn2WcYGHbjc5jf_kH8tQHvp_eG9W1HmL07jF_3U87sFFCO98hmRpi6uzoR1_M_LZG9fEB8arY6ncAAAD__w",
	title:  "Orange quad",
	shader: "ps_2_0\ndcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\nmul r0, r0, c0\nmov oC0, r0\n",
}}

func TestOldLinks(t *testing.T) {
	for _, g := range goldenLinks {
		s, err := scene.OpenLink(g.link)
		if err != nil {
			t.Error(err)
			continue
		}
		if f := s.Shader(ir.Pixel); s.Title != g.title || f == nil || string(f.Data) != g.shader {
			t.Errorf("%s: title %q, shader %v", g.link, s.Title, f)
		}
		v := scene.NewView(interp.New())
		if err := v.Load(s, scene.Compile); err != nil {
			t.Error(err)
			continue
		}
		m, _, err := v.Draw(0, 64, 64)
		if err != nil {
			t.Fatal(err)
		}
		if c := m.NRGBAAt(12, 12); c.R < 200 || c.G < 90 || c.G > 140 || c.B > 70 {
			t.Errorf("%s: the light square is %v, not orange", g.title, c)
		}
	}
}

func TestLink(t *testing.T) {
	for _, name := range gallery(t) {
		s := parse(t, name)
		link := scene.Link(s)
		back, err := scene.OpenLink("https://example.org/play/" + link)
		if err != nil {
			t.Fatal(name, err)
		}
		if d := cmp.Diff(s, back); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		t.Logf("%s: %d characters", name, len(link))
	}
	for _, bad := range []string{"", "#v1=", "#v2=abc", "#v1=!", "#v1=AAAA"} {
		if _, err := scene.OpenLink(bad); err == nil {
			t.Errorf("%q opens", bad)
		}
	}
}

// What a change costs: constants and camera nothing, one shader one program.
func TestIncremental(t *testing.T) {
	s := parse(t, "../../static/examples/teapot.txtar")
	v := scene.NewView(interp.New())
	calls := 0
	compile := func(src scene.Source) (*scene.Shader, error) {
		calls++
		return scene.Compile(src)
	}
	step := func(what string, wantCalls, wantKernels int) []byte {
		t.Helper()
		calls = 0
		if err := v.Load(s, compile); err != nil {
			t.Fatal(what, err)
		}
		m, stats, err := v.Draw(0, 64, 64)
		if err != nil {
			t.Fatal(what, err)
		}
		if calls != wantCalls || stats.Compiled != wantKernels {
			t.Errorf("%s: %d shaders and %d kernels compiled, want %d and %d", what, calls, stats.Compiled, wantCalls, wantKernels)
		}
		return bytes.Clone(m.Pix)
	}
	first := step("the first frame", 2, 2)
	s.Camera.Yaw += 40
	turned := step("another camera", 0, 0)
	if bytes.Equal(first, turned) {
		t.Error("the camera changes nothing")
	}
	s.First().PSConstants[2].Value = []float64{1, 0, 0, 1}
	if bytes.Equal(turned, step("another constant", 0, 0)) {
		t.Error("the constant changes nothing")
	}
	f := s.Shader(ir.Pixel)
	was := f.Data
	f.Data = bytes.Replace(was, []byte("mov r4.w, c4.z"), []byte("mov r4, c4.z"), 1)
	white := step("another pixel shader", 1, 1)
	f.Data = was
	s.Camera.Yaw -= 40
	s.First().PSConstants[2].Value = []float64{0.18, 0.2, 0.26, 1}
	if !bytes.Equal(first, step("the first one again", 1, 0)) || bytes.Equal(first, white) {
		t.Error("going back does not give the first picture")
	}
	f.Data = []byte("ps_3_0\nmoo\n")
	if err, ok := v.Load(s, compile).(*scene.Error); !ok || err.List[0].File != f.Name {
		t.Errorf("a broken shader gives %v", err)
	}
	if m, _, err := v.Draw(0, 64, 64); err != nil || m == nil {
		t.Error("a broken shader takes the last picture away", err)
	}
}

func TestLoneShaders(t *testing.T) {
	for _, c := range []struct {
		stage ir.Stage
		text  string
	}{
		{ir.Pixel, "ps_1_1\ntex t0\ntexcoord t1\nmad r0, t0, t1, v0\n"},
		{ir.Pixel, "ps_1_2\ntex t0\ntexdp3 t1, t0\nmov r0, t1\n"},
		{ir.Pixel, "ps_1_3\ntex t0\ntexm3x2pad t1, t0\ntexm3x2depth t2, t0\nmov r0, v0\n"},
		{ir.Pixel, "ps_1_4\ntexcrd r0.rgb, t1\nphase\ntexld r1, r0\nadd r0, r1, v0\n"},
		{ir.Pixel, "ps_2_0\ndcl t0\ndcl v0\nadd r0, t0, v0\nmov oC0, r0\n"},
		{ir.Pixel, "ps_2_x\ndcl t0\ndsx r0, t0\nmov oC0, r0\n"},
		{ir.Pixel, "ps_3_0\ndcl_texcoord2 v0\nmov oC0, v0\n"},
		{ir.Vertex, "vs_1_1\ndcl_position v0\ndcl_normal v1\nm4x4 oPos, v0, c0\nmov oD0, v1\n"},
		{ir.Vertex, "vs_2_0\ndcl_position v0\ndcl_normal v1\nm4x4 oPos, v0, c0\nmov oT3, v1\n"},
		{ir.Vertex, "vs_3_0\ndcl_position v0\ndcl_position o0\nm4x4 o0, v0, c0\n"},
	} {
		v := scene.NewView(interp.New())
		if err := v.Load(scene.Default(c.stage, "lone.asm", []byte(c.text)), scene.Compile); err != nil {
			t.Error(c.text, err)
			continue
		}
		_, stats, err := v.Draw(0, 64, 64)
		if err != nil || stats.Lanes < 200 {
			t.Errorf("%s: %v, %d pixels", c.text, err, stats.Lanes)
		}
	}
}

// Samplers of ps_1_x take the shape of what is bound to them, and stages have bump matrices.
func TestStages(t *testing.T) {
	picture := func(image, ps, bump string) (m *image.NRGBA) {
		text := fmt.Sprintf(`-- scene.json --
{"version": 1, "clear": [0, 0, 0, 1], "camera": {"flat": true}, "textures": {"t": {"image": %q, "size": 64}, "dudv": {"image": "white"}},
 "passes": [{"draws": [{"mesh": "quad", "cull": "none", "vs": "vs.asm", "ps": "ps.asm", "psConstants": [{"to": "bump1", "values": %s}],
  "psTextures": [{"to": "s0", "texture": "dudv"}, {"to": "s1", "texture": "t", "filter": "nearest", "mip": "none"}]}]}]}
-- vs.asm --
vs_1_1
dcl_position v0
dcl_texcoord v1
mov oPos, v0
mov oT0, v1
mov oT1, v1
-- ps.asm --
%s`, image, bump, ps)
		s, err := scene.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		v := scene.NewView(interp.New())
		if err := v.Load(s, scene.Compile); err != nil {
			t.Fatal(err)
		}
		m, _, err = v.Draw(0, 64, 64)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	cube := picture("sky", "ps_1_4\ndef c0, 0.25, 0.75, 0.125, 0\nmov r1.rgb, c0\nphase\ntexld r1, r1\nmov r0, r1\n", "[]")
	up := render.Procedural("sky", 64, 0).Texels[(2*64+37)*64+42] // +y: u = (1 + x/y) / 2, v = (1 + z/y) / 2
	if got := binary.LittleEndian.Uint32(cube.Pix[4*(64*32+32):]); got != up {
		t.Errorf("the cube gives %08X, want %08X", got, up)
	}
	const bent = "ps_1_1\ntex t0\ntexbem t1, t0\nmov r0, t1\n"
	still, moved := picture("uv", bent, "[]"), picture("uv", bent, "[[0.25, 0, 0, 0]]")
	lit := picture("uv", "ps_1_1\ntex t0\ntexbeml t1, t0\nmov r0, t1\n", "[[0.25, 0, 0, 0], [0, 0.5]]")
	at := func(m *image.NRGBA, x int) color.NRGBA { return m.NRGBAAt(x, 37) }
	for x := 3; x < 40; x++ {
		a, b, c := at(still, x+16), at(moved, x), at(lit, x)
		if a != b || c.R != uint8((int(b.R)+1)/2) && c.R != b.R/2 {
			t.Fatalf("column %d: %v, moved by a quarter %v, of half the light %v", x, a, b, c)
		}
	}
}

func TestFindings(t *testing.T) {
	v := load(t, "../../static/examples/waves.txtar")
	var notes []string
	for _, d := range v.Findings() {
		notes = append(notes, d.Severity.String()+" "+d.Code+" "+d.File+": "+d.Message)
	}
	want := "note link-input ps_phong.ps_3_0.pso: no output of the vertex shader is TEXCOORD1, which input v1 reads"
	if len(notes) != 1 || notes[0] != want {
		t.Errorf("findings are %q, want %q", notes, want)
	}
}

// A loop that would run 255 * 255 times stops at the budget, and the frame says so.
func TestBudget(t *testing.T) {
	text := "ps_3_0\ndefi i0, 255, 0, 0, 0\ndef c0, 1, 1, 1, 1\nmov r0, c0\nrep i0\nrep i0\nadd r0, r0, c0\nendrep\nendrep\nmov oC0, r0\n"
	for _, c := range []struct {
		budget int
		want   bool
	}{{0, false}, {1000, true}} {
		v := scene.NewView(interp.New())
		v.Budget = c.budget
		if err := v.Load(scene.Default(ir.Pixel, "loop.asm", []byte(text)), scene.Compile); err != nil {
			t.Fatal(err)
		}
		if _, stats, err := v.Draw(0, 8, 8); err != nil || stats.Stopped != c.want {
			t.Errorf("budget %d: stopped is %v, %v", c.budget, stats.Stopped, err)
		}
	}
}

func TestPNGMember(t *testing.T) {
	s := scene.Default(ir.Pixel, "ps.asm", []byte("ps_2_0\ndcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0\n"))
	s.First().Mesh, s.Camera.Flat = "quad", true
	s.Textures["checker"] = scene.Texture{File: "dot.png"}
	s.SetFile("dot.png", dotPNG(t))
	v := scene.NewView(interp.New())
	if err := v.Load(s, scene.Compile); err != nil {
		t.Fatal(err)
	}
	m, _, err := v.Draw(0, 32, 32)
	if err != nil {
		t.Fatal(err)
	}
	if c := m.NRGBAAt(16, 16); c.R != 10 || c.G != 200 || c.B != 30 {
		t.Errorf("the texture's colour is %v", c)
	}
	s.SetFile("dot.png", []byte("no picture"))
	if err, ok := v.Load(s, scene.Compile).(*scene.Error); !ok || err.List[0].Code != "bad-image" {
		t.Errorf("a broken picture gives %v", err)
	}
}

func dotPNG(t *testing.T) []byte {
	m := image.NewNRGBA(image.Rect(0, 0, 2, 2))
	for i := range 4 {
		m.SetNRGBA(i%2, i/2, color.NRGBA{10, 200, 30, 255})
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
