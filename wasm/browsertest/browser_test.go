// Package browsertest drives the built page in a real Chromium, as a person would: it types, clicks and
// presses keys, and looks at text, words and pixels. Its benchmarks measure what a person waits for.
package browsertest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"swizzle/cmd/serve/site"
)

// built is the site under test and the browser, made once.
var built struct {
	site    *site.Site
	origin  string
	browser context.Context
}

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "swizzle-site")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "site")
	build := exec.Command("go", "run", "./cmd/serve/build", "-quick="+quick(), "-o", out)
	build.Dir = filepath.Join("..", "..")
	if msg, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "building the site: %v\n%s", err, msg)
		return 1
	}
	if built.site, err = site.Load(out); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	server := httptest.NewServer(built.site)
	defer server.Close()
	built.origin = server.URL
	profile := filepath.Join(dir, "profile")
	options := []chromedp.ExecAllocatorOption{
		chromedp.UserDataDir(profile), chromedp.NoFirstRun, chromedp.Headless, chromedp.DisableGPU, chromedp.NoSandbox,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
		chromedp.WindowSize(1440, 900),
	}
	if path := os.Getenv("CHROMIUM"); path != "" {
		options = append(options, chromedp.ExecPath(path))
	}
	allocated, stop := chromedp.NewExecAllocator(context.Background(), options...)
	defer stop()
	browser, cancel := chromedp.NewContext(allocated)
	defer cancel()
	if err := chromedp.Do(browser); err != nil {
		fmt.Fprintf(os.Stderr, "starting Chromium (apt-get install chromium, or set CHROMIUM to its path): %v\n", err)
		return 1
	}
	built.browser = browser
	return m.Run()
}

// quick says whether the build may compress fast. Benchmarks measure the real thing.
func quick() string {
	for _, arg := range os.Args {
		if strings.HasPrefix(arg, "-test.bench=") && arg != "-test.bench=" {
			return "false"
		}
	}
	return "true"
}

// A tab is one open page with what went wrong in it.
type tab struct {
	t   testing.TB
	ctx context.Context

	mu       sync.Mutex
	problems []string
	blocked  string  // part of an address that is not loaded; complaints about that are expected
	received float64 // bytes of answers, as transferred
}

// window is the size and colours of a tab.
type window struct {
	width, height int64
	dark          bool
	still         bool // the person asked for less motion
	forced        bool // the system forces its own colours
}

var wide = window{width: 1440, height: 900}

// open loads an address of the site in a fresh tab and waits until the page has drawn.
func open(t testing.TB, w window, address string) *tab {
	t.Helper()
	b := blank(t, w)
	b.run(chromedp.Navigate(built.origin + "/" + address))
	b.wait("the first frame", `document.querySelector("#canvas").dataset.seq > 0`)
	return b
}

// blank makes a tab that shows nothing yet. At the end of the test it must not have complained.
func blank(t testing.TB, w window) *tab {
	t.Helper()
	return blankFor(t, w, 90*time.Second)
}

// blankFor makes a tab that lives so long at most.
func blankFor(t testing.TB, w window, long time.Duration) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(built.browser)
	ctx, stop := context.WithTimeout(ctx, long)
	b := &tab{t: t, ctx: ctx}
	t.Cleanup(func() {
		for _, p := range b.complaints() {
			if b.blocked == "" {
				t.Error(p)
			}
		}
		stop()
		cancel()
	})
	if err := chromedp.Listen(ctx, b.event); err != nil {
		t.Fatal(err)
	}
	scheme := "light"
	if w.dark {
		scheme = "dark"
	}
	motion := "no-preference"
	if w.still {
		motion = "reduce"
	}
	forced := "none"
	if w.forced {
		forced = "active"
	}
	call(b, network.Enable, network.EnableParams{})
	call(b, log.Enable, cdp.Empty{})
	call(b, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: w.width, Height: w.height, DeviceScaleFactor: 1, Mobile: w.width < 720})
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: motion}, {Name: "forced-colors", Value: forced}}})
	return b
}

// event notes errors of the page and requests that leave its origin.
func (b *tab) event(ev any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	note := func(format string, args ...any) { b.problems = append(b.problems, fmt.Sprintf(format, args...)) }
	switch ev := ev.(type) {
	case *runtime.EventExceptionThrown:
		text := ev.ExceptionDetails.Text
		if ev.ExceptionDetails.Exception != nil {
			text += " " + ev.ExceptionDetails.Exception.Description
		}
		note("exception: %s", text)
	case *runtime.EventConsoleAPICalled:
		if ev.Type == runtime.ConsoleAPICalledTypeError || ev.Type == runtime.ConsoleAPICalledTypeWarning {
			for _, a := range ev.Args {
				note("console: %s %s", a.Value, a.Description)
			}
		}
	case *log.EventEntryAdded:
		if ev.Entry.Level == log.EntryLevelError || ev.Entry.Level == log.EntryLevelWarning {
			note("log: %s %s", ev.Entry.Text, ev.Entry.URL)
		}
	case *network.EventRequestWillBeSent:
		u := ev.Request.URL
		if !strings.HasPrefix(u, built.origin+"/") && !strings.HasPrefix(u, "data:") && !strings.HasPrefix(u, "blob:") {
			note("a request leaves the origin: %s", u)
		}
	case *network.EventLoadingFinished:
		b.received += ev.EncodedDataLength
	}
}

func (b *tab) complaints() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string(nil), b.problems...)
}

// call sends a command of the protocol.
func call[P, R any](b *tab, c cdp.Command[P, R], params P) R {
	b.t.Helper()
	r, err := chromedp.Call(b.ctx, c, params)
	if err != nil {
		b.t.Fatalf("%s: %v", c.Method, err)
	}
	return r
}

