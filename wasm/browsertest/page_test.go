package browsertest

import (
	"fmt"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestScreenshots writes pictures of the page for people to look at, into the folder SWIZZLE_SHOTS.
// Without it the pages are opened all the same, and must not complain.
func TestScreenshots(t *testing.T) {
	for _, w := range []window{{width: 1440, height: 900}, {width: 390, height: 844}, {width: 1000, height: 760}} {
		for _, w.dark = range []bool{false, true} {
			name := fmt.Sprintf("%dx%d-%s", w.width, w.height, map[bool]string{false: "light", true: "dark"}[w.dark])
			t.Run(name, func(t *testing.T) {
				b := open(t, w, "")
				if os.Getenv("SWIZZLE_SHOTS") != "" {
					b.screenshot(name)
				}
				if size := eval[int](b, `document.querySelector("#canvas").offsetWidth`); size < 100 {
					t.Errorf("the picture is %d pixels wide", size)
				}
				b.is("dark", eval[bool](b, `matchMedia("(prefers-color-scheme: dark)").matches`), w.dark)
				if contrast := eval[float64](b, contrastJS); contrast < 4.5 {
					t.Errorf("the contrast of the text is %.1f", contrast)
				}
			})
		}
	}
}

// TestForcedColours checks that the selected word, set bits and the chosen shader can be told from their
// neighbours when the system's colours replace the page's.
func TestForcedColours(t *testing.T) {
	b := open(t, window{width: 1440, height: 900, forced: true}, "")
	if os.Getenv("SWIZZLE_SHOTS") != "" {
		b.screenshot("forced-colours")
	}
	for _, pair := range [][2]string{
		{".w[aria-selected=true]", ".w[aria-selected=false]"},
		{"#stages [aria-pressed=true]", "#stages [aria-pressed=false]"},
		{".bit[aria-pressed=true] b", ".bit[aria-pressed=false] b"},
	} {
		style := `(s) => { const c = getComputedStyle(document.querySelector(s)); return c.backgroundColor + c.textDecorationLine; }`
		if same := eval[bool](b, fmt.Sprintf(`(%s)(%q) === (%s)(%q)`, style, pair[0], style, pair[1])); same {
			t.Errorf("%s looks as %s does", pair[0], pair[1])
		}
	}
}

// TestTheme chooses a theme, which the next visit keeps.
func TestTheme(t *testing.T) {
	b := open(t, wide, "")
	paper := func() string { return eval[string](b, `getComputedStyle(document.body).backgroundColor`) }
	light := paper()
	eval[bool](b, `(() => { const s = document.querySelector("#theme"); s.value = "dark"; return s.dispatchEvent(new Event("change", {bubbles: true})); })()`)
	dark := paper()
	if dark == light {
		t.Error("the dark theme is as light as the light one")
	}
	b.run(chromedp.Navigate(built.origin + "/"))
	b.wait("the page again", `document.documentElement.dataset.ready`)
	b.is("theme at the next visit", paper(), dark)
	eval[bool](b, `(localStorage.clear(), true)`)
}

// contrastJS gives the smallest contrast of coloured text in the source on the page's paper, by WCAG's
// definition.
const contrastJS = `(() => {
	const light = (c) => {
		const [r, g, b] = c.match(/[\d.]+/g).map((x) => x / 255).map((x) => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const paper = light(getComputedStyle(document.body).backgroundColor);
	return Math.min(...[...document.querySelectorAll(".cm-line span, .w span, .dim, #pixel, #verdict")].map((e) => {
		const ink = light(getComputedStyle(e).color);
		return (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
	}));
})()`

// TestFirstPaint compares what stands in the static HTML with what the program shows, and checks that
// nothing jumps when it takes over.
func TestFirstPaint(t *testing.T) {
	b := open(t, wide, "")
	static := eval[[]string](b, fmt.Sprintf(`fetch(%q).then((r) => r.text()).then((html) => {
		const d = new DOMParser().parseFromString(html, "text/html");
		const text = (s) => d.querySelector(s).textContent.trim();
		return [text("#first-source"), text("#token-list"), text("#word-title"), text("#bits"), text("#fields"), text("#about"), text("#verdict"), text("#scene-controls"), d.querySelector("#first-picture").src.slice(0, 22)];
	})`, built.origin+"/"))
	live := eval[[]string](b, `(() => {
		const text = (s) => document.querySelector(s).textContent.trim();
		return [[...document.querySelectorAll(".cm-line")].map((l) => l.textContent).join("\n").trim(), text("#token-list"), text("#word-title"), text("#bits"), text("#fields"), text("#about"), text("#verdict"), text("#scene-controls"), "data:image/png;base64,"];
	})()`)
	for i, what := range []string{"source", "tokens", "title of the word", "bits", "fields", "explanation", "verdict", "scene", "picture"} {
		if static[i] != live[i] || static[i] == "" {
			t.Errorf("%s: the static page has %q, the program shows %q", what, static[i], live[i])
		}
	}
	shift := eval[float64](b, `new Promise((done) => {
		let sum = 0;
		new PerformanceObserver((list) => { for (const e of list.getEntries()) sum += e.value; }).observe({type: "layout-shift", buffered: true});
		setTimeout(() => done(sum), 300);
	})`)
	if shift > 0.005 {
		t.Errorf("the layout shifts by %.4f", shift)
	}
}

// TestNarrow uses the page in windows as narrow as 320 pixels: nothing scrolls sideways, one panel shows at a
// time, and the tabs are tabs.
func TestNarrow(t *testing.T) {
	for _, width := range []int64{320, 390, 720} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			b := open(t, window{width: width, height: 700, still: true}, "")
			eval[bool](b, `(document.querySelectorAll("#token-list .w")[3].click(), true)`) // a word with a long table
			for i, name := range []string{"source", "tokens", "word", "scene"} {
				if i == 0 {
					b.run(chromedp.Focus(chromedp.CSS("#tab-source")))
				} else {
					b.key(kb.ArrowRight)
				}
				b.is("focus", eval[string](b, "document.activeElement.id"), "tab-"+name)
				b.is("panels shown with "+name, eval[[]string](b, `["source", "tokens", "word", "scene"].filter((id) => document.getElementById(id).offsetHeight > 0)`), []string{name})
				b.is("role", eval[string](b, fmt.Sprintf(`document.getElementById(%q).getAttribute("role")`, name)), "tabpanel")
				if over := eval[int](b, `Math.max(document.documentElement.scrollWidth - innerWidth, ...["fields", "about", "scene-controls"].map((id) => document.getElementById(id)).map((e) => e.scrollWidth - e.clientWidth))`); over > 0 {
					t.Errorf("%s is %d pixels too wide", name, over)
				}
				if os.Getenv("SWIZZLE_SHOTS") != "" {
					b.screenshot(fmt.Sprintf("narrow-%d-%s", width, name))
				}
			}
			eval[bool](b, `(scrollTo(0, 9999), true)`)
			if hit := eval[string](b, `(() => { const r = document.querySelector("#tab-word").getBoundingClientRect(); return document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2)?.id ?? "nothing"; })()`); hit != "tab-word" {
				t.Errorf("after scrolling the tab of the bits is under %s", hit)
			}
			small := eval[[]string](b, `[...document.querySelectorAll("button, select, input")].filter((e) => e.offsetWidth > 0 && (e.offsetWidth < 24 || e.offsetHeight < 24) && e.type !== "checkbox").map((e) => e.outerHTML)`)
			if len(small) > 0 {
				t.Errorf("targets smaller than 24 pixels: %q", small)
			}
		})
	}
}

