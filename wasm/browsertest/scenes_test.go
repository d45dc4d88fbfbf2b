package browsertest

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"swizzle/render/scene"
	"swizzle/shaderkit/interp"
	"swizzle/shaderkit/ir"
	"swizzle/wasm/markup"
)

// tinted is a quad with a checkerboard under a pixel shader that tints it.
const tinted = `ps_2_0
dcl t0.xy
dcl_2d s0
texld r0, t0, s0    // the texel
mul r0, r0, c0      // tinted
mov oC0, r0
`

// Each view of the picture can be chosen from the keyboard, says what its colours stand for, and is that of the
// command line.
func TestViews(t *testing.T) {
	for _, w := range []window{wide, {width: 390, height: 844}} {
		b := open(t, w, link(t, tinted))
		want := append(slices.Clone(scene.ModeNames), "varying:TEXCOORD0")
		b.wait("the views", `document.querySelectorAll("#view option").length === 7`)
		options := eval[[]string](b, `[...document.querySelectorAll("#view option")].map((o) => o.value)`)
		if !slices.Equal(options, want) {
			t.Errorf("views %q, want %q", options, want)
		}
		seq := func() int { return eval[int](b, `Number(document.querySelector("#canvas").dataset.seq)`) }
		pixels := func() string {
			return eval[string](b, `(() => { const c = document.querySelector("#canvas"); return [...c.getContext("2d").getImageData(0, 0, c.width, c.height).data.subarray(0, 4 * 256 * 256)].join(); })()`)
		}
		picture := pixels()
		b.run(chromedp.Focus("#view"))
		for i, name := range options[1:] {
			before := seq()
			b.key(kb.ArrowDown)
			b.wait(name, fmt.Sprintf(`document.querySelector("#view").value === %q && Number(document.querySelector("#canvas").dataset.seq) > %d`, name, before))
			if os.Getenv("SWIZZLE_SHOTS") != "" {
				b.screenshot(fmt.Sprintf("view-%d-%d", w.width, i+1))
			}
			if got := pixels(); got == picture || got != viewed(t, name) {
				t.Errorf("%s is not what the command line shows", name)
			}
			if command := eval[string](b, `document.querySelector("#command").textContent`); !strings.Contains(command, "--view "+name+" ") {
				t.Errorf("%s: the command is %q", name, command)
			}
		}
		b.wait("what the colours stand for", `document.querySelector("#pixel").textContent.includes("dark 0 to light")`)
		before := seq()
		b.key(kb.Home)
		b.wait("the picture", fmt.Sprintf(`Number(document.querySelector("#canvas").dataset.seq) > %d`, before))
		if pixels() != picture {
			t.Error("the picture is another one behind the views")
		}
	}
}

// viewed gives the pixels of a view of the tinted scene, as the page's canvas lists them.
func viewed(t *testing.T, mode string) string {
	t.Helper()
	s, err := scene.OpenLink(link(t, tinted))
	if err != nil {
		t.Fatal(err)
	}
	v := scene.NewView(interp.New())
	if err := v.Load(s, scene.Compile); err != nil {
		t.Fatal(err)
	}
	m, err := scene.ModeByName(mode)
	if err != nil {
		t.Fatal(err)
	}
	v.SetMode(m)
	picture, _, err := v.Draw(0, 256, 256)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for i, c := range picture.Pix {
		if i > 0 {
			text.WriteByte(',')
		}
		fmt.Fprint(&text, c)
	}
	return text.String()
}

// link gives the address of a scene with the pixel shader text.
func link(t testing.TB, text string) string {
	t.Helper()
	s := scene.Default(ir.Pixel, "ps.asm", []byte(text))
	d := s.First()
	d.Mesh = "quad"
	d.PSConstants = []scene.Binding{
		{To: "c0", Value: []float64{1, 0.5, 0.25, 1}, Rows: 4, Max: 1, Label: "Tint", Color: true},
		{To: "i0", Value: []float64{255, 0, 0, 0}, Rows: 4, Max: 255},
	}
	return scene.Link(s)
}

// The statistics of the picture are those of the library, killed pixels and operations included, and follow the
// picture.
func TestStatistics(t *testing.T) {
	b := open(t, wide, "")
	b.example("Dissolving")
	want := func(size int) string {
		data, err := os.ReadFile("../../static/examples/dissolve.txtar")
		if err != nil {
			t.Fatal(err)
		}
		s, err := scene.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		v := scene.NewView(interp.New())
		if err := v.Load(s, scene.Compile); err != nil {
			t.Fatal(err)
		}
		_, stats, err := v.Draw(0, size, size)
		if err != nil {
			t.Fatal(err)
		}
		counts, err := v.Count(0, size, size)
		if err != nil || counts.Killed == 0 {
			t.Fatal(counts, err)
		}
		return markup.Statistics(&stats, &counts)
	}
	shown := func(size int) {
		b.wait(fmt.Sprintf("the statistics of %d", size), fmt.Sprintf(`document.querySelector("#counts").innerHTML === %q`, want(size)))
	}
	b.run(chromedp.Focus("#statistics summary"))
	b.key(kb.Enter)
	shown(256)
	if engine := eval[string](b, `document.querySelector("#engine").textContent`); !strings.Contains(engine, "drawn in") {
		t.Errorf("behind it the page says %q", engine)
	}
	if os.Getenv("SWIZZLE_SHOTS") != "" {
		b.screenshot("statistics")
	}
	b.choose("#size", "128")
	shown(128)
}
