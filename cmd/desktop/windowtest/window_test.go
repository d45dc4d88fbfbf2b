package windowtest

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"swizzle/internal/xdisplay"
)

// programs builds the desktop program and the command line once for all tests.
var programs string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "swizzle-desktop-test")
	if err == nil {
		programs = dir
		var out []byte
		if out, err = exec.Command("go", "build", "-o", dir, "swizzle/cmd/desktop", "swizzle/cmd/swizzle").CombinedOutput(); err != nil {
			err = fmt.Errorf("%w\n%s", err, out)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	status := m.Run()
	os.RemoveAll(dir)
	os.Exit(status)
}

// A running is the program on a display.
type running struct {
	*xdisplay.Display
	t      *testing.T
	window xdisplay.Window
	stderr bytes.Buffer
}

// start runs the program at a scale; its window's title will hold the given text.
func start(t *testing.T, scale float64, title string, args ...string) *running {
	t.Helper()
	w, h := int(1180*scale), int(760*scale)
	r := &running{Display: xdisplay.Start(t, w, h, scale), t: t}
	r.Move(w-1, h-1)
	cmd := exec.Command(filepath.Join(programs, "desktop"), args...)
	cmd.Env = append(os.Environ(), "DISPLAY="+r.Name, "WAYLAND_DISPLAY=")
	cmd.Stderr = &r.stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
		if t.Failed() {
			t.Logf("it wrote: %s", &r.stderr)
		}
	})
	r.window = r.Window(title)
	r.window.Focus()
	return r
}

// shot keeps a picture of the screen for people, and gives it.
func (r *running) shot(name string) *image.RGBA {
	r.t.Helper()
	m := r.Screen()
	dir := filepath.Join(os.TempDir(), "swizzle-desktop")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		r.t.Fatal(err)
	}
	write(r.t, filepath.Join(dir, name+".png"), encode(r.t, m))
	return m
}

