package render

import (
	"math"
	"math/rand/v2"
	"testing"
)

// at gives the corner that lands on (x, y) of a 64x64 target, in pixels from its left top.
func at(x, y, z, w float64, attr ...float64) corner {
	return corner{pos: [4]float64{(x/32 - 1) * w, (1 - y/32) * w, z * w, w}, attr: attr}
}

// testRaster gives a rasteriser for a 64x64 target.
func testRaster(conv Convention, cull Cull, v []varying) *rasteriser {
	r := &rasteriser{}
	r.begin(&conv, &surface{width: 64, height: 64, samples: 1}, &Raster{}, cull, nil, nil, v)
	return r
}

// draw draws a triangle.
func (r *rasteriser) draw(tri *[3]corner, emit func(*setup)) fate {
	var v [3]vert
	for k := range v {
		v[k].corner = tri[k]
		if v[k].attr == nil {
			v[k].attr = []float64{}
		}
		r.ready(&v[k])
	}
	r.emit = emit
	return r.triangle(&v[0], &v[1], &v[2], &v[0].corner)
}

// cover counts how often each pixel of a 64x64 target is covered.
func cover(t *testing.T, conv Convention, cull Cull, tris ...[3]corner) (count [64][64]int) {
	t.Helper()
	r := testRaster(conv, cull, nil)
	for _, tri := range tris {
		r.draw(&tri, func(s *setup) {
			record := make([]uint32, form{samples: 1}.words(nil))
			if !s.record(record, 0, 0, conv.Centre, form{samples: 1}, 0, nil) {
				return
			}
			for y := range 64 {
				for x := range 64 {
					if !inEdges(record, recEdges, x, y) {
						continue
					}
					count[y][x]++
					if !inBox(record, x, y) {
						t.Fatalf("pixel (%d, %d) is covered outside the box %v", x, y, record[:4])
					}
				}
			}
		})
	}
	return
}

// The example of the Direct3D 9 documentation, "Rasterization Rules": of the rectangle (0, 0) to
// (5, 5) the triangle that has the shared edge on its left gets 15 pixels, the other one 10.
func TestTopLeftRule(t *testing.T) {
	a := [3]corner{at(0, 0, 0.5, 1), at(5, 0, 0.5, 1), at(5, 5, 0.5, 1)}
	b := [3]corner{at(0, 5, 0.5, 1), at(0, 0, 0.5, 1), at(5, 5, 0.5, 1)}
	for _, conv := range []Convention{D3D9, D3D10} {
		first, second, both := cover(t, conv, CullNone, a), cover(t, conv, CullNone, b), cover(t, conv, CullNone, a, b)
		for y := range 8 {
			for x := range 8 {
				want := 0
				if x < 5 && y < 5 {
					want = 1
				}
				if both[y][x] != want {
					t.Errorf("centre %d: pixel (%d, %d) is drawn %d times, want %d", conv.Centre, x, y, both[y][x], want)
				}
				if want == 1 && (first[y][x] == 1) != (x >= y) {
					t.Errorf("centre %d: pixel (%d, %d) belongs to the wrong triangle", conv.Centre, x, y)
				}
				if first[y][x]+second[y][x] != want {
					t.Errorf("centre %d: pixel (%d, %d) belongs to both or none", conv.Centre, x, y)
				}
			}
		}
	}
}

