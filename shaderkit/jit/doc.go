// Package jit is the fast engine: it makes WebAssembly of IR programs, with SIMD vectors of four
// lanes, for the browser's engine or for wazero. It gives the same bits as package interp.
//
// # Data flow
//
//	ir.Program ──prepare──▶ primitive ops ──analyse──▶ functions ──writer──▶ wasm ──Host──▶ Kernel
//
// prepare.go expands macros and transcendental ops and moves what is uniform to the front. analyse.go
// finds out which registers are the same in all lanes and how long each one lives. emit.go writes the
// module: memory.go helper functions, kernel.go the loops of a job around the entry, control.go
// structured code with masks, row.go pure ops, sums.go those of zero-wins products, optimist.go waves
// that hope to need none (stores.go brings their stores to the end), taps.go texels, wide.go says which code takes
// two waves at once. engine.go is the exec.Engine; packages wazerohost and browserhost are hosts.
//
// # Registers
//
// A wave is 8 lanes. A register of 32 bits is two locals of type v128, one for each quad of pixels;
// one of 64 bits is four. A register that holds the same in all lanes is one. Constants are globals or inline.
//
//	lanes      0 1 2 3     4 5 6 7
//	32 bits    vector 0    vector 1
//	64 bits    0   1       2   3
//
// Where nobody can tell, code takes two waves at once: a row of quads, in four vectors.
//
// # A job is one call
//
// The kernel runs all triangles of a tile or all items. What is uniform in the job is computed once
// in front, what is uniform in a triangle once for each. A wave of which no pixel is covered is left
// out, and so are blocks outside of the triangle; in blocks inside no edge is looked at.
//
// # Masks
//
// Active lanes are a vector local for each quad, of ~0 and 0. An If whose condition is uniform is a
// branch. Other arms run one after the other under their masks, and not at all when no lane takes
// them; results are joined by bit selection. Break, Continue and Return add their lanes to the mask
// of what they leave. Where all lanes may have left, the code branches to the end of the block. The
// live mask and the steps that each lane took are locals of the entry, or globals when other
// functions change them.
//
// # Memory
//
// The memory of the module is the arena, address by address. A record of the job gives its span once,
// where its address is made. Lanes are read one by one, at address 0 where they are outside; the
// pixels of a quad that lie side by side in a target are one access, and so are two texels of a filter
// (taps.go).
//
// # Exactness
//
// There is no relaxed SIMD and no fused multiply-add. NaNs that float ops make may differ in their
// bits from those of interp; where bits are seen Optimize has placed a Canon.
//
// # Example
//
//	h, err := wazerohost.New()
//	k, err := jit.New(h).Compile(p) // p: a Linear or Tile program, best after ir.Optimize
//	r := k.Run(arena, descriptor, exec.Options{})
package jit
