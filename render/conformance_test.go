package render

import (
	"fmt"
	"maps"
	"math"
	"math/big"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"swizzle/internal/jittest"
	"swizzle/internal/testkit"
	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/interp"
	"swizzle/shaderkit/ir"
)

// The conformance cases lie in testdata/conformance. Each member of an archive is a case, but for
// those named *.ir, which are shaders of the archive's cases in the text form of package ir. A case
// names the sections that its expectation follows from, then says what is drawn, a directive a line:
//
//	section 11.3 17.6; NUMERICS Blending
//	size 8 8                        of all targets that follow; 8 8 when it is not said
//	samples 4                       of them, likewise; 1
//	target c0 rgba8 0.25 0 0 1      a target and what it is cleared to
//	target z d32f 1
//	pass c0:resolve>r z:load        begins a pass into these; a first draw without it begins one into all
//	state blend=src-alpha,zero      for the draws that follow, behind what was said before
//	draw rect 0 0 8 8 z 0.5 color 1 0 0 0.5
//	frame                           draws a frame; what follows is the next one
//	expect c0 2 3 0x80FF00FF        words of a pixel, or of each in ranges: 0..7; of sample 2 of it: c0:2
//	rows c0 ..xx .x..               pixels row by row: see rowsLine
//	api d3d10                       the convention of the draws that follow; Direct3D 9 when it is not said
//
// Numbers are floats, of any size, quotients (127.5/255), nan, inf, or words in hexadecimal. The default
// pixel shader writes to target n the n-th color of the draw; drawWords and stateKeys list what else there
// is to say.
func TestConformance(t *testing.T) {
	total := 0
	engines := []exec.Engine{interp.New(), jittest.New(t)}
	for _, c := range testkit.Cases(t, "testdata/conformance/*.txtar") {
		t.Run(c.Name, func(t *testing.T) {
			shaders := map[string]*ir.Program{}
			for _, f := range c.Files() {
				if name, ok := strings.CutSuffix(f.Name, ".ir"); ok {
					p, list := ir.Parse(string(f.Data))
					if list.HasErrors() {
						t.Fatalf("%s: %v", f.Name, list.Err())
					}
					shaders[name] = p
				}
			}
			for _, f := range c.Files() {
				if strings.HasSuffix(f.Name, ".ir") {
					continue
				}
				total++
				t.Run(f.Name, func(t *testing.T) {
					for _, e := range engines {
						t.Run(e.Name(), func(t *testing.T) { conform(t, e, shaders, string(f.Data)) })
					}
				})
			}
		})
	}
	t.Logf("%d cases", total)
}

// A conformer is a case that is being read.
type conformer struct {
	t       *testing.T
	r       *Renderer
	shaders map[string]*ir.Program
	line    int
	section bool
	checked bool

	size    [2]int
	samples int
	targets map[string]*caseTarget
	order   []string // of the targets
	state   State
	api     *Convention
	passes  []Pass // of the frame
	drawn   bool   // it is drawn

	image   *Image // that a case of textures reads
	sampler ir.SamplerState
}

type caseTarget struct {
	target *Target
	clear  Vec
	image  *Image
}

func conform(t *testing.T, e exec.Engine, shaders map[string]*ir.Program, text string) {
	c := &conformer{t: t, r: New(e), shaders: shaders, size: [2]int{8, 8}, targets: map[string]*caseTarget{},
		state: State{Depth: Always}}
	for line := range strings.Lines(text) {
		c.line++
		line, _, _ = strings.Cut(line, "#")
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		d, ok := directives[f[0]]
		if !ok {
			c.fatalf("no directive %q", f[0])
		}
		d(c, &words{c: c, list: f[1:]})
	}
	if !c.section || !c.checked {
		c.fatalf("a case needs a section and an expectation")
	}
}

func (c *conformer) fatalf(format string, args ...any) {
	c.t.Helper()
	c.t.Fatalf("line %d: %s", c.line, fmt.Sprintf(format, args...))
}

