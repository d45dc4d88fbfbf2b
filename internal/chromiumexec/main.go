// Command chromiumexec runs a Go program built for js/wasm in headless Chromium and ends with its exit
// status. It is made for tests, which so run on the browser's own WebAssembly engine:
//
//	GOOS=js GOARCH=wasm go test -exec="$PWD/build/chromiumexec" ./shaderkit/jit
//
// The program runs in a Worker. It may read the files of this machine, in the folder that the command
// runs in, and write to standard output and temporary files; worker.js is the bridge.
package main

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

//go:embed worker.js
var worker []byte

// patience is how long Chromium may take to start, with nothing asked of the server.
const patience = time.Minute

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: chromiumexec PROGRAM.wasm [ARGUMENT...]")
		os.Exit(2)
	}
	code, err := run(os.Args[1], os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "chromiumexec:", err)
		code = 2
	}
	os.Exit(code)
}

// run gives the exit status of a program.
func run(program string, args []string) (int, error) {
	folder, err := os.Getwd()
	if err != nil {
		return 0, err
	}
	root, err := goroot()
	if err != nil {
		return 0, err
	}
	support, err := os.ReadFile(filepath.Join(root, "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return 0, err
	}
	b := &bridge{program: program, args: args, folder: folder, support: support, exit: make(chan int, 1), started: make(chan struct{})}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	server := &http.Server{Handler: b}
	go server.Serve(listener)
	defer server.Close()

	profile, err := os.MkdirTemp("", "chromiumexec")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(profile)
	browser := exec.Command(chromium(), "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--user-data-dir="+profile, "--remote-debugging-port=0",
		"http://"+listener.Addr().String()+"/")
	if err := browser.Start(); err != nil {
		return 0, fmt.Errorf("starting Chromium (apt-get install chromium, or set CHROMIUM to its path): %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- browser.Wait() }()
	defer func() {
		browser.Process.Kill()
		<-ended
	}()
	select {
	case <-b.started:
	case code := <-b.exit:
		return code, nil
	case err := <-ended:
		ended <- err
		return 0, fmt.Errorf("the browser ended: %v", err)
	case <-time.After(patience):
		return 0, errors.New("the browser asks for nothing")
	}
	select {
	case code := <-b.exit:
		return code, nil
	case err := <-ended:
		ended <- err
		return 0, fmt.Errorf("the browser ended: %v", err)
	}
}

func chromium() string {
	if path := os.Getenv("CHROMIUM"); path != "" {
		return path
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return "chromium"
}

// goroot is where the Go of the command line is.
func goroot() (string, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	return strings.TrimSpace(string(out)), err
}

// A bridge serves the page and answers the program.
type bridge struct {
	program, folder string
	args            []string
	support         []byte
	exit            chan int
	started         chan struct{}
	once            sync.Once
}

func (b *bridge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/":
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, `<!doctype html><script>new Worker("/worker.js")</script>`)
	case "/worker.js":
		script(w, worker)
	case "/wasm_exec.js":
		script(w, b.support)
	case "/program.wasm":
		w.Header().Set("Content-Type", "application/wasm")
		http.ServeFile(w, r, b.program)
	case "/start":
		b.once.Do(func() { close(b.started) })
		json.NewEncoder(w).Encode(map[string]any{"args": b.args, "env": environment(), "folder": b.folder})
	case "/file":
		b.file(w, r.URL.Query().Get("path"))
	case "/write", "/mkdir":
		b.write(w, r)
	case "/out":
		to := os.Stdout
		if r.URL.Query().Get("fd") == "2" {
			to = os.Stderr
		}
		io.Copy(to, r.Body)
	case "/exit":
		code, err := strconv.Atoi(r.URL.Query().Get("code"))
		if err != nil {
			code = 2
		}
		b.exit <- code
	default:
		http.NotFound(w, r)
	}
}

func script(w http.ResponseWriter, text []byte) {
	w.Header().Set("Content-Type", "text/javascript")
	w.Write(text)
}

// environment gives the variables that programs ask about. More may not fit beside the arguments.
func environment() map[string]string {
	env := map[string]string{}
	for _, name := range []string{"CI", "SWIZZLE_SHARED"} {
		if v, ok := os.LookupEnv(name); ok {
			env[name] = v
		}
	}
	return env
}

// write makes a file or a folder among the temporary ones.
func (b *bridge) write(w http.ResponseWriter, r *http.Request) {
	path := filepath.Clean(r.URL.Query().Get("path"))
	if rel, err := filepath.Rel(os.TempDir(), path); err != nil || !filepath.IsLocal(rel) {
		http.Error(w, "not a temporary file", http.StatusForbidden)
		return
	}
	var err error
	if r.URL.Path == "/mkdir" {
		err = os.MkdirAll(path, 0o777)
	} else {
		var data []byte
		if data, err = io.ReadAll(r.Body); err == nil {
			err = os.WriteFile(path, data, 0o666)
		}
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusForbidden)
	}
}

// file answers with a file's bytes, or with a folder's names.
func (b *bridge) file(w http.ResponseWriter, path string) {
	if !filepath.IsAbs(path) {
		path = filepath.Join(b.folder, path)
	}
	info, err := os.Stat(path)
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	if !info.IsDir() {
		data, err := os.ReadFile(path)
		if err != nil {
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		}
		w.Header().Set("Swizzle-Kind", "file")
		w.Write(data)
		return
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	names := []string{}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	w.Header().Set("Swizzle-Kind", "folder")
	json.NewEncoder(w).Encode(names)
}
