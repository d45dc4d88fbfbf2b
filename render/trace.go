package render

import (
	"slices"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// A Trace is everything that happened to one pixel of a frame.
type Trace struct {
	X, Y      int
	Clear     uint32     // the colour word before the first fragment
	Fragments []Fragment // every triangle that covers the pixel, in the order of drawing
}

// A Fragment is one triangle at the pixel.
type Fragment struct {
	Draw, Triangle int           // which triangle of which draw
	Program        *ir.Program   // what ran: Traced names its registers
	Wave           exec.Wave     // what the pixel's quad wrote; Wave.Pick is the pixel
	Stored         bool          // the pixel reached the target
	HasColour      bool          // the shader writes a colour; then
	Colour         [4]uint32     // its bits before conversion
	Depth          uint32        // bits of the depth after clamping
	Before, After  Stored        // what the target held
	Vertices       []VertexTrace // the corners of the primitive: three, two of a line, one of a point
	DepthFormat    Format        // of the depth buffer, or NoFormat
}

// Stored is what a target holds at a pixel: the first word, of the first sample.
type Stored struct{ Colour, Depth uint32 }

// A VertexTrace is one corner of the triangle.
type VertexTrace struct {
	Index    int // of the vertex: its VertexID
	Instance int
	Program  *ir.Program // what ran
	Wave     exec.Wave   // Wave.Pick is the vertex
}

// Trace runs the frame again for one pixel of the shown target and its quad, with trace builds of the
// shaders, and records it: the passes that draw into the target, and those whose targets these load.
// builds gives the programs of a draw, whose number counts over all passes; a nil program stands for the
// one that is drawn with (a partner, too). The targets keep their content. An
// image of a target that several passes draw reads as before the frame or as behind it.
func (r *Renderer) Trace(t exec.Tracer, x, y int, builds func(draw int) (vs, ps *ir.Program, err error)) (*Trace, error) {
	w, h := 0, 0
	if r.shown != nil {
		w, h = r.shown.Width, r.shown.Height
	}
	if x < 0 || y < 0 || x >= w || y >= h {
		return nil, errorf("no-pixel", "pixel (%d, %d) is not in the picture of %d x %d", x, y, w, h)
	}
	end := len(r.arena.Mem)
	defer func() { r.arena.Mem = r.arena.Mem[:end] }()
	tr := tracing{r: r, tracer: t, x: x % exec.TileSize, y: y % exec.TileSize, tiles: map[*storage]uint32{}, images: map[*usedImage]uint32{}}
	tr.n = y/exec.TileSize*tiles(w) + x/exec.TileSize
	out := &Trace{X: x, Y: y}
	for i, p := range r.tracedPasses() {
		tr.pass = p
		p.each(tr.load)
		if k := tr.shown(); k >= 0 && i == 0 {
			out.Clear = p.colors[k].clear[0]
		}
		last := -1
		for _, c := range p.tiles[tr.n].chunks {
			if c.draw != last {
				last = c.draw
				vs, ps, err := builds(c.draw)
				if err != nil {
					return nil, err
				}
				if err := tr.begin(&r.draws[c.draw], vs, ps); err != nil {
					return nil, err
				}
			}
			for i := range c.n {
				f, err := tr.record(c, i)
				if err != nil {
					return nil, err
				}
				if f != nil {
					out.Fragments = append(out.Fragments, *f)
				}
			}
		}
	}
	return out, nil
}

// tracedPasses gives the passes that decide what the shown target holds, in their order.
func (r *Renderer) tracedPasses() (list []*passing) {
	need := map[*storage]bool{r.targets[r.shown]: true}
	for i := len(r.passes) - 1; i >= 0; i-- {
		p, found := &r.passes[i], false
		p.each(func(a *attached) { found = found || need[a.store] || a.resolve != nil && need[a.resolve] })
		if !found {
			continue
		}
		p.each(func(a *attached) {
			if need[a.store] = a.load; a.resolve != nil {
				need[a.resolve] = false
			}
		})
		list = append(list, p)
	}
	slices.Reverse(list)
	return list
}

// tracing is the state of one Trace.
type tracing struct {
	r             *Renderer
	tracer        exec.Tracer
	x, y          int                   // in the tile
	n             int                   // number of the tile
	tiles         map[*storage]uint32   // copies of it
	images        map[*usedImage]uint32 // as they were before the frame
	pass          *passing
	g             *drawing
	vertex, pixel *ir.Program
	texels        [2][]texelRecord // of the images that are targets, of both stages
}

// A texelRecord is the record of an image that takes the place of the one of resource n.
type texelRecord struct {
	n   int
	rec exec.Record
}

// past gives the records of the images of targets that a stage reads, as they were for the pass at hand.
func (t *tracing) past(p *ir.Program, s *Stage) (list []texelRecord) {
	pass := 0
	for t.pass != &t.r.passes[pass] {
		pass++
	}
	for i := range p.Interface.Resources {
		if tex := s.Textures[p.Interface.Resources[i].Name]; tex.Image != nil && tex.Image.target != nil {
			if k := t.r.used[keyOf(tex)]; k != nil {
				list = append(list, texelRecord{i, t.then(k, pass)})
			}
		}
	}
	return
}

// load readies the copy of an attachment's tile.
func (t *tracing) load(a *attached) {
	at, ok := t.tiles[a.store]
	if !ok {
		at = t.r.arena.Alloc(a.store.planes * tilePixels)
		t.tiles[a.store] = at
	}
	switch {
	case !a.load:
		a.wipe(exec.InPlace{}, &t.r.arena, at, 1)
	case !ok: // the first that uses it, so it was kept
		copy(t.r.arena.Words(at, a.store.planes*tilePixels), a.store.before[t.n*a.store.planes*tilePixels:])
	}
}

// shown gives the number of the pass's colour target that is shown, or resolved to what is, or -1.
func (t *tracing) shown() int {
	s := t.r.targets[t.r.shown]
	return slices.IndexFunc(t.pass.colors, func(a attached) bool { return a.store == s || a.resolve == s })
}

func (t *tracing) begin(g *drawing, vs, ps *ir.Program) (err error) {
	t.g = g
	t.texels = [2][]texelRecord{t.past(g.vs.program, &g.draw.Vertex), t.past(g.ps.program, &g.draw.Pixel)}
	sv, sp := g.vs, g.ps
	if vs != nil {
		sv.program = vs
	}
	if ps != nil {
		sp.program = ps
	}
	p, _ := pixelProgram(sp.sampled(), g.from, g.draw.State, g.conv, &t.pass.layout, true)
	if t.pixel, err = prepare(p, true); err != nil {
		return err
	}
	t.vertex, err = prepare(vertexProgram(sv.sampled(), g.geometry), true)
	return err
}

// record runs one triangle record, when it covers the quad; it gives the fragment when it covers the
// pixel.
func (t *tracing) record(c chunk, i int) (*Fragment, error) {
	a := &t.r.arena
	job := a.Words(c.desc, exec.JobProgram)
	stride := int(job[exec.JobStride])
	from := job[exec.JobFirst] + uint32(4*i*stride)
	if !t.g.form.covers(a.Words(from, stride), t.x&^1, t.y&^1) && !t.g.form.covers(a.Words(from, stride), t.x|1, t.y&^1) &&
		!t.g.form.covers(a.Words(from, stride), t.x&^1, t.y|1) && !t.g.form.covers(a.Words(from, stride), t.x|1, t.y|1) {
		return nil, nil
	}
	nres, planes := len(t.g.records)/exec.RecordWords, t.pass.layout.planes()
	end := len(a.Mem)
	defer func() { a.Mem = a.Mem[:end] }()
	desc := t.r.job(nres+planes, stride)
	n := exec.JobRecords + (nres+planes)*exec.RecordWords
	words := a.Words(desc, n+stride)
	copy(words, a.Words(c.desc, n))
	words[exec.JobCount], words[exec.JobFirst] = 1, desc+uint32(4*n)
	for _, x := range t.texels[1] {
		a.SetRecord(desc, x.n, x.rec)
	}
	record := words[n:]
	copy(record, a.Words(from, stride))
	qx, qy := uint32(t.x&^1), uint32(t.y&^1)
	record[0], record[1], record[2], record[3] = max(record[0], qx), max(record[1], qy), min(record[2], qx+2), min(record[3], qy+2)
	number := int(record[recNumber])
	inside := t.g.form.covers(record, t.x, t.y)
	t.pass.each(func(a *attached) { nres = t.r.planes(desc, nres, a, t.tiles[a.store]) })

	f := &Fragment{Draw: c.draw, Triangle: number, Program: t.pixel, Before: t.stored(), DepthFormat: t.pass.layout.depth}
	res, err := t.tracer.Trace(t.pixel, a, desc, exec.Pick{X: t.x, Y: t.y}, t.r.options(0))
	if err != nil || !inside {
		return nil, err
	}
	f.After = t.stored()
	if len(res.Waves) > 0 {
		f.Wave = res.Waves[len(res.Waves)-1]
	}
	f.Stored = f.Wave.Live>>f.Wave.Pick&1 != 0
	for _, w := range f.Wave.Writes {
		switch reg := t.pixel.Traced[w.Traced]; {
		case reg.Name == TracedColor:
			f.HasColour = true
			f.Colour[reg.Comp] = w.New[f.Wave.Pick]
		case reg.Name == TracedDepth && reg.Comp == 0:
			f.Depth = w.New[f.Wave.Pick]
		}
	}
	for _, item := range t.g.geometry.primitive(number) {
		v, err := t.corner(int(item))
		if err != nil {
			return nil, err
		}
		f.Vertices = append(f.Vertices, v)
	}
	return f, nil
}

func (t *tracing) stored() (s Stored) {
	word := func(a *attached) uint32 {
		return t.r.arena.Words(t.tiles[a.store], tilePixels)[exec.TileIndex(t.x, t.y)]
	}
	if k := t.shown(); k >= 0 {
		s.Colour = word(&t.pass.colors[k])
	}
	if t.pass.depth.store != nil {
		s.Depth = word(&t.pass.depth)
	}
	return
}

// corner runs the vertex shader again for the wave of one vertex.
func (t *tracing) corner(item int) (v VertexTrace, err error) {
	a := &t.r.arena
	n := exec.JobRecords + len(t.vertex.Interface.Resources)*exec.RecordWords
	desc := a.Alloc(n)
	words := a.Words(desc, n)
	copy(words, a.Words(t.g.vertexJob, n))
	for _, x := range t.texels[0] {
		a.SetRecord(desc, x.n, x.rec)
	}
	first := item &^ 7
	geo := t.g.geometry
	words[exec.JobFirst] = uint32(first)
	words[exec.JobCount] = uint32(min(8, geo.n*geo.in.instances()-first))
	res, err := t.tracer.Trace(t.vertex, a, desc, exec.Pick{Item: uint32(item)}, t.r.options(0))
	if err != nil {
		return v, err
	}
	v = VertexTrace{Index: geo.vertex(item), Instance: item / geo.n, Program: t.vertex}
	if len(res.Waves) > 0 {
		v.Wave = res.Waves[0]
	}
	return v, nil
}

// covers reports whether a record covers a pixel of the tile, or a sample of it.
func (f form) covers(record []uint32, x, y int) bool {
	if !inBox(record, x, y) {
		return false
	}
	if f.each {
		return inEdges(record, f.own(), x, y)
	}
	for s := range f.samples {
		if inEdges(record, edgesOf(s), x, y) {
			return true
		}
	}
	return false
}

func inBox(record []uint32, x, y int) bool {
	px, py := uint32(x), uint32(y)
	return px >= record[0] && py >= record[1] && px < record[2] && py < record[3]
}

// inEdges is the value of ir.Edges.
func inEdges(record []uint32, word, x, y int) bool {
	for e := word; e < word+edgeWords; e += 3 {
		if int32(record[e])*int32(x)+int32(record[e+1])*int32(y)+int32(record[e+2]) < 0 {
			return false
		}
	}
	return true
}
