package ir

import "math"

// The transcendental functions are fixed sequences of float and integer ops, so that every engine
// computes the same bits. Each is written twice, side by side: in Go, and as the IR ops that an
// engine without the op emits (ExpandNumeric). The constants are minimax fits; numeric_test.go measures the
// bounds stated here against double precision and holds both forms equal bit for bit.
//
//	Sin, Cos   |error| <= 1.45e-7 for |x| <= 1000, 1.3e-6 for |x| <= 65536; within [-1, 1] for every finite x
//	Exp2       1.11 ulp, denormal results included; exact at integers
//	Log2       3 ulp, denormal operands included; exact at powers of two
//	Pow        1.25 ulp; exact where a is a power of two and b an integer

// Pi in two parts: multiples of the first by halves below 2^15 are exact.
const (
	overPi  = 0.318309886
	pi1     = 3.140625
	pi2     = 0.000967653589793 // not below zero: x - 0·pi2 is -0 where x is
	maxHalf = 1.6               // above pi/2 plus the error of the multiple: only failed reductions are clamped
)

// Added to a float within ±2^22, toInteger rounds it to an integer, which then is the low 22 bits of
// the sum; subtracting it again gives the integer as a float.
const toInteger = 0x1.8p23

// Minimax of (sin(r)/r - 1)/r² in r², |r| <= pi/2; no result is above 1, and that of pi/2 is 1.
const sin0, sin1, sin2, sin3 = -0.16666658, 0.008333068, -0.00019809633, 2.6045261e-06

// Minimax of 2^f - 1, |f| <= 1/2.
const exp1, exp2, exp3, exp4, exp5, exp6 = 0.693147242, 0.240226552, 0.0555027276, 0.00961706508, 0.0013417803, 0.000158259645

// Minimax of log2(m)/s in s² with s = (m-1)/(m+1), m within sqrt(1/2) .. sqrt(2).
const log0, log1, log2, log3 = 2.88539008, 0.961798848, 0.576714384, 0.431735879

// The same as a sum of two floats, for powers:
// log2(m) = logC·s·(3 + s² + s⁴·(3/5 + 3s²/7 + …)); logC = 2/(3 ln 2) in two parts of which the first
// has 12 bits; split0… are the minimax of the last factor in s².
const (
	logC                   = 0.961796701
	logC1                  = 0.9619140625
	logC2                  = -0.000117368574
	split0, split1, split2 = 0.600002289, 0.428206354, 0.351294518

	sqrtHalfBits = 0x3F3504F3
	oneBits      = 0x3F800000
	exponentBits = 0xFF800000 // and the sign
	headBits     = 0xFFFFF000 // the leading 12 bits of a mantissa: products of two heads are exact
)

// Sin gives the sine of x in radians: NaN for infinities and NaN, -0 for -0.
func Sin(x float32) float32 {
	t := float32(x*overPi) + toInteger
	r := reduceAngle(x, t-toInteger)
	s := math.Float32bits(oddSine(r)) | math.Float32bits(r)&(1<<31) // of zeros
	return math.Float32frombits(s ^ math.Float32bits(t)<<31)
}

// Cos gives the cosine of x in radians: NaN for infinities and NaN.
func Cos(x float32) float32 {
	x = math.Float32frombits(math.Float32bits(x) &^ (1 << 31))
	t := (float32(x*overPi) - 0.5) + toInteger
	r := reduceAngle(x, (t-toInteger)+0.5)
	return math.Float32frombits(math.Float32bits(oddSine(r)) ^ ^math.Float32bits(t)<<31)
}

// reduceAngle gives x - k·pi, within ±1.6.
func reduceAngle(x, k float32) float32 {
	r := x - float32(k*pi1)
	r -= float32(k * pi2)
	return PMax(PMin(r, maxHalf), -maxHalf)
}

// oddSine gives the sine of |r| <= 1.6.
func oddSine(r float32) float32 {
	z := float32(r * r)
	p := float32(float32(z*z)*(float32(z*sin3)+sin2)) + (float32(z*sin1) + sin0)
	return float32(float32(r*z)*p) + r
}

// Exp2 gives 2 to the power x.
func Exp2(x float32) float32 {
	x = PMax(PMin(x, 130), -152) // beyond these the result is infinite or zero anyway
	t := x + toInteger
	return scaledExp2(x-(t-toInteger), t)
}

