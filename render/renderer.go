package render

import (
	"image"
	"maps"
	"math"
	"slices"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// A Renderer draws frames with one engine. It keeps kernels, meshes and textures from frame to
// frame, so that a frame that changes constants, camera or one shader redoes only that. It is used by
// one goroutine at a time.
type Renderer struct {
	Budget  int    // back-edges and calls that a lane may take; 0 is exec.DefaultBudget
	Workers int    // goroutines that draw tiles at the same time; 0 is one, the caller's
	Part    Part   // what is drawn; it and Shuffle count from the next frame on
	Shuffle uint64 // not 0: the tiles of a pass are drawn in another order, which no picture shows

	conv  Convention
	arena exec.Arena
	cache cache

	// Where jobs work. It holds the arena from frame to frame and knows what lies in it up to word told.
	memory exec.Memory
	told   int

	partners map[*ir.Program]*ir.Program // made for lone shaders

	want       []any              // what the frame at hand needs
	static     []any              // buffers and images that lie in the arena, in this order
	buffers    map[*Buffer]uint32 // addresses of what lies in the arena
	ids        map[*geometry]uint32
	inputs     map[*Mesh]*Input
	geometries map[geometryKey]*geometry
	images     map[imageKey]exec.Record
	used       map[imageKey]*usedImage // images that static has
	srgb       uint32                  // the tables of sRGB
	fixed      int                     // words of the arena that they, the targets and rows take
	rows       uint32                  // for a target as rows of pixels
	scratch    uint32                  // for tiles that are converted

	targets map[*Target]*storage // of the frame, and their content from the one before

	passes  []passing
	pass    int // being drawn
	next    int // place in its order
	crew    crew
	shown   *Target
	draws   []drawing
	raster  rasteriser
	binning binning
	stats   Stats
	image   *image.NRGBA

	picture [1]Pass // what BeginPicture draws
	colour  *Target
	depth   *Target
}

type imageKey struct {
	image *Image
	mips  bool
}

func keyOf(t Texture) imageKey { return imageKey{t.Image, t.Sampler.Mip != ir.MipNone} }

// A usedImage is an image that lies in the arena.
type usedImage struct {
	imageKey
	kept   bool     // before holds
	before []uint32 // what it held before the frame: see keep
}

// Stats tells what a frame came to.
type Stats struct {
	Vertices  int    `json:"vertices"`  // run through the vertex shader
	Triangles int    `json:"triangles"` // of the meshes
	Outside   int    `json:"outside"`   // of the clip volume
	Clipped   int    `json:"clipped"`   // cut at it, and something was left
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
	draw         Draw
	vs, ps       shader // partners filled in
	state        State  // as a key
	layout       layout
	conv         Convention
	geometry     *geometry
	clips, culls []int // words of the clip and cull distances among the vertex shader's outputs
	from         []int // ir.Link of their interfaces
	form         form  // of its records
	position     int   // number of the vertex shader's output
	vertex       *cached
	pixel        *cached
	vertexJob    uint32
	outputs      uint32
	records      []uint32 // resource records of the pixel shader, as they go into every tile job
}

// New gives a renderer over an engine.
func New(e exec.Engine) *Renderer {
	r := &Renderer{conv: D3D9, memory: exec.MemoryOf(e), cache: newCache(e), partners: map[*ir.Program]*ir.Program{},
		inputs: map[*Mesh]*Input{}, used: map[imageKey]*usedImage{}, geometries: map[geometryKey]*geometry{}}
	r.raster.emit = r.put
	return r
}

// BeginPicture starts a frame of one pass into an RGBA8 target of w times h pixels with a D32F depth
// buffer. clear is the colour of the target, converted like a shader's; depth is cleared to 1.
func (r *Renderer) BeginPicture(w, h int, clear [4]float32, draws []Draw) error {
	if r.colour == nil || r.colour.Width != w || r.colour.Height != h {
		r.colour = &Target{Format: RGBA8, Width: w, Height: h}
		r.depth = &Target{Format: D32F, Width: w, Height: h}
		r.picture[0] = Pass{Colors: make([]Attachment, 1), Depth: &Attachment{}}
	}
	p := &r.picture[0]
	p.Colors[0] = Clearing(r.colour, clear[0], clear[1], clear[2], clear[3])
	*p.Depth = Clearing(r.depth, 1, 0, 0, 0)
	p.Draws = draws
	return r.Begin(r.picture[:])
}

// Begin starts a frame of passes, one drawn behind the other: it runs the vertex shaders of the first
// and bins its triangles. Those of the others follow when they start, for they may read what was drawn
// before. The renderer keeps the slices until the next frame.
func (r *Renderer) Begin(passes []Pass) error {
	if len(passes) == 0 {
		return errorf("no-target", "a frame needs a pass")
	}
	for i := range passes {
		if err := passes[i].check(); err != nil {
			return err
		}
	}
	r.stats = Stats{}
	r.cache.begin()
	r.passes, r.pass, r.next = r.passes[:0], 0, 0
	if err := r.upload(passes); err != nil {
		return err
	}
	r.arena.Mem = r.arena.Mem[:r.fixed]
	r.told = r.fixed
	r.draws = r.draws[:0]
	for i := range passes {
		if len(r.passes) < cap(r.passes) {
			r.passes = r.passes[:i+1]
		} else {
			r.passes = append(r.passes, passing{})
		}
		r.passes[i].begin(r, &passes[i], len(r.draws))
		for k := range passes[i].Draws {
			if err := r.prepare(&passes[i].Draws[k], &r.passes[i]); err != nil {
				r.passes = r.passes[:0]
				return err
			}
		}
	}
	r.share()
	last := &passes[len(passes)-1]
	if r.shown = nil; len(last.Colors) > 0 {
		if r.shown = last.Colors[0].Resolve; r.shown == nil {
			r.shown = last.Colors[0].Target
		}
	}
	r.keep()
	r.start()
	r.stats.Compiled = r.cache.compiled
	return nil
}

// start runs the vertex shaders of the pass at hand and bins its triangles.
func (r *Renderer) start() {
	p := r.passAt()
	for i := range p.draws0 {
		r.vertices(p.first + i)
	}
	for i := range p.draws0 {
		r.bin(p, p.first+i)
	}
	r.tell(len(r.arena.Mem))
}

// tell tells the memory what was written up to a word of the arena; behind it lies what jobs write.
func (r *Renderer) tell(end int) {
	if r.told < end {
		r.memory.Changed(&r.arena, uint32(4*r.told), end-r.told)
	}
	r.told = len(r.arena.Mem)
}

// upload brings meshes, images and targets of the passes into the arena, when they are not there already.
func (r *Renderer) upload(passes []Pass) error {
	r.want = r.want[:0]
	add := func(x any) {
		if !slices.Contains(r.want, x) {
			r.want = append(r.want, x)
		}
	}
	for i := range passes {
		for k := range passes[i].Draws {
			d := &passes[i].Draws[k]
			g, err := r.assembled(d)
			if err != nil {
				return err
			}
			for k := range g.in.Streams {
				add(g.in.Streams[k].Buffer)
			}
			if g.ids != nil {
				add(g)
			}
			for _, s := range [...]*Stage{&d.Vertex, &d.Pixel} {
				if s.Shader == nil {
					continue
				}
				for _, res := range s.Shader.Interface.Resources {
					if t := s.Textures[res.Name]; res.Kind == ir.Texture && t.Image != nil {
						key := keyOf(t)
						if r.used[key] == nil {
							r.used[key] = &usedImage{imageKey: key}
						}
						add(r.used[key])
						if t := t.Image.target; t != nil {
							if err := t.check(); err != nil {
								return err
							}
							if t.samples() > 1 {
								return errorf("bad-texture", "a target of %d samples a pixel is no texture: resolve it first", t.samples())
							}
							add(t)
						}
					}
				}
			}
		}
	}
	for i := range passes {
		passes[i].attachments(func(a *Attachment) {
			add(a.Target)
			if a.Resolve != nil {
				add(a.Resolve)
			}
		})
		if passes[i].Probe.Kind != NoProbe {
			add(passes[i].Probe.Target)
		}
	}
	if slices.Equal(r.want, r.static) {
		return nil
	}
	r.memory.Release(&r.arena)
	kept := map[*Target][]uint32{}
	for t, s := range r.targets {
		if slices.Contains(r.want, any(t)) {
			kept[t] = slices.Clone(r.arena.Words(s.base, s.words()))
		}
	}
	r.static = append(r.static[:0], r.want...)
	maps.DeleteFunc(r.used, func(_ imageKey, k *usedImage) bool { return !slices.Contains(r.static, any(k)) })
	r.arena.Reset()
	r.targets = map[*Target]*storage{}
	r.buffers, r.ids, r.images = map[*Buffer]uint32{}, map[*geometry]uint32{}, map[imageKey]exec.Record{}
	for _, x := range r.static {
		switch x := x.(type) {
		case *Buffer:
			r.buffers[x] = x.put(&r.arena)
		case *geometry:
			r.ids[x] = r.arena.Alloc(len(x.ids))
			copy(r.arena.Words(r.ids[x], len(x.ids)), x.ids)
		case *usedImage:
			put := x.image.put
			if x.image.target != nil {
				put = x.image.reserve
			}
			rec, err := put(&r.arena, x.mips)
			if err != nil {
				r.static = nil
				return err
			}
			r.images[x.imageKey] = rec
		case *Target:
			s := x.storage()
			s.base = r.arena.Alloc(s.words())
			copy(r.arena.Words(s.base, s.words()), kept[x])
			r.targets[x] = &s
		}
	}
	r.srgb = r.arena.Alloc(len(srgbTables))
	copy(r.arena.Words(r.srgb, len(srgbTables)), srgbTables)
	rows, scratch := 0, 0
	for t, s := range r.targets {
		rows = max(rows, t.Width*t.Height)
		if t.Format != RGBA8 || s.planes > 1 {
			scratch = max(scratch, s.across*s.down*tilePixels*int(t.Format.class().Words()))
		}
	}
	r.rows, r.scratch = r.arena.Alloc(rows), r.arena.Alloc(scratch)
	r.arena.Alloc(0)
	r.fixed = len(r.arena.Mem)
	r.memory.Hold(&r.arena)
	for _, x := range r.static {
		if key, ok := x.(*usedImage); ok && kept[key.image.target] != nil {
			r.readTarget(key.imageKey)
		}
	}
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
				r.arena.SetRecord(desc, i, r.images[keyOf(t)])
			}
		case ir.ConstFloat, ir.ConstInt, ir.ConstBool, ir.ConstBump:
			at := r.arena.Alloc(4 * res.Count)
			s.constants(res, r.arena.Words(at, 4*res.Count))
			r.arena.SetRecord(desc, i, buffer(at, res.Count, 16))
		}
	}
}

