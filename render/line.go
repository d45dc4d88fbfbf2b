package render

import "math"

// line draws a line, which is a front face.
func (r *rasteriser) line(a, b *vert, lead *corner) fate {
	switch {
	case a.nan || b.nan:
		return notANum
	case a.out&b.out|a.culled&b.culled != 0:
		return outside
	}
	r.whole = [3]corner{a.corner, b.corner}
	ends := r.whole[:2]
	if any := a.out | b.out; any != 0 {
		if ends = r.clipper.polygon(ends, any); len(ends) < 2 {
			return outside
		}
		for k := range ends {
			if !r.place(&ends[k]) {
				return notANum
			}
		}
	}
	r.tri.back = false
	return r.segment(&ends[0], &ends[1], 0, lead)
}

// outline draws the edges or corners of a triangle's polygon: those that are the triangle's own.
func (r *rasteriser) outline(poly []corner, lead *corner) fate {
	// The first piece with an area tells the orientation and the slope of depth.
	d, bias := int64(0), 0.0
	for k := 2; k < len(poly); k++ {
		a, b, c := &poly[0], &poly[k-1], &poly[k]
		if d = area(a, b, c); d != 0 {
			g := gradients(a, b, c)
			p := g.plane(a.z, b.z, c.z)
			bias = r.bias(&p, a.z, b.z, c.z)
			break
		}
	}
	if r.culls(d) {
		return culled
	}
	back := r.isBack(d)
	result := tooSmall
	for k := range poly {
		a, b := &poly[k], &poly[(k+1)%len(poly)]
		r.tri.back = back
		var f fate
		switch {
		case r.state.Fill == Wireframe && a.edge:
			f = r.segment(a, b, bias, lead)
		case r.state.Fill == Vertices && a.words != nil:
			f = r.square(a, r.pointSize(1), bias, lead)
		default:
			continue
		}
		if f == drawn {
			result = drawn
		}
	}
	return result
}

// segment draws a line from a to b.
func (r *rasteriser) segment(a, b *corner, bias float64, lead *corner) fate {
	if a.x == b.x && a.y == b.y {
		return tooSmall
	}
	r.along(a, b, bias, lead)
	if r.state.Lines == Aliased {
		if !r.diamonds(a, b) {
			return tooSmall
		}
		r.emit(&r.tri)
		return drawn
	}
	// 11.3 3.4.5: a rectangle of width 1.4, as two triangles.
	dx, dy := float64(b.x-a.x), float64(b.y-a.y)
	k := 0.7 * 256 / math.Sqrt(float64(dx*dx)+float64(dy*dy))
	nx, ny := int64(math.RoundToEven(-dy*k)), int64(math.RoundToEven(dx*k))
	return r.quad([4]int64{a.x - nx, b.x - nx, a.x + nx, b.x + nx}, [4]int64{a.y - ny, b.y - ny, a.y + ny, b.y + ny})
}

// quad covers four snapped points, two triangles in a Z: of 0 1 2 and 2 1 3, clockwise.
func (r *rasteriser) quad(x, y [4]int64) fate {
	result := tooSmall
	for _, k := range [2][3]int{{0, 1, 2}, {2, 1, 3}} {
		if r.cover([3]int64{x[k[0]], x[k[1]], x[k[2]]}, [3]int64{y[k[0]], y[k[1]], y[k[2]]}) {
			r.emit(&r.tri)
			result = drawn
		}
	}
	return result
}

// along sets up planes that vary along a line and are constant across it.
func (r *rasteriser) along(a, b *corner, bias float64, lead *corner) {
	dx, dy := float64(b.x-a.x)/256, float64(b.y-a.y)/256
	s := 1 / (float64(dx*dx) + float64(dy*dy))
	r.each(a, lead, bias, func(i int, u, qu float64) plane {
		var v float64
		switch i {
		case planeDepth:
			v = b.z + bias
		case planeW:
			v = b.q
		default:
			if v = r.clipper.value(b, i); !r.varyings[i].linear {
				v = float64(v * b.q)
			}
		}
		return plane{u, float64((v-u)*dx) * s, float64((v-u)*dy) * s}
	})
}

// Numbers of the planes that are no varying's.
const (
	planeDepth = -1
	planeW     = -2
)

