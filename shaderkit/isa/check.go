package isa

import (
	"fmt"
	"sort"
)

// Check looks for contradictions in the table: fields must tile the 32 bits of each word whatever the
// guarding fields hold, and a name or a code may have one row only per stage and version unless the rows
// differ by Match or by the number of their words. It gives all it finds.
func (t *Table) Check() []error {
	var errs []error
	seen := map[*compiled]bool{}
	for _, o := range t.Ops {
		if !seen[o.form] {
			seen[o.form] = true
			for _, e := range o.form.checkTiling() {
				errs = append(errs, fmt.Errorf("%s: %w", o.Name, e))
			}
		}
		if len(o.Avail) == 0 {
			errs = append(errs, fmt.Errorf("%s exists nowhere", o.Name))
		}
		for _, p := range t.Ops {
			if p == o {
				break
			}
			if !overlap(o, p) {
				continue
			}
			if o.Code == p.Code && len(o.Match)+len(p.Match) == 0 && o.Name != p.Name {
				errs = append(errs, fmt.Errorf("%s and %s share code %d", o.Name, p.Name, o.Code))
			}
			if o.Name == p.Name && o.form == p.form && o.Code == p.Code && len(o.Match)+len(p.Match) == 0 {
				errs = append(errs, fmt.Errorf("two rows of %s", o.Name))
			}
		}
	}
	return errs
}

func overlap(a, b *Op) bool {
	for _, x := range a.Avail {
		for _, y := range b.Avail {
			if x.Stages&y.Stages != 0 && x.Min <= y.Max && y.Min <= x.Max {
				return true
			}
		}
	}
	return false
}

// checkTiling enumerates the values that the guards of each word tell apart.
func (c *compiled) checkTiling() []error {
	var errs []error
	var visit func(ns []bnode)
	visit = func(ns []bnode) {
		for i := range ns {
			n := &ns[i]
			if n.word == nil {
				visit(n.sub)
				continue
			}
			vals := map[int][]uint32{} // by guarding slot: its interesting values
			for _, f := range n.fs {
				for _, g := range f.ifs {
					other := uint32(0)
					for _, x := range g.in {
						other = max(other, x+1)
					}
					vals[g.slot] = append(append(vals[g.slot], g.in...), other)
				}
			}
			if err := n.tiles(vals); err != nil {
				errs = append(errs, err)
			}
		}
	}
	visit(c.bin)
	return errs
}

func (n *bnode) tiles(vals map[int][]uint32) error {
	var slots []int
	for s := range vals {
		slots = append(slots, s)
	}
	sort.Ints(slots)
	var v Vals
	var try func(k int) error
	try = func(k int) error {
		if k < len(slots) {
			for _, x := range vals[slots[k]] {
				v.v[slots[k]] = x
				if err := try(k + 1); err != nil {
					return err
				}
			}
			return nil
		}
		var all uint32
		for _, f := range n.fs {
			if !holds(&v, f.ifs) {
				continue
			}
			m := f.f.Mask()
			if all&m != 0 {
				return fmt.Errorf("word %s: field %s overlaps bits 0x%08X", n.word.Name, f.f.Name, all&m)
			}
			all |= m
		}
		if all != ^uint32(0) {
			return fmt.Errorf("word %s: no field covers bits 0x%08X", n.word.Name, ^all)
		}
		return nil
	}
	return try(0)
}
