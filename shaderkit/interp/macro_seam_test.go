package interp

import (
	"math"
	"testing"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// faceAxes are the directions of s, t and the major axis of each face, as Direct3D draws them.
var faceAxes = [6][3][3]float64{
	{{0, 0, -1}, {0, -1, 0}, {1, 0, 0}},
	{{0, 0, 1}, {0, -1, 0}, {-1, 0, 0}},
	{{1, 0, 0}, {0, 0, 1}, {0, 1, 0}},
	{{1, 0, 0}, {0, 0, -1}, {0, -1, 0}},
	{{1, 0, 0}, {0, -1, 0}, {0, 0, 1}},
	{{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}},
}

// onFace gives the point of a cube of half width 1 at s, t of a face.
func onFace(face int, s, t float64) (p [3]float64) {
	for k := range p {
		p[k] = s*faceAxes[face][0][k] + t*faceAxes[face][1][k] + faceAxes[face][2][k]
	}
	return p
}

// TestSeams: a filter near the edge of a face reads what lies closest in space to the texel that the
// face does not have; at a corner, where the texel is missing, the mean of the three others.
func TestSeams(t *testing.T) {
	for _, n := range []int{1, 2, 3, 8} {
		centre := func(face, x, y int) [3]float64 {
			return onFace(face, float64(2*x+1-n)/float64(n), float64(2*y+1-n)/float64(n))
		}
		value := func(face, x, y int) float64 { return float64((face*n+y)*n + x) }
		// of a texel, or of what is closest to where it would be
		want := func(face, x, y int) float64 {
			p, best, found := centre(face, x, y), math.Inf(1), 0.0
			for f := range 6 {
				for j := range n {
					for i := range n {
						q := centre(f, i, j)
						d := math.Hypot(math.Hypot(p[0]-q[0], p[1]-q[1]), p[2]-q[2])
						if d < best {
							best, found = d, value(f, i, j)
						}
					}
				}
			}
			return found
		}
		inside := func(x int) bool { return x >= 0 && x < n }
		var values []float32
		for i := range 6 * n * n {
			values = append(values, float32(i))
		}
		tex := exec.Texture{Dim: ir.DimCube, Format: ir.RGBA32F, Width: n, Height: n, Depth: 1, Levels: levels(ir.RGBA32F, values)}
		var operands []uint32
		var wants [][4]float64
		for face := range 6 {
			for y := -1; y < n; y++ {
				for x := -1; x < n; x++ {
					// a place whose four texels begin with (x, y), a little inside of the face
					at := func(x int) float64 { return 2*min(max(float64(x)+1, 0.125), float64(n)-0.125)/float64(n) - 1 }
					p := onFace(face, at(x), at(y))
					operands = append(operands, asBits(float32(p[0]), float32(p[1]), float32(p[2]))...)
					var w [4]float64
					missing := -1
					for k, d := range [4][2]int{{0, 1}, {1, 1}, {1, 0}, {0, 0}} {
						if i, j := x+d[0], y+d[1]; inside(i) || inside(j) {
							w[k] = want(face, i, j)
						} else {
							missing = k
						}
					}
					if missing >= 0 {
						w[missing] = (w[0] + w[1] + w[2] + w[3]) / 3
					}
					wants = append(wants, w)
				}
			}
		}
		s := ir.SamplerState{Bound: true, Dim: ir.DimCube, Format: ir.RGBA32F, Min: ir.Bilinear, Mag: ir.Bilinear, Seamless: true}
		got := both(t, s, of(ir.FetchGather), operands, len(wants), putter(t, &tex))
		for i, w := range wants {
			for k, g := range asFloats(got[i][:]) {
				if math.Abs(float64(g)-w[k]) > 1e-4 {
					t.Fatalf("%d texels wide, direction %v: texels %v, want %v", n, asFloats(operands[3*i:3*i+3]), asFloats(got[i][:]), w)
				}
			}
		}
	}
}
