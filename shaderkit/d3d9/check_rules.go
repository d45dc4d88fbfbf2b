package d3d9

import "swizzle/shaderkit/source"

// Rules that the reference pages of single instructions and registers state, beside those that all share.

// opRules checks the operands that one instruction is particular about.
func (c *checker) opRules() {
	d := &c.in.dst
	if d.typ < 0 {
		return
	}
	typ, num, mask := c.val(d.typ), c.val(d.num), c.val(d.mask)
	name := c.op.Name
	temporary := func() {
		if typ != RegTemp {
			c.fail(d.typ, typ, "operand-kind", "%s writes a temporary register, not %s", name, c.regName(typ, num))
		}
	}
	other := func(k int) {
		if s := &c.in.src[k]; c.val(s.typ) == typ && c.val(s.num) == num {
			c.fail(s.num, num, "operand-kind", "%s cannot read %s, which it writes", name, c.regName(typ, num))
		}
	}
	if c.p.Ctx.Stage == VS && typ == RegRastOut {
		if num > 0 {
			c.scalarOutput()
		} else {
			c.position |= mask
		}
	}
	if c.op.Class&classMatrix != 0 {
		c.matrix(other)
	}
	switch name {
	case "frc":
		if c.p.Ctx.Stage == VS && c.p.Ctx.Version < v20 && mask != 2 && mask != 3 && mask != 0 {
			c.fail(d.mask, mask, "write-mask", "frc writes .y or .xy in %s", c.version())
		}
	case "sgn":
		c.scratch()
	case "sincos":
		temporary()
		if mask&^3 != 0 {
			c.fail(d.mask, mask, "write-mask", "sincos writes .x, .y or .xy")
		}
		for k := 1; k < c.in.n; k++ {
			if s := &c.in.src[k]; !isConst(c.val(s.typ)) {
				c.fail(s.typ, c.val(s.typ), "operand-kind", "sincos takes a constant register here, not %s", c.regName(c.val(s.typ), c.val(s.num)))
			}
		}
	case "crs":
		for k := range c.in.n {
			other(k)
			if s := &c.in.src[k]; c.val(s.swz) != noSwizzle {
				c.fail(s.swz, c.val(s.swz), "swizzle", "crs takes its sources without a swizzle")
			}
		}
	case "nrm":
		other(0)
		if c.p.Ctx.Stage == VS {
			temporary()
		}
	case "lrp", "pow":
		if name == "pow" {
			other(1)
		}
		if c.p.Ctx.Stage == VS && c.p.Ctx.Version >= v20 {
			temporary()
		}
	}
}

// matrices gives the mask that each matrix op writes, and the registers it reads.
var matrices = map[string]struct{ mask, rows uint32 }{
	"m4x4": {15, 4}, "m4x3": {7, 3}, "m3x4": {15, 4}, "m3x3": {7, 3}, "m3x2": {3, 2},
}

// matrix checks a matrix op: all rows are written, from registers other than the one written to.
func (c *checker) matrix(other func(k int)) {
	d, s := &c.in.dst, &c.in.src[1]
	m := matrices[c.op.Name]
	if mask := c.val(d.mask); mask != m.mask && mask != 0 {
		c.fail(d.mask, mask, "write-mask", "%s writes %s", c.op.Name, map[uint32]string{15: "all lanes", 7: ".xyz", 3: ".xy"}[m.mask])
	}
	if swz := c.val(s.swz); swz != noSwizzle {
		c.fail(s.swz, swz, "swizzle", "the matrix of %s takes no swizzle", c.op.Name)
	}
	other(0)
	typ, first := c.val(s.typ), c.val(s.num)
	if n := c.val(d.num); c.val(d.typ) == typ && first <= n && n < first+m.rows {
		c.fail(s.num, first, "operand-kind", "%s cannot read %s, a row of its matrix, which it writes", c.op.Name, c.regName(typ, n))
	}
	f := file(c.p.Ctx, typ)
	if c.software() {
		f = softwareFile(f, typ)
	}
	if f != nil && c.val(s.rel) == 0 && first < f.count && first+m.rows > f.count {
		c.fail(s.num, first, "register-number", "the %d rows of the matrix end behind %s, the last one", m.rows, c.regName(typ, f.count-1))
	}
}

// scratch checks the registers that sgn may overwrite.
func (c *checker) scratch() {
	if c.in.n < 3 {
		return
	}
	a, b := &c.in.src[1], &c.in.src[2]
	for _, s := range []*sourceSlots{a, b} {
		if typ := c.val(s.typ); typ != RegTemp {
			c.fail(s.typ, typ, "operand-kind", "sgn takes a temporary register here, which it may overwrite, not %s", c.regName(typ, c.val(s.num)))
			return
		}
	}
	if c.val(a.num) == c.val(b.num) {
		c.fail(b.num, c.val(b.num), "operand-kind", "sgn takes two different temporary registers")
	}
}

