package d3d9

import "swizzle/shaderkit/isa"

// Rules of ps_1_x, from the reference pages "ps_1_1__ps_1_2__ps_1_3__ps_1_4 Registers", "Instructions" and those of
// the single instructions. Texture addressing instructions come first, then arithmetic ones; ps_1_4 has that twice.

// pixel1 is what the rules of ps_1_x remember.
type pixel1 struct {
	phases, second bool              // there is a phase instruction; it was seen
	arith          bool              // an arithmetic instruction was seen in this phase
	slots, texture int               // arithmetic slots and texture addressing instructions of this phase
	loaded         uint32            // t# that something was written to
	bumped         uint32            // t# that texbem or texbeml has read
	lost           uint32            // t# behind texm3x2depth
	before         map[uint32]uint32 // lanes of r# that phase 1 has written
	view           [8]uint32         // the lanes that each t# of ps_1_4 is read with, 0 before
	cmps, dp4s     int
	bems, dzs      int
	depth          bool // texdepth was seen

	pad   *isa.Op // of the open matrix
	row   uint32  // stage of its first row
	rows  uint32
	padAt int // instruction

	last     *isa.Op // the instruction in front, which a plus pairs with
	lastMask uint32
	paired   bool // it is the second of a pair itself
}

// Swizzles of texld and texcrd.
const (
	lanesXYZ = 0xA4 // .xyz
	lanesXYW = 0xF4 // .xyw
)

// addressing reports whether the op is a texture addressing instruction of ps_1_x.
func addressing(o *isa.Op) bool {
	return o.Class&classTexture != 0 || o.Name == "texkill" || o.Name == "texdepth"
}

func (c *checker) pixel1() {
	if c.p.Ctx.Stage != PS || c.p.Ctx.Version >= v20 || !c.op.Has(c.p.Ctx) {
		return
	}
	s, o := &c.one, c.op
	if o.Name == "phase" {
		c.phase()
		return
	}
	c.pair()
	four := c.p.Ctx.Version == v14
	switch {
	case addressing(o):
		if s.arith {
			c.fail(-1, o.Code, "instruction-order", "%s stands behind an arithmetic instruction; texture instructions come first%s", o.Name, map[bool]string{true: " in their phase"}[four])
		}
		s.texture++
		if o.Name == "texbeml" {
			s.slots++
		}
		c.address()
	case o.Name != "nop":
		c.unfinishedMatrix()
		s.arith = true
		if !c.coissued() {
			s.slots += slots1(c.p.Ctx, o)
		}
		c.arithmetic1()
	}
	for k := range c.in.n {
		c.source1(k)
	}
	if d := &c.in.dst; d.typ >= 0 && c.val(d.typ) == RegTexture && !four && o.Name != "texkill" {
		n := c.val(d.num)
		s.loaded |= 1 << n
		s.lost &^= 1 << n
		if o.Name == "texm3x2depth" {
			s.lost |= 1 << n
		}
	}
}

func (c *checker) coissued() bool {
	x, _ := c.v.Get("coissue")
	return x != 0
}

// slots1 gives the slots of an arithmetic instruction, as the limit of 8 counts them.
func slots1(ctx isa.Context, o *isa.Op) int {
	switch o.Name {
	case "bem":
		return 2
	case "cmp", "dp4":
		if ctx.Version < v14 {
			return 2
		}
	}
	return 1
}

// phase ends the first phase. Alpha lanes of temporaries do not outlive it.
func (c *checker) phase() {
	s := &c.one
	if s.second {
		c.fail(-1, c.op.Code, "phase", "a second phase instruction; there are two phases, with one phase between them")
	}
	c.endPhase(c.i)
	s.second, s.arith, s.slots, s.texture, s.last = true, false, 0, 0, nil
	s.before = map[uint32]uint32{}
	for r, lanes := range c.written {
		c.written[r] = lanes &^ 8
		s.before[r] = lanes & 7
	}
}

// endPhase counts what the phase that ends at instruction inst holds.
func (c *checker) endPhase(inst int) {
	s := &c.one
	tex, what := slotsPS11Tex, c.version()
	if c.p.Ctx.Version == v14 {
		tex, what = slotsPS14Tex, "a phase of ps_1_4"
	}
	if s.slots > slotsPS1Arith {
		c.failAt(inst, -1, uint32(s.slots), "too-many-slots", "%d arithmetic instruction slots; %s has %d", s.slots, what, slotsPS1Arith)
	}
	if s.texture > tex {
		c.failAt(inst, -1, uint32(s.texture), "too-many-slots", "%d texture instructions; %s has %d", s.texture, what, tex)
	}
}

