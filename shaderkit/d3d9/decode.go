package d3d9

import (
	"encoding/binary"
	"fmt"

	"swizzle/shaderkit/isa"
	"swizzle/shaderkit/source"
)

// Fields that framing reads.
var (
	fieldCode     = plainOp.Field("code")
	opLength      = plainOp.Field("length")
	opReserved    = plainOp.Field("reserved")
	opCoissue     = plainOp.Field("coissue")
	opParameter   = plainOp.Field("parameter")
	srcOne        = srcWord.Field("one")
	commentLength = commentWord.Field("length")
	versionStage  = versionWord.Field("shader")
	versionMajor  = versionWord.Field("major")
	versionMinor  = versionWord.Field("minor")
)

// maxDiags bounds the findings of one binary; junk would have one for every few words.
const maxDiags = 64

// decoder reads a token stream.
type decoder struct {
	p    *isa.Program
	data []byte
	view *isa.View
	v    isa.Vals
	off  int

	module uint16 // of an effect
}

// Decode reads a shader. It never fails: what cannot be read becomes raw words, and p.Diags says why.
func Decode(data []byte, o isa.Options) *isa.Program {
	p := &isa.Program{Arch: Arch, Data: data, Insts: make([]isa.Inst, 0, len(data)/12+4)}
	d := &decoder{p: p, data: data}
	if start, ok := isEffect(data); ok {
		d.effect(start)
	} else {
		d.shader()
	}
	return p
}

// effect reads an effect that starts at start: its records, and its objects as modules.
func (d *decoder) effect(start int) {
	r := readEffect(d.data, start)
	p := d.p
	p.Info, p.Diags = r.e, r.e.Diags
	p.Modules = append(p.Modules, isa.Module{Name: "effect"})
	for _, m := range r.modules {
		p.Modules = append(p.Modules, isa.Module{Name: m.name, Bytes: m.bytes})
	}
	whole, next := d.data, 0
	for _, x := range r.pieces() {
		d.off = x.off
		switch {
		case next < len(r.modules) && r.modules[next].bytes.Off == x.off:
			next++
			d.module = uint16(next)
			d.data = whole[:x.off+x.len]
			d.object(&p.Modules[next])
			d.data, d.module, p.Ctx = whole, 0, isa.Context{}
		case x.row != nil:
			d.inst(x.row, isa.KindData, x.off+x.len)
		default:
			d.raw(x.off + x.len)
		}
	}
	p.Stage, p.Major, p.Minor = "", 0, 0
	p.Diags.Sort()
}

// object reads a shader, or an expression: a version word and comments.
func (d *decoder) object(m *isa.Module) {
	w := d.word(d.off)
	if w>>16 != preMagic {
		m.Model = versionName(w)
		d.shader()
		m.Ctx = d.p.Ctx
		return
	}
	m.Model = "fx"
	d.raw(d.off + 4)
	for len(d.data)-d.off >= 4 {
		w := d.word(d.off)
		end := d.off + 4 + 4*int(commentLength.Get(w))
		if fieldCode.Get(w) != codeComment || opParameter.Get(w) != 0 || end > len(d.data) {
			break
		}
		d.inst(rowComment, isa.KindComment, end)
	}
	if len(d.data)-d.off >= 4 && d.word(d.off) == codeEnd {
		d.inst(rowEnd, isa.KindEnd, d.off+4)
	}
	d.raw(len(d.data))
	pre := ParsePreshader(d.data[m.Bytes.Off:m.Bytes.End()], m.Bytes.Off)
	d.p.Diags = append(d.p.Diags, pre.Diags...)
}

// shader reads the words from d.off on.
func (d *decoder) shader() {
	data := d.data
	if !d.version() {
		d.raw(len(data))
		return
	}
	d.view = table.View(d.p.Ctx)
	for d.off < len(data) {
		if op, end := d.view.Plain(data, d.off); op != nil {
			d.inst(op, isa.KindOp, end)
			continue
		}
		if len(data)-d.off < 4 {
			d.fail(source.Range{Off: d.off, Len: len(data) - d.off}, "truncated-word", "%d bytes are no whole word", len(data)-d.off)
			d.raw(len(data))
			break
		}
		if d.token() {
			return
		}
	}
	d.fail(source.Range{Off: len(data)}, "missing-end", "the shader has no end token 0x0000FFFF")
}

