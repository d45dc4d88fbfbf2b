package jit_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"swizzle/internal/jittest"
	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// Pixels that read and write words of their own, through resources that lie apart or overlap by some words,
// and pixels that read those of their neighbours: the waves of a tile come one after the other.
func TestWavesOfATile(t *testing.T) {
	e := jittest.New(t)
	for kind := range 6 {
		b := ir.NewBuilder("main", nil, nil)
		emit := func(op ir.Op, args ...ir.Reg) ir.Reg { return b.Emit(op, 0, args...) }
		res := func(n uint64) ir.Reg { return b.Emit(ir.Res, n) }
		x, y := emit(ir.LaneX), emit(ir.LaneY)
		b.Emit(ir.Cover, 0, b.Emit(ir.Edges, 4, x, y))
		offset := tileOffset(b, x, y)
		second := emit(ir.Or, offset, b.U(1<<14)) // another tile of the same resource
		v := emit(ir.IAdd, emit(ir.IMul, x, b.U(3)), emit(ir.IMul, y, b.Emit(ir.TriWord, 13)))
		switch kind {
		case 0: // two resources
			v = emit(ir.IAdd, v, emit(ir.Load, res(0), offset))
			emit(ir.Store, res(1), offset, v)
			emit(ir.Store, res(0), offset, emit(ir.IAdd, v, b.U(1)))
		case 1: // one is read alone
			v = emit(ir.IAdd, v, emit(ir.Load, res(1), offset))
			emit(ir.Store, res(0), offset, v)
			emit(ir.Store, res(0), second, emit(ir.IAdd, v, emit(ir.Load, res(1), second)))
		case 2: // that of the pixel before, which has been stored where it is another wave's
			v = emit(ir.IAdd, v, emit(ir.Load, res(0), emit(ir.IAdd, offset, b.U(^uint32(3)))))
			emit(ir.Store, res(0), offset, v)
		case 3: // not of its own
			place := emit(ir.And, offset, b.U(^uint32(1<<5))) // two waves have the same
			emit(ir.Store, res(0), place, v)
			b.If(emit(ir.IEq, emit(ir.And, x, b.U(4)), b.U(0)))
			emit(ir.Store, res(0), place, emit(ir.IAdd, v, b.U(7)))
			b.EndIf()
		case 4: // one place for all
			v = emit(ir.IAdd, v, emit(ir.Load, res(0), b.U(64)))
			emit(ir.Store, res(0), b.U(64), v)
			emit(ir.Store, res(1), offset, v)
		case 5: // in arms, with a loop, and pixels that end
			emit(ir.Kill, emit(ir.IEq, emit(ir.And, v, b.U(15)), b.U(3)))
			n, sum := b.NewVar(b.U(0)), b.NewVar(v)
			b.Loop()
			b.BreakIf(emit(ir.IEq, b.Get(n), b.U(3)))
			b.Set(n, emit(ir.IAdd, b.Get(n), b.U(1)))
			b.Set(sum, emit(ir.IAdd, b.Get(sum), emit(ir.Load, res(0), offset)))
			b.EndLoop()
			b.If(emit(ir.ULt, x, b.Emit(ir.TriWord, 14)))
			emit(ir.Store, res(0), offset, b.Get(sum))
			b.Else()
			emit(ir.Store, res(1), offset, emit(ir.IMul, b.Get(sum), y))
			b.EndIf()
		}
		p := program(ir.Tile, b, ir.Buffer, ir.Buffer)
		p.Name, p.Large = fmt.Sprint("kind ", kind), true
		covered := uint64(0)
		sameRun(t, e, p, func(check func(*exec.Arena, uint32, any) exec.Result) {
			for seed := range uint64(40) {
				r := rand.New(rand.NewPCG(seed, uint64(kind)))
				a := &exec.Arena{}
				const words, n, pixels = 15, 4, exec.TileSize * exec.TileSize
				desc, at := a.Alloc(exec.JobRecords+2*exec.RecordWords), a.Alloc(words*n)
				copy(a.Words(desc, 3), []uint32{n, at, words})
				for i := range uint32(n) {
					tri := a.Words(at+4*words*i, words)
					x0, y0 := r.Uint32N(40), r.Uint32N(40)
					copy(tri, []uint32{x0, y0, x0 + 8 + r.Uint32N(60), y0 + 8 + r.Uint32N(60)})
					for k := 4; k < 13; k++ {
						tri[k] = uint32(r.Int64N(200) - 40)
					}
					tri[13], tri[14] = r.Uint32N(9), r.Uint32N(80)
				}
				data := a.Alloc(6 * pixels)
				for i := range a.Words(data, 6*pixels) {
					a.Words(data, 6*pixels)[i] = r.Uint32N(1000)
				}
				other := data + 2*4*pixels
				if seed%2 == 1 { // some words before or behind
					other = data + 4*r.Uint32N(2*pixels)
				}
				size := uint32(2 * 4 * pixels)
				if seed%8 == 3 {
					size = 4 * r.Uint32N(2*pixels) // ends early
				}
				a.SetRecord(desc, 0, exec.Record{exec.RecBase: data, exec.RecSize: size})
				a.SetRecord(desc, 1, exec.Record{exec.RecBase: other, exec.RecSize: size})
				covered += check(a, desc, seed).Lanes
			}
		})
		if covered < 40*exec.TileSize {
			t.Errorf("%s: only %d pixels covered", p.Name, covered)
		}
	}
}
