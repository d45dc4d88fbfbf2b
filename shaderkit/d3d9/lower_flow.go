package d3d9

import (
	"fmt"
	"slices"

	"swizzle/shaderkit/ir"
)

// building is the state of a function while its IR is written.
type building struct {
	index   int // in prog.Funcs
	b       *ir.Builder
	vars    map[register][4]ir.Var
	regs    []register // the keys of vars, ordered
	params  []register // registers that are handed in, four components each
	results []register // registers that are handed back
	zero    ir.Reg
	one     ir.Reg
	file    [3]ir.Reg // addresses of the records of the constant files
	loaded  map[component]ir.Reg
	open    []block
	left    bool   // behind a ret outside all blocks
	gone    ir.Var // with guard: mask of lanes that returned
	at      int    // the instruction being lowered
}

// A block is an if, loop or rep that is open.
type block struct {
	at     int      // its first instruction
	before []ir.Reg // of all variables
	cond   ir.Reg   // if
	loop   bool     // loop or rep
	count  ir.Var   // loop, rep: rounds left
	step   ir.Reg   // loop: added to aL after each round
	gone   ir.Var   // loop, rep with guard: mask of lanes that are to leave
	leaves bool     // with guard: lanes may be gone behind it
	rest   bool     // made for what stands behind a place where lanes left; it ends with the block around it
}

// begin starts the IR of f. Its variables are its registers, so that no block has to make one.
func (l *lowering) begin(f *function, name string, params int, results []register) {
	f.building = &building{index: len(l.prog.Funcs), vars: map[register][4]ir.Var{}, results: results, loaded: map[component]ir.Reg{}}
	l.building = f.building
	l.b = ir.NewBuilder(name, ir.C32s(params), ir.C32s(4*len(results)))
	l.prog.Funcs = append(l.prog.Funcs, l.b.Func)
	l.zero, l.one = l.b.U(0), l.b.U(one)
	for i := range l.file {
		l.file[i] = l.b.Emit(ir.Res, uint64(i))
	}
	for _, r := range sortedRegisters(f.consts) { // here they are read once, whatever the flow
		for c := range 4 {
			v := l.b.Emit(ir.Load, 0, l.file[fileFloat], l.b.U(r.num*16+uint32(4*c)))
			if l.ps1 { // constants are in -1..1, by whomever they are set
				v = l.ranged(l.b.Emit(ir.FMin, 0, l.b.Emit(ir.FMax, 0, l.b.F(-1), v), l.one))
			}
			l.loaded[component{r, c}] = v
		}
	}
	all := map[register]bool{}
	for _, m := range []map[register]bool{f.reads, f.writes} {
		for r := range m {
			all[r] = true
		}
	}
	for _, r := range results {
		all[r] = true
	}
	l.regs = sortedRegisters(all)
	for _, r := range l.regs {
		first := l.zero
		if r == (register{RegAttrOut, 0}) || r == (register{RegRastOut, 1}) { // oD0, oFog
			first = l.one
		}
		l.vars[r] = [4]ir.Var{l.b.NewVar(first), l.b.NewVar(first), l.b.NewVar(first), l.b.NewVar(first)}
	}
	l.gone = l.b.NewVar(l.zero)
}

func (l *lowering) constant(num uint32, lane int) ir.Reg {
	return l.loaded[component{register{RegConst, num}, lane}]
}

// values gives the values of registers here, four components each.
func (l *lowering) values(regs []register) []ir.Reg {
	out := make([]ir.Reg, 0, 4*len(regs))
	for _, r := range regs {
		for c := range 4 {
			out = append(out, l.b.Get(l.vars[r][c]))
		}
	}
	return out
}

// body lowers the instructions of f and finishes it.
func (l *lowering) body(f *function) {
	for i := f.first; i < f.last && !l.left; i++ {
		in := &l.insts[i]
		if in.Class&classDeclare != 0 {
			continue
		}
		l.at, l.b.From = i, int32(in.num)
		if l.o.Probe && in.Code != codeElse && in.Code != codeEndif && in.Code != codePhase {
			n := l.b.Emit(ir.IAdd, 0, l.b.Get(l.vars[steps][0]), l.b.U(1))
			l.set(component{steps, 0}, n, ir.NoReg)
		}
		next := i+1 < f.last && l.insts[i+1].coissue
		l.pair = next || in.coissue
		in.Lower.(lowerFunc)(l, in)
		if !next {
			l.together()
		}
	}
	l.closeRest()
	l.b.Finish(l.values(l.results)...)
}

