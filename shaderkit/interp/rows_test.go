package interp

import (
	"math"
	"math/rand"
	"testing"

	"swizzle/shaderkit/ir"
)

// Words that meet the special cases of some op.
var edges32 = []uint32{0, 1, 2, 31, 32, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFF, 0x3F800000, 0xBF800000, 0x3F000000, 0x40490FDB,
	0x7F800000, 0xFF800000, 0x7FC00000, 0x7F800001, 0x00400000, 0x807FFFFF, 0x4F000000, 0xCF000000, 0x4F800000, 0x4B000001}
var edges64 = []uint64{0, 1, 63, 64, 1 << 63, 1<<63 - 1, math.MaxUint64, 0x3FF0000000000000, 0x7FF0000000000000, 0x7FF8000000000000, 0xFFF0000000000001,
	0x36A0000000000000, 0x47EFFFFFF0000000, 0x3FF0000010000000}

// canonical makes NaNs equal: their bits are undefined.
func canonical(v uint64, c ir.Class) uint64 {
	if c == ir.C64 {
		if f := math.Float64frombits(v); f != f {
			return 0x7FF8000000000000
		}
		return v
	}
	return uint64(ir.CanonBits(uint32(v)))
}

// Every row computes what the op's value function says, whichever register its result goes to, and
// nothing behind the quads of the batch.
func TestRowsEqualTheValueFunctions(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for i := range 256 {
		op := ir.Op(i)
		if _, ok := op.Eval(0, 0, 0); !ok {
			continue
		}
		row := rows[op]
		if row == nil {
			t.Errorf("%s has no row", op)
			continue
		}
		args := op.Info().Args
		for round := range 200 {
			var r32 [4]lanes // results, then operands
			var r64 [4]lanes64
			for k := range r32 {
				for i := range maxLanes {
					r32[k][i/4][i%4] = r.Uint32()
					r64[k][i/4][i%4] = r.Uint64()
					if r.Intn(2) == 0 {
						r32[k][i/4][i%4] = edges32[r.Intn(len(edges32))]
						r64[k][i/4][i%4] = edges64[r.Intn(len(edges64))]
					}
				}
			}
			in := inst{d: &r32[0], a: &r32[1], b: &r32[2], c: &r32[3], d64: &r64[0], a64: &r64[1], b64: &r64[2], c64: &r64[3]}
			switch round % 3 { // the result takes the place of an operand
			case 1:
				in.d, in.d64 = in.a, in.a64
			case 2:
				in.d, in.d64 = in.b, in.b64
			}
			before32, before64 := r32, r64
			v := vm{q: 1 + r.Intn(maxQuads), active: math.MaxUint64}
			row(&v, &in)
			for i := range maxLanes {
				var a [3]uint64
				for k := range args {
					if a[k] = uint64(before32[k+1][i/4][i%4]); ir.ClassOf(args[k]) == ir.C64 {
						a[k] = before64[k+1][i/4][i%4]
					}
				}
				want, _ := op.Eval(a[0], a[1], a[2])
				got := uint64(in.d[i/4][i%4])
				old := uint64(before32[round%3][i/4][i%4])
				class := op.Info().Class
				if class == ir.C64 {
					got, old = in.d64[i/4][i%4], before64[round%3][i/4][i%4]
				}
				if i >= v.q*quadLanes {
					if want = old; got != want {
						t.Fatalf("%s wrote lane %d of %d", op, i, v.q*quadLanes)
					}
				} else if canonical(got, class) != canonical(want, class) {
					t.Fatalf("%s(%x, %x, %x) = %x, want %x", op, a[0], a[1], a[2], got, want)
				}
			}
		}
	}
}

// Products joined with sums round twice; zero wins where it should.
func TestProductRows(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	for range 2000 {
		var x [4]lanes
		for k := range x {
			for i := range maxLanes {
				x[k][i/4][i%4] = r.Uint32()
				if r.Intn(2) == 0 {
					x[k][i/4][i%4] = edges32[r.Intn(len(edges32))]
				}
			}
		}
		for k, row := range []row{rowMulAdd, rowMulZAdd} {
			in := inst{d: &x[0], a: &x[1], b: &x[2], c: &x[3]}
			row(&vm{q: maxQuads}, &in)
			for i := range maxLanes {
				a, b, c := uint64(x[1][i/4][i%4]), uint64(x[2][i/4][i%4]), uint64(x[3][i/4][i%4])
				p, _ := []ir.Op{ir.FMul, ir.FMulZ}[k].Eval(a, b, 0)
				want, _ := ir.FAdd.Eval(p, c, 0)
				if got := uint64(x[0][i/4][i%4]); canonical(got, ir.C32) != canonical(want, ir.C32) {
					t.Fatalf("row %d of %x, %x, %x = %x, want %x", k, a, b, c, got, want)
				}
			}
		}
	}
}
