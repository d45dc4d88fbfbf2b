package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"swizzle/shaderkit/isa"
)

// A listedModule is one program of a container, in JSON.
type listedModule struct {
	Module int    `json:"module"`
	Name   string `json:"name"`
	Model  string `json:"model"` // "" of what is no program
	Offset int    `json:"offset"`
	Size   int    `json:"size"`
}

func (c *cli) modules() *cobra.Command {
	var extract int
	var out string
	v := c.reads(c.facts(&cobra.Command{
		Use:   "modules [--extract N -o OUT] FILE",
		Short: "List the programs of a container, or extract one",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := c.load(args[0], isa.Options{Permissive: true})
			if err != nil {
				return err
			}
			c.report(c.err, p, p.diags)
			if cmd.Flags().Changed("extract") {
				if extract < 1 || extract >= len(p.Modules) {
					return inputError{start(p.name, p.isText), "no-module", fmt.Sprintf("there is no module %d; there are %d", extract, max(0, len(p.Modules)-1))}
				}
				b := p.Modules[extract].Bytes
				return c.writeBinary(out, p.Data[b.Off:b.End()])
			}
			all := []listedModule{}
			for k, m := range p.Modules {
				if k > 0 { // what is of no module comes first
					all = append(all, listedModule{k, m.Name, m.Model, m.Bytes.Off, m.Bytes.Len})
				}
			}
			if c.json {
				c.printJSON(all)
				return nil
			}
			for _, m := range all {
				fmt.Fprintf(c.out, "%3d  0x%06X  %6d bytes  %-7s %s\n", m.Module, m.Offset, m.Size, m.Model, m.Name)
			}
			return nil
		},
	}))
	v.Flags().IntVar(&extract, "extract", 0, "write the module of this `number`")
	v.Flags().StringVarP(&out, "output", "o", "", "to this `file`; without it the words are printed")
	return v
}
