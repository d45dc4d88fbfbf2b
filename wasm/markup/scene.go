package markup

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"swizzle/render"
	"swizzle/render/scene"
	"swizzle/wasm/playground"
)

// Number spells a value of a constant shortly.
func Number(x float64) string { return strconv.FormatFloat(x, 'g', 5, 64) }

// Colour gives the first three values as a colour of HTML.
func Colour(value []float64) string {
	var b strings.Builder
	b.WriteByte('#')
	for k := range 3 {
		x := 0.0
		if k < len(value) {
			x = value[k]
		}
		fmt.Fprintf(&b, "%02x", int(math.Round(255*min(max(x, 0), 1))))
	}
	return b.String()
}

// Statistics gives what a picture came to, as the items of a dl.
func Statistics(s *render.Stats, c *scene.Counts) string {
	var b strings.Builder
	item := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "<dt>%s</dt><dd>%s</dd>", name, fmt.Sprintf(format, args...))
	}
	item("Vertices", "%s", Count(uint64(s.Vertices)))
	item("Triangles", "%s", Count(uint64(s.Triangles)))
	for _, x := range []struct {
		n    int
		what string
	}{
		{s.Drawn, "drawn"}, {s.Culled, "culled: they face away"}, {s.Outside, "outside of the view"},
		{s.Clipped, "cut at its edge"}, {s.Small, "too small for a pixel"}, {s.NotFinite, "with a position that is no number"},
	} {
		if x.n > 0 {
			item("", "%s %s", Count(uint64(x.n)), x.what)
		}
	}
	item("Pixels shaded", "%s", Count(c.Runs))
	if c.Killed > 0 {
		item("", "%s of them ended before they were written", Count(c.Killed))
	}
	per := ""
	if c.Runs > 0 {
		per = fmt.Sprintf(", %.1f a pixel", float64(c.Ops)/float64(c.Runs))
	}
	item("Operations", "%s%s", Count(c.Ops), per)
	if s.Stopped {
		item("", "Some ran out of steps and were stopped.")
	}
	return b.String()
}

// Count spells a number with commas between thousands.
func Count(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Views gives the options of the views of the picture.
func Views(views []string, chosen string) string {
	var b strings.Builder
	for _, v := range views {
		selected := ""
		if v == chosen {
			selected = " selected"
		}
		fmt.Fprintf(&b, `<option value="%s"%s>%s</option>`, esc(v), selected, esc(playground.ViewTitle(v)))
	}
	return b.String()
}

// Scene gives the text of the scene and its controls: constants, mesh and textures.
func Scene(s *playground.Session) string {
	var b strings.Builder
	b.WriteString(Lesson(s.Scene.Lesson))
	b.WriteString("<h3>Constants</h3>")
	for i, c := range s.Constants() {
		name := string(c.Stage) + " " + c.Binding.To
		label := c.Binding.Label
		if label == "" {
			label = name
		}
		fmt.Fprintf(&b, `<div class="constant" role="group" aria-label="%s"><span title="%s">%s</span>`, esc(label), esc(name), esc(label))
		for k, v := range c.Binding.Value {
			step := (c.Binding.Max - c.Binding.Min) / 20
			if step <= 0 {
				step = 0.05
			}
			fmt.Fprintf(&b, `<input type="number" step="%s" value="%s" data-constant="%d.%d" aria-label="%c of %s">`,
				Number(step), Number(v), i, k, "xyzw"[k&3], esc(label))
		}
		if c.Binding.Max > c.Binding.Min && len(c.Binding.Value) == 1 {
			fmt.Fprintf(&b, `<input type="range" min="%s" max="%s" step="%s" value="%s" data-constant="%d.0" aria-label="%s, slider">`,
				Number(c.Binding.Min), Number(c.Binding.Max), Number((c.Binding.Max-c.Binding.Min)/200), Number(c.Binding.Value[0]), i, esc(label))
		}
		if c.Binding.Color {
			fmt.Fprintf(&b, `<input type="color" value="%s" data-constant="%d.-1" aria-label="colour of %s">`, Colour(c.Binding.Value), i, esc(label))
		}
		b.WriteString("</div>")
	}
	b.WriteString(`<div class="add"><label>register <input id="new-constant" size="5" value="c0" spellcheck="false" autocomplete="off"></label> <button type="button" data-add>Add constant</button></div>`)
	b.WriteString("<h3>Geometry and textures</h3>")
	if d := s.Scene.First(); d != nil {
		fmt.Fprintf(&b, `<label class="choose">mesh <select data-mesh>%s</select></label>`, options(render.MeshNames, d.Mesh))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Scene.Textures)) {
		t := s.Scene.Textures[name]
		images := render.ImageNames
		chosen := t.Image
		if t.File != "" {
			chosen = t.File
			images = append([]string{t.File}, images...)
		}
		fmt.Fprintf(&b, ` <label class="choose">%s <select data-texture="%s">%s</select></label>`, esc(name), esc(name), options(images, chosen))
	}
	return b.String()
}

func options(names []string, chosen string) string {
	var b strings.Builder
	for _, n := range names {
		selected := ""
		if n == chosen {
			selected = " selected"
		}
		fmt.Fprintf(&b, "<option%s>%s</option>", selected, esc(n))
	}
	return b.String()
}
