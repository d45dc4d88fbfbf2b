package d3d9

import (
	"encoding/binary"
	"fmt"
	"strings"

	"swizzle/shaderkit/isa"
	"swizzle/shaderkit/source"
)

// record prints a record of an effect.
func (l *lister) record(i int) {
	in := &l.p.Insts[i]
	l.add("    ")
	start := len(l.pr.Text)
	l.p.Fields(i, &l.v)
	l.pr.Print(&l.v, i, l.ctx, l.style)
	if in.Op == rowString || in.Op == rowText {
		b := l.p.Data[in.Bytes.Off:in.Bytes.End()]
		if in.Op == rowString {
			b = b[4:]
		}
		l.add(" \"" + cString(b) + "\"")
	}
	l.line(start, i, in.Bytes)
}

// record reads a record of an effect at p, whose name ends at e.
func (a *assembler) record(row *isa.Op, p, e int) (end int, ok bool) {
	s := a.l.Text
	if row == rowString || row == rowText {
		q := blanks(s, e)
		n := -1
		if q < len(s) && s[q] == '"' {
			n = strings.IndexByte(s[q+1:], '"')
		}
		if n < 0 {
			a.errorf(q, len(s), "syntax", "%s takes a string in quotes", row.Name)
			return 0, false
		}
		body := append([]byte(s[q+1:q+1+n]), 0)
		if row == rowString {
			a.data = binary.LittleEndian.AppendUint32(a.data, uint32(len(body)))
		}
		a.data = append(a.data, body...)
		a.data = append(a.data, make([]byte, -len(body)&3)...)
		return q + n + 2, true
	}
	end, err := a.pa.ParseRow(row, s, p, a.ctx, &a.v)
	if err != nil {
		a.errorf(err.Span.Start, err.Span.End, err.Code, "%s", err.Message)
		return 0, false
	}
	a.effect = a.effect || row == rowEffect
	a.data = row.AppendWords(a.data, &a.v)
	a.fields = a.v.AppendFieldSpans(a.fields, len(a.list.Lines), a.l.Span)
	return end, true
}

// Module gives module k of a container as a program of its own.
func Module(p *isa.Program, k int) *isa.Program {
	b := p.Modules[k].Bytes
	return Decode(p.Data[b.Off:b.End()], isa.Options{})
}

// checkModules checks the shaders of an effect, each by its version.
func checkModules(p *isa.Program) (all source.List) {
	for k := range p.Modules {
		m := &p.Modules[k]
		if m.Model == "" || m.Model == "fx" || len(all) > 4*maxDiags {
			continue
		}
		for _, d := range Check(Module(p, k)) {
			d.Bytes.Off += m.Bytes.Off
			d.Message = m.Name + ": " + d.Message
			all = append(all, d)
		}
	}
	return all
}

// effect lists an effect as fxc does: its parameters, then techniques and passes with their states and shaders.
func (l *lister) effect(e *Effect) {
	for i := range e.Parameters {
		if k := e.Parameters[i].Type.Kind; k == typePixelShader || k == typeVertexShader {
			l.shaders(e, &e.Parameters[i])
		}
	}
	l.add("//listing of all techniques and passes with embedded asm listings \n\n")
	if len(e.Parameters) > 0 {
		l.add("//\n// Parameters:\n//\n")
		for i := range e.Parameters {
			l.parameter(e, &e.Parameters[i])
		}
		l.add("//\n\n")
	}
	for i := range e.Techniques {
		t := &e.Techniques[i]
		l.add("technique " + printable(t.Name) + l.annotated(e, t.Annotations) + "\n{\n")
		for k := range t.Passes {
			l.pass(e, i, k)
		}
		l.add("}\n\n")
	}
}

// shaders lists the shaders that are values of a parameter.
func (l *lister) shaders(e *Effect, p *EffectParameter) {
	for k, id := range p.Words {
		name := p.Name
		if p.Type.Elements > 0 {
			name += fmt.Sprintf("[%d]", k)
		}
		for _, o := range e.Small {
			if o.ID == id && o.Module > 0 {
				l.add(p.Type.Kind.String() + " " + printable(name) + " = \n")
				l.module(o.Module, "")
				l.add("\n")
			}
		}
	}
	l.add("\n")
}

