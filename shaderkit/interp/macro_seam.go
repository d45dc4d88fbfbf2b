package interp

import "swizzle/shaderkit/ir"

// This file reads across the edges of a cube's faces; ir/macro_seam.go defines it.

// crosses reports whether a lane of a quad needs a texel of a neighbouring face, or the level is not
// square, which only a record of nonsense can say.
func (s *sampler) crosses(v *level, coords *[3]*quad, linear bool) bool {
	if !s.seams {
		return false
	}
	if v.size[0] != v.size[1] {
		return true
	}
	for k := range quadLanes {
		for _, c := range coords[:2] {
			if fixed := int32(float32(place(ir.Clamp, c[k], v.float[0])*256) + 128.5); linear && (fixed>>8 == 0 || uint32(fixed>>8) == v.size[0]) {
				return true
			}
		}
	}
	return false
}

// readSeam is readLevel of one lane.
func (s *sampler) readSeam(out *[4]float32, v *level, c *[3]float32, face uint32, linear bool) {
	var first [2]int32
	var weight [2]uint32
	var fraction [2]float32
	for i := range first {
		at := place(ir.Clamp, c[i], v.float[i])
		switch {
		case !linear:
			first[i] = min(int32(floor(at)), int32(v.size[i]-1))
		case s.Format == ir.RGBA8:
			fixed := int32(floor(float32(at*256) + 128.5))
			first[i], weight[i] = fixed>>8-1, uint32(fixed&255)
		default:
			left := floor(at - 0.5)
			first[i], fraction[i] = int32(left), at-0.5-left
		}
	}
	n := int32(v.size[0])
	var at [4]uint32
	var missing [4]bool // at most one, of cubes that are square
	for k := range at {
		x, y := first[0]+int32(k&1), first[1]+int32(k>>1)
		missing[k] = outside(x, n) && outside(y, n)
		at[k] = behind(face, n, x, y)
	}
	if s.Format == ir.RGBA8 {
		var t [4]uint32
		for k := range t {
			t[k] = s.word(v, at[k], false)
		}
		had := t
		for k, m := range missing {
			if m {
				t[k] = meanBytes(&had, k)
			}
		}
		filterBytes(out, t[0], t[1], t[2], t[3], uint64(weight[0]), uint64(weight[1]))
		return
	}
	var t [4][4]float32
	for k := range t {
		s.texel(&t[k], v, at[k], false)
	}
	had := t
	for k, m := range missing {
		if m {
			meanFloats(&t[k], &had, k)
		}
	}
	mix := func(a, b *[4]float32, f float32) {
		if f != 0 {
			for i := range a {
				a[i] = lerp(a[i], b[i], f)
			}
		}
	}
	mix(&t[0], &t[1], fraction[0])
	mix(&t[2], &t[3], fraction[0])
	mix(&t[0], &t[2], fraction[1])
	*out = t[0]
}

func outside(t, n int32) bool { return uint32(t) >= uint32(n) }

// turn negates x or not.
func (a axis3) turn(x int32) int32 {
	if a.negate {
		return -x
	}
	return x
}

// behind gives the index in the level of texel (x, y) of a face of n by n texels, or of the one that
// lies behind the edge there.
func behind(face uint32, n, x, y int32) uint32 {
	if outX, outY := outside(x, n), outside(y, n); outX || outY {
		within := func(t int32) int32 { return max(min(t+t+1-n, n), -n) }
		f := &cubeSides[face]
		var d [3]int32 // from the middle of the cube
		d[f.s.comp], d[f.t.comp], d[f.major.comp] = f.s.turn(within(x)), f.t.turn(within(y)), f.major.turn(n-1)
		axis := 0
		switch {
		case d[2] == n || d[2] == -n:
			axis = 2
		case d[1] == n || d[1] == -n:
			axis = 1
		}
		face = uint32(2 * axis)
		if d[axis] < 0 {
			face++
		}
		f = &cubeSides[face]
		x, y = (f.s.turn(d[f.s.comp])+n-1)>>1, (f.t.turn(d[f.t.comp])+n-1)>>1
	}
	return (face*uint32(n)+uint32(y))*uint32(n) + uint32(x)
}

// meanBytes is the mean of all but one texel, each byte rounded to nearest.
func meanBytes(t *[4]uint32, but int) (word uint32) {
	for shift := 0; shift < 32; shift += 8 {
		sum := uint32(1)
		for k, w := range t {
			if k != but {
				sum += w >> shift & 255
			}
		}
		word |= sum / 3 << shift
	}
	return word
}

// meanFloats gives the mean of all but one texel.
func meanFloats(out *[4]float32, t *[4][4]float32, but int) {
	var o [3]*[4]float32
	for k := range o {
		if o[k] = &t[k]; k >= but {
			o[k] = &t[k+1]
		}
	}
	for i, a := range o[0] {
		out[i] = a + ((o[1][i]-a)+(o[2][i]-a))/3
	}
}
