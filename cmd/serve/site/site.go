// Package site holds a built static web site in memory and serves it.
//
// # Layout
//
// A site is a folder of plain files. Beside a file may lie its precompressed forms:
//
//	index.html  index.html.br  index.html.gz
//
// They are served in place of the file to clients that accept them and have no address of their
// own. A file whose name holds a hash of its content (page.0123456789abcdef.css) never changes, so
// clients may keep it for ever; all others are revalidated by ETag at each use.
//
// # Safety
//
// Load reads regular files only and nothing behind symbolic links. A request looks its path up in
// the table that Load made and never touches the file system, so no spelling of a path leaves the
// site.
package site

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"mime"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Site is the content of a folder. It does not change after Load.
type Site struct {
	files map[string]*file // by path without a leading slash
}

type file struct {
	contentType string
	cache       string                // Cache-Control
	forms       map[string]*encodedAs // by content coding, "" for the file itself
}

type encodedAs struct {
	body []byte
	etag string
}

// codings are the content codings served, the preferred one first, with the suffix of their files.
var codings = []struct{ name, suffix string }{{"br", ".br"}, {"gzip", ".gz"}}

var hashed = regexp.MustCompile(`\.[0-9a-f]{16}\.[a-z0-9]+$`)

// Load reads all regular files of dir. Symbolic links are left out.
func Load(dir string) (*Site, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("opening the site: %w", err)
	}
	defer root.Close()
	bodies := map[string][]byte{}
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		body, err := root.ReadFile(name)
		bodies[name] = body
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("reading the site: %w", err)
	}
	s := &Site{files: map[string]*file{}}
	for name, body := range bodies {
		base, coding := splitCoding(name)
		if _, ok := bodies[base]; !ok {
			return nil, fmt.Errorf("%s is a compressed form of a file that is not there", name)
		}
		f := s.files[base]
		if f == nil {
			f = &file{contentType: contentType(base), cache: "no-cache", forms: map[string]*encodedAs{}}
			if hashed.MatchString(base) {
				f.cache = "public, max-age=31536000, immutable"
			}
			s.files[base] = f
		}
		sum := sha256.Sum256(body)
		f.forms[coding] = &encodedAs{body: body, etag: `"` + hex.EncodeToString(sum[:12]) + `"`}
	}
	if s.files["index.html"] == nil {
		return nil, fmt.Errorf("%s holds no index.html", dir)
	}
	return s, nil
}

func splitCoding(name string) (base, coding string) {
	for _, c := range codings {
		if strings.HasSuffix(name, c.suffix) {
			return strings.TrimSuffix(name, c.suffix), c.name
		}
	}
	return name, ""
}

// types are the content types of a site's files. The tables of operating systems differ, so none is asked
// where the name is known here.
var types = map[string]string{
	".css":         "text/css; charset=utf-8",
	".html":        "text/html; charset=utf-8",
	".ico":         "image/x-icon",
	".js":          "text/javascript; charset=utf-8",
	".json":        "application/json",
	".md":          "text/markdown; charset=utf-8",
	".png":         "image/png",
	".svg":         "image/svg+xml",
	".txt":         "text/plain; charset=utf-8",
	".txtar":       "text/plain; charset=utf-8",
	".wasm":        "application/wasm",
	".webmanifest": "application/manifest+json",
}

func contentType(name string) string {
	ext := strings.ToLower(path.Ext(name))
	if t := types[ext]; t != "" {
		return t
	}
	if t := mime.TypeByExtension(ext); t != "" {
		return t
	}
	return "application/octet-stream"
}

// Names gives the addresses of all files, sorted, without a leading slash.
func (s *Site) Names() []string { return slices.Sorted(maps.Keys(s.files)) }

// Size gives the number of bytes that a transfer of the file takes in the given coding, or of the
// file itself when it has no such form; 0 when there is no such file.
func (s *Site) Size(name, coding string) int {
	f := s.files[name]
	if f == nil {
		return 0
	}
	if e := f.forms[coding]; e != nil {
		return len(e.body)
	}
	return len(f.forms[""].body)
}

// policy lets the page load from its own origin alone. The editor makes style elements, and a
// picture may be a data or blob address.
const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; " +
	"img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'none'"

// ServeHTTP answers GET and HEAD for the files of the site; "/" is index.html.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Content-Security-Policy", policy)
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "only GET and HEAD are answered here", http.StatusMethodNotAllowed)
		return
	}
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" {
		name = "index.html"
	}
	f := s.files[name]
	if f == nil {
		h.Set("Cache-Control", "no-store")
		http.Error(w, "no such file", http.StatusNotFound)
		return
	}
	coding := f.negotiate(r.Header.Get("Accept-Encoding"))
	form := f.forms[coding]
	h.Set("Cache-Control", f.cache)
	h.Set("Vary", "Accept-Encoding")
	h.Set("ETag", form.etag)
	if matches(r.Header.Get("If-None-Match"), form.etag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", f.contentType)
	if coding != "" {
		h.Set("Content-Encoding", coding)
	}
	h.Set("Content-Length", strconv.Itoa(len(form.body)))
	if r.Method == http.MethodGet {
		w.Write(form.body) // a client that went away is no concern of the server
	}
}

// negotiate picks a coding that the client accepts and the file has; "" is the file itself.
func (f *file) negotiate(accept string) string {
	quality := map[string]float64{}
	for item := range strings.SplitSeq(accept, ",") {
		name, params, _ := strings.Cut(item, ";")
		q := 1.0
		if v, ok := strings.CutPrefix(strings.TrimSpace(params), "q="); ok {
			var err error
			if q, err = strconv.ParseFloat(v, 64); err != nil {
				q = 0
			}
		}
		quality[strings.ToLower(strings.TrimSpace(name))] = q
	}
	best, bestQ := "", 0.0
	for _, c := range codings {
		q, named := quality[c.name]
		if !named {
			q = quality["*"]
		}
		if f.forms[c.name] != nil && q > bestQ {
			best, bestQ = c.name, q
		}
	}
	return best
}

// matches reports whether an If-None-Match header names etag.
func matches(header, etag string) bool {
	for item := range strings.SplitSeq(header, ",") {
		if item = strings.TrimSpace(item); item == "*" || strings.TrimPrefix(item, "W/") == etag {
			return true
		}
	}
	return false
}

// Export writes the files of the site, compressed forms included, into dir, which is made when it
// is not there. Any static web server can serve the result.
func (s *Site) Export(dir string) error {
	for _, name := range s.Names() {
		out := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
			return err
		}
		f := s.files[name]
		if err := os.WriteFile(out, f.forms[""].body, 0o644); err != nil {
			return err
		}
		for _, c := range codings {
			if e := f.forms[c.name]; e != nil {
				if err := os.WriteFile(out+c.suffix, e.body, 0o644); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
