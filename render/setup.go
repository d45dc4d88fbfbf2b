package render

import (
	"math"

	"swizzle/shaderkit/exec"
)

// A Cull says which triangles are left out.
type Cull uint8

const (
	CullNone Cull = iota
	CullCW        // clockwise ones: front faces
	CullCCW       // counter-clockwise ones: back faces
)

// Words of a triangle record behind the box; planes and flat values of the varyings follow.
const (
	recEdges  = 4  // A, B, C of three edges
	recDepth  = 13 // plane of the depth
	recW      = 16 // plane of 1/w
	recFace   = 19 // +1 or -1
	recNumber = 20 // of the triangle in its mesh, for debuggers
	recVaries = 21
)

// A varying is one component of a pixel input that comes from the vertices.
type varying struct {
	source int  // word of a vertex's outputs
	flat   bool // one word: the value of the first vertex; otherwise a plane of three words
	linear bool // not divided by w
}

// A setup is a triangle ready to be binned.
type setup struct {
	x, y   [3]int64 // 24.8, clockwise
	flip   bool     // was counter-clockwise
	box    [4]int   // pixels, exclusive at the end
	planes []plane  // depth, 1/w, then those varyings that are not flat
	flats  []float64
}

// A plane is a value over the target: v at the first vertex, dx and dy more for each pixel.
type plane struct{ v, dx, dy float64 }

// A rasteriser turns corners into triangle records. It knows nothing of shaders.
type rasteriser struct {
	conv          Convention
	width, height int
	cull          Cull
	varyings      []varying
	clipper       clipper
	tri           setup
}

// recordWords gives the length of a triangle record.
func recordWords(v []varying) int {
	n := recVaries
	for i := range v {
		if v[i].flat {
			n++
		} else {
			n += 3
		}
	}
	return n
}

func (r *rasteriser) begin(conv Convention, w, h int, cull Cull, v []varying) {
	r.conv, r.width, r.height, r.cull, r.varyings = conv, w, h, cull, v
	r.clipper.planes = clipPlanes(conv)
}

// A fate is what became of a triangle.
type fate uint8

const (
	drawn    fate = iota
	notANum       // a position is not finite
	outside       // of the clip volume
	culled        // by its orientation
	tooSmall      // no area, or no pixel centre within its box
)

// triangle clips and sets up one triangle and calls emit for each piece that can cover pixels.
func (r *rasteriser) triangle(c *[3]corner, emit func(*setup)) fate {
	for k := range c {
		if !finite(&c[k].pos) {
			return notANum
		}
	}
	poly := r.clipper.clip(c[:])
	if len(poly) < 3 {
		return outside
	}
	result := tooSmall
	for k := 2; k < len(poly); k++ {
		switch f := r.piece(&poly[0], &poly[k-1], &poly[k], c[0].attr); f {
		case drawn:
			emit(&r.tri)
			result = drawn
		default:
			if result != drawn {
				result = f
			}
		}
	}
	return result
}

// snap gives the position on the target in 24.8, and z and 1/w.
func (r *rasteriser) snap(p *[4]float64) (x, y int64, z, q float64, ok bool) {
	q = 1 / p[3]
	fx := float64(float64(p[0]/p[3])+1) * (float64(r.width) * 0.5)
	fy := float64(1-float64(p[1]/p[3])) * (float64(r.height) * 0.5)
	z = float64(float64(p[2]/p[3])*r.conv.Scale) + r.conv.Offset
	const limit = 32768
	ok = math.Abs(fx) <= limit && math.Abs(fy) <= limit && !math.IsNaN(z) && !math.IsInf(q, 0)
	if !ok {
		return
	}
	return int64(math.RoundToEven(fx * 256)), int64(math.RoundToEven(fy * 256)), z, q, true
}

