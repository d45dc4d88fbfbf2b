package jit

import (
	"slices"

	"swizzle/shaderkit/internal/wasmenc"
	"swizzle/shaderkit/ir"
)

// The depth test stands in front of the shader, and so does the Store of the depth. But only what comes
// before the first Store runs with plain products, so an optimistic entry has its Stores as far behind
// as they may be: in front of the next one, or of what changes which lanes store. They go past a Load
// of another resource, of which the job makes sure that it lies elsewhere: see apart.

// A resourcePair are two resources of a job, by number, of which one is stored and the other one loaded or stored.
type resourcePair struct{ stored, other uint64 }

// delayStores moves the Stores of a body, and lists what must lie apart for it.
func delayStores(p *ir.Program, f *function, body []ir.Inst) (pairs []resourcePair) {
	resource := map[ir.Reg]uint64{}
	for _, in := range f.all {
		if in.Op == ir.Res {
			resource[in.Dst] = in.Imm
		}
	}
	readOnly := func(n uint64) bool {
		return n < uint64(len(p.Interface.Resources)) && p.Interface.Resources[n].Kind != ir.Buffer
	}
	for i := len(body) - 1; i >= 0; i-- {
		if body[i].Op != ir.Store {
			continue
		}
		stored, ok := resource[body[i].Args[0]]
		if !ok {
			continue
		}
		var passed []resourcePair
		to := i
	passing:
		for j := i + 1; j < len(body); j++ {
			one, free := ir.Block{Insts: body[j : j+1]}, true
			var loads []resourcePair
			one.Walk(func(in *ir.Inst) {
				switch in.Op {
				case ir.Store, ir.Kill, ir.Cover, ir.Loop, ir.Call, ir.Break, ir.Continue, ir.Return:
					free = false
				case ir.Load, ir.Taps:
					loaded, ok := resource[in.Args[0]]
					if !ok || loaded == stored {
						free = false
					} else if !readOnly(loaded) {
						loads = append(loads, resourcePair{stored, loaded})
					}
				}
			})
			if !free {
				break passing
			}
			passed = append(passed, loads...)
			to = j
		}
		in := body[i]
		copy(body[i:to], body[i+1:to+1])
		body[to] = in
		for _, x := range passed {
			if !slices.Contains(pairs, x) {
				pairs = append(pairs, x)
			}
		}
	}
	return pairs
}

// apart computes, once a job, what a wave's sum begins with: a NaN where a pair of resources that must
// lie apart does not, so that every wave is strict; else 0.
func (w *writer) apart(pairs []resourcePair) {
	w.zeroSum = w.Local(wasmenc.V128)
	w.I32(0)
	w.overlap(pairs)
	// ~0 is a NaN.
	w.Op(wasmenc.I32Sub).V(wasmenc.I32x4Splat).Set(w.zeroSum)
}

// overlap pushes whether some pair of resources does not lie apart, 0 or 1.
func (w *writer) overlap(pairs []resourcePair) {
	spans := map[uint64]span{}
	for _, in := range w.f.job {
		if in.Op == ir.Res && w.spans[in.Dst] != (span{}) {
			spans[in.Imm] = w.spans[in.Dst]
		}
	}
	w.I32(0)
	for _, x := range pairs {
		a, okA := spans[x.stored]
		b, okB := spans[x.other]
		if !okA || !okB {
			w.I32(1).Op(wasmenc.I32Or)
			continue
		}
		w.below(a, b)
		w.below(b, a)
		w.Op(wasmenc.I32And).Op(wasmenc.I32Or)
	}
}

// below pushes whether a begins before b ends.
func (w *writer) below(a, b span) {
	w.Get(a.base).Get(b.base).Get(b.size).Op(wasmenc.I32Add).Op(wasmenc.I32LtU)
}
