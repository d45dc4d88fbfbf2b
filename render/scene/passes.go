package scene

import (
	"fmt"
	"image"
	"math"
	"strings"

	"swizzle/render"
	"swizzle/shaderkit/source"
)

// noDepth is the name of no target, for passes without a depth buffer.
const noDepth = "none"

// targets are those of a scene at one size of the picture. What a target holds stays as long as it is
// the same one.
type targets struct {
	picture *render.Target
	named   map[string]*render.Target
	depths  map[depthKey]*render.Target // of passes that name no depth buffer
	multi   *render.Target              // of several samples, resolved to the picture; nil: the picture has one
	images  map[*render.Target]*render.Image
}

type depthKey struct {
	size    image.Point
	samples int
}

// image gives the texture of a target.
func (t *targets) image(name string) *render.Image {
	of := t.named[name]
	if of == nil {
		return nil
	}
	if t.images[of] == nil {
		if len(t.images) > maxTargets {
			clear(t.images) // of targets that are gone
		}
		t.images[of] = render.TargetImage(of)
	}
	return t.images[of]
}

// checkPasses finds what is wrong with the passes, whatever the size of the picture.
func (s *Scene) checkPasses() (list source.List) {
	picture := len(s.Passes) == 0
	samples := func(n int, path string) {
		if n != 1 && n != 4 {
			list = append(list, s.fault(path, "out-of-range", "%d samples a pixel, there are 1 and 4", n)...)
		}
	}
	samples(s.Samples, "samples")
	for name, t := range s.Targets {
		samples(t.Samples, "targets/"+name+"/samples")
	}
	for i := range s.Passes {
		p, at := &s.Passes[i], fmt.Sprintf("passes/%d", i)
		if len(p.Colors) > render.MaxTargets {
			list = append(list, s.fault(at+"/colors", "too-many-targets", "%d colour targets, allowed are %d", len(p.Colors), render.MaxTargets)...)
		}
		picture = picture || p.ofPicture()
		seen := map[string]bool{}
		for k := range p.Colors {
			picture = picture || p.Colors[k].Target == ""
			list = append(list, s.checkAttachment(&p.Colors[k], fmt.Sprintf("%s/colors/%d", at, k), false, seen)...)
		}
		list = append(list, s.checkAttachment(&p.Depth, at+"/depth", true, seen)...)
		for k := range p.Draws {
			for n, x := range p.Draws[k].Planes {
				if len(x) != 4 {
					list = append(list, s.fault(fmt.Sprintf("%s/draws/%d/planes/%d", at, k, n), "wrong-length", "want 4 values, not %d", len(x))...)
				}
			}
			if len(p.Draws[k].Planes) > render.MaxPlanes {
				list = append(list, s.fault(fmt.Sprintf("%s/draws/%d/planes", at, k), "too-many-planes", "%d planes, allowed are %d", len(p.Draws[k].Planes), render.MaxPlanes)...)
			}
			for n, o := range p.Draws[k].Outputs {
				if strings.Trim(o.Write, "rgba") != "" {
					list = append(list, s.fault(fmt.Sprintf("%s/draws/%d/outputs/%d/write", at, k, n), "unknown-value", "%q: want letters of rgba", o.Write)...)
				}
			}
		}
	}
	if !picture {
		list = append(list, s.fault("passes", "no-picture", "no pass draws into the picture: a pass without colors does, or one with a colour target \"\"")...)
	}
	return list
}

func (s *Scene) checkAttachment(a *Attachment, at string, depth bool, seen map[string]bool) (list source.List) {
	fault := func(key, code, format string, args ...any) {
		list = append(list, s.fault(at+key, code, format, args...)...)
	}
	if len(a.Clear) > 4 {
		fault("/clear", "wrong-length", "want at most 4 values, not %d", len(a.Clear))
	}
	if a.Target == "" && depth || a.Target == noDepth && depth {
		return list
	}
	if seen[a.Target] {
		fault("/target", "target-twice", "%q is attached twice", a.Target)
	}
	seen[a.Target] = true
	if _, ok := s.Targets[a.Resolve]; a.Resolve != "" && !ok {
		fault("/resolve", "unknown-target", "no target %q in targets", a.Resolve)
	}
	if a.Target == "" {
		return list
	}
	t, ok := s.Targets[a.Target]
	if !ok {
		fault("/target", "unknown-target", "no target %q in targets", a.Target)
		return list
	}
	if f, _ := render.FormatByName(t.Format); f.IsDepth() != depth {
		fault("/target", "bad-format", "%s has the format %s: depth formats are for the depth buffer alone", a.Target, t.Format)
	}
	return list
}

