package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"swizzle/shaderkit/isa"
	"swizzle/shaderkit/source"
)

func (c *cli) check() *cobra.Command {
	var permissive bool
	v := c.reads(c.facts(&cobra.Command{
		Use:   "check [--permissive] FILE…",
		Short: "Print the findings of the validator",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			all := []finding{}
			for _, name := range args {
				p, err := c.load(name, isa.Options{File: name, Permissive: permissive})
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
				if permissive {
					l = p.warnings(l)
				}
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
	v.Flags().BoolVar(&permissive, "permissive", false, "make the validator's errors warnings")
	return v
}

// warnings gives the findings of permissive mode: what reading a binary found stays an error. Of a text the
// assembler has done that already.
func (p *program) warnings(l source.List) source.List {
	if p.isText {
		return l
	}
	for i := range l {
		if !slices.Contains(p.diags, l[i]) && l[i].Severity == source.Error {
			l[i].Severity = source.Warning
		}
	}
	return l
}
