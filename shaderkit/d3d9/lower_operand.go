package d3d9

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"swizzle/shaderkit/ir"
	"swizzle/shaderkit/isa"
	"swizzle/shaderkit/source"
)

// A register is a register of a program. The upper constant types are folded into RegConst.
type register struct{ typ, num uint32 }

// Registers that no program names.
const (
	typeWritten = 0x100 // for a probe, with an output's type: masks of the components written
	typeSteps   = 0x200 // for a probe: x counts instructions
	typeCoord   = 0x300 // ps_1_1 to ps_1_3: the coordinates of a stage, whose t# holds what instructions make of them
)

var steps = register{typeSteps, 0}

// one is the bits of 1.0.
const one = 0x3F800000

// A component is one of the four of a register.
type component struct {
	register
	c int
}

// An operand is one parameter of an instruction.
type operand struct {
	register
	off              int    // of its word in the binary
	mask, mod, shift uint32 // mod is that of a destination or of a source
	swz              uint32
	rel              bool
	index            register // with rel: the register that is added to num
	lane             int      // with rel: its component
}

// lane of the swizzle at component c.
func (o *operand) at(c int) int { return int(o.swz >> (2 * c) & 3) }

// An inst is an instruction with its operands.
type inst struct {
	*isa.Op
	num        int // index in the program
	bytes      source.Range
	control    uint32
	predicated bool
	coissue    bool // ps_1_x: runs together with the instruction in front
	pred       operand
	hasDst     bool
	dst        operand
	src        []operand
	lit        [4]uint32 // of def, defi, defb
	usage      uint32
	usageIndex uint32
	texture    uint32
}

// opSlots are the slots of an op's form that lowering reads.
type opSlots struct {
	control, predicated      int
	coissue                  int
	usage, index, texture, x int
	dst, pred                operandSlots
	src                      []operandSlots
}

type operandSlots struct{ num, typ, mask, mod, shift, swz, rel, aNum, aType, aSwz int }

func (l *lowering) slotsOf(o *isa.Op) *opSlots {
	if s := l.slots[o]; s != nil {
		return s
	}
	operand := func(p string) operandSlots {
		s := func(f string) int { return o.Slot(p + "." + f) }
		return operandSlots{s("num"), s("type"), s("mask"), s("mod"), s("shift"), s("swz"), s("rel"), s("addr.num"), s("addr.type"), s("addr.swz")}
	}
	s := &opSlots{control: o.Slot("control"), predicated: o.Slot("predicated"), coissue: o.Slot("coissue"), usage: o.Slot("usage"), index: o.Slot("index"),
		texture: o.Slot("texture"), x: o.Slot("x"), dst: operand("dst"), pred: operand("pred")}
	for _, p := range sources {
		if o.Slot(p+".num") >= 0 {
			s.src = append(s.src, operand(p))
		}
	}
	l.slots[o] = s
	return s
}

// read reads the operands of all instructions.
func (l *lowering) read() {
	var v isa.Vals
	for i, in := range l.p.Insts {
		switch in.Kind {
		case isa.KindEnd:
			return
		case isa.KindRaw:
			l.list.BytesErrorf(in.Bytes, l.p.Word(in.Bytes.Off), "not-an-instruction", "words that are no instruction cannot be run")
			continue
		case isa.KindOp:
		default:
			continue
		}
		if !l.p.Fields(i, &v) {
			l.list.BytesErrorf(in.Bytes, l.p.Word(in.Bytes.Off), "not-an-instruction", "the words of %s end early", in.Op.Name)
			continue
		}
		l.insts = append(l.insts, l.readInst(i, in, &v))
	}
}

