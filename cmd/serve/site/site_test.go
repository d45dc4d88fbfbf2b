package site

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const hashedName = "static/page.0123456789abcdef.css"

// testSite is a folder with a file of each kind, a link that leaves it and a secret beside it.
func testSite(t *testing.T) string {
	top := t.TempDir()
	dir := filepath.Join(top, "site")
	for name, body := range map[string]string{
		"secret.txt":                     "secret",
		"site/index.html":                "<!doctype html>",
		"site/index.html.br":             "BR",
		"site/index.html.gz":             "GZ",
		"site/swizzle.wasm":              "\x00asm",
		"site/swizzle.wasm.gz":           "GZ wasm",
		"site/" + hashedName:             "body{}",
		"site/static/a.js":               "0",
		"site/static/examples/one.txtar": "-- scene.json --",
	} {
		p := filepath.Join(top, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{"out.txt": "../secret.txt", "up": "..", "in.txt": "index.html"} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func load(t *testing.T) *Site {
	t.Helper()
	s, err := Load(testSite(t))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func get(s *Site, method, target string, header ...string) *http.Response {
	r := httptest.NewRequest(method, target, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, r *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestContentTypes(t *testing.T) {
	s := load(t)
	for target, want := range map[string]string{
		"/":                              "text/html; charset=utf-8",
		"/index.html":                    "text/html; charset=utf-8",
		"/swizzle.wasm":                  "application/wasm",
		"/" + hashedName:                 "text/css; charset=utf-8",
		"/static/a.js":                   "text/javascript; charset=utf-8",
		"/static/examples/one.txtar":     "text/plain; charset=utf-8",
		"/static/examples/one.txtar?x=1": "text/plain; charset=utf-8",
	} {
		r := get(s, "GET", target)
		if r.StatusCode != 200 || r.Header.Get("Content-Type") != want {
			t.Errorf("%s: %d %q, want %q", target, r.StatusCode, r.Header.Get("Content-Type"), want)
		}
		if r.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s may be sniffed", target)
		}
	}
}

func TestNegotiation(t *testing.T) {
	s := load(t)
	for _, c := range []struct{ target, accept, coding, body string }{
		{"/", "", "", "<!doctype html>"},
		{"/", "gzip, deflate, br, zstd", "br", "BR"},
		{"/", "gzip", "gzip", "GZ"},
		{"/", "GZIP", "gzip", "GZ"},
		{"/", "br;q=0, gzip", "gzip", "GZ"},
		{"/", "br;q=0.1, gzip;q=0.9", "gzip", "GZ"},
		{"/", "*", "br", "BR"},
		{"/", "br;q=0, *;q=0.5", "gzip", "GZ"},
		{"/", "br;q=0, gzip;q=0", "", "<!doctype html>"},
		{"/", "br;q=nonsense", "", "<!doctype html>"},
		{"/swizzle.wasm", "br, gzip", "gzip", "GZ wasm"},
		{"/static/a.js", "br, gzip", "", "0"},
	} {
		r := get(s, "GET", c.target, "Accept-Encoding", c.accept)
		got := body(t, r)
		if r.Header.Get("Content-Encoding") != c.coding || got != c.body {
			t.Errorf("%s for %q: %q %q, want %q %q", c.target, c.accept, r.Header.Get("Content-Encoding"), got, c.coding, c.body)
		}
		if r.Header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s for %q: caches are not told that the answer depends on the coding", c.target, c.accept)
		}
		if r.Header.Get("Content-Length") != fmt.Sprint(len(c.body)) {
			t.Errorf("%s for %q: length %q", c.target, c.accept, r.Header.Get("Content-Length"))
		}
	}
}

func TestCaching(t *testing.T) {
	s := load(t)
	if got := get(s, "GET", "/"+hashedName).Header.Get("Cache-Control"); !strings.Contains(got, "immutable") {
		t.Errorf("hashed file: %q", got)
	}
	first := get(s, "GET", "/", "Accept-Encoding", "br")
	if got := first.Header.Get("Cache-Control"); got != "no-cache" {
		t.Errorf("page: %q", got)
	}
	etag := first.Header.Get("ETag")
	for _, c := range []struct {
		match, accept string
		status        int
	}{
		{etag, "br", 304},
		{"W/" + etag, "br", 304},
		{`"other", ` + etag, "br", 304},
		{"*", "br", 304},
		{`"other"`, "br", 200},
		{etag, "gzip", 200}, // another form of the file is another entity
	} {
		r := get(s, "GET", "/", "If-None-Match", c.match, "Accept-Encoding", c.accept)
		if r.StatusCode != c.status {
			t.Errorf("%q for %q: %d, want %d", c.match, c.accept, r.StatusCode, c.status)
		}
		if r.StatusCode == 304 && body(t, r) != "" {
			t.Errorf("%q: a body with 304", c.match)
		}
	}
}

func TestMethods(t *testing.T) {
	s := load(t)
	if r := get(s, "HEAD", "/"); r.StatusCode != 200 || body(t, r) != "" || r.Header.Get("Content-Length") != "15" {
		t.Errorf("HEAD: %d", r.StatusCode)
	}
	if r := get(s, "POST", "/"); r.StatusCode != 405 || r.Header.Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: %d", r.StatusCode)
	}
}

// TestOutside asks a real server for paths outside the site, byte for byte as written.
func TestOutside(t *testing.T) {
	srv := httptest.NewServer(load(t))
	defer srv.Close()
	for _, target := range []string{
		"/../secret.txt", "/..%2fsecret.txt", "/%2e%2e/secret.txt", "/%2e%2e%2fsecret.txt", "/static/../../secret.txt",
		"/..\\secret.txt", "/..%5csecret.txt", "//secret.txt", "/./../secret.txt", "/%00", "/index.html%00.txt",
		"/out.txt", "/up/secret.txt", "/in.txt", "/index.html.br", "/static", "/static/", "/C:/secret.txt", "/%252e%252e/secret.txt",
	} {
		conn, err := net.Dial("tcp", srv.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(conn, "GET %s HTTP/1.0\r\n\r\n", target)
		answer, err := io.ReadAll(conn)
		conn.Close()
		if err != nil {
			t.Errorf("%s: %v", target, err)
		}
		if !strings.HasPrefix(string(answer), "HTTP/1.0 4") || strings.Contains(string(answer), "secret\n") || strings.HasSuffix(string(answer), "secret") {
			t.Errorf("%s: %s", target, answer)
		}
	}
}

func TestExport(t *testing.T) {
	s := load(t)
	out := filepath.Join(t.TempDir(), "out")
	if err := s.Export(out); err != nil {
		t.Fatal(err)
	}
	again, err := Load(out)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(again.Names()), fmt.Sprint(s.Names()); got != want {
		t.Errorf("exported %s, want %s", got, want)
	}
	for _, accept := range []string{"", "gzip", "br"} {
		a, b := get(s, "GET", "/", "Accept-Encoding", accept), get(again, "GET", "/", "Accept-Encoding", accept)
		if a.Header.Get("ETag") != b.Header.Get("ETag") {
			t.Errorf("%q: the exported page differs", accept)
		}
	}
}

func TestLoadRefuses(t *testing.T) {
	if _, err := Load(filepath.Join(t.TempDir(), "missing")); err == nil {
		t.Error("a missing folder was loaded")
	}
	if _, err := Load(t.TempDir()); err == nil {
		t.Error("a folder without index.html was loaded")
	}
	dir := testSite(t)
	if err := os.WriteFile(filepath.Join(dir, "stray.css.br"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(dir); err == nil {
		t.Error("a compressed form without its file was loaded")
	}
}
