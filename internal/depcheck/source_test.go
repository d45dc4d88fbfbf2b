package depcheck

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

const (
	module = "swizzle"
	root   = "../.." // of the module
)

// A file is one Go file of the module.
type file struct {
	pkg  string // import path without the module
	test bool
	fset *token.FileSet
	ast  *ast.File
}

func (f file) at(n ast.Node) string {
	p := f.fset.Position(n.Pos())
	return fmt.Sprintf("%s:%d", p.Filename, p.Line)
}

// base gives the name of the file.
func (f file) base() string { return filepath.Base(f.fset.Position(f.ast.Pos()).Filename) }

// sources parses all Go files of the module, whatever they are built for.
func sources(t *testing.T) []file {
	t.Helper()
	var files []file
	fset := token.NewFileSet()
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if name == "testdata" || name == "node_modules" || p != root && (name[0] == '.' || name[0] == '_') {
				return filepath.SkipDir
			}
			return nil
		}
		if path.Ext(name) != ".go" {
			return nil
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		src, err := parser.ParseFile(fset, p, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		if generator(src) {
			return nil
		}
		files = append(files, file{path.Dir(filepath.ToSlash(rel)), strings.HasSuffix(name, "_test.go"), fset, src})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 10 {
		t.Fatalf("only %d files below %s", len(files), root)
	}
	return files
}

// generator reports whether the file is a program that go generate runs, no part of the package it lies in.
func generator(f *ast.File) bool {
	for _, g := range f.Comments {
		for _, c := range g.List {
			if c.Text == "//go:build ignore" {
				return true
			}
		}
	}
	return false
}
