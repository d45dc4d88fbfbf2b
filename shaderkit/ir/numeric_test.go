package ir

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"
)

// specials are floats at which functions break.
var specials = []uint32{
	0, 1 << 31, 1, 1<<31 | 1, 0x7FFFFF, 0x807FFFFF, 0x800000, 0x80800000, 0x3F800000, 0xBF800000, 0x3F7FFFFF, 0x3F800001,
	0x3F000000, 0xBF000000, 0x40000000, 0x40400000, 0xC0400000, 0x3FC90FDB, 0x40490FDB, 0x42FFFFFF, 0x43000000, 0xC3150000,
	0xC3160000, 0xC2FC0000, 0x4B000000, 0x4B800000, 0xCB800000, 0x4F000000, 0xCF000000, 0x4F7FFFFF, 0x4F800000, 0x7F7FFFFF, 0xFF7FFFFF,
	0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00000, 0x7F800001, 0xFF812345,
}

// floats gives the specials, then n floats: even over bits, over exponents near one, and angles.
func floats(n int, seed uint64) []float32 {
	r := rand.New(rand.NewPCG(seed, 1))
	var out []float32
	for _, b := range specials {
		out = append(out, math.Float32frombits(b))
	}
	for i := range n {
		b := r.Uint32()
		switch i % 4 {
		case 1: // 2^-8 .. 2^8
			b = b&0x807FFFFF | (119+b>>23&15)<<23
		case 2: // within 2^17
			out = append(out, float32((r.Float64()*2-1)*131072))
			continue
		case 3: // around one
			b = 0x3F800000 + b>>10 - 1<<21
		}
		out = append(out, math.Float32frombits(b))
	}
	return out
}

// ulps gives |got - want| in units of the last place of want as a float32.
func ulps(got float32, want float64) float64 {
	w := float32(want)
	if math.Float32bits(got) == math.Float32bits(w) || got == w || got != got && w != w {
		return 0
	}
	if math.IsInf(float64(w), 0) || math.IsInf(float64(got), 0) || got != got || w != w {
		if math.Abs(float64(got)) == math.MaxFloat32 && math.Abs(want) < 0x1.000001p128 {
			return 1
		}
		return math.Inf(1)
	}
	_, e := math.Frexp(want)
	return math.Abs(float64(got)-want) / math.Ldexp(1, max(e-24, -149))
}

// worst keeps the largest error and where it was.
type worst struct {
	err  float64
	a, b float32
}

func (w *worst) add(err float64, a, b float32) {
	if err > w.err || err != err {
		*w = worst{err, a, b}
	}
}

func (w *worst) check(t *testing.T, name string, bound float64) {
	t.Helper()
	t.Logf("%s: worst %.3g at %g, %g", name, w.err, w.a, w.b)
	if !(w.err <= bound) {
		t.Errorf("%s: error %.4g at %g (%#08x), %g; the bound is %g", name, w.err, w.a, math.Float32bits(w.a), w.b, bound)
	}
}

func samples() int {
	if testing.Short() {
		return 1 << 18
	}
	return 1 << 20
}

const halfPi = float32(math.Pi / 2)

func TestSinCosBounds(t *testing.T) {
	var near, far [2]worst
	for _, x := range floats(samples(), 1) {
		for i, f := range []func(float32) float32{Sin, Cos} {
			got := f(x)
			if x-x != 0 { // infinite or NaN
				if got == got {
					t.Fatalf("%d of %g is %g", i, x, got)
				}
				continue
			}
			if !(got >= -1 && got <= 1) {
				t.Fatalf("%d of %g is %g", i, x, got)
			}
			want := [2]func(float64) float64{math.Sin, math.Cos}[i](float64(x))
			if math.Abs(float64(x)) <= 1000 {
				near[i].add(math.Abs(float64(got)-want), x, 0)
			}
			if math.Abs(float64(x)) <= 65536 {
				far[i].add(math.Abs(float64(got)-want), x, 0)
			}
		}
	}
	for i, name := range []string{"sin", "cos"} {
		near[i].check(t, name, 1.45e-7)
		far[i].check(t, name+" far from zero", 1.3e-6)
	}
	if s, c := Sin(halfPi), Cos(0); s != 1 || c != 1 {
		t.Errorf("sin(pi/2) is %g, cos(0) is %g", s, c)
	}
	if s := Sin(math.Float32frombits(1 << 31)); math.Float32bits(s) != 1<<31 {
		t.Errorf("sin(-0) is %#x", math.Float32bits(s))
	}
}

func TestExp2Bounds(t *testing.T) {
	var w worst
	for _, x := range floats(samples(), 2) {
		w.add(ulps(Exp2(x), math.Exp2(float64(x))), x, 0)
		x = math.Float32frombits(math.Float32bits(x)&0x807FFFFF | 0x42800000) // 64..128 and below
		w.add(ulps(Exp2(x*1.25), math.Exp2(float64(x*1.25))), x*1.25, 0)
	}
	w.check(t, "exp2", 1.11)
	for i := -160; i <= 130; i++ {
		if got, want := Exp2(float32(i)), float32(math.Ldexp(1, i)); got != want {
			t.Errorf("2^%d is %g", i, got)
		}
	}
}

