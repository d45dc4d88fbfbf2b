package ir

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"swizzle/shaderkit/source"
)

// Limits of what Parse takes, so that a short text cannot ask for much memory.
const (
	maxParsedRegs  = 1 << 20 // registers of a function
	maxParsedDepth = 1000    // blocks within blocks
)

// Parse reads the text form. It reports all errors it finds; the program that comes with errors holds
// what was understood. A program without errors need not be right: see Verify.
func Parse(text string) (*Program, source.List) {
	r := parser{text: text, p: &Program{}}
	r.line()
	r.program()
	return r.p, r.list
}

type tokenKind uint8

const (
	eol    tokenKind = iota // end of the line; at the end of the text for ever
	word                    // letters, digits, _ . and a leading minus
	quoted                  // a string in quotes
	reg                     // %3
	at                      // @3
	mark                    // = , ( ) { } : ->
)

type token struct {
	kind tokenKind
	span source.Span
	s    string // text; contents of a quoted string
	n    int64  // number of reg and at
}

// A parser reads line by line: tok holds the tokens of the line at hand.
type parser struct {
	text  string
	off   int // start of the next line
	tok   []token
	done  bool // no line is left
	open  bool // the text ended within a block, which has been said
	p     *Program
	f     *Func
	depth int
	list  source.List
}

func (r *parser) errorf(span source.Span, code, format string, args ...any) {
	r.list.Errorf(span, code, format, args...)
}

// line reads the tokens of the next line that has some.
func (r *parser) line() {
	r.tok = r.tok[:0]
	for len(r.tok) == 0 {
		if r.off >= len(r.text) {
			r.done = true
			return
		}
		start := r.off
		end := len(r.text)
		if n := strings.IndexByte(r.text[start:], '\n'); n >= 0 {
			end = start + n
		}
		r.off = end + 1
		r.lex(start, end)
	}
}

func (r *parser) lex(i, end int) {
	text := r.text[:end]
	for i < end {
		start := i
		c := text[i]
		digits := func() (n int64, ok bool) {
			i++
			first := i
			if i < end && text[i] == '-' {
				i++
			}
			for i < end && '0' <= text[i] && text[i] <= '9' {
				i++
			}
			n, err := strconv.ParseInt(text[first:i], 10, 64)
			return n, err == nil
		}
		add := func(kind tokenKind, s string, n int64) {
			r.tok = append(r.tok, token{kind, source.Span{Start: start, End: i}, s, n})
		}
		switch {
		case c == ' ' || c == '\t' || c == '\r':
			i++
		case strings.HasPrefix(text[i:], "//"):
			return
		case c == '%' || c == '@':
			n, ok := digits()
			kind := reg
			if c == '@' {
				kind = at
			}
			if !ok {
				r.errorf(source.Span{Start: start, End: i}, "number", "a number must follow %c", c)
			}
			add(kind, text[start:i], n)
		case strings.HasPrefix(text[i:], "->"):
			i += 2
			add(mark, "->", 0)
		case strings.IndexByte("=,(){}:", c) >= 0:
			i++
			add(mark, text[start:i], 0)
		case c == '"':
			q, err := strconv.QuotedPrefix(text[i:])
			s, err2 := strconv.Unquote(q)
			if err != nil || err2 != nil {
				i = end
				r.errorf(source.Span{Start: start, End: end}, "quote", "a string in quotes does not end or has a wrong escape")
				return
			}
			i += len(q)
			add(quoted, s, 0)
		case isWord(c) || c == '-':
			for i++; i < end && isWord(text[i]); i++ {
			}
			add(word, text[start:i], 0)
		default:
			i++
			r.errorf(source.Span{Start: start, End: i}, "character", "%q means nothing here", c)
		}
	}
}

// peek gives the next token of the line.
func (r *parser) peek() token {
	if len(r.tok) > 0 {
		return r.tok[0]
	}
	end := max(r.off-1, 0)
	return token{kind: eol, span: source.Span{Start: end, End: end}}
}

func (r *parser) next() token {
	t := r.peek()
	if len(r.tok) > 0 {
		r.tok = r.tok[1:]
	}
	return t
}

// take consumes a mark or word with this text, if it comes next.
func (r *parser) take(s string) bool {
	if t := r.peek(); (t.kind == mark || t.kind == word) && t.s == s {
		r.next()
		return true
	}
	return false
}

