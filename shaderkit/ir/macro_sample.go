package ir

import (
	"fmt"
	"math"
	"slices"
)

// This file defines Sample and Fetch: the level of detail, the levels, the faces of a cube.
// macro_texel.go defines how one level is filtered, macro_fetch.go what is read without a filter,
// macro_seam.go what lies behind the edges of a face. render/NUMERICS.md, section Textures, states
// all of it in words.

// jobRecords and recordWords place resource records in the job descriptor; see package exec.
const (
	jobRecords  = 16
	recordWords = 8
)

// MaxTextureSize is the largest width, height or depth of a texture. Sample takes larger numbers in a
// record for it, so that no integer on the way to a texel overflows.
const MaxTextureSize = 16384

// Words of a resource record that a texture read needs.
const (
	recBase   = 0
	recWidth  = 3
	recHeight = 4
	recDepth  = 5
	recLevels = 6
	recTable  = 7
)

// numTextureOperands is the number of operands that follow those of the Sample.
const numTextureOperands = 6

// textureOperands gives what a sampler function wants to know of a resource: the address of its
// record, the offset of its level table from its base, width, height, depth and number of levels.
func textureOperands(b *Builder, resource int) []Reg {
	word := func(k uint64) Reg { return b.Emit(Desc, jobRecords+recordWords*uint64(resource)+k) }
	return []Reg{
		b.Emit(Res, uint64(resource)),
		b.op(ISub, word(recTable), word(recBase)),
		word(recWidth), word(recHeight), word(recDepth), word(recLevels),
	}
}

// A sampler writes the function that reads textures with one sampler state.
type sampler struct {
	*Builder
	macros   *macroExpander
	state    SamplerState
	site     SampleSite
	texture  []Reg // what textureOperands gives
	compares bool  // texels give way to results of a comparison
	bytes    bool  // texels are filtered as bytes
	keepTaps bool  // Taps are left as they are
	parts    int   // else the floats of a texel that are read: 4, or 1
	part     int   // the first of them
	record   Reg
	table    Reg    // byte offset of the level table from the base
	size     [3]Reg // width, height, depth of level 0; depth counts the layers of an array and faces of a cube
	levels   Reg

	slice     Reg    // layer and face; NoReg where there is neither
	cube      *cube  // of a cube
	moved     [3]Reg // texels that are added along an axis; NoReg for none
	reference Reg    // of sites that compare
}

// sampleFunc makes the function for sites with a key.
func (e *macroExpander) sampleFunc(key samplerKey) *Func {
	n := key.site.Operands()
	b := NewBuilder(fmt.Sprintf("sample.%d", len(e.samplers)), C32s(n+numTextureOperands), C32s(4))
	b.Func.Macro = true
	args, texture := b.Func.Params[:n], b.Func.Params[n:]
	return b.Finish(e.sampler(b, key, texture).read(args)...)
}

// sampler gives what writes a sampler into b.
func (e *macroExpander) sampler(b *Builder, key samplerKey, texture []Reg) *sampler {
	byZ := key.state.CompareZ && key.state.Dim == Dim2D && key.site.Kind < SampleLOD
	compares := key.site.Compare || byZ
	return &sampler{Builder: b, macros: e, state: key.state, site: key.site, texture: texture, compares: compares,
		bytes: key.state.Format == RGBA8 && !compares, parts: 4, keepTaps: e.keepTaps,
		record: texture[0], table: texture[1], size: [3]Reg(texture[2:5]), levels: texture[5],
		slice: NoReg, moved: [3]Reg{NoReg, NoReg, NoReg}}
}

