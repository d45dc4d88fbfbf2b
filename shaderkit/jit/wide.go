package jit

import (
	"slices"

	"swizzle/shaderkit/ir"
)

// A wave is one after the other, in the order of the program: a lane sees what lanes of waves before it
// stored. Where no wave of a triangle reads or writes what another one writes nobody can tell, and the code
// takes two waves at once, a row of quads in four vectors: processors wait for chains of dependent operations,
// and then there are twice as many chains. That takes
//
//   - that all Stores of the program are to words of the pixel's own, as are Loads of the same resource;
//   - that what is stored lies apart from the other resources that are stored or loaded, which a job checks;
//     where it does not the kernel is stuck before it has begun;
//   - that lanes do not leave loops one by one: more lanes would wait for the last one;
//   - that the triangles are large: of small ones fewer of the lanes are covered.

// wide reports whether the module takes two waves at once.
func (m *module) wide() bool { return m.n == maxVectors }

// wideLimit is how many instructions a program may have to be wide: compiling takes twice as long.
const wideLimit = 2500

// widen makes the module wide, if it may be.
func (m *module) widen() {
	pairs, ok := m.independent()
	if !ok {
		return
	}
	m.n = maxVectors
	for _, x := range pairs {
		if !slices.Contains(m.pairs, x) {
			m.pairs = append(m.pairs, x)
		}
	}
}

// independent reports whether waves of a triangle are independent, and what must lie apart for that.
func (m *module) independent() (pairs []resourcePair, ok bool) {
	f := m.fs[0]
	if !m.p.Large || len(f.all) > wideLimit || len(f.apart) > 0 {
		return nil, false
	}
	resource := func(r ir.Reg) (n uint64, ok bool) {
		if d := f.def[r]; d != nil && d.Op == ir.Res {
			return d.Imm, true
		}
		return 0, false
	}
	var stored, loaded []uint64
	add := func(list *[]uint64, n uint64) {
		if !slices.Contains(*list, n) {
			*list = append(*list, n)
		}
	}
	place := map[uint64]pixelForm{} // of what is stored: where the bits of the pixel go
	for _, in := range f.all {
		if in.Op != ir.Store {
			continue
		}
		n, isRes := resource(in.Args[0])
		form, own := f.forms.own(in.Args[1])
		before, again := place[n]
		if !isRes || !own || again && before != form {
			return nil, false
		}
		place[n] = form
		add(&stored, n)
	}
	for _, in := range f.all {
		switch in.Op {
		case ir.Load, ir.Taps:
			n, isRes := resource(in.Args[0])
			if !isRes {
				return nil, false
			}
			if at, both := place[n]; both {
				if form, own := f.forms.own(in.Args[1]); in.Op != ir.Load || !own || form != at {
					return nil, false
				}
				continue
			}
			add(&loaded, n)
		case ir.Call:
			g := m.fs[in.Imm]
			if g.loops || g.stores || !g.loadsRecords() {
				return nil, false
			}
			for k, a := range in.Args {
				if n, isRes := resource(a); isRes && g.record[g.Params[k]] {
					if _, both := place[n]; both {
						return nil, false
					}
					add(&loaded, n)
				}
			}
		}
	}
	for i, n := range stored {
		for _, o := range stored[:i] {
			pairs = append(pairs, resourcePair{n, o})
		}
		for _, o := range loaded {
			if o >= uint64(len(m.p.Interface.Resources)) || m.p.Interface.Resources[o].Kind == ir.Buffer {
				pairs = append(pairs, resourcePair{n, o})
			}
		}
	}
	return pairs, true
}

// loadsRecords reports whether all that a function reads are resources that it is given.
func (f *function) loadsRecords() bool {
	for _, in := range f.all {
		switch in.Op {
		case ir.Load, ir.Taps:
			if r := in.Args[0]; f.def[r] != nil || !f.record[r] {
				return false
			}
		case ir.Call:
			return false
		}
	}
	return true
}

// own gives where the bits of the pixel go in an offset, constants left out, where each pixel of a tile
// has a word of its own.
func (p *pixelForms) own(r ir.Reg) (o pixelForm, ok bool) {
	if p.at[r] == 0 {
		return o, false
	}
	o = p.list[p.at[r]-1]
	var seen uint32
	for i, b := range o {
		if b >= 0 {
			seen |= 1 << b
		} else {
			o[i] = bitZero
		}
	}
	return o, seen == 0x3F|0x3F<<bitY && o[0] == bitZero && o[1] == bitZero
}