// directives are the lines of a case by their first word.
var directives map[string]func(*conformer, *words)

func init() {
	directives = map[string]func(*conformer, *words){
		"section": (*conformer).sectionLine,
		"samples": func(c *conformer, w *words) { c.samples = w.int() },
		"size":    func(c *conformer, w *words) { c.size = [2]int{w.int(), w.int()} },
		"target":  (*conformer).targetLine,
		"pass":    (*conformer).passLine,
		"state":   (*conformer).stateLine,
		"draw":    (*conformer).drawLine,
		"frame":   func(c *conformer, w *words) { c.draw(); c.passes, c.drawn = nil, false },
		"expect":  (*conformer).expectLine,
		"rows":    (*conformer).rowsLine,
		"api":     func(c *conformer, w *words) { c.api = conventions[w.next()] },
	}
}

var specification = regexp.MustCompile(`^11\.3 \d+(\.\d+)*(, \d+(\.\d+)*)*$`)

// sectionLine checks that what a case refers to has the form of a section, and exists in NUMERICS.md.
func (c *conformer) sectionLine(w *words) {
	page, err := os.ReadFile("NUMERICS.md")
	if err != nil {
		c.t.Fatal(err)
	}
	for s := range strings.SplitSeq(strings.Join(w.rest(), " "), ";") {
		s = strings.TrimSpace(s)
		name, ours := strings.CutPrefix(s, "NUMERICS ")
		switch {
		case !ours && !specification.MatchString(s):
			c.fatalf("%q names no section", s)
		case ours && !regexp.MustCompile(`(?m)^## `+regexp.QuoteMeta(name)+`( \(.*\))?$`).Match(page):
			c.fatalf("NUMERICS.md has no section %q", name)
		}
	}
	c.section = true
}

func (c *conformer) targetLine(w *words) {
	name := w.next()
	f, ok := FormatByName(w.next())
	if !ok {
		c.fatalf("no format of that name")
	}
	t := &caseTarget{target: &Target{Format: f, Width: c.size[0], Height: c.size[1], Samples: c.samples}}
	for k := 0; w.more(); k++ {
		t.clear[k] = w.number()
	}
	if c.targets[name] == nil {
		c.order = append(c.order, name)
	}
	c.targets[name] = t
}

func (c *conformer) target(name string) *caseTarget {
	if c.targets[name] == nil {
		c.fatalf("no target %q", name)
	}
	return c.targets[name]
}

func (c *conformer) passLine(w *words) {
	if c.drawn {
		c.fatalf("a pass behind an expectation: begin another frame")
	}
	var p Pass
	for w.more() {
		name, option, _ := strings.Cut(w.next(), ":")
		t := c.target(name)
		a := Attachment{Target: t.target, Clear: t.clear, Load: option == "load"}
		if to, ok := strings.CutPrefix(option, "resolve>"); ok {
			a.Resolve = c.target(to).target
		}
		if t.target.Format.row().depth {
			p.Depth = &a
		} else {
			p.Colors = append(p.Colors, a)
		}
	}
	c.passes = append(c.passes, p)
}

func (c *conformer) stateLine(w *words) {
	for w.more() {
		key, value, _ := strings.Cut(w.next(), "=")
		set, ok := stateKeys[key]
		if !ok {
			set, ok = rasterKeys[key]
		}
		if !ok {
			c.fatalf("no state %q: there are %v", key, slices.Sorted(maps.Keys(stateKeys)))
		}
		set(&c.state, &words{c: c, list: strings.Split(value, ",")})
	}
}

