package isa

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"swizzle/shaderkit/source"
)

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
			return t.failf(p0, "no field "+quote(name)+" in "+v.op.Name+"; fields have the names that tokens have, as in "+quote(v.op.form.name[v.op.form.n-1]))
		}
		if !t.lit("=") {
			return false
		}
		x, end, ok := parseInt(t.s, t.p)
		if !ok {
			return t.fail("a number")
		}
		if f := v.op.SlotField(slot); f.Width() < 32 && x>>f.Width() != 0 {
			return t.failf(t.p, "the field "+name+" has "+strconv.Itoa(f.Width())+" bits, at most "+strconv.Itoa(1<<f.Width()-1))
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

// A SyntaxError is what is wrong with a line, in offsets of the text that was read.
type SyntaxError struct {
	Span    source.Span
	Code    string
	Message string
	Wants   []string // what may stand at Span, in the words of the message; nil where that says it otherwise
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
		if rows = tb.read[s[p:n]]; rows != nil {
			return rows, source.Span{Start: p, End: e}
		}
		n = strings.LastIndexByte(s[p:n], '_') + p
	}
	return nil, source.Span{Start: p, End: e}
}

// Parse reads one instruction of s from offset p on. The rows that exist in c are tried first; of those that
// read it, the one that reads most is taken. It gives the row and the offset behind the instruction; the
// fields and their spans are in v.
func (pa *Parser) Parse(tb *Table, s string, p int, c Context, v *Vals) (op *Op, end int, err *SyntaxError) {
	rows, at := tb.mnemonic(s, p)
	if rows == nil {
		return nil, 0, tb.unknown(s, at, c)
	}
	t := &pa.t
	far, wants, msg := -1, pa.wants[:0], ""
	for pass := range 2 {
		for _, o := range rows {
			if o.Has(c) != (pass == 0) {
				continue
			}
			t.begin(o, s, p, c, v)
			if t.instruction(v) {
				if t.p > end {
					op, end = o, t.p
				}
				if strings.TrimLeft(s[t.p:], " \t\r\n") == "" {
					break
				}
				continue
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
		if op == nil {
			continue
		}
		if t.op != op || t.p != end { // another one was tried behind it
			t.begin(op, s, p, c, v)
			t.instruction(v)
		}
		v.span[0] = span{int32(at.Start), int32(t.named)}
		return op, end, nil
	}
	pa.wants = wants
	return nil, 0, pa.syntaxError(s, far, wants, msg)
}

// unknown says what is wrong where no name of the table stands.
func (tb *Table) unknown(s string, at source.Span, c Context) *SyntaxError {
	word := s[at.Start:at.End]
	if word == "" {
		e := at.Start
		for e < len(s) && s[e] != ' ' {
			e++
		}
		if strings.HasPrefix(s[at.Start:], "(") {
			return &SyntaxError{Span: source.Span{Start: at.Start, End: e}, Code: "syntax", Message: "the predicate has no ')'"}
		}
		return &SyntaxError{Span: source.Span{Start: at.Start, End: max(e, at.Start)}, Code: "syntax", Message: "expected an instruction, found " + excerpt(s[at.Start:e])}
	}
	msg := "unknown instruction " + excerpt(word)
	if rows, _ := tb.mnemonic(strings.ToLower(word), 0); rows != nil {
		msg += "; names are in lower case: " + quote(strings.ToLower(word))
	} else if near := tb.near(word, c); near != "" {
		msg += "; the nearest is " + quote(near)
	} else {
		msg += "; there are " + tb.names(c)
	}
	return &SyntaxError{Span: at, Code: "unknown-opcode", Message: msg}
}

// names lists the names of a context's ops.
func (tb *Table) names(c Context) string {
	if s, ok := tb.lists.Load(c); ok {
		return s.(string)
	}
	var s []string
	for _, o := range tb.Ops {
		if o.Has(c) && !slices.Contains(s, o.Name) {
			s = append(s, o.Name)
		}
	}
	slices.Sort(s)
	list, _ := tb.lists.LoadOrStore(c, strings.Join(s, ", "))
	return list.(string)
}

// ParseRow reads the text of one given row from offset p on, without looking at what follows.
func (pa *Parser) ParseRow(o *Op, s string, p int, c Context, v *Vals) (end int, err *SyntaxError) {
	t := &pa.t
	t.begin(o, s, p, c, v)
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
		_, n := utf8.DecodeRuneInString(s[e:])
		e += n
	}
	if msg != "" {
		return &SyntaxError{Span: source.Span{Start: far, End: e}, Code: "syntax", Message: msg}
	}
	if i := slices.Index(wants, "'['"); i >= 0 && len(wants) > 1 { // may stand nearly everywhere, and is rarely meant
		wants = slices.Delete(wants, i, i+1)
	}
	msg = "expected " + list(wants) + ", found " + excerpt(s[far:e])
	if near := nearest(s[far:e], wants); near != "" {
		msg += "; the nearest is " + near
	}
	return &SyntaxError{source.Span{Start: far, End: e}, "syntax", msg, slices.Clone(wants)}
}

// nearest gives the literal among wants that is nearest to what was found, "" when none is near or there is
// one alone.
func nearest(found string, wants []string) string {
	best, name := 3, ""
	for _, w := range wants {
		if len(w) < 5 || w[0] != '\'' || len(wants) < 3 {
			continue
		}
		lit := strings.TrimLeft(strings.Trim(w, "'"), "_")
		if d := distance(strings.TrimLeft(found, "_"), lit); d < best && d < len(lit)-1 {
			best, name = d, w
		}
	}
	return name
}

// excerpt quotes a piece of a line, the start of a long one.
func excerpt(s string) string {
	const most = 60
	switch {
	case s == "":
		return "the end of the line"
	case len(s) > most:
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return quote(s)
}

// begin sets out to read a row from offset p of s on.
func (t *text) begin(o *Op, s string, p int, c Context, v *Vals) {
	v.Reset(o, c)
	t.write, t.ctx, t.op, t.s, t.p = false, c, o, s, p
	t.far, t.wants, t.msg, t.late = p, t.wants[:0], "", t.late[:0]
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
		if d := distance(word, o.Name); o.Has(c) && d < len(word) && (d < best || d == best && d < 3 && o.Name < name) {
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
