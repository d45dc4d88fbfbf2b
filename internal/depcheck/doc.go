// Package depcheck holds what no compiler checks about the whole repository. It is all tests:
//
//   - policy.txt says what each package may import, and the import graph keeps to it;
//   - library code does not register by init, start goroutines or print;
//   - no fused multiply-add comes out of the numeric packages on any target.
package depcheck
