package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"swizzle/shaderkit"
	"swizzle/shaderkit/isa"
	"swizzle/shaderkit/source"
)

// isaNames are the values of --isa. Those that shaderkit does not list are not supported yet.
var isaNames = []string{"d3d9", "dxbc", "pica200", "tgsi"}

// magics are the first bytes of binaries that are not supported yet.
var magics = []struct{ bytes, name string }{
	{"DXBC", "a DXBC container"},
	{"DVLB", "a PICA200 program (SHBIN)"},
}

// A program is a shader as it was given, and as it was read.
type program struct {
	name    string // as the command line has it
	isText  bool
	text    string       // of a text
	listing *isa.Listing // of a text: where its lines went
	*isa.Program
	diags source.List // what reading found
}

// read gives the content of a file or of standard input.
func (c *cli) read(name string) ([]byte, error) {
	var data []byte
	var err error
	if name == "-" {
		data, err = io.ReadAll(c.in)
	} else {
		data, err = os.ReadFile(name)
	}
	if err != nil {
		return nil, inputError{name, "read", cause(err)}
	}
	return data, nil
}

// cause gives what went wrong with a file, without its name.
func cause(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// load reads a program, text or binary. A program with errors is given as well, with its findings.
func (c *cli) load(name string, o isa.Options) (*program, error) {
	data, err := c.read(name)
	if err != nil {
		return nil, err
	}
	return c.loaded(name, data, o)
}

// loaded is load of a file that was read.
func (c *cli) loaded(name string, data []byte, o isa.Options) (*program, error) {
	arch, isText, err := c.classify(name, data)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(oneOf("dialect", c.dialect, arch.Dialects), oneOf("syntax", c.syntax, arch.Syntaxes)); err != nil {
		return nil, err
	}
	return c.assembled(arch, name, data, isText, o), nil
}

// assembled decodes or assembles data.
func (c *cli) assembled(arch *isa.Arch, name string, data []byte, isText bool, o isa.Options) *program {
	p := &program{name: name, isText: isText}
	o.Dialect, o.Syntax = c.dialect, c.syntax
	if !isText {
		p.Program = arch.Decode(data, o)
		p.diags = p.Diags
		return p
	}
	p.text = string(data)
	o.Include = func(file string) (string, error) {
		if !filepath.IsAbs(file) && name != "-" {
			file = filepath.Join(filepath.Dir(name), file)
		}
		b, err := os.ReadFile(file)
		if err != nil {
			return "", errors.New(cause(err))
		}
		return string(b), nil
	}
	p.Program, p.listing, p.diags = arch.Assemble(p.text, o)
	return p
}

// classify says by --isa and content what encoding the data is, and whether as text.
func (c *cli) classify(name string, data []byte) (arch *isa.Arch, isText bool, err error) {
	isText = shaderkit.IsText(data)
	if c.isa != "" {
		arch = shaderkit.ByName(c.isa)
		if arch == nil {
			return nil, false, inputError{start(name, isText), "unsupported-isa", c.isa + " is not supported yet"}
		}
		if _, ok := arch.Detect(data); ok {
			isText = false
		}
		return arch, isText, nil
	}
	if arch, _ = shaderkit.Detect(data); arch != nil {
		return arch, false, nil
	}
	for _, m := range magics {
		if bytes.HasPrefix(data, []byte(m.bytes)) {
			return nil, false, inputError{start(name, false), "unsupported-isa", m.name + " is not supported yet"}
		}
	}
	if isText {
		if arch = shaderkit.DetectText(string(data)); arch != nil {
			return arch, true, nil
		}
		return nil, false, inputError{start(name, isText), "unknown-format", "this text is no assembly of a known encoding; --isa reads it as one"}
	}
	if len(data) == 0 {
		return nil, false, inputError{start(name, isText), "unknown-format", "there is nothing in it"}
	}
	return nil, false, inputError{start(name, isText), "unknown-format",
		fmt.Sprintf("the bytes % X begin no known encoding; --isa reads them as one", data[:min(len(data), 8)])}
}

// start gives the place where a file begins, as diagnostics write it.
func start(name string, isText bool) string {
	if isText {
		return name + ":1:1"
	}
	return name + ":+0x0"
}

// findings gives what reading and the validator found about p, in the order of places.
func (p *program) findings() source.List {
	l := slices.Clone(p.diags)
	if !p.isText {
		l = append(l, p.Arch.Check(p.Program)...)
	}
	l.Sort()
	return l
}
