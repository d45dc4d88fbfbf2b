package render

import "math"

// point draws a point, which is a front face; one that lies outside of a plane is left out as a whole.
// size is the word where the vertex shader gives its size, or below 0.
func (r *rasteriser) point(v *vert, size int) fate {
	switch {
	case v.nan:
		return notANum
	case v.out|v.culled != 0:
		return outside
	}
	r.tri.back = false
	pixels := r.state.Point.Size
	if pixels == 0 {
		pixels = 1
	}
	if size >= 0 {
		pixels = float32(single(v.words[size]))
	}
	return r.square(&v.corner, r.pointSize(pixels), 0, &v.corner)
}

// pointSize clamps a size as the state says; a NaN is 0.
func (r *rasteriser) pointSize(size float32) float64 {
	p := &r.state.Point
	if size != size {
		size = 0
	}
	most := float32(maxPoint)
	if p.Max > 0 {
		most = min(most, p.Max)
	}
	return float64(min(max(size, p.Min, 0), most))
}

// square draws a square around a corner (11.3 3.4.6).
func (r *rasteriser) square(c *corner, size, bias float64, lead *corner) fate {
	half := float64(size * 128)
	snap := func(v float64) int64 { return int64(math.RoundToEven(v)) }
	x0, y0, x1, y1 := snap(float64(c.x)-half), snap(float64(c.y)-half), snap(float64(c.x)+half), snap(float64(c.y)+half)
	if x0 == x1 || y0 == y1 {
		return tooSmall
	}
	r.each(c, lead, bias, func(i int, v, q float64) plane {
		if i >= 0 && r.state.Sprite && r.varyings[i].sprite != 0 {
			if r.varyings[i].linear {
				q = 1
			}
			return sprite(r.varyings[i].sprite, size, q)
		}
		return plane{v: v}
	})
	return r.quad([4]int64{x0, x1, x0, x1}, [4]int64{y0, y0, y1, y1})
}

// sprite gives the plane, around the middle of a square, of a component of (u, v, 0, 1) times q.
func sprite(component uint8, size, q float64) plane {
	switch component {
	case 1:
		return plane{v: 0.5 * q, dx: q / size}
	case 2:
		return plane{v: 0.5 * q, dy: q / size}
	case 3:
		return plane{}
	}
	return plane{v: q}
}
