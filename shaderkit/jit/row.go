package jit

import (
	"math"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/internal/wasmenc"
	"swizzle/shaderkit/ir"
)

// direct are the ops that one SIMD instruction computes, of operands and results of one width.
var direct = [...]wasmenc.VOp{
	ir.FAdd: wasmenc.F32x4Add, ir.FSub: wasmenc.F32x4Sub, ir.FMul: wasmenc.F32x4Mul, ir.FDiv: wasmenc.F32x4Div,
	ir.FSqrt: wasmenc.F32x4Sqrt, ir.FMin: wasmenc.F32x4PMin, ir.FMax: wasmenc.F32x4PMax,
	ir.FFloor: wasmenc.F32x4Floor, ir.FCeil: wasmenc.F32x4Ceil, ir.FTrunc: wasmenc.F32x4Trunc, ir.FNearest: wasmenc.F32x4Nearest,
	ir.FLt: wasmenc.F32x4Lt, ir.FLe: wasmenc.F32x4Le, ir.FEq: wasmenc.F32x4Eq, ir.FNe: wasmenc.F32x4Ne,
	ir.IEq: wasmenc.I32x4Eq, ir.INe: wasmenc.I32x4Ne, ir.ILt: wasmenc.I32x4LtS, ir.ULt: wasmenc.I32x4LtU,
	ir.IAdd: wasmenc.I32x4Add, ir.ISub: wasmenc.I32x4Sub, ir.IMul: wasmenc.I32x4Mul, ir.INeg: wasmenc.I32x4Neg,
	ir.And: wasmenc.V128And, ir.Or: wasmenc.V128Or, ir.Xor: wasmenc.V128Xor, ir.Not: wasmenc.V128Not,
	ir.IMin: wasmenc.I32x4MinS, ir.IMax: wasmenc.I32x4MaxS, ir.UMin: wasmenc.I32x4MinU, ir.UMax: wasmenc.I32x4MaxU,
	ir.F2I: wasmenc.I32x4TruncSatF32x4S, ir.F2U: wasmenc.I32x4TruncSatF32x4U,
	ir.I2F: wasmenc.F32x4ConvertI32x4S, ir.U2F: wasmenc.F32x4ConvertI32x4U,
	ir.DAdd: wasmenc.F64x2Add, ir.DSub: wasmenc.F64x2Sub, ir.DMul: wasmenc.F64x2Mul, ir.DDiv: wasmenc.F64x2Div, ir.DSqrt: wasmenc.F64x2Sqrt,
	ir.LAdd: wasmenc.I64x2Add, ir.LSub: wasmenc.I64x2Sub,
	ir.LAnd: wasmenc.V128And, ir.LOr: wasmenc.V128Or, ir.LXor: wasmenc.V128Xor,
}

