// Package markup turns the view model of package playground into HTML.
//
// The page uses it at run time, and the build uses it for the static HTML of the first paint: so
// both look the same and nothing moves when the program takes over. All text is escaped here; the
// class names are those of static/page.css.
package markup

import (
	"fmt"
	"html"
	"strconv"
	"strings"

	"swizzle/shaderkit/isa"
	"swizzle/shaderkit/source"
	"swizzle/wasm/playground"
)

var esc = html.EscapeString

// Source gives the coloured text of the first paint.
func Source(text string, marks []isa.Mark) string {
	var b strings.Builder
	at := 0
	for _, m := range marks {
		if m.Span.Start < at || m.Span.End > len(text) {
			continue
		}
		b.WriteString(esc(text[at:m.Span.Start]))
		fmt.Fprintf(&b, `<span class="t-%s">%s</span>`, m.Class, esc(text[m.Span.Start:m.Span.End]))
		at = m.Span.End
	}
	b.WriteString(esc(text[at:]))
	return b.String()
}

// WordID gives the id of the row of a token.
func WordID(token int) string { return "w" + strconv.Itoa(token) }

// Token gives the row of a token in the list. With fileOrder the hex shows the bytes in the order of the file,
// lowest first, else the value of the word.
func Token(d *playground.Document, i int, fileOrder bool) string {
	t := &d.Tokens[i]
	class := "w"
	name, detail := d.Describe(i)
	if i == 0 || d.Tokens[i-1].Inst != t.Inst {
		class += " first"
		if detail != "" {
			name, detail = detail, name // the name of the instruction comes first
		}
	} else if Folded(d, i) {
		class += " data"
	}
	if strings.HasPrefix(detail, name+",") || detail == name {
		name, detail = detail, ""
	}
	row := append(make([]byte, 0, 192), `<div class="`...)
	row = append(row, class...)
	row = append(row, `" role="option" id="`...)
	row = append(row, WordID(i)...)
	row = append(row, `" aria-selected="false"><i>`...)
	row = appendHex(row, uint32(t.Offset), 4)
	row = append(row, `</i><span>`...)
	if fileOrder {
		row = append(row, Hex(t, true)...)
	} else {
		row = appendHex(row, t.Value, 2*t.Size)
	}
	row = append(row, `</span><span><b>`...)
	row = append(row, esc(name)...)
	row = append(row, `</b> `...)
	row = append(row, esc(detail)...)
	row = append(row, `</span></div>`...)
	return string(row)
}

// Tokens gives the rows of all tokens.
func Tokens(d *playground.Document, fileOrder bool) []string {
	rows := make([]string, len(d.Tokens))
	for i := range rows {
		rows[i] = Token(d, i, fileOrder)
	}
	return rows
}

// appendHex appends at least the given number of hexadecimal digits. The rows of a long program are made at
// every key, so it does without package fmt.
func appendHex(b []byte, x uint32, digits int) []byte {
	for digits < 8 && x>>(4*digits) != 0 {
		digits++
	}
	for i := digits - 1; i >= 0; i-- {
		b = append(b, "0123456789ABCDEF"[x>>(4*i)&15])
	}
	return b
}

// Folded reports whether a token is data of a comment, which the list shows only when asked.
func Folded(d *playground.Document, token int) bool {
	t := &d.Tokens[token]
	return t.Word == nil && t.Inst >= 0 && d.Program.Insts[t.Inst].Kind == isa.KindComment
}

// Hex gives the value of a token, or its bytes in the order of the file.
func Hex(t *isa.Token, fileOrder bool) string {
	if !fileOrder {
		return string(appendHex(nil, t.Value, 2*t.Size))
	}
	b := make([]string, t.Size)
	for i := range b {
		b[i] = fmt.Sprintf("%02X", byte(t.Value>>(8*i)))
	}
	return strings.Join(b, " ")
}

// WordTitle names a token above its bits.
func WordTitle(d *playground.Document, token int) string {
	what, detail := d.Describe(token)
	return strings.TrimSpace(fmt.Sprintf("Bits of %04X: %s %s", d.Tokens[token].Offset, what, detail))
}

// key gives the letter of a field, A for the highest bits.
func key(t *isa.Token, field int) string {
	n := 0
	for i := range t.Fields {
		if t.Fields[i].Lo > t.Fields[field].Lo {
			n++
		}
	}
	if n < 26 {
		return string(rune('A' + n))
	}
	return strconv.Itoa(n)
}

func fieldClass(t *isa.Token, field int) string {
	n := int(key(t, field)[0] - 'A')
	return "f" + strconv.Itoa(n&7)
}

