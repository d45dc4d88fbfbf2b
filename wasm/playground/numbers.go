package playground

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"swizzle/shaderkit"
	"swizzle/shaderkit/isa"
)

// BytesOf reads a shader's binary out of a text that spells its numbers, as listings, hex dumps and C headers do.
// These ways are tried; ok is false when none gives a shader:
//
//	FFFF0300 0x02000001      words of eight hexadecimal digits; all else is decoration
//	{ 0, 3, 255, 0xFF, ... } a C array of bytes or words
//	00 03 FF FF, 0003ffff    bytes of two hexadecimal digits in the order of the file
func BytesOf(text string) (data []byte, ok bool) {
	text = cComment.ReplaceAllString(text, " ")
	array := text
	if _, inside, found := strings.Cut(text, "{"); found {
		array, _, _ = strings.Cut(inside, "}")
	}
	for _, read := range []func() []byte{
		func() []byte { return hexWords(array) },
		func() []byte { return cNumbers(array) },
		func() []byte { return hexBytes(text) },
	} {
		data := read()
		if arch, _ := shaderkit.Detect(data); arch != nil {
			return data, true
		}
	}
	return nil, false
}

// cComment is a comment of C, or the text that the compiler puts in front of an array between #if 0 and #endif.
var cComment = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*|#if 0\b.*?#endif`)

// cArray is the beginning of a C array. The compiler puts the assembly in front of one.
var cArray = regexp.MustCompile(`\[\w*\]\s*=\s*\{`)

// Pasted gives the text that a pasted text stands for: the assembly of a binary spelled in numbers, else the
// text itself.
func Pasted(text string) string {
	text, _ = plainText([]byte(text))
	if shaderkit.DetectText(text) != nil && !cArray.MatchString(text) {
		return text
	}
	if data, ok := BytesOf(text); ok {
		if _, listing := disassemble(data); listing != "" {
			return listing
		}
	}
	return text
}

// disassemble gives the text of a binary with its architecture, nil when no one knows it.
func disassemble(data []byte) (*isa.Arch, string) {
	arch, _ := shaderkit.Detect(data)
	if arch == nil {
		return nil, ""
	}
	return arch, arch.Print(arch.Decode(data, isa.Options{Permissive: true}), arch.Styles[0]).Text
}

// hexWords reads words of eight hexadecimal digits.
func hexWords(text string) []byte {
	var data []byte
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !isWord(r) }) {
		digits := strings.TrimPrefix(strings.TrimPrefix(word, "0x"), "0X")
		if len(digits) != 8 {
			continue
		}
		if x, err := strconv.ParseUint(digits, 16, 32); err == nil {
			data = binary.LittleEndian.AppendUint32(data, uint32(x))
		}
	}
	return data
}

// cNumbers reads the numbers of a C array: bytes when all fit, else words. What is no number ends it.
func cNumbers(text string) []byte {
	var numbers []uint32
	var largest uint32
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !isWord(r) }) {
		x, err := strconv.ParseUint(strings.TrimRight(word, "uUlL"), 0, 32)
		if err != nil {
			return nil
		}
		numbers = append(numbers, uint32(x))
		largest = max(largest, uint32(x))
	}
	var data []byte
	for _, x := range numbers {
		if largest < 256 {
			data = append(data, byte(x))
		} else {
			data = binary.LittleEndian.AppendUint32(data, x)
		}
	}
	return data
}

// hexBytes reads digits of bytes, with or without blanks between them.
func hexBytes(text string) []byte {
	data, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		return nil
	}
	return data
}

func isWord(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}

// plainText gives a text as editors hold it: UTF-8 without a byte order mark, lines that end with a line feed.
// Other bytes than UTF-8 are taken for Latin-1. ok is false when data is no text.
func plainText(data []byte) (text string, ok bool) {
	text = strings.TrimPrefix(string(data), "\uFEFF")
	switch {
	case bytes.HasPrefix(data, []byte{0xFF, 0xFE}):
		text = fromUTF16(data[2:], binary.LittleEndian)
	case bytes.HasPrefix(data, []byte{0xFE, 0xFF}):
		text = fromUTF16(data[2:], binary.BigEndian)
	case !utf8.ValidString(text):
		runes := make([]rune, len(data))
		for i := range runes {
			runes[i] = rune(data[i])
		}
		text = string(runes)
	}
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	return text, shaderkit.IsText([]byte(text))
}

func fromUTF16(data []byte, order binary.ByteOrder) string {
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = order.Uint16(data[2*i:])
	}
	return string(utf16.Decode(units))
}
