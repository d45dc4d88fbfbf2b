package d3d9

import (
	"bytes"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"swizzle/shaderkit/isa"
)

// flips counts what became of the shaders with one bit changed.
type flips struct {
	all      int            // bits changed
	clean    int            // decoded without a finding
	told     int            // decoded with an error that says what is wrong
	raw      int            // with raw words in the text
	byCode   map[string]int // the first error's code
	problems []string
	had      map[string]bool // lines of the shader as it was
}

// linePair is the text of a line and its bytes.
func linePair(l *isa.Listing, data []byte, i int) string {
	x := &l.Lines[i]
	return l.Text[x.Span.Start:x.Span.End] + "\x00" + string(data[x.Bytes.Off:x.Bytes.End()])
}

// news gives a text of the version line and the lines that are new, and the bytes that it is to give.
func (f *flips) news(l *isa.Listing, data []byte) (text string, want []byte) {
	var t strings.Builder
	for i := range l.Lines {
		x := &l.Lines[i]
		if i == 0 || x.Implicit || x.Bytes.Len == 0 || !f.had[linePair(l, data, i)] {
			t.WriteString(l.Text[x.Span.Start:x.Span.End] + "\n")
			want = append(want, data[x.Bytes.Off:x.Bytes.End()]...)
		}
	}
	return t.String(), want
}

// flipAll changes every bit of a shader in turn. The native text of each must give the changed bytes.
//
// A line of native text makes its bytes by itself, given the version. So of most flips only the lines that the
// shader did not have are assembled; of every sixteenth, and of those of the version word, the whole text is.
func flipAll(s sample) flips {
	f := flips{byCode: map[string]int{}, had: map[string]bool{}}
	l := Print(Decode(s.data, isa.Options{}), StyleNative)
	for i := range l.Lines {
		f.had[linePair(l, s.data, i)] = true
	}
	b := bytes.Clone(s.data)
	for bit := range len(b) * 8 {
		b[bit>>3] ^= 1 << (bit & 7)
		f.one(s.name, b, bit)
		b[bit>>3] ^= 1 << (bit & 7)
	}
	return f
}

func (f *flips) one(name string, b []byte, bit int) {
	problem := func(format string, args ...any) {
		if len(f.problems) < 5 {
			f.problems = append(f.problems, fmt.Sprintf("%s bit %d of byte 0x%X: ", name, bit&7, bit>>3)+fmt.Sprintf(format, args...))
		}
	}
	f.all++
	p := Decode(b, isa.Options{})
	if p.Diags.HasErrors() {
		f.told++
		f.byCode[p.Diags[0].Code]++
	} else {
		f.clean++
	}
	l := Print(p, StyleNative)
	if strings.Contains(l.Text, ".dword") {
		f.raw++
		if !p.Diags.HasErrors() {
			problem("raw words without an error")
		}
	}
	text, want := l.Text, b
	if bit >= 32 && f.all%16 != 0 {
		text, want = f.news(l, b)
	}
	a := &assembler{o: isa.Options{Permissive: true}, list: &isa.Listing{Text: text}}
	a.read(text)
	if !bytes.Equal(a.data, want) {
		problem("the text gives other bytes from 0x%X on: %s", first(a.data, want), text)
	} else if a.diags.HasErrors() {
		problem("%s", diags(text, a.diags))
	}
}

func TestEveryBitFlipSurvivesAsText(t *testing.T) {
	if testing.Short() {
		t.Skip("all bits of all shaders")
	}
	all := flips{byCode: map[string]int{}}
	var mu sync.Mutex
	var wg sync.WaitGroup
	work := make(chan sample)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for s := range work {
				f := flipAll(s)
				mu.Lock()
				all.all += f.all
				all.clean += f.clean
				all.told += f.told
				all.raw += f.raw
				for k, n := range f.byCode {
					all.byCode[k] += n
				}
				all.problems = append(all.problems, f.problems...)
				mu.Unlock()
			}
		})
	}
	for _, s := range shaders(t) {
		work <- s
	}
	close(work)
	wg.Wait()
	t.Logf("%d flips: %d decode clean, %d with an error, %d show raw words; all texts give the flipped bytes unless listed", all.all, all.clean, all.told, all.raw)
	for _, k := range slices.Sorted(maps.Keys(all.byCode)) {
		t.Logf("  %s: %d", k, all.byCode[k])
	}
	for i, p := range all.problems {
		if i == 30 {
			t.Errorf("and %d more", len(all.problems)-i)
			break
		}
		t.Error(p)
	}
}
