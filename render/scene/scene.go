package scene

import (
	"slices"

	"swizzle/render"
	"swizzle/shaderkit/ir"
)

// Version is the version of scene.json that Format writes.
const Version = 1

// A Scene is a project. Its fields are the keys of scene.json; see the package comment.
type Scene struct {
	Version   int                `json:"version"`
	Title     string             `json:"title"`
	Size      [2]int             `json:"size" min:"1" max:"4096"`
	Clear     [4]float64         `json:"clear"`
	Pixel     [2]int             `json:"pixel" min:"0" max:"4095"`
	Camera    Camera             `json:"camera"`
	Light     [3]float64         `json:"light"`
	LightSize float64            `json:"lightSize" min:"0.01" max:"1000"`
	Textures  map[string]Texture `json:"textures"`
	Targets   map[string]Target  `json:"targets"`
	Passes    []Pass             `json:"passes"`
	Samples   int                `json:"samples" min:"1" max:"4"`
	Rate      float64            `json:"rate" min:"0" max:"1000"`

	Places  Places `json:"-"` // of the values in the archive that was parsed
	Comment string `json:"-"` // text before the first member
	Lesson  string `json:"-"` // lesson.md
	Files   []File `json:"-"` // the other members, in their order
}

// A File is a member of the archive.
type File struct {
	Name string
	Data []byte
}

// A Camera is an orbit around a target.
type Camera struct {
	Yaw      float64    `json:"yaw"`
	Pitch    float64    `json:"pitch" min:"-90" max:"90"`
	Distance float64    `json:"distance" min:"0" max:"1000"`
	Target   [3]float64 `json:"target"`
	FOV      float64    `json:"fov" min:"1" max:"170"`
	Near     float64    `json:"near" min:"0.0001" max:"1000"`
	Far      float64    `json:"far" min:"0.001" max:"100000"`
	Flat     bool       `json:"flat"`
}

// A Draw is a mesh with shaders.
type Draw struct {
	Mesh        string           `json:"mesh" enum:"meshes"`
	Detail      int              `json:"detail" min:"4" max:"256"`
	VS          string           `json:"vs"`
	PS          string           `json:"ps"`
	Scale       [3]float64       `json:"scale"`
	Rotate      [3]float64       `json:"rotate"`
	Spin        float64          `json:"spin"`
	Translate   [3]float64       `json:"translate"`
	Cull        string           `json:"cull" enum:"cull"`
	Depth       string           `json:"depth" enum:"depth"`
	DepthWrite  bool             `json:"depthWrite"`
	Fill        string           `json:"fill" enum:"fill"`
	Lines       string           `json:"lines" enum:"lines"`
	FrontCCW    bool             `json:"frontCCW"`
	Bias        [3]float64       `json:"bias"`
	DepthClip   bool             `json:"depthClip"`
	PointSize   float64          `json:"pointSize" min:"0" max:"256"`
	Sprite      bool             `json:"sprite"`
	Viewport    [6]float64       `json:"viewport" min:"-8" max:"8"`
	Scissor     [4]float64       `json:"scissor" min:"0" max:"1"`
	Planes      [][]float64      `json:"planes"`
	API         string           `json:"api" enum:"api"`
	Blend       string           `json:"blend" enum:"blend"`
	Outputs     []Output         `json:"outputs"`
	BlendFactor [4]float64       `json:"blendFactor"`
	Logic       string           `json:"logic" enum:"logic"`
	Stencil     Stencil          `json:"stencil"`
	AlphaTest   string           `json:"alphaTest" enum:"depth"`
	AlphaRef    float64          `json:"alphaRef" min:"0" max:"1"`
	Fog         Fog              `json:"fog"`
	SRGBWrite   bool             `json:"srgbWrite"`
	Coverage    bool             `json:"alphaToCoverage"`
	VSConstants []Binding        `json:"vsConstants"`
	PSConstants []Binding        `json:"psConstants"`
	VSTextures  []TextureBinding `json:"vsTextures"`
	PSTextures  []TextureBinding `json:"psTextures"`
}

// A Binding gives constant registers their values.
type Binding struct {
	To        string      `json:"to"`
	Value     []float64   `json:"value"`
	Values    [][]float64 `json:"values"`
	From      string      `json:"from" enum:"from"`
	Inverse   bool        `json:"inverse"`
	Transpose bool        `json:"transpose"`
	Rows      int         `json:"rows" min:"1" max:"4"`
	Label     string      `json:"label"`
	Min       float64     `json:"min"`
	Max       float64     `json:"max"`
	Color     bool        `json:"color"`
}

