package render

// Raster is how primitives become pixels. NoSamples and Sprite are compiled into programs, the rest is not.
type Raster struct {
	FrontCCW    bool      // counter-clockwise triangles are the front faces; Cull names orientations, not faces
	Fill        Fill      // of triangles
	Lines       LineRule  // how lines cover pixels
	Bias        DepthBias // of triangles, however they are filled
	NoDepthClip bool      // primitives are not cut at the near and far plane; depth is clamped instead
	Point       PointState
	NoSamples   uint8 // bit i: sample i is not drawn (the complement of Direct3D's sample mask)
	Sprite      bool  // points: every TEXCOORD input is (0, 0, 0, 1) at the left top to (1, 1, 0, 1) at the right bottom
}

// A Cull says which triangles are left out.
type Cull uint8

const (
	CullNone Cull = iota
	CullCW        // clockwise ones
	CullCCW       // counter-clockwise ones
)

// A Fill is what is drawn of a triangle.
type Fill uint8

const (
	Solid     Fill = iota
	Wireframe      // its edges, as lines; edges that clipping makes are not drawn
	Vertices       // its corners, as points
)

// A LineRule is how lines cover pixels.
type LineRule uint8

const (
	Aliased LineRule = iota // one pixel wide, by diamonds; covers every sample of a pixel or none
	Quads                   // as a rectangle of width 1.4
)

// A DepthBias is added to the depth of triangles: Constant (in the units of the Convention) and Slope
// times the greater slope of depth along x and y, together at most Clamp where it is above 0, at least
// where it is below.
type DepthBias struct{ Constant, Slope, Clamp float32 }

// A PointState says how large points are, in pixels, where the vertex shader does not: Size, or 1 for 0.
// Either is clamped to Min and, where it is not 0, Max, and to 256.
type PointState struct{ Size, Min, Max float32 }

// maxPoint is the greatest size of a point in pixels.
const maxPoint = 256

// A Viewport is where the clip volume lies on the target, in pixels from its left top, and in depth.
type Viewport struct{ X, Y, Width, Height, MinDepth, MaxDepth float32 }

// A Rect is a rectangle of pixels; X1 and Y1 are excluded.
type Rect struct{ X0, Y0, X1, Y1 int }

// A Plane cuts away what lies where X*x + Y*y + Z*z + W*w < 0 in clip space.
type Plane [4]float64

// MaxPlanes is the number of clip planes and clip distances that a draw may have together.
const MaxPlanes = 8

// Names of the states as scene files spell them, in the order of their values.
var (
	CullNames = []string{"none", "cw", "ccw"}
	FillNames = []string{"solid", "wireframe", "vertices"}
	LineNames = []string{"aliased", "quads"}
)
