package playground

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return strconv.Itoa(n) + " " + word + "s"
}

// UTF16 turns an offset in bytes into one in UTF-16 units, as browsers count.
func UTF16(text string, off int) int {
	off = min(max(off, 0), len(text))
	n := 0
	for _, r := range text[:off] {
		n += utf16.RuneLen(replaceable(r))
	}
	return n
}

// Bytes turns an offset in UTF-16 units into one in bytes.
func Bytes(text string, units int) int {
	for i, r := range text {
		if units <= 0 {
			return i
		}
		units -= utf16.RuneLen(replaceable(r))
	}
	return len(text)
}

func replaceable(r rune) rune {
	if utf16.RuneLen(r) < 0 {
		return utf8.RuneError
	}
	return r
}

// ParseHex reads a word as people write it: hexadecimal digits, with or without 0x, and with blanks
// or underscores between them.
func ParseHex(s string) (uint32, error) {
	digits := strings.NewReplacer(" ", "", "_", "").Replace(strings.ToLower(strings.TrimSpace(s)))
	digits = strings.TrimPrefix(digits, "0x")
	x, err := strconv.ParseUint(digits, 16, 32)
	if err != nil {
		return 0, fmt.Errorf("%q is not a word: up to eight hexadecimal digits, as in 800F0000", s)
	}
	return uint32(x), nil
}

// Offsets turns rising offsets in bytes of one text into UTF-16 units, in one pass over the text.
type Offsets struct {
	text       string
	off, units int
}

// NewOffsets starts at the beginning of text.
func NewOffsets(text string) *Offsets { return &Offsets{text: text} }

// UTF16 gives the units at an offset; one that falls back starts over.
func (o *Offsets) UTF16(off int) int {
	if off < o.off {
		o.off, o.units = 0, 0
	}
	off = min(off, len(o.text))
	o.units += UTF16(o.text[o.off:], off-o.off)
	o.off = off
	return o.units
}
