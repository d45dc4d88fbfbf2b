package main

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"swizzle/shaderkit/isa"
)

var macroName = regexp.MustCompile(`^[A-Za-z_]\w*$`)

func (c *cli) asm() *cobra.Command {
	var out string
	var permissive bool
	var defines []string
	v := c.reads(c.facts(&cobra.Command{
		Use:   "asm [-o OUT] FILE…",
		Short: "Assemble text into a binary, or into words on standard output",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("asm: several files make one program in pica200 only, which is not supported yet")
			}
			o := isa.Options{File: args[0], Permissive: permissive, Defines: map[string]string{}}
			for _, d := range defines {
				name, value, _ := strings.Cut(d, "=")
				if !macroName.MatchString(name) {
					return fmt.Errorf("-D %s: want NAME or NAME=VALUE", d)
				}
				o.Defines[name] = value
			}
			p, err := c.load(args[0], o)
			if err != nil {
				return err
			}
			if !p.isText {
				return notText(p)
			}
			c.report(c.err, p, p.findings())
			if c.failed {
				return nil
			}
			return c.writeBinary(out, p.Data)
		},
	}))
	v.Flags().StringVarP(&out, "output", "o", "", "write the binary to this `file`")
	v.Flags().BoolVar(&permissive, "permissive", false, "make the validator's errors warnings")
	v.Flags().StringArrayVarP(&defines, "define", "D", nil, "define a macro, `NAME[=VALUE]`")
	return v
}

// notText says why what was given cannot be assembled.
func notText(p *program) error {
	if _, ok := p.Arch.Detect(p.Data); ok {
		return inputError{start(p.name, false), "binary-input", "this is a binary already; dis makes text of it"}
	}
	control := bytes.IndexFunc(p.Data, func(r rune) bool { return unicode.IsControl(r) && !unicode.IsSpace(r) })
	switch {
	case len(p.Data) == 0:
		return inputError{start(p.name, true), "no-version", "there is nothing in it"}
	case control < 0:
		return inputError{start(p.name, false), "no-text", "this is no text in UTF-8"}
	}
	return inputError{fmt.Sprintf("%s:+0x%X", p.name, control), "no-text", fmt.Sprintf("the byte 0x%02X stands in no text", p.Data[control])}
}

// writeBinary writes data to the file out; without one it prints the words.
func (c *cli) writeBinary(out string, data []byte) error {
	switch {
	case out == "-":
		_, err := c.out.Write(data)
		return err
	case out != "":
		if err := os.WriteFile(out, data, 0o666); err != nil {
			return inputError{out, "write", cause(err)}
		}
		return nil
	}
	words := []string{}
	for piece := range slices.Chunk(data, 4) {
		words = append(words, littleEndian(piece))
	}
	if c.json {
		c.printJSON(words)
		return nil
	}
	for _, w := range words {
		fmt.Fprintln(c.out, w)
	}
	return nil
}

// littleEndian gives a piece of a binary as one hexadecimal number.
func littleEndian(piece []byte) string {
	b := slices.Clone(piece)
	slices.Reverse(b)
	return fmt.Sprintf("0x%X", b)
}
