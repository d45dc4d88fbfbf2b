package jit

import (
	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/internal/wasmenc"
	"swizzle/shaderkit/ir"
)

// Parameters of the kernel.
const (
	argDesc = iota
	argLimit
	argBudget
)

// begin writes what linear and tile jobs begin with.
func (w *writer) begin() error {
	w.Get(argDesc).SetGlobal(w.m.gDesc).Get(argLimit).SetGlobal(w.m.gLimit).Get(argBudget).SetGlobal(w.m.gBudget)
	w.I32(0).SetGlobal(w.m.gStopped)
	w.lanes = w.Local(wasmenc.I64)
	w.active, w.live, w.spent = w.temps(), w.temps(), w.temps()
	w.step()
	err := w.insts(w.f.job)
	if w.f.opt != nil && len(w.m.pairs) > 0 && !w.m.wide() {
		w.apart(w.m.pairs)
	}
	return err
}

// end pushes the result of the job.
func (w *writer) end() {
	w.Get(w.lanes).Op(wasmenc.F64ConvertI64U)
	w.Get(w.lanes).I64(-1).Op(wasmenc.I64Xor).Op(wasmenc.F64ConvertI64S)
	w.GetGlobal(w.m.gStopped).Op(wasmenc.I32Eqz).Op(wasmenc.Select)
}

// wave writes the program for the lanes that are active and live.
func (w *writer) wave() error {
	if w.f.loops {
		for v := range w.m.n {
			w.Splat(0)
			w.setCount(v)
		}
	}
	if w.f.opt != nil {
		return w.hopeful()
	}
	return w.insts(w.f.body)
}

// kernel writes the entry.
func (w *writer) kernel(edges int64) error {
	if w.m.p.Kind == ir.Linear {
		return w.linear()
	}
	return w.tile(edges)
}

// linear writes a linear job: waves of consecutive items, the last one in part.
//
//	lanes = count; rest = count; item = first
//	while rest != 0 { wave; n = min(rest, 8); item += n; rest -= n }
func (w *writer) linear() error {
	w.item, w.rest = w.Local(wasmenc.I32), w.Local(wasmenc.I32)
	rest := w.rest
	if err := w.begin(); err != nil {
		return err
	}
	w.word(w.m.gDesc, exec.JobCount)
	if w.m.whole {
		w.GetGlobal(w.m.gSkip).Op(wasmenc.I32Sub)
	}
	w.Tee(rest).Op(wasmenc.I64ExtendU).Set(w.lanes)
	w.word(w.m.gDesc, exec.JobFirst)
	if w.m.whole {
		w.GetGlobal(w.m.gSkip).Op(wasmenc.I32Add)
		w.I32(0).SetGlobal(w.m.gSkip)
	}
	w.Set(w.item)
	done := w.Block()
	w.done = done
	again := w.Loop()
	w.Get(rest).Op(wasmenc.I32Eqz).BrIf(done)
	w.waveEnd = w.Block()
	w.leave = w.waveEnd
	w.Get(w.item).SetGlobal(w.m.gX)
	for v := range w.m.n {
		i := uint32(4 * v)
		w.VConst([4]uint32{i, i + 1, i + 2, i + 3}).Get(rest).V(wasmenc.I32x4Splat).V(wasmenc.I32x4LtU).Tee(w.active[v])
		w.setLive(v)
	}
	if err := w.wave(); err != nil {
		return err
	}
	w.End()
	const n = 4 * waveVectors
	w.Get(w.item).I32(n).Op(wasmenc.I32Add).Set(w.item)
	w.Get(rest).I32(n).Op(wasmenc.I32LtU).BrIf(done)
	w.Get(rest).I32(n).Op(wasmenc.I32Sub).Set(rest)
	w.Br(again)
	w.End().End()
	w.end()
	return nil
}

