package interp

import (
	"math"
	"math/bits"

	"swizzle/shaderkit/exec"
)

// waveLanes is the width of a wave.
const waveLanes = 8

// Words of a triangle record: its box in pixels.
const (
	boxX0 = iota
	boxY0
	boxX1
	boxY1
)

const blocks = exec.TileSize / exec.BlockSize

// A batch is what was packed so far.
type batch struct {
	code   *code
	q      int    // quads
	live   uint64 // covered lanes
	filled int    // quads that know what their triangle shares
	lanes  uint64 // covered lanes of the job

	// Pixels that the batch covers, in storage order, of the blocks it touches.
	taken   [blocks * blocks]uint64
	touched []uint32

	// The current triangle.
	record int
	box    box
	at     uint32 // where its record begins
	ready  bool   // what it shares is computed
	spread int    // quads, from 0, whose registers hold that already

	picked int // lane of the pick, -1 when it is not in the batch
	of     int // its triangle record
}

// tile runs a tile job and gives the number of lanes that were covered.
//
// Blocks of a triangle are covered one by one, and their covered quads packed into batches. Small
// triangles share a batch when the program allows it (order.go), as long as they cover no pixel
// twice: so that a mesh of tiny triangles fills the lanes, too.
func (k *kernel) tile(c *code) uint64 {
	v, b := &k.v, &k.batch
	*b = batch{code: c, picked: -1, touched: b.touched[:0]}
	job := uint64(v.desc / 4)
	count := uint64(v.word(job + exec.JobCount))
	at, stride := uint64(v.word(job+exec.JobFirst)/4), uint64(v.word(job+exec.JobStride))
	for r := uint64(0); r < count && at < uint64(len(v.mem)); r++ {
		v.tri = v.mem[at:]
		b.record, b.at, b.ready, b.spread = int(r), uint32(at), false, 0
		at += stride
		b.box = box{v.triWord(boxX0), v.triWord(boxY0), min(v.triWord(boxX1), exec.TileSize), min(v.triWord(boxY1), exec.TileSize)}
		if b.box.x0 < b.box.x1 {
			for y := b.box.y0 &^ (exec.BlockSize - 1); y < b.box.y1; y += exec.BlockSize {
				for x := b.box.x0 &^ (exec.BlockSize - 1); x < b.box.x1; x += exec.BlockSize {
					k.block(x, y)
				}
			}
		}
		if c.shares {
			k.settle()
		} else {
			k.flush()
		}
	}
	k.flush()
	return b.lanes
}

// A box is a rectangle of pixels, x1 and y1 excluded.
type box struct{ x0, y0, x1, y1 uint32 }

// mask gives the pixels of the block at (x, y), which the box meets, that lie inside, in storage order.
func (o *box) mask(x, y uint32) uint64 {
	m := uint64(math.MaxUint64)
	if o.x0 > x {
		m &^= leftOf[o.x0-x]
	}
	if o.x1 < x+exec.BlockSize {
		m &= leftOf[o.x1-x]
	}
	if o.y0 > y {
		m &^= above[o.y0-y]
	}
	if o.y1 < y+exec.BlockSize {
		m &= above[o.y1-y]
	}
	return m
}

// leftOf and above give the pixels of a block, in storage order, left of a column and above a row.
var leftOf, above = func() (l, a [exec.BlockSize]uint64) {
	for i := range maxLanes {
		for k := range uint32(exec.BlockSize) {
			if quadX[i/4][i%4] < k {
				l[k] |= 1 << i
			}
			if quadY[i/4][i%4] < k {
				a[k] |= 1 << i
			}
		}
	}
	return
}()

// block covers the block at (x, y) and packs it.
func (k *kernel) block(x, y uint32) {
	b := &k.batch
	if b.code.o.strict {
		k.blockInOrder(x, y)
		return
	}
	m := k.covered(x, y, 0, maxQuads)
	if m == 0 {
		return
	}
	number := y/exec.BlockSize*blocks + x/exec.BlockSize
	taken := &b.taken[number]
	if *taken&m != 0 {
		k.flush()
	}
	k.pack(x, y, m)
	if b.code.shares && b.q > 0 {
		if *taken == 0 {
			b.touched = append(b.touched, number)
		}
		*taken |= m
	}
}

// quadX and quadY are the pixels of a block in storage order.
var quadX, quadY = func() (x, y lanes) {
	for i := range maxLanes {
		x[i/4][i%4] = uint32(i/4%4*2 + i%2)
		y[i/4][i%4] = uint32(i/16*2 + i/2%2)
	}
	return
}()

// blockInOrder runs the waves of a block one after the other.
func (k *kernel) blockInOrder(x, y uint32) {
	for q := 0; q < maxQuads; q += waveLanes / quadLanes {
		if m := k.covered(x, y, q, q+waveLanes/quadLanes); m != 0 {
			k.pack(x, y, m)
			k.flush()
		}
	}
}

// covered gives the pixels of the box that the triangle covers, in storage order, of quads from up to to
// of the block at (x, y).
func (k *kernel) covered(x, y uint32, from, to int) uint64 {
	v, c := &k.v, k.batch.code
	part := firstLanes((to-from)*quadLanes) << (uint(from*quadLanes) & 63) & k.batch.box.mask(x, y)
	switch {
	case c.cover == nil:
		return part
	case c.edges >= 0:
		return part & v.edges(uint64(c.edges), int32(x), int32(y))
	}
	k.share(0, to-from)
	for i := range to - from {
		for j := range quadLanes {
			c.preX[i][j] = quadX[from+i][j] + x
			c.preY[i][j] = quadY[from+i][j] + y
		}
	}
	all := firstLanes((to - from) * quadLanes)
	v.begin(to-from, all, all)
	v.run(c.insts, c.pre)
	return part & (bitsOf(c.cover, to-from) << (uint(from*quadLanes) & 63))
}

