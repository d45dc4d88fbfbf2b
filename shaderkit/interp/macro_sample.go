package interp

import (
	"math"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// A sampler is the row of Sample for one sampler state and site. ir/macro_sample.go defines what it
// computes; here the same values are computed lane by lane, without what a lane does not need.
type sampler struct {
	ir.SamplerState
	kind  ir.SampleKind
	extra int // first operand of the kind
	axes  int
	lod   bool      // the level of detail matters
	plain bool      // two axes of RGBA8 without border
	seams bool      // filters go across the edges of faces
	edge  [4]uint32 // the border colour as words of a texel

	// of the texture at hand
	span   []uint32 // its data
	record exec.Record
	scale  [3]float32 // size of level 0
	last   uint32     // number of the last level
	known  uint32     // bit l: levels[l] is filled
	levels [maxLevels + 1]level
}

// maxLevels is the number of levels that are kept; the element behind them serves any other.
const maxLevels = 15

// A level is one mip level of the texture at hand.
type level struct {
	size   [3]uint32
	float  [3]float32
	offset uint32   // of the level in the data, in bytes
	texels []uint32 // all of the level, nil where it does not lie within the data
}

// rowTakes reports whether a sampler reads what the definition does; the rest is rare enough for the
// definition to run.
func rowTakes(s *ir.SamplerState, site ir.SampleSite) bool {
	plain := s.U <= ir.Border && s.V <= ir.Border && s.W <= ir.Border || s.Dim == ir.DimCube
	return plain && s.Ones == 0 && s.Aniso <= 1 && !s.CompareZ && s.Format <= ir.RGBA32F && !s.Dim.Array() &&
		site.Kind <= ir.SampleGrad && !site.Compare && site.Offset == [3]int8{}
}

func newSampler(state ir.SamplerState, site ir.SampleSite) *sampler {
	s := &sampler{SamplerState: state, kind: site.Kind, extra: 3, axes: state.Dim.Axes()}
	if site.Layer {
		s.extra = 4
	}
	if state.Dim == ir.DimCube {
		s.U, s.V = ir.Clamp, ir.Clamp
	}
	s.seams = state.Dim == ir.DimCube && state.Seamless && (state.Min == ir.Bilinear || state.Mag == ir.Bilinear)
	s.lod = state.Mip != ir.MipNone || state.Min != state.Mag
	s.plain = state.Format == ir.RGBA8 && s.axes == 2 && s.U != ir.Border && s.V != ir.Border
	s.edge = state.Border
	if state.Format == ir.RGBA8 {
		s.edge = [4]uint32{ir.PackBytes(state.Border)}
	}
	return s
}

// bind makes the texture with this record the one at hand.
func (s *sampler) bind(record exec.Record, span []uint32) {
	s.record, s.span, s.known = record, span, 0
	for a := range s.scale {
		s.scale[a] = float32(record[exec.RecWidth+a])
	}
	s.last = max(record[exec.RecLevels], 1) - 1
}

// load is the op Load.
func (s *sampler) load(offset uint32) uint32 {
	if i := offset >> 2; uint64(i) < uint64(len(s.span)) {
		return s.span[i]
	}
	return 0
}

// level gives level l of the texture at hand.
func (s *sampler) level(l uint32) *level {
	if l < maxLevels && s.known>>l&1 != 0 {
		return &s.levels[l]
	}
	v := &s.levels[min(l, maxLevels)]
	if l < maxLevels {
		s.known |= 1 << l
	}
	texels := uint64(1)
	for i := range s.axes {
		n := min(max(s.record[exec.RecWidth+i]>>(l&31), 1), ir.MaxTextureSize)
		v.size[i], v.float[i] = n, float32(n)
		texels *= uint64(n)
	}
	table := s.record[exec.RecTable] - s.record[exec.RecBase]
	v.offset = s.load(table + l<<2)
	if s.Dim == ir.DimCube {
		texels *= 6
	}
	v.texels = nil
	first, n := uint64(v.offset>>2), texels*uint64(s.Format.Words())
	if first+n <= uint64(len(s.span)) {
		v.texels = s.span[first : first+n]
	}
	return v
}

// A detail is what the level of detail says of one lane.
type detail struct {
	first  uint32
	weight float32 // of the level behind first
	linear bool    // filter within a level
}

// A quad is a float in each lane of a quad.
type quad = [quadLanes]float32

// read samples q quads: args as Sample has them, dst its four results.
func (s *sampler) read(v *vm, args, dst []*lanes) {
	q := v.q
	var details [quadLanes]detail
	for k := range details {
		details[k].linear = s.Mag == ir.Bilinear
	}
	xs, ys, zs := floats(args[0], q), floats(args[1], q), floats(args[2], q)
	var out [4][][quadLanes]float32
	for c := range out {
		out[c] = floats(dst[c], q)
	}
	for i := range xs {
		if v.idle(i) {
			continue
		}
		coords := [3]*quad{&xs[i], &ys[i], &zs[i]}
		results := [4]*quad{&out[0][i], &out[1][i], &out[2][i], &out[3][i]}
		if s.lod {
			s.details(&details, i, args)
		}
		if s.Dim == ir.DimCube {
			var on cubeQuad
			on.project(&coords)
			s.quad(&results, &[3]*quad{&on.s, &on.t, &on.t}, &on.face, &details)
		} else {
			s.quad(&results, &coords, &[quadLanes]uint32{}, &details)
		}
	}
}

// quad samples a quad whose details are known.
func (s *sampler) quad(out *[4]*quad, coords *[3]*quad, face *[quadLanes]uint32, d *[quadLanes]detail) {
	same := s.plain
	for k := 1; k < quadLanes; k++ {
		same = same && d[k].first == d[0].first && d[k].linear == d[0].linear
	}
	if same {
		if v := s.level(d[0].first); v.texels != nil && !s.crosses(v, coords, d[0].linear) {
			s.quadBytes(out, v, coords, face, d[0].linear)
			weight := quad{d[0].weight, d[1].weight, d[2].weight, d[3].weight}
			if weight == (quad{}) {
				return
			}
			if v := s.level(min(d[0].first+1, s.last)); v.texels != nil && !s.crosses(v, coords, d[0].linear) {
				var far [4]quad
				s.quadBytes(&[4]*quad{&far[0], &far[1], &far[2], &far[3]}, v, coords, face, d[0].linear)
				for c := range far {
					for k := range far[c] {
						out[c][k] = lerp(out[c][k], far[c][k], weight[k])
					}
				}
				return
			}
		}
	}
	for k := range d {
		v := s.lane([3]float32{coords[0][k], coords[1][k], coords[2][k]}, face[k], &d[k])
		for c := range v {
			out[c][k] = v[c]
		}
	}
}

// lane reads the one or two levels of a lane.
func (s *sampler) lane(c [3]float32, face uint32, d *detail) (out [4]float32) {
	s.readLevel(&out, s.level(d.first), &c, face, d.linear)
	if 0 < d.weight {
		var far [4]float32
		s.readLevel(&far, s.level(min(d.first+1, s.last)), &c, face, d.linear)
		for i := range out {
			out[i] = lerp(out[i], far[i], d.weight)
		}
	}
	return out
}

func lerp(a, b, f float32) float32 { return a + float32(f*(b-a)) }

// details finds filter and levels of the lanes of quad i.
func (s *sampler) details(out *[quadLanes]detail, i int, args []*lanes) {
	var lod quad
	switch s.kind {
	case ir.SampleLevel:
		lod = floats(args[s.extra], i+1)[i]
	case ir.SampleGrad:
		for k := range lod {
			var dx, dy [3]float32
			for a := range dx {
				dx[a] = math.Float32frombits(args[s.extra+a][i][k])
				dy[a] = math.Float32frombits(args[s.extra+3+a][i][k])
			}
			if s.Dim == ir.DimCube {
				v := vector(args, i, k)
				f := cubeFace(v)
				dx, dy = f.project(v, dx), f.project(v, dy)
			}
			lod[k] = ir.PMax(s.square(&dx), s.square(&dy))
		}
		s.halfLog(&lod)
	default:
		if s.Dim == ir.DimCube {
			s.cubeSquares(&lod, i, args)
		} else {
			s.squares(&lod, i, args)
		}
		s.halfLog(&lod)
	}
	if s.LODBias != 0 {
		for k := range lod {
			lod[k] += s.LODBias
		}
	}
	if s.kind == ir.SampleBias {
		for k := range lod {
			lod[k] += math.Float32frombits(args[s.extra][i][k])
		}
	}
	if s.LODRange {
		for k, x := range lod {
			lod[k] = ir.PMax(s.MinLOD, ir.PMin(s.MaxLOD, x))
		}
	}
	for k := range out {
		s.detail(&out[k], lod[k])
	}
}

// halfLog makes squares of lengths levels of detail. Those that no bias can lift above 0 may be any
// number that is not positive.
func (s *sampler) halfLog(x *quad) {
	biased := s.LODBias != 0 || s.kind == ir.SampleBias
	for k := range x {
		if x[k] <= 1 && !biased {
			x[k] = 0
		} else {
			x[k] = float32(ir.Log2(x[k]) * 0.5)
		}
	}
}

// squares gives the larger square of the lengths of the two derivatives, in texels: a row of the
// quad shares one, a column the other.
func (s *sampler) squares(out *quad, i int, args []*lanes) {
	var top, bottom, left, right [3]float32
	for a := range s.axes {
		x := &floats(args[a], i+1)[i]
		top[a], bottom[a], left[a], right[a] = x[1]-x[0], x[3]-x[2], x[2]-x[0], x[3]-x[1]
	}
	t, b, l, r := s.square(&top), s.square(&bottom), s.square(&left), s.square(&right)
	*out = quad{ir.PMax(t, l), ir.PMax(t, r), ir.PMax(b, l), ir.PMax(b, r)}
}

// cubeSquares is squares on the face of each lane.
func (s *sampler) cubeSquares(out *quad, i int, args []*lanes) {
	for k := range out {
		var dx, dy [3]float32
		for a := range dx {
			x := &floats(args[a], i+1)[i]
			dx[a], dy[a] = x[k|1]-x[k&2], x[k|2]-x[k&1]
		}
		v := vector(args, i, k)
		f := cubeFace(v)
		dx, dy = f.project(v, dx), f.project(v, dy)
		out[k] = ir.PMax(s.square(&dx), s.square(&dy))
	}
}

// vector gives the coordinates of lane k of quad i.
func vector(args []*lanes, i, k int) (v [3]float32) {
	for a := range v {
		v[a] = math.Float32frombits(args[a][i][k])
	}
	return v
}

// square gives the square of the length of a derivative in texels of level 0.
func (s *sampler) square(d *[3]float32) float32 {
	x, y := float32(d[0]*s.scale[0]), float32(d[1]*s.scale[1])
	switch s.axes {
	case 1:
		return x * x
	case 2:
		return float32(x*x) + float32(y*y)
	}
	z := float32(d[2] * s.scale[2])
	return float32(x*x) + float32(y*y) + float32(z*z)
}

// detail chooses filter and levels.
func (s *sampler) detail(d *detail, lod float32) {
	if 0 < lod {
		d.linear = s.Min == ir.Bilinear
	} else {
		d.linear = s.Mag == ir.Bilinear
	}
	if s.Mip == ir.MipNone {
		return
	}
	lod = ir.PMin(ir.PMax(0, lod), float32(s.last))
	if s.Mip == ir.MipNearest {
		d.first = ir.FloatToUint(lod + 0.5)
		return
	}
	d.first = ir.FloatToUint(lod)
	d.weight = lod - float32(math.Trunc(float64(lod)))
}

// A cubeSide is the face of a cube that a direction hits.
type cubeSide struct {
	face        uint32
	s, t, major axis3
}

// An axis3 is a component of a vector, negated or not.
type axis3 struct {
	comp   uint8
	negate bool
}

func (a axis3) of(v [3]float32) float32 {
	x := v[a.comp]
	if a.negate {
		x = math.Float32frombits(math.Float32bits(x) ^ 1<<31)
	}
	return x
}

var cubeSides = [6]cubeSide{
	{0, axis3{2, true}, axis3{1, true}, axis3{0, false}},
	{1, axis3{2, false}, axis3{1, true}, axis3{0, true}},
	{2, axis3{0, false}, axis3{2, false}, axis3{1, false}},
	{3, axis3{0, false}, axis3{2, true}, axis3{1, true}},
	{4, axis3{0, false}, axis3{1, true}, axis3{2, false}},
	{5, axis3{0, true}, axis3{1, true}, axis3{2, true}},
}

func cubeFace(v [3]float32) *cubeSide {
	x, y, z := fabs(v[0]), fabs(v[1]), fabs(v[2])
	axis := 0
	if x <= z && y <= z {
		axis = 2
	} else if x <= y {
		axis = 1
	}
	if v[axis] < 0 {
		return &cubeSides[2*axis+1]
	}
	return &cubeSides[2*axis]
}

func fabs(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }

// coords gives the coordinates of direction v on the face.
func (f *cubeSide) coords(v [3]float32) (s, t float32) {
	major := f.major.of(v)
	return float32(f.s.of(v)/major*0.5) + 0.5, float32(f.t.of(v)/major*0.5) + 0.5
}

// project gives the derivative of the coordinates of v on the face, where d is that of v.
func (f *cubeSide) project(v, d [3]float32) [3]float32 {
	major, dmajor := f.major.of(v), f.major.of(d)
	square := float32(major * major)
	on := func(a axis3) float32 {
		n := float32(major*a.of(d)) - float32(a.of(v)*dmajor)
		return n / square * 0.5
	}
	return [3]float32{on(f.s), on(f.t), 0}
}

// A cubeQuad is where the directions of a quad hit a cube.
type cubeQuad struct {
	s, t quad
	face [quadLanes]uint32
}

func (q *cubeQuad) project(v *[3]*quad) {
	for k := range q.face {
		d := [3]float32{v[0][k], v[1][k], v[2][k]}
		f := cubeFace(d)
		q.face[k] = f.face
		q.s[k], q.t[k] = f.coords(d)
	}
}
