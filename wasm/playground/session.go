package playground

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"swizzle/render/scene"
	"swizzle/shaderkit"
	"swizzle/shaderkit/ir"
	"swizzle/shaderkit/isa"
	"swizzle/shaderkit/source"
)

// A Session is an open scene with the shaders of its first draw as documents.
type Session struct {
	Scene *scene.Scene
	Stage ir.Stage // of the document shown
	File  string   // name of what was opened

	shaders map[ir.Stage]*shader
}

// A shader is a member of the scene under edit.
type shader struct {
	doc    *Document
	data   []byte // the member as it was opened
	opened string // the text made of it then
}

// Stages are those that a draw has, in the order of the pipeline.
var Stages = []ir.Stage{ir.Vertex, ir.Pixel}

// stageNames say them to people.
var stageNames = map[ir.Stage]string{ir.Vertex: "vertex shader", ir.Pixel: "pixel shader"}

// An Input is a file that a person opened or dropped.
type Input struct {
	Name string
	Data []byte
}

// Open opens files: one scene, or one shader of each stage, as text, words or a list of hex words.
func Open(files ...Input) (*Session, error) {
	if len(files) == 0 {
		return nil, errors.New("no file to open")
	}
	if len(files) == 1 && scene.IsArchive(files[0].Data) {
		s, err := scene.Parse(files[0].Data)
		if err != nil {
			return nil, inScene(files[0], err)
		}
		return OpenScene(files[0].Name, s)
	}
	found := map[ir.Stage]Input{}
	for _, f := range files {
		stage, data, err := recognise(f)
		if err != nil {
			return nil, err
		}
		if other, taken := found[stage]; taken {
			return nil, fmt.Errorf("%s and %s are both a %s: open one of each at a time", other.Name, f.Name, stageNames[stage])
		}
		found[stage] = Input{memberName(f.Name, stage), data}
	}
	s := around(found)
	return OpenScene(files[0].Name, s)
}

// inScene gives the first error of a project file with its line.
func inScene(f Input, err error) error {
	var list *scene.Error
	if errors.As(err, &list) {
		for _, g := range list.List {
			if g.Severity == source.Error {
				line, _ := source.Position(string(f.Data), g.Span.Start)
				return &sceneError{fmt.Sprintf("%s, line %d: %s", f.Name, line, g.Message), err}
			}
		}
	}
	return fmt.Errorf("%s: %w", f.Name, err)
}

// A sceneError tells the first finding of a *scene.Error, which it wraps.
type sceneError struct {
	message string
	cause   error
}

func (e *sceneError) Error() string { return e.message }
func (e *sceneError) Unwrap() error { return e.cause }

// recognise tells the stage of a shader, and gives its bytes or its text.
func recognise(f Input) (ir.Stage, []byte, error) {
	data := f.Data
	if text, ok := plainText(data); ok {
		if arch := shaderkit.DetectText(text); arch != nil && !cArray.MatchString(text) {
			p, _, _ := arch.Assemble(text, isa.Options{Permissive: true})
			return stageOf(p), []byte(text), nil
		}
		words, ok := BytesOf(text)
		if !ok {
			return "", nil, fmt.Errorf("%s is neither a scene nor a shader: a Direct3D 9 shader starts with its version, as in ps_3_0", f.Name)
		}
		data = words
	}
	arch, _ := shaderkit.Detect(data)
	if arch == nil {
		return "", nil, unknown(f.Name, data)
	}
	return stageOf(arch.Decode(data, isa.Options{Permissive: true})), data, nil
}

func stageOf(p *isa.Program) ir.Stage {
	if p != nil && p.Stage == string(ir.Vertex) {
		return ir.Vertex
	}
	return ir.Pixel
}

