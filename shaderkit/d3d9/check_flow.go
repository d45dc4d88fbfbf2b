package d3d9

import "swizzle/shaderkit/isa"

// declaration checks dcl, def, defi and defb.
func (c *checker) declaration() {
	d := &c.in.dst
	typ, num, mask := c.val(d.typ), c.val(d.num), c.val(d.mask)
	name := c.regName(typ, num)
	ctx := c.p.Ctx
	c.relative(d.rel, d.addrType, typ, true)
	if c.in.predicated >= 0 && c.val(c.in.predicated) != 0 {
		c.fail(c.in.predicated, 1, "predicate", "%s cannot be predicated", c.op.Name)
	}
	if c.op.Name != "dcl" {
		want := map[string]uint32{"def": RegConst, "defi": RegConstInt, "defb": RegConstBool}[c.op.Name]
		if typ != want && !(want == RegConst && (typ == RegConst2 || typ == RegConst3 || typ == RegConst4)) {
			c.fail(d.typ, typ, "operand-kind", "%s defines %s, not %s", c.op.Name, map[string]string{"def": "c#", "defi": "i#", "defb": "b#"}[c.op.Name], name)
			return
		}
		c.exists(d.typ, d.num)
		c.resultModifiers()
		if mask != 15 {
			c.fail(d.mask, mask, "write-mask", "%s defines the whole register", c.op.Name)
		}
		if x := c.op.Slot("x"); c.op.Name == "defb" && c.val(x) > 1 {
			c.fail(x, c.val(x), "operand-kind", "a boolean is 0 or 1, not %d", c.val(x))
		}
		if c.defined[reg{typ, num}] && ctx.Stage == PS {
			c.fail(d.num, num, "twice", "%s is defined a second time", name)
		}
		c.defined[reg{typ, num}] = true
		return
	}
	f := c.exists(d.typ, d.num)
	c.declModifiers()
	if f == nil {
		return
	}
	if !f.declare {
		c.fail(d.typ, typ, "declaration", "%s needs no declaration", name)
		return
	}
	if c.in.texture >= 0 {
		if x := c.val(c.in.texture); x < 2 || x > 4 {
			c.fail(c.in.texture, x, "declaration", "the texture kind %d is none of 2 2d, 3 cube, 4 volume", x)
		}
	}
	if c.in.usage >= 0 {
		usage, index := c.val(c.in.usage), c.val(c.in.index)
		bare := ctx.Stage == PS && ctx.Version < v30 || typ == RegMisc
		if int(usage) >= len(usages) {
			c.fail(c.in.usage, usage, "declaration", "there is no usage %d; the last one is %d, %s", usage, len(usages)-1, usages[len(usages)-1])
		} else if bare && (usage != 0 || index != 0) {
			c.fail(c.in.usage, usage, "declaration", "%s takes no usage in %s", name, c.version())
		}
	}
	if mask == 0 {
		c.fail(d.mask, 0, "write-mask", "the mask is empty")
	}
	if c.declared[reg{typ, num}]&mask != 0 {
		c.fail(d.num, num, "twice", "%s is declared a second time", name)
	}
	c.declared[reg{typ, num}] |= mask
}

// declModifiers checks the result modifiers of a dcl: _pp and _centroid of pixel shader inputs.
func (c *checker) declModifiers() {
	d := &c.in.dst
	mod, typ := c.val(d.mod), c.val(d.typ)
	input := c.p.Ctx.Stage == PS && (typ == RegInput || typ == RegTexture)
	if mod&^(flagPartial|flagCentroid) != 0 || mod != 0 && !input {
		c.fail(d.mod, mod, "result-modifier", "a dcl takes _pp and _centroid, on inputs of pixel shaders")
	}
	c.resultShift()
}

// control follows blocks, labels and calls.
func (c *checker) control() {
	o := c.op
	switch o.Name {
	case "else":
		if n := len(c.blocks); n == 0 || c.blocks[n-1].op.Name != "if" {
			c.fail(-1, o.Code, "flow", "else without an open if")
		} else {
			c.blocks[n-1] = openBlock{o, c.i}
		}
		return
	case "endif", "endloop", "endrep":
		c.closeBlock(o)
		return
	case "break", "breakp":
		if c.loops == 0 {
			c.fail(-1, o.Code, "flow", "%s outside loop and rep", o.Name)
		}
	case "label":
		c.label()
	case "ret":
		if len(c.blocks) > 0 && c.p.Ctx.Version < v2x {
			c.fail(-1, o.Code, "flow", "ret inside %s", c.blocks[len(c.blocks)-1].op.Name)
		}
	case "call", "callnz":
		c.calls = append(c.calls, call{c.val(c.in.src[0].num), c.i, c.in.src[0].num})
	}
	if o.Class&classOpen != 0 {
		c.blocks = append(c.blocks, openBlock{o, c.i})
		if o.Name != "if" {
			c.loops++
		}
		if len(c.blocks) == flowDepth+1 {
			c.fail(-1, o.Code, "flow-depth", "blocks are nested more than %d deep", flowDepth)
		}
		if c.loops == loopDepth+1 && o.Name != "if" {
			c.fail(-1, o.Code, "flow-depth", "loops are nested more than %d deep", loopDepth)
		}
	}
}

func (c *checker) closeBlock(o *isa.Op) {
	n := len(c.blocks)
	want := o.Name[len("end"):]
	if n == 0 {
		c.fail(-1, o.Code, "flow", "%s without an open %s", o.Name, want)
		return
	}
	open := c.blocks[n-1].op.Name
	if open != want && !(open == "else" && want == "if") {
		c.fail(-1, o.Code, "flow", "%s closes %s", o.Name, open)
	}
	c.blocks = c.blocks[:n-1]
	if open == "loop" || open == "rep" {
		c.loops--
	}
}

func (c *checker) label() {
	num := c.val(c.in.src[0].num)
	if len(c.blocks) > 0 {
		c.fail(-1, c.op.Code, "flow", "label inside %s", c.blocks[len(c.blocks)-1].op.Name)
		c.blocks, c.loops = nil, 0
	}
	if c.labels[num] {
		c.fail(c.in.src[0].num, num, "label", "the label l%d stands twice", num)
	}
	c.labels[num] = true
	c.inSub = true
}

// end checks what only the whole program shows.
func (c *checker) end() {
	for _, b := range c.blocks {
		c.failAt(b.inst, -1, b.op.Code, "flow", "%s is not closed", b.op.Name)
	}
	for _, l := range c.calls {
		if !c.labels[l.label] {
			c.failAt(l.inst, l.off, l.label, "label", "there is no label l%d", l.label)
		}
	}
	last := len(c.p.Insts) - 1
	if last < 0 {
		return
	}
	c.requiredOutputs()
	tooMany := func(n, max int, what string) {
		if n > max {
			c.failAt(last, -1, uint32(n), "too-many-slots", "%d %s, %s allows %d", n, what, c.version(), max)
		}
	}
	switch {
	case c.software():
	case c.p.Ctx.Version < v20 && c.p.Ctx.Stage == VS:
		tooMany(c.slots, slotsVS11, "instruction slots")
	case c.p.Ctx.Version == v14:
		tooMany(c.slots, slotsPS14, "instruction slots")
	case c.p.Ctx.Version < v20:
		tooMany(c.slots-c.texture, slotsPS11Arith, "arithmetic instruction slots")
		tooMany(c.texture, slotsPS11Tex, "texture instructions")
	case c.p.Ctx.Version == v20 && c.p.Ctx.Stage == VS:
		tooMany(c.slots, slotsVS20, "instruction slots")
	case c.p.Ctx.Version == v20:
		tooMany(c.slots-c.texture, slotsPS20Arith, "arithmetic instruction slots")
		tooMany(c.texture, slotsPS20Tex, "texture instructions")
	default:
		tooMany(c.slots, slotsMax, "instruction slots")
	}
}
