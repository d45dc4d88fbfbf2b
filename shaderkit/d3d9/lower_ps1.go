package d3d9

import (
	"swizzle/shaderkit/ir"
)

// What is special about ps_1_x: instructions work on the texture stage that their destination names. In
// ps_1_1 to ps_1_3 the coordinates of a stage are no register that programs name; t# holds what the
// instructions make of them.

// A stageUse is what an instruction takes from texture stages beside its sources.
type stageUse struct {
	coordinates bool   // of the stage of the destination
	sampler     bool   // that of the destination
	bump        bool   // its bump matrix
	rows        uint32 // rows of a matrix, made by pads of as many stages in front
	pad         uint32 // opcode of those pads
	depth       bool   // writes the depth
}

// stageUses has the instructions of ps_1_x by opcode. Those that ps_1_4 has too, texcrd and texld, take
// their coordinates from a source there.
var stageUses = map[uint32]stageUse{
	codeTexcoord:     {coordinates: true},
	codeTexkill:      {coordinates: true},
	codeTexld:        {coordinates: true, sampler: true},
	codeTexbem:       {coordinates: true, sampler: true, bump: true},
	codeTexbeml:      {coordinates: true, sampler: true, bump: true},
	codeTexreg2ar:    {sampler: true},
	codeTexreg2gb:    {sampler: true},
	codeTexreg2rgb:   {sampler: true},
	codeTexm3x2pad:   {coordinates: true},
	codeTexm3x2tex:   {coordinates: true, sampler: true, rows: 1, pad: codeTexm3x2pad},
	codeTexm3x2depth: {coordinates: true, rows: 1, pad: codeTexm3x2pad, depth: true},
	codeTexm3x3pad:   {coordinates: true},
	codeTexm3x3tex:   {coordinates: true, sampler: true, rows: 2, pad: codeTexm3x3pad},
	codeTexm3x3:      {coordinates: true, rows: 2, pad: codeTexm3x3pad},
	codeTexm3x3spec:  {coordinates: true, sampler: true, rows: 2, pad: codeTexm3x3pad},
	codeTexm3x3vspec: {coordinates: true, sampler: true, rows: 2, pad: codeTexm3x3pad},
	codeTexdp3:       {coordinates: true},
	codeTexdp3tex:    {coordinates: true, sampler: true},
	codeTexdepth:     {depth: true},
	codeBem:          {bump: true},
}

// stage checks and counts what in takes from texture stages.
func (l *lowering) stage(f *function, in *inst) {
	u, ok := stageUses[in.Code]
	if !ok || !l.exists(in, &in.dst) {
		return
	}
	n := in.dst.num
	if u.coordinates && l.ps13 {
		f.reads[register{typeCoord, n}] = true
	}
	if u.sampler {
		if l.sampler[n] = ir.Dim2D; n >= limit(l.p.Ctx, RegSampler) {
			l.errorf(in, in.dst.off, "register-number", "%s samples stage %d; the last is %d", in.Name, n, limit(l.p.Ctx, RegSampler)-1)
		}
	}
	if u.bump {
		l.stages = max(l.stages, int(n)+1)
	}
	if u.depth {
		r := register{RegDepthOut, 0}
		f.writes[r] = true
		l.output(in, r, 1)
	}
	for k := range u.rows {
		if stage := n - u.rows + k; n < u.rows || !l.padded(f, in, u.pad, stage) {
			l.errorf(in, in.bytes.Off, "matrix-row", "%s needs %d rows in front, one for each of the stages before %d", in.Name, u.rows, n)
			return
		}
	}
}

// padded reports whether a pad for the stage stands in front of in.
func (l *lowering) padded(f *function, in *inst, pad, stage uint32) bool {
	for i := f.first; &l.insts[i] != in; i++ {
		if l.insts[i].Code == pad && l.insts[i].dst.num == stage {
			return true
		}
	}
	return false
}

// coordinate gives component c of the coordinates of a stage.
func (l *lowering) coordinate(stage uint32, c int) ir.Reg {
	return l.b.Get(l.vars[register{typeCoord, stage}][c])
}

// sample samples the stage of the destination.
func (l *lowering) sample(in *inst, x, y, z ir.Reg) []ir.Reg {
	return l.b.EmitN(ir.Sample, ir.SampleImm(l.resNum[in.dst.num], ir.SampleImplicit), x, y, z)
}

