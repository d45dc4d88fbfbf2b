package exec

import "swizzle/shaderkit/ir"

// A Fallback is an engine that gives what its first one cannot take to the second.
type Fallback struct {
	First, Second Engine
	Told          func(p *ir.Program, why error) // called for each program that goes to Second
}

// Name implements Engine.
func (f Fallback) Name() string { return f.First.Name() }

// Compile implements Engine. The error is that of Second.
func (f Fallback) Compile(p *ir.Program) (Kernel, error) {
	k, why := f.First.Compile(p)
	if why == nil {
		return k, nil
	}
	k, err := f.Second.Compile(p)
	if err == nil {
		f.Told(p, why)
	}
	return k, err
}
