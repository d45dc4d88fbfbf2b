package interp

import (
	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// A scalar runs one lane of a program by walking it, with none of the engine's machinery: no masks,
// no registers, no rates.
type scalar struct {
	p       *ir.Program
	mem     []uint32
	desc    uint32
	tri     []uint32
	item    uint32
	x, y    uint32
	live    bool
	covered bool
	outside bool     // of the triangle's box
	probe   bool     // stop at Cover
	stored  []uint64 // offsets of Store
	steps   int
	budget  int
	stopped bool
	writes  []exec.Write // Old[0], New[0] only
	traced  []uint32
	depth   int32
	trip    int32
}

// left says how a block ended.
type left uint8

const (
	fell left = iota
	yielded
	broke
	continued
	returned
	stopped
)

type scalarFrame struct {
	f *ir.Func
	r []uint64
}

// covers reports whether the lane passes Cover, without effects.
func (s *scalar) covers() bool {
	c := *s
	c.probe = true
	c.run()
	return c.covered
}

func (s *scalar) run() {
	s.live, s.covered = !s.outside, !s.outside
	s.call(0, nil)
}

func (s *scalar) call(fn int, args []uint64) (results []uint64, how left) {
	f := s.p.Funcs[fn]
	fr := &scalarFrame{f, make([]uint64, len(f.Class))}
	for i, r := range f.Params {
		fr.r[r] = args[i]
	}
	outer := s.trip
	s.trip = 0
	how, results = s.block(fr, f.Body)
	s.trip = outer
	return results, how
}

func (s *scalar) spend() bool {
	s.steps++
	if s.steps > s.budget {
		s.stopped = true
	}
	return !s.stopped
}

func (s *scalar) word(i uint64) uint64 {
	if i < uint64(len(s.mem)) {
		return uint64(s.mem[i])
	}
	return 0
}

// place gives the index of a word of a resource.
func (s *scalar) place(rec, off uint64) (int, bool) {
	base, size := s.word(rec/4), s.word(rec/4+1)
	off &^= 3
	i := base/4 + off/4
	return int(i), off+4 <= size && i < uint64(len(s.mem))
}

func (s *scalar) block(fr *scalarFrame, b *ir.Block) (left, []uint64) {
	for i := range b.Insts {
		in := &b.Insts[i]
		args := make([]uint64, len(in.Args))
		for k, r := range in.Args {
			args[k] = fr.r[r]
		}
		set := func(v ...uint64) { copy(fr.r[max(in.Dst, 0):], v) }
		switch in.Op {
		case ir.Const, ir.Const64:
			set(in.Imm)
		case ir.Desc:
			set(s.word(uint64(s.desc/4) + in.Imm))
		case ir.Res:
			set(uint64(s.desc) + 64 + 32*in.Imm)
		case ir.TriWord:
			set(uint64(s.tri[in.Imm]))
		case ir.LaneX:
			set(uint64(s.x))
		case ir.LaneY:
			set(uint64(s.y))
		case ir.Item:
			set(uint64(s.item))
		case ir.Active:
			set(0xFFFFFFFF)
		case ir.Load:
			if k, ok := s.place(args[0], args[1]); ok {
				set(uint64(s.mem[k]))
			} else {
				set(0)
			}
		case ir.Store:
			s.stored = append(s.stored, args[1])
			if k, ok := s.place(args[0], args[1]); ok && s.live {
				s.mem[k] = uint32(args[2])
			}
		case ir.Kill:
			s.live = s.live && args[0]>>31 == 0
		case ir.Cover:
			if s.covered = args[0]>>31 != 0 && !s.outside; !s.covered {
				s.live = false
			}
			if s.probe {
				return stopped, nil
			}
		case ir.Edges:
			in3 := true
			for e := range uint64(3) {
				t := s.tri[in.Imm+3*e:]
				in3 = in3 && int32(t[0])*int32(args[0])+int32(t[1])*int32(args[1])+int32(t[2]) >= 0
			}
			set(uint64(mask(in3)))
		case ir.Write:
			old := s.traced[in.Imm]
			s.traced[in.Imm] = uint32(args[0])
			s.writes = append(s.writes, exec.Write{Traced: int32(in.Imm), From: in.From, Depth: s.depth, Trip: s.trip, Old: [8]uint32{old}, New: [8]uint32{uint32(args[0])}})
		case ir.If:
			arm := in.Blocks[0]
			if args[0]>>31 == 0 {
				arm = in.Blocks[1]
			}
			how, v := s.block(fr, arm)
			if how != yielded {
				return how, v
			}
			set(v...)
		case ir.Loop:
			body := in.Blocks[0]
			outer := s.trip
			s.trip = 0
		loop:
			for {
				for k, r := range body.Params {
					fr.r[r] = args[k]
				}
				how, v := s.block(fr, body)
				switch how {
				case continued:
					args = v
					if !s.spend() {
						return stopped, nil
					}
					s.trip++
				case broke:
					set(v...)
					break loop
				default:
					return how, v
				}
			}
			s.trip = outer
		case ir.Yield:
			return yielded, args
		case ir.Break:
			return broke, args
		case ir.Continue:
			return continued, args
		case ir.Return:
			return returned, args
		case ir.Call:
			if !s.p.Funcs[in.Imm].Macro && !s.spend() {
				return stopped, nil
			}
			s.depth++
			v, how := s.call(int(in.Imm), args)
			s.depth--
			if how == stopped {
				return stopped, nil
			}
			set(v...)
		default:
			var a [3]uint64
			copy(a[:], args)
			v, ok := in.Op.Eval(a[0], a[1], a[2])
			if !ok {
				panic("scalar: " + in.Op.String())
			}
			set(v)
		}
	}
	return fell, nil
}
