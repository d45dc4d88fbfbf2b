package cases

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"swizzle/shaderkit"
	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
	"swizzle/shaderkit/isa"
	"swizzle/shaderkit/source"
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

// An answer is what a case comes to.
type answer struct {
	ID      json.RawMessage `json:"id,omitempty"`
	Outputs map[string]any  `json:"outputs"`
	Killed  any             `json:"killed,omitempty"`
	State   map[string]any  `json:"state,omitempty"`
	Steps   any             `json:"steps,omitempty"`
	Stopped bool            `json:"stopped,omitempty"`
	Notes   []string        `json:"notes,omitempty"`
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

// places finds lines of the text for diagnostics.
type places struct {
	text    string
	listing *isa.Listing
}

func (p places) line(g source.Diagnostic) int {
	span := g.Span
	switch {
	case g.InText:
	case p.listing == nil || g.Bytes.Len == 0:
		return 0
	default:
		i := p.listing.LineOf(g.Bytes.Off)
		if i < 0 {
			return 0
		}
		span = p.listing.Lines[i].Span
	}
	line, _ := source.Position(p.text, span.Start)
	return line
}

// note gives a diagnostic with its place.
func (p places) note(g source.Diagnostic) string {
	if line := p.line(g); line > 0 {
		return fmt.Sprintf("line %d: %s", line, g.Message)
	}
	return p.offset(g)
}

// offset gives a diagnostic with its place in the binary, when it has one.
func (p places) offset(g source.Diagnostic) string {
	if g.Bytes.Len == 0 {
		return g.Message
	}
	return fmt.Sprintf("+0x%X: %s", g.Bytes.Off, g.Message)
}

// failure gives the first error of a list.
func (p places) failure(l source.List) *failure {
	for _, g := range l {
		if g.Severity != source.Error {
			continue
		}
		f := &failure{Code: g.Code, Message: g.Message, Line: p.line(g)}
		if f.Line == 0 {
			f.Message = p.offset(g)
		}
		return f
	}
	return failf("internal", "no program and no error")
}

// program reads the program of a case.
func program(q *question, d Defaults) (*isa.Program, places, *failure) {
	var at places
	o := isa.Options{Syntax: or(q.Syntax, d.Syntax), Dialect: or(q.Dialect, d.Dialect), Stage: or(q.Stage, d.Stage), Permissive: true}
	name := or(q.ISA, d.ISA)
	arch := shaderkit.ByName(name)
	if name != "" && arch == nil {
		return nil, at, failf("unsupported-isa", "%q is no encoding that can be run; d3d9 is", name)
	}
	text, hasText := q.Text, q.Text != ""
	if !absent(q.Files) && !hasText {
		files, err := sources(q.Files)
		if err != nil {
			return nil, at, failf("case", "files: %v", err)
		}
		for _, f := range files {
			text += f.text + "\n"
		}
		hasText = text != ""
	}
	if q.Binary != "" && (!hasText || d.Prefer == "binary") {
		data, err := base64.StdEncoding.DecodeString(q.Binary)
		if err != nil {
			return nil, at, failf("case", "binary: %v", err)
		}
		if arch == nil {
			if arch, _ = shaderkit.Detect(data); arch == nil {
				return nil, at, failf("unknown-format", "the binary begins no known encoding; isa says which it is")
			}
		}
		p := arch.Decode(data, o)
		if p.Diags.HasErrors() {
			return nil, at, at.failure(p.Diags)
		}
		return p, at, nil
	}
	if !hasText {
		return nil, at, failf("case", "there is no program: text, files or binary")
	}
	if arch == nil {
		if arch = shaderkit.DetectText(text); arch == nil {
			return nil, at, failf("unknown-format", "the text is no assembly of a known encoding; isa says which it is")
		}
	}
	at.text = text
	p, listing, list := arch.Assemble(text, o)
	at.listing = listing
	if list.HasErrors() {
		return nil, at, at.failure(list)
	}
	return p, at, nil
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

// resource lays out a resource of the shader.
func (j *job) resource(i int, r ir.Resource, s *ir.SamplerState) *failure {
	given, k := j.q.Floats, float
	switch r.Kind {
	case ir.Texture:
		return j.texture(i, r, s)
	case ir.ConstInt:
		given, k = j.q.Ints, integer
	case ir.ConstBool:
		given, k = j.q.Bools, boolean
	}
	base := j.arena.Alloc(4 * r.Count)
	file := j.arena.Words(base, 4*r.Count)
	for _, key := range slices.Sorted(maps.Keys(given)) {
		n, err := number(key, r.Name)
		if err != nil {
			return failf("case", "%v", err)
		}
		v, err := vector(given[key], k)
		if err != nil {
			return failf("case", "%s: %v", key, err)
		}
		if k == boolean {
			v = [4]uint32{v[0], v[0], v[0], v[0]}
		}
		if n < r.Count {
			copy(file[4*n:], v[:])
		}
	}
	for _, d := range r.Defs {
		copy(file[4*d.Index:], d.Value[:])
	}
	j.arena.SetRecord(j.desc, i, exec.Record{exec.RecBase: base, exec.RecSize: uint32(16 * r.Count), exec.RecStride: 16})
	return nil
}

// number reads the number of a register from a key like c12.
func number(key, prefix string) (int, error) {
	digits, ok := strings.CutPrefix(key, prefix)
	n, err := strconv.ParseUint(digits, 10, 16)
	if !ok || err != nil {
		return 0, fmt.Errorf("%q is no register %s#", key, prefix)
	}
	return int(n), nil
}

func (j *job) texture(i int, r ir.Resource, s *ir.SamplerState) *failure {
	t, ok := j.q.Textures[r.Name]
	if !ok {
		return nil
	}
	state, err := t.state()
	if err != nil {
		return failf("texture", "%s: %v", r.Name, err)
	}
	if state.Dim != r.Dim {
		j.note("%s is declared as another kind of texture than the one given", r.Name)
	}
	state.Unbound = s.Unbound
	*s = state
	x, err := t.data()
	if err != nil {
		return failf("texture", "%s: %v", r.Name, err)
	}
	rec, err := exec.PutTexture(&j.arena, x)
	if err != nil {
		return failf("texture", "%s: %v", r.Name, err)
	}
	j.arena.SetRecord(j.desc, i, rec)
	return nil
}

// inputs lays out the inputs of the four lanes as a resource.
func (j *job) inputs(resource int) *failure {
	elements := j.shader.Interface.Inputs
	base := j.arena.Alloc(4 * lanes * len(elements))
	words := j.arena.Words(base, 4*lanes*len(elements))
	for i, e := range elements {
		v, bad := j.input(e)
		if bad != nil {
			return bad
		}
		for lane := range lanes {
			copy(words[4*(lane*len(elements)+i):], v[lane][:])
		}
	}
	j.arena.SetRecord(j.desc, resource, exec.Record{exec.RecBase: base, exec.RecSize: uint32(4 * len(words))})
	return nil
}

// input gives the values of one input register: a list as it is; one vector with its change to the
// right and below in the quad of a pixel.
func (j *job) input(e ir.Element) (v [lanes][4]uint32, bad *failure) {
	raw := j.q.Inputs[e.Register]
	if absent(raw) && e.System == ir.PixelPos {
		raw = j.q.Pixel
	}
	each := false
	if !absent(raw) {
		var err error
		if v, each, err = vectors(raw, float); err != nil {
			return v, failf("case", "%s: %v", e.Register, err)
		}
	}
	if each {
		return v, nil
	}
	for axis, m := range []map[string]json.RawMessage{j.q.DDX, j.q.DDY} {
		raw := m[e.Register]
		if absent(raw) && e.System != ir.PixelPos {
			continue
		}
		var step [4]uint32
		if step[axis] = math.Float32bits(1); !absent(raw) {
			var err error
			if step, err = vector(raw, float); err != nil {
				return v, failf("case", "change of %s: %v", e.Register, err)
			}
		}
		for lane := range lanes {
			if lane>>axis&1 == 0 {
				continue
			}
			for c := range 4 {
				if step[c] != 0 {
					v[lane][c] = math.Float32bits(math.Float32frombits(v[lane][c]) + math.Float32frombits(step[c]))
				}
			}
		}
	}
	return v, nil
}

// answer reads the results of the four lanes.
func (j *job) answer(res exec.Result) *answer {
	words, stride := j.arena.Words(j.results, lanes*j.stride), j.stride
	a := &answer{Outputs: map[string]any{}, Stopped: res.Stopped}
	written := map[string]int{} // element with the masks of a register
	elements := j.shader.Interface.Outputs
	ended := [lanes]bool{}
	for lane := range lanes {
		ended[lane] = words[lane*stride+stride-1] != 0
	}
	at := func(lane, element, c int) uint32 { return words[lane*stride+4*element+c] }
	for i, e := range elements {
		if e.System == ir.Written {
			written[e.Register] = i
		}
	}
	for i, e := range elements {
		switch e.System {
		case ir.Written:
			continue
		case ir.State:
			if !ended[0] {
				continue
			}
			k := j.state[e.Register]
			x := k.read([4]uint32{at(0, i, 0), at(0, i, 1), at(0, i, 2), at(0, i, 3)})
			if k == stateSteps {
				a.Steps = x
				continue
			}
			if a.State == nil {
				a.State = map[string]any{}
			}
			a.State[e.Register] = x
			continue
		}
		var v [lanes][4]any
		for lane := range lanes {
			for c := range 4 {
				if !ended[lane] || at(lane, written[e.Register], c) == 0 {
					continue // null
				}
				bits := at(lane, i, c)
				if e.Saturate {
					bits = saturate(bits)
				}
				v[lane][c] = fmt.Sprintf("0x%08X", bits)
			}
		}
		a.Outputs[e.Register] = v
		if v[1] == v[0] && v[2] == v[0] && v[3] == v[0] {
			a.Outputs[e.Register] = v[0]
		}
	}
	if j.shader.Interface.Stage == ir.Pixel && !res.Stopped {
		killed := [lanes]bool{}
		for lane := range lanes {
			killed[lane] = !ended[lane]
		}
		a.Killed = killed
		if killed == [lanes]bool{} || killed == [lanes]bool{true, true, true, true} {
			a.Killed = killed[0]
		}
	}
	return a
}
