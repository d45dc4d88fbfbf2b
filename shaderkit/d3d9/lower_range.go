package d3d9

import (
	"fmt"
	"math"
	"strings"

	"swizzle/shaderkit/ir"
	"swizzle/shaderkit/source"
)

// A numericMode is how a program computes.
type numericMode struct {
	name    string
	product ir.Op
	ps1     bool // for ps_1_x alone
	doc     string
}

// numericModes are the modes of Lower; the first is the default.
var numericModes = []numericMode{
	{ModeD3D9, ir.FMulZ, false, "Floating point. A product with a zero factor is zero. The default."},
	{ModeIEEE, ir.FMul, false, "Floating point. Zero times infinity is NaN."},
	{ModeRange, ir.FMulZ, true, "ps_1_x: results are clamped to -1..1, in ps_1_4 to -8..8, the smallest range that hardware may have (PixelShader1xMaxValue)."},
	{ModeFixed, ir.FMulZ, true, "ps_1_x: inputs, modified sources and results are rounded to signed fixed point with 12 fractional bits, halves to even, and clamped to -8..7.99975586, before and behind a shift."},
}

// numericMode takes over the mode that the options ask for.
func (l *lowering) numericMode() bool {
	all := ""
	for i, m := range numericModes {
		switch {
		case m.name != l.o.Mode && (l.o.Mode != "" || i != 0):
			all += ", " + m.name
			continue
		case m.ps1 && !l.ps1:
			l.list.Add(source.Diagnostic{Code: "mode-version", Unsupported: true, Message: fmt.Sprintf("numeric mode %q is one of ps_1_x; other versions compute in floating point", m.name)})
			return false
		}
		l.mode, l.product = m.name, m.product
		l.most = 1
		if !l.ps13 {
			l.most = 8
		}
		return true
	}
	l.list.Add(source.Diagnostic{Code: "unknown-mode", Message: fmt.Sprintf("numeric mode %q is none of %s", l.o.Mode, all[2:])})
	return false
}

// fixedBits is the number of fractional bits of mode fixed.
const fixedBits = 12

// ranged gives v as a register of ps_1_x holds it in the mode: as it is; clamped to the range that every
// hardware has, PixelShader1xMaxValue of at least 1 and with ps_1_4 at least 8; or the nearest number of
// signed 4.12 fixed point, halves to even.
func (l *lowering) ranged(v ir.Reg) ir.Reg {
	switch l.mode {
	case ModeRange:
		most := float32(l.most)
		return l.b.Emit(ir.FMin, 0, l.b.Emit(ir.FMax, 0, l.b.F(-most), v), l.b.F(most))
	case ModeFixed:
		const one = 1 << fixedBits
		n := l.b.Emit(ir.F2I, 0, l.b.Emit(ir.FNearest, 0, l.b.Emit(ir.FMul, 0, v, l.b.F(one))))
		n = l.b.Emit(ir.IMax, 0, l.b.Emit(ir.IMin, 0, n, l.b.U(math.MaxInt16)), l.b.U(1<<32-1<<15))
		return l.b.Emit(ir.FMul, 0, l.b.Emit(ir.I2F, 0, n), l.b.F(1.0/one))
	}
	return v
}

// describeModes lists the numeric modes.
func describeModes(b *strings.Builder) {
	b.WriteString("\nNumeric modes:\n\n")
	for _, m := range numericModes {
		fmt.Fprintf(b, "  %-9s %s\n", m.name, m.doc)
	}
}
