package playground

import (
	"strings"
	"testing"

	"swizzle/shaderkit"
	"swizzle/shaderkit/isa"
	"swizzle/shaderkit/source"
)

const orange = `ps_2_0
dcl t0.xy
dcl_2d s0
texld r0, t0, s0       // the texel
mul   r0,r0, c0   // tinted
mov oC0, r0
`

func open(t *testing.T, text string) *Document {
	t.Helper()
	d := NewDocument(shaderkit.DetectText(text), text)
	if !d.Current {
		t.Fatal(d.Diags.Err())
	}
	return d
}

// at gives the offset of text behind the first occurrence of before.
func at(t *testing.T, text, before string) int {
	t.Helper()
	i := strings.Index(text, before)
	if i < 0 {
		t.Fatalf("no %q in %s", before, text)
	}
	return i + len(before)
}

// TestLinks checks which words a caret lights, and which text a word lights.
func TestLinks(t *testing.T) {
	d := open(t, orange)
	for _, c := range []struct {
		before      string // the caret stands behind this
		line        string // the statement that is lit
		first, last int    // byte offsets of its words
		word        int    // of the word that the caret is on
		part        string // what that word spells
	}{
		{"ps_2_0", "ps_2_0", 0x00, 0x04, 0x00, "ps_2_0"},
		{"dcl_2d s", "dcl_2d s0", 0x10, 0x1C, 0x18, "s0"},
		{"mul   r0,r", "mul   r0,r0, c0", 0x2C, 0x3C, 0x34, "r0"},
		{"mul   r0,r0, c", "mul   r0,r0, c0", 0x2C, 0x3C, 0x38, "c0"},
		{"// tin", "mul   r0,r0, c0", 0x2C, 0x3C, 0x2C, "mul"},
		{"mu", "mul   r0,r0, c0", 0x2C, 0x3C, 0x2C, "mul"},
		{"mov oC", "mov oC0, r0", 0x3C, 0x48, 0x40, "oC0"},
	} {
		link, ok := d.LinkAt(at(t, orange, c.before))
		if !ok {
			t.Errorf("a caret behind %q lights nothing", c.before)
			continue
		}
		line := strings.TrimSpace(orange[link.Line.Start:link.Line.End])
		first, last := d.Tokens[link.First].Offset, d.Tokens[link.Last-1].Offset+4
		if line != c.line || first != c.first || last != c.last || d.Tokens[link.Token].Offset != c.word {
			t.Errorf("behind %q: %q, words %#x..%#x, word %#x", c.before, line, first, last, d.Tokens[link.Token].Offset)
		}
		part := d.Part(link.Token)
		if got := orange[part.Start:part.End]; got != c.part {
			t.Errorf("behind %q: the word spells %q, want %q", c.before, got, c.part)
		}
		back, ok := d.LinkOf(link.Token)
		if !ok || back.Line != link.Line || back.First != link.First || back.Last != link.Last {
			t.Errorf("behind %q: the word lights %+v, the caret %+v", c.before, back, link)
		}
	}
	alone := open(t, "ps_2_0\n// a comment of its own\nmov oC0, c0\n")
	if _, ok := alone.LinkAt(at(t, alone.Text, "// a comment")); ok {
		t.Error("a comment on a line of its own lights words")
	}
	for i := range d.Tokens[:len(d.Tokens)-1] { // the end token has no text
		if _, ok := d.LinkOf(i); !ok {
			t.Errorf("word %#x lights nothing", d.Tokens[i].Offset)
		}
	}
}

// TestFlip flips a bit of the write mask and flips it back.
func TestFlip(t *testing.T) {
	d := open(t, orange)
	const mul = 0x30
	word := d.Program.Word(mul)
	edit, err := d.SetWord(mul, word^1<<17)
	if err != nil {
		t.Fatal(err)
	}
	if got := edit.Apply(orange); got != d.Text {
		t.Errorf("the edit gives %q, the document holds %q", got, d.Text)
	}
	if !strings.Contains(d.Text, "r0.xzw, r0, c0") || !strings.Contains(d.Text, "// tinted") || !strings.Contains(d.Text, "texld r0, t0, s0       // the texel") {
		t.Errorf("flipped: %q", d.Text)
	}
	if got := d.Text[edit.Anchor:edit.Head]; got != "r0.xzw" {
		t.Errorf("the edit selects %q", got)
	}
	if d.Program.Word(mul) != word^1<<17 {
		t.Errorf("the word is %08X", d.Program.Word(mul))
	}
	if _, err := d.SetWord(mul, word); err != nil {
		t.Fatal(err)
	}
	if d.Text != orange {
		t.Errorf("flipped back: %q", d.Text)
	}
}

