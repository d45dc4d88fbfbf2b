package main

import (
	"image"
	"image/color"

	"github.com/hajimehoshi/ebiten/v2"

	"swizzle/cmd/desktop/model"
	"swizzle/shaderkit/isa"
)

// A listing is the text of a shader with its words, and the fields of the chosen row.
type listing struct {
	row       int
	top       float64 // first row shown
	fieldsTop float64
	fields    []model.Field
	marks     []isa.Mark
	starts    []int // where each row begins in the text
}

// opened takes another text; the chosen row stays where that is possible.
func (l *listing) opened(w *window) {
	l.marks, l.starts, l.fields = nil, nil, nil
	if w.app.Session == nil {
		return
	}
	d := w.app.Session.Current()
	if f := d.Arch().Highlight; f != nil {
		l.marks = f(d.Text)
	}
	at := 0
	l.starts = append(l.starts, at)
	for i, c := range d.Text {
		if c == '\n' {
			l.starts = append(l.starts, i+1)
		}
	}
	l.choose(w, l.row)
}

func (l *listing) choose(w *window, row int) {
	l.row = min(max(row, 0), max(len(w.app.Rows)-1, 0))
	l.fields, l.fieldsTop = nil, 0
	if l.row < len(w.app.Rows) {
		l.fields = model.Fields(w.app.Session.Current(), w.app.Rows[l.row])
	}
	w.stir()
}

// move chooses another row and shows it.
func (l *listing) move(w *window, by int) {
	l.choose(w, l.row+by)
	n := float64(l.shown(w))
	l.top = min(max(l.top, float64(l.row)-n+2), float64(l.row))
	l.top = max(l.top, 0)
}

// shown is how many rows fit.
func (l *listing) shown(w *window) int { return l.inner(w, w.parts.rows).Dy() / w.theme.mono.line }

// inner is the part of r below the heading.
func (l *listing) inner(w *window, r image.Rectangle) image.Rectangle {
	r.Min.Y = min(r.Min.Y+w.theme.sans.line+w.theme.px(8), r.Max.Y)
	return r
}

func (l *listing) scroll(w *window, at image.Point, rows float64) {
	switch {
	case at.In(w.parts.rows):
		l.top = min(max(l.top+rows, 0), float64(max(0, len(w.app.Rows)-l.shown(w)+1)))
	case at.In(w.parts.fields):
		n := l.inner(w, w.parts.fields).Dy() / w.theme.mono.line
		l.fieldsTop = min(max(l.fieldsTop+rows, 0), float64(max(0, len(l.fields)-n+1)))
	}
}

func (l *listing) click(w *window, at image.Point) {
	if r := l.inner(w, w.parts.rows); at.In(r) {
		if row := int(l.top) + (at.Y-r.Min.Y)/w.theme.mono.line; row < len(w.app.Rows) {
			l.choose(w, row)
		}
	}
}

func (l *listing) draw(w *window, screen *ebiten.Image) {
	l.drawRows(w, screen)
	l.drawFields(w, screen)
	if s := w.parts.sliders; !s.Empty() {
		w.heading(screen, s, "Constants")
	}
}

// heading writes above a part what it shows.
func (w *window) heading(screen *ebiten.Image, r image.Rectangle, s string) {
	t := w.theme
	fill(screen, r, paper)
	fill(screen, image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+t.px(1)), edge)
	fill(screen, image.Rect(r.Min.X, r.Min.Y, r.Min.X+t.px(1), r.Max.Y), edge)
	t.sans.write(part(screen, r), s, r.Min.X+t.px(10), r.Min.Y+t.px(5), dim)
}

func (l *listing) drawRows(w *window, screen *ebiten.Image) {
	t := w.theme
	title := "Listing"
	if w.app.Session != nil {
		title = w.app.Session.Name()
	}
	w.heading(screen, w.parts.rows, title)
	area := l.inner(w, w.parts.rows)
	dst := part(screen, area)
	left := area.Min.X + t.px(10)
	words := area.Max.X - int(37*t.mono.advance) - t.px(12)
	narrow := words < left+int(24*t.mono.advance)
	for i := int(l.top); i < len(w.app.Rows); i++ {
		y := area.Min.Y + (i-int(l.top))*t.mono.line
		if y >= area.Max.Y {
			break
		}
		r := &w.app.Rows[i]
		line := image.Rect(area.Min.X+t.px(1), y, area.Max.X, y+t.mono.line)
		if i == l.row {
			fill(dst, line, chosen)
		}
		if r.Finding != "" {
			fill(dst, image.Rect(line.Min.X, y, line.Min.X+t.px(4), line.Max.Y), colourOf(r.Severity))
		}
		text := part(dst, image.Rect(line.Min.X, y, words-t.px(8), line.Max.Y))
		if narrow {
			text = dst
		}
		l.drawText(w, text, i, left, y)
		if !narrow {
			t.mono.write(dst, r.Words, words, y, dim)
		}
	}
}

// drawText writes a row in the colours of its pieces; a mono font lets each be placed by itself.
func (l *listing) drawText(w *window, dst *ebiten.Image, row, x, y int) {
	t := w.theme
	text := w.app.Rows[row].Text
	if row >= len(l.starts) {
		return
	}
	start := l.starts[row]
	column := func(to int) int { return x + int(float64(len([]rune(text[:to])))*t.mono.advance+0.5) }
	at := 0
	piece := func(to int, c color.Color) {
		if to > at {
			t.mono.write(dst, text[at:to], column(at), y, c)
			at = to
		}
	}
	for _, m := range l.marks {
		from, to := m.Span.Start-start, m.Span.End-start
		if to <= 0 || from >= len(text) {
			continue
		}
		piece(max(from, 0), ink)
		piece(min(to, len(text)), ofClass[m.Class])
	}
	piece(len(text), ink)
}

func (l *listing) drawFields(w *window, screen *ebiten.Image) {
	t := w.theme
	title := "Words and fields"
	if f := ""; l.row < len(w.app.Rows) {
		if f = w.app.Rows[l.row].Finding; f != "" {
			title = f
		}
	}
	w.heading(screen, w.parts.fields, title)
	area := l.inner(w, w.parts.fields)
	dst := part(screen, area)
	left := area.Min.X + t.px(10)
	name := left + int(12*t.mono.advance)
	meaning := name + int(22*t.mono.advance)
	for i := int(l.fieldsTop); i < len(l.fields); i++ {
		y := area.Min.Y + (i-int(l.fieldsTop))*t.mono.line
		if y >= area.Max.Y {
			break
		}
		f := &l.fields[i]
		if f.Word {
			t.mono.write(dst, f.Name, left, y, accent)
			t.mono.write(dst, f.Meaning, name, y, ink)
			continue
		}
		t.mono.write(dst, f.Bits, left+int(2*t.mono.advance), y, dim)
		end := t.mono.write(dst, f.Name, name, y, ink)
		t.mono.write(dst, f.Meaning, max(meaning, end+int(t.mono.advance)), y, dim)
	}
}
