package d3d9

import (
	"slices"
	"strings"

	"swizzle/shaderkit/ir"
)

// Numbers of the constant files among the resources.
const (
	fileFloat = iota
	fileInt
	fileBool
)

// declare collects declarations and definitions.
func (l *lowering) declare() {
	l.sampler, l.implied = map[uint32]ir.Dim{}, map[register]bool{}
	l.files = [3]ir.Resource{
		{Name: "c", Kind: ir.ConstFloat, Count: 256},
		{Name: "i", Kind: ir.ConstInt, Count: 16},
		{Name: "b", Kind: ir.ConstBool, Count: 16},
	}
	switch {
	case l.p.Minor == 255: // software versions
		l.files[fileFloat].Count, l.files[fileInt].Count, l.files[fileBool].Count = 8192, 2048, 2048
	case l.p.Ctx.Stage == PS && l.p.Ctx.Version >= v30:
		l.files[fileFloat].Count = 224
	case l.p.Ctx.Stage == PS:
		l.files[fileFloat].Count = 32
	}
	for i := range l.insts {
		in := &l.insts[i]
		switch in.Code {
		case codeDcl:
			l.dcl(in)
		case codeDef:
			l.define(in, fileFloat, in.lit)
		case codeDefi:
			l.define(in, fileInt, in.lit)
		case codeDefb:
			if in.lit[0] != 0 {
				in.lit[0] = ^uint32(0)
			}
			l.define(in, fileBool, [4]uint32{in.lit[0], in.lit[0], in.lit[0], in.lit[0]})
		}
	}
}

var fileTypes = [...]uint32{RegConst, RegConstInt, RegConstBool}

func (l *lowering) define(in *inst, file int, v [4]uint32) {
	if in.dst.typ != fileTypes[file] {
		l.errorf(in, in.dst.off, "register-type", "%s defines a register %s#, not %s", in.Name, l.files[file].Name, l.name(in.dst.register))
		return
	}
	f := &l.files[file]
	f.Count = max(f.Count, int(in.dst.num)+1)
	d := ir.Def{Index: int(in.dst.num), Value: v}
	for i := range f.Defs {
		if f.Defs[i].Index == d.Index {
			f.Defs[i] = d // the last one counts
			return
		}
	}
	f.Defs = append(f.Defs, d)
}

func (l *lowering) dcl(in *inst) {
	d := &in.dst
	stage, three := l.p.Ctx.Stage, l.p.Ctx.Version >= v30
	if d.num >= limit(l.p.Ctx, d.typ) {
		l.errorf(in, d.off, "register-number", "%s does not exist in %s_%d_%d", l.name(d.register), l.p.Stage, l.p.Major, l.p.Minor)
		return
	}
	switch {
	case d.typ == RegSampler:
		dim, ok := map[uint32]ir.Dim{2: ir.Dim2D, 3: ir.DimCube, 4: ir.Dim3D}[in.texture]
		if !ok {
			l.errorf(in, in.bytes.Off+4, "texture-kind", "texture kind %d is none of 2 (2d), 3 (cube), 4 (volume)", in.texture)
			return
		}
		l.sampler[d.num] = dim
	case l.isInput(d.typ):
		e := l.element(in)
		if stage == PS && d.mod&flagCentroid != 0 {
			e.Interp = ir.Centroid
		}
		l.add(in, &l.inputs, &l.inRegs, e)
	case d.typ == RegOutput && three:
		e := l.element(in)
		switch {
		case e.Semantic == "POSITION" && e.Index == 0:
			e.System = ir.ClipPosition
		case e.Semantic == "PSIZE" && e.Index == 0:
			e.System = ir.PointSize
		}
		l.add(in, &l.outputs, &l.outRegs, e)
	default:
		l.errorf(in, d.off, "register-type", "%s cannot be declared in %s_%d_%d", l.name(d.register), l.p.Stage, l.p.Major, l.p.Minor)
	}
}

// element gives the element of a declaration.
func (l *lowering) element(in *inst) ir.Element {
	e := l.plainElement(in.dst.register)
	e.Mask = uint8(in.dst.mask)
	if e.System != ir.NoSystem || e.Semantic != "" {
		return e
	}
	if int(in.usage) >= len(usages) {
		l.errorf(in, in.bytes.Off+4, "usage", "usage %d is unknown; 0 (position) to 13 (sample) are", in.usage)
		return e
	}
	e.Semantic, e.Index = strings.ToUpper(usages[in.usage]), int(in.usageIndex)
	return e
}

// plainElement gives the element of a register whose meaning follows from its name; Semantic is empty
// where it does not.
func (l *lowering) plainElement(r register) ir.Element {
	e := ir.Element{Register: l.name(r), Mask: 15}
	set := func(semantic string, index uint32, s ir.System) {
		e.Semantic, e.Index, e.System = semantic, int(index), s
	}
	stage, three := l.p.Ctx.Stage, l.p.Ctx.Version >= v30
	switch {
	case r.typ == RegMisc && r.num == 0:
		set("", 0, ir.PixelPos)
		e.Mask = 3
	case r.typ == RegMisc:
		set("", 0, ir.Face)
		e.Mask = 1
	case r.typ == RegInput && stage == PS && !three:
		set("COLOR", r.num, ir.NoSystem)
	case r.typ == typeCoord, r.typ == RegTexture && stage == PS:
		set("TEXCOORD", r.num, ir.NoSystem)
	case r.typ == RegRastOut && r.num == 0:
		set("POSITION", 0, ir.ClipPosition)
	case r.typ == RegRastOut && r.num == 1:
		set("FOG", 0, ir.Fog)
	case r.typ == RegRastOut:
		set("PSIZE", 0, ir.PointSize)
	case r.typ == RegAttrOut:
		set("COLOR", r.num, ir.NoSystem)
		e.Saturate = true
	case r.typ == RegOutput && !three:
		set("TEXCOORD", r.num, ir.NoSystem)
	case r.typ == RegColorOut, r.typ == RegTemp: // r0 of ps_1_x
		set("COLOR", r.num, ir.Target)
	case r.typ == RegDepthOut:
		set("DEPTH", 0, ir.Depth)
	}
	return e
}

// add puts an element into a list that is ordered by register.
func (l *lowering) add(in *inst, list *[]ir.Element, regs *[]register, e ir.Element) {
	r := in.dst.register
	at, _ := slices.BinarySearchFunc(*regs, r, compareRegisters)
	for at < len(*regs) && (*regs)[at] == r {
		if (*list)[at].Mask&e.Mask != 0 {
			l.errorf(in, in.dst.off, "declared-twice", "%s is declared twice", l.name(r))
			return
		}
		at++
	}
	*list = slices.Insert(*list, at, e)
	*regs = slices.Insert(*regs, at, r)
}

// declared gives the declared registers of a type once each, in order.
func (l *lowering) declared(typ uint32) []register {
	var out []register
	for _, list := range [][]register{l.inRegs, l.outRegs} {
		for i, r := range list {
			if r.typ == typ && (i == 0 || r != list[i-1]) {
				out = append(out, r)
			}
		}
	}
	return out
}

// used adds inputs that are read without declaration.
func (l *lowering) used() {
	for _, f := range l.funcs {
		for _, r := range sortedRegisters(f.reads) {
			if l.isInput(r.typ) && !slices.Contains(l.inRegs, r) {
				in := inst{dst: operand{register: r}}
				l.add(&in, &l.inputs, &l.inRegs, l.plainElement(r))
			}
		}
	}
}
