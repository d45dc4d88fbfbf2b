package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"swizzle/internal/engine"
	"swizzle/shaderkit/cases"
	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
	"swizzle/shaderkit/isa"
)

// engine gives the engine of that name, the first without one. What jit cannot take runs on interp, with a note.
func (c *cli) engine(name string) (exec.Engine, error) {
	if err := oneOf("engine", name, engine.Names); err != nil {
		return nil, err
	}
	if name == "" {
		name = engine.Names[0]
	}
	return engine.New(name, func(p *ir.Program, why error) {
		fmt.Fprintf(c.err, "%s: note[engine]: runs on interp: %v\n", p.Name, why)
	})
}

func (c *cli) run() *cobra.Command {
	var caseFile, engineName string
	var lines bool
	d := cases.Defaults{}
	v := c.reads(c.facts(&cobra.Command{
		Use:   "run [--case CASE.json] FILE, or run --jsonl < CASES",
		Short: "Run one invocation, a quad or a list of cases",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := oneOf("prefer", d.Prefer, []string{"text", "binary"}); err != nil {
				return err
			}
			d.ISA, d.Syntax, d.Dialect = c.isa, c.syntax, c.dialect
			if d.Steps < 0 {
				return fmt.Errorf("--steps %d: want a number of steps", d.Steps)
			}
			var err error
			if d.Engine, err = c.engine(engineName); err != nil {
				return err
			}
			if lines {
				if len(args) > 0 || caseFile != "" {
					return errors.New("run --jsonl reads cases from standard input and takes neither FILE nor --case")
				}
				return c.runLines(d)
			}
			if len(args) == 0 && caseFile == "" {
				return errors.New("run: want a FILE, --case or --jsonl")
			}
			return c.runCase(caseFile, args, d)
		},
	}))
	f := v.Flags()
	f.StringVar(&caseFile, "case", "", "take inputs and constants from this JSON `file`; its keys beat flags")
	f.BoolVar(&lines, "jsonl", false, "read one case a line from standard input, answer one a line")
	f.StringVar(&engineName, "engine", "", "what runs it: "+strings.Join(engine.Names, ", "))
	f.StringVar(&d.Prefer, "prefer", "", "which to run of a case that has both: text (default) or binary")
	f.StringVar(&d.Stage, "stage", "", "stage to run, where a file has several")
	f.StringVar(&d.Mode, "mode", "", "numeric mode; the default is that of the encoding's specification")
	f.IntVar(&d.Steps, "steps", 0, "budget of back-edges and calls for each lane")
	return v
}

// runLines answers one case a line; a line that fails has its error in its answer.
func (c *cli) runLines(d cases.Defaults) error {
	in := bufio.NewReader(c.in)
	for {
		line, err := in.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			fmt.Fprintf(c.out, "%s\n", cases.Run(line, d))
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return inputError{"-", "read", err.Error()}
		}
	}
}

// runCase runs the program of a file, or the one in the case.
func (c *cli) runCase(caseFile string, args []string, d cases.Defaults) error {
	name, question := caseFile, map[string]json.RawMessage{}
	if caseFile != "" {
		data, err := c.read(caseFile)
		if err != nil {
			return err
		}
		if err := json.Unmarshal(data, &question); err != nil {
			return inputError{caseFile, "case", err.Error()}
		}
		if question == nil {
			return inputError{caseFile, "case", "want an object"}
		}
	}
	if len(args) > 0 {
		name = args[0]
		for key, flag := range map[string]*string{"isa": &c.isa, "syntax": &c.syntax, "dialect": &c.dialect, "stage": &d.Stage} {
			if raw, ok := question[key]; ok {
				if err := json.Unmarshal(raw, flag); err != nil {
					return inputError{caseFile, "case", key + ": " + err.Error()}
				}
			}
		}
		p, err := c.load(name, isa.Options{Permissive: true, Stage: d.Stage})
		if err != nil {
			return err
		}
		if c.report(c.err, p, p.diags); c.failed {
			return nil
		}
		for _, key := range []string{"text", "files", "binary", "syntax"} {
			delete(question, key)
		}
		question["isa"] = marshal(p.Arch.Name)
		if p.isText && !strings.Contains(p.text, "#include") { // a case has no files to include
			question["text"] = marshal(p.text)
		} else {
			question["binary"] = marshal(base64.StdEncoding.EncodeToString(p.Data))
		}
	}
	answer := cases.Run(marshal(question), d)
	var a answerHead
	if err := json.Unmarshal(answer, &a); err != nil {
		return err
	}
	if a.Error != nil {
		if c.json {
			fmt.Fprintf(c.out, "%s\n", answer)
		}
		if _, given := question["mode"]; a.Error.Code == "unknown-mode" && !given {
			return fmt.Errorf("--mode %s: %s", d.Mode, a.Error.Message)
		}
		if a.Error.Line > 0 {
			name = fmt.Sprintf("%s:%d:1", name, a.Error.Line)
		}
		message := a.Error.Message
		if at, rest, ok := strings.Cut(message, ": "); ok && strings.HasPrefix(at, "+0x") {
			name, message = name+":"+at, rest
		}
		return inputError{name, a.Error.Code, message}
	}
	if c.json {
		fmt.Fprintf(c.out, "%s\n", answer)
		return nil
	}
	return c.printAnswer(answer, a)
}

// An answerHead is what every answer may have.
type answerHead struct {
	Error *struct {
		Code, Message string
		Line          int
	} `json:"error"`
	Outputs map[string]json.RawMessage `json:"outputs"`
}

// printAnswer prints the outputs as numbers with their bits, then what else there is as it is.
func (c *cli) printAnswer(answer []byte, a answerHead) error {
	for _, reg := range slices.Sorted(maps.Keys(a.Outputs)) {
		var lanes [][]*string
		var one []*string
		if json.Unmarshal(a.Outputs[reg], &one) == nil {
			lanes = [][]*string{one}
		} else if err := json.Unmarshal(a.Outputs[reg], &lanes); err != nil {
			return err
		}
		for i, v := range lanes {
			head := reg
			if len(lanes) > 1 {
				head = fmt.Sprintf("%s lane %d", reg, i)
			}
			fmt.Fprintf(c.out, "%s =", head)
			for _, bits := range v {
				fmt.Fprintf(c.out, " %s", number(bits))
			}
			fmt.Fprintln(c.out)
		}
	}
	var rest map[string]json.RawMessage
	if err := json.Unmarshal(answer, &rest); err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(rest)) {
		if key != "outputs" {
			fmt.Fprintf(c.out, "%s: %s\n", key, rest[key])
		}
	}
	return nil
}

func marshal(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // strings and raw JSON that was read as JSON
	}
	return b
}