func (l *lowering) readInst(num int, in isa.Inst, v *isa.Vals) inst {
	s := l.slotsOf(in.Op)
	get := func(slot int) uint32 { x, _ := v.At(slot); return x }
	off := in.Bytes.Off + 4
	operand := func(s operandSlots) operand {
		o := operand{register: register{get(s.typ), get(s.num)}, off: off, mask: get(s.mask), mod: get(s.mod), shift: get(s.shift), swz: get(s.swz), rel: get(s.rel) != 0}
		off += 4
		switch o.typ {
		case RegConst2, RegConst3, RegConst4:
			o.num += 2048 * (o.typ - RegConst2 + 1)
			o.typ = RegConst
		}
		if _, ok := v.At(s.aNum); ok {
			o.index = register{get(s.aType), get(s.aNum)}
			o.lane = int(get(s.aSwz) & 3)
			off += 4
		} else if o.rel && l.p.Ctx.Version < v20 {
			o.index = register{RegAddr, 0} // a0.x, without a word of its own
		}
		return o
	}
	out := inst{Op: in.Op, num: num, bytes: in.Bytes, control: get(s.control), usage: get(s.usage), usageIndex: get(s.index), texture: get(s.texture)}
	if _, ok := v.At(s.usage); ok || s.texture >= 0 {
		off += 4 // the declaration stands in front of its register
	}
	if _, out.hasDst = v.At(s.dst.num); out.hasDst {
		out.dst = operand(s.dst)
	}
	out.coissue = l.ps1 && get(s.coissue) != 0
	if out.predicated = get(s.predicated) != 0; out.predicated {
		out.pred = operand(s.pred)
	}
	for _, o := range s.src {
		out.src = append(out.src, operand(o))
	}
	if s.x >= 0 {
		for c, f := range [...]string{"x", "y", "z", "w"} {
			out.lit[c] = v.Val(f)
		}
	}
	return out
}

// writes reports whether component c is in the write mask.
func (in *inst) writes(c int) bool { return in.hasDst && in.dst.mask>>c&1 != 0 }

// rows gives the number of consecutive registers that source k of in spans.
func (in *inst) rows(k int) uint32 {
	if k == 1 {
		switch in.Code {
		case codeM4x4, codeM3x4:
			return 4
		case codeM4x3, codeM3x3:
			return 3
		case codeM3x2:
			return 2
		}
	}
	return 1
}

// mutable reports whether programs write registers of this type.
func (l *lowering) mutable(typ uint32) bool {
	switch typ {
	case RegTemp, RegRastOut, RegAttrOut, RegOutput, RegColorOut, RegDepthOut, RegLoop, RegPredicate:
		return true
	case RegAddr: // t# in pixel shaders
		return l.p.Ctx.Stage == VS || l.ps13
	}
	return false
}

// isInput reports whether registers of this type come from the stage before.
func (l *lowering) isInput(typ uint32) bool {
	switch typ {
	case RegInput, RegMisc, typeCoord:
		return true
	}
	return typ == RegTexture && l.p.Ctx.Stage == PS && !l.ps13
}

// isOutput reports whether r goes to the stage behind; in ps_1_x that is r0.
func (l *lowering) isOutput(r register) bool {
	switch r.typ {
	case RegRastOut, RegAttrOut, RegOutput, RegColorOut, RegDepthOut:
		return true
	}
	return l.ps1 && r == register{RegTemp, 0}
}

// limit gives the number of registers of a type, 0 for a type that programs of this stage and version
// do not have.
func limit(c isa.Context, typ uint32) uint32 {
	vs, three := c.Stage == VS, c.Version >= v30
	coordinates := uint32(8)
	switch {
	case c.Version < v14:
		coordinates = 4
	case c.Version < v20:
		coordinates = 6
	}
	pick := func(v, p2, p3 uint32) uint32 {
		switch {
		case vs:
			return v
		case three:
			return p3
		}
		return p2
	}
	switch typ {
	case RegTemp:
		return 32
	case RegInput:
		return pick(16, 2, 10)
	case RegConst:
		return 8192
	case RegAddr: // t# in pixel shaders
		return pick(1, coordinates, 0)
	case RegRastOut:
		return pick(3, 0, 0)
	case RegAttrOut:
		return pick(2, 0, 0)
	case RegOutput:
		if vs && three {
			return 12
		}
		return pick(8, 0, 0)
	case RegConstInt, RegConstBool:
		return 2048
	case RegColorOut:
		return pick(0, 4, 4)
	case RegDepthOut:
		return pick(0, 1, 1)
	case RegSampler:
		return 16
	case RegLoop, RegPredicate:
		return 1
	case RegMisc:
		return pick(0, 0, 2)
	case RegLabel:
		return 2048
	}
	return 0
}

func compareRegisters(a, b register) int {
	return cmp.Or(cmp.Compare(a.typ, b.typ), cmp.Compare(a.num, b.num))
}

func sortedKeys[V any](m map[uint32]V) []uint32 {
	var keys []uint32
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func sortedRegisters(m map[register]bool) []register {
	var keys []register
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, compareRegisters)
	return keys
}

