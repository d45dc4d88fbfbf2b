package render

import (
	"encoding/binary"
	"math"

	"swizzle/render/bc"
	"swizzle/shaderkit/ir"
)

// This file decodes the formats of textures to the classes of texels that programs read: NUMERICS.md,
// Formats and Textures.

// class gives the class of texels that a format is decoded to: bytes where they hold every value,
// a single where there is one component, else four.
func (f Format) class() ir.Format {
	switch f {
	case R8, RG8, RGBA8, BGRA8, A8, BC1, BC2, BC3, BC7:
		return ir.RGBA8
	}
	row := f.row()
	if integer := row.kind == uinteger || row.kind == sinteger; row.depth || row.comps == 1 && !integer {
		return ir.R32F
	}
	return ir.RGBA32F
}

// has reports whether a texel of the format has a component.
func (r *formatRow) has(comp int) bool {
	if r.depth || len(r.channels) == 0 {
		return comp == 0 || !r.depth && comp < r.comps
	}
	for _, c := range r.channels {
		if int(c.comp) == comp {
			return true
		}
	}
	return false
}

// missing gives what a texel has for components that its format does not have.
func (f Format) missing(comp int) uint32 {
	switch row := f.row(); {
	case comp < 3:
		return 0
	case row.kind == uinteger || row.kind == sinteger:
		return 1
	}
	return math.Float32bits(1)
}

// sampled completes a sampler state for textures of the format.
func (f Format) sampled(s *ir.SamplerState, conv *Convention) {
	row := f.row()
	s.Format, s.Ones = f.class(), 0
	for k := range 3 {
		if conv.Ones && row.has(0) && !row.has(k) {
			s.Ones |= 1 << k
		}
	}
	for k := range s.Outside {
		s.Outside[k] = 0
		if !row.has(k) {
			s.Outside[k] = f.missing(k)
			s.Border[k] = s.Outside[k]
		}
		s.Border[k] = row.within(s.Border[k])
	}
	s.RefBits = 0
	if len(row.channels) > 0 && row.kind == unorm {
		s.RefBits = row.channels[0].bits
	}
}

// within clamps a component of a border colour to what the format can hold (11.3 7.18.9.1).
func (r *formatRow) within(bits uint32) uint32 {
	x := math.Float32frombits(bits)
	switch r.kind {
	case unorm, srgb:
		return math.Float32bits(ir.PMin(ir.PMax(0, x), 1))
	case snorm:
		return math.Float32bits(ir.PMin(ir.PMax(-1, x), 1))
	}
	return bits
}

// levelBytes gives the bytes of a slice of a level of w by h texels.
func (f Format) levelBytes(w, h int) int {
	row := f.row()
	if row.block > 0 {
		return (w + 3) / 4 * ((h + 3) / 4) * row.block
	}
	return w * h * row.bytes
}

// decode gives the texels of slices of w by h texels, as words of the class of the format.
func (f Format) decode(data []byte, w, h, slices int) []uint32 {
	out := make([]uint32, w*h*slices*int(f.class().Words()))
	n := len(out) / slices
	for i := range slices {
		part, words := data[i*f.levelBytes(w, h):], out[i*n:(i+1)*n]
		if f.row().block > 0 {
			f.decodeBlocks(words, part, w, h)
		} else {
			f.decodeTexels(words, part)
		}
	}
	return out
}

// decodeTexels decodes texels that lie one after the other.
func (f Format) decodeTexels(out []uint32, data []byte) {
	row := f.row()
	if f == RGBA8 {
		for i := range out {
			out[i] = binary.LittleEndian.Uint32(data[4*i:])
		}
		return
	}
	switch f.class() {
	case ir.RGBA8:
		alpha := uint32(0xFF000000)
		if row.has(3) {
			alpha = 0
		}
		for i := range out {
			word := alpha
			for k, c := range row.channels {
				word |= uint32(data[k]) << (8 * c.comp)
			}
			out[i], data = word, data[row.bytes:]
		}
	case ir.R32F:
		for i := range out {
			out[i], data = f.texel(data)[0], data[row.bytes:]
		}
	default:
		for ; len(out) > 0; out = out[4:] {
			colour := f.texel(data)
			copy(out, colour[:])
			data = data[row.bytes:]
		}
	}
}

