package render

import (
	"testing"

	"swizzle/shaderkit/interp"
	"swizzle/shaderkit/ir"
)

// A trace of a line or a point knows its corners, by the vertices' numbers and instances.
func TestTraceOfPrimitives(t *testing.T) {
	ps := pixelShader(nil, func(b *ir.Builder, _ []ir.Reg) []ir.Reg { return []ir.Reg{b.F(1), b.F(1), b.F(1), b.F(1)} })
	m := &Mesh{Vertices: []Vertex{px(0, 8, 0.5, red), px(8, 8, 0.5, red), px(20, 8, 0.5, red), px(40, 8, 0.5, red)}}
	in := m.input()
	for _, c := range []struct {
		topology  Topology
		indices   []uint32
		x         int
		primitive int
		want      []int // numbers of the vertices
	}{
		{LineStrip, []uint32{1, 2, 3}, 30, 1, []int{2, 3}},
		{LineList, []uint32{3, 2, 0, 1}, 4, 1, []int{0, 1}},
		{PointList, []uint32{3, 1}, 8, 1, []int{1}},
	} {
		line := *in
		line.Topology, line.Indices, line.Instances = c.topology, c.indices, 2
		d := draw(ps, nil, flatState)
		d.Input = &line
		r := render(t, d)
		tr, err := r.Trace(interp.Engine{}, c.x, 8, func(int) (vs, ps *ir.Program, err error) { return })
		if err != nil {
			t.Fatal(err)
		}
		if len(tr.Fragments) != 2 {
			t.Fatalf("%s: %d fragments, want one of each instance", TopologyNames[c.topology], len(tr.Fragments))
		}
		for i, f := range tr.Fragments {
			if want := c.primitive + i*len(c.indices)/c.topology.corners(); c.topology != LineStrip && f.Triangle != want {
				t.Errorf("%s: primitive %d, want %d", TopologyNames[c.topology], f.Triangle, want)
			}
			if len(f.Vertices) != len(c.want) {
				t.Fatalf("%s: %d corners, want %d", TopologyNames[c.topology], len(f.Vertices), len(c.want))
			}
			for k, v := range f.Vertices {
				if v.Index != c.want[k] || v.Instance != i || v.Program == nil {
					t.Errorf("%s: corner %d is vertex %d of instance %d, want %d of %d", TopologyNames[c.topology], k, v.Index, v.Instance, c.want[k], i)
				}
			}
		}
	}
}
