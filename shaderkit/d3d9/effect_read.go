package d3d9

import (
	"encoding/binary"
	"fmt"
	"slices"

	"swizzle/shaderkit/isa"
	"swizzle/shaderkit/source"
)

const (
	effectMagic   = 0xFEFF0901
	xnaMagic      = 0xBCF00BCF // in front of effects of XNA 4: the size of what precedes the effect follows
	maxEffectType = 16         // structs inside structs
)

// A piece is a run of bytes that has one line of text.
type piece struct {
	off, len int
	row      *isa.Op // nil: raw words
}

// effectReader reads an effect. Pieces of the data, which is referred to by offsets, are claimed; the lists
// stand one behind the other.
type effectReader struct {
	b       []byte
	e       *Effect
	base    int // of offsets
	end     int // of the data
	pos     int // in the lists
	claimed map[int]piece
	lists   []piece
	work    int // bounds what one file can ask for
	failed  bool
	modules []module
}

// A module is an object that may be a program.
type module struct {
	name  string
	bytes source.Range
}

// isEffect reports whether data is an effect, and where it starts.
func isEffect(data []byte) (start int, ok bool) {
	if len(data) < 4 {
		return 0, false
	}
	if w := binary.LittleEndian.Uint32(data); w == effectMagic {
		return 0, true
	} else if w != xnaMagic || len(data) < 8 {
		return 0, false
	}
	n := binary.LittleEndian.Uint32(data[4:])
	if n%4 != 0 || uint64(n)+4 > uint64(len(data)) || binary.LittleEndian.Uint32(data[n:]) != effectMagic {
		return 0, false
	}
	return int(n), true
}

// readEffect reads the effect at start of data.
func readEffect(data []byte, start int) *effectReader {
	r := &effectReader{b: data, e: &Effect{}, claimed: map[int]piece{}, base: start + 8}
	if start > 0 {
		r.lists = append(r.lists, piece{0, start, nil})
	}
	r.pos = start
	if !r.room(8, "an effect starts with two words") {
		return r
	}
	r.list(rowEffect)
	at := r.u32(start + 4)
	if at%4 != 0 || uint64(r.base)+uint64(at)+16 > uint64(len(data)) {
		r.fail(start+4, "the lists are at 0x%X, which is no place in the file", at)
		return r
	}
	r.end = r.base + int(at)
	r.pos = r.end
	params, techs := r.u32(r.pos), r.u32(r.pos+4)
	r.e.Objects = r.u32(r.pos + 12)
	r.list(rowCounts)
	if need := 16*uint64(params) + 12*uint64(techs); need > uint64(len(r.b)-r.pos) {
		r.fail(r.end, "%d parameters and %d techniques do not fit in the %d bytes that are left", params, techs, len(r.b)-r.pos)
		return r
	}
	for range params {
		if !r.parameter() {
			return r
		}
	}
	for range techs {
		if !r.technique() {
			return r
		}
	}
	if !r.room(8, "the counts of objects") {
		return r
	}
	small, resources := r.u32(r.pos), r.u32(r.pos+4)
	r.list(rowObjects)
	for range small {
		if !r.object() {
			return r
		}
	}
	r.nameObjects()
	for range resources {
		if !r.resource() {
			return r
		}
	}
	return r
}

// nameObjects gives the modules that are values of parameters the names of those.
func (r *effectReader) nameObjects() {
	names := map[uint32]string{}
	for i := range r.e.Parameters {
		p := &r.e.Parameters[i]
		for k, id := range p.Words {
			if p.Type.Class != ClassObject {
				break
			}
			if names[id] = p.Name; p.Type.Elements > 0 {
				names[id] += fmt.Sprintf("[%d]", k)
			}
		}
	}
	for _, o := range r.e.Small {
		if name := names[o.ID]; name != "" && o.Module > 0 {
			r.modules[o.Module-1].name = name
		}
	}
}

func (r *effectReader) u32(o int) uint32 { return binary.LittleEndian.Uint32(r.b[o:]) }

func (r *effectReader) fail(o int, format string, args ...any) {
	if len(r.e.Diags) < maxDiags {
		var v uint32
		if o+4 <= len(r.b) {
			v = r.u32(o)
		}
		r.e.Diags.BytesErrorf(source.Range{Off: o, Len: min(4, max(0, len(r.b)-o))}, v, "effect", format, args...)
	}
}

// room reports whether n bytes of the lists are left; what is told when not.
func (r *effectReader) room(n int, what string) bool {
	if r.pos+n <= len(r.b) {
		return true
	}
	r.fail(min(r.pos, max(0, len(r.b)-4)), "the file ends where %s should be", what)
	return false
}

