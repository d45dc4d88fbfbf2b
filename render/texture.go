package render

import "math"

// ImageNames are the images that Procedural makes.
var ImageNames = []string{"white", "checker", "uv", "gradient", "ramp", "noise", "noise-normal", "brick", "brick-normal", "brick-height", "wood", "marble", "sky"}

// Procedural makes an image by name, or nil. size is its width and height in texels, a power of two
// from 1 to 1024; seed varies what is random in it. The texels are the same on every machine.
//
//	white         one colour
//	checker       8x8 squares, light and dark
//	uv            red is u, green is v, lines every eighth
//	gradient      black at the left to white at the right
//	ramp          three steps for toon shading
//	noise         grey value noise of five octaves, tiling; noise-normal are slopes of a calmer one
//	brick         bricks; brick-normal and brick-height belong to it
//	wood          rings along u
//	marble        veins
//	sky           a cube map: ground, horizon, sky, a sun towards +x +y +z
func Procedural(name string, size int, seed uint32) *Image {
	size = min(max(size, 1), 1024)
	for size&(size-1) != 0 {
		size &= size - 1
	}
	if name == "sky" {
		return sky(size)
	}
	g := generator{size: size, seed: seed}
	f := map[string]func(x, y int) colour{
		"white":    func(x, y int) colour { return grey(1) },
		"checker":  g.checker,
		"uv":       g.uv,
		"gradient": func(x, y int) colour { return grey(float64(x) / float64(max(1, size-1))) },
		"ramp":     g.ramp,
		"noise":    func(x, y int) colour { return grey(g.clouds(x, y, 8)) },
		"noise-normal": func(x, y int) colour {
			return g.normal(x, y, float64(size)/24, func(x, y int) float64 { return g.noise(x, y, 8) + float64(0.4*g.noise(x, y, 16)) })
		},
		"brick":        g.brick,
		"brick-normal": func(x, y int) colour { return g.normal(x, y, 4, g.brickHeight) },
		"brick-height": func(x, y int) colour { return grey(g.brickHeight(x, y)) },
		"wood":         g.wood,
		"marble":       g.marble,
	}[name]
	if f == nil {
		return nil
	}
	t := NewImage(size, size, false)
	for y := range size {
		for x := range size {
			t.Texels[y*size+x] = f(x, y).word()
		}
	}
	return t
}

// A colour is red, green, blue; images of this file are opaque.
type colour [3]float64

func grey(v float64) colour { return colour{v, v, v} }

func (c colour) word() uint32 {
	b := func(v float64) uint8 { return uint8(math.Floor(float64(min(max(v, 0), 1)*255) + 0.5)) }
	return rgba(b(c[0]), b(c[1]), b(c[2]), 255)
}

func (c colour) mix(d colour, t float64) colour {
	for i := range c {
		c[i] += float64((d[i] - c[i]) * t)
	}
	return c
}

func (c colour) scale(t float64) colour {
	for i := range c {
		c[i] = float64(c[i] * t)
	}
	return c
}

type generator struct {
	size int
	seed uint32
}

// hash mixes a lattice point into 0..1.
func (g *generator) hash(x, y uint32) float64 {
	h := x*0x9E3779B1 ^ y*0x85EBCA77 ^ g.seed*0xC2B2AE3D
	h = (h ^ h>>15) * 0x2C1B3C6D
	h = (h ^ h>>12) * 0x297A2D39
	return float64(h>>16) / 65535
}

// noise is value noise with n by n cells over the image; it tiles.
func (g *generator) noise(x, y, n int) float64 {
	n = min(n, g.size)
	cell := g.size / n
	smooth := func(v int) float64 {
		t := float64(v) / float64(cell)
		return float64(float64(t*t) * (3 - float64(2*t)))
	}
	at := func(i, j int) float64 { return g.hash(uint32(i%n+n*7919), uint32(j%n)) }
	i, j, fx, fy := x/cell, y/cell, smooth(x%cell), smooth(y%cell)
	mix := func(a, b, t float64) float64 { return a + float64((b-a)*t) }
	return mix(mix(at(i, j), at(i+1, j), fx), mix(at(i, j+1), at(i+1, j+1), fx), fy)
}

// clouds adds five octaves of noise, the first of n cells.
func (g *generator) clouds(x, y, n int) float64 {
	sum, weight := 0.0, 0.5
	for range 5 {
		sum += float64(weight * g.noise(x, y, n))
		n, weight = 2*n, weight/2
	}
	return sum / 0.96875
}

func (g *generator) checker(x, y int) colour {
	if (x*8/g.size+y*8/g.size)%2 == 0 {
		return grey(0.92)
	}
	return grey(0.35)
}

