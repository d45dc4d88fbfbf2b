package interp

// Rows of values that all lanes share.

func rowConst(v *vm, in *inst) {
	in.d[0] = [quadLanes]uint32{uint32(in.imm)}
	in.d.broadcast(0, v.q)
}

func rowConst64(v *vm, in *inst) {
	in.d64[0] = [quadLanes]uint64{in.imm}
	in.d64.broadcast(0, v.q)
}

func rowDesc(v *vm, in *inst) {
	in.d[0] = [quadLanes]uint32{v.word(uint64(v.desc/4) + in.imm)}
	in.d.broadcast(0, v.q)
}

func rowRes(v *vm, in *inst) {
	in.d[0] = [quadLanes]uint32{record(v.desc, in.imm)}
	in.d.broadcast(0, v.q)
}

func rowTriWord(v *vm, in *inst) {
	in.d[0] = [quadLanes]uint32{v.triWord(in.imm)}
	in.d.broadcast(0, v.q)
}
