package playground

import (
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

func TestOffsets(t *testing.T) {
	for _, text := range []string{"", "mul r0, r0, c0\n", "// é 世 𝄞 end", "bad \xff byte", "𝄞"} {
		at := NewOffsets(text)
		for off := 0; off <= len(text); off++ {
			if off < len(text) && !utf8.RuneStart(text[off]) {
				continue
			}
			want := len(utf16.Encode([]rune(text[:off])))
			if got := UTF16(text, off); got != want {
				t.Errorf("UTF16(%q, %d) = %d, want %d", text, off, got, want)
			}
			if got := at.UTF16(off); got != want {
				t.Errorf("Offsets(%q).UTF16(%d) = %d, want %d", text, off, got, want)
			}
			if got := Bytes(text, want); got != off {
				t.Errorf("Bytes(%q, %d) = %d, want %d", text, want, got, off)
			}
		}
	}
	if got := UTF16("ab", 99); got != 2 {
		t.Errorf("behind the end: %d", got)
	}
	at := NewOffsets("é世x")
	if at.UTF16(5) != 2 || at.UTF16(2) != 1 {
		t.Error("an offset that falls back is counted wrongly")
	}
}

func TestParseHex(t *testing.T) {
	for s, want := range map[string]uint32{"800F0000": 0x800F0000, "0x1f": 0x1F, " 80 0f 00_00 ": 0x800F0000, "0X0": 0, "ffffffff": 0xFFFFFFFF} {
		if got, err := ParseHex(s); err != nil || got != want {
			t.Errorf("ParseHex(%q) = %X, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "0x", "xyz", "1FFFFFFFF", "-1", "+1"} {
		if got, err := ParseHex(s); err == nil {
			t.Errorf("ParseHex(%q) = %X", s, got)
		}
	}
}

func FuzzDifference(f *testing.F) {
	f.Add("mul r0, r0, c0\n", "mul r0.xz, r0, c0\n")
	f.Add("// é", "// è")
	f.Add("aaa", "aa")
	f.Fuzz(func(t *testing.T, a, b string) {
		if !utf8.ValidString(a) || !utf8.ValidString(b) {
			return
		}
		e := difference(a, b)
		if got := e.Apply(a); got != b {
			t.Fatalf("%q by %+v = %q, want %q", a, e, got, b)
		}
		if !utf8.ValidString(a[:e.From]) || !utf8.ValidString(a[e.To:]) || !utf8.ValidString(e.Insert) {
			t.Fatalf("%+v cuts a character of %q or %q", e, a, b)
		}
		if strings.Contains(a, b) && a == b && (e.From != e.To || e.Insert != "") {
			t.Fatalf("%+v changes %q into itself", e, a)
		}
	})
}
