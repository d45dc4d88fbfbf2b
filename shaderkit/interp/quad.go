package interp

// Rows that look at masks or at neighbours.

func rowActive(v *vm, in *inst) {
	d := words(in.d, v.q)
	m := v.active
	for i := range d {
		d[i] = [quadLanes]uint32{mask(m&1 != 0), mask(m&2 != 0), mask(m&4 != 0), mask(m&8 != 0)}
		m >>= quadLanes
	}
}

func rowDDX(v *vm, in *inst) {
	d, a := floats(in.d, v.q), floats(in.a, v.q)
	for i := range d {
		top, bottom := a[i][1]-a[i][0], a[i][3]-a[i][2]
		d[i] = [quadLanes]float32{top, top, bottom, bottom}
	}
}

func rowDDY(v *vm, in *inst) {
	d, a := floats(in.d, v.q), floats(in.a, v.q)
	for i := range d {
		left, right := a[i][2]-a[i][0], a[i][3]-a[i][1]
		d[i] = [quadLanes]float32{left, right, left, right}
	}
}