// expect consumes a mark or word; behind the end of the text block has complained already.
func (r *parser) expect(s string) {
	if !r.take(s) && !r.done {
		t := r.peek()
		r.errorf(t.span, "expected", "expected %q", s)
		r.tok = nil
	}
}

// endLine complains of what is left of the line, and reads the next one.
func (r *parser) endLine() {
	if t := r.peek(); t.kind != eol {
		r.errorf(t.span, "behind-end", "the line should end here")
	}
	r.line()
}

func (r *parser) string() string {
	t := r.next()
	if t.kind != word && t.kind != quoted {
		r.errorf(t.span, "expected", "expected a name")
	}
	return t.s
}

// uint reads a number below 2^bits, in decimal or hexadecimal.
func (r *parser) uint(bits int) uint64 {
	t := r.next()
	v, err := strconv.ParseUint(t.s, 0, bits)
	if t.kind != word || err != nil {
		r.errorf(t.span, "number", "expected a number of at most %d bits", bits)
	}
	return v
}

func (r *parser) int() int {
	t := r.next()
	v, err := strconv.ParseInt(t.s, 10, 32)
	if t.kind != word || err != nil {
		r.errorf(t.span, "number", "expected a number")
	}
	return int(v)
}

func (r *parser) words4() (v [4]uint32) {
	for i := range v {
		v[i] = uint32(r.uint(32))
	}
	return v
}

// enum reads one of names or a number.
func enum[T ~uint8](r *parser, names []string) T {
	if i := slices.Index(names, r.peek().s); i >= 0 && r.peek().kind == word {
		r.next()
		return T(i)
	}
	t := r.next()
	v, err := strconv.ParseUint(t.s, 10, 8)
	if t.kind != word || err != nil {
		r.errorf(t.span, "name", "expected one of %s", strings.Join(names, ", "))
	}
	return T(v)
}

func (r *parser) mask() uint8 {
	t := r.peek()
	var m uint8
	for i, c := range componentNames {
		if strings.Contains(t.s, c) {
			m |= 1 << i
		}
	}
	if t.kind == word && m != 0 && maskName(m) == t.s {
		r.next()
		return m
	}
	return uint8(r.uint(8))
}

func (r *parser) program() {
	if k := slices.Index(kindNames, r.peek().s); k >= 0 && !r.done {
		r.next()
		r.p.Kind = Kind(k)
		r.p.Name = r.string()
		r.endLine()
	} else {
		r.errorf(r.peek().span, "expected", "a program begins with %s and its name", strings.Join(kindNames, ", "))
	}
	for !r.done {
		t := r.next()
		switch t.s {
		case "large":
			r.p.Large = true
		case "mode":
			r.p.Modes = append(r.p.Modes, r.string())
		case "stage":
			r.p.Interface.Stage = Stage(r.string())
		case "input":
			r.p.Interface.Inputs = append(r.p.Interface.Inputs, r.element())
		case "output":
			r.p.Interface.Outputs = append(r.p.Interface.Outputs, r.element())
		case "resource":
			r.p.Interface.Resources = append(r.p.Interface.Resources, r.resource())
		case "def":
			d := Def{Index: r.int(), Value: r.words4()}
			if n := len(r.p.Interface.Resources); n == 0 {
				r.errorf(t.span, "def", "def belongs to the resource before it")
			} else {
				res := &r.p.Interface.Resources[n-1]
				res.Defs = append(res.Defs, d)
			}
		case "sampler":
			r.p.Samplers = append(r.p.Samplers, r.sampler())
		case "traced":
			r.p.Traced = append(r.p.Traced, TracedReg{Name: r.string(), Comp: enum[uint8](r, componentNames)})
		case "func":
			r.function()
		default:
			r.errorf(t.span, "line", "a line cannot begin with %q", t.s)
			r.tok = nil
		}
		r.endLine()
	}
}

func (r *parser) element() Element {
	e := Element{Register: r.string(), Semantic: r.string(), Index: r.int(), Mask: r.mask()}
	for r.peek().kind == word {
		switch t := r.next(); t.s {
		case "interp":
			e.Interp = enum[Interp](r, interpNames)
		case "system":
			e.System = enum[System](r, systemNames)
		case "saturate":
			e.Saturate = true
		default:
			r.errorf(t.span, "key", "%q is not a property of an element", t.s)
		}
	}
	return e
}

