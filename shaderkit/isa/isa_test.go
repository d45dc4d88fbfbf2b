package isa

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// A toy encoding: an op word, a register that may have an index word, and a literal that one op has.
func toy(opFields []Field) *Table {
	bit := func(lo, n uint8) []Bits { return []Bits{{lo, n}} }
	regs := NewRegs([]RegRow{{Name: "r", Type: 0}, {Name: "pc", Type: 1, Fixed: true, Num: 3}, {Name: "x", Type: 1}, {Name: "c", Type: 2}, {Name: "y", Type: 3}})
	if opFields == nil {
		opFields = []Field{{Name: "code", Bits: bit(0, 8)}, {Name: "flags", Bits: bit(8, 4)}, {Name: "kind", Bits: bit(12, 4)}, {Name: "len", Bits: bit(16, 4), Len: true}, {Name: "rest", Bits: bit(20, 12), Def: 5, Must: true}}
	}
	op := &Word{Name: "op", Fields: opFields}
	reg := &Word{Name: "reg", Fields: []Field{{Name: "num", Bits: bit(0, 11)}, {Name: "type", Bits: []Bits{{28, 1}, {11, 1}}}, {Name: "rel", Bits: bit(12, 1)},
		{Name: "swz", Bits: bit(16, 8), Def: 0xE4}, {Name: "mod", Bits: bit(24, 4)}, {Name: "low", Bits: bit(13, 3)}, {Name: "top", Bits: bit(29, 3), Def: 1}}}
	index := &Form{Name: "index", Parts: []Part{{Word: reg}}, Text: []Item{Reg{"type", "num", regs}, Lanes{Field: "swz"}}}
	rel := []Guard{{Field: "rel", In: []uint32{1}}}
	mods := [][2]string{{"", ""}, {"-", ""}, {"", "_abs"}, {"-", "_abs"}}
	operand := &Form{Name: "operand", Parts: []Part{{Word: reg}, {Name: "i", Sub: index, If: rel}}, Text: []Item{Affix{Field: "mod", Pairs: mods}, Reg{"type", "num", regs},
		Choice{{If: rel, Items: []Item{Lit("["), Index{"type", "num", regs, "i", ""}, Lit("]")}}, {}}, Affix{Field: "mod", Pairs: mods, Post: true}, Lanes{Field: "swz"}}}
	one := &Form{Name: "one", Parts: []Part{{Word: op}, {Name: "a", Sub: operand}}, Text: []Item{Name{}, Enum{"kind", []string{"", "p", "q"}, "_", false}, Suffixes{{"_s", "flags", 1, 1}, {"_t", "flags", 6, 2}, {"_u", "flags", 6, 6}}, Sp{}, Sub{"a"}}}
	lit := &Form{Name: "lit", Parts: []Part{{Word: op}, {Name: "a", Sub: operand}, {Word: &Word{Name: "literal", Fields: []Field{{Name: "f", Bits: bit(0, 32)}}}}},
		Text: []Item{Name{}, Sp{}, Sub{"a"}, Sep{}, F32{"f"}}}
	all := []Avail{{Stages: 1, Max: 9}}
	return NewTable(regs, "code", []*Op{{Name: "one", Code: 1, Form: one, Avail: all}, {Name: "lit", Code: 2, Form: lit, Avail: all}})
}

// Random words of the toy print and read back to the same words.
func TestRandomWordsSurviveAsText(t *testing.T) {
	tb := toy(nil)
	rnd := rand.New(rand.NewPCG(1, 2))
	var v Vals
	var pr Printer
	var pa Parser
	for n := range 20000 {
		var data []byte
		for range 4 {
			w := rnd.Uint32()
			if n%2 == 0 {
				w &= rnd.Uint32() & rnd.Uint32()
			}
			data = binary.LittleEndian.AppendUint32(data, w)
		}
		op := tb.Ops[n%2]
		binary.LittleEndian.PutUint32(data, binary.LittleEndian.Uint32(data)&^0xFF|op.Code)
		end, ok := op.Read(data, 0, Context{}, &v)
		if m, _ := op.Fits(data, 0, Context{}, new(Vals)); m != end || !ok {
			t.Fatalf("measures %d, reads %d", m, end)
		}
		op.Read(data, 0, Context{}, &v)
		lens := tb.Ops[0].form.bin[0].fs[3].f
		words := uint32(end)/4 - 1
		binary.LittleEndian.PutUint32(data, lens.Put(binary.LittleEndian.Uint32(data), words))
		op.Read(data, 0, Context{}, &v)
		pr.Text = pr.Text[:0]
		if !pr.Print(&v, 0, Context{}, Native) {
			t.Fatalf("% X does not print", data[:end])
		}
		text := string(pr.Text)
		got, _, err := pa.Parse(tb, text, 0, Context{}, &v)
		if err != nil {
			t.Fatalf("%s: %s", text, err.Message)
		}
		if back := got.AppendWords(nil, &v); string(back) != string(data[:end]) {
			t.Fatalf("%s: % X, want % X", text, back, data[:end])
		}
	}
}

