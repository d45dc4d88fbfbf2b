package playground

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"swizzle/shaderkit/isa"
	"swizzle/shaderkit/source"
)

// A Document is the text of one shader and what it assembles to.
//
// Program, Listing and Tokens belong to one another. While Text has errors they stay those of the
// last text that had none, and Current is false: nothing may then be edited through the words.
type Document struct {
	Text    string
	Diags   source.List // of Text; empty is fine
	Current bool        // Program is what Text assembles to

	Program *isa.Program // nil until a text was good
	Listing *isa.Listing
	Tokens  []isa.Token

	arch    *isa.Arch
	lines   []int // of each token: its line of Listing, or -1
	journal journal
}

// An Edit replaces the bytes From..To of a text by Insert. Anchor..Head is the place in the new text
// that the edited word spells.
type Edit struct {
	From, To     int
	Insert       string
	Anchor, Head int
	Notes        []string // what a person should know
}

// Apply gives the text with the edit made.
func (e Edit) Apply(text string) string { return text[:e.From] + e.Insert + text[e.To:] }

// NewDocument opens a text of an architecture.
func NewDocument(arch *isa.Arch, text string) *Document {
	d := &Document{arch: arch}
	d.SetText(text)
	return d
}

// Arch gives the architecture of the document.
func (d *Document) Arch() *isa.Arch { return d.arch }

// SetText takes a text that a person typed, or that an undo brought back.
func (d *Document) SetText(text string) {
	if text == d.Text && d.Program != nil && d.Current {
		return
	}
	d.read(text)
	if d.Current {
		d.journal.typed(d.Program.Data, text)
	}
}

// read assembles text. Findings of the validator do not stop it: odd programs are what people come for.
func (d *Document) read(text string) {
	p, l, diags := d.arch.Assemble(text, isa.Options{Permissive: true})
	d.Text, d.Diags, d.Current = text, diags, !diags.HasErrors() && p != nil
	d.Diags.Sort()
	if d.Current {
		d.Program, d.Listing, d.Tokens = p, l, p.Tokens(l)
		d.lines = make([]int, len(d.Tokens))
		for t := range d.lines {
			d.lines[t] = -1
		}
		for i, line := range l.Lines {
			for t := d.TokenAt(line.Bytes.Off); t >= 0 && t < len(d.Tokens) && d.Tokens[t].Offset < line.Bytes.End(); t++ {
				d.lines[t] = i
			}
		}
	}
}

// ErrText says that words cannot be edited while the text has errors.
var ErrText = errors.New("the text has errors: mend it first, then its words can be edited")

// SetWord gives the word at byte offset off a value: the touched statements of the text are spelled
// anew, the rest of it stays. Where the bytes have been in this run of word edits before, the text
// comes back as it was then.
func (d *Document) SetWord(off int, value uint32) (Edit, error) {
	if !d.Current || d.Program == nil {
		return Edit{}, ErrText
	}
	if d.Program.Word(off) == value {
		return Edit{}, nil
	}
	data := withWord(d.Program.Data, off, value)
	text, known := d.journal.text(data)
	var notes []string
	if !known {
		e, err := isa.EditWord(d.Program, d.Listing, off, value, isa.Options{Permissive: true})
		if err != nil {
			return Edit{}, err
		}
		text, notes = e.Text, e.Notes
	}
	edit := difference(d.Text, text)
	edit.Notes = notes
	d.read(text)
	if !d.Current {
		return Edit{}, d.Diags.Err()
	}
	d.journal.edited(d.Program.Data, text)
	if t := d.TokenAt(off); t >= 0 {
		part := d.Part(t)
		edit.Anchor, edit.Head = part.Start, part.End
	}
	return edit, nil
}