// tile writes a tile job:
//
//	for each triangle record within the arena {
//		for each block that its box meets, as far as it lies within the tile {
//			for each wave of the block { cover; the rest for quads with a live lane }
//		}
//	}
//
// Where Cover looks at nothing but the edges of the triangle, blocks outside are skipped and blocks
// inside are covered without a look at their pixels. Where the box cuts a block its pixels are looked at.
func (w *writer) tile(edges int64) error {
	i32, i64 := wasmenc.I32, wasmenc.I64
	w.x, w.y, w.full, w.cut = w.Local(i32), w.Local(i32), w.Local(i32), w.Local(i32)
	at, stride, resume := w.Local(i64), w.Local(i64), uint32(0)
	w.left, w.bx, w.by, w.part = w.Local(i32), w.Local(i32), w.Local(i32), w.Local(i32)
	count, bx, by, part := w.left, w.bx, w.by, w.part
	for i := range w.box {
		w.box[i] = w.Local(i32)
	}
	x0, y0, x1, y1 := w.box[0], w.box[1], w.box[2], w.box[3]
	w.declareOffsets()
	w.declareSolid(edges)
	if err := w.begin(); err != nil {
		return err
	}
	w.word(w.m.gDesc, exec.JobCount)
	w.Set(count)
	w.word(w.m.gDesc, exec.JobFirst)
	w.I32(-4).Op(wasmenc.I32And).Op(wasmenc.I64ExtendU).Set(at)
	w.word(w.m.gDesc, exec.JobStride)
	w.Op(wasmenc.I64ExtendU).I64(2).Op(wasmenc.I64Shl).Set(stride)
	if w.m.whole {
		resume = w.Local(i32)
		w.Get(count).GetGlobal(w.m.gSkip).Op(wasmenc.I32Sub).Set(count)
		w.Get(at).GetGlobal(w.m.gSkip).Op(wasmenc.I64ExtendU).Get(stride).Op(wasmenc.I64Mul).Op(wasmenc.I64Add).Set(at)
		w.GetGlobal(w.m.gWave).Set(resume)
		w.I32(0).SetGlobal(w.m.gSkip).I32(0).SetGlobal(w.m.gWave)
	}

	done := w.Block()
	w.done = done
	if w.m.wide() && len(w.m.pairs) > 0 {
		w.overlap(w.m.pairs)
		w.If()
		w.I32(0).SetGlobal(w.m.gSkip).I32(0).SetGlobal(w.m.gWave)
		w.I64(Stuck).Set(w.lanes).Br(done)
		w.End()
	}
	triangles := w.Loop()
	w.Get(count).Op(wasmenc.I32Eqz).BrIf(done)
	w.Get(at).Get(argLimit).Op(wasmenc.I64ExtendU).Op(wasmenc.I64GeU).BrIf(done)
	w.Get(at).Op(wasmenc.I32WrapI64).SetGlobal(w.m.gTri)
	r := triangleReader{w: w, at: at}
	for i, local := range w.box {
		r.word(uint64(i), local)
	}
	if edges >= 0 {
		r.edges(uint64(edges))
	}
	n := 0
	for ; n < len(w.f.tri) && w.f.tri[n].Op == ir.TriWord; n++ {
		if in := &w.f.tri[n]; !w.f.isDead(in) {
			r.register(in)
		}
	}
	r.read()
	for _, local := range w.box {
		w.Get(local).I32(exec.TileSize).Get(local).I32(exec.TileSize).Op(wasmenc.I32LtU).Op(wasmenc.Select).Set(local)
	}
	if edges >= 0 {
		w.quadEdges()
	}
	if err := w.insts(w.f.tri[n:]); err != nil {
		return err
	}

	const block = exec.BlockSize
	noRows := w.Block()
	w.Get(x0).Get(x1).Op(wasmenc.I32GeU).BrIf(noRows)
	w.Get(y0).I32(-block).Op(wasmenc.I32And).Set(by)
	rows := w.Loop()
	w.Get(by).Get(y1).Op(wasmenc.I32GeU).BrIf(noRows)
	w.Get(x0).I32(-block).Op(wasmenc.I32And).Set(bx)
	noColumns := w.Block()
	columns := w.Loop()
	w.Get(bx).Get(x1).Op(wasmenc.I32GeU).BrIf(noColumns)
	noBlock := w.Block()
	if w.m.whole {
		w.waveNumber()
		w.Get(resume).I32(-blockWaves).Op(wasmenc.I32And).Op(wasmenc.I32LtU).BrIf(noBlock)
	}
	if edges >= 0 {
		w.Get(bx).Get(by)
		for _, e := range w.edges {
			w.Get(e.a).Get(e.b).Get(e.c)
		}
		w.Call(w.m.edges).Tee(w.full).Op(wasmenc.I32Eqz).BrIf(noBlock)
		w.Get(w.full).I32(1).Op(wasmenc.I32ShrU).Set(w.full)
	}
	w.Get(bx).Get(x0).Op(wasmenc.I32LtU).Get(x1).Get(bx).I32(block).Op(wasmenc.I32Add).Op(wasmenc.I32LtU).Op(wasmenc.I32Or)
	w.Get(by).Get(y0).Op(wasmenc.I32LtU).Op(wasmenc.I32Or).Get(y1).Get(by).I32(block).Op(wasmenc.I32Add).Op(wasmenc.I32LtU).Op(wasmenc.I32Or).Set(w.cut)
	w.blockSolid(edges)
	w.Get(bx).Set(w.x).Get(by).Set(w.y)
	w.blockOffsets()
	w.I32(0).Set(part)
	if w.m.whole {
		w.Get(resume)
		w.If()
		w.Get(resume).I32(blockWaves - 1).Op(wasmenc.I32And).Set(part)
		w.I32(0).Set(resume)
		w.End()
	}
	parts := w.Loop()
	// Part of the block: a row of quads, or half of one.
	if w.m.wide() {
		w.Get(bx).Set(w.x)
		w.Get(by).Get(part).I32(1).Op(wasmenc.I32Shl).Op(wasmenc.I32Add).Set(w.y)
	} else {
		w.Get(bx).Get(part).I32(1).Op(wasmenc.I32And).I32(2).Op(wasmenc.I32Shl).Op(wasmenc.I32Add).Set(w.x)
		w.Get(by).Get(part).I32(-2).Op(wasmenc.I32And).Op(wasmenc.I32Add).Set(w.y)
	}
	if w.m.pixels() {
		w.Get(w.x).SetGlobal(w.m.gX).Get(w.y).SetGlobal(w.m.gY)
	}
	w.waveEnd = w.Block()
	w.leave, w.uncovered = w.waveEnd, w.waveEnd
	for v := range w.m.n {
		w.Splat(^uint32(0)).Tee(w.active[v])
		w.setLive(v)
	}
	if !w.f.covers() {
		w.Get(w.cut)
		w.If()
		for v := range w.m.n {
			w.insideBox(v)
			w.Set(w.active[v])
		}
		w.take()
		w.End()
		w.tally()
	}
	w.waveOffsets(part)
	if w.solid != w.whole {
		w.Get(w.whole).Set(w.solid)
	}
	if err := w.wave(); err != nil {
		return err
	}
	w.End()
	w.Get(part).I32(1).Op(wasmenc.I32Add).Tee(part).I32(int32(exec.BlockSize * exec.BlockSize / (4 * w.m.n))).Op(wasmenc.I32LtU).BrIf(parts)
	w.End()

	w.End() // noBlock
	w.Get(bx).I32(block).Op(wasmenc.I32Add).Set(bx).Br(columns)
	w.End().End()
	w.Get(by).I32(block).Op(wasmenc.I32Add).Set(by).Br(rows)
	w.End().End()
	w.Get(at).Get(stride).Op(wasmenc.I64Add).Set(at)
	w.Get(count).I32(1).Op(wasmenc.I32Sub).Set(count).Br(triangles)
	w.End().End()
	w.end()
	return nil
}

