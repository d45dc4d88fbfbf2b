package render

import (
	"bytes"
	"math"
	"testing"

	"swizzle/internal/jittest"
	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/interp"
	"swizzle/shaderkit/ir"
)

// pixelShader builds a pixel shader: body gets the inputs' registers and gives the colour, and may
// give the depth behind it.
func pixelShader(inputs []ir.Element, body func(b *ir.Builder, in []ir.Reg) []ir.Reg) *ir.Program {
	b := ir.NewBuilder("main", ir.C32s(4*len(inputs)), nil)
	out := body(b, b.Func.Params)
	p := &ir.Program{Name: "test", Interface: ir.Interface{Stage: ir.Pixel, Inputs: inputs,
		Outputs: []ir.Element{{Register: "oC0", Mask: 15, System: ir.Target}}}}
	if len(out) == 5 {
		p.Interface.Outputs = append(p.Interface.Outputs, ir.Element{Register: "oDepth", Mask: 1, System: ir.Depth})
		out = append(out, out[4], out[4], out[4])
	}
	b.Func.Results = ir.C32s(len(out))
	p.Funcs = []*ir.Func{b.Finish(out...)}
	return p
}

var (
	texCoord = ir.Element{Register: "v0", Semantic: "TEXCOORD", Mask: 15}
	colour0  = ir.Element{Register: "v1", Semantic: "COLOR", Mask: 15}
)

func showColour(b *ir.Builder, in []ir.Reg) []ir.Reg { return in[:4] }

// px gives the vertex that lands on pixel (x, y) of a 64x64 target at depth z.
func px(x, y, z float32, colour [4]float32) Vertex {
	return Vertex{Position: [4]float32{x/32 - 1, 1 - y/32, z, 1}, Color: colour, TexCoord: [4]float32{x, y, z, 1}}
}

// rect gives the two triangles of a rectangle of pixels, excluding x1 and y1.
func rect(x0, y0, x1, y1, z float32, colour [4]float32) *Mesh {
	return &Mesh{Vertices: []Vertex{px(x0, y0, z, colour), px(x1, y0, z, colour), px(x0, y1, z, colour), px(x1, y1, z, colour)},
		Indices: []uint32{0, 1, 2, 2, 1, 3}}
}

// identity are the constants of a partner vertex shader that transforms nothing.
var identity = []Vec{FloatVec(1, 0, 0, 0), FloatVec(0, 1, 0, 0), FloatVec(0, 0, 1, 0), FloatVec(0, 0, 0, 1)}

func draw(ps *ir.Program, m *Mesh, s State) Draw {
	return Draw{Vertex: Stage{Float: identity}, Pixel: Stage{Shader: ps}, Mesh: m, State: s}
}

var flatState = State{Depth: Always}

func render(t *testing.T, draws ...Draw) *Renderer {
	t.Helper()
	r := New(interp.New())
	if err := r.BeginPicture(64, 64, [4]float32{}, draws); err != nil {
		t.Fatal(err)
	}
	r.DrawTiles(1)
	return r
}

func want(t *testing.T, r *Renderer, x, y int, colour uint32) {
	t.Helper()
	if got, _ := r.Pixel(x, y); got != colour {
		t.Errorf("pixel (%d, %d) is %08X, want %08X", x, y, got, colour)
	}
}

// traced gives the bits of the colour that the shader writes at a pixel.
func traced(t *testing.T, r *Renderer, x, y int) [4]float32 {
	t.Helper()
	tr, err := r.Trace(interp.Engine{}, x, y, func(int) (vs, ps *ir.Program, err error) { return })
	if err != nil {
		t.Fatal(err)
	}
	if len(tr.Fragments) != 1 {
		t.Fatalf("%d fragments at (%d, %d)", len(tr.Fragments), x, y)
	}
	var c [4]float32
	for i, b := range tr.Fragments[0].Colour {
		c[i] = math.Float32frombits(b)
	}
	return c
}

var (
	red   = [4]float32{1, 0, 0, 1}
	green = [4]float32{0, 1, 0, 1}
)

const redWord, greenWord = 0xFF0000FF, 0xFF00FF00