// difference gives the smallest edit that makes b of a, by common beginning and end. It never cuts a
// character in two.
func difference(a, b string) Edit {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n > 0 && (n < len(a) && a[n]&0xC0 == 0x80 || n < len(b) && b[n]&0xC0 == 0x80) {
		n--
	}
	m := 0
	for m < len(a)-n && m < len(b)-n && a[len(a)-1-m] == b[len(b)-1-m] {
		m++
	}
	for m > 0 && a[len(a)-m]&0xC0 == 0x80 {
		m--
	}
	return Edit{From: n, To: len(a) - m, Insert: b[n : len(b)-m]}
}

// TokenAt gives the index of the token that holds a byte of the binary, or -1.
func (d *Document) TokenAt(off int) int {
	lo, hi := 0, len(d.Tokens)
	for lo < hi {
		m := (lo + hi) / 2
		if d.Tokens[m].Offset+d.Tokens[m].Size <= off {
			lo = m + 1
		} else {
			hi = m
		}
	}
	if lo < len(d.Tokens) && d.Tokens[lo].Offset <= off {
		return lo
	}
	return -1
}

// A Link is a statement of the text together with its words.
type Link struct {
	Line        source.Span // of the statement
	First, Last int         // indices of its tokens, Last excluded
	Token       int         // the token that the place belongs to
}

// LinkAt gives what a place of the text is linked to; ok is false where the text makes no words.
func (d *Document) LinkAt(off int) (Link, bool) {
	if !d.Current || d.Program == nil {
		return Link{}, false
	}
	line := d.Listing.LineAt(off)
	if line < 0 {
		line = d.statementBefore(off)
	}
	if line < 0 {
		return Link{}, false
	}
	link, ok := d.lineLink(line)
	best := len(d.Text) + 1
	for t := link.First; t < link.Last; t++ {
		for _, f := range d.Tokens[t].Fields {
			if n := f.Span.End - f.Span.Start; n > 0 && f.Span.Contains(off) && n < best {
				best, link.Token = n, t
			}
		}
	}
	return link, ok
}

// statementBefore gives the last statement that stands in front of a place on its line, or -1.
func (d *Document) statementBefore(off int) int {
	start := strings.LastIndexByte(d.Text[:min(off, len(d.Text))], '\n') + 1
	found := -1
	for i, l := range d.Listing.Lines {
		if l.Bytes.Len > 0 && start <= l.Span.Start && l.Span.End <= off {
			found = i
		}
	}
	return found
}

// LinkOf gives what a token is linked to; ok is false where the text has no statement for it.
func (d *Document) LinkOf(token int) (Link, bool) {
	if !d.Current || token < 0 || token >= len(d.Tokens) {
		return Link{}, false
	}
	line := d.lines[token]
	if line < 0 {
		return Link{}, false
	}
	link, ok := d.lineLink(line)
	link.Token = token
	return link, ok
}

func (d *Document) lineLink(line int) (Link, bool) {
	l := d.Listing.Lines[line]
	first, last := d.TokenAt(l.Bytes.Off), d.TokenAt(l.Bytes.End()-1)
	return Link{Line: l.Span, First: first, Last: last + 1, Token: first}, first >= 0 && last >= first
}

// Part gives the place in the text that spells a token: all its fields; for the first word of a
// statement, whose name is no field, that name. It is empty where the text does not show the token.
func (d *Document) Part(token int) source.Span {
	var s source.Span
	if line := d.lines[token]; line >= 0 && d.Listing.Lines[line].Bytes.Off == d.Tokens[token].Offset {
		s = d.Listing.Lines[line].Span
		text := d.Listing.Text[s.Start:s.End]
		s.Start += len(text) - len(strings.TrimLeft(text, " \t"))
		if n := strings.IndexAny(d.Listing.Text[s.Start:s.End], " \t\r\n,"); n >= 0 {
			s.End = s.Start + n
		}
	}
	for _, f := range d.Tokens[token].Fields {
		switch {
		case f.Span.End <= f.Span.Start:
		case s.End == 0:
			s = f.Span
		default:
			s.Start, s.End = min(s.Start, f.Span.Start), max(s.End, f.Span.End)
		}
	}
	return s
}

