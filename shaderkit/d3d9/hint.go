package d3d9

import (
	"slices"
	"strings"

	"swizzle/shaderkit/isa"
)

// What a message about a text adds: how the instruction is written, which registers there are.

// hint gives what helps with a syntax error of the line: the registers where one was expected, else how the
// instruction is written.
func (a *assembler) hint(err *isa.SyntaxError) string {
	s := a.l.Text
	found := s[err.Span.Start:err.Span.End]
	switch {
	case err.Code == "unknown-opcode" && strings.HasPrefix(s[err.Span.End:], ":"):
		return "; a label is written label l0"
	case slices.Contains(err.Wants, "a register"):
		return a.registerHint(found)
	case len(err.Wants) == 0 || strings.HasPrefix(err.Wants[0], "x, y, z"):
		return ""
	}
	if u := usageOf(s, a.ctx); u != "" {
		return "; it is written " + u
	}
	return ""
}

func (a *assembler) registerHint(found string) string {
	if found != "" && (isDigit(found[0]) || found[0] == '#') {
		return "; a number is put into a constant register, as by def c0, 1, 2, 3, 4"
	}
	if n := len(strings.TrimRight(found, "0123456789")); n > 0 {
		for i := range registers.Rows {
			r := &registers.Rows[i]
			if f := file(a.ctx, r.Type); f != nil && !r.Alt && strings.EqualFold(r.Name, found[:n]) {
				if name := r.Name + found[n:]; name != found {
					return "; it is written " + name
				}
				return "; " + r.Name + " takes a number, as in " + r.Name + "0"
			}
		}
	}
	return "; there are " + filesOf(a.ctx, func(*regFile) bool { return true })
}

// usageOf spells the ways of a version to write the instruction whose name is in s.
func usageOf(s string, ctx isa.Context) string {
	name := ""
	for _, w := range strings.FieldsFunc(s, func(c rune) bool { return !isLetter(byte(c)) && !isDigit(byte(c)) || c > 0x7F }) {
		if name = opcode(w); name != "" {
			break
		}
	}
	var all []string
	for _, o := range table.ByName(name) {
		if u := signature(o); o.Has(ctx) && !slices.Contains(all, u) {
			all = append(all, u)
		}
	}
	return strings.Join(all, " or ")
}

// filesOf lists the registers of a version whose file is of a kind: "r0 to r11, v0 to v15".
func filesOf(ctx isa.Context, of func(f *regFile) bool) string {
	var all []string
	for i := range regFiles {
		f := &regFiles[i]
		if f.stage != ctx.Stage || ctx.Version < f.min || ctx.Version > f.max || !of(f) || f.typ == RegConst2 || f.typ == RegConst3 || f.typ == RegConst4 {
			continue
		}
		first, row, _ := registers.Name(ctx, f.typ, 0)
		last, _, _ := registers.Name(ctx, f.typ, f.count-1)
		switch {
		case f.count == 1:
			all = append(all, first)
		case row.Fixed:
			for n := range f.count {
				s, _, _ := registers.Name(ctx, f.typ, n)
				all = append(all, s)
			}
		default:
			all = append(all, first+" to "+last)
		}
	}
	return strings.Join(all, ", ")
}

// nearVersion gives the version that a word may be meant as, vs_2_0 for VS.2.0.
func nearVersion(word string) (string, bool) {
	guess := strings.ReplaceAll(strings.ToLower(word), ".", "_")
	w, ok := parseVersion(guess)
	return guess, ok && supported(context(w))
}

// wordOrVersion gives the end of a word at p that may hold dots.
func wordOrVersion(s string, p int) int {
	for p < len(s) && (isLetter(s[p]) || isDigit(s[p]) || s[p] == '.') {
		p++
	}
	return p
}
