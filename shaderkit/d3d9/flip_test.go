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
}

// flipAll changes every bit of a shader in turn. The native text of each must give the changed bytes.
func flipAll(s sample) flips {
	f := flips{byCode: map[string]int{}}
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
	a := &assembler{o: isa.Options{Permissive: true}, list: &isa.Listing{Text: l.Text}}
	a.read(l.Text)
	if !bytes.Equal(a.data, b) {
		i := first(a.data, b)
		line := ""
		if k := l.LineOf(i); k >= 0 {
			line = l.Text[l.Lines[k].Span.Start:l.Lines[k].Span.End]
		}
		problem("the text gives other bytes from 0x%X on: %s", i, line)
	} else if a.diags.HasErrors() {
		problem("%s", diags(l.Text, a.diags))
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