func TestLog2Bounds(t *testing.T) {
	var w worst
	for _, x := range floats(samples(), 3) {
		w.add(ulps(Log2(x), math.Log2(float64(x))), x, 0)
	}
	w.check(t, "log2", 3)
	for i := -149; i <= 127; i++ {
		if got := Log2(float32(math.Ldexp(1, i))); got != float32(i) {
			t.Errorf("log2 of 2^%d is %g", i, got)
		}
	}
}

func TestPowBounds(t *testing.T) {
	var w, integers worst
	as, bs := floats(samples(), 4), floats(samples(), 5)
	add := func(a, b float32) {
		want := math.Pow(float64(a), float64(b))
		if a < 0 && b != 0 {
			want = math.NaN() // also where b is an integer
		}
		if a == 0 && b < 0 {
			want = math.Inf(1) // also for -0
		}
		if b == 0 || b == b && !(a == 1 && b-b != 0) {
			w.add(ulps(Pow(a, b), want), a, b)
		}
	}
	for i, a := range as {
		add(a, bs[i])
		// results within range
		a = math.Float32frombits(math.Float32bits(a) &^ (1 << 31))
		if l := math.Log2(float64(a)); l != 0 && l-l == 0 {
			add(a, float32((float64(uint32(i)*2654435761)/(1<<31)-1)*150/l))
		}
	}
	for _, a := range specials {
		for _, b := range specials {
			add(math.Float32frombits(a), math.Float32frombits(b))
		}
	}
	w.check(t, "pow", 1.25)
	for i := -20; i <= 20; i++ {
		for j := -7; j <= 7; j++ {
			a, b := float32(math.Ldexp(1, i)), float32(j)
			if got, want := Pow(a, b), float32(math.Ldexp(1, i*j)); got != want {
				t.Errorf("%g to the %g is %g", a, b, got)
			}
		}
	}
	for a := range 64 {
		for b := range 5 {
			integers.add(ulps(Pow(float32(a), float32(b)), math.Pow(float64(a), float64(b))), float32(a), float32(b))
		}
	}
	integers.check(t, "pow of small integers", 0.5)
	if nan := float32(math.NaN()); Pow(nan, 0) != 1 || Pow(1, nan) == Pow(1, nan) {
		t.Error("pow(NaN, 0) must be 1, pow(1, NaN) must be NaN")
	}
}

// TestExpandNumeric holds the two forms of each function equal: NaNs are equal to each other.
func TestExpandNumeric(t *testing.T) {
	as, bs := floats(samples()/4, 6), floats(samples()/4, 7)
	for _, a := range specials {
		for _, b := range specials {
			as, bs = append(as, math.Float32frombits(a)), append(bs, math.Float32frombits(b))
		}
	}
	for _, op := range []Op{FSin, FCos, FExp2, FLog2, FPow} {
		b := NewBuilder(op.String(), C32s(2), C32s(1))
		f := b.Finish(ExpandNumeric(b, op, b.Func.Params[:len(op.Info().Args)]...))
		value := op.Info().Value
		regs := make([]uint64, len(f.Class))
		for i := range as {
			regs[0], regs[1] = uint64(math.Float32bits(as[i])), uint64(math.Float32bits(bs[i]))
			got := straightLine(f, regs)
			want := value(regs[0], regs[1], 0)
			if CanonBits(uint32(got)) != CanonBits(uint32(want)) {
				t.Fatalf("%s of %g, %g: Go gives %#08x, the ops give %#08x", op, as[i], bs[i], want, got)
			}
		}
		t.Logf("%s: %d ops", op, len(f.Body.Insts))
	}
}

// TestNumericBits holds the results to what they were when the test was written, on every machine.
func TestNumericBits(t *testing.T) {
	want := map[Op]uint64{FSin: 0x31b4efeec8d76812, FCos: 0x6b45f9891e343d3a, FExp2: 0x5d6a5f296f3eaf46, FLog2: 0x37ed643d7b59445c, FPow: 0x11454672d977389}
	as, bs := floats(1<<16, 8), floats(1<<16, 9)
	for op, sum := range want {
		h := fnv.New64a()
		for i := range as {
			v := ops[op].Value(uint64(math.Float32bits(as[i])), uint64(math.Float32bits(bs[i])), 0)
			h.Write(binary.LittleEndian.AppendUint32(nil, CanonBits(uint32(v))))
		}
		if got := h.Sum64(); got != sum {
			t.Errorf("%s: hash %#x, want %#x", op, got, sum)
		}
	}
}

// straightLine runs a function without control flow in one lane.
func straightLine(f *Func, regs []uint64) uint64 {
	for i := range f.Body.Insts {
		in := &f.Body.Insts[i]
		var a [3]uint64
		for k, r := range in.Args {
			a[k] = regs[r]
		}
		switch in.Op {
		case Const:
			regs[in.Dst] = in.Imm
		case Return:
			return a[0]
		default:
			regs[in.Dst] = ops[in.Op].Value(a[0], a[1], a[2])
		}
	}
	panic("no return")
}
