package jit

import (
	"swizzle/shaderkit/internal/wasmenc"
	"swizzle/shaderkit/ir"
)

// A loopCode is an open loop.
type loopCode struct {
	in      *ir.Inst
	results []place
	params  []place
	apart   bool // lanes may leave or continue where others do not; else all do the same

	out, turn wasmenc.Label // together: where Break and Continue go

	// asunder
	next   []place // parameters of the next iteration, in the lanes of again
	single bool    // only one Continue sets them
	again  [maxVectors]uint32
	left   [maxVectors]uint32 // lanes that left by Break
}

// insts writes instructions of a block up to its end. When no lane is left it branches to w.leave.
func (w *writer) insts(insts []ir.Inst) error {
	for i := range insts {
		in := &insts[i]
		if w.f.isDead(in) {
			continue
		}
		w.mark(in)
		if err := w.inst(in); err != nil {
			return err
		}
		if w.empties(in) && i+1 < len(insts) {
			w.any(w.active[:w.m.n]...)
			w.Op(wasmenc.I32Eqz).BrIf(w.leave)
		}
	}
	return nil
}

func (w *writer) inst(in *ir.Inst) error {
	switch in.Op {
	case ir.If:
		return w.branch(in)
	case ir.Loop:
		return w.repeat(in)
	case ir.Const, ir.Const64, ir.Write:
	case ir.Break:
		l := w.loops[len(w.loops)-1]
		single := func(i int) bool { return w.f.uniform[l.in.Dst+ir.Reg(i)] }
		if !l.apart {
			w.assign(l.results, single, in.Args, nil)
			w.Br(l.out)
			break
		}
		w.give(in, l.results, single, &w.active, l.left)
	case ir.Continue:
		l := w.loops[len(w.loops)-1]
		single := func(i int) bool { return w.f.uniform[l.in.Blocks[0].Params[i]] }
		if !l.apart {
			w.assign(l.params, single, in.Args, nil)
			w.Br(l.turn)
			break
		}
		mask := &w.active
		if l.single {
			mask = nil // no other lanes will look
		}
		w.give(in, l.next, single, mask, l.again)
	case ir.Return:
		if w.f.entry {
			if w.clear(w.active); w.parted > 0 {
				w.notSolid()
			}
			break
		}
		w.give(in, w.results, func(int) bool { return false }, &w.active, w.returned)
	case ir.Call:
		w.call(in)
	case ir.Store:
		w.store(in)
	case ir.Taps:
		w.taps(in)
	case ir.Kill:
		w.kill(in)
	case ir.Cover:
		w.cover(in)
	default:
		if err := w.row(in); err != nil {
			return err
		}
		if in.Op == ir.Res && w.f.record[in.Dst] {
			w.declareSpan(in.Dst)
		}
	}
	w.step()
	return nil
}

// empties reports whether behind in no lane may be active.
func (w *writer) empties(in *ir.Inst) bool {
	switch in.Op {
	case ir.Loop:
		return true
	case ir.Call:
		return w.m.fs[in.Imm].loops || !w.m.p.Funcs[in.Imm].Macro
	case ir.If:
		for _, arm := range in.Blocks {
			for i := range arm.Insts {
				switch at := &arm.Insts[i]; at.Op {
				case ir.Break, ir.Continue, ir.Return:
					return true
				default:
					if w.empties(at) {
						return true
					}
				}
			}
		}
	}
	return false
}

func (w *writer) clear(masks [maxVectors]uint32) {
	for _, m := range masks[:w.m.n] {
		w.Splat(0).Set(m)
	}
}

// give ends a block: the lanes of mask, or all, set values, and the active ones join the lanes of to.
func (w *writer) give(in *ir.Inst, values []place, single func(i int) bool, mask *[maxVectors]uint32, to [maxVectors]uint32) {
	w.assign(values, single, in.Args, mask)
	for v, t := range to[:w.m.n] {
		w.Get(t).Get(w.active[v]).V(wasmenc.V128Or).Set(t)
	}
	w.clear(w.active)
}

// within writes a block of its own to branch out of.
func (w *writer) within(insts []ir.Inst) error {
	outer := w.leave
	w.leave = w.Block()
	err := w.insts(insts)
	w.End()
	w.leave = outer
	return err
}

// arm writes an arm of an If up to its Yield, which sets the results in the active lanes, or in all.
func (w *writer) arm(in *ir.Inst, k int, all bool) error {
	outer := w.leave
	w.leave = w.Block()
	arm := in.Blocks[k].Insts
	end := &arm[len(arm)-1]
	if end.Op == ir.Yield {
		arm = arm[:len(arm)-1]
	}
	if err := w.insts(arm); err != nil {
		return err
	}
	if end.Op == ir.Yield {
		w.yield(in, end, all)
	}
	w.End()
	w.leave = outer
	return nil
}