// prepare adds a draw of a pass to the frame: with its kernels, and not yet run. A draw like that in the
// same place of the frame before has its kernels already.
func (r *Renderer) prepare(d *Draw, p *passing) error {
	vs, ps, err := r.shaders(d)
	if err != nil {
		return err
	}
	if n := len(r.draws); n < cap(r.draws) {
		r.draws = r.draws[:n+1]
	} else {
		r.draws = append(r.draws, drawing{})
	}
	g := &r.draws[len(r.draws)-1]
	state := d.State.key()
	geo, err := r.assembled(d)
	if err != nil {
		return err
	}
	layout, conv := p.layout, *r.convention(d)
	layout.ranged = d.Viewport != nil && (d.Viewport.MinDepth != 0 || d.Viewport.MaxDepth != 1)
	same := !d.Vertex.shader(vs, r.convention(d), &g.vs) && g.state == state && g.layout == layout && g.conv == conv && g.geometry == geo
	same = !d.Pixel.shader(ps, r.convention(d), &g.ps) && same
	g.draw, g.state, g.layout, g.conv, g.geometry = *d, state, layout, conv, geo
	if same && r.cache.again(g.vertex) && r.cache.again(g.pixel) {
		return g.check()
	}
	g.vertex, g.pixel = nil, nil
	g.form = formOf(ps, p.layout.samples)
	g.from, _ = ir.Link(&vs.Interface, &ps.Interface) // NUMERICS.md says what unlinked inputs read
	if state.Fog.Mode == FogVertex {
		g.from = append(g.from, output(vs.Interface.Outputs, ir.Fog, 0))
	}
	if g.position = output(vs.Interface.Outputs, ir.ClipPosition, 0); g.position < 0 {
		return errorf("no-position", "the vertex shader %s writes no position", vs.Name)
	}
	g.clips, g.culls = g.clips[:0], g.culls[:0]
	for i, e := range vs.Interface.Outputs {
		for k := range 4 {
			switch {
			case e.Mask>>k&1 == 0:
			case e.System == ir.ClipDistance:
				g.clips = append(g.clips, 4*i+k)
			case e.System == ir.CullDistance:
				g.culls = append(g.culls, 4*i+k)
			}
		}
	}
	if err := g.check(); err != nil {
		return err
	}
	if g.vertex, err = r.cache.vertex(&g.vs, geo); err != nil {
		return err
	}
	g.pixel, err = r.cache.pixel(&g.ps, g.from, geo, state, conv.program(), &g.layout)
	return err
}

