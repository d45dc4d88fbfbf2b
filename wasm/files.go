//go:build js

package main

import (
	"strings"
	"syscall/js"

	"honnef.co/go/js/dom/v2"

	"swizzle/render/scene"
	"swizzle/wasm/playground"
)

// begin opens what the tab had when it left the page, or the shared scene that the address names, or the default
// example.
func (p *page) begin() {
	other := func(s *playground.Session) {
		p.byID("first-picture").SetAttribute("hidden", "") // it is the example's
		p.byID("examples").Underlying().Set("selectedIndex", -1)
		p.take(s)
	}
	if s := p.kept(); s != nil {
		other(s)
		return
	}
	if hash := js.Global().Get("location").Get("hash").String(); strings.HasPrefix(hash, "#v") {
		s, err := openLink(hash)
		if err == nil {
			other(s)
			return
		}
		defer p.toast("The link could not be opened: " + err.Error() + ".")
	}
	examples := p.byID("examples").(*dom.HTMLSelectElement)
	p.fetch(examples.Value(), p.take)
}

// keptKey names the scene as it was when the tab left the page, in the storage of the tab.
const keptKey = "swizzle-scene"

// keep stores an edited scene when the tab leaves the page, so that a reload or the way back lose nothing.
func (p *page) keep() {
	if p.edited {
		js.Global().Get("swizzleKeep").Invoke(keptKey, p.session.SceneText(), true)
	}
}

// kept opens the scene that keep stored, when the tab came back: who enters the address gets the example.
func (p *page) kept() *playground.Session {
	text := js.Global().Get("swizzleKept").Invoke(keptKey)
	entries := js.Global().Get("performance").Call("getEntriesByType", "navigation")
	if !text.Truthy() || entries.Length() == 0 || entries.Index(0).Get("type").String() == "navigate" {
		return nil
	}
	s, err := playground.Open(playground.Input{Name: "edited.txtar", Data: []byte(text.String())})
	if err != nil {
		return nil // an older version of the page may have kept it
	}
	p.edited = true
	return s
}

func openLink(link string) (*playground.Session, error) {
	s, err := scene.OpenLink(link)
	if err != nil {
		return nil, err
	}
	return playground.OpenScene("shared", s)
}

// fetch loads a scene of the site and hands over its session.
func (p *page) fetch(address string, then func(*playground.Session)) {
	failed := func(message string) { p.toast("The example could not be opened. " + sentence(message)) }
	await(js.Global().Call("fetch", address), func(response js.Value) {
		if !response.Get("ok").Bool() {
			failed(address + " is not there")
			return
		}
		await(response.Call("text"), func(text js.Value) {
			s, err := playground.Open(playground.Input{Name: address, Data: []byte(text.String())})
			if err != nil {
				failed(err.Error())
				return
			}
			then(s)
		}, failed)
	}, failed)
}

// openFiles reads the files that a person chose or dropped and makes them the session. When they
// cannot be opened, what was open stays.
func (p *page) openFiles(files js.Value) {
	n := files.Length()
	if n == 0 {
		return
	}
	inputs := make([]playground.Input, n)
	left := n
	for i := range n {
		f := files.Index(i)
		inputs[i].Name = f.Get("name").String()
		await(f.Call("arrayBuffer"), func(buffer js.Value) {
			inputs[i].Data = bytesFromJS(buffer)
			if left--; left > 0 {
				return
			}
			s, err := playground.Open(inputs...)
			if err != nil {
				p.toast("Not opened: " + err.Error() + ".")
				return
			}
			p.byID("examples").Underlying().Set("selectedIndex", -1)
			p.leaveLink()
			p.replace(s)
			p.toast("Opened " + inputs[0].Name + ". It stays in this tab.")
		}, func(message string) { p.toast("Not opened: " + message + ".") })
	}
}

// followLink opens the link that the address has become: one that was pasted into it, or the one that the
// person went back to.
func (p *page) followLink() {
	hash := js.Global().Get("location").Get("hash").String()
	if !strings.HasPrefix(hash, "#v") {
		return
	}
	s, err := openLink(hash)
	if err != nil {
		p.toast("The link could not be opened: " + err.Error() + ".")
		return
	}
	p.byID("examples").Underlying().Set("selectedIndex", -1)
	p.replace(s)
}

