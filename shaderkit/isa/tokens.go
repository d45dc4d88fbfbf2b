package isa

import (
	"encoding/binary"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"swizzle/shaderkit/source"
)

// A Token is a word of the file, or a piece of it that is no whole word. The tokens of a program tile it.
type Token struct {
	Offset  int
	Size    int    // bytes; 4 but for strings and odd remainders
	Value   uint32 // the word; of a piece shorter than four bytes the little-endian number
	Word    *Word  // its layout; nil for raw data
	Inst    int    // index of the instruction; -1: none
	Meaning string // what the word is
	Fields  []FieldValue
}

// A FieldValue is a field of a token.
type FieldValue struct {
	Name    string // path in the instruction's form, "src0.num"
	Lo      int    // lowest bit
	Width   int
	Pieces  []Bits // where it lies, low piece first
	Value   uint32
	Meaning string
	Doc     string
	Slot    int         // in the op's form
	Span    source.Span // place in the listing; empty where the text does not show it
}

// BitNames names the bits of f as manuals do: 30:28. The pieces of a split field, the high one first, have
// between between them.
func (f *FieldValue) BitNames(between string) string {
	var s []byte
	for i := len(f.Pieces) - 1; i >= 0; i-- {
		p := f.Pieces[i]
		if len(s) > 0 {
			s = append(s, between...)
		}
		if p.N > 1 {
			s = append(strconv.AppendInt(s, int64(p.Lo+p.N-1), 10), ':')
		}
		s = strconv.AppendInt(s, int64(p.Lo), 10)
	}
	return string(s)
}

// Tokens gives every word of the program with its fields, in order. l places the fields in a text and may
// be nil.
func (p *Program) Tokens(l *Listing) []Token {
	toks := make([]Token, 0, len(p.Data)/4+1)
	var fields []FieldValue // of many tokens, in one piece of memory
	for t := range p.EachToken(l) {
		if n := len(t.Fields); cap(fields)-len(fields) < n {
			fields = make([]FieldValue, 0, max(n, min(2*len(p.Data), 1024)))
		}
		first := len(fields)
		fields = append(fields, t.Fields...)
		t.Fields = fields[first:len(fields):len(fields)]
		toks = append(toks, t)
	}
	return toks
}

// EachToken is Tokens one by one, for programs of any size. The fields of a token are valid until the next.
func (p *Program) EachToken(l *Listing) iter.Seq[Token] {
	return func(yield func(Token) bool) {
		n := annotator{p: p, l: l}
		var fields []FieldValue
		for i := range p.Insts {
			in := &p.Insts[i]
			n.Words, n.Fields = n.Words[:0], n.Fields[:0]
			n.inst(i)
			off := in.Bytes.Off
			for k := range n.Words {
				ref := &n.Words[k]
				fields = fields[:0]
				for j := ref.F0; j < ref.F1; j++ {
					fields = append(fields, p.fieldValue(i, in.Op, ref.Word, &n.Annotations, j))
				}
				off = int(ref.Off) + 4
				if !yield(Token{Offset: int(ref.Off), Size: 4, Value: p.Word(int(ref.Off)), Word: ref.Word, Inst: i, Meaning: ref.Word.Name, Fields: fields}) {
					return
				}
			}
			var names map[int]string
			if in.Kind == KindComment && p.Arch.Describe != nil {
				names = p.Arch.Describe(p, i)
			}
			for size := 0; off < in.Bytes.End(); off += size {
				size = min(4, in.Bytes.End()-off)
				t := Token{Offset: off, Size: size, Value: p.Word(off), Inst: i, Meaning: in.Kind.String() + " data"}
				if name := names[off]; name != "" {
					t.Meaning = name
				}
				if size < 4 {
					t.Value &= 1<<(8*size) - 1
				}
				if !yield(t) {
					return
				}
			}
		}
	}
}

func (p *Program) fieldValue(i int, o *Op, w *Word, a *Annotations, k int32) FieldValue {
	r := &a.Fields[k]
	f := &w.Fields[r.Index]
	v := FieldValue{Name: o.form.name[r.Slot], Lo: int(f.Bits[0].Lo), Width: f.Width(), Pieces: f.Bits, Value: r.Value, Doc: f.Doc, Slot: int(r.Slot),
		Span: source.Span{Start: int(r.Start), End: int(r.Start) + int(r.Len)}}
	switch {
	case f.Len:
		v.Meaning = strconv.Itoa(int(r.Value)) + " words follow"
	case f.Must && r.Value != f.Def:
		v.Meaning = "reserved bits are set"
	case f.Show == ShowOp:
		v.Meaning = o.Name
	case f.Show == ShowReg:
		v.Meaning = p.regMeaning(i, f, w, a, k)
	default:
		v.Meaning = f.Meaning(r.Value)
	}
	return v
}

// regMeaning names the register of which field k is the type: the number is the field "num" of the word.
func (p *Program) regMeaning(i int, f *Field, w *Word, a *Annotations, k int32) string {
	num := uint32(0)
	for j := k; j >= 0 && j > k-int32(len(w.Fields)); j-- { // the number stands in front of the type
		if g := &w.Fields[a.Fields[j].Index]; g.Name == "num" {
			num = a.Fields[j].Value
			break
		}
	}
	name, row, ok := f.Regs.Name(p.CtxOf(i), a.Fields[k].Value, num)
	if !ok {
		return "no register type"
	}
	if row.Doc != "" {
		return name + ": " + row.Doc
	}
	return name
}

// Meaning gives the value of a field in words.
func (f *Field) Meaning(x uint32) string {
	switch f.Show {
	case ShowHex:
		return fmt.Sprintf("0x%X", x)
	case ShowName:
		if k := x - f.First; k < uint32(len(f.Names)) && f.Names[k] != "" {
			return f.Names[k]
		}
		return fmt.Sprintf("%d has no meaning", x)
	case ShowFlags:
		var s []string
		for k := range f.Width() {
			if x>>k&1 == 0 {
				continue
			}
			if k < len(f.Names) && f.Names[k] != "" {
				s = append(s, f.Names[k])
			} else {
				s = append(s, fmt.Sprintf("bit %d", k))
			}
		}
		if s == nil {
			return "none"
		}
		return strings.Join(s, " ")
	case ShowSwizzle:
		return "." + string([]byte{lanes[x&3], lanes[x>>2&3], lanes[x>>4&3], lanes[x>>6&3]})
	case ShowMask:
		if x == 0 {
			return "no lane"
		}
		b := []byte{'.'}
		for k := range 4 {
			if x>>k&1 != 0 {
				b = append(b, lanes[k])
			}
		}
		return string(b)
	case ShowFloat:
		return string(AppendFloat(nil, x, Native))
	case ShowInt:
		return strconv.Itoa(int(int32(x)))
	}
	return strconv.FormatUint(uint64(x), 10)
}

// Words gives the words of data as numbers; an odd remainder is dropped.
func Words(data []byte) []uint32 {
	w := make([]uint32, len(data)/4)
	for i := range w {
		w[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
	return w
}
