package scene

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"swizzle/shaderkit/source"
)

// A node is a JSON value with its place.
type node struct {
	span source.Span
	kind string // object, list, text, number, bool, null
	keys []node // of an object, kind text
	sub  []node // values of an object or list
	text string // of a text or number; "true" for true
}

// readJSON reads the text of scene.json, which begins at offset base of the archive.
func readJSON(data []byte, base int) (node, error) {
	if !json.Valid(data) {
		return node{}, syntaxError(data, base)
	}
	r := jsonReader{data: data, base: base}
	return r.value(0)
}

// syntaxError says what is wrong with data, which is not valid.
func syntaxError(data []byte, base int) error {
	var s *json.SyntaxError
	end := source.Span{Start: base + len(data), End: base + len(data)}
	switch err := json.Unmarshal(data, new(any)); {
	case !errors.As(err, &s), int(s.Offset) >= len(data) && strings.Contains(s.Error(), "unexpected end"):
		return diagnostic(end, "bad-json", "scene.json ends in the middle")
	case strings.Contains(s.Error(), "after top-level value"):
		at := base + int(s.Offset) - 1
		return diagnostic(source.Span{Start: at, End: at}, "bad-json", "text behind the closing brace")
	}
	return diagnostic(source.Span{Start: base + int(s.Offset) - 1, End: base + int(s.Offset)}, "bad-json", "%s", s)
}

func diagnostic(span source.Span, code, format string, args ...any) error {
	var l source.List
	l.Errorf(span, code, format, args...)
	return &Error{List: l}
}

// A jsonReader reads valid text, whose bytes tell what comes.
type jsonReader struct {
	data []byte
	at   int
	base int
}

// maxDepth bounds nesting; version 1 needs 8.
const maxDepth = 32

// next skips what stands between values, and gives the first byte of the next one or a closing bracket.
func (r *jsonReader) next() byte {
	for {
		switch c := r.data[r.at]; c {
		case ' ', '\t', '\r', '\n', ',', ':':
			r.at++
		default:
			return c
		}
	}
}

func (r *jsonReader) value(depth int) (n node, err error) {
	c, from := r.next(), r.at
	if depth > maxDepth {
		return n, diagnostic(source.Span{Start: r.base + from, End: r.base + from + 1}, "bad-json", "nested deeper than %d", maxDepth)
	}
	switch c {
	case '{', '[':
		n.kind = "list"
		if c == '{' {
			n.kind = "object"
		}
		for r.at++; ; {
			if c := r.next(); c == '}' || c == ']' {
				break
			}
			if n.kind == "object" {
				key, err := r.value(depth)
				if err != nil {
					return n, err
				}
				n.keys = append(n.keys, key)
			}
			v, err := r.value(depth + 1)
			if err != nil {
				return n, err
			}
			n.sub = append(n.sub, v)
		}
		r.at++
	case '"':
		n.kind, n.text = "text", r.text()
	default:
		for r.at < len(r.data) && strings.IndexByte(" \t\r\n,:]}", r.data[r.at]) < 0 {
			r.at++
		}
		switch n.text = string(r.data[from:r.at]); c {
		case 't', 'f':
			n.kind = "bool"
		case 'n':
			n.kind, n.text = "null", ""
		default:
			n.kind = "number"
		}
	}
	n.span = source.Span{Start: r.base + from, End: r.base + r.at}
	return n, nil
}

// text reads a string.
func (r *jsonReader) text() (s string) {
	from, plain := r.at, true
	for r.at++; r.data[r.at] != '"'; r.at++ {
		if r.data[r.at] == '\\' {
			plain = false
			r.at++
		}
	}
	r.at++
	raw := r.data[from:r.at]
	if plain = plain && utf8.Valid(raw); plain {
		return string(raw[1 : len(raw)-1])
	}
	json.Unmarshal(raw, &s) // it is valid
	return s
}

// A reader puts nodes into Go values and collects what is wrong.
type reader struct {
	list source.List
}

// Places tell where the values of scene.json stand in the archive that was parsed.
type Places struct{ top *node }

// Equal holds for all places: scenes do not differ by where they are written.
func (Places) Equal(Places) bool { return true }

