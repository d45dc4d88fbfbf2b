package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"testing"

	"swizzle/internal/engine"
)

// The scenes of the program: the meshes have as many triangles as they say, and all cover the picture once.
func TestStandardBench(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if status := run([]string{"bench", "--json", "--rounds", "1"}, nil, &stdout, &stderr); status != exitDone || stderr.Len() > 0 {
		t.Fatalf("status %d, %s", status, &stderr)
	}
	var list []speed
	if err := json.Unmarshal(stdout.Bytes(), &list); err != nil {
		t.Fatal(err)
	}
	triangles := map[string]int{"fill": 2, "bilinear": 2, "blend": 2, "mesh2000": 2048, "mesh20000": 20000, "mesh80000": 80000}
	for _, r := range list {
		if r.Triangles != triangles[r.Scene] || r.Pixels != 512*512 {
			t.Errorf("%s: %d triangles, %d pixels", r.Scene, r.Triangles, r.Pixels)
		}
		delete(triangles, r.Scene)
	}
	if len(triangles) > 0 {
		t.Errorf("not measured: %v", triangles)
	}
}

// The workloads of make bench run on every engine and shade every pixel of the target.
func TestBench(t *testing.T) {
	files, err := filepath.Glob("../../wasm/drawbench/testdata/w*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no workloads", err)
	}
	var stdout, stderr bytes.Buffer
	if status := run(append([]string{"bench", "--json", "--size", "128x64", "--rounds", "2"}, files...), nil, &stdout, &stderr); status != exitDone || stderr.Len() > 0 {
		t.Fatalf("status %d, %s", status, &stderr)
	}
	var list []speed
	if err := json.Unmarshal(stdout.Bytes(), &list); err != nil {
		t.Fatal(err)
	}
	if len(list) != len(files) {
		t.Fatalf("%d results for %d scenes", len(list), len(files))
	}
	for i, r := range list {
		if r.Scene != files[i] || r.Width != 128 || r.Height != 64 || r.Pixels != 128*64 || r.Rounds != 2 || len(r.Engines) != len(engine.Names) {
			t.Errorf("%+v", r)
			continue
		}
		for k, e := range r.Engines {
			if e.Engine != engine.Names[k] || !(0 < e.Low && e.Low <= e.Median && e.Median <= e.High) {
				t.Errorf("%s: %+v", r.Scene, e)
			}
		}
	}
}
