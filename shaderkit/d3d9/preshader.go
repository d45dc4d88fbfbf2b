package d3d9

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"

	"swizzle/shaderkit/isa"
	"swizzle/shaderkit/source"
)

// A Preshader is what a compiler moved out of a shader, or an expression of an effect: code that the runtime runs
// once for each draw. It lies in the comment PRES of a shader, or alone in an effect, and is itself a version word
// and comments: CTAB names its constants, CLIT has its literals (doubles), FXLC its instructions.
type Preshader struct {
	Version  uint32         // 0x46580200 ("FX" 2.0) and the like
	Table    *ConstantTable // nil when there is none
	Literals []uint64       // bits of doubles
	Insts    []PreInst
	Diags    source.List
}

// A PreInst is one instruction of a preshader.
type PreInst struct {
	Op     uint32 // the instruction word: opcode in the upper half, lanes in the lowest byte
	Name   string // "mul"; "" of an unknown opcode
	Scalar bool   // the first source is one lane, used for all
	Lanes  int
	Args   []PreArg // sources, then the destination
}

// A PreArg is an operand. Places count lanes: 13 is the lane y of register 3.
type PreArg struct {
	File  uint32 // 1 literal, 2 constant, 4 output c#, 5 output b#, 6 output i#, 7 temporary
	Place uint32
	Index []PreArg // registers whose values are added to the place's register
}

// preOps names the opcodes; the bit 0x8000 marks a scalar first source.
var preOps = map[uint32]string{
	0x1000: "mov", 0x1010: "neg", 0x1030: "rcp", 0x1040: "frc", 0x1050: "exp", 0x1060: "log", 0x1070: "rsq", 0x1080: "sin",
	0x1090: "cos", 0x10A0: "asin", 0x10B0: "acos", 0x10C0: "atan", 0x2000: "min", 0x2010: "max", 0x2020: "lt", 0x2030: "ge",
	0x2040: "add", 0x2050: "mul", 0x2060: "atan2", 0x2080: "div", 0x3000: "cmp", 0x3010: "movc", 0x5000: "dot", 0x5020: "noise",
}

const (
	preMagic    = 0x4658 // "FX", the upper half of the version word
	maxPreArgs  = 8
	maxPreIndex = 4
)

// FindPreshader gives the preshader of a shader, nil when it has none.
func FindPreshader(p *isa.Program) *Preshader {
	for _, in := range p.Insts {
		if b := p.Data[in.Bytes.Off:in.Bytes.End()]; in.Kind == isa.KindComment && len(b) >= 8 && string(b[4:8]) == "PRES" {
			return ParsePreshader(b[8:], in.Bytes.Off+8)
		}
	}
	return nil
}

// ParsePreshader reads a version word and the comments behind it. base is their offset in the file, for
// diagnostics. What can be read is there even when something does not fit.
func ParsePreshader(b []byte, base int) *Preshader {
	p := &Preshader{}
	r := &preReader{b: b, base: base, p: p}
	if len(b) < 4 {
		r.fail(0, "a preshader starts with a version word, this has %d bytes", len(b))
		return p
	}
	if p.Version = r.u32(0); p.Version>>16 != preMagic {
		r.fail(0, "0x%08X is no version word of a preshader, 0x4658 in its upper half", p.Version)
		return p
	}
	for off := 4; off+4 <= len(b); {
		w := r.u32(off)
		if fieldCode.Get(w) != codeComment {
			if w != codeEnd {
				r.fail(off, "0x%08X is neither a comment nor the end", w)
			}
			break
		}
		end := off + 4 + 4*int(commentLength.Get(w))
		if end > len(b) {
			r.fail(off, "the comment claims %d words, %d are left", commentLength.Get(w), (len(b)-off)/4-1)
			break
		}
		if off+8 <= end {
			body, at := b[off+8:end], off+8
			switch string(b[off+4 : off+8]) {
			case "CTAB":
				p.Table = ParseCTAB(body, base+at)
				p.Diags = append(p.Diags, p.Table.Diags...)
			case "CLIT":
				r.literals(at, end)
			case "FXLC":
				r.code(at, end)
			}
		}
		off = end
	}
	return p
}

type preReader struct {
	b    []byte
	base int
	p    *Preshader
}

func (r *preReader) u32(o int) uint32 { return binary.LittleEndian.Uint32(r.b[o:]) }

func (r *preReader) fail(o int, format string, args ...any) {
	if len(r.p.Diags) < maxDiags {
		var v uint32
		if o+4 <= len(r.b) {
			v = r.u32(o)
		}
		r.p.Diags.BytesErrorf(source.Range{Off: r.base + o, Len: min(4, max(0, len(r.b)-o))}, v, "preshader", format, args...)
	}
}