// scaledExp2 gives 2^(f+n) for |f| <= 1/2 and integers -152 <= n <= 130, with n + toInteger given. The
// scale is applied in two steps of which only the second can round, overflow or underflow.
func scaledExp2(f, t float32) float32 {
	p := float32(f*exp6) + exp5
	p = float32(f*p) + exp4
	p = float32(f*p) + exp3
	p = float32(f*p) + exp2
	p = float32(f*p) + exp1
	p = float32(f*p) + 1
	n := math.Float32bits(t)
	half := n << 22 & exponentBits // that of floor(n/2) where an exponent lies
	p = float32(p * math.Float32frombits(half+oneBits))
	return float32(p * math.Float32frombits(n<<23-half+oneBits))
}

// Log2 gives the base 2 logarithm of x: -Inf for zeros, NaN below, +Inf for +Inf.
func Log2(x float32) float32 {
	if !regular(x) {
		return edgeLog2(x)
	}
	k, m := splitFloat(x)
	s := (m - 1) / (m + 1)
	z := float32(s * s)
	p := float32(z*log3) + log2
	p = float32(z*p) + log1
	p = float32(z*p) + log0
	return k + float32(s*p)
}

// splitFloat gives k and m of a regular x = m·2^k, m within sqrt(1/2) .. sqrt(2).
func splitFloat(x float32) (k, m float32) {
	var shift float32
	if x < 0x1p-126 {
		x, shift = x*0x1p23, 23
	}
	b := math.Float32bits(x) + (oneBits - sqrtHalfBits)
	return float32(int32(b>>23-127)) - shift, math.Float32frombits(b&0x7FFFFF + sqrtHalfBits)
}

// regular reports whether x has a finite logarithm.
func regular(x float32) bool { return 0 < x && x < inf32 }

var inf32 = float32(math.Inf(1))

// edgeLog2 is the logarithm where regular is false.
func edgeLog2(x float32) float32 {
	switch {
	case x == 0:
		return -inf32
	case 0 < x:
		return x
	default:
		return math.Float32frombits(canonNaN)
	}
}

// splitLog2 gives the logarithm of a regular x as hi + lo, lo good to about 2^-33.
func splitLog2(x float32) (hi, lo float32) {
	k, m := splitFloat(x)
	// s = (m-1)/(m+1) as s1 + s2; m+1 as g1 + g2 exactly
	f := m - 1
	g := m + 1
	v := 1 / g
	s := float32(f * v)
	s1 := head(s)
	g1 := head(g)
	g2 := m - (g1 - 1)
	s2 := float32(v * (f - float32(s1*g1) - float32(s1*g2)))
	// t = 3 + s² + s⁴·(…) as t1 + t2, u = s·t as u1 + u2
	z := float32(s * s)
	z1 := float32(s1 * s1)
	r := float32(z*split2) + split1
	r = float32(z*r) + split0
	r = float32(float32(z*z)*r) + float32(s2*(s1+s))
	t1 := head(3 + z1 + r)
	t2 := r - ((t1 - 3) - z1)
	p := float32(s1 * t1)
	q := float32(s2*t1) + float32(t2*s)
	u1 := head(p + q)
	u2 := q - (u1 - p)
	hi = float32(u1 * logC1)
	lo = float32(u1*logC2) + float32(u2*logC)
	sum := k + hi
	return sum, (hi - (sum - k)) + lo
}

func head(x float32) float32 { return math.Float32frombits(math.Float32bits(x) & headBits) }

// Pow gives a to the power b: 1 where b is zero, whatever a; NaN where a is below zero.
func Pow(a, b float32) float32 {
	b = PMax(PMin(b, 0x1p31), -0x1p31) // the logarithm nearest to zero times this is out of range
	hi, lo := splitLog2(a)
	t1 := head(hi + lo)
	t2 := lo - (t1 - hi)
	b1 := head(b)
	p1 := float32(b1 * t1)
	p2 := float32((b-b1)*t1) + float32(b*t2)
	if !regular(a) {
		p1, p2 = float32(b*edgeLog2(a)), 0
	}
	t := PMax(PMin(p1+p2, 130), -152) + toInteger
	f := (p1 - (t - toInteger)) + p2
	r := scaledExp2(PMax(PMin(f, 1), -1), t)
	if b == 0 {
		return 1
	}
	return r
}

