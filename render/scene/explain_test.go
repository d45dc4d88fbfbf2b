package scene_test

import (
	"slices"
	"strings"
	"testing"

	"swizzle/render/scene"
	"swizzle/shaderkit/interp"
)

func TestIsArchive(t *testing.T) {
	for data, want := range map[string]bool{
		"":                                       false,
		"-- scene.json --":                       true,
		"-- scene.json --\n{}\n":                 true,
		"a comment\r\n-- scene.json --\r\n":      true,
		"ps_2_0 ; -- scene.json --\n":            false,
		"-- scene.json -- \n":                    false,
		"x -- scene.json --\n-- scene.json --\n": true,
	} {
		if got := scene.IsArchive([]byte(data)); got != want {
			t.Errorf("%q: %t", data, got)
		}
	}
}

// Findings name the project file, or the member in it, with the line there.
func TestExplain(t *testing.T) {
	archive := "-- scene.json --\n{\"version\": 1,\n \"tilte\": 2, \"size\": [0, 4]}\n"
	_, err := scene.Parse([]byte(archive))
	want := []string{
		`a.txtar:3:2: error[unknown-key]: no key "tilte" here; allowed are version, title, size, clear, pixel, camera, light, lightSize, textures, targets, passes, samples, rate`,
		`a.txtar:3:23: error[out-of-range]: 0 is not allowed: the minimum is 1`,
	}
	if got := scene.Explain(err, "a.txtar", archive, nil); !slices.Equal(got[1:], want[1:]) || len(got) != 2 || got[0][:30] != want[0][:30] {
		t.Errorf("%q, want %q", got, want)
	}

	archive = "-- scene.json --\n{\"version\": 1, \"passes\": [{\"draws\": [{\"ps\": \"ps.asm\"}]}]}\n-- ps.asm --\nps_2_0\nfrobnicate oC0\n"
	s, err := scene.Parse([]byte(archive))
	if err != nil {
		t.Fatal(err)
	}
	err = scene.NewView(interp.New()).Load(s, scene.Compile)
	start := "a.txtar/ps.asm:2:1: error[unknown-opcode]: unknown instruction 'frobnicate'"
	if got := scene.Explain(err, "a.txtar", archive, s); len(got) != 1 || !strings.HasPrefix(got[0], start) {
		t.Errorf("%q, want %q and what is allowed", got, start)
	}
}