// yield sets the results of the If in.
func (w *writer) yield(in, end *ir.Inst, all bool) {
	defer w.step()
	if in.N == 0 {
		return
	}
	mask := &w.active
	if all {
		mask = nil
	}
	w.assign(w.at[in.Dst:][:in.N], func(i int) bool { return w.f.uniform[in.Dst+ir.Reg(i)] }, end.Args, mask)
}

// branch writes an If. Arms that no lane takes are skipped.
func (w *writer) branch(in *ir.Inst) error {
	cond := in.Args[0]
	for k := range in.N {
		w.declare(in.Dst + ir.Reg(k))
	}
	if w.f.uniform[cond] {
		w.lane0(cond)
		w.I32(0).Op(wasmenc.I32LtS)
		w.step()
		w.If()
		if err := w.arm(in, 0, true); err != nil {
			return err
		}
		w.Else()
		if err := w.arm(in, 1, true); err != nil {
			return err
		}
		w.End()
		w.step()
		return nil
	}
	w.parted++
	defer func() { w.parted-- }()
	first, second := w.temps(), w.temps()
	for v := range w.m.n {
		w.sign(cond, v)
		w.Get(w.active[v]).V(wasmenc.V128And).Tee(first[v]).Get(w.active[v]).V(wasmenc.V128Xor).Set(second[v])
	}
	w.step()
	w.any(first[:w.m.n]...)
	w.If()
	for v := range w.m.n {
		w.Get(first[v]).Set(w.active[v])
	}
	if err := w.arm(in, 0, true); err != nil {
		return err
	}
	for v := range w.m.n {
		w.Get(w.active[v]).Set(first[v]) // lanes to join
	}
	w.End()
	for v := range w.m.n {
		w.Get(second[v]).Set(w.active[v])
	}
	if other := in.Blocks[1].Insts; len(other) == 1 && other[0].Op == ir.Yield {
		w.yield(in, &other[0], false)
	} else {
		w.any(second[:w.m.n]...)
		w.If()
		if err := w.arm(in, 1, false); err != nil {
			return err
		}
		w.End()
	}
	for v := range w.m.n {
		w.Get(w.active[v]).Get(first[v]).V(wasmenc.V128Or).Set(w.active[v])
	}
	w.release(first[:w.m.n]...)
	w.release(second[:w.m.n]...)
	w.step()
	return nil
}

// repeat writes a Loop.
func (w *writer) repeat(in *ir.Inst) error {
	body := in.Blocks[0]
	l := &loopCode{in: in, single: continues(body) == 1, apart: w.f.apart[in]}
	for k := range in.N {
		w.declare(in.Dst + ir.Reg(k))
		l.results = append(l.results, w.at[in.Dst+ir.Reg(k)])
	}
	for _, r := range body.Params {
		w.declare(r)
		l.params = append(l.params, w.at[r])
	}
	w.assign(l.params, func(i int) bool { return w.f.uniform[body.Params[i]] }, in.Args, nil)
	w.step()
	w.loops = append(w.loops, l)
	write := w.together
	if l.apart {
		write = w.asunder
	}
	if err := write(l, body); err != nil {
		return err
	}
	w.loops = w.loops[:len(w.loops)-1]
	w.step()
	return nil
}

// enter opens a block that any active lane enters.
//
// Never is none active where a loop begins. But without the branch what follows were dominated by the
// loop, and wazero takes all that such blocks have in registers for live, though nothing reads it. With
// few registers left it reloads temporaries of an instruction as they were before it changed them.
func (w *writer) enter() {
	w.any(w.active[:w.m.n]...)
	w.If()
}

// together writes a loop whose lanes leave and continue all at once: both are branches.
func (w *writer) together(l *loopCode, body *ir.Block) error {
	w.enter()
	l.out = w.Block()
	again := w.Loop()
	l.turn = w.Block()
	if err := w.within(body.Insts); err != nil {
		return err
	}
	w.Br(l.out) // no lane is left
	w.End()
	w.spend()
	w.any(w.active[:w.m.n]...)
	w.BrIf(again)
	w.End()
	w.End()
	w.End()
	return nil
}

// asunder writes a loop whose lanes may part.
func (w *writer) asunder(l *loopCode, body *ir.Block) error {
	w.parted++
	defer func() { w.parted-- }()
	l.again, l.left = w.temps(), w.temps()
	for _, r := range body.Params {
		var next place
		for v := range w.width(r) {
			next[v] = w.temp()
		}
		l.next = append(l.next, next)
	}
	w.clear(l.left)
	w.enter()
	again := w.Loop()
	w.clear(l.again)
	if err := w.within(body.Insts); err != nil {
		return err
	}
	for v := range w.m.n {
		w.Get(l.again[v]).Set(w.active[v])
	}
	w.any(w.active[:w.m.n]...)
	w.If()
	w.spend()
	for i, r := range body.Params {
		c := w.f.Class[r]
		for v := range w.width(r) {
			if w.Get(l.next[i][v]); !w.f.uniform[r] {
				w.Get(l.params[i][v])
				w.maskOf(c, w.active, v)
				w.choose()
			}
			w.Set(l.params[i][v])
		}
	}
	w.any(w.active[:w.m.n]...)
	w.BrIf(again)
	w.End()
	w.End()
	w.End()
	for v := range w.m.n {
		w.Get(l.left[v]).Set(w.active[v])
	}
	w.release(l.again[:w.m.n]...)
	w.release(l.left[:w.m.n]...)
	for i, r := range body.Params {
		w.release(l.next[i][:w.width(r)]...)
	}
	return nil
}