func (r *parser) resource() Resource {
	res := Resource{Name: r.string(), Kind: enum[ResourceKind](r, resourceKindNames)}
	for r.peek().kind == word {
		switch t := r.next(); t.s {
		case "dim":
			res.Dim = enum[Dim](r, dimNames)
		case "any":
			res.Any = true
		case "count":
			res.Count = r.int()
		default:
			r.errorf(t.span, "key", "%q is not a property of a resource", t.s)
		}
	}
	return res
}

func (r *parser) sampler() (s SamplerState) {
	for r.peek().kind == word {
		switch t := r.next(); t.s {
		case "dim":
			s.Dim = enum[Dim](r, dimNames)
		case "format":
			s.Format = enum[Format](r, formatNames)
		case "min":
			s.Min = enum[Filter](r, filterNames)
		case "mag":
			s.Mag = enum[Filter](r, filterNames)
		case "mip":
			s.Mip = enum[MipFilter](r, mipNames)
		case "u":
			s.U = enum[Address](r, addressNames)
		case "v":
			s.V = enum[Address](r, addressNames)
		case "w":
			s.W = enum[Address](r, addressNames)
		case "border":
			s.Border = r.words4()
		case "bias":
			s.LODBias = math.Float32frombits(uint32(r.uint(32)))
		case "aniso":
			s.Aniso = uint8(r.uint(8))
		case "range":
			s.LODRange = true
			s.MinLOD = math.Float32frombits(uint32(r.uint(32)))
			s.MaxLOD = math.Float32frombits(uint32(r.uint(32)))
		case "seamless":
			s.Seamless = true
		case "compare":
			s.Compare = enum[Comparison](r, comparisonNames)
		case "comparez":
			s.CompareZ = true
		case "refbits":
			s.RefBits = uint8(r.uint(8))
		case "ones":
			s.Ones = r.mask()
		case "outside":
			s.Outside = r.words4()
		case "bound":
			s.Bound = true
		case "unbound":
			s.Unbound = r.words4()
		default:
			r.errorf(t.span, "key", "%q is not a property of a sampler", t.s)
		}
	}
	return s
}

func (r *parser) site() SampleSite {
	s := SampleSite{Resource: int(r.uint(31)), Kind: enum[SampleKind](r, sampleNames)}
	for r.peek().kind == word {
		switch t := r.next(); t.s {
		case "layer":
			s.Layer = true
		case "compare":
			s.Compare = true
		case "offset":
			for i := range s.Offset {
				span := r.peek().span
				o := r.int()
				if o < -8 || o > 7 {
					r.errorf(span, "number", "an offset is -8 to 7")
				}
				s.Offset[i] = int8(o)
			}
		case "component":
			s.Component = enum[uint8](r, componentNames)
		default:
			r.errorf(t.span, "key", "%q is not a property of a sample", t.s)
		}
	}
	return s
}

func (r *parser) function() {
	f := &Func{Body: &Block{}}
	if t := r.next(); t.kind != at || t.n != int64(len(r.p.Funcs)) {
		r.errorf(t.span, "function", "expected @%d: functions are numbered in their order", len(r.p.Funcs))
	}
	r.p.Funcs = append(r.p.Funcs, f)
	r.f = f
	f.Name = r.string()
	r.expect("(")
	for r.peek().kind == reg {
		f.Params = append(f.Params, r.assigned(true))
		if !r.take(",") {
			break
		}
	}
	r.expect(")")
	if r.take("->") {
		for {
			f.Results = append(f.Results, r.class())
			if !r.take(",") {
				break
			}
		}
	}
	f.Macro = r.take("macro")
	r.expect("{")
	r.endLine()
	if r.take("registers") {
		t := r.peek()
		if n := r.int(); n < 0 || n > maxParsedRegs {
			r.errorf(t.span, "register", "at most %d registers", maxParsedRegs)
		} else if n > len(f.Class) {
			f.Class = append(f.Class, make([]Class, n-len(f.Class))...)
		}
		for r.peek().kind == reg {
			r.assigned(true)
		}
		r.endLine()
	}
	r.block(f.Body)
	r.expect("}")
}

func (r *parser) class() Class {
	switch t := r.next(); t.s {
	case "32":
	case "64":
		return C64
	default:
		r.errorf(t.span, "class", "a register has 32 or 64 bits")
	}
	return C32
}

