package isa

import (
	"math/bits"
	"strconv"
	"strings"

	"swizzle/shaderkit/source"
)

// text is the walker of the spelling: one traversal prints into b and reads from s.
type text struct {
	write bool
	style Style
	ctx   Context
	op    *Op
	s     string // read
	p     int    // place in s
	far   int    // farthest place where reading failed
	wants []string
	msg   string // a special message at far
	late  []lateGuard

	inst   int32
	Text   []byte      // printed
	Fields []FieldSpan // places of the fields in Text
}

// mark notes the place of a field, in what is printed or read.
func (t *text) mark(v *Vals, slot int, start, end int32) {
	if !t.write {
		v.span[slot] = span{start, end}
	} else if end > start {
		t.Fields = append(t.Fields, FieldSpan{t.inst, int32(slot), start, end})
	}
}

// A lateGuard is checked at the end of the line, when the fields it names have been read.
type lateGuard struct {
	g    cguard
	at   int
	says string
}

func (t *text) fail(want string) bool {
	if t.p > t.far {
		t.far, t.wants, t.msg = t.p, t.wants[:0], ""
	}
	if t.p == t.far {
		for _, w := range t.wants {
			if w == want {
				return false
			}
		}
		t.wants = append(t.wants, want)
	}
	return false
}

// failf fails with a whole sentence, which is better than a list of what was wanted.
func (t *text) failf(at int, msg string) bool {
	if at >= t.far {
		t.far, t.wants, t.msg = at, t.wants[:0], msg
	}
	return false
}

func (t *text) lit(s string) bool {
	if t.write {
		t.Text = append(t.Text, s...)
		return true
	}
	if strings.HasPrefix(t.s[t.p:], s) {
		t.p += len(s)
		return true
	}
	if t.p < t.far {
		return false
	}
	return t.fail(quote(s))
}

func quote(s string) string { return "'" + s + "'" }

func (t *text) blanks() {
	for t.p < len(t.s) && (t.s[t.p] == ' ' || t.s[t.p] == '\t' || t.s[t.p] == '\n' || t.s[t.p] == '\r') {
		t.p++
	}
}

