package exec

import "swizzle/shaderkit/ir"

// A Tracer runs a job and records what one wave wrote. An engine that has it is the debugger's.
type Tracer interface {
	// Trace compiles p, whose Write instructions it records, and runs the job as a Kernel would,
	// stores included.
	Trace(p *ir.Program, a *Arena, desc uint32, pick Pick, o Options) (*Trace, error)
}

// A Pick says which lane is of interest.
type Pick struct {
	Item uint32 // linear job: number of the item
	X, Y int    // tile job: the pixel in the tile
}

// MaxWrites bounds the writes of a Trace.
const MaxWrites = 1 << 16

// A Trace is what a job wrote where the pick lies, in order.
type Trace struct {
	Waves     []Wave // linear: one; tile: one for each triangle record that covers the pixel
	Result    Result // of the job
	Truncated bool   // there were more than MaxWrites writes
}

// A Wave is one run of the program for the lanes around the pick.
//
// Lanes are the quad of a pixel (left top, right top, left bottom, right bottom), or the eight items
// of the wave of a linear job.
type Wave struct {
	Record int   // number of the triangle record; -1 for a linear job
	Lanes  int   // 4 for a tile job, 8 for a linear one
	Pick   int   // lane of the pick
	First  uint8 // lanes that were live at the start, lane 0 lowest
	Live   uint8 // lanes that were still live at the end
	Writes []Write
}

// A Write is one executed ir.Write instruction. A value before and behind it makes steps in both
// directions free.
type Write struct {
	Traced int32     // index in ir.Program.Traced
	From   int32     // the ISA instruction; -1 for fixed function
	Depth  int32     // open calls; 0 in the entry
	Trip   int32     // number of the iteration of the innermost loop of the function, from 0
	Active uint8     // lanes that wrote
	Live   uint8     // lanes that were live
	Old    [8]uint32 // bits before, zero when never written
	New    [8]uint32 // bits behind; those of Old in lanes that did not write
}
