package d3d9

import "swizzle/shaderkit/isa"

// Register types, as bits 30:28 and 12:11 of a parameter word hold them.
const (
	RegTemp      = 0
	RegInput     = 1
	RegConst     = 2
	RegAddr      = 3 // a# in vertex shaders, t# in pixel shaders
	RegTexture   = 3
	RegRastOut   = 4 // oPos, oFog, oPts
	RegAttrOut   = 5 // oD#
	RegOutput    = 6 // oT# before vs_3_0, o# in vs_3_0
	RegConstInt  = 7
	RegColorOut  = 8
	RegDepthOut  = 9
	RegSampler   = 10
	RegConst2    = 11 // c2048 and up
	RegConst3    = 12 // c4096 and up
	RegConst4    = 13 // c6144 and up
	RegConstBool = 14
	RegLoop      = 15
	RegTempHalf  = 16 // never used
	RegMisc      = 17 // vPos, vFace
	RegLabel     = 18
	RegPredicate = 19
)

// Stages, the lowest bit of the upper half of the version word.
const (
	VS = 0
	PS = 1
)

// Versions, the lower half of the version word.
const (
	v10 = 0x0100
	v11 = 0x0101
	v12 = 0x0102
	v13 = 0x0103
	v14 = 0x0104
	v20 = 0x0200
	v2x = 0x0201
	v30 = 0x0300
)

func eq(field string, in ...uint32) isa.Guard  { return isa.Guard{Field: field, In: in} }
func not(field string, in ...uint32) isa.Guard { return isa.Guard{Field: field, In: in, Not: true} }

func when(gs ...isa.Guard) []isa.Guard { return gs }

var (
	inVS  = eq("stage", VS)
	inPS  = eq("stage", PS)
	in3   = eq("version", v30)
	not3  = not("version", v30)
	since = []uint32{v20, v2x, v30}
	in2up = eq("version", since...)
	in1   = not("version", since...)
)

// registers names every register type; the last rows take what no register file has, so that every operand
// can be spelled.
var registers = isa.NewRegs([]isa.RegRow{
	{Name: "r", Type: RegTemp, Doc: "temporary register"},
	{Name: "v", Type: RegInput, Doc: "input register"},
	{Name: "c", Type: RegConst, Doc: "float constant register"},
	{Name: "a", Type: RegAddr, If: when(inVS), Doc: "address register"},
	{Name: "t", Type: RegTexture, If: when(inPS), Doc: "texture coordinate register"},
	{Name: "oPos", Type: RegRastOut, Fixed: true, Num: 0, Doc: "position output"},
	{Name: "oFog", Type: RegRastOut, Fixed: true, Num: 1, Doc: "fog output"},
	{Name: "oPts", Type: RegRastOut, Fixed: true, Num: 2, Doc: "point size output"},
	{Name: "oD", Type: RegAttrOut, Doc: "color output"},
	{Name: "oT", Type: RegOutput, If: when(not3), Doc: "texture coordinate output"},
	{Name: "o", Type: RegOutput, If: when(in3), Doc: "output register"},
	{Name: "i", Type: RegConstInt, Doc: "integer constant register"},
	{Name: "oC", Type: RegColorOut, Doc: "render target output"},
	{Name: "oDepth", Type: RegDepthOut, Fixed: true, Num: 0, Doc: "depth output"},
	{Name: "s", Type: RegSampler, Doc: "sampler"},
	{Name: "c", Type: RegConst2, Base: 2048, Doc: "float constant register"},
	{Name: "c", Type: RegConst3, Base: 4096, Doc: "float constant register"},
	{Name: "c", Type: RegConst4, Base: 6144, Doc: "float constant register"},
	{Name: "b", Type: RegConstBool, Doc: "boolean constant register"},
	{Name: "aL", Type: RegLoop, Fixed: true, Num: 0, Doc: "loop counter"},
	{Name: "vPos", Type: RegMisc, Fixed: true, Num: 0, Doc: "pixel position"},
	{Name: "vFace", Type: RegMisc, Fixed: true, Num: 1, Doc: "sign of the facing of the triangle"},
	{Name: "l", Type: RegLabel, Doc: "label"},
	{Name: "p", Type: RegPredicate, Doc: "predicate register"},

	{Name: "rastout", Type: RegRastOut, Alt: true},
	{Name: "depthout", Type: RegDepthOut, Alt: true},
	{Name: "loop", Type: RegLoop, Alt: true},
	{Name: "misc", Type: RegMisc, Alt: true},
	{Name: "half", Type: RegTempHalf, Alt: true},
	{Name: "type20_", Type: 20, Alt: true}, {Name: "type21_", Type: 21, Alt: true},
	{Name: "type22_", Type: 22, Alt: true}, {Name: "type23_", Type: 23, Alt: true},
	{Name: "type24_", Type: 24, Alt: true}, {Name: "type25_", Type: 25, Alt: true},
	{Name: "type26_", Type: 26, Alt: true}, {Name: "type27_", Type: 27, Alt: true},
	{Name: "type28_", Type: 28, Alt: true}, {Name: "type29_", Type: 29, Alt: true},
	{Name: "type30_", Type: 30, Alt: true}, {Name: "type31_", Type: 31, Alt: true},
})
