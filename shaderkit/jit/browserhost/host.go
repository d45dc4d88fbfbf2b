//go:build js

package browserhost

import (
	"errors"
	"syscall/js"
	"unsafe"

	"swizzle/shaderkit/jit"
)

// A Host is a WebAssembly.Memory and what works in it.
type Host struct {
	wasm    js.Value // the WebAssembly object
	array   js.Value // the Uint8Array constructor
	memory  js.Value
	imports js.Value
	view    js.Value // of all the memory, as bytes
	size    uint64   // of the memory in bytes
}

var _ jit.Host = (*Host)(nil)

// pageSize is the unit of memory growth.
const pageSize = 65536

// New makes a host with a memory of one page.
func New() *Host {
	h := &Host{wasm: js.Global().Get("WebAssembly"), array: js.Global().Get("Uint8Array")}
	h.memory = h.wasm.Get("Memory").New(map[string]any{"initial": 1})
	h.imports = js.ValueOf(map[string]any{"env": map[string]any{"memory": h.memory}})
	h.look()
	return h
}

// look makes the view anew: growth detaches it.
func (h *Host) look() {
	h.view = h.array.New(h.memory.Get("buffer"))
	h.size = uint64(h.view.Get("length").Int())
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
	i := &instance{}
	err := try(func() {
		code := h.array.New(len(wasm))
		js.CopyBytesToJS(code, wasm)
		i.kernel = h.wasm.Get("Instance").New(h.wasm.Get("Module").New(code), h.imports).Get("exports").Get("kernel")
	})
	if err != nil {
		return nil, err
	}
	return i, nil
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
func (h *Host) Write(at uint32, words []uint32) { js.CopyBytesToJS(h.part(at, words), bytes(words)) }

// Read implements jit.Host.
func (h *Host) Read(at uint32, words []uint32) { js.CopyBytesToGo(bytes(words), h.part(at, words)) }

func (h *Host) part(at uint32, words []uint32) js.Value {
	return h.view.Call("subarray", float64(at), float64(at)+float64(4*len(words)))
}

// bytes views words as bytes; WebAssembly is little-endian.
func bytes(words []uint32) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), 4*len(words))
}

type instance struct{ kernel js.Value }

// Close implements jit.Instance: what nothing refers to is collected.
func (i *instance) Close() { i.kernel = js.Undefined() }

// Call implements jit.Instance.
func (i *instance) Call(desc, limit, budget uint32) (n float64, err error) {
	err = try(func() { n = i.kernel.Invoke(float64(desc), float64(limit), float64(budget)).Float() })
	return n, err
}