// leaveLink takes the link out of the address when something else is opened.
func (p *page) leaveLink() {
	location := js.Global().Get("location")
	if strings.HasPrefix(location.Get("hash").String(), "#v") {
		js.Global().Get("history").Call("replaceState", js.Null(), "", location.Get("pathname").String()+location.Get("search").String())
	}
}

// listenFiles wires opening, dropping, sharing and exporting.
func (p *page) listenFiles() {
	on(js.Global(), "pagehide", func(js.Value) { p.keep() })
	on(js.Global(), "hashchange", func(js.Value) { p.followLink() })
	examples := p.byID("examples").(*dom.HTMLSelectElement)
	on(examples.Underlying(), "change", func(js.Value) {
		p.fetch(examples.Value(), func(s *playground.Session) { p.leaveLink(); p.replace(s) })
	})
	file := p.byID("file").Underlying()
	on(p.byID("open").Underlying(), "click", func(js.Value) { file.Call("click") })
	on(file, "change", func(js.Value) {
		p.openFiles(file.Get("files"))
		file.Set("value", "") // the same file may be opened again
	})
	drop := p.byID("drop")
	window := js.Global()
	on(window, "dragover", func(e js.Value) { e.Call("preventDefault"); drop.RemoveAttribute("hidden") })
	on(window, "dragleave", func(e js.Value) {
		if e.Get("relatedTarget").IsNull() {
			drop.SetAttribute("hidden", "")
		}
	})
	window.Call("addEventListener", "drop", js.FuncOf(func(_ js.Value, args []js.Value) any {
		e := args[0]
		drop.SetAttribute("hidden", "")
		if files := e.Get("dataTransfer").Get("files"); files.Length() > 0 {
			e.Call("preventDefault")
			e.Call("stopPropagation")
			p.openFiles(files)
		}
		return nil
	}), true) // before the editor sees it
	on(p.byID("share").Underlying(), "click", func(js.Value) { p.share() })
	on(p.byID("export-menu").Underlying(), "click", func(e js.Value) {
		if what, ok := closest(e, "data-export"); ok {
			p.export(what)
			p.byID("export-menu").Underlying().Set("open", false)
		}
	})
}

// share puts the scene into the address and copies it.
func (p *page) share() {
	link := scene.Link(p.session.Sync())
	js.Global().Get("history").Call("replaceState", js.Null(), "", link)
	address := js.Global().Get("location").Get("href").String()
	note := ""
	if len(address) > 2000 {
		note = " It is long: some chat programs cut links at 2,000 characters, a scene file is safer."
	}
	done := func(how string) {
		p.toast(how + " The whole scene is in the link; nothing was sent anywhere." + note)
	}
	clipboard := js.Global().Get("navigator").Get("clipboard")
	if !clipboard.Truthy() {
		done("The link is in the address bar.")
		return
	}
	await(clipboard.Call("writeText", address), func(js.Value) { done("The link is copied.") },
		func(string) { done("The link is in the address bar.") })
}

// export hands a file to the browser's downloads.
func (p *page) export(what string) {
	d := p.current()
	if what != "text" && what != "scene" && what != "picture" && !d.Current {
		p.toast("The text has errors: there are no words to export.")
		return
	}
	stage := string(p.session.Stage)
	switch what {
	case "binary":
		p.download(p.session.FileName("."+stage[:1]+"so"), d.Program.Data)
	case "text":
		p.download(p.session.FileName("."+stage+".asm"), []byte(d.Text))
	case "header":
		p.download(p.session.FileName("."+stage+".h"), []byte(playground.Header(d.Program, p.session.FileName("_"+stage))))
	case "hex":
		p.download(p.session.FileName("."+stage+".hex"), []byte(playground.HexWords(d.Program)))
	case "scene":
		p.download(p.session.FileName(".txtar"), []byte(p.session.SceneText()))
	case "picture":
		p.view.canvas.Underlying().Call("toBlob", js.FuncOf(func(_ js.Value, args []js.Value) any {
			p.save(p.session.FileName(".png"), args[0])
			return nil
		}))
	}
}

func (p *page) download(name string, data []byte) {
	p.save(name, js.Global().Get("Blob").New([]any{bytesToJS(data)}))
}

func (p *page) save(name string, blob js.Value) {
	url := js.Global().Get("URL")
	address := url.Call("createObjectURL", blob)
	a := p.doc.CreateElement("a").Underlying()
	a.Set("href", address)
	a.Set("download", name)
	a.Call("click")
	later(10000, func() { url.Call("revokeObjectURL", address) })
	p.toast("Saved " + name + ".")
}
