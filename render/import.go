package render

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"

	"swizzle/shaderkit/ir"
)

// An ImportError says what is wrong with a file of an image, or what of it cannot be read.
type ImportError struct {
	// Code is stable: "image-kind", "image-size", "png", "jpeg", "dds-short", "dds-header",
	// "dds-format", "dds-shape".
	Code        string
	Offset      int  // of the value, in bytes
	Unsupported bool // the file is right, but not for here
	Message     string
}

func (e *ImportError) Error() string {
	return fmt.Sprintf("+0x%X: %s: %s", e.Offset, e.Code, e.Message)
}

func importErrorf(code string, offset int, format string, args ...any) error {
	return &ImportError{Code: code, Offset: offset, Message: fmt.Sprintf(format, args...)}
}

func unsupported(code string, offset int, format string, args ...any) error {
	return &ImportError{Code: code, Offset: offset, Unsupported: true, Message: fmt.Sprintf(format, args...)}
}

// maxImport is the largest number of texels of level 0 of a file.
const maxImport = 1 << 26

// ReadImage reads a PNG, JPEG or DDS file; its first bytes decide. The error is an *ImportError.
// PNG and JPEG give RGBA8, or RGBA16 where they have 16 bits a channel: whether the colours are sRGB
// is for the caller to say, by SetSRGB.
func ReadImage(data []byte) (*Image, error) {
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
		return readPicture("png", data, png.DecodeConfig, png.Decode)
	case bytes.HasPrefix(data, []byte("\xFF\xD8\xFF")):
		return readPicture("jpeg", data, jpeg.DecodeConfig, jpeg.Decode)
	case bytes.HasPrefix(data, []byte("DDS ")):
		return readDDS(data)
	}
	return nil, unsupported("image-kind", 0, "the file begins with % X: it is none of PNG, JPEG, DDS", data[:min(4, len(data))])
}

// readPicture reads a file by its codec, once its size is known.
func readPicture(code string, data []byte, config func(io.Reader) (image.Config, error), decode func(io.Reader) (image.Image, error)) (*Image, error) {
	r := bytes.NewReader(data)
	c, err := config(r)
	if err == nil {
		if err := checkSize(0, c.Width, c.Height, 1); err != nil {
			return nil, err
		}
		r.Reset(data)
		var m image.Image
		if m, err = decode(r); err == nil {
			return FromImage(m), nil
		}
	}
	return nil, importErrorf(code, len(data)-r.Len(), "%v", err)
}

// checkSize refuses what no texture can be.
func checkSize(offset, w, h, slices int) error {
	for _, n := range []int{w, h} {
		if n < 1 || n > ir.MaxTextureSize {
			return importErrorf("image-size", offset, "%d x %d texels, allowed are 1 to %d along an axis", w, h, ir.MaxTextureSize)
		}
	}
	if int64(w)*int64(h)*int64(slices) > maxImport {
		return unsupported("image-size", offset, "%d x %d x %d texels, at most %d are read", w, h, slices, maxImport)
	}
	return nil
}
