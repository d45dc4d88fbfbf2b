//go:build js

package render

import (
	"testing"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/jit"
	"swizzle/shaderkit/jit/browserhost"
)

func newJIT(testing.TB) exec.Engine { return jit.New(browserhost.New()) }
