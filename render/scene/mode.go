package scene

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"strings"

	"swizzle/render"
	"swizzle/shaderkit/ir"
)

// What a View can show in place of the picture, each of the passes that draw it.
const (
	Picture   = "picture"
	Wireframe = "wireframe" // the edges of the triangles that are not culled
	Depth     = "depth"     // the depth buffer, near is light; the range is that of what was drawn
	Overdraw  = "overdraw"  // how often a pixel shader ran for a pixel
	Cost      = "cost"      // how many operations these runs took: render.ProbeOps
	NonFinite = "nonfinite" // where a shader gave a colour with a NaN (magenta), an infinity (yellow), both (white)

	varying = "varying:" // and a name of View.Modes: a value of the vertices over the frame
)

// ModeNames are the modes that every scene has, in the order of choices.
var ModeNames = []string{Picture, Wireframe, Depth, Overdraw, Cost, NonFinite}

// A Mode is what a View shows.
type Mode struct {
	name     string
	semantic string // of a varying
	index    int
}

// ModeByName gives the mode of a name: one of those above, or varying: and a semantic with its number, as
// varying:TEXCOORD0.
func ModeByName(name string) (Mode, error) {
	if slices.Contains(ModeNames, name) {
		return Mode{name: name}, nil
	}
	if s, ok := strings.CutPrefix(name, varying); ok {
		semantic := strings.TrimRight(s, "0123456789")
		m := Mode{name: name, semantic: semantic}
		if n, _ := fmt.Sscanf(s[len(semantic):], "%d", &m.index); semantic != "" && (n == 1 || s == semantic) {
			return m, nil
		}
	}
	return Mode{}, fmt.Errorf("no view %q: want %s or %sSEMANTIC, as in %sTEXCOORD0", name, strings.Join(ModeNames, ", "), varying, varying)
}

func (m Mode) String() string { return m.name }

// Modes lists the names of the modes that the loaded scene has: with the varyings that vertex shaders give
// in passes of the picture.
func (v *View) Modes() []string {
	list := slices.Clone(ModeNames)
	if v.scene == nil {
		return list
	}
	n := 0
	for i := range v.scene.Passes {
		p := &v.scene.Passes[i]
		for range p.Draws {
			if d := &v.draws[n]; p.drawsPicture() {
				for _, e := range d.varyings() {
					if name := fmt.Sprintf("%s%s%d", varying, e.Semantic, e.Index); !slices.Contains(list, name) {
						list = append(list, name)
					}
				}
			}
			n++
		}
	}
	return list
}

// varyings gives what the vertex shader of a draw hands on, or its partner.
func (p *player) varyings() (list []ir.Element) {
	of := p.vs
	if of == nil {
		for _, e := range p.ps.Program.Interface.Inputs {
			if e.System == ir.NoSystem {
				list = append(list, e)
			}
		}
		return list
	}
	for _, e := range of.Program.Interface.Outputs {
		if e.System == ir.NoSystem && e.Semantic != "" {
			list = append(list, e)
		}
	}
	return list
}

// SetMode chooses what the next frame shows.
func (v *View) SetMode(m Mode) {
	if m.name == "" {
		m.name = Picture
	}
	v.mode = m
}

// A Range is what the colours of a mode stand for, from the darkest to the lightest.
type Range struct {
	Min float64 `json:"min"`
	Max float64 `json:"max"`
	Of  string  `json:"of"`
}

// Range gives the range of what Image gave last; Of is empty where colours are only colours.
func (v *View) Range() Range { return v.shown.span }

// drawsPicture reports whether a pass draws into the picture.
func (p *Pass) drawsPicture() bool {
	return p.ofPicture() || slices.ContainsFunc(p.Colors, func(a Attachment) bool { return a.Target == "" })
}

// shown is what a mode other than the picture needs.
type shown struct {
	target  *render.Target // that the renderer shows
	values  *render.Target // RGBA32F, of varyings
	multi   *render.Target // RGBA32F, where the picture has several samples
	counts  *render.Target // of probes
	depth   *render.Target // of the last pass of the picture
	far     uint32         // the word that it was cleared to
	passes  int            // of the picture, so far in the frame
	shaders map[Mode]*ir.Program
	image   *image.NRGBA
	span    Range
}

// begin starts a frame.
func (s *shown) begin(picture *render.Target) { s.target, s.depth, s.passes = picture, nil, 0 }

// probes are the modes that count.
var probes = map[string]render.ProbeKind{Overdraw: render.ProbeRuns, Cost: render.ProbeOps, NonFinite: render.ProbeNonFinite}

