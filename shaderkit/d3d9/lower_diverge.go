package d3d9

import (
	"slices"
)

// divergence finds the instructions that may run when lanes of a wave have parted, and whether one of
// them reads its neighbours. Constants are the same in all lanes, so flow that hangs on them alone
// does not part lanes.
func (l *lowering) divergence() {
	if l.p.Ctx.Stage != PS {
		l.divergent = make([]bool, len(l.insts))
		return
	}
	parts := map[int]bool{} // loops that lanes may leave at different times
	for again := true; again; {
		again = false
		l.divergent = make([]bool, len(l.insts))
		mark := func(b *bool) {
			if !*b {
				*b, again = true, true
			}
		}
		for _, f := range l.funcs {
			l.diverge(f, parts, mark)
		}
	}
	for i := range l.insts {
		switch l.insts[i].Code {
		case codeTexld, codeDsx, codeDsy:
			l.guard = l.guard || l.divergent[i]
		}
	}
}

func (l *lowering) diverge(f *function, parts map[int]bool, mark func(*bool)) {
	type open struct {
		at         int
		loop, part bool
	}
	var stack []open
	outer := f.inDivergent
	here := func() bool {
		return outer || slices.ContainsFunc(stack, func(o open) bool { return o.part })
	}
	leave := func(from int) { // lanes may leave the loop stack[from]
		p := parts[stack[from].at]
		mark(&p)
		parts[stack[from].at] = p
	}
	for i := f.first; i < f.last; i++ {
		in := &l.insts[i]
		switch in.Code {
		case codeEndif, codeEndloop, codeEndrep:
			stack = stack[:len(stack)-1]
		}
		l.divergent[i] = here()
		varies := in.Code == codeIfc || in.Code == codeBreakc || in.Code == codeBreakp
		for k := range in.src {
			varies = varies || in.src[k].typ == RegPredicate
		}
		switch in.Code {
		case codeIf, codeIfc:
			stack = append(stack, open{i, false, varies})
		case codeLoop, codeRep:
			stack = append(stack, open{i, true, parts[i]})
		case codeBreak, codeBreakc, codeBreakp:
			k := len(stack) - 1
			for ; !stack[k].loop; k-- {
				varies = varies || stack[k].part
			}
			if varies {
				leave(k)
			}
		case codeRet:
			if !here() {
				continue
			}
			for k := range stack {
				if stack[k].loop {
					leave(k)
				}
			}
			outer = true
		case codeCall, codeCallnz:
			if here() || varies {
				mark(&l.labels[in.src[0].num].inDivergent)
			}
		}
	}
}
