package scene

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"

	"swizzle/render"
	"swizzle/shaderkit/ir"
	"swizzle/shaderkit/source"
)

// A Texture is a procedural image, a member, or what a target holds.
type Texture struct {
	Image  string `json:"image" enum:"images"`
	Size   int    `json:"size" min:"1" max:"1024"`
	Seed   int    `json:"seed" min:"0" max:"1000000"`
	File   string `json:"file"`
	Target string `json:"target"`
	SRGB   bool   `json:"srgb"`
}

// A TextureBinding gives a sampler its texture and state.
type TextureBinding struct {
	To       string     `json:"to"`
	Texture  string     `json:"texture"`
	Filter   string     `json:"filter" enum:"filter"`
	Mag      string     `json:"mag" enum:"filter?"`
	Mip      string     `json:"mip" enum:"mip"`
	Aniso    int        `json:"aniso" min:"0" max:"16"`
	Address  string     `json:"address" enum:"address"`
	AddressU string     `json:"addressU" enum:"axis?"`
	AddressV string     `json:"addressV" enum:"axis?"`
	AddressW string     `json:"addressW" enum:"axis?"`
	Border   [4]float64 `json:"border"`
	Bias     float64    `json:"bias" min:"-16" max:"16"`
	LOD      []float64  `json:"lod"`
	Seamless bool       `json:"seamless"`
	Compare  string     `json:"compare" enum:"depth?"`
}

// sampler gives the state of a sampler.
func (b *TextureBinding) sampler() (s ir.SamplerState) {
	or := func(enum, name, otherwise string) int {
		if name == "" {
			name = otherwise
		}
		return value(enum, name)
	}
	s.Min, s.Mag = ir.Filter(value("filter", b.Filter)), ir.Filter(or("filter", b.Mag, b.Filter))
	s.Mip, s.Aniso = ir.MipFilter(value("mip", b.Mip)), uint8(b.Aniso)
	for i, a := range []*ir.Address{&s.U, &s.V, &s.W} {
		*a = ir.Address(or("address", []string{b.AddressU, b.AddressV, b.AddressW}[i], b.Address))
	}
	for i, c := range b.Border {
		s.Border[i] = math.Float32bits(float32(c))
	}
	s.LODBias, s.Seamless = float32(b.Bias), b.Seamless
	if len(b.LOD) == 2 {
		s.LODRange, s.MinLOD, s.MaxLOD = true, float32(b.LOD[0]), float32(b.LOD[1])
	}
	if b.Compare != "" {
		s.Compare, s.CompareZ = ir.Comparison(value("depth", b.Compare)), true
	}
	return s
}

// textures gives the textures of a stage, by the names of the shader's samplers, and the targets that
// some of them read.
func (v *View) textures(s *Scene, at string, bindings []TextureBinding, sh *Shader) (out map[string]render.Texture, targets map[string]string, list source.List) {
	out, targets = map[string]render.Texture{}, map[string]string{}
	for n := range bindings {
		b, at := &bindings[n], fmt.Sprintf("%s/%d", at, n)
		t, ok := s.Textures[b.Texture]
		if !ok {
			list = append(list, s.fault(at+"/texture", "unknown-texture", "no texture %q in textures", b.Texture)...)
			continue
		}
		var m *render.Image
		if t.Target == "" {
			var l source.List
			m, l = v.image(s, b.Texture, t)
			list = append(list, l...)
		} else if x, ok := s.Targets[t.Target]; !ok {
			list = append(list, s.fault("textures/"+b.Texture+"/target", "unknown-target", "no target %q in targets", t.Target)...)
		} else if x.Samples > 1 {
			list = append(list, s.fault("textures/"+b.Texture+"/target", "bad-texture", "%s has %d samples a pixel: resolve it to another target first", t.Target, x.Samples)...)
		}
		file, n, err := resolve(b.To, sh)
		if err != nil || file != "s" {
			list = append(list, s.fault(at+"/to", "unknown-register", "%q is no sampler of the shader", b.To)...)
			continue
		}
		if len(b.LOD) != 0 && len(b.LOD) != 2 {
			list = append(list, s.fault(at+"/lod", "wrong-length", "lod has %d numbers, want the least and the most", len(b.LOD))...)
		}
		if t.Target != "" {
			targets[fmt.Sprintf("s%d", n)] = t.Target
		}
		out[fmt.Sprintf("s%d", n)] = render.Texture{Image: m, Sampler: b.sampler()}
	}
	return out, targets, list
}

// image makes a texture, or finds it made.
func (v *View) image(s *Scene, name string, t Texture) (*render.Image, source.List) {
	var data []byte
	if t.File != "" {
		f := s.File(t.File)
		if f == nil {
			return nil, s.fault("textures/"+name+"/file", "unknown-member", "no member %q", t.File)
		}
		data = f.Data
	}
	if p := v.images[name]; p != nil && p.texture == t && bytes.Equal(p.data, data) {
		return p.image, nil
	}
	var m *render.Image
	if t.File == "" {
		m = render.Procedural(t.Image, t.Size, uint32(t.Seed))
		if m == nil {
			return nil, s.fault("textures/"+name+"/image", "unknown-value", "no image %q", t.Image)
		}
	} else {
		var list source.List
		if m, list = readImage(t.File, data); m == nil {
			return nil, list
		}
	}
	if t.SRGB && !m.SetSRGB() {
		return nil, s.fault("textures/"+name+"/srgb", "bad-image", "there is no sRGB form of %s", m.Format)
	}
	v.images[name] = &pictured{t, slices.Clone(data), m}
	return m, nil
}

// maxTexture is the largest width and height of a member.
const maxTexture = 4096

func readImage(file string, data []byte) (*render.Image, source.List) {
	d := source.Diagnostic{Code: "bad-image", File: file}
	m, err := render.ReadImage(data)
	var e *render.ImportError
	switch {
	case errors.As(err, &e):
		d.Unsupported, d.Bytes = e.Unsupported, source.Range{Off: e.Offset}
		d.Message = e.Code + ": " + e.Message
	case m.Width > maxTexture || m.Height > maxTexture:
		d.Message = fmt.Sprintf("%d x %d texels, allowed are %d", m.Width, m.Height, maxTexture)
	default:
		return m, nil
	}
	return nil, source.List{d}
}