// stateKeys are the states by the name that the state directive uses.
var stateKeys = map[string]func(*State, *words){
	"cull":   func(s *State, w *words) { s.Cull = Cull(w.of(CullNames)) },
	"depth":  func(s *State, w *words) { s.Depth = Func(w.of(FuncNames)) },
	"write":  func(s *State, w *words) { s.DepthWrite = w.of(offOn) == 1 },
	"blend":  func(s *State, w *words) { s.Blend = AllTargets(w.blend()) },
	"logic":  func(s *State, w *words) { s.Logic = LogicOp(w.of(LogicNames)) },
	"factor": func(s *State, w *words) { s.BlendFactor = w.vec().Floats() },
	"srgb":   func(s *State, w *words) { s.SRGBWrite = w.of(offOn) == 1 },
	"a2c":    func(s *State, w *words) { s.AlphaToCoverage = w.of(offOn) == 1 },
	"alphatest": func(s *State, w *words) { // function, reference
		s.AlphaTest, s.AlphaFunc, s.AlphaRef = true, Func(w.of(FuncNames)), w.float()
	},
	"stencil": func(s *State, w *words) { // of both faces: function, fail, depth fail, pass, reference, masks
		f := w.face()
		s.Stencil = Stencil{true, f, f}
	},
	"back": func(s *State, w *words) { s.Stencil.Back = w.face() },
	"fog": func(s *State, w *words) { // mode, z or w, start, end, density, colour
		s.Fog = Fog{Mode: FogMode(w.of(FogNames)), W: w.of([]string{"z", "w"}) == 1, Start: w.float(), End: w.float(), Density: w.float(),
			Color: [3]float32{w.float(), w.float(), w.float()}}
	},
}

func init() {
	for i := range MaxTargets { // blend0=…, mask0=…
		stateKeys[fmt.Sprintf("blend%d", i)] = func(s *State, w *words) { s.Blend[i] = w.blend() }
		stateKeys[fmt.Sprintf("mask%d", i)] = func(s *State, w *words) { s.Blend[i].Masked = w.components() ^ 15 }
	}
}

// blend reads a name, or source, target, operation, of alpha too or of both.
func (w *words) blend() Blend {
	if i := slices.Index(BlendNames, w.list[0]); i >= 0 {
		w.next()
		return Blends[i]
	}
	one := func() Equation {
		e := Equation{Src: Factor(w.of(FactorNames)), Dst: Factor(w.of(FactorNames))}
		if w.more() {
			e.Op = BlendOp(w.of(BlendOpNames))
		}
		return e
	}
	b := Same(one())
	if w.more() {
		b.Alpha = one()
	}
	return b
}

func (w *words) face() StencilFace {
	op := func() StencilOp { return StencilOp(w.of(StencilNames)) }
	f := StencilFace{Func: Func(w.of(FuncNames)), Fail: op(), DepthFail: op(), Pass: op(), Ref: uint8(w.int()), Read: 0xFF, Write: 0xFF}
	if w.more() {
		f.Read, f.Write = uint8(w.number()), uint8(w.number())
	}
	return f
}

// components reads a mask as letters, or none.
func (w *words) components() (m uint8) {
	for _, l := range w.next() {
		if i := strings.IndexRune("rgba", l); i >= 0 {
			m |= 1 << i
		}
	}
	return
}

var offOn = []string{"off", "on"}

// A draft is what the words of a draw directive come to.
type draft struct {
	Draw
	rect   [4]float32
	z, w   float32
	vertex string
	shader string
	back   bool // winds counter-clockwise
	solid
	shape shape
}

// A solid is the default pixel shader: each output is a constant.
type solid struct {
	colors []Vec     // by target
	depth  []float32 // the depth, or none
	kill   bool
}

// drawWords are the words of a draw directive, each with its operands.
var drawWords = map[string]func(*draft, *words){
	"rect": func(d *draft, w *words) {
		for i := range d.rect {
			d.rect[i] = w.float()
		}
	},
	"z":     func(d *draft, w *words) { d.z = w.float() },
	"color": func(d *draft, w *words) { d.colors = append(d.colors, w.vec()) },
	"vs":    func(d *draft, w *words) { d.vertex = w.next() },
	"w":     func(d *draft, w *words) { d.w = w.float() }, // of the position, which stays where it is
	"reads": func(d *draft, w *words) { // texture s0 is what a target holds, through the sampler said last
		t := w.c.target(w.next())
		if t.image == nil {
			t.image = TargetImage(t.target)
		}
		d.Pixel.Textures = map[string]Texture{"s0": {Image: t.image, Sampler: w.c.sampler}}
	},
	"ps":    func(d *draft, w *words) { d.shader = w.next() },
	"back":  func(d *draft, w *words) { d.back = true },
	"depth": func(d *draft, w *words) { d.depth = append(d.depth, w.float()) },
	"src1":  func(d *draft, w *words) { d.colors = append(d.colors, w.vec()) },
	"kill":  func(d *draft, w *words) { d.kill = true },
	"c": func(d *draft, w *words) { // constant registers of the shader
		d.Pixel.Float = append(d.Pixel.Float, w.vec())
	},
}

