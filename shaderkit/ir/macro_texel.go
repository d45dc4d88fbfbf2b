package ir

// A filter says how a level is read: every lane the same way, or lane by lane.
type filter struct {
	kind   filterKind
	linear Reg // byLane: mask of the lanes that filter
}

type filterKind uint8

const (
	nearest filterKind = iota
	linear
	byLane
)

func filterOf(f Filter) filter {
	if f == Bilinear {
		return filter{kind: linear}
	}
	return filter{kind: nearest}
}

// An axis holds the one or two texels that a coordinate selects.
type axis struct {
	texel    []Reg // indices within the level
	outside  []Reg // Border: mask of lanes where the texel is outside
	fraction Reg   // weight of the second texel: RGBA8 0..255 of 256, RGBA32F a float
}

// level reads one level. Nearest and linear lanes go the same way: a nearest lane has fraction 0,
// which gives its first texel exactly.
func (s *sampler) level(l Reg, coords []Reg, face Reg, f filter) [4]Reg {
	var size [3]Reg
	for i := range s.state.axes() {
		size[i] = s.op(UMin, s.op(UMax, s.op(ShrU, s.size[i], l), s.U(1)), s.U(MaxTextureSize))
	}
	base := s.Emit(Load, 0, s.record, s.op(IAdd, s.table, s.op(Shl, l, s.U(2))))
	modes := [3]Address{s.state.U, s.state.V, s.state.W}
	var ax [3]axis
	for i, c := range coords {
		mode := modes[i]
		if s.state.Dim == DimCube {
			mode = Clamp
		}
		ax[i] = s.axis(mode, c, size[i], f)
	}
	switch s.state.Dim {
	case DimCube:
		return s.slice(base, size, ax, face, NoReg)
	case Dim3D:
		near := s.slice(base, size, ax, ax[2].texel[0], ax[2].border(0))
		if f.kind == nearest {
			return near
		}
		far := s.slice(base, size, ax, ax[2].texel[1], ax[2].border(1))
		weight := ax[2].fraction
		if s.state.Format == RGBA8 {
			weight = s.op(FMul, s.op(U2F, weight), s.F(1.0/256))
		}
		for i := range near {
			near[i] = s.mix(near[i], far[i], weight)
		}
		return near
	}
	return s.slice(base, size, ax, NoReg, NoReg)
}

func (a axis) border(tap int) Reg {
	if a.outside == nil {
		return NoReg
	}
	return a.outside[tap]
}

// axis reduces a coordinate to a place in texels, by address mode, and selects texels around it.
func (s *sampler) axis(mode Address, u, size Reg, f filter) (a axis) {
	var place Reg
	switch mode {
	case Wrap:
		place = s.op(FMax, s.F(0), s.op(FSub, u, s.op(FFloor, u)))
	case Mirror:
		half := s.op(FMul, u, s.F(0.5))
		part := s.op(FSub, half, s.op(FFloor, half))
		place = s.op(FMax, s.F(0), s.op(FAdd, part, part))
	case Clamp:
		place = s.clampF(u, 0, 1)
	default:
		place = s.clampF(u, -1, 2)
	}
	place = s.op(FMul, place, s.op(U2F, size))
	last := s.op(ISub, size, s.U(1))

	// Mirror: texels behind the last one count backwards
	reflect := func(texel Reg) Reg {
		twice := s.op(ISub, s.op(Shl, size, s.U(1)), s.U(1))
		return s.op(IMax, s.op(IMin, texel, s.op(ISub, twice, texel)), s.U(0))
	}
	first := NoReg
	if f.kind != linear {
		first = s.op(F2I, s.op(FFloor, place))
		switch mode {
		case Wrap, Clamp:
			first = s.op(IMin, first, last)
		case Mirror:
			first = reflect(first)
		}
	}
	if f.kind == nearest {
		a.texel = []Reg{first}
	} else {
		left, fraction := s.neighbours(place)
		if f.kind == byLane {
			left = s.op(Sel, f.linear, left, first)
			fraction = s.op(And, f.linear, fraction)
		}
		right := s.op(IAdd, left, s.U(1))
		switch mode {
		case Wrap: // left is −1 or more, right is size or less
			left = s.op(Sel, s.op(ILt, left, s.U(0)), last, left)
			right = s.op(Sel, s.op(IEq, right, size), s.U(0), right)
		case Clamp:
			left = s.op(IMax, left, s.U(0))
			right = s.op(IMin, right, last)
		case Mirror:
			left, right = reflect(left), reflect(right)
		}
		a.texel, a.fraction = []Reg{left, right}, fraction
	}
	if mode == Border {
		for _, t := range a.texel {
			a.outside = append(a.outside, s.op(Not, s.op(ULt, t, size)))
		}
	}
	return a
}

