package scene

import (
	"swizzle/shaderkit"
	"swizzle/shaderkit/isa"
	"swizzle/shaderkit/source"
)

// Compile is the usual Compiler: text or binary of any architecture in its default mode. Findings of
// the validator are warnings. The error is an *Error whose diagnostics name the member.
func Compile(s Source) (*Shader, error) {
	var p *isa.Program
	var list source.List
	o := isa.Options{Permissive: true, File: s.Name, Stage: string(s.Stage)}
	if shaderkit.IsText(s.Data) {
		p, _, list = shaderkit.Assemble(string(s.Data), o)
	} else {
		p, list = shaderkit.Decode(s.Data, o)
		if p != nil {
			list = append(list, p.Diags...)
		}
	}
	if p == nil || list.HasErrors() {
		return nil, failed(s.Name, list)
	}
	return Lower(p, s, list)
}

// Lower is the second half of Compile, for callers that hold the program already. findings is what
// was said of it so far.
func Lower(p *isa.Program, s Source, findings source.List) (*Shader, error) {
	if p.Stage != string(s.Stage) {
		is := "of no known stage"
		if p.Stage != "" {
			is = "a " + p.Stage + " program"
		}
		findings.Errorf(source.Span{}, "wrong-stage", "%s is %s; the scene wants %s here", s.Name, is, s.Stage)
		return nil, failed(s.Name, findings)
	}
	if p.Arch.Lower == nil {
		findings.Add(source.Diagnostic{Code: "not-run", Unsupported: true, Message: p.Arch.Title + " cannot be run yet"})
		return nil, failed(s.Name, findings)
	}
	program, list := p.Arch.Lower(p, isa.LowerOptions{Trace: s.Trace})
	findings = append(findings, list...)
	if program == nil || findings.HasErrors() {
		return nil, failed(s.Name, findings)
	}
	program.Name = s.Name
	sh := &Shader{Program: program, Findings: named(s.Name, findings)}
	if p.Arch.Constants != nil {
		sh.Constants = p.Arch.Constants(p)
	}
	return sh, nil
}

// failed gives the error of a member that did not compile.
func failed(name string, list source.List) error {
	if !list.HasErrors() {
		list.Errorf(source.Span{}, "not-compiled", "the shader cannot be run")
	}
	return &Error{named(name, list)}
}

// named puts the member's name into diagnostics that have none.
func named(name string, list source.List) source.List {
	for i := range list {
		if list[i].File == "" {
			list[i].File = name
		}
	}
	return list
}

var _ Compiler = Compile