func TestDepth(t *testing.T) {
	ps := pixelShader([]ir.Element{colour0}, showColour)
	near, far := rect(0, 0, 32, 32, 0.25, red), rect(16, 16, 48, 48, 0.75, green)
	same := rect(16, 16, 48, 48, 0.25, green)
	for _, c := range []struct {
		name   string
		first  *Mesh
		second *Mesh
		state  State
		shared uint32 // colour of a pixel that both cover
		alone  uint32 // of one that only the second covers
	}{
		{"less, nearer first", near, far, State{Depth: Less, DepthWrite: true}, redWord, greenWord},
		{"less, farther first", far, near, State{Depth: Less, DepthWrite: true}, redWord, redWord},
		{"less, equal", near, same, State{Depth: Less, DepthWrite: true}, redWord, greenWord},
		{"lessequal, equal", near, same, State{Depth: LessEqual, DepthWrite: true}, greenWord, greenWord},
		{"equal", near, same, State{Depth: Equal, DepthWrite: true}, 0, 0},
		{"greater", near, far, State{Depth: Greater, DepthWrite: true}, 0, 0},
		{"notequal", near, same, State{Depth: NotEqual, DepthWrite: true}, redWord, greenWord},
		{"greaterequal", near, far, State{Depth: GreaterEqual, DepthWrite: true}, 0, 0},
		{"always", near, far, State{Depth: Always, DepthWrite: true}, greenWord, greenWord},
		{"never", near, far, State{Depth: Never, DepthWrite: true}, 0, 0},
		{"less without writing", near, far, State{Depth: Less}, greenWord, greenWord},
	} {
		r := render(t, draw(ps, c.first, c.state), draw(ps, c.second, c.state))
		x := 40
		if c.first == far {
			x = 4
		}
		if got, _ := r.Pixel(20, 20); got != c.shared {
			t.Errorf("%s: shared pixel %08X, want %08X", c.name, got, c.shared)
		}
		if got, _ := r.Pixel(x, x); got != c.alone {
			t.Errorf("%s: lone pixel %08X, want %08X", c.name, got, c.alone)
		}
	}
}

func TestDepthIsStored(t *testing.T) {
	ps := pixelShader([]ir.Element{colour0}, showColour)
	r := render(t, draw(ps, rect(0, 0, 8, 8, 0.375, red), State{Depth: LessEqual, DepthWrite: true}))
	for _, c := range []struct {
		x    int
		want float32
	}{{3, 0.375}, {8, 1}} {
		if _, z := r.Pixel(c.x, 3); z != math.Float32bits(c.want) {
			t.Errorf("depth at (%d, 3) is %v, want %v", c.x, math.Float32frombits(z), c.want)
		}
	}
}

// A depth that the shader writes is clamped to 0..1 and tested behind the shader.
func TestShaderDepth(t *testing.T) {
	for _, c := range []struct {
		depth float32
		want  float32
		drawn bool
	}{{0.25, 0.25, true}, {0.75, 0.5, false}, {-3, 0, true}, {float32(math.NaN()), 0, true}, {7, 0.5, false}} {
		first := pixelShader([]ir.Element{colour0}, showColour)
		second := pixelShader([]ir.Element{colour0}, func(b *ir.Builder, in []ir.Reg) []ir.Reg {
			return append(in[:4:4], b.F(c.depth))
		})
		s := State{Depth: Less, DepthWrite: true}
		r := render(t, draw(first, rect(0, 0, 8, 8, 0.5, red), s), draw(second, rect(0, 0, 8, 8, 0, green), s))
		word, z := r.Pixel(2, 2)
		if z != math.Float32bits(c.want) || (word == greenWord) != c.drawn {
			t.Errorf("depth %v: stored %v, colour %08X", c.depth, math.Float32frombits(z), word)
		}
	}
}

func TestConversion(t *testing.T) {
	nan := float32(math.NaN())
	for _, c := range []struct {
		in   [4]float32
		want uint32
	}{
		{[4]float32{0, 1, 0.5, 1}, 0xFF80FF00}, // 127.5 + 0.5
		{[4]float32{-1, 2, nan, 0.25}, 0x4000FF00},
		{[4]float32{0.49 / 255, 0.51 / 255, 254.49 / 255, 254.51 / 255}, 0xFFFE0100},
	} {
		ps := pixelShader(nil, func(b *ir.Builder, _ []ir.Reg) []ir.Reg {
			return []ir.Reg{b.F(c.in[0]), b.F(c.in[1]), b.F(c.in[2]), b.F(c.in[3])}
		})
		want(t, render(t, draw(ps, rect(0, 0, 4, 4, 0, red), flatState)), 1, 1, c.want)
		if got := RGBA8.Pack(FloatVec(c.in[0], c.in[1], c.in[2], c.in[3]))[0]; got != c.want {
			t.Errorf("Pack(%v) = %08X, want %08X", c.in, got, c.want)
		}
	}
}

