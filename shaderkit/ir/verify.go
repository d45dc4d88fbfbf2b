package ir

import (
	"fmt"
	"slices"
)

// A VerifyError says what is wrong with a program.
type VerifyError struct {
	Code string // stable, like the codes of diagnostics
	Func int    // number of the function
	Inst int    // number of the instruction in the order of Walk; -1 for the function itself
	What string // a sentence with the offending register or value
}

func (e *VerifyError) Error() string {
	if e.Inst < 0 {
		return fmt.Sprintf("ir: function %d: %s [%s]", e.Func, e.What, e.Code)
	}
	return fmt.Sprintf("ir: function %d, instruction %d: %s [%s]", e.Func, e.Inst, e.What, e.Code)
}

// Verify checks that p is a program; the first thing that is wrong is a *VerifyError. Behind it code
// may assume, without looking again:
//
//   - there is a function 0. In a Shader it takes four registers of 32 bits for each input and returns
//     four for each output; in the other kinds it takes and returns nothing;
//   - calls name functions of p, never lead back to the caller, and agree with it in number and class
//     of parameters and results;
//   - every register has a class, and is assigned at most once: as a parameter of the function or of a
//     Loop, or as a result of one instruction, whose results are consecutive;
//   - every operand is assigned before, in the same block or in one around it, and has the class that
//     the row states;
//   - a block ends with Yield, Break, Continue or Return, and has none of them before its end. Arms
//     of an If end with Yield, or leave an enclosing Loop or the function; the body of a Loop does
//     not end with Yield; the body of a function ends with Return. An If has both arms;
//   - Yield, Break, Continue and Return carry as many values, of the same classes, as they set;
//   - resources, samplers and traced registers are there; the kind of a Sample fits its operands;
//   - only Tile programs read LaneX, LaneY, TriWord, Edges, Plane or use Cover, only Linear ones read
//     Item; a Shader may do both, if its wrapper may;
//   - Cover is at the top level of the entry of a Tile program, at most once. Before it stand only ops
//     without effects, no If, Loop or Call; what they compute is used behind it only if it is LaneX,
//     LaneY or uniform.
func (p *Program) Verify() error {
	v := verifier{p: p}
	if len(p.Funcs) == 0 {
		return &VerifyError{Code: "no-function", Inst: -1, What: "the program has no function"}
	}
	for i := range p.Funcs {
		v.fn, v.inst = i, -1
		v.function(p.Funcs[i])
		if v.err != nil {
			return v.err
		}
	}
	v.recursion()
	if v.err != nil {
		return v.err
	}
	return nil
}

type verifier struct {
	p       *Program
	fn      int
	f       *Func
	inst    int // of the instruction at hand
	next    int // number of the next instruction
	defined []bool
	visible []bool
	loops   []loopShape // open ones, innermost last
	err     *VerifyError
}

// A loopShape is what Break and Continue must fit.
type loopShape struct {
	params []Reg
	dst    Reg
	n      int32
}

func (v *verifier) fail(code, format string, args ...any) {
	if v.err == nil {
		v.err = &VerifyError{Code: code, Func: v.fn, Inst: v.inst, What: fmt.Sprintf(format, args...)}
	}
}

func (v *verifier) function(f *Func) {
	if f == nil || f.Body == nil {
		v.fail("no-body", "the function has no body")
		return
	}
	v.f, v.next = f, 0
	v.defined, v.visible = make([]bool, len(f.Class)), make([]bool, len(f.Class))
	for _, c := range f.Class {
		if c > C64 {
			v.fail("class", "class %d", c)
			return
		}
	}
	if v.fn == 0 {
		v.entry(f)
	}
	for _, r := range f.Params {
		v.define(r)
	}
	if len(f.Body.Params) > 0 {
		v.fail("block-parameters", "only the body of a Loop has parameters")
	}
	v.block(f.Body, Invalid, nil)
}