// edges gives the pixels of the block at (x, y) inside the edges at word i of the triangle record.
func (v *vm) edges(i uint64, x, y int32) uint64 {
	var a, b, e, most [3]int32 // most: what a pixel of a quad adds to e at most
	inside, wraps := true, false
	for k := range a {
		a[k], b[k] = int32(v.triWord(i+3*uint64(k))), int32(v.triWord(i+3*uint64(k)+1))
		c := int32(v.triWord(i + 3*uint64(k) + 2))
		e[k] = a[k]*x + b[k]*y + c
		// The extremes are at corners. Where 32 bits might wrap, every pixel is computed.
		at := int64(a[k])*int64(x) + int64(b[k])*int64(y) + int64(c)
		da, db := int64(a[k])*(exec.BlockSize-1), int64(b[k])*(exec.BlockSize-1)
		lo, hi := at+min(da, 0)+min(db, 0), at+max(da, 0)+max(db, 0)
		most[k] = max(a[k], 0) + max(b[k], 0)
		switch {
		case lo < math.MinInt32 || hi > math.MaxInt32:
			inside, wraps = false, true
		case hi < 0:
			return 0
		case lo < 0:
			inside = false
		}
	}
	if inside {
		return math.MaxUint64
	}
	var m uint64
	for q := range uint(maxQuads) {
		qx, qy := int32(q%4*2), int32(q/4*2)
		e0, e1, e2 := e[0]+a[0]*qx+b[0]*qy, e[1]+a[1]*qx+b[1]*qy, e[2]+a[2]*qx+b[2]*qy
		if (e0+most[0])|(e1+most[1])|(e2+most[2]) < 0 && !wraps {
			continue
		}
		out := uint32(e0|e1|e2)>>31 |
			uint32((e0+a[0])|(e1+a[1])|(e2+a[2]))>>30&2 |
			uint32((e0+b[0])|(e1+b[1])|(e2+b[2]))>>29&4 |
			uint32((e0+a[0]+b[0])|(e1+a[1]+b[1])|(e2+a[2]+b[2]))>>28&8
		m |= uint64(15&^out) << (q * quadLanes)
	}
	return m
}

// pack adds the quads of a block with covered pixels m to the batch. (x, y) is the block's left top.
func (k *kernel) pack(x, y uint32, m uint64) {
	b := &k.batch
	c := b.code
	var pick uint64
	if k.v.rec != nil {
		p := k.v.rec.pick
		if uint32(p.X)&^(exec.BlockSize-1) == x && uint32(p.Y)&^(exec.BlockSize-1) == y {
			pick = m & (1 << uint(exec.TileIndex(p.X, p.Y)%maxLanes))
		}
	}
	b.lanes += uint64(bits.OnesCount64(m))
	for m != 0 {
		q := bits.TrailingZeros64(m) / quadLanes
		n := b.q & (maxQuads - 1)
		qx, qy := x+uint32(q&3)*2, y+uint32(q>>2)*2
		c.x[n] = [quadLanes]uint32{qx, qx + 1, qx, qx + 1}
		c.y[n] = [quadLanes]uint32{qy, qy, qy + 1, qy + 1}
		shift := uint(q*quadLanes) & 63
		b.live |= m >> shift & 15 << (uint(n*quadLanes) & 63)
		if pick>>shift&15 != 0 {
			b.picked, b.of = n*quadLanes+bits.TrailingZeros64(pick)%quadLanes, b.record
		}
		m &^= 15 << shift
		if b.q++; b.q == maxQuads {
			k.flush()
		}
	}
}

// share gives quads from up to to what their lanes share as parts of the current triangle.
func (k *kernel) share(from, to int) {
	v, b := &k.v, &k.batch
	if !b.ready {
		v.shared()
		for i := range b.code.tri {
			b.code.tri[i].row(v, &b.code.tri[i])
		}
		b.ready = true
	}
	if from == 0 {
		// Most often, full batches of one triangle follow one another.
		from = min(b.spread, to)
		b.spread = max(b.spread, to)
	}
	for i := from; i < to; i++ {
		v.at[i] = b.at
	}
	b.code.triOut.spread(from, to)
}

// settle shares with the quads that were packed since.
func (k *kernel) settle() {
	if b := &k.batch; b.q > b.filled {
		k.share(b.filled, b.q)
		b.filled = b.q
	}
}

// flush runs the batch.
func (k *kernel) flush() {
	v, b := &k.v, &k.batch
	if b.q == 0 {
		return
	}
	k.settle()
	v.begin(b.q, firstLanes(b.q*quadLanes), b.live)
	if b.picked >= 0 {
		lane := uint(b.picked)
		v.rec.open(v, b.of, quadLanes, lane&^(quadLanes-1), lane)
	}
	v.run(b.code.insts, b.code.main)
	if b.picked >= 0 {
		v.rec.close(v)
	}
	b.q, b.live, b.filled, b.picked = 0, 0, 0, -1
	for _, i := range b.touched {
		b.taken[i] = 0
	}
	b.touched = b.touched[:0]
}
