package render

import (
	"math"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// A Draw is one mesh, or an input, with its shaders, data and state.
type Draw struct {
	Vertex Stage
	Pixel  Stage
	Mesh   *Mesh
	Input  *Input // in place of a mesh
	State  State

	Convention *Convention // how the shaders' API places pixels and depth; nil: Direct3D 9
	Viewport   *Viewport   // nil: the whole target, depth 0 to 1
	Scissor    *Rect       // nil: none
	Planes     []Plane     // clip planes, in clip space
}

// A Stage is a shader with its data.
type Stage struct {
	Shader *ir.Program // nil: a partner is made for the other stage, see Partner
	Float  []Vec       // constant registers by number; those that are missing are 0
	Int    []Vec
	Bool   []Vec // all ones or zero
	Bump   []Vec // two for each texture stage: bump matrix 00, 01, 10, 11; luminance scale, offset

	Textures map[string]Texture // by the name of the resource
}

// A Vec is the bits of a register.
type Vec [4]uint32

// FloatVec gives the register of four floats.
func FloatVec(x, y, z, w float32) Vec {
	return Vec{math.Float32bits(x), math.Float32bits(y), math.Float32bits(z), math.Float32bits(w)}
}

// Floats gives the bits as floats.
func (v Vec) Floats() (f [4]float32) {
	for i, b := range v {
		f[i] = math.Float32frombits(b)
	}
	return
}

// A Texture is an image with the state it is sampled by.
type Texture struct {
	Image   *Image
	Sampler ir.SamplerState // Dim, Format and Bound come from the image
}

// A shader is a program with the sampler states that a draw gives it, by resource.
type shader struct {
	program  *ir.Program
	samplers []ir.SamplerState
}

// shader makes out the shader of a stage, of which p is the program, and reports whether it is another
// one than out was.
func (s *Stage) shader(p *ir.Program, conv *Convention, out *shader) (changed bool) {
	changed = out.program != p
	out.program = p
	if n := len(p.Interface.Resources); len(out.samplers) != n {
		out.samplers, changed = make([]ir.SamplerState, n), true
	}
	for i := range p.Interface.Resources {
		r := &p.Interface.Resources[i]
		var state ir.SamplerState
		if r.Kind == ir.Texture {
			dim := r.Dim
			if t := s.Textures[r.Name]; t.Image != nil && (r.Any || t.Image.fits(dim)) {
				state = t.Sampler
				t.Image.format().sampled(&state, conv)
				state.Bound = true
				if r.Any {
					dim = t.Image.Dim
				}
			}
			state.Dim = dim
			state.Unbound = Vec{0, 0, 0, math.Float32bits(1)}
		}
		changed = changed || out.samplers[i] != state
		out.samplers[i] = state
	}
	return changed
}

// sampled gives the program with the sampler states in it.
func (s *shader) sampled() *ir.Program {
	p := *s.program
	p.Samplers = s.samplers
	return &p
}

// constants gives the constant file of resource r in words: the given registers, then what the
// program itself defines.
func (s *Stage) constants(r *ir.Resource, out []uint32) {
	var from []Vec
	switch r.Kind {
	case ir.ConstFloat:
		from = s.Float
	case ir.ConstInt:
		from = s.Int
	case ir.ConstBool:
		from = s.Bool
	case ir.ConstBump:
		from = s.Bump
	}
	for i := range min(len(from), r.Count) {
		copy(out[4*i:], from[i][:])
	}
	for _, d := range r.Defs {
		if d.Index >= 0 && d.Index < r.Count {
			copy(out[4*d.Index:], d.Value[:])
		}
	}
}

// buffer gives the record of n elements at address base.
func buffer(base uint32, n, stride int) exec.Record {
	return exec.Record{exec.RecBase: base, exec.RecSize: uint32(n * stride), exec.RecStride: uint32(stride), exec.RecWidth: uint32(n), exec.RecHeight: 1, exec.RecDepth: 1}
}
