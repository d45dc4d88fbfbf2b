package render

import (
	"math"

	"swizzle/shaderkit/exec"
)

// Words of a triangle record behind the box. The edges of samples 1 and on, where there are any, and
// then planes and flat values of the varyings follow.
const (
	recEdges  = 4  // A, B, C of three edges; of sample 0 where there are samples
	recDepth  = 13 // plane of the depth
	recW      = 16 // plane of 1/w
	recFace   = 19 // +1 or -1
	recNumber = 20 // of the primitive in its draw, for debuggers
	recRest   = 21
)

// edgeWords is the length of three edges.
const edgeWords = 9

// edgesOf gives the word where the edges of a sample begin.
func edgesOf(sample int) int {
	if sample == 0 {
		return recEdges
	}
	return recRest + edgeWords*(sample-1)
}

// A form is what a record holds besides varyings: the edges of each sample and, where the shader runs for
// each sample and a record is one of them, behind those the edges of that sample again, its number, and its
// place from the centre of the pixel, x and y as floats.
type form struct {
	samples int
	each    bool
}

// own gives the word where the edges of the record's sample begin.
func (f form) own() int {
	if !f.each {
		return recEdges
	}
	return recRest + edgeWords*(f.samples-1)
}

// number gives the word with the number of the record's sample; its place follows.
func (f form) number() int { return f.own() + edgeWords }

// varyings gives the word where the varyings begin.
func (f form) varyings() int {
	if f.each {
		return f.number() + 3
	}
	return recRest + edgeWords*(f.samples-1)
}

// words gives the length of a record.
func (f form) words(v []varying) int {
	n := f.varyings()
	for i := range v {
		if v[i].flat {
			n++
		} else {
			n += 3
		}
	}
	return n
}

// samplePlaces are the places of the samples of a pixel, in 1/16 pixel from its centre, for 1 and for 4
// samples (11.3 19.2.4).
func samplePlaces(samples int) [][2]int64 {
	if samples == 4 {
		return standard4[:]
	}
	return centre1[:]
}

var (
	centre1   = [1][2]int64{}
	standard4 = [4][2]int64{{-2, -6}, {6, -2}, {-6, 2}, {2, 6}}
)

// A varying is one component of a pixel input that comes from the vertices.
type varying struct {
	source int   // word of a vertex's outputs; -1: none
	flat   bool  // one word: the value of the provoking vertex; otherwise a plane of three words
	linear bool  // not divided by w
	sprite uint8 // 1 for x to 4 for w of what sprites replace, 0 for the rest
}

// word gives the bits of a varying at a corner that the vertex shader gave.
func (v *varying) word(c *corner) uint32 {
	if v.source < 0 {
		return 0
	}
	return c.words[v.source]
}

// A setup is a primitive, or a piece of it, ready to be binned: three edges and planes.
type setup struct {
	edges  [3]edge
	whole  bool    // the edges hold for all samples of a pixel alike
	box    [4]int  // pixels, exclusive at the end
	back   bool    // of a back face
	x, y   float64 // where the planes have their first value, in pixels
	planes []plane // depth, 1/w, then those varyings that are not flat
	flats  []uint32
}

// An edge covers pixel (i, j) where a*256*i + b*256*j + c >= 0, for a target's sample at the centre.
type edge struct{ a, b, c int64 }

// A plane is a value over the target: v at the setup's place, dx and dy more for each pixel.
type plane struct{ v, dx, dy float64 }

// A rasteriser turns primitives into setups. It knows nothing of shaders.
type rasteriser struct {
	conv     Convention
	state    Raster
	cull     Cull
	samples  [][2]int64
	limit    [4]int     // pixels that may be drawn, exclusive at the end
	part     Part       // triangles elsewhere are counted, no more
	scale    [3]float64 // the viewport: half its width and height, its range of depth
	origin   [3]float64 // its middle, its least depth
	step     float64    // least step of the depth format; 0: a float format
	varyings []varying
	clipper  clipper
	whole    [3]corner // of a triangle or line to be clipped
	tri      setup
	emit     func(*setup)
}

// A surface is what a draw is drawn onto.
type surface struct {
	width, height int
	samples       int
	depthStep     float64 // the least step of the depth format; 0 for floats
	viewport      *Viewport
	scissor       *Rect
	part          Part
}