func (c *conformer) drawLine(w *words) {
	if len(c.passes) == 0 {
		c.passLine(&words{c: c, list: c.order})
	}
	p := &c.passes[len(c.passes)-1]
	width, height := p.Size()
	d := draft{w: 1, rect: [4]float32{0, 0, float32(width), float32(height)}}
	d.State = c.state
	for w.more() {
		word := w.next()
		set, ok := drawWords[word]
		if !ok {
			set, ok = shapeWords[word]
		}
		if !ok {
			c.fatalf("no word %q in draw", word)
		}
		set(&d, w)
	}
	d.Vertex.Float, d.Convention = identity, c.api
	if d.vertex != "" {
		if d.Vertex.Shader = c.shaders[d.vertex]; d.Vertex.Shader == nil {
			c.fatalf("no shader %q", d.vertex)
		}
	}
	if d.shape.any || d.shape.bytes != nil {
		d.build(width, height)
	}
	if d.Mesh == nil {
		d.Mesh = pixelRect(d.rect, d.z, width, height)
		for i := range d.Mesh.Vertices {
			for k := range d.Mesh.Vertices[i].Position {
				d.Mesh.Vertices[i].Position[k] *= d.w
			}
		}
	}
	if d.back {
		for i := 0; i < len(d.Mesh.Indices); i += 3 {
			d.Mesh.Indices[i], d.Mesh.Indices[i+1] = d.Mesh.Indices[i+1], d.Mesh.Indices[i]
		}
	}
	if d.shader != "" {
		if d.Pixel.Shader = c.shaders[d.shader]; d.Pixel.Shader == nil {
			c.fatalf("no shader %q", d.shader)
		}
	} else if d.Pixel.Shader == nil {
		d.Pixel.Shader, d.Pixel.Float = d.program(), d.solid.colors
	}
	p.Draws = append(p.Draws, d.Draw)
}

// pixelRect gives a rectangle of pixels whose left top pixel is (x0, y0), excluding x1 and y1.
func pixelRect(r [4]float32, z float32, width, height int) *Mesh {
	m := &Mesh{Indices: []uint32{0, 1, 2, 2, 1, 3}}
	for i := range 4 {
		x, y := r[i%2*2], r[i/2*2+1]
		m.Vertices = append(m.Vertices, Vertex{Position: [4]float32{2*x/float32(width) - 1, 1 - 2*y/float32(height), z, 1}, TexCoord: [4]float32{x, y, z, 1}})
	}
	return m
}

func (d *solid) program() *ir.Program {
	n := len(d.colors)
	p := &ir.Program{Name: "solid", Interface: ir.Interface{Stage: ir.Pixel,
		Resources: []ir.Resource{{Name: "c", Kind: ir.ConstFloat, Count: max(1, n)}}}}
	b := ir.NewBuilder("main", nil, nil)
	var out []ir.Reg
	res := b.Emit(ir.Res, 0)
	for i := range n {
		p.Interface.Outputs = append(p.Interface.Outputs, ir.Element{Register: fmt.Sprintf("oC%d", i), Semantic: "COLOR", Index: i, Mask: 15, System: ir.Target})
		for k := range 4 {
			out = append(out, b.Emit(ir.Load, 0, res, b.U(uint32(16*i+4*k))))
		}
	}
	if len(d.depth) > 0 {
		p.Interface.Outputs = append(p.Interface.Outputs, ir.Element{Register: "oDepth", Semantic: "DEPTH", Mask: 1, System: ir.Depth})
		z := b.F(d.depth[0])
		out = append(out, z, z, z, z)
	}
	if d.kill {
		b.Emit(ir.Kill, 0, b.U(^uint32(0)))
	}
	b.Func.Results = ir.C32s(len(out))
	p.Funcs = []*ir.Func{b.Finish(out...)}
	return p
}

