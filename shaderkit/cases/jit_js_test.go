//go:build js

package cases

import (
	"testing"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/jit"
	"swizzle/shaderkit/jit/browserhost"
)

func newJIT(testing.TB) exec.Engine { return jit.New(browserhost.New()) }