func (v *verifier) entry(f *Func) {
	in, out := 0, 0
	if v.p.Kind == Shader {
		in, out = 4*len(v.p.Interface.Inputs), 4*len(v.p.Interface.Outputs)
	}
	if v.p.Kind > Tile {
		v.fail("kind", "kind %d", v.p.Kind)
	}
	if len(f.Params) != in || len(f.Results) != out {
		v.fail("entry", "the entry takes %d and returns %d registers, the interface says %d and %d", len(f.Params), len(f.Results), in, out)
		return
	}
	for _, r := range f.Params {
		v.class(r, C32)
	}
	for _, c := range f.Results {
		if c != C32 {
			v.fail("class", "an output of 64 bits")
		}
	}
}

// define makes r visible.
func (v *verifier) define(r Reg) {
	switch {
	case r < 0 || int(r) >= len(v.defined):
		v.fail("register", "%%%d of %d registers", r, len(v.defined))
	case v.defined[r]:
		v.fail("assigned-twice", "%%%d is assigned twice", r)
	default:
		v.defined[r], v.visible[r] = true, true
	}
}

// class checks that r is a register of class c.
func (v *verifier) class(r Reg, c Class) {
	if r < 0 || int(r) >= len(v.f.Class) {
		v.fail("register", "%%%d of %d registers", r, len(v.f.Class))
	} else if v.f.Class[r] != c {
		v.fail("class", "%%%d has %d bits, here are %d", r, 32<<v.f.Class[r], 32<<c)
	}
}

// use checks an operand.
func (v *verifier) use(r Reg) {
	if r < 0 || int(r) >= len(v.visible) || !v.visible[r] {
		v.fail("not-assigned", "%%%d is not assigned here", r)
	}
}

// values checks that args have the classes of the n registers from dst.
func (v *verifier) values(args []Reg, dst Reg, n int32) {
	if len(args) != int(n) {
		v.fail("count", "%d values where %d are set", len(args), n)
		return
	}
	for i, r := range args {
		v.class(r, v.f.Class[dst+Reg(i)])
	}
}

// list checks that args have the classes of regs.
func (v *verifier) list(args, regs []Reg) {
	if len(args) != len(regs) {
		v.fail("count", "%d values for %d parameters", len(args), len(regs))
		return
	}
	for i, r := range args {
		v.class(r, v.f.Class[regs[i]])
	}
}

// block checks b, which belongs to an instruction of op parent (Invalid: the function's body).
func (v *verifier) block(b *Block, parent Op, in *Inst) {
	var defined []Reg
	end := func() {
		for _, r := range defined {
			v.visible[r] = false
		}
	}
	defer end()
	for _, r := range b.Params {
		v.define(r)
		defined = append(defined, r)
	}
	for i := range b.Insts {
		if v.err != nil {
			return
		}
		at := &b.Insts[i]
		v.inst, v.next = v.next, v.next+1
		last := i == len(b.Insts)-1
		if at.Op.ends() != last {
			if last {
				v.fail("no-end", "%s ends a block", at.Op)
			} else {
				v.fail("behind-end", "%s before the end of a block", at.Op)
			}
			return
		}
		v.instruction(at, b, i, parent, in)
		if v.err != nil {
			return
		}
		for k := range at.N {
			v.define(at.Dst + Reg(k))
			defined = append(defined, at.Dst+Reg(k))
		}
	}
	if len(b.Insts) == 0 {
		v.fail("no-end", "a block is empty")
	}
}

