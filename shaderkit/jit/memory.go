package jit

import (
	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/internal/wasmenc"
	"swizzle/shaderkit/ir"
)

// A span is the memory that a record describes, as two locals: its address and its length in bytes,
// which is a multiple of 4 and ends with the arena.
type span struct{ base, size uint32 }

// declareSpan computes the span of a record of the job where its address becomes known.
func (w *writer) declareSpan(r ir.Reg) {
	s := span{w.Local(wasmenc.I32), w.Local(wasmenc.I32)}
	w.lane0(r)
	w.Call(w.m.span).Set(s.size).Set(s.base)
	w.spans[r] = s
}

// spanOf gives the span of a uniform record; that of one which the program computed is read anew.
func (w *writer) spanOf(r ir.Reg) span {
	if s := w.spans[r]; s != (span{}) {
		return s
	}
	w.lane0(r)
	w.Call(w.m.span).Set(w.m.scratch(w, 1)).Set(w.m.scratch(w, 0))
	return span{w.m.scratch(w, 0), w.m.scratch(w, 1)}
}

// load pushes vector v of a Load.
func (w *writer) load(in *ir.Inst, v int) {
	record, off := in.Args[0], in.Args[1]
	if !w.f.uniform[record] {
		w.loadLanes(record, v, func() { w.vec(off, v) })
		return
	}
	s := w.spanOf(record)
	if w.f.uniform[off] {
		// A word for all lanes.
		o := w.m.scratch(w, 2)
		w.lane0(off)
		w.I32(-4).Op(wasmenc.I32And).Tee(o).Get(s.size).Op(wasmenc.I32LtU)
		t := w.temp()
		w.Splat(0).Set(t)
		w.If()
		w.Get(s.base).Get(o).Op(wasmenc.I32Add).VMem(wasmenc.V128Load32Splat, 2, 0).Set(t)
		w.End()
		w.Get(t)
		w.release(t)
		return
	}
	if at, more, ok := w.contiguous(off, v); ok {
		t := w.temp()
		w.inside(at, more, s)
		w.If()
		w.Get(s.base).Get(at).Op(wasmenc.I32Add).VMem(wasmenc.V128Load, 2, more).Set(t)
		w.Else()
		w.Get(at).V(wasmenc.I32x4Splat).VConst([4]uint32{more, more + 4, more + 8, more + 12}).V(wasmenc.I32x4Add)
		w.Get(s.base).Get(s.size).Call(w.m.gather).Set(t)
		w.End()
		w.Get(t)
		w.release(t)
		return
	}
	w.vec(off, v)
	gather(w.Func, w.temp, w.release, func() { w.Get(s.base) }, func() { w.Get(s.size) })
}

// loadLanes pushes the words at the offsets that push gives, each of its lane's record.
func (w *writer) loadLanes(record ir.Reg, v int, push func()) {
	w.Splat(0)
	for k := range byte(4) {
		w.vec(record, v)
		w.VLane(wasmenc.I32x4ExtractLane, k)
		push()
		w.VLane(wasmenc.I32x4ExtractLane, k).Call(w.m.loadWord).VLane(wasmenc.I32x4ReplaceLane, k)
	}
}

// gather pops offsets and pushes the words there: those outside are read at address 0 and cleared.
func gather(f *wasmenc.Func, temp func() uint32, release func(...uint32), base, size func()) {
	at, in := temp(), temp()
	f.Splat(^uint32(3)).V(wasmenc.V128And).Tee(at).Get(at)
	size()
	f.V(wasmenc.I32x4Splat).V(wasmenc.I32x4LtU).Set(in)
	base()
	f.V(wasmenc.I32x4Splat).V(wasmenc.I32x4Add).Get(in).V(wasmenc.V128And).Tee(at)
	f.VLane(wasmenc.I32x4ExtractLane, 0).VMem(wasmenc.V128Load32Zero, 2, 0)
	t := temp()
	f.Set(t)
	for k := range byte(3) {
		f.Get(at).VLane(wasmenc.I32x4ExtractLane, k+1).Get(t).VMemLane(wasmenc.V128Load32Lane, 0, k+1).Set(t)
	}
	f.Get(t).Get(in).V(wasmenc.V128And)
	release(at, in, t)
}