// maxWords bounds what the targets of a scene take together, in words of 32 bits.
const maxWords = 1 << 26

// lay makes the targets for a picture of w times h pixels, or keeps them.
func (t *targets) lay(s *Scene, w, h int) error {
	keep := func(old *render.Target, f render.Format, w, h, samples int) *render.Target {
		if old != nil && old.Format == f && old.Width == w && old.Height == h && old.Samples == samples {
			return old
		}
		return &render.Target{Format: f, Width: w, Height: h, Samples: samples}
	}
	if t.named == nil {
		t.images = map[*render.Target]*render.Image{}
		t.named, t.depths = map[string]*render.Target{}, map[depthKey]*render.Target{}
	}
	t.picture = keep(t.picture, render.RGBA8, w, h, 1)
	words := w * h
	if s.Samples > 1 {
		t.multi = keep(t.multi, render.RGBA8, w, h, s.Samples)
		words += w * h * s.Samples
	} else {
		t.multi = nil
	}
	for name := range t.named {
		if _, ok := s.Targets[name]; !ok {
			delete(t.named, name)
		}
	}
	for name, x := range s.Targets {
		f, _ := render.FormatByName(x.Format)
		tw, th := x.Size[0], x.Size[1]
		if tw == 0 {
			tw = max(1, int(math.RoundToEven(float64(w)*x.Scale)))
		}
		if th == 0 {
			th = max(1, int(math.RoundToEven(float64(h)*x.Scale)))
		}
		if tw > render.MaxSize || th > render.MaxSize {
			return &Error{s.fault("targets/"+name, "bad-size", "%s has %d x %d pixels, allowed are %d", name, tw, th, render.MaxSize)}
		}
		words += tw * th * f.Words() * x.Samples
		t.named[name] = keep(t.named[name], f, tw, th, x.Samples)
	}
	if words > maxWords {
		return &Error{s.fault("targets", "too-large", "the targets take %d words together, allowed are %d", words, maxWords)}
	}
	return nil
}

// depth gives the depth buffer that passes into a target have without naming one.
func (t *targets) depth(of *render.Target) *render.Target {
	key := depthKey{image.Pt(of.Width, of.Height), of.Samples}
	if t.depths[key] == nil {
		if len(t.depths) > maxTargets {
			clear(t.depths) // of sizes that are gone
		}
		t.depths[key] = &render.Target{Format: render.D32F, Width: of.Width, Height: of.Height, Samples: of.Samples}
	}
	return t.depths[key]
}

// pass fills in the attachments of a pass.
func (t *targets) pass(s *Scene, p *Pass, out *render.Pass) {
	colors := p.Colors
	if p.ofPicture() {
		colors = picture
	}
	out.Colors, out.Probe = out.Colors[:0], render.Probe{}
	for i := range colors {
		a := &colors[i]
		target, clear := t.named[a.Target], [4]float64{}
		resolve := t.named[a.Resolve]
		if a.Target == "" {
			target, clear = t.picture, s.Clear
			if t.multi != nil {
				target, resolve = t.multi, t.picture
			}
		}
		copy(clear[:], a.Clear)
		out.Colors = append(out.Colors, render.Attachment{Target: target, Load: a.Load, Resolve: resolve, Clear: target.Format.ClearValue(clear)})
	}
	if p.Depth.Target == noDepth {
		out.Depth = nil
		return
	}
	target := t.named[p.Depth.Target]
	if p.Depth.Target == "" {
		target = t.depth(out.Colors[0].Target)
	}
	clear := [4]float64{1}
	copy(clear[:], p.Depth.Clear)
	if out.Depth == nil {
		out.Depth = &render.Attachment{}
	}
	*out.Depth = render.Attachment{Target: target, Load: p.Depth.Load, Clear: render.Vec{math.Float32bits(float32(clear[0])), uint32(min(max(clear[1], 0), 255))}}
}

