// Package shaderkit reads, writes, explains and runs shader bytecode.
//
// It is a facade over the architectures in [Archs]; each is a table of opcodes and the functions around it,
// see package isa. A tour:
//
//	arch, what := shaderkit.Detect(data)           // which encoding, stage and version
//	p := arch.Decode(data, isa.Options{})          // instructions over the bytes; p.Diags tells what is wrong
//	l := arch.PrintFields(p, "native")             // text that assembles to the same bytes; l.Lines ties it to them
//	toks := p.Tokens(l)                            // every word, its fields, and where the text shows them
//	p, l, diags := arch.Assemble(text, isa.Options{})
//	e := isa.EditWord(p, l, off, value, isa.Options{}) // change a word, rewrite only the lines it touches
package shaderkit
