package render

import (
	"math"
	"math/rand/v2"
	"testing"

	"swizzle/internal/jittest"
	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/interp"
	"swizzle/shaderkit/ir"
)

// A sheet is a mesh of triangles that share edges, with its rim as a closed line.
type sheet struct {
	name  string
	at    [][2]float64 // pixels
	tris  [][3]int
	rim   []int
	folds bool // triangles may lie over one another
	whole bool // the rim is far outside: every pixel is covered
}

// side of the target of watertight meshes; they lie where four tiles meet.
const sheetSize, sheetMiddle = 128, 64

// grain rounds to what a mesh's points are multiples of: whole pixels (centres in Direct3D 9), halves
// (centres later), sixteenths, 1/256, or nothing.
func grain(r *rand.Rand) func(float64) float64 {
	step := []float64{1, 0.5, 1.0 / 16, 1.0 / 256, 0}[r.IntN(5)]
	return func(v float64) float64 {
		if step == 0 {
			return v
		}
		return math.RoundToEven(v/step) * step
	}
}

// randomSheet makes mesh number n: fans, strips, grids cut at random, folds, slivers, and triangles that
// reach beyond the guard band.
func randomSheet(n int) *sheet {
	r := rand.New(rand.NewPCG(uint64(n), 17))
	round := grain(r)
	s := &sheet{}
	add := func(x, y float64) int {
		s.at = append(s.at, [2]float64{round(x), round(y)})
		return len(s.at) - 1
	}
	switch n % 6 {
	case 0: // a fan around a point
		s.name = "fan"
		k := 3 + r.IntN(12)
		hub := add(sheetMiddle+4*r.NormFloat64(), sheetMiddle+4*r.NormFloat64())
		for i := range k {
			a := 2 * math.Pi * (float64(i) + 0.9*r.Float64()) / float64(k)
			d := 2 + 14*r.Float64()
			s.rim = append(s.rim, add(s.at[hub][0]+d*math.Cos(a), s.at[hub][1]+d*math.Sin(a)))
		}
		for i := range k {
			s.tris = append(s.tris, [3]int{hub, s.rim[i], s.rim[(i+1)%k]})
		}
		s.folds = true // rounding, or three corners around the hub, may turn a triangle
	case 1: // a strip between two lines
		s.name = "strip"
		k := 2 + r.IntN(14)
		var top, bottom []int
		x, y := sheetMiddle-14.0, sheetMiddle+8*r.NormFloat64()
		for range k {
			h := []float64{10, 1, 0.05}[r.IntN(3)] // slivers, too
			top = append(top, add(x, y))
			bottom = append(bottom, add(x+r.Float64(), y+h))
			x += 28 * (0.5 + r.Float64()) / float64(k)
			y += r.NormFloat64()
		}
		for i := range k - 1 {
			s.tris = append(s.tris, [3]int{top[i], top[i+1], bottom[i]}, [3]int{bottom[i], top[i+1], bottom[i+1]})
		}
		s.rim = append(s.rim, top...)
		for i := range bottom {
			s.rim = append(s.rim, bottom[k-1-i])
		}
		s.folds = true
	case 2, 3, 4: // a grid cut at random, its points moved a little, a lot, or its rim far away
		cells := 1 + r.IntN(6)
		reach, move := 14.0, 0.49
		s.name = "grid"
		if n%6 == 3 {
			s.name, move, s.folds = "folds", 3, true
		}
		if n%6 == 4 {
			s.name, reach, move, s.whole = "far", []float64{100, 2000, 30000, 1e6}[r.IntN(4)], 0.4, true
			round = func(v float64) float64 { return v }
		}
		p := make([][]int, cells+1)
		step := 2 * reach / float64(cells)
		for j := range p {
			for i := range cells + 1 {
				x, y := sheetMiddle-reach+float64(i)*step, sheetMiddle-reach+float64(j)*step
				if i > 0 && j > 0 && i < cells && j < cells {
					x, y = x+step*move*(2*r.Float64()-1)/2, y+step*move*(2*r.Float64()-1)/2
				}
				p[j] = append(p[j], add(x, y))
			}
		}
		for j := range cells {
			for i := range cells {
				a, b, c, d := p[j][i], p[j][i+1], p[j+1][i], p[j+1][i+1]
				if r.IntN(2) == 0 {
					s.tris = append(s.tris, [3]int{a, b, d}, [3]int{a, d, c})
				} else {
					s.tris = append(s.tris, [3]int{a, b, c}, [3]int{b, d, c})
				}
			}
		}
		for i := range cells {
			s.rim = append(s.rim, p[0][i])
		}
		for j := range cells {
			s.rim = append(s.rim, p[j][cells])
		}
		for i := range cells {
			s.rim = append(s.rim, p[cells][cells-i])
		}
		for j := range cells {
			s.rim = append(s.rim, p[cells-j][0])
		}
	case 5: // a triangle cut again and again by points inside
		s.name = "cuts"
		for i := range 3 {
			a := 2*math.Pi*float64(i)/3 + r.Float64()
			s.rim = append(s.rim, add(sheetMiddle+15*math.Cos(a), sheetMiddle+15*math.Sin(a)))
		}
		s.tris = append(s.tris, [3]int{0, 1, 2})
		for range r.IntN(12) {
			t := r.IntN(len(s.tris))
			a, b, c := s.tris[t][0], s.tris[t][1], s.tris[t][2]
			u, v := r.Float64(), r.Float64()
			if u+v > 1 {
				u, v = 1-u, 1-v
			}
			mix := func(k int) float64 { return s.at[a][k] + u*(s.at[b][k]-s.at[a][k]) + v*(s.at[c][k]-s.at[a][k]) }
			m := add(mix(0), mix(1))
			s.tris[t] = [3]int{a, b, m}
			s.tris = append(s.tris, [3]int{b, c, m}, [3]int{c, a, m})
		}
		s.folds = true // rounding may move a point over an edge
	}
	return s
}

