package interp

import (
	"math/bits"

	"swizzle/shaderkit/ir"
)

func rowConst(v *vm, in *inst) {
	in.d[0] = [quadLanes]uint32{uint32(in.imm)}
	in.d.broadcast(0, v.q)
}

func rowConst64(v *vm, in *inst) {
	in.d64[0] = [quadLanes]uint64{in.imm}
	in.d64.broadcast(0, v.q)
}

func rowDesc(v *vm, in *inst) {
	in.d[0] = [quadLanes]uint32{v.word(uint64(v.desc/4) + in.imm)}
	in.d.broadcast(0, v.q)
}

func rowRes(v *vm, in *inst) {
	in.d[0] = [quadLanes]uint32{record(v.desc, in.imm)}
	in.d.broadcast(0, v.q)
}

func rowTriWord(v *vm, in *inst) {
	in.d[0] = [quadLanes]uint32{v.triWord(in.imm)}
	in.d.broadcast(0, v.q)
}

func rowActive(v *vm, in *inst) {
	d := words(in.d, v.q)
	m := v.active
	for i := range d {
		d[i] = [quadLanes]uint32{mask(m&1 != 0), mask(m&2 != 0), mask(m&4 != 0), mask(m&8 != 0)}
		m >>= quadLanes
	}
}

func rowDDX(v *vm, in *inst) {
	d, a := floats(in.d, v.q), floats(in.a, v.q)
	for i := range d {
		top, bottom := a[i][1]-a[i][0], a[i][3]-a[i][2]
		d[i] = [quadLanes]float32{top, top, bottom, bottom}
	}
}

func rowDDY(v *vm, in *inst) {
	d, a := floats(in.d, v.q), floats(in.a, v.q)
	for i := range d {
		left, right := a[i][2]-a[i][0], a[i][3]-a[i][1]
		d[i] = [quadLanes]float32{left, right, left, right}
	}
}

// rowLoadShared is Load where all lanes read through one record.
func rowLoadShared(v *vm, in *inst) {
	m := v.span(in.a[0][0])
	d, b := words(in.d, v.q), words(in.b, v.q)
	for i := range d {
		d, b := &d[i], &b[i]
		for k, off := range b {
			var w uint32
			if o := uint(off / 4); o < uint(len(m)) {
				w = m[o]
			}
			d[k] = w
		}
	}
}

func rowLoad(v *vm, in *inst) {
	d, a, b := words(in.d, v.q), words(in.a, v.q), words(in.b, v.q)
	for i := range d {
		for k, off := range b[i] {
			var w uint32
			if m, o := v.span(a[i][k]), uint(off/4); o < uint(len(m)) {
				w = m[o]
			}
			d[i][k] = w
		}
	}
}

// rowStoreShared is Store where all lanes write through one record.
func rowStoreShared(v *vm, in *inst) {
	to := v.span(in.a[0][0])
	m := v.active & v.live
	if m == firstLanes(v.q*quadLanes) {
		b, c := words(in.b, v.q), words(in.c, v.q)
		for i := range b {
			b, c := &b[i], &c[i]
			for k, off := range b {
				if o := uint(off / 4); o < uint(len(to)) {
					to[o] = c[k]
				}
			}
		}
		return
	}
	for ; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m) & (maxLanes - 1)
		if o := uint(in.b[i>>2][i&3] / 4); o < uint(len(to)) {
			to[o] = in.c[i>>2][i&3]
		}
	}
}

func rowStore(v *vm, in *inst) {
	for m := v.active & v.live; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m) & (maxLanes - 1)
		to := v.span(in.a[i>>2][i&3])
		if o := uint(in.b[i>>2][i&3] / 4); o < uint(len(to)) {
			to[o] = in.c[i>>2][i&3]
		}
	}
}

func rowWrite(v *vm, in *inst) {
	if v.rec != nil {
		v.rec.write(v, in)
	}
}

func init() {
	for op, r := range map[ir.Op]row{
		ir.Const: rowConst, ir.Const64: rowConst64, ir.Desc: rowDesc, ir.Res: rowRes, ir.TriWord: rowTriWord,
		ir.FMulZ: rowFMulZ, ir.Active: rowActive, ir.DDX: rowDDX, ir.DDY: rowDDY, ir.Load: rowLoad, ir.Store: rowStore, ir.Write: rowWrite,
	} {
		rows[op] = r
	}
}
