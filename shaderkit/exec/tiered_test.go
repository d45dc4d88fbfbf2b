package exec_test

import (
	"errors"
	"strings"
	"testing"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// doubles gives a linear program that doubles a word of resource 0 into resource 1, in a loop where asked.
func doubles(loop bool) *ir.Program {
	b := ir.NewBuilder("main", nil, nil)
	at := b.Emit(ir.Shl, 0, b.Emit(ir.Item, 0), b.U(2))
	if loop {
		b.Loop()
		b.BreakIf(b.U(^uint32(0)))
		b.EndLoop()
	}
	x := b.Emit(ir.Load, 0, b.Emit(ir.Res, 0), at)
	b.Emit(ir.Store, 0, b.Emit(ir.Res, 1), at, b.Emit(ir.IAdd, 0, x, x))
	p := &ir.Program{Kind: ir.Linear, Funcs: []*ir.Func{b.Finish()}}
	p.Interface.Resources = []ir.Resource{{Kind: ir.ConstInt}, {Kind: ir.Buffer}}
	return p
}

// A counting engine runs so many lanes a job.
type counting struct {
	fake
	lanes uint64
}

type countingKernel struct {
	fakeKernel
	lanes uint64
}

func (c counting) Compile(p *ir.Program) (exec.Kernel, error) {
	k, err := c.fake.Compile(p)
	if err != nil {
		return nil, err
	}
	c.note("compiles")
	return countingKernel{k.(fakeKernel), c.lanes}, nil
}

func (k countingKernel) Run(a *exec.Arena, desc uint32, o exec.Options) exec.Result {
	k.fakeKernel.Run(a, desc, o)
	return exec.Result{Lanes: k.lanes}
}

func TestTiered(t *testing.T) {
	arena := &exec.Arena{}
	desc := arena.Alloc(exec.JobRecords + 2*exec.RecordWords)
	for n := range 2 {
		arena.SetRecord(desc, n, exec.Record{exec.RecBase: arena.Alloc(4), exec.RecSize: 16})
	}
	for _, c := range []struct {
		name   string
		loop   bool
		lanes  int // -1: many ahead
		second error
		runs   int
		want   string
	}{
		{"few lanes", false, 1, nil, 3, "second holds, first compiles, second fetches, second fetches, first runs, second copies, second fetches, second fetches, first runs, second copies, second fetches, second fetches, first runs, second copies"},
		{"many lanes", false, 1 << 30, nil, 3, "second holds, first compiles, second fetches, second fetches, first runs, second copies, second compiles, second runs, second runs"},
		{"many lanes ahead", false, -1, nil, 2, "second holds, second compiles, second runs, second runs"},
		{"a loop", true, 1, nil, 1, "second compiles, second holds, second runs"},
		{"second fails", false, 1 << 30, errors.New("no"), 2, "second holds, first compiles, second fetches, second fetches, first runs, second copies, second fetches, second fetches, first runs, second copies"},
	} {
		var log []string
		lanes := uint64(max(0, c.lanes))
		e := exec.NewTiered(counting{fake{"first", nil, &log}, lanes}, counting{fake{"second", c.second, &log}, lanes})
		k, err := e.Compile(doubles(c.loop))
		if err != nil {
			t.Fatal(err)
		}
		ahead := 0
		if c.lanes < 0 {
			ahead = 1 << 30
		}
		e.Hold(arena)
		for range c.runs {
			k.Run(arena, desc, exec.Options{Ahead: ahead})
		}
		k.Close()
		if got := strings.Join(log, ", "); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestAccess(t *testing.T) {
	p := doubles(false)
	if a := exec.AccessOf(p); len(a.Reads) != 2 || len(a.Stores) != 1 || a.Stores[0] != 1 || a.AnyRead || a.AnyStore {
		t.Errorf("%+v", a)
	}
	b := ir.NewBuilder("main", nil, nil)
	b.Emit(ir.Store, 0, b.Emit(ir.Desc, 3), b.U(0), b.Emit(ir.Load, 0, b.Emit(ir.Desc, 4), b.U(0)))
	if a := exec.AccessOf(&ir.Program{Kind: ir.Linear, Funcs: []*ir.Func{b.Finish()}}); !a.AnyRead || !a.AnyStore {
		t.Errorf("%+v", a)
	}
}