func TestBlend(t *testing.T) {
	ps := pixelShader([]ir.Element{colour0}, showColour)
	below := draw(ps, rect(0, 0, 8, 8, 0, [4]float32{1, 0, 0.2, 1}), flatState)
	for _, c := range []struct {
		blend Blend
		above [4]float32
		want  uint32
	}{
		{BlendOff, [4]float32{0, 1, 0, 0.5}, 0x8000FF00},
		{BlendAlpha, [4]float32{0, 1, 0.2, 0.5}, 0xBF338080}, // alpha: 0.25 + 0.5 = 0.75, 191.25 + 0.5
		{BlendAlpha, [4]float32{5, 5, 5, 0}, 0xFF3300FF},
		{BlendAdd, [4]float32{0.5, 0.5, 0.2, 0}, 0xFF6680FF},
		{BlendAdd, [4]float32{float32(math.NaN()), -1, 0, 0}, 0xFF3300FF},
	} {
		s := flatState
		s.Blend = AllTargets(c.blend)
		want(t, render(t, below, draw(ps, rect(0, 0, 8, 8, 0, c.above), s)), 3, 3, c.want)
	}
}

// A target whose edges cut blocks of 8 pixels shades its own pixels and no others: NUMERICS, Viewport
// and snapping.
func TestRaggedTargets(t *testing.T) {
	ps := pixelShader([]ir.Element{colour0}, showColour)
	everywhere := &Mesh{Vertices: []Vertex{{Position: [4]float32{-1, 1, 0, 1}}, {Position: [4]float32{7, 1, 0, 1}}, {Position: [4]float32{-1, -7, 0, 1}}},
		Indices: []uint32{0, 1, 2}}
	r := New(interp.New())
	for _, size := range [][2]int{{64, 64}, {70, 66}, {1, 1}, {63, 8}, {8, 129}} {
		w, h := size[0], size[1]
		if err := r.BeginPicture(w, h, [4]float32{}, []Draw{draw(ps, everywhere, flatState)}); err != nil {
			t.Fatal(err)
		}
		r.DrawTiles(1 << 30)
		if got := r.Stats().Lanes; got != uint64(w*h) {
			t.Errorf("%dx%d: %d pixels shaded, want %d", w, h, got, w*h)
		}
	}
}

// Pixels that the shader ends are not stored, neither colour nor depth, but their neighbours still read
// them: the derivatives of a column are the same beside a hole.
func TestKilledPixelsHelp(t *testing.T) {
	ps := pixelShader([]ir.Element{texCoord}, func(b *ir.Builder, in []ir.Reg) []ir.Reg {
		odd := b.Emit(ir.And, 0, b.Emit(ir.F2I, 0, in[0]), b.U(1))
		b.Emit(ir.Kill, 0, b.Emit(ir.INe, 0, odd, b.U(0)))
		square := b.Emit(ir.FMul, 0, in[0], in[0])
		d := b.Emit(ir.FMul, 0, b.Emit(ir.DDX, 0, square), b.F(1.0/255))
		return []ir.Reg{d, b.U(0), b.U(0), b.F(1)}
	})
	r := render(t, draw(ps, rect(0, 0, 16, 16, 0.5, red), State{Depth: Less, DepthWrite: true}))
	for x := range 16 {
		word, z := r.Pixel(x, 4)
		if x%2 == 1 {
			if word != 0 || z != math.Float32bits(1) {
				t.Errorf("killed pixel %d is stored: %08X, depth %08X", x, word, z)
			}
			continue
		}
		if wantWord := 0xFF000000 | uint32(2*x+1); word != wantWord || z != math.Float32bits(0.5) { // (x+1)² - x²
			t.Errorf("pixel %d is %08X, want %08X; depth %08X", x, word, wantWord, z)
		}
	}
}

