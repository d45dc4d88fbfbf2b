package d3d9

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"swizzle/internal/testkit"
	"swizzle/shaderkit/isa"
)

// An effect is assembled from its native text, prints as that, and lists as fxc does: parameters, passes, states
// and the shaders in them, which are modules of their own.
func TestEffects(t *testing.T) {
	for _, c := range testkit.Cases(t, "testdata/effect/*.txtar") {
		t.Run(c.Name, func(t *testing.T) {
			text := c.Section(t, "asm")
			p, l, found := Assemble(text, isa.Options{})
			if len(found) > 0 {
				t.Fatal(diags(text, found))
			}
			tiles(t, c.Name, p, l)
			if got := Print(p, StyleNative).Text; got != text {
				t.Errorf("prints as\n%s", got)
			}
			c.Golden(t, "fxc", Print(p, StyleFxc).Text)
			var mods strings.Builder
			for k, m := range p.Modules[1:] {
				fmt.Fprintf(&mods, "%d %s %s\n", k+1, m.Model, m.Name)
			}
			c.Golden(t, "modules", mods.String())
		})
	}
}

func effectSample(t testing.TB) []byte {
	text := testkit.Cases(t, "testdata/effect/two-passes.txtar")[0].Section(t, "asm")
	p, _, _ := Assemble(text, isa.Options{})
	return p.Data
}

// holds checks the laws on any bytes: the text gives them, tokens tile them, findings have places inside.
func holds(t testing.TB, data []byte) {
	t.Helper()
	p := Decode(data, isa.Options{})
	l := PrintFields(p, StyleNative)
	tiles(t, "effect", p, l)
	Print(p, StyleFxc)
	textGives(t, l, data)
	for _, d := range append(Check(p), p.Diags...) {
		if d.Bytes.Off < 0 || d.Bytes.End() > len(data) || d.Message == "" {
			t.Fatalf("%s at %v of %d bytes", d.Message, d.Bytes, len(data))
		}
	}
}

func textGives(t testing.TB, l *isa.Listing, data []byte) {
	t.Helper()
	a := &assembler{o: isa.Options{Permissive: true}, list: &isa.Listing{Text: l.Text}}
	a.read(l.Text)
	if !bytes.Equal(a.data, data) {
		t.Fatalf("the text gives other bytes from 0x%X on: %s", first(a.data, data), l.Text)
	}
	if a.diags.HasErrors() {
		t.Fatal(diags(l.Text, a.diags))
	}
}

func TestEveryBitFlipOfAnEffectSurvivesAsText(t *testing.T) {
	data := effectSample(t)
	told := 0
	for bit := range 8 * len(data) {
		data[bit>>3] ^= 1 << (bit & 7)
		p := Decode(data, isa.Options{})
		textGives(t, Print(p, StyleNative), data)
		if p.Diags.HasErrors() {
			told++
		}
		if bit%16 == bit/16%16 { // all laws of every sixteenth, another bit in each half word
			holds(t, data)
		}
		data[bit>>3] ^= 1 << (bit & 7)
	}
	t.Logf("%d flips, %d told", 8*len(data), told)
	for k := range data {
		holds(t, data[:k])
	}
}

// A bit of a shader inside changes that shader's line, and nothing else.
func TestEditInsideAnEffect(t *testing.T) {
	p := Decode(effectSample(t), isa.Options{})
	l := Print(p, StyleNative)
	off := 0
	for i, in := range p.Insts {
		if in.Op != nil && in.Op.Name == "mov" && p.CtxOf(i).Stage == PS && p.Modules[in.Module].Model == "ps_2_0" {
			off = in.Bytes.Off + 8
		}
	}
	e, err := isa.EditWord(p, l, off, p.Word(off)|1, isa.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Replace(l.Text, "mov oC0, v0", "mov oC0, v1", 1); e.Text != want {
		t.Errorf("%+v", e.Edits)
	}
}

// What a broken effect says.
func TestBrokenEffects(t *testing.T) {
	data := effectSample(t)
	lists := 8 + int(binary.LittleEndian.Uint32(data[4:]))
	for _, c := range []struct {
		off   int
		value uint32
		want  string
	}{
		{4, 0xFFFFFFF0, "lists are at 0xFFFFFFF0"},
		{4, 2, "lists are at 0x2"},
		{lists, 1 << 30, "1073741824 parameters and 1 techniques do not fit"},
		{lists + 16, 0xFFFFFF00, "no place in the data"},
		{lists + 20, 3, "no place in the data"},
	} {
		b := bytes.Clone(data)
		binary.LittleEndian.PutUint32(b[c.off:], c.value)
		holds(t, b)
		if got := diags("", Decode(b, isa.Options{}).Diags); !strings.Contains(got, c.want) {
			t.Errorf("0x%X at 0x%X: %s", c.value, c.off, got)
		}
	}
	if _, found := Lower(Decode(data, isa.Options{}), isa.LowerOptions{}); len(found) != 1 || !found[0].Unsupported {
		t.Error(diags("", found))
	}
	if _, ok := isEffect(append([]byte{0xCF, 0x0B, 0xF0, 0xBC, 8, 0, 0, 0}, data...)); !ok {
		t.Error("the prefix of XNA is not skipped")
	}
	holds(t, append([]byte{0xCF, 0x0B, 0xF0, 0xBC, 8, 0, 0, 0}, data...))
}

func FuzzEffect(f *testing.F) {
	f.Add(effectSample(f))
	f.Add([]byte{1, 9, 0xFF, 0xFE, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, data []byte) { holds(t, data) })
}

// Effects of other people, where SWIZZLE_EFFECTS names a folder of them.
func TestForeignEffects(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(os.Getenv("SWIZZLE_EFFECTS"), "*.fx[bo]"))
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		holds(t, b)
		if p := Decode(b, isa.Options{}); len(p.Diags) > 0 {
			t.Errorf("%s: %s", f, diags("", p.Diags))
		}
	}
}
