package d3d9

import "swizzle/shaderkit/isa"

// Names of the words of comments, for people who look at tokens.

var (
	ctabHeader   = []string{"size of the header", "offset of the creator's name", "version of the shader", "how many constants", "offset of the constants", "flags of the compiler", "offset of the profile's name"}
	ctabConstant = []string{"offset of the constant's name", "register set (low half) and register", "registers (low half)", "offset of the type", "offset of the default value"}
	ctabType     = []string{"class (low half) and kind", "rows (low half) and columns", "elements (low half) and members", "offset of the members"}
)

// describeComment names the words of comment i by their offset: of a table of constants its head, constants and
// types, of other comments the name alone.
func describeComment(p *isa.Program, i int) map[int]string {
	in := &p.Insts[i]
	b := p.Data[in.Bytes.Off:in.Bytes.End()]
	if len(b) < 8 || !isName(b[4:]) {
		return nil
	}
	names := map[int]string{in.Bytes.Off + 4: "name of the comment: " + string(b[4:8])}
	if string(b[4:8]) != "CTAB" {
		return names
	}
	base := in.Bytes.Off + 8
	r := &tableReader{b: b[8:], t: &ConstantTable{}}
	put := func(off uint32, words []string, of string) bool {
		if uint64(off)+4*uint64(len(words)) > uint64(len(r.b)) {
			return false
		}
		for k, s := range words {
			names[base+int(off)+4*k] = s + of
		}
		return true
	}
	if !put(0, ctabHeader, "") {
		return names
	}
	n, at := r.u32(12), r.u32(16)
	for k := range min(n, maxConstants) {
		off := at + 20*k
		if !put(off, ctabConstant, "") {
			break
		}
		name := printable(r.str(r.u32(int(off))))
		put(off, ctabConstant, " of "+name)
		if typ := r.u32(int(off) + 12); put(typ, ctabType, " of the type of "+name) {
			r.nameMembers(put, int(typ), name)
		}
	}
	return names
}

// nameMembers names the words of the members of a struct; those of structs in it have no names of their own.
func (r *tableReader) nameMembers(put func(uint32, []string, string) bool, typ int, name string) {
	n, at := uint32(r.u16(typ+10)), r.u32(typ+12)
	for k := range min(n, maxMembers) {
		if !put(at+8*k, []string{"offset of the name", "offset of the type"}, " of a member of "+name) {
			return
		}
	}
}
