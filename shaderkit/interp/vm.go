package interp

import (
	"math/bits"

	"swizzle/shaderkit/exec"
)

// A row computes one instruction in the first v.q quads of lanes, active or not.
type row func(v *vm, in *inst)

// An inst is an instruction of compiled code: a row over registers, or control flow.
type inst struct {
	row row // nil: control flow

	d, a, b, c         *lanes // first result, first three operands
	d64, a64, b64, c64 *lanes64
	dst, args          []*lanes // all results and operands of a macro op
	imm                uint64
	from               int32

	ctl   ctl
	to    int32  // jump target
	skip  int32  // where to go on when no lane is left: the end of the enclosing block
	slot  int32  // first of the slots of the construct
	moves []move // at joins
	wide  []move64
}

type move struct{ d, s *lanes }
type move64 struct{ d, s *lanes64 }

// ctl is a kind of control flow.
type ctl uint8

const (
	ctlHalt     ctl = iota // end of the program
	ctlIf                  // a = condition; to = else arm
	ctlElse                // end of the first arm; to = behind the If
	ctlEnd                 // end of the second arm
	ctlLoop                // moves: first parameters
	ctlBack                // end of the body; to = its begin; moves: next parameters
	ctlBreak               // moves: results
	ctlContinue            // moves: staged parameters
	ctlEnter               // begin of an inlined function
	ctlReturn              // moves: results
	ctlLeave               // end of an inlined function
	ctlCall                // to = function; moves: parameters
	ctlRet                 // end of a called function
	ctlMove                // moves: all lanes
	ctlKill                // a = condition; leaves when nothing can be seen any more
)

// Slots of an If.
const (
	slotElse   = iota // lanes that wait for the second arm
	slotJoined        // lanes that left the first arm by its end
	ifSlots
)

// Slots of a Loop.
const (
	slotNext = iota // lanes that go on with the next iteration
	slotExit        // lanes that left by Break
	slotTrip        // number of the iteration
	loopSlots
)

// slotReturned, of a function: lanes that returned.
const slotReturned = 0

// A vm is the state of a kernel at work.
type vm struct {
	mem  []uint32         // words of the arena
	desc uint32           // byte address of the job
	tri  []uint32         // current triangle record and what follows it
	at   [maxQuads]uint32 // word of the arena where each quad's triangle record begins
	q    int              // quads in the batch

	all    uint64 // lanes of the batch that exist
	active uint64 // lanes that execute
	live   uint64 // lanes that count

	slots []uint64
	calls []int32 // return addresses

	budget  int
	steps   int           // taken by every lane alike
	extra   int           // upper bound of what single lanes took besides
	single  [maxLanes]int // what each lane took besides
	stopped bool          // a lane ran out of budget
	quiet   bool          // code without loops, calls and traces: nothing to see behind the last live lane
	rec     *recorder     // nil: no trace
	depth   int32         // calls, for the recorder
}

// word gives word i of the arena, 0 outside.
func (v *vm) word(i uint64) uint32 {
	if i < uint64(len(v.mem)) {
		return v.mem[i]
	}
	return 0
}

// span gives the words of the resource whose record is at byte address rec: those that lie within
// its size and the arena.
func (v *vm) span(rec uint32) []uint32 {
	r := uint64(rec / 4)
	if r+exec.RecordWords > uint64(len(v.mem)) {
		return nil
	}
	base, n := uint64(v.mem[r+exec.RecBase]/4), uint64(v.mem[r+exec.RecSize]/4)
	if base >= uint64(len(v.mem)) {
		return nil
	}
	return v.mem[base:min(base+n, uint64(len(v.mem)))]
}

// triWord gives word i of the current triangle record, 0 outside the arena.
func (v *vm) triWord(i uint64) uint32 {
	if i < uint64(len(v.tri)) {
		return v.tri[i]
	}
	return 0
}

// quadTriWord gives word w of the triangle record of quad i, 0 outside the arena.
func (v *vm) quadTriWord(i int, w uint64) uint32 { return v.word(uint64(v.at[i&(maxQuads-1)]) + w) }

// newTriangle reports whether quad i is of another triangle than the one in front of it.
func (v *vm) newTriangle(i int) bool {
	return i == 0 || v.at[i&(maxQuads-1)] != v.at[(i-1)&(maxQuads-1)]
}

// idle reports whether nobody sees what the lanes of quad i compute now, so that a costly row may
// leave them out: none is active, so that every use lies where none is active either; or none is
// live, and no back-edge, call or trace tells what helpers do.
func (v *vm) idle(i int) bool {
	at := uint(i*quadLanes) & 63
	return v.active>>at&15 == 0 || v.quiet && v.live>>at&15 == 0
}

// shared makes v ready for code that computes what all lanes share, in one quad.
func (v *vm) shared() { v.q, v.active, v.live = 1, 15, 15 }

