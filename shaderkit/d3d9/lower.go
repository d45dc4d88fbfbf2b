package d3d9

import (
	"fmt"

	"swizzle/shaderkit/ir"
	"swizzle/shaderkit/isa"
	"swizzle/shaderkit/source"
)

// Numeric modes of Lower.
const (
	ModeD3D9  = "d3d9"  // 0 * anything = 0, as Direct3D 9 hardware computes; the default
	ModeIEEE  = "ieee"  // products by the book: 0 * infinity is NaN
	ModeRange = "range" // ps_1_x: d3d9, with registers clamped to the smallest range that hardware may have
	ModeFixed = "fixed" // ps_1_x: d3d9, with registers in signed 4.12 fixed point
)

// Lower turns a program into IR: a function of the input registers, which gives the output registers.
// Components of outputs that the program never writes read as zero, of oD0 and oFog as one. What cannot
// be lowered is an error in the list, and then there is no program; reads of registers that nothing has
// written give zero and a note.
//
// Three resources come first: the constant files c, i and b, with the program's own definitions as
// Defs. The samplers follow in order of their numbers. Those of ps_1_x have no declared kind (Any is
// set), and where such a program takes texture coordinates through a bump matrix, a resource "bump"
// comes last.
//
// With o.Probe the results of the function go on behind the outputs: for each output register an
// element of System ir.Written, masks of the components written in that lane; then elements of
// System ir.State: a0, aL and p0 where the program writes them, and "steps", whose x counts the
// instructions that the lane executed, markers (else, endif, label) left out.
func Lower(p *isa.Program, o isa.LowerOptions) (*ir.Program, source.List) {
	l := &lowering{p: p, o: o, slots: map[*isa.Op]*opSlots{}, traced: map[component]int{}, written: map[component]bool{}, rows: map[pad]ir.Reg{}}
	l.ps1 = p.Ctx.Stage == PS && p.Ctx.Version < v20
	l.ps13 = l.ps1 && p.Ctx.Version < v14
	if !l.numericMode() {
		return nil, l.list
	}
	if p.Modules != nil {
		l.list.Add(source.Diagnostic{Code: "effect-not-run", Unsupported: true, Bytes: source.Range{Len: min(4, len(p.Data))}, Value: p.Word(0),
			Message: fmt.Sprintf("an effect of %d programs cannot be run as one; extract the one that is meant", len(p.Modules)-1)})
		return nil, l.list
	}
	if v := p.Ctx.Version; !supported(p.Ctx) {
		what := "a program of an unknown version"
		if p.Stage != "" {
			what = fmt.Sprintf("%s_%d_%d", p.Stage, v>>8, v&255)
		}
		l.list.Add(source.Diagnostic{Code: "version-not-run", Unsupported: true, Bytes: source.Range{Len: min(4, len(p.Data))}, Value: p.Word(0),
			Message: what + " cannot be run; versions 1_0 to 3_0 can"})
		return nil, l.list
	}
	l.read()
	l.declare()
	l.structure()
	if !l.list.HasErrors() {
		l.lowerMain()
		l.notes()
	}
	l.list.Sort()
	if l.list.HasErrors() {
		return nil, l.list
	}
	return l.prog, l.list
}

// lowering is the state of one Lower.
type lowering struct {
	p       *isa.Program
	o       isa.LowerOptions
	ps1     bool // a pixel shader before 2_0
	ps13    bool // a pixel shader before 1_4: t# are written, coordinates are apart
	mode    string
	product ir.Op // FMulZ or FMul
	most    int   // mode range: the largest value of a register
	list    source.List
	slots   map[*isa.Op]*opSlots

	insts   []inst
	inputs  []ir.Element
	outputs []ir.Element
	inRegs  []register // input register of each element of inputs
	outRegs []register // output register of each element of outputs
	files   [3]ir.Resource
	sampler map[uint32]ir.Dim // declared or used samplers
	resNum  map[uint32]int    // resource number of a sampler
	bump    int               // number of the resource with bump matrices
	stages  int               // that have one: 0 where no instruction reads one
	implied map[register]bool // outputs that no declaration names

	funcs     []*function // funcs[0] is main
	labels    map[uint32]*function
	divergent []bool // by instruction: lanes may have parted
	guard     bool   // writes in divergent flow must keep the values of lanes that are not active

	prog      *ir.Program
	traced    map[component]int  // index in prog.Traced
	written   map[component]bool // components that something may have written so far
	unwritten []unwritten        // reads of what is not in written
	quiet     bool               // what is read now does not count as read
	pair      bool               // results wait until all of a co-issued pair is computed
	waiting   []outcome
	rows      map[pad]ir.Reg // of matrices of ps_1_x

	*building // of the function being lowered
}

