package exec

import (
	"errors"
	"testing"

	"swizzle/shaderkit/ir"
)

func TestPutTextureLaysLevelsThenTable(t *testing.T) {
	var a Arena
	a.Alloc(5)
	// 3x2 floats: levels of 3*2 and 1*1 texels
	tex := Texture{Format: ir.RGBA32F, Width: 3, Height: 2, Depth: 1,
		Levels: [][]uint32{make([]uint32, 24), {1, 2, 3, 4}}}
	for i := range tex.Levels[0] {
		tex.Levels[0][i] = uint32(100 + i)
	}
	r, err := PutTexture(&a, &tex)
	if err != nil {
		t.Fatal(err)
	}
	want := Record{RecBase: 32, RecSize: 4 * (24 + 4 + 2), RecStride: 48, RecWidth: 3, RecHeight: 2,
		RecDepth: 1, RecLevels: 2, RecTable: 32 + 4*28}
	if r != want {
		t.Errorf("record %v, want %v", r, want)
	}
	for i, w := range a.Words(r[RecBase], 24) {
		if w != uint32(100+i) {
			t.Fatalf("word %d of level 0 is %d", i, w)
		}
	}
	if got := [2]uint32(a.Words(r[RecTable], 2)); got != [2]uint32{0, 96} {
		t.Errorf("level offsets %v", got)
	}
	if got := a.Words(r[RecBase]+96, 4); [4]uint32(got) != [4]uint32{1, 2, 3, 4} {
		t.Errorf("level 1 is %v", got)
	}
}

func TestTextureCheck(t *testing.T) {
	level := func(n int) []uint32 { return make([]uint32, n) }
	for _, c := range []struct {
		name string
		tex  Texture
		want TextureError // of Code "" when right
	}{
		{"smallest", Texture{Width: 1, Height: 1, Depth: 1, Levels: [][]uint32{level(1)}}, TextureError{}},
		{"cube", Texture{Dim: ir.DimCube, Width: 2, Height: 2, Depth: 1, Levels: [][]uint32{level(24), level(6)}}, TextureError{}},
		{"volume", Texture{Dim: ir.Dim3D, Width: 1, Height: 2, Depth: 4, Levels: [][]uint32{level(8), level(2), level(1)}}, TextureError{}},
		{"line", Texture{Dim: ir.Dim1D, Width: 5, Height: 1, Depth: 1, Levels: [][]uint32{level(5)}}, TextureError{}},
		{"cubes", Texture{Dim: ir.DimCubeArray, Width: 2, Height: 2, Depth: 1, Layers: 3, Levels: [][]uint32{level(72), level(18)}}, TextureError{}},
		{"lines", Texture{Dim: ir.Dim1DArray, Format: ir.R32F, Width: 5, Height: 1, Depth: 1, Layers: 2, Levels: [][]uint32{level(10), level(4)}}, TextureError{}},
		{"planes", Texture{Dim: ir.Dim2DArray, Format: ir.RGBA32F, Width: 2, Height: 3, Depth: 1, Layers: 2, Levels: [][]uint32{level(48), level(8)}}, TextureError{}},
		{"no layers", Texture{Dim: ir.Dim2DArray, Width: 2, Height: 2, Depth: 1}, TextureError{Code: "texture-layers", Got: 0, Want: MaxLayers}},
		{"layers of no array", Texture{Width: 2, Height: 2, Depth: 1, Layers: 2}, TextureError{Code: "texture-layers", Got: 2, Want: 1}},
		{"oblong cubes", Texture{Dim: ir.DimCubeArray, Width: 2, Height: 4, Depth: 1, Layers: 1}, TextureError{Code: "texture-shape", Got: 4, Want: 2}},
		{"no texels", Texture{Width: 1, Height: 0, Depth: 1}, TextureError{Code: "texture-size", Got: 0, Want: 16384}},
		{"too wide", Texture{Width: 16385, Height: 1, Depth: 1}, TextureError{Code: "texture-size", Got: 16385, Want: 16384}},
		{"oblong cube", Texture{Dim: ir.DimCube, Width: 2, Height: 4, Depth: 1}, TextureError{Code: "texture-shape", Got: 4, Want: 2}},
		{"deep plane", Texture{Width: 2, Height: 4, Depth: 2}, TextureError{Code: "texture-shape", Got: 2, Want: 1}},
		{"high line", Texture{Dim: ir.Dim1D, Width: 2, Height: 4, Depth: 1}, TextureError{Code: "texture-shape", Got: 4, Want: 1}},
		{"no level", Texture{Width: 4, Height: 1, Depth: 1}, TextureError{Code: "texture-levels", Got: 0, Want: 3}},
		{"long chain", Texture{Width: 2, Height: 1, Depth: 1, Levels: [][]uint32{level(2), level(1), level(1)}}, TextureError{Code: "texture-levels", Got: 3, Want: 2}},
		{"short level", Texture{Width: 2, Height: 1, Depth: 1, Levels: [][]uint32{level(2), level(2)}}, TextureError{Code: "texture-data", Level: 1, Got: 2, Want: 1}},
	} {
		err := c.tex.Check()
		if c.want.Code == "" {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		var got *TextureError
		if !errors.As(err, &got) || *got != c.want {
			t.Errorf("%s: %v, want %v", c.name, err, &c.want)
		}
		if _, err := PutTexture(&Arena{}, &c.tex); err == nil {
			t.Errorf("%s: PutTexture takes it", c.name)
		}
	}
}
