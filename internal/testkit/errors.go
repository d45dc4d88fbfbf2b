package testkit

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"swizzle/shaderkit/source"
)

var errorMark = regexp.MustCompile("\\b(ERROR|WARNING|NOTE) ((?:\"[^\"]*\"|`[^`]*`)(?: (?:\"[^\"]*\"|`[^`]*`))*)")

// Diagnostics compares the findings of text with those that the text itself announces, at the line
// that has them, usually in a comment:
//
//	add r0, r1        // ERROR "operand-count"
//
// Each quoted regular expression matches the `error[code]: message` of one finding of that line;
// WARNING and NOTE work likewise. Every finding must be announced and every announcement found.
func Diagnostics(t testing.TB, text string, got source.List) {
	t.Helper()
	type want struct {
		line int
		re   *regexp.Regexp
	}
	var wants []want
	n := 0
	for line := range strings.Lines(text) {
		n++
		for _, m := range errorMark.FindAllStringSubmatch(line, -1) {
			for _, q := range regexp.MustCompile("\"[^\"]*\"|`[^`]*`").FindAllString(m[2], -1) {
				re, err := regexp.Compile(`^` + strings.ToLower(m[1]) + `\[.*` + q[1:len(q)-1])
				if err != nil {
					t.Fatalf("line %d: %v", n, err)
				}
				wants = append(wants, want{n, re})
			}
		}
	}
	for _, d := range got {
		line, col := source.Position(text, d.Span.Start)
		s := fmt.Sprintf("%s[%s]: %s", d.Severity, d.Code, d.Message)
		found := -1
		for i, w := range wants {
			if d.InText && w.line == line && w.re.MatchString(s) {
				found = i
				break
			}
		}
		switch {
		case found >= 0:
			wants = append(wants[:found], wants[found+1:]...)
		case d.InText:
			t.Errorf("%d:%d: not announced: %s", line, col, s)
		default:
			t.Errorf("+0x%X: not announced: %s", d.Bytes.Off, s)
		}
	}
	for _, w := range wants {
		t.Errorf("line %d: no finding matches %s", w.line, w.re)
	}
}
