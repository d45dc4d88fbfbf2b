package render

import (
	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// TargetImage gives the image that is what a target of one sample holds. It is that of the moment when
// the last pass that draws into the target ended: a draw of such a pass, or of an earlier one, reads what
// the frame before left.
func TargetImage(t *Target) *Image {
	return &Image{Width: t.Width, Height: t.Height, Format: t.Format, target: t}
}

// reserve makes room in an arena for the image of a target.
func (t *Image) reserve(a *exec.Arena, mips bool) (exec.Record, error) {
	x := t.shape()
	kind := t.format().row().kind
	mips = mips && kind != uinteger && kind != sinteger
	for l := 0; l == 0 || mips && max(x.Width>>l, x.Height>>l) > 0; l++ {
		x.Levels = append(x.Levels, make([]uint32, x.LevelWords(l)))
	}
	return exec.PutTexture(a, &x)
}

// readTargets gives the images of the targets of a pass what these hold.
func (r *Renderer) readTargets(p *passing) {
	for _, x := range r.static {
		if key, ok := x.(*usedImage); ok && key.image.target != nil && p.draws(r.targets[key.image.target]) {
			r.readTarget(key.imageKey)
		}
	}
}

// readTarget gives an image what its target holds, and makes its mip levels.
func (r *Renderer) readTarget(key imageKey) {
	s, rec := r.targets[key.image.target], r.images[key]
	f := s.target.Format
	class := f.class()
	n := int(class.Words())
	rows := exec.Rows{From: s.base, Step: uint32(4 * s.planes * tilePixels), Width: s.target.Width, Height: s.target.Height,
		Stride: s.target.Width * n, Pitch: n}
	if to := textureOf(f); to != toTarget {
		rows.From, rows.Step = r.scratch, uint32(4*n*tilePixels)
		r.convert(s, to, r.scratch, n)
	}
	for k := range n {
		rows.To = rec[exec.RecBase] + uint32(4*k)
		r.memory.Rows(&r.arena, rows)
		rows.From += 4 * tilePixels
	}
	if rec[exec.RecLevels] < 2 {
		return
	}
	kernel := s.half
	if !r.cache.again(kernel) {
		var err error
		if kernel, err = r.cache.find(kernelKey{what: "half " + class.String()}, func() (*ir.Program, []varying) { return halfProgram(class), nil }); err != nil {
			return // as in convert
		}
		s.half = kernel
	}
	from, w, h := rec[exec.RecBase], s.target.Width, s.target.Height
	end := len(r.arena.Mem)
	desc := r.job(2, 0)
	for range rec[exec.RecLevels] - 1 {
		to := from + uint32(4*w*h*n)
		hw, hh := max(1, w/2), max(1, h/2)
		job := r.arena.Words(desc, exec.JobRecords)
		job[exec.JobCount], job[halfWidth], job[halfAbove], job[halfRight], job[halfBelow] = uint32(hw*hh), uint32(hw), uint32(w), uint32(w-1), uint32(h-1)
		r.arena.SetRecord(desc, 0, buffer(from, w*h*n, 4))
		r.arena.SetRecord(desc, 1, buffer(to, hw*hh*n, 4))
		r.memory.Changed(&r.arena, desc, exec.JobRecords+2*exec.RecordWords)
		r.note(kernel.kernel.Run(&r.arena, desc, r.options(hw*hh)))
		from, w, h = to, hw, hh
	}
	r.arena.Mem = r.arena.Mem[:end]
}

// textureOf gives how the pixels of a format become texels: toTarget for words that are texels already.
func textureOf(f Format) copied {
	switch f {
	case RGBA8, R32F, D32F, D32FS8, RGBA32F, RGBA32UInt, RGBA32SInt:
		return toTarget
	}
	switch f.class() {
	case ir.RGBA8:
		return toBytes
	case ir.R32F:
		return toSingle
	}
	return toSingles
}

// Words of the job that makes a mip level.
const (
	halfWidth = 2 + iota // of the level
	halfAbove            // width of the level above
	halfRight            // its last column
	halfBelow            // its last row
)

// halfProgram makes a Linear program over the texels of a level: each is the mean of 2x2 of the level
// above, NUMERICS.md, Textures. Its resources are the level above, then the level.
func halfProgram(class ir.Format) *ir.Program {
	p := &ir.Program{Name: "half:" + class.String(), Kind: ir.Linear, Funcs: make([]*ir.Func, 1)}
	p.Interface.Stage = ir.Compute
	p.Interface.Resources = []ir.Resource{{Name: "above", Kind: ir.Buffer}, {Name: "level", Kind: ir.Buffer}}
	b := ir.NewBuilder("main", nil, nil)
	above, level := b.Emit(ir.Res, 0), b.Emit(ir.Res, 1)
	c := converter{b: b}
	item, width := b.Emit(ir.Item, 0), b.Emit(ir.Desc, halfWidth)
	pair := func(v ir.Reg, last uint64) (first, second ir.Reg) {
		v, end := c.op(ir.Shl, v, b.U(1)), b.Emit(ir.Desc, last)
		return c.op(ir.UMin, v, end), c.op(ir.UMin, c.op(ir.IAdd, v, b.U(1)), end)
	}
	x0, x1 := pair(c.op(ir.URem, item, width), halfRight)
	y0, y1 := pair(c.op(ir.UDiv, item, width), halfBelow)
	n := uint32(class.Words())
	at := func(x, y ir.Reg) ir.Reg {
		return c.op(ir.IMul, c.op(ir.IAdd, c.op(ir.IMul, y, b.Emit(ir.Desc, halfAbove)), x), b.U(4*n))
	}
	from := []ir.Reg{at(x0, y0), at(x1, y0), at(x0, y1), at(x1, y1)}
	to := c.op(ir.IMul, item, b.U(4*n))
	for k := range n {
		v := make([]ir.Reg, len(from))
		for i := range v {
			v[i] = c.op(ir.Load, above, c.op(ir.IAdd, from[i], b.U(4*k)))
		}
		mean := c.meanOfBytes
		if class != ir.RGBA8 {
			mean = c.meanOfFloats
		}
		b.Emit(ir.Store, 0, level, c.op(ir.IAdd, to, b.U(4*k)), mean(v))
	}
	p.Funcs[0] = b.Finish()
	return p
}

// meanOfBytes gives the mean of each byte of four words, a half upwards.
func (c *converter) meanOfBytes(v []ir.Reg) ir.Reg {
	b, word := c.b, ir.NoReg
	for shift := uint32(0); shift < 32; shift += 8 {
		sum := b.U(2)
		for _, w := range v {
			sum = c.op(ir.IAdd, sum, c.op(ir.And, c.op(ir.ShrU, w, b.U(shift)), b.U(255)))
		}
		mean := c.op(ir.Shl, c.op(ir.ShrU, sum, b.U(2)), b.U(shift))
		if word == ir.NoReg {
			word = mean
		} else {
			word = c.op(ir.Or, word, mean)
		}
	}
	return word
}

// meanOfFloats gives the mean of four floats.
func (c *converter) meanOfFloats(v []ir.Reg) ir.Reg {
	return c.op(ir.FMul, c.op(ir.FAdd, c.op(ir.FAdd, v[0], v[1]), c.op(ir.FAdd, v[2], v[3])), c.b.F(0.25))
}
