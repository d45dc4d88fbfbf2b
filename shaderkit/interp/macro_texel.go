package interp

import (
	"math"

	"swizzle/shaderkit/ir"
)

// This file reads one level; ir/macro_texel.go defines it.

// An axis holds the texels that a coordinate selects and the weight of the second one.
type axis struct {
	first, second uint32 // Border: any number, the others less than the size
	weight        uint32 // RGBA8: of 256
	fraction      float32
}

// place reduces a coordinate by address mode and scales it to texels.
func place(mode ir.Address, u, size float32) float32 {
	switch mode {
	case ir.Wrap:
		u = ir.PMax(0, u-floor(u))
	case ir.Mirror:
		half := float32(u * 0.5)
		part := half - floor(half)
		u = ir.PMax(0, part+part)
	case ir.Clamp:
		u = ir.PMin(ir.PMax(0, u), 1)
	default:
		u = ir.PMin(ir.PMax(-1, u), 2)
	}
	return float32(u * size)
}

func floor(x float32) float32 { return float32(math.Floor(float64(x))) }

func (s *sampler) axis(mode ir.Address, u float32, size uint32, sizeF float32, linear bool) (a axis) {
	at := place(mode, u, sizeF)
	last := size - 1
	switch {
	case !linear:
		a.first = uint32(int32(floor(at)))
		switch mode {
		case ir.Wrap, ir.Clamp:
			a.first = uint32(min(int32(a.first), int32(last)))
		case ir.Mirror:
			a.first = reflect(a.first, size)
		}
		return a
	case s.Format == ir.RGBA8:
		fixed := int32(floor(float32(at*256) + 128.5))
		a.first, a.weight = uint32(fixed>>8)-1, uint32(fixed&255)
	default:
		centre := at - 0.5
		left := floor(centre)
		a.first, a.fraction = uint32(int32(left)), centre-left
	}
	a.second = a.first + 1
	switch mode {
	case ir.Wrap:
		if int32(a.first) < 0 {
			a.first = last
		}
		if a.second == size {
			a.second = 0
		}
	case ir.Clamp:
		a.first = uint32(max(int32(a.first), 0))
		a.second = uint32(min(int32(a.second), int32(last)))
	case ir.Mirror:
		a.first, a.second = reflect(a.first, size), reflect(a.second, size)
	}
	return a
}

// reflect counts texels behind the last one backwards.
func reflect(texel, size uint32) uint32 {
	return uint32(max(min(int32(texel), int32(2*size-1-texel)), 0))
}

// readLevel reads v at c, of a cube on a face.
func (s *sampler) readLevel(out *[4]float32, v *level, c *[3]float32, face uint32, linear bool) {
	if s.seams {
		s.readSeam(out, v, c, face, linear)
		return
	}
	x := s.axis(s.U, c[0], v.size[0], v.float[0], linear)
	var y, z axis
	if s.axes > 1 {
		y = s.axis(s.V, c[1], v.size[1], v.float[1], linear)
	}
	slice, outside := face, false
	if s.axes > 2 {
		z = s.axis(s.W, c[2], v.size[2], v.float[2], linear)
		slice, outside = z.first, s.W == ir.Border && z.first >= v.size[2]
	}
	s.readSlice(out, v, &x, &y, slice, outside, linear)
	if !linear || s.axes < 3 {
		return
	}
	weight := z.fraction
	if s.Format == ir.RGBA8 {
		weight = float32(z.weight) * (1.0 / 256)
	}
	if weight == 0 {
		return
	}
	var far [4]float32
	s.readSlice(&far, v, &x, &y, z.second, s.W == ir.Border && z.second >= v.size[2], linear)
	for i := range out {
		out[i] = lerp(out[i], far[i], weight)
	}
}

// readSlice filters within one slice or face.
func (s *sampler) readSlice(out *[4]float32, v *level, x, y *axis, slice uint32, outside, linear bool) {
	row := func(y uint32) uint32 {
		if s.axes < 2 {
			return 0
		}
		return (slice*v.size[1] + y) * v.size[0]
	}
	top := row(y.first)
	outTop := outside || s.V == ir.Border && s.axes > 1 && y.first >= v.size[1]
	outLeft := s.U == ir.Border && x.first >= v.size[0]
	if !linear {
		if s.Format == ir.RGBA8 {
			*out = unpackBytes(s.word(v, top+x.first, outTop || outLeft))
		} else {
			s.texel(out, v, top+x.first, outTop || outLeft)
		}
		return
	}
	outRight := s.U == ir.Border && x.second >= v.size[0]
	bottom := row(y.second)
	outBottom := outside || s.V == ir.Border && s.axes > 1 && y.second >= v.size[1]
	if s.Format == ir.RGBA8 {
		filterBytes(out,
			s.word(v, top+x.first, outTop || outLeft), s.word(v, top+x.second, outTop || outRight),
			s.word(v, bottom+x.first, outBottom || outLeft), s.word(v, bottom+x.second, outBottom || outRight),
			uint64(x.weight), uint64(y.weight))
		return
	}
	s.line(out, v, top, x, outTop || outLeft, outTop || outRight)
	if y.fraction == 0 {
		return
	}
	var low [4]float32
	s.line(&low, v, bottom, x, outBottom || outLeft, outBottom || outRight)
	for i := range out {
		out[i] = lerp(out[i], low[i], y.fraction)
	}
}

