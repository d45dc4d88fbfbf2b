package d3d9

import (
	"encoding/binary"
	"sort"
	"strconv"
	"strings"

	"swizzle/shaderkit/isa"
	"swizzle/shaderkit/source"
)

// A ConstantTable is what the comment block CTAB tells about the constants of a shader.
type ConstantTable struct {
	Creator   string // the compiler
	Target    string // the profile, "ps_3_0"
	Version   uint32 // a version word
	Flags     uint32 // compiler flags
	Constants []Constant
	Diags     source.List // what does not fit, in offsets of the shader
}

// A Constant is one entry of the table.
type Constant struct {
	Name    string
	Set     RegisterSet
	Index   int // first register
	Count   int // registers
	Type    Type
	Default []uint32 // words of the default value; nil when there is none
}

// RegisterSet is the register file a constant lies in.
type RegisterSet uint16

const (
	SetBool RegisterSet = iota
	SetInt
	SetFloat
	SetSampler
)

// Letter gives the letter of the registers, "c".
func (s RegisterSet) Letter() string {
	if int(s) < 4 {
		return "bics"[s : s+1]
	}
	return "?"
}

// A Type is the type of a constant.
type Type struct {
	Class    TypeClass
	Kind     TypeKind
	Rows     int
	Columns  int
	Elements int // of an array; 1 when it is none
	Members  []Member
}

// A Member is a member of a struct.
type Member struct {
	Name string
	Type Type
}

// TypeClass is the shape of a type.
type TypeClass uint16

const (
	ClassScalar TypeClass = iota
	ClassVector
	ClassMatrixRows
	ClassMatrixColumns
	ClassObject
	ClassStruct
)

// TypeKind is the element type.
type TypeKind uint16

var kindNames = [...]string{"void", "bool", "int", "float", "string", "texture", "texture1D", "texture2D", "texture3D", "textureCUBE",
	"sampler", "sampler1D", "sampler2D", "sampler3D", "samplerCUBE", "pixelshader", "vertexshader", "pixelfragment", "vertexfragment"}

func (k TypeKind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "kind" + strconv.Itoa(int(k))
}

// String gives the type as HLSL writes it, without array bounds: "row_major float4x4".
func (t Type) String() string {
	s := t.Kind.String()
	switch t.Class {
	case ClassVector:
		return s + strconv.Itoa(t.Columns)
	case ClassMatrixRows:
		return "row_major " + s + strconv.Itoa(t.Rows) + "x" + strconv.Itoa(t.Columns)
	case ClassMatrixColumns:
		return s + strconv.Itoa(t.Rows) + "x" + strconv.Itoa(t.Columns)
	case ClassStruct:
		return "struct"
	}
	return s
}

// Limits on tables: a real one is far below, and a table that points at itself ends there.
const (
	maxConstants = 4096
	maxMembers   = 4096
	maxTypeDepth = 16
	maxName      = 1024
)

// tableReader reads a table; offsets in it count from its first byte behind the name.
type tableReader struct {
	b       []byte
	base    int // offset of b in the shader
	t       *ConstantTable
	members int
}

// FindCTAB gives the constant table of a program, nil when it has none.
func FindCTAB(p *isa.Program) *ConstantTable {
	for _, in := range p.Insts {
		if in.Kind != isa.KindComment {
			continue
		}
		if b := p.Data[in.Bytes.Off+4 : in.Bytes.End()]; strings.HasPrefix(string(b[:min(4, len(b))]), "CTAB") {
			return ParseCTAB(b[4:], in.Bytes.Off+8)
		}
	}
	return nil
}

// ParseCTAB reads the content of a CTAB block behind its name. base is its offset in the shader, for
// diagnostics. What can be read is there even when something does not fit.
func ParseCTAB(b []byte, base int) *ConstantTable {
	r := &tableReader{b: b, base: base, t: &ConstantTable{}}
	if len(b) < 28 {
		r.fail(0, "ctab-short", "the constant table has %d bytes, its header alone takes 28", len(b))
		return r.t
	}
	r.t.Creator = r.str(r.u32(4))
	r.t.Version = r.u32(8)
	n, at := r.u32(12), r.u32(16)
	r.t.Flags = r.u32(20)
	r.t.Target = r.str(r.u32(24))
	if n > maxConstants {
		r.fail(12, "ctab-count", "%d constants, more than %d", n, maxConstants)
		n = maxConstants
	}
	for i := range n {
		o := uint64(at) + uint64(i)*20
		if o+20 > uint64(len(b)) {
			r.fail(12, "ctab-count", "constant %d lies behind the end of the table", i)
			break
		}
		r.t.Constants = append(r.t.Constants, r.constant(int(o)))
	}
	return r.t
}

func (r *tableReader) u16(o int) uint16 { return binary.LittleEndian.Uint16(r.b[o:]) }
func (r *tableReader) u32(o int) uint32 { return binary.LittleEndian.Uint32(r.b[o:]) }

