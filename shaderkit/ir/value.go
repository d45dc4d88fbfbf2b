package ir

import "math"

// Eval gives what o computes in one lane from its operands, as its row defines it; ok is false for
// ops that are not a function of at most three operands.
func (o Op) Eval(a, b, c uint64) (v uint64, ok bool) {
	if o >= numOps || ops[o].Value == nil {
		return 0, false
	}
	return ops[o].Value(a, b, c), true
}

// The constructors below turn a function of typed values into the form of Info.Value.

func f1(f func(a float32) float32) func(a, b, c uint64) uint64 {
	return func(a, _, _ uint64) uint64 {
		return uint64(math.Float32bits(f(math.Float32frombits(uint32(a)))))
	}
}

func f2(f func(a, b float32) float32) func(a, b, c uint64) uint64 {
	return func(a, b, _ uint64) uint64 {
		return uint64(math.Float32bits(f(math.Float32frombits(uint32(a)), math.Float32frombits(uint32(b)))))
	}
}

func fcmp(f func(a, b float32) bool) func(a, b, c uint64) uint64 {
	return func(a, b, _ uint64) uint64 {
		return mask(f(math.Float32frombits(uint32(a)), math.Float32frombits(uint32(b))))
	}
}

func i1(f func(a uint32) uint32) func(a, b, c uint64) uint64 {
	return func(a, _, _ uint64) uint64 { return uint64(f(uint32(a))) }
}

func i2(f func(a, b uint32) uint32) func(a, b, c uint64) uint64 {
	return func(a, b, _ uint64) uint64 { return uint64(f(uint32(a), uint32(b))) }
}

func icmp(f func(a, b uint32) bool) func(a, b, c uint64) uint64 {
	return func(a, b, _ uint64) uint64 { return mask(f(uint32(a), uint32(b))) }
}

func d2(f func(a, b float64) float64) func(a, b, c uint64) uint64 {
	return func(a, b, _ uint64) uint64 {
		return math.Float64bits(f(math.Float64frombits(a), math.Float64frombits(b)))
	}
}

func dcmp(f func(a, b float64) bool) func(a, b, c uint64) uint64 {
	return func(a, b, _ uint64) uint64 {
		return mask(f(math.Float64frombits(a), math.Float64frombits(b)))
	}
}

func mask(b bool) uint64 {
	if b {
		return math.MaxUint32
	}
	return 0
}

// PMin is FMin.
func PMin(a, b float32) float32 {
	if b < a {
		return b
	}
	return a
}

// PMax is FMax.
func PMax(a, b float32) float32 {
	if a < b {
		return b
	}
	return a
}

// MulZ is FMulZ.
func MulZ(a, b float32) float32 {
	p := a * b
	if p != p && (a == 0 || b == 0) {
		return 0
	}
	return p
}

// Flush is FFlush, of bits.
func Flush(a uint32) uint32 {
	if a&0x7F800000 == 0 {
		return a & (1 << 31)
	}
	return a
}

// CanonBits is Canon, of bits.
func CanonBits(a uint32) uint32 {
	if a&^(1<<31) > 0x7F800000 {
		return canonNaN
	}
	return a
}

// canonNaN is what Canon makes of every NaN, canonNaN64 its counterpart of double precision.
const (
	canonNaN   = 0x7FC00000
	canonNaN64 = 0x7FF8000000000000
)

// DivS is IDiv.
func DivS(a, b uint32) uint32 {
	switch {
	case b == 0:
		return math.MaxUint32
	case b == math.MaxUint32: // by -1; Go defines the overflow, other machines trap
		return -a
	}
	return uint32(int32(a) / int32(b))
}

// DivU is UDiv.
func DivU(a, b uint32) uint32 {
	if b == 0 {
		return math.MaxUint32
	}
	return a / b
}

// RemU is URem.
func RemU(a, b uint32) uint32 {
	if b == 0 {
		return math.MaxUint32
	}
	return a % b
}

// FloatToInt is F2I. Go leaves the conversion of values out of range to the machine, so it compares
// first.
func FloatToInt(f float32) uint32 {
	switch {
	case f != f:
		return 0
	case f < -1<<31:
		return 1 << 31
	case f >= 1<<31:
		return math.MaxInt32
	default:
		return uint32(int32(f))
	}
}

// FloatToUint is F2U.
func FloatToUint(f float32) uint32 {
	switch {
	case !(f > 0):
		return 0
	case f >= 1<<32:
		return math.MaxUint32
	default:
		return uint32(int64(f))
	}
}

func sel64(a, b, c uint64) uint64 {
	m := uint64(uint32(a)) | a<<32
	return m&b | ^m&c
}
