package irtest

import (
	"fmt"
	"math/rand/v2"

	"swizzle/shaderkit/ir"
)

// Lanes is the width of a wave.
const Lanes = 8

// A Value is a register in all lanes.
type Value [Lanes]uint64

// A Wave is the state before and after a run.
type Wave struct {
	Mem     []uint32
	Desc    uint32 // byte address of the job descriptor
	Tri     uint32 // byte address of the triangle record
	X, Y    [Lanes]uint32
	Item    [Lanes]uint32
	Live    uint8
	Budget  int    // back-edges and calls of each lane
	Noise   uint64 // seed of what is undefined
	Stopped bool   // a lane used up its budget
	Writes  []Write
}

// A Write is what one Write instruction did.
type Write struct {
	Traced, From int32
	Active       uint8
	Value        [Lanes]uint32 // 0 in lanes that are not active
}

// Run runs the entry of p, which holds no macro ops. Args are its parameters; the results of a Shader
// are given back.
func Run(p *ir.Program, w *Wave, args ...Value) []Value {
	e := &eval{p: p, Wave: w, noise: rand.New(rand.NewPCG(w.Noise, 7))}
	_, results := e.call(0, args, 1<<Lanes-1)
	return results
}

type eval struct {
	*Wave
	p     *ir.Program
	noise *rand.Rand
	spent [Lanes]int
}

// A frame is a function at work.
type frame struct {
	f       *ir.Func
	reg     []Value
	results []Value
	ret     uint8 // lanes that returned
	loops   []*loop
}

type loop struct {
	in    *ir.Inst
	broke uint8
	again uint8   // lanes that take the back-edge
	next  []Value // parameters of the next iteration
}

func (e *eval) undefined() (v Value) {
	for l := range v {
		v[l] = e.noise.Uint64()
	}
	return v
}

// undefinedOf gives undefined lanes to a register of class c.
func (e *eval) undefinedOf(c ir.Class) Value {
	v := e.undefined()
	if c == ir.C32 {
		for l := range v {
			v[l] &= 1<<32 - 1
		}
	}
	return v
}

func (e *eval) call(fn int, args []Value, active uint8) (reached uint8, results []Value) {
	f := e.p.Funcs[fn]
	fr := &frame{f: f, reg: make([]Value, len(f.Class))}
	for i, r := range f.Params {
		fr.reg[r] = args[i]
	}
	for _, c := range f.Results {
		fr.results = append(fr.results, e.undefinedOf(c))
	}
	e.block(fr, f.Body, nil, active)
	return fr.ret, fr.results
}

// spend takes one step from the budget of lanes and gives those that may go on.
func (e *eval) spend(lanes uint8) uint8 {
	for l := range Lanes {
		if lanes>>l&1 != 0 {
			if e.spent[l]++; e.spent[l] > e.Budget {
				e.Stopped = true
				lanes &^= 1 << l
			}
		}
	}
	return lanes
}

func copyLanes(to *Value, from Value, lanes uint8) {
	for l := range Lanes {
		if lanes>>l&1 != 0 {
			to[l] = from[l]
		}
	}
}

// signs gives the lanes whose mask word is set.
func signs(v Value) (lanes uint8) {
	for l := range Lanes {
		lanes |= uint8(v[l]>>31&1) << l
	}
	return lanes
}

// block runs b in the active lanes and gives those that reached its Yield; outer is the If.
func (e *eval) block(fr *frame, b *ir.Block, outer *ir.Inst, active uint8) uint8 {
	for i := range b.Insts {
		if active == 0 {
			return 0
		}
		in := &b.Insts[i]
		switch in.Op {
		case ir.If:
			cond := signs(fr.reg[in.Args[0]])
			for k := range in.N {
				r := in.Dst + ir.Reg(k)
				fr.reg[r] = e.undefinedOf(fr.f.Class[r])
			}
			then := e.block(fr, in.Blocks[0], in, active&cond)
			active = then | e.block(fr, in.Blocks[1], in, active&^cond)
		case ir.Loop:
			active = e.loop(fr, in, active)
		case ir.Yield:
			for k, r := range in.Args {
				copyLanes(&fr.reg[outer.Dst+ir.Reg(k)], fr.reg[r], active)
			}
			return active
		case ir.Break:
			l := fr.loops[len(fr.loops)-1]
			for k, r := range in.Args {
				copyLanes(&fr.reg[l.in.Dst+ir.Reg(k)], fr.reg[r], active)
			}
			l.broke |= active
			return 0
		case ir.Continue:
			l := fr.loops[len(fr.loops)-1]
			for k, r := range in.Args {
				copyLanes(&l.next[k], fr.reg[r], active)
			}
			l.again |= active
			return 0
		case ir.Return:
			for k, r := range in.Args {
				copyLanes(&fr.results[k], fr.reg[r], active)
			}
			fr.ret |= active
			return 0
		case ir.Call:
			if !e.p.Funcs[in.Imm].Macro {
				active = e.spend(active)
			}
			if active == 0 {
				return 0
			}
			var args []Value
			for _, r := range in.Args {
				args = append(args, fr.reg[r])
			}
			reached, results := e.call(int(in.Imm), args, active)
			active = reached
			for k, v := range results {
				fr.reg[in.Dst+ir.Reg(k)] = v
			}
		default:
			e.simple(fr, in, active)
		}
	}
	return active
}

