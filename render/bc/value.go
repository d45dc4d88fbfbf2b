package bc

// valueScale is what values are multiples of: 1/7 and 1/5 of a byte are whole.
const valueScale = 35

// DecodeBC4 decodes a block of 8 bytes of unsigned or signed normalised values to singles.
func DecodeBC4(out *[16]float32, block *[8]byte, signed bool) {
	v := values(block[0], block[1], signed)
	whole := float64(255 * valueScale)
	if signed {
		whole = 127 * valueScale
	}
	for i, index := range indices(block) {
		out[i] = float32(float64(v[index]) / whole)
	}
}

// DecodeBC5 decodes a block of 16 bytes to red and green.
func DecodeBC5(red, green *[16]float32, block *[16]byte, signed bool) {
	DecodeBC4(red, (*[8]byte)(block[:]), signed)
	DecodeBC4(green, (*[8]byte)(block[8:]), signed)
}

// values gives the eight values of a block in units of 1/valueScale of a byte's step.
func values(b0, b1 byte, signed bool) (v [8]int32) {
	x, y, lowest, highest := int32(b0), int32(b1), int32(0), int32(255)
	more := b0 > b1
	if signed {
		x, y, lowest, highest = int32(int8(b0)), int32(int8(b1)), -127, 127
		more = x > y
		x, y = max(x, -127), max(y, -127) // -128 is -1 as well (3.2.3.3)
	}
	v[0], v[1] = x*valueScale, y*valueScale
	if more {
		for k := range int32(6) {
			v[2+k] = ((6-k)*x + (1+k)*y) * (valueScale / 7)
		}
		return v
	}
	for k := range int32(4) {
		v[2+k] = ((4-k)*x + (1+k)*y) * (valueScale / 5)
	}
	v[6], v[7] = lowest*valueScale, highest*valueScale
	return v
}

// indices gives the 3 bits of each texel.
func indices(block *[8]byte) (index [16]uint8) {
	bits := uint64(0)
	for k := range 6 {
		bits |= uint64(block[2+k]) << (8 * k)
	}
	for i := range index {
		index[i] = uint8(bits >> (3 * i) & 7)
	}
	return index
}
