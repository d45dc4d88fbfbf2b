package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/evanw/esbuild/pkg/api"
)

// A file is one file of the site.
type file struct {
	name   string // address, with slashes
	body   []byte
	hashed bool // gets a hash into its name
}

// build makes the site of the module at root in out.
func build(root, out string, quick bool) error {
	files, err := assets(root)
	if err != nil {
		return err
	}
	names := map[string]string{} // source name → name in the site
	for i := range files {
		f := &files[i]
		old := f.name
		if f.hashed {
			f.name = hashName(f.name, f.body)
		}
		names[old] = f.name
	}
	page, err := indexPage(root, names)
	if err != nil {
		return err
	}
	files = append(files, file{name: "index.html", body: page})
	offline, err := offlineScript(root, files)
	if err != nil {
		return err
	}
	files = append(files, file{name: "offline.js", body: offline})
	return write(out, files, quick)
}

// assets gives all files but those that name others.
func assets(root string) ([]file, error) {
	editor, err := bundleEditor(root)
	if err != nil {
		return nil, err
	}
	files := []file{{"static/editor.js", editor, true}}
	program, err := compileWasm(root)
	if err != nil {
		return nil, err
	}
	files = append(files, file{"swizzle.wasm", program, true})
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	for _, src := range []struct {
		name, path string
		loader     api.Loader
	}{
		{"static/wasm_exec.js", filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "wasm_exec.js"), api.LoaderJS},
		{"static/loader.js", filepath.Join(root, "static", "loader.js"), api.LoaderJS},
		{"static/worker.js", filepath.Join(root, "static", "worker.js"), api.LoaderJS},
		{"static/page.css", filepath.Join(root, "static", "page.css"), api.LoaderCSS},
	} {
		body, err := minify(src.path, src.loader)
		if err != nil {
			return nil, err
		}
		files = append(files, file{src.name, body, true})
	}
	icon, err := os.ReadFile(filepath.Join(root, "static", "icon.svg"))
	if err != nil {
		return nil, err
	}
	files = append(files, file{"static/icon.svg", icon, true})
	examples, err := filepath.Glob(filepath.Join(root, "static", "examples", "*.txtar"))
	if err != nil {
		return nil, err
	}
	for _, p := range examples {
		body, err := os.ReadFile(p)
		if err != nil {
			return nil, err
		}
		files = append(files, file{name: "static/examples/" + filepath.Base(p), body: body})
	}
	return files, nil
}

// compileWasm builds the page's program without paths and symbols.
func compileWasm(root string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "swizzle-wasm")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "swizzle.wasm")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", out, "./wasm")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if msg, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build ./wasm: %w\n%s", err, msg)
	}
	return os.ReadFile(out)
}

func minify(path string, loader api.Loader) ([]byte, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r := api.Transform(string(src), api.TransformOptions{
		Loader: loader, Sourcefile: path, MinifySyntax: true, MinifyWhitespace: true, MinifyIdentifiers: true, LogLevel: api.LogLevelSilent,
	})
	if len(r.Errors) > 0 {
		return nil, fmt.Errorf("%s: %s", path, r.Errors[0].Text)
	}
	return r.Code, nil
}

// hashName puts a hash of the content in front of the name's extension.
func hashName(name string, body []byte) string {
	sum := sha256.Sum256(body)
	ext := path.Ext(name)
	return strings.TrimSuffix(name, ext) + "." + hex.EncodeToString(sum[:8]) + ext
}

// offlineScript gives the service worker, told which files make the site.
func offlineScript(root string, files []file) ([]byte, error) {
	src, err := minify(filepath.Join(root, "static", "offline.js"), api.LoaderJS)
	if err != nil {
		return nil, err
	}
	h := sha256.New()
	var list []string
	for _, f := range files {
		h.Write([]byte(f.name))
		h.Write(f.body)
		list = append(list, f.name)
	}
	slices.Sort(list)
	head := fmt.Sprintf("const version=%q,files=[\"./\",\"%s\"];\n", hex.EncodeToString(h.Sum(nil)[:8]), strings.Join(list, `","`))
	return append([]byte(head), src...), nil
}

// write makes out anew with the files and their compressed forms. A hashed file that is there already
// has the same content, so its compressed forms are kept.
func write(out string, files []file, quick bool) error {
	fresh := out + ".new"
	if err := os.RemoveAll(fresh); err != nil {
		return err
	}
	for _, f := range files {
		p := filepath.Join(fresh, filepath.FromSlash(f.name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			return err
		}
		forms := map[string][]byte{"": f.body}
		if len(f.body) > 400 {
			forms[".gz"] = gzipped(f.body)
			if kept, err := os.ReadFile(filepath.Join(out, filepath.FromSlash(f.name)+".br")); err == nil && f.hashed && !quick {
				forms[".br"] = kept
			} else {
				forms[".br"] = brotlied(f.body, quick)
			}
		}
		for suffix, body := range forms {
			if err := os.WriteFile(p+suffix, body, 0o644); err != nil {
				return err
			}
		}
	}
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	return os.Rename(fresh, out)
}

func gzipped(body []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is valid
	w.Write(body)                                         // a Buffer takes all
	w.Close()
	return b.Bytes()
}

func brotlied(body []byte, quick bool) []byte {
	var b bytes.Buffer
	quality := brotli.BestCompression
	if quick {
		quality = 4
	}
	w := brotli.NewWriterLevel(&b, quality)
	w.Write(body)
	w.Close()
	return b.Bytes()
}
