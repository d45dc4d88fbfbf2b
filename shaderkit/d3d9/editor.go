package d3d9

import (
	"fmt"
	"sort"
	"strings"

	"swizzle/shaderkit/internal/asmtext"
	"swizzle/shaderkit/isa"
	"swizzle/shaderkit/source"
)

// scanner walks over the words of a text for colouring, completion and hover.
type scanner struct {
	s     string // with blanks for comments
	marks []isa.Mark
}

// Highlight classes the pieces of a text, in order. Comments are among them.
func Highlight(text string) []isa.Mark {
	blanked, found, _ := asmtext.Blank(text, comments)
	sc := &scanner{s: blanked}
	for p := 0; p < len(blanked); {
		p = sc.next(p)
	}
	for _, c := range found {
		sc.mark(c.Start, c.End, isa.ClassComment)
	}
	sort.SliceStable(sc.marks, func(i, j int) bool { return sc.marks[i].Span.Start < sc.marks[j].Span.Start })
	return sc.marks
}

func (sc *scanner) mark(a, b int, c isa.Class) {
	sc.marks = append(sc.marks, isa.Mark{Span: source.Span{Start: a, End: b}, Class: c})
}

// before gives the last byte in front of p on its line that is no blank, 0 when there is none.
func before(s string, p int) byte {
	for p--; p >= 0 && s[p] != '\n'; p-- {
		if s[p] != ' ' && s[p] != '\t' && s[p] != '\r' {
			return s[p]
		}
	}
	return 0
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// next classes what starts at p and gives the offset behind it.
func (sc *scanner) next(p int) int {
	s := sc.s
	c := s[p]
	switch {
	case c == '#' && before(s, p) == 0:
		e := p + 1
		for e < len(s) && (s[e] == ' ' || s[e] == '\t') {
			e++
		}
		for e < len(s) && isLetter(s[e]) {
			e++
		}
		sc.mark(p, e, isa.ClassDirective)
		return e
	case c == '"':
		e := p + 1
		for e < len(s) && s[e] != '"' && s[e] != '\n' {
			e++
		}
		return min(e+1, len(s))
	case c == '.' && p+1 < len(s) && isLetter(s[p+1]):
		e := wordEnd(s, p)
		class := isa.ClassDirective
		if p > 0 && (isLetter(s[p-1]) || isDigit(s[p-1]) || s[p-1] == ']') {
			class = isa.ClassLanes
		}
		sc.mark(p, e, class)
		return e
	case isDigit(c) || c == '.' && p+1 < len(s) && isDigit(s[p+1]):
		e := p
		for e < len(s) && (isDigit(s[e]) || isLetter(s[e]) && s[e] != '_' || s[e] == '.' || s[e] == '#' || (s[e] == '-' || s[e] == '+') && (s[e-1] == 'e' || s[e-1] == 'E') && !strings.HasPrefix(s[p:], "0x")) {
			e++
		}
		sc.mark(p, e, isa.ClassNumber)
		return e
	case isLetter(c):
		return sc.word(p)
	}
	return p + 1
}

// word classes the word at p.
func (sc *scanner) word(p int) int {
	s := sc.s
	e := p
	for e < len(s) && (isLetter(s[e]) || isDigit(s[e])) {
		e++
	}
	w := s[p:e]
	b := before(s, p)
	if _, ok := parseVersion(w); ok && b == 0 {
		sc.mark(p, e, isa.ClassVersion)
		return e
	}
	if b == 0 || b == ')' || b == '+' || b != ',' && b != '-' && b != '[' && b != '!' && b != '(' && !strings.Contains(w, "[") {
		if name := opcode(w); name != "" {
			sc.mark(p, p+len(name), isa.ClassOpcode)
			if len(name) < len(w) {
				sc.mark(p+len(name), e, isa.ClassModifier)
			}
			return e
		}
	}
	if n := registerWord(w); n > 0 {
		sc.mark(p, p+n, isa.ClassRegister)
		if n < len(w) {
			sc.mark(p+n, e, isa.ClassModifier)
		}
	} else if w == "true" || w == "false" {
		sc.mark(p, e, isa.ClassNumber)
	}
	return e
}

// opcode gives the name of the instruction that a word starts with.
func opcode(w string) string {
	for n := len(w); n > 0; n = strings.LastIndexByte(w[:n], '_') {
		if table.ByName(w[:n]) != nil {
			return w[:n]
		}
	}
	return ""
}

// registerWord gives the length of the register that a word starts with, 0 when it is none.
func registerWord(w string) int {
	best := 0
	for i := range registers.Rows {
		r := &registers.Rows[i]
		if !strings.HasPrefix(w, r.Name) {
			continue
		}
		n := len(r.Name)
		for !r.Fixed && n < len(w) && isDigit(w[n]) {
			n++
		}
		if n == len(w) || w[n] == '_' {
			best = max(best, n)
		}
	}
	return best
}

// contextAt gives the context that the version line in front of off sets.
func contextAt(blanked string, off int) (c isa.Context, ok bool) {
	for line := range strings.Lines(blanked[:min(off, len(blanked))]) {
		if w, is := parseVersion(strings.TrimSpace(line)); is {
			c, ok = context(w), true
		}
	}
	return c, ok
}

// at gives the word around an offset, and whether it stands where an instruction starts.
func at(s string, off int) (span source.Span, first bool) {
	a, b := off, off
	for a > 0 && (isLetter(s[a-1]) || isDigit(s[a-1])) {
		a--
	}
	for b < len(s) && (isLetter(s[b]) || isDigit(s[b])) {
		b++
	}
	if a > 0 && (s[a-1] == '.' || s[a-1] == '#') && before(s, a-1) == 0 {
		a--
	}
	p := before(s, a)
	return source.Span{Start: a, End: b}, p == 0 || p == ')' || p == '+'
}

// Complete lists what may stand at an offset: version lines, instructions, directives, endings of the
// instruction, or registers with what they are.
func Complete(text string, off int) []isa.Completion {
	blanked, found, _ := asmtext.Blank(text, comments)
	off = min(max(off, 0), len(blanked))
	for _, c := range found {
		if c.Start < off && (off < c.End || off == c.End && !strings.HasSuffix(text[c.Start:c.End], "*/")) {
			return nil
		}
	}
	span, first := at(blanked, off)
	typed := blanked[span.Start:off]
	ctx, known := contextAt(blanked, span.Start)
	var all []isa.Completion
	add := func(text, detail, doc string, class isa.Class) {
		if strings.HasPrefix(text, typed) {
			all = append(all, isa.Completion{Text: text, Detail: detail, Doc: doc, Class: class, Span: span})
		}
	}
	switch {
	case first && !known:
		for _, v := range versions {
			add(v, "version", "", isa.ClassVersion)
		}
	case first:
		for _, o := range ops {
			if o.Has(ctx) && !o.Alt {
				add(o.Name, signature(o), o.Doc.Summary, isa.ClassOpcode)
			}
		}
		for _, d := range directives {
			add(d[0], "directive", d[1], isa.ClassDirective)
		}
		if name := opcode(typed); name != "" && len(typed) > len(name) {
			for _, suffix := range endings(name, ctx) {
				add(name+suffix, "", suffixDoc(suffix), isa.ClassModifier)
			}
		}
	default:
		for i := range regFiles {
			f := &regFiles[i]
			if f.stage != ctx.Stage || ctx.Version < f.min || ctx.Version > f.max {
				continue
			}
			for n := range min(f.count, 64) {
				name, row, ok := registers.Name(ctx, f.typ, n)
				if ok && strings.HasPrefix(name, typed) {
					add(name, row.Doc, "", isa.ClassRegister)
				}
			}
		}
	}
	return all
}

// directives of native text.
var directives = [][2]string{
	{".dword", "Raw 32-bit words: .dword 0x00000001, 0x800F0000"},
	{".byte", "Raw bytes: .byte 0x12, 0x34"},
	{".comment", "A comment block of the binary: its name of four letters, then the rest in base64 of the URL alphabet."},
	{".end", "The end token, where something follows it or its upper half is not zero. Else it is added by itself."},
	{".noend", "No end token is added."},
	{"#define", "Defines a macro, with parameters or without."},
	{"#undef", "Forgets a macro."},
	{"#if", "Takes the lines up to #elif, #else or #endif if an integer expression is not zero."},
	{"#ifdef", "Takes the lines up to #else or #endif if a macro is defined."},
	{"#ifndef", "Takes the lines up to #else or #endif if a macro is not defined."},
	{"#elif", "Another condition of #if."},
	{"#else", "The other lines of #if."},
	{"#endif", "Ends #if."},
	{"#include", "Reads another file here: #include \"name\""},
	{"#error", "Refuses the text with a message."},
	{"#line", "Says what the next line is called in messages: #line 20 \"name\"."},
}

// endings gives what may follow the name of an instruction.
func endings(name string, c isa.Context) []string {
	var all []string
	seen := map[string]bool{}
	put := func(s string) {
		if !seen[s] {
			seen[s] = true
			all = append(all, s)
		}
	}
	for _, o := range table.ByName(name) {
		if !o.Has(c) {
			continue
		}
		for _, it := range o.Form.Text {
			switch it := it.(type) {
			case isa.Enum:
				for _, n := range it.Names {
					if n != "" && it.Pre != "" {
						put(it.Pre + n)
					}
				}
			case isa.Suffixes:
				for _, s := range it {
					if !strings.HasPrefix(s.Field, "dst.shift") {
						put(s.Text)
					}
				}
			}
		}
	}
	return all
}

var suffixDocs = map[string]string{
	"_sat": "clamps the result to 0..1", "_pp": "lower precision is enough", "_centroid": "is interpolated inside the covered part of the pixel",
	"_x2": "doubles the result", "_x4": "multiplies the result by four", "_x8": "multiplies the result by eight",
	"_d2": "halves the result", "_d4": "divides the result by four", "_d8": "divides the result by eight",
	"_gt": "greater than", "_ge": "greater or equal", "_eq": "equal", "_ne": "not equal", "_lt": "less than", "_le": "less or equal",
	"_2d": "a 2D texture", "_cube": "a cube texture", "_volume": "a volume texture",
	"_bias": "subtracts 0.5 from the source", "_bx2": "maps the source from 0..1 to -1..1", "_abs": "takes the absolute value of the source",
	"_dz": "divides the source by its z", "_dw": "divides the source by its w",
}

func suffixDoc(s string) string { return suffixDocs[s] }

// Hover explains the word at an offset: an instruction, a register, an ending or a directive.
func Hover(text string, off int) (isa.Hover, bool) {
	blanked, _, _ := asmtext.Blank(text, comments)
	if off < 0 || off > len(blanked) {
		return isa.Hover{}, false
	}
	span, first := at(blanked, off)
	w := blanked[span.Start:span.End]
	ctx, known := contextAt(blanked, off)
	if !known {
		ctx = isa.Context{Stage: VS, Version: v30}
	}
	for _, d := range directives {
		if d[0] == w {
			return isa.Hover{Span: span, Title: w, Text: d[1]}, true
		}
	}
	if o := recordRow(w); o != nil {
		return isa.Hover{Span: span, Title: w, Text: o.Doc.Summary}, true
	}
	if v, ok := parseVersion(w); ok {
		c := context(v)
		return isa.Hover{Span: span, Title: w, Text: fmt.Sprintf("A %s shader of version %d.%d.", [2]string{"vertex", "pixel"}[c.Stage], c.Version>>8, c.Version&255)}, true
	}
	if name := opcode(w); name != "" && (first || registerWord(w) == 0) {
		if off > span.Start+len(name) {
			if end := ending(w, off-span.Start); suffixDoc(end) != "" {
				return isa.Hover{Span: span, Title: end, Text: suffixDoc(end)}, true
			}
		}
		rows := table.ByName(name)
		o := rows[0]
		for _, r := range rows {
			if r.Has(ctx) && (!r.Alt || r.Doc.Pseudo != "") {
				o = r
				break
			}
		}
		return isa.Hover{Span: span, Title: signature(o), Doc: o.Doc}, true
	}
	if n := registerWord(w); n > 0 {
		if off > span.Start+n {
			if end := ending(w, off-span.Start); suffixDoc(end) != "" {
				return isa.Hover{Span: span, Title: end, Text: suffixDoc(end)}, true
			}
		}
		return registerHover(ctx, w[:n], source.Span{Start: span.Start, End: span.Start + n})
	}
	return isa.Hover{}, false
}

// ending gives the piece of a word between underscores around an offset, "_sat".
func ending(w string, off int) string {
	a := strings.LastIndexByte(w[:min(off+1, len(w))], '_')
	if a < 0 {
		return ""
	}
	b := strings.IndexByte(w[a+1:], '_')
	if b < 0 {
		return w[a:]
	}
	return w[a : a+1+b]
}

func registerHover(c isa.Context, name string, span source.Span) (isa.Hover, bool) {
	letters := strings.TrimRight(name, "0123456789")
	for i := range registers.Rows {
		r := &registers.Rows[i]
		if r.Alt || r.Name != letters && r.Name != name {
			continue
		}
		f := file(c, r.Type)
		if f == nil {
			continue
		}
		text := strings.ToUpper(r.Doc[:1]) + r.Doc[1:] + "."
		if !r.Fixed {
			text += fmt.Sprintf(" There are %d.", f.count)
		}
		if f.declare {
			text += " It takes a dcl."
		}
		return isa.Hover{Span: span, Title: name, Text: text}, true
	}
	return isa.Hover{Span: span, Title: name, Text: "No register of this stage and version."}, true
}
