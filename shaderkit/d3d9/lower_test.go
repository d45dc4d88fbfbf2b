package d3d9

import (
	"math/rand/v2"
	"strings"
	"testing"

	"swizzle/shaderkit/isa"
)

// TestLowerCorpus lowers every program of the corpus, in every way that options allow.
func TestLowerCorpus(t *testing.T) {
	n := 0
	for _, s := range corpus(t) {
		p := Decode(s.data, isa.Options{})
		n++
		for _, o := range []isa.LowerOptions{{}, {Mode: ModeIEEE}, {Probe: true}, {Trace: true}, {Probe: true, Trace: true}} {
			q, list := Lower(p, o)
			if err := list.Err(); err != nil {
				t.Errorf("%s: %v", s.name, err)
				break
			}
			if err := q.Verify(); err != nil {
				t.Errorf("%s %+v: %v", s.name, o, err)
				break
			}
		}
	}
	t.Logf("%d programs", n)
}

// TestLowerFlips flips every third bit of every instruction of the hand-written shaders of the corpus,
// which hold every instruction, modifier and kind of flow. What comes out lowers to a program that
// holds, or to errors with a place inside the file.
func TestLowerFlips(t *testing.T) {
	programs, refused := 0, 0
	for _, s := range corpus(t) {
		p := Decode(s.data, isa.Options{})
		if strings.Contains(s.name, "/") {
			continue
		}
		data := append([]byte(nil), s.data...)
		for _, in := range p.Insts {
			if in.Kind == isa.KindComment {
				continue
			}
			for bit := in.Bytes.Off % 3; bit < 8*in.Bytes.Len; bit += 3 {
				at := in.Bytes.Off + bit/8
				data[at] ^= 1 << (bit & 7)
				if lowers(t, data) {
					programs++
				} else {
					refused++
				}
				data[at] ^= 1 << (bit & 7)
				if t.Failed() {
					t.Fatalf("%s: bit %d of byte 0x%X", s.name, bit&7, at)
				}
			}
		}
	}
	t.Logf("%d flips: %d programs, %d refused", programs+refused, programs, refused)
}

// lowers lowers data in the fullest way and checks what comes out; it reports whether that is a program.
func lowers(t *testing.T, data []byte) bool {
	p := Decode(data, isa.Options{})
	q, list := Lower(p, isa.LowerOptions{Probe: true, Trace: true})
	if (q == nil) != list.HasErrors() {
		t.Errorf("a program: %v, errors: %v", q != nil, list)
		return false
	}
	for _, d := range list {
		if d.InText || d.Bytes.Off < 0 || d.Bytes.Len <= 0 && len(data) > 0 || d.Bytes.End() > len(data) || d.Code == "" || d.Message == "" {
			t.Errorf("%+v is no finding about %d bytes", d, len(data))
		}
	}
	if q == nil {
		return false
	}
	if err := q.Verify(); err != nil {
		t.Error(err)
	}
	return true
}

// FuzzLower holds garbage to the same.
func FuzzLower(f *testing.F) {
	for _, s := range corpus(f) {
		f.Add(s.data)
	}
	f.Fuzz(func(t *testing.T, data []byte) { lowers(t, data) })
}

// TestLowerNotesOfCompilerOutput: a compiler writes what it reads, so its shaders get no notes.
func TestLowerNotesOfCompilerOutput(t *testing.T) {
	for _, s := range corpus(t) {
		if !strings.Contains(s.name, "/") {
			continue
		}
		_, list := Lower(Decode(s.data, isa.Options{}), isa.LowerOptions{})
		for _, d := range list {
			t.Errorf("%s: %v", s.name, d)
		}
	}
}

// TestLowerSubsets leaves instructions out of the shaders of the corpus, at random: blocks lose their
// ends, labels their calls, registers their declarations.
func TestLowerSubsets(t *testing.T) {
	programs, refused := 0, 0
	r := rand.New(rand.NewPCG(1, 2))
	for _, s := range corpus(t) {
		p := Decode(s.data, isa.Options{})
		for range 40 {
			var data []byte
			keep := r.IntN(10)
			for _, in := range p.Insts {
				if in.Kind != isa.KindOp && in.Kind != isa.KindComment || in.Kind == isa.KindOp && r.IntN(10) >= keep {
					data = append(data, s.data[in.Bytes.Off:in.Bytes.End()]...)
				}
			}
			if lowers(t, data) {
				programs++
			} else {
				refused++
			}
			if t.Failed() {
				t.Fatalf("%s: % X", s.name, data)
			}
		}
	}
	t.Logf("%d subsets: %d programs, %d refused", programs+refused, programs, refused)
}

// A version that does not exist is told as one of this syntax, unless another encoding has it, and is the one
// thing that lowering says of a program.
func TestUnknownVersionIsNotRun(t *testing.T) {
	p, _, _ := Assemble("vs_9_9\nmov r0, c0\n", isa.Options{Permissive: true})
	if _, found := Lower(p, isa.LowerOptions{}); len(found) != 1 || found[0].Code != "version-not-run" || found[0].Bytes.Off != 0 {
		t.Error(diags("", found))
	}
	if !DetectText("vs_9_9\n") || DetectText("vs_4_0\n") {
		t.Error("vs_9_9 is this syntax, vs_4_0 is not")
	}
}
