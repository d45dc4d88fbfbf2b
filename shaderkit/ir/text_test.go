package ir_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"swizzle/internal/testkit"
	"swizzle/shaderkit/ir"
	"swizzle/shaderkit/source"
)

// checkRoundTrip holds Parse(String) against p.
func checkRoundTrip(t testing.TB, p *ir.Program) {
	t.Helper()
	text := p.String()
	q, list := ir.Parse(text)
	if len(list) > 0 {
		t.Fatalf("%v\n%s", list.Err(), text)
	}
	if d := cmp.Diff(p, q, cmpopts.EquateEmpty()); d != "" {
		t.Fatalf("reading the text back differs:\n%s\n%s", d, text)
	}
}

// TestPrintKeepsEveryField fills each field of a program with something else than its zero value, so
// that a new field cannot be forgotten in the text form.
func TestPrintKeepsEveryField(t *testing.T) {
	p := &ir.Program{}
	n := 0
	fill(reflect.ValueOf(p).Elem(), &n)
	b := ir.NewBuilder("a name", []ir.Class{ir.C64, ir.C32}, []ir.Class{ir.C64})
	b.From = 7
	long := b.Emit(ir.Const64, 1<<63|5)
	v := b.NewVar(b.Func.Params[0])
	b.If(b.Func.Params[1])
	b.Set(v, long)
	b.Call(1, &ir.Func{Results: []ir.Class{ir.C32, ir.C64}}, long)
	b.EndIf()
	b.Func.NewReg(ir.C32)
	b.Func.NewReg(ir.C64)
	f := b.Finish(b.Get(v))
	f.Macro = true
	p.Kind, p.Funcs = ir.Tile, []*ir.Func{f}
	checkRoundTrip(t, p)
}

// fill gives v and what it holds values that count up.
func fill(v reflect.Value, n *int) {
	*n++
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type() != reflect.TypeFor[ir.Program]() || v.Type().Field(i).Name != "Funcs" {
				fill(v.Field(i), n)
			}
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), n)
		}
	case reflect.String:
		v.SetString([]string{"c0", "two words", "ünï\n\"", "a.b"}[*n%4])
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float32:
		v.SetFloat(float64(*n) + 0.1)
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(int64(*n))
	default:
		v.SetUint(uint64(*n%2 + 1))
	}
}

// TestVerify reads programs of which most are wrong at one line, which says so.
func TestVerify(t *testing.T) {
	for _, c := range testkit.Cases(t, "testdata/verify/*.txtar") {
		for _, file := range c.Files() {
			t.Run(c.Name+"/"+file.Name, func(t *testing.T) {
				text := string(file.Data)
				p, list := ir.Parse(text)
				if err := list.Err(); err != nil {
					t.Fatal(err)
				}
				checkRoundTrip(t, p)
				var found source.List
				if err := p.Verify(); err != nil {
					e := err.(*ir.VerifyError)
					at := instOffset(text, e)
					found.Errorf(source.Span{Start: at, End: at}, e.Code, "%s", e.What)
				}
				testkit.Diagnostics(t, text, found)
			})
		}
	}
}

// instOffset finds the line of an instruction: they stand one a line, in the order of Walk; an If
// without else has a yield that is not written.
func instOffset(text string, e *ir.VerifyError) int {
	off, fn, inst := 0, -1, -1
	var open []string
	for line := range strings.Lines(text) {
		code, _, _ := strings.Cut(strings.TrimSpace(line), "//")
		code = strings.TrimSpace(code)
		switch {
		case strings.HasPrefix(code, "func "):
			fn++
			inst = -1
			open = []string{"func"}
		case fn < 0 || code == "" || strings.HasPrefix(code, "registers"):
		case code == "} else {":
			open[len(open)-1] = "else"
		case code == "}":
			if open[len(open)-1] == "if" {
				inst++
			}
			open = open[:len(open)-1]
		default:
			inst++
			if strings.HasSuffix(code, "{") {
				if strings.Contains(code, "loop ") {
					open = append(open, "loop")
				} else {
					open = append(open, "if")
				}
			}
		}
		if fn == e.Func && inst == e.Inst {
			return off
		}
		off += len(line)
	}
	return 0
}

// TestParseErrors reads texts that announce what is wrong with them.
func TestParseErrors(t *testing.T) {
	for _, c := range testkit.Cases(t, "testdata/parse/*.txtar") {
		for _, file := range c.Files() {
			t.Run(c.Name+"/"+file.Name, func(t *testing.T) {
				_, list := ir.Parse(string(file.Data))
				testkit.Diagnostics(t, string(file.Data), list)
			})
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, pattern := range []string{"testdata/verify/*.txtar", "testdata/parse/*.txtar"} {
		for _, c := range testkit.Cases(f, pattern) {
			for _, file := range c.Files() {
				f.Add(string(file.Data))
			}
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, list := ir.Parse(text)
		if len(list) > 0 || p.Verify() != nil {
			return
		}
		checkRoundTrip(t, p)
	})
}
