package render

import "swizzle/shaderkit/ir"

// A Blend is how a colour joins the one that a target holds.
type Blend struct {
	On     bool     // otherwise it replaces it
	Color  Equation // red, green, blue
	Alpha  Equation
	Masked uint8 // components that are not written: bit 0 is red
}

// An Equation is Src times the shader's colour, Op, Dst times the target's.
type Equation struct {
	Op       BlendOp
	Src, Dst Factor // Min and Max do without
}

// Blends that have names of their own.
var (
	BlendOff   = Blend{}
	BlendAlpha = Same(Equation{Add, SrcAlpha, InvSrcAlpha}) // the shader's alpha over the target
	BlendAdd   = Same(Equation{Add, One, One})
)

// Blends are those by the name that scene files give them, in the order of BlendNames.
var Blends = []Blend{BlendOff, BlendAlpha, BlendAdd}

// BlendNames are the names of Blends.
var BlendNames = []string{"off", "alpha", "add"}

// Same gives the blend of one equation for colour and alpha.
func Same(e Equation) Blend { return Blend{On: true, Color: e, Alpha: e} }

// AllTargets gives every target the same blend.
func AllTargets(b Blend) (all [MaxTargets]Blend) {
	for i := range all {
		all[i] = b
	}
	return
}

// A BlendOp joins the two products of an Equation.
type BlendOp uint8

const (
	Add             BlendOp = iota // s + d
	Subtract                       // s - d
	ReverseSubtract                // d - s
	Min
	Max
)

// BlendOpNames are the names of the operations.
var BlendOpNames = []string{"add", "subtract", "revsubtract", "min", "max"}

// A Factor is what a colour is multiplied by. Color factors are component by component; in an equation of
// alpha they are the alpha.
type Factor uint8

const (
	Zero Factor = iota
	One
	SrcColor
	InvSrcColor
	SrcAlpha
	InvSrcAlpha
	DestColor
	InvDestColor
	DestAlpha
	InvDestAlpha
	SrcAlphaSat // min(source alpha, 1 - target's alpha); 1 for alpha
	ConstColor  // State.BlendFactor
	InvConstColor
	ConstAlpha
	InvConstAlpha
	Src1Color // colour 1 of the shader
	InvSrc1Color
	Src1Alpha
	InvSrc1Alpha
)

// FactorNames are the names of the factors.
var FactorNames = []string{"zero", "one", "srccolor", "invsrccolor", "srcalpha", "invsrcalpha", "destcolor", "invdestcolor", "destalpha", "invdestalpha",
	"srcalphasat", "blendfactor", "invblendfactor", "blendalpha", "invblendalpha", "src1color", "invsrc1color", "src1alpha", "invsrc1alpha"}

// An origin is where a factor comes from.
type origin uint8

const (
	noOrigin origin = iota
	fromShader
	fromTarget
	fromConstant
	fromShader1
	fromBoth // SrcAlphaSat
)

// factors tell what each factor is, in the order of their values.
var factors = [...]struct {
	from   origin
	alpha  bool
	invert bool // one minus it
}{
	Zero: {}, One: {},
	SrcColor: {from: fromShader}, InvSrcColor: {from: fromShader, invert: true},
	SrcAlpha: {from: fromShader, alpha: true}, InvSrcAlpha: {from: fromShader, alpha: true, invert: true},
	DestColor: {from: fromTarget}, InvDestColor: {from: fromTarget, invert: true},
	DestAlpha: {from: fromTarget, alpha: true}, InvDestAlpha: {from: fromTarget, alpha: true, invert: true},
	SrcAlphaSat: {from: fromBoth},
	ConstColor:  {from: fromConstant}, InvConstColor: {from: fromConstant, invert: true},
	ConstAlpha: {from: fromConstant, alpha: true}, InvConstAlpha: {from: fromConstant, alpha: true, invert: true},
	Src1Color: {from: fromShader1}, InvSrc1Color: {from: fromShader1, invert: true},
	Src1Alpha: {from: fromShader1, alpha: true}, InvSrc1Alpha: {from: fromShader1, alpha: true, invert: true},
}

// A blender writes the blending of one pixel.
type blender struct {
	*merger
	format Format
	source map[origin][]ir.Reg // colours that factors come from, clamped as the format demands
	minus  map[ir.Reg]ir.Reg   // 1 - x
}

// limit clamps a value that enters the blending of format f.
func (m *merger) limit(f Format, v ir.Reg) ir.Reg {
	switch f.row().kind {
	case unorm, srgb:
		return m.clamp(v, 0, 1)
	case snorm:
		return m.range11(v)
	}
	return v
}

