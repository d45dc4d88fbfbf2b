// Package interp is the portable engine: it runs IR programs in Go, on any machine and in js/wasm,
// and is the reference that other engines are compared with. It also records traces.
//
// # Data flow
//
//	ir.Program ──flatten──▶ lists of instructions over values ──prune, fuse──▶ ──alloc──▶ code ──vm──▶ arena
//
// flatten.go, with control.go, turns structured code into flat lists: small and single-use functions are inlined, what
// all lanes share moves to the code of its rate. alloc.go drops what nobody reads, joins products and
// sums, and gives each value a register, again free after the last use. compile.go writes the
// instructions. vm.go runs them; engine.go and tile.go feed it with batches of lanes. rows.go, made
// by gen.go, has a row for each pure op; macro*.go have the rows of macro ops.
//
// # Registers and batches
//
// A register holds its value for all lanes of a batch: 16 quads of 4 lanes. An instruction is a row
// that loops over the quads in use. One call costs a few nanoseconds, a lane about a third of one, so
// that the width pays for the dispatch.
//
//	lanes        [0]              [1]              …  [15]
//	         lane 0 1 2 3     lane 4 5 6 7         lane 60 61 62 63
//
// A linear job fills batches with consecutive items. A tile job covers each triangle block by block
// and packs the quads that have a covered pixel, so quads of a batch may lie in different blocks and,
// where no pixel is covered twice and no helper lane can tell, belong to different triangles. The
// lanes of a quad are left top, right top, left bottom, right bottom.
//
// # Rates
//
// Constants are computed when the program is compiled, what follows from the job descriptor once a
// job, what follows from the triangle record once a triangle; they stay in registers of their own.
// Only the rest runs for each batch.
//
// # Masks
//
// Masks are bit sets of lanes. Rows compute all lanes, active or not; stores, joins and traces look
// at the masks. Where all active lanes agree, the other arm of an If is skipped and the join is a
// plain copy. Lanes leave by Break, Continue and Return into slots of the construct they leave, from
// where they join again at its end.
//
// # Order of memory effects
//
// The IR promises that waves of 8 lanes run one after the other. A batch runs up to eight of them
// side by side. That is the same unless a wave of the batch reads or writes what another one writes:
// order.go decides before each job whether that may happen, and if so the job runs a wave at a time,
// in code in which no load is moved.
//
// # Example
//
//	k, err := interp.New().Compile(p) // p: a Linear or Tile program, best after ir.Optimize
//	r := k.Run(arena, descriptor, exec.Options{})
//	t, err := interp.Engine{}.Trace(p, arena, descriptor, exec.Pick{X: 10, Y: 7}, exec.Options{})
package interp