// each sets the planes and flat values of the setup at hand: make gives the plane whose value at corner
// a is v; planes of varyings with perspective are of v/w.
func (r *rasteriser) each(a, lead *corner, bias float64, make func(i int, v, q float64) plane) {
	t := &r.tri
	t.planes = append(t.planes[:0], make(planeDepth, a.z+bias, a.q), make(planeW, a.q, a.q))
	t.flats = t.flats[:0]
	for i := range r.varyings {
		if r.varyings[i].flat {
			t.flats = append(t.flats, r.varyings[i].word(lead))
			continue
		}
		v := r.clipper.value(a, i)
		if !r.varyings[i].linear {
			v = float64(v * a.q)
		}
		t.planes = append(t.planes, make(i, v, a.q))
	}
	r.at(a)
}

// diamonds covers the pixels whose diamond the line from a to b leaves (11.3 3.4.3): a band along the
// line, as two edges, cut by columns, or rows for steep lines, as the box. All samples of a pixel are
// covered alike.
func (r *rasteriser) diamonds(a, b *corner) bool {
	t := &r.tri
	dx, dy := b.x-a.x, b.y-a.y
	steep := abs(dy) > abs(dx)
	// Along u, across v: the band is -128 < v - centre <= 128 where the line passes a pixel's centre of u.
	u0, u1, v0, du, dv := a.x, b.x, a.y, dx, dy
	if steep {
		u0, u1, v0, du, dv = a.y, b.y, a.x, dy, dx
	}
	// E(pu, pv) = dv*(pu-u0) - du*(pv-v0), for du > 0, is du times the line's v above pv.
	if du < 0 {
		du, dv = -du, -dv
	}
	c := dv*(r.conv.Centre-u0) - du*(r.conv.Centre-v0)
	over := edge{dv, -du, c + 128*du - 1} // E + 128 du > 0
	under := edge{-dv, du, -c + 128*du}   // 128 du - E >= 0
	if steep {
		over.a, over.b, under.a, under.b = over.b, over.a, under.b, under.a
	}
	t.edges = [3]edge{over, under, {}}
	t.whole = true

	// Columns whose centre the line passes, ends included; then what the diamonds at the ends change.
	centre := func(p int64) int64 { return 256*p + r.conv.Centre }
	first := (min(u0, u1) - r.conv.Centre + 255) >> 8
	end := (max(u0, u1)-r.conv.Centre)>>8 + 1
	at := func(c *corner) (u, v int64, ok bool) { // the pixel in whose diamond c lies
		x, y := (c.x-r.conv.Centre+128)>>8, (c.y-r.conv.Centre+128)>>8
		for _, p := range [4][2]int64{{x, y}, {x - 1, y}, {x, y - 1}, {x - 1, y - 1}} {
			if inDiamond(c.x-centre(p[0]), c.y-centre(p[1]), steep) {
				if steep {
					return p[1], p[0], true
				}
				return p[0], p[1], true
			}
		}
		return 0, 0, false
	}
	if u, _, ok := at(a); ok {
		first, end = min(first, u), max(end, u+1)
	}
	if u, _, ok := at(b); ok {
		if u1 >= u0 {
			end = min(end, u)
		} else {
			first = max(first, u+1)
		}
	}
	if first >= end {
		return false
	}
	x0, y0, x1, y1 := min(a.x, b.x)-256, min(a.y, b.y)-256, max(a.x, b.x)+256, max(a.y, b.y)+256
	if !r.bounds(x0, y0, x1, y1) {
		return false
	}
	axis := 0
	if steep {
		axis = 1
	}
	t.box[axis], t.box[axis+2] = max(t.box[axis], int(first)), min(t.box[axis+2], int(end))
	return t.box[axis] < t.box[axis+2]
}

// inDiamond reports whether a place relative to a pixel's centre lies in the pixel's diamond: with the
// edges below, the corner at the bottom and, for steep lines, the one at the right.
func inDiamond(x, y int64, steep bool) bool {
	switch d := abs(x) + abs(y); {
	case d < 128:
		return true
	case d > 128:
		return false
	case y > 0:
		return true
	default:
		return steep && x == 128
	}
}

func abs(v int64) int64 { return max(v, -v) }
