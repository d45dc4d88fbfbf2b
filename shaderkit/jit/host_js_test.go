//go:build js

package jit_test

import (
	"testing"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/jit"
	"swizzle/shaderkit/jit/browserhost"
)

func engine(testing.TB) exec.Engine { return jit.New(browserhost.New()) }
