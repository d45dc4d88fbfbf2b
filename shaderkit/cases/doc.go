// Package cases runs a shader once, without a scene: it answers one case, a JSON object, by another.
//
// A case holds the program (text, files or binary), values of its input registers and constants, bump matrices of the
// stages of ps_1_x ("bump": {"s1": [M00, M01, M10, M11, luminance scale, offset]}), and
// textures:
//
//	{"id": 1, "isa": "d3d9", "text": "ps_2_0\ndcl t0\nadd r0, t0, c0\nmov oC0, r0\n",
//	 "inputs": {"t0": [1, 2, 3, 4]}, "floats": {"c0": [0.5]}}
//
// The answer holds the output registers as bits, and what else there is to say:
//
//	{"id": 1, "outputs": {"oC0": ["0x3FC00000", "0x40000000", "0x40400000", "0x40800000"]},
//	 "killed": false, "steps": 2}
//
// or {"id": 1, "error": {"code": "…", "message": "…", "line": 3}}, where line is a line of the text.
//
// # Flow
//
//	case ─▶ isa.Program ─▶ ir.Program (a probe) ─▶ wrapped: load inputs, call, store ─▶ linear job of
//	four lanes ─▶ answer
//
// The four lanes are the quad of a pixel (left-top, right-top, left-bottom, right-bottom) or four
// vertices. Where all lanes agree the answer has one vector; a component that a lane never wrote is
// null. A lane that is killed or runs out of its budget stores nothing.
//
// Registers are named as the interface of the shader names them, so an ISA adds only how its state reads.
package cases
