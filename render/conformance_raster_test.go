package render

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"

	"swizzle/shaderkit/ir"
)

// A shape is what the raster words of a draw directive come to: vertices by their place in pixels.
type shape struct {
	topology Topology
	at       [][2]float32 // pixels
	clip     [][4]float32 // clip positions in their place
	zs, ws   []float32    // of the vertices; the last one goes on
	us       []float32    // TEXCOORD0.x
	indices  []uint32
	cuts     bool
	first    uint32
	count    int
	base     int32
	offsets  [][2]float32 // of instances, in pixels
	step     uint32
	fetch    VertexFormat // of TEXCOORD0, for all vertices alike
	bytes    []byte
	show     string
	system   ir.System // vertex output that TEXCOORD0.x is, too
	any      bool
}

var conventions = map[string]*Convention{"d3d9": &D3D9, "d3d10": &D3D10, "gl": &GL, "pica": &PICA}

// floats reads numbers up to the next word.
func (w *words) floats() (list []float32) {
	for w.more() {
		s := w.list[0]
		if s != "inf" && s != "nan" && !strings.ContainsAny(s[:1], "-0123456789") {
			break
		}
		list = append(list, w.float())
	}
	return
}

func pairs(list []float32) (p [][2]float32) {
	for i := 0; i+1 < len(list); i += 2 {
		p = append(p, [2]float32{list[i], list[i+1]})
	}
	return
}

func (d *draft) points(w *words, t Topology) {
	d.shape.any, d.shape.topology, d.shape.at = true, t, pairs(w.floats())
}

// shapeWords are the words of a draw directive that are about vertices and rasterising.
var shapeWords = map[string]func(*draft, *words){
	"trianglelist":  func(d *draft, w *words) { d.points(w, TriangleList) },
	"trianglestrip": func(d *draft, w *words) { d.points(w, TriangleStrip) },
	"trianglefan":   func(d *draft, w *words) { d.points(w, TriangleFan) },
	"linelist":      func(d *draft, w *words) { d.points(w, LineList) },
	"linestrip":     func(d *draft, w *words) { d.points(w, LineStrip) },
	"pointlist":     func(d *draft, w *words) { d.points(w, PointList) },
	"clip": func(d *draft, w *words) { // x y z w of each vertex
		for f := w.floats(); len(f) >= 4; f = f[4:] {
			d.shape.clip = append(d.shape.clip, [4]float32(f))
		}
	},
	"zs": func(d *draft, w *words) { d.shape.zs = w.floats() },
	"ws": func(d *draft, w *words) { d.shape.ws = w.floats() },
	"us": func(d *draft, w *words) { d.shape.us = w.floats() },
	"indices": func(d *draft, w *words) { // numbers, or cut
		for w.more() {
			n, err := strconv.ParseUint(w.list[0], 0, 32)
			switch {
			case w.list[0] == "cut":
				d.shape.indices, d.shape.cuts = append(d.shape.indices, 0xFFFF), true
			case err == nil:
				d.shape.indices = append(d.shape.indices, uint32(n))
			default:
				return
			}
			w.next()
		}
	},
	"first":   func(d *draft, w *words) { d.shape.first = uint32(w.int()) },
	"count":   func(d *draft, w *words) { d.shape.count = w.int() },
	"base":    func(d *draft, w *words) { d.shape.base = int32(w.int()) },
	"offsets": func(d *draft, w *words) { d.shape.offsets = pairs(w.floats()) },
	"step":    func(d *draft, w *words) { d.shape.step = uint32(w.int()) },
	"fetch": func(d *draft, w *words) { // format, words
		f, ok := VertexFormatByName(w.next())
		if !ok {
			w.c.fatalf("no vertex format of that name")
		}
		d.shape.fetch = f
		for w.more() && strings.HasPrefix(w.list[0], "0x") {
			d.shape.bytes = binary.LittleEndian.AppendUint32(d.shape.bytes, w.number())
		}
	},
	"show":      func(d *draft, w *words) { d.shape.show = w.next() },
	"distances": func(d *draft, w *words) { d.shape.us, d.shape.system = w.floats(), ir.ClipDistance },
	"culls":     func(d *draft, w *words) { d.shape.us, d.shape.system = w.floats(), ir.CullDistance },
	"sizes":     func(d *draft, w *words) { d.shape.us, d.shape.system = w.floats(), ir.PointSize },
	"viewport": func(d *draft, w *words) {
		f := w.floats()
		d.Viewport = &Viewport{f[0], f[1], f[2], f[3], 0, 1}
		if len(f) > 4 {
			d.Viewport.MinDepth, d.Viewport.MaxDepth = f[4], f[5]
		}
	},
	"scissor": func(d *draft, w *words) { d.Scissor = &Rect{w.int(), w.int(), w.int(), w.int()} },
	"plane": func(d *draft, w *words) {
		f := w.vec().Floats()
		d.Planes = append(d.Planes, Plane{float64(f[0]), float64(f[1]), float64(f[2]), float64(f[3])})
	},
}