// scalarOutput warns of oFog or oPts written lane by lane from sources that do not say which lane is meant.
func (c *checker) scalarOutput() {
	mask := c.val(c.in.dst.mask)
	if mask&(mask-1) == 0 {
		return
	}
	for k := range c.in.n {
		s := &c.in.src[k]
		if swz := c.val(s.swz); c.lanesUsed(k) == mask && swz != swz&3*0x55 && !c.crossLane() {
			c.fail(s.swz, swz, "replicate-swizzle", "%s is one number, lane x of what is written; Direct3D 9 wants one lane here, as in %s.x",
				c.regName(c.val(c.in.dst.typ), c.val(c.in.dst.num)), c.regName(c.val(s.typ), c.val(s.num)))
			c.list[len(c.list)-1].Severity = source.Warning
		}
	}
}

// crossLane reports whether the op makes its result of several lanes of a source.
func (c *checker) crossLane() bool {
	switch c.op.Name {
	case "dp3", "dp4", "lit", "dst":
		return true
	}
	return c.op.Class&classMatrix != 0
}

const noSwizzle = 0xE4

func isConst(typ uint32) bool {
	return typ == RegConst || typ == RegConst2 || typ == RegConst3 || typ == RegConst4
}

// pixel2 checks what ps_2_0 and ps_2_x ask of lookups, outputs and swizzles.
func (c *checker) pixel2() {
	if c.p.Ctx.Stage != PS || c.p.Ctx.Version != v20 && c.p.Ctx.Version != v2x {
		return
	}
	switch d := &c.in.dst; {
	case c.op.Name == "texkill":
		if c.val(d.typ) == RegInput {
			c.fail(d.typ, RegInput, "operand-kind", "texkill tests r# or t# in %s, not %s", c.version(), c.regName(RegInput, c.val(d.num)))
		}
	case c.op.Class&classTexture != 0:
		c.lookup2()
	case d.typ >= 0 && (c.val(d.typ) == RegColorOut || c.val(d.typ) == RegDepthOut):
		c.output2()
	default:
		c.swizzles2()
	}
	c.chain()
}

func (c *checker) lookup2() {
	d, at, sampler := &c.in.dst, &c.in.src[0], &c.in.src[1]
	if typ := c.val(d.typ); typ != RegTemp {
		c.fail(d.typ, typ, "operand-kind", "%s writes a temporary register, not %s", c.op.Name, c.regName(typ, c.val(d.num)))
	}
	if mask := c.val(d.mask); mask != 15 && mask != 0 {
		c.fail(d.mask, mask, "write-mask", "%s writes all lanes in %s", c.op.Name, c.version())
	}
	if typ := c.val(at.typ); typ != RegTemp && typ != RegTexture {
		c.fail(at.typ, typ, "operand-kind", "coordinates are in r# or t# in %s, not in %s", c.version(), c.regName(typ, c.val(at.num)))
	}
	if swz := c.val(at.swz); swz != noSwizzle && c.p.Ctx.Version == v20 {
		c.fail(at.swz, swz, "swizzle", "coordinates have no swizzle in %s", c.version())
	}
	if m := c.val(at.mod); m == modNeg {
		c.fail(at.mod, m, "source-modifier", "coordinates have no modifier in %s", c.version())
	}
	if swz := c.val(sampler.swz); swz != noSwizzle {
		c.fail(sampler.swz, swz, "swizzle", "samplers have no swizzle in %s", c.version())
	}
}

func (c *checker) output2() {
	d, s := &c.in.dst, &c.in.src[0]
	typ, num := c.val(d.typ), c.val(d.num)
	name := c.regName(typ, num)
	if c.op.Name != "mov" {
		c.fail(d.typ, typ, "output", "%s is written by mov alone in %s", name, c.version())
		return
	}
	if m := c.val(s.mod); m == modNeg {
		c.fail(s.mod, m, "source-modifier", "what goes to %s has no modifier in %s", name, c.version())
	}
	if m := c.val(d.mod); m&flagSat != 0 {
		c.fail(d.mod, m, "result-modifier", "_sat cannot be used on %s in %s", name, c.version())
	}
	swz := c.val(s.swz)
	if typ == RegColorOut {
		if mask := c.val(d.mask); mask != 15 && mask != 0 {
			c.fail(d.mask, mask, "write-mask", "%s is written whole in %s", name, c.version())
		}
		if swz != noSwizzle {
			c.fail(s.swz, swz, "swizzle", "what goes to %s has no swizzle in %s", name, c.version())
		}
	} else if swz != swz&3*0x55 {
		c.fail(s.swz, swz, "replicate-swizzle", "oDepth takes one lane, as in r0.x")
	}
	if c.outputs[reg{typ, num}] && len(c.blocks) == 0 && !c.inSub {
		c.fail(d.num, num, "output", "%s is written a second time, %s allows one", name, c.version())
	}
	c.outputs[reg{typ, num}] = true
}

