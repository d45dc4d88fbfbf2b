package bc

// A mode6 is the layout of a mode of BC6H behind its own bits (19.5.13.5), and its precisions.
//
// A field of the layout is a channel r, g, b and an endpoint w, x, y, z (the first of the first
// region, its second, and those of the second region), then the bits of it that follow one another:
// from-to, in the order they lie in the block. d is the partition.
type mode6 struct {
	layout string
	base   uint    // bits of w
	delta  [3]uint // bits of the others in red, green, blue
	plain  bool    // the others are no differences
}

// modes6 by the mode's own bits: two, or five where their low two are more than 1.
var modes6 = [32]*mode6{
	0x00: {layout: "gy4 by4 bz4 rw0-9 gw0-9 bw0-9 rx0-4 gz4 gy0-3 gx0-4 bz0 gz0-3 bx0-4 bz1 by0-3 ry0-4 bz2 rz0-4 bz3 d0-4", base: 10, delta: [3]uint{5, 5, 5}},
	0x01: {layout: "gy5 gz4 gz5 rw0-6 bz0 bz1 by4 gw0-6 by5 bz2 gy4 bw0-6 bz3 bz5 bz4 rx0-5 gy0-3 gx0-5 gz0-3 bx0-5 by0-3 ry0-5 rz0-5 d0-4", base: 7, delta: [3]uint{6, 6, 6}},
	0x02: {layout: "rw0-9 gw0-9 bw0-9 rx0-4 rw10 gy0-3 gx0-3 gw10 bz0 gz0-3 bx0-3 bw10 bz1 by0-3 ry0-4 bz2 rz0-4 bz3 d0-4", base: 11, delta: [3]uint{5, 4, 4}},
	0x06: {layout: "rw0-9 gw0-9 bw0-9 rx0-3 rw10 gz4 gy0-3 gx0-4 gw10 gz0-3 bx0-3 bw10 bz1 by0-3 ry0-3 bz0 bz2 rz0-3 gy4 bz3 d0-4", base: 11, delta: [3]uint{4, 5, 4}},
	0x0A: {layout: "rw0-9 gw0-9 bw0-9 rx0-3 rw10 by4 gy0-3 gx0-3 gw10 bz0 gz0-3 bx0-4 bw10 by0-3 ry0-3 bz1 bz2 rz0-3 bz4 bz3 d0-4", base: 11, delta: [3]uint{4, 4, 5}},
	0x0E: {layout: "rw0-8 by4 gw0-8 gy4 bw0-8 bz4 rx0-4 gz4 gy0-3 gx0-4 bz0 gz0-3 bx0-4 bz1 by0-3 ry0-4 bz2 rz0-4 bz3 d0-4", base: 9, delta: [3]uint{5, 5, 5}},
	0x12: {layout: "rw0-7 gz4 by4 gw0-7 bz2 gy4 bw0-7 bz3 bz4 rx0-5 gy0-3 gx0-4 bz0 gz0-3 bx0-4 bz1 by0-3 ry0-5 rz0-5 d0-4", base: 8, delta: [3]uint{6, 5, 5}},
	0x16: {layout: "rw0-7 bz0 by4 gw0-7 gy5 gy4 bw0-7 gz5 bz4 rx0-4 gz4 gy0-3 gx0-5 gz0-3 bx0-4 bz1 by0-3 ry0-4 bz2 rz0-4 bz3 d0-4", base: 8, delta: [3]uint{5, 6, 5}},
	0x1A: {layout: "rw0-7 bz1 by4 gw0-7 by5 gy4 bw0-7 bz5 bz4 rx0-4 gz4 gy0-3 gx0-4 bz0 gz0-3 bx0-5 by0-3 ry0-4 bz2 rz0-4 bz3 d0-4", base: 8, delta: [3]uint{5, 5, 6}},
	0x1E: {layout: "rw0-5 gz4 bz0 bz1 by4 gw0-5 gy5 by5 bz2 gy4 bw0-5 gz5 bz3 bz5 bz4 rx0-5 gy0-3 gx0-5 gz0-3 bx0-5 by0-3 ry0-5 rz0-5 d0-4", base: 6, delta: [3]uint{6, 6, 6}, plain: true},
	0x03: {layout: "rw0-9 gw0-9 bw0-9 rx0-9 gx0-9 bx0-9", base: 10, delta: [3]uint{10, 10, 10}, plain: true},
	0x07: {layout: "rw0-9 gw0-9 bw0-9 rx0-8 rw10 gx0-8 gw10 bx0-8 bw10", base: 11, delta: [3]uint{9, 9, 9}},
	0x0B: {layout: "rw0-9 gw0-9 bw0-9 rx0-7 rw11-10 gx0-7 gw11-10 bx0-7 bw11-10", base: 12, delta: [3]uint{8, 8, 8}},
	0x0F: {layout: "rw0-9 gw0-9 bw0-9 rx0-3 rw15-10 gx0-3 gw15-10 bx0-3 bw15-10", base: 16, delta: [3]uint{4, 4, 4}},
}

