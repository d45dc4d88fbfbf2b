package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"image/png"
	"os"
	"path/filepath"
	"strings"

	"swizzle/render/scene"
	"swizzle/shaderkit/interp"
	"swizzle/wasm/markup"
	"swizzle/wasm/playground"
)

// defaultExample is what the page shows at first.
const defaultExample = "orange-quad.txtar"

// firstPaint is how many pixels wide and high the picture in the static HTML is: it is scaled up
// until the engine has drawn its own.
const firstPaint = 128

// indexPage fills the static HTML of the page: the default example with its words and its picture,
// by the same markup that the program uses, and names the assets by their hashed names.
func indexPage(root string, names map[string]string) ([]byte, error) {
	page, err := os.ReadFile(filepath.Join(root, "index.html"))
	if err != nil {
		return nil, err
	}
	examples, err := exampleOptions(root)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(filepath.Join(root, "static", "examples", defaultExample))
	if err != nil {
		return nil, err
	}
	s, err := playground.Open(playground.Input{Name: "static/examples/" + defaultExample, Data: data})
	if err != nil {
		return nil, err
	}
	d := s.Current()
	if !d.Current || len(d.Tokens) == 0 {
		return nil, fmt.Errorf("%s does not assemble: %w", defaultExample, d.Diags.Err())
	}
	picture, err := pictureURL(s.Sync())
	if err != nil {
		return nil, fmt.Errorf("drawing %s: %w", defaultExample, err)
	}
	word := &d.Tokens[0]
	fill := map[string]string{
		"detected":  html.EscapeString(s.Detected()),
		"examples":  examples,
		"source":    markup.Source(d.Text, d.Arch().Highlight(d.Text)),
		"count":     fmt.Sprintf("%d words", len(d.Tokens)),
		"tokens":    strings.Join(markup.Tokens(d, false), ""),
		"wordtitle": html.EscapeString(markup.WordTitle(d, 0)),
		"wordhex":   markup.Hex(word, false),
		"bits":      markup.Bits(word),
		"fields":    markup.Fields(word),
		"fieldhelp": markup.FieldHelp(word, -1),
		"helptext":  markup.Help(d, 0),
		"picture":   picture,
		"scene":     markup.Scene(s),
		"views":     markup.Views(scene.ModeNames, scene.Picture),
		"pixel":     "",
		"verdict":   html.EscapeString(d.Verdict()),
		"command":   html.EscapeString(s.Command(scene.Picture)),
	}
	text := string(page)
	for key, value := range fill {
		mark := "<!--" + key + "-->"
		if !strings.Contains(text, mark) {
			return nil, fmt.Errorf("index.html has no place %s", mark)
		}
		text = strings.ReplaceAll(text, mark, value)
	}
	for old, name := range names {
		text = strings.ReplaceAll(text, `"`+old+`"`, `"`+name+`"`)
	}
	return []byte(text), nil
}

// exampleOptions gives the choices of the gallery, the default one first.
func exampleOptions(root string) (string, error) {
	files, err := filepath.Glob(filepath.Join(root, "static", "examples", "*.txtar"))
	if err != nil {
		return "", err
	}
	var first, rest strings.Builder
	for _, p := range files {
		data, err := os.ReadFile(p)
		if err != nil {
			return "", err
		}
		s, err := scene.Parse(data)
		if err != nil {
			return "", fmt.Errorf("%s: %w", p, err)
		}
		b := &rest
		if filepath.Base(p) == defaultExample {
			b = &first
		}
		fmt.Fprintf(b, `<option value="static/examples/%s">%s</option>`, html.EscapeString(filepath.Base(p)), html.EscapeString(s.Title))
	}
	return first.String() + rest.String(), nil
}

// pictureURL draws a scene and gives it as a data address.
func pictureURL(s *scene.Scene) (string, error) {
	v := scene.NewView(interp.New())
	if err := v.Load(s, scene.Compile); err != nil {
		return "", err
	}
	picture, _, err := v.Draw(0, firstPaint, firstPaint)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, picture); err != nil {
		return "", err
	}
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(b.Bytes()), nil
}
