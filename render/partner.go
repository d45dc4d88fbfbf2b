package render

import "swizzle/shaderkit/ir"

// shaders gives the two shaders of a draw; one that is missing is made from the other's interface, once.
func (r *Renderer) shaders(d *Draw) (vs, ps *ir.Program, err error) {
	vs, ps = d.Vertex.Shader, d.Pixel.Shader
	switch {
	case vs == nil && ps == nil:
		return nil, nil, errorf("no-shader", "a draw needs a vertex or a pixel shader")
	case vs == nil:
		vs = r.partner(ps, VertexPartner)
	case ps == nil:
		ps = r.partner(vs, PixelPartner)
	}
	if vs.Interface.Stage != ir.Vertex {
		return nil, nil, errorf("wrong-stage", "%s is no vertex shader", vs.Name)
	}
	if ps.Interface.Stage != ir.Pixel {
		return nil, nil, errorf("wrong-stage", "%s is no pixel shader", ps.Name)
	}
	return vs, ps, nil
}

func (r *Renderer) partner(of *ir.Program, make func(*ir.Program) *ir.Program) *ir.Program {
	if r.partners[of] == nil {
		if len(r.partners) >= cacheSize {
			clear(r.partners)
		}
		r.partners[of] = make(of)
	}
	return r.partners[of]
}

// Stand-ins for texture coordinates that no mesh has: what a lone pixel shader gets for TEXCOORD1 and
// so on, by number; those behind the list get TEXCOORD0.
var texCoordStandIns = []string{"TEXCOORD", "NORMAL", "POSITION", "TANGENT", "BINORMAL"}

// VertexPartner makes a vertex shader for a lone pixel shader. It transforms POSITION by the matrix
// whose rows are c0 to c3 and hands the mesh's attributes to the pixel shader's inputs by semantic.
// TEXCOORD1 is the normal, TEXCOORD2 the position, TEXCOORD3 the tangent, TEXCOORD4 the binormal,
// all as they are in the mesh.
func VertexPartner(ps *ir.Program) *ir.Program {
	vs := &ir.Program{Name: "partner of " + ps.Name, Interface: ir.Interface{Stage: ir.Vertex,
		Inputs:    []ir.Element{{Register: "v0", Semantic: "POSITION", Mask: 15}},
		Outputs:   []ir.Element{{Register: "o0", Semantic: "POSITION", Mask: 15, System: ir.ClipPosition}},
		Resources: []ir.Resource{{Name: "c", Kind: ir.ConstFloat, Count: 4}},
	}}
	in := &vs.Interface.Inputs
	var source []int // of each output behind the position: number of the input, or -1
	for _, e := range ps.Interface.Inputs {
		if e.System != ir.NoSystem {
			continue
		}
		semantic, index := e.Semantic, e.Index
		if semantic == "TEXCOORD" && index > 0 {
			semantic, index = texCoordStandIns[index%len(texCoordStandIns)], 0
			if e.Index >= len(texCoordStandIns) {
				semantic = "TEXCOORD"
			}
		}
		n := -1
		if attribute(semantic, index) >= 0 {
			n = len(*in)
			*in = append(*in, ir.Element{Semantic: semantic, Index: index, Mask: 15})
		}
		source = append(source, n)
		vs.Interface.Outputs = append(vs.Interface.Outputs, ir.Element{Semantic: e.Semantic, Index: e.Index, Mask: 15})
	}
	b := ir.NewBuilder("main", ir.C32s(4*len(*in)), ir.C32s(4*len(vs.Interface.Outputs)))
	p, c := b.Func.Params, b.Emit(ir.Res, 0)
	var out []ir.Reg
	for row := range 4 {
		sum := ir.NoReg
		for k := range 4 {
			t := b.Emit(ir.FMul, 0, p[k], b.Emit(ir.Load, 0, c, b.U(uint32(16*row+4*k))))
			if k == 0 {
				sum = t
			} else {
				sum = b.Emit(ir.FAdd, 0, sum, t)
			}
		}
		out = append(out, sum)
	}
	for _, n := range source {
		for k := range 4 {
			if n < 0 {
				out = append(out, b.U(0))
			} else {
				out = append(out, p[4*n+k])
			}
		}
	}
	vs.Funcs = []*ir.Func{b.Finish(out...)}
	return vs
}

// PixelPartner makes a pixel shader for a lone vertex shader. It shows, as colour, the first that the
// vertex shader writes of COLOR0, TEXCOORD0, any other output; signed outputs (TEXCOORD1 and above,
// NORMAL, TANGENT, BINORMAL) as half of it plus a half. A shader that writes only the position shows
// white.
func PixelPartner(vs *ir.Program) *ir.Program {
	ps := &ir.Program{Name: "partner of " + vs.Name, Interface: ir.Interface{Stage: ir.Pixel,
		Outputs: []ir.Element{{Register: "oC0", Mask: 15, System: ir.Target}}}}
	var shown *ir.Element
	rank := func(e *ir.Element) int {
		switch {
		case e.Semantic == "COLOR" && e.Index == 0:
			return 3
		case e.Semantic == "TEXCOORD" && e.Index == 0:
			return 2
		}
		return 1
	}
	outputs := vs.Interface.Outputs
	for i := range outputs {
		if outputs[i].System == ir.NoSystem && (shown == nil || rank(&outputs[i]) > rank(shown)) {
			shown = &outputs[i]
		}
	}
	var params []ir.Class
	if shown != nil {
		ps.Interface.Inputs = []ir.Element{{Register: "v0", Semantic: shown.Semantic, Index: shown.Index, Mask: shown.Mask}}
		params = ir.C32s(4)
	}
	b := ir.NewBuilder("main", params, ir.C32s(4))
	one := b.F(1)
	out := []ir.Reg{one, one, one, one}
	if shown != nil {
		copy(out, b.Func.Params)
		if rank(shown) < 3 {
			out[3] = one
		}
		if rank(shown) == 1 {
			half := b.F(0.5)
			for k := range 3 {
				out[k] = b.Emit(ir.FAdd, 0, b.Emit(ir.FMul, 0, out[k], half), half)
			}
		}
	}
	ps.Funcs = []*ir.Func{b.Finish(out...)}
	return ps
}

// FlatShader gives a pixel shader of one colour.
func FlatShader(r, g, b, a float32) *ir.Program {
	ps := &ir.Program{Name: "flat", Interface: ir.Interface{Stage: ir.Pixel,
		Outputs: []ir.Element{{Register: "oC0", Mask: 15, System: ir.Target}}}}
	f := ir.NewBuilder("main", nil, ir.C32s(4))
	ps.Funcs = []*ir.Func{f.Finish(f.F(r), f.F(g), f.F(b), f.F(a))}
	return ps
}

// VaryingShader gives a pixel shader whose colour is an input: x, y and z of what the vertex shader gives
// to that semantic, as it is; alpha is 1.
func VaryingShader(semantic string, index int) *ir.Program {
	ps := &ir.Program{Name: "varying", Interface: ir.Interface{Stage: ir.Pixel,
		Inputs:  []ir.Element{{Register: "v0", Semantic: semantic, Index: index, Mask: 7}},
		Outputs: []ir.Element{{Register: "oC0", Mask: 15, System: ir.Target}}}}
	f := ir.NewBuilder("main", ir.C32s(4), ir.C32s(4))
	in := f.Func.Params
	ps.Funcs = []*ir.Func{f.Finish(in[0], in[1], in[2], f.F(1))}
	return ps
}
