package exec_test

import (
	"errors"
	"testing"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

type fake struct {
	name string
	err  error
}

type fakeKernel struct {
	exec.Kernel
	of string
}

func (f fake) Name() string { return f.name }
func (f fake) Compile(*ir.Program) (exec.Kernel, error) {
	if f.err != nil {
		return nil, f.err
	}
	return fakeKernel{of: f.name}, nil
}

func TestFallback(t *testing.T) {
	a, b := errors.New("a"), errors.New("b")
	for _, c := range []struct {
		first, second error
		want          string
		told          error
		err           error
	}{
		{nil, nil, "first", nil, nil},
		{a, nil, "second", a, nil},
		{a, b, "", nil, b},
	} {
		var told error
		f := exec.Fallback{First: fake{"first", c.first}, Second: fake{"second", c.second}, Told: func(_ *ir.Program, why error) { told = why }}
		k, err := f.Compile(nil)
		of := ""
		if err == nil {
			of = k.(fakeKernel).of
		}
		if of != c.want || told != c.told || err != c.err || f.Name() != "first" {
			t.Errorf("%v, %v: kernel of %q, told %v, error %v", c.first, c.second, of, told, err)
		}
	}
}
