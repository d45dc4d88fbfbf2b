package main

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strconv"

	"github.com/ebitenui/ebitenui"
	nine "github.com/ebitenui/ebitenui/image"
	"github.com/ebitenui/ebitenui/widget"

	"swizzle/cmd/desktop/model"
	"swizzle/wasm/playground"
)

// parts are the regions of the window, in device pixels:
//
//	tools
//	picture  | rows      listing
//	         | fields    of the chosen row
//	status   | sliders
//	problems
type parts struct {
	tools, picture, status, rows, fields, sliders, problems image.Rectangle
}

// divide gives each part its place.
func (w *window) divide() (p parts) {
	t := w.theme
	all := image.Rectangle{Max: w.size}
	cut := func(r *image.Rectangle, height int) (bottom image.Rectangle) {
		height = min(height, r.Dy())
		bottom = *r
		bottom.Min.Y = r.Max.Y - height
		r.Max.Y = bottom.Min.Y
		return bottom
	}
	body := cut(&all, all.Dy()-t.px(40))
	p.tools = all
	if lines := w.problemLines(); len(lines) > 0 {
		p.problems = cut(&body, len(lines)*t.mono.line+t.px(12))
	}
	left := body
	left.Max.X = body.Max.X - min(max(body.Dx()*46/100, t.px(430)), t.px(760), body.Dx())
	side := body
	side.Min.X = left.Max.X
	p.status = cut(&left, 3*t.sans.line+t.px(12))
	p.picture = left
	if n := len(w.app.Sliders()); n > 0 {
		p.sliders = cut(&side, min(n*w.sliderHeight()+t.sans.line+t.px(16), side.Dy()*2/5))
	}
	p.fields = cut(&side, side.Dy()*2/5)
	p.rows = side
	return p
}

func (w *window) sliderHeight() int { return w.theme.sans.line + w.theme.px(6) }

// tools are the widgets that change while the window is open.
type tools struct {
	play, engine, stage, view *widget.Button
	name                      *widget.Text
	values                    []*widget.Text
	sliders                   []model.Slider
	moved                     []*widget.Slider
}

// steps is how fine a slider is.
const steps = 1000