// texel gives the colour of the texel that data begins with: the bits of floats, or integers.
func (f Format) texel(data []byte) (colour [4]uint32) {
	row := f.row()
	for k := range colour {
		colour[k] = f.missing(k)
	}
	if f == RGB9E5 {
		word := binary.LittleEndian.Uint32(data)
		scale := math.Ldexp(1, int(word>>27)-24)
		for k := range 3 {
			colour[k] = math.Float32bits(float32(float64(word>>(9*k)&511) * scale))
		}
		return colour
	}
	at := 0
	for _, c := range row.channels {
		bits := uint32(0)
		for k := range (int(c.bits) + at%8 + 7) / 8 { // a channel is at most 32 bits, those of 32 are aligned
			bits |= uint32(uint64(data[at/8+k]) << (8 * k) >> (at % 8))
		}
		at += int(c.bits)
		if !row.depth || c.comp == 0 {
			colour[c.comp] = number(row.kindOf(c), int(c.bits), bits&uint32(1<<c.bits-1))
		}
	}
	return colour
}

// number gives the value of a channel of n bits.
func number(k kind, n int, v uint32) uint32 {
	most := uint32(1<<n - 1)
	signed := int32(v<<(32-n)) >> (32 - n)
	switch {
	case k == unorm:
		return math.Float32bits(float32(v) / float32(most))
	case k == snorm:
		return math.Float32bits(max(-1, float32(signed)/float32(most>>1)))
	case k == srgb:
		return srgbDecode[v]
	case k == sinteger:
		return uint32(signed)
	case k == float && n < 32:
		return fromSmallFloat(n, v)
	}
	return v
}

// fromSmallFloat gives the single of a float of n bits, exactly: 5 bits of exponent, and of 16 bits a
// sign.
func fromSmallFloat(n int, v uint32) (bits uint32) {
	m, sign := n-5, uint32(0)
	if n == 16 {
		m--
		sign, v = v>>15<<31, v&0x7FFF
	}
	if v>>m == 31 {
		return sign | v<<(23-m) | 0x7F800000
	}
	return sign | math.Float32bits(math.Float32frombits(v<<(23-m))*float32(1<<112))
}

// decodeBlocks decodes a slice of compressed texels; what lies outside of the slice is left out.
func (f Format) decodeBlocks(out []uint32, data []byte, w, h int) {
	row, words := f.row(), int(f.class().Words())
	for y := 0; y < h; y += 4 {
		for x := 0; x < w; x += 4 {
			texels := f.block(data)
			data = data[row.block:]
			for j := range min(4, h-y) {
				for i := range min(4, w-x) {
					copy(out[((y+j)*w+x+i)*words:][:words], texels[4*j+i][:])
				}
			}
		}
	}
}

// block gives the texels of the block that data begins with, as words of the class.
func (f Format) block(data []byte) (out [16][4]uint32) {
	one := math.Float32bits(1)
	switch f {
	case BC4, BC4SNorm:
		var v [16]float32
		bc.DecodeBC4(&v, (*[8]byte)(data), f == BC4SNorm)
		for i := range out {
			out[i][0] = math.Float32bits(v[i])
		}
	case BC5, BC5SNorm:
		var red, green [16]float32
		bc.DecodeBC5(&red, &green, (*[16]byte)(data), f == BC5SNorm)
		for i := range out {
			out[i] = [4]uint32{math.Float32bits(red[i]), math.Float32bits(green[i]), 0, one}
		}
	case BC6H, BC6HSigned:
		var v [16][3]uint16
		bc.DecodeBC6H(&v, (*[16]byte)(data), f == BC6HSigned)
		for i, c := range v {
			out[i] = [4]uint32{fromSmallFloat(16, uint32(c[0])), fromSmallFloat(16, uint32(c[1])), fromSmallFloat(16, uint32(c[2])), one}
		}
	default:
		var v bc.Texels
		switch f {
		case BC1, BC1SRGB:
			bc.DecodeBC1(&v, (*[8]byte)(data))
		case BC2, BC2SRGB:
			bc.DecodeBC2(&v, (*[16]byte)(data))
		case BC3, BC3SRGB:
			bc.DecodeBC3(&v, (*[16]byte)(data))
		case BC7, BC7SRGB:
			bc.DecodeBC7(&v, (*[16]byte)(data))
		}
		for i, c := range v {
			if f.row().kind == srgb {
				out[i] = [4]uint32{srgbDecode[c[0]], srgbDecode[c[1]], srgbDecode[c[2]], number(unorm, 8, uint32(c[3]))}
			} else {
				out[i][0] = rgba(c[0], c[1], c[2], c[3])
			}
		}
	}
	return out
}
