package render

import "fmt"

// State is the fixed-function state of a draw. It is part of the key of its fused programs.
type State struct {
	Cull       Cull
	Depth      Func // new depth against the stored one
	DepthWrite bool
	Blend      Blend
}

// DefaultState is what scenes start from: front faces, less-or-equal depth, no blending.
var DefaultState = State{Cull: CullCCW, Depth: LessEqual, DepthWrite: true}

// A Func compares a new value with a stored one.
type Func uint8

const (
	Never Func = iota
	Less
	Equal
	LessEqual
	Greater
	NotEqual
	GreaterEqual
	Always
)

// A Blend is how a colour joins the one that is there.
type Blend uint8

const (
	BlendOff   Blend = iota // replaces it
	BlendAlpha              // source alpha over it
	BlendAdd                // the sum
)

// Names of the states as scene files spell them, in the order of their values.
var (
	CullNames  = []string{"none", "cw", "ccw"}
	FuncNames  = []string{"never", "less", "equal", "lessequal", "greater", "notequal", "greaterequal", "always"}
	BlendNames = []string{"off", "alpha", "add"}
)

func (s State) String() string {
	return fmt.Sprintf("cull=%s depth=%s write=%t blend=%s", CullNames[s.Cull], FuncNames[s.Depth], s.DepthWrite, BlendNames[s.Blend])
}
