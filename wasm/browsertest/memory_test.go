package browsertest

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
)

var minutes = flag.Float64("minutes", 0.05, "how long TestPageMemoryStaysFlat plays an animation")

// TestPageMemoryStaysFlat plays an animation with several workers: the heap of the page does not grow. What all
// processes of the browser hold is printed, where there is a Linux to tell; minutes of it must not grow either.
func TestPageMemoryStaysFlat(t *testing.T) {
	const samples = 20
	each := time.Duration(*minutes * float64(time.Minute) / samples)
	b := blankFor(t, wide, 90*time.Second+2*samples*each)
	call(b, emulation.SetHardwareConcurrencyOverride, emulation.SetHardwareConcurrencyOverrideParams{HardwareConcurrency: 3})
	b.run(chromedp.Navigate(built.origin + "/"))
	b.wait("the first frame", `document.querySelector("#canvas").dataset.seq > 0`)
	b.example("Waves")
	b.choose("#size", "512")
	call(b, performance.Enable, performance.EnableParams{})
	b.click("#play")
	b.wait("some frames", `document.querySelector("#canvas").dataset.seq > 20`)
	heap := func() (bytes float64) {
		call(b, heapprofiler.CollectGarbage, cdp.Empty{})
		for _, m := range call(b, performance.GetMetrics, cdp.Empty{}).Metrics {
			if m.Name == "JSHeapUsedSize" {
				bytes = m.Value
			}
		}
		return bytes
	}
	var heaps, held []float64
	for range samples + 1 {
		heaps, held = append(heaps, heap()), append(held, resident())
		t.Logf("frame %d, %s workers: the page's heap %.1f MB, all processes %.0f MB", b.seq(), eval[string](b, workersJS), heaps[len(heaps)-1]/1e6, held[len(held)-1]/1e6)
		time.Sleep(each)
	}
	// The first part of a long run is the browser's: it makes fast code and spare memory. Collections come when they
	// like: the least of some samples counts.
	growth := func(x []float64) float64 { return slices.Min(x[3*samples/4:]) - slices.Min(x[samples/4:samples/2]) }
	if grown := growth(heaps); grown > 1e6 {
		t.Errorf("the heap of the page grew by %.0f bytes", grown)
	}
	if grown := growth(held); *minutes >= 1 && grown > 32e6 {
		t.Errorf("the processes of the browser grew by %.0f bytes", grown)
	}
}

// resident gives the memory that the processes below this one have, shared pages shared out; 0 where there is no
// Linux to tell.
func resident() (sum float64) {
	children := map[string][]string{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range stats {
		if data, err := os.ReadFile(file); err == nil {
			fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
			children[fields[1]] = append(children[fields[1]], strings.Split(file, "/")[2])
		}
	}
	for todo := children[strconv.Itoa(os.Getpid())]; len(todo) > 0; todo = todo[1:] {
		todo = append(todo, children[todo[0]]...)
		data, _ := os.ReadFile("/proc/" + todo[0] + "/smaps_rollup")
		for line := range strings.Lines(string(data)) {
			if f := strings.Fields(line); f[0] == "Pss:" {
				kB, _ := strconv.ParseFloat(f[1], 64)
				sum += kB * 1024
			}
		}
	}
	return sum
}
