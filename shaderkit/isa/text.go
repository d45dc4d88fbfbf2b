package isa

import (
	"math/bits"
	"strconv"
	"strings"
)

// text is the walker of the spelling: one traversal prints into b and reads from s.
type text struct {
	write bool
	style Style
	ctx   Context
	op    *Op
	s     string // read
	p     int    // place in s
	named int    // behind the name
	far   int    // farthest place where reading failed
	wants []string
	msg   string // a special message at far
	late  []lateGuard

	inst   int32
	Text   []byte      // printed
	Places bool        // note the places of fields
	Fields []FieldSpan // places of the fields in Text
}

// mark notes the place of a field, in what is printed or read.
func (t *text) mark(v *Vals, slot int, start, end int32) {
	if !t.write {
		v.span[slot] = span{start, end}
	} else if t.Places && end > start {
		t.Fields = append(t.Fields, newFieldSpan(t.inst, slot, int(start), int(end)))
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
			case tGap:
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
		return t.name()
	case tSp:
		return t.sp()
	case tSep:
		return t.sep()
	case tGap:
		p := t.p
		if t.blanks(); !strings.HasPrefix(t.s[t.p:], n.str) {
			t.p = p
		}
		return true
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

// name reads the name of the op or another that it has.
func (t *text) name() bool {
	for _, s := range t.op.Also {
		if strings.HasPrefix(t.s[t.p:], s) && !strings.HasPrefix(t.s[t.p:], t.op.Name) {
			t.p += len(s)
			t.named = t.p
			return true
		}
	}
	ok := t.lit(t.op.Name)
	t.named = t.p
	return ok
}

func (t *text) sp() bool {
	if t.write {
		t.Text = append(t.Text, ' ')
		return true
	}
	p := t.p
	if t.blanks(); t.p == p {
		if t.p == len(t.s) {
			return t.fail("operands")
		}
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
	return false
}

// try reads a guarded group. A guard on a field that is known already must hold; one on a field that is not
// known yet waits for the end of the line, where it is checked, or sets the field when nothing else did.
func (t *text) try(v *Vals, g *tnode) bool {
	p, known, late := t.p, v.known, len(t.late)
	wants := 0 // said before of this place
	if t.far == p {
		wants = len(t.wants)
	}
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
	if g.flag && t.far == p { // a spelling that is read alone is no advice
		t.wants = t.wants[:wants]
	}
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
