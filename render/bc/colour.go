package bc

import "encoding/binary"

// DecodeBC1 decodes a block of 8 bytes; the third colour mode gives transparent black.
func DecodeBC1(out *Texels, block *[8]byte) { colours(out, block, true) }

// DecodeBC2 decodes a block of 16 bytes.
func DecodeBC2(out *Texels, block *[16]byte) {
	colours(out, (*[8]byte)(block[8:]), false)
	alpha := binary.LittleEndian.Uint64(block[:])
	for i := range out {
		out[i][3] = uint8(alpha>>(4*i)&15) * 17
	}
}

// DecodeBC3 decodes a block of 16 bytes. Alpha is rounded to a byte.
func DecodeBC3(out *Texels, block *[16]byte) {
	colours(out, (*[8]byte)(block[8:]), false)
	v := values(block[0], block[1], false)
	for i, index := range indices((*[8]byte)(block[:])) {
		out[i][3] = uint8((2*v[index] + valueScale) / (2 * valueScale))
	}
}

// colours decodes the colours of BC1 to BC3. Only BC1 has blocks of three.
func colours(out *Texels, block *[8]byte, three bool) {
	c0, c1 := binary.LittleEndian.Uint16(block[:]), binary.LittleEndian.Uint16(block[2:])
	a, b := promote(c0), promote(c1)
	palette := [4][4]uint8{{a[0], a[1], a[2], 255}, {b[0], b[1], b[2], 255}, {3: 255}, {3: 255}}
	three = three && c0 <= c1
	for k := range 3 {
		x, y := uint16(a[k]), uint16(b[k])
		if three {
			palette[2][k] = uint8((x + y + 1) / 2)
		} else {
			palette[2][k], palette[3][k] = uint8((2*x+y+1)/3), uint8((x+2*y+1)/3)
		}
	}
	if three {
		palette[3] = [4]uint8{}
	}
	bits := binary.LittleEndian.Uint32(block[4:])
	for i := range out {
		out[i] = palette[bits>>(2*i)&3]
	}
}

// promote widens 5:6:5 bits to bytes by repeating their highest (19.5.3).
func promote(c uint16) [3]uint8 {
	r, g, b := c>>11, c>>5&63, c&31
	return [3]uint8{uint8(r<<3 | r>>2), uint8(g<<2 | g>>4), uint8(b<<3 | b>>2)}
}