// Edges exactly through centres, worked out by hand for centres at whole numbers.
func TestEdgesThroughCentres(t *testing.T) {
	for _, c := range []struct {
		name string
		tri  [3]corner
		want []string
	}{
		{"a square's left top half", [3]corner{at(1, 1, 0, 1), at(4, 1, 0, 1), at(1, 4, 0, 1)}, []string{
			".....",
			".###.", // the top edge counts, its right end lies on the right edge
			".##..",
			".#...",
			".....",
		}},
		{"its right bottom half", [3]corner{at(4, 1, 0, 1), at(4, 4, 0, 1), at(1, 4, 0, 1)}, []string{
			".....",
			".....", // (4, 1) lies on the right edge
			"...#.", // the long edge is a left edge
			"..##.",
			".....", // the bottom edge does not count
		}},
		{"1/256 above a centre", [3]corner{at(0, 1+1.0/256, 0, 1), at(3, 1+1.0/256, 0, 1), at(0, 3, 0, 1)}, []string{
			".....",
			".....",
			"##...", // right edge at x = 3 * (3-2) / (2 - 1/256) = 1.503
			".....",
		}},
	} {
		got := cover(t, D3D9, CullNone, c.tri)
		for y, row := range c.want {
			for x, ch := range row {
				want := 0
				if ch == '#' {
					want = 1
				}
				if got[y][x] != want {
					t.Errorf("%s: pixel (%d, %d) is drawn %d times, want %d", c.name, x, y, got[y][x], want)
				}
			}
		}
	}
}

func TestSnapping(t *testing.T) {
	r := testRaster(D3D9, CullNone, nil)
	for _, c := range []struct {
		x    float64
		want int64
	}{{0, 0}, {1.0 / 256, 1}, {0.5 / 256, 0}, {1.5 / 256, 2}, {2.5 / 256, 2}, {-0.5 / 256, 0}, {-1.5 / 256, -2}, {10.25, 2624}} {
		p := at(c.x, 0, 0, 1)
		if !r.place(&p) || p.x != c.want {
			t.Errorf("x = %v/256 is snapped to %d, want %d: to nearest, ties to even", c.x*256, p.x, c.want)
		}
	}
}

// A mesh of jittered points covers the rectangle that it fills exactly once, whatever its inner points
// do, in every tile.
func TestSharedEdgesCoverOnce(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	const cells, meshes = 5, 300
	for mesh := range meshes {
		conv := []Convention{D3D9, D3D10}[mesh%2]
		var p [cells + 1][cells + 1]corner
		for j := range p {
			for i := range p[j] {
				x, y := float64(i)*60/cells+2, float64(j)*60/cells+2
				if i > 0 && j > 0 && i < cells && j < cells {
					step := []float64{1, 1.0 / 16, 1.0 / 256, 0.0001}[mesh/2%4]
					x += math.Round((random.Float64()-0.5)*10/step) * step
					y += math.Round((random.Float64()-0.5)*10/step) * step
				}
				w := []float64{1, 0.5 + random.Float64()}[mesh/8%2]
				p[j][i] = at(x, y, 0.5, w)
			}
		}
		var tris [][3]corner
		for j := range cells {
			for i := range cells {
				a, b, c, d := p[j][i], p[j][i+1], p[j+1][i], p[j+1][i+1]
				if random.IntN(2) == 0 {
					tris = append(tris, [3]corner{a, b, d}, [3]corner{a, d, c})
				} else {
					tris = append(tris, [3]corner{a, b, c}, [3]corner{b, d, c})
				}
			}
		}
		// Points may have crossed a neighbour's edge: such a fold is drawn by both orientations, so count
		// clockwise triangles up and counter-clockwise ones down.
		up, down := cover(t, conv, CullCCW, tris...), cover(t, conv, CullCW, tris...)
		for y := range 64 {
			for x := range 64 {
				want := 0
				if x >= 2 && x < 62 && y >= 2 && y < 62 {
					want = 1
				}
				if got := up[y][x] - down[y][x]; got != want {
					t.Fatalf("mesh %d: pixel (%d, %d) is drawn %d times, want %d", mesh, x, y, got, want)
				}
			}
		}
	}
}

