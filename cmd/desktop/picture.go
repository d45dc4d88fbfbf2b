package main

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strings"

	"github.com/hajimehoshi/ebiten/v2"

	"swizzle/shaderkit/source"
	"swizzle/wasm/playground"
)

// drawPicture draws the picture in its part, and the loupe.
func (w *window) drawPicture(screen *ebiten.Image) {
	t := w.theme
	area := w.parts.picture
	dst := part(screen, area)
	fill(dst, area, panel)
	f := w.app.Frame
	if f == nil {
		message := "Drop a scene or a shader here, or start with one: desktop FILE"
		if w.app.Session != nil || len(w.app.Problems) > 0 {
			message = "No picture yet"
		}
		t.sans.write(dst, message, area.Min.X+max(t.px(12), (area.Dx()-t.sans.width(message))/2), area.Min.Y+area.Dy()/2, dim)
		return
	}
	w.view.Layout(area, f.Picture.Rect.Size())
	o := &ebiten.DrawImageOptions{}
	o.GeoM.Scale(w.view.Zoom, w.view.Zoom)
	at := w.view.Origin()
	o.GeoM.Translate(float64(at.X), float64(at.Y))
	if w.view.Zoom < 1 {
		o.Filter = ebiten.FilterLinear
	}
	dst.DrawImage(w.texture, o)
	if w.inside && !w.help {
		w.drawLoupe(dst)
	}
}

// loupeSide is how many pixels the loupe shows each way; the middle one is meant.
const loupeSide = 11

// drawLoupe draws the pixels around the mouse in the corner that is far from it.
func (w *window) drawLoupe(dst *ebiten.Image) {
	t, area := w.theme, w.parts.picture
	cell := t.px(12)
	side := cell * loupeSide
	if side > area.Dx()/2 || side > area.Dy()/2 {
		return
	}
	box := image.Rect(0, 0, side, side).Add(image.Pt(area.Max.X-side-t.px(10), area.Max.Y-side-t.px(10)))
	if w.mouse.X > (area.Min.X+area.Max.X)/2 && w.mouse.Y > (area.Min.Y+area.Max.Y)/2 {
		box = box.Sub(image.Pt(box.Min.X-area.Min.X-t.px(10), 0))
	}
	fill(dst, box.Inset(-t.px(1)), edge)
	m := w.app.Frame.Picture
	for y := range loupeSide {
		for x := range loupeSide {
			p := w.pixel.Add(image.Pt(x-loupeSide/2, y-loupeSide/2))
			c := checkers[(x+y)&1]
			if p.In(m.Rect) {
				c = m.NRGBAAt(p.X, p.Y)
			}
			at := box.Min.Add(image.Pt(x*cell, y*cell))
			fill(dst, image.Rectangle{at, at.Add(image.Pt(cell, cell))}, c)
		}
	}
	mid := box.Min.Add(image.Pt(loupeSide/2*cell, loupeSide/2*cell))
	one := image.Rectangle{mid, mid.Add(image.Pt(cell, cell))}
	frame(dst, one.Inset(-t.px(2)), t.px(1), color.Black)
	frame(dst, one.Inset(-t.px(1)), t.px(1), color.White)
}

