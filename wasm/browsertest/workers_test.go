package browsertest

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// slow is a quad whose picture takes long: the loop runs 255 times.
const slow = `ps_3_0
def c1, 0.99, 0.01, 0.5, 1
dcl_texcoord0 v0.xy
mov r0, c0
rep i0
mad r0.xyz, r0, c1.x, v0.yxyx
mul r0.xyz, r0, c1.z
endrep
mul r0.xyz, r0, c0
mov oC0, r0
`

// openSlow opens the scene on a machine of so many cores.
func openSlow(t *testing.T, cores int64) *tab {
	t.Helper()
	b := blank(t, wide)
	call(b, emulation.SetHardwareConcurrencyOverride, emulation.SetHardwareConcurrencyOverrideParams{HardwareConcurrency: cores})
	b.run(chromedp.Navigate(built.origin + "/" + link(t, slow)))
	b.wait("the first frame", `document.querySelector("#canvas").dataset.seq > 0`)
	b.run(chromedp.Focus(chromedp.CSS("[data-constant='0.1']")))
	return b
}

const workersJS = `document.querySelector("#canvas").dataset.workers`

// change draws the scene with another constant, there and back.
func (b *tab) change() {
	for _, key := range []string{kb.ArrowUp, kb.ArrowDown} {
		b.after("a constant", func() { b.key(key) })
	}
}

// TestWorkers draws pictures that take long: another worker comes, draws a part, and the picture stays the same.
func TestWorkers(t *testing.T) {
	b := openSlow(t, 2)
	one, varied := b.pixels()
	for range 4 {
		b.change()
	}
	b.is("workers on two cores", eval[string](b, workersJS), "1")
	if varied < 100 {
		t.Errorf("the picture has %d colours", varied)
	}

	b = openSlow(t, 3)
	for n := 0; eval[string](b, workersJS) != "2"; n++ {
		if n == 40 {
			t.Fatal("no other worker")
		}
		b.change()
	}
	two, _ := b.pixels()
	b.is("picture by two workers", two, one)

	// The worker that came last is lost behind the page's back.
	eval[bool](b, `(() => {
		const make = Worker.prototype.postMessage;
		Worker.prototype.postMessage = function (...args) { Worker.prototype.postMessage = make; this.terminate(); return make.apply(this, args); };
		return true;
	})()`)
	b.key(kb.ArrowUp)
	b.wait("that the picture is an old one", `document.querySelector("#stale").innerText.startsWith("Drawing.")`)
	b.after("the loss", func() { b.key(kb.ArrowDown) })
	b.is("workers after the loss", eval[string](b, workersJS), "1")
	one, _ = b.pixels()
	b.is("picture after the loss", one, two)
}
