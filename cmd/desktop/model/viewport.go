package model

import (
	"image"
	"math"
)

// A Viewport says where the picture lies in its part of the window. All is in pixels of the device.
// Zooms of 1 and more are whole, so that every pixel of the picture has the same size.
type Viewport struct {
	Area    image.Rectangle // the part of the window
	Picture image.Point     // size of the picture
	Zoom    float64         // device pixels for a pixel of the picture
	X, Y    float64         // middle of the area, in pixels of the picture
	Fit     bool            // the zoom follows the area
}

// zooms are those that the wheel and the keys step through.
var zooms = []float64{1. / 8, 1. / 6, 1. / 4, 1. / 3, 1. / 2, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64}

// Layout gives the viewport its area and the picture's size.
func (v *Viewport) Layout(area image.Rectangle, picture image.Point) {
	if v.Picture != picture {
		v.Fit = v.Fit || v.Picture == (image.Point{})
		v.X, v.Y = float64(picture.X)/2, float64(picture.Y)/2
	}
	v.Area, v.Picture = area, picture
	if v.Fit {
		v.ZoomToFit()
	}
	v.keep()
}

// ZoomToFit shows the whole picture as large as whole pixels allow, from then on.
func (v *Viewport) ZoomToFit() {
	v.Fit = true
	v.X, v.Y = float64(v.Picture.X)/2, float64(v.Picture.Y)/2
	v.Zoom = zooms[0]
	for _, z := range zooms {
		if z*float64(v.Picture.X) <= float64(v.Area.Dx()) && z*float64(v.Picture.Y) <= float64(v.Area.Dy()) {
			v.Zoom = z
		}
	}
}

// ZoomTo sets a zoom; the point of the picture under at stays where it is.
func (v *Viewport) ZoomTo(zoom float64, at image.Point) {
	v.Fit = false
	x, y := v.point(at)
	v.Zoom = min(max(zoom, zooms[0]), zooms[len(zooms)-1])
	mx, my := v.middle()
	v.X, v.Y = x-(float64(at.X)-mx)/v.Zoom, y-(float64(at.Y)-my)/v.Zoom
	v.keep()
}

// Step zooms in by steps, out by negative ones.
func (v *Viewport) Step(steps int, at image.Point) {
	i := 0
	for k, z := range zooms {
		if z <= v.Zoom {
			i = k
		}
	}
	v.ZoomTo(zooms[min(max(i+steps, 0), len(zooms)-1)], at)
}

// Pan moves the picture by device pixels.
func (v *Viewport) Pan(dx, dy float64) {
	v.Fit = false
	v.X -= dx / v.Zoom
	v.Y -= dy / v.Zoom
	v.keep()
}

// keep keeps the middle of the area on the picture.
func (v *Viewport) keep() {
	v.X = min(max(v.X, 0), float64(v.Picture.X))
	v.Y = min(max(v.Y, 0), float64(v.Picture.Y))
}

func (v *Viewport) middle() (x, y float64) {
	return float64(v.Area.Min.X+v.Area.Max.X) / 2, float64(v.Area.Min.Y+v.Area.Max.Y) / 2
}

// point gives the place of the picture at the left top corner of a device pixel.
func (v *Viewport) point(at image.Point) (x, y float64) {
	o := v.Origin()
	return float64(at.X-o.X) / v.Zoom, float64(at.Y-o.Y) / v.Zoom
}

// Origin gives the device pixel where the picture begins, a whole one.
func (v *Viewport) Origin() image.Point {
	mx, my := v.middle()
	return image.Pt(int(math.Floor(mx-v.X*v.Zoom+0.5)), int(math.Floor(my-v.Y*v.Zoom+0.5)))
}

// PixelAt gives the pixel of the picture at a device pixel; ok is false beside the picture.
func (v *Viewport) PixelAt(at image.Point) (p image.Point, ok bool) {
	if v.Zoom == 0 || !at.In(v.Area) {
		return p, false
	}
	x, y := v.point(at)
	p = image.Pt(int(math.Floor(x)), int(math.Floor(y)))
	return p, p.In(image.Rectangle{Max: v.Picture})
}
