package render

import (
	"math"
	"math/big"
	"testing"
)

// The tables hold against the definition of 11.3 3.2.3.7 and 3.2.3.8 in exact arithmetic: c is less than
// ((s + 0.055) / 1.055)^2.4 when c^5 is less than the twelfth power.
func TestSRGBTables(t *testing.T) {
	single := func(bits uint32) *big.Rat { return new(big.Rat).SetFloat64(float64(math.Float32frombits(bits))) }
	pow := func(x *big.Rat, n int) *big.Rat {
		r := big.NewRat(1, 1)
		for range n {
			r.Mul(r, x)
		}
		return r
	}
	// below tells whether c is less than the linear value of s.
	below := func(c, s *big.Rat) bool {
		if s.Cmp(big.NewRat(4045, 100000)) <= 0 {
			return new(big.Rat).Mul(c, big.NewRat(1292, 100)).Cmp(s) < 0
		}
		x := new(big.Rat).Add(s, big.NewRat(55, 1000))
		return pow(c, 5).Cmp(pow(x.Quo(x, big.NewRat(1055, 1000)), 12)) < 0
	}
	for k, first := range srgbFirst {
		s := big.NewRat(int64(2*k+1), 510)
		if !below(single(first-1), s) || below(single(first), s) {
			t.Errorf("byte %d does not begin at %08X", k+1, first)
		}
	}
	for k, bits := range srgbDecode {
		s := big.NewRat(int64(k), 255)
		middle := func(a, b uint32) *big.Rat {
			m := new(big.Rat).Add(single(a), single(b))
			return m.Quo(m, big.NewRat(2, 1))
		}
		if k > 0 && !below(middle(bits-1, bits), s) || below(middle(bits, bits+1), s) {
			t.Errorf("%08X is not the single nearest to byte %d", bits, k)
		}
	}
	tables := srgbTables
	for k, first := range srgbFirst {
		for i, bits := range []uint32{first - 1, first} {
			entry := tables[256+bits>>16-srgbLowest]
			if got := (entry + bits&0xFFFF) >> 16; got != uint32(k+i) {
				t.Errorf("%08X gives byte %d, want %d", bits, got, k+i)
			}
		}
	}
	if got := tables[len(tables)-1] >> 16; got != 255 || len(tables) != 256+0x3F80-srgbLowest+1 {
		t.Errorf("1 gives byte %d, %d words", got, len(tables))
	}
}
