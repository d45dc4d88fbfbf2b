package render

import "math"

// A corner is a corner of a primitive on its way through clipping and to the target.
type corner struct {
	pos   [4]float64 // in clip space
	words []uint32   // outputs of the vertex shader; nil for a corner that a cut made
	attr  []float64  // of a cut one: each varying, then each clip distance
	edge  bool       // the edge to the next corner is one of the triangle's

	// On the target, once placed.
	x, y int64   // 24.8
	z, q float64 // depth, 1/w
}

// A clipper cuts primitives; it keeps its memory. Its planes are those of the volume and of the draw,
// then, by number behind them, the clip distances that vertices bring.
type clipper struct {
	planes    []Plane
	distances []int // words of a vertex's outputs
	varyings  []varying
	poly      [2][]corner
	spare     []float64
	cuts      int // triangles that were cut and of which something was left
}

// begin sets the planes of NUMERICS.md, in their order. band is the guard band in viewports.
func (c *clipper) begin(conv *Convention, depth bool, band float64, planes []Plane, distances []int, v []varying) {
	c.planes = c.planes[:0]
	if depth {
		c.planes = append(c.planes, Plane{0, 0, 1, -conv.Near}, Plane{0, 0, -1, conv.Far})
	}
	c.planes = append(c.planes, Plane{1, 0, 0, band}, Plane{-1, 0, 0, band}, Plane{0, -1, 0, band}, Plane{0, 1, 0, band})
	c.planes = append(c.planes, planes...)
	c.distances, c.varyings = distances, v
}

// count gives the number of planes and distances.
func (c *clipper) count() int { return len(c.planes) + len(c.distances) }

// distance gives the distance of a corner from plane i; inside it is not below 0.
func (c *clipper) distance(i int, v *corner) float64 {
	if i < len(c.planes) {
		p := &c.planes[i]
		return float64(p[0]*v.pos[0]) + float64(p[1]*v.pos[1]) + float64(p[2]*v.pos[2]) + float64(p[3]*v.pos[3])
	}
	i -= len(c.planes)
	if v.attr != nil {
		return v.attr[len(c.varyings)+i]
	}
	return single(v.words[c.distances[i]])
}

// outcode gives the planes that a corner lies outside of, as bits.
func (c *clipper) outcode(v *corner) (out uint32) {
	for i := range c.count() {
		if c.distance(i, v) < 0 {
			out |= 1 << i
		}
	}
	return out
}

// value gives varying i of a corner.
func (c *clipper) value(v *corner, i int) float64 {
	if v.attr != nil {
		return v.attr[i]
	}
	if at := c.varyings[i].source; at >= 0 {
		return single(v.words[at])
	}
	return 0
}

// single reads a word as a float.
func single(w uint32) float64 { return float64(math.Float32frombits(w)) }

// polygon gives what is left of a triangle, or with two corners of a line, inside the planes whose bits
// are in crossed: fewer corners when nothing is. The result is valid until the next call.
func (c *clipper) polygon(in []corner, crossed uint32) []corner {
	c.spare = c.spare[:0]
	open := len(in) == 2 // a line has no edge back
	in = append(c.poly[0][:0], in...)
	out := c.poly[1][:0]
	for i := range c.count() {
		if crossed>>i&1 == 0 {
			continue
		}
		out = out[:0]
		for k := range in {
			a, b := &in[k], &in[(k+1)%len(in)]
			da, db := c.distance(i, a), c.distance(i, b)
			if da >= 0 {
				out = append(out, *a)
			}
			if open && k > 0 {
				break
			}
			switch {
			case da >= 0 && db < 0:
				cut := c.cut(a, b, da, db)
				cut.edge = false // the next edge runs along the plane
				out = append(out, cut)
			case da < 0 && db >= 0:
				cut := c.cut(b, a, db, da)
				cut.edge = a.edge
				out = append(out, cut)
			}
		}
		in, out = out, in
	}
	c.poly[0], c.poly[1] = in, out
	return in
}

// cut gives the point where the edge from inside corner a to outside corner b leaves a plane. What is
// interpolated without perspective is linear on the target, the rest in clip space.
func (c *clipper) cut(a, b *corner, da, db float64) corner {
	t := da / (da - db)
	mix := func(a, b, t float64) float64 { return a + float64((b-a)*t) }
	var r corner
	for i := range r.pos {
		r.pos[i] = mix(a.pos[i], b.pos[i], t)
	}
	at := len(c.spare)
	for i := range c.varyings {
		u := t
		if c.varyings[i].linear {
			u = float64(t*b.pos[3]) / r.pos[3]
		}
		c.spare = append(c.spare, mix(c.value(a, i), c.value(b, i), u))
	}
	for i := range c.distances {
		p := len(c.planes) + i
		c.spare = append(c.spare, mix(c.distance(p, a), c.distance(p, b), t))
	}
	if r.attr = c.spare[at:len(c.spare):len(c.spare)]; r.attr == nil {
		r.attr = []float64{}
	}
	return r
}

func finite(v *[4]float64) bool {
	for _, x := range v {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}
