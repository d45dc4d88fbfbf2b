package jit_test

import (
	"fmt"
	"math"
	"testing"

	"swizzle/internal/jittest"
	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// Values that ops treat in ways of their own, and some between.
var words = []uint32{0, 1 << 31, 1, 2, 31, 32, 0x7FFFFFFF, ^uint32(0), 0x80000001, 0x00400000, 0x807FFFFF, 0x00800000,
	0x3F800000, 0xBF800000, 0x3F000000, 0x3FC00000, 0xC0200000, 0x4B000001, 0x4F000000, 0xCF000000, 0x4F800000, 0x5F000000, 0x7F7FFFFF,
	0x7F800000, 0xFF800000, 0x7FC00000, 0x7F800001, 0xFFC12345, 0x40490FDB, 0x42F60000, 0x12345678, 0xC2FE0000}

// A rowProgram computes an op from words of resource 0, item by item, into resource 1. Operand number
// fixed is the same constant for all, those of shared are the same in all lanes.
func rowProgram(op ir.Op, fixed int, bits uint32, shared bool) *ir.Program {
	row := op.Info()
	b := ir.NewBuilder("main", nil, nil)
	item := b.Emit(ir.Item, 0)
	if shared {
		item = b.Emit(ir.Desc, exec.JobFirst)
	}
	at := b.Emit(ir.IMul, 0, item, b.U(16))
	k := uint32(0)
	load := func() ir.Reg {
		r := b.Emit(ir.Load, 0, b.Emit(ir.Res, 0), b.Emit(ir.IAdd, 0, at, b.U(4*k)))
		k++
		return r
	}
	var args []ir.Reg
	for i, letter := range row.Args {
		var r ir.Reg
		switch {
		case ir.ClassOf(byte(letter)) == ir.C64:
			lo := load()
			r = b.Emit(ir.Pack64, 0, lo, b.Emit(ir.Xor, 0, lo, b.U(0x12340000))) // two operands of 64 bits: at most two words
		case i == fixed:
			load()
			r = b.U(bits)
		default:
			r = load()
		}
		args = append(args, r)
	}
	v := b.Emit(op, 0, args...)
	to := b.Emit(ir.IMul, 0, b.Emit(ir.Item, 0), b.U(8))
	out := []ir.Reg{v}
	switch row.Type {
	case 'f':
		out[0] = b.Emit(ir.Canon, 0, v)
	case 'd':
		v = b.Emit(ir.Sel64, 0, b.Emit(ir.DEq, 0, v, v), v, b.Emit(ir.Const64, 0x7FF8<<48))
	}
	if row.Class == ir.C64 {
		out = []ir.Reg{b.Emit(ir.Lo64, 0, v), b.Emit(ir.Hi64, 0, v)}
	}
	for i, r := range out {
		b.Emit(ir.Store, 0, b.Emit(ir.Res, 1), b.Emit(ir.IAdd, 0, to, b.U(uint32(4*i))), r)
	}
	return &ir.Program{Name: row.Name, Kind: ir.Linear, Funcs: []*ir.Func{b.Finish()}, Interface: ir.Interface{Resources: []ir.Resource{{Kind: ir.ConstFloat}, {Kind: ir.Buffer}}}}
}

// canonical gives the bits that a rowProgram stores for a value.
func canonical(row ir.Info, v uint64) uint64 {
	switch d := math.Float64frombits(v); {
	case row.Type == 'f':
		v, _ = ir.Canon.Eval(v, 0, 0)
	case row.Type == 'd' && d != d:
		v = 0x7FF8 << 48
	}
	return v
}

// Every row gives what its value function says, in lanes and uniform, with and without a constant.
func TestRows(t *testing.T) {
	e := jittest.New(t)
	for op := ir.Invalid + 1; op <= ir.Unpack8; op++ {
		row := op.Info()
		if row.Value == nil {
			continue
		}
		checkRow(t, e, op, -1, 0, false)
		checkRow(t, e, op, -1, 0, true)
		for i := range row.Args {
			for _, bits := range []uint32{0, 3, 0x3F800000, 0x7F800000} {
				checkRow(t, e, op, i, bits, false)
			}
		}
	}
}

func checkRow(t *testing.T, e exec.Engine, op ir.Op, fixed int, bits uint32, shared bool) {
	row := op.Info()
	k, err := e.Compile(rowProgram(op, fixed, bits, shared))
	if err != nil {
		t.Errorf("%s: %v", row.Name, err)
		return
	}
	defer k.Close()
	var a exec.Arena
	n := len(words) * len(words)
	desc := a.Alloc(exec.JobRecords + 2*exec.RecordWords)
	in, out := a.Alloc(4*n), a.Alloc(2*n)
	copy(a.Words(desc, 1), []uint32{uint32(n)})
	a.SetRecord(desc, 0, exec.Record{exec.RecBase: in, exec.RecSize: uint32(16 * n)})
	a.SetRecord(desc, 1, exec.Record{exec.RecBase: out, exec.RecSize: uint32(8 * n)})
	for i := range n {
		copy(a.Words(in+uint32(16*i), 3), []uint32{words[i%len(words)], words[i/len(words)], words[(i+i/len(words))%len(words)]})
	}
	first := 0
	if shared { // one item for all: a few will do
		a.Words(desc, 2)[1] = 0
		first = 17
		copy(a.Words(in, 3), []uint32{words[first], words[5], words[7]})
	}
	k.Run(&a, desc, exec.Options{})
	for i := range n {
		src := a.Words(in+uint32(16*i), 4)
		if shared {
			src = a.Words(in, 4)
		}
		var args [3]uint64
		for j, letter := range row.Args {
			w := uint64(src[j])
			switch {
			case ir.ClassOf(byte(letter)) == ir.C64:
				w |= (w ^ 0x12340000) << 32
			case j == fixed:
				w = uint64(bits)
			}
			args[j] = w
		}
		want := canonical(row, row.Value(args[0], args[1], args[2]))
		o := a.Words(out+uint32(8*i), 2)
		if got := uint64(o[0]) | uint64(o[1])<<32; got != want {
			t.Errorf("%s: of %x is %x, want %x", name(row, fixed, shared), args[:len(row.Args)], got, want)
			return
		}
	}
}

func name(row ir.Info, fixed int, shared bool) string {
	return fmt.Sprintf("%s (constant operand %d, shared %v)", row.Name, fixed, shared)
}

// Colours of all kinds are packed the same: Pack8 has a conversion of its own.
func TestPack(t *testing.T) {
	b := ir.NewBuilder("main", nil, nil)
	at := b.Emit(ir.Shl, 0, b.Emit(ir.Item, 0), b.U(2))
	v := b.Emit(ir.Load, 0, b.Emit(ir.Res, 0), at)
	zero := b.U(0)
	b.Emit(ir.Store, 0, b.Emit(ir.Res, 1), at, b.Emit(ir.Pack8, 0, v, b.Emit(ir.FMul, 0, v, v), zero, v))
	sameRun(t, jittest.New(t), linear(b, ir.ConstFloat, ir.Buffer), func(check func(*exec.Arena, uint32, any) exec.Result) {
		var colours []uint32
		colours = append(colours, words...)
		for i := range uint32(255) { // around each step between two bytes
			step := math.Float32bits((float32(i) + 0.5) / 255)
			colours = append(colours, step-1, step, step+1)
		}
		n := len(colours)
		a := &exec.Arena{}
		desc := a.Alloc(exec.JobRecords + 2*exec.RecordWords)
		in, out := a.Alloc(n), a.Alloc(n)
		copy(a.Words(in, n), colours)
		a.Words(desc, 1)[0] = uint32(n)
		a.SetRecord(desc, 0, exec.Record{exec.RecBase: in, exec.RecSize: uint32(4 * n)})
		a.SetRecord(desc, 1, exec.Record{exec.RecBase: out, exec.RecSize: uint32(4 * n)})
		check(a, desc, "colours")
	})
}
