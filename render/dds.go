package render

import (
	"encoding/binary"
	"fmt"

	"swizzle/shaderkit/ir"
)

// This file reads DirectDraw surfaces: "DDS ", a header of 124 bytes, for DXGI formats another 20, then
// for each layer and face its levels.

// Offsets of the words of a header.
const (
	ddsSize        = 4
	ddsHeight      = 12
	ddsWidth       = 16
	ddsDepth       = 24
	ddsLevels      = 28
	ddsPixelSize   = 76
	ddsPixelFlags  = 80
	ddsFourCC      = 84
	ddsBits        = 88
	ddsMasks       = 92 // red, green, blue, alpha
	ddsCaps2       = 112
	ddsData        = 128
	dds10Format    = 128
	dds10Dimension = 132
	dds10Misc      = 136
	dds10Layers    = 140
	dds10Data      = 148
)

// Flags of a header.
const (
	ddsHasAlpha   = 0x1
	ddsAlphaAlone = 0x2
	ddsHasFourCC  = 0x4
	ddsRGB        = 0x40
	ddsLuminance  = 0x20000
	ddsCube       = 0x200
	ddsFaces      = 0xFC00 // of a cube: all six
	ddsVolume     = 0x200000
	dds10Cube     = 0x4
)

// A ddsReader reads one file.
type ddsReader struct {
	data []byte
	m    *Image
	fix  func(texel []byte) []byte // what a texel in the file is in the format of the image; nil: the same
	size int                       // bytes of a texel in the file, when fix is there
}

func (d *ddsReader) word(offset int) uint32 { return binary.LittleEndian.Uint32(d.data[offset:]) }

func readDDS(data []byte) (*Image, error) {
	d := &ddsReader{data: data, m: &Image{}}
	if len(data) < ddsData {
		return nil, importErrorf("dds-short", len(data), "%d bytes, a header has %d", len(data), ddsData)
	}
	for _, s := range []struct{ offset, want int }{{ddsSize, 124}, {ddsPixelSize, 32}} {
		if n := d.word(s.offset); n != uint32(s.want) {
			return nil, importErrorf("dds-header", s.offset, "a structure of %d bytes, want %d", n, s.want)
		}
	}
	for _, offset := range []int{ddsWidth, ddsHeight, ddsDepth} {
		if n := d.word(offset); n > ir.MaxTextureSize {
			return nil, importErrorf("image-size", offset, "%d texels, allowed are 1 to %d along an axis", n, ir.MaxTextureSize)
		}
	}
	d.m.Width, d.m.Height = int(d.word(ddsWidth)), int(d.word(ddsHeight))
	at, err := ddsData, error(nil)
	if d.word(ddsPixelFlags)&ddsHasFourCC != 0 && d.word(ddsFourCC) == fourCC("DX10") {
		at, err = dds10Data, d.header10()
	} else {
		err = d.header9()
	}
	if err != nil {
		return nil, err
	}
	return d.m, d.levels(at)
}

func fourCC(s string) uint32 { return binary.LittleEndian.Uint32([]byte(s)) }

// header9 reads format and shape of a file of Direct3D 9.
func (d *ddsReader) header9() error {
	caps := d.word(ddsCaps2)
	switch {
	case caps&ddsCube != 0 && caps&ddsVolume != 0:
		return importErrorf("dds-shape", ddsCaps2, "0x%X says both cube and volume", caps)
	case caps&ddsCube != 0 && caps&ddsFaces != ddsFaces:
		return unsupported("dds-shape", ddsCaps2, "a cube has six faces, here flags 0x%X name fewer", caps)
	case caps&ddsCube != 0:
		d.m.Dim = ir.DimCube
	case caps&ddsVolume != 0:
		d.m.Dim, d.m.Depth = ir.Dim3D, max(1, int(d.word(ddsDepth)))
	}
	flags := d.word(ddsPixelFlags)
	if flags&ddsHasFourCC != 0 {
		code := d.word(ddsFourCC)
		if d.m.Format = fourCCs[code]; d.m.Format == NoFormat {
			return unsupported("dds-format", ddsFourCC, "the format %s", fourCCName(code))
		}
		return nil
	}
	key := ddsPixel{bits: d.word(ddsBits)}
	for i := range key.masks {
		key.masks[i] = d.word(ddsMasks + 4*i)
	}
	switch {
	case flags&ddsRGB != 0:
	case flags&ddsLuminance != 0:
		key.luminance, key.masks[1], key.masks[2] = true, 0, 0
	case flags&ddsAlphaAlone != 0:
		key.masks[0], key.masks[1], key.masks[2] = 0, 0, 0
	default:
		return unsupported("dds-format", ddsPixelFlags, "pixels of flags 0x%X", flags)
	}
	if flags&(ddsHasAlpha|ddsAlphaAlone) == 0 {
		key.masks[3] = 0
	}
	p, ok := ddsPixels[key]
	if !ok {
		return unsupported("dds-format", ddsBits, "pixels of %d bits with masks %X", key.bits, key.masks)
	}
	d.m.Format, d.fix, d.size = p.format, p.fix, int(key.bits/8)
	return nil
}