// begin makes the rasteriser ready for a draw.
func (r *rasteriser) begin(conv *Convention, s *surface, state *Raster, cull Cull, planes []Plane, distances []int, v []varying) {
	r.conv, r.state, r.cull, r.varyings = *conv, *state, cull, v
	r.samples, r.step, r.part = samplePlaces(s.samples), s.depthStep, s.part
	view := Viewport{Width: float32(s.width), Height: float32(s.height), MaxDepth: 1}
	if s.viewport != nil {
		view = *s.viewport
	}
	x, y, w, h := float64(view.X), float64(view.Y), float64(view.Width), float64(view.Height)
	r.scale = [3]float64{w * 0.5, h * 0.5, float64(view.MaxDepth) - float64(view.MinDepth)}
	r.origin = [3]float64{x + r.scale[0], y + r.scale[1], float64(view.MinDepth)}
	// 11.3 15.6, 15.7: nothing is drawn outside the viewport, whose edges are rounded down.
	r.limit = [4]int{max(0, int(math.Floor(x))), max(0, int(math.Floor(y))), min(s.width, int(math.Floor(x+w))), min(s.height, int(math.Floor(y+h)))}
	if c := s.scissor; c != nil {
		r.limit = [4]int{max(r.limit[0], c.X0), max(r.limit[1], c.Y0), min(r.limit[2], c.X1), min(r.limit[3], c.Y1)}
	}
	band := float64(guard)
	for band > 1 && max(math.Abs(r.origin[0])+float64(r.scale[0]*band), math.Abs(r.origin[1])+float64(r.scale[1]*band)) > 32767 {
		band /= 2
	}
	r.clipper.begin(conv, !state.NoDepthClip, band, planes, distances, v)
}

// A fate is what became of a primitive.
type fate uint8

const (
	drawn    fate = iota
	notANum       // a position or clip distance is not finite
	outside       // of the clip volume
	culled        // by its orientation
	tooSmall      // no area, or no pixel centre within its box
)

// place finds where a corner lies on the target; false when that is nowhere.
func (r *rasteriser) place(c *corner) bool {
	c.q = 1 / c.pos[3]
	x := float64(float64(c.pos[0]/c.pos[3])*r.scale[0]) + r.origin[0]
	y := r.origin[1] - float64(float64(c.pos[1]/c.pos[3])*r.scale[1])
	z := float64(float64(c.pos[2]/c.pos[3])*r.conv.Scale) + r.conv.Offset
	c.z = r.origin[2] + float64(z*r.scale[2])
	const limit = 32768
	if !(math.Abs(x) <= limit && math.Abs(y) <= limit) || math.IsNaN(c.z) || math.IsInf(c.q, 0) || !(c.q > 0) {
		return false
	}
	c.x, c.y = int64(math.RoundToEven(x*256)), int64(math.RoundToEven(y*256))
	return true
}

// A vert is a corner that the vertex shader gave.
type vert struct {
	corner
	out    uint32 // planes that it lies outside of; it is placed where there are none
	culled uint32 // cull distances that are below 0
	nan    bool   // it has a position or clip distance that is not finite
}

// prepare fills in a vert whose words are set. position is the word of its clip position, culls are
// those of cull distances.
func (r *rasteriser) prepare(v *vert, position int, culls []int) {
	for i := range v.pos {
		v.pos[i] = single(v.words[position+i])
	}
	v.attr, v.edge, v.out, v.culled = nil, true, 0, 0
	v.nan = false
	for _, at := range r.clipper.distances {
		d := single(v.words[at])
		v.nan = v.nan || d != d
	}
	for i, at := range culls {
		if !(single(v.words[at]) >= 0) {
			v.culled |= 1 << i
		}
	}
	r.ready(v)
}

// ready finds where a vert lies.
func (r *rasteriser) ready(v *vert) {
	if v.nan = v.nan || !finite(&v.pos); v.nan {
		return
	}
	if v.out = r.clipper.outcode(&v.corner); v.out == 0 {
		v.nan = !r.place(&v.corner)
	}
}

// triangle draws a triangle; flat inputs come from lead.
func (r *rasteriser) triangle(a, b, c *vert, lead *corner) fate {
	switch {
	case a.nan || b.nan || c.nan:
		return notANum
	case a.out&b.out&c.out|a.culled&b.culled&c.culled != 0:
		return outside
	}
	any := a.out | b.out | c.out
	if any == 0 && r.state.Fill == Solid {
		return r.piece(&a.corner, &b.corner, &c.corner, lead)
	}
	r.whole = [3]corner{a.corner, b.corner, c.corner}
	if any == 0 {
		return r.outline(r.whole[:], lead)
	}
	poly := r.clipper.polygon(r.whole[:], any)
	if len(poly) < 3 {
		return outside
	}
	r.clipper.cuts++
	for k := range poly {
		if !r.place(&poly[k]) {
			return notANum
		}
	}
	if r.state.Fill != Solid {
		return r.outline(poly, lead)
	}
	result := tooSmall
	for k := 2; k < len(poly); k++ {
		if f := r.piece(&poly[0], &poly[k-1], &poly[k], lead); f == drawn || result != drawn {
			result = f
		}
	}
	return result
}

