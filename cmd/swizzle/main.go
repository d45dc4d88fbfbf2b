// Command swizzle reads, writes, checks, explains, runs and draws shader bytecode.
//
//	swizzle VERB [flags] FILE…
//
// A FILE is a binary or assembly text, whichever its content says; `-` is standard input. Results
// go to standard output, findings to standard error as
//
//	file:line:col: error[code]: message        of a text
//	file:+0xOFFSET: error[code]: message       of a binary
//
// The exit status is 0 when all was done, 1 when the input is wrong, 2 when the command line is.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// Exit statuses.
const (
	exitDone  = 0
	exitInput = 1
	exitUsage = 2
)

// run executes one command line and gives its exit status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	out := bufio.NewWriter(stdout)
	c := &cli{in: stdin, out: out, err: stderr}
	root := c.root()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(out)
	root.SetErr(stderr)
	status := c.status(root.Execute())
	if err := out.Flush(); err != nil { // the writer keeps the first error
		status = max(status, c.status(inputError{"-", "write", cause(err)}))
	}
	return status
}

// status tells what ended a verb and gives the exit status.
func (c *cli) status(err error) int {
	var in inputError
	switch {
	case errors.As(err, &in):
		fmt.Fprintln(c.err, in.Error())
		return exitInput
	case err != nil:
		fmt.Fprintf(c.err, "swizzle: %v\n", err)
		return exitUsage
	case c.failed:
		return exitInput
	}
	return exitDone
}

// A cli is one command line at work: its streams and the flags that all verbs share.
type cli struct {
	in       io.Reader
	out, err io.Writer

	isa, dialect, syntax string
	json                 bool

	archive string // text of the project file at hand
	failed  bool   // an error of the input was told
}

// An inputError is a fault of the input that ends the verb. Any other error that a verb returns is
// one of usage.
type inputError struct {
	place   string // the file, and where in it
	code    string
	message string
}

func (e inputError) Error() string {
	return fmt.Sprintf("%s: error[%s]: %s", e.place, e.code, e.message)
}

func (c *cli) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "swizzle",
		Short:         "Read, write, check, explain, run and draw shader bytecode",
		Args:          cobra.ArbitraryArgs, // an unknown verb: told by RunE, with the verbs there are
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			var verbs []string
			for _, v := range cmd.Commands() {
				if v.IsAvailableCommand() {
					verbs = append(verbs, v.Name())
				}
			}
			if len(args) == 0 {
				return fmt.Errorf("a verb is missing: %s", strings.Join(verbs, ", "))
			}
			return fmt.Errorf("unknown verb %q: want one of %s", args[0], strings.Join(verbs, ", "))
		},
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	for _, v := range []*cobra.Command{
		c.detect(), c.asm(), c.dis(), c.tokens(), c.modules(), c.check(), c.run(), c.docs(),
		c.render(), c.trace(), c.history(), c.why(), c.link(), c.open(), c.bench(),
	} {
		root.AddCommand(v)
	}
	return root
}

// reads adds the flags of a verb that reads programs.
func (c *cli) reads(v *cobra.Command) *cobra.Command {
	f := v.Flags()
	f.StringVar(&c.isa, "isa", "", "encoding: "+strings.Join(isaNames, ", ")+"; the content decides without it")
	f.StringVar(&c.dialect, "dialect", "", "dialect of the words")
	f.StringVar(&c.syntax, "syntax", "", "syntax of the text; detected without it")
	v.PreRunE = func(*cobra.Command, []string) error { return oneOf("isa", c.isa, isaNames) }
	return v
}

// facts adds the flag of a verb that prints facts.
func (c *cli) facts(v *cobra.Command) *cobra.Command {
	v.Flags().BoolVar(&c.json, "json", false, "print as JSON")
	return v
}

// oneOf complains about a flag's value that is none of those allowed. The empty value is the default.
func oneOf(flag, value string, allowed []string) error {
	switch {
	case value == "" || slices.Contains(allowed, value):
		return nil
	case len(allowed) == 0:
		return fmt.Errorf("--%s %s: there is no choice here", flag, value)
	}
	return fmt.Errorf("--%s %s: want %s", flag, value, strings.Join(allowed, " or "))
}