// read writes what the site does and gives the results.
func (s *sampler) read(args []Reg) []Reg {
	state, site := &s.state, s.site
	gathers := site.Kind == FetchGather || site.Kind == FetchGatherOffset
	if s.compares || state.Format == R32F || gathers {
		s.parts = 1
	}
	if gathers && state.Format == RGBA32F {
		s.part = int(site.Component)
	}
	if site.Kind == FetchTexel {
		return s.texel(args)
	}
	switch {
	case site.Compare:
		s.reference = s.rounded(args[site.reference()])
	case s.compares:
		s.reference = s.rounded(args[2])
	}
	layer := NoReg
	if state.Dim.Array() {
		layer = s.layer(args)
	}
	if s.anisotropic() {
		return s.ones(s.along(args))
	}
	coords := args[:state.Dim.Axes()]
	if state.Dim.Cube() {
		s.cube = s.cubeFace([3]Reg(args))
		coords, s.slice = s.cube.coords(), s.cube.face
		if layer != NoReg {
			s.slice = s.op(IAdd, s.op(IMul, layer, s.U(6)), s.slice)
		}
	} else {
		s.slice = layer
		s.offsets(args)
	}
	if gathers {
		return s.gather(coords)
	}
	if site.Kind == SampleLOD {
		lod := s.lod(args, nil)
		return []Reg{s.clampLevel(s.clampLOD(lod), s.last()), lod, s.F(0), s.F(0)}
	}
	lod := NoReg
	if state.Mip != MipNone || state.Min != state.Mag {
		lod = s.clampLOD(s.lod(args, nil))
	}
	return s.ones(s.whole(s.mips(coords, lod)))
}

// ones puts 1 in place of components.
func (s *sampler) ones(v []Reg) []Reg {
	for k := range v {
		if s.state.Ones>>k&1 != 0 && !s.compares && s.site.Kind != SampleLOD {
			v[k] = s.F(1)
		}
	}
	return v
}

// square reads the words of the texels at two columns of two rows, which begin with these texels.
func (s *sampler) square(record, base Reg, columns, rows []Reg) []Reg {
	args := slices.Concat([]Reg{record, base}, columns, rows)
	if s.keepTaps {
		return s.EmitN(Taps, 0, args...)
	}
	return s.Builder.taps(args)
}

// whole gives the four components of what was read.
func (s *sampler) whole(v []Reg) []Reg {
	switch {
	case s.compares:
		return []Reg{v[0], v[0], v[0], v[0]}
	case s.parts == 1:
		return []Reg{v[0], s.F(0), s.F(0), s.F(1)}
	}
	return v
}

// layer gives the layer of an array: the nearest one that there is, ties to even. A site without a
// layer reads the first.
func (s *sampler) layer(args []Reg) Reg {
	if !s.site.Layer {
		return s.U(0)
	}
	layers := s.size[2]
	if s.state.Dim.Cube() {
		layers = s.op(UDiv, layers, s.U(6))
	}
	last := s.op(ISub, s.op(UMax, layers, s.U(1)), s.U(1))
	return s.op(UMin, s.op(F2U, s.op(FNearest, args[3])), last)
}

// offsets finds the texels that the site adds.
func (s *sampler) offsets(args []Reg) {
	for i, o := range s.site.Offset {
		if o != 0 {
			s.moved[i] = s.U(uint32(int32(o)))
		}
	}
	if s.site.Kind == FetchGatherOffset {
		for i := range 2 {
			o := args[s.site.extra()+i]
			s.moved[i] = s.op(ShrS, s.op(Shl, o, s.U(26)), s.U(26))
		}
	}
}

// rounded gives the reference as the format holds it: of up to 16 bits fl(fl(r*most) + 0.5) truncated,
// of 24 the exact product to nearest even.
func (s *sampler) rounded(r Reg) Reg {
	if s.state.RefBits == 0 {
		return r
	}
	most := float32(uint64(1)<<(s.state.RefBits&31) - 1)
	r = s.clampF(r, 0, 1)
	if s.state.RefBits <= 16 {
		r = s.op(F2U, s.op(FAdd, s.op(FMul, r, s.F(most)), s.F(0.5)))
	} else {
		product := s.op(DMul, s.op(F2D, r), s.op(F2D, s.F(most)))
		r = s.op(Lo64, s.op(DAdd, product, s.Emit(Const64, math.Float64bits(1<<52))))
	}
	return s.op(FDiv, s.op(U2F, r), s.F(most))
}