// fourCCName gives the characters or the number of a format of Direct3D 9.
func fourCCName(code uint32) string {
	b := binary.LittleEndian.AppendUint32(nil, code)
	for _, c := range b {
		if c < ' ' || c > '~' {
			return fmt.Sprint(code)
		}
	}
	return fmt.Sprintf("%q", b)
}

// fourCCs are the formats by their characters, or number (D3DFORMAT).
var fourCCs = map[uint32]Format{
	fourCC("DXT1"): BC1, fourCC("DXT2"): BC2, fourCC("DXT3"): BC2, fourCC("DXT4"): BC3, fourCC("DXT5"): BC3,
	fourCC("ATI1"): BC4, fourCC("BC4U"): BC4, fourCC("BC4S"): BC4SNorm,
	fourCC("ATI2"): BC5, fourCC("BC5U"): BC5, fourCC("BC5S"): BC5SNorm,
	36: RGBA16, 110: RGBA16SNorm, 111: R16F, 112: RG16F, 113: RGBA16F, 114: R32F, 115: RG32F, 116: RGBA32F,
}

// A ddsPixel is how a file of Direct3D 9 describes pixels.
type ddsPixel struct {
	bits      uint32
	masks     [4]uint32 // red, green, blue, alpha
	luminance bool
}

// ddsPixels are the formats by that. fix makes a texel in the file one of the format.
var ddsPixels = map[ddsPixel]struct {
	format Format
	fix    func(texel []byte) []byte
}{
	{bits: 32, masks: [4]uint32{0xFF, 0xFF00, 0xFF0000, 0xFF000000}}:     {RGBA8, nil},
	{bits: 32, masks: [4]uint32{0xFF, 0xFF00, 0xFF0000}}:                 {RGBA8, opaque(3, 0xFF)},
	{bits: 32, masks: [4]uint32{0xFF0000, 0xFF00, 0xFF, 0xFF000000}}:     {BGRA8, nil},
	{bits: 32, masks: [4]uint32{0xFF0000, 0xFF00, 0xFF}}:                 {BGRA8, opaque(3, 0xFF)},
	{bits: 32, masks: [4]uint32{0x3FF, 0xFFC00, 0x3FF00000, 0xC0000000}}: {RGB10A2, nil},
	{bits: 32, masks: [4]uint32{0xFFFF, 0xFFFF0000}}:                     {RG16, nil},
	{bits: 24, masks: [4]uint32{0xFF0000, 0xFF00, 0xFF}}:                 {BGRA8, func(t []byte) []byte { return []byte{t[0], t[1], t[2], 0xFF} }},
	{bits: 24, masks: [4]uint32{0xFF, 0xFF00, 0xFF0000}}:                 {RGBA8, func(t []byte) []byte { return []byte{t[0], t[1], t[2], 0xFF} }},
	{bits: 16, masks: [4]uint32{0xF800, 0x7E0, 0x1F}}:                    {B5G6R5, nil},
	{bits: 16, masks: [4]uint32{0x7C00, 0x3E0, 0x1F, 0x8000}}:            {BGR5A1, nil},
	{bits: 16, masks: [4]uint32{0x7C00, 0x3E0, 0x1F}}:                    {BGR5A1, opaque(1, 0x80)},
	{bits: 16, masks: [4]uint32{0xF00, 0xF0, 0xF, 0xF000}}:               {BGRA4, nil},
	{bits: 16, masks: [4]uint32{0xF00, 0xF0, 0xF}}:                       {BGRA4, opaque(1, 0xF0)},
	{bits: 16, masks: [4]uint32{0xFFFF}, luminance: true}:                {RGBA16, func(t []byte) []byte { return []byte{t[0], t[1], t[0], t[1], t[0], t[1], 0xFF, 0xFF} }},
	{bits: 16, masks: [4]uint32{0: 0xFF, 3: 0xFF00}, luminance: true}:    {RGBA8, func(t []byte) []byte { return []byte{t[0], t[0], t[0], t[1]} }},
	{bits: 8, masks: [4]uint32{0xFF}, luminance: true}:                   {RGBA8, func(t []byte) []byte { return []byte{t[0], t[0], t[0], 0xFF} }},
	{bits: 8, masks: [4]uint32{3: 0xFF}}:                                 {A8, nil},
	{bits: 16, masks: [4]uint32{0xFF, 0xFF00}}:                           {RG8, nil},
	{bits: 8, masks: [4]uint32{0xFF}}:                                    {R8, nil},
}

// opaque sets bits of byte i of a texel.
func opaque(i int, bits byte) func([]byte) []byte {
	return func(t []byte) []byte {
		out := append([]byte(nil), t...)
		out[i] |= bits
		return out
	}
}

