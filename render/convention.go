package render

// A Convention is how an API places pixels and depth. It is data: the code is the same for all.
type Convention struct {
	Centre   int64   // centre of pixel (0, 0) in 1/256 pixel, both axes
	Near     float64 // inside: z >= Near*w
	Far      float64 // inside: z <= Far*w
	Scale    float64 // depth is z/w*Scale + Offset
	Offset   float64
	PixelPos float32 // added to a pixel's number for PixelPos inputs
}

// D3D9 is the convention of Direct3D 9.
var D3D9 = Convention{Centre: 0, Near: 0, Far: 1, Scale: 1, Offset: 0, PixelPos: 0}

// MaxSize is the greatest width and height of a target: the guard band then fits 16.8 bits.
const MaxSize = 4096

// guard is the size of the guard band in viewports.
const guard = 8
