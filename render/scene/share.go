package scene

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"io"
	"strings"

	"swizzle/shaderkit/source"
)

// linkPrefix begins the fragment of a link; the number is that of the encoding.
const linkPrefix = "#v1="

// Link gives the scene as the fragment of a link, without the page's address.
func Link(s *Scene) string {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestCompression) // fails for a wrong level only
	w.Write(s.Format())                                // to memory
	w.Close()
	return linkPrefix + base64.RawURLEncoding.EncodeToString(b.Bytes())
}

// OpenLink reads a link: a fragment, or an address with one.
func OpenLink(link string) (*Scene, error) {
	_, text, ok := strings.Cut(link, linkPrefix)
	if !ok {
		return nil, diagnostic(source.Span{}, "bad-link", "a link has %s and the scene behind it", linkPrefix)
	}
	data, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(strings.TrimSpace(text), "="))
	if err != nil {
		return nil, diagnostic(source.Span{}, "bad-link", "the link is damaged: %s", err)
	}
	r := flate.NewReader(bytes.NewReader(data))
	archive, err := io.ReadAll(io.LimitReader(r, MaxSize+1))
	if err != nil {
		return nil, diagnostic(source.Span{}, "bad-link", "the link is damaged: %s", err)
	}
	return Parse(archive)
}