// swizzles20 are those of ps_2_0: none, one lane, and three orders.
var swizzles20 = [...]uint32{noSwizzle, 0x00, 0x55, 0xAA, 0xFF, 0xC9, 0xD2, 0x1B}

// swizzles2 checks the swizzles of ps_2_0, in the lanes that count.
func (c *checker) swizzles2() {
	if c.p.Ctx.Version != v20 {
		return
	}
next:
	for k := range c.in.n {
		s := &c.in.src[k]
		if c.kind(k) != kindValue || c.oneLane(k) {
			continue
		}
		swz := c.val(s.swz)
		var lanes uint32 // the bits of the swizzle that count
		for l := range 4 {
			lanes |= c.lanesUsed(k) >> l & 1 * 3 << (2 * l)
		}
		for _, legal := range swizzles20 {
			if (swz^legal)&lanes == 0 {
				continue next
			}
		}
		c.fail(s.swz, swz, "swizzle", "ps_2_0 has the swizzles .x, .y, .z, .w, .yzxw, .zxyw and .wzyx alone")
	}
}

// chain follows how many lookups in a row a temporary depends on. A lookup at r# is dependent, of order one more
// than what is in r#.
func (c *checker) chain() {
	d := &c.in.dst
	if c.p.Ctx.Version != v20 || d.typ < 0 || c.val(d.typ) != RegTemp || c.op.Name == "texkill" {
		return
	}
	order := 0
	for k := range c.in.n {
		if s := &c.in.src[k]; c.val(s.typ) == RegTemp {
			order = max(order, c.order[c.val(s.num)])
		}
	}
	if at := &c.in.src[0]; c.op.Class&classTexture != 0 && c.val(at.typ) == RegTemp {
		if order++; order > dependentReads {
			c.fail(at.num, c.val(at.num), "dependent-read", "a dependent lookup of order %d; ps_2_0 allows %d", order, dependentReads)
			order = 0
		}
	}
	if c.val(d.mask) != 15 {
		order = max(order, c.order[c.val(d.num)])
	}
	c.order[c.val(d.num)] = order
}

// requiredOutputs checks at the end that a shader of vs_1_x writes oPos, that one of ps_2_x writes oC0 and no
// output without those in front.
func (c *checker) requiredOutputs() {
	if c.p.Ctx.Stage == VS && c.p.Ctx.Version < v20 && c.position != 15 {
		missing := ""
		for l := range 4 {
			if c.position>>l&1 == 0 {
				missing += string("xyzw"[l])
			}
		}
		c.failAt(len(c.p.Insts)-1, -1, c.position, "output", "oPos.%s is not written; a vertex shader writes all of oPos", missing)
	}
	if c.p.Ctx.Stage != PS || c.p.Ctx.Version != v20 && c.p.Ctx.Version != v2x {
		return
	}
	last := 0
	for n := range 4 {
		if c.outputs[reg{RegColorOut, uint32(n)}] {
			last = n
		}
	}
	for n := range last + 1 {
		if c.outputs[reg{RegColorOut, uint32(n)}] {
			continue
		}
		why := ""
		if n < last {
			why = ", but oC" + string(rune('0'+last)) + " is"
		}
		c.failAt(len(c.p.Insts)-1, -1, uint32(n), "output", "oC%d is not written%s; %s writes it by mov", n, why, c.version())
		return
	}
}

// index checks the address register of an operand that is indexed, and may be.
func (c *checker) index(s *sourceSlots) {
	typ, ok := c.v.At(s.addrType)
	if !ok {
		if !c.addressed && c.p.Ctx.Version < v20 {
			c.fail(s.rel, 1, "uninitialized", "a0.x is used, but nothing has written it")
			c.addressed = true // once is enough
		}
		return
	}
	num, swz := c.val(s.addrNum), c.val(s.addrSwz)
	switch {
	case typ == RegAddr && c.p.Ctx.Stage == VS:
		if num != 0 {
			c.fail(s.addrNum, num, "register-number", "%s does not exist in %s; the last one is a0", c.regName(typ, num), c.version())
		}
		if swz != swz&3*0x55 {
			c.fail(s.addrSwz, swz, "replicate-swizzle", "an index takes one lane, as in a0.x")
		}
	case typ == RegLoop && !c.inLoop():
		c.fail(s.addrType, typ, "flow", "aL is used outside a loop")
	}
}

// inLoop reports whether aL counts here. Who calls a subroutine is not known to it.
func (c *checker) inLoop() bool {
	if c.inSub {
		return true
	}
	for _, b := range c.blocks {
		if b.first.Name == "loop" {
			return true
		}
	}
	return false
}