// inside pushes whether 16 bytes at offset at + more lie within s.
func (w *writer) inside(at, more uint32, s span) {
	w.Get(at).Op(wasmenc.I64ExtendU).I64(int64(more) + 16).Op(wasmenc.I64Add).Get(s.size).Op(wasmenc.I64ExtendU).Op(wasmenc.I64GtU).Op(wasmenc.I32Eqz)
}

// store writes a Store, lane after lane.
func (w *writer) store(in *ir.Inst) {
	for v := range w.m.n {
		at, more, ok := w.contiguous(in.Args[1], v)
		if !ok || !w.f.uniform[in.Args[0]] {
			w.storeLanes(in, v, func() { w.vec(in.Args[1], v) })
			continue
		}
		s := w.spanOf(in.Args[0])
		address := func() { w.Get(s.base).Get(at).Op(wasmenc.I32Add) }
		w.inside(at, more, s)
		w.If()
		if w.solid != 0 && w.parted == 0 {
			w.Get(w.solid)
			w.If()
			address()
			w.vec(in.Args[2], v)
			w.VMem(wasmenc.V128Store, 2, more)
			w.Else()
		}
		address()
		w.vec(in.Args[2], v)
		address()
		w.VMem(wasmenc.V128Load, 2, more)
		w.storing(v)
		w.choose()
		w.VMem(wasmenc.V128Store, 2, more)
		if w.solid != 0 && w.parted == 0 {
			w.End()
		}
		w.Else()
		w.storeLanes(in, v, func() {
			w.Get(at).V(wasmenc.I32x4Splat).VConst([4]uint32{more, more + 4, more + 8, more + 12}).V(wasmenc.I32x4Add)
		})
		w.End()
	}
}

// storing pushes the mask of the lanes of vector v that store.
func (w *writer) storing(v int) {
	w.Get(w.active[v])
	w.getLive(v)
	w.V(wasmenc.V128And)
}

// storeLanes writes vector v of a Store word by word, to the offsets that push gives.
func (w *writer) storeLanes(in *ir.Inst, v int, push func()) {
	if record := in.Args[0]; w.f.uniform[record] {
		s := w.spanOf(record)
		push()
		w.vec(in.Args[2], v)
		w.storing(v)
		w.Get(s.base).Get(s.size).Call(w.m.scatter)
		return
	}
	mask := w.temp()
	defer w.release(mask)
	w.storing(v)
	w.Set(mask)
	for k := range byte(4) {
		w.Get(mask).VLane(wasmenc.I32x4ExtractLane, k)
		w.If()
		for _, r := range in.Args {
			w.vec(r, v)
			w.VLane(wasmenc.I32x4ExtractLane, k)
		}
		w.Call(w.m.storeWord)
		w.End()
	}
}

// word pushes a word at a place behind the address in a global.
func (w *writer) word(base uint32, index uint64) {
	w.GetGlobal(base).I64(int64(4 * (index & (1<<32 - 1)))).Call(w.m.word)
}

