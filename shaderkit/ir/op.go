package ir

import (
	"fmt"
	"math"
)

// An Op is an operation of the IR; Info gives its row.
type Op uint8

const (
	Invalid Op = iota
	Const
	Const64
	Desc
	Res
	TriWord
	LaneX
	LaneY
	Item
	Active
	FAdd
	FSub
	FMul
	FDiv
	FSqrt
	FMin
	FMax
	FNeg
	FAbs
	FFloor
	FCeil
	FTrunc
	FNearest
	FMulZ
	FSin
	FCos
	FExp2
	FLog2
	FPow
	FFlush
	Canon
	FLt
	FLe
	FEq
	FNe
	IEq
	INe
	ILt
	ULt
	IAdd
	ISub
	IMul
	IMulHi
	UMulHi
	IDiv
	UDiv
	URem
	INeg
	And
	Or
	Xor
	Not
	Shl
	ShrS
	ShrU
	IMin
	IMax
	UMin
	UMax
	F2I
	F2U
	I2F
	U2F
	Sel
	Pack64
	Lo64
	Hi64
	DAdd
	DSub
	DMul
	DDiv
	DSqrt
	DLt
	DEq
	F2D
	D2F
	LAdd
	LSub
	LMul
	LAnd
	LOr
	LXor
	LShl
	LShrU
	LShrS
	LEq
	LULt
	Sel64
	Load
	Store
	DDX
	DDY
	Kill
	Cover
	Write
	If
	Loop
	Yield
	Break
	Continue
	Call
	Return
	Edges
	Plane
	Sample
	Fetch
	Taps
	Pack8
	Unpack8
	numOps
)

// Info is a row of the op table.
//
// Operand and result types are letters; they say how an op reads the bits of a register:
//
//	f  float, 32 bits            d  double, 64 bits
//	i  integer or mask, 32 bits  l  integer, 64 bits
//	x  32 bits moved unchanged   y  64 bits moved unchanged
type Info struct {
	Name    string // in the text form
	Results int    // -1: as many as the instruction says
	Class   Class  // of the results; those of If, Loop and Call differ each
	Type    byte   // of the results, as a letter; 0 where there are none or they differ each
	Args    string // a letter for each operand; "*" any number of any class
	Imm     string // what Imm is: "" unused, bits, word, resource, traced, func, sample
	// Value is what the op computes in one lane, for ops that depend on nothing but at most three
	// operands; nil for the others. Operands and results of 32 bits are in the low half, the high
	// half is zero. NaNs that a float op makes may have any bits.
	Value func(a, b, c uint64) uint64
	Doc   string // the exact meaning
}

// ClassOf gives the class of the registers that a type letter stands for.
func ClassOf(letter byte) Class {
	switch letter {
	case 'd', 'l', 'y':
		return C64
	}
	return C32
}

// Info gives the row of o.
func (o Op) Info() Info {
	if o < numOps {
		return ops[o]
	}
	return ops[Invalid]
}

func (o Op) String() string {
	if o < numOps {
		return ops[o].Name
	}
	return fmt.Sprintf("op(%d)", uint8(o))
}

