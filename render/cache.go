package render

import (
	"fmt"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// cacheSize is the number of kernels that are kept: enough for the variants that a person flips
// through while editing a few shaders.
const cacheSize = 64

// A cache keeps kernels by the text of the shader and the state around it, least recently used last.
type cache struct {
	engine   exec.Engine
	kernels  map[string]*cached
	clock    uint64
	frame    uint64                 // the clock when the frame began
	texts    map[*ir.Program]string // of shaders seen lately
	compiled int
}

type cached struct {
	pixelKernel
	used uint64
}

// A pixelKernel is a compiled pixel program.
type pixelKernel struct {
	kernel   exec.Kernel
	varyings []varying
}

func newCache(e exec.Engine) cache {
	return cache{engine: e, kernels: map[string]*cached{}, texts: map[*ir.Program]string{}}
}

// text gives what tells the code of shaders apart. Values that a program defines are data.
func (c *cache) text(p *ir.Program) string {
	if t, ok := c.texts[p]; ok {
		return t
	}
	q := *p
	q.Name = ""
	q.Interface.Resources = append([]ir.Resource(nil), p.Interface.Resources...)
	for i := range q.Interface.Resources {
		q.Interface.Resources[i].Defs = nil
	}
	if len(c.texts) >= cacheSize {
		clear(c.texts)
	}
	c.texts[p] = q.String()
	return c.texts[p]
}

// begin starts a frame: kernels that it uses stay until the next one.
func (c *cache) begin() { c.frame, c.compiled = c.clock, 0 }

func (c *cache) find(key string, make func() (*ir.Program, []varying)) (*cached, error) {
	c.clock++
	if k := c.kernels[key]; k != nil {
		k.used = c.clock
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
		var oldest string
		for name, k := range c.kernels {
			if k.used <= c.frame && (oldest == "" || k.used < c.kernels[oldest].used) {
				oldest = name
			}
		}
		if oldest != "" { // else all of them are in this frame
			c.kernels[oldest].kernel.Close()
			delete(c.kernels, oldest)
		}
	}
	k := &cached{pixelKernel{kernel, v}, c.clock}
	c.kernels[key] = k
	return k, nil
}

func (c *cache) vertex(s *shader) (exec.Kernel, error) {
	k, err := c.find("vertex "+c.key(s), func() (*ir.Program, []varying) { return vertexProgram(s.sampled()), nil })
	if err != nil {
		return nil, err
	}
	return k.kernel, nil
}

func (c *cache) pixel(s *shader, from []int, state State, conv Convention, l *layout) (*pixelKernel, error) {
	key := fmt.Sprintf("pixel %v %v %v %v %s", state, from, conv, *l, c.key(s))
	k, err := c.find(key, func() (*ir.Program, []varying) { return pixelProgram(s.sampled(), from, state, conv, l, false) })
	if err != nil {
		return nil, err
	}
	return &k.pixelKernel, nil
}

func (c *cache) key(s *shader) string { return fmt.Sprintf("%v\n%s", s.samplers, c.text(s.program)) }

// prepare makes a fused program ready for an engine.
func prepare(p *ir.Program, trace bool) (*ir.Program, error) {
	if err := p.Verify(); err != nil {
		return nil, err
	}
	return ir.Optimize(p, ir.Options{Trace: trace}), nil
}