// fetch reads a lane of a register without modifiers; add moves on to a following register.
func (l *lowering) fetch(o *operand, add uint32, lane int) ir.Reg {
	r := register{o.typ, o.num + add}
	switch {
	case o.typ == RegConst && !o.rel:
		return l.constant(r.num, lane)
	case o.typ == RegConst:
		n := l.b.Emit(ir.UMin, 0, l.sum(o, r.num), l.b.U(1<<28-1)) // beyond the end of the file, not around it
		off := l.b.Emit(ir.IAdd, 0, l.b.Emit(ir.Shl, 0, n, l.b.U(4)), l.b.U(uint32(4*lane)))
		return l.b.Emit(ir.Load, 0, l.file[fileFloat], off)
	case o.typ == RegInput && o.rel:
		n, v := l.sum(o, r.num), l.zero
		for _, reg := range l.declared(RegInput) {
			hit := l.b.Emit(ir.IEq, 0, n, l.b.U(reg.num))
			v = l.b.Emit(ir.Sel, 0, hit, l.b.Get(l.vars[reg][lane]), v)
		}
		return v
	}
	l.undefined(o, component{r, lane})
	return l.b.Get(l.vars[r][lane])
}

// An unwritten is an operand that reads components which nothing can have written.
type unwritten struct {
	off int // of the operand
	register
	mask uint8
}

// undefined remembers a read of a component that nothing can have written.
func (l *lowering) undefined(o *operand, c component) {
	if l.written[c] || l.quiet {
		return
	}
	for i := range l.unwritten {
		if u := &l.unwritten[i]; u.off == o.off && u.register == c.register {
			u.mask |= 1 << c.c
			return
		}
	}
	l.unwritten = append(l.unwritten, unwritten{o.off, c.register, 1 << c.c})
}

// notes tells of undefined reads.
func (l *lowering) notes() {
	for _, u := range l.unwritten {
		lanes := ""
		for c := range 4 {
			if u.mask>>c&1 != 0 {
				lanes += "xyzw"[c : c+1]
			}
		}
		l.list.Add(source.Diagnostic{Code: "undefined-read", Severity: source.Note, Bytes: source.Range{Off: u.off, Len: 4}, Value: l.p.Word(u.off),
			Message: fmt.Sprintf("%s.%s is read before anything is written to it; it reads as 0", l.name(u.register), lanes)})
	}
}

// sum gives the register number of a relative operand as an integer.
func (l *lowering) sum(o *operand, num uint32) ir.Reg {
	lane := o.lane
	if o.index.typ == RegLoop {
		lane = 0
	}
	l.undefined(o, component{o.index, lane})
	return l.b.Emit(ir.IAdd, 0, l.b.Get(l.vars[o.index][lane]), l.b.U(num))
}

// src reads component c of source k: register, swizzle, then abs and the like, then negation.
func (l *lowering) src(in *inst, k, c int) ir.Reg { return l.srcRow(in, k, 0, c) }

// srcRow is src of the register that lies row behind the one that the source names.
func (l *lowering) srcRow(in *inst, k int, row uint32, c int) ir.Reg {
	o := &in.src[k]
	v := l.fetch(o, row, o.at(c))
	half := func() ir.Reg { return l.ranged(l.b.Emit(ir.FSub, 0, v, l.b.F(0.5))) }
	twice := func(x ir.Reg) ir.Reg { return l.ranged(l.b.Emit(ir.FAdd, 0, x, x)) }
	neg := func(x ir.Reg) ir.Reg { return l.b.Emit(ir.FNeg, 0, x) }
	switch o.mod {
	case modNeg:
		return neg(v)
	case modBias:
		return half()
	case modBiasNeg:
		return neg(half())
	case modBx2:
		return twice(half())
	case modBx2Neg:
		return neg(twice(half()))
	case modComp:
		return l.b.Emit(ir.FSub, 0, l.one, v)
	case modX2:
		return twice(v)
	case modX2Neg:
		return neg(twice(v))
	case modDz:
		return l.quotient(v, l.fetch(o, row, 2))
	case modDw:
		return l.quotient(v, l.fetch(o, row, 3))
	case modAbs:
		return l.b.Emit(ir.FAbs, 0, v)
	case modAbsNeg:
		return neg(l.b.Emit(ir.FAbs, 0, v))
	}
	return v
}

