package render

import (
	"fmt"

	"swizzle/shaderkit/ir"
)

// An Error is a reason why programs, state and data cannot be drawn together.
type Error struct {
	Code    string // stable, lower case with hyphens
	Message string
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }

func errorf(code, format string, args ...any) error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// link gives for each input of the pixel shader the number of the vertex shader's output with the
// same semantic and index, or -1.
func link(outputs, inputs []ir.Element) []int {
	from := make([]int, len(inputs))
	for i := range inputs {
		from[i] = -1
		for k := range outputs {
			if inputs[i].System == ir.NoSystem && outputs[k].System == ir.NoSystem &&
				outputs[k].Semantic == inputs[i].Semantic && outputs[k].Index == inputs[i].Index {
				from[i] = k
				break
			}
		}
	}
	return from
}

// Unlinked gives the inputs of a pixel shader that a vertex shader does not write; NUMERICS.md says
// what they read.
func Unlinked(vs, ps *ir.Program) (inputs []ir.Element) {
	for i, from := range link(vs.Interface.Outputs, ps.Interface.Inputs) {
		if e := ps.Interface.Inputs[i]; from < 0 && e.System == ir.NoSystem {
			inputs = append(inputs, e)
		}
	}
	return
}

// output gives the number of the output that the pipeline consumes as s, or -1.
func output(outputs []ir.Element, s ir.System) int {
	for i := range outputs {
		if outputs[i].System == s && (s != ir.Target || outputs[i].Index == 0) {
			return i
		}
	}
	return -1
}
