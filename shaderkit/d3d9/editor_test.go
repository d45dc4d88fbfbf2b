package d3d9

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestHighlight(t *testing.T) {
	const text = "#define X 1\nvs_3_0 // a version\n(p0.x) mad_sat r0.xy, -c3_abs[a0.x + 4], v1, 1.5e-3 ; end\ndcl_texcoord1 v1\n.dword 0x12\n"
	var got []string
	for _, m := range Highlight(text) {
		got = append(got, fmt.Sprintf("%s %s", text[m.Span.Start:m.Span.End], m.Class))
	}
	want := []string{"#define directive", "1 number", "vs_3_0 version", "// a version comment", "p0 register", ".x lanes", "mad opcode", "_sat modifier",
		"r0 register", ".xy lanes", "c3 register", "_abs modifier", "a0 register", ".x lanes", "4 number", "v1 register", "1.5e-3 number", "; end comment",
		"dcl opcode", "_texcoord1 modifier", "v1 register", ".dword directive", "0x12 number"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// The caret is at the bar.
func TestComplete(t *testing.T) {
	for _, c := range []struct{ text, has, hasNot string }{
		{"vs|", "vs_3_0 vs_2_0", "mov"},
		{"vs_2_0\nte|", "", "texld texldl"},
		{"vs_3_0\nte|", "texldl", "texld"},
		{"ps_2_0\nma|", "mad max", "m4x4 mov"},
		{"vs_3_0\nmov_|", "mov_sat", "mov_x2"},
		{"vs_3_0\nif_|", "if_gt if_ne", ""},
		{"vs_3_0\ndcl_tex|", "dcl_texcoord", "dcl_color"},
		{"vs_3_0\nmov o|", "o0 o11", "o12 oPos"},
		{"vs_2_0\nmov o|", "oPos oT7", "o0"},
		{"vs_2_0\nmov r0, // c|", "", "c0"},
		{"vs_2_0\n.d|", ".dword", ""},
		{"#de|", "", ""},
		{"vs_2_0\n#de|", "#define", ""},
	} {
		off := strings.IndexByte(c.text, '|')
		text := c.text[:off] + c.text[off+1:]
		got := map[string]bool{}
		for _, x := range Complete(text, off) {
			got[x.Text] = true
			if !strings.HasPrefix(x.Text, text[x.Span.Start:off]) {
				t.Errorf("%q: %q replaces %v", c.text, x.Text, x.Span)
			}
		}
		for _, w := range strings.Fields(c.has) {
			if !got[w] {
				t.Errorf("%q: no %s", c.text, w)
			}
		}
		for _, w := range strings.Fields(c.hasNot) {
			if got[w] {
				t.Errorf("%q: %s", c.text, w)
			}
		}
	}
}

func TestHover(t *testing.T) {
	for _, c := range []struct{ text, title, has string }{
		{"vs_3_0\nm|ad r0, r1, r2, r3", "mad dst, src0, src1, src2", "Multiplies, then adds."},
		{"ps_3_0\nsincos| r0.xy, r1.x", "sincos dst, src0", "Cosine"},
		{"ps_2_0\nsincos| r0.xy, r1.x, c0, c1", "sincos dst, src0, src1, src2", "Cosine"},
		{"vs_3_0\nmov_s|at r0, r1", "_sat", "clamps"},
		{"vs_3_0\nmov r0, c|7", "c7", "Float constant register."},
		{"vs_2_0\nmov oP|os, r0", "oPos", "Position output."},
		{"vs_2_0\nmov r0, v0_a|bs", "_abs", "absolute"},
		{"vs_2|_0\n", "vs_2_0", "vertex shader of version 2.0"},
		{"vs_2_0\n.dw|ord 1", ".dword", "Raw"},
	} {
		off := strings.IndexByte(c.text, '|')
		h, ok := Hover(c.text[:off]+c.text[off+1:], off)
		if !ok || h.Title != c.title || !strings.Contains(h.Text+h.Doc.Summary, c.has) {
			t.Errorf("%q: %+v", c.text, h)
		}
	}
	if h, ok := Hover("vs_3_0\n  \n", 8); ok {
		t.Errorf("%+v", h)
	}
}
