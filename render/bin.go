package render

import (
	"slices"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

type geometryKey struct {
	in   *Input
	last bool // the provoking vertex is the last one
}

// assembled gives the geometry of a draw, made once.
func (r *Renderer) assembled(d *Draw) (*geometry, error) {
	if len(r.inputs)+len(r.geometries) > 4*cacheSize {
		clear(r.inputs)
		clear(r.geometries)
	}
	in := d.Input
	if in == nil {
		if d.Mesh == nil {
			return nil, errorf("no-mesh", "a draw has no mesh and no input")
		}
		if in = r.inputs[d.Mesh]; in == nil {
			for _, v := range d.Mesh.Indices {
				if int(v) >= len(d.Mesh.Vertices) {
					return nil, errorf("bad-index", "index %d of a mesh of %d vertices", v, len(d.Mesh.Vertices))
				}
			}
			in = d.Mesh.input()
			r.inputs[d.Mesh] = in
		}
	}
	key := geometryKey{in, r.convention(d).ProvokingLast}
	g := r.geometries[key]
	if g == nil {
		if err := in.check(); err != nil {
			return nil, err
		}
		g = in.assemble(key.last)
		r.geometries[key] = g
	}
	return g, nil
}

// convention gives that of a draw.
func (r *Renderer) convention(d *Draw) *Convention {
	if d.Convention != nil {
		return d.Convention
	}
	return &r.conv
}

// check finds what keeps a draw from being rasterised.
func (g *drawing) check() error {
	if v := g.draw.Viewport; v != nil {
		within := func(x, lo, hi float32) bool { return lo <= x && x <= hi }
		// 11.3 15.6.1
		if !within(v.X, -32768, 32767) || !within(v.Y, -32768, 32767) || !within(v.Width, 0, 32767) || !within(v.Height, 0, 32767) ||
			!within(v.X+v.Width, -32768, 32767) || !within(v.Y+v.Height, -32768, 32767) ||
			!within(v.MinDepth, 0, 1) || !within(v.MaxDepth, v.MinDepth, 1) {
			return errorf("bad-viewport", "viewport %+v", *v)
		}
	}
	if n := len(g.draw.Planes) + len(g.clips); n > MaxPlanes || len(g.culls) > MaxPlanes {
		return errorf("too-many-planes", "%d clip planes and distances, %d cull distances, allowed are %d", n, len(g.culls), MaxPlanes)
	}
	return nil
}

// A binning is the draw whose primitives go into tiles.
type binning struct {
	pass   *passing
	draw   int
	number int // of the primitive
	form   form
	stride int // words of a record
	verts  []vert
}

// bin puts the primitives of a draw into the tiles.
func (r *Renderer) bin(p *passing, number int) {
	g := &r.draws[number]
	s := surface{width: p.width, height: p.height, samples: p.layout.samples, depthStep: p.layout.depth.step(), viewport: g.draw.Viewport, scissor: g.draw.Scissor, part: p.part}
	r.raster.begin(&g.conv, &s, &g.draw.State.Raster, g.draw.State.Cull, g.draw.Planes, g.clips, g.pixel.varyings)
	b := &r.binning
	b.pass, b.draw, b.number, b.form = p, number, 0, g.form
	b.stride = b.form.words(g.pixel.varyings)

	n, outWords := g.geometry.n*g.geometry.in.instances(), 4*len(g.vs.program.Interface.Outputs)
	out := r.arena.Words(g.outputs, n*outWords)
	b.verts = slices.Grow(b.verts[:0], n)[:n]
	for i := range b.verts {
		v := &b.verts[i]
		v.words = out[i*outWords : (i+1)*outWords]
		r.raster.prepare(v, 4*g.position, g.culls)
	}
	r.primitives(g)
	for i := range b.verts { // they hold what the arena has, which moves
		b.verts[i].words = nil
	}
}

// primitives rasterises the primitives of a draw.
func (r *Renderer) primitives(g *drawing) {
	var fates [tooSmall + 1]int
	r.raster.clipper.cuts = 0
	b, geo := &r.binning, g.geometry
	corners, size := geo.in.Topology.corners(), -1
	if k := output(g.vs.program.Interface.Outputs, ir.PointSize, 0); k >= 0 {
		size = 4 * k
	}
	for i := range geo.in.instances() {
		verts := b.verts[i*geo.n:]
		for k := 0; k < len(geo.prims); k += corners {
			v := geo.prims[k : k+corners]
			var f fate
			lead := &verts[v[geo.lead]].corner
			switch corners {
			case 3:
				f = r.raster.triangle(&verts[v[0]], &verts[v[1]], &verts[v[2]], lead)
			case 2:
				f = r.raster.line(&verts[v[0]], &verts[v[1]], lead)
			default:
				f = r.raster.point(&verts[v[0]], size)
			}
			fates[f]++
			b.number++
		}
	}
	st := &r.stats
	st.Triangles += b.number
	st.Drawn += fates[drawn]
	st.NotFinite += fates[notANum]
	st.Outside += fates[outside]
	st.Clipped += r.raster.clipper.cuts
	st.Culled += fates[culled]
	st.Small += fates[tooSmall]
}

// vertices runs the vertex shader of a draw and makes what all its tile jobs share.
func (r *Renderer) vertices(number int) {
	g := &r.draws[number]
	vs, ps, geo := g.vs.program, g.ps.program, g.geometry

	// Records of the pixel stage.
	nres := len(ps.Interface.Resources)
	scratch := r.job(nres+drawBuffers, 0)
	r.bind(scratch, ps, &g.draw.Pixel)
	data := r.arena.Alloc(dataWords)
	g.draw.State.data(r.arena.Words(data, dataWords))
	r.arena.SetRecord(scratch, nres, buffer(data, dataWords, 4))
	r.arena.SetRecord(scratch, nres+1, buffer(r.srgb, len(srgbTables), 4))
	g.records = append(g.records[:0], r.arena.Words(scratch, exec.JobRecords+(nres+drawBuffers)*exec.RecordWords)[exec.JobRecords:]...)

	n, outWords := geo.n*geo.in.instances(), 4*len(vs.Interface.Outputs)
	nres = len(vs.Interface.Resources)
	streams := len(geo.in.Streams)
	g.vertexJob = r.job(nres+streams+2, 0)
	r.bind(g.vertexJob, vs, &g.draw.Vertex)
	g.outputs = r.arena.Alloc(n * outWords)
	for i := range geo.in.Streams {
		data := geo.in.Streams[i].Buffer
		r.arena.SetRecord(g.vertexJob, nres+i, buffer(r.buffers[data], len(data.Data), 1))
	}
	r.arena.SetRecord(g.vertexJob, nres+streams, buffer(r.ids[geo], len(geo.ids), 4))
	r.arena.SetRecord(g.vertexJob, nres+streams+1, buffer(g.outputs, n, 4*outWords))
	w := r.arena.Words(g.vertexJob, exec.JobRecords)
	w[exec.JobCount] = uint32(n)
	w[jobVertices], w[jobID], w[jobBase], w[jobInstance] = uint32(geo.n), geo.first, geo.base, geo.in.FirstInstance
	r.tell(int(g.outputs / 4))
	r.note(g.vertex.kernel.Run(&r.arena, g.vertexJob, r.options(n)))
	r.memory.Fetch(&r.arena, g.outputs, n*outWords)
	r.stats.Vertices += n
}

// put adds a piece of the primitive at hand to the tiles that it touches, once for each sample where the
// shader runs for each.
func (r *Renderer) put(s *setup) {
	if !r.binning.form.each {
		r.putSample(s, 0)
		return
	}
	for own := range r.binning.form.samples {
		r.putSample(s, own)
	}
}

func (r *Renderer) putSample(s *setup, own int) {
	b := &r.binning
	p, g := b.pass, &r.draws[b.draw]
	across := tiles(p.width)
	for y := s.box[1] / exec.TileSize; y <= (s.box[3]-1)/exec.TileSize; y++ {
		if !p.part.Has(y) {
			continue
		}
		for x := s.box[0] / exec.TileSize; x <= (s.box[2]-1)/exec.TileSize; x++ {
			tx, ty := x*exec.TileSize, y*exec.TileSize
			n := y*across + x
			t := &p.tiles[n]
			if k := len(t.chunks); k == 0 || t.chunks[k-1].draw != b.draw || t.chunks[k-1].n == t.chunks[k-1].cap {
				if !s.meets(tx, ty, r.raster.samples) {
					continue
				}
				t.chunks = append(t.chunks, r.chunk(p, n, b.draw, b.stride, tx, ty, min(128, 8<<min(2*k, 8))))
			}
			c := &t.chunks[len(t.chunks)-1]
			first := r.arena.Words(c.desc, exec.JobProgram)[exec.JobFirst]
			record := r.arena.Words(first+uint32(4*c.n*b.stride), b.stride)
			if !s.record(record, tx, ty, r.raster.conv.Centre, b.form, own, g.pixel.varyings) {
				continue
			}
			record[recNumber] = uint32(b.number)
			c.n++
			r.arena.Words(c.desc, exec.JobProgram)[exec.JobCount] = uint32(c.n)
		}
	}
}
