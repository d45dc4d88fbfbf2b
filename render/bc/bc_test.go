package bc

import (
	"encoding/hex"
	"os"
	"strings"
	"testing"
)

// TestVectors: a block of each mode of BC7 and BC6H, the reserved ones included.
func TestVectors(t *testing.T) {
	data, err := os.ReadFile("testdata/vectors.txt")
	if err != nil {
		t.Fatal(err)
	}
	modes := map[string]int{}
	for line := range strings.Lines(string(data)) {
		f := strings.Fields(line)
		if f[0] == "#" {
			continue
		}
		block, err := hex.DecodeString(f[1])
		if err != nil {
			t.Fatal(err)
		}
		var got []byte
		if f[0] == "bc7" {
			var x Texels
			DecodeBC7(&x, (*[16]byte)(block))
			for _, c := range x {
				got = append(got, c[:]...)
			}
		} else {
			var x [16][3]uint16
			DecodeBC6H(&x, (*[16]byte)(block), f[0] == "bc6hs")
			for _, c := range x {
				for _, h := range c {
					got = append(got, byte(h), byte(h>>8))
				}
			}
		}
		if hex.EncodeToString(got) != f[2] {
			t.Errorf("%s %s:\n%x, want\n%s", f[0], f[1], got, f[2])
		}
		modes[f[0]]++
	}
	if modes["bc7"] != 9 || modes["bc6h"] != 18 || modes["bc6hs"] != 18 {
		t.Errorf("vectors of %v modes", modes)
	}
}

// TestPartitions: each subset has texels, its anchor among them, and subset 0 the first texel.
func TestPartitions(t *testing.T) {
	seen := map[string]bool{}
	for n := 2; n <= 3; n++ {
		for p := range uint32(64) {
			s := subsets(n, p)
			if len(s) != 16 || s[0] != '0' || seen[s] {
				t.Errorf("partition %d of %d is %q", p, n, s)
			}
			seen[s] = true
			of := []uint8{0, anchorOfTwo[p]}
			if n == 3 {
				of = []uint8{0, anchor1OfThree[p], anchor2OfThree[p]}
			}
			mask := uint16(0)
			for k, a := range of {
				if s[a] != '0'+byte(k) {
					t.Errorf("partition %d of %d: texel %d is not in subset %d", p, n, a, k)
				}
				mask |= 1 << a
			}
			if anchors(n, p) != mask || strings.Trim(s, "012"[:n]) != "" {
				t.Errorf("partition %d of %d: anchors %b, want %b", p, n, anchors(n, p), mask)
			}
		}
	}
}

// TestModes: the fields of each mode fill its block and each other exactly.
func TestModes(t *testing.T) {
	for i, m := range modes7 {
		bits := uint(i) + 1 + m.partition + m.rotation + m.selector
		bits += uint(2*m.subsets) * (3*m.colour + m.alpha)
		if m.pEach {
			bits += uint(2 * m.subsets)
		}
		if m.pShared {
			bits += uint(m.subsets)
		}
		bits += 16*m.index - uint(m.subsets)
		if m.second > 0 {
			bits += 16*m.second - uint(m.subsets)
		}
		if bits != 128 {
			t.Errorf("mode %d of BC7 has %d bits", i, bits)
		}
	}
	count := 0
	for i, m := range modes6 {
		if m == nil {
			continue
		}
		count++
		seen := map[field6]bool{}
		width := [4][4]uint{} // channel, end
		for _, f := range fields6[i] {
			if seen[f] {
				t.Errorf("mode %#x of BC6H has %v twice", i, f)
			}
			seen[f] = true
			width[f.channel][f.end] = max(width[f.channel][f.end], uint(f.bit)+1)
		}
		ends, total := 4, 82
		if width[3][0] == 0 {
			ends, total = 2, 65
		}
		n := 5
		if i < 2 {
			n = 2
		}
		want := 0
		for c := range 3 {
			for e := range ends {
				w := m.base
				if e > 0 {
					w = m.delta[c]
				}
				if width[c][e] != w {
					t.Errorf("mode %#x of BC6H: endpoint %d of channel %d has %d bits, want %d", i, e, c, width[c][e], w)
				}
				want += int(w)
			}
		}
		if ends == 4 {
			want += 5
		}
		if len(fields6[i]) != want || n+want != total {
			t.Errorf("mode %#x of BC6H has %d + %d bits, want %d", i, n, len(fields6[i]), total)
		}
	}
	if count != 14 {
		t.Errorf("%d modes of BC6H", count)
	}
}