func TestFloatsReadBack(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	var list []uint32
	for range 100000 {
		list = append(list, rnd.Uint32())
	}
	for e := range uint32(256) {
		list = append(list, e<<23, e<<23|1, e<<23|0x7FFFFF, 1<<31|e<<23)
	}
	for _, x := range list {
		s := string(AppendFloat(nil, x, Native))
		got, end, msg := ParseFloat(s, 0)
		if got != x || end != len(s) || msg != "" {
			t.Fatalf("0x%08X is %q, reads as 0x%08X %s", x, s, got, msg)
		}
	}
	for s, want := range map[string]float32{"1": 1, "-2.5e3": -2500, ".5": .5, "+1.0f": 1, "1E-2": .01, "1e40": float32(math.Inf(1)), "4294967295": 4294967296} {
		if got, end, msg := ParseFloat(s, 0); math.Float32frombits(got) != want || end != len(s) || msg != "" {
			t.Errorf("%s: %v %s", s, math.Float32frombits(got), msg)
		}
	}
	for _, s := range []string{"", "-", ".", "x", "1x", "0x10", "4294967296", "bits(1", "bits(0x100000000)", "1.#FOO"} {
		if got, _, msg := ParseFloat(s, 0); msg == "" {
			t.Errorf("%q reads as %v", s, math.Float32frombits(got))
		}
	}
}

func TestIntegers(t *testing.T) {
	for s, want := range map[string]uint32{"0": 0, "-1": 0xFFFFFFFF, "4294967295": 0xFFFFFFFF, "-2147483648": 1 << 31, "0xFfFf": 0xFFFF, "+7": 7} {
		if got, end, ok := ParseInt(s, 0); got != want || end != len(s) || !ok {
			t.Errorf("%s: %d %v", s, got, ok)
		}
	}
	for _, s := range []string{"", "-", "4294967296", "-2147483649", "0x", "1a"} {
		if got, _, ok := ParseInt(s, 0); ok {
			t.Errorf("%q reads as %d", s, got)
		}
	}
}

// The table check sees bits that no field covers and bits that two cover, under guards too.
func TestCheckSeesBadTables(t *testing.T) {
	if errs := toy(nil).Check(); len(errs) > 0 {
		t.Error(errs)
	}
	bit := func(lo, n uint8) []Bits { return []Bits{{lo, n}} }
	base := []Field{{Name: "code", Bits: bit(0, 8)}, {Name: "flags", Bits: bit(8, 4)}, {Name: "kind", Bits: bit(12, 4)}, {Name: "len", Bits: bit(16, 4), Len: true}}
	for _, c := range []struct {
		more Field
		want string
	}{
		{Field{Name: "rest", Bits: bit(20, 11)}, "no field covers bits 0x80000000"},
		{Field{Name: "rest", Bits: bit(19, 13)}, "overlaps bits 0x00080000"},
		{Field{Name: "rest", Bits: bit(20, 12), If: []Guard{{Field: "kind", In: []uint32{3}}}}, "no field covers bits 0xFFF00000"},
	} {
		errs := toy(append(base[:4:4], c.more)).Check()
		found := false
		for _, e := range errs {
			found = found || strings.Contains(e.Error(), c.want)
		}
		if !found {
			t.Errorf("%v, want %s", errs, c.want)
		}
	}
}
