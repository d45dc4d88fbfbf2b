package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"swizzle/shaderkit"
)

func (c *cli) docs() *cobra.Command {
	return c.facts(&cobra.Command{
		Use:   "docs ISA [OP]",
		Short: "Print the reference of an encoding or of one of its instructions",
		Args:  cobra.RangeArgs(1, 2),
		RunE: func(_ *cobra.Command, args []string) error {
			arch := shaderkit.ByName(args[0])
			switch {
			case arch != nil:
			case slices.Contains(isaNames, args[0]):
				return inputError{args[0], "unsupported-isa", args[0] + " is not supported yet"}
			default:
				return fmt.Errorf("docs: unknown encoding %q: want %s", args[0], strings.Join(isaNames, " or "))
			}
			op := ""
			if len(args) > 1 {
				op = args[1]
			}
			text, ok := arch.Docs(op)
			if !ok {
				return fmt.Errorf("docs: %s has no instruction %q", arch.Name, op)
			}
			if c.json {
				c.printJSON(struct {
					ISA  string `json:"isa"`
					Op   string `json:"op"`
					Text string `json:"text"`
				}{arch.Name, op, text})
				return nil
			}
			io.WriteString(c.out, text)
			return nil
		},
	})
}
