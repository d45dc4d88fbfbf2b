package d3d9

import (
	"strconv"
)

// parameters prints the constant table as Microsoft's compiler does.
func (l *lister) parameters() {}

// slots prints the count of instruction slots as Microsoft's listing does.
func (l *lister) slots() {
	total, texture := 0, 0
	for _, in := range l.p.Insts {
		if in.Op == nil || in.Op.Class&classDeclare != 0 {
			continue
		}
		n := in.Op.SlotsIn(l.p.Ctx)
		total += n
		if in.Op.Class&classTexture != 0 {
			texture += n
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
