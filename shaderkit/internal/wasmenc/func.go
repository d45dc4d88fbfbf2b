package wasmenc

import "encoding/binary"

// A Func is a function under construction. Its methods append an instruction and give f back.
type Func struct {
	Index  uint32 // for Call
	Code   []byte // instructions
	Offset uint32 // of Code in the module, behind Module.Bytes

	typ    uint32
	params int
	locals []Type
	depth  int // open blocks
}

// Instructions with operands of their own.
const (
	opBlock   = 0x02
	opLoop    = 0x03
	opIf      = 0x04
	opElse    = 0x05
	end       = 0x0B
	br        = 0x0C
	brIf      = 0x0D
	call      = 0x10
	localGet  = 0x20
	localSet  = 0x21
	localTee  = 0x22
	globalGet = 0x23
	globalSet = 0x24
	i32Load   = 0x28
	i32Store  = 0x36
	i32Const  = 0x41
	i64Const  = 0x42
	simd      = 0xFD
)

// Local adds a local variable, which begins as zero, and gives its number.
func (f *Func) Local(t Type) uint32 {
	f.locals = append(f.locals, t)
	return uint32(f.params + len(f.locals) - 1)
}

// Locals is the number of local variables, parameters included.
func (f *Func) Locals() int { return f.params + len(f.locals) }

// header gives the declaration of locals, in runs of one type.
func (f *Func) header() []byte {
	var runs []byte
	n := 0
	for i := 0; i < len(f.locals); n++ {
		k := i
		for k < len(f.locals) && f.locals[k] == f.locals[i] {
			k++
		}
		runs = append(binary.AppendUvarint(runs, uint64(k-i)), byte(f.locals[i]))
		i = k
	}
	return append(binary.AppendUvarint(nil, uint64(n)), runs...)
}

func (f *Func) with(op byte, n uint32) *Func {
	if n < 1<<7 {
		f.Code = append(f.Code, op, byte(n))
		return f
	}
	f.Code = binary.AppendUvarint(append(f.Code, op), uint64(n))
	return f
}

// Op appends an instruction without operands of its own.
func (f *Func) Op(op Op) *Func {
	f.Code = append(f.Code, byte(op))
	return f
}

// Get, Set and Tee access local variables.
func (f *Func) Get(local uint32) *Func { return f.with(localGet, local) }
func (f *Func) Set(local uint32) *Func { return f.with(localSet, local) }
func (f *Func) Tee(local uint32) *Func { return f.with(localTee, local) }

// GetGlobal and SetGlobal access global variables.
func (f *Func) GetGlobal(global uint32) *Func { return f.with(globalGet, global) }
func (f *Func) SetGlobal(global uint32) *Func { return f.with(globalSet, global) }

// Call calls a function.
func (f *Func) Call(g *Func) *Func { return f.with(call, g.Index) }

// I32 and I64 push a constant.
func (f *Func) I32(v int32) *Func {
	f.Code = appendSigned(append(f.Code, i32Const), int64(v))
	return f
}
func (f *Func) I64(v int64) *Func {
	f.Code = appendSigned(append(f.Code, i64Const), v)
	return f
}

// LoadI32 and StoreI32 access a word at an address plus offset; aligned to four bytes.
func (f *Func) LoadI32(offset uint32) *Func {
	f.Code = append(f.Code, i32Load, 2)
	f.Code = binary.AppendUvarint(f.Code, uint64(offset))
	return f
}
func (f *Func) StoreI32(offset uint32) *Func {
	f.Code = append(f.Code, i32Store, 2)
	f.Code = binary.AppendUvarint(f.Code, uint64(offset))
	return f
}

// A Label names an open block, for Br and BrIf.
type Label int

func (f *Func) open(op byte) Label {
	f.Code = append(f.Code, op, void)
	f.depth++
	return Label(f.depth)
}

// Block, Loop and If open a block without values; End closes the innermost one. A branch to a Loop
// goes to its begin, to another block behind its end.
func (f *Func) Block() Label { return f.open(opBlock) }
func (f *Func) Loop() Label  { return f.open(opLoop) }
func (f *Func) If() Label    { return f.open(opIf) }

// Else begins the second arm of the innermost If.
func (f *Func) Else() *Func {
	f.Code = append(f.Code, opElse)
	return f
}

// End closes the innermost block.
func (f *Func) End() *Func {
	f.Code = append(f.Code, end)
	f.depth--
	return f
}

// Br branches to a block, BrIf when the word on the stack is not zero.
func (f *Func) Br(l Label) *Func   { return f.with(br, uint32(f.depth-int(l))) }
func (f *Func) BrIf(l Label) *Func { return f.with(brIf, uint32(f.depth-int(l))) }

// V appends a SIMD instruction without operands of its own.
func (f *Func) V(op VOp) *Func {
	if op < 1<<7 {
		f.Code = append(f.Code, simd, byte(op))
		return f
	}
	if op < 1<<14 {
		f.Code = append(f.Code, simd, byte(op)|0x80, byte(op>>7))
		return f
	}
	f.Code = binary.AppendUvarint(append(f.Code, simd), uint64(op))
	return f
}

// VLane appends a SIMD instruction with the number of a lane: extract and replace.
func (f *Func) VLane(op VOp, lane byte) *Func {
	f.V(op)
	f.Code = append(f.Code, lane)
	return f
}

// VMem appends a SIMD access of memory; align is the logarithm of the alignment.
func (f *Func) VMem(op VOp, align byte, offset uint32) *Func {
	f.V(op)
	f.Code = binary.AppendUvarint(append(f.Code, align), uint64(offset))
	return f
}

// VMemLane appends a SIMD access of memory of one lane, which is aligned to four bytes.
func (f *Func) VMemLane(op VOp, offset uint32, lane byte) *Func {
	f.VMem(op, 2, offset)
	f.Code = append(f.Code, lane)
	return f
}

// VConst pushes a vector of four words.
func (f *Func) VConst(w [4]uint32) *Func {
	f.V(V128Const)
	for _, x := range w {
		f.Code = binary.LittleEndian.AppendUint32(f.Code, x)
	}
	return f
}

// Splat pushes a vector of four equal words.
func (f *Func) Splat(w uint32) *Func { return f.VConst([4]uint32{w, w, w, w}) }

// Shuffle picks four words of the two vectors on the stack: 0 to 3 of the first, 4 to 7 of the second.
func (f *Func) Shuffle(words [4]byte) *Func {
	f.V(I8x16Shuffle)
	for _, w := range words {
		f.Code = append(f.Code, 4*w, 4*w+1, 4*w+2, 4*w+3)
	}
	return f
}

// appendSigned appends the signed LEB128 form of v.
func appendSigned(b []byte, v int64) []byte {
	for {
		c := byte(v & 0x7F)
		v >>= 7
		if v == 0 && c&0x40 == 0 || v == -1 && c&0x40 != 0 {
			return append(b, c)
		}
		b = append(b, c|0x80)
	}
}
