package isa

import (
	"encoding/binary"
	"math/bits"
)

// Vals holds the field values of one instruction during a walk, by slot.
type Vals struct {
	op    *Op
	v     [MaxSlots]uint32
	known set // slots that have a value
	odd   set // slots read from words that are not at their default
	said  set // slots whose value the printed text fixes
	given set // slots that a residue stated
	span  [MaxSlots]span
}

type (
	set  [MaxSlots / 64]uint64
	span struct{ start, end int32 }
)

func (s *set) has(i int) bool { return s[i>>6]>>(i&63)&1 != 0 }
func (s *set) add(i int)      { s[i>>6] |= 1 << (i & 63) }

func (v *Vals) setContext(c Context) { v.set(SlotStage, c.Stage); v.set(SlotVersion, c.Version) }

// Reset clears v for an instruction of op.
func (v *Vals) Reset(op *Op, c Context) {
	n := op.form.n
	clear(v.v[:n])
	clear(v.span[:n])
	v.start(op, c)
}

func (v *Vals) start(op *Op, c Context) {
	v.op, v.known, v.odd, v.said, v.given = op, set{}, set{}, set{}, set{}
	v.setContext(c)
}

// Op gives the op whose fields v holds.
func (v *Vals) Op() *Op { return v.op }

// At gives the value of a slot; ok is false where the instruction has no such field.
func (v *Vals) At(slot int) (x uint32, ok bool) {
	if slot < 0 || slot >= MaxSlots || !v.known.has(slot) {
		return 0, false
	}
	return v.v[slot], true
}

// Get gives the value of a field by its path, "src0.addr.num".
func (v *Vals) Get(name string) (x uint32, ok bool) {
	if v.op == nil {
		return 0, false
	}
	return v.At(v.op.Slot(name))
}

// Val is Get without the flag: a field that is not there reads as zero.
func (v *Vals) Val(name string) uint32 { x, _ := v.Get(name); return x }

// Set gives a slot a value.
func (v *Vals) Set(slot int, x uint32) { v.set(slot, x) }

// SetGiven gives a slot a value that nothing derives anew.
func (v *Vals) SetGiven(slot int, x uint32) { v.set(slot, x); v.given.add(slot) }

// Become makes v the values of another op with the same form.
func (v *Vals) Become(o *Op) {
	if o.form != v.op.form {
		panic("isa: " + v.op.Name + " and " + o.Name + " have different forms")
	}
	v.op = o
}

// Reserved calls f for every field that was read and that the encoding fixes at another value.
func (v *Vals) Reserved(f func(slot int)) {
	for k := range v.odd {
		for m := v.odd[k]; m != 0; m &= m - 1 {
			if s := k*64 + bits.TrailingZeros64(m); v.op.form.field[s].Must {
				f(s)
			}
		}
	}
}

// Given reports whether a residue in the text stated the field.
func (v *Vals) Given(name string) bool { s := v.op.Slot(name); return s >= 0 && v.given.has(s) }

func (v *Vals) set(s int, x uint32) { v.v[s] = x; v.known.add(s) }

func (v *Vals) assert(s int, x uint32) bool {
	if v.known.has(s) {
		return v.v[s] == x
	}
	v.set(s, x)
	return true
}

func (g *cguard) holds(v *Vals) bool { return g.admits(v.v[g.slot]) }

// admits reports whether the guard holds for a field of value x.
func (g *cguard) admits(x uint32) bool {
	if g.one {
		return (x == g.eq) != g.not
	}
	for _, y := range g.in {
		if x == y {
			return !g.not
		}
	}
	return g.not
}

func holds(v *Vals, gs []cguard) bool {
	for i := range gs {
		if !gs[i].holds(v) {
			return false
		}
	}
	return true
}

// bin is the walker of the words: one traversal reads, annotates and writes.
type bin struct {
	b     []byte
	off   int
	write bool
	bad   bool         // ran over the end
	ann   *Annotations // when annotating
	inst  int32
}

func (c *bin) walk(v *Vals, ns []bnode) {
	for i := range ns {
		n := &ns[i]
		if n.ifs != nil && !holds(v, n.ifs) {
			continue
		}
		switch {
		case n.word == nil:
			c.walk(v, n.sub)
		case c.write:
			c.put(v, n)
		default:
			c.get(v, n)
		}
		if c.bad {
			return
		}
	}
}

