package scene

import (
	"bytes"
	"encoding/base64"
	"reflect"
	"strings"
	"unicode/utf8"

	"golang.org/x/tools/txtar"

	"swizzle/shaderkit/source"
)

const (
	jsonName   = "scene.json"
	lessonName = "lesson.md"
	suffix64   = ".base64"
)

// MaxSize is the largest archive that Parse takes, in bytes.
const MaxSize = 16 << 20

// Limits on what a scene that came by a link may ask for.
const (
	maxDraws    = 64 // of a pass
	maxTextures = 32
	maxTargets  = 16
	maxPasses   = 16
)

// An Error is what is wrong with a scene; its diagnostics point into the archive, or into the member
// that their File names.
type Error struct{ List source.List }

func (e *Error) Error() string { return e.List.Err().Error() }

// IsArchive reports whether data looks like a project file: it has a member scene.json.
func IsArchive(data []byte) bool {
	const marker = "-- " + jsonName + " --"
	for at := 0; ; {
		i := bytes.Index(data[at:], []byte(marker))
		if i < 0 {
			return false
		}
		end := at + i + len(marker)
		if (at+i == 0 || data[at+i-1] == '\n') && (end == len(data) || data[end] == '\n' || data[end] == '\r') {
			return true
		}
		at = end
	}
}

// Parse reads an archive. The error is an *Error.
func Parse(data []byte) (*Scene, error) {
	if len(data) > MaxSize {
		return nil, diagnostic(source.Span{}, "too-large", "the scene has %d bytes, allowed are %d", len(data), MaxSize)
	}
	s := defaultOf[Scene]()
	var r reader
	a := txtar.Parse(data)
	s.Comment = string(a.Comment)
	seen := map[string]bool{}
	places := markers(data)
	for i, f := range a.Files {
		marker := places[min(i, len(places)-1)]
		body := marker.End
		name, encoded := strings.CutSuffix(f.Name, suffix64)
		if seen[name] {
			r.list.Errorf(marker, "repeated-member", "%s is there twice", name)
			continue
		}
		seen[name] = true
		content := f.Data
		if encoded {
			var err error
			content, err = base64.StdEncoding.DecodeString(strings.Map(dropSpace, string(f.Data)))
			if err != nil {
				r.list.Errorf(source.Span{Start: body, End: body + len(f.Data)}, "bad-base64", "%s: %s", f.Name, err)
				continue
			}
		}
		switch name {
		case jsonName:
			n, err := readJSON(content, body)
			if err != nil {
				r.list = append(r.list, err.(*Error).List...)
				continue
			}
			r.scene(&n, &s)
		case lessonName:
			s.Lesson = string(content)
		default:
			s.Files = append(s.Files, File{name, content})
		}
	}
	if !seen[jsonName] {
		r.list.Errorf(source.Span{}, "no-scene", "there is no member %s", jsonName)
	}
	if r.list.HasErrors() {
		r.list.Sort()
		return nil, &Error{r.list}
	}
	return &s, nil
}

// markers gives the places of the lines that begin a member, with their ends of line.
func markers(data []byte) (spans []source.Span) {
	for at := 0; at < len(data); {
		end := at + len(data[at:])
		if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		if line := data[at:end]; bytes.HasPrefix(line, []byte("-- ")) && len(txtar.Parse(line).Files) > 0 {
			spans = append(spans, source.Span{Start: at, End: end})
		}
		at = end
	}
	return
}

func dropSpace(c rune) rune {
	if c == '\n' || c == '\r' || c == ' ' || c == '\t' {
		return -1
	}
	return c
}

// scene reads the top of scene.json.
func (r *reader) scene(n *node, s *Scene) {
	s.Version = 0
	s.Places = Places{n}
	r.read(n, reflect.ValueOf(s).Elem(), nil)
	if n.kind == "object" && s.Version != Version {
		at := n
		for i := range n.keys {
			if n.keys[i].text == "version" {
				at = &n.sub[i]
			}
		}
		r.errorf(at, "unknown-version", "want \"version\": %d", Version)
	}
	if len(s.Passes) > maxPasses {
		r.errorf(n, "too-many-passes", "%d passes, allowed are %d", len(s.Passes), maxPasses)
	}
	if len(s.Targets) > maxTargets {
		r.errorf(n, "too-many-targets", "%d targets, allowed are %d", len(s.Targets), maxTargets)
	}
	for _, p := range s.Passes {
		if len(p.Draws) > maxDraws {
			r.errorf(n, "too-many-draws", "%d draws, allowed are %d", len(p.Draws), maxDraws)
		}
	}
	if len(s.Textures) > maxTextures {
		r.errorf(n, "too-many-textures", "%d textures, allowed are %d", len(s.Textures), maxTextures)
	}
}

// Format writes the scene as an archive. Scenes that are equal give equal bytes, and
// Parse(Format(s)) gives s.
func (s *Scene) Format() []byte {
	var b bytes.Buffer
	writeJSON(&b, reflect.ValueOf(*s), "")
	b.WriteByte('\n')
	a := txtar.Archive{Comment: []byte(s.Comment), Files: []txtar.File{{Name: jsonName, Data: b.Bytes()}}}
	if s.Lesson != "" {
		a.Files = append(a.Files, member(File{lessonName, []byte(s.Lesson)}))
	}
	for _, f := range s.Files {
		a.Files = append(a.Files, member(f))
	}
	return txtar.Format(&a)
}

// member gives the file as it lies in the archive.
func member(f File) txtar.File {
	if plain(f) {
		return txtar.File{Name: f.Name, Data: f.Data}
	}
	text := base64.StdEncoding.EncodeToString(f.Data)
	var b bytes.Buffer
	for len(text) > 76 {
		b.WriteString(text[:76] + "\n")
		text = text[76:]
	}
	b.WriteString(text + "\n")
	return txtar.File{Name: f.Name + suffix64, Data: b.Bytes()}
}

// plain reports whether the archive can hold the bytes as they are.
func plain(f File) bool {
	d := f.Data
	if strings.HasSuffix(f.Name, suffix64) || len(d) == 0 || d[len(d)-1] != '\n' || !utf8.Valid(d) || bytes.IndexByte(d, '\r') >= 0 || bytes.IndexByte(d, 0) >= 0 {
		return false
	}
	return len(txtar.Parse(d).Files) == 0
}
