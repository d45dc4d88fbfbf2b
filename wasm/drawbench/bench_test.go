// Package drawbench compares the engines, in a Worker, with WebGL on SwiftShader: four workloads, drawn
// as Direct3D 9 assembly by package scene and as the same picture in WebGL, taking turns in one Chromium.
//
// The native benchmark does so with softpipe and llvmpipe, where Mesa and a C compiler are installed.
//
// The figures by processor time count all processes that take part; they suffer least from other load.
//
// A frame is a clear and two triangles that cover the target: RGBA8 with a depth buffer. It is finished when a
// pixel of it was read back; WebGL also gets four frames for each readback, which suits it better.
// Nothing is presented. Several Workers draw a part each and wait for one another behind every fourth frame.
package drawbench

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"swizzle/render"
	"swizzle/render/scene"
)

// A workload is a scene, and the same as testdata/page.js wants it.
type workload struct {
	Scene   string     `json:"scene"`
	Vert    string     `json:"vert"`
	Frag    string     `json:"frag"`
	Depth   bool       `json:"depth"`
	Blend   bool       `json:"blend"`
	Clear   [4]float64 `json:"clear"`
	Corners []float32  `json:"corners"` // x, y of each vertex
	Indices []uint16   `json:"indices"` // of the corners of each triangle
	Texture []byte     `json:"texture"`
	Side    int        `json:"side"` // of the texture
}

func load(t testing.TB, file string) (w workload, title string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := scene.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	d := s.First()
	w = workload{
		Scene: string(data), Vert: string(s.File("webgl.vert").Data), Frag: string(s.File("webgl.frag").Data),
		Depth: d.Depth != "always", Blend: d.Blend == "alpha", Clear: s.Clear,
	}
	m := render.NewMesh(d.Mesh, d.Detail)
	for i := range m.Vertices {
		w.Corners = append(w.Corners, m.Vertices[i].Position[:2]...)
	}
	for _, i := range m.Indices {
		w.Indices = append(w.Indices, uint16(i))
	}
	if len(m.Vertices) > 1<<16 {
		t.Fatalf("%s: %d vertices, WebGL counts to 65536", file, len(m.Vertices))
	}
	for _, b := range d.PSTextures {
		x := s.Textures[b.Texture]
		w.Side = x.Size
		for _, c := range render.Procedural(x.Image, x.Size, uint32(x.Seed)).Texels {
			w.Texture = append(w.Texture, byte(c), byte(c>>8), byte(c>>16), byte(c>>24))
		}
	}
	return w, s.Title
}

