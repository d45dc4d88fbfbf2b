package ir

// This file defines anisotropic filtering (11.3 7.18.11): the mean of filters at places along the longer
// one of the two derivatives, of a level that the shorter side of the footprint chooses.

// maxAniso is the largest number of places (11.3 7.18.3).
const maxAniso = 16

// anisotropic reports whether the site filters along a line.
func (s *sampler) anisotropic() bool {
	switch s.site.Kind {
	case SampleImplicit, SampleBias, SampleGrad, SampleLOD:
		return s.state.Aniso > 1 && (s.state.Dim == Dim2D || s.state.Dim == Dim2DArray)
	}
	return false
}

// An anisotropy is the footprint of a pixel in a 2D texture.
type anisotropy struct {
	minor Reg    // texels of level 0 across the line
	line  [2]Reg // the longer derivative, of the coordinates
	count Reg    // places along it, 1 to Aniso
}

func (s *sampler) anisotropy(args []Reg) *anisotropy {
	dx, dy := s.derivatives(args)
	texels := func(d []Reg) (u, v Reg) {
		return s.op(FMul, d[0], s.op(U2F, s.size[0])), s.op(FMul, d[1], s.op(U2F, s.size[1]))
	}
	xu, xv := texels(dx)
	yu, yv := texels(dy)
	square := func(u, v Reg) Reg { return s.op(FAdd, s.op(FMul, u, u), s.op(FMul, v, v)) }
	squareX, squareY := square(xu, xv), square(yu, yv)
	area := s.op(FAbs, s.op(FSub, s.op(FMul, xu, yv), s.op(FMul, xv, yu)))
	isX := s.op(FLt, squareY, squareX)
	squareMajor := s.op(Sel, isX, squareX, squareY)
	major := s.op(FSqrt, squareMajor)

	most := s.F(float32(min(s.state.Aniso, maxAniso)))
	ratio := s.op(FDiv, squareMajor, area)
	cut := s.op(FLt, most, ratio)
	ratio = s.op(Sel, cut, most, ratio)
	minor := s.op(Sel, cut, s.op(FDiv, major, most), s.op(FDiv, area, major))
	// where texels are larger than the footprint is wide, fewer places do
	fewer := s.op(FMax, s.F(1), s.op(FMul, ratio, minor))
	ratio = s.op(Sel, s.op(FLt, minor, s.F(1)), fewer, ratio)
	count := s.op(UMin, s.op(UMax, s.op(F2U, s.op(FCeil, ratio)), s.U(1)), s.op(F2U, most))
	return &anisotropy{minor: minor, count: count,
		line: [2]Reg{s.op(Sel, isX, dx[0], dy[0]), s.op(Sel, isX, dx[1], dy[1])}}
}

// along writes an anisotropic site: place k of n lies at (k + 1/2)/n - 1/2 of the line. The mean takes
// them in one after the other, so that equal ones stay what they are.
func (s *sampler) along(args []Reg) []Reg {
	a := s.anisotropy(args)
	lod := s.lod(args, a)
	if s.site.Kind == SampleLOD {
		return []Reg{s.clampLevel(s.clampLOD(lod), s.last()), lod, s.F(0), s.F(0)}
	}
	lod = s.clampLOD(lod)
	key := samplerKey{s.state, s.site}
	key.site.Kind = SampleLevel
	key.state.Aniso, key.state.LODBias, key.state.LODRange, key.state.MinLOD, key.state.MaxLOD = 0, 0, false, 0, 0
	n := s.op(U2F, a.count)
	at := func(k int) []Reg {
		part := s.op(FSub, s.op(FDiv, s.F(float32(k)+0.5), n), s.F(0.5))
		operands := append([]Reg(nil), args[:s.site.extra()]...)
		for i, d := range a.line {
			operands[i] = s.op(FAdd, args[i], s.op(FMul, d, part))
		}
		return s.macros.call(s.Builder, key, append(operands, lod), s.texture)
	}
	var mean [4]Var
	for i, r := range at(0) {
		mean[i] = s.NewVar(r)
	}
	for k := 1; k < int(min(s.state.Aniso, maxAniso)); k++ {
		s.If(s.op(ULt, s.U(uint32(k)), a.count))
		for i, r := range at(k) {
			old := s.Get(mean[i])
			s.Set(mean[i], s.op(FAdd, old, s.op(FDiv, s.op(FSub, r, old), s.F(float32(k+1)))))
		}
		s.EndIf()
	}
	out := make([]Reg, 4)
	for i, v := range mean {
		out[i] = s.Get(v)
	}
	return out
}