// helpers writes the functions that memory accesses share. The global gLimit is the length of the
// arena.
func (m *module) helpers() {
	i32, i64, v128 := wasmenc.I32, wasmenc.I64, wasmenc.V128

	// word(base, offset): the word of the arena there, 0 outside.
	f := m.Func([]wasmenc.Type{i32, i64}, []wasmenc.Type{i32})
	m.word = f
	f.Get(0).I32(-4).Op(wasmenc.I32And).Op(wasmenc.I64ExtendU).Get(1).Op(wasmenc.I64Add).Tee(1)
	f.GetGlobal(m.gLimit).Op(wasmenc.I64ExtendU).Op(wasmenc.I64GeU)
	f.If()
	f.I32(0).Op(wasmenc.Return)
	f.End()
	f.Get(1).Op(wasmenc.I32WrapI64).LoadI32(0)

	// span(record): base and size.
	f = m.Func([]wasmenc.Type{i32}, []wasmenc.Type{i32, i32})
	m.span = f
	base, size := f.Local(i32), f.Local(i32)
	f.Get(0).I32(-4).Op(wasmenc.I32And).Tee(0).Op(wasmenc.I64ExtendU).I64(4 * exec.RecordWords).Op(wasmenc.I64Add)
	f.GetGlobal(m.gLimit).Op(wasmenc.I64ExtendU).Op(wasmenc.I64GtU)
	f.If()
	f.I32(0).I32(0).Op(wasmenc.Return)
	f.End()
	f.Get(0).LoadI32(4 * exec.RecBase).I32(-4).Op(wasmenc.I32And).Tee(base)
	f.GetGlobal(m.gLimit).Op(wasmenc.I32GeU)
	f.If()
	f.I32(0).I32(0).Op(wasmenc.Return)
	f.End()
	f.Get(base)
	f.Get(0).LoadI32(4 * exec.RecSize).I32(-4).Op(wasmenc.I32And).Tee(size)
	f.GetGlobal(m.gLimit).Get(base).Op(wasmenc.I32Sub)
	f.Get(size).GetGlobal(m.gLimit).Get(base).Op(wasmenc.I32Sub).Op(wasmenc.I32LtU).Op(wasmenc.Select)

	// loadWord(record, offset): a Load of one lane.
	f = m.Func([]wasmenc.Type{i32, i32}, []wasmenc.Type{i32})
	m.loadWord = f
	base, size = f.Local(i32), f.Local(i32)
	f.Get(0).Call(m.span).Set(size).Set(base)
	f.Get(1).I32(-4).Op(wasmenc.I32And).Tee(1).Get(size).Op(wasmenc.I32GeU)
	f.If()
	f.I32(0).Op(wasmenc.Return)
	f.End()
	f.Get(base).Get(1).Op(wasmenc.I32Add).LoadI32(0)

	// storeWord(record, offset, value): a Store of one lane.
	f = m.Func([]wasmenc.Type{i32, i32, i32}, nil)
	m.storeWord = f
	base, size = f.Local(i32), f.Local(i32)
	f.Get(0).Call(m.span).Set(size).Set(base)
	f.Get(1).I32(-4).Op(wasmenc.I32And).Tee(1).Get(size).Op(wasmenc.I32LtU)
	f.If()
	f.Get(base).Get(1).Op(wasmenc.I32Add).Get(2).StoreI32(0)
	f.End()

	// gather(offsets, base, size): a Load of four lanes.
	f = m.Func([]wasmenc.Type{v128, i32, i32}, []wasmenc.Type{v128})
	m.gather = f
	f.Get(0)
	gather(f, func() uint32 { return f.Local(v128) }, func(...uint32) {}, func() { f.Get(1) }, func() { f.Get(2) })

	// scatter(offsets, values, mask, base, size): a Store of four lanes.
	f = m.Func([]wasmenc.Type{v128, v128, v128, i32, i32}, nil)
	m.scatter = f
	bits := f.Local(i32)
	f.Get(0).Splat(^uint32(3)).V(wasmenc.V128And).Tee(0).Get(4).V(wasmenc.I32x4Splat).V(wasmenc.I32x4LtU)
	f.Get(2).V(wasmenc.V128And).V(wasmenc.I32x4Bitmask).Set(bits)
	for k := range byte(4) {
		f.Get(bits).I32(1 << k).Op(wasmenc.I32And)
		f.If()
		f.Get(0).VLane(wasmenc.I32x4ExtractLane, k).Get(3).Op(wasmenc.I32Add).Get(1).VMemLane(wasmenc.V128Store32Lane, 0, k)
		f.End()
	}
}
