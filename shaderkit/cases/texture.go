package cases

import (
	"encoding/json"
	"fmt"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// A texture is a texture of a case: 32-bit floats, no conversion.
type texture struct {
	Kind    string            `json:"kind"`
	Width   int               `json:"width"`
	Height  int               `json:"height"`
	Depth   int               `json:"depth"`
	Texels  []json.RawMessage `json:"texels"`
	Mips    any               `json:"mips"`
	Filter  string            `json:"filter"`
	Address string            `json:"address"`
}

var (
	kinds     = map[string]ir.Dim{"": ir.Dim2D, "2d": ir.Dim2D, "cube": ir.DimCube, "volume": ir.Dim3D}
	filters   = map[string]ir.Filter{"": ir.Nearest, "point": ir.Nearest, "linear": ir.Bilinear}
	addresses = map[string]ir.Address{"": ir.Wrap, "wrap": ir.Wrap, "clamp": ir.Clamp, "mirror": ir.Mirror}
)

// mips reports whether the texels hold mip levels: `mips` is true or more than one level.
func (t *texture) mips() bool {
	switch m := t.Mips.(type) {
	case bool:
		return m
	case float64:
		return m > 1
	}
	return false
}

// state gives the sampler state of t.
func (t *texture) state() (s ir.SamplerState, err error) {
	ok := [3]bool{}
	s.Format, s.Bound = ir.RGBA32F, true
	s.Dim, ok[0] = kinds[t.Kind]
	s.Min, ok[1] = filters[t.Filter]
	s.U, ok[2] = addresses[t.Address]
	switch {
	case !ok[0]:
		return s, fmt.Errorf("kind %q is none of 2d, cube, volume", t.Kind)
	case !ok[1]:
		return s, fmt.Errorf("filter %q is none of point, linear", t.Filter)
	case !ok[2]:
		return s, fmt.Errorf("address %q is none of wrap, clamp, mirror", t.Address)
	}
	s.Mag, s.V, s.W = s.Min, s.U, s.U
	if t.mips() {
		s.Mip = ir.MipNearest
	}
	return s, nil
}

// data gives the texels by levels: x fastest, then y, z, faces, then levels.
func (t *texture) data() (*exec.Texture, error) {
	x := &exec.Texture{Dim: kinds[t.Kind], Format: ir.RGBA32F, Width: t.Width, Height: max(t.Height, 1), Depth: max(t.Depth, 1)}
	if x.Dim != ir.Dim3D {
		x.Depth = 1
	}
	if x.Dim == ir.DimCube && t.Height == 0 {
		x.Height = x.Width
	}
	var words []uint32
	for _, raw := range t.Texels {
		v, err := vector(raw, float)
		if err != nil {
			return nil, err
		}
		words = append(words, v[:]...)
	}
	for l := 0; len(words) > 0 && (l == 0 || t.mips()); l++ {
		n := len(words)
		if x.Width <= ir.MaxTextureSize && x.Height <= ir.MaxTextureSize && x.Depth <= ir.MaxTextureSize {
			n = min(n, x.LevelWords(l))
		}
		x.Levels = append(x.Levels, words[:n])
		words = words[n:]
	}
	if len(words) > 0 {
		return nil, fmt.Errorf("%d texels, want %d", len(t.Texels), x.LevelWords(0)/4)
	}
	return x, x.Check()
}
