package ir

import "swizzle/shaderkit/source"

// Append copies the functions of shader into p, behind those it has, and gives the number of the
// entry of the shader, to be called. The shader's resources, samplers and traced registers come
// behind those of p; its instructions name them by their new numbers. Inputs, outputs and the stage
// of p stay as they are. A program under construction may hold a nil function 0 for its entry.
func (p *Program) Append(shader *Program) (entry int) {
	entry = len(p.Funcs)
	resources, traced := len(p.Interface.Resources), uint64(len(p.Traced))
	p.Interface.Resources = append(p.Interface.Resources, shader.Interface.Resources...)
	if len(shader.Samplers) > 0 {
		all := make([]SamplerState, resources+len(shader.Samplers))
		copy(all, p.Samplers)
		copy(all[resources:], shader.Samplers)
		p.Samplers = all
	}
	p.Traced = append(p.Traced, shader.Traced...)
	p.Modes = append(p.Modes, shader.Modes...)
	copied := shader.Clone()
	for _, f := range copied.Funcs {
		f.Body.Walk(func(in *Inst) {
			switch ops[in.Op].Imm {
			case "func":
				in.Imm += uint64(entry)
			case "resource":
				in.Imm += uint64(resources)
			case "traced":
				in.Imm += traced
			case "sample":
				site := SampleSiteOf(in.Imm)
				site.Resource += resources
				in.Imm = site.Imm()
			}
		})
	}
	p.Funcs = append(p.Funcs, copied.Funcs...)
	return entry
}

// Resource gives the number of the resource of that name.
func (i *Interface) Resource(name string) (n int, ok bool) {
	for n := range i.Resources {
		if i.Resources[n].Name == name {
			return n, true
		}
	}
	return 0, false
}

// Link gives for each input of the pixel shader the number of the output of the vertex shader that
// has the same semantic and index, and -1 for those that the pipeline supplies or nobody writes. An
// input that nobody writes is an error, a component that is read and not written a warning.
func Link(vs, ps *Interface) (from []int, list source.List) {
	add := func(s source.Severity, code, format string, args ...any) {
		list.BytesErrorf(source.Range{}, 0, code, format, args...)
		list[len(list)-1].Severity = s
	}
	if vs.Stage != Vertex || ps.Stage != Pixel {
		add(source.Error, "link-stage", "a %s and a %s shader do not link: vs and ps do", vs.Stage, ps.Stage)
	}
	from = make([]int, len(ps.Inputs))
	for i := range ps.Inputs {
		in := &ps.Inputs[i]
		from[i] = -1
		if in.System != NoSystem {
			continue
		}
		for k := range vs.Outputs {
			out := &vs.Outputs[k]
			if out.System == NoSystem && out.Semantic == in.Semantic && out.Index == in.Index {
				from[i] = k
				if missing := in.Mask &^ out.Mask; missing != 0 {
					add(source.Warning, "link-component", "input %s reads %s%d.%s, which output %s does not write", in.Register, in.Semantic, in.Index, maskName(missing), out.Register)
				}
				break
			}
		}
		if from[i] < 0 {
			add(source.Error, "link-input", "no output of the vertex shader is %s%d, which input %s reads", in.Semantic, in.Index, in.Register)
		}
	}
	return from, list
}
