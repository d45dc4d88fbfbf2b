package asmtext

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"swizzle/shaderkit/source"
)

// Options say how to preprocess.
type Options struct {
	Comments Comments
	Include  func(name string) (string, error) // nil: includes are errors
	Defines  map[string]string
}

// Limits that keep a text from growing without bound.
const (
	maxIncludes  = 64      // files included in all
	maxDepth     = 16      // includes inside includes, macros inside macros
	maxExpansion = 1 << 20 // bytes that macros may make
	maxJoined    = 64      // lines that the arguments of one macro, or the operands of one instruction, may take
)

// A Line is a logical line behind the preprocessor.
type Line struct {
	Text  string
	Macro bool // a macro or an included file made some of it
	base  int  // offset of Text in the main text, when segs is nil
	segs  []seg
	in    *place // the line is of an included file
	file  string
	whole string // text of the included file
	marks *marks // of the file

	joined int // lines that were joined to it
}

// A seg is a piece of an expanded line.
type seg struct {
	at   int // offset in Line.Text
	from source.Span
	copy bool // a copy of the text: offsets run along; otherwise the piece stands for all of from
}

type place struct{ span source.Span }

// Span gives the place in the main text of the piece [a, b) of the line.
func (l *Line) Span(a, b int) source.Span {
	if l.in != nil {
		return l.in.span
	}
	return l.inner(a, b)
}

func (l *Line) inner(a, b int) source.Span {
	if l.segs == nil {
		return source.Span{Start: l.base + a, End: l.base + b}
	}
	s := l.find(a)
	span := source.Span{Start: s.from.Start, End: s.from.End}
	if s.copy {
		span.Start = s.from.Start + a - s.at
	}
	e := l.find(max(a, b-1))
	span.End = e.from.End
	if e.copy {
		span.End = e.from.Start + b - e.at
	}
	return span
}

// find gives the segment that holds offset i.
func (l *Line) find(i int) seg { return l.segs[l.index(i)] }

func (l *Line) index(i int) int {
	return max(0, sort.Search(len(l.segs), func(k int) bool { return l.segs[k].at > i })-1)
}

// Expanded reports whether the piece [a, b) of the line holds anything that does not stand in the main text.
func (l *Line) Expanded(a, b int) bool {
	if l.in != nil {
		return true
	}
	if l.segs == nil {
		return false
	}
	for k := l.index(a); k < len(l.segs) && l.segs[k].at < b; k++ {
		end := len(l.Text)
		if k+1 < len(l.segs) {
			end = l.segs[k+1].at
		}
		if !l.segs[k].copy && end > a {
			return true
		}
	}
	return false
}

// Join gives the line that l and the next one make together, where both stand in the same text. It joins a
// limited number of lines.
func (l *Line) Join(next *Line) (Line, bool) {
	if l.joined >= maxJoined {
		return Line{}, false
	}
	if l.in != nil || next.in != nil {
		if l.in == nil || next.in == nil || l.file != next.file {
			return Line{}, false
		}
	}
	j := Line{joined: l.joined + 1, Text: l.Text + " " + next.Text, Macro: l.Macro || next.Macro, in: l.in, file: l.file, whole: l.whole}
	j.segs = append(j.segs, l.pieces(0)...)
	j.segs = append(j.segs, seg{len(l.Text), source.Span{Start: l.base + len(l.Text), End: l.base + len(l.Text) + 1}, true})
	j.segs = append(j.segs, next.pieces(len(l.Text)+1)...)
	return j, true
}

// pieces gives the segments of l, moved by at.
func (l *Line) pieces(at int) []seg {
	if l.segs == nil {
		return []seg{{at, source.Span{Start: l.base, End: l.base + len(l.Text)}, true}}
	}
	s := append([]seg(nil), l.segs...)
	for i := range s {
		s[i].at += at
	}
	return s
}

// Errorf adds an error at the piece [a, b) of the line. Of an included file the place is the directive, and
// the message tells the line in the file.
func (l *Line) Errorf(list *source.List, a, b int, code, format string, args ...any) {
	list.Add(l.Diagnostic(a, b, code, fmt.Sprintf(format, args...)))
}

// Diagnostic makes an error at the piece [a, b) of the line.
func (l *Line) Diagnostic(a, b int, code, msg string) source.Diagnostic {
	if l.in != nil {
		at := l.inner(a, b).Start
		line, col := source.Position(l.whole, at)
		file := l.file
		if name, n, ok := l.marks.at(l.whole, at); ok {
			line = n
			if name != "" {
				file = name
			}
		}
		msg = fmt.Sprintf("%s:%d:%d: %s", file, line, col, msg)
	}
	return source.Diagnostic{Code: code, InText: true, Span: l.Span(a, b), Message: msg}
}

// marks are the #line directives of a text.
type marks []mark

// A mark says what the line that starts at off is called.
type mark struct {
	off  int
	line int
	file string // "" keeps the name
}

