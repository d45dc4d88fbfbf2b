package d3d9

import (
	"encoding/base64"
	"slices"

	"swizzle/shaderkit/isa"
	"swizzle/shaderkit/source"
)

// Styles of Print.
const (
	StyleNative = "native" // assembles to the same bytes
	StyleFxc    = "fxc"    // as Microsoft's tools list
)

// lister prints a program.
type lister struct {
	p     *isa.Program
	l     *isa.Listing
	pr    isa.Printer
	style isa.Style
	view  *isa.View
	ctx   isa.Context // of view
	v     isa.Vals
	depth int
	end   bool // an end token was printed or is implied
}

// Print lists a program. Native style assembles to the same bytes again; fxc style is Microsoft's listing,
// with the constant table as a comment in front and the count of slots behind.
func Print(p *isa.Program, style string) *isa.Listing { return list(p, style, false) }

// PrintFields is Print that also notes the place of every field in the text, which Annotate and Tokens use.
func PrintFields(p *isa.Program, style string) *isa.Listing { return list(p, style, true) }

func list(p *isa.Program, style string, places bool) *isa.Listing {
	l := &lister{p: p, l: &isa.Listing{}, style: isa.Native}
	raw, shown := 0, 0
	for _, in := range p.Insts {
		switch in.Kind {
		case isa.KindRaw, isa.KindTrail:
			raw += in.Bytes.Len/4 + 1
		case isa.KindOp:
			shown += in.Bytes.Len
		}
	}
	l.l.Lines = make([]isa.Line, 0, len(p.Insts)+raw+2)
	l.pr.Text = make([]byte, 0, len(p.Data)*2+24*raw+64)
	if l.pr.Places = places; places {
		l.pr.Fields = make([]isa.FieldSpan, 0, shown/2) // two of a word
	}
	if style == StyleFxc {
		l.style = isa.Vendor
		if e := FindEffect(p); e != nil {
			l.effect(e)
			l.l.Text = string(l.pr.Text)
			return l.l
		}
		l.parameters()
	}
	for i := range p.Insts {
		l.inst(i)
	}
	if l.style == isa.Native {
		if !l.end && (p.Modules == nil || len(p.Insts) == 0 || !slices.ContainsFunc(p.Insts[:min(2, len(p.Insts))], func(in isa.Inst) bool { return in.Op == rowEffect })) {
			l.directive(-1, source.Range{Off: len(p.Data)}, ".noend")
		}
	} else {
		l.slots()
	}
	l.l.Text, l.l.Fields = string(l.pr.Text), l.pr.Fields
	return l.l
}

func (l *lister) add(s string) { l.pr.Text = append(l.pr.Text, s...) }

// line ends a line that began at start.
func (l *lister) line(start, inst int, b source.Range) {
	l.l.Lines = append(l.l.Lines, isa.Line{Span: source.Span{Start: start, End: len(l.pr.Text)}, Bytes: b, Inst: inst})
	l.pr.Text = append(l.pr.Text, '\n')
}

func (l *lister) directive(inst int, b source.Range, s string) {
	l.add("    ")
	start := len(l.pr.Text)
	l.add(s)
	l.line(start, inst, b)
}

func (l *lister) inst(i int) {
	in := &l.p.Insts[i]
	if c := l.p.CtxOf(i); l.view == nil || c != l.ctx {
		l.view, l.ctx = table.View(c), c
	}
	switch in.Kind {
	case isa.KindData:
		l.record(i)
	case isa.KindHeader:
		l.depth = 0
		if !supported(l.ctx) { // a line vs_4_0 would be of another syntax
			l.raw(i, in.Bytes)
			return
		}
		l.directive(i, in.Bytes, versionName(l.p.Word(in.Bytes.Off)))
	case isa.KindComment:
		l.comment(i)
	case isa.KindEnd:
		l.endToken(i)
	case isa.KindOp:
		l.op(i)
	default:
		l.raw(i, in.Bytes)
	}
}

