package render

import (
	"fmt"

	"swizzle/shaderkit/ir"
)

// A merger writes the output merger: what joins the result of a pixel shader with the targets.
type merger struct {
	*wrapper
	state  *State
	layout *layout
	offset ir.Reg               // byte offset of the pixel in a plane
	target [MaxTargets][]ir.Reg // records of the planes
	depth  []ir.Reg
	trace  bool
}

// names gives the names of the planes of a layout as resources of a pixel program.
func (l *layout) names() (names []string) {
	add := func(name string, f Format) {
		for i := range f.row().words {
			if i > 0 {
				names = append(names, fmt.Sprintf("%s.%d", name, i))
			} else {
				names = append(names, name)
			}
		}
	}
	for i, f := range l.colors {
		add(fmt.Sprintf("colour%d", i), f)
	}
	add("depth", l.depth)
	return names
}

func newMerger(w *wrapper, s *State, l *layout, offset ir.Reg, trace bool) *merger {
	m := &merger{wrapper: w, state: s, layout: l, offset: offset, trace: trace}
	rest := w.res
	take := func(f Format) []ir.Reg {
		planes := rest[:f.row().words]
		rest = rest[len(planes):]
		return planes
	}
	for i, f := range l.colors {
		m.target[i] = take(f)
	}
	m.depth = take(l.depth)
	return m
}

// depthTest ends pixels whose depth z does not pass, and stores that of the others.
func (m *merger) depthTest(z ir.Reg) {
	s, b := m.state, m.b
	if m.layout.depth == NoFormat || s.Depth == Always && !s.DepthWrite && !m.trace {
		return
	}
	z = m.clamp01(z)
	old := b.Emit(ir.Load, 0, m.depth[0], m.offset)
	pass := m.compare(s.Depth, z, old)
	if m.trace {
		m.write(TracedDepth, z, old, pass)
	}
	if s.Depth != Always {
		b.Emit(ir.Kill, 0, b.Emit(ir.Not, 0, pass))
	}
	if s.DepthWrite {
		b.Emit(ir.Store, 0, m.depth[0], m.offset, z)
	}
}

// colours stores the colours of a shader's outputs.
func (m *merger) colours(outputs []ir.Element, values []ir.Reg) {
	for i, f := range m.layout.colors {
		k := output(outputs, ir.Target, i)
		if f == NoFormat || k < 0 {
			continue
		}
		c := values[4*k : 4*k+4]
		if m.trace && i == 0 {
			m.write(TracedColor, c...)
		}
		m.b.Emit(ir.Store, 0, m.target[i][0], m.offset, m.blend(i, c))
	}
}

// blend gives the word to store for colour c in target i.
func (m *merger) blend(i int, c []ir.Reg) ir.Reg {
	b, mode := m.b, m.state.Blend
	if mode == BlendOff {
		return b.Emit(ir.Pack8, 0, c...)
	}
	d := b.EmitN(ir.Unpack8, 0, b.Emit(ir.Load, 0, m.target[i][0], m.offset))
	a := m.clamp01(c[3])
	rest := b.Emit(ir.FSub, 0, b.F(1), a)
	out := make([]ir.Reg, 4)
	for k := range out {
		s := m.clamp01(c[k])
		t := d[k]
		if mode == BlendAlpha {
			s, t = b.Emit(ir.FMul, 0, s, a), b.Emit(ir.FMul, 0, t, rest)
		}
		out[k] = b.Emit(ir.FAdd, 0, s, t)
	}
	return b.Emit(ir.Pack8, 0, out...)
}

func (w *wrapper) compare(f Func, a, c ir.Reg) ir.Reg {
	switch b := w.b; f {
	case Never:
		return b.U(0)
	case Less:
		return b.Emit(ir.FLt, 0, a, c)
	case Equal:
		return b.Emit(ir.FEq, 0, a, c)
	case LessEqual:
		return b.Emit(ir.FLe, 0, a, c)
	case Greater:
		return b.Emit(ir.FLt, 0, c, a)
	case NotEqual:
		return b.Emit(ir.FNe, 0, a, c)
	case GreaterEqual:
		return b.Emit(ir.FLe, 0, c, a)
	}
	return w.b.U(^uint32(0))
}
