package exec

import (
	"errors"
	"slices"

	"swizzle/shaderkit/ir"
)

// A Tiered is an engine of two, for what takes less time on the first than the second takes to compile:
// pictures of few pixels, vertex programs of small meshes. A kernel runs on the first, which works in the
// arena itself, until it has taken some steps or has many before it, and from then on on the second, whose
// memory is that of the Tiered.
//
// Programs with loops take who knows how many steps: they are the second's from the begin, and so are
// forks, and programs that access more than the resources of their jobs.
type Tiered struct {
	Memory
	first, second Engine
	held          *Arena
}

var _ Holder = (*Tiered)(nil)

// NewTiered gives an engine of two. Both give the same bits.
func NewTiered(first, second Engine) *Tiered {
	return &Tiered{Memory: MemoryOf(second), first: first, second: second}
}

// firstSteps is how many instructions times lanes a kernel runs on the first engine: about as long as the
// second takes to compile.
const firstSteps = 5 << 19

// Name implements Engine.
func (t *Tiered) Name() string { return t.second.Name() }

// Hold implements Memory.
func (t *Tiered) Hold(a *Arena) {
	t.Memory.Hold(a)
	t.held = a
}

// Release implements Memory.
func (t *Tiered) Release(a *Arena) {
	t.Memory.Release(a)
	if t.held == a {
		t.held = nil
	}
}

// Compile implements Engine. The error is that of the second engine, for programs that it gets at once; the
// others are compiled when they run.
func (t *Tiered) Compile(p *ir.Program) (Kernel, error) {
	steps := 0
	loops := false
	for _, f := range p.Funcs {
		f.Body.Walk(func(in *ir.Inst) {
			steps++
			loops = loops || in.Op == ir.Loop
		})
	}
	access := AccessOf(p)
	if loops || access.AnyRead || access.AnyStore || p.Kind == ir.Shader {
		return t.second.Compile(p)
	}
	slices.Sort(access.Reads)
	access.Reads = slices.Compact(access.Reads)
	return &tieredKernel{t: t, program: p, access: access, lanes: firstSteps / max(1, steps)}, nil
}

type tieredKernel struct {
	t       *Tiered
	program *ir.Program
	access  Access
	first   Kernel // nil before it ran, and behind rise
	second  Kernel // nil before rise
	failed  error  // of second
	lanes   int    // that first may still run
}

var _ Forker = (*tieredKernel)(nil)

// Run implements Kernel. Where one engine fails the other goes on; where both do the job is not done, and the
// result says that it stopped.
func (k *tieredKernel) Run(a *Arena, desc uint32, o Options) Result {
	many := k.lanes == 0 || o.Ahead > k.lanes
	if k.second == nil && (many && k.rise() == nil || k.start() != nil && k.rise() == nil) {
		k.drop()
	}
	switch {
	case k.second != nil:
		return k.second.Run(a, desc, o)
	case k.first == nil:
		return Result{Stopped: true}
	}
	held := a == k.t.held
	if held {
		for _, n := range k.access.Reads {
			if addr, words := a.Extent(desc, n); words > 0 {
				k.t.Fetch(a, addr, words)
			}
		}
	}
	r := k.first.Run(a, desc, o)
	if held {
		for _, n := range k.access.Stores {
			if addr, words := a.Extent(desc, n); words > 0 {
				k.t.Changed(a, addr, words)
			}
		}
	}
	k.lanes -= min(k.lanes, max(1, int(r.Lanes)))
	return r
}

// start readies the first engine.
func (k *tieredKernel) start() (err error) {
	if k.first == nil {
		k.first, err = k.t.first.Compile(k.program)
	}
	return err
}

// rise readies the second engine.
func (k *tieredKernel) rise() error {
	if k.second == nil && k.failed == nil {
		k.second, k.failed = k.t.second.Compile(k.program)
	}
	return k.failed
}

// drop closes the first one.
func (k *tieredKernel) drop() {
	if k.first != nil {
		k.first.Close()
		k.first = nil
	}
}

var errNoFork = errors.New("exec: the engine has no forks")

// Fork implements Forker.
func (k *tieredKernel) Fork() (Kernel, error) {
	if err := k.rise(); err != nil {
		return nil, err
	}
	k.drop()
	f, ok := k.second.(Forker)
	if !ok {
		return nil, errNoFork
	}
	return f.Fork()
}

// Close implements Kernel.
func (k *tieredKernel) Close() {
	k.drop()
	if k.second != nil {
		k.second.Close()
	}
}