func (l *lowering) errorf(in *inst, off int, code, format string, args ...any) {
	n := in.bytes.End() - off
	if off != in.bytes.Off {
		n = min(n, 4)
	}
	l.list.BytesErrorf(source.Range{Off: off, Len: n}, l.p.Word(off), code, format, args...)
}

// name spells a register.
func (l *lowering) name(r register) string {
	if r.typ == typeCoord {
		r.typ = RegTexture
	}
	s, _, ok := registers.Name(l.p.Ctx, r.typ, r.num)
	if !ok {
		return fmt.Sprintf("register type %d number %d", r.typ, r.num)
	}
	return s
}

// lowerMain lowers main, and through its calls every function that is reached.
func (l *lowering) lowerMain() {
	l.prog = &ir.Program{Name: fmt.Sprintf("%s_%d_%d", l.p.Stage, l.p.Major, l.p.Minor), Kind: ir.Shader, Modes: []string{l.mode}}
	l.prog.Interface = l.iface()
	l.prog.Samplers = make([]ir.SamplerState, len(l.prog.Interface.Resources))
	for i, r := range l.prog.Interface.Resources {
		l.prog.Samplers[i] = ir.SamplerState{Dim: r.Dim, Unbound: [4]uint32{0, 0, 0, one}}
	}
	main, results := l.funcs[0], l.returned()
	l.begin(main, "main", 4*len(l.inputs), results)
	for i, r := range l.inRegs {
		if _, read := l.vars[r]; !read {
			continue
		}
		alone := (i == 0 || l.inRegs[i-1] != r) && (i+1 == len(l.inRegs) || l.inRegs[i+1] != r)
		for c := range 4 {
			if !alone && l.inputs[i].Mask>>c&1 == 0 {
				continue
			}
			p := 4*i + c
			if l.inputs[i].System == ir.Face {
				p = 4 * i // a scalar, the same in every lane of a swizzle
			}
			v := l.b.Func.Params[p]
			if l.ps1 && r.typ == RegInput { // colours are in 0..1
				v = l.ranged(l.saturate(v))
			}
			l.b.Set(l.vars[r][c], v)
			l.written[component{r, c}] = true
		}
	}
	l.body(main)
}

// returned gives the registers that main returns: the outputs, then what a probe asks for.
func (l *lowering) returned() []register {
	regs := append([]register(nil), l.outRegs...)
	for _, e := range l.probes() {
		regs = append(regs, e.reg)
	}
	return regs
}

type probe struct {
	ir.Element
	reg register
}

func (l *lowering) probes() []probe {
	if !l.o.Probe {
		return nil
	}
	var ps []probe
	add := func(r register, name string, mask uint8, s ir.System) {
		ps = append(ps, probe{ir.Element{Register: name, Mask: mask, System: s}, r})
	}
	for i, r := range l.outRegs {
		if i == 0 || r != l.outRegs[i-1] {
			add(register{r.typ | typeWritten, r.num}, l.name(r), 15, ir.Written)
		}
	}
	main := l.funcs[0]
	for _, r := range []register{{RegAddr, 0}, {RegLoop, 0}, {RegPredicate, 0}} {
		if main.writes[r] {
			mask := uint8(15)
			if r.typ == RegLoop {
				mask = 1
			}
			add(r, l.name(r), mask, ir.State)
		}
	}
	add(steps, "steps", 1, ir.State)
	return ps
}

// iface gives the interface of the program.
func (l *lowering) iface() ir.Interface {
	f := ir.Interface{Stage: ir.Stage(l.p.Stage), Inputs: l.inputs, Outputs: l.outputs, Resources: l.files[:]}
	for _, e := range l.probes() {
		f.Outputs = append(f.Outputs[:len(f.Outputs):len(f.Outputs)], e.Element)
	}
	l.resNum = map[uint32]int{}
	for _, n := range sortedKeys(l.sampler) {
		l.resNum[n] = len(f.Resources)
		f.Resources = append(f.Resources, ir.Resource{Name: fmt.Sprintf("s%d", n), Kind: ir.Texture, Dim: l.sampler[n], Any: l.ps1})
	}
	if l.stages > 0 {
		l.bump = len(f.Resources)
		f.Resources = append(f.Resources, ir.Resource{Name: "bump", Kind: ir.ConstBump, Count: 2 * l.stages})
	}
	return f
}