// derivatives gives those of the coordinates.
func (s *sampler) derivatives(args []Reg) (dx, dy []Reg) {
	extra := args[s.site.extra():]
	dx, dy = make([]Reg, 3), make([]Reg, 3)
	for i := range dx {
		if s.site.Kind == SampleGrad {
			dx[i], dy[i] = extra[i], extra[3+i]
		} else {
			dx[i], dy[i] = s.op(DDX, args[i]), s.op(DDY, args[i])
		}
	}
	if s.cube != nil {
		dx, dy = s.cube.project(dx), s.cube.project(dy)
	}
	return dx, dy
}

// lod gives the level of detail with all biases, before it is clamped; along is the anisotropy that it
// follows from, or nil.
func (s *sampler) lod(args []Reg, along *anisotropy) Reg {
	var lod Reg
	extra := args[s.site.extra():]
	switch {
	case along != nil:
		lod = s.op(FLog2, along.minor)
	case s.site.Kind == SampleLevel:
		lod = extra[0]
	default:
		dx, dy := s.derivatives(args)
		longest := s.op(FMax, s.squaredLength(dx), s.squaredLength(dy))
		lod = s.op(FMul, s.op(FLog2, longest), s.F(0.5))
	}
	if s.state.LODBias != 0 {
		lod = s.op(FAdd, lod, s.F(s.state.LODBias))
	}
	if s.site.Kind == SampleBias {
		lod = s.op(FAdd, lod, extra[0])
	}
	return lod
}

// clampLOD keeps a level of detail within the range of the sampler.
func (s *sampler) clampLOD(lod Reg) Reg {
	if !s.state.LODRange {
		return lod
	}
	return s.op(FMax, s.F(s.state.MinLOD), s.op(FMin, s.F(s.state.MaxLOD), lod))
}

// last is the number of the last level.
func (s *sampler) last() Reg { return s.op(ISub, s.op(UMax, s.levels, s.U(1)), s.U(1)) }

// clampLevel keeps a level of detail within the levels that there are.
func (s *sampler) clampLevel(lod, last Reg) Reg {
	return s.op(FMin, s.op(FMax, s.F(0), lod), s.op(U2F, last))
}

// squaredLength gives the square of the length of a derivative in texels of level 0.
func (s *sampler) squaredLength(d []Reg) Reg {
	sum := NoReg
	for i := range s.state.Dim.Axes() {
		texels := s.op(FMul, d[i], s.op(U2F, s.size[i]))
		square := s.op(FMul, texels, texels)
		if i == 0 {
			sum = square
		} else {
			sum = s.op(FAdd, sum, square)
		}
	}
	return sum
}

// mips chooses filter and levels by lod and combines the levels.
func (s *sampler) mips(coords []Reg, lod Reg) []Reg {
	f := filterOf(s.state.Mag)
	if s.state.Min != s.state.Mag {
		f.kind, f.linear = byLane, s.op(FLt, s.F(0), lod)
		if s.state.Mag == Bilinear {
			f.linear = s.op(Not, f.linear)
		}
	}
	if s.state.Mip == MipNone {
		return s.level(s.U(0), coords, f)
	}
	last := s.last()
	lod = s.clampLevel(lod, last)
	if s.state.Mip == MipNearest {
		return s.level(s.op(F2U, s.op(FAdd, lod, s.F(0.5))), coords, f)
	}
	first := s.op(F2U, lod)
	weight := s.op(FSub, lod, s.op(FTrunc, lod))
	near := s.level(first, coords, f)
	joined := make([]Var, len(near))
	for i, r := range near {
		joined[i] = s.NewVar(r)
	}
	s.If(s.op(FLt, s.F(0), weight))
	far := s.level(s.op(UMin, s.op(IAdd, first, s.U(1)), last), coords, f)
	for i, v := range joined {
		s.Set(v, s.lerp(near[i], far[i], weight))
	}
	s.EndIf()
	for i, v := range joined {
		near[i] = s.Get(v)
	}
	return near
}

