// Package d3d9 is Direct3D 9 shader bytecode: vertex and pixel shaders of versions 1_0 to 3_0.
//
// A shader is a stream of 32-bit little-endian words. The version word comes first, then instructions and
// comment blocks, then the end word 0x0000FFFF.
//
//	version      31                    16 15           8 7            0
//	             │ 0xFFFE vs, 0xFFFF ps  │    major     │    minor     │
//
//	instruction  31 30 29 28 27      24 23           16 15            0
//	             │0 │co│0 │pr│ length  │    control    │     code      │
//
//	destination  31 30    28 27    24 23    20 19    16 15 14 13 12  11 10     0
//	             │1 │ type  │ shift  │  mod   │  mask  │ 0   │rel│type  │  num   │
//	                  2..0                                        4..3
//
//	source       31 30    28 27    24 23             16 15 14 13 12  11 10     0
//	             │1 │ type  │  mod   │    swizzle      │ 0   │rel│type  │  num   │
//
//	comment      31 30                    16 15                       0
//	             │0 │    words            │         0xFFFE            │
//
// The words of an instruction are: the instruction word, the destination (and the address word that its
// relative bit asks for), the predicate when the predicated bit is set, the sources, each with its address
// word. dcl has a declaration word in front of the destination, def four literals behind it. The length
// counts the words behind the first; before 2_0 it is zero, and the opcode and version tell how many words
// there are. There too a relative source has no address word: it is a0.x.
//
//	data ── Decode ── isa.Program ── Print ── text ── Assemble ── isa.Program
//	                      │
//	                      ├── Check: the rules of the version
//	                      ├── Lower: to IR
//	                      └── FindCTAB: names of constants
//
// # Text
//
// The syntax is that of Microsoft's fxc. Native style adds what makes it lossless:
//
//	add r0, r1, r2 {src0.mod=14}      a field that the spelling leaves out
//	sub r0, r1, r2 {code=3}           opcode 3; a plain sub becomes an add with a negated source
//	dcl_?(20) v0                      a value without a name
//	def c0, bits(0x7FC00001), 0, 0, 0 a NaN by its bits
//	.dword 0x0000FFF0                 words that are no instruction
//	.byte 0x12                        an odd remainder
//	.comment CTAB "HAAAAE..."         a comment block, in base64 with - and _ in place of + and /
//	.end {reserved=1}                 the end token, where it is not the usual last word
//	.noend                            no end token
//
// Read, though never printed so: blanks between tokens, c[10] for c10, c[a0.x + 3], v0.x_abs, break p0.x for
// breakp, True, vs.1.1, and rgba lanes. Comments are //, ; and /* */. The preprocessor is that of package asmtext.
//
// # Numbers
//
// Lower has numeric modes, which the IR names: d3d9 (the default), ieee and, for ps_1_x, range and fixed;
// Docs tells what each does. Where hardware differed or the pages leave it open, one answer holds
// everywhere:
//
//	rcp of 0, -0         infinity, -infinity           (some hardware: the largest float)
//	rsq of 0, -0         infinity                      (the same)
//	log, logp of 0       -infinity                     (the pages: minus the largest float)
//	pow with exponent 0  1, whatever the base
//	nrm of (0, 0, 0, w)  (0, 0, 0, w times the largest float)
//	min, max with a NaN  the other operand
//	cmp of NaN           the third source; slt, sge and comparisons of NaN are false, but for ne
//	_sat of NaN          0
//	mad, dp#, m#x#       every product and sum is rounded; sums run from x on
//	lrp                  src0 * (src1 - src2) + src2
//	expp, logp           as exact as exp and log
//	what was not written 0, with a note; alpha of temporaries behind phase too
//	co-issued pairs      both read before either writes, though some drivers ran them in turn
//	+cnd                 before ps_1_4 it takes src1 without a look at r0.a, unless it writes alpha alone
//	texkill              ps_1_1 to 1_3 x, y, z of the coordinates; 1_4 of the register; later the mask
//	mov to a0            vs_1_x rounds down, against its page; mova rounds to the nearest, halves to even
//	_dz, _dw, texdepth, texm3x2depth   the quotient by zero is 1; a depth is not clamped here
//	texbeml              the luminance is not clamped
//	range of ps_1_x      c# -1..1, v# 0..1; r# and t# as the mode says
//
// # Effects
//
// An effect file, fx_2_0, holds parameters, techniques with passes and states, and shaders. It is one program of
// several modules: Program.Modules names them, each instruction belongs to one, and FindEffect gives what the
// records say. Its native text has a line for each record, in the order of the file; offsets are as stored.
//
//	.effect 308                             the head; offsets count from the word behind it
//	.type float, vector, 36, 52, 0          a type: kind, shape, name, semantic, elements
//	.size 4, 1
//	.string "Tint"                          a counted string
//	.parameter 4, 24, 0, 0                  type, value, flags, annotations
//	.technique 292, 0, 1                    name, annotations, passes
//	.pass 284, 0, 2
//	.state VertexShader, 0, 240, 236        state, index, type, value
//	.resource 0, 0, -1, 0, 0, 340           the object that a state names; here a shader follows
//	vs_2_0
//	...
//	.end                                    each shader of an effect states its end
//
// fxc style lists techniques and passes with their shaders. A Preshader, code that runs once for each draw, is in
// the comment PRES of a shader or an object of its own; it is decoded and listed, and not run.
//
// # Invariants
//
//   - Assemble(Print(p, "native")) gives the bytes of p, whatever they are.
//   - Decode takes anything: what it cannot read becomes raw words up to the next plausible instruction, and
//     Program.Diags says where and why.
//   - Wrong input and a version that this package does not read are different errors: the latter has
//     Diagnostic.Unsupported set.
package d3d9
