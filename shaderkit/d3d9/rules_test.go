package d3d9

import (
	"strings"
	"testing"

	"swizzle/internal/testkit"
	"swizzle/shaderkit/isa"
	"swizzle/shaderkit/source"
)

// Every rule has a case that strict mode refuses, with findings of its code, which are warnings in permissive
// mode, and one that passes without a finding; and every case has a rule.
func TestRules(t *testing.T) {
	cases := map[string]*testkit.Case{}
	for _, c := range testkit.Cases(t, "testdata/rules/*.txtar") {
		cases[c.Name] = c
	}
	reference, _ := Docs("")
	for _, r := range Rules {
		c := cases[r.Name]
		if c == nil {
			t.Errorf("%s: no case", r.Name)
			continue
		}
		delete(cases, r.Name)
		t.Run(r.Name, func(t *testing.T) {
			text := c.Section(t, "refuse")
			_, _, found := Assemble(text, isa.Options{})
			testkit.Diagnostics(t, text, found)
			has := func(l source.List, s source.Severity) (yes bool) {
				for _, d := range l {
					yes = yes || d.Code == r.Code && d.Severity == s
				}
				return yes
			}
			if !has(found, source.Error) {
				t.Errorf("nothing is refused as %s", r.Code)
			}
			if _, _, found = Assemble(text, isa.Options{Permissive: true}); found.HasErrors() || !has(found, source.Warning) {
				if r.Code != "unsupported-version" {
					t.Errorf("permissive: %s", diags(text, found))
				}
			}
			text = c.Section(t, "pass")
			if _, _, found = Assemble(text, isa.Options{}); len(found) > 0 {
				t.Error(diags(text, found))
			}
		})
		if !strings.Contains(reference, r.Text) {
			t.Errorf("%s: not in the reference", r.Name)
		}
	}
	for name := range cases {
		t.Errorf("%s: a case without a rule", name)
	}
}

// Every code that the validator tells has a rule.
func TestEveryFindingHasARule(t *testing.T) {
	codes := map[string]bool{"too-many-errors": true, "truncated-word": true, "comment-too-long": true, "no-version": true}
	for _, r := range Rules {
		codes[r.Code] = true
	}
	for _, c := range testkit.Cases(t, "testdata/bad/*.txtar") {
		p := Decode(testkit.Bytes(testkit.Words(t, c.Section(t, "words"))), isa.Options{})
		for _, d := range append(p.Diags, Check(p)...) {
			if !codes[d.Code] {
				t.Errorf("%s: %s has no rule", c.Name, d.Code)
			}
		}
	}
}
