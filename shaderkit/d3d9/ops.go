package d3d9

import (
	"swizzle/shaderkit/ir"
	"swizzle/shaderkit/isa"
)

// Classes of ops, in isa.Op.Class.
const (
	classTexture = 1 << iota // counts as a texture instruction
	classScalar              // takes one lane of its source, named by a replicate swizzle
	classOpen                // opens a nested block
	classClose               // closes one
	classMatrix              // reads several consecutive registers from its second source
	classDeclare             // declares or defines; no instruction of the program flow
	classNoPred              // cannot be predicated
	classFlow                // flow control
)

func vs(min, max uint32, slots uint8) isa.Avail {
	return isa.Avail{Stages: 1 << VS, Min: min, Max: max, Slots: slots}
}

func ps(min, max uint32, slots uint8) isa.Avail {
	return isa.Avail{Stages: 1 << PS, Min: min, Max: max, Slots: slots}
}

func in(a ...isa.Avail) []isa.Avail { return a }

// Operand lists that many rows share.
var (
	opD    = []isa.Operand{{Name: "dst", Role: "write", Doc: "the result"}}
	opDS   = append(opD[:1:1], isa.Operand{Name: "src0", Role: "read", Doc: "the source"})
	opDSS  = append(opD[:1:1], isa.Operand{Name: "src0", Role: "read", Doc: "the first source"}, isa.Operand{Name: "src1", Role: "read", Doc: "the second source"})
	opDSSS = append(opDSS[:3:3], isa.Operand{Name: "src2", Role: "read", Doc: "the third source"})
	opMat  = append(opD[:1:1], isa.Operand{Name: "src0", Role: "read", Doc: "the vector"}, isa.Operand{Name: "src1", Role: "read", Doc: "the first of consecutive registers that hold the rows of the matrix"})
	opTex  = append(opD[:1:1], isa.Operand{Name: "src0", Role: "read", Doc: "the coordinates"}, isa.Operand{Name: "src1", Role: "sampler", Doc: "the sampler"})
	opBool = []isa.Operand{{Name: "src0", Role: "read", Doc: "a boolean constant b#, or one lane of the predicate; ! negates it"}}
	opCmp  = []isa.Operand{{Name: "src0", Role: "read", Doc: "the left side, one lane"}, {Name: "src1", Role: "read", Doc: "the right side, one lane"}}
	opInt  = []isa.Operand{{Name: "src0", Role: "read", Doc: "an integer constant i#"}}
	opLab  = []isa.Operand{{Name: "src0", Role: "label", Doc: "the label"}}
)

const zeroWins = " A product with a zero factor is zero, whatever the other factor is, infinity and NaN included."

