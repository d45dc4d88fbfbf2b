// Package browserhost runs the modules of package jit by the WebAssembly object of JavaScript: in a
// browser's Worker, or in node. It is empty on other systems.
//
// All instances of a host import one WebAssembly.Memory, which is not that of the Go program: a kernel
// can never touch the Go heap.
//
//	k, err := jit.New(browserhost.New()).Compile(p)
package browserhost
