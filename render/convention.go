package render

// A Convention is how an API places pixels and depth. It is data: the code is the same for all.
type Convention struct {
	Centre        int64   // centre of pixel (0, 0) in 1/256 pixel, both axes
	Near          float64 // inside: z >= Near*w
	Far           float64 // inside: z <= Far*w
	Scale         float64 // depth, before the viewport, is z/w*Scale + Offset
	Offset        float64
	PixelPos      float32 // added to a pixel's number for PixelPos inputs
	ProvokingLast bool    // flat inputs come from the last vertex of a primitive, not from the first
	PixelZ        bool    // PixelPos inputs have the depth as z
	PixelW        PixelW  // and this as w
	Ones          bool    // components that the format of a texture lacks read 1 (but those of A8), not 0
	BiasSteps     bool    // DepthBias.Constant counts the least steps of the depth format; otherwise it is depth
}

// PixelW is what PixelPos inputs have as w.
type PixelW uint8

const (
	ZeroW    PixelW = iota // 0
	ClipW                  // w of the clip position
	InverseW               // 1/w
)

// The conventions of the APIs.
var (
	D3D9  = Convention{Centre: 0, Near: 0, Far: 1, Scale: 1, Offset: 0, PixelPos: 0, Ones: true}
	D3D10 = Convention{Centre: 128, Near: 0, Far: 1, Scale: 1, Offset: 0, PixelPos: 0.5, PixelZ: true, PixelW: ClipW, BiasSteps: true}
	GL    = Convention{Centre: 128, Near: -1, Far: 1, Scale: 0.5, Offset: 0.5, PixelPos: 0.5, PixelZ: true, PixelW: InverseW, ProvokingLast: true, BiasSteps: true}
	PICA  = Convention{Centre: 128, Near: -1, Far: 0, Scale: -1, Offset: 0, PixelPos: 0.5, ProvokingLast: true, BiasSteps: true}
)

// MaxSize is the greatest width and height of a target: the guard band then fits 16.8 bits.
const MaxSize = 4096

// guard is the size of the guard band in viewports, where the viewport allows it.
const guard = 8

// program gives what of a convention is compiled into pixel programs.
func (c Convention) program() Convention {
	return Convention{PixelPos: c.PixelPos, PixelZ: c.PixelZ, PixelW: c.PixelW}
}
