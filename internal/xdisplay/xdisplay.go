// Package xdisplay gives tests an X server without a screen, Xvfb, and hands and eyes for a program that
// runs on it: keys, mouse, dropped files, pictures of the screen, titles of windows.
//
//	d := xdisplay.Start(t, 1280, 800, 1.5)
//	cmd.Env = append(os.Environ(), "DISPLAY="+d.Name)
//	...
//	d.Key("space")
//	picture := d.Screen()
package xdisplay

import (
	"bufio"
	"fmt"
	"image"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
	"github.com/jezek/xgb/xtest"
)

// A Display is a server with one screen. Its methods fail the test when the server does not answer.
type Display struct {
	Name string // for the environment variable DISPLAY

	t    testing.TB
	conn *xgb.Conn
	root xproto.Window
	size image.Point
	keys map[string]xproto.Keycode
}

// Start starts a server of w times h pixels, which ends with the test. scale is what a desktop tells its
// programs by the resource Xft.dpi: 1 is 96.
func Start(t testing.TB, w, h int, scale float64) *Display {
	t.Helper()
	r, name, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cmd := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", fmt.Sprintf("%dx%dx24", w, h), "-nolisten", "tcp", "-noreset")
	cmd.ExtraFiles = []*os.File{name}
	if err := cmd.Start(); err != nil {
		t.Fatalf("%v: scripts/setup.sh test installs it", err)
	}
	name.Close()
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	number, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatalf("Xvfb gives no display: %v", err)
	}
	d := &Display{Name: ":" + strings.TrimSpace(number), t: t, size: image.Pt(w, h)}
	xgb.Logger = log.New(io.Discard, "", 0) // it tells of a missing authority file, which nothing needs
	if d.conn, err = xgb.NewConnDisplay(d.Name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.conn.Close)
	if err := xtest.Init(d.conn); err != nil {
		t.Fatal(err)
	}
	setup := xproto.Setup(d.conn)
	d.root = setup.DefaultScreen(d.conn).Root
	d.setText("RESOURCE_MANAGER", fmt.Sprintf("Xft.dpi:\t%g\n", 96*scale))
	d.readKeys(setup)
	return d
}

func (d *Display) check(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
}

func (d *Display) atom(name string) xproto.Atom {
	d.t.Helper()
	r, err := xproto.InternAtom(d.conn, false, uint16(len(name)), name).Reply()
	d.check(err)
	return r.Atom
}

func (d *Display) setText(property, text string) {
	d.check(xproto.ChangePropertyChecked(d.conn, xproto.PropModeReplace, d.root, d.atom(property), xproto.AtomString, 8, uint32(len(text)), []byte(text)).Check())
}

// Screen gives a picture of the whole screen.
func (d *Display) Screen() *image.RGBA {
	d.t.Helper()
	r, err := xproto.GetImage(d.conn, xproto.ImageFormatZPixmap, xproto.Drawable(d.root), 0, 0, uint16(d.size.X), uint16(d.size.Y), ^uint32(0)).Reply()
	d.check(err)
	m := image.NewRGBA(image.Rectangle{Max: d.size})
	if len(r.Data) != len(m.Pix) {
		d.t.Fatalf("a screen of depth %d with %d bytes", r.Depth, len(r.Data))
	}
	for i := 0; i < len(m.Pix); i += 4 { // blue, green, red, nothing
		m.Pix[i], m.Pix[i+1], m.Pix[i+2], m.Pix[i+3] = r.Data[i+2], r.Data[i+1], r.Data[i], 0xFF
	}
	return m
}

// Titles gives the names of the windows on the screen.
func (d *Display) Titles() (list []string) {
	d.t.Helper()
	for _, w := range d.windows() {
		r, err := xproto.GetProperty(d.conn, false, w, d.atom("_NET_WM_NAME"), d.atom("UTF8_STRING"), 0, 1<<16).Reply()
		if err == nil && r.ValueLen > 0 {
			list = append(list, string(r.Value))
		}
	}
	return list
}

func (d *Display) windows() []xproto.Window {
	d.t.Helper()
	r, err := xproto.QueryTree(d.conn, d.root).Reply()
	d.check(err)
	return r.Children
}

// Window gives the window whose title holds this text, waiting for it.
func (d *Display) Window(title string) Window {
	d.t.Helper()
	var found Window
	d.Until("a window named "+title, func() bool {
		for _, w := range d.windows() {
			r, err := xproto.GetProperty(d.conn, false, w, d.atom("_NET_WM_NAME"), d.atom("UTF8_STRING"), 0, 1<<16).Reply()
			if err == nil && strings.Contains(string(r.Value), title) {
				found = Window{d, w}
				return true
			}
		}
		return false
	})
	return found
}

// Until waits until a condition holds; it fails the test after a long while.
func (d *Display) Until(what string, holds func() bool) {
	d.t.Helper()
	for end := time.Now().Add(60 * time.Second); !holds(); {
		if time.Now().After(end) {
			d.t.Fatalf("waited for %s; the windows are %q", what, d.Titles())
		}
		time.Sleep(30 * time.Millisecond)
	}
}

// A Window is a window of the display.
type Window struct {
	d  *Display
	id xproto.Window
}

// Focus gives the window the keyboard: there is no window manager that would.
func (w Window) Focus() {
	w.d.t.Helper()
	w.d.check(xproto.SetInputFocusChecked(w.d.conn, xproto.InputFocusParent, w.id, xproto.TimeCurrentTime).Check())
}

