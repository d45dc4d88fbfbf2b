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
	fraction Reg   // weight of the second texel: of bytes 0..255 of 256, of floats a float
}

// A view is one level of the texture.
type view struct {
	base Reg    // offset of its first texel
	size [3]Reg // along the axes
}

func (s *sampler) view(l Reg) (v view) {
	for i := range s.state.Dim.Axes() {
		v.size[i] = s.op(UMin, s.op(UMax, s.op(ShrU, s.size[i], l), s.U(1)), s.U(MaxTextureSize))
	}
	v.base = s.Emit(Load, 0, s.record, s.op(IAdd, s.table, s.op(Shl, l, s.U(2))))
	return v
}

// axes selects texels along each axis.
func (s *sampler) axes(v view, coords []Reg, f filter) (ax [3]axis) {
	modes := [3]Address{s.state.U, s.state.V, s.state.W}
	for i, c := range coords {
		mode := modes[i]
		if s.cube != nil {
			mode = Clamp
		}
		ax[i] = s.axis(mode, c, v.size[i], s.moved[i], f)
	}
	return ax
}

// level reads one level. Nearest and linear lanes go the same way: a nearest lane has fraction 0,
// which gives its first texel exactly.
func (s *sampler) level(l Reg, coords []Reg, f filter) []Reg {
	v := s.view(l)
	ax := s.axes(v, coords, f)
	if s.state.Dim != Dim3D {
		return s.filter(s.taps(v, ax, s.slice, NoReg), ax)
	}
	near := s.filter(s.taps(v, ax, ax[2].texel[0], ax[2].border(0)), ax)
	if f.kind == nearest {
		return near
	}
	far := s.filter(s.taps(v, ax, ax[2].texel[1], ax[2].border(1)), ax)
	weight := ax[2].fraction
	if s.bytes {
		weight = s.op(FMul, s.op(U2F, weight), s.F(1.0/256))
	}
	for i := range near {
		near[i] = s.mix(near[i], far[i], weight)
	}
	return near
}

func (a axis) border(tap int) Reg {
	if a.outside == nil {
		return NoReg
	}
	return a.outside[tap]
}

// place reduces a coordinate by address mode and scales it to texels. With texels to be added the
// modes that clamp do so that far behind the ends that nothing comes back.
func (s *sampler) place(mode Address, u, size Reg, moved bool) Reg {
	sizeF := s.op(U2F, size)
	switch mode {
	case Wrap:
		u = s.op(FMax, s.F(0), s.op(FSub, u, s.op(FFloor, u)))
		return s.op(FMul, u, sizeF)
	case Mirror:
		half := s.op(FMul, u, s.F(0.5))
		part := s.op(FSub, half, s.op(FFloor, half))
		return s.op(FMul, s.op(FMax, s.F(0), s.op(FAdd, part, part)), sizeF)
	}
	if moved {
		low, high := s.F(-margin), s.op(FAdd, sizeF, s.F(margin))
		if mode == MirrorOnce {
			low = s.op(FNeg, high)
		}
		return s.op(FMin, s.op(FMax, low, s.op(FMul, u, sizeF)), high)
	}
	switch mode {
	case Clamp:
		u = s.clampF(u, 0, 1)
	case MirrorOnce:
		u = s.clampF(u, -1, 1)
	default:
		u = s.clampF(u, -1, 2)
	}
	return s.op(FMul, u, sizeF)
}

// margin is more than the largest offset and the reach of a filter, in texels.
const margin = 64