// blend gives the blend of colour c, and of colour c1 for the factors of a second source, with d, the
// target's.
func (m *merger) blend(f Format, blend *Blend, c, c1, d []ir.Reg) []ir.Reg {
	x := blender{merger: m, format: f, source: map[origin][]ir.Reg{fromTarget: d}, minus: map[ir.Reg]ir.Reg{}}
	limited := func(c []ir.Reg) []ir.Reg {
		out := make([]ir.Reg, len(c))
		for k, v := range c {
			out[k] = m.limit(f, v)
		}
		return out
	}
	x.source[fromShader] = limited(c)
	if len(c1) > 0 {
		x.source[fromShader1] = limited(c1)
	}
	x.source[fromConstant] = limited([]ir.Reg{m.data(dataBlendFactor), m.data(dataBlendFactor + 1), m.data(dataBlendFactor + 2), m.data(dataBlendFactor + 3)})
	out := make([]ir.Reg, 4)
	for k := range out {
		e := &blend.Color
		if k == 3 {
			e = &blend.Alpha
		}
		out[k] = x.component(e, k)
	}
	return out
}

// component blends component k.
func (x *blender) component(e *Equation, k int) ir.Reg {
	s, d := x.source[fromShader][k], x.source[fromTarget][k]
	switch e.Op {
	case Min, Max: // of a number and a NaN the number
		other := x.op(ir.FMin, s, d)
		if e.Op == Max {
			other = x.op(ir.FMax, s, d)
		}
		if x.format.row().kind != float {
			return other
		}
		return x.op(ir.Sel, x.op(ir.FEq, s, s), other, d)
	}
	s, d = x.times(s, e.Src, k), x.times(d, e.Dst, k)
	switch {
	case d == ir.NoReg && s == ir.NoReg:
		return x.b.U(0)
	case d == ir.NoReg && e.Op != ReverseSubtract:
		return s
	case s == ir.NoReg && e.Op != Subtract:
		return d
	case d == ir.NoReg:
		d = x.b.U(0)
	case s == ir.NoReg:
		s = x.b.U(0)
	}
	switch e.Op {
	case Subtract:
		return x.op(ir.FSub, s, d)
	case ReverseSubtract:
		return x.op(ir.FSub, d, s)
	}
	return x.op(ir.FAdd, s, d)
}

// times gives component v times a factor, NoReg for a product that is zero whatever v is.
func (x *blender) times(v ir.Reg, f Factor, k int) ir.Reg {
	switch f {
	case One:
		return v
	case Zero:
		if x.format.row().kind != float {
			return ir.NoReg
		}
		return x.op(ir.FMul, v, x.b.U(0)) // a NaN stays one
	case SrcAlphaSat:
		if k == 3 {
			return v
		}
		return x.op(ir.FMul, v, x.op(ir.FMin, x.source[fromShader][3], x.oneMinus(x.source[fromTarget][3])))
	}
	row := &factors[f]
	from := x.source[row.from]
	if from == nil { // the shader has no second colour
		return ir.NoReg
	}
	if row.alpha {
		k = 3
	}
	if row.invert {
		return x.op(ir.FMul, v, x.oneMinus(from[k]))
	}
	return x.op(ir.FMul, v, from[k])
}

func (x *blender) oneMinus(v ir.Reg) ir.Reg {
	r, ok := x.minus[v]
	if !ok {
		r = x.op(ir.FSub, x.b.F(1), v)
		x.minus[v] = r
	}
	return r
}

// A LogicOp joins the bits of a pixel with those of a colour.
type LogicOp uint8

const (
	LogicOff LogicOp = iota
	LogicClear
	LogicSet
	LogicCopy
	LogicCopyInverted
	LogicNoop
	LogicInvert
	LogicAnd
	LogicNand
	LogicOr
	LogicNor
	LogicXor
	LogicEquiv
	LogicAndReverse  // s & ~d
	LogicAndInverted // ~s & d
	LogicOrReverse   // s | ~d
	LogicOrInverted  // ~s | d
)

// LogicNames are the names of the logic operations.
var LogicNames = []string{"off", "clear", "set", "copy", "copyinverted", "noop", "invert", "and", "nand", "or", "nor", "xor", "equiv",
	"andreverse", "andinverted", "orreverse", "orinverted"}

// logic gives the word of s and d.
func (m *merger) logic(o LogicOp, s, d ir.Reg) ir.Reg {
	not := func(v ir.Reg) ir.Reg { return m.op(ir.Not, v) }
	switch o {
	case LogicClear:
		return m.b.U(0)
	case LogicSet:
		return m.b.U(^uint32(0))
	case LogicCopy:
		return s
	case LogicCopyInverted:
		return not(s)
	case LogicNoop:
		return d
	case LogicInvert:
		return not(d)
	case LogicAnd:
		return m.op(ir.And, s, d)
	case LogicNand:
		return not(m.op(ir.And, s, d))
	case LogicOr:
		return m.op(ir.Or, s, d)
	case LogicNor:
		return not(m.op(ir.Or, s, d))
	case LogicXor:
		return m.op(ir.Xor, s, d)
	case LogicEquiv:
		return not(m.op(ir.Xor, s, d))
	case LogicAndReverse:
		return m.op(ir.And, s, not(d))
	case LogicAndInverted:
		return m.op(ir.And, not(s), d)
	case LogicOrReverse:
		return m.op(ir.Or, s, not(d))
	}
	return m.op(ir.Or, not(s), d)
}
