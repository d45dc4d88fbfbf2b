package scene_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"swizzle/internal/jittest"
	"swizzle/render/scene"
	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/interp"
)

// Every example is the same pictures on all engines, with the same statistics. Of the first one exec.Tiered draws
// some tiles with one engine and some with the other.
func TestEnginesDrawTheSame(t *testing.T) {
	fast := jittest.New(t)
	for _, file := range gallery(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			slow := load(t, file)
			jit, tiered := scene.NewView(fast), scene.NewView(exec.NewTiered(interp.New(), jittest.New(t)))
			for _, v := range []*scene.View{jit, tiered} {
				if err := v.Load(parse(t, file), scene.Compile); err != nil {
					t.Fatal(err)
				}
			}
			for _, time := range []float64{1, 1.1, 7} {
				want, wantStats, err := slow.Draw(time, 192, 128)
				if err != nil {
					t.Fatal(err)
				}
				pixels := bytes.Clone(want.Pix)
				for i, v := range []*scene.View{jit, tiered} {
					got, stats, err := v.Draw(time, 192, 128)
					if err != nil {
						t.Fatal(err)
					}
					if stats != wantStats {
						t.Errorf("%g s, engine %d: statistics %+v, want %+v", time, i, stats, wantStats)
					}
					if !bytes.Equal(got.Pix, pixels) {
						t.Errorf("%g s, engine %d: the pictures differ", time, i)
					}
				}
			}
		})
	}
}

// BenchmarkEngines draws whole frames, vertices and setup included.
func BenchmarkEngines(b *testing.B) {
	for _, e := range []exec.Engine{interp.New(), jittest.New(b)} {
		for _, file := range gallery(b) {
			b.Run(e.Name()+"/"+strings.TrimSuffix(filepath.Base(file), ".txtar"), func(b *testing.B) {
				v := scene.NewView(e)
				if err := v.Load(parse(b, file), scene.Compile); err != nil {
					b.Fatal(err)
				}
				var lanes uint64
				for b.Loop() {
					_, stats, err := v.Draw(1, 512, 512)
					if err != nil {
						b.Fatal(err)
					}
					lanes += stats.Lanes
				}
				b.ReportMetric(float64(lanes)/1e6/b.Elapsed().Seconds(), "Mpixel/s")
			})
		}
	}
}
