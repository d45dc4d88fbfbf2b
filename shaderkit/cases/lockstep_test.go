package cases

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"swizzle/shaderkit/interp"
)

// A lockstep machine runs four pixels by masks, instruction by instruction, as the documentation
// tells it: what a lane wrote last is what its neighbours see. It and the text of the program come
// from one generator, so that it reads no assembly.
type lockstep struct {
	reg  map[string][4][lanes]float32 // r0..r3, v0..v2, c0..c3 and p0 as 0 or 1
	aL   [lanes]int
	left uint8 // lanes that returned from the function or left the loop
	back uint8 // those that returned
}

// A step does something in the lanes of a mask.
type step func(m *lockstep, mask uint8)

func run4(m *lockstep, steps []step, mask uint8) {
	for _, s := range steps {
		s(m, mask&^m.left)
	}
}

// A generator writes a program and the steps that it stands for.
type generator struct {
	*rand.Rand
	text     strings.Builder
	depth    int
	loops    int    // open
	function bool   // in a subroutine
	quads    bool   // derivatives are wanted
	l0       []step // the subroutine, made behind main
}

func (g *generator) line(format string, args ...any) {
	fmt.Fprintf(&g.text, strings.Repeat("  ", g.depth+1)+format+"\n", args...)
}

// operand gives a source: its text, and its value in a lane.
func (g *generator) operand(relative bool) (string, func(m *lockstep, c, lane int) float32) {
	name := [...]string{"r0", "r1", "r2", "r3", "v0", "c0", "c1"}[g.IntN(7)]
	var swz [4]int
	letters := ""
	for c := range swz {
		swz[c] = g.IntN(4)
		letters += "xyzw"[swz[c] : swz[c]+1]
	}
	abs, neg := g.IntN(4) == 0, g.IntN(3) == 0
	read := func(m *lockstep, c, lane int) float32 { return m.reg[name][c][lane] }
	spelled := name
	if relative && g.loops > 0 && g.IntN(3) == 0 {
		spelled, abs = "v[aL]", false
		read = func(m *lockstep, c, lane int) float32 {
			return m.reg[fmt.Sprintf("v%d", m.aL[lane])][c][lane] // none: zero
		}
	}
	if abs {
		spelled += "_abs"
	}
	if neg {
		spelled = "-" + spelled
	}
	return spelled + "." + letters, func(m *lockstep, c, lane int) float32 {
		v := read(m, swz[c], lane)
		if abs {
			v = float32(math.Abs(float64(v)))
		}
		if neg {
			v = -v
		}
		return v
	}
}

var comparisons = map[string]func(a, b float32) bool{
	"gt": func(a, b float32) bool { return a > b }, "ge": func(a, b float32) bool { return a >= b },
	"lt": func(a, b float32) bool { return a < b }, "le": func(a, b float32) bool { return a <= b },
	"eq": func(a, b float32) bool { return a == b }, "ne": func(a, b float32) bool { return a != b },
}

// condition gives the operands of if, break and the like: text with the name's suffix in front, and
// the lanes where it holds.
func (g *generator) condition(name string) (string, func(m *lockstep) uint8) {
	lanesOf := func(holds func(m *lockstep, lane int) bool) func(m *lockstep) uint8 {
		return func(m *lockstep) (mask uint8) {
			for lane := range lanes {
				if holds(m, lane) {
					mask |= 1 << lane
				}
			}
			return
		}
	}
	switch g.IntN(3) {
	case 0:
		not, c := g.IntN(2) == 0, g.IntN(4)
		spelled := fmt.Sprintf("p0.%c", "xyzw"[c])
		if not {
			spelled = "!" + spelled
		}
		if name == "break" {
			name = "breakp"
		}
		return name + " " + spelled, lanesOf(func(m *lockstep, lane int) bool { return (m.reg["p0"][c][lane] != 0) != not })
	case 1:
		if name == "if" {
			return "if b0", func(*lockstep) uint8 { return 15 } // b0 is true
		}
	}
	op := [...]string{"gt", "ge", "lt", "le", "eq", "ne"}[g.IntN(6)]
	a, x := g.operand(false)
	b, y := g.operand(false)
	a, b = a[:len(a)-3], b[:len(b)-3] // one lane
	return fmt.Sprintf("%s_%s %s, %s", name, op, a, b), lanesOf(func(m *lockstep, lane int) bool { return comparisons[op](x(m, 0, lane), y(m, 0, lane)) })
}

func (g *generator) mask() (uint8, string) {
	mask := uint8(1 + g.IntN(15))
	s := ""
	for c := range 4 {
		if mask>>c&1 != 0 {
			s += "xyzw"[c : c+1]
		}
	}
	return mask, "." + s
}

