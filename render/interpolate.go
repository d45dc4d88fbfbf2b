package render

import "swizzle/shaderkit/ir"

// An interpolator writes the inputs of a pixel shader.
type interpolator struct {
	*wrapper
	conv     Convention
	sprite   bool
	at       [2]ir.Reg // of the pixel in the tile
	place    [2]ir.Reg // as floats
	word     uint64    // of the record, where the next varying goes
	varyings []varying
	q        ir.Reg // 1 / plane(1/w), made where it is first needed
}

// inputs gives the arguments of the pixel shader and the varyings that the triangle record must hold.
func (w *wrapper) inputs(in []ir.Element, from []int, conv Convention, sprite bool, at, place [2]ir.Reg) (args []ir.Reg, v []varying) {
	n := interpolator{wrapper: w, conv: conv, sprite: sprite, at: at, place: place, word: uint64(varyingsAt(1)), q: ir.NoReg}
	for i := range in {
		for k := range 4 {
			args = append(args, n.component(&in[i], from[i], k))
		}
	}
	return args, n.varyings
}

// component gives component k of an input, which comes from output number from, or -1.
func (n *interpolator) component(e *ir.Element, from, k int) ir.Reg {
	b := n.b
	sprite := uint8(0)
	if n.sprite && e.Semantic == "TEXCOORD" {
		sprite = uint8(k + 1)
	}
	switch {
	case e.System != ir.NoSystem:
		return n.system(e.System, k)
	case from < 0 && sprite == 0:
		if e.Semantic == "COLOR" && e.Index == 0 {
			return b.F(1)
		}
		return b.U(0)
	case e.Mask>>k&1 == 0:
		return b.U(0)
	}
	v := varying{source: 4*from + k, sprite: sprite}
	if from < 0 {
		v.source = -1
	}
	switch e.Interp {
	case ir.Flat:
		v.flat = true
	case ir.NoPerspective, ir.NoPerspectiveCentroid, ir.NoPerspectivePerSample:
		v.linear = true
	}
	n.varyings = append(n.varyings, v)
	word := n.word
	if v.flat {
		n.word++
		return b.Emit(ir.TriWord, word)
	}
	n.word += 3
	r := b.Emit(ir.Plane, word, n.place[0], n.place[1])
	if !v.linear {
		r = b.Emit(ir.FMul, 0, r, n.w())
	}
	return r
}

// w gives 1 / plane(1/w).
func (n *interpolator) w() ir.Reg {
	if n.q == ir.NoReg {
		n.q = n.b.Emit(ir.FDiv, 0, n.b.F(1), n.inverse())
	}
	return n.q
}

func (n *interpolator) inverse() ir.Reg { return n.b.Emit(ir.Plane, recW, n.place[0], n.place[1]) }

// system gives component k of an input that the pipeline supplies.
func (n *interpolator) system(s ir.System, k int) ir.Reg {
	b := n.b
	switch {
	case s == ir.PixelPos && k < 2:
		p := b.Emit(ir.IAdd, 0, n.at[k], b.Emit(ir.Desc, uint64(jobTileX+k)))
		return b.Emit(ir.FAdd, 0, b.Emit(ir.I2F, 0, p), b.F(n.conv.PixelPos))
	case s == ir.PixelPos && k == 2 && n.conv.PixelZ:
		return b.Emit(ir.Plane, recDepth, n.place[0], n.place[1])
	case s == ir.PixelPos && k == 3 && n.conv.PixelW == ClipW:
		return n.w()
	case s == ir.PixelPos && k == 3 && n.conv.PixelW == InverseW:
		return n.inverse()
	case s == ir.Face && k == 0:
		return b.Emit(ir.TriWord, recFace)
	}
	return b.U(0)
}