// ofPicture reports whether a pass draws into the picture because it names no target.
func (p *Pass) ofPicture() bool {
	return len(p.Colors) == 0 && (p.Depth.Target == "" || p.Depth.Target == noDepth)
}

// picture are the colour targets of a pass that names none.
var picture = []Attachment{{}}

// maxSteps is how many frames of a scene with a rate are drawn to reach a time.
const maxSteps = 600

// steps are what the frames of a scene with a rate have in common.
type steps struct {
	mode Mode
	part render.Part
	size image.Point
}

// Begin starts a frame at a time in seconds. Of a scene with a rate it first draws the frames that lead
// there, from the last one on; from the first after a Load, where the time goes back, and for another mode,
// size or part. Where they all are drawn, nothing is: what changes of such a scene needs another Load.
func (v *View) Begin(seconds float64, w, h int) error {
	if v.scene == nil {
		return &Error{source.List{{Code: "no-scene", File: jsonName, InText: true, Message: "no scene is loaded"}}}
	}
	w, h = max(w, 1), max(h, 1)
	if w > render.MaxSize || h > render.MaxSize {
		return &Error{v.scene.fault("", "bad-size", "the picture is %d x %d pixels, allowed are 1 to %d", w, h, render.MaxSize)}
	}
	if v.scene.Rate == 0 {
		return v.begin(seconds, w, h)
	}
	n := int(min(max(math.Floor(seconds*v.scene.Rate), 0), 1<<30))
	if s := (steps{v.mode, v.Part, image.Pt(w, h)}); v.step < 0 || n < v.step || v.steps != s {
		v.step, v.steps, v.targets = -1, s, targets{}
	} else if tiles, done := v.renderer.Tiles(); done < tiles {
		v.renderer.DrawTiles(tiles) // the frame before was left for this one
	}
	for k := max(v.step+1, n-maxSteps+1); k <= n; k++ {
		if err := v.begin(float64(k)/v.scene.Rate, w, h); err != nil {
			return err
		}
		if k < n {
			v.renderer.DrawTiles(1 << 30)
		}
	}
	v.step = n
	return nil
}

// begin starts one frame.
func (v *View) begin(seconds float64, w, h int) error {
	s := v.scene
	if err := v.targets.lay(s, w, h); err != nil {
		return err
	}
	passes := s.Passes
	if len(passes) == 0 {
		passes = []Pass{{}}
	}
	for len(v.frame) < len(passes) {
		v.frame = append(v.frame, render.Pass{})
	}
	v.frame = v.frame[:len(passes)]
	v.shown.begin(v.targets.picture)
	n := 0
	for i := range passes {
		p := &v.frame[i]
		v.targets.pass(s, &passes[i], p)
		p.Draws = p.Draws[:0]
		pw, ph := p.Size()
		f := &v.now
		f.begin(s, seconds, pw, ph)
		for k := range passes[i].Draws {
			p.Draws = append(p.Draws, v.drawOf(f, &v.draws[n]))
			passes[i].Draws[k].place(&p.Draws[k], pw, ph)
			n++
		}
		v.show(p)
	}
	v.renderer.Budget, v.renderer.Workers, v.renderer.Part, v.renderer.Shuffle = v.Budget, v.Workers, v.Part, v.Shuffle
	if err := v.renderer.Begin(v.frame); err != nil {
		return err
	}
	v.renderer.Show(v.shown.target)
	return nil
}

// apiNames are the conventions that a draw may follow.
var apiNames = []string{"d3d9", "d3d10", "gl", "pica"}

var apis = []*render.Convention{&render.D3D9, &render.D3D10, &render.GL, &render.PICA}