func area(a, b, c *corner) int64 { return (b.x-a.x)*(c.y-a.y) - (c.x-a.x)*(b.y-a.y) }

// culls reports whether a triangle of this doubled area is left out; one without area is a back face
// (11.3 15.11.1).
func (r *rasteriser) culls(area int64) bool {
	if area == 0 {
		return r.cull == CullCCW && !r.state.FrontCCW || r.cull == CullCW && r.state.FrontCCW
	}
	return r.cull == CullCCW && area < 0 || r.cull == CullCW && area > 0
}

// isBack reports whether a triangle of this doubled area is a back face.
func (r *rasteriser) isBack(area int64) bool { return area == 0 || (area < 0) != r.state.FrontCCW }

// piece draws the triangle of three corners.
func (r *rasteriser) piece(a, b, c, lead *corner) fate {
	t := &r.tri
	d := area(a, b, c)
	if d == 0 {
		return tooSmall
	}
	if r.culls(d) {
		return culled
	}
	t.back = r.isBack(d)
	if d < 0 {
		b, c = c, b
	}
	if !r.cover([3]int64{a.x, b.x, c.x}, [3]int64{a.y, b.y, c.y}) {
		return tooSmall
	}
	if !r.part.meets(t.box[1], t.box[3]) {
		return drawn // by whoever has its tiles
	}
	g := gradients(a, b, c)
	t.planes = append(t.planes[:0], g.plane(a.z, b.z, c.z), g.plane(a.q, b.q, c.q))
	t.planes[0].v += r.bias(&t.planes[0], a.z, b.z, c.z)
	t.flats = t.flats[:0]
	for i := range r.varyings {
		s := &r.varyings[i]
		if s.flat {
			t.flats = append(t.flats, s.word(lead))
			continue
		}
		u, v, w := r.clipper.value(a, i), r.clipper.value(b, i), r.clipper.value(c, i)
		if !s.linear {
			u, v, w = float64(u*a.q), float64(v*b.q), float64(w*c.q)
		}
		t.planes = append(t.planes, g.plane(u, v, w))
	}
	r.at(a)
	r.emit(t)
	return drawn
}

// at makes the place of a corner that of the planes.
func (r *rasteriser) at(c *corner) { r.tri.x, r.tri.y = float64(c.x)/256, float64(c.y)/256 }

// bias gives what the depth bias adds to a plane of depth whose corners have these depths (11.3 15.10).
func (r *rasteriser) bias(p *plane, z ...float64) float64 {
	b := &r.state.Bias
	if b.Constant == 0 && b.Slope == 0 {
		return 0
	}
	unit := float32(1)
	if r.conv.BiasSteps {
		if unit = float32(r.step); r.step == 0 {
			most := 0.0
			for _, v := range z {
				most = max(most, math.Abs(float64(float32(v))))
			}
			unit = 0
			if most > 0 {
				_, e := math.Frexp(most) // most = f * 2^e, f from 1/2 to 1
				unit = float32(math.Ldexp(1, e-1-23))
			}
		}
	}
	sum := float32(b.Constant * unit)
	if b.Slope != 0 {
		sum += float32(b.Slope * float32(max(math.Abs(p.dx), math.Abs(p.dy))))
	}
	if b.Clamp > 0 {
		sum = min(b.Clamp, sum)
	} else if b.Clamp < 0 {
		sum = max(b.Clamp, sum)
	}
	return float64(sum)
}

// cover sets edges and box for the clockwise triangle of snapped points; false when its box is empty.
func (r *rasteriser) cover(x, y [3]int64) bool {
	t := &r.tri
	t.whole = false
	if !r.bounds(min(x[0], x[1], x[2]), min(y[0], y[1], y[2]), max(x[0], x[1], x[2]), max(y[0], y[1], y[2])) {
		return false
	}
	for i := range t.edges {
		j := (i + 1) % 3
		e := edge{a: y[i] - y[j], b: x[j] - x[i]}
		e.c = e.a*(r.conv.Centre-x[i]) + e.b*(r.conv.Centre-y[i])
		if !(e.a > 0 || e.a == 0 && e.b > 0) {
			e.c--
		}
		t.edges[i] = e
	}
	return true
}

// bounds sets the box to the pixels with a sample in a rectangle of the target, in 24.8, rounded to
// blocks as far as pixels may be drawn: only there is the box for the engine to look at.
func (r *rasteriser) bounds(x0, y0, x1, y1 int64) bool {
	t := &r.tri
	reach := int64(0)
	if len(r.samples) > 1 {
		reach = 96 // 6/16 pixel
	}
	// Pixel i has its centre at 256*i + Centre.
	lo := func(v int64) int { return int((v - reach - r.conv.Centre + 255) >> 8) }
	hi := func(v int64) int { return int((v+reach-r.conv.Centre)>>8) + 1 }
	b := [4]int{max(r.limit[0], lo(x0)), max(r.limit[1], lo(y0)), min(r.limit[2], hi(x1)), min(r.limit[3], hi(y1))}
	if b[0] >= b[2] || b[1] >= b[3] {
		return false
	}
	const low = exec.BlockSize - 1
	t.box = [4]int{max(r.limit[0], b[0]&^low), max(r.limit[1], b[1]&^low), min(r.limit[2], (b[2]+low)&^low), min(r.limit[3], (b[3]+low)&^low)}
	return true
}

