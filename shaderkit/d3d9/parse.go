package d3d9

import (
	"encoding/base64"
	"encoding/binary"
	"strings"

	"swizzle/shaderkit/internal/asmtext"
	"swizzle/shaderkit/isa"
	"swizzle/shaderkit/source"
)

// comments are the comment syntaxes.
var comments = asmtext.Comments{Line: []string{"//", ";"}, Block: true}

// assembler reads a text.
type assembler struct {
	o       isa.Options
	ctx     isa.Context
	version bool // the version line was read
	assumed bool // there was none, and it was told
	effect  bool // an effect, which holds shaders
	noend   bool
	ended   bool
	data    []byte
	list    *isa.Listing
	fields  []isa.FieldSpan // Inst counts lines here
	diags   source.List
	pa      isa.Parser
	v       isa.Vals
	l       *asmtext.Line // being read
	pp      asmtext.Result
}

// Assemble reads a text in fxc's syntax or the native one, which is a superset. The program is there even
// when the list has errors: lines that cannot be read have no bytes. The listing maps text to bytes.
func Assemble(text string, o isa.Options) (*isa.Program, *isa.Listing, source.List) {
	a := &assembler{o: o, list: &isa.Listing{Text: text}}
	a.read(text)
	p := Decode(a.data, o)
	a.place(p)
	a.report(p, append(p.Diags[:len(p.Diags):len(p.Diags)], Check(p)...))
	a.diags.Sort()
	a.pp.Call(a.diags)
	return p, a.list, a.diags
}

// read makes the bytes of a text.
func (a *assembler) read(text string) {
	a.pp = asmtext.Preprocess(text, asmtext.Options{Comments: comments, Include: a.o.Include, Defines: a.o.Defines})
	a.diags = a.pp.Diags
	lines := a.pp.Lines
	for i := range lines {
		a.l = &lines[i]
		a.l.Text = strings.TrimRight(a.l.Text, " \t\r")           // so that what is missing is missing behind the last word
		if i+1 < len(lines) && strings.HasSuffix(a.l.Text, ",") { // operands run on
			if j, ok := a.l.Join(&lines[i+1]); ok {
				lines[i+1] = j
				continue
			}
		}
		a.line()
	}
	a.finish()
}

// line reads the statements of the current line.
func (a *assembler) line() {
	s := a.l.Text
	for p := blanks(s, 0); p < len(s); p = blanks(s, p) {
		end, ok := a.statement(p)
		if !ok {
			return
		}
		p = end
	}
}

func blanks(s string, p int) int {
	for p < len(s) && (s[p] == ' ' || s[p] == '\t' || s[p] == '\r') {
		p++
	}
	return p
}

// word gives the end of the word at p, a point in front included.
func wordEnd(s string, p int) int {
	e := p
	for e < len(s) && (s[e] == '.' && e == p || s[e] == '_' || '0' <= s[e] && s[e] <= '9' || 'a' <= s[e] && s[e] <= 'z' || 'A' <= s[e] && s[e] <= 'Z') {
		e++
	}
	return e
}

func (a *assembler) errorf(p, e int, code, format string, args ...any) {
	a.l.Errorf(&a.diags, p, e, code, format, args...)
}

