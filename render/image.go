package render

import (
	"image"
	"image/color"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// An Image is the texels of a texture: one image, or six for a cube (+x -x +y -y +z -z).
type Image struct {
	Width, Height int
	Cube          bool
	Texels        []uint32 // red lowest, alpha highest, not multiplied by it; row by row, face by face
}

// NewImage gives an image of zero texels.
func NewImage(w, h int, cube bool) *Image {
	t := &Image{Width: w, Height: h, Cube: cube}
	t.Texels = make([]uint32, w*h*t.faces())
	return t
}

// FromImage gives the texels of m.
func FromImage(m image.Image) *Image {
	r := m.Bounds()
	t := NewImage(r.Dx(), r.Dy(), false)
	for y := range t.Height {
		for x := range t.Width {
			c := color.NRGBAModel.Convert(m.At(r.Min.X+x, r.Min.Y+y)).(color.NRGBA)
			t.Texels[y*t.Width+x] = rgba(c.R, c.G, c.B, c.A)
		}
	}
	return t
}

func rgba(r, g, b, a uint8) uint32 {
	return uint32(r) | uint32(g)<<8 | uint32(b)<<16 | uint32(a)<<24
}

func (t *Image) faces() int {
	if t.Cube {
		return 6
	}
	return 1
}

func (t *Image) dim() ir.Dim {
	if t.Cube {
		return ir.DimCube
	}
	return ir.Dim2D
}

// put lays the image, with its mip levels or without, into an arena.
func (t *Image) put(a *exec.Arena, mips bool) (exec.Record, error) {
	x := exec.Texture{Dim: t.dim(), Format: ir.RGBA8, Width: t.Width, Height: t.Height, Depth: 1, Levels: [][]uint32{t.Texels}}
	for l := 1; mips && max(t.Width>>l, t.Height>>l) > 0; l++ {
		x.Levels = append(x.Levels, t.half(x.Levels[l-1], l))
	}
	return exec.PutTexture(a, &x)
}

// half gives level l from the one above it.
func (t *Image) half(above []uint32, l int) []uint32 {
	pw, ph := max(1, t.Width>>(l-1)), max(1, t.Height>>(l-1))
	w, h := max(1, t.Width>>l), max(1, t.Height>>l)
	level := make([]uint32, w*h*t.faces())
	for f := range t.faces() {
		src, dst := above[pw*ph*f:], level[w*h*f:]
		for y := range h {
			y0, y1 := min(2*y, ph-1)*pw, min(2*y+1, ph-1)*pw
			for x := range w {
				x0, x1 := min(2*x, pw-1), min(2*x+1, pw-1)
				var word uint32
				for k := 0; k < 32; k += 8 {
					sum := src[y0+x0]>>k&255 + src[y0+x1]>>k&255 + src[y1+x0]>>k&255 + src[y1+x1]>>k&255
					word |= (sum + 2) >> 2 << k
				}
				dst[y*w+x] = word
			}
		}
	}
	return level
}
