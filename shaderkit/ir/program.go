package ir

// A Class is the size of a virtual register; types live in the ops.
type Class uint8

const (
	C32 Class = iota // 32 bits: float, integer or mask
	C64              // 64 bits: double or long integer
)

// A Reg is a virtual register of a function, assigned once.
type Reg int32

// NoReg stands where an instruction has no result.
const NoReg Reg = -1

// A Program is a set of functions over one arena.
//
// A shader that an ISA lowers has Kind Shader: Funcs[0] takes four registers for each element of
// Interface.Inputs and returns four for each element of Interface.Outputs, both in x y z w order.
// render wraps it into a program of Kind Linear or Tile, which an engine can run; see package exec
// for what those may read.
type Program struct {
	Name      string
	Kind      Kind
	Funcs     []*Func        // Funcs[0] is the entry
	Interface Interface      // of the shader
	Samplers  []SamplerState // by resource number; state that is part of the program, not data
	Traced    []TracedReg    // what Write instructions name; only in trace builds
	Modes     []string       // numeric modes the lowering used, for the dump
	Large     bool           // Tile: most primitives cover many pixels, as far as anybody knows; results do not depend on it
}

// Kind says how a program is called.
type Kind uint8

const (
	Shader Kind = iota // to be called by another function
	Linear             // entry runs once for each item of a linear job
	Tile               // entry runs once for each pixel of the blocks of each triangle of a tile job
)

// A TracedReg is one component of a register as the ISA's assembly names it.
type TracedReg struct {
	Name string // "r0", "oC0"
	Comp uint8  // 0..3
}

// A Func is a function of structured code in SSA form.
type Func struct {
	Name    string
	Params  []Reg   // assigned at the call
	Results []Class // of Return
	Body    *Block
	Class   []Class // of every register; len(Class) is the number of registers
	Macro   bool    // made by Expand; calls of it do not count against the budget
}

// A Block is a list of instructions. Only the body of a Loop has parameters.
type Block struct {
	Params []Reg
	Insts  []Inst
}

// An Inst is one instruction. Its results are the N registers Dst, Dst+1, ….
type Inst struct {
	Op     Op
	N      int32     // number of results
	Dst    Reg       // first result; NoReg when N is 0
	From   int32     // index of the ISA instruction it came from; -1 for fixed function
	Args   []Reg     // operands
	Imm    uint64    // constant bits, word, resource, function, macro parameters: the row says which
	Blocks [2]*Block // If: then, else; Loop: body
}

// NewReg adds a register of class c to f.
func (f *Func) NewReg(c Class) Reg {
	f.Class = append(f.Class, c)
	return Reg(len(f.Class) - 1)
}

// Walk calls visit for each instruction of b and of the blocks below it, outer ones first.
func (b *Block) Walk(visit func(*Inst)) {
	if b == nil {
		return
	}
	for i := range b.Insts {
		in := &b.Insts[i]
		visit(in)
		if in.Blocks[0] != nil || in.Blocks[1] != nil { // few have any
			in.Blocks[0].Walk(visit)
			in.Blocks[1].Walk(visit)
		}
	}
}
