package scene

import (
	"errors"
	"fmt"
	"path"

	"swizzle/render"
)

// Explain gives a line for each finding of an error that Parse, Load or Begin gave, as diagnostics are
// written: FILE:LINE:COL: error[code]: message. FILE is name, for findings in a member name/MEMBER.
// archive is the text that was parsed; s is the scene, nil when Parse gave none.
func Explain(err error, name, archive string, s *Scene) (lines []string) {
	var of *render.Error
	if errors.As(err, &of) {
		return []string{fmt.Sprintf("%s: error[%s]: %s", name, of.Code, of.Message)}
	}
	var e *Error
	if !errors.As(err, &e) {
		return []string{fmt.Sprintf("%s: error[scene]: %s", name, err)}
	}
	for _, d := range e.List {
		text := archive
		if d.File == jsonName {
			d.File = ""
		}
		if d.File != "" {
			if s != nil {
				if f := s.File(d.File); f != nil {
					text = string(f.Data)
				}
			}
			d.File = path.Join(name, d.File)
		}
		lines = append(lines, d.Format(name, text))
	}
	return lines
}