// list takes the record of a row from the lists.
func (r *effectReader) list(row *isa.Op) {
	n := 4 * len(row.Form.Parts)
	r.lists = append(r.lists, piece{r.pos, n, row})
	r.pos += n
}

// at gives the file offset of a place in the data that holds n bytes. from is the word that refers to it.
func (r *effectReader) at(off uint32, n, from int) (int, bool) {
	if r.work++; r.work > len(r.b)+4096 {
		if !r.failed {
			r.failed = true
			r.fail(from, "the effect refers to more than it holds")
		}
		return 0, false
	}
	if off%4 != 0 || uint64(r.base)+uint64(off)+uint64(n) > uint64(r.end) {
		r.fail(from, "0x%X is no place in the data, which has %d bytes", off, r.end-r.base)
		return 0, false
	}
	return r.base + int(off), true
}

func (r *effectReader) claim(off, n int, row *isa.Op) {
	if old, ok := r.claimed[off]; !ok || old.row == nil && row != nil {
		r.claimed[off] = piece{off, n, row}
	}
}

// name reads the string at an offset.
func (r *effectReader) name(off uint32, from int) string {
	at, ok := r.at(off, 4, from)
	if !ok {
		return ""
	}
	n := r.u32(at)
	if uint64(at)+4+uint64(n) > uint64(r.end) {
		r.fail(at, "a string of %d bytes runs over the end of the data", n)
		return ""
	}
	size := min(4+(int(n)+3)&^3, r.end-at)
	if isString(r.b[at:at+size], true) {
		r.claim(at, size, rowString)
	}
	return cString(r.b[at+4 : at+4+int(n)])
}

func cString(b []byte) string {
	if i := slices.Index(b, 0); i >= 0 {
		b = b[:i]
	}
	return string(b)
}

// value reads a type and the value of it; from is the word with the type's offset, which that of the value
// follows.
func (r *effectReader) value(from int) (v EffectValue) {
	at, ok := r.at(r.u32(from), 20, from)
	if !ok {
		return v
	}
	size := r.typ(at, &v, 0)
	off := r.u32(from + 4)
	if size < 0 {
		return v
	}
	switch {
	case v.Type.Class == ClassObject && isSampler(v.Type.Kind):
		r.sampler(off, from+4, &v)
	case size == 0:
	default:
		if at, ok := r.at(off, size, from+4); ok {
			for k := 0; k < size && k < 4096; k += 4 {
				v.Words = append(v.Words, r.u32(at+k))
			}
		}
	}
	return v
}

func isSampler(k TypeKind) bool { return k >= 10 && k <= 14 }

// typ reads the type at file offset at. It gives the size of a value, -1 after an error.
func (r *effectReader) typ(at int, v *EffectValue, depth int) (size int) {
	v.Type.Kind, v.Type.Class = TypeKind(r.u32(at)), TypeClass(r.u32(at+4))
	v.Name, v.Semantic = r.name(r.u32(at+8), at+8), r.name(r.u32(at+12), at+12)
	v.Type.Elements = int(r.u32(at + 16))
	r.claim(at, 20, rowType)
	n := uint64(max(1, v.Type.Elements))
	switch c := v.Type.Class; {
	case c <= ClassMatrixColumns:
		if at+28 > r.end {
			r.fail(at, "the type runs over the end of the data")
			return -1
		}
		r.claim(at+20, 8, rowSize)
		rows, cols := r.u32(at+20), r.u32(at+24)
		if c == ClassVector {
			rows, cols = cols, rows
		}
		v.Type.Rows, v.Type.Columns = int(rows), int(cols)
		n *= uint64(rows) * uint64(cols)
	case c == ClassObject:
		if isSampler(v.Type.Kind) {
			return 0
		}
	case c == ClassStruct:
		return r.members(at+20, v, depth, n)
	default:
		r.fail(at+4, "there is no class %d of types; the last is %d, struct", c, ClassStruct)
		return -1
	}
	if n > uint64(len(r.b)) {
		r.fail(at, "a value of %d words is larger than the file", n)
		return -1
	}
	return 4 * int(n)
}

// members reads the members of a struct, whose types follow each other.
func (r *effectReader) members(at int, v *EffectValue, depth int, elements uint64) (size int) {
	if at+4 > r.end || depth >= maxEffectType {
		r.fail(at-20, "the type runs over the end of the data, or is a struct of too many inside each other")
		return -1
	}
	r.claim(at, 4, rowMembers)
	n, total := r.u32(at), uint64(0)
	at += 4
	for range n {
		if at+20 > r.end || r.work > len(r.b) {
			r.fail(at-4, "the members run over the end of the data")
			return -1
		}
		r.work++
		var m EffectValue
		s := r.typ(at, &m, depth+1)
		if s < 0 {
			return -1
		}
		total += uint64(s)
		v.Type.Members = append(v.Type.Members, Member{Name: m.Name, Type: m.Type})
		switch m.Type.Class {
		case ClassObject:
			at += 20
		case ClassStruct:
			at = r.behind(at + 24)
		default:
			at += 28
		}
	}
	if total *= elements; total > uint64(len(r.b)) {
		r.fail(at-4, "a value of %d bytes is larger than the file", total)
		return -1
	}
	return int(total)
}

