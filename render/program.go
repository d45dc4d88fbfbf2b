package render

import (
	"fmt"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// Words of a tile job that render defines.
const (
	jobTileX      = exec.JobProgram     // x of the tile's first pixel
	jobTileY      = exec.JobProgram + 1 // y
	jobPrimitives = exec.JobProgram + 2 // of an instance
	jobMinDepth   = exec.JobProgram + 3 // of the viewport, floats
	jobMaxDepth   = exec.JobProgram + 4
)

// vertexProgram wraps a vertex shader: fetch, call, store. Its resources are those of the shader,
// then the streams of the input, the VertexIDs of the items and the outputs: four words for each output
// of the shader, item after item.
func vertexProgram(vs *ir.Program, g *geometry) *ir.Program {
	var buffers []string
	for i := range g.in.Streams {
		buffers = append(buffers, fmt.Sprintf("stream%d", i))
	}
	p, w := wrap("vertex:"+vs.Name, ir.Linear, vs, append(buffers, "ids", "outputs")...)
	b, ids := w.b, ir.NoReg
	if g.ids != nil {
		ids = w.res[len(buffers)]
	}
	f := w.fetch(g.in, ids)
	var args []ir.Reg
	for _, e := range vs.Interface.Inputs {
		at := g.in.element(e.Semantic, e.Index)
		switch {
		case e.System == ir.VertexID:
			args = append(args, f.id, f.id, f.id, f.id)
		case e.System == ir.InstanceID:
			args = append(args, f.instance, f.instance, f.instance, f.instance)
		case e.System != ir.NoSystem:
			args = append(args, b.U(0), b.U(0), b.U(0), b.U(0))
		case at >= 0:
			args = append(args, f.element(&g.in.Elements[at])...)
		default:
			args = append(args, b.U(0), b.U(0), b.U(0), b.F(1))
		}
	}
	out := w.call(args...)
	at := b.Emit(ir.IMul, 0, b.Emit(ir.Item, 0), b.U(uint32(16*len(vs.Interface.Outputs))))
	for i, e := range vs.Interface.Outputs {
		for k := range 4 {
			v := out[4*i+k]
			if e.Saturate {
				v = b.Emit(ir.FMin, 0, b.Emit(ir.FMax, 0, b.U(0), v), b.F(1))
			}
			b.Emit(ir.Store, 0, w.res[len(buffers)+1], b.Emit(ir.IAdd, 0, at, b.U(uint32(16*i+4*k))), v)
		}
	}
	p.Funcs[0] = b.Finish()
	return p
}

// Traced registers that a pixel program adds behind those of the shader, four components each.
const (
	TracedColor   = "pixel.color"   // the shader's colour before conversion
	TracedDepth   = "pixel.depth"   // x is the depth after clamping, y what is stored, z the test's mask
	TracedStencil = "pixel.stencil" // x is what is stored, y what becomes of it, z the test's mask
	TracedAlpha   = "pixel.alpha"   // x is the alpha after clamping, y the reference, z the test's mask
)

// pixelProgram wraps a pixel shader: coverage, depth, planes, call, depth, blend, store. from is
// ir.Link's answer, and behind it, for fog of the vertices, the number of the fog output. Its resources
// are those of the shader, then those of layout.names. In trace builds the program also writes the Traced
// registers.
func pixelProgram(ps *ir.Program, from []int, s State, conv Convention, l *layout, trace bool) (*ir.Program, []varying) {
	names := l.names()
	if l.probe == ProbeOps {
		ps = counting(ps, len(ps.Interface.Resources)+len(names)-1)
	}
	p, w := wrap("pixel:"+ps.Name, ir.Tile, ps, names...)
	b := w.b
	c := w.cover(formOf(ps, l.samples), s.Raster.NoSamples)
	x, y, fx, fy := c.pixel[0], c.pixel[1], c.at[atCentre][0], c.at[atCentre][1]
	m := newMerger(w, &s, l, x, y, fx, fy, trace)
	for i := range l.samples {
		at := c.sample(i)
		m.z = append(m.z, b.Emit(ir.Plane, recDepth, at[0], at[1]))
	}
	m.alive = c.alive
	mask := output(ps.Interface.Outputs, ir.Coverage, 0)
	late := m.late(ps) || mask >= 0
	if !late {
		m.tests()
	}
	args, varyings := w.inputs(ps.Interface.Inputs, from, conv, s.Raster.Sprite, c)
	m.probe.before()
	out := w.call(args...)
	if mask >= 0 {
		c.keep(out[4*mask])
		m.alive = c.alive
	}
	m.alphaTest(ps.Interface.Outputs, out)
	if late {
		if k := output(ps.Interface.Outputs, ir.Depth, 0); k >= 0 {
			for i := range m.z {
				m.z[i] = out[4*k]
			}
		}
		m.tests()
	}
	fog := ir.NoReg
	if s.Fog.Mode == FogVertex {
		fog = b.F(1)
		if k := from[len(ps.Interface.Inputs)]; k >= 0 {
			word := uint64(c.form.words(varyings))
			varyings = append(varyings, varying{source: 4 * k})
			q := b.Emit(ir.FDiv, 0, b.F(1), b.Emit(ir.Plane, recW, fx, fy))
			fog = b.Emit(ir.FMul, 0, b.Emit(ir.Plane, word, fx, fy), q)
		}
	}
	m.probe.after(ps.Interface.Outputs, out)
	m.colours(ps.Interface.Outputs, out, fog)
	m.flush()
	p.Funcs[0] = b.Finish()
	return p, varyings
}

// A wrapper writes the fixed function around a shader.
type wrapper struct {
	p      *ir.Program
	b      *ir.Builder
	shader int      // number of its entry
	res    []ir.Reg // records of the resources that render adds
}

func wrap(name string, kind ir.Kind, shader *ir.Program, buffers ...string) (*ir.Program, *wrapper) {
	p := &ir.Program{Name: name, Kind: kind, Funcs: make([]*ir.Func, 1)}
	p.Interface.Stage = shader.Interface.Stage
	w := &wrapper{p: p, b: ir.NewBuilder("main", nil, nil), shader: p.Append(shader)}
	for _, name := range buffers {
		w.res = append(w.res, w.b.Emit(ir.Res, uint64(len(p.Interface.Resources))))
		p.Interface.Resources = append(p.Interface.Resources, ir.Resource{Name: name, Kind: ir.Buffer})
	}
	return p, w
}

// call calls the shader.
func (w *wrapper) call(args ...ir.Reg) []ir.Reg {
	return w.b.Call(w.shader, w.p.Funcs[w.shader], args...)
}

func kills(p *ir.Program) (found bool) {
	for _, f := range p.Funcs {
		f.Body.Walk(func(in *ir.Inst) { found = found || in.Op == ir.Kill })
	}
	return
}

// write records registers in a trace build.
func (w *wrapper) write(name string, regs ...ir.Reg) {
	for k, r := range regs {
		w.b.Emit(ir.Write, uint64(len(w.p.Traced)), r)
		w.p.Traced = append(w.p.Traced, ir.TracedReg{Name: name, Comp: uint8(k)})
	}
}

// tileOffset gives the byte offset of the pixel in a tile: exec.TileIndex * 4.
func (w *wrapper) tileOffset(x, y ir.Reg) ir.Reg {
	b := w.b
	bits := func(v ir.Reg, lo, n, to uint32) ir.Reg { // bits lo.. of v, moved to bit to
		v = b.Emit(ir.And, 0, v, b.U((1<<n-1)<<lo))
		if to == lo {
			return v
		}
		return b.Emit(ir.Shl, 0, v, b.U(to-lo))
	}
	sum := bits(x, 0, 1, 2)
	for _, part := range []ir.Reg{bits(y, 0, 1, 3), bits(x, 1, 2, 4), bits(y, 1, 2, 6), bits(x, 3, 3, 8), bits(y, 3, 3, 11)} {
		sum = b.Emit(ir.Or, 0, sum, part)
	}
	return sum
}

// output gives the number of the output that the pipeline consumes as s, or -1. index is that of a
// colour target.
func output(outputs []ir.Element, s ir.System, index int) int {
	for i := range outputs {
		if outputs[i].System == s && (s != ir.Target || outputs[i].Index == index) {
			return i
		}
	}
	return -1
}