// register reads an operand or result.
func (r *parser) register() Reg {
	t := r.next()
	if t.kind != reg || t.n < 0 || t.n >= maxParsedRegs {
		r.errorf(t.span, "register", "expected a register below %%%d", maxParsedRegs)
		t.n = 0
	}
	if n := int(t.n) + 1 - len(r.f.Class); n > 0 {
		r.f.Class = append(r.f.Class, make([]Class, n)...)
	}
	return Reg(t.n)
}

// assigned reads a register where it is assigned, with its class.
func (r *parser) assigned(typed bool) Reg {
	n := r.register()
	if typed && r.take(":") {
		r.f.Class[n] = r.class()
	}
	return n
}

// block reads instructions up to the } that ends them.
func (r *parser) block(b *Block) {
	r.depth++
	defer func() { r.depth-- }()
	for !r.done && !(r.peek().kind == mark && r.peek().s == "}") {
		r.inst(b)
	}
	if r.done && !r.open {
		r.open = true
		r.errorf(r.peek().span, "expected", "expected }: a block does not end")
	}
}

var opsByName = func() map[string]Op {
	m := map[string]Op{}
	for o := Invalid + 1; o < numOps; o++ {
		m[ops[o].Name] = o
	}
	return m
}()

func (r *parser) inst(b *Block) {
	in := Inst{Dst: NoReg, From: -1}
	for r.peek().kind == reg {
		t := r.peek()
		n := r.assigned(true)
		if in.N == 0 {
			in.Dst, in.N = n, 1
		} else if n != in.Dst+Reg(in.N) {
			r.errorf(t.span, "results", "results must be consecutive")
		} else {
			in.N++
		}
		if !r.take(",") {
			break
		}
	}
	if in.N > 0 {
		r.expect("=")
	}
	t := r.next()
	op, ok := opsByName[t.s]
	if t.kind != word || !ok {
		if t.kind != eol || in.N == 0 {
			r.errorf(t.span, "op", "there is no op %q", t.s)
		}
		r.tok = nil
		r.line()
		return
	}
	in.Op = op
	row := &ops[op]
	if row.Results >= 0 {
		for k := range in.N {
			r.f.Class[in.Dst+Reg(k)] = row.Class
		}
	}
	r.immediate(&in, row)
	if op == Loop {
		body := &Block{}
		in.Blocks[0] = body
		r.expect("(")
		for r.peek().kind == reg {
			body.Params = append(body.Params, r.assigned(true))
			r.expect("=")
			in.Args = append(in.Args, r.register())
			if !r.take(",") {
				break
			}
		}
		r.expect(")")
	} else {
		for r.peek().kind == reg {
			in.Args = append(in.Args, r.register())
			if !r.take(",") {
				break
			}
		}
	}
	if t := r.peek(); t.kind == at {
		r.next()
		in.From = int32(t.n)
		if int64(in.From) != t.n {
			r.errorf(t.span, "number", "the number of an instruction has 32 bits")
		}
	}
	if op != If && op != Loop {
		r.endLine()
		b.Insts = append(b.Insts, in)
		return
	}
	if in.Blocks[0] == nil {
		in.Blocks[0] = &Block{}
	}
	if r.depth == maxParsedDepth {
		r.errorf(t.span, "depth", "at most %d blocks within one another", maxParsedDepth)
		r.tok, r.off = nil, len(r.text)
		r.line()
		return
	}
	r.expect("{")
	r.endLine()
	r.block(in.Blocks[0])
	r.expect("}")
	if op == If {
		in.Blocks[1] = &Block{}
		if r.take("else") {
			r.expect("{")
			r.endLine()
			r.block(in.Blocks[1])
			r.expect("}")
		} else {
			in.Blocks[1].Insts = []Inst{{Op: Yield, Dst: NoReg, From: -1}}
		}
	}
	r.endLine()
	b.Insts = append(b.Insts, in)
}

func (r *parser) immediate(in *Inst, row *Info) {
	switch row.Imm {
	case "bits":
		in.Imm = r.uint(32 << row.Class)
	case "func":
		t := r.next()
		if t.kind != at || t.n < 0 {
			r.errorf(t.span, "function", "expected @ and the number of a function")
			return
		}
		in.Imm = uint64(t.n)
	case "sample":
		in.Imm = r.site().Imm()
	case "":
	default:
		in.Imm = r.uint(32)
	}
}