// continues counts the Continue instructions that belong to the loop with this body.
func continues(body *ir.Block) (n int) {
	for i := range body.Insts {
		switch in := &body.Insts[i]; in.Op {
		case ir.Continue:
			n++
		case ir.If:
			n += continues(in.Blocks[0]) + continues(in.Blocks[1])
		}
	}
	return n
}

// spend counts a step of the active lanes; those that have none left stop.
func (w *writer) spend() {
	over := w.temps()
	for v := range w.m.n {
		w.count(v)
		w.Get(w.active[v]).V(wasmenc.I32x4Sub)
		w.setCount(v)
		w.count(v)
		w.GetGlobal(w.m.gBudget).V(wasmenc.I32x4Splat).V(wasmenc.I32x4GtU).Get(w.active[v]).V(wasmenc.V128And).Set(over[v])
	}
	w.any(over[:w.m.n]...)
	w.If()
	w.I32(1).SetGlobal(w.m.gStopped)
	w.notSolid()
	for v := range w.m.n {
		w.Get(w.active[v]).Get(over[v]).V(wasmenc.V128AndNot).Set(w.active[v])
	}
	w.End()
	w.release(over[:w.m.n]...)
}

// notSolid notes that a lane left the wave.
func (w *writer) notSolid() {
	if w.solid != 0 {
		w.I32(0).Set(w.solid)
	}
}

// count pushes how many steps the lanes of vector v took, setCount pops it; getLive and setLive do the
// same with the mask of the lanes that count.
func (w *writer) count(v int) {
	if w.m.shared {
		w.GetGlobal(w.m.gSpent[v])
	} else {
		w.Get(w.spent[v])
	}
}

func (w *writer) setCount(v int) {
	if w.m.shared {
		w.SetGlobal(w.m.gSpent[v])
	} else {
		w.Set(w.spent[v])
	}
}

func (w *writer) getLive(v int) {
	if w.m.shared || !w.f.entry {
		w.GetGlobal(w.m.gLive[v])
	} else {
		w.Get(w.live[v])
	}
}

func (w *writer) setLive(v int) {
	if w.m.shared {
		w.SetGlobal(w.m.gLive[v])
	} else {
		w.Set(w.live[v])
	}
}

// kill takes lanes from the live ones. Where neither loop nor call can tell what helpers do, a wave
// without live lanes is done.
func (w *writer) kill(in *ir.Inst) {
	for v := range w.m.n {
		w.getLive(v)
		w.sign(in.Args[0], v)
		w.Get(w.active[v]).V(wasmenc.V128And).V(wasmenc.V128AndNot)
		w.setLive(v)
	}
	if w.solid != 0 {
		for v, live := range w.live[:w.m.n] {
			if w.Get(live); v > 0 {
				w.V(wasmenc.V128And)
			}
		}
		w.V(wasmenc.I32x4AllTrue).Get(w.solid).Op(wasmenc.I32And).Set(w.solid)
	}
	if w.f.entry && !w.m.fs[0].loops {
		for v := range w.m.n {
			if w.getLive(v); v > 0 {
				w.V(wasmenc.V128Or)
			}
		}
		w.V(wasmenc.V128AnyTrue).Op(wasmenc.I32Eqz).BrIf(w.waveEnd)
	}
}

// call writes a Call: the mask and the operands go, the mask of the lanes that returned and the
// results come back.
func (w *writer) call(in *ir.Inst) {
	g := w.m.fs[in.Imm]
	if !g.Macro {
		w.spend()
		w.any(w.active[:w.m.n]...)
		w.Op(wasmenc.I32Eqz).BrIf(w.leave)
	}
	for v := range w.m.n {
		w.Get(w.active[v])
	}
	for k, a := range in.Args {
		for v := range w.m.width(w.f.Class[a], g.uniform[g.Params[k]]) {
			w.vec(a, v)
		}
	}
	w.Call(w.m.code[in.Imm])
	for k := in.N - 1; k >= 0; k-- {
		r := in.Dst + ir.Reg(k)
		w.declare(r)
		for v := w.width(r) - 1; v >= 0; v-- {
			w.set(r, v)
		}
	}
	for v := w.m.n - 1; v >= 0; v-- {
		w.Set(w.active[v])
	}
}
