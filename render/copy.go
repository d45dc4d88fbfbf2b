package render

import (
	"fmt"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// A copied is what the pixels of a target become.
type copied uint8

const (
	toTarget  copied = iota // the mean of their samples, in the same format
	toScreen                // bytes, red lowest
	toBytes                 // texels of class ir.RGBA8
	toSingle                // texels of class ir.R32F
	toSingles               // texels of class ir.RGBA32F; integers as they are
	numCopied
)

// copyProgram makes a Linear program over the words of a plane: its resources are the sRGB tables, the
// planes of a tile of the target, then those that it writes.
func copyProgram(f Format, samples int, to copied) *ir.Program {
	row := f.row()
	p := &ir.Program{Name: fmt.Sprintf("copy:%s:%d", f, to), Kind: ir.Linear, Funcs: make([]*ir.Func, 1)}
	p.Interface.Stage = ir.Compute
	b := ir.NewBuilder("main", nil, nil)
	buffer := func(name string) ir.Reg {
		p.Interface.Resources = append(p.Interface.Resources, ir.Resource{Name: name, Kind: ir.Buffer})
		return b.Emit(ir.Res, uint64(len(p.Interface.Resources)-1))
	}
	c := converter{b: b, table: buffer("srgb")}
	offset := c.op(ir.Shl, b.Emit(ir.Item, 0), b.U(2))
	var colours [][]ir.Reg
	raw := make([]ir.Reg, row.words) // of the first sample
	for s := range samples {
		words := make([]ir.Reg, row.words)
		for i := range words {
			words[i] = c.op(ir.Load, buffer(fmt.Sprintf("from%d.%d", s, i)), offset)
		}
		if s == 0 {
			copy(raw, words)
		}
		colours = append(colours, c.read(f, words))
	}
	colour := colours[0]
	if samples == 4 && row.kind != uinteger && row.kind != sinteger && !row.depth {
		for k := range colour {
			colour[k] = c.meanOfFloats([]ir.Reg{colours[0][k], colours[1][k], colours[2][k], colours[3][k]})
		}
	}
	var out []ir.Reg
	switch {
	case to == toTarget && row.depth, to == toTarget && (row.kind == uinteger || row.kind == sinteger):
		out = raw
	case to == toTarget:
		out = c.pack(f, colour, false)
	case to == toSingle:
		out = colour[:1]
	case to == toSingles:
		out = colour
	case to == toScreen:
		out = c.pack(RGBA8, c.screen(f, colour), false)
	default:
		out = c.pack(RGBA8, colour, false)
	}
	for i, v := range out {
		b.Emit(ir.Store, 0, buffer(fmt.Sprintf("to%d", i)), offset, v)
	}
	p.Funcs[0] = b.Finish()
	return p
}

// planes gives the number of words that a pixel becomes.
func (t copied) planes(f Format) int {
	switch t {
	case toTarget:
		return f.row().words
	case toSingles:
		return 4
	}
	return 1
}

// read gives the colour of a pixel; of a depth format the depth and the stencil.
func (c *converter) read(f Format, words []ir.Reg) []ir.Reg {
	row := f.row()
	if !row.depth {
		return c.unpack(f, words)
	}
	colour := []ir.Reg{ir.NoReg, c.b.U(0), c.b.U(0), c.b.F(1)}
	row.fields(func(ch channel, word, shift int) {
		k := row.kind
		if ch.comp == 1 {
			k = uinteger
		}
		colour[ch.comp] = c.value(k, int(ch.bits), words[word], shift)
	})
	return colour
}

// screen gives what a colour of a format is shown as, from 0 to 1: sRGB as it is stored, integers as the
// eight bits of theirs, a depth grey, one channel grey.
func (c *converter) screen(f Format, colour []ir.Reg) []ir.Reg {
	b, row := c.b, f.row()
	grey := func(v ir.Reg) []ir.Reg { return []ir.Reg{v, v, v, b.F(1)} }
	switch {
	case row.depth:
		return grey(colour[0])
	case row.kind == srgb:
		for k := range 3 {
			colour[k] = c.op(ir.FDiv, c.op(ir.U2F, c.encode(colour[k])), b.F(255))
		}
	case row.kind == uinteger || row.kind == sinteger:
		for k := range colour {
			v := c.op(ir.U2F, colour[k])
			if row.kind == sinteger {
				v = c.op(ir.I2F, colour[k])
			}
			colour[k] = c.op(ir.FDiv, v, b.F(255))
		}
	}
	if len(row.channels) == 1 {
		return grey(colour[0])
	}
	return colour
}

// convert copies all tiles of a target into planes at an address, where a tile has step planes. It is
// called between tiles, when nothing is told to the memory.
func (r *Renderer) convert(s *storage, to copied, addr uint32, step int) {
	f := s.target.Format
	k := s.copies[to]
	if !r.cache.again(k) {
		var err error
		k, err = r.cache.find(kernelKey{what: fmt.Sprintf("copy %d %d %d", f, s.target.samples(), to)}, func() (*ir.Program, []varying) {
			return copyProgram(f, s.target.samples(), to), nil
		})
		if err != nil {
			return // the engine takes no program at all: then no frame begins
		}
		s.copies[to] = k
	}
	n := to.planes(f)
	end := len(r.arena.Mem)
	desc := r.job(1+s.planes+n, 0)
	words := exec.JobRecords + (1+s.planes+n)*exec.RecordWords
	for i := range s.across * s.down {
		r.arena.Words(desc, 1)[exec.JobCount] = tilePixels
		r.arena.SetRecord(desc, 0, buffer(r.srgb, len(srgbTables), 4))
		for p := range s.planes {
			r.arena.SetRecord(desc, 1+p, buffer(s.tile(i)+uint32(4*p*tilePixels), tilePixels, 4))
		}
		for p := range n {
			r.arena.SetRecord(desc, 1+s.planes+p, buffer(addr+uint32(4*(i*step+p)*tilePixels), tilePixels, 4))
		}
		r.memory.Changed(&r.arena, desc, words)
		r.note(k.kernel.Run(&r.arena, desc, r.options((s.across*s.down-i)*tilePixels)))
	}
	r.arena.Mem = r.arena.Mem[:end]
}
