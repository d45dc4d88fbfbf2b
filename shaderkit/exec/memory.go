package exec

import "encoding/binary"

// A Memory is where the jobs of an engine work. While it holds an arena it may be another memory than
// that of the arena: the caller says what it changes and asks for what it wants to see, by ranges of n
// words at a byte address. What lies in the arena behind the end of Mem when it is held is not copied.
// Fill may be called while jobs run, the others may not.
type Memory interface {
	// Hold begins to hold a, with all of its words. It ends when another arena is held.
	Hold(a *Arena)
	// Changed says that the caller wrote words.
	Changed(a *Arena, addr uint32, n int)
	// Fetch gives a the words that jobs wrote in a range.
	Fetch(a *Arena, addr uint32, n int)
	// Release gives a all that jobs wrote and ends Hold; behind it the caller may do anything with a.
	Release(a *Arena)

	// Fill writes n equal words.
	Fill(a *Arena, addr uint32, n int, word uint32)
	// Rows copies pixels out of tile storage order.
	Rows(a *Arena, r Rows)
	// Bytes gives the words from an address on as little-endian bytes, as many as out holds.
	Bytes(a *Arena, addr uint32, out []byte)
}

// A Holder is an engine that has a memory of its own. A run copies what it reads and writes, unless the
// arena is held.
type Holder interface {
	Engine
	Memory
}

// MemoryOf gives the memory of an engine: its own, or that of the arena.
func MemoryOf(e Engine) Memory {
	if h, ok := e.(Holder); ok {
		return h
	}
	return InPlace{}
}

// Rows describes a picture in tile storage order, 4096 words a tile, and where its rows go.
type Rows struct {
	From          uint32 // byte address of the first tile
	Step          uint32 // bytes from tile to tile; tiles lie row by row, (Width+63)/64 in a row
	Width, Height int    // pixels
	To            uint32 // byte address of the first pixel
	Stride        int    // words from row to row
	Pitch         int    // words from pixel to pixel
	Or            uint32 // bits that are set in each word
}

// InPlace is the memory of engines that work in the arena itself.
type InPlace struct{}

var _ Memory = InPlace{}

// Hold implements Memory.
func (InPlace) Hold(*Arena) {}

// Changed implements Memory.
func (InPlace) Changed(*Arena, uint32, int) {}

// Fetch implements Memory.
func (InPlace) Fetch(*Arena, uint32, int) {}

// Release implements Memory.
func (InPlace) Release(*Arena) {}

// Fill implements Memory.
func (InPlace) Fill(a *Arena, addr uint32, n int, word uint32) {
	w := a.Words(addr, n)
	for i := range w {
		w[i] = word
	}
}

// Rows implements Memory.
func (InPlace) Rows(a *Arena, r Rows) {
	across := (r.Width + TileSize - 1) / TileSize
	for y := range r.Height {
		row := a.Words(r.To+uint32(4*y*r.Stride), (r.Width-1)*r.Pitch+1)
		for x := range r.Width {
			tile := y/TileSize*across + x/TileSize
			row[x*r.Pitch] = a.Mem[r.From/4+uint32(tile)*(r.Step/4)+uint32(TileIndex(x%TileSize, y%TileSize))] | r.Or
		}
	}
}

// Bytes implements Memory.
func (InPlace) Bytes(a *Arena, addr uint32, out []byte) {
	for i, w := range a.Words(addr, len(out)/4) {
		binary.LittleEndian.PutUint32(out[4*i:], w)
	}
}
