package d3d9

import (
	"errors"
	"testing"

	"swizzle/internal/testkit"
	"swizzle/shaderkit/isa"
)

// A hundred kinds of wrong text and more: each is told at its line, in words that say what is allowed.
func TestWrongTexts(t *testing.T) {
	kinds := map[string]bool{}
	for _, c := range testkit.Cases(t, "testdata/wrong.txtar") {
		for _, f := range c.Files() {
			kinds[f.Name] = true
			t.Run(f.Name, func(t *testing.T) {
				text := string(f.Data)
				p, _, found := Assemble(text, isa.Options{Include: func(string) (string, error) {
					return "", errors.New("no such file or directory")
				}})
				testkit.Diagnostics(t, text, found)
				if !found.HasErrors() {
					t.Error("no error")
				}
				for _, d := range found {
					if d.Span.End < d.Span.Start || d.Span.End > len(text) || d.Message == "" {
						t.Errorf("%+v", d)
					}
				}
				Print(p, StyleNative)
			})
		}
	}
	if t.Logf("%d kinds", len(kinds)); len(kinds) < 100 {
		t.Error("too few kinds")
	}
}
