package ir

import (
	"math"
	"strings"
	"testing"
)

func TestOpTable(t *testing.T) {
	names := map[string]Op{}
	for o := Invalid + 1; o < numOps; o++ {
		row := o.Info()
		if row.Name == "" || row.Doc == "" {
			t.Errorf("op %d has no name or doc", o)
		}
		if other, ok := names[row.Name]; ok {
			t.Errorf("%v and %v are both named %s", o, other, row.Name)
		}
		names[row.Name] = o
		if row.Args != "*" && strings.Trim(row.Args, "fidlxy") != "" {
			t.Errorf("%v: operand types %q", o, row.Args)
		}
		if (row.Results > 0) != (row.Type != 0) {
			t.Errorf("%v: %d results of type %q", o, row.Results, row.Type)
		}
		if row.Results > 0 && ClassOf(row.Type) != row.Class {
			t.Errorf("%v: type %c, class %d", o, row.Type, row.Class)
		}
		if row.Value != nil && (row.Results != 1 || len(row.Args) > 3 || row.Imm != "") {
			t.Errorf("%v cannot be a function of its operands", o)
		}
	}
	if o := Op(250); o.String() != "op(250)" || o.Info().Name != "invalid" {
		t.Errorf("an op outside the table is %v, %s", o, o.Info().Name)
	}
}