// neighbours gives the texel whose centre is at or left of a place, and the way to the next one.
func (s *sampler) neighbours(place Reg) (left, fraction Reg) {
	if s.state.Format == RGBA8 {
		// 8 bits of fraction; 1.5 texels keep the number positive, half a bit rounds
		fixed := s.op(F2I, s.op(FFloor, s.op(FAdd, s.op(FMul, place, s.F(256)), s.F(128.5))))
		return s.op(ISub, s.op(ShrS, fixed, s.U(8)), s.U(1)), s.op(And, fixed, s.U(255))
	}
	centre := s.op(FSub, place, s.F(0.5))
	floor := s.op(FFloor, centre)
	return s.op(F2I, floor), s.op(FSub, centre, floor)
}

// slice filters within one slice or face.
func (s *sampler) slice(base Reg, size [3]Reg, ax [3]axis, slice, outside Reg) [4]Reg {
	rows := 1
	if s.state.axes() > 1 {
		rows = len(ax[1].texel)
	}
	var taps [2][2][]Reg
	for j := range rows {
		row, out := NoReg, outside
		if s.state.axes() > 1 {
			row = ax[1].texel[j]
			if slice != NoReg {
				row = s.op(IAdd, s.op(IMul, slice, size[1]), row)
			}
			row = s.op(IMul, row, size[0])
			out = s.either(out, ax[1].border(j))
		}
		for i, x := range ax[0].texel {
			taps[j][i] = s.fetch(base, row, x, s.either(out, ax[0].border(i)))
		}
	}
	if len(ax[0].texel) == 1 {
		if s.state.Format == RGBA8 {
			return s.unpack8(taps[0][0][0])
		}
		return [4]Reg(taps[0][0])
	}
	if s.state.Format == RGBA8 {
		return s.filter8(taps, rows, ax[0].fraction, ax[1].fraction)
	}
	var line [2][4]Reg
	for j := range rows {
		for c := range 4 {
			line[j][c] = s.mix(taps[j][0][c], taps[j][1][c], ax[0].fraction)
		}
	}
	if rows == 2 {
		for c := range 4 {
			line[0][c] = s.mix(line[0][c], line[1][c], ax[1].fraction)
		}
	}
	return line[0]
}

// either joins masks, NoReg being never.
func (s *sampler) either(a, b Reg) Reg {
	if a == NoReg {
		return b
	}
	if b == NoReg {
		return a
	}
	return s.op(Or, a, b)
}

// mix is lerp, but a where f is 0: an infinite texel of weight 0 does not show.
func (s *sampler) mix(a, b, f Reg) Reg {
	if s.state.Format == RGBA8 {
		return s.lerp(a, b, f)
	}
	return s.op(Sel, s.op(FEq, f, s.F(0)), a, s.lerp(a, b, f))
}

// fetch reads the words of a texel: one of RGBA8, four of RGBA32F.
func (s *sampler) fetch(base, row, x, outside Reg) []Reg {
	words, border := 1, s.state.Border[:]
	if s.state.Format == RGBA8 {
		border = []uint32{PackBytes(s.state.Border)}
	} else {
		words = 4
	}
	if row != NoReg {
		x = s.op(IAdd, row, x)
	}
	at := s.op(IAdd, base, s.op(IMul, x, s.U(uint32(4*words))))
	out := make([]Reg, words)
	for i := range out {
		p := at
		if i > 0 {
			p = s.op(IAdd, at, s.U(uint32(4*i)))
		}
		out[i] = s.op(Load, s.record, p)
		if outside != NoReg {
			out[i] = s.op(Sel, outside, s.U(border[i]), out[i])
		}
	}
	return out
}

// filter8 weighs bytes by integers, exactly, and divides once. Two bytes share a word: along a row
// a sum is at most 255*256, which fits 16 bits.
func (s *sampler) filter8(taps [2][2][]Reg, rows int, fx, fy Reg) (out [4]Reg) {
	even, low := s.U(0x00FF00FF), s.U(0xFFFF)
	x0 := s.op(ISub, s.U(256), fx)
	var sums [2][2]Reg // row; red and blue, green and alpha
	for j := range rows {
		for k := range 2 {
			part := func(t Reg) Reg {
				if k == 1 {
					t = s.op(ShrU, t, s.U(8))
				}
				return s.op(And, t, even)
			}
			sums[j][k] = s.op(IAdd, s.op(IMul, part(taps[j][0][0]), x0), s.op(IMul, part(taps[j][1][0]), fx))
		}
	}
	whole := float32(255 * 256)
	if rows == 2 {
		whole *= 256
	}
	for c := range out {
		half := func(sum Reg) Reg {
			if c >= 2 {
				return s.op(ShrU, sum, s.U(16))
			}
			return s.op(And, sum, low)
		}
		total := half(sums[0][c&1])
		if rows == 2 {
			y0 := s.op(ISub, s.U(256), fy)
			total = s.op(IAdd, s.op(IMul, total, y0), s.op(IMul, half(sums[1][c&1]), fy))
		}
		out[c] = s.op(FDiv, s.op(I2F, total), s.F(whole))
	}
	return out
}
