package render

import (
	"math"

	"swizzle/shaderkit/ir"
)

// A converter writes conversions between colours and pixels of a format: NUMERICS.md, Formats.
type converter struct {
	b     *ir.Builder
	table ir.Reg // record of the sRGB tables, when a format needs them
}

func (c *converter) op(o ir.Op, args ...ir.Reg) ir.Reg { return c.b.Emit(o, 0, args...) }

// clamp clamps to lo..hi; a NaN gives lo.
func (c *converter) clamp(v ir.Reg, lo, hi float32) ir.Reg {
	return c.op(ir.FMin, c.op(ir.FMax, c.b.F(lo), v), c.b.F(hi))
}

// pack gives the words of a pixel for a colour of four components. Integer formats clamp, or keep the
// low bits where the colour is going to be combined bitwise.
func (c *converter) pack(f Format, colour []ir.Reg, bitwise bool) []ir.Reg {
	b, row := c.b, f.row()
	switch f {
	case RGBA8:
		return []ir.Reg{b.Emit(ir.Pack8, 0, colour...)}
	case BGRA8:
		return []ir.Reg{b.Emit(ir.Pack8, 0, colour[2], colour[1], colour[0], colour[3])}
	}
	words := make([]ir.Reg, row.words)
	for i := range words {
		words[i] = ir.NoReg
	}
	row.fields(func(ch channel, word, shift int) {
		v := c.field(row.kindOf(ch), int(ch.bits), colour[ch.comp], bitwise)
		if shift > 0 {
			v = c.op(ir.Shl, v, b.U(uint32(shift)))
		}
		if words[word] != ir.NoReg {
			v = c.op(ir.Or, words[word], v)
		}
		words[word] = v
	})
	return words
}

// field gives the n bits of a channel, the others zero.
func (c *converter) field(k kind, n int, v ir.Reg, bitwise bool) ir.Reg {
	b, mask := c.b, uint32(1<<n-1)
	switch {
	case k == unorm:
		return c.op(ir.F2U, c.op(ir.FAdd, c.op(ir.FMul, c.clamp(v, 0, 1), b.F(float32(mask))), b.F(0.5)))
	case k == snorm:
		v = c.op(ir.FMul, c.range11(v), b.F(float32(mask>>1)))
		half := c.op(ir.Sel, c.op(ir.FLt, v, b.U(0)), b.F(-0.5), b.F(0.5))
		return c.op(ir.And, c.op(ir.F2I, c.op(ir.FAdd, v, half)), b.U(mask))
	case k == srgb:
		return c.encode(v)
	case n == 32:
		return v
	case k == float:
		return c.smallFloat(n, v)
	case bitwise:
		return c.op(ir.And, v, b.U(mask))
	case k == uinteger:
		return c.op(ir.UMin, v, b.U(mask))
	}
	v = c.op(ir.IMin, c.op(ir.IMax, v, b.U(^(mask>>1))), b.U(mask>>1))
	return c.op(ir.And, v, b.U(mask))
}

// range11 clamps to -1..1; a NaN gives 0.
func (c *converter) range11(v ir.Reg) ir.Reg {
	v = c.op(ir.Sel, c.op(ir.FEq, v, v), v, c.b.U(0))
	return c.clamp(v, -1, 1)
}

// smallFloat rounds to a float of n bits towards zero: five bits of exponent and, of 16 bits, a sign.
func (c *converter) smallFloat(n int, v ir.Reg) ir.Reg {
	b, m := c.b, n-5 // bits of the fraction
	if n == 16 {
		m--
	}
	inf := uint32(31 << m)
	magnitude := c.op(ir.And, v, b.U(0x7FFFFFFF))
	normal := c.op(ir.ISub, c.op(ir.ShrU, magnitude, b.U(uint32(23-m))), b.U(uint32(112<<m)))
	normal = c.op(ir.UMin, normal, b.U(inf-1))
	// 2^-14 is the least normal number; below it the last bit counts 2^-(14+m).
	denormal := c.op(ir.F2U, c.op(ir.FMul, magnitude, b.F(float32(math.Ldexp(1, 14+m)))))
	out := c.op(ir.Sel, c.op(ir.ULt, magnitude, b.U(0x38800000)), denormal, normal)
	out = c.op(ir.Sel, c.op(ir.ULt, magnitude, b.U(0x7F800000)), out, b.U(inf))
	if n == 16 {
		out = c.op(ir.Or, out, c.op(ir.And, c.op(ir.ShrU, v, b.U(16)), b.U(0x8000)))
	} else {
		out = c.op(ir.Sel, c.op(ir.ShrS, v, b.U(31)), b.U(0), out)
	}
	return c.op(ir.Sel, c.op(ir.ULt, b.U(0x7F800000), magnitude), b.U(inf|1<<(m-1)), out)
}