func TestEval(t *testing.T) {
	const (
		one, two, inf, ninf, nan = 0x3F800000, 0x40000000, 0x7F800000, 0xFF800000, 0x7FC00000
		nzero, least, all        = 1 << 31, 1 << 31, math.MaxUint32
	)
	for _, c := range []struct {
		op      Op
		a, b, c uint64
		want    uint64
	}{
		{FAdd, one, one, 0, two},
		{FAdd, 0x7F7FFFFF, 0x7F7FFFFF, 0, inf},
		{FAdd, 1, 1, 0, 2}, // denormals are kept
		{FSub, one, one, 0, 0},
		{FMul, 0x00800000, 0x3F000000, 0, 0x00400000},
		{FMul, nzero, one, 0, nzero},
		{FDiv, one, nzero, 0, ninf},
		{FSqrt, two, 0, 0, 0x3FB504F3},
		{FSqrt, nzero, 0, 0, nzero},
		{FMin, nan, one, 0, nan}, {FMin, one, nan, 0, one}, {FMin, nzero, 0, 0, nzero}, {FMin, 0, nzero, 0, 0},
		{FMax, nan, one, 0, nan}, {FMax, one, nan, 0, one}, {FMax, one, two, 0, two},
		{FNeg, 0, 0, 0, nzero}, {FAbs, ninf, 0, 0, inf},
		{FFloor, 0xBF000000, 0, 0, 0xBF800000}, {FCeil, 0xBF000000, 0, 0, nzero}, {FTrunc, 0xBFC00000, 0, 0, 0xBF800000},
		{FNearest, 0x40200000, 0, 0, two}, {FNearest, 0x3F000000, 0, 0, 0},
		{FMulZ, 0, inf, 0, 0}, {FMulZ, nzero, nan, 0, 0}, {FMulZ, one, inf, 0, inf}, {FMulZ, nzero, one, 0, nzero},
		{FFlush, 0x807FFFFF, 0, 0, nzero}, {FFlush, 0x00800000, 0, 0, 0x00800000},
		{Canon, 0xFF812345, 0, 0, nan}, {Canon, ninf, 0, 0, ninf}, {Canon, 1, 0, 0, 1},
		{FLt, nan, one, 0, 0}, {FLt, nzero, 0, 0, 0}, {FLe, nzero, 0, 0, all}, {FEq, nzero, 0, 0, all}, {FEq, nan, nan, 0, 0}, {FNe, nan, nan, 0, all},
		{IEq, 5, 5, 0, all}, {INe, 5, 5, 0, 0}, {ILt, all, 0, 0, all}, {ULt, all, 0, 0, 0},
		{IAdd, all, 1, 0, 0}, {ISub, 0, 1, 0, all}, {IMul, 0x10001, 0x10001, 0, 0x20001},
		{IMulHi, all, all, 0, 0}, {UMulHi, all, all, 0, all - 1},
		{IDiv, all - 6, 2, 0, all - 2}, {IDiv, 7, 0, 0, all}, {IDiv, least, all, 0, least},
		{UDiv, 7, 0, 0, all}, {UDiv, all, 2, 0, math.MaxInt32}, {URem, 7, 4, 0, 3}, {URem, 7, 0, 0, all},
		{INeg, least, 0, 0, least}, {Not, 0, 0, 0, all},
		{Shl, 1, 33, 0, 2}, {ShrS, least, 31, 0, all}, {ShrU, least, 63, 0, 1},
		{IMin, all, 1, 0, all}, {IMax, all, 1, 0, 1}, {UMin, all, 1, 0, 1}, {UMax, all, 1, 0, all},
		{F2I, nan, 0, 0, 0}, {F2I, inf, 0, 0, math.MaxInt32}, {F2I, ninf, 0, 0, least}, {F2I, 0xBFC00000, 0, 0, all}, {F2I, 0x4F000000, 0, 0, math.MaxInt32}, {F2I, 0xCF000000, 0, 0, least},
		{F2U, nan, 0, 0, 0}, {F2U, inf, 0, 0, all}, {F2U, 0xBF800000, 0, 0, 0}, {F2U, 0x4F7FFFFF, 0, 0, 0xFFFFFF00}, {F2U, 0x4F800000, 0, 0, all},
		{I2F, all, 0, 0, 0xBF800000}, {U2F, all, 0, 0, 0x4F800000}, {I2F, 0x01000001, 0, 0, 0x4B800000}, {U2F, 0x01000003, 0, 0, 0x4B800002},
		{Sel, 0xFFFF0000, 0x12345678, 0x9ABCDEF0, 0x1234DEF0},
		{Pack64, 1, 2, 0, 1 | 2<<32}, {Lo64, 1 | 2<<32, 0, 0, 1}, {Hi64, 1 | 2<<32, 0, 0, 2},
		{DAdd, 0x3FF0000000000000, 0x3FF0000000000000, 0, 0x4000000000000000}, {DSub, 0x4000000000000000, 0x3FF0000000000000, 0, 0x3FF0000000000000},
		{DMul, 0x4000000000000000, 0x4000000000000000, 0, 0x4010000000000000}, {DDiv, 0x3FF0000000000000, 0, 0, 0x7FF0000000000000}, {DSqrt, 0x4010000000000000, 0, 0, 0x4000000000000000},
		{DLt, 1 << 63, 0, 0, 0}, {DEq, 1 << 63, 0, 0, all}, {F2D, one, 0, 0, 0x3FF0000000000000}, {D2F, 0x3FF0000010000000, 0, 0, one},
		{LAdd, math.MaxUint64, 1, 0, 0}, {LSub, 0, 1, 0, math.MaxUint64}, {LMul, 1 << 33, 1 << 31, 0, 0}, {LAnd, 6, 3, 0, 2}, {LOr, 6, 3, 0, 7}, {LXor, 6, 3, 0, 5},
		{LShl, 1, 65, 0, 2}, {LShrU, 1 << 63, 63, 0, 1}, {LShrS, 1 << 63, 63, 0, math.MaxUint64}, {LEq, 1, 1, 0, all}, {LULt, math.MaxUint64, 0, 0, 0},
		{Sel64, all, 1 << 40, 2, 1 << 40}, {Sel64, 0, 1 << 40, 2, 2},
	} {
		if got, ok := c.op.Eval(c.a, c.b, c.c); !ok || got != c.want {
			t.Errorf("%v %#x, %#x, %#x = %#x, want %#x", c.op, c.a, c.b, c.c, got, c.want)
		}
	}
	if _, ok := Load.Eval(0, 0, 0); ok {
		t.Error("Load is not a function of its operands")
	}
}
