// Package irtest writes random IR programs and runs any program by walking it, as directly as the
// specification in package ir reads: one wave of 8 lanes, two masks, registers in all lanes. Passes
// and engines are compared with it.
//
// What the specification leaves open it fills with noise: lanes of a join that were not active, and
// the bits of NaNs that float ops make. Runs with different noise that differ show a program, or a
// pass, that depends on what nobody promised.
package irtest
