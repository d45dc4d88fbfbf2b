package model

import (
	"image"
	"math"
	"testing"
)

func TestViewportFits(t *testing.T) {
	for _, c := range []struct {
		area, picture image.Point
		zoom          float64
	}{
		{image.Pt(600, 600), image.Pt(256, 256), 2},
		{image.Pt(511, 600), image.Pt(256, 256), 1},
		{image.Pt(200, 600), image.Pt(256, 256), 1. / 2},
		{image.Pt(1000, 40), image.Pt(256, 256), 1. / 8},
		{image.Pt(5000, 5000), image.Pt(1, 1), 64},
	} {
		v := Viewport{}
		v.Layout(image.Rectangle{image.Pt(7, 9), image.Pt(7, 9).Add(c.area)}, c.picture)
		if v.Zoom != c.zoom {
			t.Errorf("%v in %v: zoom %v, want %v", c.picture, c.area, v.Zoom, c.zoom)
		}
		o := v.Origin()
		left, right := o.X-7, 7+c.area.X-(o.X+int(float64(c.picture.X)*v.Zoom))
		if d := left - right; d < -1 || d > 1 {
			t.Errorf("%v in %v: %d pixels left, %d right", c.picture, c.area, left, right)
		}
	}
}

// Zooming leaves the pixel under the mouse where it is, within the pixel.
func TestZoomHoldsThePoint(t *testing.T) {
	v := Viewport{}
	v.Layout(image.Rect(0, 0, 640, 480), image.Pt(256, 128))
	for _, at := range []image.Point{{320, 240}, {200, 200}, {440, 300}} {
		v.ZoomToFit()
		p, ok := v.PixelAt(at)
		if !ok {
			t.Fatalf("%v is not on the picture", at)
		}
		for range 8 {
			v.Step(1, at)
			if q, _ := v.PixelAt(at); math.Abs(float64(q.X-p.X)) > 1 || math.Abs(float64(q.Y-p.Y)) > 1 {
				t.Errorf("zoom %v: pixel %v under the mouse, before %v", v.Zoom, q, p)
			}
		}
	}
	v.Pan(1e9, -1e9)
	if v.X != 0 || v.Y != 128 {
		t.Errorf("panned to %v, %v: the middle leaves the picture", v.X, v.Y)
	}
	if _, ok := v.PixelAt(image.Pt(-1, 0)); ok {
		t.Error("a pixel outside of the area")
	}
}