// store writes components in the lanes of a mask.
func (m *lockstep) store(name string, comps, mask uint8, pred func(c, lane int) bool, v [4][lanes]float32) {
	r := m.reg[name]
	for c := range 4 {
		for lane := range lanes {
			if comps>>c&1 != 0 && mask>>lane&1 != 0 && pred(c, lane) {
				r[c][lane] = v[c][lane]
			}
		}
	}
	m.reg[name] = r
}

func always(c, lane int) bool { return true }

// arithmetic makes an instruction that computes components.
func (g *generator) arithmetic() step {
	type op struct {
		name string
		n    int
		f    func(x [2][4][lanes]float32, c, lane int) float32
	}
	ops := []op{
		{"mov", 1, func(x [2][4][lanes]float32, c, lane int) float32 { return x[0][c][lane] }},
		{"add", 2, func(x [2][4][lanes]float32, c, lane int) float32 { return x[0][c][lane] + x[1][c][lane] }},
		{"min", 2, func(x [2][4][lanes]float32, c, lane int) float32 { return min(x[0][c][lane], x[1][c][lane]) }},
		{"max", 2, func(x [2][4][lanes]float32, c, lane int) float32 { return max(x[0][c][lane], x[1][c][lane]) }},
		{"mul", 2, func(x [2][4][lanes]float32, c, lane int) float32 { return x[0][c][lane] * x[1][c][lane] }},
	}
	if g.quads {
		ops = append(ops,
			op{"dsx", 1, func(x [2][4][lanes]float32, c, lane int) float32 { return x[0][c][lane|1] - x[0][c][lane&2] }},
			op{"dsy", 1, func(x [2][4][lanes]float32, c, lane int) float32 { return x[0][c][lane|2] - x[0][c][lane&1] }})
	}
	o := ops[g.IntN(len(ops))]
	comps, mask := g.mask()
	dst := fmt.Sprintf("r%d", g.IntN(4))
	var texts []string
	var read []func(m *lockstep, c, lane int) float32
	for range o.n {
		s, f := g.operand(o.name[0] != 'd')
		texts, read = append(texts, s), append(read, f)
	}
	pred, not := g.IntN(4) == 0, g.IntN(2) == 0
	front := ""
	switch {
	case pred && not:
		front = "(!p0) "
	case pred:
		front = "(p0) "
	}
	g.line("%s%s %s%s, %s", front, o.name, dst, mask, strings.Join(texts, ", "))
	return func(m *lockstep, mask uint8) {
		var x [2][4][lanes]float32
		var v [4][lanes]float32
		for k, f := range read {
			for c := range 4 {
				for lane := range lanes {
					x[k][c][lane] = f(m, c, lane)
				}
			}
		}
		for c := range 4 {
			for lane := range lanes {
				v[c][lane] = o.f(x, c, lane)
			}
		}
		m.store(dst, comps, mask, func(c, lane int) bool { return !pred || (m.reg["p0"][c][lane] != 0) != not }, v)
	}
}

func (g *generator) setp() step {
	op := [...]string{"gt", "ge", "lt", "le", "eq", "ne"}[g.IntN(6)]
	comps, mask := g.mask()
	a, x := g.operand(true)
	b, y := g.operand(true)
	g.line("setp_%s p0%s, %s, %s", op, mask, a, b)
	return func(m *lockstep, mask uint8) {
		var v [4][lanes]float32
		for c := range 4 {
			for lane := range lanes {
				if comparisons[op](x(m, c, lane), y(m, c, lane)) {
					v[c][lane] = 1
				}
			}
		}
		m.store("p0", comps, mask, always, v)
	}
}

func (g *generator) branch() step {
	text, holds := g.condition("if")
	g.line("%s", text)
	then := g.block()
	var other []step
	if g.IntN(2) == 0 {
		g.line("else")
		other = g.block()
	}
	g.line("endif")
	return func(m *lockstep, mask uint8) {
		c := holds(m)
		run4(m, then, mask&c)
		run4(m, other, mask&^c)
	}
}

func (g *generator) loop() step {
	head, end, n, first, inc := "rep i0", "endrep", 3, 0, 0 // i0: 3
	counts := g.IntN(2) == 0
	if counts {
		head, end, n, first, inc = "loop aL, i1", "endloop", 4, 2, -1 // i1: 4, 2, -1
	}
	g.line("%s", head)
	if counts {
		g.loops++
	}
	body := g.block()
	g.depth++
	text, holds := g.condition("break")
	g.line("%s", text)
	g.depth--
	body = append(body, func(m *lockstep, mask uint8) { m.left |= mask & holds(m) })
	if counts {
		g.loops--
	}
	g.line("%s", end)
	return func(m *lockstep, mask uint8) {
		outer, old := m.left, m.aL
		set := func(lane, v int) {
			if counts {
				m.aL[lane] = v
			}
		}
		for lane := range lanes {
			set(lane, first)
		}
		for range n {
			run4(m, body, mask)
			for lane := range lanes {
				if (mask&^m.left)>>lane&1 != 0 {
					set(lane, m.aL[lane]+inc)
				}
			}
		}
		m.left, m.aL = outer|m.back, old
	}
}

