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

// A cached is a compiled program.
type cached struct {
	kernel   exec.Kernel
	forks    []exec.Kernel // for the workers behind the first
	varyings []varying     // of a pixel program: what its records hold
	used     uint64
	closed   bool
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

// again marks a kernel as used in this frame, and reports whether it is still there.
func (c *cache) again(k *cached) bool {
	if k == nil || k.closed {
		return false
	}
	c.clock++
	k.used = c.clock
	return true
}

func (c *cache) find(key string, make func() (*ir.Program, []varying)) (*cached, error) {
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
		var oldest string
		for name, k := range c.kernels {
			if k.used <= c.frame && (oldest == "" || k.used < c.kernels[oldest].used) {
				oldest = name
			}
		}
		if k := c.kernels[oldest]; k != nil { // else all of them are in this frame
			k.close()
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
	return c.find("vertex "+g.key+c.key(s), func() (*ir.Program, []varying) { return vertexProgram(s.sampled(), g), nil })
}

// pixel gives the kernel of a pixel shader; state and conv are keys.
func (c *cache) pixel(s *shader, from []int, state State, conv Convention, l *layout) (*cached, error) {
	key := fmt.Sprintf("pixel %v %v %v %v %s", state, from, conv, *l, c.key(s))
	return c.find(key, func() (*ir.Program, []varying) { return pixelProgram(s.sampled(), from, state, conv, l, false) })
}

func (c *cache) key(s *shader) string { return fmt.Sprintf("%v\n%s", s.samplers, c.text(s.program)) }

// prepare makes a fused program ready for an engine.
func prepare(p *ir.Program, trace bool) (*ir.Program, error) {
	if err := p.Verify(); err != nil {
		return nil, err
	}
	return ir.Optimize(p, ir.Options{Trace: trace}), nil
}