// draw draws the frame.
func (c *conformer) draw() {
	if c.drawn {
		return
	}
	c.drawn = true
	if err := c.r.Begin(c.passes); err != nil {
		c.fatalf("%v", err)
	}
	for !c.r.DrawTiles(1) {
	}
}

func (c *conformer) expectLine(w *words) {
	c.draw()
	c.checked = true
	name := w.next() // and a sample: c:2
	of, number, _ := strings.Cut(name, ":")
	t, sample := c.target(of).target, 0
	if number != "" {
		sample = (&words{c: c, list: []string{number}}).int()
	}
	x0, x1 := w.span()
	y0, y1 := w.span()
	want := make([]uint32, t.Format.row().words)
	for i := range want {
		want[i] = w.number()
	}
	if w.more() {
		c.fatalf("a pixel of %s has %d words", name, len(want))
	}
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			got := c.r.Texel(t, x, y, sample)
			if !slices.Equal(got[:len(want)], want) {
				c.t.Errorf("line %d: %s at (%d, %d) is %08X, want %08X", c.line, name, x, y, got[:len(want)], want)
				return
			}
		}
	}
}

// words are the words of a directive that are not yet read.
type words struct {
	c    *conformer
	list []string
}

func (w *words) more() bool { return len(w.list) > 0 }

func (w *words) next() string {
	if !w.more() {
		w.c.fatalf("a word is missing")
	}
	s := w.list[0]
	w.list = w.list[1:]
	return s
}

func (w *words) rest() []string {
	s := w.list
	w.list = nil
	return s
}

// of gives the number of the next word in names.
func (w *words) of(names []string) int {
	s := w.next()
	i := slices.Index(names, s)
	if i < 0 {
		w.c.fatalf("%q is none of %v", s, names)
	}
	return i
}

func (w *words) int() int {
	s := w.next()
	n, err := strconv.Atoi(s)
	if err != nil {
		w.c.fatalf("%q is no integer", s)
	}
	return n
}

// span reads a number, or two as 3..7.
func (w *words) span() (from, to int) {
	a, b, two := strings.Cut(w.next(), "..")
	if !two {
		b = a
	}
	v := &words{c: w.c, list: []string{a, b}}
	return v.int(), v.int()
}

// number reads a word: bits in hexadecimal, or the single nearest to a number.
func (w *words) number() uint32 {
	s := w.next()
	sign := uint32(0)
	rest, negative := strings.CutPrefix(s, "-")
	if negative {
		sign = 1 << 31
	}
	switch rest {
	case "nan":
		return sign | 0x7FC00000
	case "inf":
		return sign | 0x7F800000
	}
	if hex, ok := strings.CutPrefix(s, "0x"); ok && !strings.Contains(hex, "p") {
		v, err := strconv.ParseUint(hex, 16, 32)
		if err != nil {
			w.c.fatalf("%q is no word", s)
		}
		return uint32(v)
	}
	above, below, quotient := strings.Cut(rest, "/")
	v, ok := new(big.Rat).SetString(above)
	if d, ok2 := new(big.Rat).SetString(below); quotient && ok && ok2 && d.Sign() != 0 {
		v.Quo(v, d)
	} else if quotient || !ok {
		w.c.fatalf("%q is no number", s)
	}
	f, _ := v.Float32()
	return sign | math.Float32bits(f)
}

func (w *words) float() float32 { return math.Float32frombits(w.number()) }

func (w *words) vec() (v Vec) {
	for i := range v {
		v[i] = w.number()
	}
	return
}
