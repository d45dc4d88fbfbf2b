package main

import (
	"bytes"
	"image"
	"image/color"
	"math"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/text/v2"
	"github.com/hajimehoshi/ebiten/v2/vector"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"

	"swizzle/shaderkit/isa"
)

// The colours of the page's dark theme.
var (
	paper   = rgb(0x14171d)
	panel   = rgb(0x1b1f27)
	edge    = rgb(0x39414f)
	ink     = rgb(0xe6e9ef)
	dim     = rgb(0xa0aaba)
	accent  = rgb(0x6cb0ff)
	chosen  = rgb(0x3a3215)
	bad     = rgb(0xff8a80)
	warn    = rgb(0xffc08a)
	handle  = rgb(0x6cb0ff)
	shade   = color.NRGBA{0, 0, 0, 0xC0}
	ofClass = map[isa.Class]color.NRGBA{
		isa.ClassOpcode: rgb(0x8fc1ff), isa.ClassRegister: rgb(0xffc08a), isa.ClassNumber: rgb(0x86e0bd), isa.ClassComment: rgb(0x94a0b2),
		isa.ClassModifier: rgb(0xf0a0dc), isa.ClassDirective: rgb(0xc4b0ff), isa.ClassVersion: rgb(0xc4b0ff), isa.ClassLanes: rgb(0xffab8a),
	}
	checkers = [2]color.NRGBA{rgb(0x1f242d), rgb(0x262c37)}
)

func rgb(c uint32) color.NRGBA {
	return color.NRGBA{uint8(c >> 16), uint8(c >> 8), uint8(c), 0xFF}
}

// A theme is fonts and measures for one scale of the screen: text is drawn from its outlines at the
// size that it has on the device.
type theme struct {
	scale      float64
	mono, sans *face
}

// A face is a font at a size, on whole pixels.
type face struct {
	face    text.Face
	line    int // height of a line
	ascent  float64
	advance float64 // of a digit
}

var sources = map[string]*text.GoTextFaceSource{}

func fontSource(name string, ttf []byte) *text.GoTextFaceSource {
	if sources[name] == nil {
		s, err := text.NewGoTextFaceSource(bytes.NewReader(ttf))
		if err != nil {
			panic(err) // the font is part of the program
		}
		sources[name] = s
	}
	return sources[name]
}

func newFace(s *text.GoTextFaceSource, size, spacing float64) *face {
	f := &text.GoTextFace{Source: s, Size: size}
	m := f.Metrics()
	return &face{f, int(math.Ceil((m.HAscent + m.HDescent) * spacing)), m.HAscent, text.Advance("0", f)}
}

func newTheme(scale float64) *theme {
	return &theme{
		scale: scale,
		mono:  newFace(fontSource("mono", gomono.TTF), math.Round(13*scale), 1.15),
		sans:  newFace(fontSource("sans", goregular.TTF), math.Round(14*scale), 1.15),
	}
}

// px gives the device pixels of a length in points of 1/96 inch at 100 %.
func (t *theme) px(v float64) int { return int(math.Round(v * t.scale)) }

// write draws one line of text with its left top corner at x, y, and gives where it ends.
func (f *face) write(dst *ebiten.Image, s string, x, y int, c color.Color) int {
	o := &text.DrawOptions{}
	o.GeoM.Translate(float64(x), float64(y)+math.Floor((float64(f.line)-(f.face.Metrics().HAscent+f.face.Metrics().HDescent))/2))
	o.ColorScale.ScaleWithColor(c)
	text.Draw(dst, s, f.face, o)
	return x + f.width(s)
}

func (f *face) width(s string) int { return int(math.Ceil(text.Advance(s, f.face))) }

// wrap cuts a text into lines of at most width pixels, at blanks where there are some.
func (f *face) wrap(s string, width int) (lines []string) {
	n := max(1, int(float64(width)/f.advance))
	for r := []rune(s); ; {
		if len(r) <= n {
			return append(lines, string(r))
		}
		cut := n
		for i := n; i > n/2; i-- {
			if r[i] == ' ' {
				cut = i
				break
			}
		}
		lines = append(lines, string(r[:cut]))
		r = r[cut:]
		for len(r) > 0 && r[0] == ' ' {
			r = r[1:]
		}
	}
}

func fill(dst *ebiten.Image, r image.Rectangle, c color.Color) {
	vector.FillRect(dst, float32(r.Min.X), float32(r.Min.Y), float32(r.Dx()), float32(r.Dy()), c, false)
}

// frame draws the inside edge of r, w pixels wide.
func frame(dst *ebiten.Image, r image.Rectangle, w int, c color.Color) {
	fill(dst, image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+w), c)
	fill(dst, image.Rect(r.Min.X, r.Max.Y-w, r.Max.X, r.Max.Y), c)
	fill(dst, image.Rect(r.Min.X, r.Min.Y, r.Min.X+w, r.Max.Y), c)
	fill(dst, image.Rect(r.Max.X-w, r.Min.Y, r.Max.X, r.Max.Y), c)
}

// part gives the piece of dst inside r; drawing is cut there.
func part(dst *ebiten.Image, r image.Rectangle) *ebiten.Image {
	return dst.SubImage(r).(*ebiten.Image)
}