// unknown says that data is no shader that can be read, and what it is where that is plain.
func unknown(name string, data []byte) error {
	what := "no shader that Swizzle reads: Direct3D 9 bytecode starts with its version, as in the bytes 00 03 FF FF of ps_3_0"
	switch {
	case len(data) == 0:
		what = "empty"
	case bytes.HasPrefix(data, []byte("DXBC")):
		what = "a DXBC container of Direct3D 10 or later, which Swizzle does not read yet"
	}
	return fmt.Errorf("%s is %s", name, what)
}

// memberName makes a name that an archive can hold of a file's name.
func memberName(name string, stage ir.Stage) string {
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	name = strings.Map(func(r rune) rune {
		if isWord(r) || r == '.' || r == '-' {
			return r
		}
		return '_'
	}, name)
	name = strings.TrimSuffix(strings.Trim(name, "."), ".base64")
	if name == "" || name == "scene.json" || name == "lesson.md" {
		return string(stage) + ".asm"
	}
	return name
}

// around makes a scene of one shader, or of one of each stage.
func around(found map[ir.Stage]Input) *scene.Scene {
	v, hasV := found[ir.Vertex]
	p, hasP := found[ir.Pixel]
	if !hasV {
		return scene.Default(ir.Pixel, p.Name, p.Data)
	}
	s := scene.Default(ir.Vertex, v.Name, v.Data)
	if hasP {
		if p.Name == v.Name {
			p.Name = "ps-" + p.Name
		}
		s.First().PS = p.Name
		s.First().PSTextures = scene.Default(ir.Pixel, p.Name, p.Data).First().PSTextures
		s.SetFile(p.Name, p.Data)
	}
	return s
}

// OpenScene opens a scene. It is the session's from then on.
func OpenScene(file string, s *scene.Scene) (*Session, error) {
	ses := &Session{Scene: s, File: file, shaders: map[ir.Stage]*shader{}}
	for _, stage := range Stages {
		member := s.Shader(stage)
		if member == nil {
			continue
		}
		sh, err := openShader(member)
		if err != nil {
			return nil, err
		}
		ses.shaders[stage] = sh
		ses.Stage = stage // the pixel shader, where there is one
	}
	if len(ses.shaders) == 0 {
		return nil, errors.New("the scene's first draw names no shader that is in the file")
	}
	return ses, nil
}

func openShader(f *scene.File) (*shader, error) {
	data := f.Data
	var arch *isa.Arch
	text, ok := plainText(data)
	if ok {
		data = []byte(text)
		if arch = shaderkit.DetectText(text); arch == nil {
			arch = shaderkit.Archs[0] // its errors tell what is missing
		}
	} else {
		if arch, text = disassemble(f.Data); arch == nil {
			return nil, unknown(f.Name, f.Data)
		}
	}
	return &shader{NewDocument(arch, text), data, text}, nil
}

// Current gives the document shown.
func (s *Session) Current() *Document { return s.shaders[s.Stage].doc }

// Document gives the document of a stage, nil when the scene has none.
func (s *Session) Document(stage ir.Stage) *Document {
	if sh := s.shaders[stage]; sh != nil {
		return sh.doc
	}
	return nil
}

// Name gives the name of the member shown.
func (s *Session) Name() string { return s.Scene.Shader(s.Stage).Name }

// Broken gives the first document whose text has errors, and what people call it; nil when all are good.
func (s *Session) Broken() (string, *Document) {
	for _, stage := range Stages {
		if d := s.Document(stage); d != nil && !d.Current {
			return stageNames[stage], d
		}
	}
	return "", nil
}

// Sync writes the documents into the scene. A shader that was opened as words stays words until its
// text is changed.
func (s *Session) Sync() *scene.Scene {
	for stage, sh := range s.shaders {
		data := sh.data
		if sh.doc.Text != sh.opened {
			data = []byte(sh.doc.Text)
		}
		s.Scene.Shader(stage).Data = data
	}
	return s.Scene
}

// SceneText gives the project file of the session as it is now.
func (s *Session) SceneText() string { return string(s.Sync().Format()) }

