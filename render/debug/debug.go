// Package debug turns the recording of a pixel into what a person steps through.
//
//	tr, err := view.Trace(engine, x, y)   // package scene
//	f := tr.Fragments[len(tr.Fragments)-1]
//	for _, s := range debug.Steps(f.Program, &f.Wave) {
//		// instruction s.From wrote s.Writes
//	}
//
// A recording holds a value before and behind each write, so stepping back costs nothing, and it holds
// all lanes of the quad, so the neighbours that derivatives read are there.
package debug

import (
	"fmt"
	"math"

	"swizzle/render"
	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// A Step is one executed instruction of the ISA, with what it wrote.
type Step struct {
	From   int32 // index of the instruction; -1 for fixed function
	Depth  int32 // open calls
	Trip   int32 // iteration of the innermost loop, from 0
	Active uint8 // lanes that executed it
	Live   uint8 // lanes that count
	Writes []Write
}

// A Write is a register that a step changed.
type Write struct {
	Name string
	Mask uint8        // components written: bit 0 is x
	Old  [8][4]uint32 // by lane
	New  [8][4]uint32
}

// Steps groups the writes of a wave by instruction, in order of execution.
func Steps(p *ir.Program, w *exec.Wave) (steps []Step) {
	for i := range w.Writes {
		x := &w.Writes[i]
		reg := p.Traced[x.Traced]
		if i == 0 || !continues(p, &w.Writes[i-1], x, &steps[len(steps)-1]) {
			steps = append(steps, Step{From: x.From, Depth: x.Depth, Trip: x.Trip, Active: x.Active, Live: x.Live})
		}
		s := &steps[len(steps)-1]
		r := s.register(reg.Name)
		r.Mask |= 1 << reg.Comp
		for lane := range w.Lanes {
			r.Old[lane][reg.Comp], r.New[lane][reg.Comp] = x.Old[lane], x.New[lane]
		}
	}
	return steps
}

// continues reports whether x belongs to the step of the write before it: the same instruction at the
// same place, and not a component that this step has written already (then it ran again).
func continues(p *ir.Program, before, x *exec.Write, s *Step) bool {
	if x.From != before.From || x.Depth != before.Depth || x.Trip != before.Trip || x.Active != before.Active {
		return false
	}
	reg := p.Traced[x.Traced]
	for i := range s.Writes {
		if s.Writes[i].Name == reg.Name && s.Writes[i].Mask>>reg.Comp&1 != 0 {
			return false
		}
	}
	return true
}

func (s *Step) register(name string) *Write {
	for i := range s.Writes {
		if s.Writes[i].Name == name {
			return &s.Writes[i]
		}
	}
	s.Writes = append(s.Writes, Write{Name: name})
	return &s.Writes[len(s.Writes)-1]
}

// Fate says in a sentence what became of a fragment.
func Fate(f *render.Fragment) string {
	if f.Stored && !f.HasColour {
		return "the shader writes no colour"
	}
	if f.Stored {
		return "stored"
	}
	for _, test := range []string{render.TracedAlpha, render.TracedStencil, render.TracedDepth} {
		v, ok := traced(f, test)
		if !ok || v[2] != 0 {
			continue
		}
		switch test {
		case render.TracedAlpha:
			return fmt.Sprintf("the alpha test failed: %v against %v", math.Float32frombits(v[0]), math.Float32frombits(v[1]))
		case render.TracedStencil:
			return fmt.Sprintf("the stencil test failed where %d is stored", v[0])
		}
		return fmt.Sprintf("the depth test failed: %v against %v", math.Float32frombits(v[0]), f.DepthFormat.Depth(v[1]))
	}
	return "the shader ended the pixel"
}

// traced gives the last value of a traced register at the pixel.
func traced(f *render.Fragment, name string) (v [4]uint32, ok bool) {
	for _, w := range f.Wave.Writes {
		if reg := f.Program.Traced[w.Traced]; reg.Name == name {
			v[reg.Comp], ok = w.New[f.Wave.Pick], true
		}
	}
	return
}

// Why tells what decided the colour of a pixel, most recent first.
func Why(t *render.Trace) (lines []string) {
	if len(t.Fragments) == 0 {
		return []string{"no triangle covers the pixel: it has the clear colour"}
	}
	for i := len(t.Fragments) - 1; i >= 0; i-- {
		f := &t.Fragments[i]
		lines = append(lines, fmt.Sprintf("draw %d, triangle %d: %s", f.Draw, f.Triangle, Fate(f)))
		if !f.Stored || !f.HasColour {
			continue
		}
		c := f.Colour
		v := func(k int) float32 { return math.Float32frombits(c[k]) }
		for k, name := range []string{"red", "green", "blue", "alpha"} {
			switch x := v(k); {
			case x != x:
				lines = append(lines, name+" is not a number and stored as 0")
			case x < 0:
				lines = append(lines, fmt.Sprintf("%s is %v and stored as 0", name, x))
			case x > 1:
				lines = append(lines, fmt.Sprintf("%s is %v and stored as 1", name, x))
			}
		}
		if v(0) == 0 && v(1) == 0 && v(2) == 0 {
			lines = append(lines, "the shader's colour is black")
		}
	}
	return lines
}