// The 32-bit edge functions of a tile agree with exact integers, for triangles up to the guard band.
func TestEdgesAreExact(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	var mixed, tiles int
	for range 3000 {
		r := rasteriser{conv: D3D10, samples: samplePlaces(4), limit: [4]int{0, 0, 512, 512}}
		s := &r.tri
		var px, py [3]int64
		scale := []float64{64, 1000, 18000}[random.IntN(3)]
		for k := range 3 {
			px[k], py[k] = int64(random.NormFloat64()*scale*128), int64(random.NormFloat64()*scale*128)
		}
		area := (px[1]-px[0])*(py[2]-py[0]) - (px[2]-px[0])*(py[1]-py[0])
		if area < 0 {
			px[1], px[2], py[1], py[2] = px[2], px[1], py[2], py[1]
		}
		tx, ty := random.IntN(8)*64, random.IntN(8)*64
		if !r.cover(px, py) {
			continue
		}
		sample := [][2]int64{{0, 0}, {-2, -6}, {6, -2}, {-6, 2}, {2, 6}}[random.IntN(5)]
		e, hit := s.tileEdges(tx, ty, sample)
		tiles++
		inside := 0
		for y := range 64 {
			for x := range 64 {
				want := true
				for k := range 3 {
					i, j := k, (k+1)%3
					a, b := py[i]-py[j], px[j]-px[i]
					v := a*(int64(tx+x)*256+128+16*sample[0]-px[i]) + b*(int64(ty+y)*256+128+16*sample[1]-py[i])
					want = want && (v > 0 || v == 0 && (a > 0 || a == 0 && b > 0))
				}
				got := hit
				for k := 0; k < 9; k += 3 {
					got = got && e[k]*int32(x)+e[k+1]*int32(y)+e[k+2] >= 0
				}
				if got != want {
					t.Fatalf("triangle %v %v, tile (%d, %d), pixel (%d, %d): inside %v, want %v", px, py, tx, ty, x, y, got, want)
				}
				if want {
					inside++
				}
			}
		}
		if inside > 0 && inside < 4096 {
			mixed++
		}
	}
	if mixed < 100 {
		t.Errorf("only %d of %d tiles were cut by an edge", mixed, tiles)
	}
}

func TestCulling(t *testing.T) {
	cw := [3]corner{at(0, 0, 0, 1), at(8, 0, 0, 1), at(0, 8, 0, 1)}
	ccw := [3]corner{cw[0], cw[2], cw[1]}
	for _, c := range []struct {
		cull    Cull
		cw, ccw fate
	}{{CullNone, drawn, drawn}, {CullCW, culled, drawn}, {CullCCW, drawn, culled}} {
		r := testRaster(D3D9, c.cull, nil)
		for _, k := range []struct {
			tri  [3]corner
			want fate
			flip bool
		}{{cw, c.cw, false}, {ccw, c.ccw, true}} {
			flip := false
			if got := r.draw(&k.tri, func(s *setup) { flip = s.back }); got != k.want {
				t.Errorf("cull %d: fate %d, want %d", c.cull, got, k.want)
			} else if got == drawn && flip != k.flip {
				t.Errorf("cull %d: flip is %v", c.cull, flip)
			}
		}
	}
}

