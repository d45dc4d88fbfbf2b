package wasmenc

// An Op is the code of an instruction without operands of its own.
type Op byte

const (
	Return     Op = 0x0F
	Select     Op = 0x1B
	I32Eqz     Op = 0x45
	I32LtS     Op = 0x48
	I32LtU     Op = 0x49
	I32GeU     Op = 0x4F
	I64LtS     Op = 0x53
	I64GtS     Op = 0x55
	I64GtU     Op = 0x56
	I64GeU     Op = 0x5A
	I32Popcnt  Op = 0x69
	I32Add     Op = 0x6A
	I32Sub     Op = 0x6B
	I32Mul     Op = 0x6C
	I32DivS    Op = 0x6D
	I32DivU    Op = 0x6E
	I32RemU    Op = 0x70
	I32And     Op = 0x71
	I32Or      Op = 0x72
	I32Shl     Op = 0x74
	I32ShrS    Op = 0x75
	I32ShrU    Op = 0x76
	I64Add     Op = 0x7C
	I64Sub     Op = 0x7D
	I64Mul     Op = 0x7E
	I64Or      Op = 0x84
	I64Xor     Op = 0x85
	I64Shl     Op = 0x86
	I64ShrS    Op = 0x87
	I64ShrU    Op = 0x88
	I32WrapI64 Op = 0xA7
	I64ExtendS Op = 0xAC
	I64ExtendU Op = 0xAD

	F64ConvertI64S Op = 0xB9
	F64ConvertI64U Op = 0xBA
)

// A VOp is the code of a SIMD instruction behind its prefix.
type VOp uint32

const (
	V128Load              VOp = 0
	V128Load32Splat       VOp = 9
	V128Store             VOp = 11
	V128Const             VOp = 12
	I8x16Shuffle          VOp = 13
	I32x4Splat            VOp = 17
	I32x4ExtractLane      VOp = 27
	I32x4ReplaceLane      VOp = 28
	I64x2ExtractLane      VOp = 29
	I64x2ReplaceLane      VOp = 30
	I32x4Eq               VOp = 55
	I32x4Ne               VOp = 56
	I32x4LtS              VOp = 57
	I32x4LtU              VOp = 58
	I32x4GtU              VOp = 60
	I32x4GeU              VOp = 64
	F32x4Eq               VOp = 65
	F32x4Ne               VOp = 66
	F32x4Lt               VOp = 67
	F32x4Le               VOp = 69
	F64x2Eq               VOp = 71
	F64x2Lt               VOp = 73
	V128Not               VOp = 77
	V128And               VOp = 78
	V128AndNot            VOp = 79
	V128Or                VOp = 80
	V128Xor               VOp = 81
	V128AnyTrue           VOp = 83
	V128Load32Lane        VOp = 86
	V128Load64Lane        VOp = 87
	V128Store32Lane       VOp = 90
	V128Load32Zero        VOp = 92
	V128Load64Zero        VOp = 93
	F32x4DemoteF64x2Zero  VOp = 94
	F64x2PromoteLowF32x4  VOp = 95
	F32x4Ceil             VOp = 103
	F32x4Floor            VOp = 104
	F32x4Trunc            VOp = 105
	F32x4Nearest          VOp = 106
	I16x8ShrU             VOp = 141
	I32x4Neg              VOp = 161
	I32x4AllTrue          VOp = 163
	I32x4Bitmask          VOp = 164
	I32x4Shl              VOp = 171
	I32x4ShrS             VOp = 172
	I32x4ShrU             VOp = 173
	I32x4Add              VOp = 174
	I32x4Sub              VOp = 177
	I32x4Mul              VOp = 181
	I32x4MinS             VOp = 182
	I32x4MinU             VOp = 183
	I32x4MaxS             VOp = 184
	I32x4MaxU             VOp = 185
	I64x2Shl              VOp = 203
	I64x2ShrS             VOp = 204
	I64x2ShrU             VOp = 205
	I64x2Add              VOp = 206
	I64x2Sub              VOp = 209
	I64x2Mul              VOp = 213
	I64x2Eq               VOp = 214
	I64x2LtS              VOp = 216
	I64x2ExtmulLowI32x4S  VOp = 220
	I64x2ExtmulHighI32x4S VOp = 221
	I64x2ExtmulLowI32x4U  VOp = 222
	I64x2ExtmulHighI32x4U VOp = 223
	F32x4Sqrt             VOp = 227
	F32x4Add              VOp = 228
	F32x4Sub              VOp = 229
	F32x4Mul              VOp = 230
	F32x4Div              VOp = 231
	F32x4PMin             VOp = 234
	F32x4PMax             VOp = 235
	F64x2Sqrt             VOp = 239
	F64x2Add              VOp = 240
	F64x2Sub              VOp = 241
	F64x2Mul              VOp = 242
	F64x2Div              VOp = 243
	I32x4TruncSatF32x4S   VOp = 248
	I32x4TruncSatF32x4U   VOp = 249
	F32x4ConvertI32x4S    VOp = 250
	F32x4ConvertI32x4U    VOp = 251
)