var ops = [numOps]Info{
	Invalid: {Name: "invalid"},
	Const: {Name: "const", Results: 1, Type: 'x', Imm: "bits",
		Doc: "Imm, as 32 bits."},
	Const64: {Name: "const64", Results: 1, Class: C64, Type: 'y', Imm: "bits",
		Doc: "Imm, as 64 bits."},
	Desc: {Name: "desc", Results: 1, Type: 'x', Imm: "word",
		Doc: "Word Imm of the job descriptor. Uniform."},
	Res: {Name: "res", Results: 1, Type: 'i', Imm: "resource",
		Doc: "Byte address of the record of the shader's resource Imm: the job descriptor's address + 64 + 32*Imm. Uniform."},
	TriWord: {Name: "triword", Results: 1, Type: 'x', Imm: "word",
		Doc: "Word Imm of the current triangle record. Uniform within a triangle."},
	LaneX: {Name: "lanex", Results: 1, Type: 'i',
		Doc: "X of the pixel in its 64x64 tile, unsigned."},
	LaneY: {Name: "laney", Results: 1, Type: 'i',
		Doc: "Y of the pixel in its 64x64 tile, unsigned."},
	Item: {Name: "item", Results: 1, Type: 'i',
		Doc: "Number of the item (vertex, thread) of a linear job, unsigned."},
	Active: {Name: "active", Results: 1, Type: 'i',
		Doc: "~0 in lanes that execute this instruction, 0 in the others."},
	FAdd: {Name: "fadd", Results: 1, Type: 'f', Args: "ff",
		Value: f2(func(a, b float32) float32 { return a + b }),
		Doc:   "a + b"},
	FSub: {Name: "fsub", Results: 1, Type: 'f', Args: "ff",
		Value: f2(func(a, b float32) float32 { return a - b }),
		Doc:   "a - b"},
	FMul: {Name: "fmul", Results: 1, Type: 'f', Args: "ff",
		Value: f2(func(a, b float32) float32 { return a * b }),
		Doc:   "a * b"},
	FDiv: {Name: "fdiv", Results: 1, Type: 'f', Args: "ff",
		Value: f2(func(a, b float32) float32 { return a / b }),
		Doc:   "a / b"},
	FSqrt: {Name: "fsqrt", Results: 1, Type: 'f', Args: "f",
		Value: f1(func(a float32) float32 { return float32(math.Sqrt(float64(a))) }),
		Doc:   "Square root, correctly rounded."},
	FMin: {Name: "fmin", Results: 1, Type: 'f', Args: "ff",
		Value: f2(PMin),
		Doc:   "b < a ? b : a (WebAssembly's pmin)."},
	FMax: {Name: "fmax", Results: 1, Type: 'f', Args: "ff",
		Value: f2(PMax),
		Doc:   "a < b ? b : a (WebAssembly's pmax)."},
	FNeg: {Name: "fneg", Results: 1, Type: 'f', Args: "f",
		Value: i1(func(a uint32) uint32 { return a ^ 1<<31 }),
		Doc:   "Sign bit flipped."},
	FAbs: {Name: "fabs", Results: 1, Type: 'f', Args: "f",
		Value: i1(func(a uint32) uint32 { return a &^ (1 << 31) }),
		Doc:   "Sign bit cleared."},
	FFloor: {Name: "ffloor", Results: 1, Type: 'f', Args: "f",
		Value: f1(func(a float32) float32 { return float32(math.Floor(float64(a))) }),
		Doc:   "Rounded down."},
	FCeil: {Name: "fceil", Results: 1, Type: 'f', Args: "f",
		Value: f1(func(a float32) float32 { return float32(math.Ceil(float64(a))) }),
		Doc:   "Rounded up."},
	FTrunc: {Name: "ftrunc", Results: 1, Type: 'f', Args: "f",
		Value: f1(func(a float32) float32 { return float32(math.Trunc(float64(a))) }),
		Doc:   "Rounded toward zero."},
	FNearest: {Name: "fnearest", Results: 1, Type: 'f', Args: "f",
		Value: f1(func(a float32) float32 { return float32(math.RoundToEven(float64(a))) }),
		Doc:   "Rounded to nearest, ties to even."},
	FMulZ: {Name: "fmulz", Results: 1, Type: 'f', Args: "ff",
		Value: f2(MulZ),
		Doc:   "Zero-wins product: 0 where a*b is NaN and a or b is zero, else a*b."},
	FSin: {Name: "fsin", Results: 1, Type: 'f', Args: "f",
		Value: f1(Sin),
		Doc:   "Sine of a in radians by the fixed algorithm of numeric.go."},
	FCos: {Name: "fcos", Results: 1, Type: 'f', Args: "f",
		Value: f1(Cos),
		Doc:   "Cosine of a in radians by the fixed algorithm of numeric.go."},
	FExp2: {Name: "fexp2", Results: 1, Type: 'f', Args: "f",
		Value: f1(Exp2),
		Doc:   "2 to the power a by the fixed algorithm of numeric.go."},
	FLog2: {Name: "flog2", Results: 1, Type: 'f', Args: "f",
		Value: f1(Log2),
		Doc:   "Base 2 logarithm of a by the fixed algorithm of numeric.go."},
	FPow: {Name: "fpow", Results: 1, Type: 'f', Args: "ff",
		Value: f2(Pow),
		Doc:   "a to the power b by the fixed algorithm of numeric.go."},
	FFlush: {Name: "fflush", Results: 1, Type: 'f', Args: "f",
		Value: i1(Flush),
		Doc:   "Denormals become zero of the same sign."},
	Canon: {Name: "canon", Results: 1, Type: 'f', Args: "f",
		Value: i1(CanonBits),
		Doc:   "NaN becomes 0x7FC00000, other bits stay."},
	FLt: {Name: "flt", Results: 1, Type: 'i', Args: "ff",
		Value: fcmp(func(a, b float32) bool { return a < b }),
		Doc:   "Mask of a < b; false where a NaN is compared."},
	FLe: {Name: "fle", Results: 1, Type: 'i', Args: "ff",
		Value: fcmp(func(a, b float32) bool { return a <= b }),
		Doc:   "Mask of a <= b."},
	FEq: {Name: "feq", Results: 1, Type: 'i', Args: "ff",
		Value: fcmp(func(a, b float32) bool { return a == b }),
		Doc:   "Mask of a == b."},
	FNe: {Name: "fne", Results: 1, Type: 'i', Args: "ff",
		Value: fcmp(func(a, b float32) bool { return a != b }),
		Doc:   "Mask of a != b; true where a NaN is compared."},
	IEq: {Name: "ieq", Results: 1, Type: 'i', Args: "ii",
		Value: icmp(func(a, b uint32) bool { return a == b }),
		Doc:   "Mask of equal bits."},
	INe: {Name: "ine", Results: 1, Type: 'i', Args: "ii",
		Value: icmp(func(a, b uint32) bool { return a != b }),
		Doc:   "Mask of different bits."},
	ILt: {Name: "ilt", Results: 1, Type: 'i', Args: "ii",
		Value: icmp(func(a, b uint32) bool { return int32(a) < int32(b) }),
		Doc:   "Mask of signed a < b."},
	ULt: {Name: "ult", Results: 1, Type: 'i', Args: "ii",
		Value: icmp(func(a, b uint32) bool { return a < b }),
		Doc:   "Mask of unsigned a < b."},
	IAdd: {Name: "iadd", Results: 1, Type: 'i', Args: "ii",
		Value: i2(func(a, b uint32) uint32 { return a + b }),
		Doc:   "a + b, wrapping."},
	ISub: {Name: "isub", Results: 1, Type: 'i', Args: "ii",
		Value: i2(func(a, b uint32) uint32 { return a - b }),
		Doc:   "a - b, wrapping."},
	IMul: {Name: "imul", Results: 1, Type: 'i', Args: "ii",
		Value: i2(func(a, b uint32) uint32 { return a * b }),
		Doc:   "Low 32 bits of a * b."},
	IMulHi: {Name: "imulhi", Results: 1, Type: 'i', Args: "ii",
		Value: i2(func(a, b uint32) uint32 { return uint32(uint64(int64(int32(a))*int64(int32(b))) >> 32) }),
		Doc:   "High 32 bits of the signed product."},
	UMulHi: {Name: "umulhi", Results: 1, Type: 'i', Args: "ii",
		Value: i2(func(a, b uint32) uint32 { return uint32(uint64(a) * uint64(b) >> 32) }),
		Doc:   "High 32 bits of the unsigned product."},
	IDiv: {Name: "idiv", Results: 1, Type: 'i', Args: "ii",
		Value: i2(DivS),
		Doc:   "Signed quotient toward zero; by zero ~0; the smallest by -1 is itself."},
	UDiv: {Name: "udiv", Results: 1, Type: 'i', Args: "ii",
		Value: i2(DivU),
		Doc:   "Unsigned quotient; by zero ~0."},
	URem: {Name: "urem", Results: 1, Type: 'i', Args: "ii",
		Value: i2(RemU),
		Doc:   "Unsigned remainder; by zero ~0."},
	INeg: {Name: "ineg", Results: 1, Type: 'i', Args: "i",
		Value: i1(func(a uint32) uint32 { return -a }),
		Doc:   "-a, wrapping."},
	And: {Name: "and", Results: 1, Type: 'i', Args: "ii",
		Value: i2(func(a, b uint32) uint32 { return a & b }),
		Doc:   "Bits of both."},
	Or: {Name: "or", Results: 1, Type: 'i', Args: "ii",
		Value: i2(func(a, b uint32) uint32 { return a | b }),
		Doc:   "Bits of either."},
	Xor: {Name: "xor", Results: 1, Type: 'i', Args: "ii",
		Value: i2(func(a, b uint32) uint32 { return a ^ b }),
		Doc:   "Bits of one."},
	Not: {Name: "not", Results: 1, Type: 'i', Args: "i",
		Value: i1(func(a uint32) uint32 { return ^a }),
		Doc:   "Bits flipped."},
	Shl: {Name: "shl", Results: 1, Type: 'i', Args: "ii",
		Value: i2(func(a, b uint32) uint32 { return a << (b & 31) }),
		Doc:   "a << (b mod 32)"},
	ShrS: {Name: "shrs", Results: 1, Type: 'i', Args: "ii",
		Value: i2(func(a, b uint32) uint32 { return uint32(int32(a) >> (b & 31)) }),
		Doc:   "Signed a >> (b mod 32)"},
	ShrU: {Name: "shru", Results: 1, Type: 'i', Args: "ii",
		Value: i2(func(a, b uint32) uint32 { return a >> (b & 31) }),
		Doc:   "Unsigned a >> (b mod 32)"},
	IMin: {Name: "imin", Results: 1, Type: 'i', Args: "ii",
		Value: i2(func(a, b uint32) uint32 { return uint32(min(int32(a), int32(b))) }),
		Doc:   "Signed minimum."},
	IMax: {Name: "imax", Results: 1, Type: 'i', Args: "ii",
		Value: i2(func(a, b uint32) uint32 { return uint32(max(int32(a), int32(b))) }),
		Doc:   "Signed maximum."},
	UMin: {Name: "umin", Results: 1, Type: 'i', Args: "ii",
		Value: i2(func(a, b uint32) uint32 { return min(a, b) }),
		Doc:   "Unsigned minimum."},
	UMax: {Name: "umax", Results: 1, Type: 'i', Args: "ii",
		Value: i2(func(a, b uint32) uint32 { return max(a, b) }),
		Doc:   "Unsigned maximum."},
	F2I: {Name: "f2i", Results: 1, Type: 'i', Args: "f",
		Value: func(a, _, _ uint64) uint64 { return uint64(FloatToInt(math.Float32frombits(uint32(a)))) },
		Doc:   "Toward zero, saturating; NaN gives 0."},
	F2U: {Name: "f2u", Results: 1, Type: 'i', Args: "f",
		Value: func(a, _, _ uint64) uint64 { return uint64(FloatToUint(math.Float32frombits(uint32(a)))) },
		Doc:   "Toward zero, saturating; NaN and negative give 0."},
	I2F: {Name: "i2f", Results: 1, Type: 'f', Args: "i",
		Value: i1(func(a uint32) uint32 { return math.Float32bits(float32(int32(a))) }),
		Doc:   "Signed integer to nearest float."},
	U2F: {Name: "u2f", Results: 1, Type: 'f', Args: "i",
		Value: i1(func(a uint32) uint32 { return math.Float32bits(float32(a)) }),
		Doc:   "Unsigned integer to nearest float."},
	Sel: {Name: "sel", Results: 1, Type: 'x', Args: "ixx",
		Value: func(a, b, c uint64) uint64 { return a&b | uint64(^uint32(a))&c },
		Doc:   "a ? b : c, bit by bit: a is a mask."},
	Pack64: {Name: "pack64", Results: 1, Class: C64, Type: 'l', Args: "ii",
		Value: func(a, b, _ uint64) uint64 { return a | b<<32 },
		Doc:   "a low, b high."},
	Lo64: {Name: "lo64", Results: 1, Type: 'i', Args: "l",
		Value: func(a, _, _ uint64) uint64 { return a & math.MaxUint32 },
		Doc:   "Low word."},
	Hi64: {Name: "hi64", Results: 1, Type: 'i', Args: "l",
		Value: func(a, _, _ uint64) uint64 { return a >> 32 },
		Doc:   "High word."},
	DAdd: {Name: "dadd", Results: 1, Class: C64, Type: 'd', Args: "dd",
		Value: d2(func(a, b float64) float64 { return a + b }),
		Doc:   "a + b"},
	DSub: {Name: "dsub", Results: 1, Class: C64, Type: 'd', Args: "dd",
		Value: d2(func(a, b float64) float64 { return a - b }),
		Doc:   "a - b"},
	DMul: {Name: "dmul", Results: 1, Class: C64, Type: 'd', Args: "dd",
		Value: d2(func(a, b float64) float64 { return a * b }),
		Doc:   "a * b"},
	DDiv: {Name: "ddiv", Results: 1, Class: C64, Type: 'd', Args: "dd",
		Value: d2(func(a, b float64) float64 { return a / b }),
		Doc:   "a / b"},
	DSqrt: {Name: "dsqrt", Results: 1, Class: C64, Type: 'd', Args: "d",
		Value: func(a, _, _ uint64) uint64 { return math.Float64bits(math.Sqrt(math.Float64frombits(a))) },
		Doc:   "Square root, correctly rounded."},
	DLt: {Name: "dlt", Results: 1, Type: 'i', Args: "dd",
		Value: dcmp(func(a, b float64) bool { return a < b }),
		Doc:   "Mask of a < b."},
	DEq: {Name: "deq", Results: 1, Type: 'i', Args: "dd",
		Value: dcmp(func(a, b float64) bool { return a == b }),
		Doc:   "Mask of a == b."},
	F2D: {Name: "f2d", Results: 1, Class: C64, Type: 'd', Args: "f",
		Value: func(a, _, _ uint64) uint64 { return math.Float64bits(float64(math.Float32frombits(uint32(a)))) },
		Doc:   "Float to double."},
	D2F: {Name: "d2f", Results: 1, Type: 'f', Args: "d",
		Value: func(a, _, _ uint64) uint64 { return uint64(math.Float32bits(float32(math.Float64frombits(a)))) },
		Doc:   "Double to nearest float."},
	LAdd: {Name: "ladd", Results: 1, Class: C64, Type: 'l', Args: "ll",
		Value: func(a, b, _ uint64) uint64 { return a + b },
		Doc:   "a + b, wrapping."},
	LSub: {Name: "lsub", Results: 1, Class: C64, Type: 'l', Args: "ll",
		Value: func(a, b, _ uint64) uint64 { return a - b },
		Doc:   "a - b, wrapping."},
	LMul: {Name: "lmul", Results: 1, Class: C64, Type: 'l', Args: "ll",
		Value: func(a, b, _ uint64) uint64 { return a * b },
		Doc:   "Low 64 bits of a * b."},
	LAnd: {Name: "land", Results: 1, Class: C64, Type: 'l', Args: "ll",
		Value: func(a, b, _ uint64) uint64 { return a & b },
		Doc:   "Bits of both."},
	LOr: {Name: "lor", Results: 1, Class: C64, Type: 'l', Args: "ll",
		Value: func(a, b, _ uint64) uint64 { return a | b },
		Doc:   "Bits of either."},
	LXor: {Name: "lxor", Results: 1, Class: C64, Type: 'l', Args: "ll",
		Value: func(a, b, _ uint64) uint64 { return a ^ b },
		Doc:   "Bits of one."},
	LShl: {Name: "lshl", Results: 1, Class: C64, Type: 'l', Args: "li",
		Value: func(a, b, _ uint64) uint64 { return a << (b & 63) },
		Doc:   "a << (b mod 64)"},
	LShrU: {Name: "lshru", Results: 1, Class: C64, Type: 'l', Args: "li",
		Value: func(a, b, _ uint64) uint64 { return a >> (b & 63) },
		Doc:   "Unsigned a >> (b mod 64)"},
	LShrS: {Name: "lshrs", Results: 1, Class: C64, Type: 'l', Args: "li",
		Value: func(a, b, _ uint64) uint64 { return uint64(int64(a) >> (b & 63)) },
		Doc:   "Signed a >> (b mod 64)"},
	LEq: {Name: "leq", Results: 1, Type: 'i', Args: "ll",
		Value: func(a, b, _ uint64) uint64 { return mask(a == b) },
		Doc:   "Mask of equal bits."},
	LULt: {Name: "lult", Results: 1, Type: 'i', Args: "ll",
		Value: func(a, b, _ uint64) uint64 { return mask(a < b) },
		Doc:   "Mask of unsigned a < b."},
	Sel64: {Name: "sel64", Results: 1, Class: C64, Type: 'y', Args: "iyy",
		Value: sel64,
		Doc:   "a ? b : c, where a is a mask."},
	Load: {Name: "load", Results: 1, Type: 'x', Args: "ii",
		Doc: "Word at byte offset b (rounded down to a multiple of 4) of the resource whose record is at address a; 0 where the word does not lie within the record's size."},
	Store: {Name: "store", Args: "iix",
		Doc: "Writes word c at byte offset b of the resource with record a, in live active lanes; nothing outside the record's size."},
	DDX: {Name: "ddx", Results: 1, Type: 'f', Args: "f",
		Doc: "Right minus left lane of this lane's row of the quad."},
	DDY: {Name: "ddy", Results: 1, Type: 'f', Args: "f",
		Doc: "Bottom minus top lane of this lane's column of the quad."},
	Kill: {Name: "kill", Args: "i",
		Doc: "Lanes with a set stop being live: they go on as helpers, but never store."},
	Cover: {Name: "cover", Args: "i",
		Doc: "Tile programs, once, top level of the entry: lanes with a clear are never live, quads without a live lane are skipped. What comes before it may be computed for lanes that are skipped; only LaneX, LaneY and uniform values may be used across it."},
	Write: {Name: "write", Args: "x", Imm: "traced",
		Doc: "Trace builds: component Imm of Program.Traced gets value a in the active lanes."},
	If: {Name: "if", Results: -1, Args: "i",
		Doc: "Lanes with a set run Blocks[0], others Blocks[1]. Results from Yield."},
	Loop: {Name: "loop", Results: -1, Args: "*",
		Doc: "Runs Blocks[0] with Args as first parameters until every lane left. Results from Break."},
	Yield: {Name: "yield", Args: "*",
		Doc: "Ends an arm of If with its results."},
	Break: {Name: "break", Args: "*",
		Doc: "Leaves the innermost Loop with its results."},
	Continue: {Name: "continue", Args: "*",
		Doc: "Next iteration of the innermost Loop with these parameters."},
	Call: {Name: "call", Results: -1, Args: "*", Imm: "func",
		Doc: "Calls function Imm."},
	Return: {Name: "return", Args: "*",
		Doc: "Leaves the function with its results."},
	Edges: {Name: "edges", Results: 1, Type: 'i', Args: "ii", Imm: "word",
		Doc: "Macro. Mask of the pixels that lie inside the triangle: args are x, y in the tile; words Imm..Imm+8 of the triangle record are A, B, C of three edges; inside is A*x + B*y + C >= 0 (32-bit integers) for all three."},
	Plane: {Name: "plane", Results: 1, Type: 'f', Args: "ff", Imm: "word",
		Doc: "Macro. float(x*A) + (float(y*B) + C) of floats x, y, where A, B, C are words Imm, Imm+1, Imm+2 of the triangle record."},
	Sample: {Name: "sample", Results: 4, Type: 'f', Args: "*", Imm: "sample",
		Doc: "Macro. Four components of a filtered texture read, or the level of detail; SampleSite says which resource and kind and so how many operands: x, y, z, layer, reference, then bias, level, or the six derivatives dx/dx dy/dx dz/dx dx/dy dy/dy dz/dy."},
	Fetch: {Name: "fetch", Results: 4, Type: 'x', Args: "*", Imm: "sample",
		Doc: "Macro. The bits of a texel of integers x, y, z, layer, level; or of one component of four texels, of floats x, y, z, layer, reference, then integer offsets; see SampleSite."},
	Taps: {Name: "taps", Results: 4, Type: 'x', Args: "iiiiii",
		Doc: "Macro. Words of the resource with record a, as Load reads them, at offsets b + 4*(e + c), b + 4*(e + d), b + 4*(f + c), b + 4*(f + d): two columns of two rows of texels."},
	Pack8: {Name: "pack8", Results: 1, Type: 'i', Args: "ffff",
		Doc: "Macro. Red, green, blue, alpha as floats to one word of unsigned normalised bytes, red lowest: clamped to 0..1 (NaN gives 0), times 255, plus 0.5, truncated."},
	Unpack8: {Name: "unpack8", Results: 4, Type: 'f', Args: "i",
		Doc: "Macro. The inverse: each byte of the word as float(byte)/255, correctly rounded."},
}