func encode(t *testing.T, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func write(t *testing.T, file string, data []byte) {
	t.Helper()
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// rendered gives the picture that the command line draws of a file.
func rendered(t *testing.T, file string, flags ...string) *image.RGBA {
	t.Helper()
	out, err := exec.Command(filepath.Join(programs, "swizzle"), append([]string{"render", "-o", "-", file}, flags...)...).Output()
	if err != nil {
		t.Fatal(file, err)
	}
	m, err := png.Decode(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	p := image.NewRGBA(m.Bounds())
	draw.Draw(p, p.Rect, m, m.Bounds().Min, draw.Src)
	return p
}

// find gives the place where the screen shows a picture byte for byte, each pixel zoom times zoom large.
func find(screen, picture *image.RGBA, zoom int) (at image.Point, ok bool) {
	w, h := picture.Rect.Dx(), picture.Rect.Dy()
	same := func(x0, y0 int) bool {
		for y := range h * zoom {
			row := screen.Pix[screen.PixOffset(x0, y0+y):]
			from := picture.Pix[picture.PixOffset(0, y/zoom):]
			for x := range w * zoom {
				if !bytes.Equal(row[4*x:4*x+4], from[x/zoom*4:x/zoom*4+4]) {
					return false
				}
			}
		}
		return true
	}
	for y := range screen.Rect.Dy() - h*zoom + 1 {
		for x := range screen.Rect.Dx() - w*zoom + 1 {
			if same(x, y) {
				return image.Pt(x, y), true
			}
		}
	}
	return at, false
}

// shows waits until the screen shows a picture.
func (r *running) shows(what string, picture *image.RGBA, zoom int) {
	r.t.Helper()
	r.Until(what, func() bool {
		_, ok := find(r.Screen(), picture, zoom)
		return ok
	})
}

// has reports whether a colour is anywhere on the screen.
func has(m *image.RGBA, c color.RGBA) bool {
	for i := 0; i < len(m.Pix); i += 4 {
		if m.Pix[i] == c.R && m.Pix[i+1] == c.G && m.Pix[i+2] == c.B {
			return true
		}
	}
	return false
}

// copied copies an example to a folder of the test.
func copied(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../../../static/examples", name))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), name)
	write(t, file, data)
	return file
}

// replaced writes a file as editors do that write another one and give it the name.
func replaced(t *testing.T, file string, data []byte) {
	t.Helper()
	write(t, file+"~", data)
	if err := os.Rename(file+"~", file); err != nil {
		t.Fatal(err)
	}
}

const errorColour = 0xff8a80

// A save shows at once: the picture is the command line's, byte for byte; errors have their place, and the
// picture of before stays.
func TestSave(t *testing.T) {
	file := copied(t, "orange-quad.txtar")
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r := start(t, 1, "orange-quad.txtar – Swizzle", file)
	first := rendered(t, file)
	r.shows("the picture at twice its size", first, 2)
	r.Key("1")
	r.shows("the picture at its size", first, 1)
	r.shot("quad")

	red := color.RGBA{errorColour >> 16, errorColour >> 8 & 0xFF, errorColour & 0xFF, 0xFF}
	if has(r.Screen(), red) {
		t.Error("the colour of errors where there are none")
	}
	for i, save := range []func(*testing.T, string, []byte){write, replaced} {
		save(t, file, bytes.Replace(good, []byte("[1, 0.5, 0.2, 1]"), fmt.Appendf(nil, "[0.2, %d, 0.7, 1]", i), 1))
		second := rendered(t, file)
		if bytes.Equal(first.Pix, second.Pix) {
			t.Fatal("the test changes nothing")
		}
		r.shows(fmt.Sprintf("save %d", i), second, 1)

		save(t, file, bytes.Replace(good, []byte("texld r0, t0, s0"), []byte("texlb r0, t0, s0"), 1))
		r.Window("orange-quad.txtar/quad.asm:4:1: error[unknown-opcode]: unknown instruction 'texlb'")
		r.Until("the error's colour", func() bool { return has(r.Screen(), red) })
		r.shows("the picture of before", second, 1)
		r.shot("error")

		save(t, file, bytes.Replace(good, []byte(`"size": 64`), []byte(`"sise": 64`), 1))
		r.Window("orange-quad.txtar:6:26: error[unknown-key]")
		save(t, file, good)
		r.Window("orange-quad.txtar – Swizzle")
		r.shows("the first picture again", first, 1)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	r.Window("orange-quad.txtar: error[read]: no such file or directory")
	write(t, file, good)
	r.Window("orange-quad.txtar – Swizzle")
}

// Both engines draw the same; text and binaries of one shader or of both stages open; dropped files replace
// what is open.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "lone.asm")
	write(t, text, []byte("ps_2_0\ndcl t0.xy\ndcl_2d s0\ndef c1, 0.2, 0.4, 0.6, 1\ntexld r0, t0, s0\nmul r0, r0, c1\nmov oC0, r0\n"))
	words := filepath.Join(dir, "lone.pso")
	if out, err := exec.Command(filepath.Join(programs, "swizzle"), "asm", "-o", words, text).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	r := start(t, 1, "lone.pso – Swizzle", "--engine", "interp", words)
	lone := rendered(t, words)
	if !bytes.Equal(lone.Pix, rendered(t, text).Pix) {
		t.Error("text and binary give other pictures")
	}
	r.shows("a binary", lone, 2)
	r.Key("e")
	r.shows("the binary, by the other engine", lone, 2)

	quad := copied(t, "orange-quad.txtar")
	r.Key("v")
	r.shows("its wireframe", rendered(t, words, "--view", "wireframe"), 2)
	r.window.Drop(quad)
	r.Window("orange-quad.txtar – Swizzle")
	r.shows("the dropped scene", rendered(t, quad), 2)
	r.window.Drop(text)
	r.Window("lone.asm – Swizzle")
	r.shows("the dropped text", lone, 2)
	nothing := filepath.Join(dir, "notes.txt")
	write(t, nothing, []byte("Buy milk.\n"))
	r.window.Drop(nothing)
	r.Window("notes.txt: error[open]: notes.txt is neither a scene nor a shader")
}

// The window is sharp at every scale: a pixel of the picture is a whole number of the device's, and what
// the keys show is drawn.
func TestScales(t *testing.T) {
	for _, x := range []struct {
		scale float64
		zoom  int // the largest that fits
	}{{1, 2}, {1.25, 3}, {1.5, 3}, {2, 4}} {
		t.Run(fmt.Sprint(x.scale), func(t *testing.T) {
			file := copied(t, "bricks.txtar")
			r := start(t, x.scale, "bricks.txtar – Swizzle", file)
			picture := rendered(t, file)
			name := fmt.Sprintf("scale-%g", x.scale)
			r.Until("the scene moves", func() bool { return !r.still() })
			r.Key("space")
			r.Key("r")
			r.settle()
			r.shows("the picture as large as it fits", picture, x.zoom)
			r.settle()
			before := r.shot(name)

			r.Key("f1")
			r.differs("the help", before)
			r.shot(name + "-help")
			r.Key("escape")
			r.shows("the picture again", picture, x.zoom)
			at, _ := find(r.Screen(), picture, x.zoom)
			r.Move(at.X+20, at.Y+20)
			r.differs("the loupe", before)
			loupe := r.shot(name + "-loupe")
			r.Click(4) // the wheel
			r.differs("the picture, larger", loupe)
			larger := r.Screen()
			r.Key("down")
			r.Key("down")
			r.differs("the third row of the listing", larger)
			r.shot(name + "-zoomed")
		})
	}
}

// differs waits until the screen shows something else than before, and then a moment more.
func (r *running) differs(what string, before *image.RGBA) {
	r.t.Helper()
	r.Until(what, func() bool { return !bytes.Equal(r.Screen().Pix, before.Pix) })
	r.settle()
}

// settle gives the window time to draw what was asked of it.
func (r *running) settle() { time.Sleep(300 * time.Millisecond) }

// still reports whether the screen does not change by itself.
func (r *running) still() bool {
	a := r.Screen()
	r.settle()
	return bytes.Equal(a.Pix, r.Screen().Pix)
}

// A wrong command line is told, with the status of one. The display's library may speak first.
func TestUsage(t *testing.T) {
	d := xdisplay.Start(t, 64, 64, 1)
	cmd := exec.Command(filepath.Join(programs, "desktop"), "--engine", "fast")
	cmd.Env = append(os.Environ(), "DISPLAY="+d.Name)
	out, _ := cmd.CombinedOutput()
	if want := "desktop: --engine fast: want interp or jit\n"; !strings.HasSuffix(string(out), want) || cmd.ProcessState.ExitCode() != 2 {
		t.Errorf("exit %d, %q; want 2, %q", cmd.ProcessState.ExitCode(), out, want)
	}
}
