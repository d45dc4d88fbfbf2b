// Package windowtest tests the desktop program in its window, on a display without a screen. It is apart
// from the program because whatever links Ebiten needs a display when it starts.
package windowtest