// drawStatus tells of the pixel under the mouse, the frame and its statistics.
func (w *window) drawStatus(screen *ebiten.Image) {
	t, area := w.theme, w.parts.status
	dst := part(screen, area)
	fill(dst, area, paper)
	x, y := area.Min.X+t.px(10), area.Min.Y+t.px(6)
	f := w.app.Frame
	if f == nil {
		return
	}
	if w.inside {
		c := f.Picture.NRGBAAt(w.pixel.X, w.pixel.Y)
		line := fmt.Sprintf("pixel %d,%d   #%02X%02X%02X", w.pixel.X, w.pixel.Y, c.R, c.G, c.B)
		if f.Probe == w.pixel {
			line += fmt.Sprintf("   word 0x%08X   depth %v (0x%08X)", f.Probed.Colour, math.Float32frombits(f.Probed.Depth), f.Probed.Depth)
		}
		t.mono.write(dst, line, x, y, ink)
	} else {
		t.sans.write(dst, "Point at the picture for the values of a pixel", x, y, dim)
	}
	y += t.sans.line
	size := f.Picture.Rect.Size()
	s := f.Stats
	took := fmt.Sprintf("%.2f ms", float64(f.Took.Microseconds())/1000)
	if s.Compiled > 0 {
		took += fmt.Sprintf(" with compiling %d programs", s.Compiled)
	}
	t.sans.write(dst, fmt.Sprintf("%d × %d   zoom %s   %s   %s   t = %.2f s", size.X, size.Y, zoom(w.view.Zoom), f.Engine, took, f.Seconds), x, y, ink)
	y += t.sans.line
	line := fmt.Sprintf("%d vertices   %d triangles: %d drawn, %d culled, %d outside, %d too small   %d pixels shaded", s.Vertices, s.Triangles, s.Drawn, s.Culled, s.Outside, s.Small, s.Lanes)
	if s.Stopped {
		line += "   stopped: out of steps"
	}
	if span := playground.Span(f.Range.Min, f.Range.Max, f.Range.Of); span != "" {
		line = span
	}
	if len(f.Notes) > 0 {
		line = strings.Join(f.Notes, "; ")
	}
	t.sans.write(dst, line, x, y, dim)
}

func zoom(z float64) string {
	if z < 1 {
		return fmt.Sprintf("1/%.0f", 1/z)
	}
	return fmt.Sprintf("%.0f×", z)
}

// maxProblems is how many lines of problems the window shows.
const maxProblems = 8

// A problemLine is a piece of a problem that fits the window.
type problemLine struct {
	text     string
	severity source.Severity
}

// problemLines gives what is wrong as lines that fit.
func (w *window) problemLines() (lines []problemLine) {
	for i, p := range w.app.Problems {
		for _, s := range w.theme.mono.wrap(p.Text, w.size.X-w.theme.px(20)) {
			lines = append(lines, problemLine{s, p.Severity})
		}
		if rest := len(w.app.Problems) - i - 1; len(lines) >= maxProblems-1 && rest > 0 {
			return append(lines, problemLine{fmt.Sprintf("and %d more", rest), p.Severity})
		}
	}
	return lines
}

func (w *window) drawProblems(screen *ebiten.Image) {
	t, area := w.theme, w.parts.problems
	if area.Empty() {
		return
	}
	dst := part(screen, area)
	fill(dst, area, panel)
	fill(dst, image.Rect(area.Min.X, area.Min.Y, area.Max.X, area.Min.Y+t.px(2)), colourOf(w.app.Problems[0].Severity))
	for i, l := range w.problemLines() {
		t.mono.write(dst, l.text, area.Min.X+t.px(10), area.Min.Y+t.px(6)+i*t.mono.line, colourOf(l.severity))
	}
}

func colourOf(s source.Severity) color.Color {
	switch s {
	case source.Error:
		return bad
	case source.Warning:
		return warn
	}
	return dim
}

// drawHelp lists the keys over everything.
func (w *window) drawHelp(screen *ebiten.Image) {
	t := w.theme
	fill(screen, image.Rectangle{Max: w.size}, shade)
	line, keys := t.sans.line+t.px(3), 0
	lines := 2
	wide := 0
	for _, a := range actions {
		if a.name != "" {
			lines++
			keys = max(keys, t.sans.width(a.name))
			wide = max(wide, t.sans.width(a.what))
		}
	}
	keys += t.px(24)
	const more = "Drop files on the window to open them. Tab reaches buttons and sliders."
	wide = max(keys+wide, t.sans.width(more))
	box := image.Rect(0, 0, wide+t.px(40), lines*line+t.px(32))
	box = box.Add(image.Pt((w.size.X-box.Dx())/2, max(0, (w.size.Y-box.Dy())/2)))
	fill(screen, box, panel)
	frame(screen, box, t.px(1), edge)
	x, y := box.Min.X+t.px(20), box.Min.Y+t.px(16)
	t.sans.write(screen, "Keys", x, y, accent)
	y += line
	for _, a := range actions {
		if a.name == "" {
			continue
		}
		t.sans.write(screen, a.name, x, y, ink)
		t.sans.write(screen, a.what, x+keys, y, dim)
		y += line
	}
	t.sans.write(screen, more, x, y, dim)
}