// encode gives the byte of an sRGB channel, through the table.
func (c *converter) encode(v ir.Reg) ir.Reg {
	b := c.b
	v = c.clamp(v, math.Float32frombits(srgbLowest<<16), 1)
	at := c.op(ir.ISub, c.op(ir.ShrU, v, b.U(16)), b.U(srgbLowest-uint32(len(srgbDecode))))
	entry := c.op(ir.Load, c.table, c.op(ir.Shl, at, b.U(2)))
	return c.op(ir.ShrU, c.op(ir.IAdd, entry, c.op(ir.And, v, b.U(0xFFFF))), b.U(16))
}

// unpack gives the colour of a pixel: components that the format does not have are 0, and 1 for alpha.
func (c *converter) unpack(f Format, words []ir.Reg) []ir.Reg {
	b, row := c.b, f.row()
	switch f {
	case RGBA8:
		return b.EmitN(ir.Unpack8, 0, words[0])
	case BGRA8:
		v := b.EmitN(ir.Unpack8, 0, words[0])
		return []ir.Reg{v[2], v[1], v[0], v[3]}
	}
	colour := []ir.Reg{ir.NoReg, ir.NoReg, ir.NoReg, ir.NoReg}
	row.fields(func(ch channel, word, shift int) {
		colour[ch.comp] = c.value(row.kindOf(ch), int(ch.bits), words[word], shift)
	})
	for k := range colour {
		switch {
		case colour[k] != ir.NoReg:
		case k < 3:
			colour[k] = b.U(0)
		case row.kind == uinteger || row.kind == sinteger:
			colour[k] = b.U(1)
		default:
			colour[k] = b.F(1)
		}
	}
	return colour
}

// value gives the number that n bits of a word stand for.
func (c *converter) value(k kind, n int, word ir.Reg, shift int) ir.Reg {
	b, mask := c.b, uint32(1<<n-1)
	if k == snorm || k == sinteger {
		if v := 32 - n - shift; v > 0 {
			word = c.op(ir.Shl, word, b.U(uint32(v)))
		}
		if n < 32 {
			word = c.op(ir.ShrS, word, b.U(uint32(32-n)))
		}
		if k == snorm {
			return c.op(ir.FMax, b.F(-1), c.op(ir.FDiv, c.op(ir.I2F, word), b.F(float32(mask>>1))))
		}
		return word
	}
	if shift > 0 {
		word = c.op(ir.ShrU, word, b.U(uint32(shift)))
	}
	if shift+n < 32 {
		word = c.op(ir.And, word, b.U(mask))
	}
	switch {
	case k == unorm:
		return c.op(ir.FDiv, c.op(ir.U2F, word), b.F(float32(mask)))
	case k == srgb:
		return c.op(ir.Load, c.table, c.op(ir.Shl, word, b.U(2)))
	case k == float && n < 32:
		return c.fromSmallFloat(n, word)
	}
	return word
}

// fromSmallFloat gives the single of a float of n bits, exactly.
func (c *converter) fromSmallFloat(n int, word ir.Reg) ir.Reg {
	b, m, sign := c.b, n-5, ir.NoReg
	if n == 16 {
		m--
		sign = c.op(ir.Shl, c.op(ir.And, word, b.U(0x8000)), b.U(16))
		word = c.op(ir.And, word, b.U(0x7FFF))
	}
	bits := c.op(ir.Shl, word, b.U(uint32(23-m)))
	// As a single the same exponent counts 2^112 less, denormals included.
	out := c.op(ir.FMul, bits, b.F(float32(math.Ldexp(1, 112))))
	out = c.op(ir.Sel, c.op(ir.ULt, word, b.U(uint32(31<<m))), out, c.op(ir.Or, bits, b.U(0x7F800000)))
	if sign != ir.NoReg {
		out = c.op(ir.Or, out, sign)
	}
	return out
}

// depthBits gives the field of a depth between 0 and 1.
func (c *converter) depthBits(f Format, z ir.Reg) ir.Reg {
	b := c.b
	switch f.row().channels[0].bits {
	case 16:
		return c.field(unorm, 16, z, false)
	case 24: // the product has 48 bits, which a double holds, and adding 2^52 rounds it to an integer
		product := c.op(ir.DMul, c.op(ir.F2D, z), b.Emit(ir.Const64, math.Float64bits(1<<24-1)))
		return c.op(ir.Lo64, c.op(ir.DAdd, product, b.Emit(ir.Const64, math.Float64bits(1<<52))))
	}
	return z
}

// packDepth gives the words of a depth and a stencil.
func (c *converter) packDepth(f Format, z, stencil ir.Reg) []ir.Reg {
	words := []ir.Reg{c.depthBits(f, c.clamp(z, 0, 1))}
	if !f.row().stencil() {
		return words
	}
	stencil = c.op(ir.And, stencil, c.b.U(255))
	if f.row().words == 2 {
		return append(words, stencil)
	}
	words[0] = c.op(ir.Or, words[0], c.op(ir.Shl, stencil, c.b.U(24)))
	return words
}
