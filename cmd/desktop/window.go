package main

import (
	"image"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/ebitenui/ebitenui"
	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/inpututil"

	"swizzle/cmd/desktop/model"
)

// A window is the view: it draws the app and hears the person. It implements ebiten.Game.
type window struct {
	app   *model.App
	theme *theme
	ui    *ebitenui.UI // buttons and sliders
	tools *tools
	parts parts
	list  listing
	view  model.Viewport

	texture *ebiten.Image // the picture
	shown   *model.Frame  // that the texture holds
	opened  int           // App.Opened that the window shows
	title   string

	size   image.Point // of the screen, device pixels
	mouse  image.Point
	wheel  float64 // turned but not used
	help   bool
	quit   bool
	fresh  int         // frames still to draw before the window rests
	woken  atomic.Bool // the player has news
	pixel  image.Point // under the mouse
	inside bool        // the mouse is over the picture
}

// wake is called from the player's goroutine.
func (w *window) wake() { w.woken.Store(true) }

// stir makes the window draw anew. Widgets need some frames to lay themselves out and to fade.
func (w *window) stir() { w.fresh = 4 }

// LayoutF gives the size of the screen in device pixels.
func (w *window) LayoutF(width, height float64) (float64, float64) {
	scale := ebiten.Monitor().DeviceScaleFactor()
	w.size = image.Pt(int(width*scale), int(height*scale))
	if w.theme == nil || w.theme.scale != scale {
		w.theme = newTheme(scale)
		w.ui = nil
	}
	return float64(w.size.X), float64(w.size.Y)
}

// Layout is never called: LayoutF is.
func (w *window) Layout(width, height int) (int, int) { return width, height }

// Update is a tick.
func (w *window) Update() error {
	if dropped := ebiten.DroppedFiles(); dropped != nil {
		w.app.Open(paths(dropped)...)
	}
	if w.app.Poll(time.Now()) || w.app.Playing || w.woken.Swap(false) {
		w.stir()
	}
	if t := w.app.Title(); t != w.title {
		w.title = t
		ebiten.SetWindowTitle(t)
	}
	if w.opened != w.app.Opened || w.ui == nil {
		w.opened = w.app.Opened
		w.build()
		w.list.opened(w)
		w.stir()
	}
	if p := w.divide(); p != w.parts {
		w.parts = p
		w.ui.Container.RequestRelayout()
		w.stir()
	}
	w.picture()
	w.ui.Update()
	w.keys()
	w.pointer()
	w.tools.refresh(w)
	if w.quit {
		return ebiten.Termination
	}
	return nil
}

// paths gives where dropped files lie.
func paths(dropped fs.FS) (list []string) {
	entries, err := fs.ReadDir(dropped, ".")
	if err != nil {
		return nil
	}
	for _, e := range entries {
		f, err := dropped.Open(e.Name())
		if err != nil {
			continue
		}
		if real, ok := f.(*os.File); ok && !e.IsDir() {
			list = append(list, filepath.Clean(real.Name()))
		}
		f.Close()
	}
	return list
}

// picture brings a new picture to the texture.
func (w *window) picture() {
	f := w.app.Frame
	if f == w.shown {
		return
	}
	w.shown = f
	w.stir()
	if f == nil {
		return
	}
	size := f.Picture.Rect.Size()
	if w.texture == nil || w.texture.Bounds().Size() != size {
		if w.texture != nil {
			w.texture.Deallocate()
		}
		w.texture = ebiten.NewImage(size.X, size.Y)
	}
	w.texture.WritePixels(f.Picture.Pix) // opaque: premultiplied or not is the same
}

// pointer hears the mouse.
func (w *window) pointer() {
	x, y := ebiten.CursorPosition()
	at := image.Pt(x, y)
	moved := at.Sub(w.mouse)
	if moved != (image.Point{}) {
		w.stir()
	}
	w.mouse = at
	_, dy := ebiten.Wheel()
	if dy != 0 {
		w.stir()
	}
	if w.help {
		if inpututil.IsMouseButtonJustPressed(ebiten.MouseButtonLeft) {
			w.help = false
			w.stir()
		}
		return
	}
	switch {
	case at.In(w.parts.picture):
		w.wheel += dy
		if steps := int(w.wheel); steps != 0 {
			w.wheel -= float64(steps)
			w.view.Step(steps, at)
		}
		if ebiten.IsMouseButtonPressed(ebiten.MouseButtonLeft) && inpututil.MouseButtonPressDuration(ebiten.MouseButtonLeft) > 1 && moved != (image.Point{}) {
			w.view.Pan(float64(moved.X), float64(moved.Y))
		}
		if inpututil.MouseButtonPressDuration(ebiten.MouseButtonRight) > 1 && moved != (image.Point{}) {
			w.app.Orbit(-float64(moved.X)/w.theme.scale/2, float64(moved.Y)/w.theme.scale/2)
		}
	case dy != 0:
		w.list.scroll(w, at, -3*dy)
	case inpututil.IsMouseButtonJustPressed(ebiten.MouseButtonLeft):
		w.list.click(w, at)
	}
	w.pixel, w.inside = w.view.PixelAt(at)
	if w.inside {
		w.app.Probe(w.pixel)
	}
}

func (w *window) step(n int) {
	w.app.Playing = false
	w.app.Seek(w.app.Seconds + float64(n)/60)
}

// centre is the point that keys zoom at.
func (w *window) centre() image.Point {
	r := w.parts.picture
	return image.Pt((r.Min.X+r.Max.X)/2, (r.Min.Y+r.Max.Y)/2)
}

// pan is how far a key moves the picture.
func (w *window) pan() float64 { return 24 * w.theme.scale }

// Draw draws the window, when something changed.
func (w *window) Draw(screen *ebiten.Image) {
	if w.fresh == 0 || w.ui == nil {
		return
	}
	w.fresh--
	screen.Fill(paper)
	w.drawPicture(screen)
	w.drawStatus(screen)
	w.drawProblems(screen)
	w.list.draw(w, screen)
	w.ui.Draw(screen)
	if w.help {
		w.drawHelp(screen)
	}
}
