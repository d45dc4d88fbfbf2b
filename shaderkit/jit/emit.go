package jit

import (
	"fmt"
	"sync"

	"swizzle/shaderkit/internal/wasmenc"
	"swizzle/shaderkit/ir"
)

// Limits of what Emit writes; V8 takes 50,000 locals and 1,000 parameters, and compile times stay
// within a few milliseconds.
const (
	maxLocals = 20000
	maxParams = 1000
	maxCode   = 4 << 20
)

// An Error says what Emit cannot take.
type Error struct {
	Code string // "kind", "op", "locals", "params", "size"
	What string // the op, or the function and the number that is too large
}

func (e *Error) Error() string { return fmt.Sprintf("jit: cannot take %s [%s]", e.What, e.Code) }

// A Module is the code of a program.
type Module struct {
	Wasm    []byte
	Map     []PC // by rising offset
	Partial bool // the kernel has no strict waves: it may get stuck, see Emit
}

// A PC says which instruction of the ISA the code from an offset in the module on is of.
type PC struct {
	Offset uint32
	From   int32 // -1: fixed function
}

// Emit gives the code of a Linear or Tile program: a module that imports memory "env.memory", the
// arena, and exports
//
//	kernel(desc i32, limit i32, budget i32) f64
//
// which runs the job whose descriptor is at byte address desc of an arena of limit bytes, and gives
// the number of lanes n, or -1-n when a lane ran out of budget.
//
// Few waves need strict products (see optimist.go), and in most pictures none. So the module is Partial
// where it can be: in front of the first such wave its kernel gets stuck and gives n + Stuck, or
// -1-n-Stuck, n being the lanes before that wave. The exported globals "skip" and "wave" say then where
// it is, and where a kernel of EmitWhole begins that has them set: how many triangles and, in a Tile
// job, how many waves of the next one are done, or how many items.
//
// Equal programs give equal bytes. The error is an *Error, or says why the program does not verify.
func Emit(p *ir.Program) (*Module, error) {
	if err := p.Verify(); err != nil {
		return nil, err
	}
	return emit(p, false)
}

// EmitWhole gives a module for any job: it has strict waves where they may be needed. p is verified.
func EmitWhole(p *ir.Program) (*Module, error) { return emit(p, true) }

// Stuck is added to the number of lanes of a job that is not done. Counts of lanes are smaller.
const Stuck = 1 << 52

func emit(p *ir.Program, whole bool) (*Module, error) {
	if p.Kind == ir.Shader {
		return nil, &Error{Code: "kind", What: "a shader without the program around it"}
	}
	q, edges := prepare(p)
	m := &module{p: q, fs: functions(q), whole: whole, n: waveVectors}
	strict := q
	if whole {
		strict = q.Clone()
	}
	pairs, ok := optimistic(q, m.fs)
	solve(q, m.fs)
	if ok {
		m.pairs = pairs
		m.fs[0].hope(m.fs)
		if whole {
			m.redo = analyse(strict)[0]
		}
	}
	if f := m.fs[0]; q.Kind == ir.Tile {
		f.forms = formsOf(f)
		if m.redo != nil {
			m.redo.forms = formsOf(m.redo)
		}
		if !whole {
			m.widen()
		}
	}
	out, err := m.emit(edges)
	if err == nil && out.Partial && m.large() {
		return emit(p, true)
	}
	return out, err
}

// large reports whether the module is so near the limits that with strict waves it may pass them: then
// that is to be known at once.
func (m *module) large() bool {
	f := m.code[0]
	return f.Locals() > maxLocals/8 || len(f.Code) > maxCode/8
}

type module struct {
	*wasmenc.Module
	p    *ir.Program
	fs   []*function
	code []*wasmenc.Func // of p.Funcs that are called

	whole  bool           // of EmitWhole
	n      int            // vectors: of a wave, or of two
	pairs  []resourcePair // must lie apart
	redo   *function      // of a whole module whose entry is optimistic: the strict one
	strict *wasmenc.Func  // of redo

	gSkip, gWave uint32 // where the kernel begins or is stuck

	shared bool // masks and counts of a wave live in globals: called functions change them

	prelude

	constants map[[4]uint32]uint32 // globals that hold vectors
	log       *wasmenc.Func        // see log.go; nil where it is not needed
	scratches map[*wasmenc.Func]*[3]uint32
	pcs       []pc
}

