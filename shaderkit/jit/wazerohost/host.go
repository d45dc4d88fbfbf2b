//go:build !js

// Package wazerohost runs the modules of package jit natively, compiled by wazero.
package wazerohost

import (
	"context"
	"errors"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"swizzle/shaderkit/jit"
)

// A Host is a wazero runtime with one memory.
type Host struct {
	runtime wazero.Runtime
	memory  api.Memory
}

var _ jit.Host = (*Host)(nil)

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

// Instantiate implements jit.Host.
func (h *Host) Instantiate(wasm []byte) (jit.Instance, error) {
	c, err := h.runtime.CompileModule(context.Background(), wasm)
	if err != nil {
		return nil, err
	}
	return (&code{host: h, module: c}).instantiate()
}

// Grow implements jit.Host.
func (h *Host) Grow(n uint64) error {
	if have := uint64(h.memory.Size()); n > have {
		if _, ok := h.memory.Grow(uint32((n - have + pageSize - 1) / pageSize)); !ok {
			return errors.New("wazerohost: no memory")
		}
	}
	return nil
}

// Write implements jit.Host.
func (h *Host) Write(at uint32, from []byte) { h.memory.Write(at, from) }

// Read implements jit.Host.
func (h *Host) Read(at uint32, to []byte) {
	mem, _ := h.memory.Read(at, uint32(len(to)))
	copy(to, mem)
}

// A code is a compiled module and how many instances it has. It is closed with the last one.
type code struct {
	host      *Host
	module    wazero.CompiledModule
	instances int
}

func (c *code) instantiate() (jit.Instance, error) {
	ctx := context.Background()
	m, err := c.host.runtime.InstantiateModule(ctx, c.module, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		if c.instances == 0 {
			c.module.Close(ctx)
		}
		return nil, err
	}
	c.instances++
	return &instance{code: c, module: m, kernel: m.ExportedFunction("kernel")}, nil
}

type instance struct {
	code   *code
	module api.Module
	kernel api.Function
	stack  [3]uint64
}

// Fork implements jit.Instance.
func (i *instance) Fork() (jit.Instance, error) { return i.code.instantiate() }

// Close implements jit.Instance.
func (i *instance) Close() {
	ctx := context.Background()
	i.module.Close(ctx)
	if i.code.instances--; i.code.instances == 0 {
		i.code.module.Close(ctx)
	}
}

// Place implements jit.Instance.
func (i *instance) Place() (skip, wave uint32) {
	return uint32(i.module.ExportedGlobal("skip").Get()), uint32(i.module.ExportedGlobal("wave").Get())
}

// SetPlace implements jit.Instance.
func (i *instance) SetPlace(skip, wave uint32) {
	i.module.ExportedGlobal("skip").(api.MutableGlobal).Set(uint64(skip))
	i.module.ExportedGlobal("wave").(api.MutableGlobal).Set(uint64(wave))
}

// Call implements jit.Instance.
func (i *instance) Call(desc, limit, budget uint32) (float64, error) {
	i.stack = [3]uint64{uint64(desc), uint64(limit), uint64(budget)}
	if err := i.kernel.CallWithStack(context.Background(), i.stack[:]); err != nil {
		return 0, err
	}
	return api.DecodeF64(i.stack[0]), nil
}