// A gradient is what all planes of a triangle share, in pixels.
type gradient struct{ dx1, dy1, dx2, dy2, r float64 }

func gradients(a, b, c *corner) gradient {
	px := func(v int64) float64 { return float64(v) / 256 }
	g := gradient{dx1: px(b.x - a.x), dy1: px(b.y - a.y), dx2: px(c.x - a.x), dy2: px(c.y - a.y)}
	g.r = 1 / (float64(g.dx1*g.dy2) - float64(g.dx2*g.dy1))
	return g
}

func (g *gradient) plane(a, b, c float64) plane {
	ba, ca := b-a, c-a
	return plane{
		v:  a,
		dx: float64(float64(ba*g.dy2)-float64(ca*g.dy1)) * g.r,
		dy: float64(float64(ca*g.dx1)-float64(ba*g.dx2)) * g.r,
	}
}

// tileEdges gives the three edge functions of a sample relative to the tile whose first pixel is
// (tx, ty); hit is false when none of the tile's samples is inside.
func (t *setup) tileEdges(tx, ty int, sample [2]int64) (e [edgeWords]int32, hit bool) {
	if t.whole {
		sample = [2]int64{}
	}
	const last = exec.TileSize - 1
	for k := range t.edges {
		a, b := t.edges[k].a, t.edges[k].b
		c := (t.edges[k].c + a*(int64(tx)*256+sample[0]*16) + b*(int64(ty)*256+sample[1]*16)) >> 8
		lo := c + min(0, a*last) + min(0, b*last)
		hi := c + max(0, a*last) + max(0, b*last)
		if hi < 0 {
			return [edgeWords]int32{2: -1}, false
		}
		if lo < 0 { // otherwise inside everywhere: 0, 0, 0
			e[3*k], e[3*k+1], e[3*k+2] = int32(a), int32(b), int32(c)
		}
	}
	return e, true
}

// meets reports whether record would cover anything.
func (t *setup) meets(tx, ty int, samples [][2]int64) bool {
	for _, place := range samples {
		if _, hit := t.tileEdges(tx, ty, place); hit {
			return true
		}
	}
	return false
}

// record writes the record for the tile whose first pixel is (tx, ty), but for its number, and reports
// whether it covers anything there. Of the form with each, it is that of sample number own.
func (t *setup) record(out []uint32, tx, ty int, centre int64, f form, own int, v []varying) (hit bool) {
	for s, place := range samplePlaces(f.samples) {
		e, h := t.tileEdges(tx, ty, place)
		hit = hit || h && (!f.each || s == own)
		for i, w := range e {
			out[edgesOf(s)+i] = uint32(w)
		}
		if f.each && s == own {
			for i, w := range e {
				out[f.own()+i] = uint32(w)
			}
			n := f.number()
			out[n], out[n+1], out[n+2] = uint32(s), bits(float64(place[0])/16), bits(float64(place[1])/16)
		}
	}
	if !hit {
		return false
	}
	in := func(p, origin int) uint32 { return uint32(min(max(p-origin, 0), exec.TileSize)) }
	out[0], out[1], out[2], out[3] = in(t.box[0], tx), in(t.box[1], ty), in(t.box[2], tx), in(t.box[3], ty)
	middle := float64(float64(centre) / 256)
	cx, cy := float64(tx)+middle-t.x, float64(ty)+middle-t.y
	put := func(at int, p *plane) {
		c := p.v + float64(p.dx*cx) + float64(p.dy*cy)
		out[at], out[at+1], out[at+2] = bits(p.dx), bits(p.dy), bits(c)
	}
	put(recDepth, &t.planes[0])
	put(recW, &t.planes[1])
	out[recFace] = bits(1)
	if t.back {
		out[recFace] = bits(-1)
	}
	at, p, flats := f.varyings(), 2, 0
	for i := range v {
		if v[i].flat {
			out[at] = t.flats[flats]
			at, flats = at+1, flats+1
		} else {
			put(at, &t.planes[p])
			at, p = at+3, p+1
		}
	}
	return true
}

// bits gives the single nearest to v; all NaNs have the same bits.
func bits(v float64) uint32 {
	if v != v {
		return 0x7FC00000
	}
	return math.Float32bits(float32(v))
}