// bc1 makes a block; a texel's 2 bits as a digit of base 4, the first texel first.
func bc1(c0, c1 uint16, texels string) (b [8]byte) {
	b = [8]byte{byte(c0), byte(c0 >> 8), byte(c1), byte(c1 >> 8)}
	for i, d := range texels {
		b[4+i/4] |= byte(d-'0') << (2 * (i % 4))
	}
	return b
}

func TestBC1(t *testing.T) {
	const red, blue, grey = 31 << 11, 31, 16<<11 | 32<<5 | 16 // grey promotes to 132, 130, 132
	for _, c := range []struct {
		c0, c1 uint16
		want   [4][4]uint8
	}{
		// four colours: thirds of 255 are 85 and 170
		{red, blue, [4][4]uint8{{255, 0, 0, 255}, {0, 0, 255, 255}, {170, 0, 85, 255}, {85, 0, 170, 255}}},
		// three: the middle is 127.5, and transparent black
		{blue, red, [4][4]uint8{{0, 0, 255, 255}, {255, 0, 0, 255}, {128, 0, 128, 255}, {}}},
		{red, red, [4][4]uint8{{255, 0, 0, 255}, {255, 0, 0, 255}, {255, 0, 0, 255}, {}}},
		// (2*132 + 0)/3 = 88, 130/3 = 43.3, 260/3 = 86.7
		{grey, 0, [4][4]uint8{{132, 130, 132, 255}, {0, 0, 0, 255}, {88, 87, 88, 255}, {44, 43, 44, 255}}},
	} {
		block := bc1(c.c0, c.c1, "0123321012300000")
		var x Texels
		DecodeBC1(&x, &block)
		for i, d := range "0123321012300000" {
			if x[i] != c.want[d-'0'] {
				t.Errorf("%#x %#x texel %d: %v, want %v", c.c0, c.c1, i, x[i], c.want[d-'0'])
			}
		}
	}
}

// TestBC2and3: there are always four colours, and alpha has its own bits.
func TestBC2and3(t *testing.T) {
	colours := bc1(31, 31<<11, "0123000000000000")
	block := [16]byte{0x10, 0xF8}
	copy(block[8:], colours[:])
	var x Texels
	DecodeBC2(&x, &block)
	for i, want := range [4][4]uint8{{0, 0, 255, 0}, {255, 0, 0, 17}, {85, 0, 170, 136}, {170, 0, 85, 255}} {
		if x[i] != want {
			t.Errorf("BC2 texel %d: %v, want %v", i, x[i], want)
		}
	}
	// alphas 200 and 11: codes 0, 1, 2, 7 are 200, 11, (6*200+11)/7 = 173, (200+66)/7 = 38
	block[0], block[1] = 200, 11
	bits := 0 | 1<<3 | 2<<6 | 7<<9
	block[2], block[3] = byte(bits), byte(bits>>8)
	DecodeBC3(&x, &block)
	for i, want := range [4][4]uint8{{0, 0, 255, 200}, {255, 0, 0, 11}, {85, 0, 170, 173}, {170, 0, 85, 38}} {
		if x[i] != want {
			t.Errorf("BC3 texel %d: %v, want %v", i, x[i], want)
		}
	}
}

