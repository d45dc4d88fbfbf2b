package cases

import (
	"encoding/json"
	"fmt"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
	"swizzle/shaderkit/isa"
)

// Defaults hold where a case says nothing.
type Defaults struct {
	ISA     string // "d3d9"; "" is decided by the content
	Stage   string // "vs" or "ps"; of several programs in a file the first of it runs
	Syntax  string // of text
	Dialect string // of binaries
	Mode    string // numeric mode
	Prefer  string // "text" (the same as "") or "binary", where a case has both
	Steps   int    // budget of back-edges and calls for each lane; 0 is exec.DefaultBudget
	Engine  exec.Engine
}

// Run answers one case, a JSON object, by a JSON object without a newline. It never fails: what is
// wrong stands in the answer.
func Run(line []byte, d Defaults) []byte {
	var q question
	var a *answer
	var bad *failure
	if err := json.Unmarshal(line, &q); err != nil {
		var id struct {
			ID json.RawMessage `json:"id"`
		}
		if json.Unmarshal(line, &id) == nil { // one key is wrong, the line is not
			q.ID = id.ID
		}
		bad = failf("case", "%v", err)
	} else {
		a, bad = run(&q, d)
	}
	var out any = a
	if bad != nil {
		out = struct {
			ID    json.RawMessage `json:"id,omitempty"`
			Error *failure        `json:"error"`
		}{q.ID, bad}
	} else {
		a.ID = q.ID
	}
	b, err := json.Marshal(out)
	if err != nil { // only an id could do that, and it was read as JSON
		b, _ = json.Marshal(map[string]*failure{"error": failf("case", "%v", err)})
	}
	return b
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func run(q *question, d Defaults) (*answer, *failure) {
	p, places, bad := program(q, d)
	if bad != nil {
		return nil, bad
	}
	state, ok := states[p.Arch.Name]
	if !ok || p.Arch.Lower == nil {
		return nil, failf("unsupported-isa", "programs of %s cannot be run yet", p.Arch.Name)
	}
	if stage := or(q.Stage, d.Stage); stage != "" && stage != p.Stage {
		return nil, failf("stage", "the program is a %s, not a %s", p.Stage, stage)
	}
	shader, list := p.Arch.Lower(p, isa.LowerOptions{Mode: or(q.Mode, d.Mode), Probe: true})
	if shader == nil {
		return nil, places.failure(list)
	}
	j := &job{q: q, shader: shader, state: state}
	for _, g := range list {
		j.note("%s", places.note(g))
	}
	a, bad := j.run(d)
	if bad != nil {
		return nil, bad
	}
	a.Notes = j.notes
	return a, nil
}

// A job is one run of a shader.
type job struct {
	q      *question
	shader *ir.Program
	state  map[string]stateKind
	notes  []string

	arena   exec.Arena
	desc    uint32
	results uint32 // address of the results of the lanes
	stride  int    // words of the results of a lane: those of the shader, then one that tells that it came to its end
}

func (j *job) note(format string, args ...any) {
	j.notes = append(j.notes, fmt.Sprintf(format, args...))
}

func (j *job) run(d Defaults) (*answer, *failure) {
	p, bad := j.prepare()
	if bad != nil {
		return nil, bad
	}
	k, err := d.Engine.Compile(p)
	if err != nil {
		return nil, failf("engine", "%v", err)
	}
	defer k.Close()
	budget := j.q.Steps
	if budget <= 0 {
		budget = d.Steps
	}
	return j.answer(k.Run(&j.arena, j.desc, exec.Options{Budget: budget})), nil
}

// prepare lays out the job and makes its program.
func (j *job) prepare() (*ir.Program, *failure) {
	resources := j.shader.Interface.Resources
	n := len(resources)
	j.desc = j.arena.Alloc(exec.JobRecords + exec.RecordWords*(n+2))
	j.arena.Words(j.desc, 1)[exec.JobCount] = lanes
	samplers := make([]ir.SamplerState, n)
	copy(samplers, j.shader.Samplers)
	for i, r := range resources {
		if bad := j.resource(i, r, &samplers[i]); bad != nil {
			return nil, bad
		}
	}
	if bad := j.inputs(n); bad != nil {
		return nil, bad
	}
	j.unknown()
	j.stride = 4*len(j.shader.Interface.Outputs) + 1
	j.results = j.arena.Alloc(lanes * j.stride)
	j.arena.SetRecord(j.desc, n+1, exec.Record{exec.RecBase: j.results, exec.RecSize: uint32(4 * lanes * j.stride)})
	p := wrap(j.shader)
	p.Samplers = samplers
	return ir.Optimize(p, ir.Options{Trace: true}), nil // calls stay: they count in the budget
}

// wrap makes a program of kind Linear around a shader: each item loads the inputs from one buffer,
// calls the shader and stores its results into another, and behind them a word that is not zero.
func wrap(shader *ir.Program) *ir.Program {
	p := &ir.Program{Name: shader.Name, Kind: ir.Linear, Interface: shader.Interface, Traced: shader.Traced, Modes: shader.Modes}
	n := len(shader.Interface.Resources)
	p.Interface.Resources = append(shader.Interface.Resources[:n:n], ir.Resource{Name: "inputs", Kind: ir.Buffer}, ir.Resource{Name: "outputs", Kind: ir.Buffer})
	b := ir.NewBuilder("case", nil, nil)
	p.Funcs = append(p.Funcs, b.Func)
	entry := len(p.Funcs)
	for _, f := range shader.Funcs { // the shader is ours alone: it may be changed
		f.Body.Walk(func(in *ir.Inst) {
			if in.Op == ir.Call {
				in.Imm += uint64(entry)
			}
		})
		p.Funcs = append(p.Funcs, f)
	}
	item := b.Emit(ir.Item, 0)
	address := func(stride int) func(i int) ir.Reg {
		first := b.Emit(ir.IMul, 0, item, b.U(uint32(4*stride)))
		return func(i int) ir.Reg { return b.Emit(ir.IAdd, 0, first, b.U(uint32(4*i))) }
	}
	args := make([]ir.Reg, 4*len(shader.Interface.Inputs))
	record, word := b.Emit(ir.Res, uint64(n)), address(len(args))
	for i := range args {
		args[i] = b.Emit(ir.Load, 0, record, word(i))
	}
	results := b.Call(entry, p.Funcs[entry], args...)
	record, word = b.Emit(ir.Res, uint64(n+1)), address(len(results)+1)
	for i, r := range append(results, b.U(1)) {
		b.Emit(ir.Store, 0, record, word(i), r)
	}
	b.Finish()
	return p
}
