package jit

import (
	"math/rand/v2"
	"testing"
)

// A set of ranges holds what a plain set of words holds, and its ranges stay in order and apart.
func TestRanges(t *testing.T) {
	const words = 64
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		var s ranges
		var want [words]bool
		for range 60 {
			from := r.IntN(words)
			x := wordRange{from, from + r.IntN(words-from+1)}
			if r.IntN(2) == 0 {
				s.add(x)
				for i := x.from; i < x.to; i++ {
					want[i] = true
				}
			} else {
				var told [words]bool
				s.remove(x, func(y wordRange) {
					for i := y.from; i < y.to; i++ {
						told[i] = true
					}
				})
				for i := range want {
					in := want[i] && x.from <= i && i < x.to
					if told[i] != in {
						t.Fatalf("seed %d: removing %v tells of word %d: %t", seed, x, i, told[i])
					}
					want[i] = want[i] && !in
				}
			}
			var got [words]bool
			last := -1
			for _, y := range s {
				if y.from <= last || y.from >= y.to {
					t.Fatalf("seed %d: %v", seed, s)
				}
				last = y.to
				for i := y.from; i < y.to; i++ {
					got[i] = true
				}
			}
			if got != want {
				t.Fatalf("seed %d: %v, want %v", seed, s, want)
			}
		}
	}
}
