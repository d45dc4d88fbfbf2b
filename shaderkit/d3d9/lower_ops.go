package d3d9

import (
	"math"
	"slices"

	"swizzle/shaderkit/ir"
)

// A lowerFunc lowers one instruction; it is the Lower column of the table.
type lowerFunc func(l *lowering, in *inst)

// each makes the lowering of an op that computes each component by itself from the same component of
// its first n sources.
func each(n int, f func(l *lowering, a []ir.Reg) ir.Reg) lowerFunc {
	return func(l *lowering, in *inst) {
		var v [4]ir.Reg
		for c := range 4 {
			if in.writes(c) {
				a := make([]ir.Reg, n)
				for k := range a {
					a[k] = l.src(in, k, c)
				}
				v[c] = f(l, a)
			}
		}
		l.result(in, 15, v)
	}
}

// scalar makes the lowering of an op that computes one value from the first lane of its n sources.
func scalar(n int, f func(l *lowering, a []ir.Reg) ir.Reg) lowerFunc {
	return func(l *lowering, in *inst) {
		a := make([]ir.Reg, n)
		for k := range a {
			a[k] = l.src(in, k, 0)
		}
		l.replicate(in, f(l, a))
	}
}

// plain gives the computation that is one op.
func plain(op ir.Op) func(l *lowering, a []ir.Reg) ir.Reg {
	return func(l *lowering, a []ir.Reg) ir.Reg { return l.b.Emit(op, 0, a...) }
}

// replicate writes one value to all components of the mask.
func (l *lowering) replicate(in *inst, v ir.Reg) { l.result(in, 15, [4]ir.Reg{v, v, v, v}) }

func (l *lowering) mul(a, b ir.Reg) ir.Reg  { return l.b.Emit(l.product, 0, a, b) }
func (l *lowering) add2(a, b ir.Reg) ir.Reg { return l.b.Emit(ir.FAdd, 0, a, b) }
func (l *lowering) sub2(a, b ir.Reg) ir.Reg { return l.b.Emit(ir.FSub, 0, a, b) }

func (l *lowering) sel(cond, a, b ir.Reg) ir.Reg { return l.b.Emit(ir.Sel, 0, cond, a, b) }

// oneIf gives 1.0 where the mask is set, else 0.
func (l *lowering) oneIf(cond ir.Reg) ir.Reg { return l.b.Emit(ir.And, 0, cond, l.one) }

func lowerNop(l *lowering, in *inst) {}

func move(l *lowering, a []ir.Reg) ir.Reg { return a[0] }
func mul(l *lowering, a []ir.Reg) ir.Reg  { return l.mul(a[0], a[1]) }
func mad(l *lowering, a []ir.Reg) ir.Reg  { return l.add2(l.mul(a[0], a[1]), a[2]) }
func lrp(l *lowering, a []ir.Reg) ir.Reg  { return l.add2(l.mul(a[0], l.sub2(a[1], a[2])), a[2]) }
func slt(l *lowering, a []ir.Reg) ir.Reg  { return l.oneIf(l.b.Emit(ir.FLt, 0, a[0], a[1])) }
func sge(l *lowering, a []ir.Reg) ir.Reg  { return l.oneIf(l.b.Emit(ir.FLe, 0, a[1], a[0])) }
func frc(l *lowering, a []ir.Reg) ir.Reg  { return l.sub2(a[0], l.b.Emit(ir.FFloor, 0, a[0])) }

// extreme gives min or max: of a NaN and a number it is the number.
func extreme(op ir.Op) func(l *lowering, a []ir.Reg) ir.Reg {
	return func(l *lowering, a []ir.Reg) ir.Reg {
		nan := l.b.Emit(ir.FNe, 0, a[0], a[0])
		return l.sel(nan, a[1], l.b.Emit(op, 0, a[0], a[1])) // the op keeps the first where the second is NaN
	}
}

// choose is cmp: the second where the first is at least zero, -0 included; NaN takes the third.
func choose(l *lowering, a []ir.Reg) ir.Reg {
	return l.sel(l.b.Emit(ir.FLe, 0, l.zero, a[0]), a[1], a[2])
}

func sign(l *lowering, a []ir.Reg) ir.Reg {
	neg := l.b.Emit(ir.FLt, 0, a[0], l.zero)
	return l.sel(neg, l.b.F(-1), l.oneIf(l.b.Emit(ir.FNe, 0, a[0], l.zero)))
}

func rcp(l *lowering, a []ir.Reg) ir.Reg { return l.b.Emit(ir.FDiv, 0, l.one, a[0]) }

