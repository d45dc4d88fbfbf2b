package browsertest

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// BenchmarkKeystroke measures the time from a key press to the picture on the canvas at 256x256: the editor, the
// assembler, the token list, the worker with compiler and rasteriser, and the way there and back. Of it ms/engine is the worker, from scene to pixels.
func BenchmarkKeystroke(b *testing.B) {
	t := open(b, wide, link(b, strings.Replace(tinted, "c0 ", "c0.x ", 1)))
	eval[bool](t, `(() => {
		globalThis.samples = [];
		globalThis.engine = [];
		let pressed = 0;
		addEventListener("keydown", (e) => { if (e.key.length === 1) pressed = e.timeStamp; }, true);
		new MutationObserver(() => {
			if (pressed) samples.push(performance.now() - pressed);
			pressed = 0;
			setTimeout(() => engine.push(parseFloat(document.querySelector("#engine").textContent.split(" in ")[1])));
		})
			.observe(document.querySelector("#canvas"), {attributeFilter: ["data-seq"]});
		return true;
	})()`)
	t.caret("mul r0, r0, c0.x")
	n := 0
	stroke := func() {
		t.key(kb.ArrowLeft, chromedp.ModifierShift)
		t.after("a key", func() { t.key([]string{"y", "x"}[n&1]) })
		n++
	}
	for b.Loop() {
		stroke()
	}
	for n < 30 {
		stroke()
	}
	samples := eval[[]float64](t, "samples")
	if len(samples) < 20 {
		b.Fatalf("only %d samples", len(samples))
	}
	engine := eval[[]float64](t, "engine")
	slices.Sort(samples)
	slices.Sort(engine)
	b.ReportMetric(0, "ns/op") // the loop's own time is that of the driver
	b.ReportMetric(samples[len(samples)/2], "ms/median")
	b.ReportMetric(samples[len(samples)*95/100], "ms/p95")
	b.ReportMetric(engine[len(engine)/2], "ms/engine")
	b.ReportMetric(float64(len(samples)), "strokes")
}

// BenchmarkTransfer measures what a first visit transfers, compressed: before the first paint, which needs what
// blocks it, and in all.
func BenchmarkTransfer(b *testing.B) {
	for b.Loop() {
		t := blank(b, wide)
		call(t, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: true})
		call(t, network.SetBypassServiceWorker, network.SetBypassServiceWorkerParams{Bypass: true})
		t.run(chromedp.Navigate(built.origin + "/"))
		t.wait("the first frame", `document.querySelector("#canvas").dataset.seq > 0`)
		sizes := eval[[]float64](t, `(() => {
			const all = [performance.getEntriesByType("navigation")[0], ...performance.getEntriesByType("resource")];
			const sum = (list) => list.reduce((n, e) => n + e.transferSize, 0);
			const paint = performance.getEntriesByName("first-contentful-paint")[0].startTime;
			return [sum(all.filter((e) => e.entryType === "navigation" || e.renderBlockingStatus === "blocking")), sum(all), all.length, paint];
		})()`)
		b.ReportMetric(sizes[0]/1000, "kB/first-paint")
		b.ReportMetric(sizes[1]/1000, "kB/page")
		b.ReportMetric(sizes[2], "requests")
		b.ReportMetric(sizes[3], "ms/first-paint")
		b.ReportMetric(0, "ns/op")
		if sizes[0] > 60e3 || sizes[1] > 2.5e6 {
			b.Errorf("over the goal of 60 kB before the first paint and 2.5 MB in all: %.0f and %.0f bytes", sizes[0], sizes[1])
		}
	}
}
