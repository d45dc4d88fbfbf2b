package d3d9

import (
	"fmt"
	"maps"
	"slices"

	"swizzle/shaderkit/ir"
	"swizzle/shaderkit/source"
)

// Opcodes that lowering tells apart before it lowers.
const (
	codeM4x4         = 20
	codeM4x3         = 21
	codeM3x4         = 22
	codeM3x3         = 23
	codeM3x2         = 24
	codeCall         = 25
	codeCallnz       = 26
	codeLoop         = 27
	codeRet          = 28
	codeEndloop      = 29
	codeLabel        = 30
	codeDcl          = 31
	codeRep          = 38
	codeEndrep       = 39
	codeIf           = 40
	codeIfc          = 41
	codeElse         = 42
	codeEndif        = 43
	codeBreak        = 44
	codeBreakc       = 45
	codeDefb         = 47
	codeDefi         = 48
	codeTexcoord     = 64
	codeTexkill      = 65
	codeTexld        = 66
	codeTexbem       = 67
	codeTexbeml      = 68
	codeTexreg2ar    = 69
	codeTexreg2gb    = 70
	codeTexm3x2pad   = 71
	codeTexm3x2tex   = 72
	codeTexm3x3pad   = 73
	codeTexm3x3tex   = 74
	codeTexm3x3spec  = 76
	codeTexm3x3vspec = 77
	codeDef          = 81
	codeTexreg2rgb   = 82
	codeTexdp3tex    = 83
	codeTexm3x2depth = 84
	codeTexdp3       = 85
	codeTexm3x3      = 86
	codeTexdepth     = 87
	codeBem          = 89
	codeDsx          = 91
	codeDsy          = 92
	codeTexldd       = 93
	codeSetp         = 94
	codeTexldl       = 95
	codeBreakp       = 96
	codePhase        = 65533
)

// maxBlocks bounds open blocks; Direct3D 9 allows 24.
const maxBlocks = 64

// A function is main or a subroutine.
type function struct {
	label       uint32
	first, last int               // its instructions are l.insts[first:last]
	reads       map[register]bool // with those of the functions it calls
	writes      map[register]bool
	consts      map[register]bool // float constants that it names itself
	calls       []uint32
	inDivergent bool // called where lanes may have parted

	*building
}

// structure finds the functions, checks blocks and operands, and collects what each function reads and
// writes and where lanes may have parted.
func (l *lowering) structure() {
	l.split()
	for _, f := range l.funcs {
		l.blocks(f)
		for i := f.first; i < f.last; i++ {
			l.operands(f, &l.insts[i])
		}
	}
	for _, f := range l.funcs {
		l.reach(f)
		l.probeUse(f)
	}
	if l.list.HasErrors() {
		return
	}
	l.used()
	l.divergence()
}

func (l *lowering) split() {
	l.labels = map[uint32]*function{}
	add := func(label uint32, first int) *function {
		f := &function{label: label, first: first, reads: map[register]bool{}, writes: map[register]bool{}, consts: map[register]bool{}}
		l.funcs = append(l.funcs, f)
		return f
	}
	f := add(0, 0)
	for i := range l.insts {
		in := &l.insts[i]
		if in.Code != codeLabel {
			continue
		}
		f.last = i
		f = add(in.src[0].num, i+1)
		if in.src[0].typ != RegLabel {
			l.errorf(in, in.src[0].off, "register-type", "label takes a label l#, not %s", l.name(in.src[0].register))
		} else if l.labels[f.label] != nil {
			l.errorf(in, in.src[0].off, "label-twice", "l%d is defined twice", f.label)
		} else {
			l.labels[f.label] = f
		}
	}
	f.last = len(l.insts)
}

// blocks checks that blocks nest.
func (l *lowering) blocks(f *function) {
	type open struct {
		in   *inst
		kind uint32
		alt  bool // behind else
	}
	var stack []open
	pop := func(in *inst, kind uint32, opens string) {
		if n := len(stack); n == 0 || stack[n-1].kind != kind {
			l.errorf(in, in.bytes.Off, "block", "%s has no %s that is open here", in.Name, opens)
		} else {
			stack = stack[:n-1]
		}
	}
	for i := f.first; i < f.last; i++ {
		in := &l.insts[i]
		switch in.Code {
		case codeIf, codeIfc:
			stack = append(stack, open{in, codeIf, false})
		case codeLoop, codeRep:
			stack = append(stack, open{in, in.Code, false})
		case codeElse:
			if n := len(stack); n == 0 || stack[n-1].kind != codeIf || stack[n-1].alt {
				l.errorf(in, in.bytes.Off, "block", "else has no if that is open here")
			} else {
				stack[n-1].alt = true
			}
		case codeEndif:
			pop(in, codeIf, "if")
		case codeEndloop:
			pop(in, codeLoop, "loop")
		case codeEndrep:
			pop(in, codeRep, "rep")
		case codeBreak, codeBreakc, codeBreakp:
			if !slices.ContainsFunc(stack, func(o open) bool { return o.kind != codeIf }) {
				l.errorf(in, in.bytes.Off, "break-outside", "%s stands in no loop or rep", in.Name)
			}
		}
		if len(stack) > maxBlocks {
			l.errorf(in, in.bytes.Off, "nesting", "more than %d blocks are open", maxBlocks)
			return
		}
	}
	for _, o := range stack {
		l.errorf(o.in, o.in.bytes.Off, "block", "%s is not ended", o.in.Name)
	}
}