// ExpandNumeric writes the primitive ops that compute the same bits as op of args and gives the result; it
// gives NoReg when op is not one of FSin, FCos, FExp2, FLog2 and FPow.
func ExpandNumeric(b *Builder, op Op, args ...Reg) Reg {
	e := numerics{b}
	switch op {
	case FSin:
		return e.sin(args[0])
	case FCos:
		return e.cos(args[0])
	case FExp2:
		x := e.clamp(args[0], -152, 130)
		t := e.op(FAdd, x, b.F(toInteger))
		return e.scaledExp2(e.op(FSub, x, e.op(FSub, t, b.F(toInteger))), t)
	case FLog2:
		return e.log2(args[0])
	case FPow:
		return e.pow(args[0], args[1])
	}
	return NoReg
}

// ExpandLog2 writes the ops of FLog2 that are right where x is normal, above zero and finite.
func ExpandLog2(b *Builder, x Reg) Reg {
	e := numerics{b}
	bits := e.op(ISub, x, b.U(sqrtHalfBits))
	k := e.op(I2F, e.op(ShrS, bits, b.U(23)))
	return e.normalLog2(k, e.op(IAdd, e.op(And, bits, b.U(0x7FFFFF)), b.U(sqrtHalfBits)))
}

// numerics has one method for each of the functions above, op for op.
type numerics struct{ b *Builder }

func (e numerics) op(op Op, args ...Reg) Reg { return e.b.Emit(op, 0, args...) }

// mad gives float(x*y) + z, rounded twice.
func (e numerics) mad(x, y, z Reg) Reg { return e.op(FAdd, e.op(FMul, x, y), z) }

// poly evaluates a polynomial, highest coefficient first.
func (e numerics) poly(x Reg, c ...float32) Reg {
	p := e.b.F(c[0])
	for _, k := range c[1:] {
		p = e.mad(x, p, e.b.F(k))
	}
	return p
}

func (e numerics) clamp(x Reg, lo, hi float32) Reg {
	return e.op(FMax, e.op(FMin, x, e.b.F(hi)), e.b.F(lo))
}

func (e numerics) head(x Reg) Reg { return e.op(And, x, e.b.U(headBits)) }

func (e numerics) sin(x Reg) Reg {
	t := e.mad(x, e.b.F(overPi), e.b.F(toInteger))
	r := e.reduceAngle(x, e.op(FSub, t, e.b.F(toInteger)))
	s := e.op(Or, e.oddSine(r), e.op(And, r, e.b.U(1<<31)))
	return e.op(Xor, s, e.op(Shl, t, e.b.U(31)))
}

func (e numerics) cos(x Reg) Reg {
	x = e.op(FAbs, x)
	t := e.op(FAdd, e.op(FSub, e.op(FMul, x, e.b.F(overPi)), e.b.F(0.5)), e.b.F(toInteger))
	r := e.reduceAngle(x, e.op(FAdd, e.op(FSub, t, e.b.F(toInteger)), e.b.F(0.5)))
	return e.op(Xor, e.oddSine(r), e.op(Shl, e.op(Not, t), e.b.U(31)))
}

func (e numerics) reduceAngle(x, k Reg) Reg {
	r := x
	for _, part := range []float32{pi1, pi2} {
		r = e.op(FSub, r, e.op(FMul, k, e.b.F(part)))
	}
	return e.clamp(r, -maxHalf, maxHalf)
}

func (e numerics) oddSine(r Reg) Reg {
	z := e.op(FMul, r, r)
	p := e.mad(e.op(FMul, z, z), e.poly(z, sin3, sin2), e.poly(z, sin1, sin0))
	return e.mad(e.op(FMul, r, z), p, r)
}

func (e numerics) scaledExp2(f, t Reg) Reg {
	p := e.poly(f, exp6, exp5, exp4, exp3, exp2, exp1, 1)
	half := e.op(And, e.op(Shl, t, e.b.U(22)), e.b.U(exponentBits))
	rest := e.op(ISub, e.op(Shl, t, e.b.U(23)), half)
	for _, part := range []Reg{half, rest} {
		p = e.op(FMul, p, e.op(IAdd, part, e.b.U(oneBits)))
	}
	return p
}

func (e numerics) log2(x Reg) Reg {
	r := e.normalLog2(e.splitFloat(x))
	return e.op(Sel, e.regular(x), r, e.edgeLog2(x))
}

