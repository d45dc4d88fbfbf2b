package main

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"swizzle/shaderkit/isa"
)

func (c *cli) tokens() *cobra.Command {
	return c.reads(c.facts(&cobra.Command{
		Use:   "tokens FILE",
		Short: "Print every word with its bit fields",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			p, err := c.load(args[0], isa.Options{Permissive: true})
			if err != nil {
				return err
			}
			c.report(c.err, p, p.diags)
			w := tokenWriter{p: p.Program, bits: map[*isa.Bits]string{}}
			write, between := w.text, ""
			if c.json {
				write, between = w.json, "["
			}
			// One by one into one piece of memory: the tokens of a large program take a hundred times its size.
			for t := range p.EachToken(nil) {
				w.b = append(w.b[:0], between...)
				write(&t)
				c.out.Write(w.b) // an error comes up again when the output is flushed
				if c.json {
					between = ","
				}
			}
			switch between {
			case "[":
				c.out.Write([]byte("[]\n"))
			case ",":
				c.out.Write([]byte("\n]\n"))
			}
			return nil
		},
	}))
}

// A tokenWriter spells tokens into b. A file of 10 MB has twenty million fields, so it formats by hand.
type tokenWriter struct {
	p    *isa.Program
	b    []byte
	bits map[*isa.Bits]string // places of fields as manuals name them, in a column
}

// value appends the number of a token, with as many digits as it has bytes.
func (w *tokenWriter) value(t *isa.Token) {
	w.b = append(w.b, "0x"...)
	w.hex(t.Value, 2*t.Size)
}

func (w *tokenWriter) hex(x uint32, digits int) {
	for k := digits - 1; k >= 0; k-- {
		w.b = append(w.b, "0123456789ABCDEF"[x>>(4*k)&15])
	}
}

// pad appends blanks up to a width behind start.
func (w *tokenWriter) pad(start, width int) {
	for len(w.b)-start < width {
		w.b = append(w.b, ' ')
	}
}

// text appends a token as a line, and a line for each field.
func (w *tokenWriter) text(t *isa.Token) {
	w.b = append(w.b, "0x"...)
	digits := 4
	for x := uint64(t.Offset); x>>(4*digits) != 0; digits++ {
	}
	for k := digits - 1; k >= 0; k-- {
		w.b = append(w.b, "0123456789ABCDEF"[t.Offset>>(4*k)&15])
	}
	w.b = append(w.b, "  "...)
	start := len(w.b)
	w.value(t)
	w.pad(start, 11)
	w.b = append(append(append(w.b, ' '), t.Meaning...), '\n')
	for i := range t.Fields {
		f := &t.Fields[i]
		bits, ok := w.bits[&f.Pieces[0]]
		if !ok {
			bits = f.BitNames(",")
			for len(bits) < 11 {
				bits += " "
			}
			w.bits[&f.Pieces[0]] = bits
		}
		w.b = append(append(append(w.b, "        "...), bits...), ' ')
		w.b = append(append(w.b, f.Name...), " = "...)
		w.b = strconv.AppendUint(w.b, uint64(f.Value), 10)
		w.b = append(append(append(w.b, ": "...), f.Meaning...), '\n')
	}
}

// json appends a token as the element of a list, indented as encoding/json does.
func (w *tokenWriter) json(t *isa.Token) {
	w.b = append(w.b, "\n  {\n"...)
	w.number("    ", "offset", int64(t.Offset), true)
	w.number("    ", "size", int64(t.Size), true)
	w.b = append(w.b, `    "value": "`...)
	w.value(t)
	w.b = append(w.b, `",`+"\n"...)
	w.quoted("    ", "meaning", t.Meaning, true)
	w.b = append(w.b, `    "fields": [`...)
	for i := range t.Fields {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		w.field(&t.Fields[i])
	}
	if len(t.Fields) > 0 {
		w.b = append(w.b, "\n    "...)
	}
	w.b = append(w.b, "],\n"...)
	if t.Inst >= 0 {
		w.number("    ", "inst", int64(t.Inst), false)
	} else {
		w.b = append(w.b, `    "inst": null`+"\n"...)
	}
	w.b = append(w.b, "  }"...)
}

// field appends a bit field; one that is split over the word has its pieces, the low one first.
func (w *tokenWriter) field(f *isa.FieldValue) {
	const in = "        "
	w.b = append(w.b, "\n      {\n"...)
	w.quoted(in, "name", f.Name, true)
	w.number(in, "lo", int64(f.Lo), true)
	w.number(in, "width", int64(f.Width), true)
	if len(f.Pieces) > 1 {
		w.b = append(w.b, in+`"pieces": [`...)
		for k, p := range f.Pieces {
			if k > 0 {
				w.b = append(w.b, ',')
			}
			w.b = append(w.b, "\n          {\n"...)
			w.number("            ", "lo", int64(p.Lo), true)
			w.number("            ", "width", int64(p.N), false)
			w.b = append(w.b, "          }"...)
		}
		w.b = append(w.b, "\n"+in+"],\n"...)
	}
	w.number(in, "value", int64(f.Value), true)
	w.quoted(in, "meaning", f.Meaning, false)
	w.b = append(w.b, "      }"...)
}

func (w *tokenWriter) key(in, name string) {
	w.b = append(append(append(append(w.b, in...), '"'), name...), `": `...)
}

func (w *tokenWriter) end(more bool) {
	if more {
		w.b = append(w.b, ',')
	}
	w.b = append(w.b, '\n')
}

func (w *tokenWriter) number(in, name string, x int64, more bool) {
	w.key(in, name)
	w.b = strconv.AppendInt(w.b, x, 10)
	w.end(more)
}

func (w *tokenWriter) quoted(in, name, s string, more bool) {
	w.key(in, name)
	plain := true
	for i := range len(s) {
		plain = plain && s[i] >= ' ' && s[i] < utf8.RuneSelf && s[i] != '"' && s[i] != '\\' && s[i] != '<' && s[i] != '>' && s[i] != '&'
	}
	if plain {
		w.b = append(append(append(w.b, '"'), s...), '"')
	} else {
		q, _ := json.Marshal(s) // of a string it cannot fail
		w.b = append(w.b, q...)
	}
	w.end(more)
}
