// Package depcheck holds what no compiler checks about the whole repository. It is all tests:
//
//   - policy.txt says what each package may import, and the import graph keeps to it;
//   - library code does not register by init, start goroutines or print, and no test skips by itself;
//   - arithmetic is the same on every machine: no inexact function of package math, no fused
//     multiply-add out of the compiler.
package depcheck