// behind gives the end of the last piece claimed from off on without a gap.
func (r *effectReader) behind(off int) int {
	for {
		p, ok := r.claimed[off]
		if !ok || p.row == nil || p.row == rowString {
			return off
		}
		off += p.len
	}
}

// sampler reads the states of a sampler.
func (r *effectReader) sampler(off uint32, from int, v *EffectValue) {
	for range max(1, v.Type.Elements) {
		at, ok := r.at(off, 4, from)
		if !ok {
			return
		}
		n := r.u32(at)
		r.claim(at, 4, rowStates)
		if uint64(at)+4+16*uint64(n) > uint64(r.end) {
			r.fail(at, "%d states run over the end of the data", n)
			return
		}
		for k := range int(n) {
			o := at + 4 + 16*k
			r.claim(o, 16, rowState)
			if r.work > len(r.b) {
				return
			}
			v.States = append(v.States, EffectState{Operation: r.u32(o), Index: r.u32(o + 4), Value: r.value(o + 8)})
		}
		off += 4 + 16*n
	}
}

func (r *effectReader) annotations(n uint32) (all []EffectValue, ok bool) {
	for range n {
		if !r.room(8, "an annotation") {
			return all, false
		}
		all = append(all, r.value(r.pos))
		r.list(rowAnnotation)
	}
	return all, true
}

func (r *effectReader) parameter() (ok bool) {
	if !r.room(16, "a parameter") {
		return false
	}
	p := EffectParameter{EffectValue: r.value(r.pos), Flags: r.u32(r.pos + 8)}
	n := r.u32(r.pos + 12)
	r.list(rowParameter)
	p.Annotations, ok = r.annotations(n)
	r.e.Parameters = append(r.e.Parameters, p)
	return ok
}

func (r *effectReader) technique() (ok bool) {
	if !r.room(12, "a technique") {
		return false
	}
	t := EffectTechnique{Name: r.name(r.u32(r.pos), r.pos)}
	n, passes := r.u32(r.pos+4), r.u32(r.pos+8)
	r.list(rowTechnique)
	t.Annotations, ok = r.annotations(n)
	for ok && passes > 0 {
		var p EffectPass
		if p, ok = r.pass(); ok {
			t.Passes = append(t.Passes, p)
		}
		passes--
	}
	r.e.Techniques = append(r.e.Techniques, t)
	return ok
}

func (r *effectReader) pass() (p EffectPass, ok bool) {
	if !r.room(12, "a pass") {
		return p, false
	}
	p.Name = r.name(r.u32(r.pos), r.pos)
	n, states := r.u32(r.pos+4), r.u32(r.pos+8)
	r.list(rowPass)
	if p.Annotations, ok = r.annotations(n); !ok {
		return p, false
	}
	for range states {
		if !r.room(16, "a state") {
			return p, false
		}
		s := EffectState{Operation: r.u32(r.pos), Index: r.u32(r.pos + 4), Value: r.value(r.pos + 8)}
		if int(s.Operation) >= len(stateNames) {
			r.fail(r.pos, "there is no state %d; the last is %d, %s", s.Operation, len(stateNames)-1, stateNames[len(stateNames)-1])
		}
		p.States = append(p.States, s)
		r.list(rowState)
	}
	return p, true
}

// content takes the bytes of an object, which are padded to words.
func (r *effectReader) content(n uint32, name string) (b source.Range, mod int, ok bool) {
	size := (uint64(n) + 3) &^ 3
	if uint64(r.pos)+size > uint64(len(r.b)) {
		r.fail(r.pos-4, "%s has %d bytes, %d are left", name, n, len(r.b)-r.pos)
		return b, 0, false
	}
	b = source.Range{Off: r.pos, Len: int(n)}
	whole := source.Range{Off: r.pos, Len: int(size)}
	switch data := r.b[whole.Off:whole.End()]; {
	case size == 0:
	case len(data) >= 4 && isModule(binary.LittleEndian.Uint32(data)) && len(r.modules) < 1<<16-2:
		r.modules = append(r.modules, module{name, whole})
		mod = len(r.modules)
	case isString(data, false):
		r.lists = append(r.lists, piece{whole.Off, whole.Len, rowText})
	default:
		r.lists = append(r.lists, piece{whole.Off, whole.Len, nil})
	}
	r.pos = whole.End()
	return b, mod, true
}