// At the rim of a triangle the quad has pixels outside; they interpolate beyond the edge.
func TestHelperLanes(t *testing.T) {
	ps := pixelShader([]ir.Element{texCoord}, func(b *ir.Builder, in []ir.Reg) []ir.Reg {
		return []ir.Reg{b.Emit(ir.DDX, 0, in[0]), b.Emit(ir.DDY, 0, in[1]), b.Emit(ir.DDX, 0, in[1]), in[0]}
	})
	r := render(t, draw(ps, rect(3, 5, 4, 6, 0, red), flatState)) // one pixel
	want(t, r, 3, 5, 0xFF00FFFF)
	want(t, r, 2, 5, 0)
	want(t, r, 3, 4, 0)
	if c := traced(t, r, 3, 5); c != [4]float32{1, 1, 0, 3} {
		t.Errorf("derivatives and value are %v, want 1, 1, 0 and 3", c)
	}
	if r.Stats().Lanes != 1 {
		t.Errorf("%d lanes were live, want 1", r.Stats().Lanes)
	}
}

func TestSystemValues(t *testing.T) {
	in := []ir.Element{{Register: "vPos", Mask: 3, System: ir.PixelPos}, {Register: "vFace", Mask: 1, System: ir.Face}}
	ps := pixelShader(in, func(b *ir.Builder, in []ir.Reg) []ir.Reg { return []ir.Reg{in[0], in[1], in[2], in[4]} })
	m := rect(0, 0, 64, 64, 0, red)
	if c := traced(t, render(t, draw(ps, m, flatState)), 37, 21); c != [4]float32{37, 21, 0, 1} {
		t.Errorf("vPos.xyz, vFace = %v", c)
	}
	m.Indices = []uint32{0, 2, 1, 2, 3, 1}
	if c := traced(t, render(t, draw(ps, m, flatState)), 37, 21); c[3] != -1 {
		t.Errorf("vFace of a back face = %v", c[3])
	}
	// the second tile of a wider picture
	r := New(interp.New())
	m = rect(0, 0, 64, 64, 0, red)
	if err := r.BeginPicture(200, 130, [4]float32{}, []Draw{draw(ps, m, flatState)}); err != nil {
		t.Fatal(err)
	}
	r.DrawTiles(100)
	if c := traced(t, r, 150, 129); c[0] != 150 || c[1] != 129 {
		t.Errorf("vPos in another tile = %v", c)
	}
}

// Inputs by the table of NUMERICS.md: what the vertex shader does not write.
func TestUnlinkedInputs(t *testing.T) {
	in := []ir.Element{{Semantic: "COLOR", Mask: 15}, {Semantic: "COLOR", Index: 1, Mask: 15}, {Semantic: "TEXCOORD", Index: 3, Mask: 15}}
	ps := pixelShader(in, func(b *ir.Builder, in []ir.Reg) []ir.Reg { return []ir.Reg{in[0], in[3], in[4], in[11]} })
	vs := VertexPartner(pixelShader(nil, func(b *ir.Builder, _ []ir.Reg) []ir.Reg { return []ir.Reg{b.U(0), b.U(0), b.U(0), b.U(0)} }))
	d := draw(ps, rect(0, 0, 8, 8, 0, red), flatState)
	d.Vertex.Shader = vs
	if c := traced(t, render(t, d), 1, 1); c != [4]float32{1, 1, 0, 0} {
		t.Errorf("unlinked inputs read %v", c)
	}
}

// What a vertex shader reads that the mesh does not have, and outputs that are clamped.
func TestVertexInputsAndOutputs(t *testing.T) {
	vs := &ir.Program{Name: "vs", Interface: ir.Interface{Stage: ir.Vertex,
		Inputs: []ir.Element{{Semantic: "POSITION", Mask: 15}, {Semantic: "TEXCOORD", Index: 5, Mask: 15}, {Semantic: "COLOR", Mask: 15}, {System: ir.VertexID, Mask: 1}},
		Outputs: []ir.Element{{Semantic: "POSITION", Mask: 15, System: ir.ClipPosition}, {Semantic: "TEXCOORD", Mask: 15},
			{Semantic: "COLOR", Mask: 15, Saturate: true}, {Semantic: "TEXCOORD", Index: 1, Mask: 15}}}}
	b := ir.NewBuilder("main", ir.C32s(16), ir.C32s(16))
	p := b.Func.Params
	id := b.Emit(ir.U2F, 0, p[12])
	vs.Funcs = []*ir.Func{b.Finish(append(append([]ir.Reg{}, p[:12]...), id, id, id, id)...)}
	for _, c := range []struct {
		input ir.Element
		want  [4]float32
	}{
		{ir.Element{Semantic: "TEXCOORD", Mask: 15}, [4]float32{0, 0, 0, 1}},
		{ir.Element{Semantic: "COLOR", Mask: 15}, [4]float32{1, 0, 0.25, 0}},
		{ir.Element{Semantic: "TEXCOORD", Index: 1, Mask: 15, Interp: ir.Flat}, [4]float32{2, 2, 2, 2}},
	} {
		d := draw(pixelShader([]ir.Element{c.input}, showColour), rect(0, 0, 8, 8, 0, [4]float32{3, -1, 0.25, float32(math.NaN())}), flatState)
		d.Vertex.Shader = vs
		if got := traced(t, render(t, d), 6, 6); got != c.want { // in the second triangle: 2, 1, 3
			t.Errorf("%s%d: %v, want %v", c.input.Semantic, c.input.Index, got, c.want)
		}
	}
}

