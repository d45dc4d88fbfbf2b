//go:build js

// Command drawer draws scenes in a Worker as fast as an engine can, for the bench. A message to it is
// {op, engine, scene, size, part, parts, frames, number}, its answer {millis}, {pixels} or {error}:
//
//	picture   draws a frame and gives its pixels: RGBA, rows from the top
//	draw      draws its part of so many frames, without presenting them
//	first     compiles a scene and draws it once; its pixel shader multiplies by another factor for each number,
//	          so that no part of the way knows the program
package main

import (
	"errors"
	"syscall/js"
	"time"

	"swizzle/render"
	"swizzle/render/scene"
	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/interp"
	"swizzle/shaderkit/ir"
	"swizzle/shaderkit/jit"
	"swizzle/shaderkit/jit/browserhost"
)

func main() {
	views := map[string]*view{}
	for name, e := range map[string]exec.Engine{
		"interp": interp.New(), "jit": jit.New(browserhost.New()),
		"page": exec.NewTiered(interp.New(), jit.New(browserhost.New())), // as the page has it
	} {
		views[name] = &view{View: scene.NewView(e)}
	}
	js.Global().Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		answer, err := serve(views, args[0].Get("data"))
		if err != nil {
			answer = map[string]any{"error": err.Error()}
		}
		js.Global().Call("postMessage", answer)
		return nil
	}))
	js.Global().Call("postMessage", "ready")
	select {}
}

// A view remembers its scene: what draws frame after frame loads it once.
type view struct {
	*scene.View
	scene string
}

func serve(views map[string]*view, m js.Value) (map[string]any, error) {
	v := views[m.Get("engine").String()]
	if v == nil {
		return nil, errors.New("no such engine")
	}
	size, op := m.Get("size").Int(), m.Get("op").String()
	compile := scene.Compile
	if op == "first" {
		compile = func(s scene.Source) (*scene.Shader, error) { return renumbered(s, m.Get("number").Int()) }
	}
	v.Part = render.Part{Index: m.Get("part").Int(), Count: m.Get("parts").Int()}
	began := time.Now()
	if text := m.Get("scene").String(); text != v.scene || op == "first" {
		s, err := scene.Parse([]byte(text))
		if err != nil {
			return nil, err
		}
		if err := v.Load(s, compile); err != nil {
			return nil, err
		}
		if v.scene = text; op == "first" {
			v.scene = ""
		} else {
			began = time.Now()
		}
	}
	for range m.Get("frames").Int() {
		if err := v.Begin(0, size, size); err != nil {
			return nil, err
		}
		v.DrawTiles(1 << 30)
	}
	spent := since(began)
	if op != "picture" {
		return map[string]any{"millis": spent}, nil
	}
	picture := v.Image()
	pixels := js.Global().Get("Uint8Array").New(len(picture.Pix))
	js.CopyBytesToJS(pixels, picture.Pix)
	return map[string]any{"pixels": pixels}, nil
}

// renumbered compiles a shader whose first result is multiplied by a number little above one.
func renumbered(s scene.Source, n int) (*scene.Shader, error) {
	sh, err := scene.Compile(s)
	if err != nil || s.Stage != ir.Pixel {
		return sh, err
	}
	f := sh.Program.Funcs[0]
	last := len(f.Body.Insts) - 1
	end := f.Body.Insts[last]
	if len(end.Args) == 0 {
		return sh, nil
	}
	factor, product := f.NewReg(ir.C32), f.NewReg(ir.C32)
	f.Body.Insts = append(f.Body.Insts[:last],
		ir.Inst{Op: ir.Const, N: 1, Dst: factor, Imm: 0x3F800000 + uint64(n), From: -1},
		ir.Inst{Op: ir.FMul, N: 1, Dst: product, Args: []ir.Reg{end.Args[0], factor}, From: -1})
	end.Args[0] = product
	f.Body.Insts = append(f.Body.Insts, end)
	return sh, nil
}

func since(t time.Time) float64 { return float64(time.Since(t).Nanoseconds()) / 1e6 }