// A prelude is what modules begin with.
type prelude struct {
	// Globals.
	gDesc, gLimit, gBudget, gStopped, gTri, gX, gY uint32
	gLive, gSpent                                  [maxVectors]uint32

	word, span, loadWord, storeWord, gather, scatter, edges *wasmenc.Func
}

// preludes are those of modules without and with a function for edges, which are all the same; of one wave
// and of two.
var preludes = [2][2]func() *module{
	{sync.OnceValue(func() *module { return newPrelude(false, waveVectors) }), sync.OnceValue(func() *module { return newPrelude(false, maxVectors) })},
	{sync.OnceValue(func() *module { return newPrelude(true, waveVectors) }), sync.OnceValue(func() *module { return newPrelude(true, maxVectors) })},
}

func newPrelude(edges bool, n int) *module {
	m := &module{Module: &wasmenc.Module{}, n: n}
	m.ImportMemory("env", "memory", 1)
	for _, g := range []*uint32{&m.gDesc, &m.gLimit, &m.gBudget, &m.gStopped, &m.gTri, &m.gX, &m.gY} {
		*g = m.Global(wasmenc.I32)
	}
	for v := range m.n {
		m.gLive[v], m.gSpent[v] = m.Global(wasmenc.V128), m.Global(wasmenc.V128)
	}
	m.helpers()
	if edges {
		m.blockEdges()
	}
	return m
}

// begin writes what modules begin with.
func (m *module) begin(edges bool) {
	k := 0
	if edges {
		k = 1
	}
	from := preludes[k][m.n/waveVectors-1]()
	m.Module, m.prelude = from.Module.Clone(), from.prelude
	for _, f := range []**wasmenc.Func{&m.word, &m.span, &m.loadWord, &m.storeWord, &m.gather, &m.scatter, &m.edges} {
		if *f != nil {
			*f = m.At((*f).Index)
		}
	}
}

type pc struct {
	f    *wasmenc.Func
	at   int
	from int32
}

// scratch gives local number i of those that w uses within one instruction.
func (m *module) scratch(w *writer, i int) uint32 {
	s := m.scratches[w.Func]
	if s == nil {
		s = &[3]uint32{w.Local(wasmenc.I32), w.Local(wasmenc.I32), w.Local(wasmenc.I32)}
		m.scratches[w.Func] = s
	}
	return s[i]
}

