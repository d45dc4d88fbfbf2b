package render

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"swizzle/internal/testkit"
)

// Meshes and images are the same on every machine; a change is seen here before it is seen in pictures.
func TestDataIsFixed(t *testing.T) {
	var list bytes.Buffer
	for _, name := range MeshNames {
		m := NewMesh(name, 0)
		h := sha256.New()
		for i := range m.Vertices {
			h.Write(m.Vertices[i].append(nil))
		}
		binary.Write(h, binary.LittleEndian, m.Indices)
		fmt.Fprintf(&list, "mesh %s vertices=%d triangles=%d %x\n", name, len(m.Vertices), len(m.Indices)/3, h.Sum(nil))
	}
	for _, name := range ImageNames {
		m := Procedural(name, 64, 1)
		h := sha256.New()
		binary.Write(h, binary.LittleEndian, m.Texels)
		fmt.Fprintf(&list, "image %s %dx%d %x\n", name, m.Width, m.Height, h.Sum(nil))
	}
	testkit.Golden(t, "testdata/data.golden", list.Bytes())
}

func TestMeshes(t *testing.T) {
	for _, name := range MeshNames {
		m := NewMesh(name, 24)
		inside, flipped, area := 0, 0, 0.0
		for i := range m.Vertices {
			v := &m.Vertices[i]
			w := v.append(nil)
			for k := range len(w) / 4 {
				if f := float64(math.Float32frombits(binary.LittleEndian.Uint32(w[4*k:]))) * 65536; f != math.Trunc(f) || math.Abs(f) > 1<<20 {
					t.Fatalf("%s: word %d of vertex %d has more than 16 fractional bits", name, k, i)
				}
			}
			n, tangent, b := vec(v.Normal), vec(v.Tangent), vec(v.Binormal)
			if math.Abs(n.Len()-1) > 1e-4 || math.Abs(tangent.Len()-1) > 1e-4 || math.Abs(b.Len()-1) > 1e-4 || math.Abs(n.Dot(tangent)) > 1e-4 {
				t.Fatalf("%s: the frame of vertex %d is no frame: %v %v %v", name, i, n, tangent, b)
			}
			if d := n.Cross(tangent).Mul(float64(v.Tangent[3])).Sub(b); d.Len() > 1e-4 {
				t.Fatalf("%s: the binormal of vertex %d is not w times the cross product", name, i)
			}
			if s := v.BlendWeight[0] + v.BlendWeight[1]; s != 1 || v.BlendIndices[1] >= Bones {
				t.Fatalf("%s: vertex %d has weights %v of bones %v", name, i, v.BlendWeight, v.BlendIndices)
			}
		}
		for i := 0; i < len(m.Indices); i += 3 {
			a, b, c := &m.Vertices[m.Indices[i]], &m.Vertices[m.Indices[i+1]], &m.Vertices[m.Indices[i+2]]
			// Clockwise from outside: the right-handed normal points inside.
			face := vec(b.Position).Sub(vec(a.Position)).Cross(vec(c.Position).Sub(vec(a.Position)))
			n := vec(a.Normal).Add(vec(b.Normal)).Add(vec(c.Normal))
			switch d := face.Dot(n); {
			case d > 1e-9:
				flipped++
			case d < -1e-9:
				inside++
			}
			area += face.Len() / 2
		}
		if flipped > 0 || inside < len(m.Indices)/3*9/10 {
			t.Errorf("%s: %d of %d triangles are clockwise from outside, %d the other way", name, inside, len(m.Indices)/3, flipped)
		}
		// Areas in square units, within what the steps take off.
		want := map[string]float64{"triangle": 3 * math.Sqrt(0.75) / 2, "quad": 4, "plane": 4, "cube": 6 * 1.5 * 1.5,
			"sphere": 4 * math.Pi, "torus": 4 * math.Pi * math.Pi * 0.7 * 0.3}[name]
		if want != 0 && (area > want*1.0001 || area < want*0.97) {
			t.Errorf("%s: area %v, want about %v", name, area, want)
		}
	}
	if NewMesh("cow", 0) != nil {
		t.Error("there is no cow")
	}
}

