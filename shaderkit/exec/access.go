package exec

import "swizzle/shaderkit/ir"

// An Access is which resources of its jobs a program reads and writes, by number.
type Access struct {
	Reads    []int // read and written; a number may be there several times
	Stores   []int // written
	AnyRead  bool  // by records that the program computes: it may be any word of the arena
	AnyStore bool  // likewise
}

// AccessOf finds what a program of kind Linear or Tile accesses.
func AccessOf(p *ir.Program) (a Access) {
	for _, f := range p.Funcs {
		resource := map[ir.Reg]int{}
		f.Body.Walk(func(in *ir.Inst) {
			switch in.Op {
			case ir.Res:
				resource[in.Dst] = int(in.Imm)
				a.Reads = append(a.Reads, int(in.Imm))
			case ir.Sample, ir.Fetch:
				a.Reads = append(a.Reads, ir.SampleSiteOf(in.Imm).Resource)
			case ir.Load, ir.Taps:
				if _, ok := resource[in.Args[0]]; !ok {
					a.AnyRead = true
				}
			case ir.Store:
				if n, ok := resource[in.Args[0]]; ok {
					a.Stores = append(a.Stores, n)
				} else {
					a.AnyStore = true
				}
			}
		})
	}
	return a
}

// Extent gives the words of resource n of a job, as far as they lie within the arena: they begin at a byte
// address.
func (a *Arena) Extent(desc uint32, n int) (addr uint32, words int) {
	at := uint64(desc/4) + JobRecords + uint64(n)*RecordWords
	if at+RecordWords > uint64(len(a.Mem)) {
		return 0, 0
	}
	from := uint64(a.Mem[at+RecBase] / 4)
	to := min(from+uint64(a.Mem[at+RecSize]/4), uint64(len(a.Mem)))
	from = min(from, to)
	return uint32(4 * from), int(to - from)
}