func (m *module) emit(edges int64) (*Module, error) {
	m.begin(edges >= 0)
	m.constants, m.scratches = map[[4]uint32]uint32{}, map[*wasmenc.Func]*[3]uint32{}
	m.code = make([]*wasmenc.Func, len(m.fs))
	for i, f := range m.fs {
		if !f.called {
			continue
		}
		m.shared = m.shared || i > 0 && f.state
		var params, results []wasmenc.Type
		if i == 0 {
			params, results = []wasmenc.Type{wasmenc.I32, wasmenc.I32, wasmenc.I32}, []wasmenc.Type{wasmenc.F64}
		} else {
			n := m.n
			for _, r := range f.Params {
				n += m.width(f.Class[r], f.uniform[r])
			}
			params = vecs(n)
			n = m.n
			for _, c := range f.Results {
				n += m.width(c, false)
			}
			results = vecs(n)
		}
		if n := max(len(params), len(results)); n > maxParams {
			return nil, &Error{Code: "params", What: fmt.Sprintf("function %q with %d vectors of parameters or results", f.Name, n)}
		}
		m.code[i] = m.Func(params, results)
	}
	// A call may store, and a Store asks which lanes are live.
	for i, f := range m.fs {
		if i > 0 && f.called {
			f.Body.Walk(func(in *ir.Inst) { m.shared = m.shared || in.Op == ir.Store })
		}
	}
	write := func(code *wasmenc.Func, f *function, what func(w *writer) error) error {
		w := m.writer(code, f, edges)
		if err := what(w); err != nil {
			return err
		}
		return w.limits()
	}
	for i, f := range m.fs[1:] {
		if f.called {
			if err := write(m.code[i+1], f, (*writer).function); err != nil {
				return nil, err
			}
		}
	}
	partial := !m.whole && (m.fs[0].opt != nil || m.wide() && len(m.pairs) > 0)
	if partial || m.whole {
		m.gSkip, m.gWave = m.Global(wasmenc.I32), m.Global(wasmenc.I32)
		m.ExportGlobal("skip", m.gSkip)
		m.ExportGlobal("wave", m.gWave)
		if m.redo != nil {
			params := []wasmenc.Type{wasmenc.I32, wasmenc.I32}
			if m.p.Kind == ir.Linear {
				params = params[:1]
			}
			m.strict = m.Func(append(params, vecs(2*m.n)...), nil)
			if err := write(m.strict, m.redo, (*writer).strict); err != nil {
				return nil, err
			}
		}
	}
	if err := write(m.code[0], m.fs[0], func(w *writer) error { return w.kernel(edges) }); err != nil {
		return nil, err
	}
	m.Export("kernel", m.code[0])
	out := &Module{Wasm: m.Bytes(), Partial: partial}
	for _, p := range m.pcs {
		at := p.f.Offset + uint32(p.at)
		if n := len(out.Map); n > 0 && out.Map[n-1].From == p.from && out.Map[n-1].Offset <= at {
			continue
		}
		out.Map = append(out.Map, PC{at, p.from})
	}
	return out, nil
}

// writer gives what writes code of f into code.
func (m *module) writer(code *wasmenc.Func, f *function, edges int64) *writer {
	code.Code = make([]byte, 0, 1024+20*len(f.Class)) // mostly enough
	w := &writer{Func: code, m: m, f: f, forms: f.forms, at: make([]place, len(f.Class)), spans: make([]span, len(f.Class)), globals: make([]uint32, len(f.Class))}
	f.prune(func(in *ir.Inst, arg int) bool {
		if in.Op == ir.Cover {
			return edges >= 0
		}
		if arg != 1 || in.Op != ir.Load && in.Op != ir.Store || !f.uniform[in.Args[0]] {
			return false
		}
		_, ok := w.forms.quad(in.Args[1])
		return ok
	})
	if f.opt != nil {
		f.sink()
		f.thin(w.empties)
	}
	f.shifts()
	f.sums()
	f.lifetimes()
	return w
}

// limits checks that the code stays within those of Emit.
func (w *writer) limits() error {
	if n := w.Locals(); n > maxLocals {
		return &Error{Code: "locals", What: fmt.Sprintf("function %q with %d locals", w.f.Name, n)}
	}
	if n := len(w.Code); n > maxCode {
		return &Error{Code: "size", What: fmt.Sprintf("function %q with %d bytes of code", w.f.Name, n)}
	}
	return nil
}

func vecs(n int) []wasmenc.Type {
	t := make([]wasmenc.Type, n)
	for i := range t {
		t[i] = wasmenc.V128
	}
	return t
}

// function writes a function other than the entry.
func (w *writer) function() error {
	n := uint32(0)
	next := func() uint32 { n++; return n - 1 }
	for v := range w.m.n {
		w.active[v] = next()
	}
	for _, r := range w.f.Params {
		for v := range w.width(r) {
			w.at[r][v] = next()
		}
	}
	for _, r := range w.f.Params {
		if w.f.record[r] && w.f.uniform[r] {
			w.declareSpan(r)
		}
	}
	w.returned = w.temps()
	for _, c := range w.f.Results {
		var p place
		for v := range w.m.width(c, false) {
			p[v] = w.temp()
		}
		w.results = append(w.results, p)
	}
	w.step()
	if err := w.within(w.f.body); err != nil {
		return err
	}
	for _, r := range w.returned[:w.m.n] {
		w.Get(r)
	}
	for i, c := range w.f.Results {
		for v := range w.m.width(c, false) {
			w.Get(w.results[i][v])
		}
	}
	return nil
}