func vec(v [4]float32) mgl64.Vec3 {
	return mgl64.Vec3{float64(v[0]), float64(v[1]), float64(v[2])}
}

// The teapot's measures, halved: 6.525 long with spout and handle, 4 wide, 3.15 high.
func TestTeapotMeasures(t *testing.T) {
	lo, hi := mgl64.Vec3{9, 9, 9}, mgl64.Vec3{-9, -9, -9}
	for _, v := range NewMesh("teapot", 64).Vertices {
		for k := range 3 {
			lo[k], hi[k] = min(lo[k], float64(v.Position[k])), max(hi[k], float64(v.Position[k]))
		}
	}
	for k, want := range []struct{ lo, hi float64 }{{-1.5, 1.717}, {-0.7875, 0.7875}, {-1, 1}} {
		if math.Abs(lo[k]-want.lo) > 0.01 || math.Abs(hi[k]-want.hi) > 0.01 {
			t.Errorf("axis %d runs from %v to %v, want %v", k, lo[k], hi[k], want)
		}
	}
}

func TestMipmaps(t *testing.T) {
	m := NewImage(4, 2, false)
	copy(m.Texels, []uint32{0x00000000, 0x00000001, 0xFF000010, 0xFF000020, 0x00000002, 0x00000003, 0xFF000030, 0xFF000043})
	x, err := m.texture(true)
	if err != nil {
		t.Fatal(err)
	}
	half := x.Levels[1]
	// (0+1+2+3+2)/4 = 2, (0x10+0x20+0x30+0x43+2)/4 = 0x29
	if len(half) != 2 || half[0] != 2 || half[1] != 0xFF000029 {
		t.Errorf("level 1 is %08X", half)
	}
	// one row left: each texel counts twice
	if q := x.Levels[2]; len(q) != 1 || q[0] != (2+2+0x29+0x29+2)/4|0x80000000 {
		t.Errorf("level 2 is %08X", q)
	}
}

// Camera matrices at places that can be worked out by hand.
func TestCamera(t *testing.T) {
	c := Camera{Distance: 5, FOV: 90, Near: 1, Far: 9}
	m := c.Projection(2, D3D9).Mul4(c.View())
	for _, p := range []struct{ world, want mgl64.Vec4 }{
		{mgl64.Vec4{0, 0, 0, 1}, mgl64.Vec4{0, 0, 4.5, 5}}, // z = (5-1)*9/8
		{mgl64.Vec4{0, 0, 4, 1}, mgl64.Vec4{0, 0, 0, 1}},   // on the near plane
		{mgl64.Vec4{0, 0, -4, 1}, mgl64.Vec4{0, 0, 9, 9}},  // on the far plane
		{mgl64.Vec4{2, 1, 0, 1}, mgl64.Vec4{1, 1, 4.5, 5}}, // twice as wide as high
	} {
		if got := m.Mul4x1(p.world); got.Sub(p.want).Len() > 1e-9 {
			t.Errorf("%v goes to %v, want %v", p.world, got, p.want)
		}
	}
	c.Yaw = 90
	if e := c.Eye(); e.Sub(mgl64.Vec3{5, 0, 0}).Len() > 1e-9 {
		t.Errorf("the eye at yaw 90 is %v", e)
	}
	c.Yaw, c.Pitch = 0, 90
	if e := c.Eye(); e.Sub(mgl64.Vec3{0, 5, 0}).Len() > 1e-9 {
		t.Errorf("the eye at pitch 90 is %v", e)
	}
	if v := c.View().Mul4x1(mgl64.Vec4{0, 0, -1, 1}); v.Sub(mgl64.Vec4{0, 1, -5, 1}).Len() > 1e-9 {
		t.Errorf("from above, -z is up: %v", v)
	}
}

func TestRows(t *testing.T) {
	rows := Rows(mgl64.Translate3D(1, 2, 3.00001))
	if rows[0] != FloatVec(1, 0, 0, 1) || rows[2] != FloatVec(0, 0, 1, 3+1.0/65536) {
		t.Errorf("rows are %v: row i is what dp4 with register i needs, in 16 fractional bits", rows)
	}
}
