package d3d9

import (
	"strings"

	"swizzle/shaderkit/isa"
	"swizzle/shaderkit/source"
)

// exists checks the type and the number of a register. It gives its file, nil after an error.
func (c *checker) exists(typSlot, numSlot int) *regFile {
	typ, num := c.val(typSlot), c.val(numSlot)
	f := file(c.p.Ctx, typ)
	if c.software() {
		f = softwareFile(f, typ)
	}
	if f == nil {
		c.fail(typSlot, typ, "register-type", "%s does not exist in %s; there are %s", c.regName(typ, num), c.version(), filesOf(c.p.Ctx, func(*regFile) bool { return true }))
		return nil
	}
	if num >= f.count {
		last := c.regName(typ, f.count-1)
		c.fail(numSlot, num, "register-number", "%s does not exist in %s; the last one is %s", c.regName(typ, num), c.version(), last)
		return nil
	}
	return f
}

// Kinds of operands that are no arithmetic source.
const (
	kindValue = iota
	kindLabel
	kindBool // b# or a lane of p0
	kindPred
	kindInt
	kindLoop
	kindSampler
	kindMatrix
)

// kind gives the kind of source k of the current op.
func (c *checker) kind(k int) int {
	switch c.op.Code {
	case 25, 30: // call, label
		return kindLabel
	case 26: // callnz
		return [2]int{kindLabel, kindBool}[k&1]
	case 27: // loop
		return [2]int{kindLoop, kindInt}[k&1]
	case 38: // rep
		return kindInt
	case 40: // if
		return kindBool
	case 96: // breakp
		return kindPred
	}
	if c.op.Class&classTexture != 0 && k == 1 && c.p.Ctx.Version >= v20 {
		return kindSampler
	}
	if c.op.Class&classMatrix != 0 && k == 1 {
		return kindMatrix
	}
	return kindValue
}

var kindText = [...]string{"a value", "a label l#", "a boolean constant b# or a lane of p0", "a lane of p0", "an integer constant i#", "aL", "a sampler s#", "a constant or temporary register"}

func (c *checker) operand(k int) {
	s := &c.in.src[k]
	f := c.exists(s.typ, s.num)
	typ, num, kind := c.val(s.typ), c.val(s.num), c.kind(k)
	c.modifier(s, kind)
	if c.relative(s.rel, s.addrType, typ, false) {
		c.index(s)
	}
	if f == nil {
		return
	}
	fits := false
	switch kind {
	case kindLabel:
		fits = typ == RegLabel
	case kindBool:
		fits = typ == RegConstBool || typ == RegPredicate
		if typ == RegPredicate && c.p.Ctx.Version < v2x {
			fits = false
		}
	case kindPred:
		fits = typ == RegPredicate
	case kindInt:
		fits = typ == RegConstInt
	case kindLoop:
		fits = typ == RegLoop
	case kindSampler:
		fits = typ == RegSampler
	case kindMatrix, kindValue:
		fits = f.read
	}
	if !fits {
		if kind == kindValue {
			c.fail(s.typ, typ, "not-readable", "%s cannot read %s; it reads %s", c.op.Name, c.regName(typ, num), filesOf(c.p.Ctx, func(f *regFile) bool { return f.read }))
			return
		}
		what := kindText[kind]
		if kind == kindBool && c.p.Ctx.Version < v2x {
			what = "a boolean constant b#"
		}
		c.fail(s.typ, typ, "operand-kind", "%s takes %s here, not %s", c.op.Name, what, c.regName(typ, num))
		return
	}
	swz := c.val(s.swz)
	one := swz == swz&3*0x55
	if (kind == kindBool || kind == kindPred) && typ == RegPredicate && !one {
		c.fail(s.swz, swz, "replicate-swizzle", "%s takes one lane of the predicate, as in p0.x", c.op.Name)
	}
	scalar := typ == RegMisc && num == 1 && c.op.Form == formCmp // vFace has one lane
	if kind == kindValue && !one && !scalar && c.oneLane(k) && c.p.Ctx.Version >= v20 {
		c.fail(s.swz, swz, "replicate-swizzle", "%s takes one lane here, as in %s.x", c.op.Name, c.regName(typ, num))
	}
	if f.declare && c.val(s.rel) == 0 {
		if c.declared[reg{typ, num}] == 0 {
			c.fail(s.num, num, "undeclared", "%s is used without a dcl, as in %s", c.regName(typ, num), c.declareAs(typ, num))
		}
	}
	if typ == RegTemp {
		c.initialized(s.num, num, c.lanesRead(k, swz))
	}
}