func (e *eval) loop(fr *frame, in *ir.Inst, active uint8) uint8 {
	body := in.Blocks[0]
	l := &loop{in: in, next: make([]Value, len(body.Params))}
	for k := range in.N {
		r := in.Dst + ir.Reg(k)
		fr.reg[r] = e.undefinedOf(fr.f.Class[r])
	}
	start := make([]Value, len(in.Args))
	for k, r := range in.Args {
		start[k] = fr.reg[r]
	}
	for k, r := range body.Params {
		fr.reg[r] = start[k]
	}
	fr.loops = append(fr.loops, l)
	for active != 0 {
		l.again = 0
		e.block(fr, body, nil, active)
		active = e.spend(l.again)
		for k, r := range body.Params {
			copyLanes(&fr.reg[r], l.next[k], active)
		}
	}
	fr.loops = fr.loops[:len(fr.loops)-1]
	return l.broke
}

// simple runs an instruction without blocks.
func (e *eval) simple(fr *frame, in *ir.Inst, active uint8) {
	row := in.Op.Info()
	var a [3]Value
	for k, r := range in.Args {
		a[k] = fr.reg[r]
	}
	var d Value
	switch in.Op {
	case ir.Kill:
		e.Live &^= active & signs(a[0])
		return
	case ir.Cover:
		e.Live &= signs(a[0])
		return
	case ir.Store:
		for l := range Lanes {
			if e.Live&active>>l&1 != 0 {
				if i, ok := e.place(uint32(a[0][l]), uint32(a[1][l])); ok {
					e.Mem[i] = uint32(a[2][l])
				}
			}
		}
		return
	case ir.Write:
		w := Write{Traced: int32(in.Imm), From: in.From, Active: active}
		for l := range Lanes {
			if active>>l&1 != 0 {
				w.Value[l] = uint32(a[0][l])
			}
		}
		e.Writes = append(e.Writes, w)
		return
	case ir.DDX, ir.DDY:
		step := 1
		if in.Op == ir.DDY {
			step = 2
		}
		for l := range Lanes {
			d[l], _ = ir.FSub.Eval(a[0][l|step], a[0][l&^step], 0)
		}
	default:
		for l := range Lanes {
			d[l] = e.lane(in, row, l, a[0][l], a[1][l], a[2][l], active)
		}
	}
	if (row.Type == 'f' || row.Type == 'd') && in.Op != ir.Canon {
		e.noisyNaNs(&d, row.Class)
	}
	fr.reg[in.Dst] = d
}

// noisyNaNs gives NaNs other bits.
func (e *eval) noisyNaNs(d *Value, c ir.Class) {
	isNaN := ir.FNe
	bits := uint64(0x7FC00000)
	if c == ir.C64 {
		isNaN, bits = ir.DEq, 0x7FF8<<48
	}
	for l := range d {
		m, _ := isNaN.Eval(d[l], d[l], 0)
		if (m != 0) == (c == ir.C32) {
			if d[l] = bits | e.noise.Uint64()&0xFFFFF; e.noise.Uint32()&1 != 0 {
				d[l] |= 1 << (31 + 32*c)
			}
		}
	}
}

func (e *eval) lane(in *ir.Inst, row ir.Info, l int, a, b, c uint64, active uint8) uint64 {
	if row.Value != nil {
		return row.Value(a, b, c)
	}
	switch in.Op {
	case ir.Const, ir.Const64:
		return in.Imm
	case ir.Desc:
		return e.word(e.Desc/4 + uint32(in.Imm))
	case ir.TriWord:
		return e.word(e.Tri/4 + uint32(in.Imm))
	case ir.Res:
		return uint64(e.Desc + 64 + 32*uint32(in.Imm))
	case ir.LaneX:
		return uint64(e.X[l])
	case ir.LaneY:
		return uint64(e.Y[l])
	case ir.Item:
		return uint64(e.Item[l])
	case ir.Active:
		return uint64(^uint32(0)) * uint64(active>>l&1)
	case ir.Load:
		if i, ok := e.place(uint32(a), uint32(b)); ok {
			return uint64(e.Mem[i])
		}
		return 0
	}
	panic(fmt.Sprintf("irtest: cannot run %s", in.Op))
}

func (e *eval) word(i uint32) uint64 {
	if int(i) < len(e.Mem) {
		return uint64(e.Mem[i])
	}
	return 0
}

// place gives the index of a word of the resource with this record.
func (e *eval) place(record, off uint32) (int, bool) {
	base, size := e.word(record/4), e.word(record/4+1)
	off &^= 3
	i := (base + uint64(off)) / 4
	return int(i), uint64(off)+4 <= size && i < uint64(len(e.Mem))
}
