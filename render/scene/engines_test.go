package scene_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"swizzle/render/scene"
	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/interp"
)

// Every example is the same picture on both engines, with the same statistics.
func TestEnginesDrawTheSame(t *testing.T) {
	e := newJIT(t)
	for _, file := range gallery(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			s := parse(t, file)
			want, wantStats, err := load(t, file).Draw(1, 192, 128)
			if err != nil {
				t.Fatal(err)
			}
			v := scene.NewView(e)
			if err := v.Load(s, scene.Compile); err != nil {
				t.Fatal(err)
			}
			got, stats, err := v.Draw(1, 192, 128)
			if err != nil {
				t.Fatal(err)
			}
			if stats != wantStats {
				t.Errorf("statistics %+v, want %+v", stats, wantStats)
			}
			if !bytes.Equal(got.Pix, want.Pix) {
				t.Error("the pictures differ")
			}
		})
	}
}

// BenchmarkEngines draws whole frames, vertices and setup included.
func BenchmarkEngines(b *testing.B) {
	for _, e := range []exec.Engine{interp.New(), newJIT(b)} {
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
