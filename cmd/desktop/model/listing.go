package model

import (
	"fmt"
	"strings"

	"swizzle/shaderkit/source"
	"swizzle/wasm/playground"
)

// A Row is a line of the listing.
type Row struct {
	Text        string
	First, Last int    // its tokens, Last excluded; none: equal
	Words       string // their values, as far as they fit
	Severity    source.Severity
	Finding     string // the first finding of the line, "" when there is none
}

// wordsShown is how many words of a statement a row shows.
const wordsShown = 4

// Rows gives the lines of a document with their words.
func Rows(d *playground.Document) (rows []Row) {
	off := 0
	for line := range strings.Lines(d.Text) {
		end := off + len(line)
		r := Row{Text: strings.TrimRight(line, "\r\n")}
		if link, ok := lineLink(d, off, r.Text); ok {
			r.First, r.Last = link.First, link.Last
			for t := r.First; t < r.Last; t++ {
				if t-r.First == wordsShown {
					r.Words += " …"
					break
				}
				r.Words += fmt.Sprintf(" %0*X", 2*d.Tokens[t].Size, d.Tokens[t].Value)
			}
			r.Words = strings.TrimSpace(r.Words)
		}
		for _, f := range d.Diags {
			if f.InText && f.File == "" && f.Span.Start >= off && f.Span.Start < end && r.Finding == "" {
				r.Finding, r.Severity = f.Message, f.Severity
			}
		}
		rows = append(rows, r)
		off = end
	}
	return rows
}

// lineLink gives the words of the statement that begins in a line.
func lineLink(d *playground.Document, off int, text string) (playground.Link, bool) {
	if !d.Current {
		return playground.Link{}, false
	}
	start := off + len(text) - len(strings.TrimLeft(text, " \t"))
	link, ok := d.LinkAt(start)
	return link, ok && link.Line.Start >= off && link.Line.Start <= start
}

// A Field is a line about a word: the word itself, or a bit field of it.
type Field struct {
	Word    bool
	Bits    string // "30:28" of a field; the offset of a word
	Name    string // of the field; the value of a word
	Meaning string
}

// Fields explains the words of a row bit by bit, high bits first.
func Fields(d *playground.Document, r Row) (list []Field) {
	if !d.Current {
		return nil
	}
	for i := r.First; i < r.Last; i++ {
		t := &d.Tokens[i]
		list = append(list, Field{true, fmt.Sprintf("0x%04X", t.Offset), fmt.Sprintf("0x%0*X", 2*t.Size, t.Value), t.Meaning})
		for k := len(t.Fields) - 1; k >= 0; k-- {
			f := &t.Fields[k]
			value := fmt.Sprint(f.Value)
			x := Field{false, f.BitNames(","), f.Name + " = " + value, f.Meaning}
			if f.Meaning == value {
				x.Meaning = ""
			}
			list = append(list, x)
		}
	}
	return list
}
