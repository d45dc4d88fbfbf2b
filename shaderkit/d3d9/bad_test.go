package d3d9

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"swizzle/internal/testkit"
	"swizzle/shaderkit/isa"
)

// Bad binaries: what is told, where and of which value; and the native text, which gives the same bytes.
func TestBadBinaries(t *testing.T) {
	for _, c := range testkit.Cases(t, "testdata/bad/*.txtar") {
		t.Run(c.Name, func(t *testing.T) {
			data := testkit.Bytes(testkit.Words(t, c.Section(t, "words")))
			if odd, ok := c.Lookup("bytes"); ok {
				data = append(data, testkit.Hex(t, odd)...)
			}
			p := Decode(data, isa.Options{})
			l := Print(p, StyleNative)
			tiles(t, c.Name, p, l)
			var told strings.Builder
			for _, d := range append(p.Diags, Check(p)...) {
				kind := ""
				if d.Unsupported {
					kind = " (unsupported)"
				}
				fmt.Fprintf(&told, "%s%s; %d bytes, value 0x%08X\n", d, kind, d.Bytes.Len, d.Value)
			}
			c.Golden(t, "found", told.String())
			c.Golden(t, "native", l.Text)
			q, _, found := Assemble(l.Text, isa.Options{Permissive: true})
			if !bytes.Equal(q.Data, data) {
				t.Errorf("the text gives % X", q.Data)
			}
			if found.HasErrors() {
				t.Error(diags(l.Text, found))
			}
		})
	}
}

// Bad texts announce their errors at the line that has them.
func TestBadTexts(t *testing.T) {
	for _, c := range testkit.Cases(t, "testdata/text/*.txtar") {
		t.Run(c.Name, func(t *testing.T) {
			text := c.Section(t, "asm")
			_, _, found := Assemble(text, isa.Options{})
			testkit.Diagnostics(t, text, found)
		})
	}
}