// browser serves the bench page and gives a Chromium whose WebGL is SwiftShader.
func browser(t testing.TB) (ctx context.Context, origin string) {
	t.Helper()
	dir := t.TempDir()
	program := filepath.Join(dir, "drawer.wasm")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", program, "./drawer")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if msg, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, msg)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		"/drawer.wasm":  program,
		"/drawer.js":    "testdata/drawer.js",
		"/page.js":      "testdata/page.js",
		"/wasm_exec.js": filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"),
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Isolated, the page has a clock of 5 µs.
		w.Header().Set("Cross-Origin-Opener-Policy", "same-origin")
		w.Header().Set("Cross-Origin-Embedder-Policy", "require-corp")
		if file, ok := files[r.URL.Path]; ok {
			http.ServeFile(w, r, file)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><title>bench</title><script src="page.js"></script>`)
	}))
	t.Cleanup(server.Close)
	options := []chromedp.ExecAllocatorOption{
		chromedp.UserDataDir(filepath.Join(dir, "profile")), chromedp.NoFirstRun, chromedp.Headless, chromedp.NoSandbox,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
		chromedp.Flag("use-gl", "angle"), chromedp.Flag("use-angle", "swiftshader"),
		chromedp.Flag("enable-unsafe-swiftshader", true), chromedp.Flag("ignore-gpu-blocklist", true),
	}
	if path := os.Getenv("CHROMIUM"); path != "" {
		options = append(options, chromedp.ExecPath(path))
	}
	allocated, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, cancel := chromedp.NewContext(allocated)
	t.Cleanup(cancel)
	return ctx, server.URL
}

// eval gives the value of a JavaScript expression.
func eval[T any](t testing.TB, ctx context.Context, expression string) T {
	t.Helper()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatalf("%.200s: %v", expression, err)
	}
	return v
}

func asJSON(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

var engines = []string{"interp", "jit"}

// tolerance is the greatest difference of a byte of colour between an engine and WebGL, whose interpolation,
// rsq and texture filter have other last bits; so have exp, log and sin, of which w2 has 40 on end.
func tolerance(name string) int {
	if name == "w2" {
		return 4
	}
	return 1
}

// firstCount is how many new shaders are compiled. The first ones run our compiler as the browser's own first
// compiler leaves it, the last warmCount as its second one does.
const firstCount, warmCount = 70, 21

// workloads calls f for each, with the page showing it and so many workers ready.
func workloads(t testing.TB, ctx context.Context, origin string, workers int, f func(name, title string, w workload)) {
	t.Helper()
	files, err := filepath.Glob("testdata/w?.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no workloads", err)
	}
	for _, file := range files {
		w, title := load(t, file)
		if err := chromedp.Do(ctx, chromedp.Navigate(origin)); err != nil {
			t.Fatal(err)
		}
		renderer := eval[string](t, ctx, fmt.Sprintf("start(%s, %d)", asJSON(w), workers))
		f(strings.TrimSuffix(filepath.Base(file), ".txtar"), title+"; WebGL by "+renderer, w)
	}
}

// The engines draw the same bits in Chromium, in one Worker and in two, and WebGL the same picture.
func TestPictures(t *testing.T) {
	ctx, origin := browser(t)
	workloads(t, ctx, origin, 2, func(name, title string, _ workload) {
		t.Logf("%s: %s", title, compare(t, ctx, name, 192))
	})
}

// BenchmarkDraw prints a table for each workload.
func BenchmarkDraw(b *testing.B) {
	for b.Loop() {
		ctx, origin := browser(b)
		workers := runtime.NumCPU()
		fmt.Printf("CPUs that may be used: %d; threads: engines 1 to %[1]d, WebGL what SwiftShader takes; load %s\n", workers, loadAverage())
		workloads(b, ctx, origin, workers, func(name, title string, w workload) {
			fmt.Printf("\n%s: %s\n", name, title)
			measure(b, ctx, name, workers)
			first(b, ctx, w)
		})
		examples(b, ctx)
	}
	b.ReportMetric(0, "ns/op") // the tables have the figures
}

func measure(b *testing.B, ctx context.Context, name string, workers int) {
	for _, size := range []int{512, 1024} {
		fmt.Printf("%dx%d against WebGL: %s\n", size, size, compare(b, ctx, name, size))
	}
	call := func(format string, args ...any) func(size, millis int) sample {
		return func(size, millis int) sample {
			return eval[sample](b, ctx, fmt.Sprintf(format, append([]any{size, millis}, args...)...))
		}
	}
	var all []*contender
	for _, e := range engines {
		all = append(all, &contender{name: e + ", 1 Worker", draw: call("engineTime(%[3]q, 1, %[1]d, %[2]d)", e)})
	}
	if e := engines[len(engines)-1]; workers > 1 {
		all = append(all, &contender{name: fmt.Sprintf("%s, %d Workers", e, workers), draw: call("engineTime(%[3]q, %[4]d, %[1]d, %[2]d)", e, workers)})
	}
	race("WebGL", append(all,
		&contender{name: "WebGL, readback each frame", reference: true, draw: call("glTime(%d, %d, %d)", 1)},
		&contender{name: "WebGL, readback each 4 frames", reference: true, draw: call("glTime(%d, %d, %d)", 4)}))
}

// compare says how the pictures differ, and fails where they may not.
func compare(t testing.TB, ctx context.Context, name string, size int) string {
	t.Helper()
	all := pictures(t, ctx, size)
	for i, p := range all[1 : 2*len(engines)] {
		if !bytes.Equal(all[0], p) {
			t.Errorf("%s: the pictures of %s in one Worker and %s in %s differ", name, engines[0], engines[(i+1)/2], []string{"several", "one"}[i%2])
		}
	}
	d, text := difference(all[0], all[2*len(engines)])
	if d > tolerance(name) {
		t.Errorf("%s: a byte differs from WebGL's by %d, allowed are %d", name, d, tolerance(name))
	}
	return text
}

// first prints how long a new shader takes to its first pixels, in a page that is new and in one that has
// compiled some. Each text has another number in it.
func first(b testing.TB, ctx context.Context, w workload) {
	var scenes, frags []string
	for i := range firstCount {
		n := fmt.Sprintf("%d", 100+i)
		scenes = append(scenes, commented(b, w.Scene, uint32(i)))
		frags = append(frags, strings.Replace(w.Frag, "gl_FragColor", "gl_FragColor = vec4("+n+".0);\n gl_FragColor", 1))
	}
	times := eval[[][]float64](b, ctx, fmt.Sprintf("firsts('page', 64, %s, %s)", asJSON(scenes), asJSON(frags)))
	for i, name := range []string{"page", "WebGL"} {
		printFirsts(name, times[i])
	}
}

func printFirsts(name string, times []float64) {
	cold, warm := slices.Clone(times[1:1+warmCount]), slices.Clone(times[len(times)-warmCount:])
	slices.Sort(cold)
	slices.Sort(warm)
	fmt.Printf("new shader to 64x64 pixels, %s: median %.2f ms (%.2f to %.2f), in a new page %.2f\n", name, median(warm), warm[0], warm[warmCount-1], median(cold))
}

// examples prints how long new shaders of the page's examples take.
func examples(b testing.TB, ctx context.Context) {
	files, err := filepath.Glob("../../static/examples/*.txtar")
	if err != nil || len(files) == 0 {
		b.Fatal("no examples", err)
	}
	fmt.Println()
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		var scenes []string
		for i := range firstCount {
			scenes = append(scenes, commented(b, string(data), uint32(i)))
		}
		times := eval[[][]float64](b, ctx, fmt.Sprintf("firsts('page', 64, %s)", asJSON(scenes)))[0]
		printFirsts("page, example "+strings.TrimSuffix(filepath.Base(file), ".txtar"), times)
	}
}

// commented gives a scene whose pixel shader has another comment.
func commented(b testing.TB, text string, n uint32) string {
	s, err := scene.Parse([]byte(text))
	if err != nil {
		b.Fatal(err)
	}
	f := s.File(s.First().PS)
	if f.Data[len(f.Data)-1] == '\n' {
		f.Data = fmt.Appendf(f.Data, "// %d\n", n)
	} else { // binary: a comment of one word behind the version
		words := binary.LittleEndian.AppendUint32([]byte{0xFE, 0xFF, 1, 0}, n)
		f.Data = append(append(f.Data[:4:4], words...), f.Data[4:]...)
	}
	return string(s.Format())
}

// pictures gives what each engine draws, in one Worker and in all, and what WebGL draws, rows from the top.
func pictures(t testing.TB, ctx context.Context, size int) (all [][]byte) {
	t.Helper()
	for _, text := range eval[[]string](t, ctx, fmt.Sprintf("pictures(%s, %d)", asJSON(engines), size)) {
		p, err := base64.StdEncoding.DecodeString(text)
		if err != nil || len(p) != 4*size*size {
			t.Fatalf("%d bytes, %v", len(p), err)
		}
		all = append(all, p)
	}
	flip(all[len(all)-1], size)
	return all
}
