package scene

// A Target is pixels that passes draw into, besides the picture.
type Target struct {
	Format  string  `json:"format" enum:"format"`
	Size    [2]int  `json:"size" min:"0" max:"4096"`
	Scale   float64 `json:"scale" min:"0.015625" max:"8"`
	Samples int     `json:"samples" min:"1" max:"4"`
}

// A Pass draws into targets of one size.
type Pass struct {
	Colors []Attachment `json:"colors"`
	Depth  Attachment   `json:"depth"`
	Draws  []Draw       `json:"draws"`
}

// An Attachment is a target in its place in a pass.
type Attachment struct {
	Target  string    `json:"target"`
	Load    bool      `json:"load"`
	Clear   []float64 `json:"clear"`
	Resolve string    `json:"resolve"`
}

// An Output is how the colour that a draw gives to one target joins it.
type Output struct {
	Blend    string `json:"blend" enum:"blends"`
	Src      string `json:"src" enum:"factor"`
	Op       string `json:"op" enum:"op"`
	Dst      string `json:"dst" enum:"factor"`
	SrcAlpha string `json:"srcAlpha" enum:"factor?"`
	OpAlpha  string `json:"opAlpha" enum:"op?"`
	DstAlpha string `json:"dstAlpha" enum:"factor?"`
	Write    string `json:"write"`
}

// equation is the blend of an Output that its other keys say.
const equation = "equation"

// A Stencil is the stencil test.
type Stencil struct {
	On    bool        `json:"on"`
	Front StencilFace `json:"front"`
	Back  StencilFace `json:"back"`
}

// A StencilFace is the test of one face, and what it does.
type StencilFace struct {
	Func      string `json:"func" enum:"depth"`
	Fail      string `json:"fail" enum:"stencil"`
	DepthFail string `json:"depthFail" enum:"stencil"`
	Pass      string `json:"pass" enum:"stencil"`
	Read      int    `json:"read" min:"0" max:"255"`
	Write     int    `json:"write" min:"0" max:"255"`
	Ref       int    `json:"ref" min:"0" max:"255"`
}

// A Fog mixes a colour into what the pixel shader gives.
type Fog struct {
	Mode    string     `json:"mode" enum:"fog"`
	W       bool       `json:"w"`
	Start   float64    `json:"start"`
	End     float64    `json:"end"`
	Density float64    `json:"density"`
	Color   [3]float64 `json:"color"`
}

var (
	defaultFace    = StencilFace{Func: "always", Fail: "keep", DepthFail: "keep", Pass: "keep", Read: 255, Write: 255}
	defaultStencil = Stencil{Front: defaultFace, Back: defaultFace}
	defaultFog     = Fog{Mode: "off", End: 1, Density: 1}
)