// piece sets up the triangle of three corners in r.tri.
func (r *rasteriser) piece(a, b, c *corner, first []float64) fate {
	t := &r.tri
	var z, q [3]float64
	v := [3]*corner{a, b, c}
	for k, p := range v {
		var ok bool
		if t.x[k], t.y[k], z[k], q[k], ok = r.snap(&p.pos); !ok {
			return notANum
		}
	}
	area := (t.x[1]-t.x[0])*(t.y[2]-t.y[0]) - (t.x[2]-t.x[0])*(t.y[1]-t.y[0])
	if area == 0 {
		return tooSmall
	}
	t.flip = area < 0
	if r.cull == CullCCW && t.flip || r.cull == CullCW && !t.flip {
		return culled
	}
	if t.flip {
		v[1], v[2] = v[2], v[1]
		t.x[1], t.x[2] = t.x[2], t.x[1]
		t.y[1], t.y[2] = t.y[2], t.y[1]
		z[1], z[2] = z[2], z[1]
		q[1], q[2] = q[2], q[1]
	}
	// Pixel i has its centre at 256*i + Centre.
	lo := func(v int64) int { return int((v - r.conv.Centre + 255) >> 8) }
	hi := func(v int64) int { return int((v-r.conv.Centre)>>8) + 1 }
	t.box = [4]int{
		max(0, lo(min(t.x[0], t.x[1], t.x[2]))), max(0, lo(min(t.y[0], t.y[1], t.y[2]))),
		min(r.width, hi(max(t.x[0], t.x[1], t.x[2]))), min(r.height, hi(max(t.y[0], t.y[1], t.y[2]))),
	}
	if t.box[0] >= t.box[2] || t.box[1] >= t.box[3] {
		return tooSmall
	}
	// Whole blocks, as far as the target goes: only its edge is for the engine to look at.
	t.box[0], t.box[1] = t.box[0]&^(exec.BlockSize-1), t.box[1]&^(exec.BlockSize-1)
	t.box[2] = min(r.width, (t.box[2]+exec.BlockSize-1)&^(exec.BlockSize-1))
	t.box[3] = min(r.height, (t.box[3]+exec.BlockSize-1)&^(exec.BlockSize-1))
	g := r.gradients()
	t.planes = append(t.planes[:0], g.plane(z[0], z[1], z[2]), g.plane(q[0], q[1], q[2]))
	t.flats = t.flats[:0]
	for i := range r.varyings {
		s := &r.varyings[i]
		a, b, c := v[0].attr[i], v[1].attr[i], v[2].attr[i]
		switch {
		case s.flat:
			t.flats = append(t.flats, first[i])
		case s.linear:
			t.planes = append(t.planes, g.plane(a, b, c))
		default:
			t.planes = append(t.planes, g.plane(float64(a*q[0]), float64(b*q[1]), float64(c*q[2])))
		}
	}
	return drawn
}

// gradients is what all planes of a triangle share, in pixels.
type gradients struct{ dx1, dy1, dx2, dy2, r float64 }

func (r *rasteriser) gradients() gradients {
	t := &r.tri
	px := func(v int64) float64 { return float64(v) / 256 }
	g := gradients{dx1: px(t.x[1] - t.x[0]), dy1: px(t.y[1] - t.y[0]), dx2: px(t.x[2] - t.x[0]), dy2: px(t.y[2] - t.y[0])}
	g.r = 1 / (float64(g.dx1*g.dy2) - float64(g.dx2*g.dy1))
	return g
}

func (g *gradients) plane(a, b, c float64) plane {
	ba, ca := b-a, c-a
	return plane{
		v:  a,
		dx: float64(float64(ba*g.dy2)-float64(ca*g.dy1)) * g.r,
		dy: float64(float64(ca*g.dx1)-float64(ba*g.dx2)) * g.r,
	}
}

// edges gives the three edge functions relative to the tile whose first pixel is (tx, ty); hit is
// false when no pixel of the tile is inside.
func (t *setup) edges(tx, ty int, centre int64) (e [9]int32, hit bool) {
	const last = exec.TileSize - 1
	for k := range 3 {
		i, j := k, (k+1)%3
		a, b := t.y[i]-t.y[j], t.x[j]-t.x[i]
		c := a*(int64(tx)*256+centre-t.x[i]) + b*(int64(ty)*256+centre-t.y[i])
		if !(a > 0 || a == 0 && b > 0) {
			c--
		}
		c >>= 8
		lo := c + min(0, a*last) + min(0, b*last)
		hi := c + max(0, a*last) + max(0, b*last)
		if hi < 0 {
			return e, false
		}
		if lo < 0 { // otherwise inside everywhere: 0, 0, 0
			e[3*k], e[3*k+1], e[3*k+2] = int32(a), int32(b), int32(c)
		}
	}
	return e, true
}

// record writes the triangle record for the tile whose first pixel is (tx, ty).
func (t *setup) record(out []uint32, tx, ty int, centre int64, v []varying, e *[9]int32) {
	in := func(p, origin int) uint32 { return uint32(min(max(p-origin, 0), exec.TileSize)) }
	out[0], out[1], out[2], out[3] = in(t.box[0], tx), in(t.box[1], ty), in(t.box[2], tx), in(t.box[3], ty)
	for i, w := range e {
		out[recEdges+i] = uint32(w)
	}
	cx := float64(int64(tx)*256+centre-t.x[0]) / 256
	cy := float64(int64(ty)*256+centre-t.y[0]) / 256
	put := func(at int, p *plane) {
		c := p.v + float64(p.dx*cx) + float64(p.dy*cy)
		out[at], out[at+1], out[at+2] = bits(p.dx), bits(p.dy), bits(c)
	}
	put(recDepth, &t.planes[0])
	put(recW, &t.planes[1])
	out[recFace] = bits(1)
	if t.flip {
		out[recFace] = bits(-1)
	}
	at, p, f := recVaries, 2, 0
	for i := range v {
		if v[i].flat {
			out[at] = bits(t.flats[f])
			at, f = at+1, f+1
		} else {
			put(at, &t.planes[p])
			at, p = at+3, p+1
		}
	}
}

// bits gives the single nearest to v; all NaNs have the same bits.
func bits(v float64) uint32 {
	if v != v {
		return 0x7FC00000
	}
	return math.Float32bits(float32(v))
}
