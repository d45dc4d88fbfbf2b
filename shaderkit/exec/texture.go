package exec

import (
	"fmt"

	"swizzle/shaderkit/ir"
)

// A Record is a resource record: RecordWords words that describe memory to a program.
type Record [RecordWords]uint32

// A Texture is what PutTexture lays into an arena.
type Texture struct {
	Dim    ir.Dim
	Format ir.Format
	Width  int // texels; a cube is square
	Height int // texels; 1 for Dim1D
	Depth  int // texels; 1 unless Dim3D
	// Levels holds the words of each mip level, the largest first: one word a texel for RGBA8, four
	// for RGBA32F, in the order that the package comment gives. Level l measures max(1, Width>>l) and
	// so on; the chain may end early.
	Levels [][]uint32
}

// A TextureError says why a texture cannot be laid out.
type TextureError struct {
	Code  string // "texture-size", "texture-shape", "texture-levels", "texture-data"
	Level int    // "texture-data": the level; else 0
	Got   int
	Want  int // for sizes the largest
}

func (e *TextureError) Error() string {
	switch e.Code {
	case "texture-size":
		return fmt.Sprintf("texture-size: %d texels, want 1 to %d", e.Got, e.Want)
	case "texture-shape":
		return fmt.Sprintf("texture-shape: %d texels along an axis that has %d", e.Got, e.Want)
	case "texture-levels":
		return fmt.Sprintf("texture-levels: %d levels, want 1 to %d", e.Got, e.Want)
	}
	return fmt.Sprintf("texture-data: level %d has %d words, want %d", e.Level, e.Got, e.Want)
}

// TexelWords gives the number of words of a texel.
func TexelWords(f ir.Format) int {
	if f == ir.RGBA32F {
		return 4
	}
	return 1
}

// LevelSize gives the measures of level l; the slices of a cube are its faces.
func (t *Texture) LevelSize(l int) (width, height, slices int) {
	width, height, slices = max(1, t.Width>>l), max(1, t.Height>>l), max(1, t.Depth>>l)
	if t.Dim == ir.DimCube {
		slices = 6
	}
	return
}

// LevelWords gives the number of words of level l.
func (t *Texture) LevelWords(l int) int {
	w, h, d := t.LevelSize(l)
	return w * h * d * TexelWords(t.Format)
}

// Check finds what keeps PutTexture from laying t out; it is a *TextureError.
func (t *Texture) Check() error {
	largest := 0
	for _, n := range []int{t.Width, t.Height, t.Depth} {
		if n < 1 || n > ir.MaxTextureSize {
			return &TextureError{Code: "texture-size", Got: n, Want: ir.MaxTextureSize}
		}
		largest = max(largest, n)
	}
	height, depth := t.Height, t.Depth
	switch t.Dim {
	case ir.DimCube:
		height, depth = t.Width, 1
	case ir.Dim2D:
		depth = 1
	case ir.Dim1D:
		height, depth = 1, 1
	}
	if t.Height != height {
		return &TextureError{Code: "texture-shape", Got: t.Height, Want: height}
	}
	if t.Depth != depth {
		return &TextureError{Code: "texture-shape", Got: t.Depth, Want: depth}
	}
	chain := 1
	for largest>>chain > 0 {
		chain++
	}
	if n := len(t.Levels); n < 1 || n > chain {
		return &TextureError{Code: "texture-levels", Got: n, Want: chain}
	}
	for l, data := range t.Levels {
		if want := t.LevelWords(l); len(data) != want {
			return &TextureError{Code: "texture-data", Level: l, Got: len(data), Want: want}
		}
	}
	return nil
}

// PutTexture copies t into a and gives the record of it. The level table lies behind the texels and
// is part of the record's size, for programs read it as they read texels.
func PutTexture(a *Arena, t *Texture) (Record, error) {
	if err := t.Check(); err != nil {
		return Record{}, err
	}
	words := 0
	for l := range t.Levels {
		words += t.LevelWords(l)
	}
	base := a.Alloc(words + len(t.Levels))
	mem := a.Words(base, words+len(t.Levels))
	at := 0
	for l, data := range t.Levels {
		mem[words+l] = uint32(4 * at)
		at += copy(mem[at:], data)
	}
	_, _, slices := t.LevelSize(0)
	return Record{
		RecBase:   base,
		RecSize:   uint32(4 * len(mem)),
		RecStride: uint32(4 * t.Width * TexelWords(t.Format)),
		RecWidth:  uint32(t.Width),
		RecHeight: uint32(t.Height),
		RecDepth:  uint32(slices),
		RecLevels: uint32(len(t.Levels)),
		RecTable:  base + uint32(4*words),
	}, nil
}

// SetRecord makes r the record of a resource in the job descriptor at desc.
func (a *Arena) SetRecord(desc uint32, resource int, r Record) {
	copy(a.Words(desc+4*uint32(JobRecords+RecordWords*resource), RecordWords), r[:])
}
