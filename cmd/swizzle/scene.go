package main

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"swizzle/internal/engine"
	"swizzle/render/scene"
)

// loadScene reads a project file. Its findings are told; nil stands for one with errors.
func (c *cli) loadScene(name string) (*scene.Scene, error) {
	data, err := c.read(name)
	if err != nil {
		return nil, err
	}
	return c.parseScene(name, data)
}

func (c *cli) parseScene(name string, data []byte) (*scene.Scene, error) {
	c.archive = string(data)
	s, err := scene.Parse(data)
	if err != nil {
		return nil, c.reportScene(name, nil, err)
	}
	return s, nil
}

// reportScene prints what is wrong with a scene; a finding in a member is one of the file NAME/MEMBER.
func (c *cli) reportScene(name string, s *scene.Scene, err error) error {
	for _, line := range scene.Explain(err, name, c.archive, s) {
		fmt.Fprintln(c.err, line)
	}
	c.failed = true
	return nil
}

// A drawing is what render tells of a picture.
type drawing struct {
	Width  int    `json:"width"`
	Height int    `json:"height"`
	Title  string `json:"title"`
	Stats  any    `json:"stats"`

	View   string        `json:"view,omitempty"`
	Range  *scene.Range  `json:"range,omitempty"` // of the view's colours
	Counts *scene.Counts `json:"counts,omitempty"`
}

func (c *cli) render() *cobra.Command {
	var out, size, engineName, mode string
	var counts bool
	var seconds float64
	v := c.reads(c.facts(&cobra.Command{
		Use:   "render -o OUT.png [--size WxH] [--frame SECONDS] SCENE, or render FILE",
		Short: "Draw a project file, or a lone shader with a partner made for it",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			e, err := c.engine(engineName)
			if err != nil {
				return err
			}
			w, h, err := parseSize(size)
			if err != nil {
				return err
			}
			m, err := scene.ModeByName(mode)
			if err != nil {
				return fmt.Errorf("--view: %w", err)
			}
			if out == "" && !c.json {
				return errors.New("render: want -o OUT.png, or --json for the figures alone; -o - writes to standard output")
			}
			name := args[0]
			s, err := c.sceneAround(name)
			if s == nil {
				return err
			}
			if size == "" {
				w, h = s.Size[0], s.Size[1]
			}
			view := scene.NewView(e)
			view.Workers = runtime.GOMAXPROCS(0)
			if err := view.Load(s, scene.Compile); err != nil {
				return c.reportScene(name, s, err)
			}
			view.SetMode(m)
			picture, stats, err := view.Draw(seconds, w, h)
			if err != nil {
				return c.reportScene(name, s, err)
			}
			if err := c.writePicture(out, picture); err != nil {
				return err
			}
			told := drawing{Width: w, Height: h, Title: s.Title, Stats: stats}
			if mode != scene.Picture {
				span := view.Range()
				told.View, told.Range = mode, &span
			}
			if counts {
				n, err := view.Count(seconds, w, h)
				if err != nil {
					return c.reportScene(name, s, err)
				}
				told.Counts = &n
			}
			if c.json {
				c.printJSON(told)
			}
			return nil
		},
	}))
	f := v.Flags()
	f.StringVarP(&out, "output", "o", "", "write the picture to this `file`, a PNG")
	f.StringVar(&size, "size", "", "size of the picture, `WxH` in pixels; the scene's own without it")
	f.Float64Var(&seconds, "frame", 0, "time of the picture in `seconds`")
	f.StringVar(&mode, "view", scene.Picture, "what to show: "+strings.Join(scene.ModeNames, ", ")+", or varying:SEMANTIC as in varying:TEXCOORD0")
	f.BoolVar(&counts, "counts", false, "with --json, count the pixels killed and the operations, which draws twice more")
	f.StringVar(&engineName, "engine", "", "what runs it: "+strings.Join(engine.Names, ", "))
	return v
}

// maxSize is the largest width and height of a picture.
const maxSize = 4096

func parseSize(s string) (w, h int, err error) {
	if s == "" {
		return 0, 0, nil
	}
	var rest string
	if n, _ := fmt.Sscanf(s, "%dx%d%s", &w, &h, &rest); n != 2 || w < 1 || h < 1 || w > maxSize || h > maxSize {
		return 0, 0, fmt.Errorf("--size %s: want WxH, each 1 to %d", s, maxSize)
	}
	return w, h, nil
}

// writePicture writes a PNG; without a name none.
func (c *cli) writePicture(out string, m image.Image) error {
	if out == "" {
		return nil
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		return err
	}
	if out == "-" {
		_, err := c.out.Write(b.Bytes())
		return err
	}
	if err := os.WriteFile(out, b.Bytes(), 0o666); err != nil {
		return inputError{out, "write", cause(err)}
	}
	return nil
}

func (c *cli) link() *cobra.Command {
	return &cobra.Command{
		Use:   "link SCENE",
		Short: "Print the share link of a project file, the part behind the page's address",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			s, err := c.loadScene(args[0])
			if s == nil {
				return err
			}
			fmt.Fprintln(c.out, scene.Link(s))
			return nil
		},
	}
}

func (c *cli) open() *cobra.Command {
	return &cobra.Command{
		Use:   "open LINK",
		Short: "Print the project file of a share link",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			link := args[0]
			if link == "-" {
				data, err := c.read(link)
				if err != nil {
					return err
				}
				link = strings.TrimSpace(string(data))
			}
			s, err := scene.OpenLink(link)
			if err != nil {
				return c.reportScene("link", nil, err)
			}
			_, err = c.out.Write(s.Format())
			return err
		},
	}
}
