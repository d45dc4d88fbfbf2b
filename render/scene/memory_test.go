package scene_test

import (
	"flag"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"swizzle/internal/jittest"
	"swizzle/render/scene"
	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/interp"
)

var minutes = flag.Float64("minutes", 0, "how long TestMemoryStaysFlat plays each example on each engine, together; 0 is some frames")

// An animation allocates nothing that stays: neither in Go's heap nor in the memory of kernels, nor goroutines. What
// a frame allocates and drops is counted, too.
func TestMemoryStaysFlat(t *testing.T) {
	files := gallery(t)
	engines := []exec.Engine{interp.New(), jittest.New(t)}
	each := time.Duration(*minutes * float64(time.Minute) / float64(len(files)*len(engines)))
	for _, e := range engines {
		for _, file := range files {
			t.Run(e.Name()+"/"+strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
				v := scene.NewView(e)
				v.Workers = 2
				if err := v.Load(parse(t, file), scene.Compile); err != nil {
					t.Fatal(err)
				}
				frames := 0
				const second = 6 // frames between looks at the clock
				play := func(long time.Duration) {
					for began := time.Now(); ; {
						for range second {
							if _, _, err := v.Draw(float64(frames)/60, 128, 128); err != nil {
								t.Fatal(err)
							}
							frames++
						}
						if time.Since(began) >= long {
							return
						}
					}
				}
				var before, after runtime.MemStats
				measure := func(m *runtime.MemStats) {
					runtime.GC()
					runtime.GC()
					runtime.ReadMemStats(m)
				}
				play(each / 10)
				play(0)
				measure(&before)
				first, goroutines := frames, runtime.NumGoroutine()
				for range 3 {
					play(each / 3)
				}
				measure(&after)
				runtime.KeepAlive(v)
				n := float64(frames - first)
				t.Logf("%d frames: heap %d kB, then %d kB; %.1f allocations a frame, %.0f bytes", frames, before.HeapAlloc>>10, after.HeapAlloc>>10,
					float64(after.Mallocs-before.Mallocs)/n, float64(after.TotalAlloc-before.TotalAlloc)/n)
				// Goroutines that wait allocate now and then, on a busy machine more often.
				if allocs := after.Mallocs - before.Mallocs; allocs > uint64(n)+32 {
					t.Errorf("%d allocations in %.0f frames", allocs, n)
				}
				if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 256<<10 {
					t.Errorf("the heap grew by %d bytes in %d frames", grown, frames-first)
				}
				if g := runtime.NumGoroutine(); g > goroutines {
					t.Errorf("%d goroutines became %d", goroutines, g)
				}
			})
		}
	}
}
