package ir_test

import (
	"strings"
	"testing"

	"swizzle/shaderkit/ir"
)

// TestBuilder compares what the Builder writes with its text; each program is a function of two
// registers with one result.
func TestBuilder(t *testing.T) {
	for _, c := range []struct {
		name  string
		build func(b *ir.Builder, x, y ir.Reg) ir.Reg // NoReg: it returned by itself
		want  string
	}{
		{"both arms set a variable", func(b *ir.Builder, x, y ir.Reg) ir.Reg {
			v := b.NewVar(x)
			b.If(y)
			b.Set(v, b.Emit(ir.FNeg, 0, x))
			b.Else()
			b.Set(v, b.Emit(ir.FAbs, 0, x))
			b.EndIf()
			return b.Get(v)
		}, `
			%4 = if %1 {
				%2 = fneg %0
				yield %2
			} else {
				%3 = fabs %0
				yield %3
			}
			return %4`},
		{"without else the variable keeps its value, others are not joined", func(b *ir.Builder, x, y ir.Reg) ir.Reg {
			v, other := b.NewVar(x), b.NewVar(y)
			b.If(y)
			b.Set(v, b.Get(other))
			b.EndIf()
			return b.Emit(ir.FAdd, 0, b.Get(v), b.Get(other))
		}, `
			%2 = if %1 {
				yield %1
			} else {
				yield %0
			}
			%3 = fadd %2, %1
			return %3`},
		{"64-bit variables", func(b *ir.Builder, x, y ir.Reg) ir.Reg {
			v := b.NewVar(b.Emit(ir.Const64, 1))
			b.If(y)
			b.Set(v, b.Emit(ir.Pack64, 0, x, y))
			b.EndIf()
			return b.Emit(ir.Lo64, 0, b.Get(v))
		}, `
			%2 = const64 0x1
			%4:64 = if %1 {
				%3 = pack64 %0, %1
				yield %3
			} else {
				yield %2
			}
			%5 = lo64 %4
			return %5`},
		{"an arm that leaves the function does not join", func(b *ir.Builder, x, y ir.Reg) ir.Reg {
			v := b.NewVar(x)
			b.If(y)
			b.Set(v, y)
			b.Return(x)
			b.Set(v, b.Emit(ir.FNeg, 0, x)) // dropped
			b.EndIf()
			return b.Get(v)
		}, `
			if %1 {
				return %0
			}
			return %0`},
		{"what follows an If that all lanes leave is dropped", func(b *ir.Builder, x, y ir.Reg) ir.Reg {
			b.If(y)
			b.Return(x)
			b.Else()
			b.Return(y)
			b.EndIf()
			return b.Emit(ir.FNeg, 0, x)
		}, `
			if %1 {
				return %0
			} else {
				return %1
			}
			%3 = const 0x0
			return %3`},
		{"a dead If within an arm still ends the arm", func(b *ir.Builder, x, y ir.Reg) ir.Reg {
			v := b.NewVar(x)
			b.If(x)
			b.If(y)
			b.Return(x)
			b.Else()
			b.Return(y)
			b.EndIf()
			b.Else()
			b.Set(v, y)
			b.EndIf()
			return b.Get(v)
		}, `
			%2 = if %0 {
				if %1 {
					return %0
				} else {
					return %1
				}
				yield %0
			} else {
				yield %1
			}
			return %2`},
		{"only variables that the body changes are parameters", func(b *ir.Builder, x, y ir.Reg) ir.Reg {
			v, fixed := b.NewVar(x), b.NewVar(y)
			b.Loop()
			b.BreakIf(b.Emit(ir.FLt, 0, b.Get(v), b.Get(fixed)))
			b.If(b.Get(fixed))
			b.Set(v, b.Emit(ir.FAdd, 0, b.Get(v), b.Get(fixed)))
			b.Continue()
			b.EndIf()
			b.Set(v, b.Get(fixed))
			b.EndLoop()
			return b.Emit(ir.FAdd, 0, b.Get(v), b.Get(fixed))
		}, `
			%6 = loop (%2 = %0) {
				%4 = flt %2, %1
				if %4 {
					break %2
				}
				if %1 {
					%5 = fadd %2, %1
					continue %5
				}
				continue %1
			}
			%7 = fadd %6, %1
			return %7`},
		{"a variable of an outer loop that an inner one changes", func(b *ir.Builder, x, y ir.Reg) ir.Reg {
			v := b.NewVar(x)
			b.Loop()
			b.Loop()
			b.Set(v, b.Emit(ir.FNeg, 0, b.Get(v)))
			b.BreakIf(b.Get(v))
			b.EndLoop()
			b.BreakIf(y)
			b.EndLoop()
			return b.Get(v)
		}, `
			%6 = loop (%2 = %0) {
				%5 = loop (%3 = %2) {
					%4 = fneg %3
					if %4 {
						break %4
					}
					continue %4
				}
				if %1 {
					break %5
				}
				continue %5
			}
			return %6`},
		{"variables made in the body", func(b *ir.Builder, x, y ir.Reg) ir.Reg {
			v := b.NewVar(x)
			b.Loop()
			w := b.NewVar(y)
			b.If(x)
			b.Set(w, x)
			b.EndIf()
			b.Set(v, b.Get(w))
			b.Break()
			b.EndLoop()
			b.NewVar(x) // has a number of its own
			return b.Get(v)
		}, `
			%4 = loop (%2 = %0) {
				%3 = if %0 {
					yield %0
				} else {
					yield %1
				}
				break %3
			}
			return %4`},
		{"a loop without break has nothing behind it", func(b *ir.Builder, x, y ir.Reg) ir.Reg {
			v := b.NewVar(x)
			b.Loop()
			b.If(y)
			b.Return(b.Get(v))
			b.EndIf()
			b.Set(v, b.Emit(ir.FNeg, 0, b.Get(v)))
			b.EndLoop()
			return b.Emit(ir.FAbs, 0, b.Get(v))
		}, `
			%4 = loop (%2 = %0) {
				if %1 {
					return %2
				}
				%3 = fneg %2
				continue %3
			}
			%6 = const 0x0
			return %6`},
		{"a body that is left in all lanes still ends", func(b *ir.Builder, x, y ir.Reg) ir.Reg {
			v := b.NewVar(x)
			b.Loop()
			b.If(y)
			b.Set(v, y)
			b.Break()
			b.Else()
			b.Return(x)
			b.EndIf()
			b.EndLoop()
			return b.Get(v)
		}, `
			%3 = loop (%2 = %0) {
				if %1 {
					break %1
				} else {
					return %0
				}
				continue %2
			}
			return %3`},
		{"loops and ifs in dead code", func(b *ir.Builder, x, y ir.Reg) ir.Reg {
			v := b.NewVar(x)
			b.Return(x)
			b.Loop()
			b.If(y)
			b.Set(v, b.U(1))
			b.Break()
			b.Else()
			b.Set(v, b.U(2))
			b.EndIf()
			b.EndLoop()
			return b.Get(v)
		}, `
			return %0`},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := ir.NewBuilder("main", ir.C32s(2), ir.C32s(1))
			r := c.build(b, b.Func.Params[0], b.Func.Params[1])
			f := b.Finish(r)
			// behind a function 0 of a shader without inputs
			main := ir.NewBuilder("main", nil, nil)
			main.Call(1, f, main.U(0), main.U(1))
			p := &ir.Program{Funcs: []*ir.Func{main.Finish(), f}}
			if err := p.Verify(); err != nil {
				t.Errorf("%v\n%s", err, p)
			}
			checkRoundTrip(t, p)
			_, got, _ := strings.Cut(p.String(), "func @1 main(%0, %1) -> 32 {\n")
			got, _, _ = strings.Cut(got, "\n}\n")
			if got, want := tidy(got), tidy(c.want); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// tidy leaves out indentation, empty lines and the count of registers.
func tidy(text string) string {
	var out []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "registers") {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

func TestBuilderMisuse(t *testing.T) {
	for _, c := range []struct {
		want string
		do   func(b *ir.Builder)
	}{
		{"Else outside", func(b *ir.Builder) { b.Else() }},
		{"EndIf outside", func(b *ir.Builder) { b.Loop(); b.EndIf() }},
		{"second Else", func(b *ir.Builder) { b.If(b.U(0)); b.Else(); b.Else() }},
		{"EndLoop outside", func(b *ir.Builder) { b.If(b.U(0)); b.EndLoop() }},
		{"break outside", func(b *ir.Builder) { b.Break() }},
		{"continue outside", func(b *ir.Builder) { b.Continue() }},
		{"Finish within", func(b *ir.Builder) { b.Loop(); b.Finish() }},
		{"behind the block", func(b *ir.Builder) { b.If(b.U(0)); v := b.NewVar(b.U(0)); b.EndIf(); b.Get(v) }},
		{"behind the block", func(b *ir.Builder) {
			b.Loop()
			v := b.NewVar(b.U(0))
			b.Break()
			b.EndLoop()
			b.Set(v, b.U(0))
		}},
		{"Emit of sample", func(b *ir.Builder) { b.Emit(ir.Sample, 0) }},
		{"Emit of if", func(b *ir.Builder) { b.Emit(ir.If, 0) }},
		{"EmitN of call", func(b *ir.Builder) { b.EmitN(ir.Call, 0) }},
	} {
		func() {
			defer func() {
				if got, _ := recover().(string); !strings.Contains(got, c.want) {
					t.Errorf("panic %q, want %q", got, c.want)
				}
			}()
			c.do(ir.NewBuilder("f", nil, nil))
			t.Errorf("no panic, want %q", c.want)
		}()
	}
}

func TestBuilderState(t *testing.T) {
	b := ir.NewBuilder("f", nil, nil)
	check := func(inIf, hasElse, inLoop bool, depth int) {
		t.Helper()
		i, e := b.InIf()
		if i != inIf || e != hasElse || b.InLoop() != inLoop || b.Depth() != depth {
			t.Errorf("InIf %t, %t, InLoop %t, Depth %d", i, e, b.InLoop(), b.Depth())
		}
	}
	check(false, false, false, 0)
	b.Loop()
	check(false, false, true, 1)
	b.If(b.U(0))
	check(true, false, true, 2)
	b.Else()
	check(true, true, true, 2)
	b.EndIf()
	b.EndLoop()
	check(false, false, false, 0)
}
