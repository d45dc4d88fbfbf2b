package render

import (
	"encoding/binary"
	"image"
	"image/color"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// An Image is the texels of a texture: of one picture, of the six faces of a cube (+x -x +y -y +z -z),
// of the slices of a volume, or of the layers of an array, with mip levels or without. Like a Mesh it
// is known by its address, and must not change once it is drawn with.
type Image struct {
	Dim           ir.Dim // Dim1D stands for pictures of one row, with Height 1
	Width, Height int    // texels
	Depth         int    // slices of a volume; else 0 or 1
	Layers        int    // of an array, a cube counting as one; else 0 or 1
	Format        Format // NoFormat: RGBA8

	// Texels are those of level 0 where a texel is 32 bits: red lowest, alpha highest, not multiplied by
	// it; row by row, then slice by slice, face by face, layer by layer. nil: Levels hold all.
	Texels []uint32
	// Levels are the mip levels, the largest first, as files hold them: in rows without padding, blocks
	// of compressed formats in rows, then slice by slice, face by face, layer by layer.
	Levels [][]byte

	target *Target // whose content it is: see TargetImage
}

// NewImage gives an image of zero texels.
func NewImage(w, h int, cube bool) *Image {
	t := &Image{Width: w, Height: h}
	n := w * h
	if cube {
		t.Dim, n = ir.DimCube, 6*n
	}
	t.Texels = make([]uint32, n)
	return t
}

// FromImage gives the texels of m: bytes, or 16 bits a channel where m has those.
func FromImage(m image.Image) *Image {
	r := m.Bounds()
	t := &Image{Width: r.Dx(), Height: r.Dy()}
	switch m.(type) {
	case *image.NRGBA64, *image.RGBA64, *image.Gray16:
		t.Format = RGBA16
		var data []byte
		for y := range t.Height {
			for x := range t.Width {
				c := color.NRGBA64Model.Convert(m.At(r.Min.X+x, r.Min.Y+y)).(color.NRGBA64)
				for _, v := range []uint16{c.R, c.G, c.B, c.A} {
					data = binary.LittleEndian.AppendUint16(data, v)
				}
			}
		}
		t.Levels = [][]byte{data}
		return t
	}
	t.Texels = make([]uint32, t.Width*t.Height)
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

// SetSRGB says that the colours are sRGB, to be made linear where they are read, and reports whether
// there is such a format.
func (t *Image) SetSRGB() bool {
	f := t.format()
	if f.row().kind == srgb {
		return true
	}
	s := f.row().sibling
	if s != NoFormat {
		t.Format = s
	}
	return s != NoFormat
}

func (t *Image) format() Format {
	if t.Format == NoFormat {
		return RGBA8
	}
	return t.Format
}

// fits reports whether a resource of dimension d takes the image: a picture serves as 1D texture by
// its first row.
func (t *Image) fits(d ir.Dim) bool {
	return t.Dim == d || t.Dim == ir.Dim2D && d == ir.Dim1D
}

// shape gives the measures of the image; its levels are empty.
func (t *Image) shape() exec.Texture {
	return exec.Texture{Dim: t.Dim, Format: t.format().class(), Width: t.Width, Height: t.Height, Depth: max(1, t.Depth), Layers: t.Layers}
}

// levels gives the number of mip levels that the image itself has.
func (t *Image) levels() int {
	if t.Texels != nil {
		return 1
	}
	return len(t.Levels)
}

// texture decodes the image; with mips those that it does not have are made, down to one texel.
func (t *Image) texture(mips bool) (*exec.Texture, error) {
	x, f := t.shape(), t.format()
	if t.Texels != nil && f.row().bytes != 4 {
		return nil, errorf("image-format", "texels of 32 bits are none of format %s", f)
	}
	for l := range t.levels() {
		w, h, slices := x.LevelSize(l)
		switch {
		case t.Texels != nil && f == RGBA8:
			x.Levels = append(x.Levels, t.Texels)
			continue
		case t.Texels != nil:
			if len(t.Texels) != w*h*slices {
				return nil, errorf("image-data", "%d texels, want %d", len(t.Texels), w*h*slices)
			}
			data := make([]byte, 0, 4*len(t.Texels))
			for _, word := range t.Texels {
				data = binary.LittleEndian.AppendUint32(data, word)
			}
			x.Levels = append(x.Levels, f.decode(data, w, h, slices))
			continue
		}
		if want := f.levelBytes(w, h) * slices; len(t.Levels[l]) != want {
			return nil, errorf("image-data", "level %d has %d bytes, want %d", l, len(t.Levels[l]), want)
		}
		x.Levels = append(x.Levels, f.decode(t.Levels[l], w, h, slices))
	}
	if err := x.Check(); err != nil {
		return nil, err
	}
	if kind := f.row().kind; mips && len(x.Levels) == 1 && kind != uinteger && kind != sinteger {
		generate(&x)
	}
	return &x, nil
}

// put lays the image, with its mip levels or without, into an arena.
func (t *Image) put(a *exec.Arena, mips bool) (exec.Record, error) {
	x, err := t.texture(mips)
	if err != nil {
		return exec.Record{}, err
	}
	return exec.PutTexture(a, x)
}