// begin starts a batch of q quads in which the lanes of all exist.
func (v *vm) begin(q int, all, live uint64) {
	v.q, v.all, v.active, v.live = q, all, all, live
	v.steps, v.depth = 0, 0
	if v.extra != 0 {
		v.extra = 0
		clear(v.single[:])
	}
}

// spend counts a back-edge or call of the active lanes; those that have no budget left stop.
func (v *vm) spend() {
	if v.active == v.all {
		v.steps++
	} else {
		v.extra++
		for m := v.active; m != 0; m &= m - 1 {
			v.single[bits.TrailingZeros64(m)&(maxLanes-1)]++
		}
	}
	if v.steps+v.extra <= v.budget {
		return
	}
	for m := v.active; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m) & (maxLanes - 1)
		if v.steps+v.single[i] > v.budget {
			v.active &^= 1 << uint(i)
			v.stopped = true
		}
	}
}

// copyAll does the moves in all lanes, copyActive in the active ones.
func (v *vm) copyAll(in *inst) {
	for _, m := range in.moves {
		copy(m.d[:v.q], m.s[:v.q])
	}
	for _, m := range in.wide {
		copy(m.d[:v.q], m.s[:v.q])
	}
}

func (v *vm) copyActive(in *inst) {
	if v.active == v.all {
		v.copyAll(in)
		return
	}
	for _, m := range in.moves {
		m.d.blend(m.s, v.active)
	}
	for _, m := range in.wide {
		m.d.blend(m.s, v.active)
	}
}

// run runs code from pc to its end.
//
// A place with no active lane is passed on quickly: control flow that ends a block goes on with the
// end of the block around it (skip), and joins there.
func (v *vm) run(code []inst, pc int32) {
	for {
		in := &code[pc]
		pc++
		if in.row != nil {
			in.row(v, in)
			continue
		}
		switch in.ctl {
		case ctlHalt:
			return

		case ctlIf:
			s := v.slots[in.slot : in.slot+ifSlots]
			then := bitsOf(in.a, v.q) & v.active
			s[slotElse], s[slotJoined] = v.active&^then, 0
			if v.active = then; then == 0 {
				v.active = s[slotElse]
				pc = in.to
			}
		case ctlElse:
			s := v.slots[in.slot : in.slot+ifSlots]
			if s[slotElse] == 0 {
				v.copyAll(in) // lanes that are not active see undefined results anyway
				if pc = in.to; v.active == 0 {
					pc = in.skip
				}
				continue
			}
			v.copyActive(in)
			s[slotJoined], v.active = v.active, s[slotElse]
		case ctlEnd:
			s := v.slots[in.slot : in.slot+ifSlots]
			if s[slotJoined] == 0 {
				v.copyAll(in)
			} else {
				v.copyActive(in)
				v.active |= s[slotJoined]
			}
			if v.active == 0 {
				pc = in.skip
			}

		case ctlLoop:
			s := v.slots[in.slot : in.slot+loopSlots]
			s[slotNext], s[slotExit], s[slotTrip] = 0, 0, 0
			v.copyAll(in)
		case ctlContinue:
			v.copyActive(in)
			v.slots[in.slot+slotNext] |= v.active
			v.active = 0
		case ctlBreak:
			v.copyActive(in)
			v.slots[in.slot+slotExit] |= v.active
			v.active = 0
		case ctlBack:
			s := v.slots[in.slot : in.slot+loopSlots]
			if v.active = s[slotNext]; v.active != 0 {
				v.spend()
				v.copyActive(in)
				s[slotNext] = 0
				s[slotTrip]++
			}
			if v.active != 0 {
				pc = in.to
				continue
			}
			if v.active = s[slotExit]; v.active == 0 {
				pc = in.skip
			}

		case ctlEnter:
			if in.imm != 0 {
				v.spend()
			}
			v.slots[in.slot+slotReturned] = 0
			v.depth++
			if v.active == 0 {
				v.depth--
				pc = in.skip
			}
		case ctlReturn:
			v.copyActive(in)
			v.slots[in.slot+slotReturned] |= v.active
			v.active = 0
		case ctlLeave:
			v.depth--
			if in.imm == 0 {
				v.active = v.slots[in.slot+slotReturned]
			}
			if v.active == 0 {
				pc = in.skip
			}
		case ctlCall:
			if in.imm != 0 {
				v.spend()
			}
			if v.active == 0 {
				pc = in.skip
				continue
			}
			v.copyAll(in)
			v.slots[in.slot+slotReturned] = 0
			v.depth++
			v.calls = append(v.calls, pc)
			pc = in.to
		case ctlRet:
			v.depth--
			v.active = v.slots[in.slot+slotReturned]
			pc = v.calls[len(v.calls)-1]
			v.calls = v.calls[:len(v.calls)-1]
		case ctlMove:
			v.copyAll(in)
			if v.active == 0 {
				pc = in.skip
			}

		case ctlKill:
			if v.live &^= bitsOf(in.a, v.q) & v.active; v.live == 0 && v.quiet {
				return
			}
		}
	}
}
