package interp

import (
	"math/bits"
	"slices"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// An order decides whether the waves of a batch may run side by side: no wave may read or write what
// another wave of the batch writes.
//
// Proved when the program is compiled: through a record that it stores through, each item or pixel
// reaches words of its own. Checked for each job: what it stores to overlaps nothing else it reads
// or writes.
type order struct {
	never   bool // nothing could be proved
	stored  []*lanes
	read    []*lanes // records read and not stored through
	samples []uint64 // resources
	strides []stride
}

// A stride is what must hold in a linear job: words from k up to k+span belong to one item when the
// next item's words are factor*scale bytes behind.
type stride struct {
	factor uint32
	scale  *lanes // nil: 1
	span   uint32
}

// findOrder analyses the accesses of the program.
func (f *flattener) findOrder(e *emitter) order {
	if len(f.stores) == 0 && !f.wildStore {
		return order{}
	}
	if f.wildStore || f.wildLoad {
		return order{never: true}
	}
	var o order
	var done []val
	for _, s := range f.stores {
		if slices.Contains(done, s.record) {
			continue
		}
		done = append(done, s.record)
		var offsets []val
		for _, x := range slices.Concat(f.stores, f.loads) {
			if x.record == s.record {
				offsets = append(offsets, x.offset)
			}
		}
		if f.p.Kind == ir.Tile {
			o.never = o.never || !f.ownPixels(offsets)
		} else {
			s, ok := f.ownItems(offsets, e)
			o.never = o.never || !ok
			o.strides = append(o.strides, s)
		}
		o.stored = append(o.stored, e.reg(s.record))
	}
	for _, l := range f.loads {
		if f.vals[l.record].uses > 0 && !slices.Contains(done, l.record) {
			done = append(done, l.record)
			o.read = append(o.read, e.reg(l.record))
		}
	}
	for _, r := range f.samples {
		if !slices.Contains(o.samples, uint64(r)) {
			o.samples = append(o.samples, uint64(r))
		}
	}
	return o
}

// free reports whether the waves of the job may run side by side.
func (o *order) free(v *vm) bool {
	if o.never {
		return false
	}
	for _, s := range o.strides {
		n := s.factor
		if s.scale != nil {
			n *= s.scale[0][0]
		}
		if n%4 != 0 || n <= s.span || n > 1<<24 {
			return false
		}
	}
	for i, r := range o.stored {
		base, size := v.extent(r[0][0])
		apart := func(rec uint32) bool {
			b, n := v.extent(rec)
			return size == 0 || n == 0 || b+n <= base || base+size <= b
		}
		for _, q := range o.stored[:i] {
			if !apart(q[0][0]) {
				return false
			}
		}
		for _, q := range o.read {
			if !apart(q[0][0]) {
				return false
			}
		}
		for _, q := range o.samples {
			if !apart(record(v.desc, q)) {
				return false
			}
		}
	}
	return true
}

// extent gives the place and size in bytes of the resource whose record is at byte address rec.
func (v *vm) extent(rec uint32) (base, size uint64) {
	r := uint64(rec / 4)
	return uint64(v.word(r+exec.RecBase)) &^ 3, uint64(v.word(r + exec.RecSize))
}

// An offset is a sum: bits that come from the coordinates of the pixel, or a multiple of the item,
// and values that the whole job shares.
type offset struct {
	bits   [32]int8 // tile: what each bit is: zero, one, or a bit of x (from 0) or y (from bitY)
	factor uint32   // linear: of the item
	scale  val      // linear: shared factor of the item besides, -1 without
	k      uint32   // linear: constant term
	shared []val    // other terms, sorted
}

const (
	bitZero int8 = -1
	bitOne  int8 = -2
	bitY    int8 = 8
)

func constant(k uint32) (o offset) {
	o.scale, o.k = -1, k
	for i := range o.bits {
		o.bits[i] = bitZero
		if k>>i&1 != 0 {
			o.bits[i] = bitOne
		}
	}
	return o
}

// A form is what offsetOf found out about a value.
type form struct {
	offset
	ok bool
}

// offsetOf gives the form of v, if it has one.
func (f *flattener) offsetOf(v val) (o offset, ok bool) {
	known, done := f.forms[v]
	if !done {
		known.offset, known.ok = f.formOf(v)
		f.forms[v] = known
	}
	return known.offset, known.ok
}

func (f *flattener) formOf(v val) (o offset, ok bool) {
	x := &f.vals[v]
	switch {
	case x.op == ir.LaneX || x.op == ir.LaneY:
		o = constant(0)
		for i := range int8(6) {
			if o.bits[i] = i; x.op == ir.LaneY {
				o.bits[i] = i + bitY
			}
		}
		return o, true
	case v == valItem:
		o = constant(0)
		o.factor = 1
		return o, true
	case x.op == ir.Const:
		return constant(uint32(x.imm)), true
	case x.rate <= rateJob:
		o = constant(0)
		o.shared = []val{v}
		return o, true
	}
	switch x.op {
	case ir.IAdd, ir.Or, ir.Xor, ir.And, ir.Shl, ir.ShrU, ir.IMul:
	default:
		return o, false
	}
	a, okA := f.offsetOf(x.args[0])
	b, okB := f.offsetOf(x.args[1])
	if !okA || !okB {
		return o, false
	}
	switch x.op {
	case ir.IAdd:
		return a.add(b)
	case ir.Or, ir.Xor:
		return a.or(b)
	case ir.And:
		return a.and(b)
	case ir.Shl:
		if k, ok := b.constant(); ok {
			return a.shift(int(k & 31))
		}
	case ir.ShrU:
		if k, ok := b.constant(); ok {
			return a.shift(-int(k & 31))
		}
	case ir.IMul:
		if _, ok := a.constant(); ok || a.factor == 0 && a.flat() {
			a, b = b, a
		}
		return a.mul(b)
	}
	return o, false
}

// flat reports whether no bit comes from the pixel.
func (o *offset) flat() bool {
	return !slices.ContainsFunc(o.bits[:], func(b int8) bool { return b >= 0 })
}

// constant gives the value of a constant.
func (o *offset) constant() (uint32, bool) {
	return o.k, o.flat() && o.factor == 0 && len(o.shared) == 0
}

func (o offset) add(b offset) (offset, bool) {
	if o.factor != 0 && b.factor != 0 {
		return o, false
	}
	if b.factor != 0 {
		o.factor, o.scale = b.factor, b.scale
	}
	// Sums of bits carry unless one side is zero; constants alone add as numbers.
	sum := constant(o.k + b.k)
	if !o.flat() || !b.flat() {
		bits, ok := o.union(b)
		if !ok {
			return o, false
		}
		sum.bits = bits
	}
	o.bits, o.k = sum.bits, sum.k
	o.shared = slices.Sorted(slices.Values(slices.Concat(o.shared, b.shared)))
	return o, true
}

// union gives the bits of both where at most one side is not zero.
func (o *offset) union(b offset) (bits [32]int8, ok bool) {
	for i := range bits {
		switch {
		case o.bits[i] == bitZero:
			bits[i] = b.bits[i]
		case b.bits[i] == bitZero:
			bits[i] = o.bits[i]
		default:
			return bits, false
		}
	}
	return bits, true
}

// plain reports whether o is nothing but bits.
func (o *offset) plain() bool { return o.factor == 0 && len(o.shared) == 0 }

func (o offset) or(b offset) (offset, bool) {
	bits, ok := o.union(b)
	o.bits, o.k = bits, o.k|b.k
	return o, ok && o.plain() && b.plain()
}

func (o offset) and(b offset) (offset, bool) {
	if b.flat() {
		o, b = b, o
	}
	k := o.k
	for i := range b.bits {
		if k>>i&1 == 0 {
			b.bits[i] = bitZero
		}
	}
	b.k &= k
	return b, o.flat() && o.plain() && b.plain()
}

// shift moves bits up by n.
func (o offset) shift(n int) (offset, bool) {
	if n >= 0 && o.flat() {
		return o.mul(constant(1 << n))
	}
	var r [32]int8
	for i := range r {
		r[i] = bitZero
		if j := i - n; 0 <= j && j < 32 {
			r[i] = o.bits[j]
		}
	}
	ok := o.plain()
	if n < 0 {
		o.k >>= -n
	} else {
		o.k <<= n
	}
	o.bits = r
	return o, ok
}

// mul multiplies by a constant, or the bare item by a shared value.
func (o offset) mul(b offset) (offset, bool) {
	if k, ok := b.constant(); ok {
		if !o.flat() {
			if bits.OnesCount32(k) != 1 {
				return o, false
			}
			return o.shift(bits.TrailingZeros32(k))
		}
		factor, scale := o.factor*k, o.scale
		ok := len(o.shared) == 0
		o = constant(o.k * k)
		o.factor, o.scale = factor, scale
		return o, ok
	}
	if o.factor != 0 && o.scale < 0 && o.k == 0 && o.flat() && len(o.shared) == 0 &&
		b.factor == 0 && b.k == 0 && b.flat() && len(b.shared) == 1 {
		o.scale = b.shared[0]
		return o, true
	}
	return o, false
}

// ownPixels reports whether two pixels of a tile never reach the same word by these offsets: bits of
// x and y stand at the same places of each, all of them, above whole words.
func (f *flattener) ownPixels(offsets []val) bool {
	var first offset
	for i, v := range offsets {
		o, ok := f.offsetOf(v)
		if !ok || o.factor != 0 || o.bits[0] != bitZero || o.bits[1] != bitZero {
			return false
		}
		if i == 0 {
			first = o
			for b := range int8(6) {
				if !slices.Contains(o.bits[:], b) || !slices.Contains(o.bits[:], b+bitY) {
					return false
				}
			}
			continue
		}
		for k := range o.bits {
			if a, b := first.bits[k], o.bits[k]; a != b && (a >= 0 || b >= 0) {
				return false
			}
		}
		if !slices.Equal(first.shared, o.shared) {
			return false
		}
	}
	return true
}

// ownItems gives the stride that keeps the words of items apart.
func (f *flattener) ownItems(offsets []val, e *emitter) (s stride, ok bool) {
	var first offset
	var lo, hi uint32
	for i, v := range offsets {
		o, ok := f.offsetOf(v)
		if !ok || o.factor == 0 || o.k%4 != 0 {
			return s, false
		}
		if i == 0 {
			first, lo, hi = o, o.k, o.k
			continue
		}
		if o.factor != first.factor || o.scale != first.scale || !slices.Equal(o.shared, first.shared) {
			return s, false
		}
		lo, hi = min(lo, o.k), max(hi, o.k)
	}
	s = stride{factor: first.factor, span: hi - lo}
	if first.scale >= 0 {
		s.scale = e.reg(first.scale)
	}
	return s, true
}

// pixelRow gives the row of a value whose every bit comes from the coordinates of the pixel, such as
// the pixel's place in a target: two look-ups a quad instead of twenty instructions. Operands are x
// and y.
func pixelRow(o offset) row {
	var ofX, ofY [exec.TileSize]uint32
	for i := range uint32(exec.TileSize) {
		for to, b := range o.bits {
			switch {
			case b == bitOne:
				ofX[i] |= 1 << to
			case b >= bitY:
				ofY[i] |= i >> (b - bitY) & 1 << to
			case b >= 0:
				ofX[i] |= i >> b & 1 << to
			}
		}
	}
	return func(v *vm, in *inst) {
		d, x, y := words(in.d, v.q), words(in.a, v.q), words(in.b, v.q)
		for i := range d {
			left, right := ofX[x[i][0]%exec.TileSize], ofX[x[i][1]%exec.TileSize]
			top, bottom := ofY[y[i][0]%exec.TileSize], ofY[y[i][2]%exec.TileSize]
			d[i] = [quadLanes]uint32{left | top, right | top, left | bottom, right | bottom}
		}
	}
}

// helpersUnseen reports whether it makes no difference what helper lanes read from where the program
// stores. Then triangles may share a batch in which their covered pixels differ: the helpers of one
// may lie where the other stores.
func (f *flattener) helpersUnseen() bool {
	if len(f.order) > 0 {
		return false
	}
	seen := make([]bool, len(f.vals)) // values that follow from such a read
	for changed := true; changed; {
		changed = false
		mark := func(vals ...val) {
			for _, v := range vals {
				changed = changed || !seen[v]
				seen[v] = true
			}
		}
		for i := range f.main.code {
			in := &f.main.code[i]
			if in.dead {
				continue
			}
			for _, m := range in.moves {
				if seen[m.s] {
					mark(m.d)
				}
			}
			if in.op == ir.Load && slices.ContainsFunc(f.stores, func(s access) bool { return s.record == in.args[0] }) {
				mark(in.dst...)
			}
			if !slices.ContainsFunc(in.args, func(a val) bool { return seen[a] }) {
				continue
			}
			switch {
			case in.ctl == ctlIf, in.op == ir.DDX, in.op == ir.DDY, in.op == ir.Sample:
				return false // a neighbour may see it, or the budget
			}
			mark(in.dst...)
		}
	}
	return true
}
