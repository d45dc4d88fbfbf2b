package jit

import (
	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/internal/wasmenc"
)

// A mover has the kernels that move words where the memory is. Their signature is that of Emit.
type mover struct {
	fill Instance // (byte address, words, value)
	rows Instance // (byte address of rowsWords words)

	words [rowsWords]uint32
}

// What rows reads: exec.Rows, with Stride and Pitch in bytes.
const (
	rowsFrom = iota
	rowsStep
	rowsWidth
	rowsHeight
	rowsTo
	rowsStride
	rowsPitch
	rowsOr
	rowsWords
)

// movers makes those of the engine, once.
func (e *Engine) movers() (err error) {
	if e.mover.rows != nil {
		return nil
	}
	if e.mover.fill, err = e.host.Instantiate(fillModule()); err != nil {
		return err
	}
	e.mover.rows, err = e.host.Instantiate(rowsModule())
	return err
}

func moveModule(body func(f *wasmenc.Func)) []byte {
	m := &wasmenc.Module{}
	m.ImportMemory("env", "memory", 1)
	i32 := wasmenc.I32
	f := m.Func([]wasmenc.Type{i32, i32, i32}, []wasmenc.Type{wasmenc.F64})
	body(f)
	f.I64(0).Op(wasmenc.F64ConvertI64U)
	m.Export("kernel", f)
	return m.Bytes()
}

func fillModule() []byte {
	return moveModule(func(f *wasmenc.Func) {
		const addr, n, word, step = 0, 1, 2, 16
		v := f.Local(wasmenc.V128)
		f.Get(word).V(wasmenc.I32x4Splat).Set(v)
		// write stores so many words at a time while there are as many.
		write := func(words int32, store func()) {
			done := f.Block()
			again := f.Loop()
			f.Get(n).I32(words).Op(wasmenc.I32LtU).BrIf(done)
			store()
			f.Get(addr).I32(4 * words).Op(wasmenc.I32Add).Set(addr)
			f.Get(n).I32(words).Op(wasmenc.I32Sub).Set(n)
			f.Br(again)
			f.End().End()
		}
		write(step, func() {
			for i := uint32(0); i < step; i += 4 {
				f.Get(addr).Get(v).VMem(wasmenc.V128Store, 2, 4*i)
			}
		})
		write(1, func() { f.Get(addr).Get(word).StoreI32(0) })
	})
}

