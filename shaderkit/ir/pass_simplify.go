package ir

import (
	"math"
	"slices"
)

// simplify replaces operands by earlier registers of the same value and computes what is constant:
//
//   - a parameter or result of a Loop, or a result of an If, that can only be one register is that
//     register; a Loop that every lane leaves at its end, in the first round, is no loop;
//   - an op of constants is a constant; a select between equal values or by a constant mask, and
//     integer ops that change nothing, are their operand;
//   - an op without effects that was computed already, in this block or one around it, is not
//     computed again.
//
// It leaves instructions that nobody uses for dead.
func simplify(p *Program, _ Options) {
	for _, f := range p.Funcs {
		s := simplifier{p: p, f: f}
		s.grow()
		for _, r := range f.Params {
			s.define(r)
		}
		s.block(f.Body)
	}
}

type simplifier struct {
	p     *Program
	f     *Func
	info  []valueInfo // of each register
	count int32       // registers defined so far
	table valueTable
	spare []*Inst
}

type valueInfo struct {
	alias    Reg   // the register to use instead; NoReg: itself
	order    int32 // when it was defined
	readOnly bool  // the address of the record of a resource that no program writes to
	known    bool
	bits     uint64 // where known
}

func (s *simplifier) grow() {
	s.info = make([]valueInfo, len(s.f.Class))
	for i := range s.info {
		s.info[i].alias = NoReg
	}
	s.table.init(len(s.f.Class))
}

func (s *simplifier) define(r Reg) {
	s.count++
	s.info[r].order = s.count
}

// find gives the register that stands for r.
func (s *simplifier) find(r Reg) Reg {
	for s.info[r].alias != NoReg {
		r = s.info[r].alias
	}
	return r
}

func (s *simplifier) replace(r, by Reg) {
	if r != by {
		s.info[r].alias = by
	}
}

func (s *simplifier) block(b *Block) {
	scope := len(s.table.entries)
	for i := 0; i < len(b.Insts); i++ {
		in := &b.Insts[i]
		for k, r := range in.Args {
			in.Args[k] = s.find(r)
		}
		switch in.Op {
		case If:
			start := s.count
			s.block(in.Blocks[0])
			s.block(in.Blocks[1])
			for k := range in.N {
				s.define(in.Dst + Reg(k))
				if r := s.joined(in, int(k), start); r != NoReg {
					s.replace(in.Dst+Reg(k), r)
				}
			}
		case Loop:
			if runsOnce(in) {
				s.unwrap(b, i)
				i--
				continue
			}
			s.loop(in)
		default:
			s.simple(in)
		}
	}
	s.table.leave(scope)
}

// joined gives the one register that result k of an If has in all arms that end in Yield.
func (s *simplifier) joined(in *Inst, k int, start int32) Reg {
	one := NoReg
	for _, arm := range in.Blocks {
		end := &arm.Insts[len(arm.Insts)-1]
		if end.Op != Yield {
			continue
		}
		r := end.Args[k]
		if s.info[r].order > start || one != NoReg && r != one {
			return NoReg
		}
		one = r
	}
	return one
}

func (s *simplifier) loop(in *Inst) {
	start := s.count
	body := in.Blocks[0]
	s.spare = s.spare[:0]
	leaves(body, func(l *Inst) { s.spare = append(s.spare, l) })
	for k, p := range body.Params {
		s.define(p)
		trivial := true
		for _, l := range s.spare {
			if l.Op == Continue && l.Args[k] != p && s.find(l.Args[k]) != in.Args[k] {
				trivial = false
				break
			}
		}
		if trivial {
			s.replace(p, in.Args[k])
		}
	}
	s.block(body)
	s.spare = s.spare[:0]
	leaves(body, func(l *Inst) { s.spare = append(s.spare, l) })
	for k := range in.N {
		r := in.Dst + Reg(k)
		s.define(r)
		one := NoReg
		for _, l := range s.spare {
			if l.Op != Break {
				continue
			}
			if a := l.Args[k]; s.info[a].order > start || one != NoReg && a != one {
				one = NoReg
				break
			} else {
				one = a
			}
		}
		if one != NoReg {
			s.replace(r, one)
		}
	}
}

// runsOnce reports whether a Loop is left at the end of its body and nowhere else.
func runsOnce(in *Inst) bool {
	body := in.Blocks[0].Insts
	n := 0
	leaves(in.Blocks[0], func(*Inst) { n++ })
	return n == 1 && body[len(body)-1].Op == Break
}

// unwrap puts the body of a Loop that runs once in its place.
func (s *simplifier) unwrap(b *Block, i int) {
	in := b.Insts[i]
	body := in.Blocks[0]
	for k, p := range body.Params {
		s.define(p)
		s.replace(p, in.Args[k])
	}
	n := len(body.Insts) - 1
	for k, r := range body.Insts[n].Args {
		s.replace(in.Dst+Reg(k), r)
	}
	b.Insts = slices.Replace(b.Insts, i, i+1, body.Insts[:n]...)
}

