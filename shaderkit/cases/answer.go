package cases

import (
	"encoding/json"
	"fmt"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// An answer is what a case comes to.
type answer struct {
	ID      json.RawMessage `json:"id,omitempty"`
	Outputs map[string]any  `json:"outputs"`
	Killed  any             `json:"killed,omitempty"`
	State   map[string]any  `json:"state,omitempty"`
	Steps   any             `json:"steps,omitempty"`
	Stopped bool            `json:"stopped,omitempty"`
	Notes   []string        `json:"notes,omitempty"`
}

// answer reads the results of the four lanes.
func (j *job) answer(res exec.Result) *answer {
	words, stride := j.arena.Words(j.results, lanes*j.stride), j.stride
	a := &answer{Outputs: map[string]any{}, Stopped: res.Stopped}
	written := map[string]int{} // element with the masks of a register
	elements := j.shader.Interface.Outputs
	ended := [lanes]bool{}
	for lane := range lanes {
		ended[lane] = words[lane*stride+stride-1] != 0
	}
	at := func(lane, element, c int) uint32 { return words[lane*stride+4*element+c] }
	for i, e := range elements {
		if e.System == ir.Written {
			written[e.Register] = i
		}
	}
	for i, e := range elements {
		switch e.System {
		case ir.Written:
			continue
		case ir.State:
			if !ended[0] {
				continue
			}
			k := j.state[e.Register]
			x := k.read([4]uint32{at(0, i, 0), at(0, i, 1), at(0, i, 2), at(0, i, 3)})
			if k == stateSteps {
				a.Steps = x
				continue
			}
			if a.State == nil {
				a.State = map[string]any{}
			}
			a.State[e.Register] = x
			continue
		}
		var v [lanes][4]any
		for lane := range lanes {
			for c := range 4 {
				if !ended[lane] || at(lane, written[e.Register], c) == 0 {
					continue // null
				}
				bits := at(lane, i, c)
				if e.Saturate {
					bits = saturate(bits)
				}
				v[lane][c] = fmt.Sprintf("0x%08X", bits)
			}
		}
		a.Outputs[e.Register] = v
		if v[1] == v[0] && v[2] == v[0] && v[3] == v[0] {
			a.Outputs[e.Register] = v[0]
		}
	}
	if j.shader.Interface.Stage == ir.Pixel && !res.Stopped {
		killed := [lanes]bool{}
		for lane := range lanes {
			killed[lane] = !ended[lane]
		}
		a.Killed = killed
		if killed == [lanes]bool{} || killed == [lanes]bool{true, true, true, true} {
			a.Killed = killed[0]
		}
	}
	return a
}