// Bits gives the bit cells of a token, bit 31 first. Each is a toggle button that says its number, its field and
// its state; fields differ by letter and edge as well as by colour.
func Bits(t *isa.Token) string {
	var b strings.Builder
	last := -1
	for bit := 8*t.Size - 1; bit >= 0; bit-- {
		f := playground.FieldOf(t, bit)
		class, letter, name := "bit", "", "no field"
		if f >= 0 {
			class += " " + fieldClass(t, f)
			letter, name = key(t, f), t.Fields[f].Name
			if f := t.Word; f != nil && strings.Contains(name, "reserved") {
				class += " reserved"
			}
		}
		if f != last || bit == 8*t.Size-1 {
			class += " edge"
		}
		last = f
		value := t.Value >> bit & 1
		tab := "-1"
		if bit == 8*t.Size-1 {
			tab = "0"
		}
		fmt.Fprintf(&b, `<button type="button" class="%s" data-bit="%d" tabindex="%s" aria-pressed="%t" aria-label="bit %d of %s"><small>%d</small><b>%d</b><u>%s</u></button>`,
			class, bit, tab, value == 1, bit, esc(name), bit, value, letter)
	}
	return b.String()
}

// Fields gives the table of the fields of a token, the highest bits first.
func Fields(t *isa.Token) string {
	if len(t.Fields) == 0 {
		return `<p class="dim">This word is data: it has no fields. Its bits and its hex value can be edited all the same.</p>`
	}
	var b strings.Builder
	b.WriteString(`<table><thead><tr><th scope="col"><span aria-hidden="true">key</span></th><th scope="col">field</th><th scope="col">bits</th><th scope="col">raw</th><th scope="col">meaning</th></tr></thead><tbody>`)
	for _, f := range fieldOrder(t) {
		v := &t.Fields[f]
		fmt.Fprintf(&b, `<tr data-row="%d" title="%s"><td class="key %s">%s</td><td>%s</td><td>%s</td><td><input data-field="%d" aria-label="raw value of %s" aria-description="%s" value="0x%X" spellcheck="false" autocomplete="off"></td><td>%s</td></tr>`,
			f, esc(v.Doc), fieldClass(t, f), key(t, f), esc(v.Name), v.BitNames("+"), f, esc(v.Name), esc(v.Doc), v.Value, esc(v.Meaning))
	}
	b.WriteString("</tbody></table>")
	return b.String()
}

// FieldHelp explains a field of a token, or the token when field is -1.
func FieldHelp(t *isa.Token, field int) string {
	switch {
	case field >= 0 && field < len(t.Fields):
		f := &t.Fields[field]
		return fmt.Sprintf("<b>%s %s</b> %s", key(t, field), esc(f.Name), esc(f.Doc))
	case t.Word != nil:
		return fmt.Sprintf("<b>%s</b> %s", esc(t.Meaning), esc(t.Word.Doc))
	}
	return "<b>data</b> These bytes have no fields."
}

// Help explains the statement of a token and its operand.
func Help(d *playground.Document, token int) string {
	var b strings.Builder
	statement, operand := d.Help(token)
	for _, h := range []isa.Hover{operand, statement} {
		if h.Title == "" {
			continue
		}
		fmt.Fprintf(&b, "<div><b>%s</b> %s", esc(h.Title), esc(h.Text))
		if h.Doc.Summary != "" {
			fmt.Fprintf(&b, " %s", esc(h.Doc.Summary))
		}
		if h.Doc.Pseudo != "" {
			fmt.Fprintf(&b, "<pre>%s</pre>", esc(h.Doc.Pseudo))
		}
		b.WriteString("</div>")
	}
	return b.String()
}

func fieldOrder(t *isa.Token) []int {
	order := make([]int, 0, len(t.Fields))
	for bit := 31; bit >= 0; bit-- {
		for i := range t.Fields {
			if t.Fields[i].Lo == bit {
				order = append(order, i)
			}
		}
	}
	return order
}

// A Problem is a diagnostic with its place in the text.
type Problem struct {
	source.Diagnostic
	Line, Col int // from 1; 0 when it has no place in the text
}

// Problems gives the list below the source; each item leads to its place.
func Problems(problems []Problem) string {
	if len(problems) == 0 {
		return `<span class="dim">No errors.</span>`
	}
	var b strings.Builder
	for i, p := range problems {
		place := ""
		switch {
		case p.Line > 0:
			place = fmt.Sprintf("line %d: ", p.Line)
		case !p.InText && p.Bytes.Len > 0:
			place = fmt.Sprintf("byte 0x%04X: ", p.Bytes.Off)
		}
		fmt.Fprintf(&b, `<button type="button" data-problem="%d"><span class="%s">%s%s</span> <span class="dim">[%s]</span></button>`,
			i, p.Severity, place, esc(p.Message), esc(p.Code))
	}
	return b.String()
}

// Hover gives the explanation of what stands under the caret.
func Hover(h isa.Hover) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<b>%s</b>", esc(h.Title))
	for _, s := range []string{h.Text, h.Doc.Summary} {
		if s != "" {
			fmt.Fprintf(&b, "<div>%s</div>", esc(s))
		}
	}
	for _, s := range []string{h.Doc.Pseudo, h.Doc.Example} {
		if s != "" {
			fmt.Fprintf(&b, "<pre>%s</pre>", esc(s))
		}
	}
	return b.String()
}