// show makes a pass draw what the mode needs.
func (v *View) show(p *render.Pass) {
	s := &v.shown
	picture := v.targets.picture
	if v.mode.name == Picture || !slices.ContainsFunc(p.Colors, func(a render.Attachment) bool { return a.Target == picture || a.Resolve == picture }) {
		return
	}
	s.passes++
	keep := func(t **render.Target, f render.Format, samples int) *render.Target {
		if *t == nil || (*t).Width != picture.Width || (*t).Height != picture.Height || (*t).Samples != samples {
			*t = &render.Target{Format: f, Width: picture.Width, Height: picture.Height, Samples: samples}
		}
		return *t
	}
	if kind := probes[v.mode.name]; kind != render.NoProbe {
		p.Probe = render.Probe{Kind: kind, Target: keep(&s.counts, render.R32UInt, 1), Load: s.passes > 1}
		return
	}
	switch v.mode.name {
	case Depth:
		if p.Depth != nil {
			s.depth = p.Depth.Target
			s.far = s.depth.Format.Pack(p.Depth.Clear)[0]
		}
		return
	case Wireframe:
		if s.passes == 1 {
			p.Colors[0] = render.Clearing(picture, 0.08, 0.09, 0.11, 1)
		}
		p.Colors[0].Target = picture
		if m := v.targets.multi; m != nil {
			p.Colors[0].Target, p.Colors[0].Resolve = m, picture
		}
	default:
		s.target = keep(&s.values, render.RGBA32F, 1)
		p.Colors[0] = render.Attachment{Target: s.target}
		if m := v.targets.multi; m != nil {
			p.Colors[0] = render.Attachment{Target: keep(&s.multi, render.RGBA32F, m.Samples), Resolve: s.target}
		}
	}
	p.Colors = p.Colors[:1]
	p.Colors[0].Load = s.passes > 1
	if s.shaders == nil {
		s.shaders = map[Mode]*ir.Program{}
	}
	if s.shaders[v.mode] == nil {
		if v.mode.name == Wireframe {
			s.shaders[v.mode] = render.FlatShader(0.9, 0.92, 0.95, 1)
		} else {
			s.shaders[v.mode] = render.VaryingShader(v.mode.semantic, v.mode.index)
		}
	}
	for i := range p.Draws {
		d := &p.Draws[i]
		if d.Vertex.Shader == nil {
			d.Vertex.Shader = v.partnerOf(d.Pixel.Shader)
		}
		d.Pixel = render.Stage{Shader: s.shaders[v.mode]}
		st := d.State
		d.State = render.State{Cull: st.Cull, Depth: st.Depth, DepthWrite: st.DepthWrite, Stencil: st.Stencil, Raster: st.Raster}
		if v.mode.name == Wireframe {
			d.State.Raster.Fill = render.Wireframe
		}
	}
}

// partnerOf gives the vertex shader that stands for a missing one, the same each time.
func (v *View) partnerOf(ps *ir.Program) *ir.Program {
	for i := range v.draws {
		if p := &v.draws[i]; p.ps != nil && p.ps.Program == ps {
			if p.partner == nil {
				p.partner = render.VertexPartner(ps)
			}
			return p.partner
		}
	}
	return render.VertexPartner(ps)
}

// Colours of the modes.
var (
	nothing  = color.NRGBA{0x14, 0x17, 0x1D, 0xFF}
	infinity = color.NRGBA{0xFF, 0xDC, 0x00, 0xFF}
	notANum  = color.NRGBA{0xFF, 0x00, 0xFF, 0xFF}
	both     = color.NRGBA{0xFF, 0xFF, 0xFF, 0xFF}
	heat     = []color.NRGBA{{0x2B, 0x1A, 0x5C, 0xFF}, {0x6A, 0x1C, 0x81, 0xFF}, {0xB7, 0x37, 0x79, 0xFF}, {0xF1, 0x60, 0x5D, 0xFF}, {0xFE, 0xA0, 0x5F, 0xFF}, {0xFC, 0xFD, 0xBF, 0xFF}}
)

// hot gives the colour of part of whole.
func hot(part, whole uint32) color.NRGBA {
	n := uint64(len(heat) - 1)
	at := uint64(part) * n * 256 / uint64(whole)
	i, f := min(at/256, n-1), at%256
	if at >= n*256 {
		return heat[n]
	}
	mix := func(a, b uint8) uint8 { return uint8((uint64(a)*(256-f) + uint64(b)*f) / 256) }
	a, b := heat[i], heat[i+1]
	return color.NRGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 0xFF}
}

// shownImage makes the picture of a mode.
func (v *View) shownImage() *image.NRGBA {
	s := &v.shown
	s.span = Range{}
	if v.mode.name == Wireframe {
		return v.renderer.Image()
	}
	w, h := v.targets.picture.Width, v.targets.picture.Height
	if s.image == nil || s.image.Rect.Dx() != w || s.image.Rect.Dy() != h {
		s.image = image.NewNRGBA(image.Rect(0, 0, w, h))
	}
	set := func(i int, c color.NRGBA) {
		p := s.image.Pix[4*i : 4*i+4]
		p[0], p[1], p[2], p[3] = c.R, c.G, c.B, c.A
	}
	switch v.mode.name {
	case Depth:
		s.depths(v.renderer, set)
	case Overdraw, Cost:
		s.heat(v.renderer, v.mode.name == Overdraw, set)
	case NonFinite:
		under := v.renderer.Image().Pix
		for i, flags := range v.renderer.Words(s.counts, 0) {
			p := under[4*i : 4*i+3]
			grey := uint8((54*int(p[0]) + 183*int(p[1]) + 19*int(p[2])) / 768)
			set(i, [...]color.NRGBA{{grey, grey, grey, 0xFF}, notANum, infinity, both}[flags&3])
		}
	default:
		s.varying(v.renderer, set)
	}
	return s.image
}

