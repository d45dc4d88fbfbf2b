package scene

import (
	"math"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"swizzle/render"
)

// sources are what a binding's from may name: see the package comment.
var sources = []string{
	"world", "view", "projection", "worldview", "viewprojection", "worldviewprojection",
	"lightviewprojection", "lightworldviewprojection",
	"eye", "eye-object", "light", "light-object", "time", "size", "rotation", "bones",
}

// A frame is what a scene computes for one picture.
type frame struct {
	seconds       float64
	width, height int
	view, proj    mgl64.Mat4
	fromLight     mgl64.Mat4 // view and projection
	eye, light    mgl64.Vec3

	values []render.Vec // what registers gave last
}

// begin computes the frame of a scene.
func (f *frame) begin(s *Scene, seconds float64, w, h int) {
	*f = frame{seconds: seconds, width: w, height: h, light: mgl64.Vec3(s.Light), values: f.values}
	if l := f.light.Len(); l > 0 {
		f.light = f.light.Mul(1 / l)
	}
	f.fromLight = lightView(f.light, s.LightSize)
	aspect := float64(w) / float64(h)
	if s.Camera.Flat {
		f.view = mgl64.Ident4()
		f.proj = mgl64.Scale3D(min(1, 1/aspect), min(1, aspect), 1)
		f.eye = mgl64.Vec3{0, 0, 1}
		return
	}
	c := render.Camera{Yaw: s.Camera.Yaw, Pitch: s.Camera.Pitch, Distance: s.Camera.Distance, Target: mgl64.Vec3(s.Camera.Target),
		FOV: s.Camera.FOV, Near: s.Camera.Near, Far: s.Camera.Far}
	f.view, f.proj, f.eye = c.View(), c.Projection(aspect, render.D3D9), c.Eye()
}

// lightView gives how the light sees a box around the middle of the world, size to each side: without
// perspective, depth from 0 to 1.
func lightView(light mgl64.Vec3, size float64) mgl64.Mat4 {
	up := mgl64.Vec3{0, 1, 0}
	if math.Abs(light[1]) > 0.99*light.Len() {
		up = mgl64.Vec3{0, 0, 1}
	}
	view := mgl64.LookAtV(light.Mul(2*size), mgl64.Vec3{}, up)
	// z of the view is -4*size to 0.
	return mgl64.Scale3D(1/size, 1/size, -1/(4*size)).Mul4(view)
}

// rotation gives the rotation of a draw.
func (f *frame) rotation(d *Draw) mgl64.Quat {
	q := mgl64.QuatIdent()
	for i, axis := range [...]mgl64.Vec3{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}} {
		q = mgl64.QuatRotate(mgl64.DegToRad(d.Rotate[i]), axis).Mul(q)
	}
	return mgl64.QuatRotate(mgl64.DegToRad(d.Spin*f.seconds), mgl64.Vec3{0, 1, 0}).Mul(q)
}

func (f *frame) world(d *Draw) mgl64.Mat4 {
	return mgl64.Translate3D(d.Translate[0], d.Translate[1], d.Translate[2]).
		Mul4(f.rotation(d).Mat4()).
		Mul4(mgl64.Scale3D(d.Scale[0], d.Scale[1], d.Scale[2]))
}

// registers gives the values of a binding for a draw, which are valid until the next call.
func (f *frame) registers(b *Binding, d *Draw) []render.Vec {
	f.values = f.values[:0]
	f.add(b, d)
	return f.values
}

func (f *frame) add(b *Binding, d *Draw) {
	vec := func(v mgl64.Vec3, w float64) {
		f.values = append(f.values, render.FloatVec(render.Round16(v[0]), render.Round16(v[1]), render.Round16(v[2]), render.Round16(w)))
	}
	given := func(v []float64) {
		var x render.Vec
		for k := range min(len(v), 4) {
			x[k] = math.Float32bits(float32(v[k]))
		}
		f.values = append(f.values, x)
	}
	switch b.From {
	case "":
		if len(b.Value) > 0 {
			given(b.Value)
		}
		for _, v := range b.Values {
			given(v)
		}
	case "eye":
		vec(f.eye, 1)
	case "eye-object":
		vec(f.world(d).Inv().Mul4x1(f.eye.Vec4(1)).Vec3(), 1)
	case "light":
		vec(f.light, 0)
	case "light-object":
		v := f.world(d).Inv().Mul4x1(f.light.Vec4(0)).Vec3()
		if l := v.Len(); l > 0 {
			v = v.Mul(1 / l)
		}
		vec(v, 0)
	case "time":
		t := f.seconds
		vec(mgl64.Vec3{t, t - math.Floor(t), math.Sin(t)}, math.Cos(t))
	case "size":
		w, h := float64(f.width), float64(f.height)
		vec(mgl64.Vec3{w, h, 1 / w}, 1/h)
	case "rotation":
		q := f.rotation(d)
		vec(q.V, q.W)
	case "bones":
		f.bones(b)
	default:
		f.rows(f.matrix(b.From, d), b)
	}
}

func (f *frame) matrix(name string, d *Draw) mgl64.Mat4 {
	switch name {
	case "world":
		return f.world(d)
	case "view":
		return f.view
	case "projection":
		return f.proj
	case "worldview":
		return f.view.Mul4(f.world(d))
	case "viewprojection":
		return f.proj.Mul4(f.view)
	case "lightviewprojection":
		return f.fromLight
	case "lightworldviewprojection":
		return f.fromLight.Mul4(f.world(d))
	}
	return f.proj.Mul4(f.view).Mul4(f.world(d))
}

// bones turns each bone around y, more the higher it is, back and forth.
func (f *frame) bones(b *Binding) {
	for i := range render.Bones {
		angle := float64(i) * 0.5 * math.Sin(f.seconds+0.6)
		f.rows(mgl64.HomogRotate3DY(angle), b)
	}
}

func (f *frame) rows(m mgl64.Mat4, b *Binding) {
	if b.Inverse {
		m = m.Inv()
	}
	if b.Transpose {
		m = m.Transpose()
	}
	f.values = render.AppendRows(f.values, m, min(max(b.Rows, 1), 4))
}

// register splits the name of a register: c12 is file c, number 12; bump1 is the bump matrix of stage 1.
func register(name string) (file string, number int, ok bool) {
	file = strings.TrimRight(name, "0123456789")
	switch file {
	case "c", "i", "b", "s", "bump":
		n, err := strconv.Atoi(name[len(file):])
		return file, n, err == nil && n < maxRegister
	}
	return "", 0, false
}

// maxRegister bounds register numbers, above those of every ISA.
const maxRegister = 8192

// set puts registers of a file into a stage; ints and bools are converted from the given numbers.
func set(s *render.Stage, file string, number int, values []render.Vec) {
	var to *[]render.Vec
	switch file {
	case "c":
		to = &s.Float
	case "i":
		to = &s.Int
	case "b":
		to = &s.Bool
	case "bump":
		to = &s.Bump
		number *= 2 // two vectors a stage
	default:
		return
	}
	for i, v := range values {
		if number+i >= maxRegister {
			return
		}
		for len(*to) <= number+i {
			*to = append(*to, render.Vec{})
		}
		for k := range v {
			f := float64(math.Float32frombits(v[k]))
			switch {
			case file == "i" && math.IsNaN(f):
				v[k] = 0
			case file == "i":
				v[k] = uint32(int32(min(max(f, math.MinInt32), math.MaxInt32)))
			case file == "b" && math.Float32frombits(v[0]) != 0:
				v[k] = ^uint32(0)
			case file == "b":
				v[k] = 0
			}
		}
		(*to)[number+i] = v
	}
}