// ops is the table: one row per opcode. Rows of one code are tried in order; a row of another layout
// follows the row it varies.
var ops = []*isa.Op{
	{Name: "nop", Code: 0, Lower: lowerFunc(lowerNop), Form: formNone, Avail: in(vs(v10, v30, 0), ps(v10, v30, 0)), Doc: isa.Doc{
		Summary: "Does nothing.", Pseudo: "", Example: "nop", ExampleVersion: "vs_2_0"}},
	{Name: "mov", Code: 1, Lower: each(1, move), Form: formDS, Operands: opDS, Avail: in(vs(v10, v30, 1), ps(v10, v30, 1)), Doc: isa.Doc{
		Summary: "Copies a register. In vs_1_1 a write to a0.x rounds down to an integer; later versions use mova for that.",
		Pseudo:  "dst = src0", Example: "mov r0, c1.wzyx", ExampleVersion: "vs_2_0"}},
	{Name: "add", Code: 2, Lower: each(2, plain(ir.FAdd)), Form: formDSS, Operands: opDSS, Avail: in(vs(v10, v30, 1), ps(v10, v30, 1)), Doc: isa.Doc{
		Summary: "Adds lane by lane.", Pseudo: "dst = src0 + src1", Example: "add r0, c0, -r1", ExampleVersion: "vs_2_0"}},
	{Name: "sub", Code: 3, Lower: each(2, plain(ir.FSub)), Form: formDSS, Operands: opDSS, Keep: []string{"code"}, Avail: in(vs(v10, v30, 1), ps(v20, v30, 1)), Doc: isa.Doc{
		Summary: "Subtracts lane by lane. Assemblers store it as add with the second source negated, except in ps_1_x; {code=3} keeps the opcode.",
		Pseudo:  "dst = src0 - src1", Example: "sub r0, c0, r1 {code=3}", ExampleVersion: "vs_2_0"}},
	{Name: "sub", Code: 3, Lower: each(2, plain(ir.FSub)), Form: formDSS, Operands: opDSS, Alt: true, Avail: in(ps(v10, v14, 1)), Doc: isa.Doc{
		Summary: "Subtracts lane by lane. In ps_1_x it is stored as it is.", Pseudo: "dst = src0 - src1", Example: "sub r0, c0, r1", ExampleVersion: "ps_1_1"}},
	{Name: "mad", Code: 4, Lower: each(3, mad), Form: formDSSS, Operands: opDSSS, Avail: in(vs(v10, v30, 1), ps(v10, v30, 1)), Doc: isa.Doc{
		Summary: "Multiplies, then adds. The product is rounded before the addition." + zeroWins,
		Pseudo:  "dst = src0 * src1 + src2", Example: "mad r0, r1, c0, c0.w", ExampleVersion: "vs_2_0"}},
	{Name: "mul", Code: 5, Lower: each(2, mul), Form: formDSS, Operands: opDSS, Avail: in(vs(v10, v30, 1), ps(v10, v30, 1)), Doc: isa.Doc{
		Summary: "Multiplies lane by lane." + zeroWins, Pseudo: "dst = src0 * src1", Example: "mul r0.xyz, r1, c0.w", ExampleVersion: "vs_2_0"}},
	{Name: "rcp", Code: 6, Lower: scalar(1, rcp), Form: formDS, Operands: opDS, Class: classScalar, Avail: in(vs(v10, v30, 1), ps(v20, v30, 1)), Doc: isa.Doc{
		Summary: "The reciprocal of one lane, in every lane that is written. It is exact at 1; of zero it is infinity with the sign of the zero.",
		Pseudo:  "dst = 1 / src0.lane", Example: "rcp r0.x, r1.w", ExampleVersion: "ps_2_0"}},
	{Name: "rsq", Code: 7, Lower: scalar(1, rsq), Form: formDS, Operands: opDS, Class: classScalar, Avail: in(vs(v10, v30, 1), ps(v20, v30, 1)), Doc: isa.Doc{
		Summary: "The reciprocal square root of the absolute value of one lane. Of zero it is infinity.",
		Pseudo:  "dst = 1 / sqrt(abs(src0.lane))", Example: "rsq r0.x, r1.x", ExampleVersion: "ps_2_0"}},
	{Name: "dp3", Code: 8, Lower: dot(3), Form: formDSS, Operands: opDSS, Avail: in(vs(v10, v30, 1), ps(v10, v30, 1)), Doc: isa.Doc{
		Summary: "The dot product of three lanes, in every lane that is written." + zeroWins,
		Pseudo:  "dst = src0.x*src1.x + src0.y*src1.y + src0.z*src1.z", Example: "dp3 r0.x, r1, c0", ExampleVersion: "vs_2_0"}},
	{Name: "dp4", Code: 9, Lower: dot(4), Form: formDSS, Operands: opDSS, Avail: in(vs(v10, v30, 1), ps(v12, v30, 1)), Doc: isa.Doc{
		Summary: "The dot product of four lanes, in every lane that is written." + zeroWins,
		Pseudo:  "dst = src0.x*src1.x + src0.y*src1.y + src0.z*src1.z + src0.w*src1.w", Example: "dp4 oPos.x, r0, c0", ExampleVersion: "vs_2_0"}},
	{Name: "min", Code: 10, Lower: each(2, extreme(ir.FMin)), Form: formDSS, Operands: opDSS, Avail: in(vs(v10, v30, 1), ps(v20, v30, 1)), Doc: isa.Doc{
		Summary: "The smaller of two values, lane by lane. Of a NaN and a number it is the number.",
		Pseudo:  "dst = src0 < src1 ? src0 : src1", Example: "min r0, r1, c0", ExampleVersion: "vs_2_0"}},
	{Name: "max", Code: 11, Lower: each(2, extreme(ir.FMax)), Form: formDSS, Operands: opDSS, Avail: in(vs(v10, v30, 1), ps(v20, v30, 1)), Doc: isa.Doc{
		Summary: "The larger of two values, lane by lane. Of a NaN and a number it is the number.",
		Pseudo:  "dst = src0 >= src1 ? src0 : src1", Example: "max r0, r1, -r1", ExampleVersion: "vs_2_0"}},
	{Name: "slt", Code: 12, Lower: each(2, slt), Form: formDSS, Operands: opDSS, Avail: in(vs(v10, v30, 1)), Doc: isa.Doc{
		Summary: "Is one where the first source is less than the second, else zero. A NaN compares false.",
		Pseudo:  "dst = src0 < src1 ? 1 : 0", Example: "slt r0, r1, c0", ExampleVersion: "vs_2_0"}},
	{Name: "sge", Code: 13, Lower: each(2, sge), Form: formDSS, Operands: opDSS, Avail: in(vs(v10, v30, 1)), Doc: isa.Doc{
		Summary: "Is one where the first source is at least the second, else zero. A NaN compares false.",
		Pseudo:  "dst = src0 >= src1 ? 1 : 0", Example: "sge r0, r1, c0", ExampleVersion: "vs_2_0"}},
	{Name: "exp", Code: 14, Lower: scalar(1, plain(ir.FExp2)), Form: formDS, Operands: opDS, Class: classScalar, Avail: in(vs(v10, v11, 10), vs(v20, v30, 1), ps(v20, v30, 1)), Doc: isa.Doc{
		Summary: "Two to the power of one lane, in every lane that is written, with at least 21 bits.",
		Pseudo:  "dst = 2 ^ src0.lane", Example: "exp r0.x, r1.x", ExampleVersion: "vs_2_0"}},
	{Name: "log", Code: 15, Lower: scalar(1, logarithm), Form: formDS, Operands: opDS, Class: classScalar, Avail: in(vs(v10, v11, 10), vs(v20, v30, 1), ps(v20, v30, 1)), Doc: isa.Doc{
		Summary: "The base two logarithm of the absolute value of one lane. Of zero it is minus infinity.",
		Pseudo:  "dst = log2(abs(src0.lane))", Example: "log r0.x, r1.x", ExampleVersion: "vs_2_0"}},
	{Name: "lit", Code: 16, Lower: lowerFunc(lowerLit), Form: formDS, Operands: opDS, Avail: in(vs(v10, v11, 1), vs(v20, v30, 3)), Doc: isa.Doc{
		Summary: "Lighting factors from a diffuse term x, a specular term y and a power w. The power is clamped to +-127.9961.",
		Pseudo:  "dst.x = 1; dst.y = max(src0.x, 0); dst.z = src0.x > 0 && src0.y > 0 ? src0.y ^ src0.w : 0; dst.w = 1", Example: "lit r0, r1", ExampleVersion: "vs_2_0"}},
	{Name: "dst", Code: 17, Lower: lowerFunc(lowerDst), Form: formDSS, Operands: opDSS, Avail: in(vs(v10, v30, 1)), Doc: isa.Doc{
		Summary: "The distance vector (1, d, d*d, 1/d) from (_, d*d, d*d, _) and (_, 1/d, _, 1/d)." + zeroWins,
		Pseudo:  "dst = (1, src0.y * src1.y, src0.z, src1.w)", Example: "dst r0, r1, r2", ExampleVersion: "vs_2_0"}},
	{Name: "lrp", Code: 18, Lower: each(3, lrp), Form: formDSSS, Operands: opDSSS, Avail: in(vs(v20, v30, 1), ps(v10, v30, 1)), Doc: isa.Doc{
		Summary: "Interpolates between the third source and the second by the first." + zeroWins,
		Pseudo:  "dst = src0 * (src1 - src2) + src2", Example: "lrp r0, r1.x, r2, c0", ExampleVersion: "ps_2_0"}},
	{Name: "frc", Code: 19, Lower: each(1, frc), Form: formDS, Operands: opDS, Avail: in(vs(v10, v11, 3), vs(v20, v30, 1), ps(v20, v30, 1)), Doc: isa.Doc{
		Summary: "The fractional part, at least zero and less than one. vs_1_1 writes .y or .xy alone.",
		Pseudo:  "dst = src0 - floor(src0)", Example: "frc r0, r1", ExampleVersion: "vs_2_0"}},
	{Name: "m4x4", Code: 20, Lower: matrix(4), Form: formDSS, Operands: opMat, Class: classMatrix, Avail: in(vs(v10, v30, 4), ps(v20, v30, 4)), Doc: isa.Doc{
		Summary: "Multiplies a vector by a matrix of four rows in four registers: four dp4." + zeroWins,
		Pseudo:  "dst.x = dp4(src0, src1); dst.y = dp4(src0, src1+1); dst.z = dp4(src0, src1+2); dst.w = dp4(src0, src1+3)", Example: "m4x4 oPos, v0, c0", ExampleVersion: "vs_2_0"}},
	{Name: "m4x3", Code: 21, Lower: matrix(4), Form: formDSS, Operands: opMat, Class: classMatrix, Avail: in(vs(v10, v30, 3), ps(v20, v30, 3)), Doc: isa.Doc{
		Summary: "Multiplies a vector by a matrix of three rows in three registers: three dp4." + zeroWins,
		Pseudo:  "dst.x = dp4(src0, src1); dst.y = dp4(src0, src1+1); dst.z = dp4(src0, src1+2)", Example: "m4x3 r0.xyz, v0, c0", ExampleVersion: "vs_2_0"}},
	{Name: "m3x4", Code: 22, Lower: matrix(3), Form: formDSS, Operands: opMat, Class: classMatrix, Avail: in(vs(v10, v30, 4), ps(v20, v30, 4)), Doc: isa.Doc{
		Summary: "Multiplies three lanes by a matrix of four rows in four registers: four dp3." + zeroWins,
		Pseudo:  "dst.x = dp3(src0, src1); dst.y = dp3(src0, src1+1); dst.z = dp3(src0, src1+2); dst.w = dp3(src0, src1+3)", Example: "m3x4 r0, v0, c0", ExampleVersion: "vs_2_0"}},
	{Name: "m3x3", Code: 23, Lower: matrix(3), Form: formDSS, Operands: opMat, Class: classMatrix, Avail: in(vs(v10, v30, 3), ps(v20, v30, 3)), Doc: isa.Doc{
		Summary: "Multiplies three lanes by a matrix of three rows in three registers: three dp3. Masks other than .xyz occur." + zeroWins,
		Pseudo:  "dst.x = dp3(src0, src1); dst.y = dp3(src0, src1+1); dst.z = dp3(src0, src1+2)", Example: "m3x3 r0.xyz, v0, c0", ExampleVersion: "vs_2_0"}},
	{Name: "m3x2", Code: 24, Lower: matrix(3), Form: formDSS, Operands: opMat, Class: classMatrix, Avail: in(vs(v10, v30, 2), ps(v20, v30, 2)), Doc: isa.Doc{
		Summary: "Multiplies three lanes by a matrix of two rows in two registers: two dp3." + zeroWins,
		Pseudo:  "dst.x = dp3(src0, src1); dst.y = dp3(src0, src1+1)", Example: "m3x2 r0.xy, v0, c0", ExampleVersion: "vs_2_0"}},
	{Name: "call", Code: 25, Lower: lowerFunc(lowerCall), Form: formS, Operands: opLab, Class: classNoPred | classFlow, Avail: in(vs(v20, v30, 2), ps(v2x, v30, 2)), Doc: isa.Doc{
		Summary: "Calls the subroutine at a label. Subroutines stand behind the first ret and cannot call themselves.",
		Pseudo:  "push the next instruction; go to src0", Example: "call l0", ExampleVersion: "vs_2_0"}},
	{Name: "callnz", Code: 26, Lower: lowerFunc(lowerCall), Form: formSS, Operands: []isa.Operand{opLab[0], {Name: "src1", Role: "read", Doc: "a boolean constant b#, or one lane of the predicate; ! negates it"}},
		Class: classNoPred | classFlow, Avail: in(vs(v20, v30, 3), ps(v2x, v30, 3)), Doc: isa.Doc{
			Summary: "Calls the subroutine at a label if a boolean constant or, from 2_x on, a predicate lane is true.",
			Pseudo:  "if (src1) call src0", Example: "callnz l0, !b0", ExampleVersion: "vs_2_0"}},
	{Name: "loop", Code: 27, Lower: lowerFunc(lowerLoop), Form: formSS, Operands: []isa.Operand{{Name: "src0", Role: "write", Doc: "the loop counter aL"}, {Name: "src1", Role: "read", Doc: "an integer constant: count, start, step"}},
		Class: classNoPred | classFlow | classOpen, Avail: in(vs(v20, v30, 3), ps(v30, v30, 3)), Doc: isa.Doc{
			Summary: "Repeats up to endloop i.x times, at most 255, with aL starting at i.y and stepping by i.z. aL has its old value again behind the loop.",
			Pseudo:  "for (n = src1.x, aL = src1.y; n > 0; n--, aL += src1.z)", Example: "loop aL, i0", ExampleVersion: "vs_2_0"}},
	{Name: "ret", Code: 28, Lower: lowerFunc(lowerRet), Form: formNone, Class: classNoPred | classFlow, Avail: in(vs(v20, v30, 1), ps(v2x, v30, 1)), Doc: isa.Doc{
		Summary: "Returns from a subroutine, or ends the main program.", Pseudo: "go to the pushed instruction", Example: "ret", ExampleVersion: "vs_2_0"}},
	{Name: "endloop", Code: 29, Lower: lowerFunc(lowerEndloop), Form: formNone, Class: classNoPred | classFlow | classClose, Avail: in(vs(v20, v30, 2), ps(v30, v30, 2)), Doc: isa.Doc{
		Summary: "Ends a loop block.", Pseudo: "next round of loop", Example: "endloop", ExampleVersion: "vs_2_0"}},
	{Name: "label", Code: 30, Form: formS, Operands: opLab, Class: classNoPred | classFlow, Avail: in(vs(v20, v30, 0), ps(v2x, v30, 0)), Doc: isa.Doc{
		Summary: "Marks the start of a subroutine. It follows a ret.", Pseudo: "src0:", Example: "label l0", ExampleVersion: "vs_2_0"}},
	{Name: "dcl", Code: 31, Form: formDclSampler, Match: when(eq("dst.type", RegSampler)), Operands: opD, Class: classDeclare | classNoPred, Avail: in(vs(v30, v30, 0), ps(v20, v30, 0)), Doc: isa.Doc{
		Summary: "Declares a register: the texture kind of a sampler (dcl_2d s0), the meaning of an input or output (dcl_texcoord1 v0), or that it is in use (dcl t0).",
		Pseudo:  "", Example: "dcl_cube s1", ExampleVersion: "ps_2_0"}},
	{Name: "dcl", Code: 31, Form: formDclUsage, Match: when(not("dst.type", RegSampler, RegMisc)), Operands: opD, Class: classDeclare | classNoPred, Alt: true, Avail: in(vs(v10, v30, 0), ps(v30, v30, 0)), Doc: isa.Doc{
		Summary: "Declares what an input or output register holds. Several declarations may share a register when their masks do not meet.",
		Example: "dcl_texcoord1 v1.xy", ExampleVersion: "vs_3_0"}},
	{Name: "dcl", Code: 31, Form: formDclPlain, Match: when(not("dst.type", RegSampler)), Operands: opD, Class: classDeclare | classNoPred, Alt: true, Avail: in(vs(v20, v30, 0), ps(v20, v30, 0)), Doc: isa.Doc{
		Summary: "Declares an input register that needs no meaning: t# and v# of ps_2_x, vPos and vFace of ps_3_0.",
		Example: "dcl_pp t0.xy", ExampleVersion: "ps_2_0"}},
	{Name: "pow", Code: 32, Lower: scalar(2, power), Form: formDSS, Operands: opDSS, Class: classScalar, Avail: in(vs(v20, v30, 3), ps(v20, v30, 3)), Doc: isa.Doc{
		Summary: "The absolute value of one lane to the power of another. With a zero exponent it is one.",
		Pseudo:  "dst = abs(src0.lane) ^ src1.lane", Example: "pow r0.x, r1.x, c0.y", ExampleVersion: "vs_2_0"}},
	{Name: "crs", Code: 33, Lower: lowerFunc(lowerCrs), Form: formDSS, Operands: opDSS, Avail: in(vs(v20, v30, 2), ps(v20, v30, 2)), Doc: isa.Doc{
		Summary: "The cross product. It writes lanes of xyz and is not allowed to overwrite its sources." + zeroWins,
		Pseudo:  "dst.xyz = src0.yzx * src1.zxy - src0.zxy * src1.yzx", Example: "crs r0.xyz, r1, r2", ExampleVersion: "vs_2_0"}},
	{Name: "sgn", Code: 34, Lower: each(1, sign), Form: formDSSS, Operands: opDSSS, Avail: in(vs(v20, v30, 3)), Doc: isa.Doc{
		Summary: "The sign: -1, 0 or 1. The second and third source are temporaries that it may overwrite.",
		Pseudo:  "dst = src0 < 0 ? -1 : src0 > 0 ? 1 : 0", Example: "sgn r0, r1, r2, r3", ExampleVersion: "vs_2_0"}},
	{Name: "sgn", Code: 34, Lower: each(1, sign), Form: formDS, Operands: opDS, Alt: true, Avail: in(vs(v30, v30, 3)), Doc: isa.Doc{
		Summary: "The sign without scratch registers, as some vs_3_0 code has it.", Example: "sgn r0, r1", ExampleVersion: "vs_3_0"}},
	{Name: "abs", Code: 35, Lower: each(1, plain(ir.FAbs)), Form: formDS, Operands: opDS, Avail: in(vs(v20, v30, 1), ps(v20, v30, 1)), Doc: isa.Doc{
		Summary: "The absolute value.", Pseudo: "dst = abs(src0)", Example: "abs r0, r1", ExampleVersion: "vs_2_0"}},
	{Name: "nrm", Code: 36, Lower: lowerFunc(lowerNrm), Form: formDS, Operands: opDS, Avail: in(vs(v20, v30, 3), ps(v20, v30, 3)), Doc: isa.Doc{
		Summary: "Scales by the reciprocal length of xyz. All lanes that are written are scaled, w too; only xyz enter the length. A zero vector stays zero.",
		Pseudo:  "dst = src0 * rsq(dp3(src0, src0))", Example: "nrm r0.xyz, r1", ExampleVersion: "vs_2_0"}},
	{Name: "sincos", Code: 37, Lower: lowerFunc(lowerSincos), Form: formDSSS, Operands: []isa.Operand{opD[0], {Name: "src0", Role: "read", Doc: "the angle, one lane, within -pi to pi"}, {Name: "src1", Role: "read", Doc: "constants -1.55009923e-006, -2.17013894e-005, 0.00260416674, 0.00026041668"}, {Name: "src2", Role: "read", Doc: "constants -0.020833334, -0.125, 1, 0.5"}},
		Class: classScalar, Avail: in(vs(v20, v2x, 8), ps(v20, v2x, 8)), Doc: isa.Doc{
			Summary: "Cosine in x and sine in y of one lane. Lanes of x, y and z that are not in the mask become undefined; w stays. Version 3_0 takes no constants.",
			Pseudo:  "dst.x = cos(src0.lane); dst.y = sin(src0.lane)", Example: "sincos r0.xy, r1.x, c0, c1", ExampleVersion: "ps_2_0"}},
	{Name: "sincos", Code: 37, Lower: lowerFunc(lowerSincos), Form: formDS, Operands: opDS, Class: classScalar, Alt: true, Avail: in(vs(v30, v30, 8), ps(v30, v30, 8)), Doc: isa.Doc{
		Summary: "Cosine in x and sine in y of one lane.", Pseudo: "dst.x = cos(src0.lane); dst.y = sin(src0.lane)", Example: "sincos r0.xy, v0.x", ExampleVersion: "ps_3_0"}},
	{Name: "rep", Code: 38, Lower: lowerFunc(lowerLoop), Form: formS, Operands: opInt, Class: classNoPred | classFlow | classOpen, Avail: in(vs(v20, v30, 3), ps(v2x, v30, 3)), Doc: isa.Doc{
		Summary: "Repeats up to endrep i.x times, at most 255. It leaves aL alone.",
		Pseudo:  "for (n = src0.x; n > 0; n--)", Example: "rep i0", ExampleVersion: "vs_2_0"}},
	{Name: "endrep", Code: 39, Lower: lowerFunc(lowerEndloop), Form: formNone, Class: classNoPred | classFlow | classClose, Avail: in(vs(v20, v30, 2), ps(v2x, v30, 2)), Doc: isa.Doc{
		Summary: "Ends a rep block.", Pseudo: "next round of rep", Example: "endrep", ExampleVersion: "vs_2_0"}},
	{Name: "if", Code: 40, Lower: lowerFunc(lowerIf), Form: formS, Operands: opBool, Class: classNoPred | classFlow | classOpen, Avail: in(vs(v20, v30, 3), ps(v2x, v30, 3)), Doc: isa.Doc{
		Summary: "Runs the block up to else or endif if a boolean constant or, from 2_x on, a predicate lane is true.",
		Pseudo:  "if (src0)", Example: "if !b0", ExampleVersion: "vs_2_0"}},
	{Name: "if", Code: 41, Lower: lowerFunc(lowerIf), Form: formCmp, Operands: opCmp, Class: classNoPred | classFlow | classOpen, Avail: in(vs(v2x, v30, 3), ps(v2x, v30, 3)), Doc: isa.Doc{
		Summary: "Runs the block up to else or endif if a comparison of two lanes holds: _gt, _lt, _ge, _le, _eq or _ne. A NaN compares false but for _ne.",
		Pseudo:  "if (src0.lane <comparison> src1.lane)", Example: "if_gt r0.x, c0.y", ExampleVersion: "vs_2_x"}},
	{Name: "else", Code: 42, Lower: lowerFunc(lowerElse), Form: formNone, Class: classNoPred | classFlow | classOpen | classClose, Avail: in(vs(v20, v30, 1), ps(v2x, v30, 1)), Doc: isa.Doc{
		Summary: "Begins the other block of an if.", Pseudo: "else", Example: "else", ExampleVersion: "vs_2_0"}},
	{Name: "endif", Code: 43, Lower: lowerFunc(lowerEndif), Form: formNone, Class: classNoPred | classFlow | classClose, Avail: in(vs(v20, v30, 1), ps(v2x, v30, 1)), Doc: isa.Doc{
		Summary: "Ends an if.", Pseudo: "end of if", Example: "endif", ExampleVersion: "vs_2_0"}},
	{Name: "break", Code: 44, Lower: lowerFunc(lowerBreak), Form: formNone, Class: classNoPred | classFlow, Avail: in(vs(v2x, v30, 1), ps(v2x, v30, 1)), Doc: isa.Doc{
		Summary: "Leaves the innermost loop or rep.", Pseudo: "break", Example: "break", ExampleVersion: "vs_2_x"}},
	{Name: "break", Code: 45, Lower: lowerFunc(lowerBreak), Form: formCmp, Operands: opCmp, Class: classNoPred | classFlow, Avail: in(vs(v2x, v30, 3), ps(v2x, v30, 3)), Doc: isa.Doc{
		Summary: "Leaves the innermost loop or rep if a comparison of two lanes holds.",
		Pseudo:  "if (src0.lane <comparison> src1.lane) break", Example: "break_ge r0.x, c0.x", ExampleVersion: "vs_2_x"}},
	{Name: "mova", Code: 46, Lower: each(1, move), Form: formDS, Operands: opDS, Avail: in(vs(v20, v30, 1)), Doc: isa.Doc{
		Summary: "Moves floats to the address register, rounded to the nearest integer, halves to the even one.",
		Pseudo:  "dst = round(src0)", Example: "mova a0.x, r0.x", ExampleVersion: "vs_2_0"}},
	{Name: "defb", Code: 47, Form: formDefb, Operands: opD, Class: classDeclare | classNoPred, Avail: in(vs(v20, v30, 0), ps(v2x, v30, 0)), Doc: isa.Doc{
		Summary: "Defines a boolean constant; the program's own definition wins over what the application sets.",
		Pseudo:  "dst = true or false", Example: "defb b0, true", ExampleVersion: "vs_2_0"}},
	{Name: "defi", Code: 48, Form: formDefi, Operands: opD, Class: classDeclare | classNoPred, Avail: in(vs(v20, v30, 0), ps(v2x, v30, 0)), Doc: isa.Doc{
		Summary: "Defines an integer constant, for loop and rep; the program's own definition wins over what the application sets.",
		Pseudo:  "dst = (x, y, z, w)", Example: "defi i0, 3, 0, 1, 0", ExampleVersion: "vs_2_0"}},
	{Name: "texkill", Code: 65, Lower: lowerFunc(lowerTexkill), Form: formD, Operands: []isa.Operand{{Name: "dst", Role: "read", Doc: "the register that is tested; it is read"}}, Avail: in(ps(v10, v30, 1)), Doc: isa.Doc{
		Summary: "Throws the pixel away if a tested lane is less than zero: x, y and z in ps_1_x, the lanes of the mask from ps_2_0 on.",
		Pseudo:  "if (any(dst < 0)) discard", Example: "texkill r0", ExampleVersion: "ps_2_0"}},
	{Name: "texldp", Code: 66, Lower: texture(ir.SampleImplicit, atProjected), Form: formTex, Match: when(eq("control", 1)), Operands: opTex, Class: classTexture, Avail: in(ps(v20, v30, 1)), Doc: isa.Doc{
		Summary: "Samples a texture at coordinates divided by w.",
		Pseudo:  "dst = sample(src1, src0.xyz / src0.w)", Example: "texldp r0, t0, s0", ExampleVersion: "ps_2_0"}},
	{Name: "texldb", Code: 66, Lower: texture(ir.SampleBias, atXYZW), Form: formTex, Match: when(eq("control", 2)), Operands: opTex, Class: classTexture, Avail: in(ps(v20, v30, 1)), Doc: isa.Doc{
		Summary: "Samples a texture with a bias of the level of detail in w.",
		Pseudo:  "dst = sample(src1, src0.xyz, lod + src0.w)", Example: "texldb r0, t0, s0", ExampleVersion: "ps_2_0"}},
	{Name: "texld", Code: 66, Lower: texture(ir.SampleImplicit, atXYZ), Form: formTex, Operands: opTex, Class: classTexture, Avail: in(ps(v20, v30, 1)), Doc: isa.Doc{
		Summary: "Samples a texture. The swizzle of a sampler in ps_3_0 applies to the sampled value.",
		Pseudo:  "dst = sample(src1, src0)", Example: "texld r0, t0, s0", ExampleVersion: "ps_2_0"}},
	{Name: "expp", Code: 78, Lower: lowerFunc(lowerExpp), Form: formDS, Operands: opDS, Class: classScalar, Avail: in(vs(v10, v30, 1)), Doc: isa.Doc{
		Summary: "Two to the power of one lane with at least 10 bits, in every lane that is written. vs_1_1 gives (2^floor, fraction, 2^lane, 1).",
		Pseudo:  "dst = 2 ^ src0.lane", Example: "expp r0.x, r1.x", ExampleVersion: "vs_2_0"}},
	{Name: "logp", Code: 79, Lower: scalar(1, logarithm), Form: formDS, Operands: opDS, Class: classScalar, Avail: in(vs(v10, v30, 1)), Doc: isa.Doc{
		Summary: "The base two logarithm of the absolute value of one lane with at least 10 bits. Of zero it is minus infinity.",
		Pseudo:  "dst = log2(abs(src0.lane))", Example: "logp r0.x, r1.x", ExampleVersion: "vs_2_0"}},
	{Name: "cnd", Code: 80, Lower: lowerFunc(lowerCnd), Form: formDSSS, Operands: opDSSS, Avail: in(ps(v10, v14, 1)), Doc: isa.Doc{
		Summary: "Chooses by a comparison with 0.5. ps_1_1 to ps_1_3 test r0.a alone; there the second of a co-issued pair takes the second source, whatever r0.a is, unless it writes alpha alone.",
		Pseudo:  "dst = src0 > 0.5 ? src1 : src2", Example: "cnd r1, r0.w, c0, c1", ExampleVersion: "ps_1_1"}},
	{Name: "def", Code: 81, Form: formDef, Operands: opD, Class: classDeclare | classNoPred, Avail: in(vs(v10, v30, 0), ps(v10, v30, 0)), Doc: isa.Doc{
		Summary: "Defines a float constant; the program's own definition wins over what the application sets.",
		Pseudo:  "dst = (x, y, z, w)", Example: "def c0, 0, 0.5, 1, -2.5e-3", ExampleVersion: "vs_2_0"}},
	{Name: "cmp", Code: 88, Lower: each(3, choose), Form: formDSSS, Operands: opDSSS, Avail: in(ps(v12, v30, 1)), Doc: isa.Doc{
		Summary: "Chooses by the sign: the second source where the first is at least zero, -0 included, else the third; a NaN takes the third.",
		Pseudo:  "dst = src0 >= 0 ? src1 : src2", Example: "cmp r0, r1, c0, c1", ExampleVersion: "ps_2_0"}},
	{Name: "dp2add", Code: 90, Lower: lowerFunc(lowerDp2add), Form: formDSSS, Operands: opDSSS, Avail: in(ps(v20, v30, 2)), Doc: isa.Doc{
		Summary: "The dot product of two lanes plus one lane of the third source, which takes a replicate swizzle." + zeroWins,
		Pseudo:  "dst = src0.x*src1.x + src0.y*src1.y + src2.lane", Example: "dp2add r0, r1, c0, c1.x", ExampleVersion: "ps_2_0"}},
	{Name: "dsx", Code: 91, Lower: each(1, plain(ir.DDX)), Form: formDS, Operands: opDS, Avail: in(ps(v2x, v30, 2)), Doc: isa.Doc{
		Summary: "The change of the source from one pixel to the next on the right. It is undefined inside divergent flow.",
		Pseudo:  "dst = d(src0)/dx", Example: "dsx r0, r1", ExampleVersion: "ps_2_x"}},
	{Name: "dsy", Code: 92, Lower: each(1, plain(ir.DDY)), Form: formDS, Operands: opDS, Avail: in(ps(v2x, v30, 2)), Doc: isa.Doc{
		Summary: "The change of the source from one pixel to the next below. It is undefined inside divergent flow.",
		Pseudo:  "dst = d(src0)/dy", Example: "dsy r0, r1", ExampleVersion: "ps_2_x"}},
	{Name: "texldd", Code: 93, Lower: texture(ir.SampleGrad, atGradients), Form: formD4S, Operands: []isa.Operand{opTex[0], opTex[1], opTex[2], {Name: "src2", Role: "read", Doc: "the change of the coordinates to the right"}, {Name: "src3", Role: "read", Doc: "the change of the coordinates downwards"}},
		Class: classTexture, Avail: in(ps(v2x, v30, 3)), Doc: isa.Doc{
			Summary: "Samples a texture with given gradients.", Pseudo: "dst = sample(src1, src0, ddx = src2, ddy = src3)", Example: "texldd r0, t0, s0, r1, r2", ExampleVersion: "ps_2_x"}},
	{Name: "setp", Code: 94, Lower: lowerFunc(lowerSetp), Form: formSetp, Operands: opDSS, Class: classNoPred, Avail: in(vs(v2x, v30, 1), ps(v2x, v30, 1)), Doc: isa.Doc{
		Summary: "Sets lanes of the predicate register from comparisons lane by lane.",
		Pseudo:  "dst = src0 <comparison> src1", Example: "setp_lt p0.xy, r0, c0", ExampleVersion: "vs_2_x"}},
	{Name: "texldl", Code: 95, Lower: texture(ir.SampleLevel, atXYZW), Form: formDSS, Operands: opTex, Class: classTexture, Avail: in(vs(v30, v30, 2), ps(v30, v30, 2)), Doc: isa.Doc{
		Summary: "Samples a texture at the level of detail in w. A negative level takes level 0 with the magnification filter.",
		Pseudo:  "dst = sample(src1, src0.xyz, lod = src0.w)", Example: "texldl r0, v0, s0", ExampleVersion: "vs_3_0"}},
	{Name: "breakp", Also: []string{"break"}, Code: 96, Lower: lowerFunc(lowerBreak), Form: formS, Operands: []isa.Operand{{Name: "src0", Role: "read", Doc: "one lane of the predicate; ! negates it"}}, Class: classNoPred | classFlow, Avail: in(vs(v2x, v30, 3), ps(v2x, v30, 3)), Doc: isa.Doc{
		Summary: "Leaves the innermost loop or rep if a predicate lane is true.", Pseudo: "if (src0) break", Example: "breakp p0.x", ExampleVersion: "vs_2_x"}},

	// Instructions of ps_1_x alone.
	{Name: "texcoord", Code: 64, Lower: lowerFunc(lowerTexcoord), Form: formD, Operands: opD, Class: classTexture, Avail: in(ps(v10, v13, 1)), Doc: isa.Doc{
		Summary: "Reads the coordinates of the stage that the destination names, clamped to 0..1, with one in w.",
		Pseudo:  "dst = (clamp(coord[n].xyz, 0, 1), 1)", Example: "texcoord t0", ExampleVersion: "ps_1_1"}},
	{Name: "texcrd", Code: 64, Lower: each(1, move), Form: formDS, Operands: opDS, Class: classTexture, Avail: in(ps(v14, v14, 1)), Doc: isa.Doc{
		Summary: "Reads coordinates without a clamp; lanes behind the third, or behind the second with _dw, are undefined.",
		Pseudo:  "dst = src0", Example: "texcrd r0.xyz, t0", ExampleVersion: "ps_1_4"}},
	{Name: "tex", Code: 66, Lower: stageSample(atStage), Form: formD, Operands: opD, Class: classTexture, Avail: in(ps(v10, v13, 1)), Doc: isa.Doc{
		Summary: "Samples the texture of the stage that the destination names at that stage's coordinates.",
		Pseudo:  "dst = sample(stage n, coord[n])", Example: "tex t0", ExampleVersion: "ps_1_1"}},
	{Name: "texld", Code: 66, Lower: stageSample(atSource), Form: formDS, Operands: opDS, Class: classTexture, Alt: true, Avail: in(ps(v14, v14, 1)), Doc: isa.Doc{
		Summary: "Samples the texture of the stage that the destination names at given coordinates.",
		Pseudo:  "dst = sample(stage n, src0)", Example: "texld r0, t0", ExampleVersion: "ps_1_4"}},
	{Name: "texbem", Code: 67, Lower: stageSample(atBump), Form: formDS, Operands: opDS, Class: classTexture, Avail: in(ps(v10, v13, 1)), Doc: isa.Doc{
		Summary: "Samples at the stage's coordinates moved by the source through the stage's bump matrix.",
		Pseudo:  "u = coord.x + M00*src0.r + M10*src0.g; v = coord.y + M01*src0.r + M11*src0.g; dst = sample(stage n, u, v)", Example: "texbem t1, t0", ExampleVersion: "ps_1_1"}},
	{Name: "texbeml", Code: 68, Lower: lowerFunc(lowerTexbeml), Form: formDS, Operands: opDS, Class: classTexture, Avail: in(ps(v10, v13, 1)), Doc: isa.Doc{
		Summary: "texbem, with the colour scaled by a luminance from the blue lane of the source.",
		Pseudo:  "dst = texbem * (src0.b * scale + offset)", Example: "texbeml t1, t0", ExampleVersion: "ps_1_1"}},
	{Name: "texreg2ar", Code: 69, Lower: stageSample(atLanes(3, 0)), Form: formDS, Operands: opDS, Class: classTexture, Avail: in(ps(v10, v13, 1)), Doc: isa.Doc{
		Summary: "Samples at the alpha and red lanes of the source.",
		Pseudo:  "dst = sample(stage n, src0.a, src0.r)", Example: "texreg2ar t1, t0", ExampleVersion: "ps_1_1"}},
	{Name: "texreg2gb", Code: 70, Lower: stageSample(atLanes(1, 2)), Form: formDS, Operands: opDS, Class: classTexture, Avail: in(ps(v10, v13, 1)), Doc: isa.Doc{
		Summary: "Samples at the green and blue lanes of the source.",
		Pseudo:  "dst = sample(stage n, src0.g, src0.b)", Example: "texreg2gb t1, t0", ExampleVersion: "ps_1_1"}},
	{Name: "texm3x2pad", Code: 71, Lower: lowerFunc(lowerPad), Form: formDS, Operands: opDS, Class: classTexture, Avail: in(ps(v10, v13, 1)), Doc: isa.Doc{
		Summary: "The first row of a matrix of two rows; texm3x2tex or texm3x2depth follows.",
		Pseudo:  "u = dp3(coord[n], src0)", Example: "texm3x2pad t1, t0_bx2", ExampleVersion: "ps_1_1"}},
	{Name: "texm3x2tex", Code: 72, Lower: stageSample(atMatrix2), Form: formDS, Operands: opDS, Class: classTexture, Avail: in(ps(v10, v13, 1)), Doc: isa.Doc{
		Summary: "The second row of a matrix of two rows, then a sample at the two products.",
		Pseudo:  "v = dp3(coord[n], src0); dst = sample(stage n, u, v)", Example: "texm3x2tex t2, t0_bx2", ExampleVersion: "ps_1_1"}},
	{Name: "texm3x3pad", Code: 73, Lower: lowerFunc(lowerPad), Form: formDS, Operands: opDS, Class: classTexture, Avail: in(ps(v10, v13, 1)), Doc: isa.Doc{
		Summary: "The first or second row of a matrix of three rows.",
		Pseudo:  "u or v = dp3(coord[n], src0)", Example: "texm3x3pad t1, t0_bx2", ExampleVersion: "ps_1_1"}},
	{Name: "texm3x3tex", Code: 74, Lower: stageSample(atMatrix3), Form: formDS, Operands: opDS, Class: classTexture, Avail: in(ps(v10, v13, 1)), Doc: isa.Doc{
		Summary: "The third row of a matrix of three rows, then a sample at the three products.",
		Pseudo:  "w = dp3(coord[n], src0); dst = sample(stage n, u, v, w)", Example: "texm3x3tex t3, t0_bx2", ExampleVersion: "ps_1_1"}},
	{Name: "texm3x3spec", Code: 76, Lower: stageSample(atReflection(eyeConstant)), Form: formDSS, Operands: opDSS, Class: classTexture, Avail: in(ps(v10, v13, 1)), Doc: isa.Doc{
		Summary: "The third row of a matrix of three rows, then a sample along the reflection of an eye vector from a constant.",
		Pseudo:  "N = (u, v, w); dst = sample(stage n, 2*dot(N, src1)/dot(N, N)*N - src1)", Example: "texm3x3spec t3, t0, c0", ExampleVersion: "ps_1_1"}},
	{Name: "texm3x3vspec", Code: 77, Lower: stageSample(atReflection(eyeVarying)), Form: formDS, Operands: opDS, Class: classTexture, Avail: in(ps(v10, v13, 1)), Doc: isa.Doc{
		Summary: "The third row of a matrix of three rows, then a sample along the reflection of an eye vector from the w of the three coordinates.",
		Pseudo:  "N = (u, v, w); E = (coord[n-2].w, coord[n-1].w, coord[n].w); dst = sample(stage n, 2*dot(N, E)/dot(N, N)*N - E)", Example: "texm3x3vspec t3, t0_bx2", ExampleVersion: "ps_1_1"}},
	{Name: "texreg2rgb", Code: 82, Lower: stageSample(atLanes(0, 1, 2)), Form: formDS, Operands: opDS, Class: classTexture, Avail: in(ps(v12, v13, 1)), Doc: isa.Doc{
		Summary: "Samples at the red, green and blue lanes of the source.",
		Pseudo:  "dst = sample(stage n, src0.rgb)", Example: "texreg2rgb t1, t0", ExampleVersion: "ps_1_2"}},
	{Name: "texdp3tex", Code: 83, Lower: stageSample(atDot), Form: formDS, Operands: opDS, Class: classTexture, Avail: in(ps(v12, v13, 1)), Doc: isa.Doc{
		Summary: "Samples at the dot product of the coordinates and the source.",
		Pseudo:  "dst = sample(stage n, dp3(coord[n], src0), 0)", Example: "texdp3tex t1, t0", ExampleVersion: "ps_1_2"}},
	{Name: "texm3x2depth", Code: 84, Lower: lowerFunc(lowerTexm3x2depth), Form: formDS, Operands: opDS, Class: classTexture, Avail: in(ps(v13, v13, 1)), Doc: isa.Doc{
		Summary: "The second row of a matrix of two rows; the quotient of the two products becomes the depth, one when the divisor is zero.",
		Pseudo:  "w = dp3(coord[n], src0); depth = w == 0 ? 1 : u / w", Example: "texm3x2depth t2, t0", ExampleVersion: "ps_1_3"}},
	{Name: "texdp3", Code: 85, Lower: lowerFunc(lowerTexdp3), Form: formDS, Operands: opDS, Class: classTexture, Avail: in(ps(v12, v13, 1)), Doc: isa.Doc{
		Summary: "The dot product of the coordinates and the source, in all lanes.",
		Pseudo:  "dst = dp3(coord[n], src0)", Example: "texdp3 t1, t0", ExampleVersion: "ps_1_2"}},
	{Name: "texm3x3", Code: 86, Lower: lowerFunc(lowerTexm3x3), Form: formDS, Operands: opDS, Class: classTexture, Avail: in(ps(v12, v13, 1)), Doc: isa.Doc{
		Summary: "The third row of a matrix of three rows; the products are the result.",
		Pseudo:  "dst = (u, v, dp3(coord[n], src0), 1)", Example: "texm3x3 t3, t0_bx2", ExampleVersion: "ps_1_2"}},
	{Name: "texdepth", Code: 87, Lower: lowerFunc(lowerTexdepth), Form: formD, Operands: opD, Avail: in(ps(v14, v14, 1)), Doc: isa.Doc{
		Summary: "The quotient r / g of r5 becomes the depth, one when g is zero. r5 is lost.",
		Pseudo:  "depth = dst.g == 0 ? 1 : dst.r / dst.g", Example: "texdepth r5", ExampleVersion: "ps_1_4"}},
	{Name: "bem", Code: 89, Lower: lowerFunc(lowerBem), Form: formDSS, Operands: opDSS, Avail: in(ps(v14, v14, 1)), Doc: isa.Doc{
		Summary: "Moves coordinates by the second source through the bump matrix of the stage that the destination names.",
		Pseudo:  "dst.r = src0.r + M00*src1.r + M10*src1.g; dst.g = src0.g + M01*src1.r + M11*src1.g", Example: "bem r1.xy, r1, r0", ExampleVersion: "ps_1_4"}},
	{Name: "phase", Code: 65533, Lower: lowerFunc(lowerPhase), Form: formNone, Operands: nil, Class: classFlow, Avail: in(ps(v14, v14, 0)), Doc: isa.Doc{
		Summary: "Ends the first phase of ps_1_4. Alpha lanes of temporaries are lost.",
		Pseudo:  "second phase", Example: "phase", ExampleVersion: "ps_1_4"}},
}

// Table is the compiled table.
var table = isa.NewTable(registers, "code", ops)

// Rows of words that are no instructions.
var (
	rowVersion = table.Frame(&isa.Op{Name: "version", Form: formVersion})
	rowComment = table.Frame(&isa.Op{Name: ".comment", Code: codeComment, Form: formComment})
	rowEnd     = table.Frame(&isa.Op{Name: ".end", Code: codeEnd, Form: formEnd})
)

const (
	codeComment = 0xFFFE
	codeEnd     = 0xFFFF
)
