package main

import (
	"io"

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
