package render

import (
	"fmt"

	"swizzle/shaderkit/ir"
)

// A merger writes the output merger: what joins the result of a pixel shader with the targets.
type merger struct {
	w *wrapper
	converter
	state  *State
	layout *layout
	fx, fy ir.Reg               // the pixel, as floats
	offset ir.Reg               // its byte offset in a plane
	consts ir.Reg               // record of the state that is data
	target [MaxTargets][]ir.Reg // records of the planes
	depth  []ir.Reg
	probe  prober
	trace  bool

	z      []ir.Reg    // depth of each sample, before the test
	stores [][2]ir.Reg // planes and words, to be stored last
	alive  []ir.Reg    // masks of the samples that are stored; nil: one sample, of live pixels
}

// names gives the names of the buffers that a pixel program adds to the resources of its shader: the
// state that is data, the sRGB tables, and the planes of the targets.
func (l *layout) names() []string {
	names := []string{"state", "srgb"}
	add := func(name string, f Format) {
		for i := range f.row().words * l.samples {
			names = append(names, fmt.Sprintf("%s.%d", name, i))
		}
	}
	for i, f := range l.colors {
		add(fmt.Sprintf("colour%d", i), f)
	}
	add("depth", l.depth)
	if l.probe != NoProbe {
		names = append(names, "probe")
	}
	return names
}

// drawBuffers is the number of names that do not depend on the layout.
const drawBuffers = 2

func newMerger(w *wrapper, s *State, l *layout, x, y, fx, fy ir.Reg, trace bool) *merger {
	m := &merger{w: w, converter: converter{b: w.b, table: w.res[1]}, state: s, layout: l,
		fx: fx, fy: fy, offset: w.tileOffset(x, y), consts: w.res[0], trace: trace}
	rest := w.res[drawBuffers:]
	take := func(f Format) []ir.Reg {
		planes := rest[:f.row().words*l.samples]
		rest = rest[len(planes):]
		return planes
	}
	for i, f := range l.colors {
		m.target[i] = take(f)
	}
	m.depth = take(l.depth)
	if l.probe != NoProbe {
		m.probe = prober{l.probe, w.b, rest[0], m.offset}
	}
	return m
}

// data gives a word of the state that is data.
func (m *merger) data(word uint64) ir.Reg {
	return m.op(ir.Load, m.consts, m.b.U(uint32(4*word)))
}

// late reports whether the tests of depth and stencil come behind the shader: when it ends pixels or
// gives the depth.
func (m *merger) late(ps *ir.Program) bool {
	return m.state.AlphaTest || m.state.AlphaToCoverage || kills(ps) || output(ps.Interface.Outputs, ir.Depth, 0) >= 0
}

// tests ends pixels that fail the tests of stencil and depth in all their samples, and stores what these
// tests do.
func (m *merger) tests() {
	s := m.state
	stencil := s.Stencil.On && m.layout.depth.row().stencil()
	if m.layout.depth == NoFormat || s.Depth == Always && !s.DepthWrite && !stencil && !m.trace {
		return
	}
	if m.alive == nil {
		m.sampleTest(0, stencil)
		return
	}
	any := ir.NoReg
	for i := range m.alive {
		m.sampleTest(i, stencil)
		if any == ir.NoReg {
			any = m.alive[i]
		} else {
			any = m.op(ir.Or, any, m.alive[i])
		}
	}
	m.b.Emit(ir.Kill, 0, m.op(ir.Not, any))
}