// statement reads the statement at p and gives the offset behind it.
func (a *assembler) statement(p int) (end int, ok bool) {
	s := a.l.Text
	if s[p] == '.' {
		return a.directive(p)
	}
	word := s[p:versionEnd(s, p)]
	w, ok := parseVersion(word)
	if e := wordOrVersion(s, p); !ok && (!a.version || a.assumed) {
		if near, is := nearVersion(s[p:e]); is {
			a.errorf(p, e, "no-version", "a version is written %s, not %s", near, s[p:e])
			word = s[p:e]
			w, ok = parseVersion(near)
		}
	}
	if ok {
		if a.assumed { // the error was told where the text begins
			a.assumed, a.ctx = false, context(w)
			return p + len(word), true
		}
		if a.version && !a.effect {
			a.errorf(p, p+len(word), "second-version", "a second version line; one text holds one shader")
			return p + len(word), true
		}
		if len(a.data) > 0 && !a.effect {
			a.errorf(p, p+len(word), "late-version", "the version line stands in front of everything else")
		}
		a.version = true
		a.ctx = context(w)
		start := len(a.data)
		a.data = binary.LittleEndian.AppendUint32(a.data, w)
		a.add(p, p+len(word), start)
		return p + len(word), true
	}
	told := !a.version
	if !a.version {
		if !a.diags.HasErrors() || len(a.data) == 0 {
			a.errorf(p, max(p+len(word), p+1), "no-version", "a shader starts with its version: %s", strings.Join(versions[:6], ", "))
		}
		a.version, a.assumed = true, true // read on with the newest one, to find other errors
		a.ctx = isa.Context{Stage: VS, Version: v30}
	}
	if s[p] == '+' && a.ctx.Version >= v20 {
		a.errorf(p, p+1, "co-issue", "a plus pairs instructions of ps_1_x alone")
		return p + 1, true
	}
	op, end, err := a.pa.Parse(table, s, p, a.ctx, &a.v)
	switch {
	case err == nil:
	case told: // one error is enough of what may be a version
		return 0, false
	case err.Code == "unknown-opcode" && registerWord(word) == len(word):
		a.errorf(err.Span.Start, err.Span.End, "syntax", "expected an instruction, found the register '%s'; its name comes first, as in mov %s, c0", word, word)
		return 0, false
	default:
		a.errorf(err.Span.Start, err.Span.End, err.Code, "%s%s", err.Message, a.hint(err))
		return 0, false
	}
	start := len(a.data)
	if op = a.rewrite(op, p, end); op == nil {
		return end, true
	}
	a.data = op.AppendWords(a.data, &a.v)
	a.fields = a.v.AppendFieldSpans(a.fields, len(a.list.Lines), a.l.Span)
	a.add(p, end, start)
	return end, true
}

// rewrite turns sub into add with the second source negated, as Microsoft's assembler does but in ps_1_x.
// A text that states the code keeps it.
func (a *assembler) rewrite(op *isa.Op, p, end int) *isa.Op {
	if op.Name != "sub" || a.v.Given("code") || a.ctx.Stage == PS && a.ctx.Version < v20 {
		return op
	}
	slot := op.Slot("src1.mod")
	mod, _ := a.v.At(slot)
	neg := negated[mod&15]
	if neg < 0 {
		a.errorf(p, end, "sub-modifier", "sub is stored as add with the second source negated, and the modifier %q has no negation", modifierNames[min(int(mod), len(modifierNames)-1)])
		return nil
	}
	add := table.ByName("add")[0]
	a.v.Become(add)
	a.v.Set(slot, uint32(neg))
	a.v.Set(add.Slot("code"), add.Code)
	return add
}

// add notes the line of a statement whose bytes start at start.
func (a *assembler) add(p, end, start int) {
	a.list.Lines = append(a.list.Lines, isa.Line{Span: a.l.Span(p, end), Bytes: source.Range{Off: start, Len: len(a.data) - start}, Inst: -1, Macro: a.l.Expanded(p, end)})
}

