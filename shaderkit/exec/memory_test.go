package exec

import (
	"slices"
	"testing"
)

func TestRows(t *testing.T) {
	// Two tiles of 70 x 3 pixels, each word the number of its pixel in row order.
	const width, height, gap = 70, 3, 4
	a := &Arena{}
	from := a.Alloc(2 * (TileSize*TileSize + gap))
	for y := range height {
		for x := range width {
			a.Mem[from/4+uint32(x/TileSize*(TileSize*TileSize+gap)+TileIndex(x%TileSize, y))] = uint32(y*width + x)
		}
	}
	to := a.Alloc(2 * width * height)
	for _, pitch := range []int{1, 2} {
		InPlace{}.Fill(a, to, 2*width*height, 0)
		InPlace{}.Rows(a, Rows{From: from, Step: 4 * (TileSize*TileSize + gap), Width: width, Height: height, To: to, Stride: width * pitch, Pitch: pitch, Or: 1 << 31})
		for i, w := range a.Words(to, pitch*width*height) {
			want := uint32(i/pitch) | 1<<31
			if i%pitch != 0 {
				want = 0
			}
			if w != want {
				t.Fatalf("pitch %d: word %d is %#x, want %#x", pitch, i, w, want)
			}
		}
	}
}

func TestBytes(t *testing.T) {
	a := &Arena{Mem: []uint32{0, 0x04030201, 0x08070605}}
	out := make([]byte, 8)
	InPlace{}.Bytes(a, 4, out)
	if want := []byte{1, 2, 3, 4, 5, 6, 7, 8}; !slices.Equal(out, want) {
		t.Errorf("%v, want %v", out, want)
	}
}
