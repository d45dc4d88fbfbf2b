package d3d9

import "swizzle/shaderkit/isa"

// A regFile is what one stage and version have of a register type.
type regFile struct {
	stage    uint32
	min, max uint32 // versions
	typ      uint32
	count    uint32
	read     bool // as a source of an arithmetic instruction
	write    bool // as a destination
	declare  bool // must be declared before it is used
}

// regFiles is the register files of every profile, from the reference pages "Registers - vs_2_0" and their like.
// Constants above c255 are taken in vertex shaders, as Microsoft's assembler takes them.
var regFiles = []regFile{
	{VS, v10, v11, RegTemp, 12, true, true, false},
	{VS, v10, v11, RegInput, 16, true, false, true},
	{VS, v10, v11, RegConst, 96, true, false, false},
	{VS, v10, v11, RegAddr, 1, false, true, false},
	{VS, v10, v11, RegRastOut, 3, false, true, false},
	{VS, v10, v11, RegAttrOut, 2, false, true, false},
	{VS, v10, v11, RegOutput, 8, false, true, false},
	{PS, v10, v13, RegTemp, 2, true, true, false},
	{PS, v14, v14, RegTemp, 6, true, true, false},
	{PS, v10, v14, RegInput, 2, true, false, false},
	{PS, v10, v14, RegConst, 8, true, false, false},
	{PS, v10, v13, RegTexture, 4, true, true, false},
	{PS, v14, v14, RegTexture, 6, true, false, false},

	{VS, v20, v20, RegTemp, 12, true, true, false},
	{VS, v2x, v30, RegTemp, 32, true, true, false},
	{VS, v20, v30, RegInput, 16, true, false, true},
	{VS, v20, v30, RegConst, 2048, true, false, false},
	{VS, v20, v30, RegConst2, 2048, true, false, false},
	{VS, v20, v30, RegConst3, 2048, true, false, false},
	{VS, v20, v30, RegConst4, 2048, true, false, false},
	{VS, v20, v30, RegAddr, 1, false, true, false},
	{VS, v20, v2x, RegRastOut, 3, false, true, false},
	{VS, v20, v2x, RegAttrOut, 2, false, true, false},
	{VS, v20, v2x, RegOutput, 8, false, true, false},
	{VS, v30, v30, RegOutput, 12, false, true, true},
	{VS, v20, v30, RegConstInt, 16, false, false, false},
	{VS, v20, v30, RegConstBool, 16, false, false, false},
	{VS, v20, v30, RegLoop, 1, false, false, false},
	{VS, v20, v2x, RegLabel, 16, false, false, false},
	{VS, v30, v30, RegLabel, 2048, false, false, false},
	{VS, v2x, v30, RegPredicate, 1, false, true, false},
	{VS, v30, v30, RegSampler, 4, false, false, true},

	{PS, v20, v20, RegTemp, 12, true, true, false},
	{PS, v2x, v30, RegTemp, 32, true, true, false},
	{PS, v20, v2x, RegInput, 2, true, false, true},
	{PS, v30, v30, RegInput, 10, true, false, true},
	{PS, v20, v2x, RegConst, 32, true, false, false},
	{PS, v30, v30, RegConst, 224, true, false, false},
	{PS, v20, v2x, RegTexture, 8, true, false, true},
	{PS, v20, v30, RegColorOut, 4, false, true, false},
	{PS, v20, v30, RegDepthOut, 1, false, true, false},
	{PS, v20, v30, RegSampler, 16, false, false, true},
	{PS, v2x, v30, RegConstInt, 16, false, false, false},
	{PS, v2x, v30, RegConstBool, 16, false, false, false},
	{PS, v30, v30, RegLoop, 1, false, false, false},
	{PS, v2x, v2x, RegLabel, 16, false, false, false},
	{PS, v30, v30, RegLabel, 2048, false, false, false},
	{PS, v2x, v30, RegPredicate, 1, false, true, false},
	{PS, v30, v30, RegMisc, 2, true, false, true},
}

// file gives the register file of a type; nil when the profile has none.
func file(c isa.Context, typ uint32) *regFile {
	for i := range regFiles {
		if f := &regFiles[i]; f.typ == typ && f.stage == c.Stage && f.min <= c.Version && c.Version <= f.max {
			return f
		}
	}
	return nil
}

// softwareFile gives a register file as the software profiles have it, from the page "Software Shaders".
func softwareFile(f *regFile, typ uint32) *regFile {
	var s regFile
	switch {
	case f != nil:
		s = *f
	case isConst(typ):
		s = regFile{typ: typ, read: true}
	default:
		return nil
	}
	switch typ {
	case RegConst, RegConst2, RegConst3, RegConst4, RegConstInt, RegConstBool, RegLabel:
		s.count = 2048
	case RegOutput:
		if s.min == v30 {
			s.count = 16
		}
	}
	return &s
}

// A ports limits the different registers of one type that an instruction may read.
type ports struct {
	stage    uint32
	min, max uint32
	typ      uint32
	n        int
}

var readPorts = []ports{
	{VS, v10, v11, RegInput, 1},
	{VS, v10, v11, RegConst, 1},
	{PS, v10, v14, RegConst, 2},
	{PS, v10, v14, RegInput, 2},
	{PS, v10, v13, RegTemp, 2},
	{PS, v10, v11, RegTexture, 2},
	{PS, v14, v14, RegTexture, 1},
	{VS, v20, v30, RegInput, 1},
	{VS, v20, v30, RegConst, 1},
	{PS, v20, v2x, RegInput, 1},
	{PS, v20, v2x, RegTexture, 1},
	{PS, v20, v2x, RegConst, 2},
	{PS, v30, v30, RegInput, 1},
	{PS, v30, v30, RegConst, 1},
}

// Slots that a program may take, in ps_1_x a phase.
const (
	slotsVS11      = 128
	slotsPS1Arith  = 8
	slotsPS11Tex   = 4
	slotsPS14Tex   = 6
	slotsVS20      = 256
	slotsPS20Arith = 64
	slotsPS20Tex   = 32
	slotsPS2x      = 512
	slotsMax       = 32768
	dependentReads = 3  // order of dependent lookups
	staticFlows    = 16 // if b#, else, loop, rep and call in vs_2_0 and vs_2_x
)

// A nesting is how deep blocks of one kind may lie in each other, from the page "Flow Control Nesting Limits". Each
// kind has a limit of its own.
type nesting struct {
	stage                         uint32
	min, max                      uint32
	static, dynamic, loops, calls int
}

const noLimit = 1 << 30

var nestings = []nesting{
	{VS, v20, v20, noLimit, noLimit, 1, 1}, // static blocks are limited by their count alone; there are no others
	{VS, v2x, v2x, noLimit, 24, 4, 4},
	{VS, v30, v30, 24, 24, 4, 4},
	{PS, v2x, v30, 24, 24, 4, 4},
}

// depths gives the limits of a version; software profiles have those of version 3_0.
func depths(c isa.Context, software bool) nesting {
	for _, n := range nestings {
		if n.stage == c.Stage && n.min <= c.Version && c.Version <= n.max {
			if software {
				n.static = 24
			}
			return n
		}
	}
	return nesting{static: noLimit, dynamic: noLimit, loops: noLimit, calls: noLimit} // it has no flow control
}
