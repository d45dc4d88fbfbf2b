// Package testkit is what tests share: the corpus folder, txtar cases with golden sections, hex,
// and expectations of errors written at the line that has them.
//
// A case is a txtar archive: a comment that says what it shows, then named sections of input and
// expectation. A golden section changes only when the tests run with -update:
//
//	for _, c := range testkit.Cases(t, "testdata/print/*.txtar") {
//		t.Run(c.Name, func(t *testing.T) {
//			p := decode(testkit.Hex(t, c.Section(t, "hex")))
//			c.Golden(t, "text", print(p))
//		})
//	}
package testkit

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write golden files and golden sections anew instead of comparing")

// Update reports whether golden files are to be written.
func Update() bool { return *update }

// Shared gives the folder of shared material (its folder corpus holds the real shaders): the value of
// SWIZZLE_SHARED, else a folder "shared" beside one of the folders above the test.
// A test that finds none is skipped, but fails when CI=true.
func Shared(t testing.TB) string {
	t.Helper()
	if dir := os.Getenv("SWIZZLE_SHARED"); dir != "" {
		if !isDir(dir) {
			t.Fatalf("SWIZZLE_SHARED: %s is not a folder", dir)
		}
		return dir
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if s := filepath.Join(dir, "shared"); isDir(filepath.Join(s, "corpus")) {
			return s
		}
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	Missing(t, "no folder shared/corpus above the test: set SWIZZLE_SHARED")
	return ""
}

// Missing ends a test that lacks something of its surroundings: it is skipped, but fails when CI=true.
func Missing(t testing.TB, what string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatal(what)
	}
	t.Skip(what)
}

func isDir(path string) bool {
	fi, err := os.Stat(path)
	return err == nil && fi.IsDir()
}

// A Case is one txtar file.
type Case struct {
	Name    string // base name without extension, fit for t.Run
	Path    string
	archive *txtar.Archive
}

// Cases reads the txtar files that match the pattern; none is a failure.
func Cases(t testing.TB, pattern string) []*Case {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) == 0 {
		t.Fatalf("no file matches %s", pattern)
	}
	var cases []*Case
	for _, p := range paths {
		a, err := txtar.ParseFile(p)
		if err != nil {
			t.Fatal(err)
		}
		base := filepath.Base(p)
		cases = append(cases, &Case{Name: strings.TrimSuffix(base, filepath.Ext(base)), Path: p, archive: a})
	}
	return cases
}

// Comment gives the text before the first section.
func (c *Case) Comment() string { return string(c.archive.Comment) }

// Files gives the sections in their order.
func (c *Case) Files() []txtar.File { return c.archive.Files }

// Lookup gives the section of that name and whether there is one.
func (c *Case) Lookup(name string) (string, bool) {
	for _, f := range c.archive.Files {
		if f.Name == name {
			return string(f.Data), true
		}
	}
	return "", false
}

// Section gives the section of that name; a missing one ends the test.
func (c *Case) Section(t testing.TB, name string) string {
	t.Helper()
	s, ok := c.Lookup(name)
	if !ok {
		t.Fatalf("%s: no section %q", c.Path, name)
	}
	return s
}

// Golden compares got with the section of that name. With -update it writes the section instead.
// A final newline is added to got when it lacks one, as txtar has no text without.
func (c *Case) Golden(t testing.TB, name, got string) {
	t.Helper()
	if got != "" && !strings.HasSuffix(got, "\n") {
		got += "\n"
	}
	want, ok := c.Lookup(name)
	if ok && want == got {
		return
	}
	if !*update {
		if !ok {
			t.Errorf("%s: no section %q; got:\n%s", c.Path, name, got)
			return
		}
		t.Errorf("%s: section %q differs (-want +got):\n%s", c.Path, name, diff(want, got))
		return
	}
	c.set(name, got)
	data := txtar.Format(c.archive)
	if back := txtar.Parse(data); !sameArchive(back, c.archive) {
		t.Fatalf("%s: section %q holds a line that txtar reads as a marker", c.Path, name)
	}
	if err := os.WriteFile(c.Path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

func (c *Case) set(name, data string) {
	for i := range c.archive.Files {
		if c.archive.Files[i].Name == name {
			c.archive.Files[i].Data = []byte(data)
			return
		}
	}
	c.archive.Files = append(c.archive.Files, txtar.File{Name: name, Data: []byte(data)})
}

func sameArchive(a, b *txtar.Archive) bool {
	if len(a.Files) != len(b.Files) {
		return false
	}
	for i := range a.Files {
		if a.Files[i].Name != b.Files[i].Name || !bytes.Equal(a.Files[i].Data, b.Files[i].Data) {
			return false
		}
	}
	return true
}

// Golden compares got with the file at path. With -update it writes the file instead.
func Golden(t testing.TB, path string, got []byte) {
	t.Helper()
	want, err := os.ReadFile(path)
	if err == nil && bytes.Equal(want, got) {
		return
	}
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if err != nil {
		t.Error(err)
		return
	}
	t.Errorf("%s differs (-want +got):\n%s", path, diff(string(want), string(got)))
}

// diff compares line by line.
func diff(want, got string) string {
	return cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n"))
}
