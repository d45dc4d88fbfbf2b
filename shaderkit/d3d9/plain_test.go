package d3d9

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"swizzle/shaderkit/isa"
)

// The short way of plain instructions gives the row, the text, the places and the fields that the general way
// gives: every row in every version, with its default words and with some bits changed.
func TestPlainInstructionsReadAsInGeneral(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	plain := 0
	for _, name := range append(versions, "vs_1_0", "ps_1_0") {
		version, _ := parseVersion(name)
		ctx := context(version)
		for _, o := range ops {
			for n := range 100 {
				var v isa.Vals
				v.Reset(o, ctx)
				v.Set(o.Slot("code"), o.Code)
				data := o.AppendWords(binary.LittleEndian.AppendUint32(nil, version), &v)
				for k := 4; k < len(data); k++ { // numbers, types, lanes and modifiers, and what the low bits of a literal are
					if n%2 == 0 && k%4 != 3 && k >= 8 {
						data[k] ^= byte(rnd.Uint32() & rnd.Uint32() & rnd.Uint32())
					}
				}
				for range n % 4 {
					bit := 32 + rnd.IntN(8*len(data)-32)
					data[bit>>3] ^= 1 << (bit & 7)
				}
				p := Decode(binary.LittleEndian.AppendUint32(data, codeEnd), isa.Options{})
				if len(p.Insts) < 2 || p.Insts[1].Kind != isa.KindOp {
					continue
				}
				if op, _ := table.View(ctx).Plain(p.Data, 4); op != nil {
					plain++
				}
				equalInGeneral(t, name, p)
			}
		}
	}
	if t.Logf("%d plain instructions", plain); plain < 10000 {
		t.Error("too few are plain")
	}
}

// equalInGeneral compares instruction 1 of a program.
func equalInGeneral(t *testing.T, name string, p *isa.Program) {
	t.Helper()
	in := &p.Insts[1]
	d := &decoder{p: p, data: p.Data}
	if op, end, _ := d.row(4); op != in.Op || end != in.Bytes.End() {
		t.Fatalf("%s % X: read as %s to %d, in general as %v to %d", name, p.Data, in.Op.Name, in.Bytes.End(), op, end)
	}
	for _, style := range []isa.Style{isa.Native, isa.Vendor} {
		a, b := isa.Printer{}, isa.Printer{}
		a.Places, b.Places = true, true
		var v isa.Vals
		okA := a.Inst(table.View(p.Ctx), p, 1, style, &v)
		p.Fields(1, &v)
		okB := b.Print(&v, 1, p.Ctx, style)
		if okA != okB || string(a.Text) != string(b.Text) || !slices.Equal(a.Fields, b.Fields) {
			t.Fatalf("%s % X: prints %q %v, in general %q %v", name, p.Data, a.Text, a.Fields, b.Text, b.Fields)
		}
	}
	l := PrintFields(p, StyleNative)
	var v isa.Vals
	p.Fields(1, &v)
	n := 0
	for _, k := range p.Tokens(l) {
		for _, f := range k.Fields {
			if k.Inst != 1 {
				continue
			}
			n++
			if x, ok := v.At(f.Slot); !ok || x != f.Value || in.Op.SlotName(f.Slot) != f.Name {
				t.Fatalf("%s % X: field %s is %d, in general %d", name, p.Data, f.Name, f.Value, x)
			}
			at := isa.FieldSpan{Inst: 1, Slot: uint8(f.Slot)}
			for _, s := range l.Fields {
				if s.Inst == 1 && s.Slot == at.Slot {
					at = s
				}
			}
			if at.Len > 0 && at.Span() != f.Span {
				t.Fatalf("%s % X: field %s is at %v, want %v", name, p.Data, f.Name, f.Span, at.Span())
			}
		}
	}
	known := 0
	for s := range isa.MaxSlots {
		if _, ok := v.At(s); ok && s != isa.SlotStage && s != isa.SlotVersion {
			known++
		}
	}
	if n != known {
		t.Fatalf("%s % X: %d fields, in general %d", name, p.Data, n, known)
	}
}