// lerp is a + f*(b - a).
func (s *sampler) lerp(a, b, f Reg) Reg {
	return s.op(FAdd, a, s.op(FMul, f, s.op(FSub, b, a)))
}

// A cube is the face of a direction: the axis of largest magnitude, z before y before x where they
// are equal, and the two other components as the face turns them:
//
//	face   major  s   t
//	0 +x   +x    −z  −y
//	1 −x   −x    +z  −y
//	2 +y   +y    +x  +z
//	3 −y   −y    +x  −z
//	4 +z   +z    +x  −y
//	5 −z   −z    −x  −y
type cube struct {
	*sampler
	isZ, isY, negative Reg
	face               Reg
	s, t, major        Reg // of the direction; major is not negative
}

func (s *sampler) cubeFace(d [3]Reg) *cube {
	c := &cube{sampler: s}
	ax, ay, az := s.op(FAbs, d[0]), s.op(FAbs, d[1]), s.op(FAbs, d[2])
	c.isZ = s.op(And, s.op(FLe, ax, az), s.op(FLe, ay, az))
	c.isY = s.op(FLe, ax, ay)
	axis := s.op(Sel, c.isZ, d[2], s.op(Sel, c.isY, d[1], d[0]))
	c.negative = s.op(FLt, axis, s.F(0))
	c.face = c.number()
	c.s, c.t, c.major = c.turn(d[:])
	return c
}

// number gives the number of the face.
func (c *cube) number() Reg {
	first := c.op(Sel, c.isZ, c.U(4), c.op(Sel, c.isY, c.U(2), c.U(0)))
	return c.op(Or, first, c.op(And, c.negative, c.U(1)))
}

// turn gives the components of a vector along the axes of the face. It is linear.
func (c *cube) turn(v []Reg) (s, t, major Reg) { return c.turnBy(FNeg, v) }

// turnBy is turn with the op that negates.
func (c *cube) turnBy(neg Op, v []Reg) (s, t, major Reg) {
	x, y, z := v[0], v[1], v[2]
	nx, ny, nz := c.op(neg, x), c.op(neg, y), c.op(neg, z)
	s = c.op(Sel, c.isZ, c.op(Sel, c.negative, nx, x), c.op(Sel, c.isY, x, c.op(Sel, c.negative, z, nz)))
	t = c.op(Sel, c.isZ, ny, c.op(Sel, c.isY, c.op(Sel, c.negative, nz, z), ny))
	p := c.op(Sel, c.isZ, z, c.op(Sel, c.isY, y, x))
	n := c.op(Sel, c.isZ, nz, c.op(Sel, c.isY, ny, nx))
	return s, t, c.op(Sel, c.negative, n, p)
}

// coords gives the texture coordinates on the face.
func (c *cube) coords() []Reg {
	half := c.F(0.5)
	on := func(r Reg) Reg { return c.op(FAdd, c.op(FMul, c.op(FDiv, r, c.major), half), half) }
	return []Reg{on(c.s), on(c.t)}
}

// project gives the derivative of the coordinates on the face, by the quotient rule.
func (c *cube) project(d []Reg) []Reg {
	ds, dt, dm := c.turn(d)
	square := c.op(FMul, c.major, c.major)
	on := func(r, dr Reg) Reg {
		n := c.op(FSub, c.op(FMul, c.major, dr), c.op(FMul, r, dm))
		return c.op(FMul, c.op(FDiv, n, square), c.F(0.5))
	}
	return []Reg{on(c.s, ds), on(c.t, dt)}
}