// TestFlipAll flips every bit of the program and back: the text says the new bytes or nothing is
// changed, and the old text comes back.
func TestFlipAll(t *testing.T) {
	d := open(t, orange)
	said, silent := 0, 0
	for off := 0; off < len(d.Program.Data); off += 4 {
		for bit := range 32 {
			word := d.Program.Word(off)
			if _, err := d.SetWord(off, word^1<<bit); err != nil {
				if silent++; d.Text != orange || !d.Current {
					t.Fatalf("%#x bit %d: %v, but the text changed", off, bit, err)
				}
				continue
			}
			said++
			if d.Program.Word(off) != word^1<<bit {
				t.Fatalf("%#x bit %d: the text says %08X", off, bit, d.Program.Word(off))
			}
			if _, err := d.SetWord(off, word); err != nil || d.Text != orange {
				t.Fatalf("%#x bit %d back: %v, %q", off, bit, err, d.Text)
			}
		}
	}
	t.Logf("%d flips said in text, %d refused", said, silent)
	if silent > said/10 {
		t.Errorf("%d of %d flips are refused", silent, said+silent)
	}
}

// TestJournal checks when a text comes back: within a run of word edits, not over typing.
func TestJournal(t *testing.T) {
	d := open(t, orange)
	const mul, mov = 0x30, 0x44
	step := func(off int, flip uint32) {
		t.Helper()
		if _, err := d.SetWord(off, d.Program.Word(off)^flip); err != nil {
			t.Fatal(err)
		}
	}
	step(mul, 1<<17)
	once := d.Text
	step(mov, 1<<24) // the source becomes -r0
	step(mul, 1<<17)
	step(mov, 1<<24)
	if d.Text != orange {
		t.Errorf("back by another way: %q", d.Text)
	}
	d.SetText(once) // as an undo of the editor does
	step(mul, 1<<17)
	if d.Text != orange {
		t.Errorf("back after an undo: %q", d.Text)
	}
	typed := strings.Replace(orange, "// tinted", "// changed", 1)
	d.SetText(typed)
	step(mul, 1<<17)
	step(mul, 1<<17)
	if d.Text != typed {
		t.Errorf("back to a typed text: %q", d.Text)
	}
}

func TestBrokenText(t *testing.T) {
	d := open(t, orange)
	good := d.Program
	broken := strings.Replace(orange, "mul", "mule", 1)
	d.SetText(broken)
	if d.Current || d.Program != good || len(d.Tokens) != 19 {
		t.Errorf("current %t, %d words: the last good ones should stay", d.Current, len(d.Tokens))
	}
	if line, _ := source.Position(broken, d.Diags[0].Span.Start); line != 5 || !strings.HasPrefix(d.FirstError(), "line 5: ") {
		t.Errorf("the error is %q on line %d", d.FirstError(), line)
	}
	if !strings.HasPrefix(d.Verdict(), "1 error") {
		t.Errorf("verdict %q", d.Verdict())
	}
	if _, err := d.SetWord(0x30, 0); err != ErrText || d.Text != broken {
		t.Errorf("a word edit of broken text: %v", err)
	}
	if _, ok := d.LinkAt(3); ok {
		t.Error("broken text lights words")
	}
	d.SetText(orange)
	if !d.Current || d.Verdict() != "Assembled: 5 instructions, 76 bytes" {
		t.Errorf("mended: %q", d.Verdict())
	}
}

func TestFields(t *testing.T) {
	d := open(t, orange)
	tok := &d.Tokens[d.TokenAt(0x30)]
	for bit := range 32 {
		f := FieldOf(tok, bit)
		if f < 0 {
			t.Errorf("bit %d belongs to no field", bit)
			continue
		}
		if got := SetField(tok, f, tok.Fields[f].Value); got != tok.Value {
			t.Errorf("field %s set to itself: %08X", tok.Fields[f].Name, got)
		}
	}
	mask := FieldOf(tok, 17)
	if got := SetField(tok, mask, 5); got != 0x80050000 {
		t.Errorf("mask 5: %08X", got)
	}
	if f := FieldOf(&isa.Token{}, 3); f != -1 {
		t.Errorf("a field of raw data: %d", f)
	}
}
