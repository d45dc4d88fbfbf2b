package interp

import (
	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// A rate says how often a value changes.
type rate uint8

const (
	rateConst rate = iota // never
	rateJob               // from job to job
	rateTri               // from triangle to triangle
	rateLane              // from lane to lane
)

// A val is a value of the flattened program: a virtual register of one instance of a function.
type val int32

// Values that every program has.
const (
	valX     val = iota // of the pixel
	valY                //
	valItem             //
	valPreX             // x and y in front of Cover, where a batch is a block
	valPreY             //
	firstVal            //
)

type value struct {
	class ir.Class
	rate  rate
	list  *list // of a lane value: where it lives
	loop  int32 // innermost loop around its definition, -1 outside
	first int32 // position from which it occupies a register
	last  int32 // position of its last use
	uses  int32
	reg   int32

	// Of a value that a triangle shares: the register that its lanes read, and whether they do.
	lanes  int32
	spread bool

	// What Const, Desc and Res made, for the analysis of stores.
	op   ir.Op
	imm  uint64
	args []val
}

// A flat is an instruction whose operands are values.
type flat struct {
	op    ir.Op // ir.Invalid for control flow and fused ops
	row   row
	ctl   ctl
	dst   []val
	args  []val
	imm   uint64
	from  int32
	moves []pair
	defs  []val // values that begin to occupy a register here, besides dst
	slot  int32
	to    int32 // position, or number of a function for ctlCall
	skip  int32 // position
	dead  bool
	pixel bool // a row made from the form of the result, see pixelRow
}

type pair struct{ d, s val }

// A list is code for one segment: straight code of a rate, or a function with its control flow.
type list struct {
	code  []flat
	loops []loopRange
}

type loopRange struct{ parent, begin, end int32 }

// A flattener turns a program into lists.
type flattener struct {
	p    *ir.Program
	o    options
	vals []value

	job, tri, pre, main list
	funcs               map[int]*called // functions that are called, not inlined
	order               []int           // their numbers in order of discovery

	cur     *list
	pending []int32 // instructions of the open block that want its end as skip target
	loop    int32   // innermost loop in cur, -1 outside
	trip    int32   // its slot, -1 outside
	slots   int32
	sites   []int // of each function: number of calls
	known   map[uniformKey]val
	forms   map[val]form

	cover     val // what Cover was given, -1 without one
	covers    bool
	crossing  []val // lane values from in front of Cover that are used behind it
	loops     bool  // the program has loops or called functions
	enters    int   // inlined calls that count against the budget
	stores    []access
	loads     []access
	samples   []int // resources
	wildLoad  bool  // a load through a record that is not the same for the job
	wildStore bool
}

// An access is a Load or Store with a record that is the same for the whole job.
type access struct{ record, offset val }

type uniformKey struct {
	op      ir.Op
	imm     uint64
	n       int
	a, b, c val
}

// A frame is one instance of a function.
type frame struct {
	f       *ir.Func
	m       []val // values of its registers
	tail    bool  // its only Return ends its body
	results []val // of the call
	slot    int32
	loop    *loopFrame // innermost
}

func flatten(p *ir.Program, o options) *flattener {
	f := &flattener{p: p, o: o, funcs: map[int]*called{}, known: map[uniformKey]val{}, forms: map[val]form{}, cover: -1, loop: -1, trip: -1}
	for v := valX; v < firstVal; v++ {
		f.vals = append(f.vals, value{rate: rateLane, loop: -1, op: [...]ir.Op{ir.LaneX, ir.LaneY, ir.Item, ir.LaneX, ir.LaneY}[v]})
	}
	f.countSites()
	entry := p.Funcs[0]
	f.cur = &f.main
	for i := range entry.Body.Insts {
		if entry.Body.Insts[i].Op == ir.Cover {
			f.cur, f.covers = &f.pre, true
		}
	}
	fr := f.newFrame(entry)
	fr.slot = f.newSlots(1)
	f.insts(fr, entry.Body)
	f.endBlock(f.emit(flat{ctl: ctlHalt}), nil)
	for i := 0; i < len(f.order); i++ {
		f.function(f.order[i])
	}
	return f
}

// countSites counts the calls of each function that the entry reaches.
func (f *flattener) countSites() {
	f.sites = make([]int, len(f.p.Funcs))
	seen := make([]bool, len(f.p.Funcs))
	var visit func(i int)
	visit = func(i int) {
		seen[i] = true
		f.p.Funcs[i].Body.Walk(func(in *ir.Inst) {
			if in.Op == ir.Call {
				if f.sites[in.Imm]++; !seen[in.Imm] {
					visit(int(in.Imm))
				}
			}
		})
	}
	visit(0)
}

func (f *flattener) newSlots(n int32) int32 {
	f.slots += n
	return f.slots - n
}

func (f *flattener) newFrame(fn *ir.Func) *frame {
	fr := &frame{f: fn, m: make([]val, len(fn.Class))}
	for i := range fr.m {
		fr.m[i] = -1
	}
	returns := 0
	fn.Body.Walk(func(in *ir.Inst) {
		if in.Op == ir.Return {
			returns++
		}
	})
	n := len(fn.Body.Insts)
	fr.tail = returns == 1 && n > 0 && fn.Body.Insts[n-1].Op == ir.Return
	return fr
}

// lane makes a value that differs between lanes and lives in the current list.
func (f *flattener) lane(c ir.Class) val {
	f.vals = append(f.vals, value{class: c, rate: rateLane, list: f.cur, loop: f.loop})
	return val(len(f.vals) - 1)
}

func (f *flattener) lanes(c []ir.Class) []val {
	out := make([]val, len(c))
	for i := range c {
		out[i] = f.lane(c[i])
	}
	return out
}

func (f *flattener) emit(in flat) int32 {
	f.cur.code = append(f.cur.code, in)
	return int32(len(f.cur.code) - 1)
}

// endBlock makes position end the skip target of the block's instructions, and goes on with those of
// the block around it.
func (f *flattener) endBlock(end int32, outer []int32) {
	for _, i := range f.pending {
		f.cur.code[i].skip = end
	}
	f.pending = outer
}

func (f *flattener) wantSkip(i int32) { f.pending = append(f.pending, i) }

// args gives the values of registers in the current segment.
func (f *flattener) args(fr *frame, regs []ir.Reg) []val {
	out := make([]val, len(regs))
	for i, r := range regs {
		v := fr.m[r]
		if f.cur == &f.pre {
			switch v {
			case valX:
				v = valPreX
			case valY:
				v = valPreY
			}
		} else if v >= firstVal && f.vals[v].list == &f.pre {
			// The same in all lanes, though computed with them.
			f.vals[v].list = nil
			f.crossing = append(f.crossing, v)
		}
		out[i] = v
	}
	return out
}

// insts flattens b and gives the values of the Yield at its end, nil when it ends otherwise.
func (f *flattener) insts(fr *frame, b *ir.Block) (yield []val) {
	for i := range b.Insts {
		in := &b.Insts[i]
		args := f.args(fr, in.Args)
		switch in.Op {
		case ir.Yield:
			return args
		case ir.If:
			f.branch(fr, in, args)
		case ir.Loop:
			f.repeat(fr, in, args)
		case ir.Break:
			f.emit(flat{ctl: ctlBreak, slot: fr.loop.slot, moves: pairs(fr.loop.results, args)})
			return nil
		case ir.Continue:
			at := flat{ctl: ctlContinue, slot: fr.loop.slot}
			if fr.loop.staged != nil {
				at.moves = pairs(fr.loop.staged, args)
			} else {
				fr.loop.last = args
			}
			f.emit(at)
			return nil
		case ir.Return:
			if fr.tail {
				fr.results = args
			} else {
				f.emit(flat{ctl: ctlReturn, slot: fr.slot, moves: pairs(fr.results, args)})
			}
			return nil
		case ir.Call:
			f.call(fr, in, args)
		default:
			f.plain(fr, in, args)
		}
	}
	return nil
}

func pairs(d, s []val) []pair {
	out := make([]pair, len(s))
	for i := range s {
		out[i] = pair{d[i], s[i]}
	}
	return out
}

// results gives the results of in fresh values.
func (f *flattener) results(fr *frame, in *ir.Inst) []val {
	out := make([]val, in.N)
	for i := range out {
		r := in.Dst + ir.Reg(i)
		out[i] = f.lane(fr.f.Class[r])
		fr.m[r] = out[i]
	}
	return out
}

// plain flattens an instruction without control flow. Values that lanes share move to the code of
// their rate.
func (f *flattener) plain(fr *frame, in *ir.Inst, args []val) {
	switch in.Op {
	case ir.LaneX:
		fr.m[in.Dst] = valX
		return
	case ir.LaneY:
		fr.m[in.Dst] = valY
		return
	case ir.Item:
		fr.m[in.Dst] = valItem
		return
	case ir.Cover:
		f.cover = args[0]
		f.cur = &f.main
		return
	case ir.Write:
		if !f.o.trace {
			return
		}
	case ir.Kill:
		f.emit(flat{ctl: ctlKill, args: args, from: in.From})
		return
	case ir.Load:
		if f.vals[args[0]].rate <= rateJob {
			f.loads = append(f.loads, access{args[0], args[1]})
		} else {
			f.wildLoad = true
		}
	case ir.Store:
		if f.vals[args[0]].rate <= rateJob {
			f.stores = append(f.stores, access{args[0], args[1]})
		} else {
			f.wildStore = true
		}
	case ir.Sample:
		f.samples = append(f.samples, ir.SampleSiteOf(in.Imm).Resource)
	}
	r := f.rateOf(in, args)
	out := flat{op: in.Op, args: args, imm: in.Imm, from: in.From, slot: f.trip}
	if r == rateLane {
		out.dst = f.results(fr, in)
		if in.N == 1 {
			v := &f.vals[out.dst[0]]
			v.op, v.imm, v.args = in.Op, in.Imm, args
		}
		out.row = f.rowOf(in, args)
		if f.p.Kind == ir.Tile && in.N == 1 {
			if o, ok := f.offsetOf(out.dst[0]); ok && o.plain() {
				out.op, out.pixel, out.args = ir.Invalid, true, []val{valX, valY}
				if f.cur == &f.pre {
					out.args = []val{valPreX, valPreY}
				}
			}
		}
		f.emit(out)
		return
	}
	key := uniformKey{op: in.Op, imm: in.Imm, n: len(args), a: -1, b: -1, c: -1}
	for i, a := range args[:min(len(args), 3)] {
		*[]*val{&key.a, &key.b, &key.c}[i] = a
	}
	single := in.N == 1 && len(args) <= 3
	if v, ok := f.known[key]; ok && single {
		fr.m[in.Dst] = v
		return
	}
	for i := range in.N {
		reg := in.Dst + ir.Reg(i)
		v := val(len(f.vals))
		f.vals = append(f.vals, value{class: fr.f.Class[reg], rate: r, loop: -1, op: in.Op, imm: in.Imm, args: args})
		fr.m[reg] = v
		out.dst = append(out.dst, v)
	}
	if single {
		f.known[key] = out.dst[0]
	}
	out.row = f.rowOf(in, args)
	seg := &f.job
	if r == rateTri {
		seg = &f.tri
	}
	seg.code = append(seg.code, out)
}

// rateOf gives the rate of the results of in.
func (f *flattener) rateOf(in *ir.Inst, args []val) rate {
	r := rateConst
	switch in.Op {
	case ir.Const, ir.Const64:
	case ir.Desc, ir.Res:
		r = rateJob
	case ir.TriWord:
		r = rateTri
	case ir.Load:
		r = rateJob
		if f.o.strict {
			r = rateLane
		}
	case ir.Active, ir.DDX, ir.DDY, ir.Store, ir.Write, ir.Edges, ir.Plane, ir.Sample:
		return rateLane
	}
	for _, a := range args {
		r = max(r, f.vals[a].rate)
	}
	return r
}

// rowOf gives the row of in.
func (f *flattener) rowOf(in *ir.Inst, args []val) row {
	switch in.Op {
	case ir.Load:
		if f.vals[args[0]].rate <= rateJob {
			return rowLoadShared
		}
	case ir.Store:
		if f.vals[args[0]].rate <= rateJob {
			return rowStoreShared
		}
	}
	if m := macros[in.Op]; m != nil {
		return m(f.p, in)
	}
	return rows[in.Op]
}

// pure reports whether op only computes its results.
func pure(op ir.Op) bool {
	switch op {
	case ir.Store, ir.Kill, ir.Cover, ir.Write, ir.If, ir.Loop, ir.Yield, ir.Break, ir.Continue, ir.Call, ir.Return:
		return false
	}
	return true
}

// record gives the address of the record of a resource.
func record(desc uint32, resource uint64) uint32 {
	return desc + 4*uint32(exec.JobRecords+exec.RecordWords*resource)
}