// A field6 is a bit of a block: where it goes.
type field6 struct {
	channel, end uint8 // channel 3: the partition
	bit          uint8
}

// fields6 are the layouts bit by bit.
var fields6 = func() (all [32][]field6) {
	number := func(s string) (n uint8, rest string) {
		for len(s) > 0 && '0' <= s[0] && s[0] <= '9' {
			n, s = 10*n+s[0]-'0', s[1:]
		}
		return n, s
	}
	for i, m := range modes6 {
		if m == nil {
			continue
		}
		for s := m.layout; s != ""; {
			f := field6{channel: 3}
			if s[0] != 'd' {
				f.channel = map[byte]uint8{'r': 0, 'g': 1, 'b': 2}[s[0]]
				s = s[1:]
				f.end = s[0] - 'w'
			}
			f.bit, s = number(s[1:])
			to := f.bit
			if s != "" && s[0] == '-' {
				to, s = number(s[1:])
			}
			for {
				all[i] = append(all[i], f)
				if f.bit == to {
					break
				}
				if f.bit < to {
					f.bit++
				} else {
					f.bit--
				}
			}
			if s != "" {
				s = s[1:]
			}
		}
	}
	return
}()

// DecodeBC6H decodes a block to half floats, of positive numbers or signed ones.
func DecodeBC6H(out *[16][3]uint16, block *[16]byte, signed bool) {
	*out = [16][3]uint16{}
	r := read(block)
	number := r.take(2)
	if number > 1 {
		number |= r.take(3) << 2
	}
	m := modes6[number]
	if m == nil {
		return // reserved
	}
	var ends [4][3]int32
	partition, regions, index := uint32(0), 1, uint(4)
	for _, f := range fields6[number] {
		b := r.take(1)
		if f.channel == 3 {
			partition |= b << f.bit
			regions, index = 2, 3
		} else {
			ends[f.end][f.channel] |= int32(b) << f.bit
		}
	}
	for k := range 3 {
		m.endpoints(&ends, k, signed)
	}
	subset, anchor := subsets(regions, partition), anchors(regions, partition)
	for i := range out {
		w := weights[index][r.take(index-uint(anchor>>i&1))]
		pair := ends[2*(subset[i]-'0'):]
		for k := range out[i] {
			out[i][k] = half((pair[0][k]*(64-w)+pair[1][k]*w+32)>>6, signed)
		}
	}
}

// endpoints makes one channel of the endpoints numbers of the full range.
func (m *mode6) endpoints(ends *[4][3]int32, k int, signed bool) {
	extend := func(v int32, n uint) int32 { return v << (32 - n) >> (32 - n) }
	w := ends[0][k]
	if signed {
		w = extend(w, m.base)
	}
	for e := range ends {
		v := w
		if e > 0 {
			v = ends[e][k]
			if signed || !m.plain {
				v = extend(v, m.delta[k])
			}
			if !m.plain {
				v = (v + w) & (1<<m.base - 1)
				if signed {
					v = extend(v, m.base)
				}
			}
		}
		ends[e][k] = unquantize(v, m.base, signed)
	}
}

// unquantize widens n bits to 16 (19.5.13.9).
func unquantize(v int32, n uint, signed bool) int32 {
	if !signed {
		switch {
		case n >= 15 || v == 0:
			return v
		case v == 1<<n-1:
			return 0xFFFF
		}
		return (v<<16 + 0x8000) >> n
	}
	if n >= 16 {
		return v
	}
	negative := v < 0
	if negative {
		v = -v
	}
	switch {
	case v == 0:
	case v >= 1<<(n-1)-1:
		v = 0x7FFF
	default:
		v = (v<<15 + 0x4000) >> (n - 1)
	}
	if negative {
		v = -v
	}
	return v
}

// half scales a number to the bits of a half float (19.5.13.10).
func half(v int32, signed bool) uint16 {
	if !signed {
		return uint16(v * 31 >> 6)
	}
	if v < 0 {
		if h := uint16(-v * 31 >> 5); h > 0 { // there is no -0
			return 0x8000 | h
		}
		return 0
	}
	return uint16(v * 31 >> 5)
}
