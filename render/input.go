package render

import (
	"fmt"
	"slices"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// An Input is what a draw's vertices are read from, and how they make primitives. Like a Mesh it is
// known by its address and must not change once it is used.
type Input struct {
	Topology Topology
	Elements []InputElement
	Streams  []Stream
	Indices  []uint32 // nil: the vertices one after the other

	Restart bool   // index Cut begins a new strip, in whatever topology
	Cut     uint32 // the greatest index of the index format: 0xFFFF or 0xFFFFFFFF

	First         uint32 // first index; without indices first vertex
	Count         int    // of indices, or without them of vertices, for each instance; 0: all indices
	Base          int32  // added to every index before vertices are read; not seen by VertexID
	Instances     int    // 0 stands for 1
	FirstInstance uint32 // where per-instance streams begin; not seen by InstanceID
}

// A Topology is how vertices make primitives.
type Topology uint8

const (
	TriangleList Topology = iota
	TriangleStrip
	TriangleFan
	LineList
	LineStrip
	PointList
)

// TopologyNames are the topologies as scene files spell them.
var TopologyNames = []string{"trianglelist", "trianglestrip", "trianglefan", "linelist", "linestrip", "pointlist"}

// corners gives the number of vertices of a primitive.
func (t Topology) corners() int {
	switch t {
	case LineList, LineStrip:
		return 2
	case PointList:
		return 1
	}
	return 3
}

// A Buffer is bytes that vertices are read from.
type Buffer struct{ Data []byte }

// put lays the bytes into an arena, in words.
func (b *Buffer) put(a *exec.Arena) uint32 {
	at := a.Alloc((len(b.Data) + 3) / 4)
	words := a.Words(at, (len(b.Data)+3)/4)
	for i, v := range b.Data {
		words[i/4] |= uint32(v) << (8 * (i & 3))
	}
	return at
}

// A Stream is where elements lie: at Offset + Stride times the number of the vertex, or of the instance.
type Stream struct {
	Buffer      *Buffer
	Offset      uint32 // bytes
	Stride      uint32 // bytes
	PerInstance bool
	Step        uint32 // instances that get the same; 0: all of them
}

// An InputElement is one attribute of a vertex.
type InputElement struct {
	Semantic string // upper case
	Index    int
	Stream   int
	Offset   uint32 // bytes
	Format   VertexFormat
}

// A Kind is how the bits of a component of a vertex become a register's.
type Kind uint8

const (
	Float   Kind = iota // 32 bits as they are, 16 as half precision
	Unorm               // 0 to 1
	Snorm               // -1 to 1; the least value is -1 too
	Uint                // an integer
	Sint                // an integer with sign
	Uscaled             // the value of an integer as float
	Sscaled             //
)

// A VertexFormat is how an element lies in memory.
type VertexFormat struct {
	Kind  Kind
	Bits  uint8 // of a component: 8, 16, 32; 10: three of 10 bits and one of 2 in a word, the first lowest
	Comps uint8 // 1 to 4; of 10 bits 3 or 4
	BGRA  bool  // bytes in the order blue, green, red, alpha: D3DCOLOR
}

var kindNames = []string{"float", "unorm", "snorm", "uint", "sint", "uscaled", "sscaled"}

// String gives the name: float32x3, unorm8x4, snorm10x4, bgra8.
func (f VertexFormat) String() string {
	if f.BGRA {
		return "bgra8"
	}
	return fmt.Sprintf("%s%dx%d", kindNames[f.Kind], f.Bits, f.Comps)
}

// VertexFormats are all formats.
var VertexFormats = func() (all []VertexFormat) {
	for n := uint8(1); n <= 4; n++ {
		all = append(all, VertexFormat{Kind: Float, Bits: 32, Comps: n}, VertexFormat{Kind: Float, Bits: 16, Comps: n})
		for k := Unorm; k <= Sscaled; k++ {
			for _, bits := range []uint8{8, 16, 32} {
				all = append(all, VertexFormat{Kind: k, Bits: bits, Comps: n})
			}
			if n >= 3 {
				all = append(all, VertexFormat{Kind: k, Bits: 10, Comps: n})
			}
		}
	}
	return append(all, VertexFormat{Kind: Unorm, Bits: 8, Comps: 4, BGRA: true})
}()

// VertexFormatByName gives the format of a name.
func VertexFormatByName(name string) (VertexFormat, bool) {
	i := slices.IndexFunc(VertexFormats, func(f VertexFormat) bool { return f.String() == name })
	if i < 0 {
		return VertexFormat{}, false
	}
	return VertexFormats[i], true
}

// unit gives the bytes that a component takes, or the word of 10-10-10-2.
func (f VertexFormat) unit() uint32 {
	if f.Bits == 10 {
		return 4
	}
	return uint32(f.Bits / 8)
}

// check finds what is wrong with an input.
func (in *Input) check() error {
	if int(in.Topology) >= len(TopologyNames) {
		return errorf("bad-topology", "topology %d", in.Topology)
	}
	if in.Count < 0 || in.Instances < 0 || int64(max(in.Count, 1))*int64(max(in.Instances, 1)) > 1<<26 {
		return errorf("bad-count", "%d vertices, %d instances", in.Count, in.Instances)
	}
	if n := uint64(len(in.Indices)); in.Indices != nil && uint64(in.First)+uint64(in.Count) > n {
		return errorf("bad-count", "indices %d to %d of %d", in.First, uint64(in.First)+uint64(in.Count), n)
	}
	if len(in.Streams) > maxStreams {
		return errorf("too-many-streams", "%d streams, allowed are %d", len(in.Streams), maxStreams)
	}
	for i := range in.Streams {
		if in.Streams[i].Buffer == nil {
			return errorf("no-buffer", "stream %d has no buffer", i)
		}
	}
	for i := range in.Elements {
		e := &in.Elements[i]
		if !slices.Contains(VertexFormats, e.Format) {
			return errorf("bad-format", "element %d has the format %+v", i, e.Format)
		}
		if e.Stream < 0 || e.Stream >= len(in.Streams) {
			return errorf("no-stream", "element %d is of stream %d of %d", i, e.Stream, len(in.Streams))
		}
		// 11.3 4.4.6: components lie at multiples of their size.
		if s, unit := &in.Streams[e.Stream], e.Format.unit(); (e.Offset|s.Offset|s.Stride)%unit != 0 {
			return errorf("bad-alignment", "element %d, %s, at %d + %d of a stride of %d: want multiples of %d", i, e.Format, s.Offset, e.Offset, s.Stride, unit)
		}
	}
	return nil
}

// maxStreams is the number of streams of an input.
const maxStreams = 16

// element gives the number of the element for a shader's input, or -1.
func (in *Input) element(semantic string, index int) int {
	return slices.IndexFunc(in.Elements, func(e InputElement) bool { return e.Semantic == semantic && e.Index == index })
}

// A fetcher writes the reading of vertices.
type fetcher struct {
	*wrapper
	in       *Input
	id       ir.Reg // VertexID
	instance ir.Reg // InstanceID
	at       []ir.Reg
}

// Words of a vertex job that render defines.
const (
	jobVertices = 2 + iota // items of an instance
	jobID                  // added to an item's number for its VertexID
	jobBase                // added to a VertexID to read vertices
	jobInstance            // added to an InstanceID to read instances
)

// fetch begins the reading of an item. ids is the record of a list of the items' VertexIDs, or NoReg
// where they follow one another.
func (w *wrapper) fetch(in *Input, ids ir.Reg) *fetcher {
	b := w.b
	f := &fetcher{wrapper: w, in: in, at: make([]ir.Reg, len(in.Streams))}
	for i := range f.at {
		f.at[i] = ir.NoReg
	}
	item := b.Emit(ir.Item, 0)
	f.instance = b.U(0)
	if in.Instances > 1 {
		n := b.Emit(ir.Desc, jobVertices)
		f.instance = b.Emit(ir.UDiv, 0, item, n)
		item = b.Emit(ir.URem, 0, item, n)
	}
	if ids == ir.NoReg {
		f.id = b.Emit(ir.IAdd, 0, item, b.Emit(ir.Desc, jobID))
	} else {
		f.id = b.Emit(ir.Load, 0, ids, b.Emit(ir.Shl, 0, item, b.U(2)))
	}
	return f
}

// place gives the byte offset of a stream's data for the item.
func (f *fetcher) place(stream int) ir.Reg {
	if f.at[stream] != ir.NoReg {
		return f.at[stream]
	}
	b, s := f.b, &f.in.Streams[stream]
	var n ir.Reg
	switch {
	case !s.PerInstance:
		n = b.Emit(ir.IAdd, 0, f.id, b.Emit(ir.Desc, jobBase))
	case s.Step == 0:
		n = b.Emit(ir.Desc, jobInstance)
	default:
		n = f.instance
		if s.Step > 1 {
			n = b.Emit(ir.UDiv, 0, n, b.U(s.Step))
		}
		n = b.Emit(ir.IAdd, 0, n, b.Emit(ir.Desc, jobInstance))
	}
	f.at[stream] = b.Emit(ir.IAdd, 0, b.Emit(ir.IMul, 0, n, b.U(s.Stride)), b.U(s.Offset))
	return f.at[stream]
}

// element gives the four registers of an element.
func (f *fetcher) element(e *InputElement) (out []ir.Reg) {
	b := f.b
	s := &f.in.Streams[e.Stream]
	place := f.place(e.Stream)
	aligned := (s.Stride|s.Offset)%4 == 0
	words := map[uint32]ir.Reg{}
	// component gives the bits of component k, low ones first, and how many bits lie above them.
	component := func(k, bits uint32) (word ir.Reg, shift ir.Reg) {
		at := e.Offset + k*bits/8
		if aligned {
			if _, ok := words[at&^3]; !ok {
				words[at&^3] = b.Emit(ir.Load, 0, f.res[e.Stream], b.Emit(ir.IAdd, 0, place, b.U(at&^3)))
			}
			return words[at&^3], b.U(8 * (at & 3))
		}
		addr := b.Emit(ir.IAdd, 0, place, b.U(at))
		word = b.Emit(ir.Load, 0, f.res[e.Stream], b.Emit(ir.And, 0, addr, b.U(^uint32(3))))
		return word, b.Emit(ir.Shl, 0, b.Emit(ir.And, 0, addr, b.U(3)), b.U(3))
	}
	for k := range uint32(4) {
		if k >= uint32(e.Format.Comps) {
			out = append(out, f.missing(e.Format.Kind, k))
			continue
		}
		bits := uint32(e.Format.Bits)
		var word, shift ir.Reg
		switch {
		case bits == 10:
			word, _ = component(0, 32)
			shift = b.U(10 * k)
			if k == 3 {
				bits = 2
			}
		case e.Format.BGRA && k < 3:
			word, shift = component(2-k, bits)
		default:
			word, shift = component(k, bits)
		}
		out = append(out, f.value(e.Format.Kind, word, shift, bits))
	}
	return out
}

// missing gives component k where a format has none: 0, 0, 0, 1 (11.3 19.1.3.3).
func (f *fetcher) missing(kind Kind, k uint32) ir.Reg {
	switch {
	case k < 3:
		return f.b.U(0)
	case kind == Uint || kind == Sint:
		return f.b.U(1)
	}
	return f.b.F(1)
}

// value converts the bits of a word from shift on (11.3 3.2.3).
func (f *fetcher) value(kind Kind, word, shift ir.Reg, bits uint32) ir.Reg {
	b := f.b
	signed := kind == Snorm || kind == Sint || kind == Sscaled
	if bits < 32 {
		if signed { // the sign bit to the top, and down again
			up := b.Emit(ir.ISub, 0, b.U(32-bits), shift)
			word = b.Emit(ir.ShrS, 0, b.Emit(ir.Shl, 0, word, up), b.U(32-bits))
		} else {
			word = b.Emit(ir.And, 0, b.Emit(ir.ShrU, 0, word, shift), b.U(1<<bits-1))
		}
	}
	switch kind {
	case Float:
		if bits == 16 {
			return f.half(word)
		}
	case Unorm:
		return b.Emit(ir.FDiv, 0, b.Emit(ir.U2F, 0, word), b.F(float32(uint64(1)<<bits-1)))
	case Snorm:
		return b.Emit(ir.FMax, 0, b.F(-1), b.Emit(ir.FDiv, 0, b.Emit(ir.I2F, 0, word), b.F(float32(uint64(1)<<(bits-1)-1))))
	case Uscaled:
		return b.Emit(ir.U2F, 0, word)
	case Sscaled:
		return b.Emit(ir.I2F, 0, word)
	}
	return word
}

// half gives the float of a half precision number in the low 16 bits; the others are 0.
func (f *fetcher) half(h ir.Reg) ir.Reg {
	b := f.b
	magnitude := b.Emit(ir.And, 0, h, b.U(0x7FFF))
	sign := b.Emit(ir.Shl, 0, b.Emit(ir.And, 0, h, b.U(0x8000)), b.U(16))
	const bias = (127 - 15) << 23
	normal := b.Emit(ir.IAdd, 0, b.Emit(ir.Shl, 0, magnitude, b.U(13)), b.U(bias))
	special := b.Emit(ir.IAdd, 0, normal, b.U(bias)) // infinities and NaNs
	denormal := b.Emit(ir.FMul, 0, b.Emit(ir.U2F, 0, magnitude), b.F(1.0/(1<<24)))
	v := b.Emit(ir.Sel, 0, b.Emit(ir.ULt, 0, b.U(0x7BFF), magnitude), special, normal)
	v = b.Emit(ir.Sel, 0, b.Emit(ir.ULt, 0, magnitude, b.U(0x400)), denormal, v)
	return b.Emit(ir.Or, 0, v, sign)
}
