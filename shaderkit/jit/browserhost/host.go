//go:build js

package browserhost

import (
	"errors"
	"syscall/js"

	"swizzle/shaderkit/jit"
)

// A Host is a WebAssembly.Memory and what works in it.
type Host struct {
	wasm    js.Value // the WebAssembly object
	array   js.Value // the Uint8Array constructor
	memory  js.Value
	imports js.Value
	view    js.Value            // of all the memory, as bytes
	size    uint64              // of the memory in bytes
	views   map[uint32]js.Value // parts of view, by where they begin
	modules map[string]js.Value // compiled, by their bytes
}

var _ jit.Host = (*Host)(nil)

const (
	pageSize   = 65536 // the unit of memory growth
	maxViews   = 256
	maxModules = 256
)

// New makes a host with a memory of one page.
func New() *Host {
	h := &Host{wasm: js.Global().Get("WebAssembly"), array: js.Global().Get("Uint8Array"), views: map[uint32]js.Value{}, modules: map[string]js.Value{}}
	h.memory = h.wasm.Get("Memory").New(map[string]any{"initial": 1})
	h.imports = js.ValueOf(map[string]any{"env": map[string]any{"memory": h.memory}})
	h.look()
	return h
}

// look makes the view anew: growth detaches it.
func (h *Host) look() {
	h.view = h.array.New(h.memory.Get("buffer"))
	h.size = uint64(h.view.Get("length").Int())
	clear(h.views)
}

// try calls f and gives what JavaScript throws as an error.
func try(f func()) (err error) {
	defer func() {
		switch x := recover().(type) {
		case nil:
		case js.Error:
			err = x
		default:
			panic(x)
		}
	}()
	f()
	return nil
}

// Instantiate implements jit.Host. It compiles synchronously, which browsers allow in Workers.
func (h *Host) Instantiate(wasm []byte) (jit.Instance, error) {
	i := &instance{host: h}
	if err := try(func() { i.module = h.module(wasm) }); err != nil {
		return nil, err
	}
	return i.Fork()
}

// module gives a compiled module. Equal programs have equal bytes, and V8 keeps the fast code that it has
// made of a module meanwhile.
func (h *Host) module(wasm []byte) js.Value {
	m, ok := h.modules[string(wasm)]
	if !ok {
		code := h.array.New(len(wasm))
		js.CopyBytesToJS(code, wasm)
		m = h.wasm.Get("Module").New(code)
		if len(h.modules) >= maxModules {
			clear(h.modules)
		}
		h.modules[string(wasm)] = m
	}
	return m
}

// Grow implements jit.Host.
func (h *Host) Grow(n uint64) error {
	if n <= h.size {
		return nil
	}
	if n > 1<<32 {
		return errors.New("browserhost: no memory")
	}
	err := try(func() { h.memory.Call("grow", int((n-h.size+pageSize-1)/pageSize)) })
	if err == nil {
		h.look()
	}
	return err
}

// Write implements jit.Host.
func (h *Host) Write(at uint32, from []byte) { js.CopyBytesToJS(h.from(at), from) }

// Read implements jit.Host.
func (h *Host) Read(at uint32, to []byte) { js.CopyBytesToGo(to, h.from(at)) }

// from gives the memory from an address on. Making a view takes 4 µs, 20 times as long as copying a few
// words, so it keeps those of lately.
func (h *Host) from(at uint32) js.Value {
	v, ok := h.views[at]
	if !ok {
		if len(h.views) >= maxViews {
			clear(h.views)
		}
		v = h.view.Call("subarray", float64(at))
		h.views[at] = v
	}
	return v
}

type instance struct {
	host                    *Host
	module, exports, kernel js.Value
}

// Fork implements jit.Instance.
func (i *instance) Fork() (jit.Instance, error) {
	f := &instance{host: i.host, module: i.module}
	err := try(func() {
		f.exports = i.host.wasm.Get("Instance").New(i.module, i.host.imports).Get("exports")
		f.kernel = f.exports.Get("kernel")
	})
	if err != nil {
		return nil, err
	}
	return f, nil
}

// Close implements jit.Instance: what nothing refers to is collected.
func (i *instance) Close() {
	i.module, i.exports, i.kernel = js.Undefined(), js.Undefined(), js.Undefined()
}

// Place implements jit.Instance.
func (i *instance) Place() (skip, wave uint32) {
	word := func(name string) uint32 { return uint32(int32(i.exports.Get(name).Get("value").Int())) }
	return word("skip"), word("wave")
}

// SetPlace implements jit.Instance.
func (i *instance) SetPlace(skip, wave uint32) {
	i.exports.Get("skip").Set("value", int32(skip))
	i.exports.Get("wave").Set("value", int32(wave))
}

// Call implements jit.Instance.
func (i *instance) Call(desc, limit, budget uint32) (n float64, err error) {
	err = try(func() { n = i.kernel.Invoke(float64(desc), float64(limit), float64(budget)).Float() })
	return n, err
}