// Help explains the statement of a token and, of a word behind the first, what the text spells by it. An
// explanation without a title is none.
func (d *Document) Help(token int) (statement, operand isa.Hover) {
	link, ok := d.LinkOf(token)
	if !ok {
		return statement, operand
	}
	explain := func(t int) isa.Hover {
		part := d.Part(t)
		if part.End <= part.Start {
			return isa.Hover{}
		}
		h, _ := d.arch.Hover(d.Text, part.Start)
		return h
	}
	statement = explain(link.First)
	if token != link.First {
		operand = explain(token)
	}
	return statement, operand
}

// Describe says what a token is, and what the text spells by it or, of data, its characters.
func (d *Document) Describe(token int) (what, detail string) {
	t := &d.Tokens[token]
	if t.Word == nil {
		return t.Meaning, characters(t)
	}
	part := d.Part(token)
	detail = d.Listing.Text[part.Start:part.End]
	if strings.ContainsAny(detail, "\t\r\n") || strings.Contains(detail, "  ") {
		detail = strings.Join(strings.Fields(detail), " ")
	}
	return t.Meaning, detail
}

// characters gives the bytes of a token as a string where all are printable, else nothing.
func characters(t *isa.Token) string {
	b := make([]byte, t.Size)
	for i := range b {
		b[i] = byte(t.Value >> (8 * i))
		if b[i] < ' ' || b[i] > '~' {
			return ""
		}
	}
	return strconv.Quote(string(b))
}

// FieldOf gives the index of the field of a token that holds a bit, or -1.
func FieldOf(t *isa.Token, bit int) int {
	for i := range t.Fields {
		for _, b := range t.Fields[i].Pieces {
			if int(b.Lo) <= bit && bit < int(b.Lo+b.N) {
				return i
			}
		}
	}
	return -1
}

// SetField gives the word of a token with one field changed; bits that do not fit are dropped.
func SetField(t *isa.Token, field int, value uint32) uint32 {
	f := isa.Field{Bits: t.Fields[field].Pieces}
	return f.Put(t.Value, value)
}

// FirstError gives the place and message of the first error of the text, "" when there is none.
func (d *Document) FirstError() string {
	for _, g := range d.Diags {
		if g.Severity == source.Error {
			return place(g, d.Text) + g.Message
		}
	}
	return ""
}

// Explain gives the first error of findings with its file and place, or message when there is none.
func Explain(message string, findings source.List) string {
	for _, g := range findings {
		if g.Severity == source.Error {
			if g.File != "" && !strings.HasPrefix(g.Message, g.File) {
				return g.File + ": " + g.Message
			}
			return g.Message
		}
	}
	return message
}

func place(g source.Diagnostic, text string) string {
	if !g.InText {
		return fmt.Sprintf("byte 0x%04X: ", g.Bytes.Off)
	}
	line, _ := source.Position(text, g.Span.Start)
	return fmt.Sprintf("line %d: ", line)
}

// Verdict says in one line how the text stands.
func (d *Document) Verdict() string {
	errors, warnings := 0, 0
	for _, g := range d.Diags {
		switch g.Severity {
		case source.Error:
			errors++
		case source.Warning:
			warnings++
		}
	}
	var s strings.Builder
	switch {
	case errors > 0:
		s.WriteString(plural(errors, "error"))
	default:
		s.WriteString("Assembled")
	}
	if warnings > 0 {
		s.WriteString(", " + plural(warnings, "warning"))
	}
	if errors == 0 && d.Program != nil {
		ops := 0
		for _, in := range d.Program.Insts {
			if in.Kind == isa.KindOp {
				ops++
			}
		}
		s.WriteString(": " + plural(ops, "instruction") + ", " + plural(len(d.Program.Data), "byte"))
	}
	return s.String()
}
