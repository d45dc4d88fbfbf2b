package interp

import (
	"math/rand"
	"testing"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// offsetExpr writes a random integer expression of the lane's place and constants.
func offsetExpr(r *rand.Rand, b *ir.Builder, leaves []ir.Reg, depth int) ir.Reg {
	if depth == 0 || r.Intn(6) == 0 {
		if r.Intn(4) == 0 {
			return b.U([]uint32{0, 1, 3, 4, 12, 16, 63, 64, 1 << 20, ^uint32(3)}[r.Intn(10)])
		}
		return leaves[r.Intn(len(leaves))]
	}
	x := offsetExpr(r, b, leaves, depth-1)
	switch r.Intn(7) {
	case 0:
		return b.Emit(ir.And, 0, x, b.U([]uint32{1, 7, 63, 62, 0xFF00, ^uint32(0), 4092}[r.Intn(7)]))
	case 1:
		return b.Emit(ir.ShrU, 0, x, b.U(uint32(r.Intn(4))))
	case 2:
		return b.Emit(ir.IMul, 0, x, b.U([]uint32{4, 64, 48, 12, 256, 20}[r.Intn(6)]))
	case 3, 4:
		return b.Emit(ir.Shl, 0, x, b.U(uint32(r.Intn(9))))
	default:
		return b.Emit([]ir.Op{ir.Or, ir.IAdd, ir.IAdd, ir.Xor, ir.And}[r.Intn(5)], 0, x, offsetExpr(r, b, leaves, depth-1))
	}
}

// Where the analysis says that lanes of a batch share no word, none do; the value of the offset is
// the same whether a look-up stands for it or not.
func TestOffsetsThatAreSaidToBeOwn(t *testing.T) {
	found := map[ir.Kind]int{}
	for seed := range int64(1200) {
		r := rand.New(rand.NewSource(seed))
		kind := []ir.Kind{ir.Linear, ir.Tile}[seed%2]
		b := ir.NewBuilder("main", nil, nil)
		leaves := []ir.Reg{b.Emit(ir.Desc, 3)}
		if kind == ir.Linear {
			item := b.Emit(ir.Item, 0)
			leaves = append(leaves, item, b.Emit(ir.IMul, 0, item, b.U(uint32(4*r.Intn(20)))), b.Emit(ir.IMul, 0, item, leaves[0]))
		} else {
			x, y := b.Emit(ir.LaneX, 0), b.Emit(ir.LaneY, 0)
			leaves = append(leaves, x, y, tileOffset(b), b.Emit(ir.Or, 0, b.Emit(ir.Shl, 0, y, b.U(6)), x))
		}
		n := 1 + r.Intn(2)
		for range n { // several accesses of the same words
			b.Emit(ir.Store, 0, b.Emit(ir.Res, 0), offsetExpr(r, b, leaves, 1+r.Intn(3)), b.U(1))
		}
		p := program(kind, b.Finish())
		k, err := Engine{}.compile(p, options{})
		if err != nil {
			t.Fatal(err)
		}
		const size = 1 << 12 // words
		var a exec.Arena
		var d uint32
		if kind == ir.Linear {
			d = linearJob(&a, r.Intn(100), 64)
		} else {
			d = tileJob(&a, [13]int32{0, 0, 64, 64})
		}
		resource(&a, d, 0, size)
		a.Words(d, 4)[3] = uint32(r.Intn(3) * 4 * r.Intn(30))
		k.v.mem, k.v.desc = a.Mem, d
		k.prepare(k.fast)
		if !k.fast.order.free(&k.v) {
			continue
		}
		found[kind]++
		owner := map[uint64]*scalar{}
		expect(p, clone(&a), d, 1, func(s *scalar, _ int) {
			for _, off := range s.stored {
				if o := owner[off/4]; o != nil && o != s {
					t.Fatalf("seed %d: two lanes reach word %d\n%s", seed, off/4, p)
				}
				owner[off/4] = s
			}
		})
		got, want := clone(&a), clone(&a)
		k.Run(got, d, exec.Options{})
		expect(p, want, d, 1, func(*scalar, int) {})
		for i := range want.Mem {
			if got.Mem[i] != want.Mem[i] {
				t.Fatalf("seed %d: word %d is %d, want %d\n%s", seed, i, got.Mem[i], want.Mem[i], p)
			}
		}
	}
	for kind, n := range found {
		if n < 20 {
			t.Errorf("kind %d: only %d cases", kind, n)
		}
	}
	if len(found) != 2 {
		t.Errorf("cases: %v", found)
	}
}

// Offsets by which lanes do meet, or might.
func TestOffsetsThatAreNotOwn(t *testing.T) {
	add := func(b *ir.Builder, x, y ir.Reg) ir.Reg { return b.Emit(ir.IAdd, 0, x, y) }
	for name, c := range map[string]struct {
		kind    ir.Kind
		offsets func(b *ir.Builder, desc ir.Reg) []ir.Reg
	}{
		"one word for all":      {ir.Tile, func(b *ir.Builder, d ir.Reg) []ir.Reg { return []ir.Reg{d} }},
		"own and moved":         {ir.Tile, func(b *ir.Builder, d ir.Reg) []ir.Reg { return []ir.Reg{tileOffset(b), add(b, tileOffset(b), d)} }},
		"own and its neighbour": {ir.Tile, func(b *ir.Builder, d ir.Reg) []ir.Reg { return []ir.Reg{tileOffset(b), add(b, tileOffset(b), b.U(4))} }},
		"x alone": {ir.Tile, func(b *ir.Builder, d ir.Reg) []ir.Reg {
			return []ir.Reg{b.Emit(ir.Shl, 0, b.Emit(ir.LaneX, 0), b.U(2))}
		}},
		"bytes": {ir.Tile, func(b *ir.Builder, d ir.Reg) []ir.Reg { return []ir.Reg{b.Emit(ir.ShrU, 0, tileOffset(b), b.U(2))} }},
		"item and moved": {ir.Linear, func(b *ir.Builder, d ir.Reg) []ir.Reg {
			return []ir.Reg{itemOffset(b, 2, 0), add(b, itemOffset(b, 2, 0), d)}
		}},
		"items behind":      {ir.Linear, func(b *ir.Builder, d ir.Reg) []ir.Reg { return []ir.Reg{itemOffset(b, 2, 0), itemOffset(b, 2, 2)} }},
		"two strides":       {ir.Linear, func(b *ir.Builder, d ir.Reg) []ir.Reg { return []ir.Reg{itemOffset(b, 2, 0), itemOffset(b, 3, 0)} }},
		"a stride of bytes": {ir.Linear, func(b *ir.Builder, d ir.Reg) []ir.Reg { return []ir.Reg{b.Emit(ir.Item, 0)} }},
		"a stride of zero": {ir.Linear, func(b *ir.Builder, d ir.Reg) []ir.Reg {
			return []ir.Reg{b.Emit(ir.IMul, 0, b.Emit(ir.Item, 0), b.Emit(ir.Desc, 4))}
		}},
	} {
		b := ir.NewBuilder("main", nil, nil)
		for _, off := range c.offsets(b, b.Emit(ir.Desc, 3)) {
			b.Emit(ir.Store, 0, b.Emit(ir.Res, 0), off, b.U(1))
		}
		k, err := Engine{}.compile(program(c.kind, b.Finish()), options{})
		if err != nil {
			t.Fatal(err)
		}
		var a exec.Arena
		d := linearJob(&a, 0, 64)
		resource(&a, d, 0, 4096)
		k.v.mem, k.v.desc = a.Mem, d
		k.prepare(k.fast)
		if k.fast.order.free(&k.v) {
			t.Errorf("%s: said to be own", name)
		}
	}
}
