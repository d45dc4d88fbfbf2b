package jit

import (
	"math"
	"slices"

	"swizzle/shaderkit/ir"
)

// A function is a function of the program and what is known of it before any code is written.
type function struct {
	*ir.Func
	entry    bool
	job, tri []ir.Inst // entry: what runs once a job, once a triangle
	body     []ir.Inst // the rest

	all     []*ir.Inst        // in the order of Walk
	def     []*ir.Inst        // what assigns each register; nil for parameters
	same    []bool            // the vectors of all quads of a wave are the same: what follows from LaneY
	shifted []bool            // all that is read are the lowest 24 bits, by Shl
	uniform []bool            // all lanes hold the same value, in one vector
	record  []bool            // the register holds the address of a resource record of the job
	mask    []bool            // each word is ~0 or 0
	dead    []bool            // nobody needs what assigns the register, and it has no effects
	late    []bool            // see sums.go
	opt     *optimist         // see optimist.go
	ends    registerLists     // registers whose last use is at each position, see lifetimes
	forms   *pixelForms       // of the entry of a Tile program
	apart   map[*ir.Inst]bool // loops that lanes leave or continue at different places

	loops   bool // takes steps of the budget, itself or in a function it calls
	differs bool // reads neighbours, likewise
	state   bool // changes which lanes are live, or counts steps, likewise
	stores  bool // likewise
	pixel   bool // reads LaneX, LaneY or Item, likewise
	called  bool
}

// pure reports whether in can be left out when nobody reads its results.
func pure(in *ir.Inst) bool {
	switch in.Op {
	case ir.If, ir.Loop, ir.Call, ir.Yield, ir.Break, ir.Continue, ir.Return, ir.Store, ir.Kill, ir.Cover, ir.Write:
		return false
	}
	return true
}

// analyse looks at all functions of a prepared program.
func analyse(p *ir.Program) []*function {
	fs := functions(p)
	solve(p, fs)
	return fs
}

// functions gives all functions with what does not take solve: what assigns each register, the parts of
// the entry, and what they do.
func functions(p *ir.Program) []*function {
	job, tri := ir.Split(p)
	// The words of the triangle record first: they are read together.
	triangle := p.Funcs[0].Body.Insts[job : job+tri]
	var words, others []ir.Inst
	for _, in := range triangle {
		if in.Op == ir.TriWord {
			words = append(words, in)
		} else {
			others = append(others, in)
		}
	}
	copy(triangle[copy(triangle, words):], others)
	fs := make([]*function, len(p.Funcs))
	for i, f := range p.Funcs {
		n := len(f.Class)
		flags := make([]bool, 7*n)
		list := func() (part []bool) {
			part, flags = flags[:n:n], flags[n:]
			return part
		}
		fs[i] = &function{Func: f, entry: i == 0, body: f.Body.Insts, def: make([]*ir.Inst, n), apart: map[*ir.Inst]bool{},
			same: list(), shifted: list(), uniform: list(), record: list(), mask: list(), dead: list(), late: list()}
		fs[i].define()
	}
	for _, f := range fs {
		f.clamps()
	}
	f := fs[0]
	f.job, f.tri, f.body = f.body[:job], f.body[job:job+tri], f.body[job+tri:]
	reach(fs, 0)
	return fs
}

// define lists the instructions and finds what assigns each register.
func (f *function) define() {
	f.all = slices.Grow(f.all[:0], len(f.Class)+len(f.Class)/4)
	f.Body.Walk(func(in *ir.Inst) {
		f.all = append(f.all, in)
		for k := range in.N {
			f.def[in.Dst+ir.Reg(k)] = in
		}
	})
}

// solve finds what is uniform and the like.
func solve(p *ir.Program, fs []*function) {
	u := &uniformity{p: p, fs: fs}
	u.solve()
	for _, f := range fs {
		if f.called {
			f.masks()
			f.sameness()
		}
	}
}

// isDead reports whether in is left out.
func (f *function) isDead(in *ir.Inst) bool { return in.N > 0 && f.dead[in.Dst] }

