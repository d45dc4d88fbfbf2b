package ir

// This file defines what a filter finds behind the edges and at the corners of a face of a cube.

// seam reads the four texels of a filter, of which those outside of the face lie on its neighbours.
// Where one would lie outside along both axes there is no texel: it is the mean of the three others.
func (s *sampler) seam(v view, ax [3]axis) (t texels) {
	n := v.size[0]
	out := func(t Reg) Reg { return s.op(Not, s.op(ULt, t, n)) }
	outX := [2]Reg{out(ax[0].texel[0]), out(ax[0].texel[1])}
	outY := [2]Reg{out(ax[1].texel[0]), out(ax[1].texel[1])}
	var at [4]Var // index of each texel in the level
	for k := range at {
		row := s.op(IAdd, s.op(IMul, s.slice, n), ax[1].texel[k>>1])
		at[k] = s.NewVar(s.op(IAdd, s.op(IMul, row, n), ax[0].texel[k&1]))
	}
	s.If(s.op(Or, s.op(Or, outX[0], outX[1]), s.op(Or, outY[0], outY[1])))
	first := s.op(ISub, s.slice, s.cube.face) // of the cube
	for k, a := range at {
		s.Set(a, s.cube.behind(first, n, ax[0].texel[k&1], ax[1].texel[k>>1], outX[k&1], outY[k>>1]))
	}
	s.EndIf()

	var words [4][]Var
	for k, a := range at {
		for _, r := range s.compared(s.fetch(v, s.Get(a), NoReg)) {
			words[k] = append(words[k], s.NewVar(r))
		}
	}
	s.If(s.op(And, s.op(Or, outX[0], outX[1]), s.op(Or, outY[0], outY[1])))
	for w := range words[0] {
		var had, mean [4]Reg
		for k := range had {
			had[k] = s.Get(words[k][w])
		}
		for k := range had {
			var others []Reg
			for j, r := range had {
				if j != k {
					others = append(others, r)
				}
			}
			mean[k] = s.mean([3]Reg(others))
		}
		for k, m := range mean {
			s.Set(words[k][w], s.op(Sel, s.op(And, outX[k&1], outY[k>>1]), m, had[k]))
		}
	}
	s.EndIf()
	for k, vars := range words {
		for _, w := range vars {
			t[k>>1][k&1] = append(t[k>>1][k&1], s.Get(w))
		}
	}
	return t
}

// mean is the mean of three words of texels: of each byte, rounded to nearest; of floats
// a + ((b-a) + (c-a))/3, which gives a where all are equal.
func (s *sampler) mean(of [3]Reg) Reg {
	if s.bytes {
		word := NoReg
		for k := range uint32(4) {
			sum := s.U(1)
			for _, r := range of {
				sum = s.op(IAdd, sum, s.op(And, s.op(ShrU, r, s.U(8*k)), s.U(255)))
			}
			third := s.op(ShrU, s.op(IMul, sum, s.U(43691)), s.U(17)) // exact below 2^17
			word = s.either(word, s.op(Shl, third, s.U(8*k)))
		}
		return word
	}
	b, c := s.op(FSub, of[1], of[0]), s.op(FSub, of[2], of[0])
	return s.op(Canon, s.op(FAdd, of[0], s.op(FDiv, s.op(FAdd, b, c), s.F(3))))
}

// behind gives the index in the level of texel (x, y) of a face of n by n texels, which lies outside
// along one axis, or inside. In units of half a texel the centre of a texel of the cube is at the
// major axis n and two odd or even numbers below n; one step over an edge, the axis that was left
// becomes the major one and the other is n - 1.
func (c *cube) behind(first, n, x, y, outX, outY Reg) Reg {
	op, one := c.op, c.U(1)
	centre := func(t Reg) Reg { return op(ISub, op(IAdd, op(IAdd, t, t), one), n) }
	within := func(r Reg) Reg { return op(IMax, op(IMin, r, n), op(INeg, n)) }
	s, t := within(centre(x)), within(centre(y))
	m := op(Sel, op(Or, outX, outY), op(ISub, n, one), n)
	// the direction: the inverse of turn
	sign := func(r Reg) Reg { return op(Sel, c.negative, op(INeg, r), r) }
	down := op(INeg, t)
	dx := op(Sel, c.isZ, sign(s), op(Sel, c.isY, s, sign(m)))
	dy := op(Sel, c.isZ, down, op(Sel, c.isY, sign(m), down))
	dz := op(Sel, c.isZ, sign(m), op(Sel, c.isY, sign(t), op(INeg, sign(s))))
	// the face there
	most := func(r Reg) Reg { return op(IEq, op(IMax, r, op(INeg, r)), n) }
	to := &cube{sampler: c.sampler, isZ: most(dz), isY: most(dy)}
	axis := op(Sel, to.isZ, dz, op(Sel, to.isY, dy, dx))
	to.negative = op(ILt, axis, c.U(0))
	s, t, _ = to.turnBy(INeg, []Reg{dx, dy, dz})
	texel := func(r Reg) Reg { return op(ShrS, op(IAdd, r, op(ISub, n, one)), one) }
	slice := op(IAdd, first, to.number())
	return op(IAdd, op(IMul, op(IAdd, op(IMul, slice, n), texel(t)), n), texel(s))
}
