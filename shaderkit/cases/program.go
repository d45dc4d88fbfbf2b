package cases

import (
	"encoding/base64"
	"fmt"

	"swizzle/shaderkit"
	"swizzle/shaderkit/isa"
	"swizzle/shaderkit/source"
)

// places finds lines of the text for diagnostics.
type places struct {
	text    string
	listing *isa.Listing
}

func (p places) line(g source.Diagnostic) int {
	span := g.Span
	switch {
	case g.InText:
	case p.listing == nil || g.Bytes.Len == 0:
		return 0
	default:
		i := p.listing.LineOf(g.Bytes.Off)
		if i < 0 {
			return 0
		}
		span = p.listing.Lines[i].Span
	}
	line, _ := source.Position(p.text, span.Start)
	return line
}

// note gives a diagnostic with its place.
func (p places) note(g source.Diagnostic) string {
	if line := p.line(g); line > 0 {
		return fmt.Sprintf("line %d: %s", line, g.Message)
	}
	return p.offset(g)
}

// offset gives a diagnostic with its place in the binary, when it has one.
func (p places) offset(g source.Diagnostic) string {
	if g.Bytes.Len == 0 {
		return g.Message
	}
	return fmt.Sprintf("+0x%X: %s", g.Bytes.Off, g.Message)
}

// failure gives the first error of a list.
func (p places) failure(l source.List) *failure {
	for _, g := range l {
		if g.Severity != source.Error {
			continue
		}
		f := &failure{Code: g.Code, Message: g.Message, Line: p.line(g)}
		if f.Line == 0 {
			f.Message = p.offset(g)
		}
		return f
	}
	return failf("internal", "no program and no error")
}

// program reads the program of a case.
func program(q *question, d Defaults) (*isa.Program, places, *failure) {
	var at places
	o := isa.Options{Syntax: or(q.Syntax, d.Syntax), Dialect: or(q.Dialect, d.Dialect), Stage: or(q.Stage, d.Stage), Permissive: true}
	name := or(q.ISA, d.ISA)
	arch := shaderkit.ByName(name)
	if name != "" && arch == nil {
		return nil, at, failf("unsupported-isa", "%q is no encoding that can be run; d3d9 is", name)
	}
	text, hasText := q.Text, q.Text != ""
	if !absent(q.Files) && !hasText {
		files, err := sources(q.Files)
		if err != nil {
			return nil, at, failf("case", "files: %v", err)
		}
		for _, f := range files {
			text += f.text + "\n"
		}
		hasText = text != ""
	}
	if q.Binary != "" && (!hasText || d.Prefer == "binary") {
		data, err := base64.StdEncoding.DecodeString(q.Binary)
		if err != nil {
			return nil, at, failf("case", "binary: %v", err)
		}
		if arch == nil {
			if arch, _ = shaderkit.Detect(data); arch == nil {
				return nil, at, failf("unknown-format", "the binary begins no known encoding; isa says which it is")
			}
		}
		p := arch.Decode(data, o)
		if p.Diags.HasErrors() {
			return nil, at, at.failure(p.Diags)
		}
		return p, at, nil
	}
	if !hasText {
		return nil, at, failf("case", "there is no program: text, files or binary")
	}
	if arch == nil {
		if arch = shaderkit.DetectText(text); arch == nil {
			return nil, at, failf("unknown-format", "the text is no assembly of a known encoding; isa says which it is")
		}
	}
	at.text = text
	p, listing, list := arch.Assemble(text, o)
	at.listing = listing
	if list.HasErrors() {
		return nil, at, at.failure(list)
	}
	return p, at, nil
}
