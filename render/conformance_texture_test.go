package render

import (
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strings"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// Cases of textures read one without drawing:
//
//	texture 2darray rgba8 4 4 2      dimension, format, width, height, depth or layers
//	api d3d9                         whose conventions hold; for textures d3d10 when it is not said
//	level 000000FF FF0000FF          bytes of the next level, as a file holds them
//	values 0 0.5 1                   or its singles
//	sampler min=bilinear u=clamp     what is not said is the zero value of ir.SamplerState
//	sample implicit 0.5 0.25 0 -> 1 0 0 1
//	sample level layer compare offset=-1,2,0 0.5 0.25 0 1 0.75 0 -> 1 1 1 1
//	fetch gather component=y 0.5 0.5 0 -> 0 1 2 3
//	measures 0 -> 4 4 2 1            of a level: width, height, depth or layers; the number of levels
//
// Operands are those of ir.SampleSite. Four lanes of a quad have operands and results apart, by |.
func init() {
	directives["texture"] = func(c *conformer, w *words) {
		m := &Image{Dim: ir.Dim(w.of(dims))}
		f, ok := FormatByName(w.next())
		if !ok {
			c.fatalf("no format of that name")
		}
		m.Format, m.Width, m.Height = f, w.int(), w.int()
		if w.more() {
			n := w.int()
			if m.Dim.Array() {
				m.Layers = n
			} else {
				m.Depth = n
			}
		}
		c.image, c.sampler = m, ir.SamplerState{}
	}
	directives["level"] = func(c *conformer, w *words) {
		data, err := hex.DecodeString(strings.Join(w.rest(), ""))
		if err != nil {
			c.fatalf("%v", err)
		}
		c.image.Levels = append(c.image.Levels, data)
	}
	directives["values"] = func(c *conformer, w *words) {
		var data []byte
		for w.more() {
			data = binary.LittleEndian.AppendUint32(data, w.number())
		}
		c.image.Levels = append(c.image.Levels, data)
	}
	directives["sampler"] = func(c *conformer, w *words) {
		c.sampler = ir.SamplerState{}
		for w.more() {
			key, value, _ := strings.Cut(w.next(), "=")
			set, ok := samplerKeys[key]
			if !ok {
				c.fatalf("no state %q of a sampler", key)
			}
			set(&c.sampler, &words{c: c, list: strings.Split(value, ",")})
		}
	}
	directives["sample"] = func(c *conformer, w *words) { c.sampleLine(ir.Sample, w) }
	directives["measures"] = func(c *conformer, w *words) { // level -> width height depth levels
		c.checked = true
		level := uint32(w.int())
		w.next()
		got := c.read(1, [][]uint32{{level}}, func(b *ir.Builder, args []ir.Reg) []ir.Reg {
			size := b.TextureSize(0, c.image.Dim, args[0])
			return size[:]
		})[0]
		if want := [4]uint32{uint32(w.int()), uint32(w.int()), uint32(w.int()), uint32(w.int())}; got != want {
			c.t.Errorf("line %d: %d, want %d", c.line, got, want)
		}
	}
	directives["fetch"] = func(c *conformer, w *words) { c.sampleLine(ir.Fetch, w) }
}

var (
	dims        = []string{"2d", "cube", "3d", "1d", "2darray", "cubearray", "1darray"}
	filters     = []string{"nearest", "bilinear"}
	mipFilters  = []string{"none", "nearest", "linear"}
	addresses   = []string{"wrap", "clamp", "mirror", "border", "mirroronce"}
	sampleKinds = []string{"implicit", "bias", "level", "grad", "lod", "texel", "gather", "gatheroffset"}
	components  = []string{"x", "y", "z", "w"}
)

var samplerKeys = map[string]func(*ir.SamplerState, *words){
	"filter": func(s *ir.SamplerState, w *words) { s.Min = ir.Filter(w.of(filters)); s.Mag = s.Min },
	"min":    func(s *ir.SamplerState, w *words) { s.Min = ir.Filter(w.of(filters)) },
	"mag":    func(s *ir.SamplerState, w *words) { s.Mag = ir.Filter(w.of(filters)) },
	"mip":    func(s *ir.SamplerState, w *words) { s.Mip = ir.MipFilter(w.of(mipFilters)) },
	"address": func(s *ir.SamplerState, w *words) {
		s.U = ir.Address(w.of(addresses))
		s.V, s.W = s.U, s.U
	},
	"u":        func(s *ir.SamplerState, w *words) { s.U = ir.Address(w.of(addresses)) },
	"v":        func(s *ir.SamplerState, w *words) { s.V = ir.Address(w.of(addresses)) },
	"w":        func(s *ir.SamplerState, w *words) { s.W = ir.Address(w.of(addresses)) },
	"border":   func(s *ir.SamplerState, w *words) { s.Border = w.vec() },
	"bias":     func(s *ir.SamplerState, w *words) { s.LODBias = w.float() },
	"range":    func(s *ir.SamplerState, w *words) { s.LODRange, s.MinLOD, s.MaxLOD = true, w.float(), w.float() },
	"aniso":    func(s *ir.SamplerState, w *words) { s.Aniso = uint8(w.int()) },
	"seamless": func(s *ir.SamplerState, w *words) { w.rest(); s.Seamless = true },
	"comparez": func(s *ir.SamplerState, w *words) { w.rest(); s.CompareZ = true },
	"compare":  func(s *ir.SamplerState, w *words) { s.Compare = ir.Comparison(w.of(FuncNames)) },
}

// sampleLine runs one read and compares what it gives.
func (c *conformer) sampleLine(op ir.Op, w *words) {
	c.checked = true
	site := ir.SampleSite{Kind: ir.SampleKind(w.of(sampleKinds))}
options:
	for {
		key, value, _ := strings.Cut(w.list[0], "=")
		v := &words{c: c, list: strings.Split(value, ",")}
		switch key {
		case "layer":
			site.Layer = true
		case "compare":
			site.Compare = true
		case "offset":
			for i := range site.Offset {
				site.Offset[i] = int8(v.int())
			}
		case "component":
			site.Component = uint8(v.of(components))
		default:
			break options
		}
		w.next()
	}
	at := slices.Index(w.list, "->")
	if at < 0 {
		c.fatalf("a result is missing")
	}
	lanes := func(list []string, read func(*words) uint32) (out [][]uint32) {
		for lane := range strings.SplitSeq(strings.Join(list, " "), "|") {
			l := &words{c: c, list: strings.Fields(lane)}
			var v []uint32
			for l.more() {
				v = append(v, read(l))
			}
			out = append(out, v)
		}
		return out
	}
	operand := (*words).number
	if site.Kind == ir.FetchTexel {
		operand = func(w *words) uint32 { return uint32(w.int()) }
	}
	operands, wants := lanes(w.list[:at], operand), lanes(w.list[at+1:], (*words).number)
	got := c.read(site.Operands(), operands, func(b *ir.Builder, args []ir.Reg) []ir.Reg { return b.EmitN(op, site.Imm(), args...) })
	for i, want := range wants {
		if len(want) == 0 || len(want) > 4 {
			c.fatalf("a result has up to four words")
		}
		if !slices.Equal(got[i][:len(want)], want) {
			c.t.Errorf("line %d: lane %d gives %08X %v, want %08X", c.line, i, got[i], Vec(got[i]).Floats(), want)
		}
	}
}

// read runs a program that reads the texture, resource 0, by n operands in the lanes of a quad.
func (c *conformer) read(n int, operands [][]uint32, emit func(*ir.Builder, []ir.Reg) []ir.Reg) (out [4][4]uint32) {
	if c.image == nil {
		c.fatalf("there is no texture")
	}
	b := ir.NewBuilder("main", nil, nil)
	item, in, to := b.Emit(ir.Item, 0), b.Emit(ir.Res, 1), b.Emit(ir.Res, 2)
	args := make([]ir.Reg, n)
	for i := range args {
		args[i] = b.Emit(ir.Load, 0, in, b.Emit(ir.IAdd, 0, b.Emit(ir.IMul, 0, item, b.U(uint32(4*n))), b.U(uint32(4*i))))
	}
	for i, r := range emit(b, args) {
		b.Emit(ir.Store, 0, to, b.Emit(ir.IAdd, 0, b.Emit(ir.Shl, 0, item, b.U(4)), b.U(uint32(4*i))), r)
	}
	state := c.sampler
	conv := c.api // textures follow Direct3D 10 and later where nothing is said
	if conv == nil {
		conv = &D3D10
	}
	c.image.format().sampled(&state, conv)
	state.Dim, state.Bound = c.image.Dim, true
	p := &ir.Program{Kind: ir.Linear, Funcs: []*ir.Func{b.Finish()}, Samplers: []ir.SamplerState{state},
		Interface: ir.Interface{Resources: []ir.Resource{{Name: "t", Kind: ir.Texture, Dim: state.Dim}, {Name: "in", Kind: ir.Buffer}, {Name: "out", Kind: ir.Buffer}}}}
	p, err := prepare(p, false)
	if err != nil {
		c.fatalf("%v", err)
	}
	k, err := c.r.cache.engine.Compile(p)
	if err != nil {
		c.fatalf("%v", err)
	}
	defer k.Close()
	var a exec.Arena
	desc := a.Alloc(exec.JobRecords + 3*exec.RecordWords)
	record, err := c.image.put(&a, state.Mip != ir.MipNone)
	if err != nil {
		c.fatalf("%v", err)
	}
	from, result := a.Alloc(4*n), a.Alloc(16)
	a.SetRecord(desc, 0, record)
	a.SetRecord(desc, 1, buffer(from, 4*n, 4))
	a.SetRecord(desc, 2, buffer(result, 16, 4))
	for i := range 4 {
		lane := operands[min(i, len(operands)-1)]
		if len(lane) != n {
			c.fatalf("%d operands, want %d", len(lane), n)
		}
		copy(a.Words(from+uint32(4*n*i), n), lane)
	}
	a.Words(desc, 1)[exec.JobCount] = 4
	k.Run(&a, desc, exec.Options{})
	for i := range out {
		out[i] = [4]uint32(a.Words(result+uint32(16*i), 4))
	}
	return out
}
