package ir

import "slices"

// Limits of inlining.
const (
	inlineSmall  = 40 // instructions of a function that is worth copying to every call
	inlineGrowth = 4  // a program grows at most to this multiple
)

// inline puts the bodies of functions where they are called: those with one call, and small ones as
// long as the program does not grow too much. Functions that are left without a call are dropped. A
// function that returns from within a loop stays a function.
func inline(p *Program, o Options) {
	if o.Trace {
		return
	}
	n := len(p.Funcs)
	calls, sizes := make([]int, n), make([]int, n)
	total := 0
	for i, f := range p.Funcs {
		f.Body.Walk(func(in *Inst) {
			sizes[i]++
			if in.Op == Call {
				calls[in.Imm]++
			}
		})
		total += sizes[i]
	}
	limit := inlineGrowth * total
	order := calleesFirst(p)
	for _, fn := range order {
		f := p.Funcs[fn]
		c := inliner{p: p, f: f}
		c.want = func(callee int) bool {
			g := p.Funcs[callee]
			if g.Macro || !inlinable(g.Body, false) {
				return false
			}
			if calls[callee] > 1 {
				if sizes[callee] > inlineSmall || total+sizes[callee] > limit {
					return false
				}
				total += sizes[callee]
			}
			return true
		}
		if c.block(f.Body) {
			sizes[fn] = f.Body.size()
		}
	}
	dropUncalled(p)
}

// calleesFirst orders functions so that each comes behind those it calls.
func calleesFirst(p *Program) (order []int) {
	seen := make([]bool, len(p.Funcs))
	var visit func(fn int)
	visit = func(fn int) {
		if seen[fn] {
			return
		}
		seen[fn] = true
		p.Funcs[fn].Body.Walk(func(in *Inst) {
			if in.Op == Call {
				visit(int(in.Imm))
			}
		})
		order = append(order, fn)
	}
	for fn := range p.Funcs {
		visit(fn)
	}
	return order
}

// inlinable reports whether no Return of the body lies in a loop.
func inlinable(b *Block, inLoop bool) bool {
	for i := range b.Insts {
		in := &b.Insts[i]
		if in.Op == Return && inLoop {
			return false
		}
		for _, s := range in.Blocks {
			if s != nil && !inlinable(s, inLoop || in.Op == Loop) {
				return false
			}
		}
	}
	return true
}

type inliner struct {
	p    *Program
	f    *Func
	want func(callee int) bool
}

// block replaces calls in b and below, and reports whether there were any.
func (c *inliner) block(b *Block) (changed bool) {
	for i := 0; i < len(b.Insts); i++ {
		in := b.Insts[i]
		for _, s := range in.Blocks {
			if s != nil && c.block(s) {
				changed = true
			}
		}
		if in.Op == Call && c.want(int(in.Imm)) {
			body := c.body(&in)
			b.Insts = slices.Replace(b.Insts, i, i+1, body...)
			i += len(body) - 1
			changed = true
		}
	}
	return changed
}

// body gives instructions that do what the call does. The results of the call become those of a Loop
// that is left where the function returned; simplify removes it where it is not needed.
func (c *inliner) body(call *Inst) []Inst {
	g := c.p.Funcs[call.Imm]
	rename := make([]Reg, len(g.Class))
	for i, k := range g.Class {
		rename[i] = c.f.NewReg(k)
	}
	for i, r := range g.Params {
		rename[r] = call.Args[i]
	}
	copier := cloner{rename: rename}
	body := copier.block(g.Body)
	returnsToBreaks(body)
	return []Inst{{Op: Loop, N: call.N, Dst: call.Dst, From: call.From, Blocks: [2]*Block{body}}}
}

func returnsToBreaks(b *Block) {
	for i := range b.Insts {
		if in := &b.Insts[i]; in.Op == Return {
			in.Op = Break
		} else if in.Op == If {
			returnsToBreaks(in.Blocks[0])
			returnsToBreaks(in.Blocks[1])
		}
	}
}

// dropUncalled removes functions that the entry does not reach.
func dropUncalled(p *Program) {
	reached := make([]bool, len(p.Funcs))
	var visit func(fn int)
	visit = func(fn int) {
		if reached[fn] {
			return
		}
		reached[fn] = true
		p.Funcs[fn].Body.Walk(func(in *Inst) {
			if in.Op == Call {
				visit(int(in.Imm))
			}
		})
	}
	visit(0)
	number := make([]uint64, len(p.Funcs))
	kept := p.Funcs[:0]
	for fn, f := range p.Funcs {
		if reached[fn] {
			number[fn] = uint64(len(kept))
			kept = append(kept, f)
		}
	}
	p.Funcs = kept
	for _, f := range p.Funcs {
		f.Body.Walk(func(in *Inst) {
			if in.Op == Call {
				in.Imm = number[in.Imm]
			}
		})
	}
}
