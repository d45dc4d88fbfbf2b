package render

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// MeshNames are the meshes that NewMesh makes.
var MeshNames = []string{"triangle", "quad", "cube", "sphere", "plane", "sheet", "torus", "teapot"}

// NewMesh makes a mesh by name, about two units across, or nil. detail is the number of steps along
// the longer way around curved surfaces (a teapot patch takes a quarter of it); 0 stands for 32.
func NewMesh(name string, detail int) *Mesh {
	if detail <= 0 {
		detail = 32
	}
	detail = min(max(detail, 4), 256)
	var b meshBuilder
	switch name {
	case "triangle":
		b.triangle()
	case "quad": // in the plane z = 0, facing +z
		b.surface(1, 1, upright)
	case "plane": // in the plane y = 0, facing up
		b.surface(detail, detail, func(u, v float64) point {
			return point{mgl64.Vec3{2*u - 1, 0, 1 - 2*v}, mgl64.Vec3{1, 0, 0}, mgl64.Vec3{0, 0, -1}}
		})
	case "sheet": // the quad in many steps, for what bends it
		b.surface(detail, detail, upright)
	case "cube":
		b.cube()
	case "sphere":
		b.surface(detail, detail/2, func(u, v float64) point {
			s, c := math.Sincos(2 * math.Pi * u)
			h, r := math.Sincos(math.Pi * (v - 0.5))
			return point{mgl64.Vec3{s * r, h, c * r}, mgl64.Vec3{c, 0, -s}, mgl64.Vec3{-s * h, r, -c * h}}
		})
	case "torus":
		const ring, tube = 0.7, 0.3
		b.surface(detail, detail/2, func(u, v float64) point {
			s, c := math.Sincos(2 * math.Pi * u)
			h, r := math.Sincos(2 * math.Pi * (v - 0.5))
			d := ring + float64(tube*r)
			return point{mgl64.Vec3{s * d, tube * h, c * d}, mgl64.Vec3{c, 0, -s}, mgl64.Vec3{-s * h, r, -c * h}}
		})
	case "teapot":
		b.teapot(max(2, detail/4))
	default:
		return nil
	}
	b.bones()
	return &b.mesh
}

// A point of a surface: where it is, and how it moves with u and v. du x dv points outside.
type point struct{ at, du, dv mgl64.Vec3 }

func upright(u, v float64) point {
	return point{mgl64.Vec3{2*u - 1, 2*v - 1, 0}, mgl64.Vec3{1, 0, 0}, mgl64.Vec3{0, 1, 0}}
}

type meshBuilder struct {
	mesh Mesh
}

// vertex adds a vertex; texture v runs down, so the binormal is against dv.
func (b *meshBuilder) vertex(p point, u, v float64) uint32 {
	n := unit(p.du.Cross(p.dv))
	t := unit(p.du.Sub(n.Mul(n.Dot(p.du))))
	b.mesh.Vertices = append(b.mesh.Vertices, Vertex{
		Position: round3(p.at, 1), Normal: round3(n, 0),
		Tangent: round3(t, -1), Binormal: round3(t.Cross(n), 0),
		TexCoord: [4]float32{Round16(u), Round16(1 - v), 0, 1},
		Color:    round3(n.Mul(0.5).Add(mgl64.Vec3{0.5, 0.5, 0.5}), 1),
	})
	return uint32(len(b.mesh.Vertices) - 1)
}

func unit(v mgl64.Vec3) mgl64.Vec3 {
	if l := v.Len(); l > 0 {
		return v.Mul(1 / l)
	}
	return v
}

// surface adds nu times nv quads over 0..1 in both parameters.
func (b *meshBuilder) surface(nu, nv int, f func(u, v float64) point) {
	first := uint32(len(b.mesh.Vertices))
	for j := range nv + 1 {
		for i := range nu + 1 {
			u, v := float64(i)/float64(nu), float64(j)/float64(nv)
			b.vertex(f(u, v), u, v)
		}
	}
	row := uint32(nu + 1)
	for j := range uint32(nv) {
		for i := range uint32(nu) {
			a := first + j*row + i
			b.mesh.Indices = append(b.mesh.Indices, a, a+row, a+row+1, a, a+row+1, a+1)
		}
	}
}

func (b *meshBuilder) triangle() {
	h := math.Sqrt(0.75)
	for i, p := range []mgl64.Vec3{{0, 1, 0}, {h, -0.5, 0}, {-h, -0.5, 0}} {
		v := b.vertex(point{p, mgl64.Vec3{1, 0, 0}, mgl64.Vec3{0, 1, 0}}, float64(p[0]/2)+0.5, float64(p[1]/2)+0.5)
		var c mgl64.Vec3
		c[i] = 1
		b.mesh.Vertices[v].Color = round3(c, 1)
		b.mesh.Indices = append(b.mesh.Indices, v)
	}
}

func (b *meshBuilder) cube() {
	const s = 0.75
	for _, f := range []struct{ right, up mgl64.Vec3 }{
		{mgl64.Vec3{0, 0, -1}, mgl64.Vec3{0, 1, 0}}, {mgl64.Vec3{0, 0, 1}, mgl64.Vec3{0, 1, 0}},
		{mgl64.Vec3{1, 0, 0}, mgl64.Vec3{0, 0, -1}}, {mgl64.Vec3{1, 0, 0}, mgl64.Vec3{0, 0, 1}},
		{mgl64.Vec3{1, 0, 0}, mgl64.Vec3{0, 1, 0}}, {mgl64.Vec3{-1, 0, 0}, mgl64.Vec3{0, 1, 0}},
	} {
		out := f.right.Cross(f.up)
		b.surface(1, 1, func(u, v float64) point {
			at := out.Add(f.right.Mul(2*u - 1)).Add(f.up.Mul(2*v - 1)).Mul(s)
			return point{at, f.right, f.up}
		})
	}
}

// Bones is the number of bones that meshes are weighted to, from y = -1 up to y = 1.
const Bones = 4

// bones weights every vertex to the two bones next to its height.
func (b *meshBuilder) bones() {
	for i := range b.mesh.Vertices {
		v := &b.mesh.Vertices[i]
		t := min(max((float64(v.Position[1])+1)/2*(Bones-1), 0), Bones-1)
		k := min(math.Floor(t), Bones-2)
		v.BlendIndices = [4]float32{float32(k), float32(k + 1), 0, 0}
		v.BlendWeight = [4]float32{Round16(1 - (t - k)), Round16(t - k), 0, 0}
	}
}
