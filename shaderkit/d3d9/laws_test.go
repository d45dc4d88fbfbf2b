package d3d9

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"swizzle/internal/testkit"
	"swizzle/shaderkit/isa"
	"swizzle/shaderkit/source"
)

// first gives the place of the first difference.
func first(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

// tiles reports what is wrong with the tiling of p's data by its instructions and tokens.
func tiles(t testing.TB, name string, p *isa.Program, l *isa.Listing) {
	t.Helper()
	off := 0
	for i, in := range p.Insts {
		if in.Bytes.Off != off || in.Bytes.Len <= 0 {
			t.Fatalf("%s: instruction %d is at %d, want %d", name, i, in.Bytes.Off, off)
		}
		off = in.Bytes.End()
	}
	if off != len(p.Data) {
		t.Fatalf("%s: instructions end at %d of %d", name, off, len(p.Data))
	}
	off = 0
	for _, k := range p.Tokens(l) {
		if k.Offset != off || k.Size < 1 || k.Size > 4 {
			t.Fatalf("%s: token at %d size %d, want offset %d", name, k.Offset, k.Size, off)
		}
		var back uint32
		for _, f := range k.Fields {
			back |= (&isa.Field{Bits: f.Pieces}).Put(0, f.Value)
		}
		if k.Word != nil && back != k.Value {
			t.Fatalf("%s: fields of 0x%08X at %d make 0x%08X", name, k.Value, off, back)
		}
		off += k.Size
	}
	if off != len(p.Data) {
		t.Fatalf("%s: tokens end at %d of %d", name, off, len(p.Data))
	}
}

func diags(text string, l source.List) string {
	var s []string
	for _, d := range l {
		s = append(s, d.Format("", text))
	}
	return strings.Join(s, "\n")
}

func TestNativeTextIsLossless(t *testing.T) {
	n := 0
	for _, s := range shaders(t) {
		p := Decode(s.data, isa.Options{})
		if len(p.Diags) > 0 {
			t.Errorf("%s: %s", s.name, diags("", p.Diags))
		}
		l := PrintFields(p, StyleNative)
		tiles(t, s.name, p, l)
		q, _, found := Assemble(l.Text, isa.Options{})
		if len(found) > 0 {
			t.Errorf("%s: %s", s.name, diags(l.Text, found))
		}
		if !bytes.Equal(q.Data, s.data) {
			t.Errorf("%s: differs at %d", s.name, first(q.Data, s.data))
			continue
		}
		n++
	}
	t.Logf("%d shaders", n)
}

func TestSourcesAssemble(t *testing.T) {
	n := 0
	for _, s := range shaders(t) {
		if s.text == "" {
			continue
		}
		p, _, found := Assemble(s.text, isa.Options{})
		if len(found) > 0 {
			t.Errorf("%s: %s", s.name, diags(s.text, found))
		}
		if !bytes.Equal(p.Data, s.data) {
			i := first(p.Data, s.data)
			t.Errorf("%s: differs at %d", s.name, i)
			continue
		}
		n++
	}
	t.Logf("%d sources", n)
}

// The programs to execute were assembled by Microsoft's tool too.
func TestSamplesAssemble(t *testing.T) {
	f, err := os.Open(filepath.Join(testkit.Shared(t), "corpus", "d3d9", "exec", "samples.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for d := json.NewDecoder(f); d.More(); {
		var s struct {
			ID, Text string
			Binary   []byte
		}
		if err := d.Decode(&s); err != nil {
			t.Fatal(err)
		}
		if !supported(context(binary.LittleEndian.Uint32(s.Binary))) {
			continue
		}
		p, _, found := Assemble(s.Text, isa.Options{})
		if len(found) > 0 {
			t.Errorf("%s: %s", s.ID, diags(s.Text, found))
		}
		if !bytes.Equal(p.Data, s.Binary) {
			t.Errorf("%s: differs at %d", s.ID, first(p.Data, s.Binary))
			continue
		}
		n++
	}
	t.Logf("%d samples", n)
}

// breakLine matches what Microsoft's tool lists for breakp, which is garbled.
var breakLine = regexp.MustCompile(`^break(p |_d8| p|_sat_)`)

// code gives the lines of a listing but those for breakp.
func code(text string) []string {
	var lines []string
	for line := range strings.Lines(strings.TrimSpace(text)) {
		if !breakLine.MatchString(strings.TrimSpace(line)) {
			lines = append(lines, strings.TrimRight(line, "\n"))
		}
	}
	return lines
}

func TestFxcListing(t *testing.T) {
	n := 0
	for _, s := range shaders(t) {
		got, want := code(Print(Decode(s.data, isa.Options{}), StyleFxc).Text), code(s.listing)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: want -, got +\n%s", s.name, diff)
			continue
		}
		n++
	}
	t.Logf("%d listings", n)
}

// The comment lines of Microsoft's listings: the table of constants in front, with types, structs, arrays and
// registers, and the count of slots behind.
func TestCommentLinesOfListings(t *testing.T) {
	comments := func(text string) (all []string) {
		for line := range strings.Lines(text) {
			if line = strings.TrimRight(line, "\r\n"); strings.HasPrefix(strings.TrimSpace(line), "//") {
				all = append(all, line)
			}
		}
		return all
	}
	n, listings := 0, 0
	for _, s := range shaders(t) {
		want := comments(s.listing)
		if diff := cmp.Diff(want, comments(Print(Decode(s.data, isa.Options{}), StyleFxc).Text)); diff != "" {
			t.Errorf("%s: want -, got +\n%s", s.name, diff)
			continue
		}
		n, listings = n+len(want), listings+1
	}
	if t.Logf("%d comment lines of %d listings", n, listings); n < 1000 {
		t.Error("too few lines")
	}
}