// supported reports whether the table covers a version.
func supported(c isa.Context) bool {
	switch c.Version {
	case v10, v11, v20, v2x, v30:
		return true
	case v12, v13, v14:
		return c.Stage == PS
	}
	return false
}

// version reads the version word. It gives false when the words behind it cannot be read.
func (d *decoder) version() bool {
	at := d.off
	if len(d.data)-at < 4 {
		d.fail(source.Range{Off: at, Len: len(d.data) - at}, "no-version", "a shader starts with a version word of four bytes, this has %d", len(d.data)-at)
		return false
	}
	w := d.word(at)
	if s := versionStage.Get(w); s != 0xFFFE && s != 0xFFFF {
		d.fail(source.Range{Off: at, Len: 4}, "no-version", "0x%08X is no version word; it would start with 0xFFFE (vertex) or 0xFFFF (pixel)", w)
		return false
	}
	d.p.Ctx = context(w)
	d.p.Stage, d.p.Major, d.p.Minor = stageNames[d.p.Ctx.Stage], int(versionMajor.Get(w)), int(versionMinor.Get(w))
	d.inst(rowVersion, isa.KindHeader, at+4)
	if !supported(d.p.Ctx) {
		d.p.Diags.Add(source.Diagnostic{Code: "unsupported-version", Unsupported: true, Bytes: source.Range{Off: at, Len: 4}, Value: w,
			Message: fmt.Sprintf("there is no version %s; there are %s", versionName(w), allVersions[d.p.Ctx.Stage])})
		return false
	}
	return true
}

var stageNames = [2]string{"vs", "ps"}

// context gives the context of a version word. The software versions have the rules of the hardware ones.
func context(w uint32) isa.Context {
	c := isa.Context{Stage: versionStage.Get(w) & 1, Version: versionMajor.Get(w)<<8 | versionMinor.Get(w)}
	switch c.Version {
	case 0x02FF:
		c.Version = v2x
	case 0x03FF:
		c.Version = v30
	}
	return c
}

func (d *decoder) word(off int) uint32 { return binary.LittleEndian.Uint32(d.data[off:]) }

func (d *decoder) inst(op *isa.Op, kind isa.Kind, end int) {
	d.p.Insts = append(d.p.Insts, isa.Inst{Op: op, Kind: kind, Module: d.module, Bytes: source.Range{Off: d.off, Len: end - d.off}})
	d.off = end
}

// raw takes everything up to end as raw words.
func (d *decoder) raw(end int) {
	if end > d.off {
		d.inst(nil, isa.KindRaw, end)
	}
}

func (d *decoder) fail(r source.Range, code, format string, args ...any) {
	if len(d.p.Diags) > maxDiags {
		return
	}
	if len(d.p.Diags) == maxDiags {
		d.p.Diags.BytesErrorf(r, 0, "too-many-errors", "there are more errors")
		return
	}
	var v uint32
	if r.Off+4 <= len(d.data) {
		v = d.word(r.Off)
	}
	d.p.Diags.BytesErrorf(r, v, code, format, args...)
}

// token reads what starts at d.off. It reports whether the shader ended.
func (d *decoder) token() bool {
	w := d.word(d.off)
	switch fieldCode.Get(w) {
	case codeEnd:
		d.inst(rowEnd, isa.KindEnd, d.off+4)
		if d.off < len(d.data) {
			d.fail(source.Range{Off: d.off, Len: len(d.data) - d.off}, "trailing-data", "%d bytes follow the end token", len(d.data)-d.off)
			d.inst(nil, isa.KindTrail, len(d.data))
		}
		return true
	case codeComment:
		end := d.off + 4 + 4*int(commentLength.Get(w))
		if end > len(d.data) {
			d.fail(source.Range{Off: d.off, Len: 4}, "comment-too-long", "the comment claims %d words, %d are left", commentLength.Get(w), (len(d.data)-d.off)/4-1)
			d.raw(d.resync(d.off + 4))
			return false
		}
		d.inst(rowComment, isa.KindComment, end)
		return false
	}
	op, end, code := d.row(d.off)
	if op != nil {
		d.inst(op, isa.KindOp, end)
		return false
	}
	r := source.Range{Off: d.off, Len: 4}
	switch code {
	case "unknown-opcode":
		d.fail(r, code, "0x%08X is no instruction: there is no opcode %d", w, fieldCode.Get(w))
	case "truncated-instruction":
		if d.p.Ctx.Version < v20 {
			d.fail(r, code, "%s runs over the end: %d words are left", table.ByCode(fieldCode.Get(w))[0].Name, (len(d.data)-d.off)/4-1)
			break
		}
		d.fail(r, code, "the instruction claims %d words, %d are left", opLength.Get(w), (len(d.data)-d.off)/4-1)
	case "bad-length":
		if d.p.Ctx.Version < v20 {
			d.fail(r, code, "what follows are no parameters of %s", table.ByCode(fieldCode.Get(w))[0].Name)
			break
		}
		d.fail(r, code, "the words of %s do not fit its length of %d", table.ByCode(fieldCode.Get(w))[0].Name, opLength.Get(w))
	}
	next := d.off + 4
	if n := next + 4*int(opLength.Get(w)); d.p.Ctx.Version >= v20 && n < len(d.data) && d.plausible(n) {
		next = n
	} else {
		next = d.resync(next)
	}
	d.raw(next)
	return false
}

