package ir_test

import (
	"slices"
	"strings"
	"testing"

	"swizzle/internal/testkit"
	"swizzle/shaderkit/ir"
)

// TestAppend appends the programs b of each case to a, in the text form.
func TestAppend(t *testing.T) {
	for _, c := range testkit.Cases(t, "testdata/link/append*.txtar") {
		t.Run(c.Name, func(t *testing.T) {
			p, list := ir.Parse(c.Section(t, "a"))
			shader, list2 := ir.Parse(c.Section(t, "b"))
			if list, list2 = append(list, list2...), nil; len(list) > 0 {
				t.Fatal(list.Err())
			}
			before := shader.String()
			entry := p.Append(shader)
			if p.Funcs[entry].Name != shader.Funcs[0].Name {
				t.Errorf("the entry is function %d", entry)
			}
			if err := p.Verify(); err != nil {
				t.Error(err)
			}
			c.Golden(t, "after", p.String())
			if shader.String() != before {
				t.Error("Append changed the shader")
			}
		})
	}
}

// TestLink links the vertex and pixel shader of a case.
func TestLink(t *testing.T) {
	for _, c := range testkit.Cases(t, "testdata/link/link*.txtar") {
		t.Run(c.Name, func(t *testing.T) {
			vs, _ := ir.Parse(c.Section(t, "vs"))
			ps, _ := ir.Parse(c.Section(t, "ps"))
			from, list := ir.Link(&vs.Interface, &ps.Interface)
			var got strings.Builder
			for i, k := range from {
				name := "nothing"
				if k >= 0 {
					name = vs.Interface.Outputs[k].Register
				}
				got.WriteString(ps.Interface.Inputs[i].Register + " from " + name + "\n")
			}
			for _, d := range list {
				got.WriteString(d.Severity.String() + "[" + d.Code + "]: " + d.Message + "\n")
			}
			c.Golden(t, "linked", got.String())
		})
	}
}

func TestResource(t *testing.T) {
	i := ir.Interface{Resources: []ir.Resource{{Name: "c"}, {Name: "s0"}}}
	if n, ok := i.Resource("s0"); n != 1 || !ok {
		t.Errorf("s0 is %d, %t", n, ok)
	}
	if _, ok := i.Resource("s1"); ok {
		t.Error("there is no s1")
	}
}

func TestReference(t *testing.T) {
	text := ir.Reference()
	testkit.Golden(t, "testdata/reference.txt", []byte(text))
	if lines := strings.Split(text, "\n"); slices.ContainsFunc(lines, func(s string) bool { return len(s) > 120 }) {
		t.Error("a line is longer than 120 bytes")
	}
}
