package isa

import (
	"encoding/binary"
	"fmt"
	"sort"
	"strings"

	"swizzle/shaderkit/source"
)

// A TextEdit replaces a piece of a text.
type TextEdit struct {
	Span source.Span
	New  string
}

// An Edit is what changing bytes does to a text.
type Edit struct {
	Text    string     // the new text
	Edits   []TextEdit // what to replace in the old one, in order, apart from each other
	Program *Program   // the new program
	Listing *Listing   // the new text's places
	Diags   source.List
	Notes   []string // what people should know: a macro was opened
}

// EditWord changes the word at a byte offset of p and rewrites in the text only the lines it touches. l is
// the listing of the text that p came from: what Assemble or Print gave. Comments and all other lines stay.
// Text that a macro made is replaced by what the macro made, with a note.
func EditWord(p *Program, l *Listing, off int, value uint32, o Options) (Edit, error) {
	if off < 0 || off+4 > len(p.Data) {
		return Edit{}, fmt.Errorf("no word at offset %d of %d bytes", off, len(p.Data))
	}
	data := append([]byte(nil), p.Data...)
	binary.LittleEndian.PutUint32(data[off:], value)
	return EditBytes(p, l, data, o)
}

// EditBytes is EditWord for any change of the bytes.
func EditBytes(p *Program, l *Listing, data []byte, o Options) (Edit, error) {
	o.Permissive = true
	q := p.Arch.Decode(data, o)
	fresh := p.Arch.Print(q, p.Arch.Styles[0])
	old := p.Arch.Print(p, p.Arch.Styles[0])
	keep := sameLines(old, fresh)
	for tries := 0; ; tries++ {
		e := splice(p, l, fresh, keep, data)
		r, rl, found := p.Arch.Assemble(e.Text, o)
		if string(r.Data) == string(data) {
			e.Program, e.Listing, e.Diags = r, rl, found
			return e, nil
		}
		if tries == 2 {
			return Edit{}, fmt.Errorf("the text cannot be made to give the bytes")
		}
		if tries == 0 { // a kept line reads otherwise now: keep what gives the right bytes in its place
			keep = verified(l, rl, r.Data, data, keep)
			continue
		}
		e = Edit{Text: fresh.Text, Edits: []TextEdit{{source.Span{End: len(l.Text)}, fresh.Text}}, Notes: []string{"the whole text was written anew"}}
		r, rl, found = p.Arch.Assemble(e.Text, o)
		if string(r.Data) == string(data) {
			e.Program, e.Listing, e.Diags = r, rl, found
			return e, nil
		}
	}
}

// sameLines gives the byte ranges whose line is the same in two listings.
func sameLines(a, b *Listing) map[source.Range]bool {
	text := map[source.Range]string{}
	for _, x := range a.Lines {
		text[x.Bytes] = a.Text[x.Span.Start:x.Span.End]
	}
	same := map[source.Range]bool{}
	for _, y := range b.Lines {
		if s, ok := text[y.Bytes]; ok && s == b.Text[y.Span.Start:y.Span.End] {
			same[y.Bytes] = true
		}
	}
	return same
}

// verified drops what did not come out right.
func verified(l, rl *Listing, got, want []byte, keep map[source.Range]bool) map[source.Range]bool {
	ok := map[source.Range]bool{}
	for r := range keep {
		k := rl.LineOf(r.Off)
		if k >= 0 && rl.Lines[k].Bytes == r && r.End() <= len(got) && r.End() <= len(want) && string(got[r.Off:r.End()]) == string(want[r.Off:r.End()]) {
			ok[r] = true
		}
	}
	return ok
}

// A run is a range of bytes whose lines are replaced.
type run struct{ from, to int }

// splice makes the new text: lines whose bytes are covered by kept lines stay, the others become the lines
// of fresh.
func splice(p *Program, l, fresh *Listing, keep map[source.Range]bool, data []byte) Edit {
	bounds := breaks(l, fresh)
	var runs []run
	touch := func(from, to int) {
		runs = append(runs, run{from, to})
	}
	for _, f := range fresh.Lines { // every line that is not the same, out to where both texts have a boundary
		if !keep[f.Bytes] {
			touch(bounds.down(f.Bytes.Off), bounds.up(f.Bytes.End()))
		}
	}
	for _, x := range l.Lines {
		if x.Bytes.Len > 0 && x.Bytes.End() > len(data) {
			touch(bounds.down(x.Bytes.Off), bounds.up(x.Bytes.End()))
		}
	}
	runs = merged(runs)
	var e Edit
	macro := false
	for _, r := range runs {
		var lines []int
		for k, x := range l.Lines {
			if x.Bytes.Off < r.to && x.Bytes.End() > r.from || x.Bytes.Len == 0 && !keep[x.Bytes] && r.from <= x.Bytes.Off && x.Bytes.Off <= r.to {
				lines = append(lines, k)
			}
		}
		if len(lines) == 0 {
			continue
		}
		var texts []string
		for _, f := range fresh.Lines {
			if !f.Implicit && f.Bytes.Off >= r.from && f.Bytes.End() <= r.to && (f.Bytes.Len > 0 || !keep[f.Bytes]) {
				texts = append(texts, fresh.Text[f.Span.Start:f.Span.End])
			}
		}
		m := e.replace(l, lines, texts)
		macro = macro || m
	}
	if macro {
		e.Notes = append(e.Notes, "what a macro or an included file made was written out")
	}
	e.apply(l.Text)
	return e
}

