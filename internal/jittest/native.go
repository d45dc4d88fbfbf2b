//go:build !js

package jittest

import (
	"testing"

	"swizzle/shaderkit/jit"
	"swizzle/shaderkit/jit/wazerohost"
)

// New gives an engine on a host of its own, which ends with the test.
func New(t testing.TB) *jit.Engine {
	t.Helper()
	h, err := wazerohost.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	return jit.New(h)
}
