package exec_test

import (
	"errors"
	"strings"
	"testing"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// A fake engine notes what is asked of it.
type fake struct {
	name string
	err  error
	log  *[]string
}

type fakeKernel struct{ fake }

func (f fake) note(what string) { *f.log = append(*f.log, f.name+" "+what) }

func (f fake) Name() string                          { return f.name }
func (f fake) Hold(*exec.Arena)                      { f.note("holds") }
func (f fake) Release(*exec.Arena)                   { f.note("releases") }
func (f fake) Fetch(*exec.Arena, uint32, int)        { f.note("fetches") }
func (f fake) Changed(*exec.Arena, uint32, int)      { f.note("copies") }
func (f fake) Fill(*exec.Arena, uint32, int, uint32) { f.note("fills") }
func (f fake) Rows(*exec.Arena, exec.Rows)           { f.note("moves rows") }
func (f fake) Bytes(*exec.Arena, uint32, []byte)     { f.note("gives bytes") }
func (f fakeKernel) Close()                          {}
func (f fakeKernel) Run(*exec.Arena, uint32, exec.Options) exec.Result {
	f.note("runs")
	return exec.Result{}
}
func (f fake) Compile(*ir.Program) (exec.Kernel, error) {
	if f.err != nil {
		return nil, f.err
	}
	return fakeKernel{f}, nil
}

func TestFallback(t *testing.T) {
	a, b := errors.New("a"), errors.New("b")
	for _, c := range []struct {
		first, second error
		want          string
		told          error
		err           error
	}{
		{nil, nil, "first runs, first holds, first copies, first runs, first fetches, first fills, first moves rows, first gives bytes, first releases", nil, nil},
		{a, nil, "second runs, first holds, first copies, first releases, second runs, first holds, first fetches, first fills, first moves rows, first gives bytes, first releases", a, nil},
		{a, b, "", nil, b},
	} {
		var told error
		var log []string
		f := &exec.Fallback{First: fake{"first", c.first, &log}, Second: fake{"second", c.second, &log}, Told: func(_ *ir.Program, why error) { told = why }}
		k, err := f.Compile(nil)
		if err == nil {
			arena := &exec.Arena{}
			k.Run(arena, 0, exec.Options{})
			f.Hold(arena)
			f.Changed(arena, 0, 1)
			k.Run(arena, 0, exec.Options{})
			f.Fetch(arena, 0, 1)
			f.Fill(arena, 0, 1, 0)
			f.Rows(arena, exec.Rows{})
			f.Bytes(arena, 0, nil)
			f.Release(arena)
		}
		if got := strings.Join(log, ", "); got != c.want || told != c.told || err != c.err || f.Name() != "first" {
			t.Errorf("%v, %v: %s; told %v, error %v", c.first, c.second, got, told, err)
		}
	}
}