// reach collects what function i and those it calls do.
func reach(fs []*function, i int) {
	f := fs[i]
	f.called = true
	for _, in := range f.all {
		switch in.Op {
		case ir.Loop:
			f.loops, f.state = true, true
		case ir.Kill:
			f.state = true
		case ir.Store:
			f.stores = true
		case ir.DDX, ir.DDY:
			f.differs = true
		case ir.LaneX, ir.LaneY, ir.Item:
			f.pixel = true
		case ir.Call:
			g := fs[in.Imm]
			if !g.called {
				reach(fs, int(in.Imm))
			}
			counts := !g.Macro
			f.loops = f.loops || g.loops || counts
			f.state = f.state || g.state || counts
			f.differs = f.differs || g.differs
			f.stores = f.stores || g.stores
			f.pixel = f.pixel || g.pixel
		}
	}
}

// uniformity finds the registers that hold the same value in all lanes: it assumes it of all and takes
// back what does not follow, until nothing changes.
//
// A loop keeps its lanes together when none leaves or continues where others do not. Its parameters
// may then be uniform, unless a lane that has left, or never came in, is looked at by its neighbours.
type uniformity struct {
	p       *ir.Program
	fs      []*function
	changed bool

	f         *function
	divergent int // open Ifs whose condition is not uniform
	loops     []openLoop
}

type openLoop struct {
	in        *ir.Inst
	divergent int // at its begin
}

func (u *uniformity) solve() {
	for _, f := range u.fs {
		for i := range f.uniform {
			f.uniform[i] = true
			f.record[i] = f.def[i] != nil && f.def[i].Op == ir.Res
		}
		for _, r := range f.Params {
			f.record[r] = true
		}
	}
	for _, r := range u.fs[0].Params { // none, when verified
		u.fs[0].uniform[r] = false
	}
	for u.changed = true; u.changed; {
		u.changed = false
		for _, f := range u.fs {
			if f.called {
				u.f, u.divergent, u.loops = f, 0, nil
				u.block(f.Body)
			}
		}
		if len(u.fs) == 1 && !u.fs[0].loops {
			return // what a register follows from stands in front of it
		}
	}
}

func (u *uniformity) clear(list []bool, r ir.Reg) {
	if list[r] {
		list[r] = false
		u.changed = true
	}
}

func (u *uniformity) uniform(r ir.Reg) bool { return u.f.uniform[r] }

// varies takes back that r is uniform, if one of these is not.
func (u *uniformity) varies(r ir.Reg, ok bool, args ...ir.Reg) {
	if !ok || slices.ContainsFunc(args, func(a ir.Reg) bool { return !u.uniform(a) }) {
		u.clear(u.f.uniform, r)
	}
}

// part notes that lanes of a loop part.
func (u *uniformity) part(l *ir.Inst) {
	if !u.f.apart[l] {
		u.f.apart[l] = true
		u.changed = true
	}
}

