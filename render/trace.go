package render

import (
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
	Draw, Triangle int         // which triangle of which draw
	Program        *ir.Program // what ran: Traced names its registers
	Wave           exec.Wave   // what the pixel's quad wrote; Wave.Pick is the pixel
	Stored         bool        // the pixel reached the target
	HasColour      bool        // the shader writes a colour; then
	Colour         [4]uint32   // its bits before conversion
	Depth          uint32      // bits of the depth after clamping
	Before, After  Stored      // what the target held
	Vertices       [3]VertexTrace
}

// Stored is what a target holds at a pixel.
type Stored struct{ Colour, Depth uint32 }

// A VertexTrace is one corner of the triangle.
type VertexTrace struct {
	Index   int         // of the vertex in the mesh
	Program *ir.Program // what ran
	Wave    exec.Wave   // Wave.Pick is the vertex
}

// Trace runs the frame again for one pixel and its quad, with trace builds of the shaders, and records
// it. builds gives those of a draw; a nil program stands for the one that is drawn with (a partner, too).
// The target keeps its content.
func (r *Renderer) Trace(t exec.Tracer, x, y int, builds func(draw int) (vs, ps *ir.Program, err error)) (*Trace, error) {
	if x < 0 || y < 0 || x >= r.width || y >= r.height {
		return nil, errorf("no-pixel", "pixel (%d, %d) is not in the picture of %d x %d", x, y, r.width, r.height)
	}
	end := len(r.arena.Mem)
	defer func() { r.arena.Mem = r.arena.Mem[:end] }()
	tr := tracing{r: r, tracer: t, x: x % exec.TileSize, y: y % exec.TileSize}
	tr.colour, tr.depth = r.arena.Alloc(tilePixels), r.arena.Alloc(tilePixels)
	r.wipe(tr.colour, tr.depth)
	out := &Trace{X: x, Y: y, Clear: r.clear}
	last := -1
	for _, c := range r.tiles[y/exec.TileSize*r.across+x/exec.TileSize].chunks {
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
	return out, nil
}

// tracing is the state of one Trace.
type tracing struct {
	r             *Renderer
	tracer        exec.Tracer
	x, y          int    // in the tile
	colour, depth uint32 // a tile of its own
	g             *drawing
	vertex, pixel *ir.Program
}

func (t *tracing) begin(g *drawing, vs, ps *ir.Program) (err error) {
	t.g = g
	sv, sp := g.vs, g.ps
	if vs != nil {
		sv.program = vs
	}
	if ps != nil {
		sp.program = ps
	}
	p, _ := pixelProgram(sp.sampled(), g.from, g.draw.State, t.r.conv, t.r.ragged(), true)
	if t.pixel, err = prepare(p, true); err != nil {
		return err
	}
	t.vertex, err = prepare(vertexProgram(sv.sampled()), true)
	return err
}

// record runs one triangle record, when it covers the quad; it gives the fragment when it covers the
// pixel.
func (t *tracing) record(c chunk, i int) (*Fragment, error) {
	a := &t.r.arena
	job := a.Words(c.desc, exec.JobProgram)
	stride := int(job[exec.JobStride])
	from := job[exec.JobFirst] + uint32(4*i*stride)
	if !covers(a.Words(from, stride), t.x&^1, t.y&^1) && !covers(a.Words(from, stride), t.x|1, t.y&^1) &&
		!covers(a.Words(from, stride), t.x&^1, t.y|1) && !covers(a.Words(from, stride), t.x|1, t.y|1) {
		return nil, nil
	}
	nres := len(t.g.records) / exec.RecordWords
	end := len(a.Mem)
	defer func() { a.Mem = a.Mem[:end] }()
	desc := t.r.job(nres+2, stride)
	n := exec.JobRecords + (nres+2)*exec.RecordWords
	words := a.Words(desc, n+stride)
	copy(words, a.Words(c.desc, n))
	words[exec.JobCount], words[exec.JobFirst] = 1, desc+uint32(4*n)
	record := words[n:]
	copy(record, a.Words(from, stride))
	bx, by := uint32(t.x/exec.BlockSize), uint32(t.y/exec.BlockSize)
	record[0], record[1], record[2], record[3] = bx, by, bx+1, by+1
	number := int(record[recNumber])
	inside := covers(record, t.x, t.y)
	t.r.target(desc, nres, t.colour, t.depth)

	f := &Fragment{Draw: c.draw, Triangle: number, Program: t.pixel, Before: t.stored()}
	res, err := t.tracer.Trace(t.pixel, a, desc, exec.Pick{X: t.x, Y: t.y}, t.r.options())
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
	for k := range f.Vertices {
		if f.Vertices[k], err = t.corner(int(t.g.draw.Mesh.Indices[3*number+k])); err != nil {
			return nil, err
		}
	}
	return f, nil
}

func (t *tracing) stored() Stored {
	i := exec.TileIndex(t.x, t.y)
	return Stored{t.r.arena.Words(t.colour, tilePixels)[i], t.r.arena.Words(t.depth, tilePixels)[i]}
}

// corner runs the vertex shader again for the wave of one vertex.
func (t *tracing) corner(index int) (v VertexTrace, err error) {
	a := &t.r.arena
	n := exec.JobRecords + len(t.vertex.Interface.Resources)*exec.RecordWords
	desc := a.Alloc(n)
	words := a.Words(desc, n)
	copy(words, a.Words(t.g.vertexJob, n))
	first := index &^ 7
	words[exec.JobFirst] = uint32(first)
	words[exec.JobCount] = uint32(min(8, len(t.g.draw.Mesh.Vertices)-first))
	res, err := t.tracer.Trace(t.vertex, a, desc, exec.Pick{Item: uint32(index)}, t.r.options())
	if err != nil {
		return v, err
	}
	v = VertexTrace{Index: index, Program: t.vertex}
	if len(res.Waves) > 0 {
		v.Wave = res.Waves[0]
	}
	return v, nil
}

// covers reports whether a pixel of the tile is inside the triangle: the value of ir.Edges.
func covers(record []uint32, x, y int) bool {
	for e := recEdges; e < recDepth; e += 3 {
		if int32(record[e])*int32(x)+int32(record[e+1])*int32(y)+int32(record[e+2]) < 0 {
			return false
		}
	}
	return true
}
