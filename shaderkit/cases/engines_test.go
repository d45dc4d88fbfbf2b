package cases

import (
	"bytes"
	"path/filepath"
	"testing"

	"swizzle/internal/jittest"
	"swizzle/shaderkit/interp"
)

// Every case has the same answer on both engines, byte for byte.
func TestEnginesAnswerTheSame(t *testing.T) {
	e := jittest.New(t)
	for _, glob := range []string{"testdata/*.jsonl", "testdata/spec/*.jsonl"} {
		files, err := filepath.Glob(glob)
		if err != nil || len(files) == 0 {
			t.Fatal("no cases", err)
		}
		for _, file := range files {
			eachCase(t, file, func(line []byte, _ *expectation) {
				want, got := Run(line, Defaults{Engine: interp.New()}), Run(line, Defaults{Engine: e})
				if !bytes.Equal(got, want) {
					t.Errorf("%s\ngot  %s\nwant %s", line, got, want)
				}
			})
		}
	}
}
