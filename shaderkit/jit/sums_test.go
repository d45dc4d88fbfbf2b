package jit_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"swizzle/internal/jittest"
	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// Sums of zero-wins products come out the same, infinities, NaNs and zeros among the factors; products
// with a reader besides the sum, uniform ones, and some within an If.
func TestSums(t *testing.T) {
	e := jittest.New(t)
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 6))
		b := ir.NewBuilder("main", nil, nil)
		at := b.Emit(ir.Shl, 0, b.Emit(ir.Item, 0), b.U(5))
		word := func(k int) ir.Reg { return b.Emit(ir.IAdd, 0, at, b.U(uint32(4*k))) }
		var values []ir.Reg
		for k := range 8 {
			v := b.Emit(ir.Load, 0, b.Emit(ir.Res, 0), word(k))
			if k > 5 {
				v = b.Emit(ir.Load, 0, b.Emit(ir.Res, 0), b.U(uint32(4*r.IntN(8))))
			}
			values = append(values, v)
		}
		pick := func(from int) ir.Reg { return values[from+r.IntN(len(values)-from)] }
		expressions := func() {
			for range 30 {
				op := []ir.Op{ir.FMulZ, ir.FMulZ, ir.FAdd, ir.FSub}[r.IntN(4)]
				from := 0
				if op != ir.FMulZ {
					from = max(0, len(values)-4)
				}
				values = append(values, b.Emit(op, 0, pick(from), pick(from)))
			}
			for k := range 8 {
				if r.IntN(2) == 0 {
					b.Emit(ir.Store, 0, b.Emit(ir.Res, 1), word(k), b.Emit(ir.Canon, 0, pick(len(values)-6)))
				}
			}
		}
		expressions()
		kept := len(values)
		b.If(b.Emit(ir.FLt, 0, values[0], values[1]))
		expressions()
		values = values[:kept]
		b.EndIf()
		p := ir.Optimize(linear(b, ir.ConstFloat, ir.Buffer), ir.Options{})
		p.Name = fmt.Sprint("sums ", seed)
		sameRun(t, e, p, func(check func(*exec.Arena, uint32, any) exec.Result) {
			a := &exec.Arena{}
			const items = 64
			desc := a.Alloc(exec.JobRecords + 2*exec.RecordWords)
			in, out := a.Alloc(8*items), a.Alloc(8*items)
			for i := range uint32(8 * items) {
				a.Words(in, 8*items)[i] = []uint32{0, 1 << 31, 0x3F800000, 0xC0000000, 0x3F000000, words[r.IntN(len(words))]}[r.IntN(6)]
			}
			a.Words(desc, 1)[0] = items
			a.SetRecord(desc, 0, exec.Record{exec.RecBase: in, exec.RecSize: 32 * items})
			a.SetRecord(desc, 1, exec.Record{exec.RecBase: out, exec.RecSize: 32 * items})
			check(a, desc, "items")
		})
	}
}