// simple simplifies an instruction without blocks.
func (s *simplifier) simple(in *Inst) {
	for k := range in.N {
		s.define(in.Dst + Reg(k))
	}
	if in.Op == Cover {
		s.table.keep(func(e *Inst) bool { return e.Op.leaf() })
		return
	}
	if in.Op.ends() || in.N == 0 {
		return
	}
	if s.fold(in) {
		return
	}
	switch in.Op {
	case Const, Const64:
		s.info[in.Dst].known, s.info[in.Dst].bits = true, in.Imm
	case Res:
		s.info[in.Dst].readOnly = s.p.readOnly(in.Imm)
	}
	if !in.pure(in.Op.loads() && s.info[in.Args[0]].readOnly) {
		return
	}
	if e := s.table.find(in); e != nil {
		for k := range in.N {
			s.replace(in.Dst+Reg(k), e.Dst+Reg(k))
		}
	}
}

// leaf reports whether o has no operands and a result that may be used across Cover.
func (o Op) leaf() bool {
	switch o {
	case Const, Const64, Desc, Res, TriWord, LaneX, LaneY:
		return true
	}
	return false
}

// fold turns in into a constant, or its result into an operand, if that is possible; it reports
// whether the result is an operand now.
func (s *simplifier) fold(in *Inst) bool {
	row := &ops[in.Op]
	if row.Value == nil {
		return false
	}
	if commutes(in.Op) { // constants to the right, else in order
		a, b := in.Args[0], in.Args[1]
		if k := s.info[a].known; k != s.info[b].known && k || k == s.info[b].known && a > b {
			in.Args[0], in.Args[1] = b, a
		}
	}
	var bits [3]uint64
	all := true
	for k, r := range in.Args {
		all = all && s.info[r].known
		bits[k] = s.info[r].bits
	}
	if all {
		in.Imm = canonicalBits(row.Type, row.Value(bits[0], bits[1], bits[2]))
		in.Op, in.Args = Const, nil
		if row.Class == C64 {
			in.Op = Const64
		}
		return false
	}
	same := NoReg
	switch in.Op {
	case Sel, Sel64:
		mask := s.info[in.Args[0]]
		switch {
		case in.Args[1] == in.Args[2], mask.known && mask.bits == math.MaxUint32:
			same = in.Args[1]
		case mask.known && mask.bits == 0:
			same = in.Args[2]
		}
	case IAdd, ISub, Or, Xor, Shl, ShrS, ShrU:
		if s.info[in.Args[1]].known && bits[1] == 0 {
			same = in.Args[0]
		}
	case And:
		if s.info[in.Args[1]].known && bits[1] == math.MaxUint32 {
			same = in.Args[0]
		}
	case IMul:
		if s.info[in.Args[1]].known && bits[1] == 1 {
			same = in.Args[0]
		}
	}
	if same == NoReg {
		return false
	}
	s.replace(in.Dst, same)
	return true
}

func commutes(o Op) bool {
	switch o {
	case IAdd, IMul, And, Or, Xor, IEq, INe, IMin, IMax, UMin, UMax:
		return true
	}
	return false
}

// canonicalBits gives the bits of a folded value: those of a NaN are canonical.
func canonicalBits(letter byte, v uint64) uint64 {
	switch letter {
	case 'f':
		return uint64(CanonBits(uint32(v)))
	case 'd':
		if v&^(1<<63) > 0x7FF<<52 {
			return canonNaN64
		}
	}
	return v
}

// A valueTable finds instructions that compute the same, among those of the open blocks.
type valueTable struct {
	heads   []int32 // 1 + the newest entry of each slot
	entries []valueEntry
}

type valueEntry struct {
	in   Inst
	hash uint32
	next int32 // 1 + the entry before in the same slot
}

func (t *valueTable) init(n int) {
	size := 16
	for size < 2*n {
		size *= 2
	}
	t.heads = make([]int32, size)
	t.entries = make([]valueEntry, 0, n)
}

func hashInst(in *Inst) uint32 {
	h := uint64(in.Op)*0x9E3779B97F4A7C15 ^ in.Imm
	for _, r := range in.Args {
		h = (h ^ uint64(r)) * 0x9E3779B97F4A7C15
		h ^= h >> 29
	}
	h *= 0xBF58476D1CE4E5B9
	return uint32(h >> 32)
}

// find gives an instruction that computes the same as in, or adds in.
func (t *valueTable) find(in *Inst) *Inst {
	h := hashInst(in)
	for i := t.heads[int(h)&(len(t.heads)-1)]; i != 0; i = t.entries[i-1].next {
		e := &t.entries[i-1]
		if e.hash == h && e.in.Op == in.Op && e.in.Imm == in.Imm && slices.Equal(e.in.Args, in.Args) {
			return &e.in
		}
	}
	t.add(*in, h)
	return nil
}

func (t *valueTable) add(in Inst, h uint32) {
	slot := int(h) & (len(t.heads) - 1)
	t.entries = append(t.entries, valueEntry{in, h, t.heads[slot]})
	t.heads[slot] = int32(len(t.entries))
}

// leave forgets the entries from n on.
func (t *valueTable) leave(n int) {
	for i := len(t.entries) - 1; i >= n; i-- {
		e := &t.entries[i]
		t.heads[int(e.hash)&(len(t.heads)-1)] = e.next
	}
	t.entries = t.entries[:n]
}

// keep forgets the entries that want refuses.
func (t *valueTable) keep(want func(*Inst) bool) {
	old := slices.Clone(t.entries)
	t.leave(0)
	for i := range old {
		if want(&old[i].in) {
			t.add(old[i].in, old[i].hash)
		}
	}
}
