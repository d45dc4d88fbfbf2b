package jit

import (
	"math"
	"sync"
	"unsafe"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// A Host compiles modules of Emit and has one memory, which all of them work in. Engine uses it from
// one goroutine at a time, but for calls of instances: those of different instances may overlap.
type Host interface {
	Instantiate(wasm []byte) (Instance, error)
	// Grow makes the memory at least n bytes long.
	Grow(n uint64) error
	// Write copies into the memory at an address, Read copies from it. Both lie within.
	Write(at uint32, from []byte)
	Read(at uint32, to []byte)
}

// An Instance is a module that is ready to run.
type Instance interface {
	// Call calls the exported kernel.
	Call(desc, limit, budget uint32) (float64, error)
	// Place reads the exported globals "skip" and "wave", SetPlace writes them: of partial and of whole modules.
	Place() (skip, wave uint32)
	SetPlace(skip, wave uint32)
	// Fork gives another instance of the same code.
	Fork() (Instance, error)
	Close()
}

// An Engine runs programs on a host. It is an exec.Holder, and may be used from several goroutines. Runs
// of jobs in the arena that is held overlap; others wait for one another.
type Engine struct {
	// Runs in the held arena, and what they share with Fill, read what it guards; all else writes.
	mu   sync.RWMutex
	host Host
	held *exec.Arena
	size uint64 // of the memory in bytes, as far as it was asked for

	written sync.Mutex // guards dirty where mu is held for reading
	dirty   ranges     // what the memory has and held does not
	filling sync.Mutex // one Fill at a time
	making  sync.Mutex // one whole at a time
	mover   mover
}

var _ exec.Holder = (*Engine)(nil)

// New gives the engine of a host.
func New(h Host) *Engine { return &Engine{host: h} }

// Name implements exec.Engine.
func (e *Engine) Name() string { return "jit" }

// Compile implements exec.Engine. The error is an *Error where Emit cannot take the program.
func (e *Engine) Compile(p *ir.Program) (exec.Kernel, error) {
	m, err := emit(p, false)
	if err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	i, err := e.host.Instantiate(m.Wasm)
	if err != nil {
		return nil, err
	}
	k := &kernel{e: e, instance: i, linear: p.Kind == ir.Linear, access: exec.AccessOf(p)}
	if m.Partial {
		k.rest = &rest{program: p}
	}
	return k, nil
}

// A rest is what a kernel of a partial module and its forks have for the case that they get stuck.
type rest struct {
	program *ir.Program
	wasm    []byte // of EmitWhole, once one was; then program is nil
}

// whole gives a kernel that is stuck an instance that goes on. Other kernels may run meanwhile.
func (k *kernel) whole() error {
	k.e.making.Lock()
	defer k.e.making.Unlock()
	if k.rest.program != nil {
		m, err := EmitWhole(k.rest.program)
		if err != nil {
			return err
		}
		*k.rest = rest{wasm: m.Wasm}
	}
	i, err := k.e.host.Instantiate(k.rest.wasm)
	if err != nil {
		return err
	}
	i.SetPlace(k.instance.Place())
	k.instance.Close()
	k.instance = i
	return nil
}

// grow makes the memory at least n bytes long.
func (e *Engine) grow(n uint64) error {
	if n <= e.size {
		return nil
	}
	err := e.host.Grow(n)
	if err == nil {
		e.size = n
	}
	return err
}

// A kernel is an instance and what it accesses.
type kernel struct {
	e        *Engine
	instance Instance
	rest     *rest // nil: the kernel never gets stuck
	linear   bool
	access   exec.Access
}

// extent gives the words of resource n of a job.
func extent(a *exec.Arena, desc uint32, n int) wordRange {
	addr, words := a.Extent(desc, n)
	return rangeOf(addr, words)
}

var _ exec.Forker = (*kernel)(nil)

// Fork implements exec.Forker.
func (k *kernel) Fork() (exec.Kernel, error) {
	k.e.mu.Lock()
	defer k.e.mu.Unlock()
	i, err := k.instance.Fork()
	if err != nil {
		return nil, err
	}
	f := *k
	f.instance = i
	return &f, nil
}

// Run implements exec.Kernel. A host that fails, for want of memory, leaves the job undone: the result
// says that it stopped.
func (k *kernel) Run(a *exec.Arena, desc uint32, o exec.Options) exec.Result {
	e := k.e
	e.mu.RLock()
	if e.held == a && uint64(len(a.Mem))*4 <= e.size {
		defer e.mu.RUnlock()
		return k.call(a, desc, o)
	}
	e.mu.RUnlock()
	e.mu.Lock()
	defer e.mu.Unlock()
	held := e.held
	if held != a && held != nil {
		e.release()
		defer e.hold(held)
	}
	if e.grow(uint64(len(a.Mem))*4) != nil {
		return exec.Result{Stopped: true}
	}
	if held != a {
		k.write(a, desc)
		defer e.readBack(a)
	}
	return k.call(a, desc, o)
}

// call runs a job of which the memory has everything.
func (k *kernel) call(a *exec.Arena, desc uint32, o exec.Options) exec.Result {
	budget := o.Budget
	if budget == 0 {
		budget = exec.DefaultBudget
	}
	limit := min(uint64(len(a.Mem))*4, 1<<32-4)
	result, err := k.job(desc, uint32(limit), uint32(min(max(budget, 0), math.MaxInt32)))
	k.e.written.Lock()
	if k.access.AnyStore {
		k.e.dirty.add(wordRange{0, len(a.Mem)})
	} else {
		for _, n := range k.access.Stores {
			k.e.dirty.add(extent(a, desc, n))
		}
	}
	k.e.written.Unlock()
	if err != nil {
		return exec.Result{Stopped: true}
	}
	return result
}

// job runs a job to its end.
func (k *kernel) job(desc, limit, budget uint32) (result exec.Result, err error) {
	for {
		r, err := k.instance.Call(desc, limit, budget)
		if err != nil {
			return result, err
		}
		if r < 0 {
			r = -1 - r
			result.Stopped = true
		}
		if r < Stuck {
			result.Lanes += uint64(r)
			return result, nil
		}
		result.Lanes += uint64(r) - Stuck
		if err := k.whole(); err != nil {
			return result, err
		}
	}
}

// write copies what the job may read, and what it may write in part.
func (k *kernel) write(a *exec.Arena, desc uint32) {
	if k.access.AnyRead || k.access.AnyStore || !k.linear {
		k.e.host.Write(0, bytesOf(a.Mem))
		return
	}
	last := -1
	for _, n := range k.access.Reads {
		last = max(last, n)
	}
	from := min(int(desc/4), len(a.Mem))
	ranges := []wordRange{{from, min(from+exec.JobRecords+(last+1)*exec.RecordWords, len(a.Mem))}}
	for _, n := range k.access.Reads {
		if r := extent(a, desc, n); r != ranges[len(ranges)-1] {
			ranges = append(ranges, r)
		}
	}
	for _, r := range ranges {
		k.e.host.Write(uint32(4*r.from), bytesOf(a.Mem[r.from:r.to]))
	}
}

// Close implements exec.Kernel.
func (k *kernel) Close() {
	k.e.mu.Lock()
	defer k.e.mu.Unlock()
	k.instance.Close()
}

// bytesOf views words as bytes. Both are in the order of the machine, which is little-endian like the
// memory wherever a host compiles.
func bytesOf(words []uint32) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), 4*len(words))
}
