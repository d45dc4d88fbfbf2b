package ir

import (
	"fmt"
	"math"
	"slices"
)

// A Builder writes one function. It keeps named variables and turns them into SSA values: Set gives
// a variable a new value, Get the value that reaches the place, also through If and Loop. Registers
// themselves, and variables made inside an arm or a body, are known up to the end of that block.
//
// Code behind a Break, Continue or Return up to the end of its block is dropped; its registers exist
// and are never assigned.
//
// A Builder is used by code, not by input: it panics when it is misused (an Else without If, a Break
// outside a loop, a variable out of its block). Front ends check their input first, with InIf,
// InLoop and Depth.
type Builder struct {
	Func *Func
	From int32 // put into every instruction: the ISA instruction being lowered, -1 for fixed function
	vars []Reg // current value of each variable; NoReg: its block has ended
	open []frame
	cur  *Block
	dead bool  // behind a Break, Continue or Return
	slab []Reg // where operand lists are cut from
}

// A Var is a variable of a Builder.
type Var int

// A frame is an open If or Loop.
type frame struct {
	loop      bool
	outer     *Block // the enclosing block
	outerDead bool
	entry     []Reg // variables before
	from      int32
	arm       [2]*Block // If: then, else; Loop: body
	cond      Reg       // If: the condition
	nArm      int       // If: the arm being written
	armDead   [2]bool   // If: the end of the arm is not reached
	after     [2][]Reg  // If: variables at the end of each arm
}

// NewBuilder starts a function with the given parameter and result classes.
func NewBuilder(name string, params, results []Class) *Builder {
	f := &Func{Name: name, Results: results, Body: &Block{Insts: make([]Inst, 0, 64)}, Class: make([]Class, 0, 128)}
	for _, c := range params {
		f.Params = append(f.Params, f.NewReg(c))
	}
	return &Builder{Func: f, From: -1, cur: f.Body}
}

// C32s gives n times the class of 32 bits.
func C32s(n int) []Class { return make([]Class, n) }

// Emit adds an instruction with the one result that its row states (NoReg for none).
func (b *Builder) Emit(op Op, imm uint64, args ...Reg) Reg {
	row := &ops[op]
	if row.Results > 1 || row.Results < 0 {
		panic(fmt.Sprintf("ir: Emit of %s, which has not one result", row.Name))
	}
	return b.add(Inst{Op: op, Imm: imm, Args: b.list(args)}, row.Results, row.Class)
}

// EmitN adds an instruction with several results, as its row states.
func (b *Builder) EmitN(op Op, imm uint64, args ...Reg) []Reg {
	row := &ops[op]
	if row.Results < 0 {
		panic(fmt.Sprintf("ir: EmitN of %s, which has its own method", row.Name))
	}
	first := b.add(Inst{Op: op, Imm: imm, Args: b.list(args)}, row.Results, row.Class)
	return regs(first, row.Results)
}

func regs(first Reg, n int) []Reg {
	out := make([]Reg, n)
	for i := range out {
		out[i] = first + Reg(i)
	}
	return out
}

// list copies an operand list, so that nobody else holds it when a pass changes it.
func (b *Builder) list(args []Reg) []Reg {
	n := len(args)
	if n == 0 {
		return nil
	}
	if n > cap(b.slab)-len(b.slab) {
		b.slab = make([]Reg, 0, max(512, n))
	}
	at := len(b.slab)
	b.slab = append(b.slab, args...)
	return b.slab[at : at+n : at+n]
}

func (b *Builder) add(in Inst, n int, c Class) Reg {
	in.From, in.Dst, in.N = b.From, NoReg, int32(n)
	if n > 0 {
		in.Dst = Reg(len(b.Func.Class))
		for range n {
			b.Func.NewReg(c)
		}
	}
	b.place(in)
	return in.Dst
}

// place appends an instruction whose results have registers.
func (b *Builder) place(in Inst) {
	if !b.dead {
		b.cur.Insts = append(b.cur.Insts, in)
	}
}

// U gives a register with constant bits.
func (b *Builder) U(bits uint32) Reg { return b.Emit(Const, uint64(bits)) }

// F gives a register with a constant float.
func (b *Builder) F(f float32) Reg { return b.U(math.Float32bits(f)) }

// Call calls function number fn of the program, whose Func is f.
func (b *Builder) Call(fn int, f *Func, args ...Reg) []Reg {
	in := Inst{Op: Call, Imm: uint64(fn), Args: b.list(args), From: b.From, Dst: NoReg, N: int32(len(f.Results))}
	for i, c := range f.Results {
		r := b.Func.NewReg(c)
		if i == 0 {
			in.Dst = r
		}
	}
	b.place(in)
	return regs(in.Dst, len(f.Results))
}