// axis selects texels around a coordinate.
func (s *sampler) axis(mode Address, u, size, moved Reg, f filter) (a axis) {
	place := s.place(mode, u, size, moved != NoReg)
	last := s.op(ISub, size, s.U(1))
	// Mirror: texels behind the last one count backwards
	reflect := func(texel Reg) Reg {
		twice := s.op(ISub, s.op(Shl, size, s.U(1)), s.U(1))
		return s.op(IMax, s.op(IMin, texel, s.op(ISub, twice, texel)), s.U(0))
	}
	once := func(texel Reg) Reg {
		return s.op(IMin, s.op(Xor, texel, s.op(ShrS, texel, s.U(31))), last)
	}
	seams := s.cube != nil && s.state.Seamless && f.kind != nearest
	first := NoReg
	if f.kind != linear {
		first = s.op(F2I, s.op(FFloor, place))
		switch {
		case moved != NoReg:
		case mode == Wrap, mode == Clamp:
			first = s.op(IMin, first, last)
		case mode == Mirror:
			first = reflect(first)
		case mode == MirrorOnce:
			first = once(first)
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
		switch {
		case moved != NoReg, seams:
		case mode == Wrap: // left is −1 or more, right is size or less
			left = s.op(Sel, s.op(ILt, left, s.U(0)), last, left)
			right = s.op(Sel, s.op(IEq, right, size), s.U(0), right)
		case mode == Clamp:
			left = s.op(IMax, left, s.U(0))
			right = s.op(IMin, right, last)
		case mode == Mirror:
			left, right = reflect(left), reflect(right)
		case mode == MirrorOnce:
			left, right = once(left), once(right)
		}
		a.texel, a.fraction = []Reg{left, right}, fraction
	}
	if moved != NoReg {
		for i, t := range a.texel {
			a.texel[i] = s.address(mode, s.op(IAdd, t, moved), size)
		}
	}
	if mode == Border {
		for _, t := range a.texel {
			a.outside = append(a.outside, s.op(Not, s.op(ULt, t, size)))
		}
	}
	return a
}

// address applies an address mode to any texel.
func (s *sampler) address(mode Address, texel, size Reg) Reg {
	last := s.op(ISub, size, s.U(1))
	positive := func() Reg { return s.op(IAdd, texel, s.op(IMul, size, s.U(2*margin))) }
	switch mode {
	case Wrap:
		return s.op(URem, positive(), size)
	case Mirror:
		twice := s.op(Shl, size, s.U(1))
		t := s.op(URem, positive(), twice)
		return s.op(IMin, t, s.op(ISub, s.op(ISub, twice, s.U(1)), t))
	case Clamp:
		return s.op(IMax, s.op(IMin, texel, last), s.U(0))
	case MirrorOnce:
		return s.op(IMin, s.op(Xor, texel, s.op(ShrS, texel, s.U(31))), last)
	}
	return texel
}

// neighbours gives the texel whose centre is at or left of a place, and the way to the next one.
func (s *sampler) neighbours(place Reg) (left, fraction Reg) {
	if s.bytes {
		// 8 bits of fraction; 1.5 texels keep the number positive, half a bit rounds
		fixed := s.op(F2I, s.op(FFloor, s.op(FAdd, s.op(FMul, place, s.F(256)), s.F(128.5))))
		return s.op(ISub, s.op(ShrS, fixed, s.U(8)), s.U(1)), s.op(And, fixed, s.U(255))
	}
	centre := s.op(FSub, place, s.F(0.5))
	floor := s.op(FFloor, centre)
	return s.op(F2I, floor), s.op(FSub, centre, floor)
}

// A texels is what one or two texels along each axis hold: row, column, words of a texel. Rows or
// columns that are not there are nil.
type texels [2][2][]Reg

// taps reads the texels of one slice, face or layer.
func (s *sampler) taps(v view, ax [3]axis, slice, outside Reg) (t texels) {
	if s.cube != nil && s.state.Seamless && len(ax[0].texel) == 2 {
		return s.seam(v, ax)
	}
	rows := 1
	if s.state.Dim.Axes() > 1 {
		rows = len(ax[1].texel)
	}
	if rows == 2 && outside == NoReg && ax[0].outside == nil && ax[1].outside == nil && s.state.Format.Words() == 1 {
		words := s.square(s.record, v.base, ax[0].texel, []Reg{s.row(v, ax, slice, 0), s.row(v, ax, slice, 1)})
		for i, w := range words {
			t[i/2][i%2] = s.compared([]Reg{w})
		}
		return t
	}
	for j := range rows {
		row, out := s.row(v, ax, slice, j), outside
		if s.state.Dim.Axes() > 1 {
			out = s.either(out, ax[1].border(j))
		}
		for i, x := range ax[0].texel {
			if row != NoReg {
				x = s.op(IAdd, row, x)
			}
			t[j][i] = s.compared(s.fetch(v, x, s.either(out, ax[0].border(i))))
		}
	}
	return t
}

// row gives the number of the first texel of row j of a slice, NoReg for 0.
func (s *sampler) row(v view, ax [3]axis, slice Reg, j int) Reg {
	if s.state.Dim.Axes() == 1 {
		if slice == NoReg {
			return NoReg
		}
		return s.op(IMul, slice, v.size[0])
	}
	row := ax[1].texel[j]
	if slice != NoReg {
		row = s.op(IAdd, s.op(IMul, slice, v.size[1]), row)
	}
	return s.op(IMul, row, v.size[0])
}

// compared gives 1 or 0 in place of a texel, where the site compares.
func (s *sampler) compared(t []Reg) []Reg {
	if !s.compares {
		return t
	}
	red := t[0]
	if s.state.Format == RGBA8 {
		red = s.op(FDiv, s.op(U2F, s.op(And, red, s.U(255))), s.F(255))
	}
	return []Reg{s.op(And, s.compare(s.state.Compare, s.reference, red), s.F(1))}
}

func (s *sampler) compare(f Comparison, a, b Reg) Reg {
	switch f {
	case Less:
		return s.op(FLt, a, b)
	case Equal:
		return s.op(FEq, a, b)
	case LessEqual:
		return s.op(FLe, a, b)
	case Greater:
		return s.op(FLt, b, a)
	case NotEqual:
		return s.op(FNe, a, b)
	case GreaterEqual:
		return s.op(FLe, b, a)
	case Always:
		return s.U(^uint32(0))
	}
	return s.U(0)
}

// filter combines texels by the fractions of the axes.
func (s *sampler) filter(t texels, ax [3]axis) []Reg {
	rows := 1
	if t[1][0] != nil {
		rows = 2
	}
	if t[0][1] == nil {
		if s.bytes {
			v := s.unpack8(t[0][0][0])
			return v[:]
		}
		return t[0][0][:s.parts]
	}
	if s.bytes {
		v := s.filter8(t, rows, ax[0].fraction, ax[1].fraction)
		return v[:]
	}
	line := make([][]Reg, rows)
	for j := range line {
		for c := range s.parts {
			line[j] = append(line[j], s.mix(t[j][0][c], t[j][1][c], ax[0].fraction))
		}
	}
	if rows == 2 {
		for c := range line[0] {
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
	if s.bytes {
		return s.lerp(a, b, f)
	}
	return s.op(Sel, s.op(FEq, f, s.F(0)), a, s.lerp(a, b, f))
}

// fetch reads the words of texel i of a level: those that are filtered.
func (s *sampler) fetch(v view, i, outside Reg) []Reg {
	words, border := s.parts, s.state.Border[:]
	if s.state.Format == RGBA8 {
		words, border = 1, []uint32{PackBytes(s.state.Border)}
	}
	at := s.texelOffset(v, i)
	out := make([]Reg, words)
	for i := range out {
		p, k := at, i+s.part
		if k > 0 {
			p = s.op(IAdd, at, s.U(uint32(4*k)))
		}
		out[i] = s.op(Load, s.record, p)
		if outside != NoReg {
			out[i] = s.op(Sel, outside, s.U(border[k]), out[i])
		}
	}
	return out
}

// texelOffset gives the offset of texel i of a level.
func (s *sampler) texelOffset(v view, i Reg) Reg {
	return s.op(IAdd, v.base, s.op(IMul, i, s.U(4*s.state.Format.Words())))
}

// filter8 weighs bytes by integers, exactly, and divides once. Two bytes share a word: along a row
// a sum is at most 255*256, which fits 16 bits.
func (s *sampler) filter8(taps texels, rows int, fx, fy Reg) (out [4]Reg) {
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
