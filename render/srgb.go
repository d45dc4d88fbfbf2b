package render

// srgbLowest is the upper half of the bits of 2^-13: what is below gives byte 0.
const srgbLowest = 0x3900

// srgbTables is what programs read: the values of the bytes, then an entry for each upper half h of a
// single from 2^-13 to 1. Of two singles with the same upper half at most one begins a byte, so that
// (entry + lower half) >> 16 is the byte.
var srgbTables = func() []uint32 {
	out := srgbDecode[:len(srgbDecode):len(srgbDecode)]
	k := uint32(0)
	for h := uint32(srgbLowest); h <= 0x3F80; h++ {
		entry := k << 16
		if k < 255 && srgbFirst[k]>>16 == h {
			entry += 0x10000 - srgbFirst[k]&0xFFFF
			k++
		}
		out = append(out, entry)
	}
	return out
}()
