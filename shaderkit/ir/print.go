package ir

import (
	"math"
	"strconv"
	"strings"
)

// String gives the text form of p, which Parse reads back to the same program. The package comment
// describes it.
func (p *Program) String() string {
	w := printer{p: p}
	w.header()
	for i, f := range p.Funcs {
		w.function(i, f)
	}
	return string(w.out)
}

type printer struct {
	p     *Program
	f     *Func
	out   []byte
	depth int
}

// words appends words, apart by blanks.
func (w *printer) words(words ...string) {
	for _, s := range words {
		if n := len(w.out); n > 0 && w.out[n-1] != '\n' && w.out[n-1] != '\t' {
			w.out = append(w.out, ' ')
		}
		w.out = append(w.out, s...)
	}
}

// nonzero appends a key and its value, unless that is the first of its names.
func (w *printer) nonzero(key, value string, names []string) {
	if value != names[0] {
		w.words(key, value)
	}
}

func (w *printer) end() { w.out = append(w.out, '\n') }

func hex(v uint64) string { return "0x" + strings.ToUpper(strconv.FormatUint(v, 16)) }

func hex4(v [4]uint32) []string {
	out := make([]string, 4)
	for i, x := range v {
		out[i] = hex(uint64(x))
	}
	return out
}

// name writes a string bare where it looks like a word, else in quotes.
func name(s string) string {
	for i := range len(s) {
		if !isWord(s[i]) {
			return strconv.Quote(s)
		}
	}
	if s == "" {
		return `""`
	}
	return s
}

