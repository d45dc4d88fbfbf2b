package d3d9

import (
	"strings"
	"testing"

	"swizzle/shaderkit/isa"
)

func TestTableHoldsTogether(t *testing.T) {
	for _, err := range table.Check() {
		t.Error(err)
	}
}

func TestEveryRowIsDocumented(t *testing.T) {
	for _, o := range ops {
		if o.Doc.Summary == "" || o.Doc.Example == "" || o.Doc.ExampleVersion == "" {
			t.Errorf("%s: summary, example or version missing", o.Name)
		}
		if o.Doc.Pseudo == "" && o.Name != "nop" && o.Name != "dcl" && !o.Alt {
			t.Errorf("%s: no pseudo-code", o.Name)
		}
		if !strings.HasSuffix(o.Doc.Summary, ".") {
			t.Errorf("%s: the summary is no sentence", o.Name)
		}
	}
}

func TestEveryFieldIsDocumented(t *testing.T) {
	seen := map[*isa.Word]bool{}
	var visit func(f *isa.Form)
	visit = func(f *isa.Form) {
		for _, p := range f.Parts {
			if p.Word == nil {
				visit(p.Sub)
				continue
			}
			if seen[p.Word] {
				continue
			}
			seen[p.Word] = true
			if p.Word.Doc == "" {
				t.Errorf("word %s: no doc", p.Word.Name)
			}
			for i := range p.Word.Fields {
				if d := p.Word.Fields[i].Doc; !strings.HasSuffix(d, ".") {
					t.Errorf("word %s, field %s: doc %q is no sentence", p.Word.Name, p.Word.Fields[i].Name, d)
				}
			}
		}
	}
	for _, o := range append([]*isa.Op{rowVersion, rowComment, rowEnd}, ops...) {
		visit(o.Form)
	}
}

// Every example assembles to one instruction of its row, and prints as it was written.
func TestExamples(t *testing.T) {
	for _, o := range ops {
		w, ok := parseVersion(o.Doc.ExampleVersion)
		if !ok {
			t.Errorf("%s: version %q", o.Name, o.Doc.ExampleVersion)
			continue
		}
		if !o.Has(context(w)) {
			t.Errorf("%s does not exist in %s", o.Name, o.Doc.ExampleVersion)
		}
		if !supported(context(w)) {
			continue
		}
		text := o.Doc.ExampleVersion + "\n" + o.Doc.Example + "\n"
		p, _, found := Assemble(text, isa.Options{Permissive: true})
		if found.HasErrors() || len(p.Insts) != 3 || p.Insts[1].Op != o {
			t.Errorf("%s: %q: %s", o.Name, o.Doc.Example, diags(text, found))
			continue
		}
		for _, d := range found {
			switch d.Code { // an example is one line, without what it needs around it
			case "uninitialized", "undeclared", "flow", "label", "output", "phase", "matrix-rows":
			default:
				t.Errorf("%s: %q: %s", o.Name, o.Doc.Example, d.Message)
			}
		}
		l := Print(p, StyleNative)
		got := l.Text[l.Lines[1].Span.Start:l.Lines[1].Span.End]
		if want := strings.Replace(o.Doc.Example, "2.5e-3", "0.00249999994", 1); got != want {
			t.Errorf("%s: prints as %q, not %q", o.Name, got, want)
		}
	}
}

func TestDocs(t *testing.T) {
	all, _ := Docs("")
	for _, name := range table.Names() {
		text, ok := Docs(name)
		if !ok || !strings.Contains(text, "Example") || !strings.Contains(text, "Versions") {
			t.Errorf("%s: %q", name, text)
		}
		if !strings.Contains(all, "  "+name) {
			t.Errorf("the list lacks %s", name)
		}
	}
	if _, ok := Docs("frobnicate"); ok {
		t.Error("there is no frobnicate")
	}
}

// Every register type and number of every context is spelled, and the spelling reads back.
func TestRegisterNames(t *testing.T) {
	for _, stage := range []uint32{VS, PS} {
		for _, version := range []uint32{v20, v2x, v30} {
			c := isa.Context{Stage: stage, Version: version}
			for typ := range uint32(32) {
				for _, num := range []uint32{0, 1, 2, 3, 9, 10, 99, 100, 2047} {
					name, _, ok := registers.Name(c, typ, num)
					if !ok {
						t.Errorf("%v: type %d number %d has no name", c, typ, num)
						continue
					}
					var pa isa.Parser
					var v isa.Vals
					_, _, err := pa.Parse(table, "mov "+name+", r0", 0, c, &v)
					if err != nil || v.Val("dst.type") != typ || v.Val("dst.num") != num {
						t.Errorf("%v: %s reads as type %d number %d: %v", c, name, v.Val("dst.type"), v.Val("dst.num"), err)
					}
				}
			}
		}
	}
}
