//go:build !js

package wazerohost_test

import (
	"runtime"
	"sync"
	"testing"

	"swizzle/internal/jittest"
	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// count adds number n to each word of a buffer.
func count(n uint32) *ir.Program {
	b := ir.NewBuilder("main", nil, nil)
	at := b.Emit(ir.Shl, 0, b.Emit(ir.Item, 0), b.U(2))
	b.Emit(ir.Store, 0, b.Emit(ir.Res, 0), at, b.Emit(ir.IAdd, 0, b.Emit(ir.Load, 0, b.Emit(ir.Res, 0), at), b.U(n)))
	p := &ir.Program{Kind: ir.Linear, Funcs: []*ir.Func{b.Finish()}}
	p.Interface.Resources = []ir.Resource{{Kind: ir.Buffer}}
	return p
}

// Forks of a kernel run at once in one memory, each on words of its own.
func TestForks(t *testing.T) {
	e := jittest.New(t)
	k, err := e.Compile(count(3))
	if err != nil {
		t.Fatal(err)
	}
	const jobs, words, runs = 7, 1000, 200
	a := &exec.Arena{}
	var descs, data [jobs]uint32
	for i := range descs {
		descs[i], data[i] = a.Alloc(exec.JobRecords+exec.RecordWords), a.Alloc(words)
		a.Words(descs[i], 1)[exec.JobCount] = words
		a.SetRecord(descs[i], 0, exec.Record{exec.RecBase: data[i], exec.RecSize: 4 * words})
	}
	e.Hold(a)
	var all sync.WaitGroup
	for i := range descs {
		f, err := k.(exec.Forker).Fork()
		if err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			defer f.Close()
			for range runs {
				if r := f.Run(a, descs[i], exec.Options{}); r.Stopped || r.Lanes != words {
					t.Errorf("job %d: %+v", i, r)
				}
			}
		})
	}
	all.Wait()
	k.Close()
	e.Release(a)
	for i := range data {
		for n, w := range a.Words(data[i], words) {
			if w != 3*runs {
				t.Fatalf("job %d: word %d is %d, want %d", i, n, w, 3*runs)
			}
		}
	}
}

// A kernel that is closed leaves nothing behind.
func TestClose(t *testing.T) {
	e := jittest.New(t)
	use := func(from, to uint32) uint64 {
		for n := from; n < to; n++ {
			k, err := e.Compile(count(n))
			if err != nil {
				t.Fatal(err)
			}
			same, err := e.Compile(count(n)) // equal programs share code
			if err != nil {
				t.Fatal(err)
			}
			f, err := k.(exec.Forker).Fork()
			if err != nil {
				t.Fatal(err)
			}
			k.Close()
			a := &exec.Arena{}
			desc, data := a.Alloc(exec.JobRecords+exec.RecordWords), a.Alloc(1)
			a.Words(desc, 1)[exec.JobCount] = 1
			a.SetRecord(desc, 0, exec.Record{exec.RecBase: data, exec.RecSize: 4})
			f.Run(a, desc, exec.Options{})
			f.Close()
			same.Run(a, desc, exec.Options{})
			same.Close()
			if got := a.Words(data, 1)[0]; got != 2*n {
				t.Fatalf("two runs add %d, want %d", got, 2*n)
			}
		}
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	const few, more = 20, 220
	before := use(0, few)
	if grown := int64(use(few, more)) - int64(before); grown > 1024*(more-few) {
		t.Errorf("%d kernels left %d bytes behind", more-few, grown)
	}
	runtime.KeepAlive(e)
}
