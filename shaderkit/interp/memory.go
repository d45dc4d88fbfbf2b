package interp

import (
	"math/bits"
)

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
