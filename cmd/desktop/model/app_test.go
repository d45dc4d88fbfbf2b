package model

import (
	"bytes"
	"image"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"swizzle/internal/engine"
	"swizzle/render/scene"
	"swizzle/shaderkit"
	"swizzle/shaderkit/interp"
	"swizzle/shaderkit/isa"
	"swizzle/shaderkit/source"
)

const tint = `-- scene.json --
{"version": 1, "size": [32, 16], "camera": {"flat": true}, "passes": [{"draws": [{"ps": "ps.asm",
  "psConstants": [{"to": "c0", "value": [1, 0.5, 0.2, 1], "label": "Tint", "color": true}]}]}]}
-- ps.asm --
ps_2_0
mov oC0, c0
`

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func newApp(t *testing.T) *App {
	t.Helper()
	a, err := New(func() {})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	return a
}

// until polls until a condition holds.
func until(t *testing.T, a *App, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !holds(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited for %s; problems %v", what, a.Problems)
		}
		a.Poll(time.Now())
	}
}

func drawn(a *App) func() bool {
	return func() bool { return a.Frame != nil && !a.waiting && !a.redraw }
}

// picture draws a scene as the command line does.
func picture(t *testing.T, text string, seconds float64) *image.NRGBA {
	t.Helper()
	s, err := scene.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	v := scene.NewView(interp.New())
	if err := v.Load(s, scene.Compile); err != nil {
		t.Fatal(err)
	}
	m, _, err := v.Draw(seconds, s.Size[0], s.Size[1])
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func same(t *testing.T, what string, a *App, want *image.NRGBA) {
	t.Helper()
	if got := a.Frame.Picture; got.Rect != want.Rect || !bytes.Equal(got.Pix, want.Pix) {
		t.Errorf("%s: another picture", what)
	}
}

func TestBothEnginesDrawAllExamples(t *testing.T) {
	files, err := filepath.Glob("../../../static/examples/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no examples", err)
	}
	a := newApp(t)
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		a.Open(f)
		a.Playing = false
		a.Seek(0.5)
		want := picture(t, string(text), 0.5)
		for _, e := range engine.Names {
			a.SetEngine(e)
			until(t, a, f, func() bool { return a.Frame != nil && a.Frame.Engine == e && !a.waiting && !a.redraw })
			same(t, filepath.Base(f)+" "+e, a, want)
		}
	}
}

func TestSaveErrorsAndSliders(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tint.txtar")
	write(t, file, tint)
	a := newApp(t)
	a.Open(file)
	until(t, a, "the picture", drawn(a))
	same(t, "first", a, picture(t, tint, 0))
	if got := a.Title(); got != "tint.txtar – Swizzle" {
		t.Errorf("title %q", got)
	}

	s := a.Sliders()
	if len(s) != 4 || s[1].Name != "Tint.g" || s[1].Min != 0 || s[1].Max != 1 || a.Value(s[1]) != 0.5 {
		t.Fatalf("sliders %+v", s)
	}
	a.Set(s[1], 0.75)
	until(t, a, "the slider", drawn(a))
	tuned := picture(t, strings.Replace(tint, "0.5", "0.75", 1), 0)
	same(t, "tuned", a, tuned)

	write(t, file, strings.Replace(tint, "mov oC0, c0", "mov oC0, c0\nfrob\nmov oC9, c0", 1))
	until(t, a, "the errors", a.Broken)
	want := []string{
		"tint.txtar/ps.asm:3:1: error[unknown-opcode]: ",
		"tint.txtar/ps.asm:4:5: ",
	}
	for i, w := range want {
		if i >= len(a.Problems) || !strings.HasPrefix(a.Problems[i].Text, w) {
			t.Errorf("problems %q, want %q", a.Problems, want)
			break
		}
	}
	if r := a.Rows; len(r) != 4 || r[2].Finding == "" || r[2].Severity != source.Error || r[0].Words != "" {
		t.Errorf("rows %+v", r)
	}
	same(t, "while broken", a, tuned)

	// The file's own value stays what it was: the slider's holds.
	write(t, file, strings.Replace(tint, "ps_2_0", "ps_2_0 // saved", 1))
	until(t, a, "the mended file", func() bool { return !a.Broken() && drawn(a)() })
	same(t, "mended", a, tuned)
	// It changes: the file's holds.
	other := strings.Replace(tint, "1, 0.5", "0, 0.25", 1)
	write(t, file, other)
	until(t, a, "the other value", func() bool { return a.Session.Constants()[0].Binding.Value[0] == 0 && drawn(a)() })
	same(t, "other value", a, picture(t, other, 0))

	// What is wrong with scene.json has its place in the file.
	write(t, file, strings.Replace(tint, "[1, 0.5, 0.2, 1], ", "[1], \"from\": \"eye\", \"rows\": 9, ", 1))
	until(t, a, "the wrong key", a.Broken)
	if got := a.Problems[0].Text; !strings.HasPrefix(got, "tint.txtar:3:69: error[out-of-range]") {
		t.Errorf("problem %q", got)
	}
}

