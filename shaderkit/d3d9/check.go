package d3d9

import (
	"fmt"
	"strings"

	"swizzle/shaderkit/isa"
	"swizzle/shaderkit/source"
)

// localFinding reports whether a finding depends on its own line alone, and so holds when other lines
// could not be read.
func localFinding(code string) bool {
	switch code {
	case "undeclared", "uninitialized", "flow", "flow-depth", "label", "output", "missing-end", "trailing-data", "no-version",
		"phase", "co-issue", "matrix-rows", "dependent-read", "recursion", "instruction-order":
		return false
	}
	return true
}

// opInfo is the slots of a row that rules ask for; -1 where the form has none.
type opInfo struct {
	dst  destSlots
	pred sourceSlots
	src  [4]sourceSlots
	n    int // sources

	predicated, control, usage, index, texture int
}

type destSlots struct{ num, typ, rel, mask, mod, shift, addrType int }

type sourceSlots struct{ num, typ, rel, swz, mod, addrNum, addrType, addrSwz int }

// infos is made once for all rows.
var infos = makeInfos(table.Ops)

func makeInfos(ops []*isa.Op) map[*isa.Op]*opInfo {
	m := map[*isa.Op]*opInfo{}
	for _, o := range ops {
		in := &opInfo{predicated: o.Slot("predicated"), control: o.Slot("control"), usage: o.Slot("usage"), index: o.Slot("index"), texture: o.Slot("texture")}
		in.dst = destSlots{o.Slot("dst.num"), o.Slot("dst.type"), o.Slot("dst.rel"), o.Slot("dst.mask"), o.Slot("dst.mod"), o.Slot("dst.shift"), o.Slot("dst.addr.type")}
		source := func(p string) sourceSlots {
			return sourceSlots{o.Slot(p + ".num"), o.Slot(p + ".type"), o.Slot(p + ".rel"), o.Slot(p + ".swz"), o.Slot(p + ".mod"), o.Slot(p + ".addr.num"), o.Slot(p + ".addr.type"), o.Slot(p + ".addr.swz")}
		}
		in.pred = source("pred")
		for k, name := range sources {
			if o.Slot(name+".num") >= 0 {
				in.src[k] = source(name)
				in.n = k + 1
			}
		}
		m[o] = in
	}
	return m
}

// checker validates one program.
type checker struct {
	p    *isa.Program
	list source.List
	v    isa.Vals
	i    int // instruction
	in   *opInfo
	op   *isa.Op

	blocks    []openBlock
	depth     nesting // open now
	limit     nesting
	statics   int            // static flow instructions
	bodies    []body         // the program proper, then the subroutines
	ended     bool           // by ret; a label has to follow
	one       pixel1         // of ps_1_x
	named     map[usage]reg  // what declarations name
	flow      bool           // an instruction of the program proper was seen
	labels    map[uint32]int // the body of each
	declared  map[reg]uint32 // lanes that declarations name
	defined   map[reg]bool
	written   map[uint32]uint32 // lanes of temporaries
	order     map[uint32]int    // dependent lookups that a temporary depends on
	outputs   map[reg]bool      // of ps_2_x, written
	inSub     bool              // behind the first label
	position  uint32            // lanes of oPos written
	addressed bool              // a0 of vs_1_x was written
	slots     int
	texture   int
}

type reg struct{ typ, num uint32 }

type openBlock struct {
	op      *isa.Op // the else, where there is one
	first   *isa.Op // what opened it
	inst    int
	dynamic bool // which pixels or vertices run it is decided by computed values
}

// A usage is what a declaration of an input (or an output) says of it.
type usage struct{ typ, usage, index uint32 }

// A body is the program proper or a subroutine.
type body struct {
	calls []call
	depth int // of calls that lead here
}

type call struct {
	label     uint32
	inst, off int
}

// Check validates a program by the rules of its version. What decoding found is not repeated.
func Check(p *isa.Program) source.List {
	if p.Modules != nil {
		return checkModules(p)
	}
	if !supported(p.Ctx) || p.Stage == "" {
		return nil
	}
	c := &checker{p: p, declared: map[reg]uint32{}, defined: map[reg]bool{}, written: map[uint32]uint32{}, order: map[uint32]int{}, outputs: map[reg]bool{}, named: map[usage]reg{}}
	c.limit = depths(p.Ctx, c.software())
	c.bodies = make([]body, 1)
	c.labels = map[uint32]int{}
	for i := range p.Insts {
		if in := &p.Insts[i]; in.Op != nil && in.Op.Name == "phase" && in.Kind == isa.KindOp {
			c.one.phases = true
		}
	}
	for i := range p.Insts {
		c.i = i
		in := &p.Insts[i]
		if in.Op == nil || !p.Fields(i, &c.v) {
			continue
		}
		c.op = in.Op
		c.v.Reserved(func(slot int) {
			f := in.Op.SlotField(slot)
			x, _ := c.v.At(slot)
			c.fail(slot, x, "reserved-bits", "the field %s of the %s word is 0x%X, not 0x%X", f.Name, c.wordOf(slot), x, f.Def)
		})
		if in.Kind == isa.KindOp {
			c.in = infos[in.Op]
			c.instruction()
		}
	}
	c.end()
	c.list = append(c.list, checkComments(p)...)
	c.list.Sort()
	return c.list
}

