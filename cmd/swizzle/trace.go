package main

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"swizzle/render"
	"swizzle/render/debug"
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
	Vertices []corner `json:"vertices,omitempty"`
	Steps    []step   `json:"steps,omitempty"` // of the pixel shader and the pipeline behind it
	Stored   bool     `json:"stored"`          // it reached the target
	Fate     string   `json:"fate"`            // what became of it, in words
	Before   string   `json:"before"`          // colour word of the target
	After    string   `json:"after"`
}

// A corner is a vertex of the triangle.
type corner struct {
	Vertex int    `json:"vertex"` // of the mesh
	Steps  []step `json:"steps"`
}

// A step is one executed instruction and what it wrote.
type step struct {
	Member string  `json:"member,omitempty"` // of the scene; "" for the fixed function
	Line   int     `json:"line,omitempty"`   // of the member's text, or of its listing
	Text   string  `json:"text"`
	Depth  int     `json:"depth,omitempty"` // open calls
	Trip   int     `json:"trip,omitempty"`  // iteration of the innermost loop
	Writes []write `json:"writes"`
}

// A write is a register before and after; old and new are the bits of the components.
type write struct {
	Register   string   `json:"register"`
	Components string   `json:"components"`
	Old        []string `json:"old"`
	New        []string `json:"new"`
}

// aPixel makes a verb about a pixel of a scene.
func (c *cli) aPixel(v *cobra.Command, tell func(s *scene.Scene, t *render.Trace)) *cobra.Command {
	var pixel string
	v.Args = cobra.ExactArgs(1)
	v.RunE = func(_ *cobra.Command, args []string) error {
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
			return c.reportScene(name, s, err)
		}
		if _, _, err := view.Draw(0, s.Size[0], s.Size[1]); err != nil {
			return c.reportScene(name, s, err)
		}
		t, err := view.Trace(interp.Engine{}, x, y)
		if err != nil {
			return c.reportScene(name, s, err)
		}
		tell(s, t)
		return nil
	}
	v.Flags().StringVar(&pixel, "pixel", "", "the pixel, `X,Y` from the left top; the scene's selected one without it")
	return c.facts(v)
}

func (c *cli) trace() *cobra.Command {
	return c.reads(c.aPixel(&cobra.Command{
		Use:   "trace [--pixel X,Y] SCENE, or trace FILE",
		Short: "Print what each instruction wrote on the way to a pixel",
	}, func(s *scene.Scene, t *render.Trace) { c.printTrace(traced(s, t, true)) }))
}

func (c *cli) history() *cobra.Command {
	return c.aPixel(&cobra.Command{
		Use:   "history [--pixel X,Y] SCENE",
		Short: "Print every fragment that touched a pixel, and what became of it",
	}, func(s *scene.Scene, t *render.Trace) { c.printTrace(traced(s, t, false)) })
}

func (c *cli) why() *cobra.Command {
	return c.aPixel(&cobra.Command{
		Use:   "why [--pixel X,Y] SCENE",
		Short: "Tell what decided the colour of a pixel, the last reason first",
	}, func(_ *scene.Scene, t *render.Trace) {
		reasons := debug.Why(t)
		if c.json {
			c.printJSON(reasons)
			return
		}
		for _, r := range reasons {
			fmt.Fprintln(c.out, r)
		}
	})
}

// sceneAround reads a project file, or makes one around a lone shader.
func (c *cli) sceneAround(name string) (*scene.Scene, error) {
	data, err := c.read(name)
	if err != nil {
		return nil, err
	}
	if scene.IsArchive(data) || filepath.Ext(name) == ".txtar" {
		return c.parseScene(name, data)
	}
	p, err := c.loaded(name, data, isa.Options{Permissive: true})
	if err != nil {
		return nil, err
	}
	if c.report(c.err, p, p.diags); c.failed {
		return nil, nil
	}
	return scene.Default(ir.Stage(p.Stage), filepath.Base(name), data), nil
}

// traced puts what was recorded beside the instructions that did it; without steps it keeps to the
// fragments.
func traced(s *scene.Scene, t *render.Trace, withSteps bool) trace {
	out := trace{X: t.X, Y: t.Y, Clear: hex(t.Clear), Fragments: []fragment{}}
	texts := map[string]*shaderText{}
	draws := []scene.Draw{}
	for _, p := range s.Passes {
		draws = append(draws, p.Draws...)
	}
	for _, f := range t.Fragments {
		g := fragment{
			Draw: f.Draw, Triangle: f.Triangle, Stored: f.Stored, Fate: debug.Fate(&f),
			Before: hex(f.Before.Colour), After: hex(f.After.Colour),
		}
		if withSteps {
			d := draws[f.Draw]
			g.Steps = steps(textOf(s, texts, d.PS), f.Program, &f.Wave)
			for _, v := range f.Vertices {
				g.Vertices = append(g.Vertices, corner{v.Index, steps(textOf(s, texts, d.VS), v.Program, &v.Wave)})
			}
		}
		out.Fragments = append(out.Fragments, g)
	}
	return out
}

func hex(word uint32) string { return fmt.Sprintf("0x%08X", word) }

// A shaderText is a shader of the scene as text, which knows the place of each instruction.
type shaderText struct {
	name    string
	program *isa.Program
	listing *isa.Listing
}

// textOf gives the text of a member that compiled; nil where a partner stands for it.
func textOf(s *scene.Scene, known map[string]*shaderText, name string) *shaderText {
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

// steps gives what the wave's picked lane executed.
func steps(src *shaderText, p *ir.Program, w *exec.Wave) []step {
	all := []step{}
	for _, x := range debug.Steps(p, w) {
		if x.Active>>w.Pick&1 == 0 {
			continue
		}
		st := step{Text: "fixed function", Depth: int(x.Depth), Trip: int(x.Trip)}
		if src != nil && x.From >= 0 {
			st.Member = src.name
			st.Line, st.Text = src.at(x.From)
		}
		for _, r := range x.Writes {
			y := write{Register: r.Name}
			for k := range 4 {
				if r.Mask>>k&1 != 0 {
					y.Components += "xyzw"[k : k+1]
					y.Old = append(y.Old, hex(r.Old[w.Pick][k]))
					y.New = append(y.New, hex(r.New[w.Pick][k]))
				}
			}
			st.Writes = append(st.Writes, y)
		}
		all = append(all, st)
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
		fmt.Fprintf(c.out, "fragment %d: triangle %d of draw %d, colour %s to %s: %s\n", i, f.Triangle, f.Draw, f.Before, f.After, f.Fate)
		for _, v := range f.Vertices {
			fmt.Fprintf(c.out, "  vertex %d\n", v.Vertex)
			c.printSteps(v.Steps)
		}
		if len(f.Steps) > 0 {
			fmt.Fprintln(c.out, "  pixel")
			c.printSteps(f.Steps)
		}
	}
}

func (c *cli) printSteps(all []step) {
	for _, s := range all {
		place := ""
		if s.Member != "" {
			place = fmt.Sprintf("%s:%d: ", s.Member, s.Line)
		}
		fmt.Fprintf(c.out, "    %s%s", place, s.Text)
		for _, w := range s.Writes {
			fmt.Fprintf(c.out, "  | %s.%s: %s -> %s", w.Register, w.Components, numbers(w.Old), numbers(w.New))
		}
		fmt.Fprintln(c.out)
	}
}

func numbers(bits []string) string {
	var all []string
	for i := range bits {
		all = append(all, number(&bits[i]))
	}
	return strings.Join(all, " ")
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
