// Command desktop is Swizzle in a window: it opens a scene, or a shader of one stage or of each, watches
// the files, and draws anew when they are saved.
//
//	desktop [--engine jit|interp] [FILE…]
//
// The window shows the picture (zoom, pan, a loupe with the values of a pixel), the listing with its
// words and bit fields, what is wrong with the files and where, and the scene's constants as sliders.
// F1 lists the keys. Files may also be dropped on it.
//
// What it knows is in package model, without a window; what is here draws that and hears keys and
// mouse. All measures are in pixels of the device, so that text and pixels are sharp at every scale.
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/hajimehoshi/ebiten/v2"

	"swizzle/cmd/desktop/model"
	"swizzle/internal/engine"
)

func main() {
	engineName := flag.String("engine", "jit", "what draws: "+strings.Join(engine.Names, ", "))
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: desktop [--engine ENGINE] [FILE…]\n\nA FILE is a scene, or a shader as text or binary; two files are a shader of each stage.")
		flag.PrintDefaults()
	}
	flag.Parse()
	if !slices.Contains(engine.Names, *engineName) {
		fmt.Fprintf(os.Stderr, "desktop: --engine %s: want %s\n", *engineName, strings.Join(engine.Names, " or "))
		os.Exit(2)
	}
	if err := run(*engineName, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "desktop:", err)
		os.Exit(1)
	}
}

func run(engineName string, files []string) error {
	w := &window{}
	app, err := model.New(w.wake)
	if err != nil {
		return err
	}
	defer app.Close()
	w.app = app
	app.SetEngine(engineName)
	app.Open(files...)

	ebiten.SetWindowSize(1180, 760)
	ebiten.SetWindowResizingMode(ebiten.WindowResizingModeEnabled)
	ebiten.SetWindowTitle(app.Title())
	ebiten.SetScreenClearedEveryFrame(false) // Draw returns early when nothing changed
	return ebiten.RunGameWithOptions(w, &ebiten.RunGameOptions{SingleThread: true})
}
