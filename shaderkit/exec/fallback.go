package exec

import "swizzle/shaderkit/ir"

// A Fallback is an engine that gives what its first one cannot take to the second. It is a Holder for
// the first, if that is one.
type Fallback struct {
	First, Second Engine
	Told          func(p *ir.Program, why error) // called for each program that goes to Second

	held *Arena
}

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

// Hold implements Holder.
func (f *Fallback) Hold(a *Arena) {
	if h, ok := f.First.(Holder); ok {
		h.Hold(a)
		f.held = a
	}
}

// Changed implements Holder.
func (f *Fallback) Changed(a *Arena, addr uint32, n int) {
	if h, ok := f.First.(Holder); ok {
		h.Changed(a, addr, n)
	}
}

// Fetch implements Holder.
func (f *Fallback) Fetch(a *Arena) {
	if h, ok := f.First.(Holder); ok {
		h.Fetch(a)
	}
}

// Release implements Holder.
func (f *Fallback) Release(a *Arena) {
	if h, ok := f.First.(Holder); ok {
		h.Release(a)
		f.held = nil
	}
}

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
