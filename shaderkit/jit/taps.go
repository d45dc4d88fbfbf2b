package jit

import (
	"swizzle/shaderkit/internal/wasmenc"
	"swizzle/shaderkit/ir"
)

// taps writes a Taps. Mostly all lanes have their second column right of the first, and all texels lie
// within the resource: then two words are one load. All else is gathered word by word.
func (w *writer) taps(in *ir.Inst) {
	record := in.Args[0]
	x0, x1, rows := in.Args[2], in.Args[3], in.Args[4:6]
	for k := range in.N {
		w.declare(in.Dst + ir.Reg(k))
	}
	slow := func(v int, s span) {
		for k := range in.N {
			push := func() {
				w.vec(in.Args[1], v)
				w.vec(rows[k/2], v)
				w.vec(in.Args[2+k%2], v)
				w.V(wasmenc.I32x4Add).I32(2).V(wasmenc.I32x4Shl).V(wasmenc.I32x4Add)
			}
			if w.f.uniform[record] {
				push()
				w.Get(s.base).Get(s.size).Call(w.m.gather)
			} else {
				w.loadLanes(record, v, push)
			}
			w.set(in.Dst+ir.Reg(k), v)
		}
	}
	n := w.width(in.Dst)
	if !w.f.uniform[record] {
		for v := range n {
			slow(v, span{})
		}
		return
	}
	s := w.spanOf(record)
	address, last := w.temp(), w.temp()
	texel := [2]uint32{w.temp(), w.temp()}
	once := w.f.uniform[in.Args[1]]
	for v := range n {
		if v == 0 || !once {
			w.firstTexel(in.Args[1], v, s, address, last)
		}
		for j, t := range texel {
			w.vec(rows[j], v)
			w.vec(x0, v)
			w.V(wasmenc.I32x4Add).Set(t)
		}
		w.Get(texel[0]).Get(texel[1]).V(wasmenc.I32x4MaxU).Get(last).V(wasmenc.I32x4GeU)
		w.vec(x1, v)
		w.vec(x0, v)
		w.V(wasmenc.I32x4Sub)
		w.constant(1)
		w.V(wasmenc.I32x4Ne).V(wasmenc.V128Or).V(wasmenc.V128AnyTrue)
		w.If()
		slow(v, s)
		w.Else()
		for j, t := range texel {
			w.Get(t).I32(2).V(wasmenc.I32x4Shl).Get(address).V(wasmenc.I32x4Add).Set(t)
			pair := [2]uint32{w.temp(), w.temp()} // texels of lanes 0 and 1, of 2 and 3
			for h, p := range pair {
				k := byte(2 * h)
				w.Get(t).VLane(wasmenc.I32x4ExtractLane, k+1)
				w.Get(t).VLane(wasmenc.I32x4ExtractLane, k).VMem(wasmenc.V128Load64Zero, 2, 0)
				w.VMemLane(wasmenc.V128Load64Lane, 0, 1).Set(p)
			}
			for i, words := range [2][4]byte{{0, 2, 4, 6}, {1, 3, 5, 7}} {
				w.Get(pair[0]).Get(pair[1]).Shuffle(words)
				w.set(in.Dst+ir.Reg(2*j+i), v)
			}
			w.release(pair[:]...)
		}
		w.End()
	}
	w.release(address, last)
	w.release(texel[:]...)
}

// firstTexel sets two vectors: the address of the texel at offset base of s, and the number of the last
// texel behind it that lies within s, or 0 when there is none.
func (w *writer) firstTexel(base ir.Reg, v int, s span, address, last uint32) {
	if w.f.uniform[base] {
		at := w.m.scratch(w, 2)
		w.lane0(base)
		w.I32(-4).Op(wasmenc.I32And).Tee(at).Get(s.base).Op(wasmenc.I32Add).V(wasmenc.I32x4Splat).Set(address)
		w.Get(s.size).Get(at).Op(wasmenc.I32Sub).I32(0).Get(at).Get(s.size).Op(wasmenc.I32LtU).Op(wasmenc.Select)
		w.I32(2).Op(wasmenc.I32ShrU).Tee(at).Get(at).Op(wasmenc.I32Eqz).Op(wasmenc.I32Eqz).Op(wasmenc.I32Sub)
		w.V(wasmenc.I32x4Splat).Set(last)
		return
	}
	w.vec(base, v)
	w.Splat(^uint32(3)).V(wasmenc.V128And).Set(address)
	w.Get(s.size).V(wasmenc.I32x4Splat).Tee(last).Get(last).Get(address).V(wasmenc.I32x4MinU).V(wasmenc.I32x4Sub)
	w.I32(2).V(wasmenc.I32x4ShrU).Tee(last).Get(last).Splat(0).V(wasmenc.I32x4Ne).V(wasmenc.I32x4Add).Set(last)
	w.Get(address).Get(s.base).V(wasmenc.I32x4Splat).V(wasmenc.I32x4Add).Set(address)
}