// replace adds the edits that put texts in the place of lines: line by line where the numbers agree, else
// all in the place of the first.
func (e *Edit) replace(l *Listing, lines []int, texts []string) (macro bool) {
	var spans []source.Span
	for _, k := range lines {
		x := &l.Lines[k]
		macro = macro || x.Macro
		if n := len(spans); n > 0 && x.Span.Start < spans[n-1].End { // one macro call made several lines
			spans[n-1].End = max(spans[n-1].End, x.Span.End)
			continue
		}
		spans = append(spans, x.Span)
	}
	for i, s := range spans {
		indent := indentOf(l.Text, s.Start)
		switch {
		case i >= len(texts):
			e.Edits = append(e.Edits, TextEdit{s, ""})
		case i == len(spans)-1:
			e.Edits = append(e.Edits, TextEdit{s, lead(s, indent) + strings.Join(texts[i:], "\n"+indent)})
		default:
			e.Edits = append(e.Edits, TextEdit{s, texts[i]})
		}
	}
	return macro
}

// lead starts a line of its own where the place is empty, as behind the last statement.
func lead(s source.Span, indent string) string {
	if s.Start == s.End {
		return "\n" + indent
	}
	return ""
}

// indentOf gives the blanks that start the line of off.
func indentOf(text string, off int) string {
	start := strings.LastIndexByte(text[:off], '\n') + 1
	end := start
	for end < len(text) && (text[end] == ' ' || text[end] == '\t') {
		end++
	}
	return text[start:end]
}

// apply makes the new text.
func (e *Edit) apply(text string) {
	sort.SliceStable(e.Edits, func(i, j int) bool { return e.Edits[i].Span.Start < e.Edits[j].Span.Start })
	var b strings.Builder
	at := 0
	out := e.Edits[:0]
	for _, t := range e.Edits {
		if t.Span.Start < at || text[t.Span.Start:t.Span.End] == t.New {
			continue
		}
		b.WriteString(text[at:t.Span.Start])
		b.WriteString(t.New)
		at = t.Span.End
		out = append(out, t)
	}
	b.WriteString(text[at:])
	e.Edits, e.Text = out, b.String()
}

// boundaries are the byte offsets at which a line begins or ends in both listings.
type boundaries []int

func breaks(a, b *Listing) boundaries {
	inside := func(l *Listing) map[int]bool {
		m := map[int]bool{}
		for _, x := range l.Lines {
			m[x.Bytes.Off], m[x.Bytes.End()] = true, true
		}
		return m
	}
	ma, mb := inside(a), inside(b)
	for i := range a.Lines { // text that one call made has no boundaries inside
		for j := i + 1; j < len(a.Lines) && a.Lines[j].Span == a.Lines[i].Span && a.Lines[i].Macro; j++ {
			delete(ma, a.Lines[j].Bytes.Off)
		}
	}
	var out boundaries
	for x := range ma {
		if mb[x] {
			out = append(out, x)
		}
	}
	sort.Ints(out)
	return out
}

// down gives the last boundary at or before x.
func (b boundaries) down(x int) int {
	i := sort.SearchInts(b, x+1)
	if i == 0 {
		return 0
	}
	return b[i-1]
}

// up gives the first boundary at or behind x.
func (b boundaries) up(x int) int {
	i := sort.SearchInts(b, x)
	if i == len(b) {
		return 1 << 30
	}
	return b[i]
}

func merged(runs []run) []run {
	sort.Slice(runs, func(i, j int) bool { return runs[i].from < runs[j].from })
	var out []run
	for _, r := range runs {
		if n := len(out); n > 0 && r.from < out[n-1].to {
			out[n-1].to = max(out[n-1].to, r.to)
			continue
		}
		out = append(out, r)
	}
	return out
}
