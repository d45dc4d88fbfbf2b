package interp

import "swizzle/shaderkit/ir"

// A loopFrame is an open loop.
type loopFrame struct {
	outer           *loopFrame
	params, results []val
	staged          []val // next values of params, when several places continue
	last            []val // arguments of the only Continue, at the end of the body
	slot            int32
}

// A called function has a frame of its own, since no function is recursive.
type called struct {
	list            list
	params, results []val
	slot            int32
}

// inlineLimit is the length up to which a function is inlined at each call.
const inlineLimit = 48

// branch flattens an If.
func (f *flattener) branch(fr *frame, in *ir.Inst, args []val) {
	slot := f.newSlots(ifSlots)
	at := f.emit(flat{ctl: ctlIf, args: args, slot: slot, from: in.From})
	results := f.results(fr, in)
	outer := f.pending
	f.pending = nil
	yield := f.insts(fr, in.Blocks[0])
	arm := flat{ctl: ctlElse, slot: slot, moves: pairs(results, yield)}
	if yield != nil {
		arm.defs = results
	}
	mid := f.emit(arm)
	f.endBlock(mid, nil)
	f.cur.code[at].to = mid + 1
	other := f.insts(fr, in.Blocks[1])
	arm = flat{ctl: ctlEnd, slot: slot, moves: pairs(results, other)}
	if yield == nil {
		arm.defs = results
	}
	end := f.emit(arm)
	f.endBlock(end, outer)
	f.cur.code[mid].to = end + 1
	f.wantSkip(mid)
	f.wantSkip(end)
}

// repeat flattens a Loop.
func (f *flattener) repeat(fr *frame, in *ir.Inst, args []val) {
	f.loops = true
	body := in.Blocks[0]
	lf := &loopFrame{outer: fr.loop, slot: f.newSlots(loopSlots)}
	lf.results = f.results(fr, in)
	l := int32(len(f.cur.loops))
	f.cur.loops = append(f.cur.loops, loopRange{parent: f.loop})
	outerLoop, outerTrip := f.loop, f.trip
	f.loop, f.trip = l, lf.slot+slotTrip
	class := make([]ir.Class, len(body.Params))
	for i, r := range body.Params {
		class[i] = fr.f.Class[r]
	}
	lf.params = f.lanes(class)
	for i, r := range body.Params {
		fr.m[r] = lf.params[i]
	}
	if n := len(body.Insts); n == 0 || body.Insts[n-1].Op != ir.Continue || continues(body) > 1 {
		lf.staged = f.lanes(class)
	}
	begin := f.emit(flat{ctl: ctlLoop, slot: lf.slot, moves: pairs(lf.params, args), from: in.From})
	f.cur.code[begin].defs = append(append(append([]val(nil), lf.params...), lf.staged...), lf.results...)
	f.cur.loops[l].begin = begin
	outer := f.pending
	f.pending, fr.loop = nil, lf
	f.insts(fr, body)
	back := flat{ctl: ctlBack, slot: lf.slot, to: begin + 1}
	if lf.staged != nil {
		back.moves = pairs(lf.params, lf.staged)
	} else {
		back.moves = pairs(lf.params, lf.last)
	}
	end := f.emit(back)
	f.cur.loops[l].end = end
	f.endBlock(end, outer)
	f.wantSkip(end)
	f.loop, f.trip, fr.loop = outerLoop, outerTrip, lf.outer
	// Parameters, and results written in some iteration, keep their registers to the end.
	for _, v := range f.cur.code[begin].defs {
		f.vals[v].last = end
	}
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

// call flattens a Call: inlined, or as a call of a function with a frame of its own.
func (f *flattener) call(fr *frame, in *ir.Inst, args []val) {
	fn := f.p.Funcs[in.Imm]
	counts := uint64(1)
	if fn.Macro {
		counts = 0
	}
	if f.sites[in.Imm] > 1 && !short(fn.Body) {
		f.loops = true
		c := f.declare(int(in.Imm))
		at := f.emit(flat{ctl: ctlCall, imm: counts, to: int32(in.Imm), slot: c.slot, moves: pairs(c.params, args), from: in.From})
		results := f.results(fr, in)
		done := f.emit(flat{ctl: ctlMove, moves: pairs(results, c.results), defs: results})
		f.wantSkip(at)
		f.wantSkip(done)
		return
	}
	inner := f.newFrame(fn)
	for i, r := range fn.Params {
		inner.m[r] = args[i]
	}
	inner.slot = f.newSlots(1)
	at := flat{ctl: ctlEnter, imm: counts, slot: inner.slot, from: in.From}
	if !inner.tail {
		inner.results = f.lanes(fn.Results)
		at.defs = inner.results
	}
	f.enters += int(counts)
	enter := f.emit(at)
	outer, trip := f.pending, f.trip
	f.pending, f.trip = nil, -1
	f.insts(inner, fn.Body)
	f.trip = trip
	leave := flat{ctl: ctlLeave, slot: inner.slot}
	if inner.tail {
		leave.imm = 1
	}
	end := f.emit(leave)
	f.endBlock(end, outer)
	f.wantSkip(enter)
	f.wantSkip(end)
	for i := range int(in.N) {
		fr.m[in.Dst+ir.Reg(i)] = inner.results[i]
	}
}

// short reports whether a function is inlined at each of its calls: it is small and calls nothing.
func short(b *ir.Block) bool {
	n := 0
	b.Walk(func(in *ir.Inst) {
		if n++; in.Op == ir.Call {
			n += inlineLimit
		}
	})
	return n <= inlineLimit
}

// declare gives function number i a frame.
func (f *flattener) declare(i int) *called {
	if c := f.funcs[i]; c != nil {
		return c
	}
	c := &called{slot: f.newSlots(1)}
	f.funcs[i] = c
	f.order = append(f.order, i)
	fn := f.p.Funcs[i]
	cur, loop := f.cur, f.loop
	f.cur, f.loop = &c.list, -1
	for _, r := range fn.Params {
		c.params = append(c.params, f.lane(fn.Class[r]))
	}
	c.results = f.lanes(fn.Results)
	f.cur, f.loop = cur, loop
	return c
}

// function flattens a function that is called.
func (f *flattener) function(i int) {
	c, fn := f.funcs[i], f.p.Funcs[i]
	f.cur, f.loop, f.trip, f.pending = &c.list, -1, -1, nil
	fr := f.newFrame(fn)
	fr.tail, fr.slot, fr.results = false, c.slot, c.results
	for k, r := range fn.Params {
		fr.m[r] = c.params[k]
	}
	f.insts(fr, fn.Body)
	end := f.emit(flat{ctl: ctlRet, slot: c.slot})
	f.endBlock(end, nil)
	for _, v := range append(append([]val(nil), c.params...), c.results...) {
		f.vals[v].last = end
	}
}