// isModule reports whether a word begins a shader or an expression.
func isModule(w uint32) bool {
	return w>>16 == 0xFFFE || w>>16 == 0xFFFF && w != 0xFFFFFFFF || w>>16 == preMagic
}

func (r *effectReader) object() bool {
	if !r.room(8, "an object") {
		return false
	}
	o := EffectObject{ID: r.u32(r.pos)}
	n := r.u32(r.pos + 4)
	r.list(rowObject)
	var ok bool
	o.Bytes, o.Module, ok = r.content(n, fmt.Sprintf("object %d", o.ID))
	r.e.Small = append(r.e.Small, o)
	return ok
}

func (r *effectReader) resource() bool {
	if !r.room(24, "a resource") {
		return false
	}
	i32 := func(k int) int32 { return int32(r.u32(r.pos + 4*k)) }
	x := EffectResource{Technique: i32(0), Index: i32(1), Element: i32(2), State: i32(3), Usage: i32(4)}
	n := r.u32(r.pos + 20)
	r.list(rowResource)
	if x.Usage == 2 && n >= 4 && r.pos+8 <= len(r.b) { // the name of the array stands in front of the expression
		if size := 4 + (uint64(r.u32(r.pos))+3)&^3; size < uint64(n) && uint64(r.pos)+size+4 <= uint64(len(r.b)) && isString(r.b[r.pos:r.pos+int(size)], true) {
			r.lists = append(r.lists, piece{r.pos, int(size), rowString})
			x.Array = cString(r.b[r.pos+4 : r.pos+int(size)])
			r.pos += int(size)
			n -= uint32(size)
		}
	}
	var ok bool
	x.Bytes, x.Module, ok = r.content(n, r.owner(&x))
	r.e.Resources = append(r.e.Resources, x)
	return ok
}

// owner says what a resource is for: "technique.pass.VertexShader".
func (r *effectReader) owner(x *EffectResource) string {
	e := r.e
	if x.Technique < 0 {
		if int(x.Index) < len(e.Parameters) && x.Index >= 0 {
			p := &e.Parameters[x.Index]
			if x.State >= 0 && int(x.State) < len(p.States) {
				return p.Name + "." + p.States[x.State].Name()
			}
			return p.Name
		}
		return fmt.Sprintf("parameter %d", x.Index)
	}
	if int(x.Technique) >= len(e.Techniques) || x.Index < 0 || int(x.Index) >= len(e.Techniques[x.Technique].Passes) {
		return fmt.Sprintf("technique %d, pass %d", x.Technique, x.Index)
	}
	t := &e.Techniques[x.Technique]
	p := &t.Passes[x.Index]
	s := orNumber(t.Name, int(x.Technique)) + "." + orNumber(p.Name, int(x.Index))
	if x.State >= 0 && int(x.State) < len(p.States) {
		s += "." + p.States[x.State].Name()
	}
	return s
}

func orNumber(name string, n int) string {
	if name == "" {
		return fmt.Sprint(n)
	}
	return name
}

// pieces gives the pieces of the file in order, without gaps.
func (r *effectReader) pieces() []piece {
	all := append([]piece(nil), r.lists...)
	for _, m := range r.modules {
		all = append(all, piece{m.bytes.Off, m.bytes.Len, nil})
	}
	for _, p := range r.claimed {
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b piece) int {
		if a.off != b.off {
			return a.off - b.off
		}
		return b.len - a.len
	})
	var out []piece
	at := 0
	for _, p := range all {
		if p.off < at || p.len == 0 {
			continue // it overlaps one in front
		}
		if p.off > at {
			out = append(out, piece{at, p.off - at, nil})
		}
		out = append(out, p)
		at = p.off + p.len
	}
	if at < len(r.b) {
		out = append(out, piece{at, len(r.b) - at, nil})
	}
	return out
}

// isString reports whether b is a string as .string and .text print it: a length word where counted, printable
// bytes, a zero byte, and zeros up to a whole word.
func isString(b []byte, counted bool) bool {
	n := len(b)
	if counted {
		if len(b) < 8 {
			return false
		}
		n = int(min(uint64(binary.LittleEndian.Uint32(b)), 1<<30))
		b = b[4:]
	}
	i := slices.Index(b, 0)
	if i < 0 || len(b) != (i+4)&^3 || counted && n != i+1 {
		return false
	}
	for k, c := range b {
		if k < i && (c < ' ' || c > '~' || c == '"' || c == '\\') || k > i && c != 0 {
			return false
		}
	}
	return true
}
