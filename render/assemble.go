package render

import (
	"fmt"
	"slices"
)

// A geometry is an input made ready: its vertices numbered as items of a linear job, and its primitives.
type geometry struct {
	in    *Input
	key   string   // what of the input is compiled into the vertex program
	n     int      // items of an instance
	first uint32   // VertexID of item 0, where they follow one another
	base  uint32   // added to a VertexID to read vertices
	ids   []uint32 // VertexIDs of the items, where they do not
	prims []uint32 // items of the primitives of an instance, one primitive after the other
	lead  int      // which corner of a primitive is the provoking one
}

func (in *Input) instances() int { return max(1, in.Instances) }

// fewTriangles is up to how many triangles of a mesh are taken for large ones.
const fewTriangles = 64

// large reports whether the primitives cover many pixels, as far as their number tells.
func (g *geometry) large() bool {
	return g.in.Topology.corners() == 3 && len(g.prims) <= 3*fewTriangles
}

// assemble numbers the vertices of an input and finds its primitives. last is where flat inputs come from.
func (in *Input) assemble(last bool) *geometry {
	g := &geometry{in: in, base: uint32(in.Base)}
	if last {
		g.lead = in.Topology.corners() - 1
	}
	if in.Indices == nil {
		g.n, g.base = in.Count, in.First
		g.run(sequence(0, in.Count))
	} else {
		g.indexed(in.Indices[in.First:])
	}
	var streams []Stream
	for _, s := range in.Streams {
		s.Buffer = nil
		streams = append(streams, s)
	}
	g.key = fmt.Sprint(in.Elements, streams, in.Instances > 1, g.ids != nil)
	return g
}

func sequence(from, n int) []uint32 {
	s := make([]uint32, n)
	for i := range s {
		s[i] = uint32(from + i)
	}
	return s
}

// indexed numbers the vertices that indices name: from the least to the greatest, or, where that would
// be far more than there are, those alone.
func (g *geometry) indexed(indices []uint32) {
	if g.in.Count > 0 {
		indices = indices[:g.in.Count]
	}
	cut := func(v uint32) bool { return g.in.Restart && v == g.in.Cut }
	lo, hi, any := ^uint32(0), uint32(0), false
	for _, v := range indices {
		if !cut(v) {
			lo, hi, any = min(lo, v), max(hi, v), true
		}
	}
	if !any {
		return
	}
	item := func(v uint32) uint32 { return v - lo }
	if uint64(hi-lo) < uint64(4*len(indices)+64) {
		g.first, g.n = lo, int(hi-lo)+1
	} else {
		for _, v := range indices {
			if !cut(v) {
				g.ids = append(g.ids, v)
			}
		}
		slices.Sort(g.ids)
		g.ids = slices.Compact(g.ids)
		g.n = len(g.ids)
		item = func(v uint32) uint32 {
			i, _ := slices.BinarySearch(g.ids, v)
			return uint32(i)
		}
	}
	items := make([]uint32, 0, len(indices))
	for _, v := range indices {
		if cut(v) {
			g.run(items)
			items = items[:0]
		} else {
			items = append(items, item(v))
		}
	}
	g.run(items)
}

// run adds the primitives of items between two cuts. Those that lack a vertex are left out (11.3 8.13).
// The orientation of every triangle of a strip or fan is that of the first, and the provoking corner,
// the first or the last, that of the API (11.3 8.14).
func (g *geometry) run(v []uint32) {
	last := g.lead > 0
	n := g.in.Topology.corners()
	switch g.in.Topology {
	default:
		g.prims = append(g.prims, v[:len(v)/n*n]...)
	case LineStrip:
		for i := 0; i+1 < len(v); i++ {
			g.prims = append(g.prims, v[i], v[i+1])
		}
	case TriangleStrip:
		for i := 0; i+2 < len(v); i++ {
			switch {
			case i%2 == 0:
				g.prims = append(g.prims, v[i], v[i+1], v[i+2])
			case last:
				g.prims = append(g.prims, v[i+1], v[i], v[i+2])
			default:
				g.prims = append(g.prims, v[i], v[i+2], v[i+1])
			}
		}
	case TriangleFan:
		for i := 1; i+1 < len(v); i++ {
			if last {
				g.prims = append(g.prims, v[0], v[i], v[i+1])
			} else {
				g.prims = append(g.prims, v[i], v[i+1], v[0])
			}
		}
	}
}

// vertex gives the VertexID of an item.
func (g *geometry) vertex(item int) int {
	if g.ids != nil {
		return int(g.ids[item%g.n])
	}
	return item%g.n + int(g.first)
}

// primitive gives the items of primitive number of all instances.
func (g *geometry) primitive(number int) []uint32 {
	n := g.in.Topology.corners()
	each := len(g.prims) / n
	items := slices.Clone(g.prims[number%each*n:][:n])
	for i := range items {
		items[i] += uint32(number / each * g.n)
	}
	return items
}
