package scene_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"testing"

	"swizzle/internal/jittest"
	"swizzle/render"
	"swizzle/render/scene"
	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/interp"
)

// Every example is the same picture, with the same statistics, on any number of workers, in any order of
// tiles, and put together from parts.
func TestWorkersDrawTheSame(t *testing.T) {
	for _, e := range []exec.Engine{interp.New(), jittest.New(t)} {
		for _, file := range gallery(t) {
			t.Run(e.Name()+"/"+filepath.Base(file), func(t *testing.T) {
				const width, height = 330, 200
				draw := func(set func(v *scene.View)) ([]byte, render.Stats) {
					v := scene.NewView(e)
					set(v)
					if err := v.Load(parse(t, file), scene.Compile); err != nil {
						t.Fatal(err)
					}
					var m []byte
					var stats render.Stats
					for i := range 2 { // what a frame leaves behind does not show in the next
						picture, s, err := v.Draw(float64(1-i), width, height)
						if err != nil {
							t.Fatal(err)
						}
						m, stats = picture.Pix, s
					}
					stats.Compiled = 0
					return m, stats
				}
				want, stats := draw(func(*scene.View) {})
				same := func(what string, got []byte, s render.Stats) {
					if !bytes.Equal(got, want) {
						t.Error(what + ": another picture")
					}
					if s != stats {
						t.Errorf("%s: %+v, want %+v", what, s, stats)
					}
				}
				for _, n := range []int{2, 7} {
					got, s := draw(func(v *scene.View) { v.Workers = n })
					same(fmt.Sprint(n, " workers"), got, s)
					got, s = draw(func(v *scene.View) { v.Workers, v.Shuffle = n, uint64(n) })
					same(fmt.Sprint(n, " workers, shuffled"), got, s)

					whole, lanes, rows := make([]byte, len(want)), uint64(0), 4*width*exec.TileSize
					for i := range n {
						part := render.Part{Index: i, Count: n}
						got, s := draw(func(v *scene.View) { v.Part = part })
						for y := 0; y*rows < len(got); y++ {
							if part.Has(y) {
								copy(whole[y*rows:min(len(got), (y+1)*rows)], got[y*rows:])
							}
						}
						lanes += s.Lanes
					}
					s = stats
					if s.Lanes = lanes; lanes > stats.Lanes && len(parse(t, file).Targets) > 0 {
						s.Lanes = stats.Lanes // every part draws all of what it reads
					}
					same(fmt.Sprint(n, " parts"), whole, s)
				}
			})
		}
	}
}
