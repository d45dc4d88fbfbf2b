package jit

import (
	"slices"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/internal/wasmenc"
	"swizzle/shaderkit/ir"
)

// Zero-wins products hardly ever differ from plain ones: only where a factor is zero and the other one
// infinite or NaN, and then the plain product is a NaN. So a wave runs with plain products first, and
// once more with strict ones, in a function of its own, where that could show:
//
//	wave       plain products; sum += x for each x that depends on one and that a min, a comparison,
//	           an integer op or a store swallows
//	commit     in front of the first store: where sum is a NaN in an active lane, strict, and no more
//	the rest   with products that are looked at one by one, see sums.go
//
// Sums, products, quotients and the like hand a NaN on, so a wrong product either makes sum a NaN or
// has no part in anything. Infinities of both signs make sum a NaN too; then strict runs for nothing.
//
// Where the program asks whether x is a NaN (FNe or FEq of x with itself: min and max of Direct3D do),
// the wave assumes not, and adds x to sum. What a wave changes before commit (live lanes, steps taken)
// strict makes anew.
//
// Most programs never need strict, so Emit leaves it out: in front of a wave that does the kernel stops,
// and the engine goes on there with a kernel of EmitWhole.

// An optimist is what is known of an entry that runs like this.
type optimist struct {
	commit  int    // instructions of body that come before
	last    int    // likewise of all
	plain   []bool // products
	asks    []bool // whether another register is a NaN: that is added to sum, the answer is not used
	suspect []bool // registers that depend on a product
	sunk    []bool // added to sum where they are assigned
}

// optimistic makes the entry of p one for plain products, and lists what must lie apart for that; ok is
// false where no product would gain. It does without solve.
func optimistic(p *ir.Program, fs []*function) (pairs []resourcePair, ok bool) {
	f := fs[0]
	products := func(insts []ir.Inst) (some bool) {
		(&ir.Block{Insts: insts}).Walk(func(in *ir.Inst) {
			some = some || in.Op == ir.FMulZ && !f.plainProduct(in.Args[0], in.Args[1])
		})
		return some
	}
	if !products(f.body) {
		return nil, false
	}
	body := slices.Clone(f.body)
	pairs = delayStores(p, f, body)
	n := commit(body, fs)
	if !products(body[:n]) {
		return nil, false
	}
	copy(f.body, body)
	f.define() // Stores have moved
	answer(f.Func, len(f.job)+len(f.tri), n)
	return pairs, true
}

// commit gives the number of instructions of the body in front of the first that stores.
func commit(body []ir.Inst, fs []*function) int {
	stores := false
	look := func(in *ir.Inst) { stores = stores || in.Op == ir.Store || in.Op == ir.Call && fs[in.Imm].stores }
	for i := range body {
		look(&body[i])
		for _, b := range body[i].Blocks {
			b.Walk(look)
		}
		if stores {
			return i
		}
	}
	return len(body)
}

// asksNaN reports whether in asks whether a register is a NaN.
func asksNaN(in *ir.Inst) bool {
	return (in.Op == ir.FNe || in.Op == ir.FEq) && in.Args[0] == in.Args[1]
}

// answer takes every register for a number that instructions from..from+n ask about, where a Sel
// reads the answer.
func answer(f *ir.Func, from, n int) {
	part := ir.Block{Insts: f.Body.Insts[from : from+n]}
	answers := map[ir.Reg]int{} // operand of the Sel that is taken
	alias := map[ir.Reg]ir.Reg{}
	part.Walk(func(in *ir.Inst) {
		switch {
		case asksNaN(in):
			if answers[in.Dst] = 2; in.Op == ir.FEq {
				answers[in.Dst] = 1
			}
		case in.Op == ir.Sel:
			if k, ok := answers[in.Args[0]]; ok {
				r := in.Args[k]
				if a, ok := alias[r]; ok {
					r = a
				}
				alias[in.Dst] = r
				*in = ir.Inst{Op: ir.Const, Dst: in.Dst, N: 1, From: in.From} // which nobody reads
			}
		}
	})
	// The questions stay: that is where their operand is added to sum.
	f.Body.Walk(func(in *ir.Inst) {
		for k, r := range in.Args {
			if a, ok := alias[r]; ok {
				in.Args[k] = a
			}
		}
	})
}

