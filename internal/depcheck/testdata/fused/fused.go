// Package fused has expressions that Go fuses and one that it does not.
package fused

// Mad is fused.
func Mad(a, b, c float32) float32 { return a*b + c }

// Mad64 is fused.
func Mad64(a, b, c float64) float64 { return a*b + c }

// Nmsub is fused.
func Nmsub(a, b, c float32) float32 { return c - a*b }

// Rounded is not fused.
func Rounded(a, b, c float32) float32 { return float32(a*b) + c }