// at gives the name and number that the place off of text is called by; ok is false where no #line says so.
func (m *marks) at(text string, off int) (file string, line int, ok bool) {
	if m == nil {
		return "", 0, false
	}
	for _, x := range *m {
		if x.off > off {
			break
		}
		line, ok = x.line+strings.Count(text[x.off:off], "\n"), true
		if x.file != "" {
			file = x.file
		}
	}
	return file, line, ok
}

type macro struct {
	params []string // nil: object-like
	fn     bool
	body   string
}

type preproc struct {
	o        Options
	macros   map[string]macro
	lines    []Line
	diags    source.List
	comments []source.Span
	includes int
	made     int  // bytes that macros have made
	full     bool // the limit was reached and told
}

// Result is what Preprocess gives.
type Result struct {
	Lines    []Line
	Comments []source.Span // of the main text
	Diags    source.List
	text     string
	marks    *marks
}

// Call gives findings in the main text the lines and names that #line directives claim for them.
func (r *Result) Call(found source.List) {
	if r.marks == nil || len(*r.marks) == 0 {
		return
	}
	for i := range found {
		d := &found[i]
		if file, line, ok := r.marks.at(r.text, min(d.Span.Start, len(r.text))); ok && d.InText {
			d.Line = line
			if file != "" {
				d.File = file
			}
		}
	}
}

// Preprocess runs the preprocessor over text.
func Preprocess(text string, o Options) Result {
	p := &preproc{o: o, macros: map[string]macro{}}
	for k, v := range o.Defines {
		p.macros[k] = macro{body: v}
	}
	m := p.file(text, "", nil, 0)
	return Result{p.lines, p.comments, p.diags, text, m}
}

// A branch is an open #if.
type branch struct {
	at     source.Span
	live   bool // lines are taken now
	taken  bool // a branch was taken
	outer  bool // the enclosing lines are taken
	isElse bool
}

func (p *preproc) file(text, name string, in *place, depth int) *marks {
	m := &marks{}
	blanked, comments, open := Blank(text, p.o.Comments)
	mk := func(a, b int) Line {
		return Line{Text: blanked[a:b], base: a, in: in, file: name, whole: text, marks: m}
	}
	if open >= 0 {
		l := mk(0, 0)
		l.Errorf(&p.diags, open, open+2, "open-comment", "the comment has no end")
	}
	if in == nil {
		p.comments = comments
	}
	var stack []branch
	live := func() bool { return len(stack) == 0 || stack[len(stack)-1].live }
	for i := 0; i < len(blanked); {
		start := i
		e := lineEnd(blanked, i)
		for e < len(blanked) && e > start && strings.HasSuffix(strings.TrimRight(blanked[start:e], " \t\r"), "\\") {
			e = lineEnd(blanked, e+1)
		}
		i = e + 1
		l := mk(start, e)
		t := strings.TrimLeft(l.Text, " \t\r")
		if !strings.HasPrefix(t, "#") {
			if !live() || strings.TrimSpace(l.Text) == "" {
				continue
			}
			if strings.Contains(l.Text, "\\") {
				l.Text = joinLines(l.Text)
			}
			for n := 0; n < maxJoined && e < len(blanked) && p.openCall(l.Text); n++ { // arguments run on
				e = lineEnd(blanked, e+1)
				i = e + 1
				if l.Text = blanked[start:e]; strings.Contains(l.Text, "\\") {
					l.Text = joinLines(l.Text)
				}
			}
			p.lines = append(p.lines, p.expandLine(l))
			continue
		}
		at := len(l.Text) - len(t)
		p.directive(&l, at, &stack, live(), i, depth)
	}
	for _, b := range stack {
		l := mk(0, 0)
		l.Errorf(&p.diags, b.at.Start, b.at.End, "open-if", "#if without #endif")
	}
	return m
}

func lineEnd(s string, i int) int {
	if e := strings.IndexByte(s[min(i, len(s)):], '\n'); e >= 0 {
		return i + e
	}
	return len(s)
}

// joinLines blanks backslashes at line ends and the line ends behind them.
func joinLines(s string) string {
	b := []byte(s)
	for i := range b {
		if b[i] == '\\' && strings.TrimLeft(s[i+1:], " \t\r") != s[i+1:] || b[i] == '\\' && i+1 < len(s) && s[i+1] == '\n' {
			b[i] = ' '
		}
		if b[i] == '\n' {
			b[i] = ' '
		}
	}
	return string(b)
}