// rasterKeys are the states of rasterising by the name that the state directive uses.
var rasterKeys = map[string]func(*State, *words){
	"front":      func(s *State, w *words) { s.Raster.FrontCCW = w.of([]string{"cw", "ccw"}) == 1 },
	"fill":       func(s *State, w *words) { s.Raster.Fill = Fill(w.of(FillNames)) },
	"lines":      func(s *State, w *words) { s.Raster.Lines = LineRule(w.of(LineNames)) },
	"bias":       func(s *State, w *words) { s.Raster.Bias = DepthBias{w.float(), w.float(), w.float()} },
	"zclip":      func(s *State, w *words) { s.Raster.NoDepthClip = w.of(offOn) == 0 },
	"point":      func(s *State, w *words) { s.Raster.Point = PointState{w.float(), w.float(), w.float()} },
	"samplemask": func(s *State, w *words) { s.Raster.NoSamples = ^uint8(w.int()) },
	"sprite":     func(s *State, w *words) { s.Raster.Sprite = w.of(offOn) == 1 },
}

// of gives element i of a list whose last one goes on, or the other value of an empty one.
func nth(list []float32, i int, other float32) float32 {
	if len(list) == 0 {
		return other
	}
	return list[min(i, len(list)-1)]
}

// build makes the draw's input and shaders of its shape.
func (d *draft) build(width, height int) {
	s := &d.shape
	if s.bytes != nil && s.at == nil {
		s.topology, s.at = TriangleStrip, [][2]float32{{0, 0}, {float32(width), 0}, {0, float32(height)}, {float32(width), float32(height)}}
	}
	sx, sy := 2/float32(width), 2/float32(height)
	var data, offsets []byte
	put := func(out []byte, f ...float32) []byte {
		for _, v := range f {
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(v))
		}
		return out
	}
	n := max(len(s.at), len(s.clip))
	for i := range n {
		if s.clip != nil {
			data = put(data, s.clip[i][:]...)
		} else {
			w := nth(s.ws, i, 1)
			data = put(data, (s.at[i][0]*sx-1)*w, (1-s.at[i][1]*sy)*w, nth(s.zs, i, d.z)*w, w)
		}
		data = put(data, nth(s.us, i, 0), float32(i))
	}
	in := &Input{Topology: s.topology, First: s.first, Base: s.base, Count: n - int(s.first), Streams: []Stream{{Buffer: &Buffer{data}, Stride: 24}},
		Elements: []InputElement{
			{Semantic: "POSITION", Format: VertexFormat{Kind: Float, Bits: 32, Comps: 4}},
			{Semantic: "TEXCOORD", Offset: 16, Format: VertexFormat{Kind: Float, Bits: 32, Comps: 2}}}}
	if s.indices != nil {
		in.Indices, in.Restart, in.Cut, in.Count = s.indices, s.cuts, 0xFFFF, 0
	}
	if s.count > 0 {
		in.Count = s.count
	}
	if s.offsets != nil {
		for _, o := range s.offsets {
			offsets = put(offsets, o[0]*sx, -o[1]*sy)
		}
		in.Instances = len(s.offsets) * int(max(1, s.step))
		in.Streams = append(in.Streams, Stream{Buffer: &Buffer{offsets}, Stride: 8, PerInstance: true, Step: max(1, s.step)})
		in.Elements = append(in.Elements, InputElement{Semantic: "OFFSET", Stream: 1, Format: VertexFormat{Kind: Float, Bits: 32, Comps: 2}})
	}
	if s.bytes != nil {
		in.Elements[1] = InputElement{Semantic: "TEXCOORD", Stream: len(in.Streams), Format: s.fetch}
		in.Streams = append(in.Streams, Stream{Buffer: &Buffer{s.bytes}, PerInstance: true})
		s.show = "flat"
	}
	d.Input = in
	d.Vertex.Shader = s.vertexShader()
	if s.show != "" {
		d.Pixel.Shader = s.pixelShader()
	}
}

