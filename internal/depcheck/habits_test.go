package depcheck

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// starters are the packages that start goroutines where the caller has said how many: render.Renderer.Workers.
var starters = []string{"render"}

// habits gives what library code must not do in f: register by init or blank import, start
// goroutines, print.
func habits(f file) (bad []string) {
	say := func(n ast.Node, what string) { bad = append(bad, f.at(n)+": "+what) }
	for _, imp := range f.ast.Imports {
		if imp.Name != nil && imp.Name.Name == "_" && imp.Path.Value != `"embed"` {
			say(imp, "blank import: lists are explicit")
		}
	}
	ast.Inspect(f.ast, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Recv == nil && n.Name.Name == "init" {
				say(n, "func init: lists are explicit")
			}
		case *ast.GoStmt:
			if !slices.Contains(starters, f.pkg) {
				say(n, "go statement: the caller decides what runs at once")
			}
		case *ast.CallExpr:
			switch fun := n.Fun.(type) {
			case *ast.Ident:
				if fun.Name == "print" || fun.Name == "println" {
					say(n, "the library does not print")
				}
			case *ast.SelectorExpr:
				if x, ok := fun.X.(*ast.Ident); ok && x.Name == "fmt" && strings.HasPrefix(fun.Sel.Name, "Print") {
					say(n, "the library does not print")
				}
			}
		}
		return true
	})
	return bad
}

func TestHabits(t *testing.T) {
	for _, f := range sources(t) {
		if !f.test && match([]string{"shaderkit/...", "render/..."}, f.pkg) {
			for _, bad := range habits(f) {
				t.Error(bad)
			}
		}
	}
}

// skips gives the places where a test skips itself, but for `if testing.Short()`. testkit.Missing
// alone decides that: in CI nothing skips.
func skips(f file) (bad []string) {
	ast.Inspect(f.ast, func(n ast.Node) bool {
		if cond, ok := n.(*ast.IfStmt); ok && short(cond.Cond) {
			return false
		}
		if call, ok := n.(*ast.CallExpr); ok {
			if sel, ok := call.Fun.(*ast.SelectorExpr); ok && slices.Contains([]string{"Skip", "Skipf", "SkipNow"}, sel.Sel.Name) {
				bad = append(bad, f.at(n)+": skips: use testkit.Missing, or return from a fuzz target")
			}
		}
		return true
	})
	return bad
}

func short(cond ast.Expr) bool {
	call, ok := cond.(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "Short"
}

func TestNoTestSkips(t *testing.T) {
	for _, f := range sources(t) {
		if f.test && f.pkg != "internal/testkit" {
			for _, bad := range skips(f) {
				t.Error(bad)
			}
		}
	}
}

func TestHabitsAreSeen(t *testing.T) {
	const src = `package p

import (
	_ "embed"
	"fmt"
	_ "image/png"
)

type T struct{}

func (T) init() { fmt.Sprint(1) }
func init()     { println(1) }
func f()        { go f(); fmt.Println(1); t.Skip("not today") }
func g()        { if testing.Short() { t.Skip("long") } }
`
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, "p.go", src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	f := file{fset: fset, ast: parsed}
	got := append(habits(f), skips(f)...)
	want := []string{
		"p.go:6: blank import: lists are explicit",
		"p.go:12: func init: lists are explicit",
		"p.go:12: the library does not print",
		"p.go:13: go statement: the caller decides what runs at once",
		"p.go:13: the library does not print",
		"p.go:13: skips: use testkit.Missing, or return from a fuzz target",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}
