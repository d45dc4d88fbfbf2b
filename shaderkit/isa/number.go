package isa

import (
	"math"
	"strconv"
	"strings"
)

// AppendFloat prints a float as C's %.9g does with exponents of three digits, the spelling of Microsoft's
// tools. Nine digits fix every float; a NaN is spelled by its bits in native style, since its payload counts.
func AppendFloat(b []byte, bits uint32, style Style) []byte {
	if bits&0x7F800000 == 0x7F800000 {
		switch {
		case bits == 0x7F800000:
			return append(b, "1.#INF"...)
		case bits == 0xFF800000:
			return append(b, "-1.#INF"...)
		case style == Native:
			b = append(b, "bits(0x"...)
			const hex = "0123456789ABCDEF"
			for i := 28; i >= 0; i -= 4 {
				b = append(b, hex[bits>>i&15])
			}
			return append(b, ')')
		case bits == 0xFFC00000:
			return append(b, "-1.#IND"...)
		case bits>>31 != 0:
			return append(b, "-1.#QNAN"...)
		}
		return append(b, "1.#QNAN"...)
	}
	n := len(b)
	b = strconv.AppendFloat(b, float64(math.Float32frombits(bits)), 'g', 9, 64)
	for i := n; i < len(b); i++ {
		if b[i] == 'e' && len(b)-i == 4 {
			b = append(b, b[len(b)-1])
			b[len(b)-2] = b[len(b)-3]
			b[len(b)-3] = '0'
			break
		}
	}
	return b
}

func (t *text) f32(v *Vals, n *tnode) bool {
	if t.write {
		v.said.add(n.slot)
		t.Text = AppendFloat(t.Text, v.v[n.slot], t.style)
		return true
	}
	x, end, msg := ParseFloat(t.s, t.p)
	if msg != "" {
		t.fail(msg)
		if strings.Contains(msg, " ") && msg != "a float" {
			return t.failf(t.p, msg)
		}
		return false
	}
	t.p = end
	v.set(n.slot, x)
	return true
}

// ParseFloat reads a float literal of s at p: decimal with an optional exponent and f, 1.#INF, 1.#QNAN,
// 1.#IND, or bits(0x7FC00001). msg says what is wrong.
func ParseFloat(s string, p int) (bits uint32, end int, msg string) {
	if strings.HasPrefix(s[p:], "bits(") {
		x, e, ok := parseInt(s, p+5)
		if !ok || e >= len(s) || s[e] != ')' {
			return 0, p, "bits() takes one 32-bit number, as in bits(0x7FC00001)"
		}
		return x, e + 1, ""
	}
	e := p
	for e < len(s) && (isWord(s[e]) || s[e] == '.' || s[e] == '#' || (s[e] == '+' || s[e] == '-') && (e == p || s[e-1] == 'e' || s[e-1] == 'E')) {
		e++
	}
	word := s[p:e]
	if word == "" {
		return 0, p, "a float"
	}
	body, sign := word, uint32(0)
	if body[0] == '-' {
		body, sign = body[1:], 1<<31
	} else if body[0] == '+' {
		body = body[1:]
	}
	switch body {
	case "1.#INF":
		return sign | 0x7F800000, e, ""
	case "1.#QNAN", "1.#IND":
		return sign | 0x7FC00000, e, ""
	}
	body = strings.TrimSuffix(strings.TrimSuffix(body, "f"), "F")
	digits, integer := 0, true
	for i := range len(body) {
		switch c := body[i]; {
		case isDigit(c):
			digits++
		case strings.IndexByte(".eE+-", c) >= 0:
			integer = false
		default:
			return 0, p, "a float"
		}
	}
	if digits == 0 {
		return 0, p, "a float"
	}
	if integer {
		if _, err := strconv.ParseUint(body, 10, 32); err != nil {
			return 0, p, "the integer " + body + " does not fit in 32 bits; write it with a decimal point"
		}
	}
	f, err := strconv.ParseFloat(body, 32)
	if err != nil && !math.IsInf(f, 0) {
		return 0, p, "a float"
	}
	return math.Float32bits(float32(f)) | sign, e, ""
}

// ParseInt reads a 32-bit integer of s at p: decimal with a sign, or hexadecimal behind 0x.
func ParseInt(s string, p int) (x uint32, end int, ok bool) { return parseInt(s, p) }

func parseInt(s string, p int) (x uint32, end int, ok bool) {
	e, neg, base := p, false, 10
	if e < len(s) && (s[e] == '-' || s[e] == '+') {
		neg = s[e] == '-'
		e++
	}
	if strings.HasPrefix(s[e:], "0x") || strings.HasPrefix(s[e:], "0X") {
		e, base = e+2, 16
	}
	d := e
	for e < len(s) && isWord(s[e]) && s[e] != '_' {
		e++
	}
	y, err := strconv.ParseUint(s[d:e], base, 64)
	if err != nil || y > math.MaxUint32 || neg && y > 1<<31 {
		return 0, p, false
	}
	if neg {
		y = -y
	}
	return uint32(y), e, true
}
