package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"swizzle/shaderkit/isa"
)

func (c *cli) check() *cobra.Command {
	return c.reads(c.facts(&cobra.Command{
		Use:   "check FILE…",
		Short: "Print the findings of the validator",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			all := []finding{}
			for _, name := range args {
				p, err := c.load(name, isa.Options{File: name})
				var in inputError
				if errors.As(err, &in) { // the other files are looked at all the same
					fmt.Fprintln(c.err, in)
					c.failed = true
					continue
				}
				if err != nil {
					return err
				}
				l := p.findings()
				if !c.json {
					c.report(c.out, p, l)
					continue
				}
				c.failed = c.failed || l.HasErrors()
				for _, d := range l {
					all = append(all, p.finding(d))
				}
			}
			if c.json {
				c.printJSON(all)
			}
			return nil
		},
	}))
}