// declareAs spells a declaration of a register.
func (c *checker) declareAs(typ, num uint32) string {
	name := "dcl_texcoord "
	switch {
	case typ == RegSampler:
		name = "dcl_2d "
	case typ == RegMisc || c.p.Ctx.Stage == PS && c.p.Ctx.Version < v30:
		name = "dcl "
	case c.p.Ctx.Stage == VS:
		name = "dcl_position "
	}
	return name + c.regName(typ, num)
}

// oneLane reports whether source k of the current op takes one lane.
func (c *checker) oneLane(k int) bool {
	switch {
	case c.op.Form == formCmp:
		return true
	case c.op.Name == "dp2add":
		return k == 2
	case c.op.Name == "sincos":
		return k == 0
	}
	return c.op.Class&classScalar != 0
}

// lanesRead gives the lanes of a register that the op uses through the swizzle of source k.
func (c *checker) lanesRead(k int, swz uint32) (lanes uint32) {
	use := c.lanesUsed(k)
	for l := range 4 {
		if use>>l&1 != 0 {
			lanes |= 1 << (swz >> (2 * l) & 3)
		}
	}
	return lanes
}

// lanesUsed gives the lanes of source k that the op uses, behind the swizzle; none where more than the op
// decides.
func (c *checker) lanesUsed(k int) (use uint32) {
	use = 15
	switch c.op.Name {
	case "dp3", "nrm", "m3x4", "m3x3", "m3x2", "crs":
		use = 7
	case "dp2add":
		if use = 3; k == 2 {
			use = 1
		}
	case "dp4", "m4x4", "m4x3", "lit":
	case "dst":
		use = [2]uint32{6, 10}[k&1]
	case "texld", "texldp", "texldb", "texldl", "texldd", "texcrd", "bem":
		return 0 // the kind of texture decides
	case "sgn":
		if k > 0 {
			return 0
		}
		fallthrough
	default:
		if c.op.Class&classScalar != 0 || c.op.Form == formCmp {
			use = 1
		} else if c.in.dst.mask >= 0 {
			use = c.val(c.in.dst.mask)
		}
	}
	return use
}

// initialized checks that something has written a temporary of a pixel shader before it is read. Microsoft's
// assembler takes a register of ps_3_0 of which some lane was written; missing lanes are a warning before
// that. Behind a label nothing is known.
func (c *checker) initialized(slot int, num, lanes uint32) {
	if c.p.Ctx.Stage != PS && c.p.Ctx.Version >= v20 || c.inSub || lanes&^c.written[num] == 0 {
		return
	}
	if c.written[num] != 0 && c.p.Ctx.Version >= v30 {
		return
	}
	missing := ""
	for l := range 4 {
		if lanes&^c.written[num]>>l&1 != 0 {
			missing += string("xyzw"[l])
		}
	}
	c.fail(slot, num, "uninitialized", "r%d.%s is read, but nothing has written it", num, missing)
	if c.written[num] != 0 {
		c.list[len(c.list)-1].Severity = source.Warning
	}
	c.written[num] |= lanes // once is enough
}

// takes reports whether an operand of a kind may have the source modifier m.
func (c *checker) takes(m uint32, kind int) bool {
	switch {
	case m == modNone:
		return true
	case kind == kindBool || kind == kindPred:
		return m == modNot
	case kind != kindValue:
		return false
	case m == modNeg:
		return true
	case m == modAbs || m == modAbsNeg:
		return c.p.Ctx.Version >= v30
	case c.p.Ctx.Stage == VS || c.p.Ctx.Version >= v20:
		return false
	case m == modX2 || m == modX2Neg:
		return c.p.Ctx.Version == v14
	case m == modDz || m == modDw:
		return c.p.Ctx.Version == v14 && c.op.Class&classTexture != 0
	}
	return m <= modComp
}

func (c *checker) modifier(s *sourceSlots, kind int) {
	m := c.val(s.mod)
	if c.takes(m, kind) {
		return
	}
	if int(m) >= len(modifierNames) {
		c.fail(s.mod, m, "source-modifier", "there is no source modifier %d", m)
		return
	}
	var may []string
	for k := uint32(1); int(k) < len(modifiers); k++ {
		if c.takes(k, kind) {
			may = append(may, spellModifier(k))
		}
	}
	allowed := "it takes none"
	if may != nil {
		allowed = "it takes " + strings.Join(may, ", ")
	}
	c.fail(s.mod, m, "source-modifier", "%s, %s, does not go with this operand of %s in %s; %s", spellModifier(m), modifierNames[m], c.op.Name, c.version(), allowed)
}

