package testkit

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"swizzle/shaderkit/source"
)

// A recorder is a test that notes its failures instead of having them.
type recorder struct {
	testing.TB
	failed []string
	ended  bool
}

type endOfTest struct{}

func (r *recorder) Helper() {}
func (r *recorder) Errorf(f string, a ...any) {
	r.failed = append(r.failed, fmt.Sprintf(f, a...))
}
func (r *recorder) Error(a ...any) { r.failed = append(r.failed, fmt.Sprint(a...)) }
func (r *recorder) Fatal(a ...any) { r.Error(a...); panic(endOfTest{}) }
func (r *recorder) Fatalf(f string, a ...any) {
	r.Errorf(f, a...)
	panic(endOfTest{})
}
func (r *recorder) Skip(a ...any) { r.ended = true; panic(endOfTest{}) }

func record(t *testing.T, f func(testing.TB)) (r *recorder) {
	r = &recorder{TB: t}
	defer func() {
		if e := recover(); e != nil && e != (endOfTest{}) {
			panic(e)
		}
	}()
	f(r)
	return r
}

func TestShared(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("SWIZZLE_SHARED", dir)
	if got := Shared(t); got != dir {
		t.Errorf("got %s, want the value of SWIZZLE_SHARED", got)
	}
	t.Setenv("SWIZZLE_SHARED", "")
	inner := filepath.Join(dir, "project", "package")
	for _, d := range []string{inner, filepath.Join(dir, "shared", "corpus")} {
		if err := os.MkdirAll(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(inner)
	if got, want := Shared(t), filepath.Join(dir, "shared"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestMissing(t *testing.T) {
	for _, ci := range []string{"", "true"} {
		t.Setenv("CI", ci)
		r := record(t, func(t testing.TB) { Missing(t, "no corpus") })
		if r.ended != (ci == "") || len(r.failed) != len(ci)/4 {
			t.Errorf("CI=%q: skipped %v, failed %q", ci, r.ended, r.failed)
		}
	}
}

func TestGoldenSection(t *testing.T) {
	path := filepath.Join(t.TempDir(), "add.txtar")
	if err := os.WriteFile(path, []byte("Adds.\n-- in --\n1 2\n-- out --\n3\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	read := func() *Case { return Cases(t, path)[0] }
	c := read()
	if c.Name != "add" || c.Comment() != "Adds.\n" || c.Section(t, "in") != "1 2\n" {
		t.Errorf("read %q, comment %q, in %q", c.Name, c.Comment(), c.Section(t, "in"))
	}
	c.Golden(t, "out", "3")
	if r := record(t, func(t testing.TB) { c.Golden(t, "out", "4") }); len(r.failed) != 1 && !Update() {
		t.Errorf("a difference is not reported: %q", r.failed)
	}
	old := *update
	*update = true
	defer func() { *update = old }()
	c.Golden(t, "out", "4\n")
	c.Golden(t, "new", "5\n")
	if got := read().Section(t, "out") + read().Section(t, "new") + read().Section(t, "in"); got != "4\n5\n1 2\n" {
		t.Errorf("after -update: %q", got)
	}
	if r := record(t, func(t testing.TB) { c.Golden(t, "out", "-- x --\n") }); len(r.failed) != 1 {
		t.Errorf("a marker inside a section is written")
	}
}

func TestWords(t *testing.T) {
	text := "0xFFFE0200, 1 // vs_2_0\n; whole line\n  0000FFFF # end\n"
	if got := Words(t, text); !slices.Equal(got, []uint32{0xFFFE0200, 1, 0xFFFF}) {
		t.Errorf("got %x", got)
	}
	if got := FormatWords(Words(t, text)); got != "0xFFFE0200\n0x00000001\n0x0000FFFF\n" {
		t.Errorf("got %q", got)
	}
	if got := Bytes([]uint32{0x01020304}); !slices.Equal(got, []byte{4, 3, 2, 1}) {
		t.Errorf("got %x", got)
	}
	if got := Hex(t, "01 0203 // three\n04"); !slices.Equal(got, []byte{1, 2, 3, 4}) {
		t.Errorf("got %x", got)
	}
	for _, bad := range []string{"123456789", "g"} {
		if r := record(t, func(t testing.TB) { Words(t, bad) }); len(r.failed) != 1 {
			t.Errorf("%q is taken", bad)
		}
	}
}

func TestDiagnostics(t *testing.T) {
	text := "good\nbad // ERROR \"bad-word\" `second`\nodd // WARNING \"odd\"\n"
	at := func(s, code string, sev source.Severity) source.Diagnostic {
		i := strings.Index(text, s)
		return source.Diagnostic{Code: code, Severity: sev, InText: true, Span: source.Span{Start: i, End: i + 3}, Message: "message"}
	}
	all := source.List{at("bad", "bad-word", 0), at("bad", "second", 0), at("odd", "odd", source.Warning)}
	Diagnostics(t, text, all)
	for name, l := range map[string]source.List{
		"one is missing":     all[1:],
		"one too many":       append(slices.Clone(all), at("good", "bad-word", 0)),
		"the wrong severity": {all[0], all[1], at("odd", "odd", source.Error)},
	} {
		if r := record(t, func(t testing.TB) { Diagnostics(t, text, l) }); len(r.failed) == 0 {
			t.Errorf("passes though %s", name)
		}
	}
}
