package d3d9

import (
	"fmt"
	"slices"
	"strings"

	"swizzle/shaderkit/isa"
)

// signature spells an instruction with the names of its operands: "mad dst, src0, src1, src2".
func signature(o *isa.Op) string {
	s := o.Name
	switch o.Form {
	case formCmp, formSetp:
		s += "_gt|eq|ge|lt|ne|le"
	case formDclSampler, formDclUsage, formDclPlain:
		return "dcl[_usage|_texture] dst"
	case formDef, formDefi:
		return s + " dst, x, y, z, w"
	case formDefb:
		return s + " dst, true|false"
	}
	sep := " "
	for _, p := range o.Operands {
		s += sep + p.Name
		sep = ", "
	}
	return s
}

// Docs gives the reference text of an instruction, a register or a modifier, or of all with name "". It gives false
// for an unknown name.
func Docs(name string) (string, bool) {
	var b strings.Builder
	if name == "" {
		b.WriteString("Direct3D 9 shader instructions\n\n")
		for _, o := range ops {
			if !o.Alt {
				fmt.Fprintf(&b, "  %-34s %4d  %s\n", signature(o), o.Code, versionsOf(o))
			}
		}
		describeFeatures(&b)
		describeModes(&b)
		b.WriteString("\nThe directives of native text:\n\n")
		for _, d := range directives {
			fmt.Fprintf(&b, "  %-9s %s\n", d[0], d[1])
		}
		b.WriteString("\nThe records of effects:\n\n")
		for _, o := range recordRows {
			fmt.Fprintf(&b, "  %-11s %s\n", o.Name, o.Doc.Summary)
		}
		b.WriteString("\nWords:\n")
		for _, w := range []*isa.Word{versionWord, plainOp, dstWord, srcWord, usageWord, samplerWord, commentWord, endWord} {
			describe(&b, w)
		}
		describeRules(&b)
		return b.String(), true
	}
	rows := table.ByName(name)
	if rows == nil {
		ok := documentFeature(&b, name)
		return b.String(), ok
	}
	for i, o := range rows {
		if i > 0 {
			b.WriteString("\n")
		}
		document(&b, o)
	}
	return b.String(), true
}

func document(b *strings.Builder, o *isa.Op) {
	fmt.Fprintf(b, "%s    opcode %d\n\n", signature(o), o.Code)
	fmt.Fprintf(b, "%s\n", o.Doc.Summary)
	if o.Doc.Pseudo != "" {
		fmt.Fprintf(b, "\n    %s\n", strings.ReplaceAll(o.Doc.Pseudo, "; ", "\n    "))
	}
	if len(o.Operands) > 0 {
		b.WriteString("\n")
		for _, p := range o.Operands {
			fmt.Fprintf(b, "  %-5s %s\n", p.Name, p.Doc)
		}
	}
	fmt.Fprintf(b, "\nVersions: %s\n", versionsOf(o))
	fmt.Fprintf(b, "Example (%s): %s\n", o.Doc.ExampleVersion, o.Doc.Example)
}

// versionsOf lists where an op exists and how many slots it counts there.
func versionsOf(o *isa.Op) string { return availability(o.Avail, true) }

// whereOf lists where the rows of an op's name exist.
func whereOf(o *isa.Op) string {
	var all []isa.Avail
	for _, r := range table.ByName(o.Name) {
		all = append(all, r.Avail...)
	}
	return availability(all, false)
}

func availability(avail []isa.Avail, slots bool) string {
	var s []string
	for _, a := range avail {
		for stage := range uint32(2) {
			if a.Stages>>stage&1 == 0 {
				continue
			}
			v := versionName(versionWord32(stage, a.Min))
			if hi := versionName(versionWord32(stage, a.Max)); hi != v {
				v += " to " + hi
			}
			switch {
			case !slots || a.Slots == 0:
			case a.Slots == 1:
				v += " (1 slot)"
			default:
				v += fmt.Sprintf(" (%d slots)", a.Slots)
			}
			if slots || !slices.Contains(s, v) {
				s = append(s, v)
			}
		}
	}
	return strings.Join(s, ", ")
}

// describe lists the fields of a word from the highest bit down.
func describe(b *strings.Builder, w *isa.Word) {
	fmt.Fprintf(b, "\n%s: %s\n\n", w.Name, w.Doc)
	for i := len(w.Fields) - 1; i >= 0; i-- {
		f := &w.Fields[i]
		var place []string
		for k := len(f.Bits) - 1; k >= 0; k-- {
			lo, n := f.Bits[k].Lo, f.Bits[k].N
			if n == 1 {
				place = append(place, fmt.Sprint(lo))
			} else {
				place = append(place, fmt.Sprintf("%d:%d", lo+n-1, lo))
			}
		}
		fmt.Fprintf(b, "  %-12s %-11s %s\n", strings.Join(place, " "), f.Name, f.Doc)
	}
}
