package interp

import (
	"math"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// rowEdges is Edges. A sum of the three signs needs no branch.
func rowEdges(v *vm, in *inst) {
	d, a, b := words(in.dst[0], v.q), words(in.args[0], v.q), words(in.args[1], v.q)
	var e [9]int32
	for i := range d {
		if v.newTriangle(i) {
			for k := range e {
				e[k] = int32(v.quadTriWord(i, in.imm+uint64(k)))
			}
		}
		d, a, b := &d[i], &a[i], &b[i]
		for k := range d {
			x, y := int32(a[k]), int32(b[k])
			negative := (e[0]*x + e[1]*y + e[2]) | (e[3]*x + e[4]*y + e[5]) | (e[6]*x + e[7]*y + e[8])
			d[k] = ^uint32(negative >> 31)
		}
	}
}

// rowPlane is Plane.
func rowPlane(v *vm, in *inst) {
	d, a, b := floats(in.dst[0], v.q), floats(in.args[0], v.q), floats(in.args[1], v.q)
	var p [3]float32
	for i := range d {
		if v.newTriangle(i) {
			for k := range p {
				p[k] = math.Float32frombits(v.quadTriWord(i, in.imm+uint64(k)))
			}
		}
		d, a, b := &d[i], &a[i], &b[i]
		d[0] = float32(a[0]*p[0]) + (float32(b[0]*p[1]) + p[2])
		d[1] = float32(a[1]*p[0]) + (float32(b[1]*p[1]) + p[2])
		d[2] = float32(a[2]*p[0]) + (float32(b[2]*p[1]) + p[2])
		d[3] = float32(a[3]*p[0]) + (float32(b[3]*p[1]) + p[2])
	}
}

// rowPack8 is Pack8.
func rowPack8(v *vm, in *inst) {
	r, g, b, a := floats(in.args[0], v.q), floats(in.args[1], v.q), floats(in.args[2], v.q), floats(in.args[3], v.q)
	d := words(in.dst[0], v.q)
	for i := range d {
		d, r, g, b, a := &d[i], &r[i], &g[i], &b[i], &a[i]
		for k := range d {
			d[k] = packByte(r[k]) | packByte(g[k])<<8 | packByte(b[k])<<16 | packByte(a[k])<<24
		}
	}
}

// packByte rounds a colour to a byte; NaN gives 0.
func packByte(x float32) uint32 {
	x = ir.PMin(ir.PMax(0, x), 1)
	return uint32(int32(float32(x*255) + 0.5))
}

// rowUnpack8 is Unpack8.
func rowUnpack8(v *vm, in *inst) {
	src := words(in.args[0], v.q)
	r, g, b, a := floats(in.dst[0], v.q), floats(in.dst[1], v.q), floats(in.dst[2], v.q), floats(in.dst[3], v.q)
	for i := range src {
		for k, w := range src[i] {
			r[i][k], g[i][k], b[i][k], a[i][k] = byteFloats[w&255], byteFloats[w>>8&255], byteFloats[w>>16&255], byteFloats[w>>24]
		}
	}
}

// unpackBytes is the value of Unpack8.
func unpackBytes(w uint32) [4]float32 {
	return [4]float32{byteFloats[w&255], byteFloats[w>>8&255], byteFloats[w>>16&255], byteFloats[w>>24]}
}

// byteFloats holds what each byte is as a float.
var byteFloats = func() (t [256]float32) {
	for i := range t {
		t[i] = float32(i) / 255
	}
	return
}()

// makeSample gives the row of a Sample: one sampler for each site, which has room for the levels of
// its texture.
func makeSample(p *ir.Program, in *ir.Inst) row {
	state, site := p.SamplerAt(in), ir.SampleSiteOf(in.Imm)
	if !state.Bound {
		return func(v *vm, in *inst) {
			for c, d := range in.dst {
				w := state.Unbound[c]
				for i := range words(d, v.q) {
					d[i] = [quadLanes]uint32{w, w, w, w}
				}
			}
		}
	}
	s := newSampler(state, site)
	return func(v *vm, in *inst) {
		at := record(v.desc, uint64(site.Resource))
		var r exec.Record
		for i := range r {
			r[i] = v.word(uint64(at/4) + uint64(i))
		}
		s.bind(r, v.span(at))
		s.read(v, in.args, in.dst)
	}
}
