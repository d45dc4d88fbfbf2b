package isa

// A Word is the layout of one 32-bit word: its fields tile the bits, whatever the guards say.
type Word struct {
	Name   string
	Fields []Field
	Doc    string
}

// A Part is a word of a form, or a form inside it.
type Part struct {
	Name string // path element of the fields of Sub; unused for words
	Word *Word
	Sub  *Form
	If   []Guard // when the part is there
}

// A Form describes an instruction or an operand twice over the same named fields: Parts is the order of
// its words, Text the order of its spelling. One walker reads and writes each side.
type Form struct {
	Name  string
	Parts []Part
	Text  []Item
	Doc   string
}

// An Item is an element of a form's spelling. The same item prints the text and reads it.
type Item interface{ item() }

type (
	// Lit is fixed text.
	Lit string

	// Name is the name of the op.
	Name struct{}

	// Sp is a blank, any blanks when read.
	Sp struct{}

	// Sep is a comma and a blank; blanks around the comma are optional when read.
	Sep struct{}

	// Gap is where blanks may stand when read, in front of the text Before. Nothing is printed.
	Gap struct{ Before string }

	// Suffixes are endings such as _sat, printed in the order of the list and read in any order, each once.
	Suffixes []Suffix

	// Enum is the name of a field's value behind Pre. A value without a name is written ?(N), and read so.
	Enum struct {
		Field string
		Names []string // by value; "" is a value without a name
		Pre   string
		Fold  bool // read in capitals too
	}

	// Affix is a value spelled by a prefix and a suffix that stand apart: the item stands twice in the text,
	// with Post for the second place. Again marks another place where the suffix is read when it did not stand
	// in the second. Values behind the end of Pairs are left to the residue.
	Affix struct {
		Field string
		Pairs [][2]string
		Post  bool
		Again bool
	}

	// Reg is a register: a type and a number.
	Reg struct {
		Type, Num string
		Regs      *Regs
	}

	// Index is a sum between brackets: one register (the spelling of Part) and any numbers, which add to the
	// number of the register in front of the bracket (Num, with its type in Type). With neither Part nor Base
	// there are numbers alone.
	Index struct {
		Type, Num string
		Regs      *Regs
		Part      string // "" with Base: the index register has no word of its own
		Base      string // its spelling then
	}

	// Lanes is a write mask or a swizzle behind a point. xyzw and rgba are read, xyzw is written.
	Lanes struct {
		Field string
		Mask  bool
	}

	// F32 is a float, spelled so that it reads back to the same bits.
	F32 struct{ Field string }

	// I32 is a signed integer.
	I32 struct{ Field string }

	// Num is a decimal number, left out when zero.
	Num struct{ Field string }

	// Sub is the spelling of a part.
	Sub struct{ Part string }

	// Group is a piece of text under guards: printed when they hold, read where it fits.
	Group struct {
		If       []Guard
		Items    []Item
		ReadOnly bool   // an input-only spelling
		Style    Style  // printed in this style alone; 0 in all
		Else     string // what to say when it was read and the guards do not hold
	}

	// Choice is the first of its groups that holds and can be printed, or that can be read.
	Choice []Group
)

// A Suffix is one ending: it sets the bits Mask of Field to Value.
type Suffix struct {
	Text, Field string
	Mask, Value uint32
}

func (Lit) item()      {}
func (Name) item()     {}
func (Sp) item()       {}
func (Sep) item()      {}
func (Gap) item()      {}
func (Suffixes) item() {}
func (Enum) item()     {}
func (Affix) item()    {}
func (Reg) item()      {}
func (Index) item()    {}
func (Lanes) item()    {}
func (F32) item()      {}
func (I32) item()      {}
func (Num) item()      {}
func (Sub) item()      {}
func (Group) item()    {}
func (Choice) item()   {}

// A Style is a way to print.
type Style uint8

const (
	AnyStyle Style = iota
	Native         // lossless: assembles to the same bytes
	Vendor         // as the vendor's tool prints
)

// A RegRow names the registers of one type.
type RegRow struct {
	Name  string
	Type  uint32
	Fixed bool    // the one register Num, spelled without a number
	Num   uint32  // its number when Fixed
	Base  uint32  // the number that is spelled for number 0
	Max   uint32  // the largest number of the type, 2047 when zero
	If    []Guard // on "stage" and "version" alone
	Alt   bool    // a spelling for what no register file has; not offered to people
	Doc   string  // one sentence
}

// Regs is a compiled list of register names.
type Regs struct {
	Rows []RegRow
	rows []creg
	by   [64][]int // rows by type
}

// NewRegs compiles rows. The first row that fits a type and number spells it, so every list should end with
// rows that take whatever the others leave.
func NewRegs(rows []RegRow) *Regs {
	r := &Regs{Rows: rows}
	for i := range r.Rows {
		if r.Rows[i].Max == 0 {
			r.Rows[i].Max = 2047
		}
		c := creg{RegRow: &r.Rows[i]}
		for _, g := range rows[i].If {
			slot := SlotStage
			if g.Field == "version" {
				slot = SlotVersion
			}
			c.ifs = append(c.ifs, newGuard(slot, g))
		}
		r.rows = append(r.rows, c)
		if t := rows[i].Type; t < uint32(len(r.by)) {
			r.by[t] = append(r.by[t], i)
		}
	}
	return r
}

// Name spells the register of a type and number in a context; ok is false when no row fits.
func (r *Regs) Name(c Context, typ, num uint32) (name string, row *RegRow, ok bool) {
	var v Vals
	v.setContext(c)
	b, row := r.append(nil, &v, typ, num)
	return string(b), row, row != nil
}
