package cases

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"swizzle/internal/testkit"
	"swizzle/shaderkit"
	"swizzle/shaderkit/interp"
	"swizzle/shaderkit/isa"
)

// TestFlips runs shaders of the corpus with single bits flipped: each comes to an answer, within its
// budget, whatever the bit made of it.
func TestFlips(t *testing.T) {
	const stride = 151 // of the bits, a prime
	paths, err := filepath.Glob(filepath.Join(testkit.Shared(t), "corpus", "d3d9", "asm", "*.words"))
	if err != nil || len(paths) == 0 {
		t.Fatal("no shaders", err)
	}
	answers, errors := 0, 0
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		data := testkit.Bytes(testkit.Words(t, string(text)))
		if data[1] < 2 {
			continue
		}
		for bit := 0; bit < 8*len(data); bit += stride {
			data[bit/8] ^= 1 << (bit & 7)
			line, err := json.Marshal(map[string]any{"id": bit, "isa": "d3d9", "binary": base64.StdEncoding.EncodeToString(data), "steps": 600,
				"inputs": map[string]any{"v0": []int{1, 2, 3, 4}, "t0": []int{1, 2, 3, 4}}, "ints": map[string]any{"i0": []int{3, 0, 1}}})
			if err != nil {
				t.Fatal(err)
			}
			data[bit/8] ^= 1 << (bit & 7)
			var g struct {
				ID int
				got
			}
			if err := json.Unmarshal(Run(line, Defaults{Engine: interp.New()}), &g); err != nil || g.ID != bit {
				t.Fatalf("%s bit %d: %v", path, bit, err)
			}
			switch {
			case g.Error == nil && g.Outputs != nil:
				answers++
			case g.Error != nil && g.Error.Code != "" && g.Error.Code != "engine" && g.Error.Message != "":
				errors++
			default:
				t.Errorf("%s bit %d: %+v", path, bit, g)
			}
		}
	}
	t.Logf("%d answers, %d errors", answers, errors)
}

// TestEveryOpIsRun holds that the cases run every op that can be lowered.
func TestEveryOpIsRun(t *testing.T) {
	arch := shaderkit.ByName("d3d9")
	seen := map[*isa.Op]bool{}
	paths, err := filepath.Glob("testdata/*.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		eachCase(t, path, func(line []byte, e *expectation) {
			if e.Error != nil || e.Text == "" || strings.HasPrefix(e.Text, "nop") {
				return
			}
			p, _, _ := arch.Assemble(e.Text, isa.Options{Permissive: true})
			for _, in := range p.Insts {
				if in.Op != nil {
					seen[in.Op] = true
				}
			}
		})
	}
	for _, o := range arch.Table.Ops {
		runs := false // in a version that can be run
		for _, c := range []isa.Context{{Stage: 0, Version: 0x0200}, {Stage: 0, Version: 0x0201}, {Stage: 0, Version: 0x0300}, {Stage: 1, Version: 0x0200}, {Stage: 1, Version: 0x0201}, {Stage: 1, Version: 0x0300}} {
			runs = runs || o.Lower != nil && o.Has(c)
		}
		if runs && !seen[o] {
			t.Errorf("no case runs %s (opcode %d)", o.Name, o.Code)
		}
	}
}

// FuzzRun answers any line.
func FuzzRun(f *testing.F) {
	f.Add([]byte(`{"id": 1, "text": "ps_2_0\ndcl t0\nmov r0, t0\nmov oC0, r0\n", "inputs": {"t0": [1, "0x40000000"]}, "ddx": {"t0": [1]}}`))
	f.Add([]byte(`{"text": "ps_3_0\ndcl_2d s0\ndcl_texcoord v0\ntexld oC0, v0, s0\n", "textures": {"s0": {"kind": "2d", "width": 1, "height": 1, "texels": [[1]]}}}`))
	f.Add([]byte(`{"id": "x", "files": {"a": "vs_2_0"}, "ints": {"i0": [1]}, "bools": {"b0": true}, "steps": 3}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		var v map[string]any
		if err := json.Unmarshal(Run(line, Defaults{Engine: interp.New(), Steps: 300}), &v); err != nil {
			t.Fatal(err)
		}
	})
}
