package render

import (
	"image"

	"swizzle/shaderkit/exec"
)

// A Target is pixels that passes draw into. Its content stays from frame to frame, as long as every
// frame uses it. Like a Mesh it is known by its address, and must not change once it is used.
type Target struct {
	Format        Format
	Width, Height int
	Samples       int // of a pixel: 4, or 1, for which 0 stands too
}

// MaxTargets is the number of colour targets of a pass.
const MaxTargets = 8

// check finds what is wrong with a target.
func (t *Target) check() error {
	if t.Width < 1 || t.Height < 1 || t.Width > MaxSize || t.Height > MaxSize {
		return errorf("bad-size", "the target is %d x %d pixels, allowed are 1 to %d", t.Width, t.Height, MaxSize)
	}
	if t.Format.row().words == 0 {
		return errorf("bad-format", "a target cannot have the format %s", t.Format)
	}
	if n := t.samples(); n != 1 && n != 4 {
		return errorf("bad-samples", "a target of %d samples a pixel, there are 1 and 4", n)
	}
	return nil
}

func (t *Target) samples() int { return max(1, t.Samples) }

// A storage is where a target lies in the arena: tile after tile, of each the planes of the words of its
// samples (those of the first sample, then of the second), of each the words of 64x64 pixels in tile order
// (exec.TileIndex).
type storage struct {
	target       *Target
	base         uint32
	across, down int // tiles
	planes       int
	copies       [numCopied]*cached // programs that read it
	half         *cached            // and that makes mip levels of it
	kept         bool               // before holds
	before       []uint32           // what it held before the frame: see keep

	packed  bool // clear was converted to cleared
	clear   Vec
	cleared [4]uint32
}

// tilePixels is the number of pixels of a tile, and of words of a plane of it.
const tilePixels = exec.TileSize * exec.TileSize

func tiles(pixels int) int { return (pixels + exec.TileSize - 1) / exec.TileSize }

func (t *Target) storage() storage {
	return storage{target: t, across: tiles(t.Width), down: tiles(t.Height), planes: t.Format.row().words * t.samples()}
}

// tile gives the address of a tile.
func (s *storage) tile(i int) uint32 { return s.base + uint32(4*i*s.planes*tilePixels) }

// words gives the length of the whole.
func (s *storage) words() int { return s.across * s.down * s.planes * tilePixels }

// wipe clears n tiles of an attachment, which lie from addr on.
func (t *attached) wipe(m exec.Memory, a *exec.Arena, addr uint32, n int) {
	words := t.store.target.Format.row().words
	if words == 1 { // the same for all samples
		m.Fill(a, addr, n*t.store.planes*tilePixels, t.clear[0])
		return
	}
	for p := range n * t.store.planes {
		m.Fill(a, addr+uint32(4*p*tilePixels), tilePixels, t.clear[p%words])
	}
}

// Show makes t, a target of the frame, what Image and Pixel give. A frame begins with target 0 of its
// last pass, or what that is resolved to.
func (r *Renderer) Show(t *Target) { r.shown = t }

// Image gives the shown target as a screen shows it: opaque, whatever alpha it holds, in bytes; NUMERICS.md,
// Formats. It is valid until the next call; tiles that are not drawn yet hold what they held in the frame
// before.
func (r *Renderer) Image() *image.NRGBA {
	s := r.targets[r.shown]
	if s == nil {
		return image.NewNRGBA(image.Rectangle{})
	}
	if w, h := s.target.Width, s.target.Height; r.image == nil || r.image.Rect.Dx() != w || r.image.Rect.Dy() != h {
		r.image = image.NewNRGBA(image.Rect(0, 0, w, h))
	}
	from, step := s.base, s.planes
	if s.target.Format != RGBA8 || s.planes > 1 {
		from, step = r.scratch, 1
		r.convert(s, toScreen, from, step)
	}
	r.memory.Rows(&r.arena, exec.Rows{
		From: from, Step: uint32(4 * step * tilePixels), Width: s.target.Width, Height: s.target.Height,
		To: r.rows, Stride: s.target.Width, Pitch: 1, Or: 0xFF000000,
	})
	r.memory.Bytes(&r.arena, r.rows, r.image.Pix)
	return r.image
}

// Words gives a word of every pixel of a target of the frame, row by row: the plane-th of those that its
// format has. It is valid until the next call; nil for targets that the frame does not have.
func (r *Renderer) Words(t *Target, plane int) []uint32 {
	s := r.targets[t]
	if s == nil || plane < 0 || plane >= s.planes {
		return nil
	}
	r.memory.Rows(&r.arena, exec.Rows{
		From: s.base + uint32(4*plane*tilePixels), Step: uint32(4 * s.planes * tilePixels), Width: t.Width, Height: t.Height,
		To: r.rows, Stride: t.Width, Pitch: 1,
	})
	n := t.Width * t.Height
	r.memory.Fetch(&r.arena, r.rows, n)
	return r.arena.Words(r.rows, n)
}

// Texel gives the stored words of a pixel of a target of the frame: as many as its format has, of one of
// its samples. They are 0 outside, and for targets that the frame does not have.
func (r *Renderer) Texel(t *Target, x, y, sample int) (words [4]uint32) {
	s := r.targets[t]
	if s == nil || x < 0 || y < 0 || x >= t.Width || y >= t.Height || sample < 0 || sample >= t.samples() {
		return
	}
	n := t.Format.row().words
	tile := s.tile(y/exec.TileSize*s.across + x/exec.TileSize)
	i := exec.TileIndex(x%exec.TileSize, y%exec.TileSize)
	for p := range n {
		at := tile + uint32(4*((sample*n+p)*tilePixels+i))
		r.memory.Fetch(&r.arena, at, 1)
		words[p] = r.arena.Words(at, 1)[0]
	}
	return
}

// Pixel gives the stored word of the shown target at a pixel, and that of the depth buffer that was
// last used with it.
func (r *Renderer) Pixel(x, y int) (colour, depth uint32) {
	colour = r.Texel(r.shown, x, y, 0)[0]
	for i := range r.passes {
		if p := &r.passes[i]; p.depth.store != nil && p.draws(r.targets[r.shown]) {
			depth = r.Texel(p.depth.store.target, x, y, 0)[0]
		}
	}
	return
}
