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
	Height int // texels; 1 for Dim1D and its arrays
	Depth  int // texels; 1 unless Dim3D
	Layers int // of an array, a cube counting as one; 0 or 1 for others
	// Levels holds the words of each mip level, the largest first: Format.Words a texel, in the order that the package comment gives. Level l measures max(1, Width>>l) and
	// so on; the chain may end early.
	Levels [][]uint32
}

// A TextureError says why a texture cannot be laid out.
type TextureError struct {
	Code  string // "texture-size", "texture-shape", "texture-layers", "texture-levels", "texture-data"
	Level int    // "texture-data": the level; else 0
	Got   int
	Want  int // for sizes and layers the largest
}

func (e *TextureError) Error() string {
	switch e.Code {
	case "texture-size":
		return fmt.Sprintf("texture-size: %d texels, want 1 to %d", e.Got, e.Want)
	case "texture-shape":
		return fmt.Sprintf("texture-shape: %d texels along an axis that has %d", e.Got, e.Want)
	case "texture-layers":
		return fmt.Sprintf("texture-layers: %d layers, want 1 to %d", e.Got, e.Want)
	case "texture-levels":
		return fmt.Sprintf("texture-levels: %d levels, want 1 to %d", e.Got, e.Want)
	}
	return fmt.Sprintf("texture-data: level %d has %d words, want %d", e.Level, e.Got, e.Want)
}

// MaxLayers is the largest number of layers (11.3 21).
const MaxLayers = 2048

// LevelSize gives the measures of level l; the slices of cubes and arrays are all faces of all layers.
func (t *Texture) LevelSize(l int) (width, height, slices int) {
	width, height, slices = max(1, t.Width>>l), max(1, t.Height>>l), max(1, t.Depth>>l)
	if t.Dim.Array() {
		slices = t.Layers
	}
	if t.Dim.Cube() {
		slices *= 6
	}
	return
}

// LevelWords gives the number of words of level l.
func (t *Texture) LevelWords(l int) int {
	w, h, d := t.LevelSize(l)
	return w * h * d * int(t.Format.Words())
}

// Check finds what keeps PutTexture from laying t out; it is a *TextureError.
func (t *Texture) Check() error {
	layers := MaxLayers
	if !t.Dim.Array() {
		layers = 1
	}
	if t.Layers > layers || t.Layers < 0 || t.Dim.Array() && t.Layers == 0 {
		return &TextureError{Code: "texture-layers", Got: t.Layers, Want: layers}
	}
	largest := 0
	for _, n := range []int{t.Width, t.Height, t.Depth} {
		if n < 1 || n > ir.MaxTextureSize {
			return &TextureError{Code: "texture-size", Got: n, Want: ir.MaxTextureSize}
		}
		largest = max(largest, n)
	}
	height, depth := t.Height, t.Depth
	switch t.Dim {
	case ir.DimCube, ir.DimCubeArray:
		height, depth = t.Width, 1
	case ir.Dim2D, ir.Dim2DArray:
		depth = 1
	case ir.Dim1D, ir.Dim1DArray:
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
		RecStride: 4 * uint32(t.Width) * t.Format.Words(),
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