// rowsModule writes
//
//	for y := 0; y < height; y += 2 {
//		for x := 0; x < width; x += 4 { two quads: four pixels of this row, four of the next }
//	}
func rowsModule() []byte {
	return moveModule(func(f *wasmenc.Func) {
		var p [rowsWords]uint32
		for i := range p {
			p[i] = f.Local(wasmenc.I32)
			f.Get(0).LoadI32(uint32(4 * i)).Set(p[i])
		}
		x, y, across, line, at, to, below := f.Local(wasmenc.I32), f.Local(wasmenc.I32), f.Local(wasmenc.I32), f.Local(wasmenc.I32), f.Local(wasmenc.I32), f.Local(wasmenc.I32), f.Local(wasmenc.I32)
		or, left, right := f.Local(wasmenc.V128), f.Local(wasmenc.V128), f.Local(wasmenc.V128)
		rows := [2]uint32{f.Local(wasmenc.V128), f.Local(wasmenc.V128)}
		const tile, block, quadBytes = exec.TileSize, exec.BlockSize, 16
		const blockBytes = 4 * block * block
		shr := func(local uint32, n int32) *wasmenc.Func { return f.Get(local).I32(n).Op(wasmenc.I32ShrU) }
		masked := func(mask, scale int32) *wasmenc.Func {
			return f.I32(mask).Op(wasmenc.I32And).I32(scale).Op(wasmenc.I32Mul)
		}
		f.Get(p[rowsOr]).V(wasmenc.I32x4Splat).Set(or)
		f.Get(p[rowsWidth]).I32(tile - 1).Op(wasmenc.I32Add).I32(6).Op(wasmenc.I32ShrU).Set(across)

		noRow := f.Block()
		eachRow := f.Loop()
		f.Get(y).Get(p[rowsHeight]).Op(wasmenc.I32GeU).BrIf(noRow)
		shr(y, 6).Get(across).Op(wasmenc.I32Mul).Get(p[rowsStep]).Op(wasmenc.I32Mul).Get(p[rowsFrom]).Op(wasmenc.I32Add)
		shr(y, 3)
		masked(7, 8*blockBytes).Op(wasmenc.I32Add)
		shr(y, 1)
		masked(3, 4*quadBytes).Op(wasmenc.I32Add).Set(line)
		f.Get(y).Get(p[rowsStride]).Op(wasmenc.I32Mul).Get(p[rowsTo]).Op(wasmenc.I32Add).Set(to)
		f.Get(y).I32(1).Op(wasmenc.I32Add).Get(p[rowsHeight]).Op(wasmenc.I32LtU).Set(below)
		f.I32(0).Set(x)
		noColumn := f.Block()
		eachColumn := f.Loop()
		f.Get(x).Get(p[rowsWidth]).Op(wasmenc.I32GeU).BrIf(noColumn)
		shr(x, 6).Get(p[rowsStep]).Op(wasmenc.I32Mul).Get(line).Op(wasmenc.I32Add)
		shr(x, 3)
		masked(7, blockBytes).Op(wasmenc.I32Add)
		shr(x, 1)
		masked(3, quadBytes).Op(wasmenc.I32Add).Tee(at).VMem(wasmenc.V128Load, 2, 0).Set(left)
		f.Get(at).VMem(wasmenc.V128Load, 2, quadBytes).Set(right)
		f.Get(left).Get(right).Shuffle([4]byte{0, 1, 4, 5}).Get(or).V(wasmenc.V128Or).Set(rows[0])
		f.Get(left).Get(right).Shuffle([4]byte{2, 3, 6, 7}).Get(or).V(wasmenc.V128Or).Set(rows[1])

		// eachOf writes code for this row, and for the next one if there is one.
		eachOf := func(write func(row uint32)) {
			write(rows[0])
			f.Get(below)
			f.If()
			f.Get(to).Get(p[rowsStride]).Op(wasmenc.I32Add).Set(to)
			write(rows[1])
			f.Get(to).Get(p[rowsStride]).Op(wasmenc.I32Sub).Set(to)
			f.End()
		}
		f.Get(p[rowsPitch]).I32(4).Op(wasmenc.I32Sub).Op(wasmenc.I32Eqz)
		f.Get(p[rowsWidth]).Get(x).I32(4).Op(wasmenc.I32Add).Op(wasmenc.I32GeU).Op(wasmenc.I32And)
		f.If()
		eachOf(func(row uint32) { f.Get(to).Get(row).VMem(wasmenc.V128Store, 2, 0) })
		f.Else()
		eachOf(func(row uint32) {
			for lane := range byte(4) {
				f.Get(x).I32(int32(lane)).Op(wasmenc.I32Add).Get(p[rowsWidth]).Op(wasmenc.I32LtU)
				f.If()
				f.Get(to).Get(p[rowsPitch]).I32(int32(lane)).Op(wasmenc.I32Mul).Op(wasmenc.I32Add).Get(row).VMemLane(wasmenc.V128Store32Lane, 0, lane)
				f.End()
			}
		})
		f.End()
		f.Get(to).Get(p[rowsPitch]).I32(4).Op(wasmenc.I32Mul).Op(wasmenc.I32Add).Set(to)
		f.Get(x).I32(4).Op(wasmenc.I32Add).Set(x)
		f.Br(eachColumn)
		f.End().End()
		f.Get(y).I32(2).Op(wasmenc.I32Add).Set(y)
		f.Br(eachRow)
		f.End().End()
	})
}
