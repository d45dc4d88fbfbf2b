package depcheck

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A fused multiply-add rounds once where the language of shaders rounds twice, so a program would
// give other pixels on a processor that has it. Go fuses x*y + z unless float32(x*y) forbids it.

// targets are the ports on which Go fuses by itself, with their fused instructions.
var targets = []struct {
	env   []string
	fused *regexp.Regexp
}{
	{[]string{"GOOS=linux", "GOARCH=arm64"}, regexp.MustCompile(`\tFN?M(ADD|SUB)[SD]\t`)},
	{[]string{"GOOS=linux", "GOARCH=amd64", "GOAMD64=v3"}, regexp.MustCompile(`\tVFN?M(ADD|SUB)[0-9]*S[SD]\t`)},
}

// fused compiles packages for each target and gives the places, file:line, of this module with fused
// instructions. What is inlined from elsewhere is not counted.
func fused(t *testing.T, packages ...string) (places []string) {
	t.Helper()
	top, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range targets {
		cmd := exec.Command("go", append([]string{"build", "-gcflags=-S"}, packages...)...)
		cmd.Env = append(append(os.Environ(), "CGO_ENABLED=0"), target.env...)
		var listing bytes.Buffer
		cmd.Stdout, cmd.Stderr = &listing, &listing
		if err := cmd.Run(); err != nil {
			complaints := regexp.MustCompile(`(?m)^\S+\.go:\d+:\d+: .*$`).FindAllString(listing.String(), -1)
			t.Fatalf("%v %v: %v\n%s", target.env, cmd.Args, err, strings.Join(complaints, "\n"))
		}
		if !bytes.Contains(listing.Bytes(), []byte("STEXT")) {
			t.Fatalf("%v %v: no assembly listing", target.env, cmd.Args)
		}
		for line := range strings.Lines(listing.String()) {
			if target.fused.MatchString(line) {
				_, after, _ := strings.Cut(line, "(")
				place, _, _ := strings.Cut(after, ")")
				if ours, ok := strings.CutPrefix(place, filepath.ToSlash(top)+"/"); ok {
					places = append(places, ours+" "+strings.Join(target.env, " "))
				}
			}
		}
	}
	slices.Sort(places)
	return slices.Compact(places)
}

func TestNoFusedMultiplyAdd(t *testing.T) {
	for _, p := range fused(t, module+"/shaderkit/...", module+"/render/...") {
		t.Errorf("fused multiply-add at %s: round the product, float32(a*b)", p)
	}
}

func TestFusedIsSeen(t *testing.T) {
	got := fused(t, "./testdata/fused")
	const place = "internal/depcheck/testdata/fused/fused.go"
	want := []string{
		place + ":5 GOOS=linux GOARCH=amd64 GOAMD64=v3",
		place + ":5 GOOS=linux GOARCH=arm64",
		place + ":8 GOOS=linux GOARCH=amd64 GOAMD64=v3",
		place + ":8 GOOS=linux GOARCH=arm64",
		place + ":11 GOOS=linux GOARCH=arm64",
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}
