package model

import (
	"cmp"
	"fmt"
	"image"
	"runtime"
	"sync"
	"time"

	"swizzle/internal/engine"
	"swizzle/render"
	"swizzle/render/scene"
	"swizzle/shaderkit/ir"
)

// A Request asks for a picture.
type Request struct {
	Scene   string // the project file; "" is the one before
	Engine  string // a name of engine.Names
	Seconds float64
	View    string      // a scene.Mode; "" is the picture
	Probe   image.Point // the pixel that Frame.Probed tells of
}

// A Frame is a picture, or why there is none.
type Frame struct {
	Picture *image.NRGBA // nil: Err says why
	Err     error        // of the scene: see scene.Explain
	Scene   string       // that was drawn, or not
	Engine  string
	View    string
	Views   []string    // that the scene has
	Range   scene.Range // of the view's colours
	Notes   []string    // programs that the engine could not take
	Stats   render.Stats
	Seconds float64       // of the scene
	Took    time.Duration // vertices, triangles and pixels, without compiling a scene
	Probe   image.Point
	Probed  Stored
}

// Stored is what the target holds at a pixel.
type Stored struct{ Colour, Depth uint32 }

// A Player draws on a goroutine of its own, the newest request first.
type Player struct {
	mu     sync.Mutex
	next   *Request
	frame  *Frame // drawn, not taken
	spare  *image.NRGBA
	awake  chan struct{}
	ended  chan struct{}
	result func() // called when a frame is there
}

// NewPlayer starts a player; done is called, from its goroutine, when a frame can be taken.
func NewPlayer(done func()) *Player {
	p := &Player{awake: make(chan struct{}, 1), ended: make(chan struct{}), result: done}
	go p.run()
	return p
}

// Draw asks for a picture. A request that is not begun is dropped for the newer one.
func (p *Player) Draw(r Request) {
	p.mu.Lock()
	if p.next != nil && r.Scene == "" {
		r.Scene = p.next.Scene
	}
	p.next = &r
	p.mu.Unlock()
	select {
	case p.awake <- struct{}{}:
	default:
	}
}

// Take gives the newest frame that was not taken, nil when there is none.
func (p *Player) Take() *Frame {
	p.mu.Lock()
	defer p.mu.Unlock()
	f := p.frame
	p.frame = nil
	return f
}

// Reuse hands back a picture that the caller needs no more.
func (p *Player) Reuse(m *image.NRGBA) {
	p.mu.Lock()
	p.spare = m
	p.mu.Unlock()
}

// Close ends the player.
func (p *Player) Close() {
	close(p.awake)
	<-p.ended
}

// An engineView is what one engine needs to play.
type engineView struct {
	view  *scene.View
	scene string // loaded
	size  [2]int // of its picture
	notes []string
	drawn *Frame // of the scene; nil: none yet
}

func (p *Player) run() {
	defer close(p.ended)
	views := map[string]*engineView{}
	text := ""
	for range p.awake {
		for {
			p.mu.Lock()
			r := p.next
			p.next = nil
			p.mu.Unlock()
			if r == nil {
				break
			}
			if r.Scene == "" {
				r.Scene = text
			}
			text = r.Scene
			f := p.draw(views, r)
			p.mu.Lock()
			if p.frame != nil && p.frame.Picture != nil {
				p.spare = p.frame.Picture
			}
			p.frame = f
			p.mu.Unlock()
			p.result()
		}
	}
}

func (p *Player) draw(views map[string]*engineView, r *Request) *Frame {
	f := &Frame{Scene: r.Scene, Engine: r.Engine, View: r.View, Seconds: r.Seconds, Probe: r.Probe}
	v := views[r.Engine]
	if v == nil {
		v = &engineView{}
		e, err := engine.New(r.Engine, func(p *ir.Program, why error) {
			v.notes = append(v.notes, fmt.Sprintf("%s runs on interp: %v", p.Name, why))
		})
		if err != nil {
			f.Err = err
			return f
		}
		v.view = scene.NewView(e)
		v.view.Workers = runtime.GOMAXPROCS(0)
		views[r.Engine] = v
	}
	if f.Err = v.load(r.Scene); f.Err != nil {
		return f
	}
	mode, err := scene.ModeByName(cmp.Or(r.View, scene.Picture))
	if err != nil {
		f.Err = err
		return f
	}
	v.view.SetMode(mode)
	if d := v.drawn; d != nil && d.Seconds == r.Seconds && d.View == r.View { // only the probe is another
		f.Took, f.Stats = d.Took, d.Stats
	} else {
		began := time.Now()
		if _, f.Stats, f.Err = v.view.Draw(r.Seconds, v.size[0], v.size[1]); f.Err != nil {
			v.drawn = nil
			return f
		}
		f.Took = time.Since(began)
	}
	f.Notes = v.notes
	f.Picture = p.copied(v.view.Image())
	f.Views, f.Range = v.view.Modes(), v.view.Range()
	if r.Probe.In(f.Picture.Rect) {
		f.Probed.Colour, f.Probed.Depth = v.view.Pixel(r.Probe.X, r.Probe.Y)
	}
	v.drawn = f
	return f
}

// load makes the view play a scene.
func (v *engineView) load(text string) error {
	if text == v.scene {
		return nil
	}
	s, err := scene.Parse([]byte(text))
	if err != nil {
		return err
	}
	v.notes = nil
	if err := v.view.Load(s, scene.Compile); err != nil {
		return err
	}
	v.scene, v.size, v.drawn = text, s.Size, nil
	return nil
}

// copied copies a picture, into a spare one where it fits.
func (p *Player) copied(m *image.NRGBA) *image.NRGBA {
	p.mu.Lock()
	c := p.spare
	p.spare = nil
	p.mu.Unlock()
	if c == nil || c.Rect != m.Rect {
		c = image.NewNRGBA(m.Rect)
	}
	copy(c.Pix, m.Pix)
	return c
}