func (g *generator) uv(x, y int) colour {
	step := max(1, g.size/8)
	if x%step == 0 || y%step == 0 {
		return grey(0.9)
	}
	s := float64(max(1, g.size-1))
	return colour{float64(x) / s, float64(y) / s, 0.25}
}

func (g *generator) ramp(x, y int) colour {
	switch x * 8 / g.size {
	case 0, 1, 2:
		return grey(0.45)
	case 3, 4, 5:
		return grey(0.75)
	}
	return grey(1)
}

// brickAt gives the place in a brick: its number, and the distance to the nearest joint as a part of
// the brick's height.
func (g *generator) brickAt(x, y int) (row, column int, edge float64) {
	h, w := max(1, g.size/8), max(1, g.size/4)
	row = y / h
	x = (x + row%2*w/2) % g.size
	column = x / w
	dx, dy := min(x%w, w-1-x%w), min(y%h, h-1-y%h)
	return row, column, float64(min(dx, dy)) / float64(h)
}

func (g *generator) brick(x, y int) colour {
	row, column, edge := g.brickAt(x, y)
	grain := float64(0.25*g.clouds(x, y, 16)) + 0.85
	if edge < 0.06 {
		return colour{0.72, 0.70, 0.66}.scale(grain)
	}
	tone := g.hash(uint32(row), uint32(column)+1000)
	return colour{0.52, 0.22, 0.15}.mix(colour{0.72, 0.36, 0.22}, tone).scale(grain)
}

func (g *generator) brickHeight(x, y int) float64 {
	_, _, edge := g.brickAt(x, y)
	return float64(min(edge/0.16, 1)*0.8) + float64(0.2*g.clouds(x, y, 16))
}

// normal gives the slope of a height as 0..1, z up to the viewer.
func (g *generator) normal(x, y int, scale float64, height func(x, y int) float64) colour {
	m := g.size - 1
	dx := float64(scale * (height((x+m)&m, y) - height((x+1)&m, y)))
	dy := float64(scale * (height(x, (y+m)&m) - height(x, (y+1)&m)))
	l := 2 * math.Sqrt(float64(dx*dx)+float64(dy*dy)+1)
	return colour{0.5 + dx/l, 0.5 + dy/l, 0.5 + 1/l}
}

// triangleWave goes 0, 1, 0 while v goes from one integer to the next.
func triangleWave(v float64) float64 {
	v -= math.Floor(v)
	return 1 - math.Abs(float64(2*v)-1)
}

func (g *generator) wood(x, y int) colour {
	v := float64(y) / float64(g.size)
	rings := triangleWave(float64(6*v) + float64(1.5*g.noise(x, y, 4)))
	fine := g.noise(x/8, y, g.size/2)
	return colour{0.42, 0.26, 0.13}.mix(colour{0.75, 0.53, 0.30}, rings).scale(float64(0.2*fine) + 0.85)
}

func (g *generator) marble(x, y int) colour {
	v := triangleWave(float64(4*(float64(x)/float64(g.size))) + float64(3*g.clouds(x, y, 4)))
	v = float64(v * v)
	return colour{0.93, 0.92, 0.90}.mix(colour{0.30, 0.33, 0.40}, float64(v*v))
}

// sky looks from the middle of a cube: each texel by the direction through its centre.
func sky(size int) *Image {
	t := NewImage(size, size, true)
	for f := range 6 {
		for y := range size {
			for x := range size {
				s := (float64(2*x+1) - float64(size)) / float64(size)
				v := (float64(2*y+1) - float64(size)) / float64(size)
				d := [6][3]float64{{1, -v, -s}, {-1, -v, s}, {s, 1, v}, {s, -1, -v}, {s, -v, 1}, {-s, -v, -1}}[f]
				l := math.Sqrt(float64(d[0]*d[0]) + float64(d[1]*d[1]) + float64(d[2]*d[2]))
				h := d[1] / l
				c := colour{0.80, 0.88, 0.96}.mix(colour{0.20, 0.42, 0.80}, math.Sqrt(max(h, 0)))
				if h < 0 {
					c = colour{0.55, 0.52, 0.46}.mix(colour{0.25, 0.23, 0.20}, min(float64(-2*h), 1))
				}
				sun := (d[0] + d[1] + d[2]) / float64(l*math.Sqrt(3))
				c = c.mix(colour{1, 0.97, 0.85}, min(max(float64((sun-0.97)*60), 0), 1))
				t.Texels[(f*size+y)*size+x] = c.word()
			}
		}
	}
	return t
}
