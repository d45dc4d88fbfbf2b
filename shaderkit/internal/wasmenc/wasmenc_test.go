package wasmenc

import (
	"encoding/hex"
	"math"
	"strings"
	"testing"
)

// Each row is an instruction as the WebAssembly specification encodes it.
func TestInstructions(t *testing.T) {
	for _, c := range []struct {
		want string
		emit func(f *Func)
	}{
		{"20 00", func(f *Func) { f.Get(0) }},
		{"21 80 01", func(f *Func) { f.Set(128) }},
		{"22 05", func(f *Func) { f.Tee(5) }},
		{"23 01 24 02", func(f *Func) { f.GetGlobal(1).SetGlobal(2) }},
		{"41 00", func(f *Func) { f.I32(0) }},
		{"41 3f", func(f *Func) { f.I32(63) }},
		{"41 c0 00", func(f *Func) { f.I32(64) }},
		{"41 7f", func(f *Func) { f.I32(-1) }},
		{"41 80 80 80 80 78", func(f *Func) { f.I32(math.MinInt32) }},
		{"42 ff ff ff ff ff ff ff ff ff 00", func(f *Func) { f.I64(math.MaxInt64) }},
		{"28 02 04", func(f *Func) { f.LoadI32(4) }},
		{"36 02 80 08", func(f *Func) { f.StoreI32(1024) }},
		{"02 40 03 40 0d 00 0c 01 0b 0b", func(f *Func) { b := f.Block(); l := f.Loop(); f.BrIf(l).Br(b).End().End() }},
		{"04 40 05 0b", func(f *Func) { f.If(); f.Else().End() }},
		{"10 03", func(f *Func) { f.Call(&Func{Index: 3}) }},
		{"fd e4 01", func(f *Func) { f.V(F32x4Add) }},
		{"fd 4e", func(f *Func) { f.V(V128And) }},
		{"fd 1b 02", func(f *Func) { f.VLane(I32x4ExtractLane, 2) }},
		{"fd 00 04 10", func(f *Func) { f.VMem(V128Load, 4, 16) }},
		{"fd 5a 02 08 03", func(f *Func) { f.VMemLane(V128Store32Lane, 8, 3) }},
		{"fd 0c 01000000 01000000 01000000 01000000", func(f *Func) { f.Splat(1) }},
		{"fd 0d 00010203 08090a0b 10111213 1c1d1e1f", func(f *Func) { f.Shuffle([4]byte{0, 2, 4, 7}) }},
	} {
		f := &Func{}
		c.emit(f)
		if got, want := hex.EncodeToString(f.Code), strings.ReplaceAll(c.want, " ", ""); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestModule(t *testing.T) {
	m := &Module{}
	m.ImportMemory("e", "m", 1)
	f := m.Func([]Type{I32}, []Type{I32})
	g := m.Func([]Type{I32}, []Type{I32})
	m.Global(V128)
	m.Global(I32)
	m.Export("g", g)
	f.Get(0).I32(1).Op(I32Add)
	g.Local(V128)
	g.Local(V128)
	g.Local(I32)
	g.Get(0).Call(f)
	want := "0061736d 01000000" +
		"01 06 01 60 01 7f 01 7f" + // one type for both
		"02 08 01 01 65 01 6d 02 00 01" +
		"03 03 02 00 00" +
		"06 1b 02 7b 01 fd0c 00000000000000000000000000000000 0b 7f 01 41 00 0b" +
		"07 05 01 01 67 00 01" +
		"0a 14 02" +
		"07 00 20 00 41 01 6a 0b" +
		"0a 02 02 7b 01 7f 20 00 10 00 0b"
	got := m.Bytes()
	if s := hex.EncodeToString(got); s != strings.ReplaceAll(want, " ", "") {
		t.Errorf("got  %s\nwant %s", s, strings.ReplaceAll(want, " ", ""))
	}
	for _, x := range []*Func{f, g} {
		if string(got[x.Offset:int(x.Offset)+len(x.Code)]) != string(x.Code) {
			t.Errorf("function %d is not at %d", x.Index, x.Offset)
		}
	}
}
