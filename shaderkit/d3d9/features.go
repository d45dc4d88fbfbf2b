package d3d9

import (
	"fmt"
	"strings"

	"swizzle/shaderkit/isa"
)

// A Feature is something that an instruction may have beside its opcode: a register of some type, a
// modifier, an address.
type Feature struct {
	Kind           FeatureKind
	Name           string // as it is spelled; … stands for the register
	Avail          []isa.Avail
	Doc            string
	Example        string // a line that assembles under
	ExampleVersion string
}

// FeatureKind says what a Feature is.
type FeatureKind uint8

const (
	RegisterType FeatureKind = iota
	Addressing
	SourceModifier
	ResultModifier
)

func (k FeatureKind) String() string {
	return [...]string{"register", "addressing", "source modifier", "result modifier"}[k]
}

// Has reports whether the feature exists in c.
func (f *Feature) Has(c isa.Context) bool {
	for _, a := range f.Avail {
		if a.Has(c) {
			return true
		}
	}
	return false
}

// Features are the register types, addresses and modifiers of all versions.
func Features() []Feature { return features }

var anyVersion = in(vs(v10, v30, 0), ps(v10, v30, 0))

var features = []Feature{
	{RegisterType, "v", anyVersion, "Inputs. A vertex shader reads the attributes of a vertex that dcl names; a pixel shader before 3_0 the colours, v0 diffuse and v1 specular, which ps_1_x clamps to 0..1; ps_3_0 what dcl names.", "mov r0, v0", "ps_1_1"},
	{RegisterType, "r", anyVersion, "Temporaries. r0 at the end of ps_1_x is the colour of the pixel.", "mov r0, r1", "vs_2_0"},
	{RegisterType, "c", anyVersion, "Float constants, from def or from the application. ps_1_x clamps them to -1..1, whoever sets them.", "mov r0, c7", "ps_1_1"},
	{RegisterType, "t", in(ps(v10, v2x, 0)), "Texture coordinates. In ps_1_1 to ps_1_3 they are read by number, and t# holds what texture instructions make of them.", "texcrd r0.xyz, t3", "ps_1_4"},
	{RegisterType, "a", in(vs(v10, v30, 0)), "The address register, integers. mov rounds down in vs_1_1; mova to the nearest, halves to the even one.", "mova a0.xy, c0", "vs_2_0"},
	{RegisterType, "oPos", in(vs(v10, v2x, 0)), "The position of the vertex in clip space.", "mov oPos, v0", "vs_1_1"},
	{RegisterType, "oFog", in(vs(v10, v2x, 0)), "The fog factor, in one lane.", "mov oFog, v0.z", "vs_1_1"},
	{RegisterType, "oPts", in(vs(v10, v2x, 0)), "The size of a point, in one lane.", "mov oPts, c0.x", "vs_1_1"},
	{RegisterType, "oD", in(vs(v10, v2x, 0)), "Colours, oD0 diffuse and oD1 specular, clamped to 0..1 behind the shader.", "mov oD1, v1", "vs_1_1"},
	{RegisterType, "oT", in(vs(v10, v2x, 0)), "Texture coordinates for the pixel shader.", "mov oT3.xy, v1", "vs_1_1"},
	{RegisterType, "o", in(vs(v30, v30, 0)), "Outputs whose meaning dcl names.", "mov o3, v1", "vs_3_0"},
	{RegisterType, "i", in(vs(v20, v30, 0), ps(v2x, v30, 0)), "Integer constants, for loop and rep.", "rep i3", "vs_2_0"},
	{RegisterType, "b", in(vs(v20, v30, 0), ps(v2x, v30, 0)), "Boolean constants, for if and callnz.", "if b2", "vs_2_0"},
	{RegisterType, "aL", in(vs(v20, v30, 0), ps(v30, v30, 0)), "The loop counter, set by loop; it addresses registers.", "loop aL, i0", "vs_2_0"},
	{RegisterType, "p", in(vs(v2x, v30, 0), ps(v2x, v30, 0)), "The predicate, four truth values that setp writes.", "if p0.y", "vs_2_x"},
	{RegisterType, "s", in(vs(v30, v30, 0), ps(v20, v30, 0)), "Samplers. An unbound one reads (0, 0, 0, 1).", "texld r0, t0, s3", "ps_2_0"},
	{RegisterType, "l", in(vs(v20, v30, 0), ps(v2x, v30, 0)), "Labels of subroutines.", "call l2", "vs_2_0"},
	{RegisterType, "oC", in(ps(v20, v30, 0)), "Colours for the render targets.", "mov oC1, r0", "ps_2_0"},
	{RegisterType, "oDepth", in(ps(v20, v30, 0)), "The depth of the pixel, in one lane.", "mov oDepth, r0.x", "ps_2_0"},
	{RegisterType, "vPos", in(ps(v30, v30, 0)), "The place of the pixel: column and row in x and y.", "mov r0.xy, vPos", "ps_3_0"},
	{RegisterType, "vFace", in(ps(v30, v30, 0)), "At least zero on front faces, below on back faces; only the sign counts.", "if_lt vFace, c0.x", "ps_3_0"},

	{Addressing, "c[a0]", in(vs(v10, v30, 0)), "A constant whose number is in the address register; numbers behind the file read (0, 0, 0, 0). vs_1_1 has a0.x alone.", "mov r0, c5[a0.x]", "vs_1_1"},
	{Addressing, "c[aL]", in(vs(v20, v30, 0)), "A constant whose number is the loop counter's.", "mov r0, c5[aL]", "vs_2_0"},
	{Addressing, "v[aL]", in(vs(v30, v30, 0), ps(v30, v30, 0)), "An input whose number is the loop counter's.", "mov r0, v1[aL]", "ps_3_0"},
	{Addressing, "o[aL]", in(vs(v30, v30, 0)), "An output whose number is the loop counter's.", "mov o1[aL], r0", "vs_3_0"},

	{SourceModifier, "-…", anyVersion, "Negates, behind every other modifier.", "mov r0, -r1", "vs_2_0"},
	{SourceModifier, "…_bias", in(ps(v10, v14, 0)), "Subtracts 0.5.", "mov r0, r1_bias", "ps_1_1"},
	{SourceModifier, "-…_bias", in(ps(v10, v14, 0)), "Subtracts 0.5, then negates.", "mov r0, -r1_bias", "ps_1_1"},
	{SourceModifier, "…_bx2", in(ps(v10, v14, 0)), "Subtracts 0.5 and doubles: 0..1 becomes -1..1.", "dp3 r0, r1_bx2, v0", "ps_1_1"},
	{SourceModifier, "-…_bx2", in(ps(v10, v14, 0)), "Subtracts 0.5, doubles, then negates.", "dp3 r0, -r1_bx2, v0", "ps_1_1"},
	{SourceModifier, "1-…", in(ps(v10, v14, 0)), "The complement. It stands alone.", "mov r0, 1-v0", "ps_1_1"},
	{SourceModifier, "…_x2", in(ps(v14, v14, 0)), "Doubles.", "mov r0, r1_x2", "ps_1_4"},
	{SourceModifier, "-…_x2", in(ps(v14, v14, 0)), "Doubles, then negates.", "mov r0, -r1_x2", "ps_1_4"},
	{SourceModifier, "…_dz", in(ps(v14, v14, 0)), "Divides x and y by z, for texld of a temporary; the quotient by zero is 1.", "texld r0, r1_dz", "ps_1_4"},
	{SourceModifier, "…_dw", in(ps(v14, v14, 0)), "Divides x and y by w, for texld and texcrd; the quotient by zero is 1.", "texcrd r0.xy, t1_dw.xyw", "ps_1_4"},
	{SourceModifier, "…_abs", in(vs(v30, v30, 0), ps(v30, v30, 0)), "The absolute value.", "mov r0, r1_abs", "vs_3_0"},
	{SourceModifier, "-…_abs", in(vs(v30, v30, 0), ps(v30, v30, 0)), "The absolute value, negated.", "mov r0, -r1_abs", "vs_3_0"},
	{SourceModifier, "!…", in(vs(v20, v30, 0), ps(v2x, v30, 0)), "Negates a truth value: a boolean constant or, from 2_x on, the predicate.", "if !b0", "vs_2_0"},

	{ResultModifier, "_x2", in(ps(v10, v14, 0)), "Doubles the result.", "add_x2 r0, r1, v0", "ps_1_1"},
	{ResultModifier, "_x4", in(ps(v10, v14, 0)), "The result times 4.", "add_x4 r0, r1, v0", "ps_1_1"},
	{ResultModifier, "_x8", in(ps(v14, v14, 0)), "The result times 8.", "add_x8 r0, r1, v0", "ps_1_4"},
	{ResultModifier, "_d2", in(ps(v10, v14, 0)), "Half the result.", "add_d2 r0, r1, v0", "ps_1_1"},
	{ResultModifier, "_d4", in(ps(v14, v14, 0)), "A quarter of the result.", "add_d4 r0, r1, v0", "ps_1_4"},
	{ResultModifier, "_d8", in(ps(v14, v14, 0)), "An eighth of the result.", "add_d8 r0, r1, v0", "ps_1_4"},
	{ResultModifier, "_sat", in(vs(v30, v30, 0), ps(v10, v30, 0)), "Clamps the result to 0..1, behind a shift; NaN becomes 0.", "add_x2_sat r0, r1, v0", "ps_1_1"},
	{ResultModifier, "_pp", in(ps(v20, v30, 0)), "Allows less precision. It is kept, and computes as without it.", "add_pp r0, r1, c0", "ps_2_0"},
	{ResultModifier, "_centroid", in(ps(v20, v30, 0)), "On a declaration: the input is taken at a place that the triangle covers.", "dcl_centroid t0", "ps_2_0"},
	{ResultModifier, "+", in(ps(v10, v14, 0)), "Issues an instruction together with the one in front: both read before either writes.", "mov r0.xyz, r1\n+ mov r0.w, v0.w", "ps_1_1"},
	{ResultModifier, "(p0)", in(vs(v2x, v30, 0), ps(v2x, v30, 0)), "Writes the lanes alone whose predicate is set.", "(p0.x) mov r0, r1", "vs_2_x"},
}

// describeFeatures lists the features, a line each under the heading of its kind.
func describeFeatures(b *strings.Builder) {
	headings := [...]string{"Registers", "Relative addressing", "Source modifiers", "Result modifiers"}
	for i := range features {
		f := &features[i]
		if i == 0 || f.Kind != features[i-1].Kind {
			fmt.Fprintf(b, "\n%s:\n\n", headings[f.Kind])
		}
		fmt.Fprintf(b, "  %-9s %s %s.\n", f.Name, f.Doc, availability(f.Avail, true))
	}
}

// documentFeature gives the reference text of a feature by the name that is written, without the mark of
// the register's place.
func documentFeature(b *strings.Builder, name string) bool {
	found := false
	for i := range features {
		f := &features[i]
		if f.Name != name && strings.ReplaceAll(f.Name, "…", "") != name {
			continue
		}
		if found {
			b.WriteString("\n")
		}
		found = true
		fmt.Fprintf(b, "%s    %s\n\n%s\n\nVersions: %s\nExample (%s): %s\n", f.Name, f.Kind, f.Doc, availability(f.Avail, true),
			f.ExampleVersion, strings.ReplaceAll(f.Example, "\n", "; "))
	}
	return found
}
