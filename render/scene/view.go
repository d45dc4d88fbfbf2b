package scene

import (
	"bytes"
	"fmt"
	"image"
	"slices"

	"swizzle/render"
	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
	"swizzle/shaderkit/isa"
	"swizzle/shaderkit/source"
)

// A Source is a shader as a scene holds it.
type Source struct {
	Name  string   // of the member
	Stage ir.Stage // that it is used for
	Data  []byte   // text or binary
	Trace bool     // want a trace build
}

// A Shader is a compiled Source.
type Shader struct {
	Program   *ir.Program
	Constants []isa.Constant // the shader's own names for its registers
	Findings  source.List    // warnings and notes
}

// A Compiler makes a Shader of a Source; its error should be an *Error with the member's diagnostics.
type Compiler func(Source) (*Shader, error)

// A View plays a scene with an engine. It is used by one goroutine at a time.
type View struct {
	Budget int // back-edges and calls that a lane may take; 0 is exec.DefaultBudget
	// As those of render.Renderer.
	Workers int
	Part    render.Part
	Shuffle uint64

	renderer *render.Renderer
	findings source.List
	scene    *Scene
	compile  Compiler
	shaders  map[shaderKey]compiled
	images   map[string]*pictured
	meshes   map[meshKey]*render.Mesh
	draws    []player
	targets  targets
	frame    []render.Pass
	mode     Mode
	shown    shown
	step     int // of a scene with a rate: the frame that was drawn last, -1 before the first
	steps    steps
	now      frame
}

type shaderKey struct {
	name  string
	stage ir.Stage
	trace bool
}

type compiled struct {
	data   []byte
	shader *Shader
}

type pictured struct {
	texture Texture
	data    []byte // of the file
	image   *render.Image
}

type meshKey struct {
	name   string
	detail int
}

// A player is a draw of the scene with what it is made of.
type player struct {
	draw     *Draw
	vs, ps   *Shader // nil: a partner
	mesh     *render.Mesh
	state    render.State
	textures [2]map[string]render.Texture
	targets  [2]map[string]string // registers of the textures that are targets, and the targets' names
	partner  *ir.Program          // of ps, for modes that leave ps out
	stages   [2]render.Stage      // of the frame before, for their lists
}

// partner is the constant of a vertex shader that is made for a pixel shader.
var partner = Binding{From: "worldviewprojection", Rows: 4}

// NewView gives a view over an engine.
func NewView(e exec.Engine) *View {
	return &View{mode: Mode{name: Picture}, renderer: render.New(e), shaders: map[shaderKey]compiled{}, images: map[string]*pictured{}, meshes: map[meshKey]*render.Mesh{}}
}

// Load takes a scene, which the view keeps and reads again at every Begin: constants, camera and
// transformations may change without another Load. Shaders and textures are made again only when
// their bytes are others. After an error the view plays what it played before.
func (v *View) Load(s *Scene, c Compiler) error {
	v.compile = c
	var list, findings source.List
	var draws []player
	list = append(list, s.checkPasses()...)
	for i := range s.Passes {
		for k := range s.Passes[i].Draws {
			p, err := v.player(s, i, k)
			list = append(list, err...)
			draws = append(draws, p)
			findings = append(findings, p.findings()...)
		}
	}
	if list.HasErrors() {
		return &Error{list}
	}
	v.scene, v.draws, v.findings = s, draws, findings
	v.step = -1
	return nil
}

// Findings gives warnings and notes about the loaded scene.
func (v *View) Findings() source.List { return v.findings }

// findings gives those of the shaders, and a note for each input that gets no value.
func (p *player) findings() (list source.List) {
	for _, s := range []*Shader{p.vs, p.ps} {
		if s != nil {
			list = append(list, s.Findings...)
		}
	}
	if p.vs == nil || p.ps == nil {
		return list
	}
	_, links := ir.Link(&p.vs.Program.Interface, &p.ps.Program.Interface)
	for _, d := range links { // what is missing reads as NUMERICS.md says
		d.Severity, d.File = source.Note, p.draw.PS
		list.Add(d)
	}
	return list
}

// fault is an error of a value of scene.json, which its path names. Where the value is left out, the place
// is that of what it would stand in.
func (s *Scene) fault(path, code, format string, args ...any) source.List {
	return source.List{{Code: code, File: jsonName, InText: true, Span: s.Places.At(path), Message: fmt.Sprintf(format, args...)}}
}

// player makes what a draw is played by.
func (v *View) player(s *Scene, pass, draw int) (p player, list source.List) {
	d, at := &s.Passes[pass].Draws[draw], fmt.Sprintf("passes/%d/draws/%d", pass, draw)
	fault := func(key, code, format string, args ...any) source.List {
		return s.fault(at+key, code, format, args...)
	}
	p.draw = d
	if d.VS == "" && d.PS == "" {
		return p, fault("", "no-shader", "a draw needs vs or ps")
	}
	var l source.List
	if p.vs, l = v.shader(s, at+"/vs", d.VS, ir.Vertex, false); d.VS != "" {
		list = append(list, l...)
	}
	if p.ps, l = v.shader(s, at+"/ps", d.PS, ir.Pixel, false); d.PS != "" {
		list = append(list, l...)
	}
	key := meshKey{d.Mesh, d.Detail}
	if v.meshes[key] == nil {
		if v.meshes[key] = render.NewMesh(d.Mesh, d.Detail); v.meshes[key] == nil {
			return p, append(list, fault("/mesh", "unknown-value", "no mesh %q", d.Mesh)...)
		}
	}
	p.mesh = v.meshes[key]
	p.state = d.state()
	for i, bindings := range [][]TextureBinding{d.VSTextures, d.PSTextures} {
		key := []string{"/vsTextures", "/psTextures"}[i]
		p.textures[i], p.targets[i], l = v.textures(s, at+key, bindings, []*Shader{p.vs, p.ps}[i])
		list = append(list, l...)
	}
	for i, bindings := range [][]Binding{d.VSConstants, d.PSConstants} {
		for n, b := range bindings {
			key := fmt.Sprintf("/%s/%d/to", []string{"vsConstants", "psConstants"}[i], n)
			if file, _, err := resolve(b.To, []*Shader{p.vs, p.ps}[i]); err != nil || file == "s" {
				list = append(list, fault(key, "unknown-register", "%q is no constant of the shader", b.To)...)
			}
		}
	}
	return p, list
}

