package jit_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"swizzle/shaderkit/internal/irtest"
	"swizzle/shaderkit/ir"
	"swizzle/shaderkit/jit"
)

func TestEmitIsPure(t *testing.T) {
	for seed := range uint64(20) {
		p := irtest.Random(seed, irtest.Options{Size: 60, Tile: seed%2 == 1})
		text := p.String()
		a, err := jit.Emit(p)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := jit.Emit(p)
		if !bytes.Equal(a.Wasm, b.Wasm) || !slices.Equal(a.Map, b.Map) {
			t.Errorf("seed %d: two runs give different bytes", seed)
		}
		if p.String() != text {
			t.Errorf("seed %d: the program changed", seed)
		}
	}
}

// Each ISA instruction that computes something is found in the map, at rising offsets in the code.
func TestMap(t *testing.T) {
	b := ir.NewBuilder("main", nil, nil)
	v := b.Emit(ir.Item, 0)
	for i := range int32(4) {
		b.From = 10 + i
		v = b.Emit(ir.IMul, 0, v, v)
	}
	b.From = -1
	b.Emit(ir.Store, 0, b.Emit(ir.Res, 0), v, v)
	m, err := jit.Emit(linear(b, ir.Buffer))
	if err != nil {
		t.Fatal(err)
	}
	var from []int32
	for i, pc := range m.Map {
		if int(pc.Offset) >= len(m.Wasm) || i > 0 && pc.Offset < m.Map[i-1].Offset {
			t.Errorf("entry %d at %d of %d", i, pc.Offset, len(m.Wasm))
		}
		if pc.From >= 0 {
			from = append(from, pc.From)
		}
	}
	if want := []int32{10, 11, 12, 13}; !slices.Equal(from, want) {
		t.Errorf("instructions %d, want %d", from, want)
	}
}

func TestEmitRefuses(t *testing.T) {
	many := ir.NewBuilder("many", ir.C32s(600), nil)
	wide := ir.NewBuilder("main", nil, nil)
	var args []ir.Reg
	for range 600 {
		args = append(args, wide.Emit(ir.Item, 0))
	}
	f := many.Finish()
	wide.Call(1, f, args...)

	b := ir.NewBuilder("main", nil, nil)
	var live []ir.Reg
	for range 11000 {
		live = append(live, b.Emit(ir.Load, 0, b.Emit(ir.Res, 0), b.Emit(ir.Item, 0)))
	}
	sum := b.U(0)
	for _, r := range slices.Backward(live) {
		sum = b.Emit(ir.IAdd, 0, sum, r)
	}
	b.Emit(ir.Store, 0, b.Emit(ir.Res, 0), sum, sum)

	for code, p := range map[string]*ir.Program{
		"kind":   {Kind: ir.Shader, Funcs: []*ir.Func{ir.NewBuilder("main", nil, nil).Finish()}},
		"params": {Kind: ir.Linear, Funcs: []*ir.Func{wide.Finish(), f}},
		"locals": linear(b, ir.Buffer),
	} {
		_, err := jit.Emit(p)
		var e *jit.Error
		if !errors.As(err, &e) || e.Code != code {
			t.Errorf("%s: %v", code, err)
		}
	}
	var e *ir.VerifyError
	if _, err := jit.Emit(&ir.Program{Kind: ir.Linear}); !errors.As(err, &e) {
		t.Errorf("a program that is none: %v", err)
	}
}
