package ir

// This file defines Sample: the level of detail, the levels, the faces of a cube. macro_texel.go
// defines how one level is filtered. render/NUMERICS.md, section Textures, states both in words.

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
	state  SamplerState
	record Reg
	table  Reg    // byte offset of the level table from the base
	size   [3]Reg // width, height, depth of level 0
	levels Reg
}

// axes is the number of coordinates within a level.
func (s *SamplerState) axes() int {
	switch s.Dim {
	case Dim1D:
		return 1
	case Dim3D:
		return 3
	}
	return 2
}

// operands is the number of operands of a Sample.
func (k SampleKind) operands() int { return [...]int{3, 4, 4, 9}[k&3] }

func sampleFunc(name string, state SamplerState, kind SampleKind) *Func {
	n := kind.operands()
	b := NewBuilder(name, C32s(n+numTextureOperands), C32s(4))
	b.Func.Macro = true
	args, tex := b.Func.Params[:n], b.Func.Params[n:]
	s := &sampler{Builder: b, state: state,
		record: tex[0], table: tex[1], size: [3]Reg(tex[2:5]), levels: tex[5]}

	coords, face := args[:state.axes()], NoReg
	var c *cube
	if s.state.Dim == DimCube {
		c = s.cubeFace([3]Reg(args))
		coords, face = c.coords(), c.face
	}
	lod := NoReg
	if s.state.Mip != MipNone || s.state.Min != s.state.Mag {
		lod = s.lod(kind, args, c)
	}
	out := s.mips(coords, face, lod)
	return b.Finish(out[:]...)
}

// lod gives the level of detail with all biases, before it is clamped to the levels there are.
func (s *sampler) lod(kind SampleKind, args []Reg, c *cube) Reg {
	var lod Reg
	if kind == SampleLevel {
		lod = args[3]
	} else {
		dx, dy := make([]Reg, 3), make([]Reg, 3)
		for i := range dx {
			if kind == SampleGrad {
				dx[i], dy[i] = args[3+i], args[6+i]
			} else {
				dx[i], dy[i] = s.op(DDX, args[i]), s.op(DDY, args[i])
			}
		}
		if c != nil {
			dx, dy = c.project(dx), c.project(dy)
		}
		longest := s.op(FMax, s.squaredLength(dx), s.squaredLength(dy))
		lod = s.op(FMul, s.op(FLog2, longest), s.F(0.5))
	}
	if s.state.LODBias != 0 {
		lod = s.op(FAdd, lod, s.F(s.state.LODBias))
	}
	if kind == SampleBias {
		lod = s.op(FAdd, lod, args[3])
	}
	return lod
}

// squaredLength gives the square of the length of a derivative in texels of level 0.
func (s *sampler) squaredLength(d []Reg) Reg {
	sum := NoReg
	for i := range s.state.axes() {
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
func (s *sampler) mips(coords []Reg, face, lod Reg) [4]Reg {
	f := filterOf(s.state.Mag)
	if s.state.Min != s.state.Mag {
		f.kind, f.linear = byLane, s.op(FLt, s.F(0), lod)
		if s.state.Mag == Bilinear {
			f.linear = s.op(Not, f.linear)
		}
	}
	if s.state.Mip == MipNone {
		return s.level(s.U(0), coords, face, f)
	}
	last := s.op(ISub, s.op(UMax, s.levels, s.U(1)), s.U(1))
	lod = s.op(FMin, s.op(FMax, s.F(0), lod), s.op(U2F, last))
	if s.state.Mip == MipNearest {
		return s.level(s.op(F2U, s.op(FAdd, lod, s.F(0.5))), coords, face, f)
	}
	first := s.op(F2U, lod)
	weight := s.op(FSub, lod, s.op(FTrunc, lod))
	near := s.level(first, coords, face, f)
	var joined [4]Var
	for i, r := range near {
		joined[i] = s.NewVar(r)
	}
	s.If(s.op(FLt, s.F(0), weight))
	far := s.level(s.op(UMin, s.op(IAdd, first, s.U(1)), last), coords, face, f)
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
	first := s.op(Sel, c.isZ, s.U(4), s.op(Sel, c.isY, s.U(2), s.U(0)))
	c.face = s.op(Or, first, s.op(And, c.negative, s.U(1)))
	c.s, c.t, c.major = c.turn(d[:])
	return c
}

// turn gives the components of a vector along the axes of the face. It is linear.
func (c *cube) turn(v []Reg) (s, t, major Reg) {
	x, y, z := v[0], v[1], v[2]
	nx, ny, nz := c.op(FNeg, x), c.op(FNeg, y), c.op(FNeg, z)
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
