package render

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"
)

// A dds is a file of two or three numbers a header: what is not said is 0.
type dds struct {
	width, height, depth, levels uint32
	flags, four, bits            uint32
	masks                        [4]uint32
	caps2                        uint32
	ten                          []uint32 // format, dimension, misc, layers
	data                         []byte
}

func (d dds) file() []byte {
	words := make([]uint32, 32)
	words[0], words[1], words[19] = fourCC("DDS "), 124, 32
	words[3], words[4], words[6], words[7] = d.height, d.width, d.depth, d.levels
	words[20], words[21], words[22], words[28] = d.flags, d.four, d.bits, d.caps2
	copy(words[23:], d.masks[:])
	if d.ten != nil {
		words[20], words[21] = ddsHasFourCC, fourCC("DX10")
		words = append(words, append(d.ten, 0)...)
	}
	var out []byte
	for _, w := range words {
		out = binary.LittleEndian.AppendUint32(out, w)
	}
	return append(out, d.data...)
}

// numbered gives n bytes 0, 1, 2 …
func numbered(n int) (data []byte) {
	for i := range n {
		data = append(data, byte(i))
	}
	return
}

func TestDDS(t *testing.T) {
	rgba := dds{flags: ddsRGB | ddsHasAlpha, bits: 32, masks: [4]uint32{0xFF, 0xFF00, 0xFF0000, 0xFF000000}}
	for _, c := range []struct {
		name string
		file dds
		want string // dim, format, measures, bytes of each level
		data string // level 0
	}{
		{"rgba8", dds{width: 2, height: 1, flags: rgba.flags, bits: 32, masks: rgba.masks, data: numbered(8)}, "2d rgba8 2x1x0 0 [8]", "0001020304050607"},
		{"levels", dds{width: 4, height: 2, levels: 3, flags: rgba.flags, bits: 32, masks: rgba.masks, data: numbered(44)}, "2d rgba8 4x2x0 0 [32 8 4]", ""},
		{"alpha of no use", dds{width: 1, height: 1, flags: ddsRGB, bits: 32, masks: [4]uint32{0xFF0000, 0xFF00, 0xFF, 0xFF000000}, data: numbered(4)}, "2d bgra8 1x1x0 0 [4]", "000102FF"},
		{"24 bits", dds{width: 2, height: 1, flags: ddsRGB, bits: 24, masks: [4]uint32{0xFF0000, 0xFF00, 0xFF}, data: numbered(6)}, "2d bgra8 2x1x0 0 [8]", "000102FF030405FF"},
		{"565", dds{width: 1, height: 2, flags: ddsRGB, bits: 16, masks: [4]uint32{0xF800, 0x7E0, 0x1F}, data: numbered(4)}, "2d b5g6r5 1x2x0 0 [4]", "00010203"},
		{"luminance", dds{width: 2, height: 1, flags: ddsLuminance, bits: 8, masks: [4]uint32{0xFF, 0, 0}, data: []byte{7, 9}}, "2d rgba8 2x1x0 0 [8]", "070707FF090909FF"},
		{"luminance and alpha", dds{width: 1, height: 1, flags: ddsLuminance | ddsHasAlpha, bits: 16, masks: [4]uint32{0xFF, 0, 0, 0xFF00}, data: []byte{7, 9}}, "2d rgba8 1x1x0 0 [4]", "07070709"},
		{"alpha", dds{width: 1, height: 1, flags: ddsAlphaAlone, bits: 8, masks: [4]uint32{0, 0, 0, 0xFF}, data: []byte{7}}, "2d a8 1x1x0 0 [1]", "07"},
		{"DXT1", dds{width: 5, height: 4, levels: 2, flags: ddsHasFourCC, four: fourCC("DXT1"), data: numbered(24)}, "2d bc1 5x4x0 0 [16 8]", ""},
		{"DXT5", dds{width: 1, height: 1, flags: ddsHasFourCC, four: fourCC("DXT5"), data: numbered(16)}, "2d bc3 1x1x0 0 [16]", ""},
		{"half floats by number", dds{width: 1, height: 1, flags: ddsHasFourCC, four: 113, data: numbered(8)}, "2d rgba16f 1x1x0 0 [8]", ""},
		{"volume", dds{width: 2, height: 2, depth: 2, levels: 2, caps2: ddsVolume, flags: rgba.flags, bits: 32, masks: rgba.masks, data: numbered(36)}, "3d rgba8 2x2x2 0 [32 4]", ""},
		// of each face level 0, then level 1: the second texel of level 0 begins behind 20 bytes
		{"cube", dds{width: 2, height: 2, levels: 2, caps2: ddsCube | ddsFaces, flags: ddsHasFourCC, four: 111, data: numbered(60)}, "cube r16f 2x2x0 0 [48 12]",
			"0001020304050607 0A0B0C0D0E0F1011 1415161718191A1B 1E1F202122232425 28292A2B2C2D2E2F 3233343536373839"},
		{"BC7 by DXGI", dds{width: 4, height: 4, ten: []uint32{99, 3, 0, 1}, data: numbered(16)}, "2d bc7srgb 4x4x0 0 [16]", ""},
		{"array", dds{width: 1, height: 1, ten: []uint32{61, 3, 0, 3}, data: []byte{5, 6, 7}}, "2darray r8 1x1x0 3 [3]", "050607"},
		{"lines", dds{width: 2, height: 1, levels: 2, ten: []uint32{61, 2, 0, 2}, data: numbered(6)}, "1darray r8 2x1x0 2 [4 2]", "00010304"},
		{"cubes", dds{width: 1, height: 1, ten: []uint32{61, 3, dds10Cube, 2}, data: numbered(12)}, "cubearray r8 1x1x0 2 [12]", ""},
		{"BGRX by DXGI", dds{width: 1, height: 1, ten: []uint32{88, 3, 0, 1}, data: numbered(4)}, "2d bgra8 1x1x0 0 [4]", "000102FF"},
	} {
		file := c.file.file()
		m, err := ReadImage(file)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var sizes []int
		for _, l := range m.Levels {
			sizes = append(sizes, len(l))
		}
		if got := fmt.Sprintf("%s %s %dx%dx%d %d %v", m.Dim, m.Format, m.Width, m.Height, m.Depth, m.Layers, sizes); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if want := strings.ReplaceAll(c.data, " ", ""); want != "" && fmt.Sprintf("%X", m.Levels[0]) != want {
			t.Errorf("%s: level 0 is %X, want %s", c.name, m.Levels[0], want)
		}
		if _, err := m.texture(true); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if _, err := ReadImage(file[:len(file)-1]); !broken(err, "dds-short", len(file)-1) {
			t.Errorf("%s without its last byte: %v", c.name, err)
		}
	}
}