// directive runs the directive whose # is at offset at of l; the next line starts at next.
func (p *preproc) directive(l *Line, at int, stack *[]branch, live bool, next, depth int) {
	text := l.Text
	if strings.Contains(text, "\n") {
		text = joinLines(text)
	}
	i := at + 1
	for i < len(text) && (text[i] == ' ' || text[i] == '\t') {
		i++
	}
	n := i
	for n < len(text) && isIdent(text[n], n > i) {
		n++
	}
	name, rest := text[i:n], strings.TrimSpace(text[n:])
	end := len(strings.TrimRight(text, " \t\r"))
	bad := func(code, format string, args ...any) { l.Errorf(&p.diags, at, end, code, format, args...) }
	s := *stack
	switch name {
	case "if", "ifdef", "ifndef":
		b := branch{at: source.Span{Start: l.base + at, End: l.base + end}, outer: live}
		if live {
			b.live = p.condition(name, rest, bad)
			b.taken = b.live
		}
		*stack = append(s, b)
		return
	case "elif", "else", "endif":
		if len(s) == 0 {
			bad("stray-"+name, "#%s without #if", name)
			return
		}
		b := &s[len(s)-1]
		switch {
		case name == "endif":
			*stack = s[:len(s)-1]
		case b.isElse:
			bad("stray-"+name, "#%s behind #else", name)
		case name == "else":
			b.isElse = true
			b.live = b.outer && !b.taken
		case !b.outer || b.taken:
			b.live = false
		default:
			b.live = p.condition("if", rest, bad)
			b.taken = b.live
		}
		return
	}
	if !live {
		return
	}
	switch name {
	case "define":
		p.define(rest, bad)
	case "undef":
		delete(p.macros, rest)
	case "include":
		p.include(l, at, end, rest, depth, bad)
	case "error":
		bad("error-directive", "#error %s", rest)
	case "line":
		l.marks.add(rest, next, bad)
	case "pragma", "":
	default:
		bad("unknown-directive", "unknown directive #%s; there are #define, #undef, #if, #ifdef, #ifndef, #elif, #else, #endif, #include, #error and #line", name)
	}
}

// add reads what follows #line: a number, and maybe a name in quotes.
func (m *marks) add(rest string, next int, bad func(code, format string, args ...any)) {
	number, name, _ := strings.Cut(rest, " ")
	n, err := strconv.Atoi(number)
	name = strings.TrimSpace(name)
	quoted := len(name) >= 2 && name[0] == '"' && name[len(name)-1] == '"'
	if err != nil || n < 1 || name != "" && !quoted {
		bad("bad-directive", `#line takes the number of the next line, and maybe a name in quotes, as in #line 20 "name"`)
		return
	}
	*m = append(*m, mark{next, n, strings.Trim(name, `"`)})
}

func (p *preproc) condition(name, rest string, bad func(code, format string, args ...any)) bool {
	if name != "if" {
		if rest == "" || !isIdentWord(rest) {
			bad("bad-directive", "#%s takes a name", name)
			return false
		}
		_, ok := p.macros[rest]
		return ok == (name == "ifdef")
	}
	v, err := p.eval(rest)
	if err != nil {
		bad("bad-condition", "#if: %v", err)
	}
	return v != 0
}

func (p *preproc) define(rest string, bad func(code, format string, args ...any)) {
	n := 0
	for n < len(rest) && isIdent(rest[n], n > 0) {
		n++
	}
	name := rest[:n]
	if name == "" {
		bad("bad-directive", "#define takes a name of letters, digits and _, which starts with no digit")
		return
	}
	m := macro{body: strings.TrimSpace(rest[n:])}
	if n < len(rest) && rest[n] == '(' {
		e := strings.IndexByte(rest, ')')
		if e < 0 {
			bad("bad-directive", "#define %s: the parameters have no ')'", name)
			return
		}
		m.fn = true
		for _, a := range strings.Split(rest[n+1:e], ",") {
			if a = strings.TrimSpace(a); isIdentWord(a) {
				m.params = append(m.params, a)
			} else if a != "" || strings.Contains(rest[n:e], ",") {
				bad("bad-directive", "#define %s: %q is no parameter name", name, a)
				return
			}
		}
		m.body = strings.TrimSpace(rest[e+1:])
	}
	p.macros[name] = m
}

func (p *preproc) include(l *Line, at, end int, rest string, depth int, bad func(code, format string, args ...any)) {
	name := rest
	if len(rest) >= 2 && (rest[0] == '"' && rest[len(rest)-1] == '"' || rest[0] == '<' && rest[len(rest)-1] == '>') {
		name = rest[1 : len(rest)-1]
	} else {
		bad("bad-directive", "#include takes a name in quotes, as in #include \"name\"")
		return
	}
	switch {
	case p.o.Include == nil:
		bad("no-include", "#include %q: no files can be read here", name)
		return
	case depth >= maxDepth || p.includes >= maxIncludes:
		bad("deep-include", "#include %q: more than %d files, or %d inside each other", name, maxIncludes, maxDepth)
		return
	}
	p.includes++
	text, err := p.o.Include(name)
	if err != nil {
		bad("no-include", "#include %q: %v", name, err)
		return
	}
	in := l.in
	if in == nil {
		in = &place{source.Span{Start: l.base + at, End: l.base + end}}
	}
	p.file(text, name, in, depth+1)
}

func isIdent(c byte, inside bool) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || inside && '0' <= c && c <= '9'
}

func isIdentWord(s string) bool {
	for i := range len(s) {
		if !isIdent(s[i], i > 0) {
			return false
		}
	}
	return s != ""
}
