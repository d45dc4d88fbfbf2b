// Package ir is the one intermediate representation that all encodings are lowered into, that the
// fixed-function pipeline is written in, and that the engines run.
//
// # Shape
//
// A Program is a set of functions. A function is structured code in SSA form over virtual registers
// of 32 or 64 bits; types live in the ops. Masks are 32-bit words, ~0 or 0. Control flow is If and
// Loop with values: If yields results from its arms, Loop has parameters and results.
//
//	%7 = flt %3, %4
//	%8, %9 = if %7 {
//		%10 = fadd %3, %4
//		yield %10, %4
//	} else {
//		yield %3, %4
//	}
//
// A shader is a function from its input registers to its output registers. render wraps it: fetch,
// call, store for vertices; coverage, planes, call, depth test, blend, store for pixels.
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
// An op without effects is computed in all lanes, active or not, as long as one lane of the wave is
// active: what it computes in an inactive lane follows from its operands there. Joins look at the
// mask: the results of If take each arm's values in the lanes that ran it, the parameters of a Loop
// change in the lanes that continue and keep their values in lanes that left; results of Break are
// taken lane by lane. A result of If or Loop in a lane that was not active there is undefined; a
// lowering that reads neighbours (DDX, Sample) inside divergent code selects by Active first, so
// that it never sees one.
//
// # Numbers
//
// Floats are IEEE single precision, round to nearest even, never fused. Denormals are kept. Ops may
// make NaNs of any bits; Canon is placed by a pass where such bits would be seen.
// Value functions in Go (value.go) define each op; engines are tested against them.
//
// # Memory
//
// The arena is a memory of 32-bit words, addressed by byte. Load and Store go through a resource
// record and are clamped to it. See package exec for the layout of jobs and records.
//
// # Budget
//
// A lane may take a number of back-edges and calls; a lane that uses them up stops, and the job
// says so. The number is the same in every engine.
package ir
