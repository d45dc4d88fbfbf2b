//go:build js

package jittest

import (
	"testing"

	"swizzle/shaderkit/jit"
	"swizzle/shaderkit/jit/browserhost"
)

// New gives an engine on a host of its own.
func New(testing.TB) *jit.Engine { return jit.New(browserhost.New()) }