// Detected says what the document shown is: "D3D9 ps_3_0".
func (s *Session) Detected() string {
	d := s.Current()
	name := strings.ToUpper(d.arch.Name)
	if d.Program == nil {
		return name
	}
	return fmt.Sprintf("%s %s_%d_%d", name, d.Program.Stage, d.Program.Major, d.Program.Minor)
}

// Command gives the command that draws the same picture, or another view, of the exported scene.
func (s *Session) Command(view string) string {
	if view == scene.Picture {
		return "swizzle render " + s.FileName(".txtar")
	}
	return "swizzle render --view " + view + " " + s.FileName(".txtar")
}

// ViewTitle names a view of the picture for people.
func ViewTitle(view string) string {
	if t, ok := viewTitles[view]; ok {
		return t
	}
	_, semantic, _ := strings.Cut(view, ":")
	return semantic + " of the vertices"
}

var viewTitles = map[string]string{
	scene.Picture: "Picture", scene.Wireframe: "Wireframe", scene.Depth: "Depth", scene.Overdraw: "Overdraw",
	scene.Cost: "Cost", scene.NonFinite: "NaN, infinity",
}

// Span says what the colours of a view stand for, "" where they are only colours.
func Span(low, high float64, of string) string {
	if of == "" {
		return ""
	}
	return fmt.Sprintf("dark %.4g to light %.4g: %s", low, high, of)
}

// FileName gives a name for an export: that of the file opened with another extension.
func (s *Session) FileName(ext string) string {
	base := path.Base(s.File)
	if i := strings.IndexByte(base, '.'); i > 0 {
		base = base[:i]
	}
	if base == "" || base == "." || base == "/" {
		base = "scene"
	}
	return base + ext
}

// Orbit turns the camera by degrees: dx around the vertical, dy up and down.
func (s *Session) Orbit(dx, dy float64) {
	c := &s.Scene.Camera
	c.Yaw = math.Mod(math.Mod(c.Yaw-dx+180, 360)+360, 360) - 180
	c.Pitch = min(max(c.Pitch+dy, -89), 89)
}

// A Constant is a value of the scene that a person can change.
type Constant struct {
	Stage   ir.Stage
	Index   int // of the binding
	Binding *scene.Binding
}

// Constants lists the values that the scene gives to registers itself, not what it computes.
func (s *Session) Constants() []Constant {
	d := s.Scene.First()
	if d == nil {
		return nil
	}
	var list []Constant
	for _, stage := range Stages {
		bindings := *bindingsOf(d, stage)
		for i := range bindings {
			if b := &bindings[i]; b.From == "" && len(b.Value) > 0 {
				list = append(list, Constant{stage, i, b})
			}
		}
	}
	return list
}

func bindingsOf(d *scene.Draw, stage ir.Stage) *[]scene.Binding {
	if stage == ir.Vertex {
		return &d.VSConstants
	}
	return &d.PSConstants
}

// AddConstant gives a register of the shader shown a value that can then be changed.
func (s *Session) AddConstant(register string) error {
	register = strings.ToLower(strings.TrimSpace(register))
	if !isConstant(register) {
		return fmt.Errorf("%q is no constant register: c, i or b and a number, as in c0", register)
	}
	bindings := bindingsOf(s.Scene.First(), s.Stage)
	if slices.ContainsFunc(*bindings, func(b scene.Binding) bool { return b.To == register }) {
		return fmt.Errorf("%s has a value already", register)
	}
	*bindings = append(*bindings, scene.Binding{To: register, Value: []float64{1, 1, 1, 1}, Rows: 4, Max: 1, Color: register[0] == 'c' && s.Stage == ir.Pixel})
	return nil
}

// isConstant reports whether name is a constant register.
func isConstant(name string) bool {
	if len(name) < 2 || !strings.Contains("cib", name[:1]) {
		return false
	}
	n, err := strconv.ParseUint(name[1:], 10, 16)
	return err == nil && n <= maxConstant
}

// maxConstant is the largest number of a constant register, as far as bit patterns go.
const maxConstant = 8191
