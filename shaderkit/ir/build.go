package ir

import (
	"fmt"
	"math"
)

// A Builder writes one function. It keeps named variables and turns them into SSA values: Set gives
// a variable a new value, Get the value that reaches the place, also through If and Loop.
//
// Variables must be made before the first If or Loop that uses them after its end. Code behind a
// Break, Continue or Return up to the end of its arm is dropped.
type Builder struct {
	Func *Func
	From int32 // put into every instruction: the ISA instruction being lowered, -1 for fixed function
	vars []Reg // current value of each variable
	open []frame
	cur  *Block
	dead bool // behind a Break, Continue or Return
}

// A Var is a variable of a Builder.
type Var int

type frame struct {
	loop      bool
	block     *Block // enclosing block
	cond      Reg    // If
	arm       [2]*Block
	nArm      int
	armDead   [2]bool
	entry     []Reg    // variables before
	after     [2][]Reg // variables at the end of each arm
	entryDead bool
	from      int32
}

// NewBuilder starts a function with the given parameter and result classes.
func NewBuilder(name string, params, results []Class) *Builder {
	f := &Func{Name: name, Results: results, Body: &Block{}}
	for _, c := range params {
		f.Params = append(f.Params, f.NewReg(c))
	}
	return &Builder{Func: f, From: -1, cur: f.Body}
}

// C32s gives n times the class of 32 bits.
func C32s(n int) []Class { return make([]Class, n) }

// Emit adds an instruction with the one result that its row states (NoReg for none).
func (b *Builder) Emit(op Op, imm uint64, args ...Reg) Reg {
	info := op.Info()
	if info.Results > 1 {
		panic(fmt.Sprintf("ir: %s has %d results", info.Name, info.Results))
	}
	return b.add(Inst{Op: op, Imm: imm, Args: args}, info.Results, info.Class)
}

// EmitN adds an instruction with several results, as its row states.
func (b *Builder) EmitN(op Op, imm uint64, args ...Reg) []Reg {
	info := op.Info()
	first := b.add(Inst{Op: op, Imm: imm, Args: args}, info.Results, info.Class)
	out := make([]Reg, info.Results)
	for i := range out {
		out[i] = first + Reg(i)
	}
	return out
}

func (b *Builder) add(in Inst, n int, c Class) Reg {
	in.From, in.Dst, in.N = b.From, NoReg, int32(n)
	for i := range n {
		r := b.Func.NewReg(c)
		if i == 0 {
			in.Dst = r
		}
	}
	if !b.dead {
		b.cur.Insts = append(b.cur.Insts, in)
	}
	return in.Dst
}

// U gives a register with constant bits.
func (b *Builder) U(bits uint32) Reg { return b.Emit(Const, uint64(bits)) }

// F gives a register with a constant float.
func (b *Builder) F(f float32) Reg { return b.U(math.Float32bits(f)) }

// Call calls function number fn of the program, whose Func is f.
func (b *Builder) Call(fn int, f *Func, args ...Reg) []Reg {
	in := Inst{Op: Call, Imm: uint64(fn), Args: args, From: b.From, Dst: NoReg, N: int32(len(f.Results))}
	out := make([]Reg, len(f.Results))
	for i, c := range f.Results {
		out[i] = b.Func.NewReg(c)
	}
	if len(out) > 0 {
		in.Dst = out[0]
	}
	if !b.dead {
		b.cur.Insts = append(b.cur.Insts, in)
	}
	return out
}

// NewVar makes a variable with a first value.
func (b *Builder) NewVar(first Reg) Var {
	b.vars = append(b.vars, first)
	return Var(len(b.vars) - 1)
}

// Get gives the value of v here.
func (b *Builder) Get(v Var) Reg { return b.vars[v] }

// Set gives v a new value from here on.
func (b *Builder) Set(v Var, r Reg) { b.vars[v] = r }

func clone(r []Reg) []Reg { return append([]Reg(nil), r...) }

