package d3d9

import (
	"strconv"

	"swizzle/shaderkit/isa"
)

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
		c.fail(d.typ, typ, "declaration", "%s needs no declaration; dcl takes %s", name, filesOf(ctx, func(f *regFile) bool { return f.declare }))
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
	if c.in.usage >= 0 && !(ctx.Stage == PS && ctx.Version < v30) && typ != RegMisc {
		u := usage{typ, c.val(c.in.usage), c.val(c.in.index)}
		if was, ok := c.named[u]; !ok {
			c.named[u] = reg{typ, num}
		} else if was.num != num {
			c.fail(c.in.usage, u.usage, "twice", "%s%d is %s already", usageName(u.usage), u.index, c.regName(was.typ, was.num))
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

func usageName(u uint32) string {
	if int(u) < len(usages) {
		return usages[u]
	}
	return "usage" + strconv.Itoa(int(u)) + "_"
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
			c.blocks[n-1].op = o
			if !c.blocks[n-1].dynamic {
				c.static()
			}
		}
		return
	case "endif", "endloop", "endrep":
		c.closeBlock(o)
		return
	case "break", "breakp":
		c.leave()
	case "label":
		c.label()
	case "ret":
		if len(c.blocks) > 0 {
			c.fail(-1, o.Code, "flow", "ret inside %s; it ends the program or a subroutine", c.blocks[len(c.blocks)-1].first.Name)
		}
		c.ended = len(c.blocks) == 0
	case "call", "callnz":
		c.call()
	}
	if o.Class&classOpen != 0 {
		c.open()
	}
}

// open opens a block.
func (c *checker) open() {
	o := c.op
	b := openBlock{op: o, first: o, inst: c.i, dynamic: o.Name == "if" && c.varies()}
	c.blocks = append(c.blocks, b)
	switch {
	case o.Name != "if":
		c.static()
		c.deeper(&c.depth.loops, c.limit.loops, "loops are")
	case b.dynamic || o.Form == formCmp:
		c.deeper(&c.depth.dynamic, c.limit.dynamic, "blocks of if with a comparison or a predicate are")
	default:
		c.static()
		c.deeper(&c.depth.static, c.limit.static, "blocks of if b# are")
	}
}

// varies reports whether the condition of the current op is computed.
func (c *checker) varies() bool {
	for k := range c.in.n {
		if typ := c.val(c.in.src[k].typ); !isConst(typ) && typ != RegConstBool && typ != RegLabel {
			return true
		}
	}
	return false
}

func (c *checker) deeper(n *int, limit int, what string) {
	if *n++; *n == limit+1 {
		c.fail(-1, c.op.Code, "flow-depth", "%s nested %d deep; %s allows %d", what, *n, c.version(), limit)
	}
}

// static counts the static flow instructions, which vs_2_0 and vs_2_x limit.
func (c *checker) static() {
	if c.p.Ctx.Stage != VS || c.p.Ctx.Version >= v30 || c.software() {
		return
	}
	if c.statics++; c.statics == staticFlows+1 {
		c.fail(-1, c.op.Code, "flow-depth", "%d instructions of static flow (if b#, else, loop, rep and call); %s allows %d", c.statics, c.version(), staticFlows)
	}
}

// leave checks a break. Where a computed value decides about it, pixels that stay run without those that left.
func (c *checker) leave() {
	if c.depth.loops == 0 {
		c.fail(-1, c.op.Code, "flow", "%s outside loop and rep", c.op.Name)
		return
	}
	varies := c.in.n > 0 && c.varies()
	for k := len(c.blocks) - 1; k >= 0; k-- {
		b := &c.blocks[k]
		varies = varies || b.dynamic
		if b.first.Name != "if" {
			b.dynamic = varies
			break
		}
	}
	if c.op.Form == formCmp && c.depth.dynamic >= c.limit.dynamic {
		c.fail(-1, c.op.Code, "flow-depth", "break with a comparison inside %d blocks that are dynamic; it counts as one more and %s allows %d", c.depth.dynamic, c.version(), c.limit.dynamic)
	}
}

func (c *checker) closeBlock(o *isa.Op) {
	n := len(c.blocks)
	want := o.Name[len("end"):]
	if n == 0 {
		c.fail(-1, o.Code, "flow", "%s without an open %s", o.Name, want)
		return
	}
	b := &c.blocks[n-1]
	if b.first.Name != want {
		c.fail(-1, o.Code, "flow", "%s closes %s", o.Name, b.first.Name)
	}
	c.blocks = c.blocks[:n-1]
	switch {
	case b.first.Name != "if":
		c.depth.loops--
	case b.first.Form == formCmp || b.dynamic:
		c.depth.dynamic--
	default:
		c.depth.static--
	}
}