func (r *preReader) literals(off, end int) {
	if off+4 > end {
		return
	}
	n := int(r.u32(off))
	if n < 0 || n > (end-off-4)/8 {
		r.fail(off, "%d literals, there is room for %d", n, (end-off-4)/8)
		n = (end - off - 4) / 8
	}
	for k := range n {
		r.p.Literals = append(r.p.Literals, binary.LittleEndian.Uint64(r.b[off+4+8*k:]))
	}
}

func (r *preReader) code(off, end int) {
	if off+4 > end {
		return
	}
	n := r.u32(off)
	for off += 4; n > 0; n-- {
		if off+8 > end {
			r.fail(off-4, "the code ends, %d instructions are missing", n)
			return
		}
		w, args := r.u32(off), r.u32(off+4)
		in := PreInst{Op: w, Name: preOps[w>>16&^0x8000], Scalar: w>>31 != 0, Lanes: int(w & 255)}
		if in.Name == "" {
			r.fail(off, "there is no preshader instruction 0x%04X", w>>16)
		}
		if args >= maxPreArgs {
			r.fail(off+4, "%d sources", args)
			return
		}
		off += 8
		for range args + 1 {
			a, next, ok := r.arg(off, end)
			if !ok {
				return
			}
			in.Args, off = append(in.Args, a), next
		}
		r.p.Insts = append(r.p.Insts, in)
	}
}

func (r *preReader) arg(off, end int) (a PreArg, next int, ok bool) {
	if off+12 > end {
		r.fail(off-4, "the code ends inside an instruction")
		return a, off, false
	}
	n := r.u32(off)
	a = PreArg{File: r.u32(off + 4), Place: r.u32(off + 8)}
	if off += 12; n > maxPreIndex || off+8*int(n) > end {
		r.fail(off-12, "%d index registers", n)
		return a, off, false
	}
	for range n {
		a.Index = append(a.Index, PreArg{File: r.u32(off), Place: r.u32(off + 4)})
		off += 8
	}
	if a.File == 1 && uint64(a.Place) >= uint64(len(r.p.Literals)) {
		r.fail(off-4, "there is no literal %d", a.Place)
	}
	return a, off, true
}

// Listing gives the code with the header of its constants.
func (p *Preshader) Listing() string {
	if p.Table == nil {
		return p.Text()
	}
	return p.Table.Header() + p.Text()
}

// Text lists the code as fxc does, one instruction a line.
func (p *Preshader) Text() string {
	var b strings.Builder
	b.WriteString("    preshader\n")
	for i := range p.Insts {
		b.WriteString("    " + p.inst(&p.Insts[i]) + "\n")
	}
	fmt.Fprintf(&b, "\n// approximately %d instruction%s used\n", len(p.Insts), map[bool]string{true: "s"}[len(p.Insts) != 1])
	return b.String()
}

func (p *Preshader) inst(in *PreInst) string {
	name := in.Name
	if name == "" {
		name = fmt.Sprintf("op_0x%04X", in.Op>>16)
	}
	n := len(in.Args) - 1
	if n < 0 {
		return name
	}
	lanes := in.Lanes
	if in.Name == "dot" {
		lanes = 1
	}
	s := name + " " + p.arg(&in.Args[n], lanes)
	for k := range n {
		lanes = in.Lanes
		if in.Scalar && k == 0 {
			lanes = 1
		}
		s += ", " + p.arg(&in.Args[k], lanes)
	}
	return s
}

var preFiles = map[uint32]string{2: "c", 4: "c", 5: "b", 6: "i", 7: "r"}

func (p *Preshader) arg(a *PreArg, lanes int) string {
	lanes = min(max(lanes, 0), 4)
	if a.File == 1 {
		var s []string
		for k := range lanes {
			if i := uint64(a.Place) + uint64(k); i < uint64(len(p.Literals)) {
				s = append(s, strconv.FormatFloat(math.Float64frombits(p.Literals[i]), 'g', 9, 64))
			} else {
				s = append(s, "?")
			}
		}
		return "(" + strings.Join(s, ", ") + ")"
	}
	file, ok := preFiles[a.File]
	if !ok {
		file = fmt.Sprintf("file%d_", a.File)
	}
	s := file + strconv.Itoa(int(a.Place/4))
	for _, x := range a.Index {
		s += "[" + p.arg(&x, 1) + "]"
	}
	if first := int(a.Place % 4); first != 0 || lanes != 4 {
		s += "." + "xyzwxyz"[first:min(first+lanes, 7)]
	}
	return s
}
