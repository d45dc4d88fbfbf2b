//go:build js

package main

import (
	"strings"
	"syscall/js"

	"honnef.co/go/js/dom/v2"
)

// object makes a JavaScript object. The DOM package has no such thing for options and dictionaries.
func object(pairs ...any) js.Value {
	o := js.Global().Get("Object").New()
	for i := 0; i < len(pairs); i += 2 {
		o.Set(pairs[i].(string), pairs[i+1])
	}
	return o
}

func bytesToJS(b []byte) js.Value {
	a := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(a, b)
	return a
}

func bytesFromJS(buffer js.Value) []byte {
	a := js.Global().Get("Uint8Array").New(buffer)
	b := make([]byte, a.Length())
	js.CopyBytesToGo(b, a)
	return b
}

// on listens to a plain event. It calls f with the event as it is, since wrapping costs 30 µs.
func on(target js.Value, event string, f func(e js.Value)) {
	target.Call("addEventListener", event, js.FuncOf(func(_ js.Value, args []js.Value) any {
		f(args[0])
		return nil
	}))
}

// later calls f once, when the browser has time again, unless it is stopped before.
func later(millis int, f func()) (stop func()) {
	var fn js.Func
	fn = js.FuncOf(func(js.Value, []js.Value) any {
		fn.Release()
		f()
		return nil
	})
	timer := js.Global().Call("setTimeout", fn, millis)
	return func() {
		js.Global().Call("clearTimeout", timer)
		fn.Release()
	}
}

// await calls then with what a promise gives, or failed with what it says.
func await(promise js.Value, then func(js.Value), failed func(message string)) {
	var ok, no js.Func
	release := func() { ok.Release(); no.Release() }
	ok = js.FuncOf(func(_ js.Value, args []js.Value) any { release(); then(args[0]); return nil })
	no = js.FuncOf(func(_ js.Value, args []js.Value) any {
		release()
		failed(args[0].Call("toString").String())
		return nil
	})
	promise.Call("then", ok, no)
}

// setAttr sets an attribute, or removes it when value is empty.
func setAttr(e dom.Element, name, value string) {
	if value == "" {
		e.RemoveAttribute(name)
	} else {
		e.SetAttribute(name, value)
	}
}

// setClass adds or removes a class.
func setClass(e dom.Element, class string, on bool) {
	if on {
		e.Class().Add(class)
	} else {
		e.Class().Remove(class)
	}
}

// keyOf gives the key of a keyboard event, "" when a modifier but Shift is down.
func keyOf(e js.Value) string {
	if e.Get("ctrlKey").Bool() || e.Get("altKey").Bool() || e.Get("metaKey").Bool() {
		return ""
	}
	return e.Get("key").String()
}

// closest gives the data attribute of the nearest element around an event's target that has it.
func closest(e js.Value, attribute string) (string, bool) {
	t := e.Get("target").Call("closest", "["+attribute+"]")
	if t.IsNull() {
		return "", false
	}
	return t.Call("getAttribute", attribute).String(), true
}

func isHexDigit(key string) bool {
	return len(key) == 1 && strings.Contains("0123456789abcdefABCDEF", key)
}