func isWord(c byte) bool {
	return c == '_' || c == '.' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func maskName(mask uint8) string {
	if mask == 0 || mask > 15 {
		return strconv.Itoa(int(mask))
	}
	var s string
	for i, c := range componentNames {
		if mask>>i&1 != 0 {
			s += c
		}
	}
	return s
}

func (w *printer) header() {
	p := w.p
	w.words(p.Kind.String(), name(p.Name))
	w.end()
	if p.Large {
		w.words("large")
		w.end()
	}
	for _, m := range p.Modes {
		w.words("mode", name(m))
		w.end()
	}
	if p.Interface.Stage != "" {
		w.words("stage", name(string(p.Interface.Stage)))
		w.end()
	}
	for _, e := range p.Interface.Inputs {
		w.element("input", e)
	}
	for _, e := range p.Interface.Outputs {
		w.element("output", e)
	}
	for _, r := range p.Interface.Resources {
		w.words("resource", name(r.Name), r.Kind.String())
		w.nonzero("dim", r.Dim.String(), dimNames)
		if r.Any {
			w.words("any")
		}
		if r.Count != 0 {
			w.words("count", strconv.Itoa(r.Count))
		}
		w.end()
		for _, d := range r.Defs {
			w.words("\tdef", strconv.Itoa(d.Index))
			w.words(hex4(d.Value)...)
			w.end()
		}
	}
	for _, s := range p.Samplers {
		w.sampler(s)
	}
	for _, t := range p.Traced {
		w.words("traced", name(t.Name), enumName(componentNames, t.Comp))
		w.end()
	}
}

func (w *printer) element(what string, e Element) {
	w.words(what, name(e.Register), name(e.Semantic), strconv.Itoa(e.Index), maskName(e.Mask))
	w.nonzero("interp", e.Interp.String(), interpNames)
	w.nonzero("system", e.System.String(), systemNames)
	if e.Saturate {
		w.words("saturate")
	}
	w.end()
}

func (w *printer) sampler(s SamplerState) {
	w.words("sampler")
	w.nonzero("dim", s.Dim.String(), dimNames)
	w.nonzero("format", s.Format.String(), formatNames)
	w.nonzero("min", s.Min.String(), filterNames)
	w.nonzero("mag", s.Mag.String(), filterNames)
	w.nonzero("mip", s.Mip.String(), mipNames)
	w.nonzero("u", s.U.String(), addressNames)
	w.nonzero("v", s.V.String(), addressNames)
	w.nonzero("w", s.W.String(), addressNames)
	if s.Border != [4]uint32{} {
		w.words("border")
		w.words(hex4(s.Border)...)
	}
	if bias := math.Float32bits(s.LODBias); bias != 0 {
		w.words("bias", hex(uint64(bias)))
	}
	if s.Aniso != 0 {
		w.words("aniso", strconv.Itoa(int(s.Aniso)))
	}
	if s.LODRange {
		w.words("range", hex(uint64(math.Float32bits(s.MinLOD))), hex(uint64(math.Float32bits(s.MaxLOD))))
	}
	if s.Seamless {
		w.words("seamless")
	}
	w.nonzero("compare", s.Compare.String(), comparisonNames)
	if s.CompareZ {
		w.words("comparez")
	}
	if s.RefBits != 0 {
		w.words("refbits", strconv.Itoa(int(s.RefBits)))
	}
	if s.Ones != 0 {
		w.words("ones", maskName(s.Ones))
	}
	if s.Outside != [4]uint32{} {
		w.words("outside")
		w.words(hex4(s.Outside)...)
	}
	if s.Bound {
		w.words("bound")
	}
	if s.Unbound != [4]uint32{} {
		w.words("unbound")
		w.words(hex4(s.Unbound)...)
	}
	w.end()
}

// site writes what a Sample or Fetch reads; what is plain is left out.
func (w *printer) site(s SampleSite) {
	w.words(strconv.Itoa(s.Resource), s.Kind.String())
	if s.Layer {
		w.words("layer")
	}
	if s.Compare {
		w.words("compare")
	}
	if s.Offset != [3]int8{} {
		w.words("offset")
		for _, o := range s.Offset {
			w.words(strconv.Itoa(int(o)))
		}
	}
	if s.Component != 0 {
		w.words("component", enumName(componentNames, s.Component))
	}
}

func (w *printer) function(number int, f *Func) {
	w.f, w.depth = f, 1
	w.out = append(w.out, "\nfunc"...)
	w.words("@"+strconv.Itoa(number), name(f.Name))
	w.out = append(w.out, '(')
	for i, r := range f.Params {
		w.comma(i)
		w.typed(r)
	}
	w.out = append(w.out, ')')
	if len(f.Results) > 0 {
		w.words("->")
		for i, c := range f.Results {
			if i > 0 {
				w.out = append(w.out, ',')
			}
			w.words(strconv.Itoa(32 << c))
		}
	}
	if f.Macro {
		w.words("macro")
	}
	w.words("{")
	w.end()
	w.unassigned()
	w.block(f.Body)
	w.out = append(w.out, "}\n"...)
}

// unassigned states the registers that no instruction assigns, where the others do not tell.
func (w *printer) unassigned() {
	f := w.f
	assigned := make([]bool, len(f.Class))
	count := 0
	mark := func(r Reg) {
		if r >= 0 && int(r) < len(assigned) {
			assigned[r] = true
			count = max(count, int(r)+1)
		}
	}
	for _, r := range f.Params {
		mark(r)
	}
	f.Body.Walk(func(in *Inst) {
		for k := range in.N {
			mark(in.Dst + Reg(k))
		}
		if in.Op == Loop {
			for _, r := range in.Blocks[0].Params {
				mark(r)
			}
		}
	})
	var long []Reg
	for r, c := range f.Class {
		if !assigned[r] && c == C64 {
			long = append(long, Reg(r))
		}
	}
	if count == len(f.Class) && long == nil {
		return
	}
	w.words("\tregisters", strconv.Itoa(len(f.Class)))
	for _, r := range long {
		w.words("%")
		w.out = strconv.AppendInt(w.out, int64(r), 10)
		w.out = append(w.out, ":64"...)
	}
	w.end()
}

func (w *printer) comma(i int) {
	if i > 0 {
		w.out = append(w.out, ", "...)
	}
}

func (w *printer) reg(r Reg) {
	w.out = append(w.out, '%')
	w.out = strconv.AppendInt(w.out, int64(r), 10)
}

// typed writes a register where it is assigned and nothing else states its class.
func (w *printer) typed(r Reg) {
	w.reg(r)
	if r >= 0 && int(r) < len(w.f.Class) && w.f.Class[r] == C64 {
		w.out = append(w.out, ":64"...)
	}
}

func (w *printer) tabs() {
	for range w.depth {
		w.out = append(w.out, '\t')
	}
}

func (w *printer) block(b *Block) {
	for i := range b.Insts {
		w.tabs()
		w.inst(&b.Insts[i])
	}
}

func (w *printer) inst(in *Inst) {
	row := in.Op.Info()
	for k := range in.N {
		w.comma(int(k))
		if row.Results < 0 {
			w.typed(in.Dst + Reg(k))
		} else {
			w.reg(in.Dst + Reg(k))
		}
	}
	if in.N > 0 {
		w.out = append(w.out, " = "...)
	}
	w.out = append(w.out, row.Name...)
	var note string
	switch row.Imm {
	case "bits":
		w.words(hex(in.Imm))
		note = constNote(in)
	case "func":
		w.words("@" + strconv.FormatUint(in.Imm, 10))
	case "sample":
		site := SampleSiteOf(in.Imm)
		w.site(site)
		note = w.resourceNote(site.Resource)
	case "":
	default:
		w.words(strconv.FormatUint(in.Imm, 10))
		if row.Imm == "resource" {
			note = w.resourceNote(int(in.Imm))
		} else if row.Imm == "traced" && in.Imm < uint64(len(w.p.Traced)) {
			t := w.p.Traced[in.Imm]
			note = t.Name + "." + enumName(componentNames, t.Comp)
		}
	}
	if in.Op == Loop {
		w.out = append(w.out, " ("...)
		for i, r := range in.Blocks[0].Params {
			w.comma(i)
			w.typed(r)
			if i < len(in.Args) {
				w.out = append(w.out, " = "...)
				w.reg(in.Args[i])
			}
		}
		w.out = append(w.out, ')')
	} else {
		for i, r := range in.Args {
			if i > 0 {
				w.out = append(w.out, ',')
			}
			w.out = append(w.out, ' ')
			w.reg(r)
		}
	}
	if in.From != -1 {
		w.words("@" + strconv.Itoa(int(in.From)))
	}
	if in.Blocks[0] != nil {
		w.words("{")
	}
	if note != "" && !strings.ContainsAny(note, "\r\n") {
		w.out = append(w.out, " // "...)
		w.out = append(w.out, note...)
	}
	w.end()
	for i, b := range in.Blocks {
		if b == nil || i == 1 && loneYield(b) {
			continue
		}
		if i == 1 {
			w.tabs()
			w.words("} else {")
			w.end()
		}
		w.depth++
		w.block(b)
		w.depth--
	}
	if in.Blocks[0] != nil {
		w.tabs()
		w.out = append(w.out, "}\n"...)
	}
}

// loneYield reports whether b is the arm that an If without else has.
func loneYield(b *Block) bool {
	return len(b.Params) == 0 && len(b.Insts) == 1 && b.Insts[0].Op == Yield && len(b.Insts[0].Args) == 0 && b.Insts[0].From == -1
}

// constNote gives the value of a constant as a float where it looks like one.
func constNote(in *Inst) string {
	if f := math.Float32frombits(uint32(in.Imm)); in.Op == Const {
		if a := math.Abs(float64(f)); a >= 1e-6 && a < 1e9 {
			return strconv.FormatFloat(float64(f), 'g', -1, 32)
		}
		return ""
	}
	if f := math.Float64frombits(in.Imm); math.Abs(f) >= 1e-6 && math.Abs(f) < 1e9 {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return ""
}

func (w *printer) resourceNote(n int) string {
	if n < len(w.p.Interface.Resources) {
		return w.p.Interface.Resources[n].Name
	}
	return ""
}
