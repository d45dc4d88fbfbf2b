package d3d9

import (
	"bytes"
	"runtime"
	"testing"

	"swizzle/shaderkit/isa"
)

// FuzzDecode holds any bytes against the laws: the text gives the bytes, the tokens tile them, nothing panics.
func FuzzDecode(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0, 3, 0xFE})
	for _, s := range shaders(f) {
		if len(s.data) < 2000 {
			f.Add(s.data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p := Decode(data, isa.Options{})
		if !bytes.Equal(p.Data, data) {
			t.Fatal("the data changed")
		}
		l := PrintFields(p, StyleNative)
		tiles(t, "input", p, l)
		Print(p, StyleFxc)
		Check(p)
		FindCTAB(p)
		q, _, found := Assemble(l.Text, isa.Options{Permissive: true})
		if found.HasErrors() {
			t.Fatal(diags(l.Text, found))
		}
		if !bytes.Equal(q.Data, data) {
			t.Fatalf("differs at 0x%X: %s", first(q.Data, data), l.Text)
		}
	})
}

// FuzzParse holds any text against the laws: nothing panics, places lie in the text, and what was assembled
// prints and assembles to the same.
func FuzzParse(f *testing.F) {
	f.Add("")
	f.Add(".dword 0,")
	f.Add("#define A(x) x x\nvs_3_0\nA(nop)\n#if A\n#endif\n.dword 1,2\n")
	for _, s := range shaders(f) {
		if s.text != "" {
			f.Add(s.text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, l, found := Assemble(text, isa.Options{Permissive: true})
		for _, d := range found {
			if !d.InText || d.Span.Start < 0 || d.Span.End < d.Span.Start || d.Span.End > len(text) {
				t.Fatalf("%s at %v of %d bytes", d.Message, d.Span, len(text))
			}
		}
		off := 0
		for _, x := range l.Lines {
			if x.Span.Start < 0 || x.Span.End < x.Span.Start || x.Span.End > len(text) || x.Bytes.Off != off {
				t.Fatalf("line %v of %d bytes, at %d", x, len(text), off)
			}
			off = x.Bytes.End()
		}
		if off != len(p.Data) {
			t.Fatalf("lines make %d of %d bytes", off, len(p.Data))
		}
		tiles(t, "input", p, l)
		for _, m := range Highlight(text) {
			if m.Span.End > len(text) || m.Span.End <= m.Span.Start {
				t.Fatalf("mark %v", m)
			}
		}
		Complete(text, len(text)/2)
		Hover(text, len(text)/2)
		q, _, again := Assemble(Print(p, StyleNative).Text, isa.Options{Permissive: true})
		if again.HasErrors() || !bytes.Equal(q.Data, p.Data) {
			t.Fatalf("prints as other bytes: %s", diags("", again))
		}
	})
}

// Decoding and printing junk takes no more than a small multiple of its size.
func TestJunkTakesBoundedMemory(t *testing.T) {
	junk := map[string]func(i int) byte{
		"zeros":    func(int) byte { return 0 },
		"ones":     func(int) byte { return 0xFF },
		"comments": func(i int) byte { return "\xFE\xFF\x00\x00"[i%4] },
		"pseudo":   func(i int) byte { return byte(uint32(i) * 2654435761 >> 13) },
		"lengths":  func(i int) byte { return "\x01\x00\x00\x0F"[i%4] },
	}
	for name, at := range junk {
		data := []byte{0, 3, 0xFE, 0xFF}
		for i := range 1 << 20 {
			data = append(data, at(i))
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		p := Decode(data, isa.Options{})
		decoded := func() uint64 { runtime.ReadMemStats(&after); return after.TotalAlloc - before.TotalAlloc }()
		l := Print(p, StyleNative)
		runtime.ReadMemStats(&after)
		printed := after.TotalAlloc - before.TotalAlloc
		t.Logf("%s: decode takes %.1f, with the text %.1f times the size; %d lines, %d findings", name, float64(decoded)/float64(len(data)), float64(printed)/float64(len(data)), len(l.Lines), len(p.Diags))
		if decoded > 40*uint64(len(data)) || printed > 200*uint64(len(data)) {
			t.Errorf("%s: %d and %d bytes for %d", name, decoded, printed, len(data))
		}
	}
}
