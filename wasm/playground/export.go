package playground

import (
	"fmt"
	"strings"
	"unicode"

	"swizzle/shaderkit/isa"
)

// HexWords gives the words of a program as C numbers, one a line, and bytes behind the last whole word
// as numbers of their own.
func HexWords(p *isa.Program) string {
	var b strings.Builder
	for _, w := range isa.Words(p.Data) {
		fmt.Fprintf(&b, "0x%08X\n", w)
	}
	for _, x := range p.Data[len(p.Data)&^3:] {
		fmt.Fprintf(&b, "0x%02X\n", x)
	}
	return b.String()
}

// Header gives a program as a C array called after name.
func Header(p *isa.Program, name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "// %s_%d_%d, %s\n#include <stdint.h>\n\n", p.Stage, p.Major, p.Minor, plural(len(p.Data), "byte"))
	if len(p.Data)%4 != 0 {
		fmt.Fprintf(&b, "static const uint8_t %s[] = {", identifier(name))
		for i, x := range p.Data {
			b.WriteString(separator(i, 12))
			fmt.Fprintf(&b, "0x%02X,", x)
		}
	} else {
		fmt.Fprintf(&b, "static const uint32_t %s[] = {", identifier(name))
		for i, w := range isa.Words(p.Data) {
			b.WriteString(separator(i, 6))
			fmt.Fprintf(&b, "0x%08X,", w)
		}
	}
	b.WriteString("\n};\n")
	return b.String()
}

func separator(i, columns int) string {
	if i%columns == 0 {
		return "\n\t"
	}
	return " "
}

// identifier makes a C identifier of a name.
func identifier(name string) string {
	id := strings.Map(func(r rune) rune {
		if r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return '_'
	}, name)
	if id == "" || unicode.IsDigit(rune(id[0])) {
		id = "shader_" + id
	}
	return id
}
