package d3d9

import "swizzle/shaderkit/isa"

func bits(lo, n uint8) []isa.Bits { return []isa.Bits{{Lo: lo, N: n}} }

// regType is the register type: three bits at 30:28 and, above them, two bits at 12:11.
var regType = []isa.Bits{{Lo: 28, N: 3}, {Lo: 11, N: 2}}

// Names of field values.
var (
	usages   = []string{"position", "blendweight", "blendindices", "normal", "psize", "texcoord", "tangent", "binormal", "tessfactor", "positiont", "color", "fog", "depth", "sample"}
	textures = []string{"", "", "2d", "cube", "volume"}
	compares = []string{"", "gt", "eq", "ge", "lt", "ne", "le"}
	booleans = []string{"false", "true"}
	flags    = []string{"saturate", "partial precision", "centroid"}
	shifts   = []string{"none", "x2", "x4", "x8", "", "", "", "", "", "", "", "", "", "d8", "d4", "d2"}

	// modifiers are the spellings of the source modifier: what stands in front of the register and behind it.
	modifiers = [][2]string{{"", ""}, {"-", ""}, {"", "_bias"}, {"-", "_bias"}, {"", "_bx2"}, {"-", "_bx2"}, {"1-", ""},
		{"", "_x2"}, {"-", "_x2"}, {"", "_dz"}, {"", "_dw"}, {"", "_abs"}, {"-", "_abs"}, {"!", ""}}
	modifierNames = []string{"none", "negate", "bias", "negated bias", "bx2", "negated bx2", "complement", "x2", "negated x2",
		"divide by z", "divide by w", "abs", "negated abs", "not"}
)

// Source modifiers.
const (
	modNone = iota
	modNeg
	modBias
	modBiasNeg
	modBx2
	modBx2Neg
	modComp
	modX2
	modX2Neg
	modDz
	modDw
	modAbs
	modAbsNeg
	modNot
)

// negated gives the modifier that negates mod as well; a -1 has none.
var negated = [16]int{modNeg, modNone, modBiasNeg, modBias, modBx2Neg, modBx2, -1, modX2Neg, modX2, -1, -1, modAbsNeg, modAbs, -1, -1, -1}

// Result modifier flags, bits 23:20 of a destination.
const (
	flagSat      = 1
	flagPartial  = 2
	flagCentroid = 4
)

// opWord is the instruction word; ctl is the field at bits 23:16.
func opWord(name string, ctl isa.Field) *isa.Word {
	ctl.Name, ctl.Bits = "control", bits(16, 8)
	return &isa.Word{Name: name, Doc: "The first word of an instruction.", Fields: []isa.Field{
		{Name: "code", Bits: bits(0, 16), Show: isa.ShowOp, Doc: "The operation code."},
		ctl,
		{Name: "length", Bits: bits(24, 4), If: when(in2up), Len: true, Doc: "The number of words that follow and belong to the instruction."},
		{Name: "reserved24", Bits: bits(24, 4), If: when(in1), Must: true, Doc: "Reserved before version 2_0, which states no length; zero."},
		{Name: "predicated", Bits: bits(28, 1), Doc: "Set when a predicate word follows the destination."},
		{Name: "reserved", Bits: bits(29, 1), Must: true, Doc: "Reserved, zero."},
		{Name: "coissue", Bits: bits(30, 1), Doc: "Set on the second of a pair that ps_1_x issues together, written with a plus."},
		{Name: "parameter", Bits: bits(31, 1), Must: true, Doc: "Zero marks an instruction word, one a parameter word."},
	}}
}