func rsq(l *lowering, a []ir.Reg) ir.Reg {
	return l.b.Emit(ir.FDiv, 0, l.one, l.b.Emit(ir.FSqrt, 0, l.b.Emit(ir.FAbs, 0, a[0])))
}

// lowerExpp has four parts in vs_1_x.
func lowerExpp(l *lowering, in *inst) {
	x := l.src(in, 0, 0)
	power := l.b.Emit(ir.FExp2, 0, x)
	if l.p.Ctx.Version >= v20 {
		l.replicate(in, power)
		return
	}
	floor := l.b.Emit(ir.FFloor, 0, x)
	l.result(in, 15, [4]ir.Reg{l.b.Emit(ir.FExp2, 0, floor), l.sub2(x, floor), power, l.one})
}

func logarithm(l *lowering, a []ir.Reg) ir.Reg {
	return l.b.Emit(ir.FLog2, 0, l.b.Emit(ir.FAbs, 0, a[0]))
}

// power has 1 for a zero exponent, whatever the base.
func power(l *lowering, a []ir.Reg) ir.Reg {
	p := l.b.Emit(ir.FPow, 0, l.b.Emit(ir.FAbs, 0, a[0]), a[1])
	return l.sel(l.b.Emit(ir.FEq, 0, a[1], l.zero), l.one, p)
}

// dot gives the product of the first n components of two sources, summed from x on; row moves the
// second one on by registers.
func (l *lowering) dot(in *inst, n int, row uint32) ir.Reg {
	sum := l.mul(l.src(in, 0, 0), l.srcRow(in, 1, row, 0))
	for c := 1; c < n; c++ {
		sum = l.add2(sum, l.mul(l.src(in, 0, c), l.srcRow(in, 1, row, c)))
	}
	return sum
}

func dot(n int) lowerFunc {
	return func(l *lowering, in *inst) { l.replicate(in, l.dot(in, n, 0)) }
}

func lowerDp2add(l *lowering, in *inst) {
	l.replicate(in, l.add2(l.dot(in, 2, 0), l.src(in, 2, 0)))
}

// matrix makes the lowering of a product with a matrix of rows in consecutive registers.
func matrix(n int) lowerFunc {
	return func(l *lowering, in *inst) {
		var v [4]ir.Reg
		rows := in.rows(1)
		for r := range rows {
			if in.writes(int(r)) {
				v[r] = l.dot(in, n, r)
			}
		}
		l.result(in, 1<<rows-1, v)
	}
}

func lowerCrs(l *lowering, in *inst) {
	var v [4]ir.Reg
	for c := range 3 {
		if !in.writes(c) {
			continue
		}
		y, z := (c+1)%3, (c+2)%3
		v[c] = l.sub2(l.mul(l.src(in, 0, y), l.src(in, 1, z)), l.mul(l.src(in, 0, z), l.src(in, 1, y)))
	}
	l.result(in, 7, v)
}

// lowerNrm scales by the reciprocal length of xyz, of a zero vector by the largest float.
func lowerNrm(l *lowering, in *inst) {
	var s, v [4]ir.Reg
	for c := range 4 {
		if c < 3 || in.writes(c) {
			s[c] = l.src(in, 0, c)
		}
	}
	sum := l.add2(l.add2(l.mul(s[0], s[0]), l.mul(s[1], s[1])), l.mul(s[2], s[2]))
	scale := l.b.Emit(ir.FDiv, 0, l.one, l.b.Emit(ir.FSqrt, 0, sum))
	scale = l.sel(l.b.Emit(ir.FEq, 0, sum, l.zero), l.b.F(math.MaxFloat32), scale)
	for c := range 4 {
		if in.writes(c) {
			v[c] = l.mul(s[c], scale)
		}
	}
	l.result(in, 15, v)
}

func lowerSincos(l *lowering, in *inst) {
	a := l.src(in, 0, 0)
	l.result(in, 3, [4]ir.Reg{l.b.Emit(ir.FCos, 0, a), l.b.Emit(ir.FSin, 0, a)})
}

func lowerDst(l *lowering, in *inst) {
	var v [4]ir.Reg
	for c, f := range [4]func() ir.Reg{
		func() ir.Reg { return l.one },
		func() ir.Reg { return l.mul(l.src(in, 0, 1), l.src(in, 1, 1)) },
		func() ir.Reg { return l.src(in, 0, 2) },
		func() ir.Reg { return l.src(in, 1, 3) },
	} {
		if in.writes(c) {
			v[c] = f()
		}
	}
	l.result(in, 15, v)
}