// compose pushes vector v of the result of an op that takes several instructions; ok is false for
// ops that it does not know.
func (w *writer) compose(in *ir.Inst, v int) (ok bool) {
	switch in.Op {
	case ir.FFlush:
		w.fflush(in, v)
	case ir.FNeg, ir.FAbs:
		w.vec(in.Args[0], v)
		w.signBit(in.Op)
	case ir.LMul:
		w.fresh(in.Args[0], v)
		w.fresh(in.Args[1], v)
		w.V(wasmenc.I64x2Mul)
	case ir.F2U, ir.F2I: // of a small number, which has its integer in the mantissa when 1<<23 is added
		w.vec(in.Args[0], v)
		if d := w.f.def[in.Args[0]]; d.Op != ir.FFloor && d.Op != ir.FTrunc {
			w.V(wasmenc.F32x4Trunc)
		}
		w.constant(bits23)
		w.V(wasmenc.F32x4Add)
		if !w.f.shifted[in.Dst] {
			w.constant(bits23)
			w.V(wasmenc.V128Xor)
		}
	case ir.Canon:
		w.canon(in, v)
	case ir.IMulHi:
		w.mulHi(in, v, wasmenc.I64x2ExtmulLowI32x4S, wasmenc.I64x2ExtmulHighI32x4S)
	case ir.UMulHi:
		w.mulHi(in, v, wasmenc.I64x2ExtmulLowI32x4U, wasmenc.I64x2ExtmulHighI32x4U)
	case ir.IDiv, ir.UDiv, ir.URem:
		w.divide(in, v)
	case ir.Shl:
		w.shift(in, v, wasmenc.I32x4Shl, wasmenc.I32Shl)
	case ir.ShrS:
		w.shift(in, v, wasmenc.I32x4ShrS, wasmenc.I32ShrS)
	case ir.ShrU:
		w.shift(in, v, wasmenc.I32x4ShrU, wasmenc.I32ShrU)
	case ir.LShl:
		w.longShift(in, v, wasmenc.I64x2Shl, wasmenc.I64Shl)
	case ir.LShrS:
		w.longShift(in, v, wasmenc.I64x2ShrS, wasmenc.I64ShrS)
	case ir.LShrU:
		w.longShift(in, v, wasmenc.I64x2ShrU, wasmenc.I64ShrU)
	case ir.And:
		w.vec(w.f.odd(in), v)
		w.I32(8).V(wasmenc.I16x8ShrU)
	case ir.FDiv: // x/255 is x/256 + x/256/255, which rounds to the same for all bytes x
		t := w.temp()
		w.vec(in.Args[0], v)
		w.constant(math.Float32bits(1.0 / 256))
		w.V(wasmenc.F32x4Mul).Tee(t).Get(t)
		w.constant(math.Float32bits(1.0 / 255))
		w.V(wasmenc.F32x4Mul).V(wasmenc.F32x4Add)
		w.release(t)
	case ir.Sel:
		if w.zero(in.Args[1]) || w.zero(in.Args[2]) {
			which, op := in.Args[2], wasmenc.V128AndNot
			if w.zero(in.Args[2]) {
				which, op = in.Args[1], wasmenc.V128And
			}
			w.vec(which, v)
			w.vec(in.Args[0], v)
			w.V(op)
			break
		}
		w.vec(in.Args[1], v)
		w.vec(in.Args[2], v)
		w.vec(in.Args[0], v)
		w.choose()
	case ir.Sel64:
		w.vec(in.Args[1], v)
		w.vec(in.Args[2], v)
		w.vec(in.Args[0], v/2)
		w.vec(in.Args[0], v/2)
		w.Shuffle([2][4]byte{{0, 0, 1, 1}, {2, 2, 3, 3}}[v%2])
		w.choose()
	case ir.Pack64:
		w.vec(in.Args[0], v/2)
		w.vec(in.Args[1], v/2)
		w.Shuffle([2][4]byte{{0, 4, 1, 5}, {2, 6, 3, 7}}[v%2])
	case ir.F2D:
		if w.vec(in.Args[0], v/2); v%2 == 1 {
			w.vec(in.Args[0], v/2)
			w.Shuffle([4]byte{2, 3, 2, 3})
		}
		w.V(wasmenc.F64x2PromoteLowF32x4)
	case ir.Lo64:
		w.narrow(v, [4]byte{0, 2, 4, 6}, func(h int) { w.vec(in.Args[0], h) })
	case ir.Hi64:
		w.narrow(v, [4]byte{1, 3, 5, 7}, func(h int) { w.vec(in.Args[0], h) })
	case ir.D2F:
		w.narrow(v, [4]byte{0, 1, 4, 5}, func(h int) {
			w.vec(in.Args[0], h)
			w.V(wasmenc.F32x4DemoteF64x2Zero)
		})
	case ir.DLt:
		w.compareLong(in, v, wasmenc.F64x2Lt, false)
	case ir.DEq:
		w.compareLong(in, v, wasmenc.F64x2Eq, false)
	case ir.LEq:
		w.compareLong(in, v, wasmenc.I64x2Eq, false)
	// There is no unsigned comparison: with the sign bits flipped the signed one gives the same.
	case ir.LULt:
		w.compareLong(in, v, wasmenc.I64x2LtS, true)
	case ir.DDX:
		w.difference(in, v, [4]byte{1, 1, 3, 3}, [4]byte{0, 0, 2, 2})
	case ir.DDY:
		w.difference(in, v, [4]byte{2, 3, 2, 3}, [4]byte{0, 1, 0, 1})
	case ir.LaneX:
		w.place(w.x, w.m.gX)
		x := uint32(2 * v)
		w.V(wasmenc.I32x4Splat)
		w.vector([4]uint32{x, x + 1, x, x + 1})
		w.V(wasmenc.I32x4Add)
	case ir.LaneY:
		w.place(w.y, w.m.gY)
		w.V(wasmenc.I32x4Splat)
		w.vector([4]uint32{0, 0, 1, 1})
		w.V(wasmenc.I32x4Add)
	case ir.Item:
		w.place(w.item, w.m.gX)
		i := uint32(4 * v)
		w.V(wasmenc.I32x4Splat)
		w.vector([4]uint32{i, i + 1, i + 2, i + 3})
		w.V(wasmenc.I32x4Add)
	case ir.Active:
		w.Get(w.active[v])
	case ir.Desc:
		w.word(w.m.gDesc, in.Imm)
		w.V(wasmenc.I32x4Splat)
	case ir.TriWord:
		w.word(w.m.gTri, in.Imm)
		w.V(wasmenc.I32x4Splat)
	case ir.Res:
		w.GetGlobal(w.m.gDesc).I32(int32(4 * (exec.JobRecords + exec.RecordWords*uint32(in.Imm)))).Op(wasmenc.I32Add)
		w.V(wasmenc.I32x4Splat)
	case ir.Load:
		w.load(in, v)
	default:
		return false
	}
	return true
}