var (
	plainOp   = opWord("instruction", isa.Field{Must: true, Doc: "Control bits of the operation; this one has none, so they are zero."})
	compareOp = opWord("instruction", isa.Field{Show: isa.ShowName, Names: compares, Doc: "The comparison: 1 gt, 2 eq, 3 ge, 4 lt, 5 ne, 6 le."})
	texldOp   = opWord("instruction", isa.Field{Show: isa.ShowName, Names: []string{"plain", "project", "bias"}, Doc: "The kind of lookup: 0 plain, 1 divided by w, 2 with the bias in w."})

	dstWord = &isa.Word{Name: "destination", Doc: "A destination parameter.", Fields: []isa.Field{
		{Name: "num", Bits: bits(0, 11), Doc: "The register number."},
		{Name: "type", Bits: regType, Show: isa.ShowReg, Regs: registers, Doc: "The register type: its low three bits lie at 30:28, its high two bits at 12:11."},
		{Name: "rel", Bits: bits(13, 1), Doc: "Set for relative addressing; an address word follows. In use in vs_3_0."},
		{Name: "reserved", Bits: bits(14, 2), Must: true, Doc: "Reserved, zero."},
		{Name: "mask", Bits: bits(16, 4), Show: isa.ShowMask, Def: 15, Doc: "The write mask: bit 0 is x, bit 3 is w."},
		{Name: "mod", Bits: bits(20, 4), Show: isa.ShowFlags, Names: flags, Doc: "Result modifiers: bit 0 saturate, bit 1 partial precision, bit 2 centroid."},
		{Name: "shift", Bits: bits(24, 4), Show: isa.ShowName, Names: shifts, Doc: "The result shift of ps_1_x as a signed power of two: 1 is x2, 15 is d2."},
		{Name: "one", Bits: bits(31, 1), Def: 1, Must: true, Doc: "One marks a parameter word."},
	}}

	srcWord = &isa.Word{Name: "source", Doc: "A source parameter.", Fields: []isa.Field{
		{Name: "num", Bits: bits(0, 11), Doc: "The register number."},
		{Name: "type", Bits: regType, Show: isa.ShowReg, Regs: registers, Doc: "The register type: its low three bits lie at 30:28, its high two bits at 12:11."},
		{Name: "rel", Bits: bits(13, 1), Doc: "Set for relative addressing; from version 2_0 on an address word follows. In use in vertex shaders and ps_3_0."},
		{Name: "reserved", Bits: bits(14, 2), Must: true, Doc: "Reserved, zero."},
		{Name: "swz", Bits: bits(16, 8), Show: isa.ShowSwizzle, Def: 0xE4, Doc: "The swizzle: two bits for each of x, y, z and w, the lane that is read there."},
		{Name: "mod", Bits: bits(24, 4), Show: isa.ShowName, Names: modifierNames, Doc: "The source modifier."},
		{Name: "one", Bits: bits(31, 1), Def: 1, Must: true, Doc: "One marks a parameter word."},
	}}

	addrWord = &isa.Word{Name: "address", Doc: "The register that is added to the number of the operand in front.", Fields: srcWord.Fields}

	predWord = &isa.Word{Name: "predicate", Doc: "The predicate that decides which lanes are written.", Fields: srcWord.Fields}

	usageWord = &isa.Word{Name: "declaration", Doc: "What an input or output register holds.", Fields: []isa.Field{
		{Name: "usage", Bits: bits(0, 5), Show: isa.ShowName, Names: usages, Doc: "The meaning of the register; pixel shaders before 3_0 leave it zero."},
		{Name: "reserved5", Bits: bits(5, 11), Must: true, Doc: "Reserved, zero."},
		{Name: "index", Bits: bits(16, 4), Doc: "The usage index, as in texcoord3."},
		{Name: "reserved20", Bits: bits(20, 11), Must: true, Doc: "Reserved, zero."},
		{Name: "one", Bits: bits(31, 1), Def: 1, Must: true, Doc: "One marks a parameter word."},
	}}

	samplerWord = &isa.Word{Name: "sampler declaration", Doc: "The kind of texture a sampler reads.", Fields: []isa.Field{
		{Name: "reserved0", Bits: bits(0, 27), Must: true, Doc: "Reserved, zero."},
		{Name: "texture", Bits: bits(27, 4), Show: isa.ShowName, Names: textures, Doc: "The kind of texture: 2 is 2d, 3 cube, 4 volume."},
		{Name: "one", Bits: bits(31, 1), Def: 1, Must: true, Doc: "One marks a parameter word."},
	}}

	versionWord = &isa.Word{Name: "version", Doc: "The version word that starts every shader.", Fields: []isa.Field{
		{Name: "minor", Bits: bits(0, 8), Doc: "The minor version: 0 to 4, 1 in 2_x, 255 in the software versions."},
		{Name: "major", Bits: bits(8, 8), Doc: "The major version: 1 to 3."},
		{Name: "shader", Bits: bits(16, 16), Show: isa.ShowName, First: 0xFFFE, Names: []string{"vertex shader", "pixel shader"}, Doc: "0xFFFE marks a vertex shader, 0xFFFF a pixel shader."},
	}}

	commentWord = &isa.Word{Name: "comment", Doc: "The head of a comment block, which the shader skips.", Fields: []isa.Field{
		{Name: "code", Bits: bits(0, 16), Show: isa.ShowOp, Doc: "0xFFFE marks a comment."},
		{Name: "length", Bits: bits(16, 15), Len: true, Doc: "The number of words of the block."},
		{Name: "parameter", Bits: bits(31, 1), Must: true, Doc: "Reserved, zero."},
	}}

	endWord = &isa.Word{Name: "end", Doc: "The word that ends the shader.", Fields: []isa.Field{
		{Name: "code", Bits: bits(0, 16), Show: isa.ShowOp, Doc: "0xFFFF marks the end."},
		{Name: "reserved", Bits: bits(16, 16), Must: true, Doc: "Reserved, zero."},
	}}
)