// maxPower bounds the exponent of lit: it fits 8.8 fixed point.
const maxPower = 127.9961

func lowerLit(l *lowering, in *inst) {
	x, y, w := l.src(in, 0, 0), l.src(in, 0, 1), l.src(in, 0, 3)
	w = l.b.Emit(ir.FMin, 0, l.b.Emit(ir.FMax, 0, w, l.b.F(-maxPower)), l.b.F(maxPower))
	lit := l.b.Emit(ir.FLt, 0, l.zero, x)
	shine := l.b.Emit(ir.And, 0, lit, l.b.Emit(ir.FLt, 0, l.zero, y))
	l.result(in, 15, [4]ir.Reg{l.one, l.b.Emit(ir.And, 0, lit, x), l.b.Emit(ir.And, 0, shine, power(l, []ir.Reg{y, w})), l.one})
}

// comparison compares component c of the two sources; comparisons with NaN fail but for ne.
func (l *lowering) comparison(in *inst, c int) ir.Reg {
	a, b := l.src(in, 0, c), l.src(in, 1, c)
	switch in.control {
	case 1: // gt
		return l.b.Emit(ir.FLt, 0, b, a)
	case 2: // eq
		return l.b.Emit(ir.FEq, 0, a, b)
	case 3: // ge
		return l.b.Emit(ir.FLe, 0, b, a)
	case 4: // lt
		return l.b.Emit(ir.FLt, 0, a, b)
	case 5: // ne
		return l.b.Emit(ir.FNe, 0, a, b)
	}
	return l.b.Emit(ir.FLe, 0, a, b)
}

func lowerSetp(l *lowering, in *inst) {
	var v [4]ir.Reg
	for c := range 4 {
		if in.writes(c) {
			v[c] = l.comparison(in, c)
		}
	}
	l.result(in, 15, v)
}

// lowerTexkill tests the components of the mask; ps_1_x tests x, y and z, those before 1_4 of the stage's
// coordinates.
func lowerTexkill(l *lowering, in *inst) {
	kill := l.zero
	o := in.dst
	if l.ps1 {
		o.mask = 7
	}
	if l.ps13 {
		o.typ = typeCoord
	}
	for c := range 4 {
		if o.mask>>c&1 == 0 {
			continue
		}
		v := l.b.Emit(ir.FLt, 0, l.fetch(&o, 0, c), l.zero)
		if in.predicated {
			v = l.b.Emit(ir.And, 0, v, l.condition(&in.pred, c))
		}
		kill = l.b.Emit(ir.Or, 0, kill, v)
	}
	l.b.Emit(ir.Kill, 0, kill)
}

// texture makes the lowering of a texture load; operands gives what Sample takes.
func texture(kind ir.SampleKind, operands func(l *lowering, in *inst) []ir.Reg) lowerFunc {
	return func(l *lowering, in *inst) {
		s := &in.src[1]
		t := l.b.EmitN(ir.Sample, ir.SampleImm(l.resNum[s.num], kind), operands(l, in)...)
		l.result(in, 15, [4]ir.Reg{t[s.at(0)], t[s.at(1)], t[s.at(2)], t[s.at(3)]})
	}
}

// coordinates gives x, y and z of source k, and w for a texture load that uses it. A 2d texture has no
// z: it is handed on, but does not count as read.
func (l *lowering) coordinates(in *inst, k int, w bool) []ir.Reg {
	a := []ir.Reg{l.src(in, k, 0), l.src(in, k, 1)}
	l.quiet = l.sampler[in.src[1].num] == ir.Dim2D
	a = append(a, l.src(in, k, 2))
	l.quiet = false
	if w {
		a = append(a, l.src(in, k, 3))
	}
	return a
}

func atXYZ(l *lowering, in *inst) []ir.Reg  { return l.coordinates(in, 0, false) }
func atXYZW(l *lowering, in *inst) []ir.Reg { return l.coordinates(in, 0, true) }

func atProjected(l *lowering, in *inst) []ir.Reg {
	a := l.coordinates(in, 0, true)
	for c := range 3 {
		a[c] = l.b.Emit(ir.FDiv, 0, a[c], a[3])
	}
	return a[:3]
}

func atGradients(l *lowering, in *inst) []ir.Reg {
	return slices.Concat(l.coordinates(in, 0, false), l.coordinates(in, 2, false), l.coordinates(in, 3, false))
}
