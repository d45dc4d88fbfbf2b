// Package exec is what the pipeline sees of an engine: an arena of memory, jobs in it, kernels that
// run them.
//
// # Arena
//
// An Arena is a memory of 32-bit words; addresses are in bytes and multiples of 4.
//
// # Resource record, 8 words
//
//	0 base      byte address of the data
//	1 size      in bytes; Load and Store outside it read zero and write nothing
//	2 stride    bytes from row to row of level 0 for textures, of an element for buffers
//	3 width     texels
//	4 height    texels
//	5 depth     texels of a volume; layers of an array, 6 for each cube; 6 for a cube; 1
//	6 levels    number of mip levels
//	7 table     byte address of a table, a word a level: byte offset of the level from base;
//	            it lies within base..base+size. PutTexture lays all of this.
//
// Texels of a level lie row by row without padding, then slice by slice, face by face (+x −x +y −y
// +z −z), layer by layer. Level l measures max(1, width>>l) and so on; slices, faces and layers follow
// one another within the level, of which layers and faces are as many as in level 0.
//
// # Linear job
//
//	0       number of items
//	1       number of the first item
//	2..15   words that the program defines
//	16..    resource records of the shader, by number
//
// # Tile job
//
//	0       number of triangle records
//	1       byte address of the first record
//	2       words from record to record
//	3..15   words that the program defines (target addresses and the like)
//	16..    resource records of the shader, by number
//
// A triangle record begins with its box in pixels of the tile, exclusive at the end: 0 x0, 1 y0, 2 x1,
// 3 y1. Pixels outside the box are not covered, whatever Cover says. The rest is the program's.
//
// What a job stores to must not hold its own descriptor, records or triangle records: an engine may
// read those early.
//
// A tile is 64x64 pixels, stored by 8x8 blocks in rows, a block by 2x2 quads in rows, a quad as
// left-top, right-top, left-bottom, right-bottom: TileIndex.
package exec

import "swizzle/shaderkit/ir"

// Words of a job descriptor.
const (
	JobCount   = 0  // items or triangle records
	JobFirst   = 1  // linear: number of the first item; tile: address of the first record
	JobStride  = 2  // tile: words from record to record
	JobProgram = 3  // first word that the program defines
	JobRecords = 16 // first resource record
	// RecordWords is the length of a resource record in words.
	RecordWords = 8
)

// Words of a resource record.
const (
	RecBase = iota
	RecSize
	RecStride
	RecWidth
	RecHeight
	RecDepth
	RecLevels
	RecTable
)

// TileSize is the width and height of a tile in pixels, BlockSize that of a block.
const (
	TileSize  = 64
	BlockSize = 8
)

// DefaultBudget is the number of back-edges and calls a lane may take.
const DefaultBudget = 65536

// TileIndex gives the index of pixel (x, y) of a tile in tile storage order.
func TileIndex(x, y int) int {
	return (y>>3*8+x>>3)*64 + (y>>1&3*4+x>>1&3)*4 + y&1*2 + x&1
}

// An Arena is the memory of jobs. Allocation only grows it; Reset forgets all of it.
type Arena struct {
	Mem []uint32 // words
}

// Alloc gives the byte address of n zeroed words, aligned to 16 bytes. Earlier slices of Mem may be
// stale behind it.
func (a *Arena) Alloc(n int) uint32 {
	at := (len(a.Mem) + 3) &^ 3
	need := at + n
	if need <= cap(a.Mem) {
		old := len(a.Mem)
		a.Mem = a.Mem[:need]
		clear(a.Mem[old:])
	} else {
		m := make([]uint32, need, need+need/2)
		copy(m, a.Mem)
		a.Mem = m
	}
	return uint32(at * 4)
}

// Reset empties the arena and keeps its memory.
func (a *Arena) Reset() { a.Mem = a.Mem[:0] }

// Words gives n words at byte address addr.
func (a *Arena) Words(addr uint32, n int) []uint32 {
	i := int(addr / 4)
	return a.Mem[i : i+n : i+n]
}

// An Engine turns programs into kernels.
type Engine interface {
	Name() string
	// Compile takes a verified program of kind Linear or Tile, which must not change while the kernel or a
	// fork of it is in use.
	Compile(p *ir.Program) (Kernel, error)
}

// A Kernel runs jobs of one program. It is used by one goroutine at a time.
type Kernel interface {
	// Run runs the job whose descriptor is at byte address desc of a.
	Run(a *Arena, desc uint32, o Options) Result
	Close()
}

// A Forker is a kernel that several goroutines may run at once, each a fork of its own, while the memory
// of the engine holds the arena. The jobs must not write what others of them read or write.
type Forker interface {
	Kernel
	// Fork gives another kernel of the same program. Each is closed by itself.
	Fork() (Kernel, error)
}

// Options of a run.
type Options struct {
	Budget int // back-edges and calls of each lane, helpers included; 0 is DefaultBudget
	// About how many lanes the caller has before it for this kernel, with those of this job; 0 where it does
	// not know. Results do not depend on it.
	Ahead int
}

// A Result tells what a run came to.
type Result struct {
	Stopped bool   // a lane ran out of budget; it did nothing from there on
	Lanes   uint64 // items, or pixels that passed Cover
}