// At gives the place of a value by its path, keys and indices with slashes between them, as in
// passes/0/draws/1/mesh. Where there is no such value, it is that of what it would stand in.
func (p Places) At(path string) (span source.Span) {
	n := p.top
	for n != nil {
		span = n.span
		var name string
		name, path, _ = strings.Cut(path, "/")
		n = n.child(name)
	}
	return span
}

// child gives the value that a key or an index names, or nil.
func (n *node) child(name string) *node {
	for i := range n.keys {
		if n.keys[i].text == name {
			return &n.sub[i]
		}
	}
	if i, err := strconv.Atoi(name); err == nil && n.kind == "list" && 0 <= i && i < len(n.sub) {
		return &n.sub[i]
	}
	return nil
}

func (r *reader) errorf(n *node, code, format string, args ...any) {
	r.list.Errorf(n.span, code, format, args...)
}

// read puts n into v; f is the field that it belongs to, nil at the top.
func (r *reader) read(n *node, v reflect.Value, f *field) {
	want := func(kind string) bool {
		if n.kind != kind {
			r.errorf(n, "wrong-type", "want a %s, not a %s", kind, n.kind)
		}
		return n.kind == kind
	}
	switch v.Kind() {
	case reflect.Struct:
		if want("object") {
			r.object(n, v)
		}
	case reflect.Map:
		if !want("object") {
			return
		}
		v.Set(reflect.MakeMap(v.Type()))
		for i := range n.keys {
			if v.MapIndex(reflect.ValueOf(n.keys[i].text)).IsValid() {
				r.errorf(&n.keys[i], "repeated-key", "%q is there twice", n.keys[i].text)
			}
			e := fresh(v.Type().Elem())
			r.read(&n.sub[i], e, f)
			v.SetMapIndex(reflect.ValueOf(n.keys[i].text), e)
		}
	case reflect.Slice:
		if !want("list") {
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 0, len(n.sub)))
		for i := range n.sub {
			e := fresh(v.Type().Elem())
			r.read(&n.sub[i], e, f)
			v.Set(reflect.Append(v, e))
		}
	case reflect.Array:
		if !want("list") {
			return
		}
		if len(n.sub) != v.Len() {
			r.errorf(n, "wrong-length", "want %d values, not %d", v.Len(), len(n.sub))
			return
		}
		for i := range n.sub {
			r.read(&n.sub[i], v.Index(i), f)
		}
	case reflect.String:
		if !want("text") {
			return
		}
		if f.enum != nil && !slices.Contains(f.enum, n.text) {
			r.errorf(n, "unknown-value", "%q is none of %s", n.text, strings.Join(f.enum, ", "))
			return
		}
		v.SetString(n.text)
	case reflect.Bool:
		if want("bool") {
			v.SetBool(n.text == "true")
		}
	case reflect.Int, reflect.Float64:
		if want("number") {
			r.number(n, v, f)
		}
	}
}

func (r *reader) number(n *node, v reflect.Value, f *field) {
	x, err := strconv.ParseFloat(n.text, 64)
	if err != nil {
		r.errorf(n, "bad-number", "%s is no number of double precision", n.text)
		return
	}
	for _, l := range f.limits {
		if (x-l.at)*l.sign < 0 {
			r.errorf(n, "out-of-range", "%s is not allowed: the %simum is %s", n.text, l.name, l.text)
			return
		}
	}
	if v.Kind() == reflect.Float64 {
		v.SetFloat(x)
		return
	}
	i, err := strconv.Atoi(n.text)
	if err != nil {
		r.errorf(n, "wrong-type", "want a whole number, not %s", n.text)
		return
	}
	v.SetInt(int64(i))
}

func (r *reader) object(n *node, v reflect.Value) {
	seen := map[string]bool{}
	for i := range n.keys {
		key := &n.keys[i]
		f, ok := fieldsOf(v.Type())[key.text]
		switch {
		case !ok:
			r.errorf(key, "unknown-key", "no key %q here; allowed are %s", key.text, strings.Join(keysOf(v.Type()), ", "))
		case seen[key.text]:
			r.errorf(key, "repeated-key", "%q is there twice", key.text)
		default:
			seen[key.text] = true
			r.read(&n.sub[i], v.Field(f.index), f)
		}
	}
}