// module lists a shader or an expression as a block of assembly.
func (l *lister) module(k int, in string) {
	l.add(in + "asm {\n")
	q := Module(l.p, k)
	var text string
	if l.p.Modules[k].Model == "fx" {
		text = ParsePreshader(l.p.Data[l.p.Modules[k].Bytes.Off:l.p.Modules[k].Bytes.End()], 0).Listing()
	} else {
		text = Print(q, StyleFxc).Text
	}
	for line := range strings.Lines(text) {
		l.add(in + line)
	}
	l.add(in + "};\n")
}

func (l *lister) parameter(e *Effect, p *EffectParameter) {
	s := p.describe() + l.annotated(e, p.Annotations)
	switch {
	case len(p.States) > 0:
		var in []string
		for i := range p.States {
			in = append(in, l.state(e, &p.States[i]))
		}
		s += " = sampler_state { " + strings.Join(in, " ") + " }"
	case len(p.Words) > 0 && p.Type.Class != ClassObject:
		s += " = " + e.literal(&p.EffectValue, l.p.Data)
	}
	l.add("//   " + s + ";\n")
}

// annotated lists annotations: " < string UIName = \"color\"; >".
func (l *lister) annotated(e *Effect, all []EffectValue) string {
	if len(all) == 0 {
		return ""
	}
	s := " <"
	for i := range all {
		s += " " + all[i].describe() + " = " + e.literal(&all[i], l.p.Data) + ";"
	}
	return s + " >"
}

func (l *lister) state(e *Effect, s *EffectState) string {
	name := s.Name()
	if s.Index != 0 && s.Index != 256 {
		name += fmt.Sprintf("[%d]", s.Index)
	}
	return name + " = " + e.literal(&s.Value, l.p.Data) + ";"
}

func (l *lister) pass(e *Effect, technique, pass int) {
	p := &e.Techniques[technique].Passes[pass]
	l.add("    pass " + printable(p.Name) + l.annotated(e, p.Annotations) + "\n    {\n")
	for _, op := range []uint32{stateVertexShader, statePixelShader} {
		found := false
		for i := range p.States {
			if p.States[i].Operation != op {
				continue
			}
			found = true
			l.add("        " + strings.ToLower(p.States[i].Name()) + " = \n")
			l.shader(e, technique, pass, i)
		}
		if !found {
			l.add("        //No embedded " + map[uint32]string{stateVertexShader: "vertex", statePixelShader: "pixel"}[op] + " shader\n")
		}
	}
	for i := range p.States {
		switch op := p.States[i].Operation; {
		case op == stateVertexShader || op == statePixelShader:
		case e.resource(technique, pass, i) != nil:
			l.add("        //" + p.States[i].Name() + " = \n")
			l.shader(e, technique, pass, i)
		default:
			l.add("        //" + l.state(e, &p.States[i]) + "\n")
		}
	}
	l.add("    }\n")
}

// resource gives what state i of a pass names, nil when it names none.
func (e *Effect) resource(technique, pass, i int) *EffectResource {
	for k := range e.Resources {
		if x := &e.Resources[k]; int(x.Technique) == technique && int(x.Index) == pass && int(x.State) == i {
			return x
		}
	}
	return nil
}

// shader lists what state i of a pass names.
func (l *lister) shader(e *Effect, technique, pass, i int) {
	in := "            "
	if x := e.resource(technique, pass, i); x != nil {
		if x.Module == 0 {
			l.add(in + "//" + map[bool]string{true: "parameter ", false: "object "}[x.Usage == 1] + printable(cString(l.p.Data[x.Bytes.Off:x.Bytes.End()])) + "\n")
			return
		}
		if x.Array != "" {
			l.add(in + "//the element of " + printable(x.Array) + " that this gives:\n")
		}
		l.module(x.Module, in)
		return
	}
	l.add(in + "//" + e.literal(&e.Techniques[technique].Passes[pass].States[i].Value, l.p.Data) + "\n")
}
