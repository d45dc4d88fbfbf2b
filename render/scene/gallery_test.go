package scene_test

import (
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"swizzle/render/scene"
	"swizzle/shaderkit/interp"
)

func gallery(t testing.TB) []string {
	names, err := filepath.Glob("../../static/examples/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no examples", err)
	}
	return names
}

func TestLook(t *testing.T) {
	for _, name := range gallery(t) {
		data, _ := os.ReadFile(name)
		s, err := scene.Parse(data)
		if err != nil {
			t.Error(name, err)
			continue
		}
		v := scene.NewView(interp.New())
		if err := v.Load(s, scene.Compile); err != nil {
			t.Error(name, err)
			continue
		}
		m, stats, err := v.Draw(1, 256, 256)
		if err != nil {
			t.Error(name, err)
			continue
		}
		t.Logf("%s %+v", name, stats)
		f, _ := os.Create("/tmp/look/" + filepath.Base(name) + ".png")
		png.Encode(f, m)
		f.Close()
	}
}