func (v *verifier) instruction(in *Inst, b *Block, at int, parent Op, outer *Inst) {
	if in.Op == Invalid || in.Op >= numOps {
		v.fail("op", "%s", in.Op)
		return
	}
	row := &ops[in.Op]
	for _, r := range in.Args {
		v.use(r)
	}
	v.results(in, row)
	if row.Args != "*" {
		if len(in.Args) != len(row.Args) {
			v.fail("count", "%s has %d operands, here are %d", row.Name, len(row.Args), len(in.Args))
			return
		}
		for i, r := range in.Args {
			v.class(r, ClassOf(row.Args[i]))
		}
	}
	if blocks := in.Op == If || in.Op == Loop; blocks != (in.Blocks[0] != nil) || (in.Op == If) != (in.Blocks[1] != nil) {
		v.fail("blocks", "%s with blocks %t, %t", row.Name, in.Blocks[0] != nil, in.Blocks[1] != nil)
	}
	if v.err != nil {
		return
	}
	v.immediate(in)
	v.kind(in.Op)
	switch in.Op {
	case If:
		for _, arm := range in.Blocks {
			if len(arm.Params) > 0 {
				v.fail("block-parameters", "only the body of a Loop has parameters")
			}
			v.block(arm, If, in)
		}
	case Loop:
		body := in.Blocks[0]
		for _, r := range body.Params {
			if r < 0 || int(r) >= len(v.f.Class) {
				v.fail("register", "%%%d of %d registers", r, len(v.f.Class))
				return
			}
		}
		v.list(in.Args, body.Params)
		v.loops = append(v.loops, loopShape{body.Params, in.Dst, in.N})
		v.block(body, Loop, in)
		v.loops = v.loops[:len(v.loops)-1]
	case Yield:
		if parent != If {
			v.fail("yield", "yield at the end of a body")
			return
		}
		v.values(in.Args, outer.Dst, outer.N)
	case Break, Continue:
		if len(v.loops) == 0 {
			v.fail("outside-loop", "%s outside a loop", row.Name)
			return
		}
		l := v.loops[len(v.loops)-1]
		if in.Op == Break {
			v.values(in.Args, l.dst, l.n)
		} else {
			v.list(in.Args, l.params)
		}
	case Return:
		if len(in.Args) != len(v.f.Results) {
			v.fail("count", "%d values for %d results", len(in.Args), len(v.f.Results))
			return
		}
		for i, r := range in.Args {
			v.class(r, v.f.Results[i])
		}
	case Call:
		v.call(in)
	case Cover:
		v.cover(b, at, parent)
	}
}

// results checks the number of results and their classes, as far as the row states them.
func (v *verifier) results(in *Inst, row *Info) {
	if row.Results >= 0 && int(in.N) != row.Results {
		v.fail("count", "%s has %d results, here are %d", row.Name, row.Results, in.N)
		return
	}
	if in.N < 0 || (in.N == 0) != (in.Dst == NoReg) || in.N > 0 && (in.Dst < 0 || int(in.Dst)+int(in.N) > len(v.f.Class)) {
		v.fail("register", "%d results from %%%d of %d registers", in.N, in.Dst, len(v.f.Class))
		return
	}
	if row.Results > 0 {
		for k := range in.N {
			v.class(in.Dst+Reg(k), row.Class)
		}
	}
}

func (v *verifier) immediate(in *Inst) {
	switch ops[in.Op].Imm {
	case "":
		if in.Imm != 0 {
			v.fail("immediate", "%s with immediate %d", in.Op, in.Imm)
		}
	case "bits":
		if in.Op == Const && in.Imm>>32 != 0 {
			v.fail("immediate", "%#x as 32 bits", in.Imm)
		}
	case "word":
		if in.Imm >= 1<<16 {
			v.fail("immediate", "word %d", in.Imm)
		}
	case "resource":
		v.resource(in.Imm)
	case "traced":
		if in.Imm >= uint64(len(v.p.Traced)) {
			v.fail("traced", "traced register %d of %d", in.Imm, len(v.p.Traced))
		}
	case "sample":
		site := SampleSiteOf(in.Imm)
		v.resource(uint64(site.Resource))
		if !site.fits(in.Op, in.Imm) {
			v.fail("immediate", "%s %#x", in.Op, in.Imm)
			return
		}
		if want := site.Operands(); len(in.Args) != want {
			v.fail("count", "a sample of this kind has %d operands, here are %d", want, len(in.Args))
		}
		for _, r := range in.Args {
			v.class(r, C32)
		}
	}
}

