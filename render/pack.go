package render

import (
	"math"

	"swizzle/shaderkit/ir"
)

// Pack gives the words of a pixel for a colour: bits of floats, or integers for formats of integers. Of a
// depth format the first is the depth, a float, the second the stencil, an integer.
func (f Format) Pack(colour Vec) (words [4]uint32) {
	row := f.row()
	b := ir.NewBuilder("pack", ir.C32s(5), nil)
	c := converter{b: b, table: b.Func.Params[4]}
	var out []ir.Reg
	if row.depth {
		out = c.packDepth(f, b.Func.Params[0], b.Func.Params[1])
	} else {
		out = c.pack(f, b.Func.Params[:4], false)
	}
	copy(words[:], evaluate(b.Finish(out...), colour[0], colour[1], colour[2], colour[3], 0))
	return
}

// Depth gives the depth that the bits of a depth format's field stand for.
func (f Format) Depth(bits uint32) float32 {
	row := f.row()
	if !row.depth || row.kind == float {
		return math.Float32frombits(bits)
	}
	n := row.channels[0].bits
	return float32(bits&(1<<n-1)) / float32(uint32(1)<<n-1)
}

// evaluate gives the results of a function of conversions: straight code whose only memory are the sRGB
// tables.
func evaluate(f *ir.Func, args ...uint32) []uint32 {
	p := ir.Program{Funcs: []*ir.Func{f}}
	ir.ExpandMacros(&p)
	regs := make([]uint64, len(f.Class))
	for i, r := range f.Params {
		regs[r] = uint64(args[i])
	}
	for i := range f.Body.Insts {
		in := &f.Body.Insts[i]
		arg := func(k int) uint64 {
			if k < len(in.Args) {
				return regs[in.Args[k]]
			}
			return 0
		}
		switch in.Op {
		case ir.Const, ir.Const64:
			regs[in.Dst] = in.Imm
		case ir.Load:
			regs[in.Dst] = uint64(srgbTables[arg(1)/4])
		case ir.Return:
			var out []uint32
			for _, r := range in.Args {
				out = append(out, uint32(regs[r]))
			}
			return out
		default:
			regs[in.Dst] = in.Op.Info().Value(arg(0), arg(1), arg(2))
		}
	}
	return nil
}
