package interp

import (
	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// An Engine is the interpreter. The zero value is ready to use.
type Engine struct {
	Expand bool // run macro ops by their definition in primitive ops, not by rows of their own
}

var (
	_ exec.Engine = Engine{}
	_ exec.Tracer = Engine{}
)

// New gives the interpreter.
func New() exec.Engine { return Engine{} }

// Name implements exec.Engine.
func (Engine) Name() string { return "interp" }

// Compile implements exec.Engine. p must not change while the kernel is in use.
func (e Engine) Compile(p *ir.Program) (exec.Kernel, error) {
	k, err := e.compile(p, options{})
	if err != nil {
		return nil, err
	}
	return k, nil
}

var _ exec.Forker = (*kernel)(nil)

// Fork implements exec.Forker. Code points at the registers that it works in, so that it is made anew.
func (k *kernel) Fork() (exec.Kernel, error) {
	fast, err := compile(k.p, k.fast.o)
	if err != nil {
		return nil, err
	}
	return &kernel{p: k.p, fast: fast}, nil
}

// A kernel is a compiled program and the state to run it.
type kernel struct {
	p      *ir.Program
	fast   *code // waves in batches
	strict *code // one wave after the other; made when a job asks for it
	v      vm
	batch  batch
}

func (e Engine) compile(p *ir.Program, o options) (*kernel, error) {
	if e.Expand {
		p = p.Clone()
		ir.ExpandMacros(p)
	}
	k := &kernel{p: p}
	var err error
	k.fast, err = compile(p, o)
	return k, err
}

// Close implements exec.Kernel.
func (k *kernel) Close() {}

// Run implements exec.Kernel.
func (k *kernel) Run(a *exec.Arena, desc uint32, o exec.Options) exec.Result {
	v := &k.v
	v.mem, v.desc, v.stopped = a.Mem, desc, false
	v.budget = o.Budget
	if v.budget == 0 {
		v.budget = exec.DefaultBudget
	}
	c := k.fast
	k.prepare(c)
	if !c.order.free(v) {
		c = k.inOrder()
		k.prepare(c)
	}
	var n uint64
	if c.kind == ir.Linear {
		n = k.linear(c)
	} else {
		n = k.tile(c)
	}
	v.mem, v.tri = nil, nil
	return exec.Result{Stopped: v.stopped, Lanes: n}
}

// inOrder gives the code that runs one wave after the other.
func (k *kernel) inOrder() *code {
	if k.strict == nil {
		o := k.fast.o
		o.strict = true
		k.strict, _ = compile(k.p, o) // compiled once before: no error
	}
	return k.strict
}

// prepare computes what all lanes of the job share.
func (k *kernel) prepare(c *code) {
	v := &k.v
	if len(v.slots) < int(c.slots) {
		v.slots = make([]uint64, c.slots)
	}
	v.quiet = c.quiet && c.enters <= v.budget
	v.shared()
	for i := range c.job {
		c.job[i].row(v, &c.job[i])
	}
	c.jobOut.refresh()
}

// refresh broadcasts the registers whose value is not that of the job before.
func (u *uniforms) refresh() {
	for _, r := range u.r {
		if r[1][0] != r[0][0] {
			r.broadcast(1, maxQuads)
		}
	}
	for _, r := range u.w {
		if r[1][0] != r[0][0] {
			r.broadcast(1, maxQuads)
		}
	}
}

// linear runs a linear job and gives the number of its items.
func (k *kernel) linear(c *code) uint64 {
	v := &k.v
	count := uint64(v.word(uint64(v.desc/4) + exec.JobCount))
	first := v.word(uint64(v.desc/4) + exec.JobFirst)
	width := uint64(maxLanes)
	if c.o.strict {
		width = waveLanes
	}
	for done := uint64(0); done < count; done += width {
		n := int(min(width, count-done))
		q := (n + quadLanes - 1) / quadLanes
		item := first + uint32(done)
		for i := range q {
			at := item + uint32(i)*quadLanes
			c.item[i] = [quadLanes]uint32{at, at + 1, at + 2, at + 3}
		}
		v.begin(q, firstLanes(n), firstLanes(n))
		if v.rec != nil {
			if lane := uint(v.rec.pick.Item - item); lane < uint(n) {
				v.rec.open(v, -1, waveLanes, lane&^(waveLanes-1), lane)
			}
		}
		v.run(c.insts, c.main)
		if v.rec != nil {
			v.rec.close(v)
		}
	}
	return count
}