// pair checks a plus: rgb and alpha of two arithmetic instructions run together.
func (c *checker) pair() {
	s, o := &c.one, c.op
	mask := uint32(0)
	if c.in.dst.mask >= 0 {
		mask = c.val(c.in.dst.mask)
	}
	plus := c.coissued()
	if plus {
		at := o.Slot("coissue")
		switch bad := func(x *isa.Op) bool {
			return addressing(x) || x.Name == "dp4" || x.Name == "bem" || x.Name == "nop"
		}; {
		case s.last == nil:
			c.fail(at, 1, "co-issue", "a plus pairs an instruction with the one in front, and there is none")
		case s.paired:
			c.fail(at, 1, "co-issue", "a third instruction of a pair; two go together")
		case bad(o):
			c.fail(at, 1, "co-issue", "%s cannot be paired", o.Name)
		case bad(s.last):
			c.fail(at, 1, "co-issue", "%s in front cannot be paired", s.last.Name)
		case !(mask == 8 && s.lastMask&8 == 0 && s.lastMask != 0 || s.lastMask == 8 && mask&8 == 0 && mask != 0):
			c.fail(at, 1, "co-issue", "one of a pair writes .a alone, the other lanes of .rgb")
		}
	}
	s.last, s.lastMask, s.paired = o, mask, plus
}

// address checks a texture addressing instruction.
func (c *checker) address() {
	o, d := c.op, &c.in.dst
	if x := c.val(d.mod); x != 0 {
		c.fail(d.mod, x, "result-modifier", "%s is a texture instruction and takes no modifier of the result", o.Name)
	}
	if x := c.val(d.shift); x != 0 {
		c.fail(d.shift, x, "result-shift", "%s is a texture instruction and takes no result shift", o.Name)
	}
	mask, num := c.val(d.mask), c.val(d.num)
	if c.p.Ctx.Version == v14 {
		c.address14(mask)
		return
	}
	if mask != 15 && mask != 0 {
		c.fail(d.mask, mask, "write-mask", "%s writes all lanes", o.Name)
	}
	if typ := c.val(d.typ); typ != RegTexture {
		c.fail(d.typ, typ, "operand-kind", "%s takes t# in %s, not %s", o.Name, c.version(), c.regName(typ, num))
		return
	}
	c.matrixRow(num)
	if c.in.n == 0 {
		return
	}
	from := &c.in.src[0]
	typ, n := c.val(from.typ), c.val(from.num)
	switch {
	case typ != RegTexture:
		c.fail(from.typ, typ, "operand-kind", "%s reads t#, not %s", o.Name, c.regName(typ, n))
	case n >= num:
		c.fail(from.num, n, "instruction-order", "%s reads t%d into t%d; it reads a register of a lower number", o.Name, n, num)
	}
	if swz := c.val(from.swz); swz != noSwizzle {
		c.fail(from.swz, swz, "swizzle", "%s takes its source without a swizzle", o.Name)
	}
	switch m := c.val(from.mod); {
	case m == modNone:
	case m != modBx2:
		c.fail(from.mod, m, "source-modifier", "texture instructions take no source modifier but _bx2")
	case o.Name == "texreg2ar" || o.Name == "texreg2gb" || c.p.Ctx.Version < v12 && o.Name[:4] != "texm":
		c.fail(from.mod, m, "source-modifier", "%s takes no _bx2 in %s", o.Name, c.version())
	}
	if o.Name == "texm3x3spec" && c.val(c.in.src[1].typ) != RegConst {
		e := &c.in.src[1]
		c.fail(e.typ, c.val(e.typ), "operand-kind", "texm3x3spec takes the eye vector from c#, not %s", c.regName(c.val(e.typ), c.val(e.num)))
	}
}

// matrixRow follows the rows of a matrix: pads and what ends them are at consecutive stages.
func (c *checker) matrixRow(stage uint32) {
	s, name := &c.one, c.op.Name
	if len(name) < 7 || name[:5] != "texm3" {
		c.unfinishedMatrix()
		return
	}
	pad := name[:7] + "pad"
	want := uint32(name[6]-'0') - 1 // rows in front of the last one
	if name == pad && (s.pad == nil || s.rows == want || s.pad.Name != pad) {
		c.unfinishedMatrix()
		s.pad, s.row, s.rows, s.padAt = c.op, stage, 1, c.i
		return
	}
	if s.pad != nil && s.pad.Name != pad {
		c.unfinishedMatrix()
	}
	switch {
	case s.pad == nil || name != pad && s.rows != want:
		c.fail(-1, c.op.Code, "matrix-rows", "%s is the last of %d rows and stands behind %d %s", name, want+1, want, pad)
	case stage != s.row+s.rows:
		c.fail(c.in.dst.num, stage, "matrix-rows", "the rows of a matrix are in registers one behind the other; this one is t%d", s.row+s.rows)
	}
	if s.rows++; name != pad {
		s.pad = nil
	}
}

