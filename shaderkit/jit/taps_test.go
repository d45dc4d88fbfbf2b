package jit_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"swizzle/internal/jittest"
	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// Taps reads what Load does: columns side by side and apart, at the end of the resource and beyond,
// wherever the first texel lies, one for all lanes or for each its own.
func TestTaps(t *testing.T) {
	e := jittest.New(t)
	const items, texels = 64, 256
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 7))
		b := ir.NewBuilder("main", nil, nil)
		at := b.Emit(ir.Shl, 0, b.Emit(ir.Item, 0), b.U(5))
		word := func(k int) ir.Reg { return b.Emit(ir.IAdd, 0, at, b.U(uint32(4*k))) }
		in := []ir.Reg{b.Emit(ir.Res, 1)}
		for k := range 5 {
			in = append(in, b.Emit(ir.Load, 0, b.Emit(ir.Res, 0), word(k)))
		}
		if seed%2 == 0 {
			in[1] = b.Emit(ir.Load, 0, b.Emit(ir.Res, 0), b.U(0))
		}
		for k, w := range b.EmitN(ir.Taps, 0, in...) {
			b.Emit(ir.Store, 0, b.Emit(ir.Res, 2), word(k), w)
		}
		p := linear(b, ir.ConstFloat, ir.Texture, ir.Buffer)
		p.Name = fmt.Sprint("taps ", seed)
		sameRun(t, e, p, func(check func(*exec.Arena, uint32, any) exec.Result) {
			a := &exec.Arena{}
			desc := a.Alloc(exec.JobRecords + 3*exec.RecordWords)
			from, texture, to := a.Alloc(8*items), a.Alloc(texels), a.Alloc(8*items)
			for i := range uint32(texels) {
				a.Words(texture, texels)[i] = 0xA5000000 + i
			}
			near := []uint32{0, 1, 3, 4, 4 * texels, 4*texels + 4, ^uint32(0)}
			for i := range items {
				w := a.Words(from, 8*items)[8*i:]
				w[0] = uint32(4 * r.IntN(64))
				w[1], w[3], w[4] = uint32(r.IntN(15)), uint32(16*r.IntN(12)), uint32(16*r.IntN(12))
				w[2] = w[1] + 1
				if seed%4 > 1 && r.IntN(3) == 0 {
					w[0] = near[r.IntN(len(near))]
				}
				if seed%3 > 0 && r.IntN(8) == 0 {
					w[1+r.IntN(4)] = []uint32{0, 15, texels - 1, texels, r.Uint32(), 1 << 30, ^uint32(0)}[r.IntN(7)]
				}
			}
			a.Words(desc, 1)[0] = items
			a.SetRecord(desc, 0, exec.Record{exec.RecBase: from, exec.RecSize: 32 * items})
			a.SetRecord(desc, 1, exec.Record{exec.RecBase: texture, exec.RecSize: 4 * texels})
			a.SetRecord(desc, 2, exec.Record{exec.RecBase: to, exec.RecSize: 32 * items})
			check(a, desc, "items")
		})
	}
}