// directive reads a line of native text that is no instruction.
func (a *assembler) directive(p int) (end int, ok bool) {
	s := a.l.Text
	e := wordEnd(s, p)
	start := len(a.data)
	switch name := s[p:e]; name {
	case ".dword", ".byte":
		e, ok = a.numbers(e, name == ".dword")
	case ".comment":
		e, ok = a.comment(p)
	case ".end":
		var err *isa.SyntaxError
		if e, err = a.pa.ParseRow(rowEnd, s, p, a.ctx, &a.v); err != nil {
			a.errorf(err.Span.Start, err.Span.End, err.Code, "%s", err.Message)
			return 0, false
		}
		a.data, a.ended, ok = rowEnd.AppendWords(a.data, &a.v), true, true
	case ".noend":
		a.noend, ok = true, true
	default:
		if row := recordRow(name); row != nil {
			e, ok = a.record(row, p, e)
			break
		}
		a.errorf(p, e, "unknown-directive", "unknown directive %q; there are .dword, .byte, .comment, .end and .noend, and the records of effects: .effect, .parameter, .technique, .pass, .state and others", name)
	}
	if !ok {
		a.data = a.data[:start] // what was read of it has no line
	} else {
		a.version = a.version || len(a.data) > 0
		if start == 0 && len(a.data) >= 4 && !a.effect {
			a.ctx = context(binary.LittleEndian.Uint32(a.data))
		}
		a.add(p, e, start)
	}
	return e, ok
}

// numbers reads the list of .dword or .byte at p.
func (a *assembler) numbers(p int, dword bool) (end int, ok bool) {
	s := a.l.Text
	for {
		p = blanks(s, p)
		x, e, ok := isa.ParseInt(s, p)
		if !ok || !dword && x > 255 {
			kind := "a 32-bit number"
			if !dword {
				kind = "a number up to 255"
			}
			a.errorf(p, max(wordEnd(s, p), min(p+1, len(s))), "syntax", "expected %s", kind)
			return 0, false
		}
		if dword {
			a.data = binary.LittleEndian.AppendUint32(a.data, x)
		} else {
			a.data = append(a.data, byte(x))
		}
		p = blanks(s, e)
		if p >= len(s) || s[p] != ',' {
			return e, true
		}
		p++
	}
}

// comment reads .comment NAME "base64" at p.
func (a *assembler) comment(p int) (end int, ok bool) {
	s := a.l.Text
	e, err := a.pa.ParseRow(rowComment, s, p, a.ctx, &a.v)
	if err != nil {
		a.errorf(err.Span.Start, err.Span.End, err.Code, "%s", err.Message)
		return 0, false
	}
	var body []byte
	if q := blanks(s, e); q < len(s) && isName([]byte(s[q:min(q+4, len(s))])) && wordEnd(s, q) == q+4 {
		body = append(body, s[q:q+4]...)
		e = q + 4
	}
	if q := blanks(s, e); q < len(s) && s[q] == '"' {
		n := strings.IndexByte(s[q+1:], '"')
		if n < 0 {
			a.errorf(q, len(s), "syntax", "the string has no end")
			return 0, false
		}
		b, err := base64.RawURLEncoding.DecodeString(s[q+1 : q+1+n])
		if err != nil {
			a.errorf(q, q+n+2, "bad-base64", "the string is no base64 of the URL alphabet without padding")
			return 0, false
		}
		body = append(body, b...)
		e = q + n + 2
	}
	if len(body)%4 != 0 || len(body)/4 > int(commentLength.Get(^uint32(0))) {
		a.errorf(p, e, "bad-comment", "a comment holds whole words, at most %d, not %d bytes", commentLength.Get(^uint32(0)), len(body))
		return 0, false
	}
	a.v.SetGiven(rowComment.Slot("length"), uint32(len(body)/4))
	a.data = rowComment.AppendWords(a.data, &a.v)
	a.data = append(a.data, body...)
	return e, true
}

// finish adds the end token that nobody wrote.
func (a *assembler) finish() {
	if a.noend || a.ended || a.effect {
		return
	}
	if len(a.data) == 0 {
		if !a.diags.HasErrors() {
			a.diags.Errorf(source.Span{}, "no-version", "a shader starts with its version: %s", strings.Join(versions[:6], ", "))
		}
		return
	}
	end := 0
	for _, l := range a.list.Lines {
		end = max(end, l.Span.End)
	}
	start := len(a.data)
	a.data = rowEnd.AppendWords(a.data, a.reset(rowEnd))
	a.list.Lines = append(a.list.Lines, isa.Line{Span: source.Span{Start: end, End: end}, Bytes: source.Range{Off: start, Len: 4}, Inst: -1, Implicit: true})
}

