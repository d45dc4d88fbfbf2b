package main

import (
	"fmt"
	"io"
	"iter"

	"github.com/spf13/cobra"

	"swizzle/shaderkit/isa"
)

// A listed is a listing in JSON.
type listed struct {
	ISA   string `json:"isa"`
	Model string `json:"model"`
	Style string `json:"style"`
	Text  string `json:"text"`
	Lines []line `json:"lines"`
}

// A line is a statement of a listing and the bytes it stands for.
type line struct {
	Text   string `json:"text"`
	Offset int    `json:"offset"`
	Size   int    `json:"size"`
	Inst   int    `json:"inst"`
}

func (c *cli) dis() *cobra.Command {
	var style string
	v := c.reads(c.facts(&cobra.Command{
		Use:   "dis [--style STYLE] FILE",
		Short: "Disassemble a binary into text",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			p, err := c.load(args[0], isa.Options{Permissive: true})
			if err != nil {
				return err
			}
			if err := oneOf("style", style, p.Arch.Styles); err != nil {
				return err
			}
			if style == "" {
				style = p.Arch.Styles[0]
			}
			l := p.Arch.Print(p.Program, style)
			c.report(c.err, p, p.diags)
			if !c.json {
				io.WriteString(c.out, l.Text)
				return nil
			}
			t := listed{ISA: p.Arch.Name, Style: style, Text: l.Text, Lines: []line{}}
			if d, ok := p.Arch.Detect(p.Data); ok {
				t.Model = d.Model
			}
			for _, x := range l.Lines {
				t.Lines = append(t.Lines, line{l.Text[x.Span.Start:x.Span.End], x.Bytes.Off, x.Bytes.Len, x.Inst})
			}
			c.printJSON(t)
			return nil
		},
	}))
	v.Flags().StringVar(&style, "style", "", "how to spell it: native (default) assembles to the same bytes; fxc as Microsoft's tools print it")
	return v
}

// A token is a word of the file, in JSON.
type token struct {
	Offset  int     `json:"offset"`
	Size    int     `json:"size"`
	Value   string  `json:"value"`
	Meaning string  `json:"meaning"`
	Fields  []field `json:"fields"`
	Inst    *int    `json:"inst"`
}

// A field is a bit field of a token. One that is split over the word has its pieces, low one first.
type field struct {
	Name    string  `json:"name"`
	Lo      int     `json:"lo"`
	Width   int     `json:"width"`
	Pieces  []piece `json:"pieces,omitempty"`
	Value   uint32  `json:"value"`
	Meaning string  `json:"meaning"`
}

type piece struct {
	Lo    int `json:"lo"`
	Width int `json:"width"`
}

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
			if c.json {
				printJSONList(c, tokens(p.Program))
				return nil
			}
			for t := range p.EachToken(nil) {
				fmt.Fprintf(c.out, "0x%04X  %-11s %s\n", t.Offset, littleEndian(p.Data[t.Offset:t.Offset+t.Size]), t.Meaning)
				for _, f := range t.Fields {
					fmt.Fprintf(c.out, "        %-11s %s = %d: %s\n", f.BitNames(","), f.Name, f.Value, f.Meaning)
				}
			}
			return nil
		},
	}))
}

// tokens gives the tokens of a program one by one, since those of a large one take a hundred times its size.
func tokens(p *isa.Program) iter.Seq[token] {
	return func(yield func(token) bool) {
		for t := range p.EachToken(nil) {
			if !yield(newToken(p, &t)) {
				return
			}
		}
	}
}

func newToken(p *isa.Program, t *isa.Token) token {
	j := token{
		Offset: t.Offset, Size: t.Size, Meaning: t.Meaning, Fields: []field{},
		Value: littleEndian(p.Data[t.Offset : t.Offset+t.Size]),
	}
	if t.Inst >= 0 {
		j.Inst = &t.Inst
	}
	for _, f := range t.Fields {
		k := field{Name: f.Name, Lo: f.Lo, Width: f.Width, Value: f.Value, Meaning: f.Meaning}
		if len(f.Pieces) > 1 {
			for _, b := range f.Pieces {
				k.Pieces = append(k.Pieces, piece{int(b.Lo), int(b.N)})
			}
		}
		j.Fields = append(j.Fields, k)
	}
	return j
}
