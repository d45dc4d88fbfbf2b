package render

import "swizzle/shaderkit/ir"

// An interpolator writes the inputs of a pixel shader.
type interpolator struct {
	*wrapper
	*coverage
	conv     Convention
	sprite   bool
	word     uint64 // of the record, where the next varying goes
	varyings []varying
	q        [places]ir.Reg // 1 / plane(1/w), made where it is first needed
}

// inputs gives the arguments of the pixel shader and the varyings that the triangle record must hold.
func (w *wrapper) inputs(in []ir.Element, from []int, conv Convention, sprite bool, c *coverage) (args []ir.Reg, v []varying) {
	n := interpolator{wrapper: w, coverage: c, conv: conv, sprite: sprite, word: uint64(c.form.varyings()), q: [places]ir.Reg{ir.NoReg, ir.NoReg, ir.NoReg}}
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
	at := atCentre
	switch e.Interp {
	case ir.Centroid, ir.NoPerspectiveCentroid:
		at = atCentroid
	case ir.PerSample, ir.NoPerspectivePerSample:
		at = atSample
	}
	r := n.plane(word, at)
	if !v.linear {
		r = b.Emit(ir.FMul, 0, r, n.w(at))
	}
	return r
}

// plane gives the value of a plane.
func (n *interpolator) plane(word uint64, at place) ir.Reg {
	p := n.coverage.place(at)
	return n.b.Emit(ir.Plane, word, p[0], p[1])
}

// w gives 1 / plane(1/w).
func (n *interpolator) w(at place) ir.Reg {
	if n.q[at] == ir.NoReg {
		n.q[at] = n.b.Emit(ir.FDiv, 0, n.b.F(1), n.plane(recW, at))
	}
	return n.q[at]
}

// system gives component k of an input that the pipeline supplies.
func (n *interpolator) system(s ir.System, k int) ir.Reg {
	b := n.b
	switch {
	case s == ir.PixelPos && k < 2:
		p := b.Emit(ir.IAdd, 0, n.pixel[k], b.Emit(ir.Desc, uint64(jobTileX+k)))
		return b.Emit(ir.FAdd, 0, b.Emit(ir.I2F, 0, p), b.F(n.conv.PixelPos))
	case s == ir.PixelPos && k == 2 && n.conv.PixelZ:
		return n.plane(recDepth, atCentre)
	case s == ir.PixelPos && k == 3 && n.conv.PixelW == ClipW:
		return n.w(atCentre)
	case s == ir.PixelPos && k == 3 && n.conv.PixelW == InverseW:
		return n.plane(recW, atCentre)
	case s == ir.Face && k == 0:
		return b.Emit(ir.TriWord, recFace)
	case s == ir.SampleIndex && k == 0 && n.form.each:
		return b.Emit(ir.TriWord, uint64(n.form.number()))
	case s == ir.Coverage && k == 0:
		return n.bits()
	case s == ir.PrimitiveID && k == 0:
		return b.Emit(ir.URem, 0, b.Emit(ir.TriWord, recNumber), b.Emit(ir.Desc, jobPrimitives))
	}
	return b.U(0)
}
