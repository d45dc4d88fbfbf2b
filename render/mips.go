package render

import (
	"math"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// generate makes the levels below level 0, down to one texel: NUMERICS.md, Mip levels.
func generate(x *exec.Texture) {
	for l := 1; ; l++ {
		w, h, d := x.Width>>l, x.Height>>l, x.Depth>>l
		if max(w, h, d) == 0 {
			return
		}
		x.Levels = append(x.Levels, half(x, l))
	}
}

// half gives level l from the one above it: the mean of 2x2 texels, of 2x2x2 of a volume. An edge of
// one texel is used twice.
func half(x *exec.Texture, l int) []uint32 {
	above, words := x.Levels[l-1], int(x.Format.Words())
	pw, ph, ps := x.LevelSize(l - 1)
	w, h, slices := x.LevelSize(l)
	level := make([]uint32, x.LevelWords(l))
	for s := range slices {
		s0, s1 := s, s
		if x.Dim == ir.Dim3D {
			s0, s1 = min(2*s, ps-1), min(2*s+1, ps-1)
		}
		for y := range h {
			y0, y1 := min(2*y, ph-1), min(2*y+1, ph-1)
			for i := range w {
				x0, x1 := min(2*i, pw-1), min(2*i+1, pw-1)
				at := func(s, y, x int) int { return ((s*ph+y)*pw + x) * words }
				from := [8]int{at(s0, y0, x0), at(s0, y0, x1), at(s0, y1, x0), at(s0, y1, x1), at(s1, y0, x0), at(s1, y0, x1), at(s1, y1, x0), at(s1, y1, x1)}
				to := ((s*h+y)*w + i) * words
				for k := range words {
					var v [8]uint32
					for j := range v {
						v[j] = above[from[j]+k]
					}
					if x.Format == ir.RGBA8 {
						level[to+k] = meanBytes(&v)
					} else {
						level[to+k] = meanFloat(&v)
					}
				}
			}
		}
	}
	return level
}

// meanBytes rounds each byte's mean to nearest, a half upwards.
func meanBytes(v *[8]uint32) (word uint32) {
	for k := 0; k < 32; k += 8 {
		sum := uint32(4)
		for _, w := range v {
			sum += w >> k & 255
		}
		word |= sum >> 3 << k
	}
	return word
}

// meanFloat adds neighbours in rows, then rows, then slices.
func meanFloat(v *[8]uint32) uint32 {
	f := func(i int) float32 { return math.Float32frombits(v[i]) }
	near := float32(((f(0) + f(1)) + (f(2) + f(3))) * 0.25)
	far := float32(((f(4) + f(5)) + (f(6) + f(7))) * 0.25)
	return ir.CanonBits(math.Float32bits((near + far) * 0.5))
}
