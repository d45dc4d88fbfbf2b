package asmtext

import (
	"strings"

	"swizzle/shaderkit/source"
)

// word gives the end of the identifier or number at i; the two are told apart by the first byte.
func word(s string, i int) int {
	number := '0' <= s[i] && s[i] <= '9'
	e := i
	for e < len(s) && (isIdent(s[e], true) || number && s[e] == '.') {
		e++
	}
	return e
}

// openCall reports whether s ends inside the arguments of a macro.
func (p *preproc) openCall(s string) bool {
	for i := 0; i < len(s); {
		if !isIdent(s[i], true) {
			i++
			continue
		}
		e := word(s, i)
		if m, ok := p.macros[s[i:e]]; ok && m.fn {
			if a := skipBlanks(s, e); a < len(s) && s[a] == '(' {
				if _, _, ok := arguments(s, a); !ok {
					return true
				}
			}
		}
		i = e
	}
	return false
}

func skipBlanks(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\t' || s[i] == '\n' || s[i] == '\r') {
		i++
	}
	return i
}

// arguments splits the argument list that starts with the parenthesis at i.
func arguments(s string, i int) (args []string, end int, ok bool) {
	depth, from := 0, i+1
	for ; i < len(s); i++ {
		switch s[i] {
		case '(', '[':
			depth++
		case ']':
			depth--
		case ')':
			if depth--; depth == 0 {
				return append(args, strings.TrimSpace(s[from:i])), i + 1, true
			}
		case ',':
			if depth == 1 {
				args = append(args, strings.TrimSpace(s[from:i]))
				from = i + 1
			}
		}
	}
	return args, i, false
}

// expandLine expands the macros of a line. Without any it stays a piece of the text.
func (p *preproc) expandLine(l Line) Line {
	s := l.Text
	var b strings.Builder
	var segs []seg
	from := 0
	copyTo := func(i int) {
		if i > from {
			segs = append(segs, seg{b.Len(), source.Span{Start: l.base + from, End: l.base + i}, true})
			b.WriteString(s[from:i])
		}
	}
	for i := 0; i < len(s); {
		if s[i] == '"' {
			if e := strings.IndexByte(s[i+1:], '"'); e >= 0 {
				i += e + 2
				continue
			}
		}
		if !isIdent(s[i], true) {
			i++
			continue
		}
		e := word(s, i)
		out, end, ok := p.call(&l, s, i, e, nil, 0)
		if !ok {
			i = e
			continue
		}
		copyTo(i)
		segs = append(segs, seg{b.Len(), source.Span{Start: l.base + i, End: l.base + end}, false})
		b.WriteString(out)
		i, from = end, end
	}
	if segs == nil {
		if strings.Contains(l.Text, "\n") {
			l.Text = strings.ReplaceAll(l.Text, "\n", " ")
		}
		return l
	}
	copyTo(len(s))
	l.Text, l.segs, l.Macro = strings.ReplaceAll(b.String(), "\n", " "), segs, true
	return l
}

// call expands the macro named s[i:e], if it is one. hide names the macros that are being expanded.
func (p *preproc) call(l *Line, s string, i, e int, hide []string, depth int) (out string, end int, ok bool) {
	name := s[i:e]
	m, ok := p.macros[name]
	if !ok || depth > maxDepth {
		return "", 0, false
	}
	for _, h := range hide {
		if h == name {
			return "", 0, false
		}
	}
	body := m.body
	if m.fn {
		a := skipBlanks(s, e)
		if a >= len(s) || s[a] != '(' {
			return "", 0, false
		}
		args, after, closed := arguments(s, a)
		if !closed {
			if depth == 0 {
				l.Errorf(&p.diags, i, len(s), "bad-macro", "the arguments of %s have no ')'", name)
				return "", len(s), true
			}
			return "", 0, false
		}
		if len(args) == 1 && args[0] == "" && len(m.params) == 0 {
			args = nil
		}
		if len(args) != len(m.params) {
			if depth == 0 {
				l.Errorf(&p.diags, i, after, "bad-macro", "the macro %s takes %d arguments, not %d", name, len(m.params), len(args))
				return "", after, true // what it would leave is no instruction
			}
			return "", 0, false
		}
		for k := range args {
			args[k] = p.expand(l, args[k], hide, depth+1)
		}
		body = substitute(body, m.params, args)
		e = after
	}
	if p.made += len(body); p.made > maxExpansion {
		if !p.full {
			p.full = true
			l.Errorf(&p.diags, i, min(e, len(l.Text)), "macro-too-large", "macros make more than %d bytes", maxExpansion)
		}
		return "", 0, false
	}
	return p.expand(l, body, append(hide[:len(hide):len(hide)], name), depth+1), e, true
}

func (p *preproc) expand(l *Line, s string, hide []string, depth int) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		if !isIdent(s[i], true) {
			b.WriteByte(s[i])
			i++
			continue
		}
		e := word(s, i)
		if out, end, ok := p.call(l, s, i, e, hide, depth); ok {
			b.WriteString(out)
			i = end
			continue
		}
		b.WriteString(s[i:e])
		i = e
	}
	return b.String()
}

// substitute puts args in the place of params; ## joins its neighbours.
func substitute(body string, params, args []string) string {
	var b strings.Builder
	for i := 0; i < len(body); {
		if strings.HasPrefix(body[i:], "##") {
			s := strings.TrimRight(b.String(), " \t")
			b.Reset()
			b.WriteString(s)
			i = skipBlanks(body, i+2)
			continue
		}
		if !isIdent(body[i], true) {
			b.WriteByte(body[i])
			i++
			continue
		}
		e := word(body, i)
		w := body[i:e]
		for k, p := range params {
			if p == w {
				w = args[k]
				break
			}
		}
		b.WriteString(w)
		i = e
	}
	return b.String()
}
