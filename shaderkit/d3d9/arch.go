package d3d9

import "swizzle/shaderkit/isa"

// Arch is Direct3D 9 shader bytecode.
var Arch = &isa.Arch{
	Name:     "d3d9",
	Title:    "Direct3D 9 shader bytecode",
	Table:    table,
	Styles:   []string{StyleNative, StyleFxc},
	Syntaxes: []string{StyleNative, StyleFxc}, // one language: native text is a superset of fxc's
	Versions: versions,
}

// The functions make programs that name Arch, so it gets them in a step of their own.
var _ = complete(Arch)

func complete(a *isa.Arch) bool {
	a.Detect = Detect
	a.DetectText = DetectText
	a.Decode = Decode
	a.Print = Print
	a.PrintFields = PrintFields
	a.Assemble = Assemble
	a.Check = Check
	a.Slots = Slots
	a.Highlight = Highlight
	a.Complete = Complete
	a.Hover = Hover
	a.Docs = Docs
	a.Lower = Lower
	a.Constants = constants
	a.Describe = describeComment
	return true
}

// constants gives the constant table in the form that all architectures share.
func constants(p *isa.Program) (out []isa.Constant) {
	if t := FindCTAB(p); t != nil && p.Modules == nil {
		for _, c := range t.Constants {
			out = append(out, isa.Constant{Name: c.Name, File: c.Set.Letter(), Index: c.Index, Count: c.Count})
		}
	}
	return
}