// Suffixes of results. Microsoft prints the shift first.
var result = isa.Suffixes{
	{Text: "_x2", Field: "dst.shift", Mask: 15, Value: 1}, {Text: "_x4", Field: "dst.shift", Mask: 15, Value: 2}, {Text: "_x8", Field: "dst.shift", Mask: 15, Value: 3},
	{Text: "_d8", Field: "dst.shift", Mask: 15, Value: 13}, {Text: "_d4", Field: "dst.shift", Mask: 15, Value: 14}, {Text: "_d2", Field: "dst.shift", Mask: 15, Value: 15},
	{Text: "_sat", Field: "dst.mod", Mask: flagSat, Value: flagSat},
	{Text: "_pp", Field: "dst.mod", Mask: flagPartial, Value: flagPartial},
	{Text: "_centroid", Field: "dst.mod", Mask: flagCentroid, Value: flagCentroid},
}

// Forms of operands.
var (
	addrForm = &isa.Form{Name: "address", Parts: []isa.Part{{Word: addrWord}},
		Text: []isa.Item{isa.Reg{Type: "type", Num: "num", Regs: registers}, isa.Lanes{Field: "swz"}}}

	predForm = &isa.Form{Name: "predicate", Parts: []isa.Part{{Word: predWord}},
		Text: []isa.Item{isa.Affix{Field: "mod", Pairs: modifiers}, isa.Gap{}, isa.Reg{Type: "type", Num: "num", Regs: registers},
			isa.Affix{Field: "mod", Pairs: modifiers, Post: true}, isa.Lanes{Field: "swz"}}}

	index     = isa.Index{Type: "type", Num: "num", Regs: registers, Part: "addr"}
	indexA0   = isa.Index{Type: "type", Num: "num", Regs: registers, Base: "a0.x"}
	indexNone = isa.Index{Type: "type", Num: "num", Regs: registers} // c[10] is c10
	dstRel    = when(eq("rel", 1), inVS, in3)
	srcRelVS  = when(eq("rel", 1), inVS, in2up)
	srcRelPS  = when(eq("rel", 1), inPS, in3)
	srcRelVS1 = when(eq("rel", 1), inVS, in1)

	dstForm = &isa.Form{Name: "destination",
		Parts: []isa.Part{{Word: dstWord}, {Name: "addr", Sub: addrForm, If: dstRel}},
		Text: []isa.Item{isa.Reg{Type: "type", Num: "num", Regs: registers},
			isa.Choice{
				{If: dstRel, Items: bracket(index)},
				{If: when(eq("rel", 0)), Items: bracket(indexNone), ReadOnly: true},
				{},
			},
			isa.Lanes{Field: "mask", Mask: true}}}

	srcForm = &isa.Form{Name: "source",
		Parts: []isa.Part{{Word: srcWord}, {Name: "addr", Sub: addrForm, If: srcRelVS}, {Name: "addr", Sub: addrForm, If: srcRelPS}},
		Text: []isa.Item{isa.Affix{Field: "mod", Pairs: modifiers}, isa.Gap{}, isa.Reg{Type: "type", Num: "num", Regs: registers},
			isa.Choice{
				{If: when(eq("rel", 1)), Items: []isa.Item{srcIndex}},
				{If: when(eq("rel", 0)), Items: append(bracket(indexNone), post), ReadOnly: true},
				{Items: []isa.Item{post}},
			},
			isa.Lanes{Field: "swz"},
			isa.Group{Items: []isa.Item{isa.Affix{Field: "mod", Pairs: modifiers, Post: true, Again: true}}, ReadOnly: true}}} // v0.x_abs
)

// srcIndex is the index of a source. Microsoft's listing writes _abs behind the bracket, its assembler reads
// it in front.
var srcIndex = isa.Choice{
	{If: srcRelVS, Items: append(bracket(index), post), Style: isa.Vendor},
	{If: srcRelVS, Items: append([]isa.Item{post}, bracket(index)...)},
	{If: srcRelPS, Items: append(bracket(index), post), Style: isa.Vendor},
	{If: srcRelPS, Items: append([]isa.Item{post}, bracket(index)...)},
	{If: srcRelVS1, Items: append(bracket(indexA0), post)},
}

var post = isa.Affix{Field: "mod", Pairs: modifiers, Post: true}

func bracket(i isa.Index) []isa.Item {
	return []isa.Item{isa.Gap{Before: "["}, isa.Lit("["), i, isa.Lit("]")}
}

// Text in front of every instruction.
var (
	plus      = isa.Group{If: when(eq("coissue", 1), in1), Items: []isa.Item{isa.Lit("+"), isa.Group{Items: []isa.Item{isa.Sp{}}}}}
	predicate = isa.Group{If: when(eq("predicated", 1)), Items: []isa.Item{isa.Lit("("), isa.Gap{}, isa.Sub{Part: "pred"}, isa.Gap{}, isa.Lit(")"), isa.Group{Items: []isa.Item{isa.Sp{}}}}}
)

