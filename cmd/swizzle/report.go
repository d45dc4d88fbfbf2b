package main

import (
	"encoding/json"
	"fmt"
	"io"

	"swizzle/shaderkit/source"
)

// report prints findings to w and remembers whether one was an error.
func (c *cli) report(w io.Writer, p *program, l source.List) {
	for _, d := range l {
		fmt.Fprintln(w, d.Format(p.name, p.text))
	}
	c.failed = c.failed || l.HasErrors()
}

// A finding is a diagnostic in JSON.
type finding struct {
	File     string `json:"file"`
	Severity string `json:"severity"`
	Code     string `json:"code"`
	Message  string `json:"message"`
	Line     int    `json:"line,omitempty"`   // of a text, from 1
	Col      int    `json:"col,omitempty"`    // in bytes, from 1
	Offset   *int   `json:"offset,omitempty"` // of a binary, in bytes
	Size     int    `json:"size,omitempty"`   // bytes of the piece that is meant
	Value    string `json:"value,omitempty"`  // the word or field there
}

func (p *program) finding(d source.Diagnostic) finding {
	f := finding{File: p.name, Severity: d.Severity.String(), Code: d.Code, Message: d.Message}
	if d.InText {
		f.Line, f.Col = d.Position(p.text)
		if d.File != "" {
			f.File = d.File
		}
		f.Size = d.Span.End - d.Span.Start
		return f
	}
	f.Offset, f.Size = &d.Bytes.Off, d.Bytes.Len
	f.Value = fmt.Sprintf("0x%08X", d.Value)
	return f
}

// printJSON prints v indented, as the whole output of a verb.
func (c *cli) printJSON(v any) {
	e := json.NewEncoder(c.out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	e.Encode(v) // plain types; an error of writing comes up again when the output is flushed
}