// covers reports whether the program has a Cover.
func (f *function) covers() bool {
	for i := range f.body {
		if f.body[i].Op == ir.Cover {
			return true
		}
	}
	return false
}

// pixels reports whether functions other than the entry ask where the wave is.
func (m *module) pixels() bool {
	for i, f := range m.fs {
		if i > 0 && f.called && f.pixel {
			return true
		}
	}
	return false
}

// An edge is one of the three of a triangle, as locals.
type edge struct {
	a, b, c uint32
	quad    uint32 // vector: what the lanes of a quad add to the value at its first
}

// A triangleReader reads words of a triangle record: all at once where the record lies within the arena.
type triangleReader struct {
	w     *writer
	at    uint32 // local: address of the record, 64 bits
	words []triangleWord
}

type triangleWord struct {
	index uint64
	local uint32
	vec   bool // into all lanes of a vector
}

func (r *triangleReader) word(index uint64, local uint32) {
	r.words = append(r.words, triangleWord{index, local, false})
}

// register reads a TriWord.
func (r *triangleReader) register(in *ir.Inst) {
	r.w.declare(in.Dst)
	r.words = append(r.words, triangleWord{in.Imm, r.w.at[in.Dst][0], true})
	r.w.step()
}

// edges reads three edges of three words each.
func (r *triangleReader) edges(index uint64) {
	for k := range r.w.edges {
		e := &r.w.edges[k]
		e.a, e.b, e.c, e.quad = r.w.Local(wasmenc.I32), r.w.Local(wasmenc.I32), r.w.Local(wasmenc.I32), r.w.Local(wasmenc.V128)
		for i, local := range []uint32{e.a, e.b, e.c} {
			r.word(index+3*uint64(k)+uint64(i), local)
		}
	}
}