func (g *generator) call() step {
	text, holds := "call l0", func(*lockstep) uint8 { return 15 }
	if g.IntN(2) == 0 {
		c := g.IntN(4)
		text = fmt.Sprintf("callnz l0, p0.%c", "xyzw"[c])
		holds = func(m *lockstep) (mask uint8) {
			for lane := range lanes {
				if m.reg["p0"][c][lane] != 0 {
					mask |= 1 << lane
				}
			}
			return
		}
	}
	g.line("%s", text)
	return func(m *lockstep, mask uint8) {
		left, back := m.left, m.back
		m.left, m.back = 0, 0
		run4(m, g.l0, mask&holds(m))
		m.left, m.back = left, back
	}
}

func (g *generator) block() (steps []step) {
	g.depth++
	defer func() { g.depth-- }()
	for range 1 + g.IntN(4) {
		switch k := g.IntN(12); {
		case k == 0 && g.depth < 4:
			steps = append(steps, g.branch())
		case k == 1 && g.depth < 3:
			steps = append(steps, g.loop())
		case k == 2 && !g.function && g.loops == 0:
			steps = append(steps, g.call())
		case k == 3:
			steps = append(steps, g.setp())
		case k == 4 && g.function && g.depth > 1:
			text, holds := g.condition("if")
			g.line("%s", text)
			g.line("  ret")
			g.line("endif")
			steps = append(steps, func(m *lockstep, mask uint8) {
				m.back |= mask & holds(m)
				m.left |= m.back
			})
		default:
			steps = append(steps, g.arithmetic())
		}
	}
	return
}

// TestLockstep compares random programs of nested flow, predicates and derivatives with the lockstep
// machine, by engine rows and by their definitions.
func TestLockstep(t *testing.T) {
	for seed := range uint64(200) {
		g := &generator{Rand: rand.New(rand.NewPCG(seed, 9)), quads: seed%4 != 0}
		g.text.WriteString("ps_3_0\ndefi i0, 3, 0, 0, 0\ndefi i1, 4, 2, -1, 0\ndefb b0, true\ndcl_texcoord v0\ndcl_texcoord1 v1\ndcl_texcoord2 v2\n")
		m := &lockstep{reg: map[string][4][lanes]float32{}}
		inputs, floats := map[string][lanes][4]float32{}, map[string][4]float32{}
		for i := range 3 {
			var v [lanes][4]float32
			var r [4][lanes]float32
			for lane := range lanes {
				for c := range 4 {
					v[lane][c] = float32(g.IntN(9)-4) / 2
					r[c][lane] = v[lane][c]
				}
			}
			inputs[fmt.Sprintf("v%d", i)], m.reg[fmt.Sprintf("v%d", i)] = v, r
		}
		for i := range 2 {
			var v [4]float32
			var r [4][lanes]float32
			for c := range 4 {
				v[c] = float32(g.IntN(9)-4) / 2
				r[c] = [lanes]float32{v[c], v[c], v[c], v[c]}
			}
			floats[fmt.Sprintf("c%d", i)], m.reg[fmt.Sprintf("c%d", i)] = v, r
		}
		g.line("mov r0, v0")
		g.line("mov r1, v1")
		g.line("mov r2, c1")
		g.line("mov r3, v0.wzyx")
		m.reg["r0"], m.reg["r1"], m.reg["r2"] = m.reg["v0"], m.reg["v1"], m.reg["c1"]
		v0 := m.reg["v0"]
		m.reg["r3"] = [4][lanes]float32{v0[3], v0[2], v0[1], v0[0]}
		var steps []step
		for range 4 {
			steps = append(steps, g.block()...)
		}
		for i := range 4 {
			g.line("mov oC%d, r%d", i, i)
		}
		g.text.WriteString("ret\nlabel l0\n")
		g.function = true
		g.l0 = append(g.block(), g.block()...)
		g.text.WriteString("ret\n")
		run4(m, steps, 15)

		line, err := json.Marshal(map[string]any{"isa": "d3d9", "text": g.text.String(), "inputs": inputs, "floats": floats})
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]json.RawMessage{}
		for i := range 4 {
			var v [lanes][4]string
			for lane := range lanes {
				for c := range 4 {
					v[lane][c] = fmt.Sprintf("0x%08X", math.Float32bits(m.reg[fmt.Sprintf("r%d", i)][c][lane]))
				}
			}
			want[fmt.Sprintf("oC%d", i)], _ = json.Marshal(v)
		}
		e := expectation{Expect: want}
		for _, engine := range []interp.Engine{{}, {Expand: true}} {
			if err := e.check(Run(line, Defaults{Engine: engine})); err != nil {
				t.Fatalf("seed %d: %v\n%s\n%s", seed, err, line, g.text.String())
			}
		}
	}
}
