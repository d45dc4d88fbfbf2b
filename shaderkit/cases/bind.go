package cases

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// resource lays out a resource of the shader.
func (j *job) resource(i int, r ir.Resource, s *ir.SamplerState) *failure {
	given, k := j.q.Floats, float
	switch r.Kind {
	case ir.Texture:
		return j.texture(i, r, s)
	case ir.ConstBump:
		return j.bump(i, r)
	case ir.ConstInt:
		given, k = j.q.Ints, integer
	case ir.ConstBool:
		given, k = j.q.Bools, boolean
	}
	base := j.arena.Alloc(4 * r.Count)
	file := j.arena.Words(base, 4*r.Count)
	for _, key := range slices.Sorted(maps.Keys(given)) {
		n, err := number(key, r.Name)
		if err != nil {
			return failf("case", "%v", err)
		}
		v, err := vector(given[key], k)
		if err != nil {
			return failf("case", "%s: %v", key, err)
		}
		if k == boolean {
			v = [4]uint32{v[0], v[0], v[0], v[0]}
		}
		if n >= r.Count {
			j.note("%s is outside the file %s0 to %s%d", key, r.Name, r.Name, r.Count-1)
			continue
		}
		copy(file[4*n:], v[:])
	}
	for _, d := range r.Defs {
		copy(file[4*d.Index:], d.Value[:])
	}
	j.file(i, r, base)
	return nil
}

// file writes the record of a file of constants.
func (j *job) file(i int, r ir.Resource, base uint32) {
	j.arena.SetRecord(j.desc, i, exec.Record{exec.RecBase: base, exec.RecSize: uint32(16 * r.Count), exec.RecStride: 16})
}

// bump lays out the bump matrices and luminances of the stages.
func (j *job) bump(i int, r ir.Resource) *failure {
	base := j.arena.Alloc(4 * r.Count)
	words := j.arena.Words(base, 4*r.Count)
	for _, key := range slices.Sorted(maps.Keys(j.q.Bump)) {
		n, err := number(key, "s")
		if err != nil {
			return failf("case", "%v", err)
		}
		var list []json.RawMessage
		if err := json.Unmarshal(j.q.Bump[key], &list); err != nil || len(list) > 6 {
			return failf("case", "bump of %s: want up to six numbers: M00, M01, M10, M11, luminance scale, offset", key)
		}
		if 2*n >= r.Count {
			j.note("the program reads no bump matrix of %s", key)
			continue
		}
		for k, raw := range list {
			if words[8*n+k], err = scalar(raw, float); err != nil {
				return failf("case", "bump of %s: %v", key, err)
			}
		}
	}
	j.file(i, r, base)
	return nil
}

// number reads the number of a register from a key like c12.
func number(key, prefix string) (int, error) {
	digits, ok := strings.CutPrefix(key, prefix)
	n, err := strconv.ParseUint(digits, 10, 16)
	if !ok || err != nil {
		return 0, fmt.Errorf("%q is no register %s#", key, prefix)
	}
	return int(n), nil
}

func (j *job) texture(i int, r ir.Resource, s *ir.SamplerState) *failure {
	t, ok := j.q.Textures[r.Name]
	if !ok {
		return nil
	}
	state, err := t.state()
	if err != nil {
		return failf("texture", "%s: %v", r.Name, err)
	}
	if state.Dim != r.Dim && !r.Any {
		j.note("%s is declared as another kind of texture than the one given", r.Name)
	}
	state.Unbound = s.Unbound
	*s = state
	x, err := t.data()
	if err != nil {
		return failf("texture", "%s: %v", r.Name, err)
	}
	rec, err := exec.PutTexture(&j.arena, x)
	if err != nil {
		return failf("texture", "%s: %v", r.Name, err)
	}
	j.arena.SetRecord(j.desc, i, rec)
	return nil
}

// unknown notes names of inputs and textures that the program does not have.
func (j *job) unknown() {
	for _, name := range slices.Sorted(maps.Keys(j.q.Inputs)) {
		if !slices.ContainsFunc(j.shader.Interface.Inputs, func(e ir.Element) bool { return e.Register == name }) {
			j.note("the program has no input %s", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(j.q.Textures)) {
		if !slices.ContainsFunc(j.shader.Interface.Resources, func(r ir.Resource) bool { return r.Kind == ir.Texture && r.Name == name }) {
			j.note("the program has no sampler %s", name)
		}
	}
}

// inputs lays out the inputs of the four lanes as a resource.
func (j *job) inputs(resource int) *failure {
	elements := j.shader.Interface.Inputs
	base := j.arena.Alloc(4 * lanes * len(elements))
	words := j.arena.Words(base, 4*lanes*len(elements))
	for i, e := range elements {
		v, bad := j.input(e)
		if bad != nil {
			return bad
		}
		for lane := range lanes {
			copy(words[4*(lane*len(elements)+i):], v[lane][:])
		}
	}
	j.arena.SetRecord(j.desc, resource, exec.Record{exec.RecBase: base, exec.RecSize: uint32(4 * len(words))})
	return nil
}

// input gives the values of one input register: a list as it is; one vector with its change to the
// right and below in the quad of a pixel.
func (j *job) input(e ir.Element) (v [lanes][4]uint32, bad *failure) {
	raw := j.q.Inputs[e.Register]
	if absent(raw) && e.System == ir.PixelPos {
		raw = j.q.Pixel
	}
	each := false
	if !absent(raw) {
		var err error
		if v, each, err = vectors(raw, float); err != nil {
			return v, failf("case", "%s: %v", e.Register, err)
		}
	}
	if each {
		return v, nil
	}
	for axis, m := range []map[string]json.RawMessage{j.q.DDX, j.q.DDY} {
		raw := m[e.Register]
		if absent(raw) && e.System != ir.PixelPos {
			continue
		}
		var step [4]uint32
		if step[axis] = math.Float32bits(1); !absent(raw) {
			var err error
			if step, err = vector(raw, float); err != nil {
				return v, failf("case", "change of %s: %v", e.Register, err)
			}
		}
		for lane := range lanes {
			if lane>>axis&1 == 0 {
				continue
			}
			for c := range 4 {
				if step[c] != 0 {
					v[lane][c] = math.Float32bits(math.Float32frombits(v[lane][c]) + math.Float32frombits(step[c]))
				}
			}
		}
	}
	return v, nil
}