// row finds the row that reads the instruction at off: first those of this version, then the others, which
// the validator will refuse. Without one, code says why.
func (d *decoder) row(off int) (op *isa.Op, end int, code string) {
	w := d.word(off)
	rows := table.ByCode(fieldCode.Get(w))
	if rows == nil {
		return nil, 0, "unknown-opcode"
	}
	if d.p.Ctx.Version < v20 {
		return d.lengthless(rows, off)
	}
	end = off + 4 + 4*int(opLength.Get(w))
	if end > len(d.data) {
		return nil, 0, "truncated-instruction"
	}
	for pass := range 2 {
		for _, o := range rows {
			if o.Has(d.p.Ctx) != (pass == 0) {
				continue
			}
			if e, ok := o.Fits(d.data[:end], off, d.p.Ctx, &d.v); ok && e == end {
				return o, end, ""
			}
		}
	}
	return nil, 0, "bad-length"
}

// lengthless is row for ps_1_x and vs_1_x, whose instructions do not state their length: the row has it. All
// words behind the first must be parameters, but the literals of def.
func (d *decoder) lengthless(rows []*isa.Op, off int) (op *isa.Op, end int, code string) {
	code = "truncated-instruction"
	for pass := range 2 {
	next:
		for _, o := range rows {
			if o.Has(d.p.Ctx) != (pass == 0) {
				continue
			}
			e, ok := o.Fits(d.data, off, d.p.Ctx, &d.v)
			if !ok {
				if e+4 <= len(d.data) { // the words were there, but not of this row
					code = "bad-length"
				}
				continue
			}
			params := e
			if o.Form == formDef {
				params = off + 8
			}
			for k := off + 4; k < params; k += 4 {
				if srcOne.Get(d.word(k)) == 0 {
					code = "bad-length"
					continue next
				}
			}
			return o, e, ""
		}
	}
	return nil, 0, code
}

// plausible reports whether an instruction, a comment or the end may start at off.
func (d *decoder) plausible(off int) bool {
	if off+4 > len(d.data) {
		return off == len(d.data)
	}
	w := d.word(off)
	switch {
	case fieldCode.Get(w) == codeEnd:
		return w == codeEnd
	case fieldCode.Get(w) == codeComment:
		return opParameter.Get(w) == 0 && off+4+4*int(commentLength.Get(w)) < len(d.data)
	case opParameter.Get(w)|opReserved.Get(w) != 0 || opCoissue.Get(w) != 0 && d.p.Ctx.Version >= v20:
		return false
	}
	op, _, _ := d.row(off)
	return op != nil && op.Has(d.p.Ctx)
}

// resync gives the first offset from off on at which reading can go on.
func (d *decoder) resync(off int) int {
	for ; off+4 <= len(d.data); off += 4 {
		if d.plausible(off) {
			return off
		}
	}
	return len(d.data)
}

// Detect reports whether data starts with a version word of a vertex or pixel shader, of whatever version.
func Detect(data []byte) (isa.Detection, bool) {
	if _, ok := isEffect(data); ok {
		return isa.Detection{Arch: Arch.Name, Model: "fx_2_0", Container: "effect", Size: len(data)}, true
	}
	if len(data) < 4 {
		return isa.Detection{}, false
	}
	w := binary.LittleEndian.Uint32(data)
	s := versionStage.Get(w)
	if s != 0xFFFE && s != 0xFFFF || w == 0xFFFFFFFF {
		return isa.Detection{}, false
	}
	return isa.Detection{Arch: Arch.Name, Stage: stageNames[s&1], Model: versionName(w), Size: len(data)}, true
}