// keyOf gives the key of a struct field, "" for those that are not in scene.json.
func keyOf(f reflect.StructField) string {
	if k := f.Tag.Get("json"); k != "-" {
		return k
	}
	return ""
}

func keysOf(t reflect.Type) (keys []string) {
	for i := range t.NumField() {
		if k := keyOf(t.Field(i)); k != "" {
			keys = append(keys, k)
		}
	}
	return
}

// A field is what the tags of a struct field say.
type field struct {
	index  int
	enum   []string
	limits []limit
}

type limit struct {
	name, text string // "min" or "max"
	at, sign   float64
}

var fieldsByType sync.Map // of map[string]*field by reflect.Type: reflection is slow

// fieldsOf gives the fields of a struct that have keys.
func fieldsOf(t reflect.Type) map[string]*field {
	if m, ok := fieldsByType.Load(t); ok {
		return m.(map[string]*field)
	}
	m := map[string]*field{}
	for i := range t.NumField() {
		tag, k := t.Field(i).Tag, keyOf(t.Field(i))
		if k == "" {
			continue
		}
		f := &field{index: i, enum: enums[tag.Get("enum")]}
		for _, l := range []limit{{name: "min", sign: 1}, {name: "max", sign: -1}} {
			if l.text = tag.Get(l.name); l.text != "" {
				l.at, _ = strconv.ParseFloat(l.text, 64)
				f.limits = append(f.limits, l)
			}
		}
		m[k] = f
	}
	fieldsByType.Store(t, m)
	return m
}

// fresh gives a new value of type t with the defaults of version 1.
func fresh(t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()
	for _, d := range defaults {
		if reflect.TypeOf(d) == t {
			v.Set(reflect.ValueOf(d))
		}
	}
	return v
}

// writeJSON writes v, leaving out what is at its default. Lists of numbers take one line.
func writeJSON(w *bytes.Buffer, v reflect.Value, indent string) {
	inner := indent + "  "
	list := func(open, close string, n int, item func(i int)) {
		if n == 0 {
			w.WriteString(open + close)
			return
		}
		w.WriteString(open)
		for i := range n {
			if i > 0 {
				w.WriteByte(',')
			}
			w.WriteString("\n" + inner)
			item(i)
		}
		w.WriteString("\n" + indent + close)
	}
	key := func(k string) {
		w.WriteString(quote(k) + ": ")
	}
	switch v.Kind() {
	case reflect.Struct:
		d := fresh(v.Type())
		var fields []int
		for i := range v.NumField() {
			k := keyOf(v.Type().Field(i))
			if k == "version" || k != "" && !same(v.Field(i), d.Field(i)) {
				fields = append(fields, i)
			}
		}
		list("{", "}", len(fields), func(i int) {
			key(keyOf(v.Type().Field(fields[i])))
			writeJSON(w, v.Field(fields[i]), inner)
		})
	case reflect.Map:
		var keys []string
		for _, k := range v.MapKeys() {
			keys = append(keys, k.String())
		}
		slices.Sort(keys)
		list("{", "}", len(keys), func(i int) {
			key(keys[i])
			writeJSON(w, v.MapIndex(reflect.ValueOf(keys[i])), inner)
		})
	case reflect.Slice, reflect.Array:
		if e := v.Type().Elem().Kind(); e == reflect.Struct || e == reflect.Slice {
			list("[", "]", v.Len(), func(i int) { writeJSON(w, v.Index(i), inner) })
			return
		}
		w.WriteByte('[')
		for i := range v.Len() {
			if i > 0 {
				w.WriteString(", ")
			}
			writeJSON(w, v.Index(i), inner)
		}
		w.WriteByte(']')
	case reflect.String:
		w.WriteString(quote(v.String()))
	case reflect.Float64:
		w.WriteString(strconv.FormatFloat(v.Float(), 'g', -1, 64))
	default:
		fmt.Fprint(w, v.Interface())
	}
}

func same(a, b reflect.Value) bool {
	if (a.Kind() == reflect.Slice || a.Kind() == reflect.Map) && a.Len() == 0 {
		return b.Len() == 0
	}
	return reflect.DeepEqual(a.Interface(), b.Interface())
}

func quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil { // a string always encodes
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}