// NewVar makes a variable with a first value.
func (b *Builder) NewVar(first Reg) Var {
	b.vars = append(b.vars, first)
	return Var(len(b.vars) - 1)
}

// Get gives the value of v here.
func (b *Builder) Get(v Var) Reg {
	if b.vars[v] == NoReg {
		panic(fmt.Sprintf("ir: variable %d is used behind the block it was made in", v))
	}
	return b.vars[v]
}

// Set gives v a new value from here on.
func (b *Builder) Set(v Var, r Reg) {
	b.Get(v)
	b.vars[v] = r
}

// restore gives the variables the values they had before the frame; those made since end.
func (b *Builder) restore(f *frame) {
	n := copy(b.vars, f.entry)
	for v := n; v < len(b.vars); v++ {
		b.vars[v] = NoReg
	}
}

// If opens an arm that lanes with cond set (~0) take.
func (b *Builder) If(cond Reg) {
	f := frame{outer: b.cur, outerDead: b.dead, entry: slices.Clone(b.vars), from: b.From, cond: cond}
	f.arm[0] = &Block{}
	b.cur = f.arm[0]
	b.open = append(b.open, f)
}

// innermostIf gives the open If that Else or EndIf belong to.
func (b *Builder) innermostIf(what string) *frame {
	if n := len(b.open); n > 0 && !b.open[n-1].loop {
		return &b.open[n-1]
	}
	panic("ir: " + what + " outside an If")
}

func (b *Builder) endArm(f *frame) {
	f.armDead[f.nArm] = b.dead
	f.after[f.nArm] = slices.Clone(b.vars[:len(f.entry)])
	b.restore(f)
	b.dead = f.outerDead
}

// Else opens the arm of the other lanes.
func (b *Builder) Else() {
	f := b.innermostIf("Else")
	if f.nArm == 1 {
		panic("ir: a second Else")
	}
	b.endArm(f)
	f.nArm = 1
	f.arm[1] = &Block{}
	b.cur = f.arm[1]
}

// EndIf ends the If and joins the variables of its arms.
func (b *Builder) EndIf() {
	if b.innermostIf("EndIf").nArm == 0 {
		b.Else()
	}
	f := b.open[len(b.open)-1]
	b.endArm(&f)
	b.open = b.open[:len(b.open)-1]
	b.cur = f.outer
	in := Inst{Op: If, Args: b.list([]Reg{f.cond}), Dst: NoReg, From: f.from, Blocks: f.arm}
	var join []int
	for v := range f.entry {
		for k := range 2 {
			if !f.armDead[k] && f.after[k][v] != f.entry[v] {
				join = append(join, v)
				break
			}
		}
	}
	for i, v := range join {
		r := b.Func.NewReg(b.Func.Class[f.entry[v]])
		if i == 0 {
			in.Dst = r
		}
		b.vars[v] = r
	}
	in.N = int32(len(join))
	for k := range 2 {
		if terminated(f.arm[k]) {
			continue
		}
		end := f.after[k]
		if f.armDead[k] {
			end = f.entry // never reached, but every block has an end
		}
		y := Inst{Op: Yield, Dst: NoReg, From: -1}
		for _, v := range join {
			y.Args = append(y.Args, end[v])
		}
		f.arm[k].Insts = append(f.arm[k].Insts, y)
	}
	b.place(in)
	b.dead = f.outerDead || f.armDead[0] && f.armDead[1]
}

// terminated reports whether a block has its end.
func terminated(b *Block) bool {
	return len(b.Insts) > 0 && b.Insts[len(b.Insts)-1].Op.ends()
}

// ends reports whether o ends a block.
func (o Op) ends() bool { return o == Yield || o == Break || o == Continue || o == Return }

// Loop opens a loop that lanes leave by Break. Each variable becomes a parameter of the body.
func (b *Builder) Loop() {
	f := frame{loop: true, outer: b.cur, outerDead: b.dead, entry: slices.Clone(b.vars), from: b.From}
	f.arm[0] = &Block{}
	for v, r := range b.vars {
		if r != NoReg {
			b.vars[v] = b.Func.NewReg(b.Func.Class[r])
		}
	}
	f.arm[0].Params = slices.Clone(b.vars)
	b.cur = f.arm[0]
	b.open = append(b.open, f)
}

func (b *Builder) innermostLoop() *frame {
	for i := len(b.open) - 1; i >= 0; i-- {
		if b.open[i].loop {
			return &b.open[i]
		}
	}
	return nil
}

