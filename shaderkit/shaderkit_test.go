package shaderkit

import (
	"strings"
	"testing"
	"time"

	"swizzle/shaderkit/isa"
)

func TestDetection(t *testing.T) {
	vs := []byte{0, 3, 0xFE, 0xFF, 0xFF, 0xFF, 0, 0}
	a, d := Detect(vs)
	if a == nil || a.Name != "d3d9" || d.Model != "vs_3_0" || d.Stage != "vs" || d.Size != 8 {
		t.Errorf("%v %+v", a, d)
	}
	if a, _ := Detect([]byte("DXBC")); a != nil {
		t.Errorf("DXBC is %s", a.Name)
	}
	for text, want := range map[string]bool{
		"vs_2_0\n":                          true,
		"// c\n#define X\n/* d */ ps_3_0\n": true,
		"#if X\n vs_3_0\n#endif":            true,
		".dword 1":                          true,
		"\uFEFFvs_2_0\n":                    true,
		"vs.1.1\n":                          true,
		"FRAG\nDCL IN[0]":                   false,
		"vs_5_0\n":                          false,
		"":                                  false,
	} {
		if got := DetectText(text) != nil; got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	if !IsText([]byte("vs_3_0\r\n\tmov\n")) || !IsText([]byte("vs_3_0 ; caf\xE9")) || !IsText([]byte("ééé")) || IsText(vs) || IsText(nil) || IsText([]byte("a\x00b")) || IsText([]byte{0xFF}) {
		t.Error("IsText")
	}
	if ByName("d3d9") == nil || ByName("d3d8") != nil {
		t.Error("ByName")
	}
}

func TestUnknownInput(t *testing.T) {
	if p, l := Decode([]byte("DXBC"), isa.Options{}); p != nil || len(l) != 1 || l[0].Code != "unknown-format" {
		t.Errorf("%v %v", p, l)
	}
	if p, _, l := Assemble("FRAG", isa.Options{}); p != nil || len(l) != 1 || l[0].Code != "unknown-syntax" {
		t.Errorf("%v %v", p, l)
	}
	if h, ok := Hover("FRAG", 1); ok {
		t.Error(h)
	}
	if Highlight("FRAG") != nil {
		t.Error("colours")
	}
	if c := Complete("", 0); len(c) == 0 || c[0].Text != "vs_3_0" {
		t.Errorf("%v", c)
	}
}

// Texts of a megabyte that are hard on one loop or another.
func TestLongTextsTakeLinearTime(t *testing.T) {
	if testing.Short() {
		t.Skip("megabytes")
	}
	for name, piece := range map[string]string{
		"one line":         "nop ",
		"unknown":          "frobnicate r0\n",
		"commas":           "add r0,\n",
		"backslashes":      "\\\n",
		"open calls":       "F(\n",
		"macros":           "F(1) ",
		"blanks":           "          \t",
		"words":            "a ",
		"block comments":   "/* */",
		"quotes":           "\"",
		"opened comments":  "/*",
		"nested ifs":       "#if 1\n",
		"undeclared":       "mov r0, v0\n",
		"raw":              ".dword 1,",
		"residues":         "{a=1}",
		"includes":         "#include \"x\"\n",
		"open parentheses": "(",
		"brackets":         "[",
		"long names":       "abcdefghijklmnopqrstuvwxyz_",
	} {
		text := "vs_3_0\n#define F(x) nop\n" + strings.Repeat(piece, 1<<18/len(piece))
		start := time.Now()
		Assemble(text, isa.Options{})
		Highlight(text)
		Hover(text, len(text)-1)
		Complete(text, len(text)-1)
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("%s: %v", name, d)
		} else if d > time.Second {
			t.Logf("%s: %v", name, d)
		}
	}
}
