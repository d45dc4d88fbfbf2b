package render

import "math"

// A Format is how a pixel lies in a target, or a texel in a texture.
type Format uint8

// Formats by their channels from the lowest bit on. Channels are unsigned normalised where the name says
// nothing else.
const (
	NoFormat Format = iota
	R8
	RG8
	RGBA8
	BGRA8
	R16
	RG16
	RGBA16
	RGB10A2
	B5G6R5
	BGR5A1
	RGBA8SRGB
	BGRA8SRGB
	R8SNorm
	RG8SNorm
	RGBA8SNorm
	R16SNorm
	RG16SNorm
	RGBA16SNorm
	R8UInt
	RG8UInt
	RGBA8UInt
	R16UInt
	RG16UInt
	RGBA16UInt
	R32UInt
	RG32UInt
	RGBA32UInt
	RGB10A2UInt
	R8SInt
	RG8SInt
	RGBA8SInt
	R16SInt
	RG16SInt
	RGBA16SInt
	R32SInt
	RG32SInt
	RGBA32SInt
	R11G11B10F
	R16F
	RG16F
	RGBA16F
	R32F
	RG32F
	RGBA32F
	D16
	D24S8  // stencil in the highest byte
	D32F   // a single
	D32FS8 // and stencil in a word behind it

	// Of textures alone.
	A8
	BGRA4
	RGB9E5 // three fractions of 9 bits, an exponent of 5
	BC1
	BC1SRGB
	BC2
	BC2SRGB
	BC3
	BC3SRGB
	BC4
	BC4SNorm
	BC5
	BC5SNorm
	BC6H
	BC6HSigned
	BC7
	BC7SRGB
	numFormats
)

// A kind is how a channel's bits are a number.
type kind uint8

const (
	unorm kind = iota
	snorm
	uinteger
	sinteger
	float
	srgb // the alpha of such a format is unorm
)

// A channel is a field of a pixel.
type channel struct {
	comp uint8 // of the colour: 0 is red
	bits uint8
}

// A formatRow is what there is to know about a format. A pixel takes whole words; no channel lies in two.
type formatRow struct {
	name     string
	kind     kind
	channels []channel // from the lowest bit of the first word on
	depth    bool      // a depth format: the first channel is the depth, another the stencil
	sibling  Format    // the same bits as sRGB, or NoFormat

	block    int  // bytes of a block of 4x4 texels, for what is compressed
	comps    int  // its components; derived for the others
	textures bool // no target has it

	words int // of a pixel; derived
	bytes int // of a texel in a file; derived
}

// channels of equal size, by their letters.
func each(bits uint8, letters string) (c []channel) {
	for _, l := range letters {
		c = append(c, channel{map[rune]uint8{'r': 0, 'g': 1, 'b': 2, 'a': 3}[l], bits})
	}
	return
}

