package render

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// A Part is one of Count shares of a picture; the zero value is all of it. Row y of the tiles belongs to part
// y mod Count.
//
// A renderer that has a part sets up and draws in it what nothing but the picture shows: the last pass of
// the frame, if it clears its targets. It draws the other passes whole.
type Part struct{ Index, Count int }

// Has reports whether a row of tiles belongs to the part.
func (p Part) Has(row int) bool { return p.Count < 2 || row%p.Count == p.Index }

// meets reports whether rows of pixels from up to to have rows of tiles of the part.
func (p Part) meets(from, to int) bool {
	for y := from / exec.TileSize; y <= (to-1)/exec.TileSize; y++ {
		if p.Has(y) {
			return true
		}
	}
	return false
}

// A crew is the goroutines that draw the tiles of a pass, the caller's being the first.
type crew struct {
	workers []*worker
	waits   sync.WaitGroup
	next    atomic.Int64 // place in the order of the pass
	end     int64
	pass    *passing
}

// A worker draws tiles with kernels of its own.
type worker struct {
	run     func()
	lanes   uint64
	stopped bool
	_       [64]byte // the next worker's counts lie in another cache line
}

// share says which tiles of each pass are drawn, and in which order.
func (r *Renderer) share() {
	last := len(r.passes) - 1
	for i := range r.passes {
		p := &r.passes[i]
		p.part = Part{}
		if i == last && r.alone(p) {
			p.part = r.Part
		}
		p.order, p.wiped = p.order[:0], 0
		across := tiles(p.width)
		for t := range p.tiles {
			if p.part.Has(t / across) {
				p.order = append(p.order, t)
			}
		}
		if r.Shuffle != 0 {
			rand.New(rand.NewPCG(r.Shuffle, uint64(i))).Shuffle(len(p.order), func(a, b int) {
				p.order[a], p.order[b] = p.order[b], p.order[a]
			})
		}
	}
}

// alone reports whether nothing but the picture depends on a pass: nobody loads its targets or reads
// them as textures.
func (r *Renderer) alone(p *passing) bool {
	alone := true
	for i := range r.passes {
		r.passes[i].each(func(a *attached) { alone = alone && !(a.load && p.draws(a.store)) })
	}
	for _, x := range r.static {
		if key, ok := x.(*usedImage); ok && key.image.target != nil && p.draws(r.targets[key.image.target]) {
			alone = false
		}
	}
	return alone
}

// crewFor gives the number of workers that may draw n tiles of a pass: one where a shader writes memory, which
// must happen in order, and no more than there are kernels for.
func (r *Renderer) crewFor(p *passing, n int) int {
	want := min(r.Workers, n)
	for i := p.first; i < p.first+len(p.draws0) && want > 1; i++ {
		g := &r.draws[i]
		if writes(g.ps.program) {
			return 1
		}
		want = g.pixel.forked(want)
	}
	return max(1, want)
}

// writes reports whether a shader stores to memory.
func writes(p *ir.Program) (stores bool) {
	for _, f := range p.Funcs {
		f.Body.Walk(func(in *ir.Inst) { stores = stores || in.Op == ir.Store })
	}
	return stores
}

// forked readies kernels for up to n workers and gives for how many there are.
func (c *cached) forked(n int) int {
	for len(c.forks) < n-1 {
		f, ok := c.kernel.(exec.Forker)
		if !ok {
			break
		}
		k, err := f.Fork()
		if err != nil {
			break
		}
		c.forks = append(c.forks, k)
	}
	return min(n, 1+len(c.forks))
}

// of gives the kernel of a worker.
func (c *cached) of(worker int) exec.Kernel {
	if worker == 0 {
		return c.kernel
	}
	return c.forks[worker-1]
}

// DrawTiles draws up to n more tiles and tells whether the frame is complete.
func (r *Renderer) DrawTiles(n int) (done bool) {
	for p := r.passAt(); p != nil && n > 0; p = r.passAt() {
		some := min(n, len(p.order)-r.next)
		if some > 0 {
			r.drawTiles(p, r.next, r.next+some)
		}
		n -= some
		if r.next += some; r.next < len(p.order) {
			break
		}
		r.finish(p)
		r.stats.Compiled = r.cache.compiled
		r.pass, r.next = r.pass+1, 0
		if r.pass < len(r.passes) {
			r.start()
		}
	}
	return r.passAt() == nil
}

// drawTiles draws a piece of the order of a pass.
func (r *Renderer) drawTiles(p *passing, from, to int) {
	c := &r.crew
	c.pass, c.end = p, int64(to)
	c.next.Store(int64(from))
	n := r.crewFor(p, to-from)
	for i := len(c.workers); i < n; i++ {
		w := &worker{}
		w.run = func() {
			defer c.waits.Done()
			r.work(i, w)
		}
		c.workers = append(c.workers, w)
	}
	c.waits.Add(n)
	for _, w := range c.workers[1:n] {
		go w.run()
	}
	c.workers[0].run()
	c.waits.Wait()
	p.wiped = max(p.wiped, to)
	for _, w := range c.workers[:n] {
		r.stats.Lanes += w.lanes
		r.stats.Stopped = r.stats.Stopped || w.stopped
		w.lanes, w.stopped = 0, false
	}
}

// work draws tiles until there are no more.
func (r *Renderer) work(number int, w *worker) {
	c := &r.crew
	for at := c.next.Add(1) - 1; at < c.end; at = c.next.Add(1) - 1 {
		r.drawTile(c.pass, int(at), number, w)
	}
}

// drawTile clears the tile at a place in the order of a pass, as that asks, and runs its jobs.
func (r *Renderer) drawTile(p *passing, at, number int, w *worker) {
	i := p.order[at]
	if at >= p.wiped {
		n := 1
		if len(r.crew.workers) == 1 { // those that come next too, which is one call for all
			for n < wipeAhead && at+n < len(p.order) && p.order[at+n] == i+n {
				n++
			}
			p.wiped = at + n
		}
		p.each(func(a *attached) {
			if !a.load {
				a.wipe(r.memory, &r.arena, a.store.tile(i), n)
			}
		})
	}
	for _, c := range p.tiles[i].chunks {
		res := r.draws[c.draw].pixel.of(number).Run(&r.arena, c.desc, r.options((len(p.order)-at)*tilePixels))
		w.lanes += res.Lanes
		w.stopped = w.stopped || res.Stopped
	}
}

// wipeAhead is how many tiles are cleared at once: these and their depths are still in a processor's cache when
// the last of them is drawn.
const wipeAhead = 8
