package interp

import (
	"slices"
	"testing"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/internal/irtest"
	"swizzle/shaderkit/ir"
)

// referenceWave lays out a job for a random program: eight items, or the block at the left top.
func referenceWave(seed uint64, kind ir.Kind) *irtest.Wave {
	w := irtest.NewWave(seed)
	w.Live = 1<<irtest.Lanes - 1
	w.Mem[exec.JobCount], w.Mem[exec.JobFirst] = irtest.Lanes, 0
	if kind == ir.Tile {
		copy(w.Mem, []uint32{1, w.Tri, 0})
		w.Mem[exec.JobProgram] = uint32(seed % 9)
		copy(w.Mem[w.Tri/4:], []uint32{0, 0, 8, 8})
	}
	return w
}

// runReference runs the waves of the job in order.
func runReference(p *ir.Program, w *irtest.Wave) {
	if p.Kind == ir.Linear {
		irtest.Run(p, w)
		return
	}
	for first := 0; first < maxLanes; first += irtest.Lanes {
		for l := range irtest.Lanes {
			x, y := pixelAt(first + l)
			w.X[l], w.Y[l] = uint32(x), uint32(y)
		}
		w.Live = 1<<irtest.Lanes - 1
		irtest.Run(p, w)
	}
}

// The engine does what the specification says, wave for wave: derivatives, Active, masks and the order
// of stores included. Programs are optimized, since before the bits of a NaN may be seen; once with
// calls inlined, once without.
func TestRandomProgramsEqualTheSpecification(t *testing.T) {
	for seed := range uint64(400) {
		kind := []ir.Kind{ir.Linear, ir.Tile}[seed%2]
		p := irtest.Random(seed, irtest.Options{Size: 60, Tile: kind == ir.Tile})
		p = ir.Optimize(p, ir.Options{Trace: seed%4 < 2})
		w := referenceWave(seed, kind)
		a := &exec.Arena{Mem: slices.Clone(w.Mem)}
		runReference(p, w)
		mustCompile(t, p).Run(a, w.Desc, exec.Options{Budget: w.Budget})
		for i := range w.Mem {
			if a.Mem[i] != w.Mem[i] {
				t.Fatalf("seed %d: word %d is %08x, want %08x\n%s", seed, i, a.Mem[i], w.Mem[i], p)
			}
		}
	}
}

func TestTraceEqualsTheSpecification(t *testing.T) {
	for seed := range uint64(100) {
		p := ir.Optimize(irtest.Random(seed, irtest.Options{Size: 60, Trace: true}), ir.Options{Trace: true})
		w := referenceWave(seed, ir.Linear)
		a := &exec.Arena{Mem: slices.Clone(w.Mem)}
		runReference(p, w)
		tr, err := Engine{}.Trace(p, a, w.Desc, exec.Pick{}, exec.Options{Budget: w.Budget})
		if err != nil {
			t.Fatal(err)
		}
		var got []irtest.Write
		for _, x := range tr.Waves[0].Writes {
			g := irtest.Write{Traced: x.Traced, From: x.From, Active: x.Active}
			for l := range irtest.Lanes {
				if x.Active>>l&1 != 0 {
					g.Value[l] = x.New[l]
				}
			}
			got = append(got, g)
		}
		if !slices.Equal(got, w.Writes) {
			t.Fatalf("seed %d:\n got %v\nwant %v\n%s", seed, got, w.Writes, p)
		}
		if tr.Waves[0].Live != w.Live || tr.Result.Stopped != w.Stopped {
			t.Errorf("seed %d: live %x, stopped %v; want %x, %v", seed, tr.Waves[0].Live, tr.Result.Stopped, w.Live, w.Stopped)
		}
	}
}
