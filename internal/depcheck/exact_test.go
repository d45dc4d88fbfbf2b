package depcheck

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"testing"
)

// exact are the functions of package math that give the same bits on every machine.
var exact = []string{
	"Sqrt", "Floor", "Ceil", "Trunc", "RoundToEven", "Abs", "Copysign", "Signbit",
	"IsNaN", "IsInf", "Inf", "NaN", "Ldexp", "Frexp", "Float32bits", "Float32frombits", "Float64bits", "Float64frombits",
}

// rounded are the files whose results reach a scene only as float32 values with 16 fractional bits:
// camera, meshes and what follows from time. Identity across machines is claimed from there on.
var rounded = []string{"camera.go", "geometry.go", "teapot.go", "constants.go"}

// inexact gives the calls in f of functions of package math that may differ between machines.
func inexact(f file) (bad []string) {
	ast.Inspect(f.ast, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == "math" && !slices.Contains(exact, sel.Sel.Name) {
				bad = append(bad, f.at(n)+": math."+sel.Sel.Name+" is not the same on every machine")
			}
		}
		return true
	})
	return bad
}

func TestExactMath(t *testing.T) {
	for _, f := range sources(t) {
		switch {
		case f.test || !match([]string{"shaderkit/...", "render/..."}, f.pkg):
		case match([]string{"render/..."}, f.pkg) && slices.Contains(rounded, f.base()):
		default:
			for _, bad := range inexact(f) {
				t.Error(bad)
			}
		}
	}
}

func TestInexactMathIsSeen(t *testing.T) {
	const src = "package p\n\nimport \"math\"\n\nvar a, b, c = math.Sin(1), math.Sqrt(2), math.Pi\n"
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, "p.go", src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	got := inexact(file{fset: fset, ast: parsed})
	if want := []string{"p.go:5: math.Sin is not the same on every machine"}; !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}