func (t *text) peek() byte {
	if t.p < len(t.s) {
		return t.s[t.p]
	}
	return 0
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isWord(c byte) bool {
	return c == '_' || isDigit(c) || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// number reads decimal digits as a 32-bit number.
func (t *text) number() (uint32, bool) {
	i := t.p
	for i < len(t.s) && isDigit(t.s[i]) {
		i++
	}
	if i == t.p {
		return 0, t.fail("a number")
	}
	x, err := strconv.ParseUint(t.s[t.p:i], 10, 32)
	if err != nil {
		return 0, t.failf(t.p, "number "+t.s[t.p:i]+" does not fit in 32 bits")
	}
	t.p = i
	return uint32(x), true
}

func (t *text) walk(v *Vals, ns []tnode) bool {
	for i := range ns {
		n := &ns[i]
		if t.write { // the items that every line has, without a call
			switch n.kind {
			case tLit:
				t.Text = append(t.Text, n.str...)
				continue
			case tName:
				t.Text = append(t.Text, t.op.Name...)
				continue
			case tSp:
				t.Text = append(t.Text, ' ')
				continue
			case tSep:
				t.Text = append(t.Text, ',', ' ')
				continue
			case tGroup:
				if n.flag || n.ifs != nil && !n.ifs[0].holds(v) {
					continue
				}
			case tAffix:
				if x := v.v[n.slot]; x == 0 && n.pairs[0] == [2]string{} {
					v.said.add(n.slot)
					continue
				}
			}
		}
		if !t.node(v, n) {
			return false
		}
	}
	return true
}

// here gives the current place, in what is printed or read.
func (t *text) here() int32 {
	if t.write {
		return int32(len(t.Text))
	}
	return int32(t.p)
}

func (t *text) node(v *Vals, n *tnode) bool {
	switch n.kind {
	case tLit:
		return t.lit(n.str)
	case tName:
		return t.lit(t.op.Name)
	case tSp:
		return t.sp()
	case tSep:
		return t.sep()
	case tGroup:
		return t.group(v, n)
	case tChoice:
		return t.choice(v, n)
	case tSuffixes:
		return t.suffixes(v, n)
	case tAffix:
		return t.affix(v, n)
	case tReg:
		return t.reg(v, n)
	case tIndex:
		return t.index(v, n)
	}
	p0 := t.here()
	ok := false
	switch n.kind {
	case tEnum:
		ok = t.enum(v, n)
	case tLanes:
		ok = t.lanes(v, n)
	case tF32:
		ok = t.f32(v, n)
	case tI32:
		ok = t.i32(v, n)
	case tNum:
		ok = t.num(v, n)
	}
	t.mark(v, n.slot, p0, t.here())
	return ok
}

func (t *text) sp() bool {
	if t.write {
		t.Text = append(t.Text, ' ')
		return true
	}
	p := t.p
	if t.blanks(); t.p == p {
		return t.fail("a blank")
	}
	return true
}

func (t *text) sep() bool {
	if t.write {
		t.Text = append(t.Text, ", "...)
		return true
	}
	t.blanks()
	if !t.lit(",") {
		return false
	}
	t.blanks()
	return true
}

func (t *text) say(v *Vals, gs []cguard) {
	for i := range gs {
		if len(gs[i].in) == 1 && !gs[i].not {
			v.said.add(gs[i].slot)
		}
	}
}

func (t *text) group(v *Vals, n *tnode) bool {
	if t.write {
		if n.flag || n.style != AnyStyle && n.style != t.style || !holds(v, n.ifs) {
			return true
		}
		t.say(v, n.ifs)
		return t.walk(v, n.sub)
	}
	t.try(v, n)
	return true
}

func (t *text) choice(v *Vals, n *tnode) bool {
	for i := range n.sub {
		g := &n.sub[i]
		if !t.write {
			if t.try(v, g) {
				return true
			}
			continue
		}
		if g.flag || g.style != AnyStyle && g.style != t.style || !holds(v, g.ifs) {
			continue
		}
		b, f, said := len(t.Text), len(t.Fields), v.said
		t.say(v, g.ifs)
		if t.walk(v, g.sub) {
			return true
		}
		t.Text, t.Fields, v.said = t.Text[:b], t.Fields[:f], said
	}
	return !t.write && t.fail("another form")
}

// try reads a guarded group. A guard on a field that is known already must hold; one on a field that is not
// known yet waits for the end of the line, where it is checked, or sets the field when nothing else did.
func (t *text) try(v *Vals, g *tnode) bool {
	p, known, late := t.p, v.known, len(t.late)
	ok := true
	for _, q := range g.ifs {
		if v.known.has(q.slot) {
			ok = ok && q.holds(v)
		} else {
			t.late = append(t.late, lateGuard{q, t.p, g.orelse})
		}
	}
	if ok && t.walk(v, g.sub) {
		return true
	}
	for k := range known { // forget what the attempt read
		for m := v.known[k] &^ known[k]; m != 0; m &= m - 1 {
			s := k*64 + bits.TrailingZeros64(m)
			v.v[s], v.span[s] = 0, span{}
		}
	}
	t.p, v.known, t.late = p, known, t.late[:late]
	return false
}

// settle checks the guards that waited.
func (t *text) settle(v *Vals) bool {
	for _, l := range t.late {
		if !v.known.has(l.g.slot) {
			if !l.g.not {
				v.set(l.g.slot, l.g.in[0])
			}
			continue
		}
		if !l.g.holds(v) {
			msg := l.says
			if msg == "" {
				msg = "the operands do not go together: " + v.op.SlotName(l.g.slot)
			}
			at := l.at
			if s := v.span[l.g.slot]; s.end > s.start {
				at = int(s.start)
			}
			t.far = 0
			return t.failf(at, msg)
		}
	}
	return true
}

func (t *text) suffixes(v *Vals, n *tnode) bool {
	if t.write {
		t.printSuffixes(v, n)
		return true
	}
	for i := range n.sufs {
		if s := &n.sufs[i]; !v.known.has(s.slot) {
			v.set(s.slot, 0)
		}
	}
next:
	for {
		best := -1
		for i := range n.sufs {
			if s := &n.sufs[i]; strings.HasPrefix(t.s[t.p:], s.text) && (best < 0 || len(s.text) > len(n.sufs[best].text)) {
				best = i
			}
		}
		if best < 0 {
			break
		}
		s := &n.sufs[best]
		if v.v[s.slot]&s.mask != 0 {
			return t.failf(t.p, quote(s.text)+" is the second of its kind")
		}
		p0 := int32(t.p)
		t.p += len(s.text)
		v.set(s.slot, v.v[s.slot]|s.value)
		if v.span[s.slot].end == 0 {
			v.span[s.slot].start = p0
		}
		v.span[s.slot].end = int32(t.p)
		continue next
	}
	if t.peek() == '_' {
		for i := range n.sufs {
			t.fail(quote(n.sufs[i].text))
		}
		return false
	}
	return true
}

func (t *text) printSuffixes(v *Vals, n *tnode) {
	for _, slot := range n.slots {
		rest := v.v[slot]
		p0 := int32(len(t.Text))
		for i := range n.sufs {
			if s := &n.sufs[i]; rest != 0 && s.slot == slot && v.v[slot]&s.mask == s.value {
				t.Text = append(t.Text, s.text...)
				rest &^= s.mask
			}
		}
		t.mark(v, slot, p0, int32(len(t.Text)))
		if rest == 0 {
			v.said.add(slot)
		}
	}
}

func (t *text) enum(v *Vals, n *tnode) bool {
	if t.write {
		x := v.v[n.slot]
		t.Text = append(t.Text, n.str...)
		if int64(x) < int64(len(n.names)) && n.names[x] != "" {
			t.Text = append(t.Text, n.names[x]...)
		} else {
			t.Text = append(strconv.AppendUint(append(t.Text, "?("...), uint64(x), 10), ')')
		}
		v.said.add(n.slot)
		return true
	}
	p := t.p
	if !t.lit(n.str) {
		return false
	}
	if strings.HasPrefix(t.s[t.p:], "?(") {
		t.p += 2
		x, ok := t.number()
		return ok && t.fits(v, n.slot, x) && t.lit(")") && v.assert(n.slot, x)
	}
	best, rest := -1, t.s[t.p:]
	for k, s := range n.names {
		if s != "" && strings.HasPrefix(rest, s) && (best < 0 || len(s) > len(n.names[best])) {
			best = k
		}
	}
	if best < 0 || !v.assert(n.slot, uint32(best)) {
		for _, s := range n.names {
			if s != "" {
				t.fail(quote(n.str + s))
			}
		}
		t.p = p
		return false
	}
	t.p += len(n.names[best])
	return true
}

func (t *text) affix(v *Vals, n *tnode) bool {
	side := 0
	if n.flag {
		side = 1
	}
	p0 := t.here()
	if t.write {
		if x := v.v[n.slot]; int64(x) < int64(len(n.pairs)) {
			v.said.add(n.slot)
			if s := n.pairs[x][side]; s != "" {
				t.Text = append(t.Text, s...)
				t.mark(v, n.slot, p0, int32(len(t.Text)))
			}
		}
		return true
	}
	pre := ""
	if side == 1 {
		pre = n.pairs[v.v[n.slot]][0]
	}
	best, rest := -1, t.s[t.p:]
	for k, p := range n.pairs {
		if side == 1 && p[0] != pre {
			continue
		}
		if strings.HasPrefix(rest, p[side]) && (best < 0 || len(p[side]) > len(n.pairs[best][side])) {
			best = k
		}
	}
	if best < 0 {
		return t.fail("a modifier")
	}
	if side == 1 && t.s[t.p+len(n.pairs[best][1]):] != "" && n.pairs[best][1] == "" && t.peek() == '_' {
		for _, p := range n.pairs {
			if p[0] == pre && p[1] != "" {
				t.fail(quote(p[1]))
			}
		}
		return false
	}
	t.p += len(n.pairs[best][side])
	v.set(n.slot, uint32(best))
	if t.p > int(p0) {
		v.span[n.slot] = span{p0, int32(t.p)}
	}
	return true
}

// append prints the register of a type and number; the row is nil when none fits.
func (r *Regs) append(b []byte, v *Vals, typ, num uint32) ([]byte, *RegRow) {
	if typ >= uint32(len(r.by)) {
		return b, nil
	}
	for _, i := range r.by[typ] {
		c := &r.rows[i]
		if c.Fixed && c.Num != num || !holds(v, c.ifs) {
			continue
		}
		b = append(b, c.Name...)
		if !c.Fixed {
			b = appendUint(b, num+c.Base)
		}
		return b, c.RegRow
	}
	return b, nil
}

// appendUint is strconv.AppendUint with a short way for the numbers that registers have.
func appendUint(b []byte, x uint32) []byte {
	switch {
	case x < 10:
		return append(b, byte('0'+x))
	case x < 100:
		return append(b, byte('0'+x/10), byte('0'+x%10))
	}
	return strconv.AppendUint(b, uint64(x), 10)
}

func (t *text) reg(v *Vals, n *tnode) bool {
	p0 := t.here()
	if t.write {
		b, row := n.regs.append(t.Text, v, v.v[n.slot], v.v[n.slot2])
		if row == nil {
			return false
		}
		t.Text = b
		v.said.add(n.slot)
		v.said.add(n.slot2)
		p1 := p0 + int32(len(row.Name))
		t.mark(v, n.slot, p0, p1)
		if row.Fixed {
			t.mark(v, n.slot2, p0, p1)
		} else {
			t.mark(v, n.slot2, p1, int32(len(b)))
		}
		return true
	}
	best, num, end := -1, uint32(0), 0
	rest := t.s[t.p:]
	for i := range n.regs.rows {
		c := &n.regs.rows[i]
		if !strings.HasPrefix(rest, c.Name) || best >= 0 && len(c.Name) < len(n.regs.rows[best].Name) || !holds(v, c.ifs) {
			continue
		}
		p, x := t.p+len(c.Name), uint64(0)
		d := p
		for d < len(t.s) && isDigit(t.s[d]) && d-p < 10 {
			x = x*10 + uint64(t.s[d]-'0')
			d++
		}
		follows := byte(0)
		if d < len(t.s) {
			follows = t.s[d]
		}
		if c.Fixed != (d == p && follows != '[') && !(c.Fixed && d == p) {
			continue
		}
		if follows != '_' && isWord(follows) {
			continue
		}
		if c.Fixed {
			best, num, end = i, c.Num, d
			continue
		}
		if x < uint64(c.Base) || x-uint64(c.Base) > uint64(c.Max) {
			t.failf(t.p, "register "+t.s[t.p:d]+" does not exist")
			continue
		}
		best, num, end = i, uint32(x)-c.Base, d
	}
	if best < 0 {
		return t.fail("a register")
	}
	row := n.regs.rows[best].RegRow
	if !v.assert(n.slot, row.Type) {
		return t.fail("another register")
	}
	v.set(n.slot2, num)
	p1 := p0 + int32(len(row.Name))
	t.p = end
	v.span[n.slot] = span{p0, p1}
	v.span[n.slot2] = span{p1, int32(end)}
	if row.Fixed {
		v.span[n.slot2] = span{p0, p1}
	}
	return true
}

func (t *text) index(v *Vals, n *tnode) bool {
	if t.write {
		return t.walk(v, n.sub)
	}
	sum, seen := uint64(0), false
	for {
		t.blanks()
		if isDigit(t.peek()) {
			x, ok := t.number()
			if !ok {
				return false
			}
			sum += uint64(x)
		} else {
			if seen {
				return t.fail("a number")
			}
			if !t.walk(v, n.sub) {
				return t.fail("an address register")
			}
			seen = true
		}
		t.blanks()
		if t.peek() != '+' {
			break
		}
		t.p++
	}
	if !seen {
		return t.fail("' + ' and an address register")
	}
	if sum == 0 {
		return true
	}
	at := v.span[n.slot]
	name := t.s[at.start:at.end]
	for i := range n.regs.rows { // the base spelled in front plus the sum, which may lie in another type's range
		c := &n.regs.rows[i]
		if c.Type != v.v[n.slot] || c.Name != name || c.Fixed {
			continue
		}
		total := sum + uint64(v.v[n.slot2]) + uint64(c.Base)
		for j := range n.regs.rows {
			d := &n.regs.rows[j]
			if d.Name == name && !d.Fixed && holds(v, d.ifs) && total >= uint64(d.Base) && total-uint64(d.Base) <= uint64(d.Max) {
				v.set(n.slot, d.Type)
				v.set(n.slot2, uint32(total)-d.Base)
				return true
			}
		}
	}
	return t.failf(int(at.start), "the index is too large")
}

const lanes = "xyzw"

func (t *text) lanes(v *Vals, n *tnode) bool {
	if t.write {
		x := v.v[n.slot]
		if !n.flag {
			v.said.add(n.slot)
			if x == 0xE4 {
				return true
			}
			t.Text = append(t.Text, '.')
			if x == x&3*0x55 {
				t.Text = append(t.Text, lanes[x&3])
				return true
			}
			t.Text = append(t.Text, lanes[x&3], lanes[x>>2&3], lanes[x>>4&3], lanes[x>>6&3])
			return true
		}
		if x == 0 { // nothing to spell: left to the residue
			return true
		}
		v.said.add(n.slot)
		if x != 15 {
			t.Text = append(t.Text, '.')
			for k := range 4 {
				if x>>k&1 != 0 {
					t.Text = append(t.Text, lanes[k])
				}
			}
		}
		return true
	}
	if t.peek() != '.' {
		if n.flag {
			v.set(n.slot, 15)
		} else {
			v.set(n.slot, 0xE4)
		}
		return true
	}
	t.p++
	var x uint32
	last, k := -1, 0
	for t.p < len(t.s) && isWord(t.s[t.p]) {
		l := strings.IndexByte("xyzwrgba", t.s[t.p])
		switch {
		case l < 0:
			return t.fail("x, y, z, w, r, g, b or a")
		case k == 4:
			return t.failf(t.p, "more than four lanes")
		case n.flag && l&3 <= last:
			return t.failf(t.p, "the lanes of a write mask go in the order x, y, z, w, each once")
		case n.flag:
			x |= 1 << (l & 3)
		default:
			x |= uint32(l&3) << (2 * k)
		}
		last = l & 3
		k++
		t.p++
	}
	if k == 0 {
		return t.fail("x, y, z, w, r, g, b or a")
	}
	for ; k < 4 && !n.flag; k++ {
		x |= uint32(last) << (2 * k)
	}
	v.set(n.slot, x)
	return true
}

func (t *text) i32(v *Vals, n *tnode) bool {
	if t.write {
		v.said.add(n.slot)
		t.Text = strconv.AppendInt(t.Text, int64(int32(v.v[n.slot])), 10)
		return true
	}
	x, end, ok := parseInt(t.s, t.p)
	if !ok {
		return t.fail("an integer of 32 bits")
	}
	t.p = end
	v.set(n.slot, x)
	return true
}

func (t *text) num(v *Vals, n *tnode) bool {
	if t.write {
		v.said.add(n.slot)
		if x := v.v[n.slot]; x != 0 {
			t.Text = strconv.AppendUint(t.Text, uint64(x), 10)
		}
		return true
	}
	x := uint32(0)
	if isDigit(t.peek()) {
		var ok bool
		if x, ok = t.number(); !ok {
			return false
		}
	}
	return t.fits(v, n.slot, x) && v.assert(n.slot, x)
}

// fits reports whether the field of a slot can hold x.
func (t *text) fits(v *Vals, slot int, x uint32) bool {
	if w := v.op.SlotField(slot).Width(); w < 32 && x>>w != 0 {
		return t.failf(t.p, strconv.FormatUint(uint64(x), 10)+" is too large, at most "+strconv.Itoa(1<<w-1))
	}
	return true
}

// residue prints every field that the text does not fix and that is not at its default.
func (t *text) residue(v *Vals) {
	for k := range v.odd {
		for m := v.odd[k] &^ v.said[k]; m != 0; m &= m - 1 {
			s := k*64 + bits.TrailingZeros64(m)
			if !v.op.form.field[s].Len {
				t.state(v, s)
			}
		}
	}
}

func (t *text) state(v *Vals, s int) {
	t.Text = append(t.Text, " {"...)
	p0 := int32(len(t.Text))
	t.Text = append(t.Text, v.op.SlotName(s)...)
	t.Text = append(t.Text, '=')
	t.Text = strconv.AppendUint(t.Text, uint64(v.v[s]), 10)
	t.mark(v, s, p0, int32(len(t.Text)))
	t.Text = append(t.Text, '}')
}

// readResidue reads {field=value} as often as it stands there.
func (t *text) readResidue(v *Vals) bool {
	for {
		p := t.p
		t.blanks()
		if t.peek() != '{' {
			t.p = p
			return true
		}
		t.p++
		p0 := t.p
		for t.p < len(t.s) && (isWord(t.s[t.p]) || t.s[t.p] == '.') {
			t.p++
		}
		name := t.s[p0:t.p]
		slot := v.op.Slot(name)
		if slot < firstSlot {
			return t.failf(p0, "no field "+quote(name)+" in "+v.op.Name)
		}
		if !t.lit("=") {
			return false
		}
		x, end, ok := parseInt(t.s, t.p)
		if !ok {
			return t.fail("a number")
		}
		if f := v.op.SlotField(slot); f.Width() < 32 && x>>f.Width() != 0 {
			return t.failf(t.p, "the field "+name+" has "+strconv.Itoa(f.Width())+" bits")
		}
		t.p = end
		v.set(slot, x)
		v.given.add(slot)
		v.span[slot] = span{int32(p0), int32(t.p)}
		if !t.lit("}") {
			return false
		}
	}
}

// A Printer prints instructions one after the other into Text.
type Printer struct{ text }

// Print appends the spelling of instruction inst, which v holds. It gives false, and appends nothing, when an
// item cannot print it: the caller then writes raw words. Native style adds the residue; without it, what
// the spelling leaves out is lost.
func (pr *Printer) Print(v *Vals, inst int, c Context, style Style) bool {
	t := &pr.text
	t.write, t.style, t.ctx, t.op, t.inst = true, style, c, v.op, int32(inst)
	v.said = set{}
	if s := v.op.form.key; s >= 0 {
		v.said.add(s)
	}
	t.say(v, v.op.match)
	text, fields := len(t.Text), len(t.Fields)
	if !t.walk(v, v.op.form.text) {
		t.Text, t.Fields = t.Text[:text], t.Fields[:fields]
		return false
	}
	if style == Native {
		for _, s := range v.op.keep {
			t.state(v, s)
		}
		t.residue(v)
	}
	return true
}

// A SyntaxError is what is wrong with a line, in offsets of the text that was read.
type SyntaxError struct {
	Span    source.Span
	Code    string
	Message string
}

// A Parser reads instructions.
type Parser struct {
	t     text
	wants []string
}

// mnemonic finds the name at p: behind a predicate or a plus, the longest name of the table that a '_' or
// the end of the word follows.
func (tb *Table) mnemonic(s string, p int) (rows []*Op, at source.Span) {
	for p < len(s) && (s[p] == ' ' || s[p] == '\t' || s[p] == '+') {
		p++
	}
	if p < len(s) && s[p] == '(' {
		if i := strings.IndexByte(s[p:], ')'); i >= 0 {
			for p += i + 1; p < len(s) && (s[p] == ' ' || s[p] == '\t'); p++ {
			}
		}
	}
	e := p
	for e < len(s) && isWord(s[e]) {
		e++
	}
	for n := e; n > p; {
		if rows = tb.byName[s[p:n]]; rows != nil {
			return rows, source.Span{Start: p, End: e}
		}
		n = strings.LastIndexByte(s[p:n], '_') + p
	}
	return nil, source.Span{Start: p, End: e}
}

// Parse reads one instruction of s from offset p on. The rows that exist in c are tried first. It gives the
// row and the offset behind the instruction; the fields and their spans are in v.
func (pa *Parser) Parse(tb *Table, s string, p int, c Context, v *Vals) (op *Op, end int, err *SyntaxError) {
	rows, at := tb.mnemonic(s, p)
	if rows == nil {
		word := s[at.Start:at.End]
		if word == "" {
			e := at.Start
			for e < len(s) && s[e] != ' ' {
				e++
			}
			return nil, 0, &SyntaxError{source.Span{Start: at.Start, End: max(e, at.Start)}, "syntax", "expected an instruction, found " + quote(s[at.Start:e])}
		}
		msg := "unknown instruction " + quote(word)
		if near := tb.near(word, c); near != "" {
			msg += "; the nearest is " + quote(near)
		}
		return nil, 0, &SyntaxError{at, "unknown-opcode", msg}
	}
	t := &pa.t
	far, wants, msg := -1, pa.wants[:0], ""
	for pass := range 2 {
		for _, o := range rows {
			if o.Has(c) != (pass == 0) {
				continue
			}
			v.Reset(o, c)
			t.write, t.ctx, t.op, t.s, t.p = false, c, o, s, p
			t.far, t.wants, t.msg, t.late = p, t.wants[:0], "", t.late[:0]
			if t.instruction(v) {
				v.span[0] = span{int32(at.Start), int32(at.Start + len(o.Name))}
				return o, t.p, nil
			}
			switch {
			case pass == 1 && far >= 0: // the rows of this version say best what is wrong
			case t.far > far:
				far, wants, msg = t.far, append(wants[:0], t.wants...), t.msg
			case t.far == far:
				wants = merge(wants, t.wants)
				if msg == "" {
					msg = t.msg
				}
			}
		}
	}
	pa.wants = wants
	return nil, 0, pa.syntaxError(s, far, wants, msg)
}

// ParseRow reads the text of one given row from offset p on, without looking at what follows.
func (pa *Parser) ParseRow(o *Op, s string, p int, c Context, v *Vals) (end int, err *SyntaxError) {
	t := &pa.t
	v.Reset(o, c)
	t.write, t.ctx, t.op, t.s, t.p = false, c, o, s, p
	t.far, t.wants, t.msg, t.late = p, t.wants[:0], "", t.late[:0]
	if t.walk(v, o.form.text) && t.readResidue(v) && t.finish(v) {
		return t.p, nil
	}
	return 0, pa.syntaxError(s, t.far, t.wants, t.msg)
}

func (pa *Parser) syntaxError(s string, far int, wants []string, msg string) *SyntaxError {
	e := far
	for e < len(s) && (isWord(s[e]) || s[e] == '.') {
		e++
	}
	if e == far && e < len(s) {
		e++
	}
	if msg == "" {
		found := "the end of the line"
		if far < len(s) {
			found = quote(s[far:e])
		}
		msg = "expected " + list(wants) + ", found " + found
	}
	return &SyntaxError{source.Span{Start: far, End: e}, "syntax", msg}
}

func (t *text) instruction(v *Vals) bool {
	if !t.walk(v, v.op.form.text) || !t.readResidue(v) {
		return false
	}
	if p := t.p; p < len(t.s) { // another instruction may follow behind a blank
		t.blanks()
		if c := t.peek(); t.p < len(t.s) && (t.p == p || !(isWord(c) || c == '(' || c == '+' || c == '.') || isDigit(c)) {
			return t.fail("the end of the line")
		}
		t.p = p
	}
	return t.finish(v)
}

// finish checks what could be checked only when all was read, and fills in what the row fixes.
func (t *text) finish(v *Vals) bool {
	if !t.settle(v) {
		return false
	}
	if s := v.op.form.key; s >= 0 && !v.given.has(s) {
		v.set(s, v.op.Code)
	}
	for i := range v.op.match {
		g := &v.op.match[i]
		if !v.known.has(g.slot) && !g.not {
			v.set(g.slot, g.in[0])
		}
		if !g.holds(v) {
			return t.failf(t.p, "the operands do not go with "+quote(v.op.Name))
		}
	}
	return true
}

func merge(a, b []string) []string {
next:
	for _, s := range b {
		for _, r := range a {
			if r == s {
				continue next
			}
		}
		a = append(a, s)
	}
	return a
}

func list(s []string) string {
	switch len(s) {
	case 0:
		return "something else"
	case 1:
		return s[0]
	}
	return strings.Join(s[:len(s)-1], ", ") + " or " + s[len(s)-1]
}

// near gives the name of the context's ops that is nearest to word, "" when none is near.
func (tb *Table) near(word string, c Context) string {
	best, name := 3, ""
	for _, o := range tb.Ops {
		if d := distance(word, o.Name); o.Has(c) && (d < best || d == best && d < 3 && o.Name < name) {
			best, name = d, o.Name
		}
	}
	return name
}

// distance is the number of edits between two short words; neighbours that changed places are one.
func distance(a, b string) int {
	if len(a) > 24 {
		return len(a)
	}
	var rows [3][]int
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
	}
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := range len(a) {
		before, last, row := rows[i%3], rows[(i+1)%3], rows[(i+2)%3]
		row[0] = i + 1
		for j := range len(b) {
			d := last[j]
			if a[i] != b[j] {
				d++
			}
			d = min(d, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				d = min(d, before[j-1]+1)
			}
			row[j+1] = d
		}
	}
	return rows[(len(a)+1)%3][len(b)]
}