var sources = [...]string{"src0", "src1", "src2", "src3"}

// form makes the form of an instruction: the instruction word, a destination when dst, a predicate when the
// word says so, and n sources. ctl, when not nil, spells the control field.
func form(word *isa.Word, ctl isa.Item, dst bool, n int) *isa.Form {
	f := &isa.Form{Name: "instruction", Parts: []isa.Part{{Word: word}}, Text: []isa.Item{plus, predicate, isa.Name{}}}
	if ctl != nil {
		f.Text = append(f.Text, ctl)
	}
	var between isa.Item = isa.Sp{}
	if dst {
		f.Parts = append(f.Parts, isa.Part{Name: "dst", Sub: dstForm})
		f.Text = append(f.Text, result, between, isa.Sub{Part: "dst"})
		between = isa.Sep{}
	}
	f.Parts = append(f.Parts, isa.Part{Name: "pred", Sub: predForm, If: when(eq("predicated", 1))})
	for _, s := range sources[:n] {
		f.Parts = append(f.Parts, isa.Part{Name: s, Sub: srcForm})
		f.Text = append(f.Text, between, isa.Sub{Part: s})
		between = isa.Sep{}
	}
	return f
}

var compareSuffix = isa.Enum{Field: "control", Names: compares, Pre: "_"}

// The forms of instructions, by operands: d is a destination, s a source.
var (
	formNone = form(plainOp, nil, false, 0)
	formS    = form(plainOp, nil, false, 1)
	formSS   = form(plainOp, nil, false, 2)
	formD    = form(plainOp, nil, true, 0)
	formDS   = form(plainOp, nil, true, 1)
	formDSS  = form(plainOp, nil, true, 2)
	formDSSS = form(plainOp, nil, true, 3)
	formD4S  = form(plainOp, nil, true, 4)
	formTex  = form(texldOp, nil, true, 2)
	formCmp  = form(compareOp, compareSuffix, false, 2)
	formSetp = form(compareOp, compareSuffix, true, 2)

	formDef  = defForm("a float constant", isa.ShowFloat, nil, func(f string) isa.Item { return isa.F32{Field: f} }, "x", "y", "z", "w")
	formDefi = defForm("an integer constant", isa.ShowInt, nil, func(f string) isa.Item { return isa.I32{Field: f} }, "x", "y", "z", "w")
	formDefb = defForm("a boolean constant", isa.ShowName, booleans, func(f string) isa.Item { return isa.Enum{Field: f, Names: booleans, Fold: true} }, "x")

	formDclSampler = dclForm(samplerWord, isa.Enum{Field: "texture", Names: textures, Pre: "_"})
	formDclUsage   = dclForm(usageWord, isa.Enum{Field: "usage", Names: usages, Pre: "_"}, isa.Num{Field: "index"})
	formDclPlain   = dclForm(usageWord)

	formVersion = &isa.Form{Name: "version", Parts: []isa.Part{{Word: versionWord}}}
	formComment = &isa.Form{Name: "comment", Parts: []isa.Part{{Word: commentWord}}, Text: []isa.Item{isa.Name{}}}
	formEnd     = &isa.Form{Name: "end", Parts: []isa.Part{{Word: endWord}}, Text: []isa.Item{isa.Name{}}}
)

// defForm makes the form of def, defi and defb: a destination and literal words.
func defForm(doc string, show isa.Show, names []string, item func(string) isa.Item, fields ...string) *isa.Form {
	f := &isa.Form{Name: "definition", Parts: []isa.Part{{Word: plainOp}, {Name: "dst", Sub: dstForm}},
		Text: []isa.Item{plus, isa.Name{}, result, isa.Sp{}, isa.Sub{Part: "dst"}}}
	for _, x := range fields {
		w := &isa.Word{Name: "literal", Doc: "A literal value.", Fields: []isa.Field{{Name: x, Bits: bits(0, 32), Show: show, Names: names, Doc: "The component " + x + " of " + doc + "."}}}
		f.Parts = append(f.Parts, isa.Part{Word: w})
		f.Text = append(f.Text, isa.Sep{}, item(x))
	}
	return f
}

// dclForm makes a form of dcl: the declaration word stands in front of the destination, its spelling is part
// of the name.
func dclForm(w *isa.Word, suffix ...isa.Item) *isa.Form {
	t := append([]isa.Item{plus, isa.Name{}}, suffix...)
	return &isa.Form{Name: "declaration", Parts: []isa.Part{{Word: plainOp}, {Word: w}, {Name: "dst", Sub: dstForm}},
		Text: append(t, result, isa.Sp{}, isa.Sub{Part: "dst"})}
}
