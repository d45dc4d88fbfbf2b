package d3d9

import (
	"fmt"
	"strings"
	"testing"

	"swizzle/internal/testkit"
	"swizzle/shaderkit/isa"
)

// Texts and what they become; the other sections of a case are files to include.
func TestSpellings(t *testing.T) {
	for _, c := range testkit.Cases(t, "testdata/asm/*.txtar") {
		t.Run(c.Name, func(t *testing.T) {
			text := c.Section(t, "asm")
			p, l, found := Assemble(text, isa.Options{Permissive: true, Include: func(name string) (string, error) {
				if s, ok := c.Lookup(name); ok {
					return s, nil
				}
				return "", fmt.Errorf("no file %s", name)
			}})
			if found.HasErrors() {
				t.Error(diags(text, found))
			}
			c.Golden(t, "native", Print(p, StyleNative).Text)
			for _, x := range l.Lines {
				if s := text[x.Span.Start:x.Span.End]; strings.TrimSpace(s) != s || s == "" && !x.Implicit {
					t.Errorf("the place of a statement is %q", s)
				}
			}
		})
	}
}
