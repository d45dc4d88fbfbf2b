package ir

import "strconv"

// Names of enumerations in the text form. A value outside its list is written as a number.
var (
	kindNames         = []string{"shader", "linear", "tile"}
	interpNames       = []string{"perspective", "centroid", "noperspective", "flat", "noperspectivecentroid", "sample", "noperspectivesample"}
	systemNames       = []string{"none", "clipposition", "pixelpos", "face", "target", "depth", "fog", "pointsize", "vertexid", "instanceid", "written", "state", "clipdistance", "culldistance", "sampleindex", "coverage", "primitiveid"}
	resourceKindNames = []string{"constfloat", "constint", "constbool", "texture", "buffer", "constbump"}
	dimNames          = []string{"2d", "cube", "3d", "1d", "2darray", "cubearray", "1darray"}
	formatNames       = []string{"rgba8", "rgba32f", "r32f"}
	filterNames       = []string{"nearest", "bilinear"}
	mipNames          = []string{"none", "nearest", "linear"}
	addressNames      = []string{"wrap", "clamp", "mirror", "border", "mirroronce"}
	comparisonNames   = []string{"never", "less", "equal", "lessequal", "greater", "notequal", "greaterequal", "always"}
	sampleNames       = []string{"implicit", "bias", "level", "grad", "lod", "texel", "gather", "gatheroffset"}
	componentNames    = []string{"x", "y", "z", "w"}
)

func enumName[T ~uint8](names []string, v T) string {
	if int(v) < len(names) {
		return names[v]
	}
	return strconv.Itoa(int(v))
}

func (k Kind) String() string         { return enumName(kindNames, k) }
func (i Interp) String() string       { return enumName(interpNames, i) }
func (s System) String() string       { return enumName(systemNames, s) }
func (k ResourceKind) String() string { return enumName(resourceKindNames, k) }
func (d Dim) String() string          { return enumName(dimNames, d) }
func (f Format) String() string       { return enumName(formatNames, f) }
func (f Filter) String() string       { return enumName(filterNames, f) }
func (m MipFilter) String() string    { return enumName(mipNames, m) }
func (a Address) String() string      { return enumName(addressNames, a) }
func (c Comparison) String() string   { return enumName(comparisonNames, c) }
func (k SampleKind) String() string   { return enumName(sampleNames, k) }