// enums are the values that keys with an enum tag take. An index is the value of the type that the
// name stands for.
var enums = map[string][]string{
	"images":  append([]string{""}, render.ImageNames...),
	"meshes":  render.MeshNames,
	"cull":    render.CullNames,
	"depth":   render.FuncNames,
	"fill":    render.FillNames,
	"lines":   render.LineNames,
	"api":     apiNames,
	"blend":   render.BlendNames,
	"blends":  append(slices.Clone(render.BlendNames), equation),
	"factor":  render.FactorNames,
	"op":      render.BlendOpNames,
	"op?":     append([]string{""}, render.BlendOpNames...),
	"factor?": append([]string{""}, render.FactorNames...),
	"logic":   render.LogicNames,
	"stencil": render.StencilNames,
	"fog":     render.FogNames,
	"format":  render.TargetFormatNames(),
	"from":    append([]string{""}, sources...),
	"filter":  filterNames,
	"filter?": append([]string{""}, filterNames...),
	"mip":     {ir.MipNone: "none", ir.MipNearest: "nearest", ir.MipLinear: "linear"},
	"address": addressNames,
	"axis?":   append([]string{""}, addressNames...),
	"depth?":  append([]string{""}, render.FuncNames...),
}

var (
	filterNames  = []string{ir.Nearest: "nearest", ir.Bilinear: "linear"}
	addressNames = []string{ir.Wrap: "wrap", ir.Clamp: "clamp", ir.Mirror: "mirror", ir.Border: "border", ir.MirrorOnce: "mirroronce"}
)

// defaults are what keys that are left out stand for in version 1. They never change.
var defaults = []any{
	Scene{Version: Version, Size: [2]int{256, 256}, Clear: [4]float64{0.11, 0.12, 0.15, 1}, Pixel: [2]int{128, 128},
		Camera: defaultCamera, Light: [3]float64{0.5, 0.8, 0.6}, LightSize: 3, Samples: 1},
	defaultCamera,
	Texture{Image: "checker", Size: 256},
	Target{Format: "rgba8", Scale: 1, Samples: 1},
	Pass{},
	Attachment{},
	Draw{Mesh: "quad", Detail: 32, Scale: [3]float64{1, 1, 1}, Cull: "ccw", Depth: "lessequal", DepthWrite: true, Fill: "solid", Lines: "aliased",
		DepthClip: true, Viewport: [6]float64{0, 0, 1, 1, 0, 1}, Scissor: [4]float64{0, 0, 1, 1}, API: "d3d9", Blend: "off",
		BlendFactor: [4]float64{1, 1, 1, 1}, Logic: "off", Stencil: defaultStencil, AlphaTest: "always", Fog: defaultFog},
	defaultStencil,
	defaultFace,
	defaultFog,
	Output{Blend: equation, Src: "one", Op: "add", Dst: "zero", Write: "rgba"},
	Binding{Rows: 4, Max: 1},
	TextureBinding{Filter: "linear", Mip: "linear", Address: "wrap"},
}

var defaultCamera = Camera{Yaw: 30, Pitch: 20, Distance: 4, FOV: 40, Near: 0.1, Far: 100}

// File gives the member with this name, or nil.
func (s *Scene) File(name string) *File {
	i := slices.IndexFunc(s.Files, func(f File) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return &s.Files[i]
}

// SetFile gives a member these bytes; it is added when it is not there.
func (s *Scene) SetFile(name string, data []byte) {
	if f := s.File(name); f != nil {
		f.Data = data
		return
	}
	s.Files = append(s.Files, File{name, data})
}

// First gives the first draw, or nil.
func (s *Scene) First() *Draw {
	for i := range s.Passes {
		if len(s.Passes[i].Draws) > 0 {
			return &s.Passes[i].Draws[0]
		}
	}
	return nil
}

// Shader gives the member with the first draw's shader of a stage, or nil.
func (s *Scene) Shader(stage ir.Stage) *File {
	d := s.First()
	switch {
	case d == nil:
		return nil
	case stage == ir.Vertex:
		return s.File(d.VS)
	}
	return s.File(d.PS)
}

// Moves reports whether the picture depends on the time.
func (s *Scene) Moves() bool {
	for _, p := range s.Passes {
		for _, d := range p.Draws {
			if s.Rate > 0 || d.Spin != 0 {
				return true
			}
			for _, b := range slices.Concat(d.VSConstants, d.PSConstants) {
				if b.From == "time" || b.From == "bones" {
					return true
				}
			}
		}
	}
	return false
}

// Default gives a scene around one shader: a vertex shader on the teapot, a pixel shader on a sphere
// with a checkerboard in its samplers. Constant registers 0 to 3 of a vertex shader are the
// transformation to clip space.
func Default(stage ir.Stage, name string, data []byte) *Scene {
	s := defaultOf[Scene]()
	d := defaultOf[Draw]()
	s.Title = name
	s.Textures = map[string]Texture{"checker": defaultOf[Texture]()}
	if stage == ir.Vertex {
		d.Mesh, d.VS = "teapot", name
		b := defaultOf[Binding]()
		b.To, b.From = "c0", "worldviewprojection"
		d.VSConstants = []Binding{b}
	} else {
		d.Mesh, d.PS = "sphere", name
		for _, to := range []string{"s0", "s1", "s2", "s3"} {
			t := defaultOf[TextureBinding]()
			t.To, t.Texture = to, "checker"
			d.PSTextures = append(d.PSTextures, t)
		}
	}
	s.Passes = []Pass{{Draws: []Draw{d}}}
	s.Files = []File{{name, data}}
	return &s
}

// defaultOf gives the defaults of a part of scenes.
func defaultOf[T any]() (v T) {
	for _, d := range defaults {
		if d, ok := d.(T); ok {
			return d
		}
	}
	return
}
