package render

// A Pass draws into targets of one size.
type Pass struct {
	Colors []Attachment // by number, at most MaxTargets
	Depth  *Attachment  // nil: there is no depth buffer, and every depth test passes
	Draws  []Draw
	Probe  Probe // counts besides; its zero value does not
}

// An Attachment is a target in its place in a pass.
type Attachment struct {
	Target *Target
	Load   bool // what the target holds stays; otherwise it is cleared
	// Resolve, where it is not nil, gets the mean of the samples when the pass is drawn: a target of the
	// same format and size with one sample.
	Resolve *Target
	Clear   Vec // as a shader gives it; the first is the depth, as a float, the second the stencil
}

// Clearing gives the attachment of a target that is cleared to a colour.
func Clearing(t *Target, r, g, b, a float32) Attachment {
	return Attachment{Target: t, Clear: FloatVec(r, g, b, a)}
}

// Size gives the width and height of a pass.
func (p *Pass) Size() (w, h int) {
	if len(p.Colors) > 0 {
		return p.Colors[0].Target.Width, p.Colors[0].Target.Height
	}
	return p.Depth.Target.Width, p.Depth.Target.Height
}

// samples gives the samples of a pixel.
func (p *Pass) samples() int {
	if len(p.Colors) > 0 {
		return p.Colors[0].Target.samples()
	}
	return p.Depth.Target.samples()
}

// attachments calls visit for every attachment.
func (p *Pass) attachments(visit func(*Attachment)) {
	for i := range p.Colors {
		visit(&p.Colors[i])
	}
	if p.Depth != nil {
		visit(p.Depth)
	}
}

// check finds what keeps a pass from being drawn.
func (p *Pass) check() error {
	if len(p.Colors) > MaxTargets {
		return errorf("too-many-targets", "a pass has %d targets, allowed are %d", len(p.Colors), MaxTargets)
	}
	if len(p.Colors) == 0 && p.Depth == nil {
		return errorf("no-target", "a pass has no target")
	}
	for i := range len(p.Colors) + 1 {
		a, depth := p.Depth, i == len(p.Colors)
		if !depth {
			a = &p.Colors[i]
		} else if a == nil {
			break
		}
		if a.Target == nil {
			return errorf("no-target", "an attachment has no target")
		}
		if err := a.Target.check(); err != nil {
			return err
		}
		if a.Target.Format.row().depth != depth {
			return errorf("bad-format", "%s is not for this attachment: depth formats are for the depth buffer alone", a.Target.Format)
		}
		if w, h := p.Size(); a.Target.Width != w || a.Target.Height != h {
			return errorf("sizes-differ", "targets of a pass have %d x %d and %d x %d pixels", w, h, a.Target.Width, a.Target.Height)
		}
		if n := p.samples(); a.Target.samples() != n {
			return errorf("samples-differ", "targets of a pass have %d and %d samples a pixel", n, a.Target.samples())
		}
		for k := range i {
			if p.Colors[k].Target == a.Target {
				return errorf("target-twice", "a target is attached twice")
			}
		}
		if to := a.Resolve; to != nil {
			if err := to.check(); err != nil {
				return err
			}
			if to.samples() != 1 || to.Format != a.Target.Format || to.Width != a.Target.Width || to.Height != a.Target.Height {
				return errorf("bad-resolve", "a target is resolved to one of the same size and format with one sample a pixel")
			}
		}
	}
	return p.Probe.check(p.Size())
}

// A layout is what of a pass is compiled into its pixel programs.
type layout struct {
	colors  [MaxTargets]Format
	depth   Format
	samples int
	probe   ProbeKind
	ranged  bool // the viewport of the draw has a depth range of its own
}

// planes gives the number of buffers that a tile of all targets takes.
func (l *layout) planes() (n int) {
	for _, f := range l.colors {
		n += f.row().words
	}
	n = (n + l.depth.row().words) * l.samples
	if l.probe != NoProbe {
		n++
	}
	return n
}

// A passing is a pass of the frame being drawn.
type passing struct {
	width, height int
	layout        layout
	colors        []attached
	depth         attached
	probe         attached
	draws0        []Draw
	first         int // number of its first draw in the frame
	tiles         []tile
	part          Part
	order         []int // tiles of the part, as they are drawn
	wiped         int   // how many of these are cleared, where they are to be
}

// An attached is an attachment with its place in the arena.
type attached struct {
	store   *storage // nil: none
	load    bool
	clear   [4]uint32 // words of a sample
	resolve *storage  // nil: none
}

// draws reports whether the pass draws into s, or resolves to it.
func (p *passing) draws(s *storage) (found bool) {
	p.each(func(a *attached) { found = found || s != nil && (a.store == s || a.resolve == s) })
	return
}

// finish does what comes behind the last tile of a pass: its targets are resolved, and copied where
// they are textures.
func (r *Renderer) finish(p *passing) {
	p.each(func(a *attached) {
		if a.resolve != nil {
			r.convert(a.store, toTarget, a.resolve.base, a.resolve.planes)
		}
	})
	r.readTargets(p)
}

// attach gives an attachment its place.
func (r *Renderer) attach(a *Attachment) attached {
	s := r.targets[a.Target]
	if !s.packed || s.clear != a.Clear {
		s.packed, s.clear, s.cleared = true, a.Clear, a.Target.Format.Pack(a.Clear)
	}
	return attached{store: s, load: a.Load, clear: s.cleared, resolve: r.targets[a.Resolve]}
}

// passAt gives the pass that is being drawn, nil when the frame is complete.
func (r *Renderer) passAt() *passing {
	if r.pass < len(r.passes) {
		return &r.passes[r.pass]
	}
	return nil
}

// begin lays out a pass in the place that an earlier frame left.
func (p *passing) begin(r *Renderer, from *Pass, first int) {
	w, h := from.Size()
	p.width, p.height, p.draws0, p.first = w, h, from.Draws, first
	p.layout = layout{samples: from.samples()}
	p.colors, p.depth, p.probe = p.colors[:0], attached{}, attached{}
	for i := range from.Colors {
		p.colors = append(p.colors, r.attach(&from.Colors[i]))
		p.layout.colors[i] = from.Colors[i].Target.Format
	}
	if from.Depth != nil {
		p.depth = r.attach(from.Depth)
		p.layout.depth = from.Depth.Target.Format
	}
	if from.Probe.Kind != NoProbe {
		p.probe = r.attach(&Attachment{Target: from.Probe.Target, Load: from.Probe.Load})
		p.layout.probe = from.Probe.Kind
	}
	n := tiles(w) * tiles(h)
	for i := range p.tiles {
		p.tiles[i].chunks = p.tiles[i].chunks[:0]
	}
	for len(p.tiles) < n {
		p.tiles = append(p.tiles, tile{})
	}
	p.tiles = p.tiles[:n]
}

// each calls visit for every attachment.
func (p *passing) each(visit func(*attached)) {
	for i := range p.colors {
		visit(&p.colors[i])
	}
	for _, a := range []*attached{&p.depth, &p.probe} {
		if a.store != nil {
			visit(a)
		}
	}
}