// numbers says of an op which operands hand a NaN on to the result: bit k for operand k.
var numbers = [...]uint8{
	ir.FAdd: 3, ir.FSub: 3, ir.FMul: 3, ir.FMulZ: 3, ir.FDiv: 3, ir.FSqrt: 1, ir.FNeg: 1, ir.FAbs: 1,
	ir.FFloor: 1, ir.FCeil: 1, ir.FTrunc: 1, ir.FNearest: 1, ir.Canon: 1, ir.FFlush: 1, ir.FLog2: 1, ir.DDX: 1, ir.DDY: 1,
	ir.FMin: 1, ir.FMax: 1, // they keep the first where the second is a NaN
	ir.Sel: 6, // a NaN that is not taken has no part in the result
}

// handsOn reports whether operand k of in hands a NaN on to the result.
func handsOn(in *ir.Inst, k int) bool { return int(in.Op) < len(numbers) && numbers[in.Op]>>k&1 != 0 }

// A flow hands registers on from block to block.
type flow struct{ from, to ir.Reg }

// flows lists what If and Loop hand on.
func flows(f *ir.Func) (list []flow) {
	add := func(from []ir.Reg, to func(k int) ir.Reg) {
		for k, r := range from {
			list = append(list, flow{r, to(k)})
		}
	}
	var block func(b *ir.Block, loop *ir.Inst)
	block = func(b *ir.Block, loop *ir.Inst) {
		for i := range b.Insts {
			in := &b.Insts[i]
			result := func(k int) ir.Reg { return in.Dst + ir.Reg(k) }
			switch in.Op {
			case ir.If:
				for _, arm := range in.Blocks {
					block(arm, loop)
					if end := &arm.Insts[len(arm.Insts)-1]; end.Op == ir.Yield {
						add(end.Args, result)
					}
				}
			case ir.Loop:
				body := in.Blocks[0]
				add(in.Args, func(k int) ir.Reg { return body.Params[k] })
				block(body, in)
			case ir.Break:
				add(in.Args, func(k int) ir.Reg { return loop.Dst + ir.Reg(k) })
			case ir.Continue:
				add(in.Args, func(k int) ir.Reg { return loop.Blocks[0].Params[k] })
			}
		}
	}
	block(f.Body, nil)
	return list
}

// hope prepares the entry of what optimistic gives.
func (f *function) hope(fs []*function) {
	n := len(f.Class)
	f.opt = &optimist{commit: commit(f.body, fs), plain: make([]bool, n), asks: make([]bool, n), suspect: make([]bool, n), sunk: make([]bool, n)}
	read := make([]bool, n)
	f.opt.last = len(f.all)
	for i, in := range f.all {
		for _, a := range in.Args {
			read[a] = true
		}
		if f.opt.commit < len(f.body) && in == &f.body[f.opt.commit] {
			f.opt.last = i
		}
	}
	for _, in := range f.before() {
		switch {
		case in.Op == ir.FMulZ:
			f.opt.plain[in.Dst] = true
		case asksNaN(in) && !read[in.Dst]:
			f.opt.asks[in.Dst] = true
		}
	}
}

// before and behind are the parts of the body on both sides of commit, in the order of Walk.
func (f *function) before() []*ir.Inst { return f.all[len(f.job)+len(f.tri) : f.opt.last] }
func (f *function) behind() []*ir.Inst { return f.all[f.opt.last:] }

