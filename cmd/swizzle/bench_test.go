package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"testing"

	"swizzle/internal/engine"
)

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
