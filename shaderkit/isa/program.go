package isa

import (
	"encoding/binary"

	"swizzle/shaderkit/ir"
	"swizzle/shaderkit/source"
)

// Kind says what an entry of a program is.
type Kind uint8

const (
	KindOp      Kind = iota // an instruction of the table
	KindHeader              // the version word or the header of a container
	KindComment             // a comment or a chunk that is not program
	KindEnd                 // the end token
	KindRaw                 // words that are no instruction
	KindTrail               // bytes behind the end
	KindData                // words of a container around programs
)

var kinds = [...]string{"op", "header", "comment", "end", "raw", "trail", "data"}

func (k Kind) String() string {
	if int(k) < len(kinds) {
		return kinds[k]
	}
	return "kind?"
}

// An Inst is a range of the program's bytes. The ranges of a program tile its data.
type Inst struct {
	Op     *Op // nil for what is no instruction: see Kind; headers, comments and ends may have a row of their own
	Kind   Kind
	Module uint16 // index in Program.Modules, where there are several
	Bytes  source.Range
}

// A Module is one program of a container.
type Module struct {
	Name  string // what the container calls it, or how it is reached
	Model string // "vs_2_0"; "" of what is no program of the architecture
	Ctx   Context
	Bytes source.Range
}

// A Program is a binary and the view on it. Data is the truth.
type Program struct {
	Arch         *Arch
	Stage        string // "vs", "ps", ... ; "" where the words do not say
	Major, Minor int
	Ctx          Context
	Data         []byte
	Insts        []Inst
	Modules      []Module    // the programs of a container, behind an entry for what is of none; nil of a bare program
	Diags        source.List // what decoding found
	Info         any         // decoded facts of the architecture's own
}

// Options say how to read a program.
type Options struct {
	Permissive bool                              // findings of the validator are warnings
	File       string                            // name of the main text, for diagnostics
	Include    func(name string) (string, error) // reads an included file; nil: includes are errors
	Defines    map[string]string                 // macros defined before the first line
	Syntax     string                            // one of the architecture's syntaxes; "" detects
	Dialect    string                            // one of the architecture's word dialects; "" is the default
	Stage      string                            // the stage, where the words do not say
}

// Detection is what can be said of a binary before it is decoded.
type Detection struct {
	Arch      string // "d3d9"
	Stage     string // "vs"
	Model     string // "vs_3_0"
	Container string // "" for bare words
	Size      int    // bytes that belong to the program
}

// Arch is an architecture: a table and the functions around it.
type Arch struct {
	Name     string // the name in commands: "d3d9"
	Title    string // the name for people: "Direct3D 9 shader bytecode"
	Table    *Table
	Styles   []string // names that Print knows; the first is lossless
	Syntaxes []string // names of Options.Syntax
	Dialects []string // names of Options.Dialect
	Versions []string // version lines, newest first, for completion

	Detect      func(data []byte) (Detection, bool)
	DetectText  func(text string) bool
	Decode      func(data []byte, o Options) *Program
	Print       func(p *Program, style string) *Listing
	PrintFields func(p *Program, style string) *Listing // Print, with Listing.Fields
	Assemble    func(text string, o Options) (*Program, *Listing, source.List)
	Check       func(p *Program) source.List
	Slots       func(p *Program) (total, texture int) // instruction slots that p takes; nil where there are none
	Highlight   func(text string) []Mark
	Complete    func(text string, off int) []Completion
	Hover       func(text string, off int) (Hover, bool)
	Docs        func(name string) (string, bool) // reference text of the table ("") or of one op

	Lower     func(p *Program, o LowerOptions) (*ir.Program, source.List) // nil until the architecture runs
	Describe  func(p *Program, inst int) map[int]string                   // what the words of a comment are, by offset; nil: it says nothing
	Constants func(p *Program) []Constant                                 // names that the program's own table gives to registers; nil: there are no tables
}

// A Constant is a name for registers, as a compiler leaves it in a program.
type Constant struct {
	Name  string
	File  string // the register's letter: c, i, b or s
	Index int    // the first register
	Count int    // registers
}

// LowerOptions say how to turn a program into IR.
type LowerOptions struct {
	Mode  string // one of the architecture's numeric modes; "" is the default
	Probe bool   // also give masks of what was written and the state at the end
	Trace bool   // keep every visible write for the debugger
}

// A Mark classes a piece of a text for colouring.
type Mark struct {
	Span  source.Span
	Class Class
}

// Class is what a piece of a text is.
type Class uint8

const (
	ClassOpcode Class = iota
	ClassRegister
	ClassNumber
	ClassComment
	ClassModifier
	ClassDirective
	ClassVersion
	ClassLanes
)