// TestNames asks the browser's accessibility tree for controls that no reader could name.
func TestNames(t *testing.T) {
	b := open(t, wide, "")
	call(b, accessibility.Enable, cdp.Empty{})
	tree := call(b, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	need := map[string]bool{"button": true, "textbox": true, "combobox": true, "listbox": true, "option": true, "checkbox": true, "image": true, "spinbutton": true, "tab": true, "ColorWell": true, "searchbox": true}
	seen := 0
	for _, n := range tree.Nodes {
		if n.Ignored || n.Role == nil {
			continue
		}
		role := strings.Trim(string(n.Role.Value), `"`)
		if !need[role] {
			continue
		}
		seen++
		if n.Name == nil || strings.Trim(string(n.Name.Value), `"`) == "" {
			t.Errorf("a %s has no name: node %v", role, n.BackendDOMNodeID)
		}
	}
	if seen < 60 {
		t.Errorf("only %d controls were seen", seen)
	}
	for what, bad := range map[string]string{
		"ids used twice":     `[...document.querySelectorAll("[id]")].map((e) => e.id).filter((id, i, all) => all.indexOf(id) !== i)`,
		"labels for nothing": `[...document.querySelectorAll("[aria-labelledby],[aria-controls],[aria-describedby]")].flatMap((e) => ["aria-labelledby", "aria-controls", "aria-describedby"].map((a) => e.getAttribute(a))).filter((id) => id && !document.getElementById(id))`,
	} {
		if list := eval[[]string](b, bad); len(list) > 0 {
			t.Errorf("%s: %q", what, list)
		}
	}
}

// TestGallery opens every example and looks for a picture.
func TestGallery(t *testing.T) {
	b := open(t, window{width: 1440, height: 900, still: true}, "")
	examples := eval[[]string](b, `[...document.querySelectorAll("#examples option")].map((o) => o.value)`)
	if len(examples) < 4 {
		t.Errorf("only %d examples", len(examples))
	}
	for _, e := range examples {
		b.run(chromedp.Navigate("about:blank"))
		b.run(chromedp.Navigate(built.origin + "/"))
		b.wait("the first frame", `document.querySelector("#canvas").dataset.seq > 0`)
		b.after(e, func() {
			eval[bool](b, fmt.Sprintf(`(() => { const s = document.querySelector("#examples"); s.value = %q; return s.dispatchEvent(new Event("change", {bubbles: true})); })()`, e))
		})
		if _, varied := b.pixels(); varied < 500 {
			t.Errorf("%s: %d pixels differ from the first", e, varied)
		}
		if problems := b.texts("#problems .error, #stale:not([hidden])"); len(problems) > 0 {
			t.Errorf("%s: %q", e, problems)
		}
		if os.Getenv("SWIZZLE_SHOTS") != "" {
			b.screenshot("example-" + strings.TrimSuffix(e[strings.LastIndex(e, "/")+1:], ".txtar"))
		}
	}
}

// TestOffline visits once, then the server goes away.
func TestOffline(t *testing.T) {
	server := httptest.NewServer(built.site)
	defer server.Close()
	defer func(origin string) { built.origin = origin }(built.origin)
	built.origin = server.URL
	b := open(t, wide, "")
	b.wait("the service worker", `navigator.serviceWorker.controller`)
	b.wait("its cache", `caches.keys().then((k) => k.length)`)
	server.CloseClientConnections()
	server.Close()
	b.run(chromedp.Navigate(server.URL + "/"))
	b.wait("the page without a server", `document.querySelector("#canvas").dataset.seq > 0`)
}

// The picture keeps its shape, and what is said of the pixel is in view, however the window is cut.
func TestPictureIsSquare(t *testing.T) {
	for _, w := range []window{{width: 1440, height: 900}, {width: 1440, height: 560}, {width: 1130, height: 700}, {width: 1000, height: 1400}, {width: 390, height: 844}} {
		b := open(t, w, "")
		shape := eval[[]float64](b, `(() => { const r = document.querySelector("#canvas").getBoundingClientRect(); return [r.width, r.height,
			document.querySelector("#picture").getBoundingClientRect().bottom - document.querySelector("#pixel").getBoundingClientRect().bottom]; })()`)
		if shape[0] < 100 || shape[0] != shape[1] || shape[2] < -1 {
			t.Errorf("%dx%d: the picture is %g by %g, the pixel's text ends %g before its panel", w.width, w.height, shape[0], shape[1], shape[2])
		}
	}
}