func (c *checker) label() {
	num := c.val(c.in.src[0].num)
	switch {
	case len(c.blocks) > 0:
		c.fail(-1, c.op.Code, "flow", "label inside %s", c.blocks[len(c.blocks)-1].first.Name)
		c.blocks, c.depth = nil, nesting{}
	case !c.ended:
		c.fail(-1, c.op.Code, "label", "label l%d stands behind no ret, which ends what is in front", num)
	}
	c.ended = false
	if _, ok := c.labels[num]; ok {
		c.fail(c.in.src[0].num, num, "label", "the label l%d stands twice", num)
	} else {
		c.labels[num] = len(c.bodies)
	}
	c.bodies = append(c.bodies, body{})
	c.inSub = true
}

// call notes a call. Calls go forward, so that no subroutine can call itself.
func (c *checker) call() {
	s := &c.in.src[0]
	num := c.val(s.num)
	if f := file(c.p.Ctx, RegLabel); c.val(s.typ) != RegLabel || f == nil || num >= f.count && !c.software() {
		return // that was told
	}
	if c.op.Name == "call" || c.val(c.in.src[1].typ) == RegConstBool {
		c.static()
	}
	if _, ok := c.labels[num]; ok {
		c.fail(s.num, num, "recursion", "label l%d stands in front; a call goes forward, so no subroutine calls itself", num)
		return
	}
	b := &c.bodies[len(c.bodies)-1]
	b.calls = append(b.calls, call{num, c.i, s.num})
}

// callDepth checks how deep calls lie in each other. They go forward, so a body's depth is known when it is
// its turn.
func (c *checker) callDepth() {
	for k := range c.bodies {
		for _, l := range c.bodies[k].calls {
			to, ok := c.labels[l.label]
			if !ok {
				c.failAt(l.inst, l.off, l.label, "label", "there is no label l%d; a subroutine starts with label l%d, behind a ret", l.label, l.label)
				continue
			}
			d := &c.bodies[to].depth
			if *d = max(*d, c.bodies[k].depth+1); c.bodies[k].depth+1 > c.limit.calls {
				c.failAt(l.inst, -1, l.label, "flow-depth", "calls are nested %d deep; %s allows %d", c.bodies[k].depth+1, c.version(), c.limit.calls)
			}
		}
	}
}

// pixelFlow checks what pixel shaders may do where a computed value decided which pixels run.
func (c *checker) pixelFlow() {
	if c.p.Ctx.Stage != PS || c.p.Ctx.Version < v2x {
		return
	}
	d := &c.in.dst
	output := c.p.Ctx.Version == v2x && d.typ >= 0 && (c.val(d.typ) == RegColorOut || c.val(d.typ) == RegDepthOut)
	if output && c.in.predicated >= 0 && c.val(c.in.predicated) != 0 {
		c.fail(d.num, c.val(d.num), "output", "%s is written under a predicate; write it always", c.regName(c.val(d.typ), c.val(d.num)))
	}
	dynamic := false
	for k := range c.blocks {
		dynamic = dynamic || c.blocks[k].dynamic
	}
	if !dynamic {
		return
	}
	if output {
		c.fail(d.num, c.val(d.num), "output", "%s is written where not every pixel comes; write it behind the block", c.regName(c.val(d.typ), c.val(d.num)))
	}
	switch c.op.Name {
	case "texld", "texldp", "texldb", "dsx", "dsy":
		if s := &c.in.src[0]; c.val(s.typ) == RegTemp {
			c.fail(s.num, c.val(s.num), "gradient", "%s needs the neighbours of the pixel, which may not run here; read an input, or use texldl or texldd", c.op.Name)
		}
	}
}

// end checks what only the whole program shows.
func (c *checker) end() {
	for _, b := range c.blocks {
		c.failAt(b.inst, -1, b.first.Code, "flow", "%s is not closed", b.first.Name)
	}
	c.callDepth()
	last := len(c.p.Insts) - 1
	if last < 0 {
		return
	}
	if c.inSub && !c.ended {
		c.failAt(last, -1, 0, "flow", "the last subroutine has no ret")
	}
	c.requiredOutputs()
	c.end1(last)
	tooMany := func(n, max int, what string) {
		if n > max {
			c.failAt(last, -1, uint32(n), "too-many-slots", "%d %s, %s allows %d", n, what, c.version(), max)
		}
	}
	switch vs := c.p.Ctx.Stage == VS; {
	case c.software():
	case c.p.Ctx.Version < v20:
		if vs {
			tooMany(c.slots, slotsVS11, "instruction slots")
		}
	case vs && c.p.Ctx.Version <= v2x:
		tooMany(c.slots, slotsVS20, "instruction slots")
	case c.p.Ctx.Version == v20:
		tooMany(c.slots-c.texture, slotsPS20Arith, "arithmetic instruction slots")
		tooMany(c.texture, slotsPS20Tex, "texture instructions")
	case c.p.Ctx.Version == v2x:
		tooMany(c.slots, slotsPS2x, "instruction slots")
	default:
		tooMany(c.slots, slotsMax, "instruction slots")
	}
}