func (l *lister) op(i int) {
	in := &l.p.Insts[i]
	if in.Op.Class&classClose != 0 && l.depth > 0 {
		l.depth--
	}
	before := len(l.pr.Text)
	if l.coissued(in) {
		l.add("  ")
	} else {
		l.add("    ")
	}
	for range l.depth {
		l.add("  ")
	}
	start := len(l.pr.Text)
	if !l.pr.Inst(l.view, l.p, i, l.style, &l.v) {
		l.pr.Text = l.pr.Text[:before]
		l.raw(i, in.Bytes)
	} else {
		l.line(start, i, in.Bytes)
	}
	if in.Op.Class&classOpen != 0 {
		l.depth++
	}
}

// coissued reports whether an instruction is the second of a pair, printed with a plus.
func (l *lister) coissued(in *isa.Inst) bool {
	return l.ctx.Version < v20 && opCoissue.Get(l.p.Word(in.Bytes.Off)) != 0
}

// raw prints bytes as .dword lines of one word, odd bytes as a .byte line.
func (l *lister) raw(i int, b source.Range) {
	for off := b.Off; off < b.End(); {
		n := min(4, b.End()-off)
		l.add("    ")
		start := len(l.pr.Text)
		if n == 4 {
			l.add(".dword ")
			l.pr.Text = appendHex(l.pr.Text, l.p.Word(off), 8)
		} else {
			l.add(".byte ")
			for k := range n {
				if k > 0 {
					l.add(", ")
				}
				l.pr.Text = appendHex(l.pr.Text, uint32(l.p.Data[off+k]), 2)
			}
		}
		l.line(start, i, source.Range{Off: off, Len: n})
		off += n
	}
}

func appendHex(b []byte, x uint32, digits int) []byte {
	b = append(b, "0x"...)
	for i := 4*digits - 4; i >= 0; i -= 4 {
		b = append(b, "0123456789ABCDEF"[x>>i&15])
	}
	return b
}

// comment prints a comment block: its name, when its first word is one, and the rest in base64 of the
// alphabet without '/', which would start a comment of the text.
func (l *lister) comment(i int) {
	if l.style != isa.Native {
		return
	}
	b := l.p.Insts[i].Bytes
	data := l.p.Data[b.Off+4 : b.End()]
	l.add("    ")
	start := len(l.pr.Text)
	l.p.Fields(i, &l.v)
	l.pr.Print(&l.v, i, l.ctx, l.style)
	if isName(data) {
		l.add(" ")
		l.add(string(data[:4]))
		data = data[4:]
	}
	if len(data) > 0 {
		l.add(" \"")
		l.pr.Text = base64.RawURLEncoding.AppendEncode(l.pr.Text, data)
		l.add("\"")
	}
	l.line(start, i, b)
}

// isName reports whether data starts with four capital letters or digits, the name of the block.
func isName(data []byte) bool {
	if len(data) < 4 {
		return false
	}
	for k, c := range data[:4] {
		if !('A' <= c && c <= 'Z' || k > 0 && '0' <= c && c <= '9') {
			return false
		}
	}
	return true
}

// endToken prints the end where the assembler would not add the same.
func (l *lister) endToken(i int) {
	l.end = true
	in := &l.p.Insts[i]
	w := l.p.Word(in.Bytes.Off)
	if l.style != isa.Native {
		return
	}
	if w == codeEnd && i == len(l.p.Insts)-1 && l.p.Modules == nil {
		n := len(l.pr.Text)
		l.l.Lines = append(l.l.Lines, isa.Line{Span: source.Span{Start: n, End: n}, Bytes: in.Bytes, Inst: i, Implicit: true})
		return
	}
	l.add("    ")
	start := len(l.pr.Text)
	l.p.Fields(i, &l.v)
	l.pr.Print(&l.v, i, l.ctx, l.style)
	l.line(start, i, in.Bytes)
}
