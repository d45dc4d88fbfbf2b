package bc

import "encoding/binary"

// A reader takes bits of a block from the lowest on.
type reader struct{ low, high uint64 }

func read(block *[16]byte) reader {
	return reader{binary.LittleEndian.Uint64(block[:]), binary.LittleEndian.Uint64(block[8:])}
}

// take gives the next n bits, at most 32.
func (r *reader) take(n uint) uint32 {
	v := uint32(r.low & (1<<n - 1))
	r.low = r.low>>n | r.high<<(64-n)
	r.high >>= n
	return v
}

// weights are the parts of 64 that the second endpoint has, by the number of bits of an index.
var weights = [5][]int32{
	2: {0, 21, 43, 64},
	3: {0, 9, 18, 27, 37, 46, 55, 64},
	4: {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64},
}
