package jit_test

import (
	"math"
	"testing"

	"swizzle/internal/jittest"
	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// What is computed another way because ranges are known comes out the same: bytes over 255, clamps of
// what is clamped, integers of small floats whole and in their lower bits, bytes of odd place.
func TestKnownRanges(t *testing.T) {
	b := ir.NewBuilder("main", nil, nil)
	op := func(o ir.Op, args ...ir.Reg) ir.Reg { return b.Emit(o, 0, args...) }
	item := b.Emit(ir.Item, 0)
	x := op(ir.Load, b.Emit(ir.Res, 0), op(ir.Shl, item, b.U(2)))
	clamped := op(ir.FMin, op(ir.FMax, b.F(0), x), b.F(1))
	part := op(ir.FMax, b.F(0), op(ir.FSub, x, op(ir.FFloor, x)))
	place := op(ir.FMul, part, op(ir.U2F, op(ir.UMin, op(ir.And, x, b.U(0x7FFF)), b.U(16384))))
	fixed := op(ir.F2I, op(ir.FFloor, op(ir.FAdd, op(ir.FMul, place, b.F(256)), b.F(128.5))))
	byt := op(ir.F2U, op(ir.FAdd, op(ir.FMul, op(ir.FMin, op(ir.FMax, b.F(0), clamped), b.F(1)), b.F(255)), b.F(0.5)))
	shifted := op(ir.F2U, op(ir.FMul, clamped, b.F(255)))
	results := []ir.Reg{
		op(ir.FDiv, op(ir.U2F, op(ir.And, item, b.U(255))), b.F(255)),
		op(ir.FMin, clamped, b.F(1)), op(ir.FMax, b.F(0), clamped), op(ir.FMax, b.F(0.5), clamped), op(ir.FMin, clamped, b.F(0.5)),
		fixed, byt, op(ir.Or, op(ir.Shl, shifted, b.U(8)), op(ir.Shl, shifted, b.U(24))),
		op(ir.And, op(ir.ShrU, x, b.U(8)), b.U(0x00FF00FF)), op(ir.F2I, place), op(ir.F2U, op(ir.FTrunc, place)),
		op(ir.Sel, op(ir.FLt, x, b.F(1)), b.U(0), x), op(ir.Sel, op(ir.FLt, x, b.F(1)), x, b.U(0)),
	}
	for k, r := range results {
		op(ir.Store, b.Emit(ir.Res, 1), op(ir.IAdd, op(ir.IMul, item, b.U(64)), b.U(uint32(4*k))), r)
	}
	p := linear(b, ir.ConstFloat, ir.Buffer)
	sameRun(t, jittest.New(t), p, func(check func(*exec.Arena, uint32, any) exec.Result) {
		a := &exec.Arena{}
		const items = 1024
		desc := a.Alloc(exec.JobRecords + 2*exec.RecordWords)
		in, out := a.Alloc(items), a.Alloc(16*items)
		for i := range a.Words(in, items) {
			w := math.Float32bits(float32(i-400) / 512)
			if i < 3*len(words) {
				w = words[i/3] + uint32(i%3)
			}
			a.Words(in, items)[i] = w
		}
		a.Words(desc, 1)[0] = items
		a.SetRecord(desc, 0, exec.Record{exec.RecBase: in, exec.RecSize: 4 * items})
		a.SetRecord(desc, 1, exec.Record{exec.RecBase: out, exec.RecSize: 64 * items})
		check(a, desc, "items")
	})
}
