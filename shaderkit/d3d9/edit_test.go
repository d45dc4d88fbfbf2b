package d3d9

import (
	"bytes"
	"strings"
	"testing"

	"swizzle/shaderkit/isa"
)

// Bits of every source of the corpus, and of a listing with its constant table: the rewritten text gives the
// changed bytes. The step is prime, so that all bits of words have their turn.
func TestBitEditRewritesOnlyTouchedLines(t *testing.T) {
	n, whole, lines, step := 0, 0, 0, 7
	if testing.Short() {
		step = 97
	}
	for _, s := range shaders(t) {
		text := s.text
		if text == "" {
			if !strings.Contains(s.name, "hlsl/ps_static_bool") {
				continue
			}
			text = Print(Decode(s.data, isa.Options{}), StyleNative).Text
		}
		p, l, _ := Assemble(text, isa.Options{})
		for bit := 0; bit < len(s.data)*8; bit += step {
			off := bit / 32 * 4
			want := bytes.Clone(s.data)
			want[bit/8] ^= 1 << (bit % 8)
			e, err := isa.EditWord(p, l, off, p.Word(off)^1<<(bit%32), isa.Options{})
			if err != nil {
				t.Fatalf("%s: bit %d: %v", s.name, bit, err)
			}
			n++
			if !bytes.Equal(e.Program.Data, want) {
				t.Fatalf("%s: bit %d: other bytes", s.name, bit)
			}
			if len(e.Notes) > 0 && strings.Contains(e.Notes[0], "whole") {
				whole++
			}
			lines += len(e.Edits)
		}
	}
	t.Logf("%d edits, %.2f places each, %d wrote the whole text anew", n, float64(lines)/float64(n), whole)
}

func TestBitEditKeepsCommentsAndOpensMacros(t *testing.T) {
	const text = `vs_2_0 // the version
#define DOUBLE(d, a) add d, a, a
dcl_position v0   // position
mov r0, c[3 + a0.x]  // an index
DOUBLE(r1, r0) ; twice
mov oPos, r1 /* out */
`
	p, l, found := Assemble(text, isa.Options{})
	if len(found) > 0 {
		t.Fatal(diags(text, found))
	}
	edit := func(line string, word int, bit uint32) isa.Edit {
		t.Helper()
		k := l.LineAt(strings.Index(text, line))
		off := l.Lines[k].Bytes.Off + 4*word
		e, err := isa.EditWord(p, l, off, p.Word(off)^bit, isa.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	for _, c := range []struct {
		line, old, new string
		word           int
		bit            uint32
	}{
		{"mov r0", "mov r0, c[3 + a0.x]", "mov r0, c1[a0.x]", 2, 2},
		{"mov r0", "mov r0, c[3 + a0.x]", "mov r0.yzw, c3[a0.x]", 1, 1 << 16},
		{"mov oPos", "mov oPos, r1", "mov oPos, -r1", 2, 1 << 24},
		{"DOUBLE(r1", "DOUBLE(r1, r0)", "add r3, r0, r0", 1, 2},
	} {
		e := edit(c.line, c.word, c.bit)
		if want := strings.Replace(text, c.old, c.new, 1); e.Text != want {
			t.Errorf("got\n%s\nwant\n%s", e.Text, want)
		}
		if macro := c.line == "DOUBLE(r1"; macro != (len(e.Notes) == 1) {
			t.Errorf("%s: notes %q", c.line, e.Notes)
		}
	}
}