func TestFates(t *testing.T) {
	r := testRaster(D3D9, CullNone, nil)
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name string
		tri  [3]corner
		want fate
	}{
		{"a NaN", [3]corner{at(0, 0, 0, 1), at(nan, 0, 0, 1), at(0, 8, 0, 1)}, notANum},
		{"an infinity", [3]corner{at(0, 0, 0, 1), at(inf, 0, 0, 1), at(0, 8, 0, 1)}, notANum},
		{"in front of the near plane", [3]corner{at(0, 0, -0.1, 1), at(8, 0, -0.1, 1), at(0, 8, -0.1, 1)}, outside},
		{"behind the far plane", [3]corner{at(0, 0, 1.1, 1), at(8, 0, 1.1, 1), at(0, 8, 1.1, 1)}, outside},
		{"behind the eye", [3]corner{at(0, 0, 0.5, -1), at(8, 0, 0.5, -1), at(0, 8, 0.5, -1)}, outside},
		{"all at the eye", [3]corner{{}, {}, {}}, notANum},
		{"no area", [3]corner{at(0, 0, 0, 1), at(8, 8, 0, 1), at(16, 16, 0, 1)}, tooSmall},
		{"between centres", [3]corner{at(3.2, 3.2, 0, 1), at(3.8, 3.2, 0, 1), at(3.5, 3.8, 0, 1)}, tooSmall},
		{"left of the picture", [3]corner{at(-20, 0, 0, 1), at(-4, 0, 0, 1), at(-4, 8, 0, 1)}, tooSmall},
		{"on the near plane", [3]corner{at(0, 0, 0, 1), at(8, 0, 0, 1), at(0, 8, 0, 1)}, drawn},
		{"on the far plane", [3]corner{at(0, 0, 1, 1), at(8, 0, 1, 1), at(0, 8, 1, 1)}, drawn},
	} {
		if got := r.draw(&c.tri, func(*setup) {}); got != c.want {
			t.Errorf("%s: fate %d, want %d", c.name, got, c.want)
		}
	}
}

// The cut at the near plane, by hand: from z = 1 to z = -1 half way, from z = 1 to z = -3 a quarter.
func TestClipAtNear(t *testing.T) {
	var c clipper
	c.begin(&D3D9, true, guard, nil, nil, make([]varying, 2))
	tri := []corner{
		{pos: [4]float64{0, 0, 1, 2}, attr: []float64{0, 8}},
		{pos: [4]float64{2, 0, -1, 2}, attr: []float64{1, 0}},
		{pos: [4]float64{0, 4, -3, 2}, attr: []float64{0, 16}},
	}
	want := []corner{
		tri[0],
		{pos: [4]float64{1, 0, 0, 2}, attr: []float64{0.5, 4}},
		{pos: [4]float64{0, 1, 0, 2}, attr: []float64{0, 10}},
	}
	var crossed uint32
	for i := range tri {
		crossed |= c.outcode(&tri[i])
	}
	got := c.polygon(tri, crossed)
	if len(got) != len(want) {
		t.Fatalf("%d corners, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i].pos != want[i].pos || got[i].attr[0] != want[i].attr[0] || got[i].attr[1] != want[i].attr[1] {
			t.Errorf("corner %d is %v, want %v", i, got[i], want[i])
		}
	}
}

// Two triangles that share an edge across all planes leave no crack and no overlap.
func TestClippedSharedEdges(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for n := range 200 {
		// A fan around a point in the middle of the picture, its rim anywhere, also behind the eye.
		middle := at(32, 32, 0.5, 1)
		rim := make([]corner, 7)
		for i := range rim {
			angle := 2 * math.Pi * (float64(i) + 0.8*random.Float64()) / 7
			far := 40 + 2000*random.Float64()
			rim[i] = at(32+far*math.Cos(angle), 32+far*math.Sin(angle), 0.5+0.4*(random.Float64()-0.5), 1)
			if random.IntN(3) == 0 { // nearer to the eye than the near plane
				rim[i].pos[2] = -random.Float64()
			}
		}
		var tris [][3]corner
		for i := range rim {
			tris = append(tris, [3]corner{middle, rim[i], rim[(i+1)%7]})
		}
		got := cover(t, D3D9, CullNone, tris...)
		for y := 20; y < 44; y++ {
			for x := 20; x < 44; x++ {
				if got[y][x] > 1 {
					t.Fatalf("fan %d: pixel (%d, %d) is drawn %d times", n, x, y, got[y][x])
				}
				if dx, dy := x-32, y-32; got[y][x] == 0 && dx*dx+dy*dy < 9 {
					t.Fatalf("fan %d: there is a hole at (%d, %d)", n, x, y)
				}
			}
		}
	}
}

