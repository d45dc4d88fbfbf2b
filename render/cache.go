package render

import (
	"fmt"
	"slices"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// cacheSize is the number of kernels that are kept: enough for the variants that a person flips
// through while editing a few shaders.
const cacheSize = 64

// A cache keeps kernels by the code of the shader and the state around it, least recently used last.
type cache struct {
	engine   exec.Engine
	kernels  map[kernelKey]*cached
	clock    uint64
	frame    uint64                    // the clock when the frame began
	programs map[*ir.Program]*variants // seen lately
	variants map[string]*variants      // likewise, by ir.Program.AppendKey
	number   int                       // of the newest variant
	compiled int
}

// A kernelKey is all that tells kernels apart.
type kernelKey struct {
	shader int    // see cache.shader
	what   string // the geometry of a vertex program, or what a program without shader does
	// Of a pixel program.
	from   string
	large  bool
	state  State
	conv   Convention
	layout layout
}

// variants are a shader with the samplers that draws gave it, each with a number for keys.
type variants struct {
	samplers [][]ir.SamplerState
	numbers  []int
}

// A cached is a compiled program.
type cached struct {
	kernel   exec.Kernel
	forks    []exec.Kernel // for the workers behind the first
	varyings []varying     // of a pixel program: what its records hold
	used     uint64
	closed   bool
}

func newCache(e exec.Engine) cache {
	return cache{engine: e, kernels: map[kernelKey]*cached{}, programs: map[*ir.Program]*variants{}, variants: map[string]*variants{}}
}

// variantsOf gives those of a shader: equal programs have the same. Values that a program defines are data.
func (c *cache) variantsOf(p *ir.Program) *variants {
	if v := c.programs[p]; v != nil {
		return v
	}
	q := *p
	q.Name = ""
	q.Interface.Resources = slices.Clone(p.Interface.Resources)
	for i := range q.Interface.Resources {
		q.Interface.Resources[i].Defs = nil
	}
	if len(c.variants) >= 4*cacheSize || len(c.programs) >= 4*cacheSize {
		clear(c.programs)
		clear(c.variants)
	}
	key := string(q.AppendKey(nil))
	v := c.variants[key]
	if v == nil {
		v = &variants{}
		c.variants[key] = v
	}
	c.programs[p] = v
	return v
}

// begin starts a frame: kernels that it uses stay until the next one.
func (c *cache) begin() { c.frame, c.compiled = c.clock, 0 }

// again marks a kernel as used in this frame, and reports whether it is still there.
func (c *cache) again(k *cached) bool {
	if k == nil || k.closed {
		return false
	}
	c.clock++
	k.used = c.clock
	return true
}

func (c *cache) find(key kernelKey, make func() (*ir.Program, []varying)) (*cached, error) {
	if k := c.kernels[key]; c.again(k) {
		return k, nil
	}
	p, v := make()
	p, err := prepare(p, false)
	if err != nil {
		return nil, err
	}
	kernel, err := c.engine.Compile(p)
	if err != nil {
		return nil, err
	}
	c.compiled++
	if len(c.kernels) >= cacheSize {
		var oldest kernelKey
		var old *cached
		for key, k := range c.kernels {
			if k.used <= c.frame && (old == nil || k.used < old.used) {
				oldest, old = key, k
			}
		}
		if old != nil { // else all of them are in this frame
			old.close()
			delete(c.kernels, oldest)
		}
	}
	k := &cached{kernel: kernel, varyings: v}
	c.again(k)
	c.kernels[key] = k
	return k, nil
}

// close ends the use of a kernel.
func (k *cached) close() {
	k.kernel.Close()
	for _, f := range k.forks {
		f.Close()
	}
	k.closed = true
}

func (c *cache) vertex(s *shader, g *geometry) (*cached, error) {
	return c.find(kernelKey{shader: c.shader(s), what: g.key}, func() (*ir.Program, []varying) { return vertexProgram(s.sampled(), g), nil })
}

// pixel gives the kernel of a pixel shader; state and conv are keys.
func (c *cache) pixel(s *shader, from []int, g *geometry, state State, conv Convention, l *layout) (*cached, error) {
	key := kernelKey{shader: c.shader(s), from: fmt.Sprint(from), large: g.large(), state: state, conv: conv, layout: *l}
	return c.find(key, func() (*ir.Program, []varying) {
		p, v := pixelProgram(s.sampled(), from, state, conv, l, false)
		p.Large = key.large
		return p, v
	})
}

// shader gives the number of a shader with its samplers: equal ones have the same, as long as they are
// known.
func (c *cache) shader(s *shader) int {
	v := c.variantsOf(s.program)
	for i, samplers := range v.samplers {
		if slices.Equal(samplers, s.samplers) {
			return v.numbers[i]
		}
	}
	if len(v.numbers) >= cacheSize {
		*v = variants{}
	}
	c.number++
	v.samplers, v.numbers = append(v.samplers, slices.Clone(s.samplers)), append(v.numbers, c.number)
	return c.number
}

// prepare makes a fused program ready for an engine.
func prepare(p *ir.Program, trace bool) (*ir.Program, error) {
	if err := p.Verify(); err != nil {
		return nil, err
	}
	return ir.Optimize(p, ir.Options{Trace: trace}), nil
}