// line filters along a row of RGBA32F.
func (s *sampler) line(out *[4]float32, v *level, row uint32, x *axis, outLeft, outRight bool) {
	s.texel(out, v, row+x.first, outLeft)
	if x.fraction == 0 {
		return
	}
	var right [4]float32
	s.texel(&right, v, row+x.second, outRight)
	for i := range out {
		out[i] = lerp(out[i], right[i], x.fraction)
	}
}

// word reads texel i of a level of RGBA8.
func (s *sampler) word(v *level, i uint32, outside bool) uint32 {
	if outside {
		return s.edge[0]
	}
	if uint64(i) < uint64(len(v.texels)) {
		return v.texels[i]
	}
	return s.load(v.offset + 4*i)
}

// texel reads texel i of a level of RGBA32F.
func (s *sampler) texel(out *[4]float32, v *level, i uint32, outside bool) {
	if n := 4 * uint64(i); !outside && n < uint64(len(v.texels)) {
		for k, w := range (*[4]uint32)(v.texels[n:]) {
			out[k] = math.Float32frombits(w)
		}
		return
	}
	for k := range out {
		w := s.edge[k]
		if !outside {
			w = s.load(v.offset + 16*i + 4*uint32(k))
		}
		out[k] = math.Float32frombits(w)
	}
}

// filterBytes weighs the bytes of four texels. The four bytes of a texel lie in 16 bits each along a
// row and in 32 bits each between rows.
func filterBytes(out *[4]float32, t00, t10, t01, t11 uint32, fx, fy uint64) {
	const low = 0x0000FFFF0000FFFF
	top := spread(t00)*(256-fx) + spread(t10)*fx
	bottom := spread(t01)*(256-fx) + spread(t11)*fx
	rg := (top&low)*(256-fy) + (bottom&low)*fy
	ba := (top>>16&low)*(256-fy) + (bottom>>16&low)*fy
	const whole = 255 * 256 * 256
	out[0] = float32(int32(rg)) / whole
	out[1] = float32(int32(rg>>32)) / whole
	out[2] = float32(int32(ba)) / whole
	out[3] = float32(int32(ba>>32)) / whole
}

// spread gives red, blue, green, alpha 16 bits each.
func spread(t uint32) uint64 {
	return uint64(t&0x00FF00FF) | uint64(t>>8&0x00FF00FF)<<32
}

// A bytesAxis is what the coordinates of a quad select along one axis of RGBA8.
type bytesAxis struct{ first, second, weight [quadLanes]uint32 }

// quadBytes reads a level with all its texels in a quad: two axes of RGBA8 without border.
func (s *sampler) quadBytes(out *[4]*quad, v *level, coords *[3]*quad, face *[quadLanes]uint32, linear bool) {
	var x, y bytesAxis
	var p quad
	places(&p, s.U, coords[0], v.float[0])
	x.choose(&p, s.U, v.size[0], linear)
	places(&p, s.V, coords[1], v.float[1])
	y.choose(&p, s.V, v.size[1], linear)
	w, h := v.size[0], v.size[1]
	if !linear {
		for k := range face {
			c := unpackBytes(v.texels[(face[k]*h+y.first[k])*w+x.first[k]])
			out[0][k], out[1][k], out[2][k], out[3][k] = c[0], c[1], c[2], c[3]
		}
		return
	}
	for k := range face {
		top, bottom := (face[k]*h+y.first[k])*w, (face[k]*h+y.second[k])*w
		left, right := x.first[k], x.second[k]
		var c [4]float32
		filterBytes(&c, v.texels[top+left], v.texels[top+right], v.texels[bottom+left], v.texels[bottom+right],
			uint64(x.weight[k]), uint64(y.weight[k]))
		out[0][k], out[1][k], out[2][k], out[3][k] = c[0], c[1], c[2], c[3]
	}
}

// places is place in a quad, for modes without border.
func places(out *quad, mode ir.Address, u *quad, size float32) {
	switch mode {
	case ir.Wrap:
		for k, x := range u {
			out[k] = float32(ir.PMax(0, x-floor(x)) * size)
		}
	case ir.Clamp:
		for k, x := range u {
			out[k] = float32(ir.PMin(ir.PMax(0, x), 1) * size)
		}
	default:
		for k, x := range u {
			out[k] = place(mode, x, size)
		}
	}
}

// choose is axis in a quad, for modes without border, where places are not negative. No conversion
// saturates: sizes are at most ir.MaxTextureSize.
func (a *bytesAxis) choose(at *quad, mode ir.Address, size uint32, linear bool) {
	if !linear {
		for k, x := range at {
			a.first[k] = uint32(int32(x))
		}
		if mode == ir.Mirror {
			reflectQuad(&a.first, size)
		}
		for k := range a.first {
			a.first[k] = min(a.first[k], size-1)
		}
		return
	}
	for k, x := range at {
		fixed := uint32(int32(float32(x*256) + 128.5))
		a.weight[k] = fixed & 255
		a.second[k] = fixed >> 8
		a.first[k] = a.second[k] - 1
	}
	switch mode {
	case ir.Wrap:
		for k := range a.first {
			if a.second[k] == 0 {
				a.first[k] = size - 1
			}
			if a.second[k] == size {
				a.second[k] = 0
			}
		}
	case ir.Clamp:
		for k := range a.first {
			a.first[k] = uint32(max(int32(a.first[k]), 0))
			a.second[k] = min(a.second[k], size-1)
		}
	case ir.Mirror:
		reflectQuad(&a.first, size)
		reflectQuad(&a.second, size)
	}
}

func reflectQuad(texel *[quadLanes]uint32, size uint32) {
	for k, t := range texel {
		texel[k] = reflect(t, size)
	}
}
