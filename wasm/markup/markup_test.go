package markup

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"swizzle/render/scene"
	"swizzle/shaderkit/ir"
	"swizzle/shaderkit/isa"
	"swizzle/shaderkit/source"
	"swizzle/wasm/playground"
)

const nasty = `<b>&"'</b>`

func document(t *testing.T, text string) *playground.Document {
	t.Helper()
	s, err := playground.Open(playground.Input{Name: "a.asm", Data: []byte(text)})
	if err != nil {
		t.Fatal(err)
	}
	return s.Current()
}

// wellFormed checks that markup nests, since a browser would mend it silently.
func wellFormed(t *testing.T, what, markup string) {
	t.Helper()
	r := xml.NewDecoder(strings.NewReader("<x>" + markup + "</x>"))
	r.Strict = false
	r.AutoClose = []string{"input"}
	r.Entity = xml.HTMLEntity
	depth := 0
	for {
		tok, err := r.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Errorf("%s: %v in %s", what, err, markup)
			return
		}
		switch tok.(type) {
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		}
	}
	if depth != 0 {
		t.Errorf("%s: %d elements stay open", what, depth)
	}
}

// TestHelp checks the explanation of each word of a program: it nests, and instructions and registers have one.
func TestHelp(t *testing.T) {
	d := document(t, "ps_2_0\ndef c0, 1, 0, 0, 1\nmul r0, c0, c0\nmov oC0, r0\n")
	for i := range d.Tokens {
		wellFormed(t, "help", Help(d, i))
		wellFormed(t, "field help", FieldHelp(&d.Tokens[i], -1))
		for f := range d.Tokens[i].Fields {
			if text := FieldHelp(&d.Tokens[i], f); !strings.Contains(text, esc(d.Tokens[i].Fields[f].Doc)) {
				t.Errorf("field %d of token %d: %s", f, i, text)
			}
		}
	}
	mul := d.TokenAt(0x1C)
	if got := Help(d, mul); !strings.HasPrefix(got, "<div><b>mul dst, src0, src1</b>") {
		t.Errorf("mul: %s", got)
	}
	if got := Help(d, mul+2); !strings.HasPrefix(got, "<div><b>c0") || !strings.Contains(got, "<b>mul dst") {
		t.Errorf("c0 of mul: %s", got)
	}
}

func TestSource(t *testing.T) {
	text := "ps_2_0 // a<b\nmov oC0, c0\n"
	marks := []isa.Mark{{Span: source.Span{Start: 0, End: 6}, Class: isa.ClassVersion}, {Span: source.Span{Start: 7, End: 13}, Class: isa.ClassComment}}
	want := `<span class="t-version">ps_2_0</span> <span class="t-comment">// a&lt;b</span>` + "\nmov oC0, c0\n"
	if got := Source(text, marks); got != want {
		t.Errorf("%q", got)
	}
}

func TestTokens(t *testing.T) {
	d := document(t, "ps_2_0\nmov oC0, c0\n")
	rows := Tokens(d, false)
	want := []string{"FFFF0200", "02000001", "800F0800", "A0E40000", "0000FFFF"}
	if len(rows) != len(want) {
		t.Fatalf("%d rows", len(rows))
	}
	for i, row := range rows {
		wellFormed(t, "row", row)
		if !strings.Contains(row, "<span>"+want[i]+"</span>") || !strings.Contains(row, `id="`+WordID(i)+`"`) {
			t.Errorf("row %d: %s", i, row)
		}
	}
	if !strings.Contains(rows[1], "<b>mov") || !strings.Contains(rows[2], "oC0") || !strings.Contains(rows[3], "c0") {
		t.Errorf("%q", rows)
	}
	if got := Tokens(d, true)[0]; !strings.Contains(got, "<span>00 02 FF FF</span>") {
		t.Errorf("in the order of the file: %s", got)
	}
}

