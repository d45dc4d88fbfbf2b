package cases

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"swizzle/internal/testkit"
	"swizzle/shaderkit/interp"
)

// expectation is what stands beside the question in a case: values of registers, state, or the code
// and line of an error.
type expectation struct {
	ID     string                     `json:"id"`
	Text   string                     `json:"text"`
	Binary string                     `json:"binary"`
	Expect map[string]json.RawMessage `json:"expect"`
	State  map[string]json.RawMessage `json:"state"`
	Steps  int                        `json:"expect_steps"`
	Stop   bool                       `json:"expect_stopped"`
	Notes  []string                   `json:"expect_notes"` // regular expressions, one a note
	Error  *failure                   `json:"expect_error"`
	ULP    int                        `json:"ulp"`
	Abs    *float64                   `json:"abs"`
	Tol    struct{ Abs, Rel *float64 }
	Why    string `json:"why"`
	Alone  bool   `json:"alone"` // later versions answer differently
}

// got is an answer as a test reads it.
type got struct {
	Outputs map[string]json.RawMessage `json:"outputs"`
	Killed  json.RawMessage            `json:"killed"`
	State   map[string]json.RawMessage `json:"state"`
	Steps   int                        `json:"steps"`
	Stopped bool                       `json:"stopped"`
	Notes   []string                   `json:"notes"`
	Error   *failure                   `json:"error"`
}

// check gives the first difference between an expectation and an answer.
func (e *expectation) check(answer []byte) error {
	var g got
	if err := json.Unmarshal(answer, &g); err != nil {
		return fmt.Errorf("%s: %v", answer, err)
	}
	if e.Error != nil {
		if g.Error == nil || g.Error.Code != e.Error.Code || g.Error.Line != e.Error.Line {
			return fmt.Errorf("want error %s in line %d, got %s", e.Error.Code, e.Error.Line, answer)
		}
		return nil
	}
	if g.Error != nil {
		return fmt.Errorf("%s", answer)
	}
	for name, want := range e.Expect {
		if name == "killed" {
			if compact(want) != compact(g.Killed) {
				return fmt.Errorf("killed: want %s, got %s", want, g.Killed)
			}
			continue
		}
		if err := e.register(want, g.Outputs[name]); err != nil {
			return fmt.Errorf("%s: %v: want %s, got %s", name, err, want, g.Outputs[name])
		}
	}
	for name, want := range e.State {
		if a, b := compact(want), compact(g.State[name]); a != b {
			return fmt.Errorf("%s: want %s, got %s", name, a, b)
		}
	}
	if e.Steps != 0 && e.Steps != g.Steps {
		return fmt.Errorf("want %d steps, got %d", e.Steps, g.Steps)
	}
	if e.Stop != g.Stopped {
		return fmt.Errorf("stopped is %v", g.Stopped)
	}
	if e.Notes != nil {
		if len(e.Notes) != len(g.Notes) {
			return fmt.Errorf("want %d notes, got %q", len(e.Notes), g.Notes)
		}
		for i, re := range e.Notes {
			if !regexp.MustCompile(re).MatchString(g.Notes[i]) {
				return fmt.Errorf("note %q does not match %q", g.Notes[i], re)
			}
		}
	}
	return nil
}

func compact(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return string(raw)
	}
	return b.String()
}

func (e *expectation) register(want, got json.RawMessage) error {
	var w, g []json.RawMessage
	if err := json.Unmarshal(want, &w); err != nil {
		return err
	}
	if err := json.Unmarshal(got, &g); err != nil {
		return err
	}
	list := func(l []json.RawMessage) bool { return len(l) > 0 && l[0][0] == '[' }
	switch {
	case list(w):
		for i := range w {
			x := got
			if list(g) {
				x = g[i]
			}
			if err := e.register(w[i], x); err != nil {
				return fmt.Errorf("lane %d: %v", i, err)
			}
		}
		return nil
	case list(g):
		return e.register(want, g[0]) // one vector means the left-top lane
	}
	for c := range w {
		if err := e.component(string(w[c]), string(g[c])); err != nil {
			return fmt.Errorf("%c: %v", "xyzw"[c], err)
		}
	}
	return nil
}

func (e *expectation) component(want, got string) error {
	if want == "null" {
		return nil
	}
	if want == `"null"` { // never written
		if got != "null" {
			return fmt.Errorf("was written")
		}
		return nil
	}
	if got == "null" {
		return fmt.Errorf("was not written")
	}
	u, err := strconv.ParseUint(strings.Trim(got, `"`), 0, 32)
	if err != nil {
		return err
	}
	g := math.Float32frombits(uint32(u))
	if want == `"nan"` {
		if g == g {
			return fmt.Errorf("%v is no NaN", g)
		}
		return nil
	}
	b, err := scalar(json.RawMessage(want), float)
	if err != nil {
		return err
	}
	w := math.Float32frombits(b)
	order := func(b uint32) int64 {
		if b < 1<<31 {
			return int64(b)
		}
		return 1<<31 - int64(b)
	}
	d := math.Abs(float64(w) - float64(g))
	within := func(p *float64, scale float64) bool { return p != nil && d <= *p*scale }
	switch {
	case b == uint32(u), w == 0 && g == 0, w != w && g != g:
	case w != w || g != g:
		return fmt.Errorf("want %v, got %v", w, g)
	case max(order(b)-order(uint32(u)), order(uint32(u))-order(b)) <= int64(e.ULP):
	case within(e.Abs, 1), within(e.Tol.Abs, 1), within(e.Tol.Rel, math.Abs(float64(w))):
	default:
		return fmt.Errorf("want %v, got %v", w, g)
	}
	return nil
}

// eachCase calls f for each line of a file of cases.
func eachCase(t *testing.T, path string, f func(line []byte, e *expectation)) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	s := bufio.NewScanner(file)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		if len(bytes.TrimSpace(s.Bytes())) == 0 {
			continue
		}
		var e expectation
		if err := json.Unmarshal(s.Bytes(), &e); err != nil {
			t.Fatalf("%s: %v in %s", path, err, s.Bytes())
		}
		f(s.Bytes(), &e)
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
}

// TestSamples runs the programs of the corpus whose results another implementation gave, as text and
// as binary, by the rows of the interpreter and by the definitions of its macro ops.
func TestSamples(t *testing.T) {
	n := 0
	eachCase(t, filepath.Join(testkit.Shared(t), "corpus", "d3d9", "exec", "samples.jsonl"), func(line []byte, e *expectation) {
		n++
		for _, d := range []Defaults{{Engine: interp.Engine{}}, {Engine: interp.Engine{Expand: true}, Prefer: "binary"}} {
			if err := e.check(Run(line, d)); err != nil {
				t.Errorf("%s: %v", e.ID, err)
			}
		}
	})
	t.Logf("%d programs", n)
}

// TestCases runs our own cases: what they expect follows from the documentation, as each says.
func TestCases(t *testing.T) { runCases(t, "testdata/*.jsonl") }

// runCases runs files of cases by the rows of the interpreter and by the definitions of its macro ops.
func runCases(t *testing.T, glob string) {
	paths, err := filepath.Glob(glob)
	if err != nil || len(paths) == 0 {
		t.Fatal("no cases", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			eachCase(t, path, func(line []byte, e *expectation) {
				for _, d := range []Defaults{{Engine: interp.Engine{}}, {Engine: interp.Engine{Expand: true}}} {
					if err := e.check(Run(line, d)); err != nil {
						t.Errorf("%s: %v (%s)", e.ID, err, e.Why)
						break
					}
				}
			})
		})
	}
}
