package render

import "math"

// A corner is a corner of a triangle on its way through clipping: its clip position and its value of
// each varying.
type corner struct {
	pos  [4]float64
	attr []float64
}

// clipPlanes gives the planes of NUMERICS.md as factors of x, y, z, w.
func clipPlanes(c Convention) [6][4]float64 {
	return [6][4]float64{
		{0, 0, 1, -c.Near}, {0, 0, -1, c.Far},
		{1, 0, 0, guard}, {-1, 0, 0, guard},
		{0, -1, 0, guard}, {0, 1, 0, guard},
	}
}

func distance(p *[4]float64, v *[4]float64) float64 {
	return float64(p[0]*v[0]) + float64(p[1]*v[1]) + float64(p[2]*v[2]) + float64(p[3]*v[3])
}

// A clipper cuts triangles; it keeps its memory.
type clipper struct {
	planes [6][4]float64
	poly   [2][]corner
	spare  []float64
}

// clip gives the polygon of the triangle inside the clip volume, fewer than three corners when
// nothing is left. The result is valid until the next call.
func (c *clipper) clip(tri []corner) []corner {
	var crossed uint // planes that cut the triangle
	for i := range c.planes {
		out := 0
		for k := range tri {
			if distance(&c.planes[i], &tri[k].pos) < 0 {
				out++
			}
		}
		if out == len(tri) {
			return nil
		}
		if out > 0 {
			crossed |= 1 << i
		}
	}
	if crossed == 0 {
		return tri
	}
	c.spare = c.spare[:0]
	in := append(c.poly[0][:0], tri...)
	out := c.poly[1][:0]
	for i := range c.planes {
		if crossed>>i&1 == 0 {
			continue
		}
		p := &c.planes[i]
		out = out[:0]
		for k := range in {
			a, b := &in[k], &in[(k+1)%len(in)]
			da, db := distance(p, &a.pos), distance(p, &b.pos)
			if da >= 0 {
				out = append(out, *a)
			}
			switch {
			case da >= 0 && db < 0:
				out = append(out, c.cut(a, b, da, db))
			case da < 0 && db >= 0:
				out = append(out, c.cut(b, a, db, da))
			}
		}
		in, out = out, in
	}
	c.poly[0], c.poly[1] = in, out
	return in
}

// cut gives the point where the edge from inside corner a to outside corner b leaves the plane.
func (c *clipper) cut(a, b *corner, da, db float64) corner {
	t := da / (da - db)
	mix := func(a, b float64) float64 { return a + float64((b-a)*t) }
	var r corner
	for i := range r.pos {
		r.pos[i] = mix(a.pos[i], b.pos[i])
	}
	at := len(c.spare)
	for i := range a.attr {
		c.spare = append(c.spare, mix(a.attr[i], b.attr[i]))
	}
	r.attr = c.spare[at:len(c.spare):len(c.spare)]
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