// A file that an editor replaces, removes or makes anew is followed.
func TestWatcherFollowsTheName(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.asm")
	write(t, file, "1")
	w, err := NewWatcher()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := w.Watch(file); err != nil {
		t.Fatal(err)
	}
	changes := func() bool {
		for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
			if w.Changed(time.Now()) {
				return true
			}
		}
		return false
	}
	quiet := func() bool {
		for end := time.Now().Add(4 * settle); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
			if w.Changed(time.Now()) {
				return false
			}
		}
		return true
	}
	for _, step := range []struct {
		what string
		do   func() error
		want bool
	}{
		{"another file", func() error { return os.WriteFile(filepath.Join(dir, "b.asm"), []byte("b"), 0o644) }, false},
		{"written", func() error { return os.WriteFile(file, []byte("2"), 0o644) }, true},
		{"replaced", func() error { return os.Rename(filepath.Join(dir, "b.asm"), file) }, true},
		{"written again", func() error { return os.WriteFile(file, []byte("3"), 0o644) }, true},
		{"mode", func() error { return os.Chmod(file, 0o600) }, false},
		{"removed", func() error { return os.Remove(file) }, true},
		{"made", func() error { return os.WriteFile(file, []byte("4"), 0o644) }, true},
	} {
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		if step.want && !changes() || !step.want && !quiet() {
			t.Errorf("%s: want told %t", step.what, step.want)
		}
	}
	if !quiet() {
		t.Error("told twice")
	}
}

// Text, words and both stages open; what is no shader is told and leaves what was open.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	path := func(name, text string) string {
		write(t, filepath.Join(dir, name), text)
		return filepath.Join(dir, name)
	}
	ps := "ps_2_0\ndef c0, 1, 0, 0, 1\nmov oC0, c0\n"
	p, _, _ := shaderkit.Assemble(ps, isa.Options{})
	text := path("red.asm", ps)
	words := path("red.pso", string(p.Data))
	vs := path("vs.asm", "vs_2_0\ndcl_position v0\ndp4 oPos.x, v0, c0\ndp4 oPos.y, v0, c1\ndp4 oPos.z, v0, c2\ndp4 oPos.w, v0, c3\n")
	a := newApp(t)
	for _, c := range []struct {
		files    []string
		detected string
	}{{[]string{text}, "D3D9 ps_2_0"}, {[]string{words}, "D3D9 ps_2_0"}, {[]string{vs}, "D3D9 vs_2_0"}, {[]string{vs, text}, "D3D9 ps_2_0"}} {
		a.Open(c.files...)
		until(t, a, c.files[0], drawn(a))
		if got := a.Session.Detected(); got != c.detected || a.Broken() {
			t.Errorf("%s: %s, problems %v", c.files, got, a.Problems)
		}
	}
	a.NextStage()
	if a.Session.Detected() != "D3D9 vs_2_0" || len(a.Rows) != 6 || a.Rows[2].Words != "03000009 C0010000 90E40000 A0E40000" {
		t.Errorf("the other stage: %s %+v", a.Session.Detected(), a.Rows)
	}
	fields := Fields(a.Session.Current(), a.Rows[2])
	i := slices.IndexFunc(fields, func(f Field) bool { return f.Name == "dst.mask = 1" })
	if i < 0 || fields[i] != (Field{false, "19:16", "dst.mask = 1", ".x"}) || fields[0] != (Field{true, "0x0010", "0x03000009", "instruction"}) {
		t.Errorf("fields %+v", fields)
	}

	a.Open(path("milk.txt", "Buy milk.\n"))
	if want := "milk.txt: error[open]: milk.txt is neither a scene nor a shader"; !a.Broken() || !strings.HasPrefix(a.Problems[0].Text, want) || a.Title() != a.Problems[0].Text+" – Swizzle" {
		t.Errorf("%v, want %s", a.Problems, want)
	}
	a.Open(filepath.Join(dir, "gone.asm"))
	if want := "gone.asm: error[read]: no such file or directory"; !a.Broken() || a.Problems[0].Text != want {
		t.Errorf("%v, want %s", a.Problems, want)
	}
}

// The probe tells what the target holds without another picture.
func TestProbe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tint.txtar")
	write(t, file, tint)
	a := newApp(t)
	a.Open(file)
	a.Probe(image.Pt(16, 8))
	until(t, a, "the picture", drawn(a))
	if got := a.Frame.Probed; a.Frame.Probe != image.Pt(16, 8) || got.Colour != 0xFF3380FF {
		t.Errorf("probed %+v", got)
	}
	a.Probe(image.Pt(31, 0))
	until(t, a, "the probe", drawn(a))
	if got := a.Frame.Probed; a.Frame.Probe != image.Pt(31, 0) || got.Colour != 0xFF261F1C || got.Depth != 0x3F800000 {
		t.Errorf("probed %+v", got)
	}
}

// Every view that a scene has is drawn as the command line draws it, on both engines, and the picture comes back.
func TestViews(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tint.txtar")
	write(t, file, tint)
	a := newApp(t)
	a.Open(file)
	until(t, a, "the picture", drawn(a))
	names := a.Frame.Views
	if !slices.Equal(names, scene.ModeNames) { // the shader reads nothing of the vertices
		t.Fatalf("views %q", names)
	}
	for range engine.Names {
		for i := range names {
			a.NextView(1)
			name := names[(i+1)%len(names)]
			until(t, a, name, func() bool { return drawn(a)() && a.Frame.View == name && a.Frame.Engine == a.Engine })
			v := scene.NewView(interp.New())
			if err := v.Load(a.Session.Sync(), scene.Compile); err != nil {
				t.Fatal(err)
			}
			m, err := scene.ModeByName(name)
			if err != nil {
				t.Fatal(err)
			}
			v.SetMode(m)
			want, _, err := v.Draw(0, 32, 16)
			if err != nil {
				t.Fatal(err)
			}
			same(t, a.Engine+" "+name, a, want)
			if a.Frame.Range != v.Range() {
				t.Errorf("%s: range %+v, want %+v", name, a.Frame.Range, v.Range())
			}
		}
		a.NextEngine()
	}
}
