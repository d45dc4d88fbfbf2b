package model

import (
	"errors"
	"fmt"
	"image"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"swizzle/internal/engine"
	"swizzle/render/scene"
	"swizzle/shaderkit/ir"
	"swizzle/shaderkit/source"
	"swizzle/wasm/playground"
)

// An App is what the window shows. One goroutine, the window's, calls it.
type App struct {
	Session  *playground.Session // the last that could be opened; nil before the first
	Problems []Problem           // of what is on the disk now
	Rows     []Row               // of the document shown
	Frame    *Frame              // the last picture that could be drawn, nil before the first
	Engine   string
	View     string // a scene.Mode
	Playing  bool
	Seconds  float64
	Opened   int // counts what was opened: the window then looks for what changed

	paths   []string
	watch   *Watcher
	player  *Player
	waiting bool // for a frame
	resend  bool // the scene changed since the last request
	redraw  bool
	last    time.Time // of the last Poll while playing
	probe   image.Point
	mine    []override
}

// A Problem is a line about something wrong.
type Problem struct {
	Severity source.Severity
	Text     string // FILE:LINE:COL: severity[code]: message
}

// An override is a value that a person gave to a constant by a slider. It holds over a save that
// leaves the file's own value alone.
type override struct {
	stage     ir.Stage
	to        string
	file, now []float64
}

// New gives an app with nothing open. wake is called, from another goroutine, when Poll has news.
func New(wake func()) (*App, error) {
	w, err := NewWatcher()
	if err != nil {
		return nil, err
	}
	return &App{Engine: "jit", View: scene.Picture, watch: w, player: NewPlayer(wake)}, nil
}

// Close ends the watcher and the player.
func (a *App) Close() {
	a.watch.Close()
	a.player.Close()
}

// Open opens one scene, or one shader of each stage, and watches the files.
func (a *App) Open(paths ...string) {
	if len(paths) == 0 {
		return
	}
	a.paths = slices.Clone(paths)
	a.mine, a.Seconds, a.Playing, a.View = nil, 0, false, scene.Picture
	a.Session, a.Rows, a.Frame = nil, nil, nil
	a.read()
	if err := a.watch.Watch(a.paths...); err != nil {
		a.Problems = append(a.Problems, Problem{Text: fmt.Sprintf("%s: error[watch]: %v", a.Name(), cause(err))})
	}
	if a.Session != nil {
		a.Playing = a.Session.Scene.Moves()
	}
	a.Opened++
}

// Name gives the name of what is open, "" when nothing is.
func (a *App) Name() string {
	if len(a.paths) == 0 {
		return ""
	}
	return filepath.Base(a.paths[0])
}

// Title names the window: what is open, and what is wrong with it.
func (a *App) Title() string {
	switch {
	case len(a.paths) == 0:
		return "Swizzle"
	case a.Broken():
		return a.Problems[0].Text + " – Swizzle"
	}
	return a.Name() + " – Swizzle"
}

// Broken reports whether what is on the disk has errors. Problems then begins with one.
func (a *App) Broken() bool { return len(a.Problems) > 0 && a.Problems[0].Severity == source.Error }

// read reads the files. When they cannot be opened, what was open stays.
func (a *App) read() {
	a.Problems = nil
	var inputs []playground.Input
	for _, p := range a.paths {
		data, err := os.ReadFile(p)
		if err != nil {
			a.Problems = []Problem{{Text: fmt.Sprintf("%s: error[read]: %v", filepath.Base(p), cause(err))}}
			return
		}
		inputs = append(inputs, playground.Input{Name: filepath.Base(p), Data: data})
	}
	s, err := playground.Open(inputs...)
	if err != nil {
		a.explain(err, string(inputs[0].Data), nil)
		return
	}
	alone := !scene.IsArchive(inputs[0].Data)
	a.findings(s, alone)
	if a.Session != nil && s.Document(a.Session.Stage) != nil {
		s.Stage = a.Session.Stage
	}
	a.Session = s
	a.restore()
	a.Rows = Rows(s.Current())
	a.resend, a.redraw = !a.Broken(), !a.Broken()
}

// findings lists what is said of the texts, errors first.
func (a *App) findings(s *playground.Session, alone bool) {
	for _, stage := range playground.Stages {
		d := s.Document(stage)
		if d == nil {
			continue
		}
		name := s.Scene.Shader(stage).Name
		if !alone {
			name = a.Name() + "/" + name
		}
		for _, f := range d.Diags {
			a.Problems = append(a.Problems, Problem{f.Severity, f.Format(name, d.Text)})
		}
	}
	slices.SortStableFunc(a.Problems, func(x, y Problem) int { return int(x.Severity) - int(y.Severity) })
}

// explain lists what an error says.
func (a *App) explain(err error, archive string, s *scene.Scene) {
	var of *scene.Error
	if !errors.As(err, &of) {
		a.Problems = []Problem{{Text: fmt.Sprintf("%s: error[open]: %s", a.Name(), err)}}
		return
	}
	a.Problems = nil
	for _, line := range scene.Explain(of, a.Name(), archive, s) {
		a.Problems = append(a.Problems, Problem{Text: line})
	}
}