// verts places the points on the target, at different distances.
func (s *sheet) verts(r *rasteriser, n int) []vert {
	random := rand.New(rand.NewPCG(uint64(n), 18))
	v := make([]vert, len(s.at))
	for i, p := range s.at {
		w := 1.0
		if n%4 == 3 {
			w = 0.5 + 2*random.Float64()
		}
		v[i].pos = [4]float64{(p[0]/(sheetSize/2) - 1) * w, (1 - p[1]/(sheetSize/2)) * w, 0.5 * w, w}
		v[i].attr, v[i].edge = []float64{}, true
		r.ready(&v[i])
	}
	return v
}

// winding gives how often the rim goes around a place in 24.8, clockwise. A place on it counts as one a
// little to the right and, less than that, below: this is what the top-left rule comes to.
func winding(v []vert, rim []int, x, y int64) (n int) {
	for i, a := range rim {
		p, q := &v[a], &v[rim[(i+1)%len(rim)]]
		// Edges that cross the ray to the left of the place.
		up := p.y > y
		if up == (q.y > y) {
			continue
		}
		d := (q.x-p.x)*(y-p.y) - (x-p.x)*(q.y-p.y) // of the sign of the crossing's x - x, times that of q.y - p.y
		if q.y > p.y && d <= 0 {
			n--
		}
		if q.y < p.y && d >= 0 {
			n++
		}
	}
	return n
}

// Random meshes cover every sample that is inside of their rim exactly once, as often as the rim goes
// around it where triangles fold, and no other.
func TestWatertight(t *testing.T) {
	covered := map[string]int{}
	for n := range 10000 {
		s := randomSheet(n)
		conv := []*Convention{&D3D9, &D3D10}[n/6%2]
		samples := []int{1, 1, 4}[n/12%3]
		r := &rasteriser{}
		r.begin(conv, &surface{width: sheetSize, height: sheetSize, samples: samples}, &Raster{}, CullNone, nil, nil, nil)
		v := s.verts(r, n)
		var count [4][sheetSize][sheetSize]int8
		record := make([]uint32, form{samples: samples}.words(nil))
		var sign int8
		r.emit = func(p *setup) {
			for ty := p.box[1] &^ 63; ty < p.box[3]; ty += exec.TileSize {
				for tx := p.box[0] &^ 63; tx < p.box[2]; tx += exec.TileSize {
					if !p.record(record, tx, ty, conv.Centre, form{samples: samples}, 0, nil) {
						continue
					}
					for k := range samples {
						at := edgesOf(k)
						for y := int32(record[1]); y < int32(record[3]); y++ {
							for x := int32(record[0]); x < int32(record[2]); x++ {
								e := func(i int) int32 {
									return int32(record[at+i])*x + int32(record[at+i+1])*y + int32(record[at+i+2])
								}
								if e(0)|e(3)|e(6) >= 0 {
									count[k][ty+int(y)][tx+int(x)] += sign
								}
							}
						}
					}
				}
			}
		}
		for _, tri := range s.tris {
			a, b, c := &v[tri[0]], &v[tri[1]], &v[tri[2]]
			if sign = 1; s.folds && area(&a.corner, &b.corner, &c.corner) < 0 {
				sign = -1
			}
			r.triangle(a, b, c, &a.corner)
		}
		top, bottom := sheetSize, 0 // rows that the rim meets
		for _, i := range s.rim {
			top, bottom = min(top, int(v[i].y>>8)-1), max(bottom, int(v[i].y>>8)+1)
		}
		for k, place := range r.samples {
			for y := range sheetSize {
				for x := range sheetSize {
					want := 1
					if !s.whole {
						if want = 0; y >= top && y <= bottom {
							want = winding(v, s.rim, int64(x)*256+conv.Centre+16*place[0], int64(y)*256+conv.Centre+16*place[1])
						}
					}
					if got := int(count[k][y][x]); got != want {
						t.Fatalf("mesh %d, %s: sample %d of pixel (%d, %d) is covered %d times, want %d", n, s.name, k, x, y, got, want)
					}
					if want != 0 {
						covered[s.name]++
					}
				}
			}
		}
	}
	for name, n := range covered {
		if t.Logf("%s: %d samples", name, n); n < 10000 {
			t.Errorf("%s: meshes cover only %d samples", name, n)
		}
	}
	if len(covered) != 6 {
		t.Errorf("kinds %v, want 6", covered)
	}
}

// The same through the engines, which count by adding.
func TestWatertightPictures(t *testing.T) {
	for _, e := range []exec.Engine{interp.New(), jittest.New(t)} {
		r := New(e)
		ps := pixelShader(nil, func(b *ir.Builder, _ []ir.Reg) []ir.Reg {
			one := b.F(1.0 / 255)
			return []ir.Reg{one, one, one, one}
		})
		for n := range 240 {
			s := randomSheet(n)
			conv := []*Convention{&D3D9, &D3D10}[n/6%2]
			raster := &rasteriser{}
			raster.begin(conv, &surface{width: sheetSize, height: sheetSize, samples: 1}, &Raster{}, CullNone, nil, nil, nil)
			v := s.verts(raster, n)
			m := &Mesh{}
			for i := range v {
				var p [4]float32
				for k := range p {
					p[k] = float32(v[i].pos[k])
					v[i].pos[k] = float64(p[k])
				}
				raster.ready(&v[i])
				m.Vertices = append(m.Vertices, Vertex{Position: p})
			}
			for _, tri := range s.tris {
				a, b, c := tri[0], tri[1], tri[2]
				if s.folds && area(&v[a].corner, &v[b].corner, &v[c].corner) < 0 {
					continue // the sum of the others is then not the winding: only no more than that is wanted
				}
				m.Indices = append(m.Indices, uint32(a), uint32(b), uint32(c))
			}
			d := draw(ps, m, State{Depth: Always, Blend: AllTargets(BlendAdd)})
			d.Convention = conv
			if err := r.BeginPicture(sheetSize, sheetSize, [4]float32{}, []Draw{d}); err != nil {
				t.Fatal(err)
			}
			for !r.DrawTiles(4) {
			}
			turned := len(m.Indices) < 3*len(s.tris)
			for y := range sheetSize {
				for x := range sheetSize {
					want := 1
					if !s.whole {
						want = winding(v, s.rim, int64(x)*256+conv.Centre, int64(y)*256+conv.Centre)
					}
					colour, _ := r.Pixel(x, y)
					if got := int(colour & 0xFF); got != want && !turned {
						t.Fatalf("%s, mesh %d, %s: pixel (%d, %d) is covered %d times, want %d", e.Name(), n, s.name, x, y, got, want)
					}
				}
			}
		}
	}
}
