package render

import "swizzle/shaderkit/ir"

// A place is where in a pixel an input is evaluated.
type place uint8

const (
	atCentre place = iota
	atCentroid
	atSample // of the record
	places
)

// A coverage is which samples of a pixel a primitive covers, and where they are.
type coverage struct {
	w     *wrapper
	form  form
	mask  uint8     // samples that may be drawn
	pixel [2]ir.Reg // x and y in the tile
	at    [places][2]ir.Reg
	edges []ir.Reg // masks of the samples that are covered, whatever mask says
	alive []ir.Reg // of those that mask lets through; of several samples
}

// perSample reports whether a shader runs for each sample (11.3 16.4, 23): it reads an input there, or
// the sample's number.
func perSample(ps *ir.Program) bool {
	for _, e := range ps.Interface.Inputs {
		if e.Interp == ir.PerSample || e.Interp == ir.NoPerspectivePerSample || e.System == ir.SampleIndex {
			return true
		}
	}
	return false
}

// formOf gives the form of the records of a shader.
func formOf(ps *ir.Program, samples int) form {
	return form{samples: samples, each: samples > 1 && perSample(ps)}
}

// cover writes what decides which pixels are covered.
func (w *wrapper) cover(f form, left uint8) *coverage {
	b := w.b
	c := &coverage{w: w, form: f, mask: ^left & (1<<f.samples - 1), pixel: [2]ir.Reg{b.Emit(ir.LaneX, 0), b.Emit(ir.LaneY, 0)}}
	inside := func(word int) ir.Reg { return b.Emit(ir.Edges, uint64(word), c.pixel[0], c.pixel[1]) }
	switch {
	case c.mask == 0:
		b.Emit(ir.Cover, 0, b.U(0))
	case f.samples == 1 || f.each:
		b.Emit(ir.Cover, 0, inside(f.own()))
	default:
		any := ir.NoReg
		for s := range f.samples {
			if c.mask>>s&1 == 0 {
				continue
			}
			if e := inside(edgesOf(s)); any == ir.NoReg {
				any = e
			} else {
				any = b.Emit(ir.Or, 0, any, e)
			}
		}
		b.Emit(ir.Cover, 0, any)
	}
	c.at = [places][2]ir.Reg{{b.Emit(ir.U2F, 0, c.pixel[0]), b.Emit(ir.U2F, 0, c.pixel[1])}, {ir.NoReg}, {ir.NoReg}}
	if f.samples == 1 {
		return c
	}
	for s := range f.samples {
		e := inside(edgesOf(s)) // again: quads are packed anew behind Cover
		c.edges = append(c.edges, e)
		if c.mask>>s&1 == 0 {
			e = b.U(0)
		} else if f.each {
			e = b.Emit(ir.And, 0, e, b.Emit(ir.IEq, 0, b.Emit(ir.TriWord, uint64(f.number())), b.U(uint32(s))))
		}
		c.alive = append(c.alive, e)
	}
	return c
}

// place gives x and y of a place from the centre of the tile's first pixel, in pixels.
func (c *coverage) place(at place) [2]ir.Reg {
	if c.form.samples == 1 || at == atSample && !c.form.each {
		at = atCentre
	}
	if c.at[at][0] != ir.NoReg {
		return c.at[at]
	}
	b := c.w.b
	for k := range 2 {
		var d ir.Reg
		if at == atSample {
			d = b.Emit(ir.TriWord, uint64(c.form.number()+1+k))
		} else {
			d = c.centroid(k)
		}
		c.at[at][k] = b.Emit(ir.FAdd, 0, c.at[atCentre][k], d)
	}
	return c.at[at]
}

// centroid gives how far the place of centroid inputs lies from the pixel's centre along an axis: 0 where
// all samples are covered; else the first of those that may be drawn and are (11.3 3.5.5).
func (c *coverage) centroid(axis int) ir.Reg {
	b, samples := c.w.b, samplePlaces(c.form.samples)
	offset := func(s int) ir.Reg { return b.F(float32(samples[s][axis]) / 16) }
	d := b.F(0)
	if all := uint8(1<<c.form.samples - 1); c.mask != all { // in helper lanes the first that may be drawn
		for s := c.form.samples - 1; s >= 0; s-- {
			if c.mask>>s&1 != 0 {
				d = offset(s)
			}
		}
	}
	all := ir.NoReg
	for s := c.form.samples - 1; s >= 0; s-- {
		if c.mask>>s&1 != 0 {
			d = b.Emit(ir.Sel, 0, c.edges[s], offset(s), d)
		}
		if all == ir.NoReg {
			all = c.edges[s]
		} else {
			all = b.Emit(ir.And, 0, all, c.edges[s])
		}
	}
	return b.Emit(ir.Sel, 0, all, b.F(0), d)
}

// sample gives x and y of a sample.
func (c *coverage) sample(s int) [2]ir.Reg {
	b, p := c.w.b, samplePlaces(c.form.samples)[s]
	if p == [2]int64{} {
		return c.at[atCentre]
	}
	var r [2]ir.Reg
	for k := range r {
		r[k] = b.Emit(ir.FAdd, 0, c.at[atCentre][k], b.F(float32(p[k])/16))
	}
	return r
}

// bits gives a bit for each covered sample that may be drawn (11.3 16.3.2).
func (c *coverage) bits() ir.Reg {
	b := c.w.b
	if c.form.samples == 1 { // of helper lanes, too, none is covered
		return b.Emit(ir.And, 0, b.Emit(ir.Edges, recEdges, c.pixel[0], c.pixel[1]), b.U(1))
	}
	sum := b.U(0)
	for s, e := range c.edges {
		if c.mask>>s&1 != 0 {
			sum = b.Emit(ir.Or, 0, sum, b.Emit(ir.And, 0, e, b.U(1<<s)))
		}
	}
	return sum
}

// keep ends the samples that are not in the mask that a shader gives (11.3 16.9.4).
func (c *coverage) keep(bits ir.Reg) {
	b := c.w.b
	has := func(s int) ir.Reg {
		return b.Emit(ir.INe, 0, b.Emit(ir.And, 0, bits, b.U(1<<s)), b.U(0))
	}
	if c.form.samples == 1 {
		b.Emit(ir.Kill, 0, b.Emit(ir.Not, 0, has(0)))
		return
	}
	any := ir.NoReg
	for s := range c.alive {
		c.alive[s] = b.Emit(ir.And, 0, c.alive[s], has(s))
		if any == ir.NoReg {
			any = c.alive[s]
		} else {
			any = b.Emit(ir.Or, 0, any, c.alive[s])
		}
	}
	b.Emit(ir.Kill, 0, b.Emit(ir.Not, 0, any))
}