// spellModifier gives the modifier as text: "-x_bias" of the register x.
func spellModifier(m uint32) string { return modifiers[m][0] + "x" + modifiers[m][1] }

// relative checks that an operand may have the index it has. It gives false when it has none, and after an error.
func (c *checker) relative(rel, addrType int, typ uint32, dst bool) bool {
	if rel < 0 || c.val(rel) == 0 {
		return false
	}
	ctx := c.p.Ctx
	at, has := c.v.At(addrType)
	ok := has
	switch {
	case dst:
		ok = ok && ctx.Stage == VS && ctx.Version >= v30 && typ == RegOutput && at == RegLoop
	case ctx.Stage == PS:
		ok = ok && ctx.Version >= v30 && typ == RegInput && at == RegLoop
	case typ == RegInput:
		ok = ok && ctx.Version >= v30 && (at == RegLoop || at == RegAddr)
	case ctx.Version < v20: // a0.x, without a word of its own
		ok = typ == RegConst
	default:
		ok = ok && typ == RegConst && (at == RegLoop || at == RegAddr)
	}
	if !ok {
		c.fail(rel, 1, "relative-address", "this operand cannot be indexed in %s like this; %s", c.version(), relativeHelp(ctx))
	}
	return ok
}

func relativeHelp(c isa.Context) string {
	switch {
	case c.Stage == VS && c.Version >= v30:
		return "c# and v# take a0 or aL, o# takes aL"
	case c.Stage == VS:
		return "c# takes a0 or aL"
	case c.Version >= v30:
		return "v# takes aL"
	}
	return "there is no indexing"
}

func (c *checker) predicate() {
	if c.in.predicated < 0 || c.val(c.in.predicated) == 0 {
		return
	}
	switch {
	case c.p.Ctx.Version < v2x:
		c.fail(c.in.predicated, 1, "predicate", "there is no predicate in %s; there is from %s_2_x on", c.version(), stageNames[c.p.Ctx.Stage])
	case c.op.Class&classNoPred != 0:
		c.fail(c.in.predicated, 1, "predicate", "%s cannot be predicated", c.op.Name)
	}
	s := &c.in.pred
	if s.typ < 0 {
		return
	}
	typ, num, swz := c.val(s.typ), c.val(s.num), c.val(s.swz)
	if typ != RegPredicate || num != 0 {
		c.fail(s.typ, typ, "predicate", "the predicate is p0, not %s", c.regName(typ, num))
	}
	if swz != 0xE4 && swz != swz&3*0x55 {
		c.fail(s.swz, swz, "predicate", "the predicate takes one lane or all, as in p0.x or p0")
	}
	if m := c.val(s.mod); m != modNone && m != modNot {
		c.fail(s.mod, m, "source-modifier", "the predicate takes no modifier but !")
	}
	if c.val(s.rel) != 0 {
		c.fail(s.rel, 1, "relative-address", "the predicate cannot be indexed")
	}
}

// ports checks how many different registers of a type the instruction reads.
func (c *checker) ports() {
	if c.in.n < 2 || c.op.Name == "sincos" || c.software() {
		return
	}
	for i := range readPorts {
		r := &readPorts[i]
		if r.stage != c.p.Ctx.Stage || c.p.Ctx.Version < r.min || c.p.Ctx.Version > r.max {
			continue
		}
		var seen [4]uint32
		n, last := 0, -1
	next:
		for k := range c.in.n {
			s := &c.in.src[k]
			if c.val(s.typ) != r.typ {
				continue
			}
			key := c.val(s.num)<<1 | c.val(s.rel)
			for _, x := range seen[:n] {
				if x == key {
					continue next
				}
			}
			seen[n] = key
			n++
			last = s.num
		}
		if n > r.n {
			name := c.regName(r.typ, c.val(last))
			c.fail(last, c.val(last), "read-ports", "%s reads %d different registers like %s; an instruction of %s reads at most %d, so move the other into r# first", c.op.Name, n, name, c.version(), r.n)
		}
	}
}