// stageSample makes the lowering of an instruction that samples the stage of its destination at the
// coordinates that at gives.
func stageSample(at func(l *lowering, in *inst) [3]ir.Reg) lowerFunc {
	return func(l *lowering, in *inst) {
		a := at(l, in)
		l.result(in, 15, [4]ir.Reg(l.sample(in, a[0], a[1], a[2])))
	}
}

func atStage(l *lowering, in *inst) (a [3]ir.Reg) {
	for c := range a {
		a[c] = l.coordinate(in.dst.num, c)
	}
	return a
}

// atSource is texld of ps_1_4. A texture without a third coordinate does not ask for it.
func atSource(l *lowering, in *inst) [3]ir.Reg {
	x, y := l.src(in, 0, 0), l.src(in, 0, 1)
	l.quiet = true
	z := l.src(in, 0, 2)
	l.quiet = false
	return [3]ir.Reg{x, y, z}
}

// atLanes makes the coordinates of lanes of the source.
func atLanes(lanes ...int) func(l *lowering, in *inst) [3]ir.Reg {
	return func(l *lowering, in *inst) [3]ir.Reg {
		a := [3]ir.Reg{l.zero, l.zero, l.zero}
		for i, c := range lanes {
			a[i] = l.src(in, 0, c)
		}
		return a
	}
}

func atMatrix2(l *lowering, in *inst) [3]ir.Reg {
	return [3]ir.Reg{l.row(in, 1), l.stageDot(in), l.zero}
}

func atMatrix3(l *lowering, in *inst) [3]ir.Reg { return l.matrix3(in) }

func atDot(l *lowering, in *inst) [3]ir.Reg {
	return [3]ir.Reg{l.stageDot(in), l.zero, l.zero}
}

// atReflection is the reflection of an eye vector E at the normal N that the matrix makes:
// 2 * (N·E / N·N) * N - E.
func atReflection(eye func(l *lowering, in *inst, c int) ir.Reg) func(l *lowering, in *inst) [3]ir.Reg {
	return func(l *lowering, in *inst) [3]ir.Reg {
		n := l.matrix3(in)
		var e [3]ir.Reg
		for c := range e {
			e[c] = eye(l, in, c)
		}
		s := l.b.Emit(ir.FDiv, 0, l.dot3(n, e), l.dot3(n, n))
		s = l.add2(s, s)
		for c := range n {
			n[c] = l.sub2(l.mul(s, n[c]), e[c])
		}
		return n
	}
}

func eyeConstant(l *lowering, in *inst, c int) ir.Reg { return l.src(in, 1, c) }

// eyeVarying takes the vector from the fourth coordinates of the stages of the matrix.
func eyeVarying(l *lowering, in *inst, c int) ir.Reg {
	return l.coordinate(in.dst.num-2+uint32(c), 3)
}

func (l *lowering) dot3(a, b [3]ir.Reg) ir.Reg {
	return l.add2(l.add2(l.mul(a[0], b[0]), l.mul(a[1], b[1])), l.mul(a[2], b[2]))
}

// stageDot is the dot product of the coordinates of the destination's stage and the source.
func (l *lowering) stageDot(in *inst) ir.Reg {
	return l.dot3(atStage(l, in), [3]ir.Reg{l.src(in, 0, 0), l.src(in, 0, 1), l.src(in, 0, 2)})
}

// A pad is where an instruction left a row of a matrix.
type pad struct{ code, stage uint32 }

// row gives the row that a pad left, back stages in front.
func (l *lowering) row(in *inst, back uint32) ir.Reg {
	return l.rows[pad{stageUses[in.Code].pad, in.dst.num - back}]
}

func (l *lowering) matrix3(in *inst) [3]ir.Reg {
	return [3]ir.Reg{l.row(in, 2), l.row(in, 1), l.stageDot(in)}
}

// lowerPad keeps a row for the instruction that ends the matrix; no register gets it.
func lowerPad(l *lowering, in *inst) { l.rows[pad{in.Code, in.dst.num}] = l.stageDot(in) }

func lowerTexm3x3(l *lowering, in *inst) {
	m := l.matrix3(in)
	l.result(in, 15, [4]ir.Reg{m[0], m[1], m[2], l.one})
}

func lowerTexdp3(l *lowering, in *inst) { l.replicate(in, l.stageDot(in)) }