func (v *verifier) resource(n uint64) {
	if n >= uint64(len(v.p.Interface.Resources)) {
		v.fail("resource", "resource %d of %d", n, len(v.p.Interface.Resources))
	}
}

// kind checks that programs of this kind have what op reads.
func (v *verifier) kind(op Op) {
	switch op {
	case LaneX, LaneY, TriWord, Edges, Plane, Cover:
		if v.p.Kind == Linear {
			v.fail("kind", "%s in a linear program", op)
		}
	case Item:
		if v.p.Kind == Tile {
			v.fail("kind", "%s in a tile program", op)
		}
	}
}

func (v *verifier) call(in *Inst) {
	if in.Imm >= uint64(len(v.p.Funcs)) || v.p.Funcs[in.Imm] == nil {
		v.fail("function", "function %d of %d", in.Imm, len(v.p.Funcs))
		return
	}
	f := v.p.Funcs[in.Imm]
	if len(in.Args) != len(f.Params) || int(in.N) != len(f.Results) {
		v.fail("count", "%s takes %d and returns %d registers, here are %d and %d", f.Name, len(f.Params), len(f.Results), len(in.Args), in.N)
		return
	}
	for i, r := range in.Args {
		if param := f.Params[i]; param >= 0 && int(param) < len(f.Class) { // else reported there
			v.class(r, f.Class[param])
		}
	}
	for i, c := range f.Results {
		v.class(in.Dst+Reg(i), c)
	}
}

// cover checks the Cover that is instruction at of block b.
func (v *verifier) cover(b *Block, at int, parent Op) {
	if v.p.Kind != Tile || v.fn != 0 || parent != Invalid {
		v.fail("cover", "cover belongs to the top level of the entry of a tile program")
		return
	}
	uniform := make([]bool, len(v.f.Class))
	local := make([]bool, len(v.f.Class)) // may not be used behind the Cover
	for i := range b.Insts[:at] {
		in := &b.Insts[i]
		if in.Op == If || in.Op == Loop || in.Op == Call || in.Op.effect() {
			v.fail("cover", "%s before cover", in.Op)
			return
		}
		u := in.Op != LaneX && in.Op != LaneY && in.Op != Item && in.Op != Active &&
			!slices.ContainsFunc(in.Args, func(r Reg) bool { return !uniform[r] })
		for k := range in.N {
			r := in.Dst + Reg(k)
			uniform[r] = u
			local[r] = !u && in.Op != LaneX && in.Op != LaneY
		}
	}
	behind := Block{Insts: b.Insts[at+1:]}
	behind.Walk(func(in *Inst) {
		if in.Op == Cover {
			v.fail("cover", "a second cover")
		}
		for _, r := range in.Args {
			if local[r] {
				v.fail("cover", "%%%d is computed before cover and used behind it", r)
			}
		}
	})
}

// effect reports whether o does something besides giving results.
func (o Op) effect() bool {
	return o == Store || o == Kill || o == Cover || o == Write || o.ends()
}

// recursion checks that no function calls itself, directly or through others.
func (v *verifier) recursion() {
	const (
		unseen = iota
		open
		done
	)
	state := make([]uint8, len(v.p.Funcs))
	var visit func(fn int)
	visit = func(fn int) {
		state[fn] = open
		n := -1
		v.p.Funcs[fn].Body.Walk(func(in *Inst) {
			n++
			if in.Op != Call || v.err != nil {
				return
			}
			switch state[in.Imm] {
			case open:
				v.fn, v.inst = fn, n
				v.fail("recursion", "a call of function %d from within it", in.Imm)
			case unseen:
				visit(int(in.Imm))
			}
		})
		state[fn] = done
	}
	for fn := range v.p.Funcs {
		if state[fn] == unseen {
			visit(fn)
		}
	}
}
