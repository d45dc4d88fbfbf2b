package asmtext

import (
	"errors"
	"strings"
	"testing"

	"swizzle/shaderkit/source"
)

var asm = Comments{Line: []string{"//", ";"}, Block: true}

func run(text string, files map[string]string) Result {
	return Preprocess(text, Options{Comments: asm, Include: func(name string) (string, error) {
		if s, ok := files[name]; ok {
			return s, nil
		}
		return "", errors.New("not found")
	}})
}

func joined(r Result) string {
	var s []string
	for _, l := range r.Lines {
		s = append(s, strings.Join(strings.Fields(l.Text), " "))
	}
	return strings.Join(s, "|")
}

func TestExpansion(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a\nb", "a|b"},
		{"#define X 1\nX X.x aX X1 1X", "1 1.x aX X1 1X"},
		{"#define F(a,b) b a\nF(1, 2) F (3,4) F", "2 1 4 3 F"},
		{"#define F() z\nF()", "z"},
		{"#define F(a) a ## 1\nF(r) F(c[2, 3])", "r1 c[2, 3]1"},
		{"#define A B\n#define B A\nA B", "A B"},
		{"#define A(x) x x\nA(A(1))", "1 1 1 1"},
		{"#define A 1\n#undef A\nA", "A"},
		{"#define A 1 \\\n  2\nA", "1 2"},
		{"F(1,\n2) x", "F(1,|2) x"},
		{"#define F(a,b) b a\nF(1,\n2) x", "2 1 x"},
		{"x \\\ny", "x y"},
		{"#if 0\nx\n#elif 1\ny\n#else\nz\n#endif", "y"},
		{"#if 1\n#if 0\nx\n#else\ny\n#endif\n#else\nz\n#endif", "y"},
		{"#if 0\n#if 1\nx\n#else\ny\n#endif\n#else\nz\n#endif", "z"},
		{"#if 1 + 2 * 3 == 7 && !defined X && (~0 == -1) && 7 % 4 == 3 && 0x10 >> 2 == 4\nx\n#endif", "x"},
		{"#if 1 || 0 & 1 ^ 1\nx\n#endif", "x"},
		{"#define N 2\n#if N < 1\nx\n#elif N <= 2 && N != 3\ny\n#endif", "y"},
		{"#ifdef X\nx\n#else\ny\n#endif", "y"},
		{"#include \"f\"\nx", "in f|x"},
		{"a // b\n; c\nd /* e\nf */ g", "a|d|g"},
		{"x \"// no comment ; here\"", "x \"// no comment ; here\""},
		{"#line 7 \"f\"\n#pragma x\n#\na", "a"},
	} {
		r := run(c.text, map[string]string{"f": "in f"})
		if got := joined(r); got != c.want || len(r.Diags) > 0 {
			t.Errorf("%q: got %q want %q %v", c.text, got, c.want, r.Diags)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, code, at string }{
		{"x\n#error no luck", "error-directive", "#error no luck"},
		{"x\n#include \"g\"", "no-include", "#include \"g\""},
		{"#include \"loop\"", "deep-include", "#include \"loop\""},
		{"#if 1/0\n#endif", "bad-condition", "#if 1/0"},
		{"#if (1\n#endif", "bad-condition", "#if (1"},
		{"#if " + strings.Repeat("(", 1000) + "\n#endif", "bad-condition", ""},
		{"#ifdef 1\n#endif", "bad-directive", "#ifdef 1"},
		{"#if 1", "open-if", "#if 1"},
		{"#endif", "stray-endif", "#endif"},
		{"#if 1\n#else\n#else\n#endif", "stray-else", "#else"},
		{"#define", "bad-directive", "#define"},
		{"#define F(1) x", "bad-directive", "#define F(1) x"},
		{"#define F(a) a\nx F(1, 2) y", "bad-macro", "F(1, 2)"},
		{"#define F(a) a\nx F(1", "bad-macro", "F(1"},
		{"a /* b", "open-comment", "/*"},
		{"#frob", "unknown-directive", "#frob"},
	} {
		r := run(c.text, map[string]string{"loop": "#include \"loop\""})
		if len(r.Diags) == 0 || r.Diags[0].Code != c.code {
			t.Errorf("%q: %v, want %s", c.text, r.Diags, c.code)
			continue
		}
		if s := r.Diags[0].Span; c.at != "" && c.text[s.Start:s.End] != c.at {
			t.Errorf("%q: at %q, want %q", c.text, c.text[s.Start:s.End], c.at)
		}
	}
}

// Pieces of lines know their place: text as it is, macros at their call, included lines at the directive.
func TestPlaces(t *testing.T) {
	const text = "#define M mov r0\n  M, c0 // x\nadd r1,\n#include \"f\"\nsub"
	r := run(text, map[string]string{"f": "in M f"})
	for _, c := range []struct {
		line     int
		piece    string
		at       string
		expanded bool
	}{
		{0, "mov", "M", true}, {0, "r0", "M", true}, {0, "c0", "c0", false}, {0, "mov r0, c0", "M, c0", true},
		{1, "r1", "r1", false}, {2, "in", "#include \"f\"", true}, {3, "sub", "sub", false},
	} {
		l := &r.Lines[c.line]
		a := strings.Index(l.Text, c.piece)
		s := l.Span(a, a+len(c.piece))
		if got := text[s.Start:s.End]; got != c.at {
			t.Errorf("%q of line %d is at %q, want %q", c.piece, c.line, got, c.at)
		}
		if l.Expanded(a, a+len(c.piece)) != c.expanded {
			t.Errorf("%q of line %d: expanded is not %v", c.piece, c.line, c.expanded)
		}
	}
	d := r.Lines[2].Diagnostic(3, 6, "x", "bad")
	if d.Message != "f:1:4: bad" {
		t.Errorf("%+v", d)
	}
	j, ok := r.Lines[1].Join(&r.Lines[3])
	if a := strings.Index(j.Text, "sub"); !ok || j.Span(a, a+3) != (source.Span{Start: len(text) - 3, End: len(text)}) {
		t.Errorf("joined %q", j.Text)
	}
}

// Macros that double at each level stop at the limit.
func TestGrowthIsBounded(t *testing.T) {
	text := "#define A0 x\n"
	for i := range 14 {
		a, b := string(rune('A'+i)), string(rune('B'+i))
		text += "#define " + b + "0 " + strings.Repeat(a+"0 ", 8) + "\n"
	}
	r := run(text+"O0", nil)
	if len(r.Diags) != 1 || r.Diags[0].Code != "macro-too-large" {
		t.Errorf("%v", r.Diags)
	}
	if n := len(r.Lines[0].Text); n > 4*maxExpansion {
		t.Errorf("%d bytes", n)
	}
}