func (s *shown) heat(r *render.Renderer, runs bool, set func(int, color.NRGBA)) {
	words := r.Words(s.counts, 0)
	mask, most := ^uint32(0), uint32(1)
	s.span.Of = "operations of pixel shaders"
	if runs {
		mask, most = 0xFFFF, 4 // so that once is cool in every frame
		s.span.Of = "runs of pixel shaders"
	}
	for _, n := range words {
		most = max(most, n&mask)
	}
	for i, n := range words {
		if n &= mask; n == 0 {
			set(i, nothing)
		} else {
			set(i, hot(n, most))
		}
	}
	s.span.Max = float64(most)
}

func (s *shown) depths(r *render.Renderer, set func(int, color.NRGBA)) {
	s.span.Of = "depth"
	if s.depth == nil {
		for i := range s.image.Rect.Dx() * s.image.Rect.Dy() {
			set(i, nothing)
		}
		return
	}
	words := r.Words(s.depth, 0)
	low, high := math.Inf(1), math.Inf(-1)
	for _, word := range words {
		if word != s.far {
			z := s.depth.Format.DepthOf(word)
			low, high = min(low, z), max(high, z)
		}
	}
	for i, word := range words {
		if word == s.far {
			set(i, nothing)
			continue
		}
		g := uint8(255)
		if high > low {
			g = uint8(255 - float64(215*((s.depth.Format.DepthOf(word)-low)/(high-low))))
		}
		set(i, color.NRGBA{g, g, g, 0xFF})
	}
	if low <= high {
		s.span.Min, s.span.Max = high, low
	}
}

// varying shows x, y and z as red, green and blue, each over the same range, that of all of them.
func (s *shown) varying(r *render.Renderer, set func(int, color.NRGBA)) {
	s.span.Of = "x, y, z as red, green, blue"
	planes := make([][]float32, 4)
	for k := range planes {
		words := r.Words(s.values, k)
		planes[k] = make([]float32, len(words))
		for i, word := range words {
			planes[k][i] = math.Float32frombits(word)
		}
	}
	low, high := math.Inf(1), math.Inf(-1)
	finite := func(f float32) bool { return float32(f-f) == 0 }
	for i, a := range planes[3] {
		for k := range 3 {
			if f := planes[k][i]; a == 1 && finite(f) {
				low, high = min(low, float64(f)), max(high, float64(f))
			}
		}
	}
	for i, a := range planes[3] {
		if a != 1 {
			set(i, nothing)
			continue
		}
		var c [3]uint8
		bad := false
		for k := range c {
			f := planes[k][i]
			if !finite(f) {
				bad = true
			} else if high > low {
				c[k] = uint8(255 * ((float64(f) - low) / (high - low)))
			}
		}
		if bad {
			set(i, notANum)
		} else {
			set(i, color.NRGBA{c[0], c[1], c[2], 0xFF})
		}
	}
	if low <= high {
		s.span.Min, s.span.Max = low, high
	}
}

// Counts tell what pixel shaders did for the picture.
type Counts struct {
	Runs   uint64 `json:"runs"`   // of pixel shaders, in passes of the picture
	Killed uint64 `json:"killed"` // of these, that did not reach the targets: ended by the shader or by a test behind it
	Ops    uint64 `json:"ops"`    // operations that they took
}

// CountModes are those whose frames Counted counts: a frame of each gives all of Counts.
var CountModes = []string{Overdraw, Cost}

// Counted gives what the frame that is drawn counted, in one of CountModes.
func (v *View) Counted() (c Counts) {
	for _, n := range v.renderer.Words(v.shown.counts, 0) {
		if v.mode.name == Cost {
			c.Ops += uint64(n)
		} else {
			c.Runs += uint64(n & 0xFFFF)
			c.Killed += uint64(n&0xFFFF) - uint64(n>>16)
		}
	}
	return c
}

// Add adds the counts of other frames.
func (c *Counts) Add(o Counts) {
	c.Runs += o.Runs
	c.Killed += o.Killed
	c.Ops += o.Ops
}

// Count draws a frame twice and counts. The mode stays.
func (v *View) Count(seconds float64, w, h int) (c Counts, err error) {
	mode := v.mode
	defer func() { v.mode = mode }()
	for _, name := range CountModes {
		v.SetMode(Mode{name: name})
		if err := v.Begin(seconds, w, h); err != nil {
			return c, err
		}
		v.DrawTiles(1 << 30)
		c.Add(v.Counted())
	}
	return c, nil
}
