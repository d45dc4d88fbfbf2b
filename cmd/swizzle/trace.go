package main

import (
	"bytes"
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"swizzle/render"
	"swizzle/render/scene"
	"swizzle/shaderkit"
	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/interp"
	"swizzle/shaderkit/ir"
	"swizzle/shaderkit/isa"
)

// A trace is what happened to a pixel, in JSON.
type trace struct {
	X         int        `json:"x"`
	Y         int        `json:"y"`
	Clear     string     `json:"clear"` // the colour word before the first fragment
	Fragments []fragment `json:"fragments"`
}

// A fragment is one triangle at the pixel.
type fragment struct {
	Draw     int      `json:"draw"`
	Triangle int      `json:"triangle"`
	Vertices []corner `json:"vertices"`
	Steps    []step   `json:"steps"`  // of the pixel shader and the pipeline behind it
	Stored   bool     `json:"stored"` // it reached the target
	Before   string   `json:"before"` // colour word of the target
	After    string   `json:"after"`
}

// A corner is a vertex of the triangle.
type corner struct {
	Vertex int    `json:"vertex"` // of the mesh
	Steps  []step `json:"steps"`
}

// A step is one instruction and what it wrote.
type step struct {
	Member string  `json:"member,omitempty"` // of the scene; "" for the fixed function
	Line   int     `json:"line,omitempty"`   // of the member's text, or of its listing
	Text   string  `json:"text"`
	Depth  int     `json:"depth,omitempty"` // open calls
	Trip   int     `json:"trip,omitempty"`  // iteration of the innermost loop
	Writes []write `json:"writes"`
}

// A write is one component of a register, before and after.
type write struct {
	Register  string `json:"register"`
	Component string `json:"component"`
	Old       string `json:"old"`
	New       string `json:"new"`
}

func (c *cli) trace() *cobra.Command {
	var pixel string
	v := c.facts(&cobra.Command{
		Use:   "trace [--pixel X,Y] SCENE, or trace FILE",
		Short: "Print what each instruction wrote on the way to a pixel",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			name := args[0]
			s, err := c.sceneAround(name)
			if s == nil {
				return err
			}
			x, y := s.Pixel[0], s.Pixel[1]
			if pixel != "" {
				var rest string
				if n, _ := fmt.Sscanf(pixel, "%d,%d%s", &x, &y, &rest); n != 2 {
					return fmt.Errorf("--pixel %s: want X,Y", pixel)
				}
			}
			if x < 0 || y < 0 || x >= s.Size[0] || y >= s.Size[1] {
				return fmt.Errorf("pixel %d,%d is outside of the picture, %dx%d", x, y, s.Size[0], s.Size[1])
			}
			view := scene.NewView(interp.New())
			if err := view.Load(s, scene.Compile); err != nil {
				return c.reportScene(name, "", s, err)
			}
			if _, _, err := view.Draw(0, s.Size[0], s.Size[1]); err != nil {
				return c.reportScene(name, "", s, err)
			}
			t, err := view.Trace(interp.Engine{}, x, y)
			if err != nil {
				return c.reportScene(name, "", s, err)
			}
			c.printTrace(traced(s, t))
			return nil
		},
	})
	v.Flags().StringVar(&pixel, "pixel", "", "the pixel, `X,Y` from the left top; the scene's selected one without it")
	return v
}

// sceneAround reads a project file, or makes one around a lone shader.
func (c *cli) sceneAround(name string) (*scene.Scene, error) {
	data, err := c.read(name)
	if err != nil {
		return nil, err
	}
	if bytes.Contains(data, []byte("-- scene.json --")) {
		return c.parseScene(name, data)
	}
	arch, isText, err := c.classify(name, data)
	if err != nil {
		return nil, err
	}
	p := c.assembled(arch, name, data, isText, isa.Options{Permissive: true})
	if c.report(c.err, p, p.diags); c.failed {
		return nil, nil
	}
	return scene.Default(ir.Stage(p.Stage), filepath.Base(name), data), nil
}

// traced puts the recorded writes of a pixel beside the instructions that made them.
func traced(s *scene.Scene, t *render.Trace) trace {
	out := trace{X: t.X, Y: t.Y, Clear: fmt.Sprintf("0x%08X", t.Clear), Fragments: []fragment{}}
	texts := map[string]*shaderText{}
	draws := []scene.Draw{}
	for _, p := range s.Passes {
		draws = append(draws, p.Draws...)
	}
	for _, f := range t.Fragments {
		d := draws[f.Draw]
		g := fragment{
			Draw: f.Draw, Triangle: f.Triangle, Stored: f.Stored, Vertices: []corner{},
			Before: fmt.Sprintf("0x%08X", f.Before.Colour), After: fmt.Sprintf("0x%08X", f.After.Colour),
			Steps: steps(member(s, texts, d.PS), f.Program, f.Wave),
		}
		for _, v := range f.Vertices {
			g.Vertices = append(g.Vertices, corner{v.Index, steps(member(s, texts, d.VS), v.Program, v.Wave)})
		}
		out.Fragments = append(out.Fragments, g)
	}
	return out
}