func (u *uniformity) block(b *ir.Block) {
	for i := range b.Insts {
		in := &b.Insts[i]
		switch in.Op {
		case ir.LaneX, ir.LaneY, ir.Item, ir.Active:
			u.clear(u.f.uniform, in.Dst)
		case ir.If:
			together := u.uniform(in.Args[0])
			if !together {
				u.divergent++
			}
			u.block(in.Blocks[0])
			u.block(in.Blocks[1])
			if !together {
				u.divergent--
			}
			for k := range in.N {
				u.varies(in.Dst+ir.Reg(k), together)
			}
			for _, arm := range in.Blocks {
				if end := &arm.Insts[len(arm.Insts)-1]; end.Op == ir.Yield {
					for k, a := range end.Args {
						u.varies(in.Dst+ir.Reg(k), true, a)
					}
				}
			}
		case ir.Loop:
			body := in.Blocks[0]
			if u.looks(body) {
				u.part(in)
			}
			for k, a := range in.Args {
				u.varies(body.Params[k], !u.f.apart[in], a)
			}
			for k := range in.N {
				u.varies(in.Dst+ir.Reg(k), !u.f.apart[in])
			}
			u.loops = append(u.loops, openLoop{in, u.divergent})
			u.block(body)
			u.loops = u.loops[:len(u.loops)-1]
		case ir.Break, ir.Continue:
			l := u.loops[len(u.loops)-1]
			if u.divergent > l.divergent {
				u.part(l.in)
			}
			for k, a := range in.Args {
				if in.Op == ir.Break {
					u.varies(l.in.Dst+ir.Reg(k), true, a)
				} else {
					u.varies(l.in.Blocks[0].Params[k], true, a)
				}
			}
		case ir.Return:
			for _, l := range u.loops {
				u.part(l.in)
			}
		case ir.Call:
			g := u.fs[in.Imm]
			for k, a := range in.Args {
				if !u.uniform(a) {
					u.clear(g.uniform, g.Params[k])
				}
				if !u.f.record[a] {
					u.clear(g.record, g.Params[k])
				}
			}
			for k := range in.N {
				u.clear(u.f.uniform, in.Dst+ir.Reg(k))
			}
		default:
			for k := range in.N {
				u.varies(in.Dst+ir.Reg(k), true, in.Args...)
			}
		}
	}
}

// looks reports whether a lane reads its neighbours in b.
func (u *uniformity) looks(b *ir.Block) (found bool) {
	b.Walk(func(in *ir.Inst) {
		found = found || in.Op == ir.DDX || in.Op == ir.DDY || in.Op == ir.Call && u.fs[in.Imm].differs
	})
	return
}

// sameness finds registers of 32 bits whose vectors are the same though lanes of a quad differ.
func (f *function) sameness() {
	for _, in := range f.all {
		switch in.Op {
		case ir.LaneY:
			f.same[in.Dst] = true
			continue
		case ir.If, ir.Loop, ir.Call, ir.Load, ir.Taps:
			continue
		}
		if in.N != 1 || f.Class[in.Dst] != ir.C32 {
			continue
		}
		some, same := false, true
		for _, a := range in.Args {
			same = same && (f.uniform[a] || f.same[a])
			some = some || f.same[a]
		}
		f.same[in.Dst] = some && same
	}
}

// shifts finds registers of which Shl alone reads the lowest 24 bits, when it is known what is dead.
func (f *function) shifts() {
	for i := range f.shifted {
		f.shifted[i] = true
	}
	for _, in := range f.all {
		if f.isDead(in) {
			continue
		}
		for k, a := range in.Args {
			by := uint32(0)
			if in.Op == ir.Shl && k == 0 {
				by, _ = f.constant(in.Args[1])
			}
			if by&31 < 8 {
				f.shifted[a] = false
			}
		}
	}
}

// masks finds registers whose words are all ~0 or 0.
func (f *function) masks() {
	for _, in := range f.all {
		is := false
		switch in.Op {
		case ir.FLt, ir.FLe, ir.FEq, ir.FNe, ir.IEq, ir.INe, ir.ILt, ir.ULt, ir.DLt, ir.DEq, ir.LEq, ir.LULt, ir.Active:
			is = true
		case ir.And, ir.Or, ir.Xor, ir.Not:
			is = true
			for _, a := range in.Args {
				is = is && f.mask[a]
			}
		case ir.Sel:
			is = f.mask[in.Args[1]] && f.mask[in.Args[2]]
		case ir.Const:
			is = uint32(in.Imm) == 0 || uint32(in.Imm) == ^uint32(0)
		}
		if is {
			f.mask[in.Dst] = true
		}
	}
}

// constant gives the bits of a register that Const assigns.
func (f *function) constant(r ir.Reg) (bits uint32, ok bool) {
	if in := f.def[r]; in != nil && in.Op == ir.Const {
		return uint32(in.Imm), true
	}
	return 0, false
}

