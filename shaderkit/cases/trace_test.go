package cases

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"swizzle/internal/testkit"
	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/interp"
	"swizzle/shaderkit/isa"
)

// TestTrace compares what a trace build records of the left-top lane with the list in the case:
// instruction, call depth, register and component, old and new bits.
func TestTrace(t *testing.T) {
	for _, c := range testkit.Cases(t, "testdata/trace/*.txtar") {
		t.Run(c.Name, func(t *testing.T) {
			var q question
			if err := json.Unmarshal([]byte(c.Section(t, "case.json")), &q); err != nil {
				t.Fatal(err)
			}
			q.Text = c.Section(t, "text")
			p, places, bad := program(&q, Defaults{})
			if bad != nil {
				t.Fatal(bad)
			}
			shader, list := p.Arch.Lower(p, isa.LowerOptions{Trace: true})
			if err := list.Err(); err != nil {
				t.Fatal(err)
			}
			j := &job{q: &q, shader: shader}
			run, bad := j.prepare()
			if bad != nil {
				t.Fatal(bad)
			}
			trace, err := interp.Engine{}.Trace(run, &j.arena, j.desc, exec.Pick{}, exec.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			for _, w := range trace.Waves[0].Writes {
				if w.Active&1 == 0 {
					continue
				}
				line := places.listing.Lines[places.listing.LineOf(p.Insts[w.From].Bytes.Off)]
				r := run.Traced[w.Traced]
				fmt.Fprintf(&b, "%d %-28s %s.%c 0x%08X 0x%08X\n", w.Depth-1, q.Text[line.Span.Start:line.Span.End], r.Name, "xyzw"[r.Comp], w.Old[0], w.New[0])
			}
			c.Golden(t, "trace", b.String())
		})
	}
}
