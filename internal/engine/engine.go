// Package engine makes the engines that native programs choose from by name.
package engine

import (
	"fmt"
	"strings"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/interp"
	"swizzle/shaderkit/ir"
	"swizzle/shaderkit/jit"
	"swizzle/shaderkit/jit/wazerohost"
)

// Names are the engines; the first is the default of the command line.
var Names = []string{"interp", "jit"}

// New gives the engine of that name. What jit cannot take runs on interp; told hears of each such
// program and why.
func New(name string, told func(p *ir.Program, why error)) (exec.Engine, error) {
	switch name {
	case "interp":
		return interp.New(), nil
	case "jit":
		h, err := wazerohost.New()
		if err != nil {
			return nil, err
		}
		return &exec.Fallback{First: jit.New(h), Second: interp.New(), Told: told}, nil
	}
	return nil, fmt.Errorf("no engine %q: want %s", name, strings.Join(Names, " or "))
}