// positive reports whether the sign bit of a register is known to be clear.
func (f *function) positive(r ir.Reg) bool {
	in := f.def[r]
	if in == nil {
		return false
	}
	small := func(k int, limit uint32) bool {
		bits, ok := f.constant(in.Args[k])
		return ok && bits < limit
	}
	switch in.Op {
	case ir.Const:
		return uint32(in.Imm) < 1<<31
	case ir.LaneX, ir.LaneY:
		return true
	case ir.And, ir.UMin:
		return small(0, 1<<31) || small(1, 1<<31)
	case ir.ShrU:
		bits, ok := f.constant(in.Args[1])
		return ok && bits&31 > 0
	}
	return false
}

// upper gives a bound of a float that is known to be no NaN and to have no sign.
func (f *function) upper(r ir.Reg) (hi float32, ok bool) {
	in := f.def[r]
	if in == nil {
		return 0, false
	}
	constant := func(k int) (float32, bool) {
		bits, ok := f.constant(in.Args[k])
		c := math.Float32frombits(bits)
		return c, ok && bits < 1<<31 && c >= 0
	}
	switch in.Op {
	case ir.Const:
		hi = math.Float32frombits(uint32(in.Imm))
		return hi, in.Imm < 0x7F800000
	case ir.FMin: // of what is at least a constant: FMax gives its first operand for a NaN
		hi, ok = constant(1)
		from := f.def[in.Args[0]]
		if !ok || from == nil || from.Op != ir.FMax {
			return 0, false
		}
		bits, ok := f.constant(from.Args[0])
		lo := math.Float32frombits(bits)
		return hi, ok && bits < 1<<31 && lo <= hi
	case ir.FMax: // of 0 and x - floor(x), which may be NaN
		bits, ok := f.constant(in.Args[0])
		from := f.def[in.Args[1]]
		if !ok || bits != 0 || from == nil || from.Op != ir.FSub {
			return 0, false
		}
		floor := f.def[from.Args[1]]
		return 1, floor != nil && floor.Op == ir.FFloor && floor.Args[0] == from.Args[0]
	case ir.FFloor, ir.FTrunc:
		return f.upper(in.Args[0])
	case ir.U2F:
		if from := f.def[in.Args[0]]; from != nil && (from.Op == ir.UMin || from.Op == ir.And) {
			bits, ok := f.constant(from.Args[1])
			return float32(bits), ok
		}
	case ir.FMul, ir.FAdd:
		a, okA := f.upper(in.Args[0])
		b, okB := f.upper(in.Args[1])
		if !okA || !okB {
			return 0, false
		}
		if in.Op == ir.FMul {
			return float32(a * b), a*b <= math.MaxFloat32
		}
		return a + b, a+b <= math.MaxFloat32
	}
	return 0, false
}

// clamps hands on what a min or max would not change: most colours are clamped before they are packed.
func (f *function) clamps() {
	alias := map[ir.Reg]ir.Reg{}
	for _, in := range f.all {
		for k, a := range in.Args {
			if to, ok := alias[a]; ok {
				in.Args[k] = to
			}
		}
		switch in.Op {
		case ir.FMax: // of 0 and x
			if bits, ok := f.constant(in.Args[0]); ok && bits == 0 {
				if _, ok := f.upper(in.Args[1]); ok {
					alias[in.Dst] = in.Args[1]
				}
			}
		case ir.FMin: // of x and a constant
			if bits, ok := f.constant(in.Args[1]); ok {
				if hi, ok := f.upper(in.Args[0]); ok && hi <= math.Float32frombits(bits) {
					alias[in.Dst] = in.Args[0]
				}
			}
		}
	}
}

// prune marks instructions that nobody needs; skip gives operands that the code does not read.
func (f *function) prune(skip func(in *ir.Inst, arg int) bool) {
	uses := make([]int32, len(f.Class))
	for _, in := range f.all {
		for k, a := range in.Args {
			if !skip(in, k) {
				uses[a]++
			}
		}
	}
	for _, in := range slices.Backward(f.all) {
		used := !pure(in) || f.asks(in)
		for k := range in.N {
			used = used || uses[in.Dst+ir.Reg(k)] > 0
		}
		if used {
			continue
		}
		f.dead[in.Dst] = true
		for k, a := range in.Args {
			if !skip(in, k) {
				uses[a]--
			}
		}
	}
}