// cause gives what went wrong with a file, without its name.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// Poll takes what happened since the last call: files saved, a picture drawn, time gone by. It reports
// whether the window has something new to show.
func (a *App) Poll(now time.Time) (changed bool) {
	if a.watch.Changed(now) {
		a.read()
		a.Opened++
		changed = true
	}
	if f := a.player.Take(); f != nil {
		a.waiting = false
		a.take(f)
		changed = true
	}
	if a.Playing && !a.last.IsZero() {
		a.Seconds += now.Sub(a.last).Seconds()
	}
	a.last = now
	if a.Session == nil || a.Broken() || a.waiting || !(a.redraw || a.Playing) {
		return changed
	}
	r := Request{Engine: a.Engine, View: a.View, Seconds: a.Seconds, Probe: a.probe}
	if a.resend {
		r.Scene = a.Session.SceneText()
	}
	a.resend, a.redraw, a.waiting = false, false, true
	a.player.Draw(r)
	return changed
}

func (a *App) take(f *Frame) {
	if f.Err == nil {
		if a.Frame != nil {
			a.player.Reuse(a.Frame.Picture)
		}
		a.Frame = f
		return
	}
	if a.Session != nil {
		a.explain(f.Err, f.Scene, a.Session.Scene)
	}
}

// SetEngine draws with another engine.
func (a *App) SetEngine(name string) {
	if slices.Contains(engine.Names, name) && name != a.Engine {
		a.Engine, a.redraw = name, true
	}
}

// NextEngine draws with the other engine.
func (a *App) NextEngine() {
	i := slices.Index(engine.Names, a.Engine)
	a.SetEngine(engine.Names[(i+1)%len(engine.Names)])
}

// NextView shows another view of the picture, of those that the scene has.
func (a *App) NextView(by int) {
	if a.Frame == nil {
		return
	}
	n := len(a.Frame.Views)
	i := slices.Index(a.Frame.Views, a.View)
	a.View, a.redraw = a.Frame.Views[((max(i, 0)+by)%n+n)%n], true
}

// TogglePlay stops the time or lets it go on.
func (a *App) TogglePlay() { a.Playing = !a.Playing }

// Seek sets the time.
func (a *App) Seek(seconds float64) { a.Seconds, a.redraw = max(seconds, 0), true }

// Probe asks what the target holds at a pixel; Frame.Probed will tell.
func (a *App) Probe(p image.Point) {
	if p != a.probe {
		a.probe, a.redraw = p, true
	}
}

// NextStage shows the shader of the other stage, where there is one.
func (a *App) NextStage() {
	if a.Session == nil {
		return
	}
	i := slices.Index(playground.Stages, a.Session.Stage)
	for k := range playground.Stages {
		if s := playground.Stages[(i+1+k)%len(playground.Stages)]; a.Session.Document(s) != nil {
			a.Session.Stage = s
			a.Rows = Rows(a.Session.Current())
			a.Opened++
			return
		}
	}
}

// Orbit turns the camera by degrees.
func (a *App) Orbit(dx, dy float64) {
	if a.Session != nil {
		a.Session.Orbit(dx, dy)
		a.resend, a.redraw = true, true
	}
}

// A Slider is one component of a value that the scene gives to a constant.
type Slider struct {
	Name     string
	Min, Max float64
	constant playground.Constant
	lane     int
}

// Sliders lists the values that a person can change.
func (a *App) Sliders() (list []Slider) {
	if a.Session == nil {
		return nil
	}
	for _, c := range a.Session.Constants() {
		b := c.Binding
		name := b.Label
		if name == "" {
			name = fmt.Sprintf("%s %s", c.Stage, b.To)
		}
		lanes := "xyzw"
		if b.Color {
			lanes = "rgba"
		}
		for lane := range min(len(b.Value), len(lanes)) {
			s := Slider{Name: name, Min: min(b.Min, b.Value[lane]), Max: max(b.Max, b.Value[lane]), constant: c, lane: lane}
			if len(b.Value) > 1 {
				s.Name += "." + lanes[lane:lane+1]
			}
			list = append(list, s)
		}
	}
	return list
}

// Value gives the value of a slider.
func (a *App) Value(s Slider) float64 { return s.constant.Binding.Value[s.lane] }

// Set gives a slider a value.
func (a *App) Set(s Slider, value float64) {
	b := s.constant.Binding
	if b.Value[s.lane] == value {
		return
	}
	i := slices.IndexFunc(a.mine, func(o override) bool { return o.stage == s.constant.Stage && o.to == b.To })
	if i < 0 {
		i = len(a.mine)
		a.mine = append(a.mine, override{s.constant.Stage, b.To, slices.Clone(b.Value), nil})
	}
	b.Value[s.lane] = value
	a.mine[i].now = slices.Clone(b.Value)
	a.resend, a.redraw = true, true
}

// restore gives constants the values of the sliders again, where the file gives what it gave before.
func (a *App) restore() {
	for _, c := range a.Session.Constants() {
		for _, o := range a.mine {
			if o.stage == c.Stage && o.to == c.Binding.To && slices.Equal(o.file, c.Binding.Value) {
				copy(c.Binding.Value, o.now)
			}
		}
	}
}
