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
