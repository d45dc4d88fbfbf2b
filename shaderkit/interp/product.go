package interp

import "swizzle/shaderkit/ir"

// Products, and products with the sum they go into; all are rounded. Where zero wins, a quad without
// a NaN needs only the plain product: a third faster natively, two thirds in js/wasm.

func rowFMulZ(v *vm, in *inst) {
	d, a, b := floats(in.d, v.q), floats(in.a, v.q), floats(in.b, v.q)
	for i := range d {
		d, a, b := &d[i], &a[i], &b[i]
		p0, p1, p2, p3 := a[0]*b[0], a[1]*b[1], a[2]*b[2], a[3]*b[3]
		if p0 != p0 || p1 != p1 || p2 != p2 || p3 != p3 {
			zeroWins(d, a, b)
			continue
		}
		d[0], d[1], d[2], d[3] = p0, p1, p2, p3
	}
}

func rowMulAdd(v *vm, in *inst) {
	d, a, b, c := floats(in.d, v.q), floats(in.a, v.q), floats(in.b, v.q), floats(in.c, v.q)
	for i := range d {
		d, a, b, c := &d[i], &a[i], &b[i], &c[i]
		d[0] = float32(a[0]*b[0]) + c[0]
		d[1] = float32(a[1]*b[1]) + c[1]
		d[2] = float32(a[2]*b[2]) + c[2]
		d[3] = float32(a[3]*b[3]) + c[3]
	}
}

func rowMulZAdd(v *vm, in *inst) {
	d, a, b, c := floats(in.d, v.q), floats(in.a, v.q), floats(in.b, v.q), floats(in.c, v.q)
	for i := range d {
		d, a, b, c := &d[i], &a[i], &b[i], &c[i]
		p0, p1, p2, p3 := float32(a[0]*b[0]), float32(a[1]*b[1]), float32(a[2]*b[2]), float32(a[3]*b[3])
		if p0 != p0 || p1 != p1 || p2 != p2 || p3 != p3 {
			zeroWinsAdd(d, a, b, c)
			continue
		}
		d[0], d[1], d[2], d[3] = p0+c[0], p1+c[1], p2+c[2], p3+c[3]
	}
}

// zeroWins and zeroWinsAdd are for quads with a NaN.
//
//go:noinline
func zeroWins(d, a, b *[quadLanes]float32) {
	for k := range d {
		d[k] = ir.MulZ(a[k], b[k])
	}
}

//go:noinline
func zeroWinsAdd(d, a, b, c *[quadLanes]float32) {
	for k := range d {
		d[k] = ir.MulZ(a[k], b[k]) + c[k]
	}
}