func TestInterpolationModes(t *testing.T) {
	var in []ir.Element
	for i, m := range []ir.Interp{ir.Perspective, ir.NoPerspective, ir.Flat, ir.Centroid} {
		in = append(in, ir.Element{Semantic: "TEXCOORD", Index: i, Mask: 1, Interp: m})
	}
	ps := pixelShader(in, func(b *ir.Builder, in []ir.Reg) []ir.Reg { return []ir.Reg{in[0], in[4], in[8], in[12]} })
	vs := VertexPartner(ps)
	// Stand-ins differ by number, so let every output be TEXCOORD0.
	vs.Interface.Inputs = vs.Interface.Inputs[:2]
	b := ir.NewBuilder("main", ir.C32s(8), ir.C32s(20))
	p := b.Func.Params
	vs.Funcs = []*ir.Func{b.Finish(append(append(append(append(append([]ir.Reg{}, p[:4]...), p[4:8]...), p[4:8]...), p[4:8]...), p[4:8]...)...)}
	// u from 1 at the left to 3 at the right, w from 1 to 3
	var m Mesh
	for i, c := range []struct{ x, y, w, u float32 }{{0, 0, 1, 1}, {64, 0, 3, 3}, {0, 64, 1, 1}, {64, 64, 3, 3}} {
		v := px(c.x, c.y, 0, red)
		for k := range v.Position {
			v.Position[k] *= c.w
		}
		v.TexCoord = [4]float32{c.u, float32(i), 0, 1}
		m.Vertices = append(m.Vertices, v)
	}
	m.Indices = []uint32{1, 3, 0, 0, 3, 2}
	d := draw(ps, &m, flatState)
	d.Vertex.Shader = vs
	// At x = 32: 1/w = (1 + 1/3)/2 = 2/3 and u/w = (1 + 1)/2, so u = 1.5; without perspective 2.
	got := traced(t, render(t, d), 32, 8)
	for i, w := range []float32{1.5, 2, 3, 1.5} {
		if math.Abs(float64(got[i]-w)) > 1e-6 {
			t.Errorf("interpolation %d gives %v, want %v", i, got[i], w)
		}
	}
}

// The same picture whatever the order of tiles; and drawing twice gives the same.
func TestTileOrder(t *testing.T) {
	ps := pixelShader([]ir.Element{colour0, texCoord}, func(b *ir.Builder, in []ir.Reg) []ir.Reg {
		return []ir.Reg{in[0], in[1], b.Emit(ir.DDX, 0, in[4]), in[3]}
	})
	m := NewMesh("torus", 24)
	s := DefaultState
	s.Blend = AllTargets(BlendAlpha)
	s.Cull = CullNone
	draws := []Draw{draw(ps, m, s), draw(ps, NewMesh("sphere", 12), s)}
	picture := func(seed uint64) []byte {
		r := New(interp.New())
		r.Shuffle = seed
		if err := r.BeginPicture(200, 150, [4]float32{0.5, 0.5, 0.5, 1}, draws); err != nil {
			t.Fatal(err)
		}
		r.DrawTiles(1 << 30)
		return bytes.Clone(r.Image().Pix)
	}
	first := picture(0)
	for seed := uint64(1); seed < 5; seed++ {
		if !bytes.Equal(first, picture(seed)) {
			t.Errorf("order %d gives another picture", seed)
		}
	}
}

