package jit_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"swizzle/internal/jittest"
	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/internal/irtest"
	"swizzle/shaderkit/interp"
	"swizzle/shaderkit/ir"
)

var (
	randomPrograms = flag.Int("random", 1000, "number of random programs")
	randomFirst    = flag.Int("first", 0, "seed of the first one")
)

// looks reports whether lanes read their neighbours: these must be there, then, and not have stopped.
func looks(p *ir.Program) (found bool) {
	p.Funcs[0].Body.Walk(func(in *ir.Inst) { found = found || in.Op == ir.DDX || in.Op == ir.DDY })
	return
}

// randomJob lays out a job for a random program: some items, some pixels at the left top, or a block.
func randomJob(seed uint64, p *ir.Program, block bool) (*exec.Arena, uint32) {
	if block {
		w := irtest.NewBlock(seed)
		copy(w.Mem, []uint32{1 + uint32(seed>>2%3), w.Tri, 0, uint32(seed >> 4 % 9)})
		if seed>>3%2 == 1 && !looks(p) {
			copy(w.Mem[w.Tri/4:], []uint32{uint32(seed >> 5 & 3), uint32(seed >> 6 & 3), 8, 8 - uint32(seed>>7&3)})
		}
		return &exec.Arena{Mem: w.Mem}, w.Desc
	}
	w := irtest.NewWave(seed)
	w.Mem[exec.JobCount], w.Mem[exec.JobFirst] = irtest.Lanes, 0
	if !looks(p) {
		w.Mem[exec.JobCount] -= uint32(seed >> 2 % 4)
	}
	if p.Kind == ir.Tile {
		copy(w.Mem, []uint32{1, w.Tri, 0})
		w.Mem[exec.JobProgram] = uint32(seed % 9)
		copy(w.Mem[w.Tri/4:], []uint32{uint32(seed & 2), uint32(seed >> 1 & 3), 8, 8 - uint32(seed>>2&1)})
	}
	return &exec.Arena{Mem: w.Mem}, w.Desc
}

// checkRandom runs a random program on both engines.
func checkRandom(t *testing.T, e exec.Engine, seed uint64) {
	t.Helper()
	block := seed%8 == 5 || seed%8 == 7
	size := 60
	if seed%8 == 7 {
		size = 20 // few have loops and calls, so most are wide
	}
	p := irtest.Random(seed, irtest.Options{Size: size, Tile: seed%2 == 1, Block: block})
	p.Large = block
	check(t, e, seed, ir.Optimize(p, ir.Options{Trace: seed%4 < 2}), block) // with the calls left, or inlined
}

func check(t *testing.T, e exec.Engine, seed uint64, p *ir.Program, block bool) {
	t.Helper()
	want, err := interp.New().Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	got, err := e.Compile(p)
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, p)
	}
	defer got.Close()
	for _, budget := range []int{0, 1 + int(seed/7%20)} {
		if budget != 0 && looks(p) {
			continue
		}
		a, desc := randomJob(seed, p, block)
		b := &exec.Arena{Mem: slices.Clone(a.Mem)}
		wantResult := want.Run(a, desc, exec.Options{Budget: budget})
		gotResult := got.Run(b, desc, exec.Options{Budget: budget})
		if gotResult != wantResult {
			t.Fatalf("seed %d, budget %d: %+v, want %+v\n%s", seed, budget, gotResult, wantResult, p)
		}
		for i := range a.Mem {
			if a.Mem[i] != b.Mem[i] {
				t.Fatalf("seed %d, budget %d: word %d is %08x, want %08x\n%s", seed, budget, i, b.Mem[i], a.Mem[i], p)
			}
		}
	}
}

func TestRandomProgramsEqualTheInterpreter(t *testing.T) {
	e := jittest.New(t)
	for i := range *randomPrograms {
		checkRandom(t, e, uint64(*randomFirst+i))
	}
}

// Programs that once differed, reduced; their names have the seed of the job.
func TestFoundPrograms(t *testing.T) {
	files, err := filepath.Glob("testdata/found/*.ir")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			p, errs := ir.Parse(string(text))
			if len(errs) > 0 {
				t.Fatal(errs)
			}
			var seed uint64
			if _, err := fmt.Sscanf(p.Name, "random.%d", &seed); err != nil {
				t.Fatal(p.Name, err)
			}
			check(t, jittest.New(t), seed, p, false)
		})
	}
}

func FuzzRandomPrograms(f *testing.F) {
	e := jittest.New(f)
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { checkRandom(t, e, seed) })
}