// normalLog2 gives the logarithm of m·2^k.
func (e numerics) normalLog2(k, m Reg) Reg {
	one := e.b.F(1)
	s := e.op(FDiv, e.op(FSub, m, one), e.op(FAdd, m, one))
	z := e.op(FMul, s, s)
	return e.op(FAdd, k, e.op(FMul, s, e.poly(z, log3, log2, log1, log0)))
}

func (e numerics) splitFloat(x Reg) (k, m Reg) {
	small := e.op(FLt, x, e.b.F(0x1p-126))
	x = e.op(Sel, small, e.op(FMul, x, e.b.F(0x1p23)), x)
	bits := e.op(IAdd, x, e.b.U(oneBits-sqrtHalfBits))
	k = e.op(FSub, e.op(I2F, e.op(ISub, e.op(ShrU, bits, e.b.U(23)), e.b.U(127))), e.op(And, small, e.b.F(23)))
	return k, e.op(IAdd, e.op(And, bits, e.b.U(0x7FFFFF)), e.b.U(sqrtHalfBits))
}

func (e numerics) regular(x Reg) Reg {
	return e.op(And, e.op(FLt, e.b.F(0), x), e.op(FLt, x, e.b.F(inf32)))
}

func (e numerics) edgeLog2(x Reg) Reg {
	rest := e.op(Sel, e.op(FLt, e.b.F(0), x), x, e.b.U(canonNaN))
	return e.op(Sel, e.op(FEq, x, e.b.F(0)), e.b.F(-inf32), rest)
}

func (e numerics) splitLog2(x Reg) (hi, lo Reg) {
	k, m := e.splitFloat(x)
	one := e.b.F(1)
	f, g := e.op(FSub, m, one), e.op(FAdd, m, one)
	v := e.op(FDiv, one, g)
	s := e.op(FMul, f, v)
	s1, g1 := e.head(s), e.head(g)
	g2 := e.op(FSub, m, e.op(FSub, g1, one))
	s2 := e.op(FMul, v, e.op(FSub, e.op(FSub, f, e.op(FMul, s1, g1)), e.op(FMul, s1, g2)))
	z, z1 := e.op(FMul, s, s), e.op(FMul, s1, s1)
	r := e.mad(e.op(FMul, z, z), e.poly(z, split2, split1, split0), e.op(FMul, s2, e.op(FAdd, s1, s)))
	three := e.b.F(3)
	t1 := e.head(e.op(FAdd, e.op(FAdd, three, z1), r))
	t2 := e.op(FSub, r, e.op(FSub, e.op(FSub, t1, three), z1))
	p := e.op(FMul, s1, t1)
	q := e.mad(s2, t1, e.op(FMul, t2, s))
	u1 := e.head(e.op(FAdd, p, q))
	u2 := e.op(FSub, q, e.op(FSub, u1, p))
	hi = e.op(FMul, u1, e.b.F(logC1))
	lo = e.mad(u1, e.b.F(logC2), e.op(FMul, u2, e.b.F(logC)))
	sum := e.op(FAdd, k, hi)
	return sum, e.op(FAdd, e.op(FSub, hi, e.op(FSub, sum, k)), lo)
}

func (e numerics) pow(a, b Reg) Reg {
	b = e.clamp(b, -0x1p31, 0x1p31)
	hi, lo := e.splitLog2(a)
	t1 := e.head(e.op(FAdd, hi, lo))
	t2 := e.op(FSub, lo, e.op(FSub, t1, hi))
	b1 := e.head(b)
	p1 := e.op(FMul, b1, t1)
	p2 := e.op(FAdd, e.op(FMul, e.op(FSub, b, b1), t1), e.op(FMul, b, t2))
	ok := e.regular(a)
	p1 = e.op(Sel, ok, p1, e.op(FMul, b, e.edgeLog2(a)))
	p2 = e.op(Sel, ok, p2, e.b.F(0))
	t := e.op(FAdd, e.clamp(e.op(FAdd, p1, p2), -152, 130), e.b.F(toInteger))
	f := e.op(FAdd, e.op(FSub, p1, e.op(FSub, t, e.b.F(toInteger))), p2)
	r := e.scaledExp2(e.clamp(f, -1, 1), t)
	return e.op(Sel, e.op(FEq, b, e.b.F(0)), e.b.F(1), r)
}