func (c *checker) destination() {
	d := &c.in.dst
	f := c.exists(d.typ, d.num)
	typ, num, mask := c.val(d.typ), c.val(d.num), c.val(d.mask)
	c.relative(d.rel, d.addrType, typ, true)
	c.resultModifiers()
	if mask == 0 {
		c.fail(d.mask, 0, "write-mask", "the write mask is empty")
	}
	if c.op.Name == "crs" && mask&8 != 0 {
		c.fail(d.mask, mask, "write-mask", "crs writes lanes of xyz alone")
	}
	if f == nil {
		return
	}
	name := c.regName(typ, num)
	switch {
	case c.op.Name == "texkill":
		if typ != RegTemp && typ != RegTexture && typ != RegInput {
			c.fail(d.typ, typ, "operand-kind", "texkill tests r#, t# or v#, not %s", name)
		}
		if typ == RegTemp {
			if c.p.Ctx.Version < v20 {
				mask &= 7 // ps_1_x tests three lanes
			}
			c.initialized(d.num, num, mask)
		}
	case c.op.Name == "setp":
		if typ != RegPredicate {
			c.fail(d.typ, typ, "operand-kind", "setp writes p0, not %s", name)
		}
	case c.op.Name == "mov" && typ == RegAddr && c.p.Ctx.Stage == VS && c.p.Ctx.Version < v20:
		if mask != 1 {
			c.fail(d.mask, mask, "write-mask", "vs_1_1 has a0.x alone")
		}
		c.addressed = true
	case c.op.Name == "mova":
		if typ != RegAddr {
			c.fail(d.typ, typ, "operand-kind", "mova writes a0, not %s", name)
		}
	case !f.write || typ == RegPredicate || typ == RegAddr && c.p.Ctx.Stage == VS:
		writable := func(f *regFile) bool {
			return f.write && f.typ != RegPredicate && !(f.typ == RegAddr && f.stage == VS)
		}
		c.fail(d.typ, typ, "not-writable", "%s cannot write %s; it writes %s", c.op.Name, name, filesOf(c.p.Ctx, writable))
	case f.declare && c.val(d.rel) == 0 && c.declared[reg{typ, num}]&mask != mask:
		c.fail(d.num, num, "undeclared", "%s is written without a dcl, as in %s", name, c.declareAs(typ, num))
	case typ == RegTemp:
		c.written[num] |= mask
	}
}

func (c *checker) resultModifiers() {
	d := &c.in.dst
	ctx := c.p.Ctx
	mod := c.val(d.mod)
	bad := ""
	switch {
	case mod>>3 != 0:
		bad = "bit 3 of the result modifiers has no meaning"
	case mod&flagSat != 0 && ctx.Stage == VS && ctx.Version < v30:
		bad = "_sat does not exist in vertex shaders before vs_3_0"
	case mod&flagSat != 0 && (c.op.Name == "texkill" || c.op.Name == "mova" || c.op.Name == "setp" || c.op.Name == "sincos" || ctx.Stage == VS && (c.op.Name == "frc" || c.op.Name == "texldl")):
		bad = c.op.Name + " takes no _sat"
	case mod&flagPartial != 0 && ctx.Stage == VS:
		bad = "_pp does not exist in vertex shaders"
	case mod&flagCentroid != 0 && c.op.Class&classDeclare == 0:
		bad = "_centroid goes with dcl alone"
	}
	if bad != "" {
		c.fail(d.mod, mod, "result-modifier", "%s", bad)
	}
	c.resultShift()
}

// resultShift checks the shift: x2, x4 and d2 from ps_1_0 on, x8, d4 and d8 in ps_1_4.
func (c *checker) resultShift() {
	s := c.val(c.in.dst.shift)
	ctx := c.p.Ctx
	allowed := "result shifts are of ps_1_x"
	ok := s == 0
	if ctx.Stage == PS && ctx.Version < v20 {
		ok = ok || s == 1 || s == 2 || s == 15 || ctx.Version == v14 && (s == 3 || s == 14 || s == 13)
		allowed = "there are _x2, _x4 and _d2"
	}
	if ok {
		return
	}
	if shifts[s] == "" {
		c.fail(c.in.dst.shift, s, "result-shift", "there is no result shift %d; %s", s, allowed)
		return
	}
	c.fail(c.in.dst.shift, s, "result-shift", "_%s does not exist in %s; %s", shifts[s], c.version(), allowed)
}
