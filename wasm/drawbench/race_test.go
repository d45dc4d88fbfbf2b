package drawbench

import (
	"fmt"
	"math"
	"os"
	"slices"
	"text/tabwriter"
)

// What is measured.
const (
	roundCount   = 5
	sampleMillis = 120
)

// A contender is a row of the table.
type contender struct {
	name      string
	reference bool // the others are compared with it
	draw      func(size, millis int) sample
	wall, cpu []float64 // Mpixel a second of the clock, and of processor time
}

// A sample is a number of frames and the milliseconds that they took.
type sample [2]float64

// race lets all take turns and prints the table. Of several references each figure's best counts.
func race(against string, all []*contender) {
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "Mpixel/s, median of %d\tmedian\tlow\thigh\tof %s\ta CPU second\tof %[2]s\t\n", roundCount, against)
	for _, size := range []int{512, 1024} {
		for _, c := range all { // code and memory become warm
			c.wall, c.cpu = nil, nil
			c.draw(size, sampleMillis/2)
		}
		for range roundCount {
			for _, c := range all {
				used := cpuTime()
				x := c.draw(size, sampleMillis)
				used = cpuTime() - used
				pixels := x[0] * float64(size*size) / 1e6
				c.wall = append(c.wall, pixels/x[1]*1000)
				c.cpu = append(c.cpu, pixels/used.Seconds())
			}
		}
		var bestWall, bestCPU float64
		for _, c := range all {
			slices.Sort(c.wall)
			slices.Sort(c.cpu)
			if c.reference {
				bestWall, bestCPU = max(bestWall, median(c.wall)), max(bestCPU, median(c.cpu))
			}
		}
		for _, c := range all {
			w, u := median(c.wall), median(c.cpu)
			fmt.Fprintf(table, "%s, %d\t%.1f\t%.1f\t%.1f\t%s\t%s\t%s\t\n", c.name, size, w, c.wall[0], c.wall[roundCount-1],
				figure("%.2fx", w/bestWall), figure("%.1f", u), figure("%.2fx", u/bestCPU))
		}
	}
	table.Flush()
}

// figure prints a number, or a dash where there is none.
func figure(format string, x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return "-"
	}
	return fmt.Sprintf(format, x)
}

// median is of a sorted list.
func median(x []float64) float64 { return (x[(len(x)-1)/2] + x[len(x)/2]) / 2 }

// difference compares the colours, not alpha, which our pictures present opaque.
func difference(ours, theirs []byte) (largest int, text string) {
	var counts [256]int
	n := 0
	for i := range ours {
		if i%4 == 3 {
			continue
		}
		d := int(max(ours[i], theirs[i]) - min(ours[i], theirs[i]))
		counts[d]++
		largest = max(largest, d)
		n++
	}
	return largest, fmt.Sprintf("at most %d of 255; %.4f %% of the bytes differ, %.4f %% by more than 1",
		largest, 100*float64(n-counts[0])/float64(n), 100*float64(n-counts[0]-counts[1])/float64(n))
}

// flip exchanges the rows of a square picture, top and bottom.
func flip(p []byte, size int) {
	for y := range size / 2 {
		up, down := p[4*size*y:4*size*(y+1)], p[4*size*(size-1-y):4*size*(size-y)]
		for i := range up {
			up[i], down[i] = down[i], up[i]
		}
	}
}
