package d3d9

import (
	"strconv"

	"swizzle/shaderkit/isa"
)

// parameters prints the constant table as Microsoft's compiler does.
func (l *lister) parameters() {
	if p := FindPreshader(l.p); p != nil {
		l.add(p.Listing())
	}
	if t := FindCTAB(l.p); t != nil {
		l.add(t.Header())
	}
}

// Slots counts the instruction slots as Microsoft's listing does, and how many of them are of texture
// instructions: a pair of ps_1_x takes one slot, a predicate one more, and of texldd one slot is a texture
// instruction and the others are arithmetic.
func Slots(p *isa.Program) (total, texture int) {
	var v isa.Vals
	for i := range p.Insts {
		in := &p.Insts[i]
		if in.Kind != isa.KindOp {
			continue
		}
		if p.Ctx.Version < v20 && opCoissue.Get(p.Word(in.Bytes.Off)) != 0 {
			continue
		}
		n := in.Op.SlotsIn(p.Ctx)
		total += n
		if in.Op.Class&classTexture != 0 {
			texture += n
			if in.Op.Form == formD4S {
				texture -= n - 1
			}
		}
		if in.Op.Form != formNone && p.Fields(i, &v) && v.Val("predicated") != 0 {
			total++
		}
	}
	return total, texture
}

// slots prints the count of instruction slots.
func (l *lister) slots() {
	total, texture := Slots(l.p)
	l.add("\n// approximately ")
	l.add(strconv.Itoa(total))
	l.add(" instruction slot")
	if total != 1 {
		l.add("s")
	}
	l.add(" used")
	if texture > 0 {
		l.add(" (" + strconv.Itoa(texture) + " texture, " + strconv.Itoa(total-texture) + " arithmetic)")
	}
	l.add("\n")
}