// read writes the code.
func (r *triangleReader) read() {
	w, last := r.w, uint64(0)
	for _, x := range r.words {
		last = max(last, x.index)
	}
	direct := last < 1<<28 // as an offset of a load
	if direct {
		w.Get(r.at).I64(int64(4 * (last + 1))).Op(wasmenc.I64Add).Get(argLimit).Op(wasmenc.I64ExtendU).Op(wasmenc.I64GtU).Op(wasmenc.I32Eqz)
		w.If()
		for _, x := range r.words {
			if w.GetGlobal(w.m.gTri); x.vec {
				w.VMem(wasmenc.V128Load32Splat, 2, uint32(4*x.index))
			} else {
				w.LoadI32(uint32(4 * x.index))
			}
			w.Set(x.local)
		}
		w.Else()
	}
	for _, x := range r.words {
		if w.word(w.m.gTri, x.index); x.vec {
			w.V(wasmenc.I32x4Splat)
		}
		w.Set(x.local)
	}
	if direct {
		w.End()
	}
}

// quadEdges computes what follows from the edges of the triangle.
func (w *writer) quadEdges() {
	for _, e := range w.edges {
		w.Get(e.a).V(wasmenc.I32x4Splat).VConst([4]uint32{0, ^uint32(0), 0, ^uint32(0)}).V(wasmenc.V128And)
		w.Get(e.b).V(wasmenc.I32x4Splat).VConst([4]uint32{0, 0, ^uint32(0), ^uint32(0)}).V(wasmenc.V128And)
		w.V(wasmenc.I32x4Add).Set(e.quad)
	}
}

// insideEdges pushes the mask of the pixels of vector v that are inside all edges.
func (w *writer) insideEdges(v int) {
	for k, e := range w.edges {
		w.Get(w.x).I32(int32(2 * v)).Op(wasmenc.I32Add).Get(e.a).Op(wasmenc.I32Mul)
		w.Get(w.y).Get(e.b).Op(wasmenc.I32Mul).Op(wasmenc.I32Add).Get(e.c).Op(wasmenc.I32Add)
		w.V(wasmenc.I32x4Splat).Get(e.quad).V(wasmenc.I32x4Add)
		if k > 0 {
			w.V(wasmenc.V128Or)
		}
	}
	w.I32(31).V(wasmenc.I32x4ShrS).V(wasmenc.V128Not)
}

// insideBox pushes the mask of the pixels of vector v that are inside the triangle's box.
func (w *writer) insideBox(v int) {
	axis := func(at uint32, v int, first, end uint32, quad [4]uint32) {
		w.Get(at).I32(int32(2 * v)).Op(wasmenc.I32Add).Get(first).Op(wasmenc.I32Sub).V(wasmenc.I32x4Splat).VConst(quad).V(wasmenc.I32x4Add)
		w.Get(end).Get(first).Op(wasmenc.I32Sub).V(wasmenc.I32x4Splat).V(wasmenc.I32x4LtU)
	}
	axis(w.x, v, w.box[0], w.box[2], [4]uint32{0, 1, 0, 1})
	axis(w.y, 0, w.box[1], w.box[3], [4]uint32{0, 0, 1, 1})
	w.V(wasmenc.V128And)
}

// cover makes the covered lanes the live ones, and the quads with such a lane the active ones. The
// caller has made all of them live and active.
func (w *writer) cover(in *ir.Inst) {
	if w.covered {
		return
	}
	if w.m.edges != nil {
		w.Get(w.whole)
		w.If()
		w.Get(w.lanes).I64(int64(4 * w.m.n)).Op(wasmenc.I64Add).Set(w.lanes)
		w.Else()
	}
	for v := range w.m.n {
		if w.m.edges != nil {
			w.insideEdges(v)
		} else {
			w.sign(in.Args[0], v)
		}
		w.Set(w.active[v])
	}
	w.Get(w.cut)
	w.If()
	for v := range w.m.n {
		w.Get(w.active[v])
		w.insideBox(v)
		w.V(wasmenc.V128And).Set(w.active[v])
	}
	w.End()
	w.take()
	w.tally()
	if w.m.edges != nil {
		w.End()
	}
	if w.f.opt != nil {
		w.keep()
	}
}

