// Package ir is the one intermediate representation that all encodings are lowered into, that the
// fixed-function pipeline is written in, and that the engines run. This comment is its
// specification; the op table (op.go, Reference) is the other half.
//
// # Data flow
//
//	ISA ──lower──▶ Program of kind Shader ──render wraps──▶ Linear or Tile ──Optimize──▶ engine
//	     Builder          Interface             Append            Verify
//
// # Shape
//
// A Program is a set of functions. A function is structured code in SSA form over virtual registers
// of 32 or 64 bits; types live in the ops: a letter for each operand and result says how its bits
// are read (see Info). Masks are 32-bit words, ~0 or 0. Control flow is If and Loop with values.
//
//	%7 = flt %3, %4
//	%8, %9 = if %7 {
//		%10 = fadd %3, %4
//		yield %10, %4
//	} else {
//		yield %3, %4
//	}
//	%11 = loop (%12 = %8, %13 = %9) {
//		%14 = flt %12, %3
//		if %14 {
//			break %13
//		}
//		%15 = fmul %12, %13
//		continue %15, %13
//	}
//
// If yields results from its arms. A Loop has parameters, which begin with its operands and are set
// by Continue, and results, which are set by Break. A register is known behind the instruction that
// assigns it, to the end of its block and in the blocks within. Every block ends with Yield, Break,
// Continue or Return, and there only. Verify lists all rules that a program keeps.
//
// A shader is a function from its input registers to its output registers, four for each Element of
// its Interface. render wraps it: fetch, call, store for vertices; coverage, planes, call, depth
// test, blend, store for pixels. Each instruction knows the ISA instruction it came from.
//
// # Text form
//
// String writes a program, Parse reads it back without loss. A program begins with its kind and name,
// then its state, a line each, then its functions:
//
//	tile textured
//	large
//	mode d3d9
//	stage ps
//	input v0 TEXCOORD 0 xy
//	output oC0 COLOR 0 xyzw system target
//	resource c constfloat count 1
//		def 0 0x3F800000 0x0 0x0 0x3F800000
//	resource s0 texture
//	sampler
//	sampler min bilinear mag bilinear bound
//	traced r0 x
//
//	func @0 main() {
//		%0 = res 0 @3 // c
//		…
//	}
//
// Comments begin with //. An instruction is its results, its op, its immediate (see Info.Imm), its
// operands and, behind @, the number of the ISA instruction. Registers of 64 bits are written %5:64
// where they are assigned by control flow or as parameters. Functions are numbered from @0, the
// entry. An If whose else arm only yields nothing is written without it.
//
// # Lanes and masks
//
// A program runs for a wave of 8 lanes at a time (an engine may use other widths where nobody can
// tell): one 4x2 block of pixels as two 2x2 quads, each quad as the lanes left-top, right-top,
// left-bottom, right-bottom; or 8 consecutive items. Two masks decide what happens:
//
//   - active: the lanes that execute, narrowed by If, Break, Continue and Return;
//   - live: the lanes that count. Helper lanes (pixels of a quad outside the triangle) and killed
//     lanes execute but never store.
//
// Where an op asks whether a mask is set (If, Kill, Cover), the sign bit of the word decides.
//
// An op without effects is computed in all lanes, active or not, as long as one lane of the wave is
// active: what it computes in an inactive lane follows from its operands there. It may be computed
// earlier, or where no lane would have come by. Joins look at the mask: the results of If take each
// arm's values in the lanes that ran it; results of Break and Return are taken lane by lane. The
// parameters of a Loop change at the back-edge, all at once, in the lanes that continue; they keep
// their values in lanes that left. A result of If, Loop or Call in a lane that was not active there
// is undefined; a lowering that reads neighbours (DDX, Sample) inside divergent code selects by
// Active first, so that it never sees one.
//
// Lanes store in their order, wave by wave.
//
// # Cover
//
// A Tile program begins with what decides coverage. Cover, at the top level of the entry, ends that
// part: only ops without effects stand before it, and only LaneX, LaneY and what is uniform is used
// across it, so that an engine may pack the covered quads of a triangle anew.
//
// # Numbers
//
// Floats are IEEE single precision, round to nearest even, never fused. Denormals are kept. The
// column Value of the op table defines each op in Go; engines are tested against it. FSin, FCos,
// FExp2, FLog2 and FPow are fixed sequences of other ops: numeric.go.
//
// A float op, FNeg, FAbs, FMin and FMax included, may make NaNs of any bits. Sel, Load, Store and
// control flow move bits unchanged. Optimize places a Canon behind a float op whose NaN would be
// seen: by an op that reads it as an integer, in memory, in a trace, by the caller of a Shader. So
// the bits that programs of Optimize store are the same on every engine.
//
// # Memory
//
// The arena is a memory of 32-bit words, addressed by byte. Load and Store go through a resource
// record, 8 words in the arena, and are clamped to it: outside they read zero and write
// nothing. A record, job or triangle word outside the arena reads as zero. See package exec for the
// layout of jobs and records.
//
// # Macros
//
// Edges, Plane, Sample, Fetch, Taps, Pack8 and Unpack8 stand for many ops. An engine runs them as rows of its own
// or has ExpandMacros replace them by their definition in other ops, with the same results.
//
// # Budget
//
// A lane may take a number of back-edges and calls; a lane that uses them up stops, and the job
// says so. Calls of functions that ExpandMacros made are not counted. The number is the same in
// every engine, for the same program: Optimize removes calls, so all engines run what it gives.
//
// # Passes
//
// pass.go lists the passes of Optimize and the reason of their order.
package ir
