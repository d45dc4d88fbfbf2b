// Package protocol is what the page and its engine worker say to each other.
//
// A message is a JSON header, and behind some a block of bytes whose buffer is transferred:
//
//	page → engine   Draw     the newest scene; older ones that are not finished are dropped
//	page → engine   Count    what the last picture came to is wanted, when nothing is to be drawn
//	page → engine   (bytes)  the buffer of a Frame that is shown no more, alone: for the next one
//	engine → page   Ready    the engine has started
//	engine → page   Alive    a step or a slice of the drawing is done
//	engine → page   Frame    a finished picture, or a part of it, bytes: RGBA
//	engine → page   Counted  the answer to a Count
//	engine → page   Problem  the scene cannot be drawn, and why
//
// Buffers go back and forth, because what Go refers to lives until Go collects: in a page that allocates
// little, after thousands of pictures.
//
// Every answer names the Seq of its Draw. A Draw without a scene draws the last one again with
// another size or time. Several engines draw one picture in parts, each with the same scene. The page counts the time since the last sign of life and replaces a worker
// that stays silent: see Limit.
package protocol

import (
	"encoding/json"
	"fmt"
	"time"

	"swizzle/render"
	"swizzle/render/scene"
	"swizzle/shaderkit/source"
)

// Limit is how long an engine may be silent while it draws before the page replaces it.
const Limit = 3 * time.Second

// Patience is how long a silent engine keeps a newer scene waiting before the page replaces it.
const Patience = time.Second

// Slice is how long the engine draws before it looks for newer messages. Pictures that take longer get
// more engines.
const Slice = 8 * time.Millisecond

// A Message is one of the types below.
type Message interface{ kind() string }

type (
	// Draw asks for a picture.
	Draw struct {
		Seq           int
		Scene         string `json:",omitempty"` // the project file; "" is the last one
		Width, Height int
		Seconds       float64
		View          string `json:",omitempty"` // a scene.Mode; "" is the picture
		Part, Parts   int    // which rows of tiles are drawn; see render.Part
	}

	// Count asks for the statistics of a picture of the scene. A Draw that comes meanwhile ends it unanswered.
	Count struct {
		Seq           int
		Width, Height int
		Seconds       float64
	}

	// Ready says that the engine takes messages.
	Ready struct{}

	// Alive says that the engine goes on: Done of Tiles are drawn.
	Alive struct{ Seq, Done, Tiles int }

	// Frame is a finished picture; its bytes are RGBA, rows from the top, not premultiplied. Of a part it has
	// the rows of the part alone.
	Frame struct {
		Seq           int
		Width, Height int
		Part, Parts   int
		Millis        float64  // time spent on it: compile and draw
		Compiled      bool     // something was compiled for it
		Views         []string `json:",omitempty"` // that the scene has; only where it was sent
		Low, High     float64  // what the darkest and the lightest colour of a view stand for
		Of            string   `json:",omitempty"` // what they are numbers of
	}

	// Counted are the statistics of a picture, of all its parts.
	Counted struct {
		Seq    int
		Stats  render.Stats
		Counts scene.Counts
	}

	// Problem says why a scene cannot be drawn.
	Problem struct {
		Seq      int
		Message  string
		Findings source.List `json:",omitempty"` // File names the member of the scene
	}
)

func (Draw) kind() string    { return "draw" }
func (Count) kind() string   { return "count" }
func (Counted) kind() string { return "counted" }
func (Ready) kind() string   { return "ready" }
func (Alive) kind() string   { return "alive" }
func (Frame) kind() string   { return "frame" }
func (Problem) kind() string { return "problem" }

type envelope struct {
	Kind string
	Body json.RawMessage
}

// Encode gives the header of a message.
func Encode(m Message) string {
	body, err := json.Marshal(m)
	if err != nil { // the types above hold nothing that JSON lacks but NaN
		body = []byte("{}")
	}
	header, _ := json.Marshal(envelope{m.kind(), body})
	return string(header)
}

// Decode reads a header.
func Decode(header string) (Message, error) {
	var e envelope
	if err := json.Unmarshal([]byte(header), &e); err != nil {
		return nil, fmt.Errorf("reading a message: %w", err)
	}
	switch e.Kind {
	case "draw":
		return read[Draw](e.Body)
	case "count":
		return read[Count](e.Body)
	case "counted":
		return read[Counted](e.Body)
	case "ready":
		return read[Ready](e.Body)
	case "alive":
		return read[Alive](e.Body)
	case "frame":
		return read[Frame](e.Body)
	case "problem":
		return read[Problem](e.Body)
	}
	return nil, fmt.Errorf("no message is called %q", e.Kind)
}

func read[T Message](body json.RawMessage) (Message, error) {
	var m T
	if err := json.Unmarshal(body, &m); err != nil {
		return nil, fmt.Errorf("reading a message: %w", err)
	}
	return m, nil
}
