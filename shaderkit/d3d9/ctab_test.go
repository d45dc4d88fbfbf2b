package d3d9

import (
	"encoding/binary"
	"strings"
	"testing"

	"swizzle/shaderkit/isa"
)

func TestCTAB(t *testing.T) {
	for _, s := range shaders(t) {
		if !strings.HasSuffix(s.name, "vs_phong_vertex.vs_3_0.vso") {
			continue
		}
		tab := FindCTAB(Decode(s.data, isa.Options{}))
		if tab == nil || tab.Target != "vs_3_0" || len(tab.Diags) > 0 {
			t.Fatalf("%+v", tab)
		}
		for _, c := range tab.Constants {
			switch c.Name {
			case "Power":
				if c.Set != SetFloat || c.Index != 11 || c.Count != 1 || c.Type.String() != "float" || len(c.Default) != 4 || c.Default[0] != 0x41800000 {
					t.Errorf("%+v", c)
				}
			case "WorldViewProj":
				if c.Type.String() != "float4x4" || c.Count != 4 || c.Default != nil {
					t.Errorf("%+v", c)
				}
			}
		}
		return
	}
	t.Fatal("no vs_phong_vertex")
}

// A table whose members point at their own struct, or whose counts are huge, ends.
func TestCTABThatPointsAtItself(t *testing.T) {
	b := make([]byte, 100)
	put := func(off int, x ...uint32) {
		for i, w := range x {
			binary.LittleEndian.PutUint32(b[off+4*i:], w)
		}
	}
	put(0, 28, 96, 0xFFFE0300, 0xFFFFFFFF, 28, 0, 96)
	put(28, 96, 2, 0xFFFF, 48, 0xFFFFFFFF) // a constant with a struct type
	put(48, 5, 0, 0xFFFF0001, 64)          // a struct of 65535 members
	put(64, 96, 48, 96, 48, 96, 48, 96, 48)
	for n := range b {
		tab := ParseCTAB(b[:n], 8)
		_ = tab.Header()
	}
	tab := ParseCTAB(b, 8)
	if len(tab.Diags) == 0 {
		t.Error("nothing was found")
	}
	for _, d := range tab.Diags {
		if d.Bytes.Off < 8 || d.Bytes.End() > 108 {
			t.Errorf("%s at %v", d.Message, d.Bytes)
		}
	}
}

// A table that does not fit is a warning, at its place in the file.
func TestBrokenCTABIsToldByCheck(t *testing.T) {
	words := []uint32{0xFFFF0200, 2<<16 | codeComment, binary.LittleEndian.Uint32([]byte("CTAB")), 28, 0x02000001, 0x800F0800, 0xA0E40000, codeEnd}
	var b []byte
	for _, w := range words {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	found := Check(Decode(b, isa.Options{}))
	if len(found) != 1 || found[0].Code != "ctab-short" || found[0].Bytes.Off != 12 || found.HasErrors() {
		t.Error(diags("", found))
	}
}

// The words of a table have names.
func TestWordsOfCTABHaveNames(t *testing.T) {
	for _, s := range shaders(t) {
		if !strings.HasSuffix(s.name, "vs_phong_vertex.vs_3_0.vso") {
			continue
		}
		p := Decode(s.data, isa.Options{})
		var got []string
		for k := range p.EachToken(nil) {
			if k.Word == nil && k.Meaning != "comment data" {
				got = append(got, k.Meaning)
			}
		}
		all := strings.Join(got, "\n")
		for _, want := range []string{"name of the comment: CTAB", "how many constants", "offset of the constant's name of Power", "offset of the default value of Power", "class (low half) and kind of the type of Power"} {
			if !strings.Contains(all, want) {
				t.Errorf("no %q in\n%s", want, all)
			}
		}
		return
	}
	t.Fatal("no vs_phong_vertex")
}
