// Command build makes the static site of the playground, which cmd/serve serves.
//
//	build [-o build/site] [-quick]
//
// It runs in the root of the module and needs Go and npm. Steps, in order:
//
//	wasm            → swizzle.wasm      the page and engine program, for js/wasm
//	GOROOT          → wasm_exec.js      the Go runtime's half in JavaScript
//	static/editor   → editor.js         CodeMirror and its bridge, bundled by esbuild
//	static          → css, scripts, icon, examples
//	index.html      → index.html        with the default example drawn into it, and hashed names
//	all of them     → *.br, *.gz        precompressed
//
// Files but for index.html, offline.js and the examples get a hash of their content into their name,
// so that they can be cached for ever.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	out := flag.String("o", "build/site", "folder to write; what is in it goes")
	quick := flag.Bool("quick", false, "compress quickly instead of well, for tests")
	flag.Parse()
	if err := build(".", *out, *quick); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}