// lifetimes numbers the positions of the function and finds where each register is used last: there
// its locals are free again. Positions are the instructions in their order and the ends of Ifs and
// Loops, of the loops over waves and over triangles and of the function; what comes from outside of a
// loop lives to its end.
func (f *function) lifetimes() {
	l := lifetimes{f: f, last: make([]int32, len(f.Class)), born: make([]int32, len(f.Class))}
	for _, r := range f.Params {
		l.last[r] = 1 // position 0 is the begin
	}
	l.pos = 1
	l.insts(f.job)
	if f.entry {
		outer, inner := &liveLoop{begin: l.pos}, &liveLoop{}
		l.loops = append(l.loops, outer)
		l.insts(f.tri)
		inner.begin = l.pos
		l.loops = append(l.loops, inner)
		l.insts(f.body)
		l.end()
		l.end()
	} else {
		l.insts(f.body)
	}
	f.ends = listsOf(l.last, int(l.pos)+1)
}

// registerLists are lists of registers by position, one behind the other.
type registerLists struct {
	from []int32 // where each list begins; the last one is empty
	regs []ir.Reg
}

// listsOf gives the registers of each of n positions by rising number.
func listsOf(at []int32, n int) registerLists {
	l := registerLists{make([]int32, n+2), make([]ir.Reg, len(at))}
	for _, p := range at {
		l.from[p+2]++
	}
	for p := range n {
		l.from[p+2] += l.from[p+1]
	}
	for r, p := range at {
		l.regs[l.from[p+1]] = ir.Reg(r)
		l.from[p+1]++
	}
	return l
}

func (l *registerLists) at(p int) []ir.Reg { return l.regs[l.from[p]:l.from[p+1]] }

type liveLoop struct {
	begin int32
	used  []ir.Reg // from outside
}

type lifetimes struct {
	f          *function
	pos        int32
	last, born []int32
	loops      []*liveLoop
}

func (l *lifetimes) use(r ir.Reg) {
	l.last[r] = max(l.last[r], l.pos)
	for _, o := range l.loops {
		if l.born[r] < o.begin {
			o.used = append(o.used, r)
			break
		}
	}
}

// end closes the innermost loop.
func (l *lifetimes) end() {
	o := l.loops[len(l.loops)-1]
	l.loops = l.loops[:len(l.loops)-1]
	for _, r := range o.used {
		l.last[r] = max(l.last[r], l.pos)
	}
	l.pos++
}

func (l *lifetimes) insts(insts []ir.Inst) {
	for i := range insts {
		in := &insts[i]
		if l.f.isDead(in) {
			continue
		}
		for _, a := range in.Args {
			l.use(a)
		}
		l.f.factors(in, l.use)
		if a := l.f.odd(in); a != ir.NoReg {
			l.use(a)
		}
		for k := range in.N {
			r := in.Dst + ir.Reg(k)
			l.born[r] = l.pos
			l.last[r] = max(l.last[r], l.pos)
		}
		begin := l.pos
		l.pos++
		switch in.Op {
		case ir.If:
			l.insts(in.Blocks[0].Insts)
			l.insts(in.Blocks[1].Insts)
		case ir.Loop:
			for _, r := range in.Blocks[0].Params {
				l.born[r] = begin
				l.last[r] = begin
			}
			l.loops = append(l.loops, &liveLoop{begin: begin + 1})
			l.insts(in.Blocks[0].Insts)
		default:
			continue
		}
		// Results are set, and parameters read and set, up to the end.
		for k := range in.N {
			r := in.Dst + ir.Reg(k)
			l.last[r] = max(l.last[r], l.pos)
		}
		if in.Op == ir.If {
			l.pos++
			continue
		}
		for _, r := range in.Blocks[0].Params {
			l.last[r] = max(l.last[r], l.pos)
		}
		l.end()
	}
}
