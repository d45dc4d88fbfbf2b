package d3d9

import (
	"swizzle/shaderkit/isa"
	"swizzle/shaderkit/source"
)

// Check validates a program.
func Check(p *isa.Program) source.List { return nil }

func localFinding(code string) bool { return true }