// options are those of a run; so many lanes are still before its kernel, about.
func (r *Renderer) options(ahead int) exec.Options {
	return exec.Options{Budget: r.Budget, Ahead: ahead}
}

// note adds the result of a run to the statistics.
func (r *Renderer) note(res exec.Result) { r.stats.Stopped = r.stats.Stopped || res.Stopped }

// chunk makes a job for up to n triangles of a draw in a tile.
func (r *Renderer) chunk(p *passing, tile, draw, stride, tx, ty, n int) chunk {
	g := &r.draws[draw]
	nres, planes := len(g.records)/exec.RecordWords, p.layout.planes()
	desc := r.job(nres+planes, n*stride)
	w := r.arena.Words(desc, exec.JobRecords+len(g.records))
	w[exec.JobFirst], w[exec.JobStride] = desc+4*uint32(exec.JobRecords+(nres+planes)*exec.RecordWords), uint32(stride)
	w[jobTileX], w[jobTileY] = uint32(tx), uint32(ty)
	if v := g.draw.Viewport; v != nil {
		w[jobMinDepth], w[jobMaxDepth] = math.Float32bits(v.MinDepth), math.Float32bits(v.MaxDepth)
	}
	w[jobPrimitives] = uint32(max(1, len(g.geometry.prims)/g.geometry.in.Topology.corners()))
	copy(w[exec.JobRecords:], g.records)
	for i := range p.colors {
		nres = r.planes(desc, nres, &p.colors[i], p.colors[i].store.tile(tile))
	}
	if p.depth.store != nil {
		nres = r.planes(desc, nres, &p.depth, p.depth.store.tile(tile))
	}
	if p.probe.store != nil {
		r.planes(desc, nres, &p.probe, p.probe.store.tile(tile))
	}
	return chunk{draw: draw, desc: desc, cap: n}
}

// planes points a tile job, from resource n on, at the planes of an attachment whose tile is at addr,
// and gives the next resource.
func (r *Renderer) planes(desc uint32, n int, a *attached, addr uint32) int {
	for i := range a.store.planes {
		r.arena.SetRecord(desc, n, buffer(addr+uint32(4*i*tilePixels), tilePixels, 4))
		n++
	}
	return n
}

// Tiles gives the number of tiles of all passes of the frame and how many of them are drawn.
func (r *Renderer) Tiles() (n, done int) {
	for i := range r.passes {
		if i == r.pass {
			done = n + r.next
		}
		n += len(r.passes[i].order)
	}
	if r.pass == len(r.passes) {
		done = n
	}
	return n, done
}

// Stats tells what the frame came to so far.
func (r *Renderer) Stats() Stats { return r.stats }