// operands checks the operands of in and collects the registers that it reads and writes.
func (l *lowering) operands(f *function, in *inst) {
	if in.Class&classDeclare != 0 {
		return
	}
	if _, ok := in.Lower.(lowerFunc); !ok {
		l.list.Add(source.Diagnostic{Code: "op-not-run", Unsupported: true, Bytes: in.bytes, Value: l.p.Word(in.bytes.Off),
			Message: fmt.Sprintf("%s cannot be run in %s_%d_%d", in.Name, l.p.Stage, l.p.Major, l.p.Minor)})
		return
	}
	if l.p.Ctx.Stage == VS {
		switch in.Code {
		case codeTexld, codeTexldd, codeDsx, codeDsy, codeTexkill:
			l.errorf(in, in.bytes.Off, "op-stage", "%s needs the neighbours of a pixel; vertices have none", in.Name)
			return
		}
	}
	switch in.Code {
	case codeIfc, codeBreakc, codeSetp:
		if in.control < 1 || in.control > 6 {
			l.errorf(in, in.bytes.Off, "comparison", "comparison %d is none of 1 gt, 2 eq, 3 ge, 4 lt, 5 ne, 6 le", in.control)
		}
	}
	if in.predicated {
		l.boolean(f, in, &in.pred, RegPredicate)
	}
	for k := range in.src {
		l.source(f, in, k)
	}
	if l.ps1 {
		l.stage(f, in)
	}
	if in.hasDst {
		l.destination(f, in)
	}
	if in.Code == codeLoop {
		f.reads[register{RegLoop, 0}], f.writes[register{RegLoop, 0}] = true, true
	}
}

// source checks source k of in by the role that it has there.
func (l *lowering) source(f *function, in *inst, k int) {
	o := &in.src[k]
	want := func(typ uint32, what string) bool {
		if o.typ != typ || o.rel {
			l.errorf(in, o.off, "register-type", "%s takes %s here, not %s", in.Name, what, l.name(o.register))
			return false
		}
		return l.exists(in, o)
	}
	switch {
	case k == 0 && (in.Code == codeCall || in.Code == codeCallnz):
		if want(RegLabel, "a label l#") {
			if l.labels[o.num] == nil {
				l.errorf(in, o.off, "no-label", "there is no label l%d", o.num)
			}
			f.calls = append(f.calls, o.num)
		}
		return
	case k == 0 && in.Code == codeLoop:
		want(RegLoop, "the loop counter aL")
		return
	case k == 1 && in.Code == codeLoop, in.Code == codeRep:
		if want(RegConstInt, "an integer constant i#") {
			l.grow(fileInt, o.num)
		}
		return
	case in.Code == codeIf, in.Code == codeCallnz, in.Code == codeBreakp:
		l.boolean(f, in, o, RegConstBool, RegPredicate)
		return
	case k == 1 && isTexture(in.Code) && !l.ps1:
		if want(RegSampler, "a sampler s#") {
			if _, ok := l.sampler[o.num]; !ok {
				l.sampler[o.num] = ir.Dim2D
				l.list.Add(source.Diagnostic{Code: "sampler-undeclared", Severity: source.Note, Bytes: source.Range{Off: o.off, Len: 4}, Value: l.p.Word(o.off),
					Message: fmt.Sprintf("s%d is not declared; it is taken as 2d", o.num)})
			}
		}
		return
	}
	switch {
	case o.typ == RegTemp, o.typ == RegConst, l.isInput(o.typ), l.ps13 && o.typ == RegTexture:
	default:
		l.errorf(in, o.off, "register-type", "%s cannot be read here", l.name(o.register))
		return
	}
	if divides := o.mod == modDz || o.mod == modDw; o.mod > modAbsNeg || divides && (!l.ps1 || l.ps13) {
		l.errorf(in, o.off, "source-modifier", "source modifier %d has no meaning here", o.mod)
	}
	if o.rel && o.typ != RegConst && o.typ != RegInput {
		l.errorf(in, o.off, "relative-addressing", "%s cannot be addressed relatively", l.name(o.register))
		return
	}
	for row := range in.rows(k) {
		r := register{o.typ, o.num + row}
		switch {
		case o.rel:
		case r.num >= limit(l.p.Ctx, r.typ):
			l.errorf(in, o.off, "register-number", "%s does not exist in %s_%d_%d", l.name(r), l.p.Stage, l.p.Major, l.p.Minor)
			return
		case r.typ == RegConst:
			l.grow(fileFloat, r.num)
			f.consts[r] = true
		default:
			f.reads[r] = true
		}
	}
	if o.rel {
		l.relative(f, in, o)
	}
}

