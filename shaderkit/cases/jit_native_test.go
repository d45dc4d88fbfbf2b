//go:build !js

package cases

import (
	"testing"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/jit"
	"swizzle/shaderkit/jit/wazerohost"
)

func newJIT(t testing.TB) exec.Engine {
	t.Helper()
	h, err := wazerohost.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	return jit.New(h)
}