func (b *Builder) leave(op Op) {
	f := b.innermostLoop()
	if f == nil {
		panic("ir: " + op.String() + " outside a Loop")
	}
	b.add(Inst{Op: op, Args: slices.Clone(b.vars[:len(f.entry)])}, 0, C32)
	b.dead = true
}

// Break leaves the innermost loop.
func (b *Builder) Break() { b.leave(Break) }

// Continue starts the next iteration of the innermost loop.
func (b *Builder) Continue() { b.leave(Continue) }

// InLoop reports whether a loop is open.
func (b *Builder) InLoop() bool { return b.innermostLoop() != nil }

// InIf reports whether the innermost open construct is an If, and whether its Else has begun.
func (b *Builder) InIf() (open, hasElse bool) {
	if n := len(b.open); n > 0 && !b.open[n-1].loop {
		return true, b.open[n-1].nArm == 1
	}
	return false, false
}

// Depth gives the number of open constructs.
func (b *Builder) Depth() int { return len(b.open) }

// BreakIf leaves the innermost loop in lanes with cond set.
func (b *Builder) BreakIf(cond Reg) {
	b.If(cond)
	b.Break()
	b.EndIf()
}

// EndLoop ends the body, which goes on with the next iteration. Variables that the body never
// changes stop being parameters.
func (b *Builder) EndLoop() {
	if n := len(b.open); n == 0 || !b.open[n-1].loop {
		panic("ir: EndLoop outside a Loop")
	}
	f := b.open[len(b.open)-1]
	body := f.arm[0]
	if !b.dead {
		b.Continue()
	} else if !terminated(body) { // never reached, but every block has an end
		body.Insts = append(body.Insts, Inst{Op: Continue, Dst: NoReg, From: -1, Args: slices.Clone(body.Params)})
	}
	b.open = b.open[:len(b.open)-1]
	same := make([]bool, len(f.entry)) // every Break and Continue hands the parameter on
	for v := range same {
		same[v] = true
	}
	hasBreak := false
	leaves(body, func(in *Inst) {
		hasBreak = hasBreak || in.Op == Break
		for v, r := range in.Args {
			same[v] = same[v] && r == body.Params[v]
		}
	})
	keep := func(regs []Reg) (out []Reg) {
		for v, r := range regs {
			if !same[v] {
				out = append(out, r)
			}
		}
		return
	}
	leaves(body, func(in *Inst) { in.Args = keep(in.Args) })
	alias := map[Reg]Reg{}
	for v, p := range body.Params {
		if same[v] {
			alias[p] = f.entry[v]
		}
	}
	body.Walk(func(in *Inst) {
		for i, r := range in.Args {
			if to, ok := alias[r]; ok {
				in.Args[i] = to
			}
		}
	})
	body.Params = keep(body.Params)
	in := Inst{Op: Loop, Args: keep(f.entry), Dst: NoReg, From: f.from, Blocks: [2]*Block{body}}
	b.restore(&f)
	for v := range f.entry {
		if !same[v] {
			r := b.Func.NewReg(b.Func.Class[f.entry[v]])
			if in.N == 0 {
				in.Dst = r
			}
			in.N++
			b.vars[v] = r
		}
	}
	b.cur, b.dead = f.outer, f.outerDead
	b.place(in)
	b.dead = b.dead || !hasBreak // nothing leaves the loop but the budget and Return
}

// leaves visits the Break and Continue instructions that belong to the loop with this body.
func leaves(body *Block, visit func(*Inst)) {
	for i := range body.Insts {
		switch in := &body.Insts[i]; in.Op {
		case Break, Continue:
			visit(in)
		case If:
			for _, s := range in.Blocks {
				if s != nil {
					leaves(s, visit)
				}
			}
		}
	}
}

// Return leaves the function with its results.
func (b *Builder) Return(results ...Reg) {
	b.add(Inst{Op: Return, Args: b.list(results)}, 0, C32)
	b.dead = true
}

// Finish ends the function with these results; where its end is not reached they are ignored.
func (b *Builder) Finish(results ...Reg) *Func {
	if len(b.open) > 0 {
		panic("ir: Finish within an If or Loop")
	}
	if b.dead && !terminated(b.Func.Body) { // never reached, but every block has an end
		b.dead = false
		results = nil
		for _, c := range b.Func.Results {
			op := Const
			if c == C64 {
				op = Const64
			}
			results = append(results, b.Emit(op, 0))
		}
	}
	b.Return(results...)
	return b.Func
}
