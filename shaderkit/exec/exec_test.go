package exec

import "testing"

func TestTileIndexIsAPermutation(t *testing.T) {
	seen := map[int]bool{}
	for y := range TileSize {
		for x := range TileSize {
			i := TileIndex(x, y)
			if i < 0 || i >= TileSize*TileSize || seen[i] {
				t.Fatalf("TileIndex(%d, %d) = %d", x, y, i)
			}
			seen[i] = true
		}
	}
	for i, p := range [][2]int{{0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 0}} {
		if TileIndex(p[0], p[1]) != i {
			t.Errorf("TileIndex%v = %d, want %d", p, TileIndex(p[0], p[1]), i)
		}
	}
}

func TestArena(t *testing.T) {
	var a Arena
	p := a.Alloc(3)
	q := a.Alloc(5)
	if p != 0 || q != 16 {
		t.Errorf("addresses %d, %d", p, q)
	}
	a.Words(q, 5)[4] = 7
	a.Reset()
	a.Alloc(9)
	for _, w := range a.Mem {
		if w != 0 {
			t.Fatal("Alloc gives zeroed words")
		}
	}
}
