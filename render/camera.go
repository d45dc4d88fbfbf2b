package render

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// A Camera looks at a target from an orbit around it; the world is right-handed, y up.
type Camera struct {
	Yaw      float64    // degrees around y; 0 looks along -z
	Pitch    float64    // degrees above the horizon
	Distance float64    // from the target
	Target   mgl64.Vec3 //
	FOV      float64    // degrees from bottom to top
	Near     float64    // distance of the near plane
	Far      float64    // of the far plane
}

// Eye gives the place of the camera.
func (c *Camera) Eye() mgl64.Vec3 {
	sy, cy := math.Sincos(mgl64.DegToRad(c.Yaw))
	sp, cp := math.Sincos(mgl64.DegToRad(c.Pitch))
	return c.Target.Add(mgl64.Vec3{sy * cp, sp, cy * cp}.Mul(c.Distance))
}

// View gives the matrix from the world to the camera.
func (c *Camera) View() mgl64.Mat4 {
	up := mgl64.Vec3{0, 1, 0}
	if math.Abs(c.Pitch) > 89.9 { // straight up or down: what was behind is up
		s, k := math.Sincos(mgl64.DegToRad(c.Yaw))
		up = mgl64.Vec3{-s, 0, -k}
		if c.Pitch < 0 {
			up = up.Mul(-1)
		}
	}
	return mgl64.LookAtV(c.Eye(), c.Target, up)
}

// Projection gives the matrix from the camera to clip space for a picture with this ratio of width to
// height, with the depth range of conv.
func (c *Camera) Projection(aspect float64, conv Convention) mgl64.Mat4 {
	p := mgl64.Perspective(mgl64.DegToRad(c.FOV), aspect, c.Near, c.Far)
	d := mgl64.Ident4() // from -w..w to Near*w..Far*w
	d.Set(2, 2, (conv.Far-conv.Near)/2)
	d.Set(2, 3, (conv.Far+conv.Near)/2)
	return d.Mul4(p)
}

// Rows gives a matrix as registers, rounded to 16 fractional bits: register i is row i, so that
// dp4(v, c[i]) is component i of the transformed v. HLSL compilers lay matrices out so by default.
func Rows(m mgl64.Mat4) []Vec { return AppendRows(nil, m, 4) }

// AppendRows appends the first n of Rows.
func AppendRows(out []Vec, m mgl64.Mat4, n int) []Vec {
	for i := range n {
		r := m.Row(i)
		out = append(out, FloatVec(Round16(r[0]), Round16(r[1]), Round16(r[2]), Round16(r[3])))
	}
	return out
}
