package isa

import (
	"strconv"
	"strings"
)

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
		if c.Fixed != (d == p && !opens(t.s[d:])) && !(c.Fixed && d == p) {
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

// opens reports whether s starts with a bracket, blanks aside.
func opens(s string) bool { return strings.HasPrefix(strings.TrimLeft(s, " \t\r\n"), "[") }

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
			if seen || n.sub == nil {
				return t.fail("a number")
			}
			if !t.walk(v, n.sub) {
				return t.fail("an address register")
			}
			seen = true
		}
		t.blanks()
		if t.peek() != '+' {
			t.fail("'+'")
			break
		}
		t.p++
	}
	if !seen && n.sub != nil {
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
