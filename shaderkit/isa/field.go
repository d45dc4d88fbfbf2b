package isa

// Bits is a run of bits in a 32-bit word.
type Bits struct {
	Lo uint8 // lowest bit
	N  uint8 // number of bits
}

// A Guard is a condition on another field. All guards of a list must hold.
//
// Field is a path seen from the form that holds the guard: "rel" is a field of the same form, "addr.num"
// one of a part, "^code" one of the enclosing form; "stage" and "version" are the context of the program.
type Guard struct {
	Field string
	In    []uint32 // the field has one of these values
	Not   bool     // the field has none of them
}

// Show says how the value of a field reads to people; it never takes part in encoding.
type Show uint8

const (
	ShowDec     Show = iota // decimal
	ShowHex                 // hexadecimal
	ShowName                // Names[value-First]
	ShowFlags               // Names[bit] for every set bit
	ShowSwizzle             // four lane letters of two bits each
	ShowMask                // lane letters of the set bits
	ShowFloat               // a 32-bit float
	ShowInt                 // a signed integer
	ShowOp                  // the name of the instruction
	ShowReg                 // the register that Regs names by this type
)

// A Field is a named view of some bits of a word.
type Field struct {
	Name  string
	Bits  []Bits   // where it lies, low piece first
	If    []Guard  // when it is there; empty means always
	Def   uint32   // its value where the text does not say otherwise
	Len   bool     // derived: the number of words behind this one
	Must  bool     // the encoding fixes it at Def: another value is a reserved bit that is set
	Names []string // names of its values (or bits), for Show
	First uint32   // the value that Names[0] names, for ShowName
	Regs  *Regs    // register names, for ShowReg
	Show  Show
	Doc   string // one sentence
}

// Mask gives the bits of the word that f covers.
func (f *Field) Mask() uint32 { return put(^uint32(0), f.Bits) }

// Width gives the number of bits of f.
func (f *Field) Width() int {
	n := 0
	for _, b := range f.Bits {
		n += int(b.N)
	}
	return n
}

// get gathers the pieces bs of w.
func get(w uint32, bs []Bits) uint32 {
	var x uint32
	var sh uint8
	for _, b := range bs {
		x |= w >> b.Lo & (1<<b.N - 1) << sh
		sh += b.N
	}
	return x
}

// put scatters x over the pieces bs; bits of x that do not fit are dropped.
func put(x uint32, bs []Bits) uint32 {
	var w uint32
	for _, b := range bs {
		w |= x & (1<<b.N - 1) << b.Lo
		x >>= b.N
	}
	return w
}

// Get reads the field from a word.
func (f *Field) Get(w uint32) uint32 { return get(w, f.Bits) }

// Put gives w with the field set to x.
func (f *Field) Put(w, x uint32) uint32 { return w&^f.Mask() | put(x, f.Bits) }

// Field gives the field of a name; it panics when there is none.
func (w *Word) Field(name string) *Field {
	for i := range w.Fields {
		if w.Fields[i].Name == name {
			return &w.Fields[i]
		}
	}
	panic("isa: word " + w.Name + " has no field " + name)
}
