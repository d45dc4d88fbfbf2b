package render

import "swizzle/shaderkit/exec"

// A trace runs a frame again, so it needs what targets held before the frame: those that are loaded first,
// and the images of targets that the frame reads before it changes them. Only frames that feed on earlier
// ones have such.

// keep copies them.
func (r *Renderer) keep() {
	for _, s := range r.targets {
		s.kept = false
	}
	for _, k := range r.used {
		k.kept = false
	}
	for i := range r.passes {
		p := &r.passes[i]
		p.each(func(a *attached) {
			if s := a.store; a.load && !s.kept && !r.drawnBefore(s, i) {
				s.kept = true
				s.before = r.fetched(s.before, s.base, s.words())
			}
		})
		for k := range p.draws0 {
			d := &p.draws0[k]
			for _, stage := range [...]*Stage{&d.Vertex, &d.Pixel} {
				for _, t := range stage.Textures {
					k := r.used[keyOf(t)]
					if k == nil || k.image.target == nil || k.kept || r.lastDrawn(r.targets[k.image.target]) < i {
						continue
					}
					rec := r.images[k.imageKey]
					k.kept = true
					k.before = r.fetched(k.before, rec[exec.RecBase], int(rec[exec.RecSize]/4))
				}
			}
		}
	}
}

// fetched gives words of the arena, in a slice that may be used again.
func (r *Renderer) fetched(into []uint32, at uint32, n int) []uint32 {
	r.memory.Fetch(&r.arena, at, n)
	return append(into[:0], r.arena.Words(at, n)...)
}

// drawnBefore reports whether a pass before number i draws into s or resolves to it.
func (r *Renderer) drawnBefore(s *storage, i int) bool {
	for k := range i {
		if r.passes[k].draws(s) {
			return true
		}
	}
	return false
}

// lastDrawn gives the number of the last pass that draws into s or resolves to it, or -1.
func (r *Renderer) lastDrawn(s *storage) int {
	for i := len(r.passes) - 1; i >= 0; i-- {
		if r.passes[i].draws(s) {
			return i
		}
	}
	return -1
}

// then gives the record of an image as pass i of the frame read it.
func (t *tracing) then(k *usedImage, i int) exec.Record {
	rec := t.r.images[k.imageKey]
	if !k.kept || t.r.lastDrawn(t.r.targets[k.image.target]) < i {
		t.r.memory.Fetch(&t.r.arena, rec[exec.RecBase], int(rec[exec.RecSize]/4))
		return rec
	}
	at, ok := t.images[k]
	if !ok {
		at = t.r.arena.Alloc(len(k.before))
		copy(t.r.arena.Words(at, len(k.before)), k.before)
		t.images[k] = at
	}
	rec[exec.RecTable] += at - rec[exec.RecBase]
	rec[exec.RecBase] = at
	return rec
}
