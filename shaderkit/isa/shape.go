package isa

import (
	"encoding/binary"
	"sync/atomic"
)

// Most instructions are plain: no predicate, no index, no reserved bit. A shape is the form of a row decided
// for that case in one context. Every field that a guard asks for or that the text does not state is pinned
// at its value there, so that the words are known by one comparison each, every field has a fixed place, and
// the text is a list of steps without guards or residue. What a shape does not fit goes the general way, with
// the same result.

// A View is a table in one context.
type View struct {
	table  *Table
	ctx    Context
	rows   [256][]*Op // by code, those that exist in the context first
	exist  [256]int   // how many of them do
	shapes []atomic.Pointer[shape]
}

// View gives the table in a context; it is made at the first call.
func (t *Table) View(c Context) *View {
	if w, ok := t.views.Load(c); ok {
		return w.(*View)
	}
	w := &View{table: t, ctx: c, shapes: make([]atomic.Pointer[shape], len(t.Ops))}
	for code, rows := range t.dense {
		for pass := range 2 {
			for _, o := range rows {
				if o.Has(c) == (pass == 0) {
					w.rows[code] = append(w.rows[code], o)
				}
			}
			if pass == 0 {
				w.exist[code] = len(w.rows[code])
			}
		}
	}
	got, _ := t.views.LoadOrStore(c, w)
	return got.(*View)
}

// Plain gives the row of the plain instruction at off of data, and its end; nil where there is none. A row in
// front of it that might fit in another way hides it.
func (w *View) Plain(data []byte, off int) (op *Op, end int) {
	if off+4 > len(data) {
		return nil, 0
	}
	head := binary.LittleEndian.Uint32(data[off:])
	code := w.table.code.get(head)
	if code >= uint32(len(w.rows)) {
		return nil, 0
	}
	for _, o := range w.rows[code][:w.exist[code]] {
		s := w.shape(o)
		if head&s.mask != s.want {
			continue
		}
		if s.fits(data[off:]) {
			return o, off + 4*len(s.words)
		}
		break
	}
	return nil, 0
}

// shape gives the shape of a row; nil for a frame, which has none.
func (w *View) shape(o *Op) *shape {
	if o.id < 0 {
		return nil
	}
	s := w.shapes[o.id].Load()
	if s == nil {
		s = newShape(o, w.ctx)
		w.shapes[o.id].Store(s)
	}
	return s
}

// place is where a field of one or two pieces lies in a word.
type place struct {
	lo    uint8
	lo2   uint8
	sh2   uint8 // width of the first piece
	mask  uint32
	mask2 uint32
}

func newPlace(bs []Bits) place {
	p := place{lo: bs[0].Lo, mask: 1<<bs[0].N - 1}
	if len(bs) > 1 {
		p.sh2, p.lo2, p.mask2 = bs[0].N, bs[1].Lo, 1<<bs[1].N-1
	}
	return p
}

func (p *place) get(w uint32) uint32 {
	x := w >> (p.lo & 31) & p.mask
	if p.mask2 != 0 {
		x |= w >> (p.lo2 & 31) & p.mask2 << (p.sh2 & 31)
	}
	return x
}

type (
	shape struct {
		mask, want uint32          // the first word of every instruction of the row, plain or not
		words      []shapeWord     // nil: the row has no plain case
		fields     int             // of all words
		at         [MaxSlots]uint8 // by slot: the number among the fields
		steps      [Vendor + 1][]step
	}
	shapeWord struct {
		mask, want uint32
		word       *Word
		fields     []shapeField
	}
	shapeField struct {
		place
		index uint8 // in the word's fields
		slot  uint8
	}
)

// noField marks slots that a shape does not have.
const noField = 255

// fits reports whether b starts with words of the shape.
func (s *shape) fits(b []byte) bool {
	if len(b) < 4*len(s.words) || s.words == nil {
		return false
	}
	for k := range s.words {
		w := &s.words[k]
		if binary.LittleEndian.Uint32(b[4*k:])&w.mask != w.want {
			return false
		}
	}
	return true
}

// shaper decides a form.
type shaper struct {
	op   *Op
	ctx  Context
	pins map[int]uint32 // slots and the values they must have
	said set            // slots that the text of every style states
	bad  bool           // there is no plain case
}

func newShape(o *Op, c Context) *shape {
	m := &shaper{op: o, ctx: c, pins: map[int]uint32{}}
	if k := o.form.key; k >= 0 {
		m.pins[k] = o.Code
	}
	for _, g := range o.match {
		if g.one && !g.not && g.slot >= firstSlot {
			m.pins[g.slot] = g.eq
		} else {
			m.bad = true
		}
	}
	s := &shape{}
	for i := range s.at {
		s.at[i] = noField
	}
	m.words(s, o.form.bin)
	if len(s.words) == 0 {
		return &shape{}
	}
	s.mask, s.want = m.head(s, o.form)
	where := func(slot int) (word int, p place, ok bool) {
		for k := range s.words {
			for _, f := range s.words[k].fields {
				if int(f.slot) == slot {
					return k, f.place, true
				}
			}
		}
		return 0, place{}, false
	}
	for i := range m.said {
		m.said[i] = ^uint64(0)
	}
	for style := Native; style <= Vendor; style++ {
		st := stepper{m: m, style: style, where: where}
		m.bad = !st.walk(o.form.text) || m.bad
		for i := range m.said {
			m.said[i] &= st.said[i]
		}
		if len(o.keep) == 0 {
			s.steps[style] = append(st.steps, st.take()...)
		}
	}
	m.pin(s)
	if m.bad {
		s.words = nil
	}
	return s
}

// words lists the words of the plain case.
func (m *shaper) words(s *shape, ns []bnode) {
	for i := range ns {
		n := &ns[i]
		if !m.decide(n.ifs) {
			continue
		}
		if n.word == nil {
			m.words(s, n.sub)
			continue
		}
		w := shapeWord{word: n.word}
		for j := range n.fs {
			f := &n.fs[j]
			if !m.decide(f.ifs) {
				continue
			}
			m.bad = m.bad || len(f.f.Bits) > 2
			w.fields = append(w.fields, shapeField{f.place, uint8(j), uint8(f.slot)})
			s.at[f.slot] = uint8(s.fields)
			s.fields++
		}
		s.words = append(s.words, w)
	}
}

// decide tells whether guards hold in the plain case, and pins the fields that they ask for.
func (m *shaper) decide(gs []cguard) bool {
	ok := true
	for i := range gs {
		g := &gs[i]
		var x uint32
		switch g.slot {
		case SlotStage:
			x = m.ctx.Stage
		case SlotVersion:
			x = m.ctx.Version
		default:
			x = m.pinned(g.slot)
		}
		ok = ok && g.admits(x)
	}
	return ok
}

func (m *shaper) pinned(slot int) uint32 {
	x, ok := m.pins[slot]
	if !ok {
		x = m.op.form.field[slot].Def
		m.pins[slot] = x
	}
	return x
}

// head gives what the code and the match of the row fix in the first word.
func (m *shaper) head(s *shape, c *compiled) (mask, want uint32) {
	for _, f := range s.words[0].fields {
		slot := int(f.slot)
		fixed := slot == c.key
		for _, g := range m.op.match {
			fixed = fixed || g.slot == slot && g.one && !g.not
		}
		if fixed {
			mask |= c.field[slot].Mask()
			want = c.field[slot].Put(want, m.pins[slot])
		}
	}
	return mask, want
}

// pin makes the masks of the words: the fields with a pin, those that the text does not state, the length.
func (m *shaper) pin(s *shape) {
	for k := range s.words {
		w := &s.words[k]
		for _, f := range w.fields {
			fl, slot := m.op.form.field[f.slot], int(f.slot)
			x, pinned := m.pins[slot]
			switch {
			case fl.Len:
				x = uint32(len(s.words) - 1)
			case pinned:
				delete(m.pins, slot)
			case m.said.has(slot):
				continue
			default:
				x = fl.Def
			}
			w.mask |= fl.Mask()
			w.want = fl.Put(w.want, x)
		}
	}
	for _, x := range m.pins { // a field that is not there reads as zero
		m.bad = m.bad || x != 0
	}
}
