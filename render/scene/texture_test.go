package scene_test

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"swizzle/render/scene"
	"swizzle/shaderkit/interp"
)

// textured draws a scene with a quad over the picture, whose pixel shader is body with texture t in s0,
// and gives the colour of a pixel of the left half and one of the right half.
func textured(t *testing.T, textures, binding, body string, files ...scene.File) (left, right color.NRGBA) {
	t.Helper()
	s, err := scene.Parse([]byte("-- scene.json --\n" + `{"version": 1, "size": [8, 8], "camera": {"flat": true}, "textures": {` + textures + `},
	"passes": [{"draws": [{"mesh": "quad", "ps": "ps.asm", "scale": [1, 1, 1], "cull": "none", "psTextures": [{"to": "s0", "texture": "t"` + binding + `}]}]}]}
-- ps.asm --
ps_3_0
dcl_texcoord v0.xy
dcl_2d s0
def c0, 0.5, 0.25, 4, -1
` + body))
	if err != nil {
		t.Fatal(err)
	}
	s.Files = append(s.Files, files...)
	v := scene.NewView(interp.New())
	if err := v.Load(s, scene.Compile); err != nil {
		t.Fatal(err)
	}
	m, _, err := v.Draw(0, 8, 8)
	if err != nil {
		t.Fatal(err)
	}
	return m.NRGBAAt(1, 4), m.NRGBAAt(6, 4)
}

func TestTextureKeys(t *testing.T) {
	var halves bytes.Buffer // 2x1: black, middle grey
	m := image.NewNRGBA(image.Rect(0, 0, 2, 1))
	m.SetNRGBA(0, 0, color.NRGBA{0, 0, 0, 255})
	m.SetNRGBA(1, 0, color.NRGBA{128, 128, 128, 255})
	png.Encode(&halves, m)
	file := scene.File{Name: "t.png", Data: halves.Bytes()}
	const plain, read = `"t": {"file": "t.png"}`, "texld r0, v0, s0\nmov oC0, r0\n"
	at := func(u string) string { return "mov r0.xy, " + u + "\ntexld r0, r0, s0\nmov oC0, r0\n" }
	const near = `, "filter": "nearest", "mip": "none"`
	for _, c := range []struct {
		name, textures, binding, body string
		left, right                   uint8
	}{
		{"a file", plain, near, read, 0, 128},
		{"sRGB", `"t": {"file": "t.png", "srgb": true}`, near, read, 0, 55}, // 0.21586 * 255
		{"border", plain, near + `, "address": "border", "border": [1, 0.2, 0.2, 1]`, at("c0.w"), 255, 255},
		{"an axis of its own", plain, near + `, "address": "border", "addressU": "clamp", "addressV": "wrap", "border": [1, 1, 1, 1]`, at("c0.z"), 128, 128},
		{"mirrored once", plain, near + `, "address": "mirroronce"`, at("-c0.z"), 128, 128},
		{"clamped", plain, near + `, "address": "clamp"`, at("-c0.z"), 0, 0},
		{"the filter for large texels", plain, `, "filter": "nearest", "mag": "linear", "mip": "none", "address": "clamp"`, at("c0.x"), 64, 64},
		{"the least level", plain, `, "lod": [1, 5], "address": "clamp"`, read, 64, 64},
		{"compared", plain, near + `, "compare": "less"`, "mov r0, v0.xyxx\nmov r0.z, c0.y\ntexld r0, r0, s0\nmov oC0, r0\n", 0, 255},
	} {
		left, right := textured(t, c.textures, c.binding, c.body, file)
		if left.R != c.left || right.R != c.right {
			t.Errorf("%s: %v, %v, want %d, %d", c.name, left, right, c.left, c.right)
		}
	}
	var grey bytes.Buffer
	jpeg.Encode(&grey, image.NewGray(image.Rect(0, 0, 8, 8)), nil)
	if l, _ := textured(t, plain, near, read, scene.File{Name: "t.png", Data: grey.Bytes()}); l.R != 0 {
		t.Errorf("JPEG: %v", l)
	}
}

func TestTextureErrors(t *testing.T) {
	for _, c := range []struct{ textures, binding, want string }{
		{`"t": {}`, `, "lod": [1]`, "wrong-length]: lod has 1 numbers, want the least and the most"},
		{`"t": {}`, `, "aniso": 17`, "out-of-range"},
		{`"t": {}`, `, "addressU": "round"`, "unknown-value"},
		{`"t": {"file": "ps.asm"}`, ``, "bad-image]: image-kind: the file begins with 70 73 5F 33: it is none of PNG, JPEG, DDS"},
	} {
		s, err := scene.Parse([]byte("-- scene.json --\n" + `{"version": 1, "textures": {` + c.textures + `}, "passes": [{"draws": [{"ps": "ps.asm", "psTextures": [{"to": "s0", "texture": "t"` + c.binding + `}]}]}]}
-- ps.asm --
ps_3_0
dcl_2d s0
mov oC0, c0
`))
		if err == nil {
			err = scene.NewView(interp.New()).Load(s, scene.Compile)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %v, want %s", c.textures, c.binding, err, c.want)
		}
	}
}