// row writes an op without effects.
func (w *writer) row(in *ir.Inst) error {
	if w.f.asks(in) {
		w.addToSum(in.Args[0])
		return nil
	}
	op := wasmenc.VOp(0)
	if int(in.Op) < len(direct) {
		op = direct[in.Op]
	}
	ok := op != 0
	w.declare(in.Dst)
	switch {
	case in.Op == ir.FMulZ && !w.f.isPlain(in), w.f.sum(in):
		w.product(in)
		return nil
	case in.Op == ir.FMulZ:
		op, ok = wasmenc.F32x4Mul, true
	case (in.Op == ir.F2U || in.Op == ir.F2I) && w.small(in.Args[0]), w.f.odd(in) != ir.NoReg, w.f.isByte(in):
		ok = false
	case in.Op == ir.U2F && w.f.positive(in.Args[0]):
		op = wasmenc.F32x4ConvertI32x4S // the signed one is a single instruction of most machines
	}
	if in.Op == ir.FLog2 {
		w.log2(in)
	} else if err := w.each(in, op, ok); err != nil {
		return err
	}
	if w.f.opt != nil && w.f.opt.sunk[in.Dst] {
		w.addToSum(in.Dst)
	}
	return nil
}

// each writes an op vector by vector: as one instruction, or by compose.
func (w *writer) each(in *ir.Inst, op wasmenc.VOp, one bool) error {
	for v := range w.width(in.Dst) {
		if one {
			for _, a := range in.Args {
				w.vec(a, v)
			}
			w.V(op)
		} else if !w.compose(in, v) {
			return &Error{Code: "op", What: in.Op.String()}
		}
		w.set(in.Dst, v)
	}
	return nil
}

// bits23 are the bits of the float 1<<23.
const bits23 = 0x4B000000

// zero reports whether r is the constant 0.
func (w *writer) zero(r ir.Reg) bool {
	bits, ok := w.f.constant(r)
	return ok && bits == 0
}

// isByte reports whether in divides a byte by 255.
func (f *function) isByte(in *ir.Inst) bool {
	if in.Op != ir.FDiv {
		return false
	}
	bits, ok := f.constant(in.Args[1])
	d := f.def[in.Args[0]]
	if !ok || bits != math.Float32bits(255) || d == nil || d.Op != ir.U2F {
		return false
	}
	hi, ok := f.upper(in.Args[0])
	return ok && hi <= 255
}

// odd gives a where in is (a >> 8) & 0x00FF00FF, two bytes of a word in a half each; else NoReg.
func (f *function) odd(in *ir.Inst) ir.Reg {
	if in.Op != ir.And {
		return ir.NoReg
	}
	for k, a := range in.Args {
		bits, ok := f.constant(in.Args[1-k])
		if d := f.def[a]; ok && bits == 0x00FF00FF && d != nil && d.Op == ir.ShrU {
			if by, ok := f.constant(d.Args[1]); ok && by&31 == 8 {
				return d.Args[0]
			}
		}
	}
	return ir.NoReg
}

// small reports whether r is known to lie from 0 up to 1<<23, not included.
func (w *writer) small(r ir.Reg) bool {
	hi, ok := w.f.upper(r)
	return ok && hi < 1<<23
}

// regular reports whether r is a constant that is finite and not zero.
func (f *function) regular(r ir.Reg) bool {
	bits, ok := f.constant(r)
	x := math.Float32frombits(bits)
	return ok && x != 0 && x-x == 0
}

func (w *writer) fflush(in *ir.Inst, v int) {
	w.vec(in.Args[0], v)
	w.vec(in.Args[0], v)
	w.constant(0x7F800000)
	w.V(wasmenc.V128And).Splat(0).V(wasmenc.I32x4Eq)
	w.Splat(1<<31 - 1).V(wasmenc.V128And).V(wasmenc.V128AndNot)
}