func (r *tableReader) fail(o int, code, format string, args ...any) {
	if len(r.t.Diags) < maxDiags {
		var v uint32
		if o+4 <= len(r.b) {
			v = r.u32(o)
		}
		r.t.Diags.BytesErrorf(source.Range{Off: r.base + o, Len: min(4, max(0, len(r.b)-o))}, v, code, format, args...)
	}
}

func (r *tableReader) str(o uint32) string {
	if uint64(o) >= uint64(len(r.b)) {
		return ""
	}
	s := r.b[o:min(len(r.b), int(o)+maxName)]
	for i, c := range s {
		if c == 0 {
			return string(s[:i])
		}
	}
	return string(s)
}

func (r *tableReader) constant(o int) Constant {
	c := Constant{Name: r.str(r.u32(o)), Set: RegisterSet(r.u16(o + 4)), Index: int(r.u16(o + 6)), Count: int(r.u16(o + 8))}
	if ti := r.u32(o + 12); uint64(ti)+16 > uint64(len(r.b)) {
		r.fail(o+12, "ctab-type", "the type of %q lies behind the end of the table", c.Name)
	} else {
		c.Type = r.typ(int(ti), 0)
	}
	if d := r.u32(o + 16); d != 0 {
		n := 4 * c.Count
		if c.Set == SetBool {
			n = c.Count
		}
		for k := 0; k < n && uint64(d)+uint64(4*k)+4 <= uint64(len(r.b)); k++ {
			c.Default = append(c.Default, r.u32(int(d)+4*k))
		}
	}
	return c
}

func (r *tableReader) typ(o, depth int) Type {
	t := Type{Class: TypeClass(r.u16(o)), Kind: TypeKind(r.u16(o + 2)), Rows: int(r.u16(o + 4)), Columns: int(r.u16(o + 6)), Elements: int(r.u16(o + 8))}
	n, at := int(r.u16(o+10)), r.u32(o+12)
	if depth >= maxTypeDepth {
		return t
	}
	for i := range n {
		m := uint64(at) + uint64(i)*8
		if r.members++; r.members > maxMembers || m+8 > uint64(len(r.b)) {
			r.fail(o+8, "ctab-members", "%d members do not fit in the table", n)
			break
		}
		member := Member{Name: r.str(r.u32(int(m)))}
		if ti := r.u32(int(m) + 4); uint64(ti)+16 <= uint64(len(r.b)) {
			member.Type = r.typ(int(ti), depth+1)
		}
		t.Members = append(t.Members, member)
	}
	return t
}

// Header gives the comment that Microsoft's tools print in front of a listing, "//" lines included.
func (t *ConstantTable) Header() string {
	var b strings.Builder
	b.WriteString("//\n// Generated by " + printable(t.Creator) + "\n")
	if len(t.Constants) == 0 {
		return b.String()
	}
	b.WriteString("//\n// Parameters:\n//\n")
	for i, c := range t.Constants {
		if c.Type.Class == ClassStruct && i > 0 {
			b.WriteString("//   \n")
		}
		declare(&b, c.Name, c.Type, 1)
	}
	b.WriteString("//\n//\n// Registers:\n//\n")
	t.registers(&b)
	b.WriteString("//\n")
	b.WriteString("\n")
	return b.String()
}

// printable gives s with everything that could end a comment line replaced.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7F || r == 0xFFFD {
			return '?'
		}
		return r
	}, s)
}

func declare(b *strings.Builder, name string, t Type, depth int) {
	in := "//   " + strings.Repeat("    ", depth-1)
	if t.Class == ClassStruct {
		b.WriteString(in + "struct\n" + in + "{\n")
		for _, m := range t.Members {
			declare(b, m.Name, m.Type, depth+1)
		}
		b.WriteString("//\n" + in + "} ")
	} else {
		b.WriteString(in + t.String() + " ")
	}
	b.WriteString(printable(name))
	if t.Elements > 1 {
		b.WriteString("[" + strconv.Itoa(t.Elements) + "]")
	}
	b.WriteString(";\n")
}

// registers prints the table of registers, ordered by register file and number.
func (t *ConstantTable) registers(b *strings.Builder) {
	rows := append([]Constant(nil), t.Constants...)
	sort.SliceStable(rows, func(i, j int) bool {
		if rows[i].Set != rows[j].Set {
			return rows[i].Set < rows[j].Set
		}
		return rows[i].Index < rows[j].Index
	})
	width := 12
	for _, c := range rows {
		width = max(width, len(printable(c.Name)))
	}
	pad := func(s string, n int) string { return s + strings.Repeat(" ", max(0, n-len(s))) }
	b.WriteString("//   " + pad("Name", width) + " Reg   Size\n")
	b.WriteString("//   " + strings.Repeat("-", width) + " ----- ----\n")
	for _, c := range rows {
		size := strconv.Itoa(c.Count)
		b.WriteString("//   " + pad(printable(c.Name), width) + " " + pad(c.Set.Letter()+strconv.Itoa(c.Index), 5) + " " + strings.Repeat(" ", max(0, 4-len(size))) + size + "\n")
	}
}
