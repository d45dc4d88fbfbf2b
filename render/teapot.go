package render

import "github.com/go-gl/mathgl/mgl64"

// The teapot that Martin Newell measured at the University of Utah in 1975: 32 bicubic Bézier patches,
// z up, the spout along +x. 24 of them are quarter turns of six profiles; handle and spout are given
// as the half with y <= 0.

// A ring is four control points of a quarter turn at height z: (r, 0), (r, h), (h, r), (0, r).
type ring struct{ r, h, z float64 }

var teapotProfiles = [][4]ring{
	{{1.4, 0.784, 2.4}, {1.3375, 0.749, 2.53125}, {1.4375, 0.805, 2.53125}, {1.5, 0.84, 2.4}}, // rim
	{{1.5, 0.84, 2.4}, {1.75, 0.98, 1.875}, {2, 1.12, 1.35}, {2, 1.12, 0.9}},                  // body
	{{2, 1.12, 0.9}, {2, 1.12, 0.45}, {1.5, 0.84, 0.225}, {1.5, 0.84, 0.15}},
	{{0, 0, 3.15}, {0.8, 0.45, 3.15}, {0, 0, 2.85}, {0.2, 0.112, 2.7}}, // lid
	{{0.2, 0.112, 2.7}, {0.4, 0.224, 2.55}, {1.3, 0.728, 2.55}, {1.3, 0.728, 2.4}},
	{{1.5, 0.84, 0.15}, {1.5, 0.84, 0.075}, {1.425, 0.798, 0}, {0, 0, 0}}, // bottom
}

// Rows run along the handle and the spout; the four points of a row go around.
var teapotHalves = [][4][4]mgl64.Vec3{
	{ // handle
		{{-1.6, 0, 2.025}, {-1.6, -0.3, 2.025}, {-1.5, -0.3, 2.25}, {-1.5, 0, 2.25}},
		{{-2.3, 0, 2.025}, {-2.3, -0.3, 2.025}, {-2.5, -0.3, 2.25}, {-2.5, 0, 2.25}},
		{{-2.7, 0, 2.025}, {-2.7, -0.3, 2.025}, {-3, -0.3, 2.25}, {-3, 0, 2.25}},
		{{-2.7, 0, 1.8}, {-2.7, -0.3, 1.8}, {-3, -0.3, 1.8}, {-3, 0, 1.8}},
	},
	{
		{{-2.7, 0, 1.8}, {-2.7, -0.3, 1.8}, {-3, -0.3, 1.8}, {-3, 0, 1.8}},
		{{-2.7, 0, 1.575}, {-2.7, -0.3, 1.575}, {-3, -0.3, 1.35}, {-3, 0, 1.35}},
		{{-2.5, 0, 1.125}, {-2.5, -0.3, 1.125}, {-2.65, -0.3, 0.9375}, {-2.65, 0, 0.9375}},
		{{-2, 0, 0.9}, {-2, -0.3, 0.9}, {-1.9, -0.3, 0.6}, {-1.9, 0, 0.6}},
	},
	{ // spout
		{{1.7, 0, 1.425}, {1.7, -0.66, 1.425}, {1.7, -0.66, 0.6}, {1.7, 0, 0.6}},
		{{2.6, 0, 1.425}, {2.6, -0.66, 1.425}, {3.1, -0.66, 0.825}, {3.1, 0, 0.825}},
		{{2.3, 0, 2.1}, {2.3, -0.25, 2.1}, {2.4, -0.25, 2.025}, {2.4, 0, 2.025}},
		{{2.7, 0, 2.4}, {2.7, -0.25, 2.4}, {3.3, -0.25, 2.4}, {3.3, 0, 2.4}},
	},
	{
		{{2.7, 0, 2.4}, {2.7, -0.25, 2.4}, {3.3, -0.25, 2.4}, {3.3, 0, 2.4}},
		{{2.8, 0, 2.475}, {2.8, -0.25, 2.475}, {3.525, -0.25, 2.49375}, {3.525, 0, 2.49375}},
		{{2.9, 0, 2.475}, {2.9, -0.15, 2.475}, {3.45, -0.15, 2.5125}, {3.45, 0, 2.5125}},
		{{2.8, 0, 2.4}, {2.8, -0.15, 2.4}, {3.2, -0.15, 2.4}, {3.2, 0, 2.4}},
	},
}

// teapot adds the patches with n steps along each side, y up and half the size.
func (b *meshBuilder) teapot(n int) {
	for _, profile := range teapotProfiles {
		for quarter := range 4 {
			turn := func(x, y, z float64) mgl64.Vec3 {
				for range quarter {
					x, y = -y, x
				}
				return mgl64.Vec3{x, y, z}
			}
			var p [4][4]mgl64.Vec3
			for j, g := range profile {
				p[3-j] = [4]mgl64.Vec3{turn(g.r, 0, g.z), turn(g.r, g.h, g.z), turn(g.h, g.r, g.z), turn(0, g.r, g.z)}
			}
			b.patch(&p, n)
		}
	}
	for _, half := range teapotHalves {
		var p, q [4][4]mgl64.Vec3
		for j, row := range half {
			for i, c := range row {
				p[j][i] = c
				q[j][3-i] = mgl64.Vec3{c[0], -c[1], c[2]}
			}
		}
		b.patch(&p, n)
		b.patch(&q, n)
	}
}

// patch adds a bicubic Bézier patch; u runs along its rows.
func (b *meshBuilder) patch(p *[4][4]mgl64.Vec3, n int) {
	b.surface(n, n, func(u, v float64) point {
		s := patchPoint(p, u, v)
		if s.du.Cross(s.dv).Len() < 1e-9 { // a corner where a whole side meets: the normal is vertical
			up := 1.0
			if s.at[2] < 1 {
				up = -1
			}
			s.du, s.dv = mgl64.Vec3{1, 0, 0}, mgl64.Vec3{0, up, 0}
		}
		for _, v := range []*mgl64.Vec3{&s.at, &s.du, &s.dv} {
			*v = mgl64.Vec3{v[0] / 2, v[2] / 2, -v[1] / 2}
		}
		s.at[1] -= 0.7875 // half of the half height
		return s
	})
}

func patchPoint(p *[4][4]mgl64.Vec3, u, v float64) (s point) {
	bu, du := bernstein(u)
	bv, dv := bernstein(v)
	for j := range 4 {
		for i := range 4 {
			s.at = s.at.Add(p[j][i].Mul(bu[i] * bv[j]))
			s.du = s.du.Add(p[j][i].Mul(du[i] * bv[j]))
			s.dv = s.dv.Add(p[j][i].Mul(bu[i] * dv[j]))
		}
	}
	return s
}

// bernstein gives the four cubic Bernstein polynomials at t and their derivatives.
func bernstein(t float64) (b, d [4]float64) {
	s := 1 - t
	b = [4]float64{s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t}
	d = [4]float64{-3 * s * s, 3 * s * (s - 2*t), 3 * t * (2*s - t), 3 * t * t}
	return
}