// place says where on a target of w times h pixels a draw is, and by whose convention.
func (d *Draw) place(out *render.Draw, w, h int) {
	out.Convention = apis[value("api", d.API)]
	if v := d.Viewport; v != [6]float64{0, 0, 1, 1, 0, 1} {
		out.Viewport = &render.Viewport{X: float32(v[0] * float64(w)), Y: float32(v[1] * float64(h)), Width: float32(v[2] * float64(w)), Height: float32(v[3] * float64(h)),
			MinDepth: float32(v[4]), MaxDepth: float32(v[5])}
	}
	if c := d.Scissor; c != [4]float64{0, 0, 1, 1} {
		at := func(x float64, n int) int { return int(math.RoundToEven(x * float64(n))) }
		out.Scissor = &render.Rect{X0: at(c[0], w), Y0: at(c[1], h), X1: at(c[2], w), Y1: at(c[3], h)}
	}
	for _, p := range d.Planes {
		var plane render.Plane
		copy(plane[:], p)
		out.Planes = append(out.Planes, plane)
	}
}

// state gives the state that a draw's keys say.
func (d *Draw) state() render.State {
	st := render.State{
		Cull: render.Cull(value("cull", d.Cull)), Depth: render.Func(value("depth", d.Depth)), DepthWrite: d.DepthWrite,
		Blend:       render.AllTargets(render.Blends[value("blend", d.Blend)]),
		Logic:       render.LogicOp(value("logic", d.Logic)),
		Stencil:     render.Stencil{On: d.Stencil.On, Front: d.Stencil.Front.state(), Back: d.Stencil.Back.state()},
		AlphaTest:   d.AlphaTest != "always",
		AlphaFunc:   render.Func(value("depth", d.AlphaTest)),
		AlphaRef:    float32(d.AlphaRef),
		SRGBWrite:   d.SRGBWrite,
		Fog:         d.Fog.state(),
		BlendFactor: [4]float32(floats(d.BlendFactor[:])), AlphaToCoverage: d.Coverage,
	}
	st.Raster = render.Raster{
		FrontCCW: d.FrontCCW, Fill: render.Fill(value("fill", d.Fill)), Lines: render.LineRule(value("lines", d.Lines)),
		Bias:        render.DepthBias{Constant: float32(d.Bias[0]), Slope: float32(d.Bias[1]), Clamp: float32(d.Bias[2])},
		NoDepthClip: !d.DepthClip, Point: render.PointState{Size: float32(d.PointSize)}, Sprite: d.Sprite,
	}
	for i := range min(len(d.Outputs), render.MaxTargets) {
		st.Blend[i] = d.Outputs[i].state()
	}
	return st
}

func floats(v []float64) []float32 {
	out := make([]float32, len(v))
	for i, x := range v {
		out[i] = float32(x)
	}
	return out
}

func (f *StencilFace) state() render.StencilFace {
	op := func(name string) render.StencilOp { return render.StencilOp(value("stencil", name)) }
	return render.StencilFace{Func: render.Func(value("depth", f.Func)), Fail: op(f.Fail), DepthFail: op(f.DepthFail), Pass: op(f.Pass),
		Read: uint8(f.Read), Write: uint8(f.Write), Ref: uint8(f.Ref)}
}

func (f *Fog) state() render.Fog {
	return render.Fog{Mode: render.FogMode(value("fog", f.Mode)), W: f.W, Start: float32(f.Start), End: float32(f.End),
		Density: float32(f.Density), Color: [3]float32(floats(f.Color[:]))}
}

// state gives the blend of an output.
func (o *Output) state() (b render.Blend) {
	if o.Blend == equation {
		or := func(s, other string) string {
			if s == "" {
				return other
			}
			return s
		}
		eq := func(src, op, dst string) render.Equation {
			return render.Equation{Op: render.BlendOp(value("op", op)), Src: render.Factor(value("factor", src)), Dst: render.Factor(value("factor", dst))}
		}
		b = render.Blend{On: true, Color: eq(o.Src, o.Op, o.Dst), Alpha: eq(or(o.SrcAlpha, o.Src), or(o.OpAlpha, o.Op), or(o.DstAlpha, o.Dst))}
	} else {
		b = render.Blends[value("blend", o.Blend)]
	}
	for i, c := range "rgba" {
		if !strings.ContainsRune(o.Write, c) {
			b.Masked |= 1 << i
		}
	}
	return b
}