// sampleTest is the test of one sample.
func (m *merger) sampleTest(i int, stencil bool) {
	s, b, row := m.state, m.b, m.layout.depth.row()
	planes := m.depth[i*row.words : (i+1)*row.words]
	old := make([]ir.Reg, len(planes))
	for k := range planes {
		old[k] = b.Emit(ir.Load, 0, planes[k], m.offset)
	}
	z := m.z[i]
	if m.layout.ranged {
		z = m.op(ir.FMin, m.op(ir.FMax, b.Emit(ir.Desc, jobMinDepth), z), b.Emit(ir.Desc, jobMaxDepth))
	} else {
		z = m.clamp(z, 0, 1)
	}
	new, stored := m.depthBits(m.layout.depth, z), old[0]
	var pass ir.Reg
	if row.kind == float {
		pass = m.compare(s.Depth, new, stored)
	} else {
		if row.stencil() {
			stored = m.op(ir.And, stored, b.U(1<<24-1))
		}
		pass = m.compareInts(s.Depth, new, stored)
	}
	if m.trace && i == 0 {
		m.w.write(TracedDepth, z, stored, pass)
	}
	if !stencil && m.alive == nil { // what the pixel ends by keeps it from storing
		if s.Depth != Always {
			b.Emit(ir.Kill, 0, m.op(ir.Not, pass))
		}
		if s.DepthWrite {
			m.last(planes[0], m.joinDepth(new, old[0]))
		}
		return
	}
	both, after := pass, ir.NoReg
	if stencil {
		sv := old[len(old)-1]
		if row.words == 1 {
			sv = m.op(ir.ShrU, sv, b.U(24))
		}
		var passed ir.Reg
		passed, after = m.stencil(sv, pass)
		if m.trace && i == 0 {
			m.w.write(TracedStencil, sv, after, passed)
		}
		both = m.op(ir.And, pass, passed)
		if m.alive != nil {
			after = m.op(ir.Sel, m.alive[i], after, sv)
		}
	}
	if m.alive != nil {
		both = m.op(ir.And, both, m.alive[i])
		m.alive[i] = both
	}
	word := old[0]
	if s.DepthWrite {
		word = m.op(ir.Sel, both, m.joinDepth(new, word), word)
	}
	if stencil && row.words == 1 {
		word = m.op(ir.Or, m.op(ir.And, word, b.U(1<<24-1)), m.op(ir.Shl, after, b.U(24)))
	}
	// What a failed test does to the stencil is stored before the pixel ends.
	if stencil && row.words == 2 {
		b.Emit(ir.Store, 0, planes[1], m.offset, after)
	}
	switch {
	case stencil && row.words == 1:
		b.Emit(ir.Store, 0, planes[0], m.offset, word)
	case s.DepthWrite:
		m.last(planes[0], word)
	}
	if m.alive == nil {
		b.Emit(ir.Kill, 0, m.op(ir.Not, both))
	}
}

// joinDepth gives the word of a new depth: what else it holds stays.
func (m *merger) joinDepth(new, word ir.Reg) ir.Reg {
	if m.layout.depth != D24S8 {
		return new
	}
	return m.op(ir.Or, new, m.op(ir.And, word, m.b.U(0xFF000000)))
}

// alphaTest ends pixels by the alpha of target 0, and their samples by alpha to coverage.
func (m *merger) alphaTest(outputs []ir.Element, values []ir.Reg) {
	k := output(outputs, ir.Target, 0)
	if k < 0 {
		return
	}
	alpha := values[4*k+3]
	if m.state.AlphaTest && m.state.AlphaFunc != Always {
		a, ref := m.clamp(alpha, 0, 1), m.data(dataAlphaRef)
		pass := m.compare(m.state.AlphaFunc, a, ref)
		if m.trace {
			m.w.write(TracedAlpha, a, ref, pass)
		}
		m.b.Emit(ir.Kill, 0, m.op(ir.Not, pass))
	}
	if m.state.AlphaToCoverage && m.alive != nil {
		// The number of samples that an alpha covers, in their order.
		scaled := m.op(ir.FMul, m.clamp(alpha, 0, 1), m.b.F(float32(len(m.alive))))
		for i := range m.alive {
			m.alive[i] = m.op(ir.And, m.alive[i], m.op(ir.FLe, m.b.F(float32(i)+0.5), scaled))
		}
	}
}

