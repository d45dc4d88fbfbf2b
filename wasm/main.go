//go:build js

// Command wasm is the program of the page, in two roles of one binary.
//
//	main thread   page    holds the text and the words, drives the DOM
//	Worker        engine  compiles the scene and draws it in slices
//
// static/loader.js starts the first, static/worker.js the second with the module that the first was
// compiled to; package protocol is what they say to each other. What can be said without a browser
// lives in package playground.
package main

import "os"

func main() {
	if len(os.Args) > 1 && os.Args[1] == "engine" {
		runEngine()
		return
	}
	newPage()
	select {}
}