func broken(err error, code string, offset int) bool {
	var e *ImportError
	return errors.As(err, &e) && e.Code == code && e.Offset == offset
}

func TestBrokenFiles(t *testing.T) {
	good := dds{width: 1, height: 1, ten: []uint32{61, 3, 0, 1}, data: []byte{1}}
	with := func(change func(*dds)) []byte {
		d := good
		d.ten = append([]uint32(nil), good.ten...)
		change(&d)
		return d.file()
	}
	patch := func(offset int, v uint32) []byte {
		f := good.file()
		binary.LittleEndian.PutUint32(f[offset:], v)
		return f
	}
	var picture bytes.Buffer
	png.Encode(&picture, image.NewNRGBA(image.Rect(0, 0, 3, 2)))
	for _, c := range []struct {
		name string
		file []byte
		want string
	}{
		{"nothing", nil, "+0x0: image-kind: the file begins with : it is none of PNG, JPEG, DDS"},
		{"a bitmap", []byte("BM6x"), "+0x0: image-kind: the file begins with 42 4D 36 78: it is none of PNG, JPEG, DDS"},
		{"a header", good.file()[:100], "+0x64: dds-short: 100 bytes, a header has 128"},
		{"the second header", good.file()[:140], "+0x8C: dds-short: 140 bytes, both headers have 148"},
		{"a header's size", patch(4, 120), "+0x4: dds-header: a structure of 120 bytes, want 124"},
		{"a pixel's size", patch(76, 24), "+0x4C: dds-header: a structure of 24 bytes, want 32"},
		{"no texels", with(func(d *dds) { d.width = 0 }), "+0xC: image-size: 0 x 1 texels, allowed are 1 to 16384 along an axis"},
		{"too wide", with(func(d *dds) { d.width = 1 << 31 }), "+0x10: image-size: 2147483648 texels, allowed are 1 to 16384 along an axis"},
		{"too many", with(func(d *dds) { d.width, d.height = 16384, 16384 }), "+0xC: image-size: 16384 x 16384 x 1 texels, at most 67108864 are read"},
		{"too many levels", with(func(d *dds) { d.levels = 2 }), "+0x1C: dds-header: 2 levels, want 1 to 1"},
		{"an oblong cube", with(func(d *dds) { d.width, d.ten[2] = 2, dds10Cube }), "+0xC: dds-shape: the faces of a cube have 2 x 1 texels, want as many"},
		{"a cube of lines", with(func(d *dds) { d.ten[1], d.ten[2] = 2, dds10Cube }), "+0x88: dds-shape: a cube is made of pictures, and a volume has no layers"},
		{"a dimension", with(func(d *dds) { d.ten[1] = 1 }), "+0x84: dds-shape: resource dimension 1 is none of 2, 3, 4"},
		{"no layers", with(func(d *dds) { d.ten[3] = 0 }), "+0x8C: dds-shape: 0 layers, allowed are 1 to 2048"},
		{"a format", with(func(d *dds) { d.ten[0] = 68 }), "+0x80: dds-format: DXGI format 68"},
		{"characters", dds{width: 1, height: 1, flags: ddsHasFourCC, four: fourCC("UYVY")}.file(), `+0x54: dds-format: the format "UYVY"`},
		{"a number", dds{width: 1, height: 1, flags: ddsHasFourCC, four: 117}.file(), "+0x54: dds-format: the format 117"},
		{"masks", dds{width: 1, height: 1, flags: ddsRGB, bits: 8, masks: [4]uint32{0xE0, 0x1C, 3}}.file(), "+0x58: dds-format: pixels of 8 bits with masks [E0 1C 3 0]"},
		{"no kind of pixel", dds{width: 1, height: 1, flags: 0x200}.file(), "+0x50: dds-format: pixels of flags 0x200"},
		{"five faces", dds{width: 1, height: 1, caps2: ddsCube | 0x7C00, flags: ddsHasFourCC, four: 111}.file(), "+0x70: dds-shape: a cube has six faces, here flags 0x7E00 name fewer"},
		{"cube and volume", dds{width: 1, height: 1, caps2: ddsCube | ddsVolume, flags: ddsHasFourCC, four: 111}.file(), "+0x70: dds-shape: 0x200200 says both cube and volume"},
		{"a PNG that ends", picture.Bytes()[:50], "+0x32: png: png: invalid format: unexpected EOF"},
	} {
		_, err := ReadImage(c.file)
		var e *ImportError
		if !errors.As(err, &e) || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
			continue
		}
		if (e.Code == "dds-format" || e.Code == "image-kind") && !e.Unsupported {
			t.Errorf("%s: a format that is not read is no fault of the file", c.name)
		}
	}
}