// If opens an arm that lanes with cond set (~0) take.
func (b *Builder) If(cond Reg) {
	f := frame{block: b.cur, cond: cond, entry: clone(b.vars), entryDead: b.dead, from: b.From}
	f.arm[0] = &Block{}
	b.cur = f.arm[0]
	b.open = append(b.open, f)
}

func (b *Builder) endArm() *frame {
	f := &b.open[len(b.open)-1]
	f.armDead[f.nArm] = b.dead
	f.after[f.nArm] = b.vars[:len(f.entry):len(f.entry)]
	return f
}

// Else opens the arm of the other lanes.
func (b *Builder) Else() {
	f := b.endArm()
	f.nArm = 1
	f.arm[1] = &Block{}
	b.cur, b.vars, b.dead = f.arm[1], clone(f.entry), f.entryDead
}

// EndIf ends the If and joins the variables of its arms.
func (b *Builder) EndIf() {
	if b.open[len(b.open)-1].nArm == 0 {
		b.Else()
	}
	f := *b.endArm()
	b.open = b.open[:len(b.open)-1]
	b.cur, b.dead = f.block, f.entryDead
	in := Inst{Op: If, Args: []Reg{f.cond}, Dst: NoReg, From: f.from, Blocks: f.arm}
	b.vars = clone(f.entry)
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
		if f.armDead[k] {
			continue
		}
		y := Inst{Op: Yield, Dst: NoReg, From: -1}
		for _, v := range join {
			y.Args = append(y.Args, f.after[k][v])
		}
		f.arm[k].Insts = append(f.arm[k].Insts, y)
	}
	if !f.entryDead {
		b.cur.Insts = append(b.cur.Insts, in)
		b.dead = f.armDead[0] && f.armDead[1]
	}
}

// Loop opens a loop that lanes leave by Break. Each variable becomes a parameter of the body.
func (b *Builder) Loop() {
	f := frame{loop: true, block: b.cur, entry: clone(b.vars), entryDead: b.dead, from: b.From}
	f.arm[0] = &Block{}
	for v, r := range b.vars {
		p := b.Func.NewReg(b.Func.Class[r])
		f.arm[0].Params = append(f.arm[0].Params, p)
		b.vars[v] = p
	}
	b.cur = f.arm[0]
	b.open = append(b.open, f)
}

func (b *Builder) innermost() *frame {
	for i := len(b.open) - 1; i >= 0; i-- {
		if b.open[i].loop {
			return &b.open[i]
		}
	}
	return nil
}

func (b *Builder) leave(op Op) {
	f := b.innermost()
	b.add(Inst{Op: op, Args: clone(b.vars[:len(f.entry)])}, 0, C32)
	b.dead = true
}

// Break leaves the innermost loop. It panics outside one: a front end checks first, with InLoop.
func (b *Builder) Break() { b.leave(Break) }

// Continue starts the next iteration of the innermost loop.
func (b *Builder) Continue() { b.leave(Continue) }

// InLoop reports whether a loop is open.
func (b *Builder) InLoop() bool { return b.innermost() != nil }

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
	if !b.dead {
		b.Continue()
	}
	f := b.open[len(b.open)-1]
	b.open = b.open[:len(b.open)-1]
	body := f.arm[0]
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
	b.cur, b.dead = f.block, f.entryDead
	b.vars = clone(f.entry)
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
	if !f.entryDead {
		b.cur.Insts = append(b.cur.Insts, in)
		b.dead = !hasBreak // nothing leaves the loop but the budget and Return
	}
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
	b.add(Inst{Op: Return, Args: results}, 0, C32)
	b.dead = true
}

// Finish ends the function; a function that was not left by Return gets one with these results.
func (b *Builder) Finish(results ...Reg) *Func {
	b.dead = false // a body that ends behind a loop without Break still needs its Return
	b.Return(results...)
	return b.Func
}
