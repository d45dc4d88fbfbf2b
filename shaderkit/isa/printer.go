package isa

import (
	"math/bits"
	"strconv"
)

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

// A Printer prints instructions one after the other into Text.
type Printer struct{ text }

// Inst appends the spelling of instruction i of p, a row of the table that w views in the program's context.
// It gives what Print gives for the instruction's fields. v is room to work in.
func (pr *Printer) Inst(w *View, p *Program, i int, style Style, v *Vals) bool {
	in := &p.Insts[i]
	b := p.Data[in.Bytes.Off:in.Bytes.End()]
	if s := w.shape(in.Op); s != nil && len(b) == 4*len(s.words) && s.steps[style] != nil && s.fits(b) && pr.plain(s.steps[style], b, i, w.ctx, style, v) {
		return true
	}
	p.Fields(i, v)
	return pr.Print(v, i, w.ctx, style)
}

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
