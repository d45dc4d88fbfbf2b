package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"swizzle/shaderkit/isa"
)

// A detection is what detect tells of a file.
type detection struct {
	File      string `json:"file"`
	ISA       string `json:"isa"`
	Stage     string `json:"stage"`
	Model     string `json:"model"`     // the version line: "ps_3_0"
	Container string `json:"container"` // "" for bare words
	Form      string `json:"form"`      // "binary" or "text"
	Size      int    `json:"size"`      // bytes of the program, of a text those it assembles to
	Slots     *slots `json:"slots,omitempty"`
}

// slots are the instruction slots of a program, where its encoding counts them.
type slots struct {
	Total   int `json:"total"`
	Texture int `json:"texture"`
}

func (c *cli) detect() *cobra.Command {
	return c.reads(c.facts(&cobra.Command{
		Use:   "detect FILE",
		Short: "Tell encoding, stage, version, container and size",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			p, err := c.load(args[0], isa.Options{})
			if err != nil {
				return err
			}
			d, ok := p.Arch.Detect(p.Data)
			if !ok {
				c.report(c.err, p, p.diags)
				if !c.failed {
					return inputError{start(p.name, p.isText), "unknown-format", "this is no " + p.Arch.Title}
				}
				return nil
			}
			t := detection{args[0], d.Arch, d.Stage, d.Model, d.Container, "binary", d.Size, nil}
			if p.isText {
				t.Form = "text"
			}
			if p.Arch.Slots != nil {
				t.Slots = &slots{}
				t.Slots.Total, t.Slots.Texture = p.Arch.Slots(p.Program)
			}
			if c.json {
				c.printJSON(t)
				return nil
			}
			container := d.Container
			if container == "" {
				container = "no container"
			}
			if t.Stage != "" {
				t.Stage += " "
			}
			fmt.Fprintf(c.out, "%s: %s %s%s, %s, %s, %d bytes", t.File, t.ISA, t.Stage, t.Model, t.Form, container, t.Size)
			if t.Slots != nil && t.Slots.Total > 0 {
				fmt.Fprintf(c.out, ", slots: %d (%d texture)", t.Slots.Total, t.Slots.Texture)
			}
			fmt.Fprintln(c.out)
			return nil
		},
	}))
}
