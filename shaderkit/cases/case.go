package cases

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// lanes of a job: a quad, or four vertices.
const lanes = 4

// A question is a case as it is read. Unknown keys are ignored.
type question struct {
	ID       json.RawMessage            `json:"id"`
	ISA      string                     `json:"isa"`
	Stage    string                     `json:"stage"`
	Text     string                     `json:"text"`
	Files    json.RawMessage            `json:"files"`
	Binary   string                     `json:"binary"`
	Syntax   string                     `json:"syntax"`
	Mode     string                     `json:"mode"`
	Dialect  string                     `json:"dialect"`
	Steps    int                        `json:"steps"`
	Inputs   map[string]json.RawMessage `json:"inputs"`
	DDX      map[string]json.RawMessage `json:"ddx"`
	DDY      map[string]json.RawMessage `json:"ddy"`
	Pixel    json.RawMessage            `json:"pixel"`
	Floats   map[string]json.RawMessage `json:"floats"`
	Ints     map[string]json.RawMessage `json:"ints"`
	Bools    map[string]json.RawMessage `json:"bools"`
	Textures map[string]texture         `json:"textures"`
	Bump     map[string]json.RawMessage `json:"bump"`
}

// A failure is an error of a case: a stable code, a sentence, and the line of the text where there is
// one.
type failure struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Line    int    `json:"line,omitempty"`
}

func failf(code, format string, args ...any) *failure {
	return &failure{Code: code, Message: fmt.Sprintf(format, args...)}
}

// A kind says what a number of a vector means.
type kind uint8

const (
	float kind = iota
	integer
	boolean
)

func (k kind) String() string { return [...]string{"a number", "an integer", "true or false"}[k] }

// absent reports whether a value is not given: null stands for that.
func absent(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

// scalar reads one component as bits.
func scalar(raw json.RawMessage, k kind) (uint32, error) {
	wrong := fmt.Errorf("%s is not %s or a bit string like \"0x3F800000\"", raw, k)
	switch {
	case len(raw) == 0:
		return 0, wrong
	case absent(raw):
		return 0, nil
	case raw[0] == '"':
		var s string
		if json.Unmarshal(raw, &s) != nil {
			return 0, wrong
		}
		w, err := strconv.ParseUint(s, 0, 32)
		if err != nil {
			return 0, wrong
		}
		return uint32(w), nil
	case string(raw) == "true":
		return truth(true, k), nil
	case string(raw) == "false":
		return 0, nil
	}
	x, err := strconv.ParseFloat(string(raw), 64)
	if err != nil && !math.IsInf(x, 0) {
		return 0, wrong
	}
	switch k {
	case integer:
		if x != math.Trunc(x) || x < math.MinInt32 || x > math.MaxUint32 {
			return 0, wrong
		}
		return uint32(int64(x)), nil
	case boolean:
		return truth(x != 0, k), nil
	}
	return math.Float32bits(float32(x)), nil
}

func truth(b bool, k kind) uint32 {
	switch {
	case !b:
		return 0
	case k == boolean:
		return ^uint32(0)
	case k == integer:
		return 1
	}
	return math.Float32bits(1)
}

// vector reads up to four components; a lone one stands for a list of one. What is missing is zero.
func vector(raw json.RawMessage, k kind) (v [4]uint32, err error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || raw[0] != '[' {
		v[0], err = scalar(raw, k)
		return v, err
	}
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return v, err
	}
	if len(list) > 4 {
		return v, fmt.Errorf("%d components; a vector has up to four", len(list))
	}
	for i, x := range list {
		if v[i], err = scalar(bytes.TrimSpace(x), k); err != nil {
			return v, err
		}
	}
	return v, nil
}

// vectors reads a vector or a list of four, one a lane; each reports whether it was a list.
func vectors(raw json.RawMessage, k kind) (v [lanes][4]uint32, each bool, err error) {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) == nil && len(list) > 0 && len(list[0]) > 0 && list[0][0] == '[' {
		if len(list) != lanes {
			return v, true, fmt.Errorf("%d vectors; want one, or one for each of %d lanes", len(list), lanes)
		}
		for i := range list {
			if v[i], err = vector(list[i], k); err != nil {
				return v, true, err
			}
		}
		return v, true, nil
	}
	one, err := vector(raw, k)
	return [lanes][4]uint32{one, one, one, one}, false, err
}

// A file is a named source.
type file struct{ name, text string }

// sources reads `files`: a list of sources, or an object of names and sources, in its order.
func sources(raw json.RawMessage) ([]file, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	open, err := d.Token()
	if err != nil {
		return nil, err
	}
	if open != json.Delim('[') && open != json.Delim('{') {
		return nil, fmt.Errorf("files is neither a list nor an object")
	}
	var out []file
	for d.More() {
		var f file
		if open == json.Delim('{') {
			t, err := d.Token()
			if err != nil {
				return nil, err
			}
			f.name, _ = t.(string)
		}
		if err := d.Decode(&f.text); err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}
