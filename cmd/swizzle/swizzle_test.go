package main

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"swizzle/internal/testkit"
)

// TestTranscripts runs the command lines of each testdata/*.txtar in a folder that holds the other
// sections as files (NAME.words as the binary NAME, NAME.tab without the tab that begins each line),
// and compares what they print:
//
//	$ asm --isa d3d9 - < add.vsh     the command line; < gives standard input, > takes standard output
//	0xFFFE0200                       standard output
//	! -:2:1: error[code]: …          standard error
//	exit 1                           the status, unless 0
func TestTranscripts(t *testing.T) {
	for _, c := range testkit.Cases(t, "testdata/*.txtar") {
		t.Run(c.Name, func(t *testing.T) {
			dir := t.TempDir()
			for _, f := range c.Files() {
				name, data := f.Name, f.Data
				if stem, ok := strings.CutSuffix(name, ".words"); ok {
					name, data = stem, testkit.Bytes(testkit.Words(t, string(f.Data)))
				}
				if stem, ok := strings.CutSuffix(name, ".tab"); ok {
					name, data = stem, []byte(strings.ReplaceAll("\n"+string(data), "\n\t", "\n")[1:])
				}
				if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			var got strings.Builder
			here, err := os.Getwd()
			if err != nil {
				t.Fatal(err)
			}
			t.Chdir(dir)
			for line := range strings.Lines(c.Section(t, "transcript")) {
				if command, ok := strings.CutPrefix(line, "$"); ok {
					got.WriteString(line)
					got.WriteString(transcript(t, strings.Fields(command)))
				}
			}
			t.Chdir(here)
			c.Golden(t, "transcript", got.String())
		})
	}
}

func transcript(t *testing.T, args []string) string {
	t.Helper()
	var stdin []byte
	var to string
	for n := len(args); n > 2 && (args[n-2] == "<" || args[n-2] == ">"); n = len(args) {
		name := args[n-1]
		if args[n-2] == ">" {
			to = name
		} else {
			var err error
			if stdin, err = os.ReadFile(name); err != nil {
				t.Fatal(err)
			}
		}
		args = args[:n-2]
	}
	var stdout, stderr bytes.Buffer
	status := run(args, bytes.NewReader(stdin), &stdout, &stderr)
	s := stdout.String()
	if to != "" {
		if err := os.WriteFile(to, stdout.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		s = ""
	}
	if s != "" && !strings.HasSuffix(s, "\n") {
		s += "(no final newline)\n"
	}
	for line := range strings.Lines(stderr.String()) {
		s += "! " + line
	}
	if status != exitDone {
		s += fmt.Sprintf("exit %d\n", status)
	}
	return s
}

const tintScene = `-- scene.json --
{"version": 1, "camera": {"flat": true}, "passes": [{"draws": [{"mesh": "quad", "ps": "ps.asm",
  "psConstants": [{"to": "c0", "value": [1, 0.5, 0.2, 1]}]}]}]}
-- ps.asm --
ps_2_0
mov oC0, c0
`

func TestRenderedPicture(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if status := run([]string{"render", "-o", "-", "--size", "32x16", "-"}, strings.NewReader(tintScene), &stdout, &stderr); status != exitDone {
		t.Fatalf("exit %d: %s", status, &stderr)
	}
	m, err := png.Decode(&stdout)
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Bounds(); got != image.Rect(0, 0, 32, 16) {
		t.Errorf("bounds %v", got)
	}
	if got, want := m.At(16, 8), (color.NRGBA{255, 128, 51, 255}); color.NRGBAModel.Convert(got) != want {
		t.Errorf("the middle is %v, want %v", got, want)
	}
}

// A fullDisk takes no byte.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestWriteErrorIsTold(t *testing.T) {
	for _, verb := range []string{"asm", "dis", "tokens", "tokens --json", "detect", "run"} {
		var stderr bytes.Buffer
		status := run(append(strings.Fields(verb), "-"), strings.NewReader("ps_2_0\nmov oC0, c0\n"), fullDisk{}, &stderr)
		if want := "-: error[write]: no space left on device\n"; status != exitInput || stderr.String() != want {
			t.Errorf("%s: exit %d, %q", verb, status, &stderr)
		}
	}
}
