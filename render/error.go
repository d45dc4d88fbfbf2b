package render

import "fmt"

// An Error is a reason why programs, state and data cannot be drawn together.
type Error struct {
	Code    string // stable, lower case with hyphens
	Message string
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }

func errorf(code, format string, args ...any) error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}