// header10 reads format and shape of a file with DXGI format.
func (d *ddsReader) header10() error {
	if len(d.data) < dds10Data {
		return importErrorf("dds-short", len(d.data), "%d bytes, both headers have %d", len(d.data), dds10Data)
	}
	number := d.word(dds10Format)
	if d.m.Format = dxgi[number]; d.m.Format == NoFormat {
		return unsupported("dds-format", dds10Format, "DXGI format %d", number)
	}
	if number == 88 || number == 93 { // B8G8R8X8
		d.fix, d.size = opaque(3, 0xFF), 4
	}
	layers, cube := d.word(dds10Layers), d.word(dds10Misc)&dds10Cube != 0
	if layers < 1 || layers > 2048 {
		return importErrorf("dds-shape", dds10Layers, "%d layers, allowed are 1 to 2048", layers)
	}
	switch dimension := d.word(dds10Dimension); {
	case dimension == 2:
		d.m.Dim, d.m.Height = ir.Dim1D, 1
	case dimension == 3 && cube:
		d.m.Dim = ir.DimCube
	case dimension == 3:
	case dimension == 4:
		d.m.Dim, d.m.Depth = ir.Dim3D, max(1, int(d.word(ddsDepth)))
	default:
		return importErrorf("dds-shape", dds10Dimension, "resource dimension %d is none of 2, 3, 4", dimension)
	}
	if cube && d.m.Dim != ir.DimCube || layers > 1 && d.m.Dim == ir.Dim3D {
		return importErrorf("dds-shape", dds10Misc, "a cube is made of pictures, and a volume has no layers")
	}
	if layers > 1 {
		d.m.Layers = int(layers)
		d.m.Dim = map[ir.Dim]ir.Dim{ir.Dim1D: ir.Dim1DArray, ir.Dim2D: ir.Dim2DArray, ir.DimCube: ir.DimCubeArray}[d.m.Dim]
	}
	return nil
}

// dxgi are the formats by their number in DXGI_FORMAT.
var dxgi = map[uint32]Format{
	2: RGBA32F, 3: RGBA32UInt, 4: RGBA32SInt, 10: RGBA16F, 11: RGBA16, 12: RGBA16UInt, 13: RGBA16SNorm, 14: RGBA16SInt,
	16: RG32F, 17: RG32UInt, 18: RG32SInt, 24: RGB10A2, 25: RGB10A2UInt, 26: R11G11B10F,
	28: RGBA8, 29: RGBA8SRGB, 30: RGBA8UInt, 31: RGBA8SNorm, 32: RGBA8SInt,
	34: RG16F, 35: RG16, 36: RG16UInt, 37: RG16SNorm, 38: RG16SInt, 40: D32F, 41: R32F, 42: R32UInt, 43: R32SInt, 45: D24S8,
	49: RG8, 50: RG8UInt, 51: RG8SNorm, 52: RG8SInt, 54: R16F, 55: D16, 56: R16, 57: R16UInt, 58: R16SNorm, 59: R16SInt,
	61: R8, 62: R8UInt, 63: R8SNorm, 64: R8SInt, 65: A8, 67: RGB9E5,
	71: BC1, 72: BC1SRGB, 74: BC2, 75: BC2SRGB, 77: BC3, 78: BC3SRGB, 80: BC4, 81: BC4SNorm, 83: BC5, 84: BC5SNorm,
	85: B5G6R5, 86: BGR5A1, 87: BGRA8, 88: BGRA8, 91: BGRA8SRGB, 93: BGRA8SRGB,
	95: BC6H, 96: BC6HSigned, 98: BC7, 99: BC7SRGB, 115: BGRA4,
}

// levels reads the texels, which begin at an offset.
func (d *ddsReader) levels(at int) error {
	m := d.m
	x := m.shape()
	_, _, pictures := x.LevelSize(0) // slices, faces, layers
	if err := checkSize(ddsHeight, m.Width, m.Height, pictures); err != nil {
		return err
	}
	if m.Dim.Cube() && m.Width != m.Height {
		return importErrorf("dds-shape", ddsHeight, "the faces of a cube have %d x %d texels, want as many", m.Width, m.Height)
	}
	count, chain := max(1, int(d.word(ddsLevels)&0x7FFFFFFF)), 1
	for max(m.Width, m.Height, m.Depth)>>chain > 0 {
		chain++
	}
	if count > chain {
		return importErrorf("dds-header", ddsLevels, "%d levels, want 1 to %d", count, chain)
	}
	parts := pictures // what lies together: all levels of a face of a layer
	if m.Dim == ir.Dim3D {
		parts = 1
	}
	m.Levels = make([][]byte, count)
	for range parts {
		for l := range count {
			w, h, slices := x.LevelSize(l)
			slices = max(1, slices/parts)
			n := m.Format.levelBytes(w, h) * slices
			if d.fix != nil {
				n = w * h * slices * d.size
			}
			if n > len(d.data)-at {
				return importErrorf("dds-short", len(d.data), "level %d needs %d bytes from 0x%X on, the file ends %d bytes too early", l, n, at, n-(len(d.data)-at))
			}
			part := d.data[at : at+n]
			at += n
			if d.fix == nil {
				m.Levels[l] = append(m.Levels[l], part...)
				continue
			}
			for ; len(part) > 0; part = part[d.size:] {
				m.Levels[l] = append(m.Levels[l], d.fix(part[:d.size])...)
			}
		}
	}
	return nil
}
