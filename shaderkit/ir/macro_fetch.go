package ir

// This file defines what is read without a filter: FetchTexel, the gathers, the measures of a texture.

// TextureSize gives, as integers, width, height, depth (of arrays the number of layers or cubes behind
// the axes that there are) of a level of a texture, and its number of levels (11.3 22.4.14). What the
// shape does not have is 0, as are all but the last for a level that is not there.
func (b *Builder) TextureSize(resource int, dim Dim, level Reg) [4]Reg {
	t := textureOperands(b, resource)
	levels := t[5]
	inside := b.op(ULt, level, levels)
	out := [4]Reg{b.U(0), b.U(0), b.U(0), levels}
	axes := dim.Axes()
	for i := range axes {
		out[i] = b.op(And, inside, b.op(UMax, b.op(ShrU, t[2+i], level), b.U(1)))
	}
	if dim.Array() {
		layers := t[4]
		if dim.Cube() {
			layers = b.op(UDiv, layers, b.U(6))
		}
		out[axes] = b.op(And, inside, layers)
	}
	return out
}

// texel gives the texel of integers; Outside where one of them does not lie within the texture.
func (s *sampler) texel(args []Reg) []Reg {
	l := args[s.site.extra()]
	v := s.view(l)
	inside := s.op(ULt, l, s.levels)
	index := NoReg // of the texel in the level
	for i := s.state.Dim.Axes() - 1; i >= 0; i-- {
		x := args[i]
		if o := s.site.Offset[i]; o != 0 {
			x = s.op(IAdd, x, s.U(uint32(int32(o))))
		}
		inside = s.op(And, inside, s.op(ULt, x, v.size[i]))
		if index != NoReg {
			x = s.op(IAdd, s.op(IMul, index, v.size[i]), x)
		} else if s.state.Dim.Array() || s.state.Dim.Cube() {
			slice := s.U(0)
			if s.site.Layer {
				slice = args[3]
			}
			inside = s.op(And, inside, s.op(ULt, slice, s.size[2]))
			x = s.op(IAdd, s.op(IMul, slice, v.size[i]), x)
		}
		index = x
	}
	out := make([]Reg, 4)
	switch words := s.fetch(v, index, NoReg); s.state.Format {
	case RGBA8:
		v := s.unpack8(words[0])
		copy(out, v[:])
	case R32F:
		copy(out, s.whole(words))
	default:
		copy(out, words)
	}
	for i, outside := range s.state.Outside {
		out[i] = s.op(Sel, inside, out[i], s.U(outside))
	}
	return out
}

// gather gives one component of the four texels around a place in level 0, counter-clockwise from
// the left bottom one, where v grows to the bottom.
func (s *sampler) gather(coords []Reg) []Reg {
	v := s.view(s.U(0))
	ax := s.axes(v, coords, filter{kind: linear})
	slice, outside := s.slice, NoReg
	if s.state.Dim == Dim3D {
		slice, outside = ax[2].texel[0], ax[2].border(0)
	}
	t := s.taps(v, ax, slice, outside)
	if t[1][0] == nil {
		t[1] = t[0]
	}
	out := make([]Reg, 4)
	for i, texel := range [][]Reg{t[1][0], t[1][1], t[0][1], t[0][0]} {
		switch c := uint32(s.site.Component); {
		case s.bytes:
			out[i] = s.op(FDiv, s.op(U2F, s.op(And, s.op(ShrU, texel[0], s.U(8*c)), s.U(255))), s.F(255))
		case s.state.Format == R32F && !s.compares:
			out[i] = s.whole(texel)[c]
		default:
			out[i] = texel[0]
		}
	}
	return out
}