func isTexture(code uint32) bool {
	return code == codeTexld || code == codeTexldd || code == codeTexldl
}

// relative checks the index of a relative operand and counts all that it may reach as read.
func (l *lowering) relative(f *function, in *inst, o *operand) {
	r := o.index
	if (r.typ != RegAddr || l.p.Ctx.Stage != VS) && r.typ != RegLoop || r.num != 0 {
		l.errorf(in, o.off, "relative-addressing", "relative addressing takes a0 or aL")
		return
	}
	f.reads[r] = true
	if o.typ != RegConst {
		for _, d := range l.declared(o.typ) {
			f.reads[d] = true
		}
	}
}

// boolean checks an operand that is a truth value.
func (l *lowering) boolean(f *function, in *inst, o *operand, types ...uint32) {
	if !slices.Contains(types, o.typ) || o.rel {
		l.errorf(in, o.off, "register-type", "%s is no truth value that %s takes here", l.name(o.register), in.Name)
		return
	}
	if o.mod != modNone && o.mod != modNot {
		l.errorf(in, o.off, "source-modifier", "a truth value takes no modifier but !")
	}
	if !l.exists(in, o) {
		return
	}
	if o.typ == RegConstBool {
		l.grow(fileBool, o.num)
	} else {
		f.reads[o.register] = true
	}
}

func (l *lowering) exists(in *inst, o *operand) bool {
	if o.num < limit(l.p.Ctx, o.typ) {
		return true
	}
	l.errorf(in, o.off, "register-number", "%s does not exist in %s_%d_%d", l.name(o.register), l.p.Stage, l.p.Major, l.p.Minor)
	return false
}

// grow makes a constant file hold register num, which the program names.
func (l *lowering) grow(file int, num uint32) {
	l.files[file].Count = max(l.files[file].Count, int(num)+1)
}

// destination checks the destination of in.
func (l *lowering) destination(f *function, in *inst) {
	d := &in.dst
	switch {
	case in.Code == codeTexkill && l.ps13: // its coordinates were counted
		return
	case in.Code == codeTexkill, in.Code == codeTexdepth:
		if d.typ != RegTemp && !l.isInput(d.typ) || d.rel {
			l.errorf(in, d.off, "register-type", "%s cannot read %s", in.Name, l.name(d.register))
		} else if l.exists(in, d) {
			f.reads[d.register] = true
		}
		return
	case (d.typ == RegPredicate) != (in.Code == codeSetp), d.typ == RegLoop, !l.mutable(d.typ):
		l.errorf(in, d.off, "register-type", "%s cannot write %s", in.Name, l.name(d.register))
		return
	case d.rel && (d.typ != RegOutput || l.p.Ctx.Version < v30):
		l.errorf(in, d.off, "relative-addressing", "%s cannot be addressed relatively", l.name(d.register))
		return
	case d.rel:
		l.relative(f, in, d)
		for _, r := range l.declared(d.typ) {
			f.writes[r] = true
		}
		return
	}
	if !l.exists(in, d) {
		return
	}
	f.writes[d.register] = true
	l.output(in, d.register, d.mask)
}

// output adds an output that no declaration names, or components of it.
func (l *lowering) output(in *inst, r register, mask uint32) {
	if l.isOutput(r) && !slices.Contains(l.outRegs, r) {
		e := l.plainElement(r)
		e.Mask = 0
		to := *in
		to.dst.register = r
		l.add(&to, &l.outputs, &l.outRegs, e)
		l.implied[r] = true
	}
	if l.implied[r] {
		l.outputs[slices.Index(l.outRegs, r)].Mask |= uint8(mask)
	}
}

// reach adds to f what the functions that it calls read and write.
func (l *lowering) reach(f *function) {
	seen := map[*function]bool{}
	todo := []*function{f}
	for len(todo) > 0 {
		g := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, label := range g.calls {
			c := l.labels[label]
			switch {
			case c == nil || seen[c]:
				continue
			case c == f:
				in := &l.insts[f.first-1]
				l.errorf(in, in.bytes.Off, "recursion", "l%d calls itself", f.label)
				return
			}
			seen[c] = true
			maps.Copy(f.reads, c.reads)
			maps.Copy(f.writes, c.writes)
			todo = append(todo, c)
		}
	}
}

// probeUse adds the registers that a probe writes.
func (l *lowering) probeUse(f *function) {
	if !l.o.Probe {
		return
	}
	for _, r := range sortedRegisters(f.writes) {
		if l.isOutput(r) {
			f.writes[register{r.typ | typeWritten, r.num}] = true
		}
	}
	f.writes[steps] = true
}