var formats = derive([numFormats]formatRow{
	NoFormat:    {name: "none"},
	R8:          {name: "r8", channels: each(8, "r")},
	RG8:         {name: "rg8", channels: each(8, "rg")},
	RGBA8:       {name: "rgba8", channels: each(8, "rgba"), sibling: RGBA8SRGB},
	BGRA8:       {name: "bgra8", channels: each(8, "bgra"), sibling: BGRA8SRGB},
	R16:         {name: "r16", channels: each(16, "r")},
	RG16:        {name: "rg16", channels: each(16, "rg")},
	RGBA16:      {name: "rgba16", channels: each(16, "rgba")},
	RGB10A2:     {name: "rgb10a2", channels: []channel{{0, 10}, {1, 10}, {2, 10}, {3, 2}}},
	B5G6R5:      {name: "b5g6r5", channels: []channel{{2, 5}, {1, 6}, {0, 5}}},
	BGR5A1:      {name: "bgr5a1", channels: []channel{{2, 5}, {1, 5}, {0, 5}, {3, 1}}},
	RGBA8SRGB:   {name: "rgba8srgb", kind: srgb, channels: each(8, "rgba")},
	BGRA8SRGB:   {name: "bgra8srgb", kind: srgb, channels: each(8, "bgra")},
	R8SNorm:     {name: "r8snorm", kind: snorm, channels: each(8, "r")},
	RG8SNorm:    {name: "rg8snorm", kind: snorm, channels: each(8, "rg")},
	RGBA8SNorm:  {name: "rgba8snorm", kind: snorm, channels: each(8, "rgba")},
	R16SNorm:    {name: "r16snorm", kind: snorm, channels: each(16, "r")},
	RG16SNorm:   {name: "rg16snorm", kind: snorm, channels: each(16, "rg")},
	RGBA16SNorm: {name: "rgba16snorm", kind: snorm, channels: each(16, "rgba")},
	R8UInt:      {name: "r8uint", kind: uinteger, channels: each(8, "r")},
	RG8UInt:     {name: "rg8uint", kind: uinteger, channels: each(8, "rg")},
	RGBA8UInt:   {name: "rgba8uint", kind: uinteger, channels: each(8, "rgba")},
	R16UInt:     {name: "r16uint", kind: uinteger, channels: each(16, "r")},
	RG16UInt:    {name: "rg16uint", kind: uinteger, channels: each(16, "rg")},
	RGBA16UInt:  {name: "rgba16uint", kind: uinteger, channels: each(16, "rgba")},
	R32UInt:     {name: "r32uint", kind: uinteger, channels: each(32, "r")},
	RG32UInt:    {name: "rg32uint", kind: uinteger, channels: each(32, "rg")},
	RGBA32UInt:  {name: "rgba32uint", kind: uinteger, channels: each(32, "rgba")},
	RGB10A2UInt: {name: "rgb10a2uint", kind: uinteger, channels: []channel{{0, 10}, {1, 10}, {2, 10}, {3, 2}}},
	R8SInt:      {name: "r8sint", kind: sinteger, channels: each(8, "r")},
	RG8SInt:     {name: "rg8sint", kind: sinteger, channels: each(8, "rg")},
	RGBA8SInt:   {name: "rgba8sint", kind: sinteger, channels: each(8, "rgba")},
	R16SInt:     {name: "r16sint", kind: sinteger, channels: each(16, "r")},
	RG16SInt:    {name: "rg16sint", kind: sinteger, channels: each(16, "rg")},
	RGBA16SInt:  {name: "rgba16sint", kind: sinteger, channels: each(16, "rgba")},
	R32SInt:     {name: "r32sint", kind: sinteger, channels: each(32, "r")},
	RG32SInt:    {name: "rg32sint", kind: sinteger, channels: each(32, "rg")},
	RGBA32SInt:  {name: "rgba32sint", kind: sinteger, channels: each(32, "rgba")},
	R11G11B10F:  {name: "r11g11b10f", kind: float, channels: []channel{{0, 11}, {1, 11}, {2, 10}}},
	R16F:        {name: "r16f", kind: float, channels: each(16, "r")},
	RG16F:       {name: "rg16f", kind: float, channels: each(16, "rg")},
	RGBA16F:     {name: "rgba16f", kind: float, channels: each(16, "rgba")},
	R32F:        {name: "r32f", kind: float, channels: each(32, "r")},
	RG32F:       {name: "rg32f", kind: float, channels: each(32, "rg")},
	RGBA32F:     {name: "rgba32f", kind: float, channels: each(32, "rgba")},
	D16:         {name: "d16", depth: true, channels: []channel{{0, 16}}},
	D24S8:       {name: "d24s8", depth: true, channels: []channel{{0, 24}, {1, 8}}},
	D32F:        {name: "d32f", kind: float, depth: true, channels: []channel{{0, 32}}},
	D32FS8:      {name: "d32fs8", kind: float, depth: true, channels: []channel{{0, 32}, {1, 8}}},

	A8:         {name: "a8", textures: true, channels: []channel{{3, 8}}},
	BGRA4:      {name: "bgra4", textures: true, channels: []channel{{2, 4}, {1, 4}, {0, 4}, {3, 4}}},
	RGB9E5:     {name: "rgb9e5", kind: float, textures: true, comps: 3, bytes: 4},
	BC1:        {name: "bc1", block: 8, comps: 4, sibling: BC1SRGB},
	BC1SRGB:    {name: "bc1srgb", kind: srgb, block: 8, comps: 4},
	BC2:        {name: "bc2", block: 16, comps: 4, sibling: BC2SRGB},
	BC2SRGB:    {name: "bc2srgb", kind: srgb, block: 16, comps: 4},
	BC3:        {name: "bc3", block: 16, comps: 4, sibling: BC3SRGB},
	BC3SRGB:    {name: "bc3srgb", kind: srgb, block: 16, comps: 4},
	BC4:        {name: "bc4", block: 8, comps: 1},
	BC4SNorm:   {name: "bc4snorm", kind: snorm, block: 8, comps: 1},
	BC5:        {name: "bc5", block: 16, comps: 2},
	BC5SNorm:   {name: "bc5snorm", kind: snorm, block: 16, comps: 2},
	BC6H:       {name: "bc6h", kind: float, block: 16, comps: 3},
	BC6HSigned: {name: "bc6hsigned", kind: float, block: 16, comps: 3},
	BC7:        {name: "bc7", block: 16, comps: 4, sibling: BC7SRGB},
	BC7SRGB:    {name: "bc7srgb", kind: srgb, block: 16, comps: 4},
})