// together writes what the instructions of a co-issued pair computed.
func (l *lowering) together() {
	waiting := l.waiting
	l.waiting = nil
	for _, r := range waiting {
		l.b.From = int32(r.in.num)
		l.commit(r.in, r.mask, r.v)
	}
}

// push opens a block; the caller opens it in the builder.
func (l *lowering) push(k block) {
	k.at, k.before = l.at, l.values(l.regs)
	l.open = append(l.open, k)
}

func (l *lowering) top() *block { return &l.open[len(l.open)-1] }

// join ends a block. Behind it the variables of lanes that were not active where it began are
// undefined: they get their old values back where a neighbour could tell.
func (l *lowering) join() {
	k := l.top()
	l.open = l.open[:len(l.open)-1]
	if !l.guard || !l.divergent[k.at] {
		return
	}
	for i, r := range l.regs {
		for c := range 4 {
			v := l.vars[r][c]
			l.b.Set(v, l.keep(l.b.Get(v), k.before[4*i+c]))
		}
	}
}

func lowerIf(l *lowering, in *inst) {
	var cond ir.Reg
	if in.Code == codeIfc {
		cond = l.comparison(in, 0)
	} else {
		cond = l.condition(&in.src[0], 0)
	}
	l.push(block{cond: cond})
	l.b.If(cond)
}

// lowerElse begins the other arm. With guard it is an if of its own, so that it sees what lanes of the
// first arm wrote.
func lowerElse(l *lowering, in *inst) {
	l.closeRest()
	if !l.guard {
		l.b.Else()
		return
	}
	k := *l.top()
	l.b.EndIf()
	l.join()
	other := l.b.Emit(ir.Not, 0, k.cond)
	l.push(block{leaves: k.leaves})
	l.top().at = k.at
	l.b.If(other)
}

func lowerEndif(l *lowering, in *inst) {
	l.closeRest()
	leaves := l.top().leaves
	l.b.EndIf()
	l.join()
	if leaves {
		l.openRest()
	}
}

// lowerLoop lowers loop and rep: the count is x, at most 255; loop has the start of aL in y, the step
// in z. The count runs by itself, since a step may be zero.
func lowerLoop(l *lowering, in *inst) {
	i := &in.src[len(in.src)-1]
	load := func(c int) ir.Reg {
		return l.b.Emit(ir.Load, 0, l.file[fileInt], l.b.U(i.num*16+uint32(4*i.at(c))))
	}
	n := l.b.Emit(ir.IMin, 0, l.b.Emit(ir.IMax, 0, load(0), l.zero), l.b.U(255))
	l.push(block{loop: true})
	k := l.top()
	k.count, k.gone = l.b.NewVar(n), l.b.NewVar(l.zero)
	if in.Code == codeLoop {
		k.step = load(2)
		l.write(component{register{RegLoop, 0}, 0}, load(1), ir.NoReg)
	}
	l.b.Loop()
	end := l.b.Emit(ir.IEq, 0, l.b.Get(k.count), l.zero)
	if l.guard {
		end = l.b.Emit(ir.Or, 0, end, l.b.Get(k.gone))
	}
	l.b.BreakIf(end)
	l.b.Set(k.count, l.b.Emit(ir.ISub, 0, l.b.Get(k.count), l.b.U(1)))
}