// unfinishedMatrix tells of rows without the last one.
func (c *checker) unfinishedMatrix() {
	s := &c.one
	if s.pad == nil {
		return
	}
	ends := "texm3x3, texm3x3tex, texm3x3spec or texm3x3vspec"
	if s.pad.Name == "texm3x2pad" {
		ends = "texm3x2tex or texm3x2depth"
	}
	c.failAt(s.padAt, -1, s.pad.Code, "matrix-rows", "%s is not followed by the last row: %s", s.pad.Name, ends)
	s.pad = nil
}

// address14 checks texld, texcrd, texkill and texdepth of ps_1_4.
func (c *checker) address14(mask uint32) {
	s, o, d := &c.one, c.op, &c.in.dst
	num := c.val(d.num)
	switch o.Name {
	case "texdepth":
		if typ := c.val(d.typ); typ != RegTemp || num != 5 {
			c.fail(d.num, num, "operand-kind", "texdepth takes r5, not %s", c.regName(typ, num))
		} else if c.written[5]&3 != 3 && s.second {
			c.fail(d.num, num, "uninitialized", "r5.xy is read, but nothing has written it")
		}
		if !s.second {
			c.fail(-1, o.Code, "phase", "texdepth is an instruction of the second phase; phase stands in front of it")
		}
		s.depth = true
		return
	case "texkill":
		return
	}
	from := &c.in.src[0]
	typ, n, swz, mod := c.val(from.typ), c.val(from.num), c.val(from.swz), c.val(from.mod)
	switch {
	case typ == RegTexture:
		c.coordinate14(from, n, swz, mod)
	case typ != RegTemp || o.Name == "texcrd":
		c.fail(from.typ, typ, "operand-kind", "%s reads t#%s, not %s", o.Name, map[bool]string{true: " or, in the second phase, r#"}[o.Name == "texld"], c.regName(typ, n))
	case s.phases && !s.second:
		c.fail(from.num, n, "phase", "texld reads r%d in the first phase; dependent lookups are in the second", n)
	case s.before[n] != 7:
		c.fail(from.num, n, "dependent-read", "texld reads r%d, whose x, y and z the first phase has to write", n)
	default:
		if swz != noSwizzle && swz != lanesXYZ {
			c.fail(from.swz, swz, "swizzle", "coordinates in r# are read as r%d or r%d.xyz", n, n)
		}
		switch mod {
		case modNone:
		case modDz:
			if s.dzs++; s.dzs > 2 {
				c.fail(from.mod, mod, "source-modifier", "a third _dz; a shader has two")
			}
		default:
			c.fail(from.mod, mod, "source-modifier", "coordinates in r# take no modifier but _dz")
		}
	}
	want := uint32(15)
	if o.Name == "texcrd" {
		if want = 7; mod == modDw {
			want = 3
		}
	}
	if mask != want && mask != 0 {
		c.fail(d.mask, mask, "write-mask", "%s writes %s here", o.Name, map[uint32]string{15: "all lanes", 7: ".rgb", 3: ".rg"}[want])
	}
}

// coordinate14 checks a coordinate register of ps_1_4: .xyz or .xyw, the same at each place.
func (c *checker) coordinate14(from *sourceSlots, n, swz, mod uint32) {
	s := &c.one
	if swz != noSwizzle && swz != lanesXYZ && swz != lanesXYW {
		c.fail(from.swz, swz, "swizzle", "coordinates are read as t%d, t%d.xyz or t%d.xyw", n, n, n)
		return
	}
	switch {
	case mod == modDw && swz != lanesXYW:
		c.fail(from.swz, swz, "swizzle", "_dw divides by w, so t%d_dw goes with .xyw", n)
		return
	case mod != modNone && mod != modDw:
		c.fail(from.mod, mod, "source-modifier", "coordinates in t# take no modifier but _dw")
	}
	view := uint32(lanesXYZ)
	if swz == lanesXYW {
		view = lanesXYW
	}
	if was := s.view[n&7]; was != 0 && was != view {
		c.fail(from.swz, swz, "swizzle", "t%d is read as %s in front; a register is read with the same lanes everywhere", n, map[uint32]string{lanesXYZ: ".xyz", lanesXYW: ".xyw"}[was])
	}
	s.view[n&7] = view
}