// A frame after the first compiles nothing and allocates nothing.
func TestSteadyState(t *testing.T) {
	ps := pixelShader([]ir.Element{colour0}, showColour)
	m := NewMesh("sphere", 32)
	plain := []Draw{draw(ps, m, DefaultState)}

	// Two passes: four samples resolved, then read with mip levels into floats, blended over what is there.
	samples := &Target{Format: RGBA8SRGB, Width: 100, Height: 100, Samples: 4}
	resolved := &Target{Format: RGBA8SRGB, Width: 100, Height: 100}
	depth := &Target{Format: D24S8, Width: 100, Height: 100, Samples: 4}
	floats := &Target{Format: RGBA16F, Width: 100, Height: 100}
	read := pixelShader([]ir.Element{texCoord}, func(b *ir.Builder, in []ir.Reg) []ir.Reg {
		return b.EmitN(ir.Sample, ir.SampleImm(0, ir.SampleImplicit), in[0], in[1], b.F(0))
	})
	read.Interface.Resources = []ir.Resource{{Name: "s0", Kind: ir.Texture}}
	second := draw(read, NewMesh("quad", 1), State{Depth: Always, Blend: AllTargets(BlendAlpha)})
	second.Pixel.Textures = map[string]Texture{"s0": {Image: TargetImage(resolved), Sampler: ir.SamplerState{Mip: ir.MipLinear}}}
	passes := []Pass{
		{Colors: []Attachment{{Target: samples, Resolve: resolved}}, Depth: &Attachment{Target: depth, Clear: FloatVec(1, 0, 0, 0)}, Draws: plain},
		{Colors: []Attachment{{Target: floats, Load: true}}, Draws: []Draw{second}},
	}
	for _, e := range []exec.Engine{interp.New(), jittest.New(t)} {
		for name, begin := range map[string]func(*Renderer) error{
			"picture": func(r *Renderer) error { return r.BeginPicture(256, 256, [4]float32{}, plain) },
			"passes":  func(r *Renderer) error { return r.Begin(passes) },
		} {
			t.Run(e.Name()+"/"+name, func(t *testing.T) {
				r := New(e)
				frame := func() {
					if err := begin(r); err != nil {
						t.Fatal(err)
					}
					for !r.DrawTiles(1) {
					}
					r.Image()
				}
				frame()
				if r.Stats().Compiled == 0 {
					t.Error("the first frame compiled nothing")
				}
				n := testing.AllocsPerRun(5, frame)
				if r.Stats().Compiled != 0 {
					t.Errorf("a later frame compiled %d kernels", r.Stats().Compiled)
				}
				if n > 0 {
					t.Errorf("%v allocations a frame", n)
				}
			})
		}
	}
}

func TestErrors(t *testing.T) {
	ps := pixelShader([]ir.Element{colour0}, showColour)
	m := rect(0, 0, 8, 8, 0, red)
	bad := &Mesh{Vertices: m.Vertices, Indices: []uint32{0, 1, 4}}
	noPosition := VertexPartner(ps)
	noPosition.Interface.Outputs[0].System = ir.NoSystem
	for _, c := range []struct {
		code string
		w    int
		d    Draw
	}{
		{"bad-size", 0, draw(ps, m, flatState)},
		{"bad-size", MaxSize + 1, draw(ps, m, flatState)},
		{"no-mesh", 8, draw(ps, nil, flatState)},
		{"bad-index", 8, draw(ps, bad, flatState)},
		{"no-shader", 8, draw(nil, m, flatState)},
		{"wrong-stage", 8, Draw{Vertex: Stage{Shader: ps}, Mesh: m}},
		{"no-position", 8, Draw{Vertex: Stage{Shader: noPosition}, Pixel: Stage{Shader: ps}, Mesh: m}},
	} {
		r := New(interp.New())
		err, _ := r.BeginPicture(c.w, 8, [4]float32{}, []Draw{c.d}).(*Error)
		if err == nil || err.Code != c.code {
			t.Errorf("got %v, want %s", err, c.code)
		}
	}
}

func TestTileOffset(t *testing.T) {
	// Pixel reads by exec.TileIndex what the program stored by its own formula.
	in := []ir.Element{{Register: "vPos", Mask: 3, System: ir.PixelPos}}
	ps := pixelShader(in, func(b *ir.Builder, in []ir.Reg) []ir.Reg {
		s := b.F(1.0 / 255)
		return []ir.Reg{b.Emit(ir.FMul, 0, in[0], s), b.Emit(ir.FMul, 0, in[1], s), b.U(0), b.U(0)}
	})
	r := render(t, draw(ps, rect(0, 0, 64, 64, 0, red), flatState))
	for y := range exec.TileSize {
		for x := range exec.TileSize {
			want(t, r, x, y, uint32(x|y<<8))
		}
	}
}
