package d3d9

import (
	"strconv"

	"swizzle/shaderkit/isa"
)

// parameters prints the constant table as Microsoft's compiler does.
func (l *lister) parameters() {
	if t := FindCTAB(l.p); t != nil {
		l.add(t.Header())
	}
}

// slots prints the count of instruction slots as Microsoft's listing does: a predicate costs one more, and
// of texldd one slot is a texture instruction and the others are arithmetic.
func (l *lister) slots() {
	total, texture := 0, 0
	for i := range l.p.Insts {
		in := &l.p.Insts[i]
		if in.Kind != isa.KindOp {
			continue
		}
		if l.coissued(in) {
			continue // a pair takes one slot
		}
		n := in.Op.SlotsIn(l.p.Ctx)
		total += n
		if in.Op.Class&classTexture != 0 {
			texture += n
			if in.Op.Form == formD4S {
				texture -= n - 1
			}
		}
		if in.Op.Form != formNone && l.p.Fields(i, &l.v) && l.v.Val("predicated") != 0 {
			total++
		}
	}
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