func (b *tab) run(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, actions...); err != nil {
		b.t.Fatalf("%v; the page said %q", err, b.complaints())
	}
}

// eval gives the value of a JavaScript expression.
func eval[T any](b *tab, expression string) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v; the page said %q", expression, err, b.complaints())
	}
	return v
}

// wait polls until a JavaScript condition holds.
func (b *tab) wait(what, condition string) {
	b.t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for {
		ok, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool]("Promise.resolve("+condition+").then(Boolean)", chromedp.EvalAwaitPromise))
		if err == nil && ok {
			return
		}
		if time.Now().After(deadline) {
			b.t.Fatalf("waited in vain for %s (%s): %v; the page said %q, shows %q", what, condition, err, b.complaints(), eval[string](b, "document.body.innerText"))
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func (b *tab) click(selector string) {
	b.t.Helper()
	b.run(chromedp.Click(chromedp.CSS(selector), chromedp.NodeVisible))
}

// key presses keys one after the other, as the browser sees it from a keyboard: the character belongs to
// the key that goes down, so that a page which handles the key gets no character.
func (b *tab) key(keys string, modifiers ...chromedp.Modifier) {
	b.t.Helper()
	for _, r := range keys {
		events := kb.Encode(r)
		down, up := *events[0], *events[len(events)-1]
		down.Type = input.DispatchKeyEventTypeRawKeyDown
		for _, m := range modifiers {
			down.Modifiers |= int64(m)
			up.Modifiers |= int64(m)
		}
		if len(events) == 3 && down.Modifiers&^int64(chromedp.ModifierShift) == 0 {
			down.Type = input.DispatchKeyEventTypeKeyDown
			down.Text, down.UnmodifiedText = events[1].Text, events[1].UnmodifiedText
		}
		call(b, input.DispatchKeyEvent, down)
		call(b, input.DispatchKeyEvent, up)
	}
}

// insert puts text at the caret of what has the focus, as an input method does.
func (b *tab) insert(text string) {
	b.t.Helper()
	call(b, input.InsertText, input.InsertTextParams{Text: text})
}

// paste pastes text into the source.
func (b *tab) paste(text string) {
	b.t.Helper()
	q, _ := json.Marshal(text)
	eval[bool](b, fmt.Sprintf(`(() => {
		const data = new DataTransfer();
		data.setData("text/plain", %s);
		return document.querySelector(".cm-content").dispatchEvent(new ClipboardEvent("paste", {bubbles: true, cancelable: true, clipboardData: data})) || true;
	})()`, q))
}

// source gives the text in the editor.
func (b *tab) source() string {
	b.t.Helper()
	return eval[string](b, `[...document.querySelectorAll(".cm-line")].map((l) => l.textContent).join("\n")`)
}

// caret puts the caret behind the first occurrence of text in the source.
func (b *tab) caret(text string) {
	b.t.Helper()
	q, _ := json.Marshal(text)
	ok := eval[bool](b, fmt.Sprintf(`(() => {
		const find = %s;
		document.querySelector(".cm-content").focus();
		for (const line of document.querySelectorAll(".cm-line")) {
			const at = line.textContent.indexOf(find);
			if (at < 0) continue;
			let left = at + find.length;
			const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
			for (let n; (n = walker.nextNode());) {
				if (left <= n.length) { getSelection().collapse(n, left); return true; }
				left -= n.length;
			}
		}
		return false;
	})()`, q))
	if !ok {
		b.t.Fatalf("the source has no %q: %s", text, b.source())
	}
}

// pixels gives a number that stands for all pixels of the canvas, and how many differ from the first.
func (b *tab) pixels() (hash string, varied int) {
	b.t.Helper()
	v := eval[[]any](b, `(() => {
		const c = document.querySelector("#canvas");
		const d = new Uint32Array(c.getContext("2d").getImageData(0, 0, c.width, c.height).data.buffer);
		let h = 0x811c9dc5, n = 0;
		for (const x of d) { h = Math.imul(h ^ x, 0x01000193) >>> 0; if (x !== d[0]) n++; }
		return [h.toString(16), n];
	})()`)
	return v[0].(string), int(v[1].(float64))
}

// seq gives the number of the frame shown; rows the text of the token list.
func (b *tab) seq() int {
	b.t.Helper()
	return eval[int](b, `+document.querySelector("#canvas").dataset.seq`)
}

func (b *tab) rows() []string {
	b.t.Helper()
	return eval[[]string](b, `[...document.querySelectorAll("#token-list .w")].map((w) => w.innerText.replace(/\s+/g, " ").trim())`)
}

// after does something and waits for the frame that follows from it.
func (b *tab) after(what string, do func()) {
	b.t.Helper()
	n := b.seq()
	do()
	b.wait("the frame after "+what, fmt.Sprintf(`document.querySelector("#canvas").dataset.seq > %d`, n))
}

func (b *tab) screenshot(name string) {
	b.t.Helper()
	png := call(b, page.CaptureScreenshot, page.CaptureScreenshotParams{}).Data
	if err := os.WriteFile(filepath.Join(os.Getenv("SWIZZLE_SHOTS"), name+".png"), png, 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// choose takes an option of a select, by its value.
func (b *tab) choose(selector, value string) {
	b.t.Helper()
	b.after("the choice of "+value, func() {
		eval[bool](b, fmt.Sprintf(`(() => { const s = document.querySelector(%q); s.value = %q; return s.dispatchEvent(new Event("change", {bubbles: true})); })()`, selector, value))
	})
}

// example opens an example, by words of its title.
func (b *tab) example(title string) {
	b.t.Helper()
	b.choose("#examples", eval[string](b, fmt.Sprintf(`[...document.querySelector("#examples").options].find((o) => o.text.includes(%q)).value`, title)))
}
