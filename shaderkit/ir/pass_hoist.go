package ir

import "slices"

// A Rate says how often a value can change.
type Rate uint8

const (
	JobRate      Rate = iota // the same throughout a job
	TriangleRate             // the same throughout a triangle
	LaneRate                 // may differ from lane to lane
)

// rater gives the rate of what instructions compute, as they are met in the order of the text.
// Registers that come from control flow, calls or parameters have LaneRate here.
type rater struct {
	p        *Program
	rate     []Rate
	readOnly []bool
}

func newRater(p *Program, f *Func) *rater {
	r := &rater{p: p, rate: make([]Rate, len(f.Class)), readOnly: make([]bool, len(f.Class))}
	for i := range r.rate {
		r.rate[i] = LaneRate
	}
	return r
}

// inst gives the rate of in: how often its results must be computed, if it may be done elsewhere.
func (r *rater) inst(in *Inst) Rate {
	rate := JobRate
	switch in.Op {
	case LaneX, LaneY, Item:
		rate = LaneRate
	case TriWord, Edges, Plane:
		rate = TriangleRate
	case Res:
		r.readOnly[in.Dst] = r.p.readOnly(in.Imm)
	}
	for _, a := range in.Args {
		rate = max(rate, r.rate[a])
	}
	if !in.pure(in.Op.loads() && r.readOnly[in.Args[0]]) {
		rate = LaneRate
	}
	for k := range in.N {
		r.rate[in.Dst+Reg(k)] = rate
	}
	return rate
}

// hoist moves what is the same in all lanes to the start of the entry of a Linear or Tile program:
// first what is the same throughout the job, then what is the same throughout a triangle. Split finds
// them there. It is computed even where no lane would have come by: it has no effects.
func hoist(p *Program, _ Options) {
	if p.Kind == Shader {
		return
	}
	f := p.Funcs[0]
	r := newRater(p, f)
	moved := [LaneRate][]Inst{make([]Inst, 0, len(f.Body.Insts)/2), make([]Inst, 0, len(f.Body.Insts)/8)}
	var take func(b *Block)
	take = func(b *Block) {
		out := b.Insts[:0]
		for _, in := range b.Insts {
			for _, inner := range in.Blocks {
				if inner != nil {
					take(inner)
				}
			}
			if rate := r.inst(&in); rate < LaneRate {
				moved[rate] = append(moved[rate], in)
			} else {
				out = append(out, in)
			}
		}
		b.Insts = out
	}
	take(f.Body)
	rest, n := len(f.Body.Insts), len(moved[0])+len(moved[1])
	all := slices.Grow(f.Body.Insts, n)[:n+rest]
	copy(all[n:], all[:rest])
	copy(all[copy(all, moved[0]):], moved[1])
	f.Body.Insts = all
}

// Hoist does to p, in place, what the pass of Optimize does: for an engine that has expanded macros,
// which leaves more behind that is the same in all lanes.
func Hoist(p *Program) { hoist(p, Options{}) }

// Split gives how many instructions at the start of the entry need to run once a job, and how many
// behind those once a triangle. Optimize moves all of these there.
func Split(p *Program) (job, triangle int) {
	f := p.Funcs[0]
	r := newRater(p, f)
	for i := range f.Body.Insts {
		switch r.inst(&f.Body.Insts[i]) {
		case JobRate:
			if triangle == 0 {
				job++
				continue
			}
			triangle++
		case TriangleRate:
			triangle++
		default:
			return job, triangle
		}
	}
	return job, triangle
}