// condition reads lane c of a boolean or predicate operand as a mask.
func (l *lowering) condition(o *operand, c int) ir.Reg {
	var v ir.Reg
	if o.typ == RegConstBool {
		v = l.b.Emit(ir.Load, 0, l.file[fileBool], l.b.U(o.num*16+uint32(4*o.at(c))))
	} else {
		l.undefined(o, component{o.register, o.at(c)})
		v = l.b.Get(l.vars[o.register][o.at(c)])
	}
	if o.mod == modNot {
		v = l.b.Emit(ir.Not, 0, v)
	}
	return v
}

// result writes values through the destination of in: shift, saturate, mask, predicate. All of them
// were computed before the first is written. Components outside mask stay.
func (l *lowering) result(in *inst, mask uint32, v [4]ir.Reg) {
	d := &in.dst
	mask &= d.mask
	for c := range 4 {
		if mask>>c&1 == 0 || d.typ == RegPredicate {
			continue
		}
		v[c] = l.ranged(v[c])
		if d.shift != 0 { // a signed power of two
			scale := math.Ldexp(1, int(d.shift&7)-int(d.shift&8))
			v[c] = l.ranged(l.b.Emit(ir.FMul, 0, v[c], l.b.F(float32(scale))))
		}
		if d.mod&flagSat != 0 {
			v[c] = l.saturate(v[c])
		}
		if d.typ == RegAddr && l.p.Ctx.Stage == VS { // out of range saturates
			round := ir.FNearest // halves to even
			if l.p.Ctx.Version < v20 {
				round = ir.FFloor
			}
			v[c] = l.b.Emit(ir.F2I, 0, l.b.Emit(round, 0, v[c]))
		}
	}
	if l.pair {
		l.waiting = append(l.waiting, outcome{in, mask, v})
		return
	}
	l.commit(in, mask, v)
}

// An outcome is what an instruction is about to write.
type outcome struct {
	in   *inst
	mask uint32
	v    [4]ir.Reg
}

// commit writes the components of mask through the destination and the predicate of in.
func (l *lowering) commit(in *inst, mask uint32, v [4]ir.Reg) {
	d := &in.dst
	pred := [4]ir.Reg{ir.NoReg, ir.NoReg, ir.NoReg, ir.NoReg}
	for c := range 4 {
		if in.predicated && mask>>c&1 != 0 {
			pred[c] = l.condition(&in.pred, c)
		}
	}
	targets := []register{d.register}
	var n ir.Reg
	if d.rel {
		n, targets = l.sum(d, d.num), l.declared(d.typ)
	}
	for _, r := range targets {
		for c := range 4 {
			if mask>>c&1 == 0 {
				continue
			}
			p := pred[c]
			if d.rel {
				hit := l.b.Emit(ir.IEq, 0, n, l.b.U(r.num))
				if p == ir.NoReg {
					p = hit
				} else {
					p = l.b.Emit(ir.And, 0, p, hit)
				}
			}
			l.write(component{r, c}, v[c], p)
		}
	}
}

// saturate clamps to 0..1; NaN gives 0.
func (l *lowering) saturate(v ir.Reg) ir.Reg {
	return l.b.Emit(ir.FMin, 0, l.b.Emit(ir.FMax, 0, l.zero, v), l.one)
}

// write gives a component a new value in the lanes where pred is set (all when it is NoReg).
func (l *lowering) write(c component, v, pred ir.Reg) {
	l.set(c, v, pred)
	l.written[c] = true
	if l.o.Probe && l.isOutput(c.register) {
		l.set(component{register{c.typ | typeWritten, c.num}, c.c}, l.b.U(^uint32(0)), pred)
	}
	if l.o.Trace {
		i, ok := l.traced[c]
		if !ok {
			i = len(l.prog.Traced)
			l.traced[c] = i
			l.prog.Traced = append(l.prog.Traced, ir.TracedReg{Name: l.name(c.register), Comp: uint8(c.c)})
		}
		l.b.Emit(ir.Write, uint64(i), l.b.Get(l.vars[c.register][c.c]))
	}
}

func (l *lowering) set(c component, v, pred ir.Reg) {
	x := l.vars[c.register][c.c]
	old := l.b.Get(x)
	if pred != ir.NoReg {
		v = l.b.Emit(ir.Sel, 0, pred, v, old)
	}
	l.b.Set(x, l.keep(v, old))
}

// keep gives v in active lanes and old in the others, where a neighbour could tell.
func (l *lowering) keep(v, old ir.Reg) ir.Reg {
	if !l.guard || !l.divergent[l.at] || v == old {
		return v
	}
	return l.b.Emit(ir.Sel, 0, l.b.Emit(ir.Active, 0), v, old)
}
