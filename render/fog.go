package render

import "swizzle/shaderkit/ir"

// A Fog mixes a colour into what the pixel shader gives, alpha aside.
type Fog struct {
	Mode       FogMode
	W          bool // the distance is w, not the depth
	Start, End float32
	Density    float32
	Color      [3]float32
}

// A FogMode is where the factor of the fog comes from. Start, End, Density and Color are data.
type FogMode uint8

const (
	FogOff    FogMode = iota
	FogVertex         // the fog output of the vertex shader
	FogLinear         // (End - d) / (End - Start)
	FogExp            // e^-(d*Density)
	FogExp2           // e^-(d*Density)²
)

// FogNames are the names of the modes.
var FogNames = []string{"off", "vertex", "linear", "exp", "exp2"}

// log2e is the binary logarithm of e.
const log2e = 1.44269504088896340735992468100189214

// scale gives what the distance is multiplied by.
func (f *Fog) scale() float32 {
	switch f.Mode {
	case FogLinear:
		return float32(1 / float64(f.End-f.Start))
	case FogExp:
		return float32(float64(f.Density) * log2e)
	}
	return f.Density
}

// fogged gives a colour with the fog of the pixel in it. factor is that of the vertices.
func (m *merger) fogged(c []ir.Reg, factor ir.Reg) []ir.Reg {
	b, f := m.b, &m.state.Fog
	if f.Mode != FogVertex {
		d := m.z[0]
		if f.W {
			d = m.op(ir.FDiv, b.F(1), b.Emit(ir.Plane, recW, m.fx, m.fy))
		}
		scale := m.data(dataFogScale)
		switch f.Mode {
		case FogLinear:
			factor = m.op(ir.FMul, m.op(ir.FSub, m.data(dataFogEnd), d), scale)
		case FogExp:
			factor = m.op(ir.FExp2, m.op(ir.FNeg, m.op(ir.FMul, d, scale)))
		case FogExp2:
			t := m.op(ir.FMul, d, scale)
			factor = m.op(ir.FExp2, m.op(ir.FMul, m.op(ir.FMul, t, t), b.F(-log2e)))
		}
	}
	factor = m.clamp(factor, 0, 1)
	out := append([]ir.Reg(nil), c...)
	for k := range 3 {
		fog := m.data(dataFogColor + uint64(k))
		out[k] = m.op(ir.FAdd, m.op(ir.FMul, factor, c[k]), m.op(ir.FMul, m.op(ir.FSub, b.F(1), factor), fog))
	}
	return out
}
