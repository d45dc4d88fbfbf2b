package testkit

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// Words reads 32-bit words: hexadecimal numbers with or without 0x, apart by blanks, commas or
// lines; // and # and ; begin a comment.
func Words(t testing.TB, text string) []uint32 {
	t.Helper()
	var words []uint32
	for _, f := range fields(text) {
		s := strings.TrimPrefix(strings.TrimPrefix(f, "0x"), "0X")
		w, err := strconv.ParseUint(s, 16, 32)
		if err != nil {
			t.Fatalf("%q is not a 32-bit word in hexadecimal", f)
		}
		words = append(words, uint32(w))
	}
	return words
}

// Hex reads bytes: pairs of hexadecimal digits, in any grouping, with the separators and comments of
// Words.
func Hex(t testing.TB, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(fields(text), ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func fields(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		if i := strings.IndexAny(line, "#;"); i >= 0 {
			line = line[:i]
		}
		line, _, _ = strings.Cut(line, "//")
		all = append(all, strings.Fields(strings.ReplaceAll(line, ",", " "))...)
	}
	return all
}

// Bytes gives the little-endian bytes of words.
func Bytes(words []uint32) []byte {
	var b []byte
	for _, w := range words {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return b
}

// FormatWords gives words as 0x%08X, one a line.
func FormatWords(words []uint32) string {
	var b strings.Builder
	for _, w := range words {
		fmt.Fprintf(&b, "0x%08X\n", w)
	}
	return b.String()
}
