//go:build !js

// Package wazerohost runs the modules of package jit natively, compiled by wazero.
package wazerohost

import (
	"context"
	"errors"
	"sync"
	"unsafe"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"swizzle/shaderkit/jit"
)

// A Host is a wazero runtime with one memory, which all its instances share: they run one at a time.
type Host struct {
	mu      sync.Mutex
	runtime wazero.Runtime
	memory  api.Memory
}

// memoryModule is (module (memory (export "memory") 1)).
const memoryModule = "\x00asm\x01\x00\x00\x00\x05\x03\x01\x00\x01\x07\x0a\x01\x06memory\x02\x00"

// pageSize is the unit of memory growth.
const pageSize = 65536

// New starts a host.
func New() (*Host, error) {
	ctx := context.Background()
	h := &Host{runtime: wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().WithCoreFeatures(api.CoreFeaturesV2))}
	env, err := h.runtime.InstantiateWithConfig(ctx, []byte(memoryModule), wazero.NewModuleConfig().WithName("env"))
	if err != nil {
		h.Close()
		return nil, err
	}
	h.memory = env.Memory()
	return h, nil
}

// Close ends the host and its instances.
func (h *Host) Close() error { return h.runtime.Close(context.Background()) }

// Name implements jit.Host.
func (h *Host) Name() string { return "wazero" }

// Instantiate implements jit.Host.
func (h *Host) Instantiate(wasm []byte) (jit.Instance, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	ctx := context.Background()
	c, err := h.runtime.CompileModule(ctx, wasm)
	if err != nil {
		return nil, err
	}
	m, err := h.runtime.InstantiateModule(ctx, c, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		c.Close(ctx)
		return nil, err
	}
	return &instance{h: h, code: c, module: m, kernel: m.ExportedFunction("kernel")}, nil
}

type instance struct {
	h      *Host
	code   wazero.CompiledModule
	module api.Module
	kernel api.Function
	stack  [3]uint64
}

// Close implements jit.Instance.
func (i *instance) Close() {
	i.h.mu.Lock()
	defer i.h.mu.Unlock()
	ctx := context.Background()
	i.module.Close(ctx)
	i.code.Close(ctx)
}

// Run implements jit.Instance.
func (i *instance) Run(arena []uint32, desc, limit, budget uint32) (uint64, error) {
	i.h.mu.Lock()
	defer i.h.mu.Unlock()
	mem := i.h.memory
	if n := uint64(len(arena)) * 4; n > uint64(mem.Size()) {
		if _, ok := mem.Grow(uint32((n - uint64(mem.Size()) + pageSize - 1) / pageSize)); !ok {
			return 0, errors.New("wazerohost: no memory")
		}
	}
	view, _ := mem.Read(0, uint32(len(arena)*4))
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(arena))), len(arena)*4)
	copy(view, bytes)
	i.stack = [3]uint64{uint64(desc), uint64(limit), uint64(budget)}
	if err := i.kernel.CallWithStack(context.Background(), i.stack[:]); err != nil {
		return 0, err
	}
	copy(bytes, view)
	return i.stack[0], nil
}