// Resize gives the window a place and a size in pixels of the device.
func (w Window) Resize(r image.Rectangle) {
	w.d.t.Helper()
	w.d.check(xproto.ConfigureWindowChecked(w.d.conn, w.id, xproto.ConfigWindowX|xproto.ConfigWindowY|xproto.ConfigWindowWidth|xproto.ConfigWindowHeight,
		[]uint32{uint32(r.Min.X), uint32(r.Min.Y), uint32(r.Dx()), uint32(r.Dy())}).Check())
}

// Move moves the mouse.
func (d *Display) Move(x, y int) {
	d.t.Helper()
	d.check(xtest.FakeInputChecked(d.conn, xproto.MotionNotify, 0, 0, d.root, int16(x), int16(y), 0).Check())
}

// Press and Release are of a mouse button: 1 left, 2 middle, 3 right, 4 and 5 the wheel.
func (d *Display) Press(button byte)   { d.fake(xproto.ButtonPress, button) }
func (d *Display) Release(button byte) { d.fake(xproto.ButtonRelease, button) }

// hold is how long keys and buttons are down, so that a program that draws slowly sees it.
const hold = 200 * time.Millisecond

// Click presses and releases a mouse button.
func (d *Display) Click(button byte) {
	d.t.Helper()
	d.Press(button)
	time.Sleep(hold)
	d.Release(button)
	time.Sleep(hold)
}

// Key presses and releases a key: one of the names of keysyms below, or the character on it.
func (d *Display) Key(name string) {
	d.t.Helper()
	k, ok := d.keys[name]
	if !ok {
		d.t.Fatalf("no key %q", name)
	}
	d.fake(xproto.KeyPress, byte(k))
	time.Sleep(hold)
	d.fake(xproto.KeyRelease, byte(k))
	time.Sleep(hold)
}

func (d *Display) fake(kind, detail byte) {
	d.t.Helper()
	d.check(xtest.FakeInputChecked(d.conn, kind, detail, 0, d.root, 0, 0, 0).Check())
}

// keysyms are the names of keys that are no characters.
var keysyms = map[xproto.Keysym]string{
	0xFF1B: "escape", 0xFF09: "tab", 0xFF0D: "enter", 0xFFBE: "f1", 0xFF51: "left", 0xFF52: "up", 0xFF53: "right", 0xFF54: "down",
	0xFF55: "page up", 0xFF56: "page down", 0x20: "space",
}

func (d *Display) readKeys(s *xproto.SetupInfo) {
	d.t.Helper()
	d.keys = map[string]xproto.Keycode{}
	n := byte(s.MaxKeycode - s.MinKeycode + 1)
	r, err := xproto.GetKeyboardMapping(d.conn, s.MinKeycode, n).Reply()
	d.check(err)
	for i := range int(n) {
		sym := r.Keysyms[i*int(r.KeysymsPerKeycode)] // without shift
		name, ok := keysyms[sym]
		if !ok && sym > 0x20 && sym < 0x7F {
			name, ok = string(rune(sym)), true
		}
		if _, taken := d.keys[name]; ok && !taken {
			d.keys[name] = s.MinKeycode + xproto.Keycode(i)
		}
	}
}

// Drop drops files on the window as a file manager does, by the XDND protocol: it offers their addresses,
// moves over the window, drops, and hands them over when the window asks.
func (w Window) Drop(files ...string) {
	d := w.d
	d.t.Helper()
	uris := ""
	for _, f := range files {
		abs, err := filepath.Abs(f)
		d.check(err)
		uris += "file://" + abs + "\r\n"
	}
	source, err := xproto.NewWindowId(d.conn)
	d.check(err)
	screen := xproto.Setup(d.conn).DefaultScreen(d.conn)
	d.check(xproto.CreateWindowChecked(d.conn, screen.RootDepth, source, d.root, 0, 0, 1, 1, 0, xproto.WindowClassInputOutput, screen.RootVisual, 0, nil).Check())
	selection, list := d.atom("XdndSelection"), d.atom("text/uri-list")
	d.check(xproto.SetSelectionOwnerChecked(d.conn, source, selection, xproto.TimeCurrentTime).Check())
	send := func(kind string, data ...uint32) {
		d.t.Helper()
		five := make([]uint32, 5)
		copy(five, append([]uint32{uint32(source)}, data...))
		e := xproto.ClientMessageEvent{Format: 32, Window: w.id, Type: d.atom(kind), Data: xproto.ClientMessageDataUnionData32New(five)}
		d.check(xproto.SendEventChecked(d.conn, false, w.id, 0, string(e.Bytes())).Check())
	}
	send("XdndEnter", 5<<24, uint32(list))
	send("XdndPosition", 0, 100<<16|100, 0, uint32(d.atom("XdndActionCopy")))
	send("XdndDrop", 0, 0)
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		e, err := d.conn.PollForEvent()
		if err != nil {
			d.t.Fatal(err)
		}
		switch e := e.(type) {
		case xproto.SelectionRequestEvent:
			d.check(xproto.ChangePropertyChecked(d.conn, xproto.PropModeReplace, e.Requestor, e.Property, list, 8, uint32(len(uris)), []byte(uris)).Check())
			n := xproto.SelectionNotifyEvent{Requestor: e.Requestor, Selection: e.Selection, Target: e.Target, Property: e.Property}
			d.check(xproto.SendEventChecked(d.conn, false, e.Requestor, 0, string(n.Bytes())).Check())
		case xproto.ClientMessageEvent:
			if e.Type == d.atom("XdndFinished") {
				return
			}
		}
	}
	d.t.Fatal("the window does not take the files")
}