// declareSolid gives locals to what a block and a wave are known to be before any pixel is looked at.
// solid changes from wave to wave where lanes may be killed, stop or return.
func (w *writer) declareSolid(edges int64) {
	w.whole = w.Local(wasmenc.I32)
	if w.m.shared || w.f.covers() && edges < 0 {
		return
	}
	returns := 0
	for _, in := range w.f.all {
		if in.Op == ir.Return {
			returns++
		}
	}
	if w.solid = w.whole; w.f.state || returns > 1 {
		w.solid = w.Local(wasmenc.I32)
	}
}

// blockSolid finds out whether all pixels of the block are covered.
func (w *writer) blockSolid(edges int64) {
	if w.Get(w.cut).Op(wasmenc.I32Eqz); edges >= 0 {
		w.Get(w.full).Op(wasmenc.I32And)
	}
	w.Set(w.whole)
}

// take makes the lanes in w.active the live ones, and their quads the active ones.
func (w *writer) take() {
	w.any(w.active[:w.m.n]...)
	w.Op(wasmenc.I32Eqz).BrIf(w.uncovered)
	for v := range w.m.n {
		w.Get(w.active[v])
		w.setLive(v)
		w.I32(0).Get(w.active[v]).V(wasmenc.V128AnyTrue).Op(wasmenc.I32Sub).V(wasmenc.I32x4Splat).Set(w.active[v])
	}
}

// tally adds the live lanes to those of the job.
func (w *writer) tally() {
	w.Get(w.lanes)
	for v := range w.m.n {
		w.getLive(v)
		w.V(wasmenc.I32x4Bitmask).Op(wasmenc.I32Popcnt).Op(wasmenc.I64ExtendU).Op(wasmenc.I64Add)
	}
	w.Set(w.lanes)
}

// blockEdges writes edges(x, y, a, b, c, a, b, c, a, b, c): how the block of pixels at x, y lies to
// three edges: 0 outside of one, 2 inside all, 1 neither, or not known since 32 bits might wrap.
func (m *module) blockEdges() {
	i32, i64 := wasmenc.I32, wasmenc.I64
	f := m.Func([]wasmenc.Type{i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32}, []wasmenc.Type{i32})
	m.edges = f
	a, b, lo, hi, in := f.Local(i64), f.Local(i64), f.Local(i64), f.Local(i64), f.Local(i32)
	f.I32(2).Set(in)
	const last = exec.BlockSize - 1
	// extend adds last*n to lo where it is below zero, else to hi.
	extend := func(n uint32) {
		f.Get(n).I64(0).Op(wasmenc.I64LtS)
		f.If()
		f.Get(lo).Get(n).I64(last).Op(wasmenc.I64Mul).Op(wasmenc.I64Add).Set(lo)
		f.Else()
		f.Get(hi).Get(n).I64(last).Op(wasmenc.I64Mul).Op(wasmenc.I64Add).Set(hi)
		f.End()
	}
	for k := uint32(2); k < 11; k += 3 {
		f.Get(k).Op(wasmenc.I64ExtendS).Tee(a).Get(0).Op(wasmenc.I64ExtendU).Op(wasmenc.I64Mul)
		f.Get(k + 1).Op(wasmenc.I64ExtendS).Tee(b).Get(1).Op(wasmenc.I64ExtendU).Op(wasmenc.I64Mul).Op(wasmenc.I64Add)
		f.Get(k + 2).Op(wasmenc.I64ExtendS).Op(wasmenc.I64Add).Tee(lo).Set(hi)
		extend(a)
		extend(b)
		f.Get(lo).I64(-1 << 31).Op(wasmenc.I64LtS).Get(hi).I64(1<<31 - 1).Op(wasmenc.I64GtS).Op(wasmenc.I32Or)
		f.If()
		f.I32(1).Set(in)
		f.Else()
		f.Get(hi).I64(0).Op(wasmenc.I64LtS)
		f.If()
		f.I32(0).Op(wasmenc.Return)
		f.End()
		f.Get(lo).I64(0).Op(wasmenc.I64LtS)
		f.If()
		f.I32(1).Set(in)
		f.End()
		f.End()
	}
	f.Get(in)
}
