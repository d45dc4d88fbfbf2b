package d3d9

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"swizzle/internal/testkit"
)

// A sample is one shader of the corpus.
type sample struct {
	name    string
	data    []byte
	text    string // source, "" when there is none
	listing string // Microsoft's listing, "" when there is none
}

// corpus gives the shaders of the corpus from version 2_0 on, which are those that run.
func corpus(t testing.TB) []sample {
	return slices.DeleteFunc(shaders(t), func(s sample) bool {
		return context(binary.LittleEndian.Uint32(s.data)).Version < v20
	})
}

// shaders gives all shaders of the corpus.
func shaders(t testing.TB) []sample {
	t.Helper()
	root := filepath.Join(testkit.Shared(t), "corpus", "d3d9")
	read := func(path string) []byte {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	listings := map[string]string{}
	for _, s := range strings.Split("\n"+string(read(filepath.Join(root, "asm", "LISTINGS.txt"))), "\n=== ")[1:] {
		name, body, _ := strings.Cut(s, "\n")
		listings[name] = body
	}
	var all []sample
	words, _ := filepath.Glob(filepath.Join(root, "asm", "*.words"))
	for _, f := range words {
		stem := strings.TrimSuffix(f, ".words")
		name := filepath.Base(stem)
		all = append(all, sample{name, testkit.Bytes(testkit.Words(t, string(read(f)))), string(read(stem + ".asm")), listings[name]})
	}
	for _, g := range []string{"hlsl/*.[vp]so", "hlsldecompiler/*/*.fxc"} {
		files, _ := filepath.Glob(filepath.Join(root, g))
		for _, f := range files {
			name, _ := filepath.Rel(root, f)
			all = append(all, sample{name, read(f), "", string(read(strings.TrimSuffix(f, filepath.Ext(f)) + ".asm"))})
		}
	}
	if len(all) < 150 {
		t.Fatalf("only %d shaders", len(all))
	}
	sort.Slice(all, func(i, j int) bool { return all[i].name < all[j].name })
	return all
}
