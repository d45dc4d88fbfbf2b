package shaderkit

import (
	"unicode/utf8"

	"swizzle/shaderkit/d3d9"
	"swizzle/shaderkit/isa"
	"swizzle/shaderkit/source"
)

// Archs lists the architectures, in the order in which detection asks them.
var Archs = []*isa.Arch{d3d9.Arch}

// ByName gives the architecture of a name, nil when there is none.
func ByName(name string) *isa.Arch {
	for _, a := range Archs {
		if a.Name == name {
			return a
		}
	}
	return nil
}

// Detect gives the architecture of a binary, nil when no one knows it.
func Detect(data []byte) (*isa.Arch, isa.Detection) {
	for _, a := range Archs {
		if d, ok := a.Detect(data); ok {
			return a, d
		}
	}
	return nil, isa.Detection{}
}

// DetectText gives the architecture of an assembly text, nil when no one knows it.
func DetectText(text string) *isa.Arch {
	for _, a := range Archs {
		if a.DetectText(text) {
			return a
		}
	}
	return nil
}

// IsText reports whether data is text: without control characters but white space, in UTF-8 or mostly in
// ASCII, as sources are that have comments in an older encoding.
func IsText(data []byte) bool {
	high := 0
	for _, c := range data {
		switch {
		case c >= utf8.RuneSelf:
			high++
		case c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != '\v' || c == 0x7F:
			return false
		}
	}
	return len(data) > 0 && (high <= len(data)/4 || utf8.Valid(data))
}

// Decode reads a binary of any architecture. The list says why when no architecture knows it; what the
// architecture found is in the program.
func Decode(data []byte, o isa.Options) (*isa.Program, source.List) {
	a, _ := Detect(data)
	if a == nil {
		var l source.List
		l.BytesErrorf(source.Range{Len: min(4, len(data))}, 0, "unknown-format", "no architecture knows these bytes")
		return nil, l
	}
	return a.Decode(data, o), nil
}

// Assemble reads a text of any architecture.
func Assemble(text string, o isa.Options) (*isa.Program, *isa.Listing, source.List) {
	a := DetectText(text)
	if a == nil {
		var l source.List
		l.Errorf(source.Span{}, "unknown-syntax", "no architecture knows this text; a Direct3D 9 shader starts with its version, as in vs_3_0")
		return nil, nil, l
	}
	return a.Assemble(text, o)
}

// Hover explains what stands at an offset of a text.
func Hover(text string, off int) (isa.Hover, bool) {
	if a := DetectText(text); a != nil && a.Hover != nil {
		return a.Hover(text, off)
	}
	return isa.Hover{}, false
}

// Complete lists what may stand at an offset of a text. Of a text that no architecture knows, it lists the
// version lines of all.
func Complete(text string, off int) []isa.Completion {
	if a := DetectText(text); a != nil && a.Complete != nil {
		return a.Complete(text, off)
	}
	var all []isa.Completion
	for _, a := range Archs {
		if a.Complete != nil {
			all = append(all, a.Complete(text, off)...)
		}
	}
	return all
}

// Highlight classes the pieces of a text for an editor's colours.
func Highlight(text string) []isa.Mark {
	if a := DetectText(text); a != nil && a.Highlight != nil {
		return a.Highlight(text)
	}
	return nil
}