func (w *writer) canon(in *ir.Inst, v int) {
	w.vec(in.Args[0], v)
	w.constant(0x7FC00000)
	w.vec(in.Args[0], v)
	w.vec(in.Args[0], v)
	w.V(wasmenc.F32x4Eq)
	w.choose()
}

func (w *writer) mulHi(in *ir.Inst, v int, low, high wasmenc.VOp) {
	for _, op := range []wasmenc.VOp{low, high} {
		w.vec(in.Args[0], v)
		w.vec(in.Args[1], v)
		w.V(op)
	}
	w.Shuffle([4]byte{1, 3, 5, 7})
}

// divide divides lane by lane, by divisors that cannot trap.
func (w *writer) divide(in *ir.Inst, v int) {
	a, b := in.Args[0], in.Args[1]
	zero, safe, result := w.temp(), w.temp(), w.temp()
	w.vec(b, v)
	w.Splat(0).V(wasmenc.I32x4Eq).Set(zero)
	w.Splat(1)
	w.vec(b, v)
	w.Get(zero)
	op := wasmenc.I32DivU
	switch in.Op {
	case ir.URem:
		op = wasmenc.I32RemU
	case ir.IDiv: // by -1: negated below
		op = wasmenc.I32DivS
		w.vec(b, v)
		w.Splat(^uint32(0)).V(wasmenc.I32x4Eq).V(wasmenc.V128Or)
	}
	w.choose()
	w.Set(safe)
	w.vec(a, v)
	for k := range byte(4) {
		w.vec(a, v)
		w.VLane(wasmenc.I32x4ExtractLane, k).Get(safe).VLane(wasmenc.I32x4ExtractLane, k).Op(op)
		w.VLane(wasmenc.I32x4ReplaceLane, k)
	}
	if in.Op == ir.IDiv {
		w.Set(result)
		w.vec(a, v)
		w.V(wasmenc.I32x4Neg).Get(result)
		w.vec(b, v)
		w.Splat(^uint32(0)).V(wasmenc.I32x4Eq)
		w.choose()
	}
	w.Get(zero).V(wasmenc.V128Or)
	w.release(zero, safe, result)
}

func (w *writer) shift(in *ir.Inst, v int, whole wasmenc.VOp, single wasmenc.Op) {
	a, b := in.Args[0], in.Args[1]
	w.vec(a, v)
	if w.f.uniform[b] {
		w.lane0(b)
		w.V(whole)
		return
	}
	for k := range byte(4) {
		w.vec(a, v)
		w.VLane(wasmenc.I32x4ExtractLane, k)
		w.vec(b, v)
		w.VLane(wasmenc.I32x4ExtractLane, k).Op(single).VLane(wasmenc.I32x4ReplaceLane, k)
	}
}

func (w *writer) longShift(in *ir.Inst, v int, whole wasmenc.VOp, single wasmenc.Op) {
	a, b := in.Args[0], in.Args[1]
	w.vec(a, v)
	if w.f.uniform[b] {
		w.lane0(b)
		w.V(whole)
		return
	}
	for k := range byte(2) {
		w.vec(a, v)
		w.VLane(wasmenc.I64x2ExtractLane, k)
		w.vec(b, v/2)
		w.VLane(wasmenc.I32x4ExtractLane, byte(v%2*2)+k).Op(wasmenc.I64ExtendU).Op(single).VLane(wasmenc.I64x2ReplaceLane, k)
	}
}

// narrow makes vector v of a register of 32 bits from those two of one of 64 bits that hold its lanes.
func (w *writer) narrow(v int, words [4]byte, push func(v int)) {
	push(2 * v)
	push(2*v + 1)
	w.Shuffle(words)
}

func (w *writer) compareLong(in *ir.Inst, v int, op wasmenc.VOp, flip bool) {
	w.narrow(v, [4]byte{0, 2, 4, 6}, func(h int) {
		for _, a := range in.Args {
			if w.vec(a, h); flip {
				w.VConst([4]uint32{0, 1 << 31, 0, 1 << 31}).V(wasmenc.V128Xor)
			}
		}
		w.V(op)
	})
}

func (w *writer) difference(in *ir.Inst, v int, to, from [4]byte) {
	for _, words := range [2][4]byte{to, from} {
		w.vec(in.Args[0], v)
		w.vec(in.Args[0], v)
		w.Shuffle(words)
	}
	w.V(wasmenc.F32x4Sub)
}

// place pushes what the entry has in a local and other functions find in a global.
func (w *writer) place(local, global uint32) {
	if w.f.entry {
		w.Get(local)
	} else {
		w.GetGlobal(global)
	}
}
