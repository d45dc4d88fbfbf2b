package render

import (
	"image"
	"math"
	"slices"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// A Renderer draws frames with one engine. It keeps kernels, meshes and textures from frame to
// frame, so that a frame that changes constants, camera or one shader redoes only that. It is used by
// one goroutine at a time.
type Renderer struct {
	Budget int // back-edges and calls that a lane may take; 0 is exec.DefaultBudget

	conv  Convention
	arena exec.Arena
	cache cache

	partners map[*ir.Program]*ir.Program // made for lone shaders

	static []any // meshes and images that lie in the arena, in this order
	meshes map[*Mesh]uint32
	images map[imageKey]exec.Record
	fixed  int // words of the arena that they take

	width, height int
	across        int // tiles
	tiles         []tile
	next          int // tile to draw
	targets       uint32
	draws         []drawing
	raster        rasteriser
	clear         uint32
	stats         Stats
	image         *image.NRGBA
}

type imageKey struct {
	image *Image
	mips  bool
}

// Stats tells what a frame came to.
type Stats struct {
	Vertices  int    `json:"vertices"`  // run through the vertex shader
	Triangles int    `json:"triangles"` // of the meshes
	Outside   int    `json:"outside"`   // of the clip volume
	Culled    int    `json:"culled"`    // by their orientation
	Small     int    `json:"small"`     // without area or without a pixel centre in their box
	NotFinite int    `json:"notFinite"` // with a position that is not a number
	Drawn     int    `json:"drawn"`     // binned
	Lanes     uint64 `json:"lanes"`     // pixels that started the pixel program, without helpers
	Stopped   bool   `json:"stopped"`   // a lane ran out of budget
	Compiled  int    `json:"compiled"`  // kernels compiled for this frame
}

// A tile is what will be drawn into 64x64 pixels.
type tile struct{ chunks []chunk }

// A chunk is a job: some triangles of one draw in one tile.
type chunk struct {
	draw int
	desc uint32
	n    int // records
	cap  int
}

// A drawing is a draw of the frame being drawn.
type drawing struct {
	draw      Draw
	vs, ps    shader // partners filled in
	from      []int  // ir.Link of their interfaces
	pixel     *pixelKernel
	vertexJob uint32
	outputs   uint32
	records   []uint32 // resource records of the pixel shader, as they go into every tile job
}

// New gives a renderer over an engine.
func New(e exec.Engine) *Renderer {
	return &Renderer{conv: D3D9, cache: newCache(e), partners: map[*ir.Program]*ir.Program{}}
}

// Begin starts a frame of w times h pixels: runs the vertex shaders and bins the triangles. clear is
// the colour of the target, converted like a shader's.
func (r *Renderer) Begin(w, h int, clear [4]float32, draws []Draw) error {
	if w < 1 || h < 1 || w > MaxSize || h > MaxSize {
		return errorf("bad-size", "the target is %d x %d pixels, allowed are 1 to %d", w, h, MaxSize)
	}
	r.stats = Stats{}
	r.cache.begin()
	if h, ok := r.cache.engine.(exec.Holder); ok {
		h.Release(&r.arena)
	}
	r.next = 0
	r.tiles = r.tiles[:0]
	if err := r.upload(draws); err != nil {
		return err
	}
	r.arena.Mem = r.arena.Mem[:r.fixed]
	r.width, r.height = w, h
	r.across = (w + exec.TileSize - 1) / exec.TileSize
	n := r.across * ((h + exec.TileSize - 1) / exec.TileSize)
	r.targets = r.arena.Alloc(n * 2 * tilePixels)
	r.clear = pack8(clear)
	for len(r.tiles) < n {
		if len(r.tiles) < cap(r.tiles) {
			r.tiles = r.tiles[:len(r.tiles)+1]
			t := &r.tiles[len(r.tiles)-1]
			t.chunks = t.chunks[:0]
		} else {
			r.tiles = append(r.tiles, tile{})
		}
	}
	r.draws = slices.Grow(r.draws[:0], len(draws))
	for i := range draws {
		if err := r.bin(&draws[i]); err != nil {
			r.tiles, r.next = r.tiles[:0], 0
			return err
		}
	}
	r.stats.Compiled = r.cache.compiled
	return nil
}

// ragged reports whether the edge of the target cuts blocks.
func (r *Renderer) ragged() bool { return r.width%exec.BlockSize|r.height%exec.BlockSize != 0 }

const tilePixels = exec.TileSize * exec.TileSize

func (r *Renderer) colourOf(tile int) uint32 { return r.targets + uint32(tile)*2*tilePixels*4 }
func (r *Renderer) depthOf(tile int) uint32  { return r.colourOf(tile) + tilePixels*4 }

// upload brings meshes and images of the draws into the arena, when they are not there already.
func (r *Renderer) upload(draws []Draw) error {
	var want []any
	add := func(x any) {
		if !slices.Contains(want, x) {
			want = append(want, x)
		}
	}
	for i := range draws {
		d := &draws[i]
		if d.Mesh == nil {
			return errorf("no-mesh", "draw %d has no mesh", i)
		}
		for _, v := range d.Mesh.Indices {
			if int(v) >= len(d.Mesh.Vertices) {
				return errorf("bad-index", "index %d of a mesh of %d vertices", v, len(d.Mesh.Vertices))
			}
		}
		add(d.Mesh)
		for _, s := range []*Stage{&d.Vertex, &d.Pixel} {
			if s.Shader == nil {
				continue
			}
			for _, res := range s.Shader.Interface.Resources {
				if t := s.Textures[res.Name]; res.Kind == ir.Texture && t.Image != nil {
					add(imageKey{t.Image, t.Sampler.Mip != ir.MipNone})
				}
			}
		}
	}
	if slices.Equal(want, r.static) {
		return nil
	}
	r.static = want
	r.arena.Reset()
	r.meshes, r.images = map[*Mesh]uint32{}, map[imageKey]exec.Record{}
	for _, x := range want {
		switch x := x.(type) {
		case *Mesh:
			at := r.arena.Alloc(len(x.Vertices) * vertexWords)
			words := r.arena.Words(at, len(x.Vertices)*vertexWords)
			for i := range x.Vertices {
				x.Vertices[i].words(words[i*vertexWords:])
			}
			r.meshes[x] = at
		case imageKey:
			rec, err := x.image.put(&r.arena, x.mips)
			if err != nil {
				r.static = nil
				return err
			}
			r.images[x] = rec
		}
	}
	r.arena.Alloc(0)
	r.fixed = len(r.arena.Mem)
	return nil
}

// job allocates a job descriptor for a program with these resources, followed by extra words.
func (r *Renderer) job(resources, extra int) uint32 {
	return r.arena.Alloc(exec.JobRecords + resources*exec.RecordWords + extra)
}

// bind writes the resource records of a stage's shader into a job, and its constants into the arena.
func (r *Renderer) bind(desc uint32, p *ir.Program, s *Stage) {
	for i := range p.Interface.Resources {
		res := &p.Interface.Resources[i]
		switch res.Kind {
		case ir.Texture:
			if t := s.Textures[res.Name]; t.Image != nil {
				r.arena.SetRecord(desc, i, r.images[imageKey{t.Image, t.Sampler.Mip != ir.MipNone}])
			}
		case ir.ConstFloat, ir.ConstInt, ir.ConstBool:
			at := r.arena.Alloc(4 * res.Count)
			s.constants(res, r.arena.Words(at, 4*res.Count))
			r.arena.SetRecord(desc, i, buffer(at, res.Count, 16))
		}
	}
}

// bin runs the vertex shader of a draw and puts its triangles into the tiles.
func (r *Renderer) bin(d *Draw) error {
	vs, ps, err := r.shaders(d)
	if err != nil {
		return err
	}
	g := drawing{draw: *d, vs: d.Vertex.shader(vs), ps: d.Pixel.shader(ps)}
	g.from, _ = ir.Link(&vs.Interface, &ps.Interface) // NUMERICS.md says what unlinked inputs read
	pos := output(vs.Interface.Outputs, ir.ClipPosition)
	if pos < 0 {
		return errorf("no-position", "the vertex shader %s writes no position", vs.Name)
	}
	vertex, err := r.cache.vertex(&g.vs)
	if err != nil {
		return err
	}
	if g.pixel, err = r.cache.pixel(&g.ps, g.from, d.State, r.conv, r.ragged()); err != nil {
		return err
	}

	// Vertices.
	n, nres, outWords := len(d.Mesh.Vertices), len(vs.Interface.Resources), 4*len(vs.Interface.Outputs)
	g.vertexJob = r.job(nres+2, 0)
	r.bind(g.vertexJob, vs, &d.Vertex)
	g.outputs = r.arena.Alloc(n * outWords)
	r.arena.SetRecord(g.vertexJob, nres, buffer(r.meshes[d.Mesh], n, 4*vertexWords))
	r.arena.SetRecord(g.vertexJob, nres+1, buffer(g.outputs, n, 4*outWords))
	r.arena.Words(g.vertexJob, 1)[exec.JobCount] = uint32(n)
	r.note(vertex.Run(&r.arena, g.vertexJob, r.options()))
	r.stats.Vertices += n

	// Records of the pixel stage, once for all tiles.
	nres = len(ps.Interface.Resources)
	scratch := r.job(nres, 0)
	r.bind(scratch, ps, &d.Pixel)
	g.records = slices.Clone(r.arena.Words(scratch, exec.JobRecords+nres*exec.RecordWords)[exec.JobRecords:])

	number := len(r.draws)
	r.draws = append(r.draws, g)
	r.raster.begin(r.conv, r.width, r.height, d.State.Cull, g.pixel.varyings)
	var corners [3]corner
	for k := range corners {
		corners[k].attr = make([]float64, len(g.pixel.varyings))
	}
	for t := 0; t+2 < len(d.Mesh.Indices); t += 3 {
		r.stats.Triangles++
		for k := range corners {
			w := r.arena.Words(g.outputs+d.Mesh.Indices[t+k]*uint32(4*outWords), outWords)
			for i := range 4 {
				corners[k].pos[i] = float64(math.Float32frombits(w[4*pos+i]))
			}
			for i := range g.pixel.varyings {
				corners[k].attr[i] = float64(math.Float32frombits(w[g.pixel.varyings[i].source]))
			}
		}
		f := r.raster.triangle(&corners, func(s *setup) { r.put(number, t/3, s) })
		*[...]*int{drawn: &r.stats.Drawn, notANum: &r.stats.NotFinite, outside: &r.stats.Outside, culled: &r.stats.Culled, tooSmall: &r.stats.Small}[f]++
	}
	return nil
}

func (r *Renderer) options() exec.Options { return exec.Options{Budget: r.Budget} }

// note adds the result of a run to the statistics.
func (r *Renderer) note(res exec.Result) { r.stats.Stopped = r.stats.Stopped || res.Stopped }

// put adds a triangle to the tiles that it touches.
func (r *Renderer) put(draw, number int, s *setup) {
	g := &r.draws[draw]
	stride := recordWords(g.pixel.varyings)
	for y := s.box[1] / exec.TileSize; y <= (s.box[3]-1)/exec.TileSize; y++ {
		for x := s.box[0] / exec.TileSize; x <= (s.box[2]-1)/exec.TileSize; x++ {
			tx, ty := x*exec.TileSize, y*exec.TileSize
			e, hit := s.edges(tx, ty, r.conv.Centre)
			if !hit {
				continue
			}
			n := y*r.across + x
			t := &r.tiles[n]
			if k := len(t.chunks); k == 0 || t.chunks[k-1].draw != draw || t.chunks[k-1].n == t.chunks[k-1].cap {
				t.chunks = append(t.chunks, r.chunk(n, draw, stride, tx, ty, min(128, 8<<min(2*k, 8))))
			}
			c := &t.chunks[len(t.chunks)-1]
			first := r.arena.Words(c.desc, exec.JobProgram)[exec.JobFirst]
			record := r.arena.Words(first+uint32(4*c.n*stride), stride)
			s.record(record, tx, ty, r.conv.Centre, g.pixel.varyings, &e)
			record[recNumber] = uint32(number)
			c.n++
			r.arena.Words(c.desc, exec.JobProgram)[exec.JobCount] = uint32(c.n)
		}
	}
}

// chunk makes a job for up to n triangles of a draw in a tile.
func (r *Renderer) chunk(tile, draw, stride, tx, ty, n int) chunk {
	g := &r.draws[draw]
	nres := len(g.records) / exec.RecordWords
	desc := r.job(nres+2, n*stride)
	w := r.arena.Words(desc, exec.JobRecords+len(g.records))
	w[exec.JobFirst], w[exec.JobStride] = desc+4*uint32(exec.JobRecords+(nres+2)*exec.RecordWords), uint32(stride)
	w[jobTileX], w[jobTileY] = uint32(tx), uint32(ty)
	w[jobWidth], w[jobBelow] = uint32(r.width-tx), uint32(r.height-ty)
	copy(w[exec.JobRecords:], g.records)
	r.target(desc, nres, r.colourOf(tile), r.depthOf(tile))
	return chunk{draw: draw, desc: desc, cap: n}
}

// target points a tile job at a colour and a depth tile.
func (r *Renderer) target(desc uint32, nres int, colour, depth uint32) {
	r.arena.SetRecord(desc, nres, buffer(colour, tilePixels, 4))
	r.arena.SetRecord(desc, nres+1, buffer(depth, tilePixels, 4))
}

// Tiles gives the number of tiles of the frame and how many of them are drawn.
func (r *Renderer) Tiles() (n, done int) { return len(r.tiles), r.next }

// DrawTiles draws up to n more tiles and tells whether the frame is complete.
func (r *Renderer) DrawTiles(n int) (done bool) {
	end := r.next + min(max(n, 0), len(r.tiles)-r.next)
	holder, _ := r.cache.engine.(exec.Holder)
	if holder != nil {
		if r.next == 0 {
			holder.Hold(&r.arena) // until the next frame begins
		}
		defer holder.Fetch(&r.arena)
	}
	for ; r.next < end; r.next++ {
		r.wipe(r.colourOf(r.next), r.depthOf(r.next))
		if holder != nil {
			holder.Changed(&r.arena, r.colourOf(r.next), 2*tilePixels)
		}
		r.drawTile(r.next)
	}
	return r.next == len(r.tiles)
}

func (r *Renderer) drawTile(i int) {
	for _, c := range r.tiles[i].chunks {
		res := r.draws[c.draw].pixel.kernel.Run(&r.arena, c.desc, r.options())
		r.note(res)
		r.stats.Lanes += res.Lanes
	}
}

// wipe clears a tile.
func (r *Renderer) wipe(colour, depth uint32) {
	c, z := r.arena.Words(colour, tilePixels), r.arena.Words(depth, tilePixels)
	for i := range c {
		c[i] = r.clear
	}
	for i := range z {
		z[i] = 0x3F800000 // 1
	}
}

// Stats tells what the frame came to so far.
func (r *Renderer) Stats() Stats { return r.stats }

// Image gives the picture as a screen shows it: opaque, whatever alpha the target holds. It is valid
// until the next call; tiles that are not drawn yet hold what they held before.
func (r *Renderer) Image() *image.NRGBA {
	if r.image == nil || r.image.Rect.Dx() != r.width || r.image.Rect.Dy() != r.height {
		r.image = image.NewNRGBA(image.Rect(0, 0, r.width, r.height))
	}
	for i := range r.next {
		present(r.image, r.arena.Words(r.colourOf(i), tilePixels), i%r.across*exec.TileSize, i/r.across*exec.TileSize)
	}
	return r.image
}

// present copies a tile in storage order to its place in the picture.
func present(m *image.NRGBA, words []uint32, x0, y0 int) {
	for y := 0; y < exec.TileSize && y0+y < m.Rect.Dy(); y++ {
		row := m.Pix[(y0+y)*m.Stride:]
		for x := 0; x < exec.TileSize && x0+x < m.Rect.Dx(); x++ {
			c := words[exec.TileIndex(x, y)]
			p := row[4*(x0+x) : 4*(x0+x)+4]
			p[0], p[1], p[2], p[3] = byte(c), byte(c>>8), byte(c>>16), 0xFF
		}
	}
}

// Pixel gives the stored colour word and the bits of the depth at a pixel of a drawn tile.
func (r *Renderer) Pixel(x, y int) (colour, depth uint32) {
	if x < 0 || y < 0 || x >= r.width || y >= r.height {
		return 0, 0
	}
	tile := y/exec.TileSize*r.across + x/exec.TileSize
	i := exec.TileIndex(x%exec.TileSize, y%exec.TileSize)
	return r.arena.Words(r.colourOf(tile), tilePixels)[i], r.arena.Words(r.depthOf(tile), tilePixels)[i]
}

// pack8 is the value of ir.Pack8.
func pack8(c [4]float32) (word uint32) {
	for k, v := range c {
		if !(v > 0) {
			v = 0
		}
		if v > 1 {
			v = 1
		}
		word |= uint32(float32(float32(v*255)+0.5)) << (8 * k)
	}
	return
}
