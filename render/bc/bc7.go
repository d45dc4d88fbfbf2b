package bc

import "math/bits"

// A mode7 is what a mode of BC7 lays out, in this order behind its own bits: partition, rotation,
// index selector, endpoints component by component, p-bits, indices, second indices.
type mode7 struct {
	subsets        int
	partition      uint // bits
	rotation       uint
	selector       uint
	colour, alpha  uint // bits of an endpoint's component; alpha 0: it is 255
	pEach, pShared bool // a p-bit for each endpoint, for each subset
	index, second  uint // bits of an index; second 0: one index for colour and alpha
}

var modes7 = [8]mode7{
	{subsets: 3, partition: 4, colour: 4, pEach: true, index: 3},
	{subsets: 2, partition: 6, colour: 6, pShared: true, index: 3},
	{subsets: 3, partition: 6, colour: 5, index: 2},
	{subsets: 2, partition: 6, colour: 7, pEach: true, index: 2},
	{subsets: 1, rotation: 2, selector: 1, colour: 5, alpha: 6, index: 2, second: 3},
	{subsets: 1, rotation: 2, colour: 7, alpha: 8, index: 2, second: 2},
	{subsets: 1, colour: 7, alpha: 7, pEach: true, index: 4},
	{subsets: 2, partition: 6, colour: 5, alpha: 5, pEach: true, index: 2},
}

// DecodeBC7 decodes a block.
func DecodeBC7(out *Texels, block *[16]byte) {
	*out = Texels{}
	n := bits.TrailingZeros8(block[0])
	if n == 8 {
		return // reserved
	}
	m, r := &modes7[n], read(block)
	r.take(uint(n) + 1)
	partition, rotation, selector := r.take(m.partition), r.take(m.rotation), r.take(m.selector)
	var ends [6][4]uint32
	used := ends[:2*m.subsets]
	m.endpoints(&r, used)

	subset, anchor := subsets(m.subsets, partition), anchors(m.subsets, partition)
	indices := func(n uint) (index [16]uint32) {
		for i := range index {
			index[i] = r.take(n - uint(anchor>>i&1))
		}
		return index
	}
	colour := indices(m.index)
	alpha, colourBits, alphaBits := colour, m.index, m.index
	if m.second > 0 {
		alpha, alphaBits = indices(m.second), m.second
	}
	if selector == 1 {
		colour, alpha, colourBits, alphaBits = alpha, colour, alphaBits, colourBits
	}
	for i := range out {
		e0, e1 := &used[2*(subset[i]-'0')], &used[2*(subset[i]-'0')+1]
		for k := range out[i] {
			w := weights[colourBits][colour[i]]
			if k == 3 {
				w = weights[alphaBits][alpha[i]]
			}
			out[i][k] = uint8((int32(e0[k])*(64-w) + int32(e1[k])*w + 32) >> 6)
		}
		if rotation > 0 {
			c := &out[i]
			c[3], c[rotation-1] = c[rotation-1], c[3]
		}
	}
}

// endpoints reads endpoints and widens them to bytes.
func (m *mode7) endpoints(r *reader, ends [][4]uint32) {
	width := [4]uint{m.colour, m.colour, m.colour, m.alpha}
	for k, n := range width {
		for e := range ends {
			ends[e][k] = r.take(n)
		}
	}
	if m.pEach || m.pShared {
		var p uint32
		for e := range ends {
			if m.pEach || e&1 == 0 {
				p = r.take(1)
			}
			for k := range ends[e] {
				ends[e][k] = ends[e][k]<<1 | p
			}
		}
		for k := range width {
			width[k]++
		}
	}
	for e := range ends {
		for k, n := range width {
			v := ends[e][k] << (8 - n)
			ends[e][k] = v | v>>n
		}
		if m.alpha == 0 {
			ends[e][3] = 255
		}
	}
}
