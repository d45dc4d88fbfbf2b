package jit

import (
	"math"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// A Host compiles modules of Emit and makes their memory.
type Host interface {
	Name() string
	Instantiate(wasm []byte) (Instance, error)
}

// An Instance is a module with a memory, which may be shared with other instances of its host. It is
// used by one goroutine at a time.
type Instance interface {
	// Run copies the arena into the memory, calls kernel(desc, limit, budget) and copies the arena
	// back. An error says that the host could not: the arena is then as it was.
	Run(arena []uint32, desc, limit, budget uint32) (uint64, error)
	Close()
}

// New gives the engine that runs programs on a host.
func New(h Host) exec.Engine { return engine{h} }

type engine struct{ host Host }

// Name implements exec.Engine.
func (e engine) Name() string { return "jit" }

// Compile implements exec.Engine. The error is an *Error where Emit cannot take the program.
func (e engine) Compile(p *ir.Program) (exec.Kernel, error) {
	m, err := Emit(p)
	if err != nil {
		return nil, err
	}
	i, err := e.host.Instantiate(m.Wasm)
	if err != nil {
		return nil, err
	}
	return kernel{i}, nil
}

type kernel struct{ instance Instance }

// Run implements exec.Kernel.
func (k kernel) Run(a *exec.Arena, desc uint32, o exec.Options) exec.Result {
	budget := o.Budget
	if budget == 0 {
		budget = exec.DefaultBudget
	}
	limit := min(uint64(len(a.Mem))*4, 1<<32-4)
	r, err := k.instance.Run(a.Mem, desc, uint32(limit), uint32(min(max(budget, 0), math.MaxInt32)))
	if err != nil {
		return exec.Result{Stopped: true}
	}
	return exec.Result{Stopped: r>>63 != 0, Lanes: r &^ (1 << 63)}
}

// Close implements exec.Kernel.
func (k kernel) Close() { k.instance.Close() }
