package playground

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"swizzle/render/scene"
	"swizzle/shaderkit/ir"
)

const passThrough = `vs_2_0
dcl_position v0
m4x4 oPos, v0, c0
`

func words(t *testing.T, text string) []byte {
	t.Helper()
	return open(t, text).Program.Data
}

func TestOpen(t *testing.T) {
	ps, vs := words(t, orange), words(t, passThrough)
	def := scene.Default(ir.Pixel, "ps.asm", []byte(orange))
	for _, c := range []struct {
		name  string
		files []Input
		stage ir.Stage
		both  bool
	}{
		{"text", []Input{{"a.asm", []byte(orange)}}, ir.Pixel, false},
		{"vertex text", []Input{{"a.asm", []byte(passThrough)}}, ir.Vertex, false},
		{"words", []Input{{"a.pso", ps}}, ir.Pixel, false},
		{"hex", []Input{{"a.hex", []byte(HexWords(open(t, orange).Program))}}, ir.Pixel, false},
		{"C header", []Input{{"a.h", []byte(Header(open(t, passThrough).Program, "a"))}}, ir.Vertex, false},
		{"compiler's header", []Input{{"a.h", []byte("#if 0\n//\n// fxc /T ps_2_0\n    ps_2_0\n    mov oC0, c0\n#endif\n\nconst BYTE g_ps20_main[] =\n{\n" + decimals(ps) + "};\n")}}, ir.Pixel, false},
		{"hex dump", []Input{{"a.txt", []byte(fmt.Sprintf("% x\r\n", ps))}}, ir.Pixel, false},
		{"hex digits", []Input{{"a.txt", []byte(fmt.Sprintf("%X", ps))}}, ir.Pixel, false},
		{"text of Windows", []Input{{"a.asm", []byte("\uFEFF" + strings.ReplaceAll(orange, "\n", "\r\n"))}}, ir.Pixel, false},
		{"text in UTF-16", []Input{{"a.asm", utf16LE(orange)}}, ir.Pixel, false},
		{"pair", []Input{{"shader", ps}, {"shader", vs}}, ir.Pixel, true},
		{"scene", []Input{{"dir/one.txtar", def.Format()}}, ir.Pixel, false},
		{"odd name", []Input{{`C:\tmp\-- a --.base64`, ps}}, ir.Pixel, false},
	} {
		s, err := Open(c.files...)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if s.Stage != c.stage || !s.Current().Current || (s.Document(ir.Vertex) != nil && s.Document(ir.Pixel) != nil) != c.both {
			t.Errorf("%s: stage %s, %v", c.name, s.Stage, s.Current().Diags)
		}
		if c.stage == ir.Pixel && !bytes.Equal(s.Current().Program.Data, ps) {
			t.Errorf("%s: other words: %x", c.name, s.Current().Program.Data)
		}
		again, err := scene.Parse([]byte(s.SceneText()))
		if err != nil {
			t.Errorf("%s: its scene does not read: %v", c.name, err)
		} else if err := scene.NewView(nil).Load(again, scene.Compile); err != nil {
			t.Errorf("%s: its scene does not compile: %v", c.name, err)
		}
	}
}

// decimals spells bytes as the compiler's headers do.
func decimals(data []byte) string {
	var b strings.Builder
	for i, x := range data {
		fmt.Fprintf(&b, "%3d, ", x)
		if i%6 == 5 {
			b.WriteString("\n")
		}
	}
	return b.String()
}

func utf16LE(text string) []byte {
	data := []byte{0xFF, 0xFE}
	for _, u := range utf16.Encode([]rune(text)) {
		data = append(data, byte(u), byte(u>>8))
	}
	return data
}

// TestLineEnds edits a word of a text whose lines end as in Windows: the document's text is the editor's, so that places
// agree.
func TestLineEnds(t *testing.T) {
	s, err := Open(Input{"a.asm", []byte(strings.ReplaceAll(orange, "\n", "\r\n"))})
	if err != nil {
		t.Fatal(err)
	}
	if s.Current().Text != orange {
		t.Errorf("the text is %q", s.Current().Text)
	}
	latin, err := Open(Input{"a.asm", []byte("ps_2_0 // caf\xe9\nmov oC0, c0\n")})
	if err != nil || latin.Current().Text != "ps_2_0 // café\nmov oC0, c0\n" {
		t.Errorf("a text in Latin-1: %v", err)
	}
}

