package asmtext

import (
	"strings"

	"swizzle/shaderkit/source"
)

// Comments are the comment syntaxes of an assembly language.
type Comments struct {
	Line  []string // what starts a comment to the end of the line
	Block bool     // whether /* */ is a comment
}

// Blank gives text with every comment overwritten by blanks, so that offsets stay, and the comments' spans.
// Quoted strings hold no comments. The byte order mark in front of a text, form feeds and vertical tabs are blank
// too. open is the offset of a block comment without an end, or -1.
func Blank(text string, c Comments) (blanked string, comments []source.Span, open int) {
	open = -1
	var b []byte // made when something is blanked
	blank := func(s, e int) {
		if b == nil {
			b = []byte(text)
		}
		for i := s; i < e; i++ {
			if b[i] != '\n' {
				b[i] = ' '
			}
		}
	}
	erase := func(s, e int) {
		blank(s, e)
		comments = append(comments, source.Span{Start: s, End: e})
	}
	if strings.HasPrefix(text, "\uFEFF") {
		blank(0, len("\uFEFF"))
	}
	for i := 0; i < len(text); {
		switch {
		case text[i] == '"': // to the quote or the end of the line
			for i++; i < len(text) && text[i] != '"' && text[i] != '\n'; i++ {
			}
			i++
		case c.Block && strings.HasPrefix(text[i:], "/*"):
			e := strings.Index(text[i+2:], "*/")
			if e < 0 {
				open = i
				e = len(text)
			} else {
				e += i + 4
			}
			erase(i, e)
			i = e
		case text[i] == '\f' || text[i] == '\v':
			blank(i, i+1)
			i++
		default:
			if n := lineComment(text[i:], c); n > 0 {
				e := strings.IndexByte(text[i:], '\n')
				if e < 0 {
					e = len(text) - i
				}
				erase(i, i+e)
				i += e
				continue
			}
			i++
		}
	}
	if b == nil {
		return text, nil, open
	}
	return string(b), comments, open
}

func lineComment(s string, c Comments) int {
	for _, l := range c.Line {
		if strings.HasPrefix(s, l) {
			return len(l)
		}
	}
	return 0
}
