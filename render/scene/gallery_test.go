package scene_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"swizzle/internal/testkit"
	"swizzle/render/scene"
	"swizzle/shaderkit/interp"
)

// gallery gives the files of all examples.
func gallery(t testing.TB) []string {
	t.Helper()
	names, err := filepath.Glob("../../static/examples/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no examples", err)
	}
	return names
}

func parse(t testing.TB, file string) *scene.Scene {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := scene.Parse(data)
	if err != nil {
		t.Fatal(file, err)
	}
	return s
}

// load compiles a scene for the interpreter.
func load(t testing.TB, file string) *scene.View {
	t.Helper()
	v := scene.NewView(interp.New())
	if err := v.Load(parse(t, file), scene.Compile); err != nil {
		t.Fatal(file, err)
	}
	return v
}

// Hashes of the gallery's pictures, one second into each scene. Look at the pictures before -update
// changes them: the test writes them where it says.
func TestGallery(t *testing.T) {
	folder := filepath.Join(os.TempDir(), "swizzle-gallery")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	var list bytes.Buffer
	for _, file := range gallery(t) {
		v := load(t, file)
		m, stats, err := v.Draw(1, 256, 256)
		if err != nil {
			t.Fatal(file, err)
		}
		name := filepath.Base(file)
		fmt.Fprintf(&list, "%s %x triangles=%d pixels=%d\n", name, sha256.Sum256(m.Pix), stats.Drawn, stats.Lanes)
		if stats.Stopped || stats.NotFinite != 0 || stats.Lanes < 5000 {
			t.Errorf("%s: %+v", name, stats)
		}
		write(t, filepath.Join(folder, name+".png"), m)
	}
	t.Logf("pictures are in %s", folder)
	testkit.Golden(t, "testdata/gallery.golden", list.Bytes())
}

func write(t *testing.T, file string, m image.Image) {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// What the scenes show must not depend on members that nothing uses.
func TestGalleryUsesItsMembers(t *testing.T) {
	for _, file := range gallery(t) {
		s := parse(t, file)
		used := map[string]bool{}
		for _, p := range s.Passes {
			for _, d := range p.Draws {
				used[d.VS], used[d.PS] = true, true
			}
		}
		for _, x := range s.Textures {
			used[x.File] = true
		}
		for _, f := range s.Files {
			if !used[f.Name] {
				t.Errorf("%s: nothing uses %s", file, f.Name)
			}
		}
		if s.Title == "" || s.Lesson == "" {
			t.Errorf("%s: a scene of the gallery has a title and a lesson", file)
		}
	}
}

func BenchmarkFrame(b *testing.B) {
	for _, file := range gallery(b) {
		b.Run(filepath.Base(file), func(b *testing.B) {
			v := load(b, file)
			for b.Loop() {
				if _, _, err := v.Draw(1, 256, 256); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(v.Stats().Lanes)/1e6/(b.Elapsed().Seconds()/float64(b.N)), "Mpixel/s")
		})
	}
}