func TestPictures(t *testing.T) {
	var file bytes.Buffer
	m := image.NewNRGBA(image.Rect(5, 5, 7, 6))
	m.SetNRGBA(5, 5, color.NRGBA{1, 2, 3, 4})
	m.SetNRGBA(6, 5, color.NRGBA{255, 254, 253, 0})
	png.Encode(&file, m)
	got, err := ReadImage(file.Bytes())
	if err != nil || got.Width != 2 || got.Height != 1 || got.Texels[0] != 0x04030201 || got.Texels[1] != 0x00FDFEFF {
		t.Errorf("PNG: %+v, %v", got, err)
	}
	if !got.SetSRGB() || got.Format != RGBA8SRGB || !got.SetSRGB() {
		t.Errorf("as sRGB: %s", got.Format)
	}
	file.Reset()
	deep := image.NewNRGBA64(image.Rect(0, 0, 1, 1))
	deep.SetNRGBA64(0, 0, color.NRGBA64{0x0102, 0x0304, 0xFFFF, 0x8000})
	png.Encode(&file, deep)
	got, err = ReadImage(file.Bytes())
	if err != nil || got.Format != RGBA16 || fmt.Sprintf("%X", got.Levels[0]) != "02010403FFFF0080" || got.SetSRGB() {
		t.Errorf("PNG of 16 bits: %+v, %v", got, err)
	}
	file.Reset()
	jpeg.Encode(&file, image.NewGray(image.Rect(0, 0, 8, 8)), nil)
	got, err = ReadImage(file.Bytes())
	if err != nil || got.Width != 8 || got.Texels[63] != 0xFF000000 {
		t.Errorf("JPEG: %+v, %v", got, err)
	}
}

func FuzzReadImage(f *testing.F) {
	f.Add(dds{width: 4, height: 4, levels: 3, ten: []uint32{98, 3, dds10Cube, 2}, data: numbered(600)}.file())
	f.Add(dds{width: 3, height: 2, depth: 2, caps2: ddsVolume, flags: ddsRGB, bits: 24, masks: [4]uint32{0xFF0000, 0xFF00, 0xFF}, data: numbered(36)}.file())
	var picture bytes.Buffer
	png.Encode(&picture, image.NewNRGBA(image.Rect(0, 0, 3, 2)))
	f.Add(picture.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := ReadImage(data)
		if err != nil {
			var e *ImportError
			if !errors.As(err, &e) || e.Offset < 0 || e.Offset > len(data) || e.Code == "" {
				t.Fatalf("%v", err)
			}
			return
		}
		if m.Width*m.Height > 1<<16 {
			return
		}
		if _, err := m.texture(true); err != nil {
			t.Fatalf("what was read cannot be bound: %v", err)
		}
	})
}