// A shaderText is a shader of the scene as text, which knows the place of each instruction.
type shaderText struct {
	name    string
	program *isa.Program
	listing *isa.Listing
}

// member gives the source of a member that compiled; nil where a partner stands for it.
func member(s *scene.Scene, known map[string]*shaderText, name string) *shaderText {
	if src, ok := known[name]; ok || name == "" {
		return src
	}
	src := &shaderText{name: name}
	data := s.File(name).Data
	if arch, _ := shaderkit.Detect(data); arch != nil {
		src.program = arch.Decode(data, isa.Options{})
		src.listing = arch.Print(src.program, arch.Styles[0])
	} else {
		src.program, src.listing, _ = shaderkit.Assemble(string(data), isa.Options{Permissive: true})
	}
	known[name] = src
	return src
}

// at gives the line and text of instruction inst.
func (s *shaderText) at(inst int32) (line int, text string) {
	i := s.listing.LineOf(s.program.Insts[inst].Bytes.Off)
	if i < 0 {
		return 0, ""
	}
	span := s.listing.Lines[i].Span
	return 1 + strings.Count(s.listing.Text[:span.Start], "\n"), s.listing.Text[span.Start:span.End]
}

// steps gathers the writes of one lane by instruction.
func steps(src *shaderText, p *ir.Program, w exec.Wave) []step {
	all := []step{}
	type key struct{ from, depth, trip int32 }
	var last key
	for _, x := range w.Writes {
		if x.Active>>w.Pick&1 == 0 {
			continue
		}
		reg := p.Traced[x.Traced]
		k := key{x.From, x.Depth, x.Trip}
		if len(all) == 0 || k != last {
			st := step{Text: "fixed function", Depth: int(x.Depth), Trip: int(x.Trip), Writes: []write{}}
			if src != nil && x.From >= 0 {
				st.Member = src.name
				st.Line, st.Text = src.at(x.From)
			}
			all = append(all, st)
		}
		last = k
		st := &all[len(all)-1]
		st.Writes = append(st.Writes, write{
			reg.Name, "xyzw"[reg.Comp : reg.Comp+1], fmt.Sprintf("0x%08X", x.Old[w.Pick]), fmt.Sprintf("0x%08X", x.New[w.Pick]),
		})
	}
	return all
}

func (c *cli) printTrace(t trace) {
	if c.json {
		c.printJSON(t)
		return
	}
	fmt.Fprintf(c.out, "pixel %d,%d: clear colour %s, %d fragments\n", t.X, t.Y, t.Clear, len(t.Fragments))
	for i, f := range t.Fragments {
		fmt.Fprintf(c.out, "fragment %d: triangle %d of draw %d\n", i, f.Triangle, f.Draw)
		for _, v := range f.Vertices {
			fmt.Fprintf(c.out, "  vertex %d\n", v.Vertex)
			c.printSteps(v.Steps)
		}
		fmt.Fprintln(c.out, "  pixel")
		c.printSteps(f.Steps)
		verdict := "stored"
		if !f.Stored {
			verdict = "rejected"
		}
		fmt.Fprintf(c.out, "  %s: %s, before %s\n", verdict, f.After, f.Before)
	}
}

func (c *cli) printSteps(all []step) {
	for _, s := range all {
		place := ""
		if s.Member != "" {
			place = fmt.Sprintf("%s:%d: ", s.Member, s.Line)
		}
		fmt.Fprintf(c.out, "    %s%s", place, s.Text)
		sep := " ; "
		for _, w := range s.Writes {
			fmt.Fprintf(c.out, "%s%s.%s %s -> %s", sep, w.Register, w.Component, number(&w.Old), number(&w.New))
			sep = ", "
		}
		fmt.Fprintln(c.out)
	}
}

// number gives the bits of a component as a float and as they are; one that was never written as a dash.
func number(bits *string) string {
	if bits == nil {
		return "-"
	}
	var w uint32
	if _, err := fmt.Sscanf(*bits, "0x%X", &w); err != nil {
		return *bits
	}
	return fmt.Sprintf("%v(0x%08X)", math.Float32frombits(w), w)
}
