// Package wasmenc writes WebAssembly modules: sections, function bodies, SIMD instructions. It knows
// the encoding and nothing of what is encoded.
//
//	m := &wasmenc.Module{}
//	m.ImportMemory("env", "memory", 1)
//	f := m.Func([]wasmenc.Type{wasmenc.I32}, []wasmenc.Type{wasmenc.I32})
//	f.Get(0).I32(1).Op(wasmenc.I32Add)
//	m.Export("inc", f)
//	bytes := m.Bytes()
//
// A function body is an instruction sequence without the final end. Functions are numbered in the
// order of Func; Func.Offset tells where a body begins in the module, so that places in Code can be
// mapped to places in the module.
package wasmenc

import (
	"encoding/binary"
	"slices"
)

// A Type is a value type.
type Type byte

const (
	I32  Type = 0x7F
	I64  Type = 0x7E
	F64  Type = 0x7C
	V128 Type = 0x7B
	void      = 0x40
)

// Identifiers of sections.
const (
	secType     = 1
	secImport   = 2
	secFunction = 3
	secGlobal   = 6
	secExport   = 7
	secCode     = 10
)

// A Module is a module under construction: at most one imported memory, functions, globals.
type Module struct {
	types    []string // encoded function types
	memory   []byte   // the import entry
	funcs    []*Func
	globals  []global
	exports  []byte
	nExports int
}

// Clone gives a module that begins with what m has so far. Functions of m are finished.
func (m *Module) Clone() *Module {
	c := *m
	c.types, c.memory = slices.Clip(m.types), slices.Clip(m.memory)
	c.globals, c.exports = slices.Clip(m.globals), slices.Clip(m.exports)
	c.funcs = make([]*Func, len(m.funcs), len(m.funcs)+8)
	funcs := make([]Func, len(m.funcs))
	for i, f := range m.funcs {
		funcs[i] = *f
		c.funcs[i] = &funcs[i]
	}
	return &c
}

// At gives function number i.
func (m *Module) At(i uint32) *Func { return m.funcs[i] }

// ImportMemory makes the memory of the module the one that the host gives under a name, of at least
// min pages of 64 KiB.
func (m *Module) ImportMemory(module, name string, min uint32) {
	m.memory = appendName(appendName(nil, module), name)
	m.memory = append(m.memory, 2, 0) // a memory, without maximum
	m.memory = binary.AppendUvarint(m.memory, uint64(min))
}

// Global adds a mutable global that begins as zero and gives its number.
func (m *Module) Global(t Type) uint32 {
	m.globals = append(m.globals, global{t: t})
	return uint32(len(m.globals) - 1)
}

// GlobalVec adds a mutable global that begins as a vector of four words and gives its number.
func (m *Module) GlobalVec(words [4]uint32) uint32 {
	m.globals = append(m.globals, global{V128, words})
	return uint32(len(m.globals) - 1)
}

type global struct {
	t     Type
	words [4]uint32 // of a vector
}

// Func adds a function.
func (m *Module) Func(params, results []Type) *Func {
	sig := []byte{0x60}
	for _, list := range [][]Type{params, results} {
		sig = binary.AppendUvarint(sig, uint64(len(list)))
		for _, t := range list {
			sig = append(sig, byte(t))
		}
	}
	f := &Func{Index: uint32(len(m.funcs)), params: len(params)}
	for f.typ = 0; int(f.typ) < len(m.types); f.typ++ {
		if m.types[f.typ] == string(sig) {
			break
		}
	}
	if int(f.typ) == len(m.types) {
		m.types = append(m.types, string(sig))
	}
	m.funcs = append(m.funcs, f)
	return f
}

// Export makes f callable by the host.
func (m *Module) Export(name string, f *Func) {
	m.exports = appendName(m.exports, name)
	m.exports = append(m.exports, 0)
	m.exports = binary.AppendUvarint(m.exports, uint64(f.Index))
	m.nExports++
}

// ExportGlobal makes a global visible to the host, which may change it.
func (m *Module) ExportGlobal(name string, global uint32) {
	m.exports = appendName(m.exports, name)
	m.exports = append(m.exports, 3)
	m.exports = binary.AppendUvarint(m.exports, uint64(global))
	m.nExports++
}

// Bytes gives the module and sets Offset of each function.
func (m *Module) Bytes() []byte {
	size := 1024 + 32*len(m.globals)
	for _, f := range m.funcs {
		size += len(f.Code) + 2*len(f.locals) + 16
	}
	out := append(make([]byte, 0, size), "\x00asm\x01\x00\x00\x00"...)
	section := func(id byte, count int, body []byte) {
		if count == 0 {
			return
		}
		n := binary.AppendUvarint(nil, uint64(count))
		out = binary.AppendUvarint(append(out, id), uint64(len(n)+len(body)))
		out = append(append(out, n...), body...)
	}
	var types []byte
	for _, t := range m.types {
		types = append(types, t...)
	}
	section(secType, len(m.types), types)
	if m.memory != nil {
		section(secImport, 1, m.memory)
	}
	var funcs []byte
	for _, f := range m.funcs {
		funcs = binary.AppendUvarint(funcs, uint64(f.typ))
	}
	section(secFunction, len(m.funcs), funcs)
	var globals []byte
	for _, g := range m.globals {
		globals = append(globals, byte(g.t), 1)
		switch g.t {
		case I32:
			globals = append(globals, i32Const, 0, end)
		case I64:
			globals = append(globals, i64Const, 0, end)
		default:
			globals = append(globals, simd, byte(V128Const))
			for _, word := range g.words {
				globals = binary.LittleEndian.AppendUint32(globals, word)
			}
			globals = append(globals, end)
		}
	}
	section(secGlobal, len(m.globals), globals)
	section(secExport, m.nExports, m.exports)
	// The code is by far the longest section: it is written where it belongs.
	heads, length := make([][]byte, len(m.funcs)), len(binary.AppendUvarint(nil, uint64(len(m.funcs))))
	for i, f := range m.funcs {
		heads[i] = f.header()
		body := len(heads[i]) + len(f.Code) + 1
		heads[i] = append(binary.AppendUvarint(nil, uint64(body)), heads[i]...)
		length += len(heads[i]) + len(f.Code) + 1
	}
	out = binary.AppendUvarint(append(out, secCode), uint64(length))
	out = binary.AppendUvarint(out, uint64(len(m.funcs)))
	for i, f := range m.funcs {
		out = append(out, heads[i]...)
		f.Offset = uint32(len(out))
		out = append(append(out, f.Code...), end)
	}
	return out
}

func appendName(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}