// plane is the value of ir.Plane.
func planeAt(record []uint32, word, x, y int) float32 {
	f := func(i int) float32 { return math.Float32frombits(record[word+i]) }
	by := float32(float32(y) * f(1))
	return float32(float32(x)*f(0)) + (by + f(2))
}

// Hand-computed: a right triangle of 8 pixels with a varying that is x/8, w = 1 everywhere.
func TestPlanesByHand(t *testing.T) {
	v := []varying{{source: 0}, {source: 1, flat: true}, {source: 2, linear: true}}
	r := testRaster(D3D9, CullNone, v)
	first := at(0, 0, 0.25, 1, 0, 7, 0)
	first.words = []uint32{0, math.Float32bits(7), 0} // flat values are words
	tri := [3]corner{first, at(8, 0, 0.75, 1, 1, 8, 0), at(0, 8, 0.25, 1, 0, 9, 2)}
	r.draw(&tri, func(s *setup) {
		rec := make([]uint32, form{samples: 1}.words(v))
		s.record(rec, 0, 0, 0, form{samples: 1}, 0, v)
		for _, c := range []struct {
			what string
			got  float32
			want float32
		}{
			{"depth at (0, 0)", planeAt(rec, recDepth, 0, 0), 0.25},
			{"depth at (4, 0)", planeAt(rec, recDepth, 4, 0), 0.5},
			{"1/w at (3, 3)", planeAt(rec, recW, 3, 3), 1},
			{"face", math.Float32frombits(rec[recFace]), 1},
			{"varying at (3, 2)", planeAt(rec, form{samples: 1}.varyings(), 3, 2), 0.375},
			{"flat", math.Float32frombits(rec[form{samples: 1}.varyings()+3]), 7},
			{"linear at (1, 2)", planeAt(rec, form{samples: 1}.varyings()+4, 1, 2), 0.5},
		} {
			if c.got != c.want {
				t.Errorf("%s is %v, want %v", c.what, c.got, c.want)
			}
		}
	})
}

// Perspective interpolation against ray arithmetic in double precision: u is linear in clip space.
func TestPerspectiveAgainstReference(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	v := []varying{{source: 0}}
	var worst float64
	for range 300 {
		r := testRaster(D3D9, CullNone, v)
		var tri [3]corner
		for k := range tri {
			// whole pixels, so that snapping moves nothing
			tri[k] = at(float64(random.IntN(64)), float64(random.IntN(64)), random.Float64(), 0.25+4*random.Float64(), random.Float64())
		}
		r.draw(&tri, func(s *setup) {
			rec := make([]uint32, form{samples: 1}.words(v))
			if !s.record(rec, 0, 0, 0, form{samples: 1}, 0, v) {
				return
			}
			for y := range 64 {
				for x := range 64 {
					if !(form{samples: 1}).covers(rec, x, y) {
						continue
					}
					got := planeAt(rec, form{samples: 1}.varyings(), x, y) * (1 / planeAt(rec, recW, x, y))
					want := perspective(&tri, float64(x), float64(y))
					worst = max(worst, math.Abs(float64(got)-want))
				}
			}
		})
	}
	if worst == 0 || worst > 4e-5 {
		t.Errorf("the greatest difference is %g", worst)
	}
	t.Logf("greatest difference %g", worst)
}

// perspective solves for the weights of the corners, in clip space, at a pixel.
func perspective(tri *[3]corner, x, y float64) float64 {
	nx, ny := x/32-1, 1-y/32
	var m [3]float64 // signed areas of the clip-space corners seen from the eye
	for k := range m {
		a, b := tri[(k+1)%3].pos, tri[(k+2)%3].pos
		ax, ay, bx, by := a[0]-nx*a[3], a[1]-ny*a[3], b[0]-nx*b[3], b[1]-ny*b[3]
		m[k] = ax*by - ay*bx
	}
	sum := m[0] + m[1] + m[2]
	return (m[0]*tri[0].attr[0] + m[1]*tri[1].attr[0] + m[2]*tri[2].attr[0]) / sum
}
