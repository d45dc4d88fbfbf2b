package main

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"swizzle/internal/engine"
	"swizzle/render/scene"
)

// A speed is what bench tells of a scene.
type speed struct {
	Scene     string        `json:"scene"`
	Title     string        `json:"title"`
	Width     int           `json:"width"`
	Height    int           `json:"height"`
	Pixels    uint64        `json:"pixels"`    // shaded in a frame
	Triangles int           `json:"triangles"` // of a frame
	Threads   int           `json:"threads"`
	Rounds    int           `json:"rounds"`
	Engines   []engineSpeed `json:"engines"`
}

// An engineSpeed is in millions of shaded pixels a second: the median of the rounds, the slowest and the fastest;
// and what the median is in millions of triangles a second.
type engineSpeed struct {
	Engine    string  `json:"engine"`
	Median    float64 `json:"median"`
	Low       float64 `json:"low"`
	High      float64 `json:"high"`
	Triangles float64 `json:"triangles"`
}

// sampleTime is how long an engine draws in one round; at least a frame.
const sampleTime = 100 * time.Millisecond

func (c *cli) bench() *cobra.Command {
	var size string
	var rounds int
	v := c.facts(&cobra.Command{
		Use:   "bench [--size WxH] [--rounds N] [SCENE…]",
		Short: "Measure how many pixels a second each engine shades",
		Long: `Measure how many pixels a second each engine shades.

In every round each engine draws the scene for a tenth of a second, one after the other, at time 0: vertices,
triangles, pixels, but no presentation. Compiling is not measured. The pictures must be the same.

Without a scene those of the program are measured, of 512x512 pixels: a constant colour, a bilinear texture, blending,
and meshes of 2,048, 20,000 and 80,000 triangles.`,
		RunE: func(_ *cobra.Command, args []string) error {
			w, h, err := parseSize(size)
			if err != nil {
				return err
			}
			if rounds < 1 {
				return fmt.Errorf("--rounds %d: want a number of rounds, 1 or more", rounds)
			}
			results := []speed{}
			find := c.sceneAround
			if len(args) == 0 {
				args, find = standardScenes, c.standardScene
			}
			for _, name := range args {
				s, err := find(name)
				if err != nil {
					return err
				}
				if s == nil {
					continue
				}
				r, err := c.measure(name, s, w, h, rounds)
				if err != nil {
					return err
				}
				if r == nil {
					continue
				}
				if results = append(results, *r); !c.json {
					c.printSpeed(r)
				}
			}
			if c.json {
				c.printJSON(results)
			}
			return nil
		},
	})
	f := v.Flags()
	f.StringVar(&size, "size", "", "size of the picture, `WxH` in pixels; the scene's own without it")
	f.IntVar(&rounds, "rounds", 5, "how often each engine has its turn")
	return v
}

//go:embed bench
var benchFiles embed.FS

// standardScenes are measured where no scene is named.
var standardScenes = []string{"fill", "bilinear", "blend", "mesh2000", "mesh20000", "mesh80000"}

func (c *cli) standardScene(name string) (*scene.Scene, error) {
	data, err := benchFiles.ReadFile("bench/" + name + ".txtar")
	if err != nil {
		return nil, err
	}
	return c.parseScene(name, data)
}

// measure lets the engines take turns with a scene; nil stands for a scene with errors, which are told.
func (c *cli) measure(name string, s *scene.Scene, w, h, rounds int) (*speed, error) {
	if w == 0 {
		w, h = s.Size[0], s.Size[1]
	}
	r := &speed{Scene: name, Title: s.Title, Width: w, Height: h, Threads: 1, Rounds: rounds}
	views := make([]*scene.View, len(engine.Names))
	samples := make([][]float64, len(engine.Names))
	var first []byte
	for i, engineName := range engine.Names {
		e, err := c.engine(engineName)
		if err != nil {
			return nil, err
		}
		views[i] = scene.NewView(e)
		if err := views[i].Load(s, scene.Compile); err != nil {
			return nil, c.reportScene(name, s, err)
		}
		picture, stats, err := views[i].Draw(0, w, h)
		if err != nil {
			return nil, c.reportScene(name, s, err)
		}
		if i == 0 {
			first, r.Pixels, r.Triangles = slices.Clone(picture.Pix), stats.Lanes, stats.Triangles
		}
		if !bytes.Equal(picture.Pix, first) {
			return nil, inputError{name, "engines-differ", fmt.Sprintf("the pictures of %s and %s differ", engine.Names[0], engineName)}
		}
	}
	if r.Pixels == 0 {
		return nil, inputError{name, "no-pixels", "no pixel is shaded at time 0"}
	}
	for range rounds {
		for i, v := range views {
			rate, err := sample(v, w, h)
			if err != nil {
				return nil, c.reportScene(name, s, err)
			}
			samples[i] = append(samples[i], rate)
		}
	}
	for i, x := range samples {
		slices.Sort(x)
		median := (x[(rounds-1)/2] + x[rounds/2]) / 2
		r.Engines = append(r.Engines, engineSpeed{engine.Names[i], median, x[0], x[rounds-1], median * float64(r.Triangles) / float64(r.Pixels)})
	}
	return r, nil
}

// sample draws for sampleTime and gives millions of shaded pixels a second.
func sample(v *scene.View, w, h int) (float64, error) {
	began := time.Now()
	for pixels := uint64(0); ; {
		if err := v.Begin(0, w, h); err != nil {
			return 0, err
		}
		if !v.DrawTiles(1 << 30) {
			return 0, errors.New("the frame is not complete")
		}
		pixels += v.Stats().Lanes
		if t := time.Since(began); t >= sampleTime {
			return float64(pixels) / 1e6 / t.Seconds(), nil
		}
	}
}

func (c *cli) printSpeed(r *speed) {
	fmt.Fprintf(c.out, "%s: %dx%d, %d triangles, %d pixels shaded, threads %d, rounds %d; Mpixel/s\n", r.Scene, r.Width, r.Height, r.Triangles, r.Pixels, r.Threads, r.Rounds)
	t := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, strings.Join([]string{"", "median", "low", "high", "of " + r.Engines[0].Engine, "Mtriangle/s", ""}, "\t"))
	for _, e := range r.Engines {
		fmt.Fprintf(t, "  %s\t%.1f\t%.1f\t%.1f\t%.1fx\t%.2f\t\n", e.Engine, e.Median, e.Low, e.High, e.Median/r.Engines[0].Median, e.Triangles)
	}
	t.Flush()
}