func lowerTexm3x2depth(l *lowering, in *inst) { l.depth(l.row(in, 1), l.stageDot(in)) }

// lowerTexdepth takes the depth from r5, which is lost.
func lowerTexdepth(l *lowering, in *inst) {
	l.depth(l.fetch(&in.dst, 0, 0), l.fetch(&in.dst, 0, 1))
	for c := range 4 {
		if x := (component{in.dst.register, c}); l.written[x] {
			l.lose(x)
		}
	}
}

func (l *lowering) depth(a, b ir.Reg) {
	l.write(component{register{RegDepthOut, 0}, 0}, l.quotient(a, b), ir.NoReg)
}

// quotient is a / b, and 1 where b is zero.
func (l *lowering) quotient(a, b ir.Reg) ir.Reg {
	return l.sel(l.b.Emit(ir.FEq, 0, b, l.zero), l.one, l.b.Emit(ir.FDiv, 0, a, b))
}

// lose forgets a component: it reads as if nothing had been written to it.
func (l *lowering) lose(c component) {
	l.write(c, l.zero, ir.NoReg)
	delete(l.written, c)
	if l.o.Probe && l.isOutput(c.register) {
		l.set(component{register{c.typ | typeWritten, c.num}, c.c}, l.zero, ir.NoReg)
	}
}

// lowerTexcoord gives the coordinates as a colour.
func lowerTexcoord(l *lowering, in *inst) {
	a := atStage(l, in)
	l.result(in, 15, [4]ir.Reg{l.saturate(a[0]), l.saturate(a[1]), l.saturate(a[2]), l.one})
}

// matrixed gives x and y moved by r and g of source k through the bump matrix of the stage of the destination.
func (l *lowering) matrixed(in *inst, x, y ir.Reg, k int) (u, v ir.Reg) {
	r, g := l.src(in, k, 0), l.src(in, k, 1)
	u = l.add2(l.add2(x, l.mul(l.bumpState(in, 0), r)), l.mul(l.bumpState(in, 2), g))
	v = l.add2(l.add2(y, l.mul(l.bumpState(in, 1), r)), l.mul(l.bumpState(in, 3), g))
	return u, v
}

// bumpState gives a word of the stage of the destination: M00, M01, M10, M11, luminance scale, offset.
func (l *lowering) bumpState(in *inst, n uint32) ir.Reg {
	return l.b.Emit(ir.Load, 0, l.b.Emit(ir.Res, uint64(l.bump)), l.b.U(32*in.dst.num+4*n))
}

func atBump(l *lowering, in *inst) [3]ir.Reg {
	a := atStage(l, in)
	a[0], a[1] = l.matrixed(in, a[0], a[1], 0)
	return a
}

func lowerTexbeml(l *lowering, in *inst) {
	a := atBump(l, in)
	v := l.sample(in, a[0], a[1], a[2])
	luminance := l.add2(l.mul(l.src(in, 0, 2), l.bumpState(in, 4)), l.bumpState(in, 5))
	for c := range v {
		v[c] = l.mul(v[c], luminance)
	}
	l.result(in, 15, [4]ir.Reg(v))
}

func lowerBem(l *lowering, in *inst) {
	u, v := l.matrixed(in, l.src(in, 0, 0), l.src(in, 0, 1), 1)
	l.result(in, 3, [4]ir.Reg{u, v})
}

// lowerCnd chooses where the first source is above 0.5. Before ps_1_4 that is one lane, r0.a, and the
// second of a co-issued pair does not look at it unless it writes alpha alone: hardware gives the second
// source then.
func lowerCnd(l *lowering, in *inst) {
	var v [4]ir.Reg
	for c := range 4 {
		if !in.writes(c) {
			continue
		}
		v[c] = l.src(in, 1, c)
		if l.ps13 && in.coissue && in.dst.mask != 8 {
			continue
		}
		lane := c
		if l.ps13 {
			lane = 3
		}
		v[c] = l.sel(l.b.Emit(ir.FLt, 0, l.b.F(0.5), l.src(in, 0, lane)), v[c], l.src(in, 2, c))
	}
	l.result(in, 15, v)
}

// lowerPhase begins the second phase of ps_1_4: alpha of the temporaries is lost.
func lowerPhase(l *lowering, in *inst) {
	for _, r := range l.regs {
		if alpha := (component{r, 3}); r.typ == RegTemp && l.written[alpha] {
			l.lose(alpha)
		}
	}
}
