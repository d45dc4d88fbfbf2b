package exec

import "swizzle/shaderkit/ir"

// A Fallback is an engine that gives what its first one cannot take to the second. Its memory is that of
// the first.
type Fallback struct {
	First, Second Engine
	Told          func(p *ir.Program, why error) // called for each program that goes to Second

	held *Arena
}

var _ Holder = (*Fallback)(nil)

// Name implements Engine.
func (f *Fallback) Name() string { return f.First.Name() }

// Compile implements Engine. The error is that of Second.
func (f *Fallback) Compile(p *ir.Program) (Kernel, error) {
	k, why := f.First.Compile(p)
	if why == nil {
		return k, nil
	}
	k, err := f.Second.Compile(p)
	if err != nil {
		return nil, err
	}
	f.Told(p, why)
	return secondKernel{f, k}, nil
}

// Hold implements Memory.
func (f *Fallback) Hold(a *Arena) {
	MemoryOf(f.First).Hold(a)
	f.held = a
}

// Changed implements Memory.
func (f *Fallback) Changed(a *Arena, addr uint32, n int) { MemoryOf(f.First).Changed(a, addr, n) }

// Fetch implements Memory.
func (f *Fallback) Fetch(a *Arena, addr uint32, n int) { MemoryOf(f.First).Fetch(a, addr, n) }

// Release implements Memory.
func (f *Fallback) Release(a *Arena) {
	MemoryOf(f.First).Release(a)
	if f.held == a {
		f.held = nil
	}
}

// Fill implements Memory.
func (f *Fallback) Fill(a *Arena, addr uint32, n int, word uint32) {
	MemoryOf(f.First).Fill(a, addr, n, word)
}

// Rows implements Memory.
func (f *Fallback) Rows(a *Arena, r Rows) { MemoryOf(f.First).Rows(a, r) }

// Bytes implements Memory.
func (f *Fallback) Bytes(a *Arena, addr uint32, out []byte) { MemoryOf(f.First).Bytes(a, addr, out) }

// A secondKernel works in the arena itself.
type secondKernel struct {
	f *Fallback
	Kernel
}

// Run implements Kernel.
func (k secondKernel) Run(a *Arena, desc uint32, o Options) Result {
	if a == k.f.held {
		k.f.Release(a)
		defer k.f.Hold(a)
	}
	return k.Kernel.Run(a, desc, o)
}
