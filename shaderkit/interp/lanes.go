package interp

import (
	"math/bits"
	"unsafe"
)

// maxLanes is the width of a batch, quadLanes that of a quad.
const (
	maxLanes  = 64
	quadLanes = 4
	maxQuads  = maxLanes / quadLanes
)

// lanes is a register of 32 bits in all lanes of a batch, lanes64 one of 64 bits. Lane i is element
// i%4 of quad i/4.
type (
	lanes   [maxQuads][quadLanes]uint32
	lanes64 [maxQuads][quadLanes]uint64
)

// floats views the first q quads of r as floats. The view is worth an unsafe pointer: bit casts
// around each operation cost a factor of 2.3 natively and in js/wasm.
func floats(r *lanes, q int) [][quadLanes]float32 {
	return (*[maxQuads][quadLanes]float32)(unsafe.Pointer(r))[:q]
}

// doubles views the first q quads of r as doubles.
func doubles(r *lanes64, q int) [][quadLanes]float64 {
	return (*[maxQuads][quadLanes]float64)(unsafe.Pointer(r))[:q]
}

// words gives the first q quads of r.
func words(r *lanes, q int) [][quadLanes]uint32 { return r[:q] }

// longs gives the first q quads of r.
func longs(r *lanes64, q int) [][quadLanes]uint64 { return r[:q] }

// mask gives ~0 for true, 0 for false.
func mask(c bool) uint32 {
	var x uint32
	if c {
		x = 1
	}
	return -x
}

// bitsOf gives the sign bits of the first q quads of r, lane 0 lowest: a mask register as a number.
func bitsOf(r *lanes, q int) uint64 {
	var m uint64
	for i := range words(r, q) {
		w := &r[i&(maxQuads-1)]
		b := w[0]>>31 | w[1]>>30&2 | w[2]>>29&4 | w[3]>>28&8
		m |= uint64(b) << (uint(i) * quadLanes & 63)
	}
	return m
}

// firstLanes gives the mask of the first n lanes.
func firstLanes(n int) uint64 {
	if n >= maxLanes {
		return ^uint64(0)
	}
	return 1<<uint(n) - 1
}

// blend copies the lanes in m from s to d.
func (d *lanes) blend(s *lanes, m uint64) {
	for ; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		d[i>>2&(maxQuads-1)][i&3] = s[i>>2&(maxQuads-1)][i&3]
	}
}

func (d *lanes64) blend(s *lanes64, m uint64) {
	for ; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		d[i>>2&(maxQuads-1)][i&3] = s[i>>2&(maxQuads-1)][i&3]
	}
}

// broadcast gives lanes from quad `from` up to quad `to` the value of lane 0.
func (d *lanes) broadcast(from, to int) {
	x := d[0][0]
	for i := from; i < to; i++ {
		d[i&(maxQuads-1)] = [quadLanes]uint32{x, x, x, x}
	}
}

func (d *lanes64) broadcast(from, to int) {
	x := d[0][0]
	for i := from; i < to; i++ {
		d[i&(maxQuads-1)] = [quadLanes]uint64{x, x, x, x}
	}
}

// wide widens a mask to 64 bits.
func wide(m uint32) uint64 { return uint64(m) | uint64(m)<<32 }
