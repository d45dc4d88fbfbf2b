package d3d9

import (
	"encoding/binary"
	"math"
	"testing"

	"swizzle/internal/testkit"
	"swizzle/shaderkit/isa"
)

// comment makes a comment block.
func comment(name string, words ...uint32) []uint32 {
	b := []uint32{uint32(len(words)+1)<<16 | codeComment, binary.LittleEndian.Uint32([]byte(name))}
	return append(b, words...)
}

// The example of Microsoft's page on preshaders (Using an Effect, "Increase Performance with Preshaders"): its six
// instructions as words give its text. A literal is a double.
func TestPreshader(t *testing.T) {
	const in, out, tmp, lit = 2, 4, 7, 1
	arg := func(file, reg, lane uint32) []uint32 { return []uint32{0, file, 4*reg + lane} }
	var code []uint32
	n := uint32(0)
	inst := func(op, lanes uint32, args ...[]uint32) {
		code = append(code, op<<16|lanes, uint32(len(args)-1))
		for _, a := range args {
			code = append(code, a...)
		}
		n++
	}
	inst(0x5000, 3, arg(in, 3, 0), arg(in, 0, 0), arg(tmp, 0, 0))
	inst(0x5000, 3, arg(in, 3, 0), arg(in, 1, 0), arg(tmp, 0, 1))
	inst(0x5000, 3, arg(in, 3, 0), arg(in, 2, 0), arg(tmp, 0, 2))
	inst(0x5000, 3, arg(tmp, 0, 0), arg(tmp, 0, 0), arg(tmp, 1, 3))
	inst(0x1070, 1, arg(tmp, 1, 3), arg(tmp, 0, 3))
	inst(0xA050, 3, arg(tmp, 0, 3), arg(tmp, 0, 0), arg(out, 4, 0))
	inst(0x2050, 2, arg(in, 0, 1), arg(lit, 0, 0), arg(out, 5, 0))
	inst(0x1000, 4, []uint32{1, in, 8, tmp, 3}, arg(out, 6, 0))
	words := []uint32{0x46580200}
	d := math.Float64bits(0.1)
	words = append(words, comment("CLIT", 2, uint32(d), uint32(d>>32), 0, 0x40280000)...)
	words = append(words, comment("FXLC", append([]uint32{n}, code...)...)...)
	p := ParsePreshader(testkit.Bytes(append(words, codeEnd)), 16)
	if len(p.Diags) > 0 {
		t.Error(diags("", p.Diags))
	}
	const want = `    preshader
    dot r0.x, c3.xyz, c0.xyz
    dot r0.y, c3.xyz, c1.xyz
    dot r0.z, c3.xyz, c2.xyz
    dot r1.w, r0.xyz, r0.xyz
    rsq r0.w, r1.w
    mul c4.xyz, r0.w, r0.xyz
    mul c5.xy, c0.yz, (0.1, 12)
    mov c6, c2[r0.w]

// approximately 8 instructions used
`
	if got := p.Text(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}

	// In a shader it is the comment PRES, listed in front of the code.
	shader := append([]uint32{0xFFFE0200}, comment("PRES", words...)...)
	shader = append(shader, 0x02000001, 0xC00F0000, 0xA0E40000, codeEnd)
	q := Decode(testkit.Bytes(shader), isa.Options{})
	if text := Print(q, StyleFxc).Text; text != want+"    vs_2_0\n    mov oPos, c0\n\n// approximately 1 instruction slot used\n" {
		t.Error(text)
	}

	// Every cut and every flipped bit gives some text and places inside the bytes.
	data := testkit.Bytes(words)
	check := func(b []byte) {
		p := ParsePreshader(b, 16)
		p.Text()
		for _, d := range p.Diags {
			if d.Bytes.Off < 16 || d.Bytes.End() > 16+len(b) {
				t.Fatalf("%s at %v", d.Message, d.Bytes)
			}
		}
	}
	for k := range data {
		check(data[:k])
		for bit := range 8 {
			data[k] ^= 1 << bit
			check(data)
			data[k] ^= 1 << bit
		}
	}
}
