package ir_test

import (
	"reflect"
	"strings"
	"testing"

	"swizzle/internal/testkit"
	"swizzle/shaderkit/internal/irtest"
	"swizzle/shaderkit/ir"

	"github.com/google/go-cmp/cmp"
)

// TestPasses runs one pass, or all, over programs; the section after is what becomes of before. The
// name of the folder's file begins with the pass.
func TestPasses(t *testing.T) {
	for _, c := range testkit.Cases(t, "testdata/pass/*.txtar") {
		t.Run(c.Name, func(t *testing.T) {
			for _, file := range c.Files() {
				title, ok := strings.CutSuffix(file.Name, ".before")
				if !ok {
					continue
				}
				p, list := ir.Parse(string(file.Data))
				if err := list.Err(); err != nil {
					t.Fatalf("%s: %v", file.Name, err)
				}
				if err := p.Verify(); err != nil {
					t.Fatalf("%s: %v", file.Name, err)
				}
				pass, _, _ := strings.Cut(c.Name, "_")
				o := ir.Options{Trace: strings.Contains(title, "trace")}
				if pass == "all" {
					p = ir.Optimize(p, o)
				} else {
					ir.RunPass(pass, p, o)
				}
				if err := p.Verify(); err != nil {
					t.Errorf("%s: %v\n%s", title, err, p)
				}
				c.Golden(t, title+".after", p.String())
			}
		})
	}
}

// observe runs p with some noise and gives what may be seen of it.
func observe(p *ir.Program, seed, noise uint64, budget int) *irtest.Wave {
	w := irtest.NewWave(seed)
	w.Noise += noise
	w.Budget = budget
	irtest.Run(p, w)
	w.Noise, w.Budget = 0, 0
	return w
}

// TestOptimizeKeepsResults compares random programs before and after the passes, one by one and all.
func TestOptimizeKeepsResults(t *testing.T) {
	n := uint64(600)
	if testing.Short() {
		n = 150
	}
	before, after := 0, 0
	for seed := range n {
		o := irtest.Options{Size: 10 + int(seed%120), Trace: seed%3 == 0, Tile: seed%2 == 0}
		p := irtest.Random(seed, o)
		if err := p.Verify(); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, p)
		}
		if seed < 20 {
			checkRoundTrip(t, p)
		}
		text := p.String()
		reference := p.Clone()
		ir.RunPass("canon", reference, ir.Options{})
		want := observe(reference, seed, 0, 1<<16)
		check := func(what string, q *ir.Program) {
			t.Helper()
			if err := q.Verify(); err != nil {
				t.Fatalf("seed %d, %s: %v\n%s", seed, what, err, q)
			}
			if err := q.VerifyCanon(); err != nil {
				t.Fatalf("seed %d, %s: %v\n%s", seed, what, err, q)
			}
			if got := observe(q, seed, 1, 1<<16); !reflect.DeepEqual(want, got) {
				t.Fatalf("seed %d, %s:\n%s\n%s\n%s", seed, what, cmp.Diff(want, got), reference, q)
			}
		}
		check("other noise", reference)
		options := ir.Options{Trace: o.Trace}
		for _, name := range ir.PassNames() {
			q := p.Clone()
			ir.RunPass(name, q, options)
			if name != "canon" {
				ir.RunPass("canon", q, options)
			}
			check(name, q)
		}
		q := ir.Optimize(p, options)
		check("all passes", q)
		before += count(reference)
		after += count(q)
		if p.String() != text {
			t.Fatalf("seed %d: Optimize changed its operand", seed)
		}
		if job, tri := ir.Split(q); job+tri == 0 {
			t.Fatalf("seed %d: nothing was hoisted\n%s", seed, q)
		}
	}
	t.Logf("%d instructions became %d", before, after)
}

func count(p *ir.Program) (n int) {
	for _, f := range p.Funcs {
		f.Body.Walk(func(*ir.Inst) { n++ })
	}
	return n
}

// TestCanonIsNeeded shows that the comparison above would see a missing Canon.
func TestCanonIsNeeded(t *testing.T) {
	for seed := range uint64(300) {
		p := irtest.Random(seed, irtest.Options{Size: 60})
		if !reflect.DeepEqual(observe(p, seed, 0, 1<<16), observe(p, seed, 1, 1<<16)) {
			return
		}
	}
	t.Error("no program without Canon depends on the bits of NaNs")
}

// The benchmarks work on a program of about 650 instructions.
const benchSize = 40

func BenchmarkOptimize(b *testing.B) {
	p := shaderLike(benchSize)
	for b.Loop() {
		ir.Optimize(p, ir.Options{})
	}
	b.ReportMetric(float64(count(p)), "insts")
}

func BenchmarkBuild(b *testing.B) {
	for b.Loop() {
		shaderLike(benchSize)
	}
}

func BenchmarkVerify(b *testing.B) {
	p := shaderLike(benchSize)
	for b.Loop() {
		if err := p.Verify(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPrintParse(b *testing.B) {
	p := shaderLike(benchSize)
	for b.Loop() {
		if _, list := ir.Parse(p.String()); len(list) > 0 {
			b.Fatal(list)
		}
	}
}

// shaderLike builds n vector instructions over constants and temporaries in a linear program, with
// an If or a Loop every 20.
func shaderLike(n int) *ir.Program {
	b := ir.NewBuilder("main", nil, nil)
	op := func(op ir.Op, args ...ir.Reg) ir.Reg { return b.Emit(op, 0, args...) }
	temps := make([]ir.Var, 48)
	for i := range temps {
		temps[i] = b.NewVar(op(ir.Item))
	}
	for i := range n {
		b.From = int32(i)
		for k := range 3 {
			c := op(ir.Load, b.Emit(ir.Res, 0), b.U(uint32(16*(i%30)+4*k)))
			x, y := b.Get(temps[(i*7+k)%48]), b.Get(temps[(i*3+k)%48])
			b.Set(temps[(i*5+k)%48], op(ir.FAdd, op(ir.FMul, x, c), y))
		}
		switch {
		case i%20 == 5:
			b.If(op(ir.FLt, b.Get(temps[i%48]), b.Get(temps[0])))
		case i%20 == 10:
			b.Loop()
			b.BreakIf(op(ir.FLt, b.Get(temps[1]), b.Get(temps[2])))
		case i%20 == 12:
			b.EndLoop()
		case i%20 == 15:
			b.EndIf()
		}
	}
	for i, v := range temps {
		b.Emit(ir.Store, 0, b.Emit(ir.Res, 1), b.U(uint32(4*i)), b.Get(v))
	}
	return &ir.Program{Kind: ir.Linear, Funcs: []*ir.Func{b.Finish()},
		Interface: ir.Interface{Resources: []ir.Resource{{Name: "c"}, {Name: "out", Kind: ir.Buffer}}}}
}
