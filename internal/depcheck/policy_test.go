package depcheck

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// A policy is policy.txt, read.
type policy struct {
	allow map[string][]string // package → imports of its files
	test  []rule              // what test files may import besides
	never []rule
}

// A rule holds for imports of the packages that match.
type rule struct {
	packages, imports []string
	tests             bool // never: test files too
}

func parsePolicy(text string) (*policy, error) {
	p := &policy{allow: map[string][]string{}}
	n := 0
	for line := range strings.Lines(text) {
		n++
		line, _, _ = strings.Cut(line, "#")
		if strings.TrimSpace(line) == "" {
			continue
		}
		left, right, ok := strings.Cut(line, ":")
		head, imports := strings.Fields(left), strings.Fields(right)
		switch {
		case !ok || len(head) == 0:
			return nil, fmt.Errorf("line %d: want PACKAGE: IMPORT…", n)
		case head[0] == "test":
			p.test = append(p.test, rule{packages: head[1:], imports: imports})
		case head[0] == "never" || head[0] == "never-files":
			p.never = append(p.never, rule{head[1:], imports, head[0] == "never"})
		case len(head) > 1 || p.allow[head[0]] != nil:
			return nil, fmt.Errorf("line %d: one line for each package", n)
		default:
			p.allow[head[0]] = append([]string{}, imports...)
		}
	}
	return p, nil
}

func match(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		prefix, tree := strings.CutSuffix(p, "/...")
		return name == prefix || tree && strings.HasPrefix(name, prefix+"/")
	})
}

// check gives the complaint about an import by a file of package pkg, or "".
// Packages of this module are named without the module path.
func (p *policy) check(pkg, imp string, inModule, test bool) string {
	for _, r := range p.never {
		if (r.tests || !test) && match(r.packages, pkg) && match(r.imports, imp) {
			return fmt.Sprintf("%s never imports %s", pkg, imp)
		}
	}
	std := !inModule && !strings.Contains(strings.SplitN(imp, "/", 2)[0], ".")
	if std || match(p.allow[pkg], imp) || test && inModule {
		return ""
	}
	for _, r := range p.test {
		if test && match(r.packages, pkg) && match(r.imports, imp) {
			return ""
		}
	}
	return fmt.Sprintf("%s may not import %s", pkg, imp)
}

func readPolicy(t *testing.T) *policy {
	t.Helper()
	text, err := os.ReadFile("policy.txt")
	if err != nil {
		t.Fatal(err)
	}
	p, err := parsePolicy(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestImports(t *testing.T) {
	p := readPolicy(t)
	unknown := map[string]bool{}
	for _, f := range sources(t) {
		if _, known := p.allow[f.pkg]; !known {
			if !unknown[f.pkg] {
				t.Errorf("package %s is not in policy.txt", f.pkg)
			}
			unknown[f.pkg] = true
			continue
		}
		for _, imp := range f.ast.Imports {
			path := strings.Trim(imp.Path.Value, `"`)
			name, inModule := strings.CutPrefix(path, module+"/")
			if why := p.check(f.pkg, name, inModule, f.test); why != "" {
				t.Errorf("%s: %s", f.at(imp), why)
			}
		}
	}
}

func TestPolicyRefuses(t *testing.T) {
	p := readPolicy(t)
	for _, c := range []struct {
		pkg, imp       string
		inModule, test bool
		ok             bool
	}{
		{"shaderkit/d3d9", "shaderkit/isa", true, false, true},
		{"shaderkit/d3d9", "shaderkit/dxbc", true, false, false},
		{"shaderkit/d3d9", "shaderkit/dxbc", true, true, false},
		{"shaderkit/interp", "shaderkit/jit", true, false, false},
		{"shaderkit/ir", "shaderkit/isa", true, false, false},
		{"shaderkit/ir", "shaderkit/isa", true, true, true},
		{"shaderkit/ir", "os", false, false, false},
		{"shaderkit/ir", "os", false, true, true},
		{"shaderkit/ir", "math", false, false, true},
		{"shaderkit", "net/http", false, false, false},
		{"shaderkit", "log", false, false, false},
		{"render", "syscall/js", false, false, false},
		{"render", "shaderkit/d3d9", true, false, false},
		{"render", "shaderkit/interp", true, false, false},
		{"render", "shaderkit/interp", true, true, true},
		{"render", "github.com/go-gl/mathgl/mgl64", false, false, true},
		{"shaderkit/d3d9", "github.com/go-gl/mathgl/mgl64", false, false, false},
		{"shaderkit/d3d9", "github.com/google/go-cmp/cmp", false, false, false},
		{"shaderkit/d3d9", "github.com/google/go-cmp/cmp", false, true, true},
	} {
		if why := p.check(c.pkg, c.imp, c.inModule, c.test); (why == "") != c.ok {
			t.Errorf("%s imports %s (test %v): got %q, want allowed %v", c.pkg, c.imp, c.test, why, c.ok)
		}
	}
	for _, bad := range []string{"shaderkit/ir", "a: b\na: c\n", ": b"} {
		if _, err := parsePolicy(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}
