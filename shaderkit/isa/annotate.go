package isa

import (
	"encoding/binary"
	"slices"
)

// A WordRef is one annotated word of a program.
type WordRef struct {
	Off  int32 // offset in the data
	Word *Word
	Inst int32
	F0   int32 // its fields are Fields[F0:F1]
	F1   int32
}

// A FieldRef is one annotated field: indices, no pointers.
type FieldRef struct {
	Value uint32
	Start int32  // place in the listing
	Len   uint16 // its length; zero where the text does not show the field
	Index uint8  // in the word's fields
	Slot  uint8  // in the op's form
}

// Annotations tie every word of the instructions to its fields and to their text.
type Annotations struct {
	Words  []WordRef
	Fields []FieldRef
}

// Annotate ties the words of the instructions to their fields. l gives the places of fields in a text and
// may be nil. Data of comments and raw words have no word here; see Tokens.
func (p *Program) Annotate(l *Listing) *Annotations {
	size := 0
	for i := range p.Insts {
		if p.Insts[i].Kind == KindOp {
			size += p.Insts[i].Bytes.Len
		}
	}
	n := annotator{p: p, l: l}
	n.Words = make([]WordRef, 0, size/4+len(p.Insts))
	n.Fields = make([]FieldRef, 0, 7*size/4+64) // a word has six or seven
	for i := range p.Insts {
		n.inst(i)
	}
	return &n.Annotations
}

// annotator annotates instructions in their order.
type annotator struct {
	Annotations
	p    *Program
	l    *Listing
	view *View
	next int // in l.Fields
	v    Vals
}

func (n *annotator) inst(i int) {
	in := &n.p.Insts[i]
	if in.Op == nil {
		return
	}
	var s *shape
	if in.Op.id >= 0 {
		if c := n.p.CtxOf(i); n.view == nil || n.view.ctx != c {
			n.view = in.Op.table.View(c)
		}
		s = n.view.shape(in.Op)
	}
	f0 := len(n.Fields)
	b := n.p.Data[in.Bytes.Off:in.Bytes.End()]
	if s != nil && len(b) == 4*len(s.words) && s.fits(b) {
		s.annotate(&n.Annotations, b, in.Bytes.Off, i)
	} else {
		in.Op.annotate(n.p.Data[:in.Bytes.End()], in.Bytes.Off, n.p.CtxOf(i), &n.v, &n.Annotations, i)
		s = nil
	}
	if n.l != nil {
		n.place(i, s, n.Fields[f0:])
	}
}

// place gives the fields of instruction i their places in the text.
func (n *annotator) place(i int, s *shape, fields []FieldRef) {
	at := n.l.Fields
	for n.next < len(at) && at[n.next].Inst < int32(i) {
		n.next++
	}
	for ; n.next < len(at) && at[n.next].Inst == int32(i); n.next++ {
		fs := &at[n.next]
		if s == nil {
			n.v.span[fs.Slot] = span{fs.Start, fs.Start + int32(fs.Len)}
		} else if k := s.at[fs.Slot]; k != noField {
			fields[k].Start, fields[k].Len = fs.Start, fs.Len
		}
	}
	for k := 0; k < len(fields) && s == nil; k++ {
		f := &fields[k]
		sp := n.v.span[f.Slot]
		f.Start, f.Len = sp.start, uint16(sp.end-sp.start)
	}
}

// annotate is Read that also appends to a.
func (o *Op) annotate(data []byte, off int, c Context, v *Vals, a *Annotations, inst int) {
	v.Reset(o, c)
	b := bin{b: data, off: off, ann: a, inst: int32(inst)}
	b.walk(v, o.form.bin)
}

// annotate appends the words and fields of instruction inst, whose words are b at off of the data.
func (s *shape) annotate(a *Annotations, b []byte, off, inst int) {
	n := len(a.Fields)
	a.Fields = slices.Grow(a.Fields, s.fields)[:n+s.fields]
	for k := range s.words {
		w := &s.words[k]
		x := binary.LittleEndian.Uint32(b[4*k:])
		to := a.Fields[n : n+len(w.fields)]
		for j := range w.fields {
			f := &w.fields[j]
			to[j] = FieldRef{Value: f.get(x), Index: f.index, Slot: f.slot}
		}
		a.Words = append(a.Words, WordRef{Off: int32(off + 4*k), Word: w.word, Inst: int32(inst), F0: int32(n), F1: int32(n + len(to))})
		n += len(to)
	}
}

// OffsetOf gives the offset of the word of instruction i that holds a slot; the instruction's own when none does.
func (p *Program) OffsetOf(i, slot int) int {
	in := &p.Insts[i]
	if in.Op != nil {
		var v Vals
		var a Annotations
		in.Op.annotate(p.Data[:in.Bytes.End()], in.Bytes.Off, p.CtxOf(i), &v, &a, i)
		for _, w := range a.Words {
			for _, f := range a.Fields[w.F0:w.F1] {
				if int(f.Slot) == slot {
					return int(w.Off)
				}
			}
		}
	}
	return in.Bytes.Off
}

// WordSlots gives a test for the slots of the word at off of instruction i.
func (p *Program) WordSlots(i, off int, v *Vals) func(slot int) bool {
	in := &p.Insts[i]
	var a Annotations
	in.Op.annotate(p.Data[:in.Bytes.End()], in.Bytes.Off, p.CtxOf(i), v, &a, i)
	var s set
	for _, w := range a.Words {
		if int(w.Off) == off {
			for _, f := range a.Fields[w.F0:w.F1] {
				s.add(int(f.Slot))
			}
		}
	}
	return s.has
}