// build makes the widgets anew.
func (w *window) build() {
	t := w.theme
	flat := nine.NewNineSliceColor
	buttons := &widget.ButtonImage{Idle: flat(panel), Hover: flat(edge), Pressed: flat(edge), Disabled: flat(paper)}
	button := func(label string, do func()) *widget.Button {
		return widget.NewButton(
			widget.ButtonOpts.Image(buttons),
			widget.ButtonOpts.Text(label, &t.sans.face, &widget.ButtonTextColor{Idle: ink, Disabled: dim, Hover: accent}),
			widget.ButtonOpts.TextPadding(&widget.Insets{Left: t.px(10), Right: t.px(10), Top: t.px(4), Bottom: t.px(4)}),
			widget.ButtonOpts.ClickedHandler(func(*widget.ButtonClickedEventArgs) { do(); w.stir() }),
		)
	}
	label := func(s string, c color.Color, o ...widget.TextOpt) *widget.Text {
		return widget.NewText(append(o, widget.TextOpts.Text(s, &t.sans.face, c), widget.TextOpts.Position(widget.TextPositionStart, widget.TextPositionCenter))...)
	}
	b := &tools{
		play:   button("Pause", w.app.TogglePlay),
		engine: button("interp", w.app.NextEngine),
		stage:  button("Pixel", w.app.NextStage),
		view:   button("View", func() { w.app.NextView(1) }),
		name: label("", ink, widget.TextOpts.WidgetOpts(widget.WidgetOpts.LayoutData(
			widget.RowLayoutData{Position: widget.RowLayoutPositionCenter}))),
	}
	w.tools = b
	bar := widget.NewContainer(widget.ContainerOpts.Layout(widget.NewRowLayout(
		widget.RowLayoutOpts.Spacing(t.px(6)), widget.RowLayoutOpts.Padding(widget.NewInsetsSimple(t.px(6))))))
	bar.AddChild(b.play, b.engine, b.view, b.stage, button("Fit", w.view.ZoomToFit), button("1:1", func() { w.view.ZoomTo(1, w.centre()) }),
		button("Help", func() { w.help = true }), b.name)

	list := widget.NewContainer(widget.ContainerOpts.Layout(widget.NewGridLayout(widget.GridLayoutOpts.Columns(3),
		widget.GridLayoutOpts.Stretch([]bool{false, true, false}, nil), widget.GridLayoutOpts.Spacing(t.px(16), t.px(6)),
		widget.GridLayoutOpts.Padding(&widget.Insets{Left: t.px(10), Right: t.px(16), Top: t.px(2), Bottom: t.px(8)}))))
	b.sliders = w.app.Sliders()
	for _, s := range b.sliders {
		value := label(number(w.app.Value(s)), ink, widget.TextOpts.WidgetOpts(widget.WidgetOpts.MinSize(t.px(64), t.sans.line)))
		slider := widget.NewSlider(
			widget.SliderOpts.Orientation(widget.DirectionHorizontal),
			widget.SliderOpts.MinMax(0, steps),
			widget.SliderOpts.InitialCurrent(int(math.Round((w.app.Value(s)-s.Min)/(s.Max-s.Min)*steps))),
			widget.SliderOpts.Images(&widget.SliderTrackImage{Idle: flat(edge), Hover: flat(edge)}, &widget.ButtonImage{Idle: flat(handle), Hover: flat(ink), Pressed: flat(ink)}),
			widget.SliderOpts.FixedHandleSize(t.px(8)),
			widget.SliderOpts.PageSizeFunc(func() int { return steps / 20 }),
			widget.SliderOpts.WidgetOpts(widget.WidgetOpts.MinSize(t.px(80), t.px(12))),
			widget.SliderOpts.ChangedHandler(func(a *widget.SliderChangedEventArgs) {
				w.app.Set(s, round(s.Min+(s.Max-s.Min)*float64(a.Current)/steps))
				w.stir()
			}),
		)
		b.values, b.moved = append(b.values, value), append(b.moved, slider)
		list.AddChild(label(s.Name, dim), slider, value)
	}
	area := widget.NewScrollContainer(
		widget.ScrollContainerOpts.Content(list), widget.ScrollContainerOpts.StretchContentWidth(),
		widget.ScrollContainerOpts.Image(&widget.ScrollContainerImage{Idle: flat(paper), Mask: flat(paper)}),
	)
	area.GetWidget().ScrolledEvent.AddHandler(func(a any) {
		if a, ok := a.(*widget.WidgetScrolledEventArgs); ok {
			if h := area.ContentRect().Dy() - area.ViewRect().Dy(); h > 0 {
				area.ScrollTop = min(max(area.ScrollTop-a.Y*float64(3*w.sliderHeight())/float64(h), 0), 1)
			}
			w.stir()
		}
	})
	root := widget.NewContainer(widget.ContainerOpts.Layout(regions{w}))
	root.AddChild(bar, area)
	w.ui = &ebitenui.UI{Container: root}
}

// regions lays out the bar and the sliders as divide says.
type regions struct{ w *window }

func (r regions) PreferredSize([]widget.PreferredSizeLocateableWidget) (int, int) {
	return r.w.size.X, r.w.size.Y
}

func (r regions) Layout(children []widget.PreferredSizeLocateableWidget, _ image.Rectangle) {
	children[0].SetLocation(r.w.parts.tools)
	below := r.w.parts.sliders
	below.Min.Y = min(below.Min.Y+r.w.theme.sans.line+r.w.theme.px(8), below.Max.Y) // the heading
	children[1].SetLocation(below)
}

// refresh brings the labels up to date.
func (b *tools) refresh(w *window) {
	set := func(x *widget.Button, label string, off bool) {
		if x.Text().Label != label {
			x.SetText(label)
			w.stir()
		}
		x.GetWidget().Disabled = off
	}
	none := w.app.Session == nil
	set(b.play, map[bool]string{false: "Play", true: "Pause"}[w.app.Playing], none)
	set(b.engine, "Engine: "+w.app.Engine, none)
	set(b.view, playground.ViewTitle(w.app.View), none)
	stage := "No shader"
	if !none {
		stage = w.app.Session.Detected()
	}
	set(b.stage, stage, none)
	name := w.app.Name()
	if !none && w.app.Session.Scene.Title != "" && w.app.Session.Scene.Title != name {
		name += ": " + w.app.Session.Scene.Title
	}
	b.name.Label = name
	for i, s := range b.sliders {
		b.values[i].Label = number(w.app.Value(s))
	}
}

// round keeps what a person can tell apart.
func round(v float64) float64 {
	r, err := strconv.ParseFloat(fmt.Sprintf("%.4g", v), 64)
	if err != nil {
		return v
	}
	return r
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }
