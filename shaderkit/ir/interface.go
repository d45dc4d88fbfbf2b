package ir

// A Stage is a stage of the graphics pipeline.
type Stage string

const (
	Vertex   Stage = "vs"
	Pixel    Stage = "ps"
	Geometry Stage = "gs"
	Hull     Stage = "hs"
	Domain   Stage = "ds"
	Compute  Stage = "cs"
)

// An Interface is what a shader shows to render, the same for all ISAs.
//
// State key are Samplers of the program and everything here but Defs, which are data.
type Interface struct {
	Stage     Stage
	Inputs    []Element  // four registers each, in this order, are the parameters of the entry
	Outputs   []Element  // four registers each are its results
	Resources []Resource // by number, as Res and the macro ops name them
}

// An Element is one input or output register.
type Element struct {
	Register string // as the ISA's assembly names it: "v0", "oC0"
	Semantic string // upper case: "POSITION", "TEXCOORD", "COLOR"; "" when unknown
	Index    int    // of the semantic
	Mask     uint8  // components used: bit 0 is x
	Interp   Interp // pixel inputs: how the value comes from the vertices
	System   System // a value the pipeline supplies or consumes
	Saturate bool   // outputs: clamped to 0..1 before the next stage sees them
}

// Interp is how a pixel input comes from the vertices.
type Interp uint8

const (
	Perspective Interp = iota
	Centroid           // perspective, at a covered place
	NoPerspective
	Flat // of the provoking vertex
	NoPerspectiveCentroid
	PerSample // perspective, at the sample that the shader runs for
	NoPerspectivePerSample
)

// System marks values that the pipeline supplies or consumes.
type System uint8

const (
	NoSystem     System = iota
	ClipPosition        // vertex output: x y z w in clip space
	PixelPos            // pixel input: x, y of the pixel, 0 0 behind it unless the ISA says otherwise
	Face                // pixel input: x is +1 for front faces, -1 for back faces
	Target              // pixel output: colour of render target Index
	Depth               // pixel output: x is the depth
	Fog                 // vertex output: x is the fog factor
	PointSize           // vertex output: x is the size in pixels
	VertexID
	InstanceID
	Written      // probe builds: masks of the components that the output of the same register got
	State        // probe builds: a register that is no output, as it was at the end
	ClipDistance // vertex output: its components are distances; the primitive is cut where one is below 0
	CullDistance // vertex output: a primitive with one below 0, or NaN, at all vertices is left out
	SampleIndex  // pixel input: x is the number of the sample that the shader runs for
	Coverage     // pixel input: x has a bit for each covered sample; pixel output: x has one for those to keep
	PrimitiveID  // pixel input: x is the number of the primitive in its instance
)

// A Resource is memory that a shader reads or writes, or a texture.
type Resource struct {
	Name  string       // as the assembly names it: "c", "i", "b", "s0"
	Kind  ResourceKind //
	Dim   Dim          // textures
	Any   bool         // textures: the bound texture decides its shape; Dim holds where none is bound
	Count int          // constant files: number of four-word vectors; reads behind them give zero
	Defs  []Def        // constant files: values that the program fixes; they win over given ones
}

// ResourceKind is the kind of a resource.
type ResourceKind uint8

const (
	ConstFloat ResourceKind = iota // vectors of four floats
	ConstInt                       // vectors of four integers
	ConstBool                      // vectors whose four words are all ~0 or all 0
	Texture
	Buffer
	ConstBump // two vectors of four floats for each texture stage: a bump matrix 00, 01, 10, 11; luminance scale, offset
)

// Dim is the shape of a texture. A multisampled texture is an array whose layers are the samples.
type Dim uint8

const (
	Dim2D Dim = iota
	DimCube
	Dim3D
	Dim1D
	Dim2DArray
	DimCubeArray
	Dim1DArray
)

// Array reports whether textures of this shape have layers.
func (d Dim) Array() bool { return d >= Dim2DArray && d <= Dim1DArray }

// Cube reports whether textures of this shape have faces.
func (d Dim) Cube() bool { return d == DimCube || d == DimCubeArray }

// Axes is the number of coordinates within a level, a face, a layer.
func (d Dim) Axes() int {
	switch d {
	case Dim1D, Dim1DArray:
		return 1
	case Dim3D:
		return 3
	}
	return 2
}

// A Def is a constant that the program itself defines.
type Def struct {
	Index int
	Value [4]uint32
}

// A SamplerState is the part of a sampler that is compiled into the program.
type SamplerState struct {
	Dim      Dim
	Format   Format
	Min, Mag Filter
	Mip      MipFilter
	U, V, W  Address
	Border   [4]uint32 // bits of floats; of what the format holds
	Aniso    uint8     // 2D: most places along the line of anisotropy, up to 16; 0 and 1: the filter is isotropic
	LODBias  float32   // added to the computed level of detail
	LODRange bool      // the level of detail with all biases is kept within MinLOD..MaxLOD
	MinLOD   float32   // wins over MaxLOD
	MaxLOD   float32
	Seamless bool       // cubes: filters go across the edges of faces; D3D10+, and GL by choice
	Compare  Comparison // of sites that compare: reference against texel
	CompareZ bool       // 2D: sites that do not compare do so with their z, as Direct3D 9 reads depth formats
	RefBits  uint8      // of sites that compare: bits of the unsigned normalised format that the reference is rounded to; 0: a float, as it is
	Ones     uint8      // components of a Sample that read 1, as those that a format lacks do in Direct3D 9: bit 0 is red
	Outside  [4]uint32  // what a Fetch outside of the texture gives
	Bound    bool       // false: every sample gives Unbound
	Unbound  [4]uint32  // what an unbound texture reads as; D3D9: 0, 0, 0, 1
}

// Format is how texels lie in memory.
type Format uint8

const (
	RGBA8   Format = iota // four bytes, red lowest, unsigned normalised
	RGBA32F               // four floats, no conversion; a Fetch may also find four integers
	R32F                  // one float; the others read 0, 0, 1
)

// Words is the number of words of a texel.
func (f Format) Words() uint32 {
	if f == RGBA32F {
		return 4
	}
	return 1
}

// A Comparison compares two numbers.
type Comparison uint8

const (
	Never Comparison = iota
	Less
	Equal
	LessEqual
	Greater
	NotEqual
	GreaterEqual
	Always
)

// Filter is how texels of one level are combined.
type Filter uint8

const (
	Nearest Filter = iota
	Bilinear
)

// MipFilter is how levels are combined.
type MipFilter uint8

const (
	MipNone    MipFilter = iota // level 0 only
	MipNearest                  // the nearest level
	MipLinear                   // the two nearest levels
)

// Address is how coordinates outside 0..1 are treated.
type Address uint8

const (
	Wrap Address = iota
	Clamp
	Mirror
	Border
	MirrorOnce // mirrored about 0, clamped behind that
)
