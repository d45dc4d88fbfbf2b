package jit

import "swizzle/shaderkit/exec"

// Hold implements exec.Memory. Where the host has no memory left the engine goes on copying.
func (e *Engine) Hold(a *exec.Arena) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.release()
	e.hold(a)
}

func (e *Engine) hold(a *exec.Arena) {
	if e.movers() == nil && e.grow(uint64(len(a.Mem))*4) == nil {
		e.host.Write(0, bytesOf(a.Mem))
		e.held = a
	}
}

// Changed implements exec.Memory.
func (e *Engine) Changed(a *exec.Arena, addr uint32, n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.held != a {
		return
	}
	e.dirty.remove(rangeOf(addr, n), func(wordRange) {})
	if e.grow(uint64(addr)+4*uint64(n)) != nil {
		e.release()
		return
	}
	e.host.Write(addr, bytesOf(a.Words(addr, n)))
}

// Fetch implements exec.Memory.
func (e *Engine) Fetch(a *exec.Arena, addr uint32, n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.held == a {
		e.dirty.remove(rangeOf(addr, n), func(r wordRange) { e.host.Read(uint32(4*r.from), bytesOf(a.Mem[r.from:r.to])) })
	}
}

// Release implements exec.Memory.
func (e *Engine) Release(a *exec.Arena) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.held == a {
		e.release()
	}
}

func (e *Engine) release() {
	if e.held != nil {
		e.readBack(e.held)
		e.held = nil
	}
}

// readBack copies what is dirty.
func (e *Engine) readBack(a *exec.Arena) {
	for _, r := range e.dirty {
		r.to = min(r.to, len(a.Mem))
		r.from = min(r.from, r.to)
		e.host.Read(uint32(4*r.from), bytesOf(a.Mem[r.from:r.to]))
	}
	e.dirty = e.dirty[:0]
}

func rangeOf(addr uint32, n int) wordRange { return wordRange{int(addr / 4), int(addr/4) + n} }

// Fill implements exec.Memory.
func (e *Engine) Fill(a *exec.Arena, addr uint32, n int, word uint32) {
	e.mu.RLock()
	done := e.held == a && uint64(addr)+4*uint64(n) <= e.size && e.fill(addr, n, word)
	e.mu.RUnlock()
	if done {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.held != a || e.grow(uint64(addr)+4*uint64(n)) != nil || !e.fill(addr, n, word) {
		e.inPlace(a).Fill(a, addr, n, word)
	}
}

func (e *Engine) fill(addr uint32, n int, word uint32) bool {
	e.filling.Lock()
	_, err := e.mover.fill.Call(addr, uint32(n), word)
	e.filling.Unlock()
	if err != nil {
		return false
	}
	e.written.Lock()
	e.dirty.add(rangeOf(addr, n))
	e.written.Unlock()
	return true
}

// Rows implements exec.Memory.
func (e *Engine) Rows(a *exec.Arena, r exec.Rows) {
	e.mu.Lock()
	defer e.mu.Unlock()
	// The parameters lie behind the arena.
	if at := uint64(len(a.Mem)) * 4; e.held == a && e.grow(at+4*rowsWords) == nil {
		e.mover.words = [rowsWords]uint32{
			rowsFrom: r.From, rowsStep: r.Step, rowsWidth: uint32(r.Width), rowsHeight: uint32(r.Height),
			rowsTo: r.To, rowsStride: 4 * uint32(r.Stride), rowsPitch: 4 * uint32(r.Pitch), rowsOr: r.Or,
		}
		e.host.Write(uint32(at), bytesOf(e.mover.words[:]))
		if _, err := e.mover.rows.Call(uint32(at), 0, 0); err == nil {
			e.dirty.add(rangeOf(r.To, (r.Height-1)*r.Stride+(r.Width-1)*r.Pitch+1))
			return
		}
	}
	e.inPlace(a).Rows(a, r)
}

// Bytes implements exec.Memory.
func (e *Engine) Bytes(a *exec.Arena, addr uint32, out []byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.held == a && e.grow(uint64(addr)+uint64(len(out))) == nil {
		e.host.Read(addr, out)
		return
	}
	e.inPlace(a).Bytes(a, addr, out)
}

// inPlace ends Hold of a where the host failed.
func (e *Engine) inPlace(a *exec.Arena) exec.InPlace {
	if e.held == a {
		e.release()
	}
	return exec.InPlace{}
}
