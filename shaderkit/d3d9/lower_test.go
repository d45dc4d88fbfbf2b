package d3d9

import (
	"testing"

	"swizzle/shaderkit/isa"
)

// TestLowerCorpus lowers every program of the corpus, in every way that options allow.
func TestLowerCorpus(t *testing.T) {
	n := 0
	for _, s := range corpus(t) {
		p := Decode(s.data, isa.Options{})
		if p.Ctx.Version < v20 {
			continue
		}
		n++
		for _, o := range []isa.LowerOptions{{}, {Mode: ModeIEEE}, {Probe: true}, {Trace: true}, {Probe: true, Trace: true}} {
			q, list := Lower(p, o)
			if err := list.Err(); err != nil {
				t.Errorf("%s: %v", s.name, err)
				break
			}
			if err := q.Verify(); err != nil {
				t.Errorf("%s %+v: %v", s.name, o, err)
				break
			}
		}
	}
	t.Logf("%d programs", n)
}