// sink finds what is added to sum, when it is known what is dead.
func (f *function) sink() {
	o := f.opt
	before, rest := f.before(), f.behind()
	handed := flows(f.Func)
	suspect := o.suspect
	for changed := true; changed; {
		changed = false
		mark := func(r ir.Reg) {
			changed = changed || !suspect[r]
			suspect[r] = true
		}
		for _, in := range before {
			if in.Op == ir.FMulZ && !f.plainProduct(in.Args[0], in.Args[1]) {
				mark(in.Dst)
			}
			for k, a := range in.Args {
				if suspect[a] && handsOn(in, k) {
					mark(in.Dst)
				}
			}
		}
		for _, h := range handed {
			if suspect[h.from] {
				mark(h.to)
			}
		}
	}
	swallow := func(r ir.Reg) {
		if suspect[r] {
			o.sunk[r] = true
		}
	}
	for _, in := range before {
		if f.isDead(in) || in.Op == ir.Yield || in.Op == ir.Break || in.Op == ir.Continue || in.Op == ir.Loop || f.asks(in) {
			continue
		}
		for k, a := range in.Args {
			if !handsOn(in, k) {
				swallow(a)
			}
		}
	}
	for _, in := range rest {
		if !f.isDead(in) {
			for _, a := range in.Args {
				swallow(a)
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for _, h := range handed {
			if o.sunk[h.to] && suspect[h.from] && !o.sunk[h.from] {
				o.sunk[h.from] = true
				changed = true
			}
		}
	}
}

// thin leaves out what need not be added to sum: x where all that could make it a NaN makes a later y
// of the same stretch one, which is added. A stretch is a part of a block behind which no lane is left
// behind.
func (f *function) thin(stops func(in *ir.Inst) bool) {
	var block func(insts []ir.Inst)
	block = func(insts []ir.Inst) {
		from := 0
		for i := range insts {
			in := &insts[i]
			for _, b := range in.Blocks {
				if b != nil {
					block(b.Insts)
				}
			}
			if stops(in) {
				f.stretch(insts[from:i])
				from = i + 1
			}
		}
		f.stretch(insts[from:])
	}
	block(f.body[:f.opt.commit])
}

// stretch thins what is added to sum in a stretch.
func (f *function) stretch(insts []ir.Inst) {
	o := f.opt
	roots := map[ir.Reg]int{} // products, registers from elsewhere, those asked about
	causes := map[ir.Reg][]uint64{}
	root := func(r ir.Reg) []uint64 {
		n, ok := roots[r]
		if !ok {
			n = len(roots)
			roots[r] = n
		}
		set := make([]uint64, n/64+1)
		set[n/64] |= 1 << (n % 64)
		return set
	}
	// of gives what would make r a NaN.
	of := func(r ir.Reg) []uint64 {
		set, ok := causes[r]
		if !ok {
			set = root(r)
			causes[r] = set
		}
		return set
	}
	for i := range insts {
		if in := &insts[i]; f.asks(in) {
			root(in.Args[0])
		}
	}
	relevant := func(r ir.Reg) bool {
		_, asked := roots[r]
		return asked || o.suspect[r]
	}
	for i := range insts {
		in := &insts[i]
		if f.isDead(in) || in.N != 1 || len(in.Blocks) > 0 || in.Op == ir.Sel || !relevant(in.Dst) {
			continue
		}
		var set []uint64
		if _, asked := roots[in.Dst]; asked || o.plain[in.Dst] {
			set = root(in.Dst)
		}
		for k, a := range in.Args {
			if handsOn(in, k) && relevant(a) {
				set = union(set, of(a))
			}
		}
		causes[in.Dst] = set
	}
	var seen []uint64
	drop := func(set []uint64) bool {
		if subset(set, seen) {
			return true
		}
		seen = union(seen, set)
		return false
	}
	for i := range slices.Backward(insts) {
		in := &insts[i]
		switch {
		case f.isDead(in):
		case f.asks(in):
			if drop(of(in.Args[0])) {
				f.dead[in.Dst] = true
			}
		case in.N == 1 && o.sunk[in.Dst] && len(in.Blocks) == 0:
			if drop(of(in.Dst)) {
				o.sunk[in.Dst] = false
			}
		}
	}
}

// union gives the union of two sets; neither is changed.
func union(a, b []uint64) []uint64 {
	if len(a) < len(b) {
		a, b = b, a
	}
	if subset(b, a) {
		return a
	}
	a = slices.Clone(a)
	for i, x := range b {
		a[i] |= x
	}
	return a
}

func subset(a, b []uint64) bool {
	for i, x := range a {
		if x != 0 && (i >= len(b) || x&^b[i] != 0) {
			return false
		}
	}
	return true
}

// isPlain reports whether in is a product that is computed plainly.
func (f *function) isPlain(in *ir.Inst) bool {
	return f.opt != nil && f.opt.plain[in.Dst] || f.plainProduct(in.Args[0], in.Args[1])
}

// asks reports whether in is a question that is not answered.
func (f *function) asks(in *ir.Inst) bool { return f.opt != nil && in.N == 1 && f.opt.asks[in.Dst] }

// hopeful writes the wave of an optimistic entry.
func (w *writer) hopeful() error {
	o, end := w.f.opt, w.waveEnd
	w.sum = w.temps()
	for _, s := range w.sum[:w.m.n] {
		if w.zeroSum == 0 {
			w.Splat(0).Set(s)
		} else {
			w.Get(w.zeroSum).Set(s)
		}
	}
	w.hoped, w.lived = w.active, w.live
	if w.f.loops {
		w.stopped, w.hoped = w.Local(wasmenc.I32), w.temps()
		w.GetGlobal(w.m.gStopped).Set(w.stopped)
	}
	if w.f.state {
		w.lived = w.temps()
	}
	w.keep()
	redo := w.Block()
	w.leave = w.Block() // also where no lane lives any more
	w.waveEnd = w.leave
	if err := w.insts(w.f.body[:o.commit]); err != nil {
		return err
	}
	w.look(redo)
	w.leave, w.waveEnd = end, end
	if err := w.insts(w.f.body[o.commit:]); err != nil {
		return err
	}
	w.Br(end)
	w.End()
	w.look(redo)
	w.Br(end)
	w.End()
	if w.f.loops {
		w.Get(w.stopped).SetGlobal(w.m.gStopped)
	}
	if w.m.strict == nil {
		w.stuck()
		return nil
	}
	if w.m.p.Kind == ir.Tile {
		w.Get(w.x).Get(w.y)
	} else {
		w.Get(w.item)
	}
	for v := range w.m.n {
		w.Get(w.hoped[v])
	}
	for v := range w.m.n {
		w.Get(w.lived[v])
	}
	w.Call(w.m.strict)
	return nil
}

// stuck ends the job in front of the wave at hand and says where that is.
func (w *writer) stuck() {
	if w.m.p.Kind == ir.Tile {
		w.word(w.m.gDesc, exec.JobCount)
		w.Get(w.left).Op(wasmenc.I32Sub).SetGlobal(w.m.gSkip)
		w.waveNumber()
		if w.Get(w.part); w.m.wide() {
			w.I32(1).Op(wasmenc.I32Shl)
		}
		w.Op(wasmenc.I32Or).SetGlobal(w.m.gWave)
		w.Get(w.lanes) // without those of the wave
		for v := range w.m.n {
			w.Get(w.lived[v]).V(wasmenc.I32x4Bitmask).Op(wasmenc.I32Popcnt).Op(wasmenc.I64ExtendU).Op(wasmenc.I64Sub)
		}
	} else {
		w.Get(w.item)
		w.word(w.m.gDesc, exec.JobFirst)
		w.Op(wasmenc.I32Sub).Tee(w.rest).SetGlobal(w.m.gSkip)
		w.Get(w.rest).Op(wasmenc.I64ExtendU)
	}
	w.I64(Stuck).Op(wasmenc.I64Or).Set(w.lanes).Br(w.done)
}

// blockWaves is the number of waves in a block.
const blockWaves = exec.BlockSize * exec.BlockSize / (4 * waveVectors)

// waveNumber pushes the number, in the tile, of the first wave of the block at hand.
func (w *writer) waveNumber() {
	const shift = 3 // 8 blocks of 8 pixels in a row, and as many waves in a block
	w.Get(w.bx).Get(w.by).I32(shift).Op(wasmenc.I32Shl).Op(wasmenc.I32Or)
}

// keep notes the masks that the wave begins with, where they may change.
func (w *writer) keep() {
	for v := range w.m.n {
		if w.hoped != w.active {
			w.Get(w.active[v]).Set(w.hoped[v])
		}
		if w.lived != w.live {
			w.getLive(v)
			w.Set(w.lived[v])
		}
	}
}

// strict writes the function of the strict wave: its place, its active and its live lanes are the
// parameters.
func (w *writer) strict() error {
	n := uint32(0)
	next := func() uint32 { n++; return n - 1 }
	if w.m.p.Kind == ir.Tile {
		w.x, w.y = next(), next()
	} else {
		w.item = next()
	}
	for v := range w.m.n {
		w.active[v] = next()
	}
	for v := range w.m.n {
		w.live[v] = next()
		if w.m.shared {
			w.Get(w.live[v])
			w.setLive(v)
		}
	}
	w.spent = w.temps()
	w.covered = true
	w.step()
	w.waveEnd = w.Block()
	w.leave = w.waveEnd
	if err := w.insts(w.f.job); err != nil {
		return err
	}
	if err := w.insts(w.f.tri); err != nil {
		return err
	}
	w.declareOffsets()
	for i := range w.offsets {
		w.pixelOffset(&w.offsets[i].form)
		w.Set(w.offsets[i].wave)
	}
	if err := w.wave(); err != nil {
		return err
	}
	w.End()
	return nil
}

// look branches to redo where sum is a NaN in a lane that was active.
func (w *writer) look(redo wasmenc.Label) {
	for v, sum := range w.sum[:w.m.n] {
		w.Get(sum).Get(sum).V(wasmenc.F32x4Ne).Get(w.hoped[v]).V(wasmenc.V128And)
		if v > 0 {
			w.V(wasmenc.V128Or)
		}
	}
	w.V(wasmenc.V128AnyTrue).BrIf(redo)
}

// addToSum adds a register to sum in the active lanes.
func (w *writer) addToSum(r ir.Reg) {
	for v, sum := range w.sum[:w.m.n] {
		w.Get(sum)
		if w.vec(r, v); w.parted > 0 {
			w.Get(w.active[v]).V(wasmenc.V128And)
		}
		w.V(wasmenc.F32x4Add).Set(sum)
	}
}
