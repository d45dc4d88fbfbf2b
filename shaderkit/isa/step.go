package isa

import (
	"encoding/binary"
	"slices"
)

// A step prints fixed text and one item of a plain instruction.
type step struct {
	kind  uint8
	word  uint8 // the word that holds the field
	slot  uint8
	slot2 uint8
	pre   short // text in front
	a, b  place // of slot and slot2
	texts []short
	regs  *[64]short // prefixes of the registers of the context; empty ones go the general way
	node  *tnode
}

const (
	stepLit      = iota // the text in front alone
	stepReg             // slot is the type, slot2 the number
	stepTexts           // texts[value]; a value behind their end is not plain
	stepMask            // as stepTexts, but zero is not plain either
	stepSuffixes        // endings of slot and slot2
	stepItem            // any other item with one field
)

// short is a text of at most eight bytes, little-endian, that one store writes.
type short struct {
	text uint64
	n    uint8
}

func newShort(s string) short {
	var b [8]byte
	n := copy(b[:], s)
	return short{binary.LittleEndian.Uint64(b[:]), uint8(n)}
}

func shorts(n int, text func(x int) string) []short {
	l := make([]short, n)
	for x := range l {
		l[x] = newShort(text(x))
	}
	return l
}

// swizzles and masks are the texts of lanes by value.
var (
	swizzles = shorts(256, func(x int) string { return string(appendSwizzle(nil, uint32(x))) })
	masks    = shorts(16, func(x int) string { return string(appendMask(nil, uint32(x))) })
)

// shorts gives the prefixes of registers that a number of the field itself follows.
func (r *Regs) shorts(c Context) *[64]short {
	var l [64]short
	var v Vals
	v.setContext(c)
	for typ, rows := range r.by {
		for _, i := range rows {
			row := &r.rows[i]
			if !holds(&v, row.ifs) {
				continue
			}
			if !row.Fixed && row.Base == 0 && len(row.Name) <= 8 {
				l[typ] = newShort(row.Name)
			}
			break
		}
	}
	return &l
}

// stepper makes the steps of a form's text in one style. It gives up at what no plain instruction has.
type stepper struct {
	m     *shaper
	style Style
	where func(slot int) (word int, p place, ok bool)
	steps []step
	fixed string // text for the next step
	said  set
}

func (st *stepper) walk(ns []tnode) bool {
	for i := range ns {
		n := &ns[i]
		switch n.kind {
		case tLit:
			st.fixed += n.str
		case tName:
			st.fixed += st.m.op.Name
		case tSp:
			st.fixed += " "
		case tSep:
			st.fixed += ", "
		case tGap:
		case tGroup:
			if st.in(n) && !st.walk(n.sub) {
				return false
			}
		case tChoice:
			k := slices.IndexFunc(n.sub, func(g tnode) bool { return st.in(&g) })
			if k < 0 || !st.walk(n.sub[k].sub) {
				return false
			}
		default:
			if !st.item(n) {
				return false
			}
		}
	}
	return true
}

// in tells whether a group is in the text of the plain case.
func (st *stepper) in(g *tnode) bool {
	return !g.flag && (g.style == AnyStyle || g.style == st.style) && st.m.decide(g.ifs)
}

// item adds the step of an item with fields.
func (st *stepper) item(n *tnode) bool {
	s := step{kind: stepItem, node: n}
	slots := []int{n.slot}
	switch n.kind {
	case tReg:
		s.kind, s.regs = stepReg, n.regs.shorts(st.m.ctx)
		slots = append(slots, n.slot2)
	case tLanes:
		s.kind, s.texts = stepTexts, swizzles
		if n.flag {
			s.kind, s.texts = stepMask, masks
		}
	case tAffix:
		side := 0
		if n.flag {
			side = 1
		}
		for _, p := range n.pairs {
			if len(p[side]) > 8 {
				return false
			}
		}
		s.kind, s.texts = stepTexts, shorts(len(n.pairs), func(x int) string { return n.pairs[x][side] })
	case tSuffixes:
		s.kind, slots = stepSuffixes, n.slots
	case tIndex:
		return false
	}
	for i, slot := range slots {
		word, p, ok := st.where(slot)
		if !ok || i > 0 && word != int(s.word) || i > 1 {
			return false
		}
		if s.word = uint8(word); i == 0 {
			s.slot, s.a = uint8(slot), p
		} else {
			s.slot2, s.b = uint8(slot), p
		}
		st.said.add(slot)
	}
	if len(slots) == 1 {
		s.slot2, s.b = s.slot, s.a
	}
	before := st.take()
	if k := len(before) - 1; k >= 0 {
		s.pre, before = before[k].pre, before[:k]
	}
	st.steps = append(append(st.steps, before...), s)
	return true
}