func lowerEndloop(l *lowering, in *inst) {
	l.closeRest()
	aL := component{register{RegLoop, 0}, 0}
	k := *l.top()
	if in.Code == codeEndloop {
		stay := ir.NoReg
		if l.guard {
			stay = l.b.Emit(ir.Not, 0, l.b.Get(k.gone))
		}
		l.write(aL, l.b.Emit(ir.IAdd, 0, l.b.Get(l.vars[aL.register][0]), k.step), stay)
	}
	l.b.EndLoop()
	l.join()
	if in.Code == codeEndloop { // aL belongs to the enclosing loop again
		for i, r := range l.regs {
			if r == aL.register {
				l.write(aL, k.before[4*i], ir.NoReg)
			}
		}
	}
	if k.leaves {
		l.openRest()
	}
}

func lowerBreak(l *lowering, in *inst) {
	cond := l.b.U(^uint32(0))
	switch in.Code {
	case codeBreakc:
		cond = l.comparison(in, 0)
	case codeBreakp:
		cond = l.condition(&in.src[0], 0)
	}
	switch {
	case l.guard:
		l.leave(cond, false)
	case in.Code == codeBreak:
		l.b.Break()
	default:
		l.b.BreakIf(cond)
	}
}

// lowerRet leaves the function. Outside all blocks the rest of it is never reached.
func lowerRet(l *lowering, in *inst) {
	switch {
	case !slices.ContainsFunc(l.open, func(k block) bool { return !k.rest }):
		l.left = true
	case l.guard:
		l.leave(l.b.U(^uint32(0)), true)
	default:
		l.b.Return(l.values(l.results)...)
	}
}

// leave takes lanes out of the innermost loop, or of the function, where their neighbours still look at
// them. The IR forgets what a lane wrote in the round, or in the arm, that it leaves. So it only marks
// the lanes as gone: they sit out what follows, and leave a loop at the head of its next round, with
// all that they wrote.
func (l *lowering) leave(cond ir.Reg, function bool) {
	cond = l.b.Emit(ir.And, 0, cond, l.b.Emit(ir.Active, 0))
	mark := func(v ir.Var) { l.b.Set(v, l.b.Emit(ir.Or, 0, l.b.Get(v), cond)) }
	for i := len(l.open) - 1; i >= 0; i-- {
		k := &l.open[i]
		if k.loop {
			mark(k.gone)
			if !function {
				l.openRest()
				return
			}
		}
		k.leaves = true
	}
	mark(l.building.gone)
	l.openRest()
}

// openRest opens the block of the lanes that are not gone, in place of an earlier one.
func (l *lowering) openRest() {
	l.closeRest()
	gone := l.building.gone
	for _, k := range l.open {
		if k.loop {
			gone = k.gone
		}
	}
	stay := l.b.Emit(ir.Not, 0, l.b.Get(gone))
	l.push(block{rest: true})
	l.b.If(stay)
}

// closeRest ends the block that openRest opened in the innermost block.
func (l *lowering) closeRest() {
	if len(l.open) > 0 && l.top().rest {
		l.b.EndIf()
		l.join()
	}
}

func lowerCall(l *lowering, in *inst) {
	f := l.labels[in.src[0].num]
	if f.building == nil {
		l.lowerFunction(f)
	}
	if in.Code == codeCallnz {
		l.push(block{})
		l.b.If(l.condition(&in.src[1], 0))
	}
	out := l.b.Call(f.index, l.prog.Funcs[f.index], l.values(f.params)...)
	for i, r := range f.building.results {
		for c := range 4 {
			v := l.vars[r][c]
			l.b.Set(v, l.keep(out[4*i+c], l.b.Get(v)))
		}
	}
	if in.Code == codeCallnz {
		l.b.EndIf()
		l.join()
	}
}

// lowerFunction lowers a subroutine at its first call. The registers that it reads or writes are its
// parameters, those that it writes its results.
func (l *lowering) lowerFunction(f *function) {
	caller := l.building
	both := map[register]bool{}
	for r := range f.reads {
		both[r] = true
	}
	for r := range f.writes {
		both[r] = true
	}
	params := sortedRegisters(both)
	l.begin(f, fmt.Sprintf("l%d", f.label), 4*len(params), sortedRegisters(f.writes))
	l.params = params
	for i, r := range params {
		for c := range 4 {
			l.b.Set(l.vars[r][c], l.b.Func.Params[4*i+c])
		}
	}
	l.body(f)
	l.building = caller
}