func derive(rows [numFormats]formatRow) [numFormats]formatRow {
	for i := range rows {
		bits := 0
		for _, c := range rows[i].channels {
			bits += int(c.bits)
		}
		if rows[i].words = (bits + 31) / 32; rows[i].textures {
			rows[i].words = 0
		}
		if bits > 0 {
			rows[i].bytes, rows[i].comps = bits/8, len(rows[i].channels)
		}
	}
	return rows
}

func (f Format) row() *formatRow {
	if f < numFormats {
		return &formats[f]
	}
	return &formats[NoFormat]
}

func (f Format) String() string { return f.row().name }

// FormatByName gives the format of a name.
func FormatByName(name string) (Format, bool) {
	for f := range numFormats {
		if f != NoFormat && formats[f].name == name {
			return f, true
		}
	}
	return NoFormat, false
}

// TargetFormatNames gives the names of the formats that targets may have.
func TargetFormatNames() (names []string) {
	for f := range numFormats {
		if row := f.row(); row.words > 0 {
			names = append(names, row.name)
		}
	}
	return names
}

// ClearValue gives the bits that a shader gives for a colour: floats, for integer formats the nearest
// integers of 32 bits.
func (f Format) ClearValue(c [4]float64) (v Vec) {
	for i, x := range c {
		switch f.row().kind {
		case uinteger:
			v[i] = uint32(min(max(x, 0), math.MaxUint32))
		case sinteger:
			v[i] = uint32(int32(min(max(x, math.MinInt32), math.MaxInt32)))
		default:
			v[i] = math.Float32bits(float32(x))
		}
	}
	return v
}

// DepthOf gives the depth of a stored word of a depth format, 0 to 1.
func (f Format) DepthOf(word uint32) float64 {
	switch f {
	case D16:
		return float64(word&0xFFFF) / 0xFFFF
	case D24S8:
		return float64(word&0xFFFFFF) / 0xFFFFFF
	}
	return float64(math.Float32frombits(word))
}

// Words gives how many words a pixel of a target takes.
func (f Format) Words() int { return f.row().words }

// IsDepth reports whether f is a format of depth buffers.
func (f Format) IsDepth() bool { return f.row().depth }

// kindOf gives how the bits of a channel are a number.
func (r *formatRow) kindOf(c channel) kind {
	if r.kind == srgb && c.comp == 3 {
		return unorm
	}
	return r.kind
}

// stencil reports whether a depth format has one.
func (r *formatRow) stencil() bool { return r.depth && len(r.channels) > 1 }

// fields calls visit with the place of each channel.
func (r *formatRow) fields(visit func(c channel, word, shift int)) {
	at := 0
	for _, c := range r.channels {
		visit(c, at/32, at%32)
		at += int(c.bits)
	}
}

// mask gives for each word the bits of the channels whose components are in comps (bit 0 is red).
func (r *formatRow) mask(comps uint8) (m [4]uint32) {
	r.fields(func(c channel, word, shift int) {
		if comps>>c.comp&1 != 0 {
			m[word] |= uint32(1<<c.bits-1) << shift
		}
	})
	return
}

// step gives the least step of a depth format, or 0 for floats.
func (f Format) step() float64 {
	r := f.row()
	if !r.depth || r.kind == float {
		return 0
	}
	return 1 / float64(uint64(1)<<r.channels[0].bits-1)
}