func TestBC4(t *testing.T) {
	over := func(n, d float64) float32 { return float32(n / d) }
	for _, c := range []struct {
		b0, b1 byte
		signed bool
		want   [8]float32
	}{
		{255, 0, false, [8]float32{1, 0, over(6, 7), over(5, 7), over(4, 7), over(3, 7), over(2, 7), over(1, 7)}},
		{0, 255, false, [8]float32{0, 1, over(1, 5), over(2, 5), over(3, 5), over(4, 5), 0, 1}},
		{51, 51, false, [8]float32{0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0, 1}},
		{127, 129, true, [8]float32{1, -1, over(5, 7), over(3, 7), over(1, 7), over(-1, 7), over(-3, 7), over(-5, 7)}},
		{129, 127, true, [8]float32{-1, 1, over(-3, 5), over(-1, 5), over(1, 5), over(3, 5), -1, 1}},
		// -128 is -1, but the smaller one where they are compared
		{128, 128, true, [8]float32{-1, -1, -1, -1, -1, -1, -1, 1}},
		{129, 128, true, [8]float32{-1, -1, -1, -1, -1, -1, -1, -1}},
	} {
		block := [8]byte{c.b0, c.b1}
		bits := uint64(0)
		for k := range 8 {
			bits |= uint64(k) << (3 * k)
		}
		for k := range 6 {
			block[2+k] = byte(bits >> (8 * k))
		}
		var x [16]float32
		DecodeBC4(&x, &block, c.signed)
		for k, want := range c.want {
			if x[k] != want {
				t.Errorf("%d %d code %d: %v, want %v", c.b0, c.b1, k, x[k], want)
			}
		}
	}
	var red, green [16]float32
	DecodeBC5(&red, &green, &[16]byte{255, 0, 0, 0, 0, 0, 0, 0, 0, 255, 6}, false)
	if red[0] != 1 || green[0] != 0 || green[1] != 0 {
		t.Errorf("BC5 gives %v, %v", red[:2], green[:2])
	}
}

// TestBC6HExtremes: mode 0x03 has whole endpoints of 10 bits; all ones are the largest half, 31/64 of
// 65535 unsigned and 31/32 of 32767 signed; the smallest signed one is its negative.
func TestBC6HExtremes(t *testing.T) {
	var ones [16]byte
	for i := range ones {
		ones[i] = 0xFF
	}
	ones[0] = 0xE3
	var x [16][3]uint16
	DecodeBC6H(&x, &ones, false)
	if x[0] != [3]uint16{0x7BFF, 0x7BFF, 0x7BFF} {
		t.Errorf("%x", x[0])
	}
	// red 0x1FF, green 0x200, blue 0 of endpoint w, which index 0 chooses
	var signed [16]byte
	v := uint64(3) | 0x1FF<<5 | 0x200<<15
	for i := range 8 {
		signed[i] = byte(v >> (8 * i))
	}
	DecodeBC6H(&x, &signed, true)
	if x[0] != [3]uint16{0x7BFF, 0xFBFF, 0} {
		t.Errorf("%x", x[0])
	}
}

// TestBC6HWraps: a difference that leaves the precision wraps within it (19.5.13.7). Mode 0x07 has
// bases of 11 bits and differences of 9: 0x7FF + 1 is 0.
func TestBC6HWraps(t *testing.T) {
	v := uint64(7 | 0x3FF<<5 | 1<<35 | 1<<44)
	var block [16]byte
	for i := range 8 {
		block[i] = byte(v >> (8 * i))
	}
	block[15] = 0xF0 // the last texel has index 15: endpoint x
	var x [16][3]uint16
	DecodeBC6H(&x, &block, false)
	if x[0][0] != 0x7BFF || x[15][0] != 0 {
		t.Errorf("%x", x)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("0123456789abcdef"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 16 {
			return
		}
		b := (*[16]byte)(data)
		var x Texels
		DecodeBC1(&x, (*[8]byte)(data))
		DecodeBC2(&x, b)
		DecodeBC3(&x, b)
		DecodeBC7(&x, b)
		var v [16]float32
		for _, signed := range []bool{false, true} {
			DecodeBC4(&v, (*[8]byte)(data), signed)
			for _, y := range v {
				if !(y >= -1 && y <= 1) {
					t.Fatalf("BC4 of % x gives %v", data[:8], y)
				}
			}
			var h [16][3]uint16
			DecodeBC6H(&h, b, signed)
			for _, c := range h {
				for _, k := range c {
					if k&0x7FFF > 0x7C00 || !signed && k > 0x7BFF {
						t.Fatalf("BC6H of % x gives %#x", data[:16], k)
					}
				}
			}
		}
	})
}
