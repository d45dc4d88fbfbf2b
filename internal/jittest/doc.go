// Package jittest makes the engine jit for tests, on whatever host the tests run.
//
//	e := jittest.New(t)
package jittest