func (c *bin) get(v *Vals, n *bnode) {
	if c.off+4 > len(c.b) {
		c.bad = true
		return
	}
	w := binary.LittleEndian.Uint32(c.b[c.off:])
	f0 := 0
	if c.ann != nil {
		f0 = len(c.ann.Fields)
	}
	for k, m := range n.always {
		v.known[k] |= m
	}
	for j := range n.fs {
		f := &n.fs[j]
		if f.ifs != nil {
			if !holds(v, f.ifs) {
				continue
			}
			v.known.add(f.slot)
		}
		x := f.get(w)
		v.v[f.slot] = x
		if x != f.def {
			v.odd.add(f.slot)
		}
		if c.ann != nil {
			c.ann.Fields = append(c.ann.Fields, FieldRef{Index: uint8(j), Slot: uint8(f.slot), Value: x})
		}
	}
	if c.ann != nil {
		c.ann.Words = append(c.ann.Words, WordRef{Off: int32(c.off), Word: n.word, Inst: c.inst, F0: int32(f0), F1: int32(len(c.ann.Fields))})
	}
	c.off += 4
}

func (f *cfield) get(w uint32) uint32 {
	if f.n > 2 {
		return get(w, f.f.Bits)
	}
	return f.place.get(w)
}

// measure walks as a read does, but looks only at the fields that decide which words there are.
func (c *bin) measure(v *Vals, ns []bnode) {
	for i := range ns {
		n := &ns[i]
		if n.ifs != nil && !holds(v, n.ifs) {
			continue
		}
		if n.word == nil {
			if c.measure(v, n.sub); c.bad {
				return
			}
			continue
		}
		if c.off+4 > len(c.b) {
			c.bad = true
			return
		}
		if n.key != nil {
			w := binary.LittleEndian.Uint32(c.b[c.off:])
			for _, f := range n.key {
				v.v[f.slot] = 0
				if f.ifs == nil || holds(v, f.ifs) {
					v.v[f.slot] = f.get(w)
				}
			}
		}
		c.off += 4
	}
}

// Fits reports where the instruction of op at off ends, and whether its words match the row. It leaves
// nothing of use in v.
func (o *Op) Fits(data []byte, off int, c Context, v *Vals) (end int, ok bool) {
	v.v[SlotStage], v.v[SlotVersion] = c.Stage, c.Version
	b := bin{b: data, off: off}
	b.measure(v, o.form.bin)
	return b.off, !b.bad && holds(v, o.match)
}

func (c *bin) put(v *Vals, n *bnode) {
	var w uint32
	for j := range n.fs {
		f := &n.fs[j]
		if f.ifs != nil && !holds(v, f.ifs) {
			continue
		}
		if !v.known.has(f.slot) {
			v.set(f.slot, f.f.Def)
		}
		w |= put(v.v[f.slot], f.f.Bits)
	}
	c.b = binary.LittleEndian.AppendUint32(c.b, w)
}

// Read reads an instruction of op at off. It gives the offset behind it, and false when the words end early
// or do not match the row.
func (o *Op) Read(data []byte, off int, c Context, v *Vals) (end int, ok bool) {
	clear(v.v[:o.form.n])
	v.start(o, c)
	b := bin{b: data, off: off}
	b.walk(v, o.form.bin)
	return b.off, !b.bad && holds(v, o.match)
}

// AppendWords appends the words of the instruction that v holds. Fields without a value take their default;
// the length is derived unless it was stated.
func (o *Op) AppendWords(data []byte, v *Vals) []byte {
	at := len(data)
	derive := -1
	for i := range o.form.bin[0].fs {
		if f := &o.form.bin[0].fs[i]; f.f.Len && !v.given.has(f.slot) && holds(v, f.ifs) {
			derive = i
		}
	}
	c := bin{b: data, write: true}
	c.walk(v, o.form.bin)
	if derive >= 0 {
		f := &o.form.bin[0].fs[derive]
		n := uint32(len(c.b)-at)/4 - 1
		v.set(f.slot, n)
		w := binary.LittleEndian.Uint32(c.b[at:])
		binary.LittleEndian.PutUint32(c.b[at:], f.f.Put(w, n))
	}
	return c.b
}