// TestWord checks bits and fields of each word: 32 cells, each field with its letter in both.
func TestWord(t *testing.T) {
	d := document(t, "vs_3_0\ndcl_position v0\ndcl_position o0\ndef c9, 1, -2, 0.5, 0\nmova a0.x, v0.x\nmad_sat r0.xz, -v0_abs, c0[a0.x], r0.wzyx\nmov o0, r0\n")
	for i := range d.Tokens {
		tok := &d.Tokens[i]
		bits, fields := Bits(tok), Fields(tok)
		wellFormed(t, "bits", bits)
		wellFormed(t, "fields", fields)
		if n := strings.Count(bits, "<button"); n != 32 {
			t.Errorf("word %#x has %d cells", tok.Offset, n)
		}
		for f := range tok.Fields {
			if k := key(tok, f); !strings.Contains(bits, "<u>"+k+"</u>") || !strings.Contains(fields, ">"+k+"</td>") {
				t.Errorf("word %#x: field %s has no letter %s", tok.Offset, tok.Fields[f].Name, k)
			}
		}
		if strings.Count(bits, `tabindex="0"`) != 1 {
			t.Errorf("word %#x: the strip is not one stop of the Tab key", tok.Offset)
		}
	}
}

func TestEscaping(t *testing.T) {
	s, err := playground.OpenScene("a", func() *scene.Scene {
		s := scene.Default(ir.Pixel, "a.asm", []byte("ps_2_0\nmov oC0, c0\n"))
		s.Textures[nasty] = s.Textures["checker"]
		s.First().PSConstants = []scene.Binding{{To: "c0", Value: []float64{1}, Label: nasty}}
		return s
	}())
	if err != nil {
		t.Fatal(err)
	}
	for what, got := range map[string]string{
		"problem": Problems([]Problem{{Diagnostic: source.Diagnostic{Code: "x", Message: nasty}}}),
		"hover":   Hover(isa.Hover{Title: nasty, Text: nasty, Doc: isa.Doc{Summary: nasty, Pseudo: nasty}}),
		"scene":   Scene(s),
		"fields":  Fields(&isa.Token{Size: 4, Word: &isa.Word{}, Fields: []isa.FieldValue{{Name: nasty, Meaning: nasty, Doc: nasty, Pieces: []isa.Bits{{N: 32}}}}}),
	} {
		wellFormed(t, what, got)
		if strings.Contains(got, nasty) || strings.Contains(got, `"'<`) || !strings.Contains(got, "&lt;b&gt;") {
			t.Errorf("%s does not escape: %s", what, got)
		}
	}
}

func TestColour(t *testing.T) {
	for want, value := range map[string][]float64{"#ff8000": {1, 0.5, -2, 9}, "#00ff00": {0, 7}, "#000000": {}} {
		if got := Colour(value); got != want {
			t.Errorf("%v is %s, want %s", value, got, want)
		}
	}
}

func TestLesson(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "",
		"# One `r0`\n\nTwo\nlines.\n":           "<h3>One <code>r0</code></h3><p>Two lines.</p>",
		"1. a\n2. b\n   goes on\n\nText\n- c\n": "<ol><li>a<li>b goes on</ol><p>Text</p><ul><li>c</ul>",
		"a < b and `c\n":                        "<p>a &lt; b and `c</p>",
		"x. y\n":                                "<p>x. y</p>",
		nasty:                                   "<p>&lt;b&gt;&amp;&#34;&#39;&lt;/b&gt;</p>",
	} {
		if got := Lesson(text); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

// BenchmarkKey is what the main thread does for one key in a text of 500 instructions, the editor and
// the DOM aside: assemble, tokens with their places, colours, rows.
func BenchmarkKey(b *testing.B) {
	text := "ps_3_0\n" + strings.Repeat("mad r0.xyz, r1, c0.x, -r0\n", 500) + "mov oC0, r0\n"
	s, err := playground.Open(playground.Input{Name: "a.asm", Data: []byte(text)})
	if err != nil {
		b.Fatal(err)
	}
	d := s.Current()
	texts := []string{text, strings.Replace(text, "r1", "r2", 1)}
	for i := 0; b.Loop(); i++ {
		d.SetText(texts[i&1])
		d.Arch().Highlight(d.Text)
		if rows := Tokens(d, false); len(rows) < 2500 {
			b.Fatalf("%d rows: %v", len(rows), d.Diags.Err())
		}
	}
}