// checkComments warns of what does not fit in the tables that compilers leave in comments. The shader runs without
// them.
func checkComments(p *isa.Program) (all source.List) {
	for _, in := range p.Insts {
		b := p.Data[in.Bytes.Off:in.Bytes.End()]
		if in.Kind != isa.KindComment || len(b) < 8 || len(all) >= maxDiags {
			continue
		}
		switch at := in.Bytes.Off + 8; string(b[4:8]) {
		case "CTAB":
			all = append(all, ParseCTAB(b[8:], at).Diags...)
		case "PRES":
			all = append(all, ParsePreshader(b[8:], at).Diags...)
		}
	}
	for i := range all {
		all[i].Severity = source.Warning
	}
	return all
}

// wordOf gives the operand that a slot lies in, the form when in none.
func (c *checker) wordOf(slot int) string {
	name := c.op.SlotName(slot)
	for k := len(name) - 1; k >= 0; k-- {
		if name[k] == '.' {
			return name[:k]
		}
	}
	return c.op.Form.Name
}

// fail adds an error at the word that holds slot; -1 is the instruction.
func (c *checker) fail(slot int, value uint32, code, format string, args ...any) {
	c.failAt(c.i, slot, value, code, format, args...)
}

func (c *checker) failAt(inst, slot int, value uint32, code, format string, args ...any) {
	if len(c.list) > 4*maxDiags {
		return
	}
	r := c.p.Insts[inst].Bytes
	if slot >= 0 {
		r = source.Range{Off: c.p.OffsetOf(inst, slot), Len: 4}
	}
	c.list.BytesErrorf(r, value, code, format, args...)
}

func (c *checker) val(slot int) uint32 { x, _ := c.v.At(slot); return x }

func (c *checker) regName(typ, num uint32) string {
	s, _, ok := registers.Name(c.p.Ctx, typ, num)
	if !ok {
		return fmt.Sprintf("register %d of type %d", num, typ)
	}
	return s
}

// software reports whether the version is one of the software profiles, which have looser limits.
func (c *checker) software() bool { return c.p.Minor == 255 }

func (c *checker) version() string { return versionName(c.p.Word(0)) }

func (c *checker) instruction() {
	o, ctx := c.op, c.p.Ctx
	if x, _ := c.v.Get("coissue"); x != 0 && ctx.Version >= v20 {
		c.fail(o.Slot("coissue"), x, "reserved-bits", "the coissue bit is set, which is of ps_1_x")
	}
	if !o.Has(ctx) {
		c.foreign()
		return
	}
	if o.Class&classDeclare != 0 {
		if c.flow {
			c.fail(-1, o.Code, "late-declaration", "%s stands behind the first instruction; declarations and definitions go in front", o.Name)
		}
		c.declaration()
		return
	}
	c.flow = true
	if c.ended && o.Name != "label" {
		c.ended = false
		c.fail(-1, o.Code, "flow", "%s stands behind ret, where only a label may", o.Name)
	}
	if x, _ := c.v.Get("coissue"); x == 0 {
		c.slots += o.SlotsIn(ctx)
	}
	if o.Class&classTexture != 0 {
		c.texture += o.SlotsIn(ctx)
	}
	if c.in.control >= 0 && (o.Form == formCmp || o.Form == formSetp) {
		if x := c.val(c.in.control); x < 1 || x > 6 {
			c.fail(c.in.control, x, "comparison", "the comparison %d is none of 1 gt, 2 eq, 3 ge, 4 lt, 5 ne, 6 le", x)
		}
	}
	if o.Form == formTex {
		if x := c.val(c.in.control); x > 2 {
			c.fail(c.in.control, x, "comparison", "the kind of lookup %d is none of 0 plain, 1 project, 2 bias", x)
		}
	}
	c.predicate()
	for k := range c.in.n {
		c.operand(k)
	}
	c.ports()
	if c.in.dst.typ >= 0 {
		c.destination()
	}
	c.opRules()
	c.pixel1()
	c.pixel2()
	c.pixelFlow()
	c.control()
}

// foreign tells of an instruction of another version. What it does to registers is not judged.
func (c *checker) foreign() {
	o := c.op
	var here []string
	for _, r := range table.ByName(o.Name) {
		if r.Has(c.p.Ctx) {
			here = append(here, signature(r))
		}
	}
	if here != nil {
		c.fail(-1, o.Code, "opcode-version", "%s has other operands in %s: %s", o.Name, c.version(), strings.Join(here, " or "))
	} else {
		c.fail(-1, o.Code, "opcode-version", "%s does not exist in %s; it does in %s", o.Name, c.version(), whereOf(o))
	}
	if o.Class&classDeclare != 0 {
		return
	}
	c.flow = true
	if d := &c.in.dst; d.typ >= 0 && c.val(d.typ) == RegTemp {
		c.written[c.val(d.num)] = 15
	}
	c.control()
}

// versionWord32 makes the version word of a stage and version.
func versionWord32(stage, version uint32) uint32 {
	w := versionStage.Put(0, 0xFFFE+stage)
	return versionMinor.Put(versionMajor.Put(w, version>>8), version&255)
}
