package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"

	"swizzle/cmd/serve/site"
)

func read(t *testing.T, elem ...string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(elem...))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestWrite writes a site twice: the compressed forms hold the files, old files go, and the form of an
// unchanged hashed file is kept.
func TestWrite(t *testing.T) {
	out := filepath.Join(t.TempDir(), "site")
	long := []byte(strings.Repeat("swizzle ", 200))
	name := hashName("static/a.js", long)
	files := []file{{"index.html", long, false}, {name, long, true}, {"static/short.txt", []byte("short"), false}, {"gone.txt", nil, false}}
	if err := write(out, files, false); err != nil {
		t.Fatal(err)
	}
	for _, n := range []string{"index.html", name} {
		z, err := gzip.NewReader(bytes.NewReader(read(t, out, n+".gz")))
		if err != nil {
			t.Fatal(err)
		}
		for form, r := range map[string]io.Reader{"gz": z, "br": brotli.NewReader(bytes.NewReader(read(t, out, n+".br")))} {
			if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, long) {
				t.Errorf("%s.%s: %v, %q", n, form, err, got)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(out, "static", "short.txt.br")); err == nil {
		t.Error("a short file is compressed")
	}
	if _, err := site.Load(out); err != nil {
		t.Error(err)
	}

	for _, n := range []string{"index.html", name} {
		if err := os.WriteFile(filepath.Join(out, n+".br"), []byte("kept"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := write(out, files[:3], false); err != nil {
		t.Fatal(err)
	}
	if string(read(t, out, name+".br")) != "kept" {
		t.Error("the form of a hashed file is made again")
	}
	if string(read(t, out, "index.html.br")) == "kept" {
		t.Error("an old form of the page is kept")
	}
	if _, err := os.Stat(filepath.Join(out, "gone.txt")); err == nil {
		t.Error("an old file stays")
	}
}

func TestHashName(t *testing.T) {
	a, b := hashName("static/page.css", []byte("a")), hashName("static/page.css", []byte("b"))
	if a == b || !strings.HasPrefix(a, "static/page.") || !strings.HasSuffix(a, ".css") || len(a) != len("static/page.0123456789abcdef.css") {
		t.Errorf("%s %s", a, b)
	}
}

// TestIndexPage fills the real page and looks for places that are left.
func TestIndexPage(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	page, err := indexPage(root, map[string]string{"static/page.css": "static/page.hash.css"})
	if err != nil {
		t.Fatal(err)
	}
	text := string(page)
	for _, want := range []string{`href="static/page.hash.css"`, `<option value="static/examples/` + defaultExample, `data:image/png;base64,`, `id="w0"`, `data-bit="31"`, "t-opcode"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if strings.Contains(text, "<!--") {
		t.Error("a place is left")
	}
	if len(page) > 60000 {
		t.Errorf("the page has %d bytes before compression", len(page))
	}
}
