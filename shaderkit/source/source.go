// Package source names places in text and in bytes, and the diagnostics that point at them.
//
// A Span is a half-open piece of text, a Range a piece of a binary. A Diagnostic carries a stable
// code, a severity and the place; a List collects them, so that reading never stops at the first
// one. Lines and columns are computed late, by Position, at the edge that prints them.
package source

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// A Span is a half-open range of bytes of a text.
type Span struct {
	Start int `json:"start"` // offset of the first byte
	End   int `json:"end"`   // offset behind the last byte
}

// Contains reports whether offset off lies in s; the end counts, so that a caret behind a word hits it.
func (s Span) Contains(off int) bool { return s.Start <= off && off <= s.End }

// A Range is a range of bytes of a binary.
type Range struct {
	Off int `json:"off"` // offset of the first byte
	Len int `json:"len"` // number of bytes
}

// End gives the offset behind the last byte of r.
func (r Range) End() int { return r.Off + r.Len }

// Severity says how much a diagnostic matters.
type Severity uint8

const (
	Error   Severity = iota // the input is refused
	Warning                 // the input is used, but probably not what was meant
	Note                    // worth knowing
)

var severities = [...]string{"error", "warning", "note"}

func (s Severity) String() string {
	if int(s) < len(severities) {
		return severities[s]
	}
	return fmt.Sprintf("severity(%d)", uint8(s))
}

// A Diagnostic is one finding about a text or a binary.
type Diagnostic struct {
	Code        string   // stable, lower case with hyphens, e.g. "unknown-opcode"
	Severity    Severity // an error unless set
	Unsupported bool     // the input may be fine, this program cannot take it
	InText      bool     // Span is the place; otherwise Bytes is
	Span        Span     // place in the text
	Bytes       Range    // place in the binary
	Value       uint32   // the offending word or field of a binary
	Message     string   // a sentence without a full stop; says what is allowed where that is short
	File        string   // name of the file, where several are read together or the text says another
	Line        int      // the line that the text itself claims for the place, by #line; 0: the one of Span
}

// String gives the diagnostic without a file name: the place in bytes, the severity, code and message.
// For text the place needs the text itself: see Format.
func (d Diagnostic) String() string {
	if d.InText {
		return fmt.Sprintf("%d: %s[%s]: %s", d.Span.Start, d.Severity, d.Code, d.Message)
	}
	return fmt.Sprintf("+0x%X: %s[%s]: %s", d.Bytes.Off, d.Severity, d.Code, d.Message)
}

// Format gives `file:line:col: error[code]: message`, or `file:+0xOFFSET: error[code]: message` for a binary.
func (d Diagnostic) Format(file, text string) string {
	if d.File != "" {
		file = d.File
	}
	if !d.InText {
		return file + ":" + d.String()
	}
	line, col := d.Position(text)
	return fmt.Sprintf("%s:%d:%d: %s[%s]: %s", file, line, col, d.Severity, d.Code, d.Message)
}

// Position gives the line and column to tell of a finding in text, both from 1.
func (d Diagnostic) Position(text string) (line, col int) {
	line, col = Position(text, d.Span.Start)
	if d.Line > 0 {
		line = d.Line
	}
	return line, col
}

// A List collects diagnostics in the order of their discovery.
type List []Diagnostic

// Errorf adds an error at a span of the text.
func (l *List) Errorf(span Span, code, format string, args ...any) {
	*l = append(*l, Diagnostic{Code: code, InText: true, Span: span, Message: fmt.Sprintf(format, args...)})
}

// BytesErrorf adds an error at a range of the binary; value is the offending word or field.
func (l *List) BytesErrorf(r Range, value uint32, code, format string, args ...any) {
	*l = append(*l, Diagnostic{Code: code, Bytes: r, Value: value, Message: fmt.Sprintf(format, args...)})
}

// Add appends d.
func (l *List) Add(d Diagnostic) { *l = append(*l, d) }

// Sort orders the list by file and place, errors first at one place.
func (l List) Sort() {
	sort.SliceStable(l, func(i, j int) bool {
		a, b := l[i], l[j]
		if a.File != b.File {
			return a.File < b.File
		}
		if p, q := a.place(), b.place(); p != q {
			return p < q
		}
		return a.Severity < b.Severity
	})
}

func (d Diagnostic) place() int {
	if d.InText {
		return d.Span.Start
	}
	return d.Bytes.Off
}

// HasErrors reports whether a finding of severity Error is in the list.
func (l List) HasErrors() bool {
	return slices.ContainsFunc(l, func(d Diagnostic) bool { return d.Severity == Error })
}

// Err gives nil when the list has no errors, else an error that lists them.
func (l List) Err() error {
	if !l.HasErrors() {
		return nil
	}
	return listError(l)
}

type listError List

func (e listError) Error() string {
	var s []string
	for _, d := range e {
		if d.Severity == Error {
			s = append(s, d.String())
		}
	}
	return strings.Join(s, "\n")
}

// Position gives the line and column, both from 1, of a byte offset; the column counts bytes.
func Position(text string, off int) (line, col int) {
	off = min(max(off, 0), len(text))
	line = 1 + strings.Count(text[:off], "\n")
	return line, off - strings.LastIndexByte(text[:off], '\n')
}
