package cases

import "math"

// stateKind says how a register of the state reads.
type stateKind uint8

const (
	stateInts  stateKind = iota // a list of integers
	stateInt                    // an integer: x
	stateBools                  // a list of truth values
	stateSteps                  // not a register: the number of instructions
)

// states says how the registers of each ISA's state read.
var states = map[string]map[string]stateKind{
	"d3d9": {"a0": stateInts, "aL": stateInt, "p0": stateBools, "steps": stateSteps},
}

func (k stateKind) read(v [4]uint32) any {
	switch k {
	case stateInt, stateSteps:
		return int32(v[0])
	case stateBools:
		return []bool{v[0] != 0, v[1] != 0, v[2] != 0, v[3] != 0}
	}
	return []int32{int32(v[0]), int32(v[1]), int32(v[2]), int32(v[3])}
}

// saturate clamps the bits of a float to 0..1; NaN gives 0.
func saturate(bits uint32) uint32 {
	f := math.Float32frombits(bits)
	switch {
	case !(f > 0):
		return 0
	case f > 1:
		return math.Float32bits(1)
	}
	return bits
}