// take gives the fixed text as steps.
func (st *stepper) take() []step {
	var l []step
	for s := st.fixed; s != ""; s = s[min(8, len(s)):] {
		l = append(l, step{kind: stepLit, pre: newShort(s)})
	}
	st.fixed = ""
	return l
}

// stepRoom is more than a step writes without growing the text.
const stepRoom = 32

// plain prints instruction inst, whose words b starts with, by the steps of its shape. It gives false and
// prints nothing when a value is none that the steps can print.
func (t *text) plain(steps []step, b []byte, inst int, c Context, style Style, v *Vals) bool {
	t.Text = slices.Grow(t.Text, stepRoom*len(steps))
	buf, n := t.Text[:cap(t.Text)], len(t.Text)
	text0, fields0 := n, len(t.Fields)
	fs, id := t.Fields, int32(inst)
	for i := range steps {
		s := &steps[i]
		binary.LittleEndian.PutUint64(buf[n:], s.pre.text)
		n += int(s.pre.n)
		if s.kind == stepLit {
			continue
		}
		w := binary.LittleEndian.Uint32(b[4*int(s.word):])
		x := s.a.get(w)
		ok := true
		switch s.kind {
		case stepTexts, stepMask:
			if x >= uint32(len(s.texts)) || x == 0 && s.kind == stepMask {
				ok = false
				break
			}
			if l := s.texts[x]; l.n > 0 {
				binary.LittleEndian.PutUint64(buf[n:], l.text)
				if t.Places {
					fs = append(fs, FieldSpan{id, int32(n), uint16(l.n), s.slot})
				}
				n += int(l.n)
			}
			continue
		case stepReg:
			num := s.b.get(w)
			l := s.regs[x&63]
			if l.n == 0 || num >= 1000 {
				break
			}
			p0 := n
			binary.LittleEndian.PutUint64(buf[n:], l.text)
			n += int(l.n)
			p1 := n
			if num >= 10 {
				if num >= 100 {
					buf[n] = byte('0' + num/100)
					n++
				}
				buf[n] = byte('0' + num/10%10)
				n++
			}
			buf[n] = byte('0' + num%10)
			n++
			if t.Places {
				fs = append(fs, FieldSpan{id, int32(p0), uint16(l.n), s.slot}, FieldSpan{id, int32(p1), uint16(n - p1), s.slot2})
			}
			continue
		case stepSuffixes:
			if x|s.b.get(w) == 0 {
				continue
			}
		}
		if ok { // the walker's way
			t.write, t.style, t.ctx, t.inst = true, style, c, id
			t.Text, t.Fields = buf[:n], fs
			v.said = set{}
			v.setContext(c)
			v.v[s.slot], v.v[s.slot2] = x, s.b.get(w)
			ok = t.node(v, s.node) && v.said.has(int(s.slot)) && v.said.has(int(s.slot2))
			t.Text = slices.Grow(t.Text, stepRoom*(len(steps)-i))
			buf, n, fs = t.Text[:cap(t.Text)], len(t.Text), t.Fields
		}
		if !ok {
			t.Text, t.Fields = buf[:text0], fs[:fields0]
			return false
		}
	}
	t.Text, t.Fields = buf[:n], fs
	return true
}