// value gives the number of a name; Parse made sure that it is one.
func value(enum, name string) int { return max(0, slices.Index(enums[enum], name)) }

// resolve gives the register that a binding means.
func resolve(to string, s *Shader) (file string, number int, err error) {
	if file, n, ok := register(to); ok {
		return file, n, nil
	}
	if s != nil {
		for _, c := range s.Constants {
			if c.Name == to {
				return c.File, c.Index, nil
			}
		}
	}
	return "", 0, fmt.Errorf("no register %s", to)
}

// shader compiles a member, or finds it compiled.
func (v *View) shader(s *Scene, path, name string, stage ir.Stage, trace bool) (*Shader, source.List) {
	f := s.File(name)
	if f == nil {
		return nil, s.fault(path, "unknown-member", "no member %q", name)
	}
	key := shaderKey{name, stage, trace}
	if c, ok := v.shaders[key]; ok && bytes.Equal(c.data, f.Data) {
		return c.shader, nil
	}
	sh, err := v.compile(Source{Name: name, Stage: stage, Data: f.Data, Trace: trace})
	if err != nil {
		if e, ok := err.(*Error); ok {
			return nil, e.List
		}
		return nil, source.List{{Code: "not-compiled", File: name, InText: true, Message: err.Error()}}
	}
	v.shaders[key] = compiled{slices.Clone(f.Data), sh}
	return sh, nil
}

func (v *View) drawOf(f *frame, p *player) render.Draw {
	for i := range p.targets {
		for to, name := range p.targets[i] {
			t := p.textures[i][to]
			t.Image = v.targets.image(name)
			p.textures[i][to] = t
		}
	}
	d := render.Draw{Mesh: p.mesh, State: p.state}
	for i, s := range []*render.Stage{&d.Vertex, &d.Pixel} {
		old := &p.stages[i]
		*s = render.Stage{Float: old.Float[:0], Int: old.Int[:0], Bool: old.Bool[:0], Bump: old.Bump[:0]}
	}
	d.Vertex.Textures, d.Pixel.Textures = p.textures[0], p.textures[1]
	if p.vs != nil {
		d.Vertex.Shader = p.vs.Program
	} else {
		set(&d.Vertex, "c", 0, f.registers(&partner, p.draw))
	}
	if p.ps != nil {
		d.Pixel.Shader = p.ps.Program
	}
	apply := func(s *render.Stage, sh *Shader, bindings []Binding) {
		for i := range bindings {
			if file, n, err := resolve(bindings[i].To, sh); err == nil {
				set(s, file, n, f.registers(&bindings[i], p.draw))
			}
		}
	}
	apply(&d.Vertex, p.vs, p.draw.VSConstants)
	apply(&d.Pixel, p.ps, p.draw.PSConstants)
	p.stages = [2]render.Stage{d.Vertex, d.Pixel}
	return d
}

// DrawTiles draws up to n more tiles of 64x64 pixels and tells whether the frame is complete.
func (v *View) DrawTiles(n int) (done bool) { return v.renderer.DrawTiles(n) }

// Tiles gives the number of tiles of the frame and how many of them are drawn.
func (v *View) Tiles() (n, done int) { return v.renderer.Tiles() }

// Image gives what the mode shows, as far as it is drawn; it is valid until the next call.
func (v *View) Image() *image.NRGBA {
	if v.mode.name == Picture {
		return v.renderer.Image()
	}
	return v.shownImage()
}

// Stats tells what the frame came to so far.
func (v *View) Stats() render.Stats { return v.renderer.Stats() }

// Draw draws a whole frame.
func (v *View) Draw(seconds float64, w, h int) (*image.NRGBA, render.Stats, error) {
	if err := v.Begin(seconds, w, h); err != nil {
		return nil, render.Stats{}, err
	}
	v.DrawTiles(1 << 30)
	return v.Image(), v.Stats(), nil
}

// Trace runs the frame again for one pixel with trace builds of the shaders: see render.Trace.
func (v *View) Trace(t exec.Tracer, x, y int) (*render.Trace, error) {
	return v.renderer.Trace(t, x, y, func(draw int) (vs, ps *ir.Program, err error) {
		p := &v.draws[draw]
		build := func(name string, stage ir.Stage) (*ir.Program, error) {
			if name == "" {
				return nil, nil
			}
			sh, list := v.shader(v.scene, "", name, stage, true)
			if sh == nil {
				return nil, &Error{list}
			}
			return sh.Program, nil
		}
		if vs, err = build(p.draw.VS, ir.Vertex); err == nil {
			ps, err = build(p.draw.PS, ir.Pixel)
		}
		return
	})
}

// Pixel gives the stored colour word, red lowest, and the bits of the depth at a pixel that is drawn.
func (v *View) Pixel(x, y int) (colour, depth uint32) { return v.renderer.Pixel(x, y) }