// arithmetic1 checks destination and counts of an arithmetic instruction.
func (c *checker) arithmetic1() {
	s, o, d := &c.one, c.op, &c.in.dst
	if d.mask < 0 {
		return
	}
	mask, v := c.val(d.mask), c.p.Ctx.Version
	if v < v14 && mask != 15 && mask != 7 && mask != 8 && mask != 0 {
		c.fail(d.mask, mask, "write-mask", "%s has the masks .rgba, .rgb and .a", c.version())
	}
	same := func() (n int) { // a source that is the destination
		for k := range c.in.n {
			if x := &c.in.src[k]; c.val(x.typ) == c.val(d.typ) && c.val(x.num) == c.val(d.num) {
				return x.num
			}
		}
		return -1
	}
	switch o.Name {
	case "dp3":
		if v < v14 && mask&7 != 7 && mask != 0 {
			c.fail(d.mask, mask, "write-mask", "dp3 writes .rgb or .rgba in %s", c.version())
		}
	case "cmp":
		if v >= v14 {
			break
		}
		if s.cmps++; s.cmps > 3 {
			c.fail(-1, o.Code, "too-many-slots", "a fourth cmp; %s has three", c.version())
		}
		if n := same(); n >= 0 {
			c.fail(n, c.val(n), "operand-kind", "cmp cannot read %s, which it writes, in %s", c.regName(c.val(d.typ), c.val(d.num)), c.version())
		}
	case "dp4":
		if v >= v14 {
			break
		}
		if s.dp4s++; s.dp4s > 4 {
			c.fail(-1, o.Code, "too-many-slots", "a fifth dp4; %s has four", c.version())
		}
	case "cnd":
		if x := &c.in.src[0]; v < v14 && (c.val(x.typ) != RegTemp || c.val(x.num) != 0 || c.val(x.swz) != 0xFF || c.val(x.mod) != modNone) {
			c.fail(x.num, c.val(x.num), "operand-kind", "cnd compares r0.a in %s", c.version())
		}
	case "bem":
		if s.bems++; s.bems > 1 {
			c.fail(-1, o.Code, "too-many-slots", "a second bem; a shader has one")
		}
		if !s.phases || s.second {
			c.fail(-1, o.Code, "phase", "bem is an instruction of the first phase; phase stands behind it")
		}
		if mask != 3 && mask != 0 {
			c.fail(d.mask, mask, "write-mask", "bem writes .rg")
		}
	}
}

// source1 checks a source of any instruction.
func (c *checker) source1(k int) {
	s, x := &c.one, &c.in.src[k]
	typ, num, swz, mod := c.val(x.typ), c.val(x.num), c.val(x.swz), c.val(x.mod)
	v, tex := c.p.Ctx.Version, addressing(c.op)
	switch typ {
	case RegTexture:
		if v == v14 {
			if !tex {
				c.fail(x.typ, typ, "not-readable", "t%d holds coordinates in ps_1_4, which texld and texcrd alone read", num)
			}
			break
		}
		bump := c.op.Name == "texbem" || c.op.Name == "texbeml"
		switch bit := uint32(1) << (num & 31); {
		case s.loaded&bit == 0:
			c.fail(x.num, num, "uninitialized", "t%d is read, but no texture instruction has loaded it", num)
			s.loaded |= bit // once is enough
		case s.lost&bit != 0:
			c.fail(x.num, num, "not-readable", "t%d is lost behind texm3x2depth", num)
		case s.bumped&bit != 0 && !bump:
			c.fail(x.num, num, "not-readable", "t%d was read by texbem or texbeml, and cannot be read by others behind it", num)
		case bump:
			s.bumped |= bit
		}
	case RegInput:
		if s.phases && !s.second {
			c.fail(x.num, num, "phase", "v%d is read in the first phase; colors are there in the second", num)
		}
	case RegTemp:
		if num == 5 && s.depth {
			c.fail(x.num, num, "not-readable", "r5 is lost behind texdepth")
		}
	case RegConst:
		if v == v14 && mod != modNone {
			c.fail(x.mod, mod, "source-modifier", "a constant takes no modifier in ps_1_4")
		}
	}
	if tex {
		return
	}
	switch {
	case swz == noSwizzle || swz == 0xFF:
	case v < v14 && (swz != 0xAA || c.in.dst.mask < 0 || c.val(c.in.dst.mask) != 8):
		c.fail(x.swz, swz, "swizzle", "%s has the selector .a and, where .a is written, .b", c.version())
	case v == v14 && swz != swz&3*0x55:
		c.fail(x.swz, swz, "swizzle", "ps_1_4 has the selectors .r, .g, .b and .a alone")
	}
}

// end1 checks the end of a ps_1_x program.
func (c *checker) end1(last int) {
	if c.p.Ctx.Stage != PS || c.p.Ctx.Version >= v20 {
		return
	}
	c.unfinishedMatrix()
	c.endPhase(last)
	if c.written[0] == 0 {
		c.failAt(last, -1, 0, "output", "r0 is not written; it is the color of the pixel")
	}
}
