package jit_test

import (
	"math"
	"testing"

	"swizzle/internal/jittest"
	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// A store in front of a load of another resource: also where both lie at one place or cut each other.
func TestStoresOfResourcesThatOverlap(t *testing.T) {
	b := ir.NewBuilder("main", nil, nil)
	op := func(o ir.Op, args ...ir.Reg) ir.Reg { return b.Emit(o, 0, args...) }
	x, y := b.Emit(ir.LaneX, 0), b.Emit(ir.LaneY, 0)
	b.Emit(ir.Cover, 0, b.Emit(ir.Edges, litEdges, x, y))
	offset := b.U(0)
	for _, part := range [][3]uint32{{0, 1, 2}, {1, 1, 3}, {0, 6, 3}, {1, 6, 5}, {0, 56, 5}, {1, 56, 8}} {
		offset = op(ir.Or, offset, op(ir.Shl, op(ir.And, []ir.Reg{x, y}[part[0]], b.U(part[1])), b.U(part[2])))
	}
	depth, colour := b.Emit(ir.Res, 1), b.Emit(ir.Res, 0)
	op(ir.Store, depth, offset, op(ir.FMul, op(ir.U2F, x), b.F(0.25)))
	old := op(ir.Load, colour, offset)
	factor := op(ir.Load, b.Emit(ir.Res, 2), b.U(0))
	sum := op(ir.FAdd, op(ir.FMulZ, old, factor), op(ir.FMulZ, op(ir.U2F, y), factor))
	op(ir.Store, colour, offset, op(ir.Canon, sum))
	p := &ir.Program{Kind: ir.Tile, Funcs: []*ir.Func{b.Finish()},
		Interface: ir.Interface{Resources: []ir.Resource{{Kind: ir.Buffer}, {Kind: ir.Buffer}, {Kind: ir.ConstFloat, Count: 1}}}}
	const words = exec.TileSize * exec.TileSize
	sameRun(t, jittest.New(t), ir.Optimize(p, ir.Options{}), func(check func(*exec.Arena, uint32, any) exec.Result) {
		for _, apart := range []uint32{0, 16, 64, 4 * words, 4*words - 16} {
			for _, factor := range []float32{0, 1, float32(math.Inf(1))} {
				a := &exec.Arena{}
				desc, at := a.Alloc(exec.JobRecords+3*exec.RecordWords), a.Alloc(litWords)
				copy(a.Words(desc, 3), []uint32{1, at, litWords})
				tri := a.Words(at, litWords)
				copy(tri, []uint32{0, 0, exec.TileSize, exec.TileSize})
				for k, w := range []int32{1, 0, 0, 0, 1, 0, -1, -1, 100} {
					tri[litEdges+k] = uint32(w)
				}
				targets, constant := a.Alloc(2*words), a.Alloc(4)
				for i := range a.Words(targets, 2*words) {
					a.Words(targets, 2*words)[i] = math.Float32bits(float32(i % 5))
				}
				a.Words(constant, 1)[0] = math.Float32bits(factor)
				a.SetRecord(desc, 0, exec.Record{exec.RecBase: targets + apart, exec.RecSize: 4 * words})
				a.SetRecord(desc, 1, exec.Record{exec.RecBase: targets, exec.RecSize: 4 * words})
				a.SetRecord(desc, 2, exec.Record{exec.RecBase: constant, exec.RecSize: 16})
				check(a, desc, apart)
			}
		}
	})
}