// colours stores the colours of a shader's outputs.
func (m *merger) colours(outputs []ir.Element, values []ir.Reg, fog ir.Reg) {
	for i, f := range m.layout.colors {
		k := output(outputs, ir.Target, i)
		if f == NoFormat || k < 0 {
			continue
		}
		c := values[4*k : 4*k+4]
		if m.trace && i == 0 {
			m.w.write(TracedColor, c...)
		}
		if m.state.Fog.Mode != FogOff {
			c = m.fogged(c, fog)
		}
		var c1 []ir.Reg
		if k := output(outputs, ir.Target, 1); i == 0 && k >= 0 {
			c1 = values[4*k : 4*k+4]
		}
		if s := f.row().sibling; m.state.SRGBWrite && s != NoFormat {
			f = s
		}
		for s := range m.layout.samples {
			n := f.row().words
			alive := ir.NoReg
			if m.alive != nil {
				alive = m.alive[s]
			}
			m.store(f, &m.state.Blend[i], m.target[i][s*n:(s+1)*n], c, c1, alive)
		}
	}
}

// store joins a colour with one sample of a target: where the mask alive is set, if there is one.
func (m *merger) store(f Format, blend *Blend, planes, c, c1 []ir.Reg, alive ir.Reg) {
	b, row := m.b, f.row()
	all, mask := row.mask(15), row.mask(^blend.Masked)
	integer := row.kind == uinteger || row.kind == sinteger
	logic := m.state.Logic != LogicOff && (integer || row.kind == unorm)
	blending := blend.On && !logic && !integer
	old := make([]ir.Reg, row.words)
	for i := range old {
		if blending || mask[i] != 0 && (logic || mask[i] != all[i] || alive != ir.NoReg) {
			old[i] = b.Emit(ir.Load, 0, planes[i], m.offset)
		}
	}
	if blending {
		c = m.blend(f, blend, c, c1, m.unpack(f, old))
	}
	for i, word := range m.pack(f, c, logic) {
		if mask[i] == 0 {
			continue
		}
		if logic {
			word = m.op(ir.And, m.logic(m.state.Logic, word, old[i]), b.U(all[i]))
		}
		if mask[i] != all[i] {
			word = m.op(ir.Or, m.op(ir.And, word, b.U(mask[i])), m.op(ir.And, old[i], b.U(^mask[i])))
		}
		if alive != ir.NoReg {
			word = m.op(ir.Sel, alive, word, old[i])
		}
		m.last(planes[i], word)
	}
}

// last stores a word of the pixel behind everything else: an engine may do what comes before the first
// store in a way that it takes back.
func (m *merger) last(plane, word ir.Reg) { m.stores = append(m.stores, [2]ir.Reg{plane, word}) }

// flush writes those stores.
func (m *merger) flush() {
	for _, s := range m.stores {
		m.b.Emit(ir.Store, 0, s[0], m.offset, s[1])
	}
}

func (m *merger) compare(f Func, a, c ir.Reg) ir.Reg {
	switch f {
	case Never:
		return m.b.U(0)
	case Less:
		return m.op(ir.FLt, a, c)
	case Equal:
		return m.op(ir.FEq, a, c)
	case LessEqual:
		return m.op(ir.FLe, a, c)
	case Greater:
		return m.op(ir.FLt, c, a)
	case NotEqual:
		return m.op(ir.FNe, a, c)
	case GreaterEqual:
		return m.op(ir.FLe, c, a)
	}
	return m.b.U(^uint32(0))
}

// compareInts compares unsigned integers.
func (m *merger) compareInts(f Func, a, c ir.Reg) ir.Reg {
	not := func(v ir.Reg) ir.Reg { return m.op(ir.Not, v) }
	switch f {
	case Never:
		return m.b.U(0)
	case Less:
		return m.op(ir.ULt, a, c)
	case Equal:
		return m.op(ir.IEq, a, c)
	case LessEqual:
		return not(m.op(ir.ULt, c, a))
	case Greater:
		return m.op(ir.ULt, c, a)
	case NotEqual:
		return m.op(ir.INe, a, c)
	case GreaterEqual:
		return not(m.op(ir.ULt, a, c))
	}
	return m.b.U(^uint32(0))
}