// vertexShader adds OFFSET to the position and hands TEXCOORD0 on, and the IDs as TEXCOORD1.
func (s *shape) vertexShader() *ir.Program {
	vs := &ir.Program{Name: "shape", Interface: ir.Interface{Stage: ir.Vertex,
		Inputs: []ir.Element{{Semantic: "POSITION", Mask: 15}, {Semantic: "TEXCOORD", Mask: 15}, {Semantic: "OFFSET", Mask: 15},
			{System: ir.VertexID, Mask: 1}, {System: ir.InstanceID, Mask: 1}},
		Outputs: []ir.Element{{Semantic: "POSITION", Mask: 15, System: ir.ClipPosition}, {Semantic: "TEXCOORD", Mask: 15}, {Semantic: "TEXCOORD", Index: 1, Mask: 15}}}}
	b := ir.NewBuilder("main", ir.C32s(20), nil)
	p := b.Func.Params
	out := []ir.Reg{b.Emit(ir.FAdd, 0, p[0], p[8]), b.Emit(ir.FAdd, 0, p[1], p[9]), p[2], p[3], p[4], p[5], p[6], p[7], p[12], p[16], p[12], p[16]}
	if s.system != ir.NoSystem {
		vs.Interface.Outputs = append(vs.Interface.Outputs, ir.Element{Mask: 1, System: s.system})
		out = append(out, p[4], p[4], p[4], p[4])
	}
	b.Func.Results = ir.C32s(len(out))
	vs.Funcs = []*ir.Func{b.Finish(out...)}
	return vs
}

// shown are the inputs that a case can show, four components each.
var shown = map[string]ir.Element{
	"perspective":    {Semantic: "TEXCOORD", Mask: 15},
	"linear":         {Semantic: "TEXCOORD", Mask: 15, Interp: ir.NoPerspective},
	"flat":           {Semantic: "TEXCOORD", Mask: 15, Interp: ir.Flat},
	"centroid":       {Semantic: "TEXCOORD", Mask: 15, Interp: ir.Centroid},
	"samples":        {Semantic: "TEXCOORD", Mask: 15, Interp: ir.PerSample},
	"ids":            {Semantic: "TEXCOORD", Index: 1, Mask: 15, Interp: ir.Flat},
	"position":       {System: ir.PixelPos, Mask: 15},
	"face":           {System: ir.Face, Mask: 1},
	"sampleindex":    {System: ir.SampleIndex, Mask: 1},
	"coverage":       {System: ir.Coverage, Mask: 1},
	"primitive":      {System: ir.PrimitiveID, Mask: 1},
	"unwritten":      {Semantic: "NOTHING", Mask: 15},
	"unwrittencolor": {Semantic: "COLOR", Mask: 15},
}

func (s *shape) pixelShader() *ir.Program {
	if n, ok := strings.CutPrefix(s.show, "keep"); ok { // white where the mask says
		mask, _ := strconv.Atoi(n)
		p := pixelShader(nil, func(b *ir.Builder, _ []ir.Reg) []ir.Reg {
			return []ir.Reg{b.F(1), b.F(1), b.F(1), b.F(1), b.U(uint32(mask))}
		})
		p.Interface.Outputs[1] = ir.Element{Register: "oMask", Mask: 1, System: ir.Coverage}
		return p
	}
	e, ok := shown[s.show]
	if !ok {
		panic(fmt.Sprintf("no input %q to show", s.show))
	}
	return pixelShader([]ir.Element{e}, showColour)
}

// rowsLine checks pixels from the left top on, a word for each row: a full stop is the cleared target, a
// digit the value of the lowest byte, a question mark anything, the same letter the same word, which is
// not that of another letter or of the cleared target.
func (c *conformer) rowsLine(w *words) {
	c.draw()
	c.checked = true
	name := w.next()
	t := c.target(name)
	clear := t.target.Format.Pack(t.clear)
	letters := map[byte]uint32{}
	rows := w.rest()
	for y, row := range rows {
		for x := range len(row) {
			got := c.r.Texel(t.target, x, y, 0)[0]
			bad := false
			switch ch := row[x]; {
			case ch == '?':
			case ch == '.':
				bad = got != clear[0]
			case ch >= '0' && ch <= '9':
				bad = got&0xFF != uint32(ch-'0')
			default:
				known, ok := letters[ch]
				if !ok {
					for other, word := range letters {
						bad = bad || word == got && other != ch
					}
					letters[ch] = got
					known = got
				}
				bad = bad || got != known || got == clear[0]
			}
			if bad {
				c.t.Errorf("line %d: %s at (%d, %d) is %08X, want %q:\n%s", c.line, name, x, y, got, row[x], c.picture(t.target, clear[0], len(rows)))
				return
			}
		}
	}
}

// picture draws what is there as rowsLine reads it, with the lowest byte in place of letters.
func (c *conformer) picture(t *Target, clear uint32, rows int) string {
	var b strings.Builder
	for y := range min(rows, t.Height) {
		for x := range t.Width {
			if got := c.r.Texel(t, x, y, 0)[0]; got == clear {
				b.WriteString(" .")
			} else {
				fmt.Fprintf(&b, "%02X", got&0xFF)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}