// TestPasted checks what a paste over everything becomes.
func TestPasted(t *testing.T) {
	data := words(t, orange)
	text := Pasted("static const DWORD ps[] = {\r\n" + decimals(data) + "};\r\n")
	if got := words(t, text); !bytes.Equal(got, data) {
		t.Errorf("a pasted array becomes %q", text)
	}
	for _, text := range []string{orange, "hello\n", "", "00 01", "ps_2_0\n.dword 0xFFFF0200\n"} {
		if got := Pasted(text); got != text {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	says := map[string]string{
		"empty":          "a.bin is empty",
		"a container":    "a.dxbc is a DXBC container of Direct3D 10 or later, which Swizzle does not read yet",
		"a broken scene": "a.txtar, line 3: scene.json ends in the middle",
	}
	for name, files := range map[string][]Input{
		"nothing":           nil,
		"prose":             {{"a.txt", []byte("hello there\n")}},
		"noise":             {{"a.bin", []byte{1, 2, 3, 0, 5}}},
		"a container":       {{"a.dxbc", []byte("DXBC\x00\x01")}},
		"empty":             {{"a.bin", nil}},
		"two of one stage":  {{"a.asm", []byte(orange)}, {"b.asm", []byte(orange)}},
		"a broken scene":    {{"a.txtar", []byte("-- scene.json --\n{\n")}},
		"a scene without":   {{"a.txtar", []byte("-- scene.json --\n{\"version\": 1}\n")}},
		"a shader not text": {{"a.txtar", []byte("-- scene.json --\n{\"version\": 1, \"passes\": [{\"draws\": [{\"ps\": \"a\"}]}]}\n-- a.base64 --\nAQID\n")}},
	} {
		s, err := Open(files...)
		if want, ok := says[name]; ok && (err == nil || err.Error() != want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
		if err == nil {
			t.Errorf("%s was opened: %s", name, s.SceneText())
		}
	}
}

// TestWordsStay checks that a shader opened as words is kept so until it is edited.
func TestWordsStay(t *testing.T) {
	data := append(words(t, orange), 0xAA, 0xBB) // bytes behind the end
	s, err := Open(Input{"a.pso", data})
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Sync().Shader(ir.Pixel).Data; !bytes.Equal(got, data) {
		t.Errorf("unedited: %x", got)
	}
	d := s.Current()
	if _, err := d.SetWord(0x30, d.Program.Word(0x30)^1<<17); err != nil {
		t.Fatal(err)
	}
	if got := string(s.Sync().Shader(ir.Pixel).Data); !strings.Contains(got, ".xzw") {
		t.Errorf("edited: %q", got)
	}
	if _, err := d.SetWord(0x30, d.Program.Word(0x30)^1<<17); err != nil {
		t.Fatal(err)
	}
	if got := s.Sync().Shader(ir.Pixel).Data; !bytes.Equal(got, data) {
		t.Errorf("flipped back: %x", got)
	}
}

func TestBroken(t *testing.T) {
	s, err := Open(Input{"v", []byte(passThrough)}, Input{"p", []byte(orange)})
	if err != nil {
		t.Fatal(err)
	}
	if _, d := s.Broken(); d != nil {
		t.Error(d.Diags)
	}
	s.Document(ir.Vertex).SetText("vs_2_0\nnonsense\n")
	if name, d := s.Broken(); d != s.Document(ir.Vertex) || name != "vertex shader" {
		t.Errorf("broken is %s", name)
	}
}

func TestNames(t *testing.T) {
	s, err := Open(Input{"some/tint.v2.asm", []byte(orange)})
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Detected(); got != "D3D9 ps_2_0" {
		t.Error(got)
	}
	if got := s.Command("cost"); got != "swizzle render --view cost tint.txtar" {
		t.Errorf("command %q", got)
	}
	if got := ViewTitle("overdraw") + ViewTitle("varying:TEXCOORD0"); got != "OverdrawTEXCOORD0 of the vertices" {
		t.Errorf("titles %q", got)
	}
	if got := Span(1, 0.25, "depth") + Span(0, 0, ""); got != "dark 1 to light 0.25: depth" {
		t.Errorf("span %q", got)
	}
	if got := s.Command("picture"); got != "swizzle render tint.txtar" {
		t.Error(got)
	}
	if got := s.FileName(".pso"); got != "tint.pso" {
		t.Error(got)
	}
}

func TestOrbit(t *testing.T) {
	s, err := Open(Input{"a", []byte(orange)})
	if err != nil {
		t.Fatal(err)
	}
	s.Scene.Camera.Yaw, s.Scene.Camera.Pitch = 170, 0
	s.Orbit(-30, 200)
	if c := s.Scene.Camera; c.Yaw != -160 || c.Pitch != 89 {
		t.Errorf("%+v", c)
	}
	s.Orbit(3600, -500)
	if c := s.Scene.Camera; c.Yaw != -160 || c.Pitch != -89 {
		t.Errorf("%+v", c)
	}
	if _, err := scene.Parse([]byte(s.SceneText())); err != nil {
		t.Error(err)
	}
}

func TestConstants(t *testing.T) {
	s, err := Open(Input{"v", []byte(passThrough)}, Input{"p", []byte(orange)})
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Constants(); len(got) != 0 {
		t.Errorf("what the scene computes is offered: %v", got)
	}
	if err := s.AddConstant(" C0 "); err != nil {
		t.Fatal(err)
	}
	list := s.Constants()
	if len(list) != 1 || list[0].Stage != ir.Pixel || list[0].Binding.To != "c0" || len(list[0].Binding.Value) != 4 {
		t.Fatalf("%+v", list)
	}
	list[0].Binding.Value[1] = 0.25
	again, err := scene.Parse([]byte(s.SceneText()))
	if err != nil || again.First().PSConstants[0].Value[1] != 0.25 {
		t.Errorf("%v %+v", err, again)
	}
	for _, bad := range []string{"", "c", "c0", "r0", "c-1", "c99999", "cc1", "c1 x"} {
		if err := s.AddConstant(bad); err == nil {
			t.Errorf("%q was added", bad)
		}
	}
}

func TestExports(t *testing.T) {
	p := open(t, "ps_2_0\nmov oC0, c0\n").Program
	if got := HexWords(p); got != "0xFFFF0200\n0x02000001\n0x800F0800\n0xA0E40000\n0x0000FFFF\n" {
		t.Error(got)
	}
	want := "// ps_2_0, 20 bytes\n#include <stdint.h>\n\nstatic const uint32_t shader_9_x[] = {\n\t0xFFFF0200, 0x02000001, 0x800F0800, 0xA0E40000, 0x0000FFFF,\n};\n"
	if got := Header(p, "9 x"); got != want {
		t.Errorf("%q", got)
	}
	p.Data = append(p.Data, 7)
	if got := Header(p, "a"); !strings.Contains(got, "uint8_t a[]") || !strings.Contains(got, "0x07,\n}") {
		t.Error(got)
	}
	if got := HexWords(p); !strings.HasSuffix(got, "0x0000FFFF\n0x07\n") {
		t.Error(got)
	}
}
