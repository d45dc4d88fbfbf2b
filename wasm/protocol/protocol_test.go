package protocol

import (
	"reflect"
	"testing"

	"swizzle/render"
	"swizzle/render/scene"
	"swizzle/shaderkit/source"
)

func TestRoundTrip(t *testing.T) {
	for _, m := range []Message{
		Draw{Seq: 3, Scene: "-- scene.json --\n", Width: 256, Height: 128, Seconds: 1.5},
		Count{Seq: 2, Width: 256, Height: 128, Seconds: 1.5}, Counted{Seq: 2, Stats: render.Stats{Vertices: 3, Lanes: 1 << 40}, Counts: scene.Counts{Runs: 4, Killed: 1, Ops: 9}},
		Ready{}, Alive{Seq: 4, Done: 1, Tiles: 16}, Frame{Seq: 5, Width: 1, Height: 2, Millis: 0.25},
		Problem{Seq: 6, Message: "no", Findings: source.List{{Code: "bad", InText: true, Span: source.Span{Start: 1, End: 2}, File: "ps.asm"}}},
	} {
		got, err := Decode(Encode(m))
		if err != nil || !reflect.DeepEqual(got, m) {
			t.Errorf("%#v comes back as %#v, %v", m, got, err)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	for _, s := range []string{"", "null", "{}", `{"Kind":"nothing"}`, `{"Kind":"draw","Body":[]}`, `{"Kind":"draw"`} {
		if m, err := Decode(s); err == nil {
			t.Errorf("%q is %#v", s, m)
		}
	}
}