var classes = [...]string{"opcode", "register", "number", "comment", "modifier", "directive", "version", "lanes"}

func (c Class) String() string {
	if int(c) < len(classes) {
		return classes[c]
	}
	return "class?"
}

// A Completion is one thing that could be typed.
type Completion struct {
	Text   string      // what to insert
	Detail string      // one line beside it
	Doc    string      // a paragraph
	Class  Class       // opcode, register, modifier, version, directive
	Span   source.Span // what it replaces
}

// A Hover explains what stands under the caret.
type Hover struct {
	Span  source.Span
	Title string
	Doc   Doc
	Text  string // for things that are no op
}

// Listing is a text whose lines know their bytes. It is what Print made, or the user's own text.
type Listing struct {
	Text   string
	Lines  []Line
	Fields []FieldSpan // where fields stand in the text, ordered by Inst; Print leaves it out
}

// A Line is a statement of a listing. In the user's text it need not be a whole line.
type Line struct {
	Span     source.Span
	Bytes    source.Range // empty for text that makes no bytes
	Inst     int          // index of the first instruction; -1: none
	Macro    bool         // a macro or an included file made it; Span is what called it
	Implicit bool         // nothing in the text made it: the end token
}

// A FieldSpan is the place of a field in a listing.
type FieldSpan struct {
	Inst  int32
	Start int32
	Len   uint16
	Slot  uint8
}

func newFieldSpan(inst int32, slot, start, end int) FieldSpan {
	return FieldSpan{inst, int32(start), uint16(min(end-start, 1<<16-1)), uint8(slot)}
}

// Span gives the place.
func (f *FieldSpan) Span() source.Span {
	return source.Span{Start: int(f.Start), End: int(f.Start) + int(f.Len)}
}

// LineAt gives the index of the line whose span holds the text offset, or -1.
func (l *Listing) LineAt(off int) int {
	for i := range l.Lines {
		if l.Lines[i].Span.Contains(off) && l.Lines[i].Bytes.Len > 0 {
			return i
		}
	}
	return -1
}

// LineOf gives the index of the line that holds the byte, or -1.
func (l *Listing) LineOf(off int) int {
	for i := range l.Lines {
		if b := l.Lines[i].Bytes; b.Off <= off && off < b.End() {
			return i
		}
	}
	return -1
}

// InstAt gives the index of the instruction that holds the byte, or -1.
func (p *Program) InstAt(off int) int {
	lo, hi := 0, len(p.Insts)
	for lo < hi {
		m := (lo + hi) / 2
		if p.Insts[m].Bytes.End() <= off {
			lo = m + 1
		} else {
			hi = m
		}
	}
	if lo < len(p.Insts) && p.Insts[lo].Bytes.Off <= off {
		return lo
	}
	return -1
}

// CtxOf gives the context of instruction i: that of its module in a container.
func (p *Program) CtxOf(i int) Context {
	if p.Modules == nil {
		return p.Ctx
	}
	return p.Modules[p.Insts[i].Module].Ctx
}

// Fields reads the fields of instruction i into v. It gives false for what has no form.
func (p *Program) Fields(i int, v *Vals) bool {
	in := &p.Insts[i]
	if in.Op == nil {
		return false
	}
	_, ok := in.Op.Read(p.Data[:in.Bytes.End()], in.Bytes.Off, p.CtxOf(i), v)
	return ok
}

// Word gives the little-endian word at a byte offset; bytes behind the end read as zero.
func (p *Program) Word(off int) uint32 {
	if off+4 <= len(p.Data) {
		return binary.LittleEndian.Uint32(p.Data[off:])
	}
	var b [4]byte
	if off < len(p.Data) {
		copy(b[:], p.Data[off:])
	}
	return binary.LittleEndian.Uint32(b[:])
}

// AppendBinary appends the program's bytes: the data as it is.
func (p *Program) AppendBinary(b []byte) ([]byte, error) { return append(b, p.Data...), nil }

// AppendFieldSpans appends the places of the fields that v's last parse gave, as at gives them.
func (v *Vals) AppendFieldSpans(fs []FieldSpan, inst int, at func(a, b int) source.Span) []FieldSpan {
	for s := firstSlot; s < v.op.form.n; s++ {
		if sp := v.span[s]; sp.end > sp.start {
			p := at(int(sp.start), int(sp.end))
			fs = append(fs, newFieldSpan(int32(inst), s, p.Start, p.End))
		}
	}
	return fs
}

// Span gives the place of a field in the text of the last parse.
func (v *Vals) Span(slot int) source.Span {
	return source.Span{Start: int(v.span[slot].start), End: int(v.span[slot].end)}
}
