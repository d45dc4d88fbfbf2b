package render

import "math"

// State is the fixed-function state of a draw. It is part of the key of its fused programs, but for
// what is said to be data.
type State struct {
	Cull       Cull
	Depth      Func // new depth against the stored one
	DepthWrite bool
	Stencil    Stencil
	Raster     Raster

	AlphaTest bool    // pixels whose alpha does not pass are ended
	AlphaFunc Func    // alpha of target 0, clamped to 0..1, against AlphaRef
	AlphaRef  float32 // data
	Fog       Fog

	Blend           [MaxTargets]Blend
	BlendFactor     [4]float32 // of the factors that name it; data
	Logic           LogicOp    // instead of blending, for targets of unsigned normalised and integer formats
	AlphaToCoverage bool       // of several samples, alpha of target 0 says how many are covered
	SRGBWrite       bool       // targets of formats that have an sRGB sibling are written and blended as that
}

// DefaultState is what scenes start from: front faces, less-or-equal depth, no blending.
var DefaultState = State{Cull: CullCCW, Depth: LessEqual, DepthWrite: true}

// key gives what of the state is compiled into programs.
func (s State) key() State {
	s.Cull, s.Raster = 0, Raster{Sprite: s.Raster.Sprite, NoSamples: s.Raster.NoSamples}
	s.AlphaRef, s.BlendFactor = 0, [4]float32{}
	differ := s.Stencil.Front.Ref != s.Stencil.Back.Ref
	if s.Stencil.Front.Ref, s.Stencil.Back.Ref = 0, 0; differ {
		s.Stencil.Back.Ref = 1
	}
	s.Fog.Start, s.Fog.End, s.Fog.Density, s.Fog.Color = 0, 0, 0, [3]float32{}
	return s
}

// A Func compares a new value with a stored one.
type Func uint8

const (
	Never Func = iota
	Less
	Equal
	LessEqual
	Greater
	NotEqual
	GreaterEqual
	Always
)

// Names of the states as scene files spell them, in the order of their values.
var (
	FuncNames = []string{"never", "less", "equal", "lessequal", "greater", "notequal", "greaterequal", "always"}
)

// Words of the buffer of a draw that programs read state from.
const (
	dataBlendFactor = 0 // four floats
	dataAlphaRef    = 4
	dataFrontRef    = 5
	dataBackRef     = 6
	dataFogEnd      = 7 // linear fog
	dataFogScale    = 8 // see Fog.scale
	dataFogColor    = 9 // three floats
	dataWords       = 12
)

// data writes what programs read of the state.
func (s *State) data(out []uint32) {
	for k, f := range s.BlendFactor {
		out[dataBlendFactor+k] = math.Float32bits(f)
	}
	out[dataAlphaRef] = math.Float32bits(s.AlphaRef)
	out[dataFrontRef], out[dataBackRef] = uint32(s.Stencil.Front.Ref), uint32(s.Stencil.Back.Ref)
	out[dataFogEnd], out[dataFogScale] = math.Float32bits(s.Fog.End), math.Float32bits(s.Fog.scale())
	for k, f := range s.Fog.Color {
		out[dataFogColor+k] = math.Float32bits(f)
	}
}