func (a *assembler) reset(op *isa.Op) *isa.Vals {
	a.v.Reset(op, a.ctx)
	a.v.Set(op.Slot("code"), op.Code)
	return &a.v
}

// place ties the lines, and the fields in them, to the instructions of the program.
func (a *assembler) place(p *isa.Program) {
	inst := make([]int, len(a.list.Lines))
	for i := range a.list.Lines {
		l := &a.list.Lines[i]
		inst[i] = -1
		if l.Bytes.Len == 0 {
			continue
		}
		l.Inst = p.InstAt(l.Bytes.Off)
		if l.Inst >= 0 && p.Insts[l.Inst].Bytes == l.Bytes {
			inst[i] = l.Inst
		}
	}
	for _, f := range a.fields {
		if k := inst[f.Inst]; k >= 0 && p.Insts[k].Op != nil {
			f.Inst = int32(k)
			a.list.Fields = append(a.list.Fields, f)
		}
	}
}

// report moves findings in bytes to the text and adds them.
func (a *assembler) report(p *isa.Program, found source.List) {
	if a.diags.HasErrors() && len(a.data) == 0 {
		return
	}
	broken := a.diags.HasErrors() // lines are missing: findings that follow from that would only confuse
	for _, d := range found {
		if broken && !localFinding(d.Code) {
			continue
		}
		if a.o.Permissive && d.Severity == source.Error {
			d.Severity = source.Warning
		}
		if k := a.list.LineOf(d.Bytes.Off); k >= 0 {
			d.InText, d.Span = true, a.list.Lines[k].Span
			if s, ok := a.fieldSpan(p, d.Bytes); ok {
				d.Span = s
			}
		} else {
			d.InText, d.Span = true, a.last()
		}
		a.diags.Add(d)
	}
}

// last gives the place of the last statement, where something is missing behind it.
func (a *assembler) last() source.Span {
	if n := len(a.list.Lines); n > 0 {
		return a.list.Lines[n-1].Span
	}
	return source.Span{}
}

// fieldSpan gives the text of the operand whose word is at r.
func (a *assembler) fieldSpan(p *isa.Program, r source.Range) (s source.Span, ok bool) {
	i := p.InstAt(r.Off)
	if i < 0 || p.Insts[i].Op == nil || p.Insts[i].Bytes.Off == r.Off {
		return s, false
	}
	slots := p.WordSlots(i, r.Off, &a.v)
	for _, f := range a.list.Fields {
		if int(f.Inst) != i || !slots(int(f.Slot)) {
			continue
		}
		if !ok {
			s, ok = f.Span(), true
			continue
		}
		s.Start, s.End = min(s.Start, f.Span().Start), max(s.End, f.Span().End)
	}
	return s, ok
}

// DetectText reports whether a text is in this syntax: behind comments and directives of the preprocessor it
// starts with a version line of a vertex or pixel shader.
func DetectText(text string) bool {
	blanked, _, _ := asmtext.Blank(text, comments)
	for line := range strings.Lines(blanked) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		w := line[:versionEnd(line, 0)]
		if v, ok := parseVersion(w); ok {
			major := versionMajor.Get(v)
			return major != 4 && major != 5 // those are another encoding's
		}
		switch w {
		case ".dword", ".byte", ".comment", ".end", ".noend", ".effect":
			return true
		case "def", "dcl", "defi", "defb":
			continue // an error, but of this syntax
		}
		if !inConditional(blanked) {
			return false
		}
	}
	return false
}

// inConditional reports whether lines may be left out, so that the first line proves nothing.
func inConditional(text string) bool { return strings.Contains(text, "#if") }
