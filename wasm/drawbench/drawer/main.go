//go:build js

// Command drawer draws scenes in a Worker as fast as an engine can, for the bench. A message to it is
// {op, engine, scene, size, millis}, its answer {millis, frames}, {pixels} or {error}:
//
//	picture   draws a frame and gives its pixels: RGBA, rows from the top
//	time      draws frames for that long, without presenting them
//	first     compiles a scene that it has not seen and draws it once
package main

import (
	"errors"
	"syscall/js"
	"time"

	"swizzle/render/scene"
	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/interp"
	"swizzle/shaderkit/jit"
	"swizzle/shaderkit/jit/browserhost"
)

func main() {
	views := map[string]*scene.View{}
	for _, e := range []exec.Engine{interp.New(), jit.New(browserhost.New())} {
		views[e.Name()] = scene.NewView(e)
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

func serve(views map[string]*scene.View, m js.Value) (map[string]any, error) {
	v := views[m.Get("engine").String()]
	if v == nil {
		return nil, errors.New("no such engine")
	}
	size, op := m.Get("size").Int(), m.Get("op").String()
	began := time.Now()
	s, err := scene.Parse([]byte(m.Get("scene").String()))
	if err != nil {
		return nil, err
	}
	if err := v.Load(s, scene.Compile); err != nil {
		return nil, err
	}
	if op != "first" {
		began = time.Now()
	}
	frames := 0
	for {
		if err := v.Begin(0, size, size); err != nil {
			return nil, err
		}
		v.DrawTiles(1 << 30)
		frames++
		if op != "time" || since(began) >= m.Get("millis").Float() {
			break
		}
	}
	spent := since(began)
	if op != "picture" {
		return map[string]any{"millis": spent, "frames": frames}, nil
	}
	picture := v.Image()
	pixels := js.Global().Get("Uint8Array").New(len(picture.Pix))
	js.CopyBytesToJS(pixels, picture.Pix)
	return map[string]any{"pixels": pixels}, nil
}

func since(t time.Time) float64 { return float64(time.Since(t).Nanoseconds()) / 1e6 }
