package interp

import (
	"math"
	"slices"
	"testing"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// smallTriangle covers x+y <= 4 of the block at (8, 0).
var smallTriangle = [13]int32{8, 0, 16, 8, 1, 0, -8, 0, 1, 0, -1, -1, 12}

// Differences are taken between the lanes of a quad, those of helpers included.
func TestDerivatives(t *testing.T) {
	b := ir.NewBuilder("main", nil, nil)
	x, y := b.Emit(ir.LaneX, 0), b.Emit(ir.LaneY, 0)
	b.Emit(ir.Cover, 0, b.Emit(ir.Edges, 4, x, y))
	fx, fy := b.Emit(ir.U2F, 0, x), b.Emit(ir.U2F, 0, y)
	v := b.Emit(ir.FAdd, 0, b.Emit(ir.FMul, 0, fx, fx), b.Emit(ir.FMul, 0, b.Emit(ir.FMul, 0, fy, fy), fx))
	// Killed lanes go on as helpers.
	b.Emit(ir.Kill, 0, b.Emit(ir.IEq, 0, x, b.U(9)))
	dx, dy := b.Emit(ir.DDX, 0, v), b.Emit(ir.DDY, 0, v)
	b.Emit(ir.Store, 0, b.Emit(ir.Res, 0), tileOffset(b), dx)
	b.Emit(ir.Store, 0, b.Emit(ir.Res, 1), tileOffset(b), dy)
	k := mustCompile(t, program(ir.Tile, b.Finish()))
	var a exec.Arena
	d := tileJob(&a, smallTriangle)
	outX, outY := resource(&a, d, 0, 4096), resource(&a, d, 1, 4096)
	if r := k.Run(&a, d, exec.Options{}); r.Lanes != 15 {
		t.Errorf("%d lanes, want 15", r.Lanes)
	}
	f := func(x, y int) float32 { return float32(x*x + y*y*x) }
	for y := range 8 {
		for x := range 64 {
			i := exec.TileIndex(x, y)
			gotX, gotY := math.Float32frombits(a.Words(outX, 4096)[i]), math.Float32frombits(a.Words(outY, 4096)[i])
			var wantX, wantY float32
			if x >= 8 && x+y <= 12 && x != 9 {
				wantX, wantY = f(x|1, y)-f(x&^1, y), f(x, y|1)-f(x, y&^1)
			}
			if gotX != wantX || gotY != wantY {
				t.Errorf("pixel %d, %d: %v, %v, want %v, %v", x, y, gotX, gotY, wantX, wantY)
			}
		}
	}
}

// In divergent code a neighbour's value is the one it wrote last; Active tells who executes.
func TestActiveAndDivergentDerivatives(t *testing.T) {
	b := ir.NewBuilder("main", nil, nil)
	item := b.Emit(ir.Item, 0)
	v := b.NewVar(b.Emit(ir.U2F, 0, item))
	act := b.NewVar(b.U(7))
	b.If(b.Emit(ir.ULt, 0, item, b.U(5)))
	// All lanes compute this, though only items below 5 are active.
	twice := b.Emit(ir.FMul, 0, b.Get(v), b.F(2))
	b.Set(act, b.Emit(ir.Active, 0))
	b.Set(v, b.Emit(ir.DDX, 0, twice))
	b.EndIf()
	b.Emit(ir.Store, 0, b.Emit(ir.Res, 0), itemOffset(b, 1, 0), b.Get(v))
	b.Emit(ir.Store, 0, b.Emit(ir.Res, 1), itemOffset(b, 1, 0), b.Get(act))
	k := mustCompile(t, program(ir.Linear, b.Finish()))
	var a exec.Arena
	d := linearJob(&a, 0, 8)
	out, active := resource(&a, d, 0, 8), resource(&a, d, 1, 8)
	k.Run(&a, d, exec.Options{})
	for i := range 8 {
		want, wantActive := float32(2), ^uint32(0)
		if i >= 5 {
			want, wantActive = float32(i), 7
		}
		if got := math.Float32frombits(a.Words(out, 8)[i]); got != want || a.Words(active, 8)[i] != wantActive {
			t.Errorf("item %d: %v, active %x; want %v, %x", i, got, a.Words(active, 8)[i], want, wantActive)
		}
	}
}

// A parameter of a loop changes at the back-edge: a lane that has continued early still shows its
// neighbour the value of this iteration.
func TestParametersChangeTogether(t *testing.T) {
	b := ir.NewBuilder("main", nil, nil)
	item := b.Emit(ir.Item, 0)
	n, v, sum := b.NewVar(b.U(0)), b.NewVar(b.Emit(ir.U2F, 0, item)), b.NewVar(b.F(0))
	b.Loop()
	b.BreakIf(b.Emit(ir.IEq, 0, b.Get(n), b.U(2)))
	old := b.Get(v)
	b.Set(n, b.Emit(ir.IAdd, 0, b.Get(n), b.U(1)))
	b.Set(v, b.Emit(ir.FMul, 0, old, b.F(10)))
	b.If(b.Emit(ir.And, 0, b.Emit(ir.INe, 0, b.Emit(ir.And, 0, item, b.U(1)), b.U(0)), b.Emit(ir.IEq, 0, b.Get(n), b.U(1))))
	b.Continue()
	b.EndIf()
	b.Set(sum, b.Emit(ir.FAdd, 0, b.Get(sum), b.Emit(ir.DDX, 0, old)))
	b.EndLoop()
	b.Emit(ir.Store, 0, b.Emit(ir.Res, 0), itemOffset(b, 1, 0), b.Get(sum))
	k := mustCompile(t, program(ir.Linear, b.Finish()))
	var a exec.Arena
	d := linearJob(&a, 0, 4)
	out := resource(&a, d, 0, 4)
	k.Run(&a, d, exec.Options{})
	for i, want := range []float32{1 + 10, 10, 1 + 10, 10} {
		if got := math.Float32frombits(a.Words(out, 4)[i]); got != want {
			t.Errorf("item %d: %v, want %v", i, got, want)
		}
	}
}

// counter writes a program in which each wave reads a counter, stores its value to each lane's own
// word, and adds one: waves must run one after the other, and lanes of a wave at once.
func counter(b *ir.Builder, own ir.Reg) {
	n := b.Emit(ir.Load, 0, b.Emit(ir.Res, 1), b.U(0))
	b.Emit(ir.Store, 0, b.Emit(ir.Res, 0), own, n)
	b.Emit(ir.Store, 0, b.Emit(ir.Res, 1), b.U(0), b.Emit(ir.IAdd, 0, n, b.U(1)))
}

func TestWavesOfALinearJobRunInOrder(t *testing.T) {
	b := ir.NewBuilder("main", nil, nil)
	counter(b, itemOffset(b, 1, 0))
	k := mustCompile(t, program(ir.Linear, b.Finish()))
	var a exec.Arena
	d := linearJob(&a, 0, 100)
	out, count := resource(&a, d, 0, 100), resource(&a, d, 1, 1)
	k.Run(&a, d, exec.Options{})
	if n := a.Words(count, 1)[0]; n != 13 {
		t.Errorf("counter is %d, want 13", n)
	}
	for i, w := range a.Words(out, 100) {
		if w != uint32(i/8) {
			t.Errorf("item %d ran in wave %d, want %d", i, w, i/8)
		}
	}
}

func TestWavesOfATileJobRunInOrder(t *testing.T) {
	for _, inFront := range []bool{false, true} { // the counter's record and value known in front of Cover
		b := ir.NewBuilder("main", nil, nil)
		x, y := b.Emit(ir.LaneX, 0), b.Emit(ir.LaneY, 0)
		cover := b.Emit(ir.Edges, 4, x, y)
		var n ir.Reg
		if inFront {
			n = b.Emit(ir.Load, 0, b.Emit(ir.Res, 1), b.U(0))
		}
		b.Emit(ir.Cover, 0, cover)
		if inFront {
			b.Emit(ir.Store, 0, b.Emit(ir.Res, 0), tileOffset(b), n)
			b.Emit(ir.Store, 0, b.Emit(ir.Res, 1), b.U(0), b.Emit(ir.IAdd, 0, n, b.U(1)))
		} else {
			counter(b, tileOffset(b))
		}
		k := mustCompile(t, program(ir.Tile, b.Finish()))
		var a exec.Arena
		big := [13]int32{0, 0, 24, 16, 1, 0, -3, 0, 1, 0, -1, -1, 24}
		ts := [][13]int32{big, smallTriangle}
		d := tileJob(&a, ts...)
		out, count := resource(&a, d, 0, 4096), resource(&a, d, 1, 1)
		k.Run(&a, d, exec.Options{})

		want := make([]uint32, 4096)
		waves := uint32(0)
		for _, tr := range ts {
			for w := 0; w < 4096; w += 8 { // storage order is the order of waves
				any := false
				for i := w; i < w+8; i++ {
					x, y := pixelAt(i)
					px, py := int32(x), int32(y)
					in := px >= tr[0] && py >= tr[1] && px < tr[2] && py < tr[3]
					for e := 4; e < 13; e += 3 {
						in = in && tr[e]*px+tr[e+1]*py+tr[e+2] >= 0
					}
					if in {
						want[i], any = waves, true
					}
				}
				if any {
					waves++
				}
			}
		}
		if n := a.Words(count, 1)[0]; n != waves {
			t.Errorf("in front %v: counter is %d, want %d", inFront, n, waves)
		}
		for i, w := range a.Words(out, 4096) {
			if w != want[i] {
				x, y := pixelAt(i)
				t.Fatalf("in front %v: pixel %d, %d ran in wave %d, want %d", inFront, x, y, w, want[i])
			}
		}
	}
}

// Lanes of one wave that store to one word: the last one stays.
func TestLanesStoreInOrder(t *testing.T) {
	b := ir.NewBuilder("main", nil, nil)
	item := b.Emit(ir.Item, 0)
	b.Emit(ir.Kill, 0, b.Emit(ir.ULt, 0, b.U(13), item))
	b.Emit(ir.Store, 0, b.Emit(ir.Res, 0), b.Emit(ir.ShrU, 0, item, b.U(1)), item)
	k := mustCompile(t, program(ir.Linear, b.Finish()))
	var a exec.Arena
	d := linearJob(&a, 0, 20)
	out := resource(&a, d, 0, 4)
	k.Run(&a, d, exec.Options{})
	for i, want := range []uint32{7, 13, 0, 0} {
		if got := a.Words(out, 4)[i]; got != want {
			t.Errorf("word %d is %d, want %d", i, got, want)
		}
	}
}

// A job whose target overlaps what it reads runs in order, with the same program that otherwise need
// not; then runs fast again.
func TestOverlapIsFoundForEachJob(t *testing.T) {
	b := ir.NewBuilder("main", nil, nil)
	// out[i] = in[i-1] + 1: in order of waves when in is out.
	item := b.Emit(ir.Item, 0)
	v := b.Emit(ir.Load, 0, b.Emit(ir.Res, 0), b.Emit(ir.Shl, 0, b.Emit(ir.ISub, 0, item, b.U(8)), b.U(2)))
	b.Emit(ir.Store, 0, b.Emit(ir.Res, 1), b.Emit(ir.Shl, 0, item, b.U(2)), b.Emit(ir.IAdd, 0, v, b.U(1)))
	k := mustCompile(t, program(ir.Linear, b.Finish()))
	for _, overlap := range []bool{false, true, false} {
		var a exec.Arena
		d := linearJob(&a, 0, 64)
		in, out := resource(&a, d, 0, 64), resource(&a, d, 1, 64)
		if overlap {
			a.Words(d+4*exec.JobRecords, 1)[exec.RecBase] = out
		}
		k.Run(&a, d, exec.Options{})
		for i := range 64 {
			want := uint32(1)
			if overlap {
				want = uint32(i/8) + 1
			}
			if got := a.Words(out, 64)[i]; got != want {
				t.Fatalf("overlap %v: word %d is %d, want %d", overlap, i, got, want)
			}
		}
		_ = in
	}
}

func TestAccessesAreClamped(t *testing.T) {
	b := ir.NewBuilder("main", nil, nil)
	off := b.Emit(ir.Load, 0, b.Emit(ir.Res, 0), itemOffset(b, 1, 0))
	rec := b.Emit(ir.IAdd, 0, b.Emit(ir.Desc, 3), b.Emit(ir.Load, 0, b.Emit(ir.Res, 0), b.Emit(ir.IAdd, 0, itemOffset(b, 1, 0), b.U(64))))
	v := b.Emit(ir.Load, 0, rec, off)
	b.Emit(ir.Store, 0, rec, off, b.Emit(ir.IAdd, 0, v, b.U(1)))
	b.Emit(ir.Store, 0, b.Emit(ir.Res, 1), itemOffset(b, 1, 0), v)
	k := mustCompile(t, program(ir.Linear, b.Finish()))
	var a exec.Arena
	d := linearJob(&a, 0, 16)
	in, out := resource(&a, d, 0, 32), resource(&a, d, 1, 16)
	guard := a.Alloc(4)
	target := a.Alloc(4)
	copy(a.Words(guard, 4), []uint32{90, 91, 92, 93})
	copy(a.Words(target, 4), []uint32{10, 11, 12, 13})
	recs := a.Alloc(5 * exec.RecordWords)
	for i, r := range [][2]uint32{{target, 11}, {target, 1 << 31}, {0xFFFFFFF0, 64}, {guard, 0}} {
		copy(a.Words(recs+uint32(32*i), 2), r[:])
	}
	a.Words(d, 4)[3] = recs
	behind := uint32(4 * len(a.Mem))
	cases := []struct{ rec, off, want uint32 }{
		{0, 0, 10}, {0, 7, 11}, {0, 8, 0}, {0, 11, 0}, {0, 0xFFFFFFFC, 0}, // 11 bytes hold two words
		{32, 8, 12}, {32, behind - target, 0}, {32, 0x7FFFFFFC, 0}, // behind the arena
		{64, 0, 0}, {64, 16, 0}, {64, 32, 0}, // sums wrap
		{96, 0, 0}, {0xFFFFFFE0 - recs, 0, 0}, {behind - recs, 0, 0}, {behind - 16 - recs, 0, 0}, {0, 4, 12},
	}
	for i, c := range cases {
		a.Words(in, 32)[i], a.Words(in, 32)[16+i] = c.off, c.rec
	}
	k.Run(&a, d, exec.Options{})
	// Lanes 0 and 1 of the first wave stored before the second wave read.
	for i, c := range cases {
		if got := a.Words(out, 16)[i]; got != c.want {
			t.Errorf("record +%#x, offset %#x: %d, want %d", c.rec, c.off, got, c.want)
		}
	}
	if g, w := [4]uint32(a.Words(guard, 4)), [4]uint32{90, 91, 92, 93}; g != w {
		t.Errorf("memory outside every record is %v", g)
	}
	if g, w := [4]uint32(a.Words(target, 4)), [4]uint32{11, 13, 13, 13}; g != w {
		t.Errorf("target is %v, want %v", g, w)
	}
}

func TestJobsOutsideTheArena(t *testing.T) {
	b := ir.NewBuilder("main", nil, nil)
	b.Emit(ir.Store, 0, b.Emit(ir.Res, 0), itemOffset(b, 1, 0), b.Emit(ir.Desc, 3))
	linear := mustCompile(t, program(ir.Linear, b.Finish()))
	b = ir.NewBuilder("main", nil, nil)
	b.Emit(ir.Cover, 0, b.Emit(ir.Edges, 900, b.Emit(ir.LaneX, 0), b.Emit(ir.LaneY, 0)))
	b.Emit(ir.Store, 0, b.Emit(ir.Res, 0), tileOffset(b), b.Emit(ir.TriWord, 800))
	tile := mustCompile(t, program(ir.Tile, b.Finish()))
	for _, mem := range [][]uint32{nil, {1, 2}, {70, 70, 70, 70}, {3, 4, 0xFFFFFFFF, 0, 0, 9, 9}} {
		for _, desc := range []uint32{0, 4, 400, 0xFFFFFFFC} {
			a := exec.Arena{Mem: mem}
			linear.Run(&a, desc, exec.Options{})
			tile.Run(&a, desc, exec.Options{})
		}
	}
}

func TestBudget(t *testing.T) {
	b := ir.NewBuilder("main", nil, nil)
	n := b.NewVar(b.U(0))
	b.Loop()
	b.BreakIf(b.Emit(ir.IEq, 0, b.Get(n), b.Emit(ir.Item, 0)))
	b.Set(n, b.Emit(ir.IAdd, 0, b.Get(n), b.U(1)))
	b.EndLoop()
	b.Emit(ir.Store, 0, b.Emit(ir.Res, 0), itemOffset(b, 1, 0), b.U(1))
	k := mustCompile(t, program(ir.Linear, b.Finish()))
	for _, c := range []struct {
		items, budget, done int
		stopped             bool
	}{{50, 49, 50, false}, {50, 48, 49, true}, {50, 1, 2, true}, {50, 0, 50, false}} {
		var a exec.Arena
		d := linearJob(&a, 0, c.items)
		out := resource(&a, d, 0, 64)
		if r := k.Run(&a, d, exec.Options{Budget: c.budget}); r.Stopped != c.stopped {
			t.Errorf("budget %d: %+v", c.budget, r)
		}
		for i, w := range a.Words(out, 64) {
			if (w == 1) != (i < c.done) {
				t.Errorf("budget %d: item %d gave %d", c.budget, i, w)
			}
		}
	}
}

func TestEndlessLoopStops(t *testing.T) {
	b := ir.NewBuilder("main", nil, nil)
	b.Loop()
	b.EndLoop()
	k := mustCompile(t, program(ir.Linear, b.Finish()))
	var a exec.Arena
	if r := k.Run(&a, linearJob(&a, 0, 3), exec.Options{}); !r.Stopped {
		t.Errorf("%+v", r)
	}
}

// In the steady state nothing is allocated, called functions included.
func TestRunDoesNotAllocate(t *testing.T) {
	p := lightProgram()
	k := mustCompile(t, p)
	var a exec.Arena
	d := lightTile(&a, triangles(8)...)
	if n := testing.AllocsPerRun(10, func() { k.Run(&a, d, exec.Options{}) }); n != 0 {
		t.Errorf("%v allocations a run", n)
	}
}

func TestTraceOfAPickOutside(t *testing.T) {
	b := ir.NewBuilder("main", nil, nil)
	p := program(ir.Linear, b.Finish())
	var a exec.Arena
	d := linearJob(&a, 5, 3)
	if _, err := (Engine{}).Trace(p, &a, d, exec.Pick{Item: 4}, exec.Options{}); err == nil {
		t.Error("no error for an item outside the job")
	}
	if _, err := (Engine{}).Trace(p, &a, d, exec.Pick{Item: 7}, exec.Options{}); err != nil {
		t.Error(err)
	}
}

func TestTraceIsBounded(t *testing.T) {
	b := ir.NewBuilder("main", nil, nil)
	b.Loop()
	for range 4 {
		b.Emit(ir.Write, 0, b.Emit(ir.Item, 0))
	}
	b.EndLoop()
	p := program(ir.Linear, b.Finish())
	p.Traced = []ir.TracedReg{{Name: "r0"}}
	var a exec.Arena
	tr, err := Engine{}.Trace(p, &a, linearJob(&a, 0, 8), exec.Pick{}, exec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !tr.Truncated || !tr.Result.Stopped || len(tr.Waves) != 1 || len(tr.Waves[0].Writes) != exec.MaxWrites {
		t.Errorf("truncated %v, %+v", tr.Truncated, tr.Result)
	}
}

// Macro ops come out the same by their rows and by their definitions.
func TestExpand(t *testing.T) {
	p := lightProgram()
	text := p.String()
	var mem [2]exec.Arena
	for i, e := range []Engine{{}, {Expand: true}} {
		k, err := e.Compile(p)
		if err != nil {
			t.Fatal(err)
		}
		d := lightTile(&mem[i], triangles(8)...)
		k.Run(&mem[i], d, exec.Options{})
	}
	if !slices.Equal(mem[0].Mem, mem[1].Mem) {
		t.Error("memory differs")
	}
	if p.String() != text {
		t.Error("Compile changed the program")
	}
}

func TestCompileRefuses(t *testing.T) {
	b := ir.NewBuilder("main", nil, nil)
	for name, p := range map[string]*ir.Program{
		"a shader alone":         {Kind: ir.Shader, Funcs: []*ir.Func{b.Finish()}},
		"a program that is none": {Kind: ir.Linear},
	} {
		if _, err := New().Compile(p); err == nil {
			t.Errorf("%s compiles", name)
		}
	}
}

// Triangles that meet in a quad: what a helper lane reads is what the triangle before stored there,
// which matters as soon as a neighbour looks at it.
func TestTrianglesThatMeetInAQuad(t *testing.T) {
	for _, looks := range []bool{true, false} {
		b := ir.NewBuilder("main", nil, nil)
		b.Emit(ir.Cover, 0, b.Emit(ir.Edges, 4, b.Emit(ir.LaneX, 0), b.Emit(ir.LaneY, 0)))
		old := b.Emit(ir.Load, 0, b.Emit(ir.Res, 1), tileOffset(b))
		v := b.Emit(ir.FAdd, 0, old, b.Emit(ir.TriWord, 13))
		if looks {
			v = b.Emit(ir.FAdd, 0, v, b.Emit(ir.DDX, 0, old))
		}
		b.Emit(ir.Store, 0, b.Emit(ir.Res, 1), tileOffset(b), v)
		p := program(ir.Tile, b.Finish())
		k, err := Engine{}.compile(p, options{})
		if err != nil {
			t.Fatal(err)
		}
		if k.fast.shares == looks {
			t.Errorf("looks %v: triangles share batches %v", looks, k.fast.shares)
		}
		var a exec.Arena
		var ts [][9]int32
		for i, tr := range triangles(4) { // some of them lie on others
			if ts = append(ts, tr); i%3 == 2 {
				ts = append(ts, triangles(4)[i-2])
			}
			if i%5 == 0 {
				ts = append(ts, triangles(16)[i%16])
			}
		}
		d := lightTile(&a, ts...)
		at, out := a.Words(d, 2)[1], resource(&a, d, 1, 4096)
		want := make([]float32, 4096)
		for i := range want {
			want[i] = float32(i % 5)
			a.Words(out, 4096)[i] = math.Float32bits(want[i])
		}
		for i, e := range ts {
			a.Words(at+uint32(4*lightWords*i), lightWords)[13] = math.Float32bits(float32(i % 7))
			for q := 0; q < 4096; q += quadLanes {
				before := [quadLanes]float32(want[q : q+quadLanes])
				for l := range quadLanes {
					x, y := pixelAt(q + l)
					inside := true
					for k := 0; k < 9; k += 3 {
						inside = inside && e[k]*int32(x)+e[k+1]*int32(y)+e[k+2] >= 0
					}
					if inside {
						want[q+l] = before[l] + float32(i%7)
						if looks {
							want[q+l] += before[l|1] - before[l&^1]
						}
					}
				}
			}
		}
		k.Run(&a, d, exec.Options{})
		for i, w := range a.Words(out, 4096) {
			if math.Float32frombits(w) != want[i] {
				x, y := pixelAt(i)
				t.Fatalf("looks %v: pixel %d, %d is %v, want %v", looks, x, y, math.Float32frombits(w), want[i])
			}
		}
	}
}
