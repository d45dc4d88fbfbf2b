package ir

import "testing"

// expandAll gives a program with one site per kind and state, twice each, and its macro functions.
func expandAll(states []SamplerState) (p *Program, macros int) {
	p = &Program{Kind: Linear, Samplers: states}
	b := NewBuilder("entry", nil, nil)
	x := b.Emit(Item, 0)
	for range 2 {
		for r := range states {
			for kind := SampleImplicit; kind <= SampleGrad; kind++ {
				args := make([]Reg, SampleSite{Kind: kind}.Operands())
				for i := range args {
					args[i] = x
				}
				b.If(x)
				for _, c := range b.EmitN(Sample, SampleImm(r, kind), args...) {
					b.Emit(Store, 0, x, x, c)
				}
				b.EndIf()
			}
		}
	}
	b.Emit(Store, 0, x, x, b.Emit(Edges, 4, x, x))
	b.Emit(Store, 0, x, x, b.Emit(Plane, 4, x, x))
	c := b.EmitN(Unpack8, 0, x)
	b.Emit(Store, 0, x, x, b.Emit(Pack8, 0, c...))
	p.Funcs = []*Func{b.Finish()}
	ExpandMacros(p)
	for _, f := range p.Funcs {
		if f.Macro {
			macros++
		}
	}
	return p, macros
}

func allSamplers() (all []SamplerState) {
	for dim := Dim2D; dim <= Dim1D; dim++ {
		for format := RGBA8; format <= RGBA32F; format++ {
			for mip := MipNone; mip <= MipLinear; mip++ {
				for filters := range Filter(4) {
					for mode := Wrap; mode <= Border; mode++ {
						all = append(all, SamplerState{Bound: true, Dim: dim, Format: format, Mip: mip,
							Min: filters & 1, Mag: filters >> 1, U: mode, V: (mode + 1) & 3, W: mode})
					}
				}
			}
		}
	}
	return all
}

func TestExpandMacrosLeavesNone(t *testing.T) {
	states := allSamplers()
	p, macros := expandAll(states)
	if want := 4 * len(states); macros != want {
		t.Errorf("%d functions for %d pairs of state and kind", macros, want)
	}
	for _, f := range p.Funcs {
		seen := make([]bool, len(f.Class))
		f.Body.Walk(func(in *Inst) {
			switch in.Op {
			case Edges, Plane, Sample, Fetch, Pack8, Unpack8:
				t.Errorf("%s: %v is left", f.Name, in.Op)
			case Call:
				if callee := p.Funcs[in.Imm]; len(in.Args) != len(callee.Params) {
					t.Errorf("%s: call of %s with %d operands, not %d", f.Name, callee.Name, len(in.Args), len(callee.Params))
				}
			}
			for i := range in.N {
				seen[in.Dst+Reg(i)] = true
			}
		})
		for _, r := range f.Params {
			seen[r] = true
		}
		f.Body.Walk(func(in *Inst) {
			for _, r := range in.Args {
				if !seen[r] {
					t.Fatalf("%s: %v reads register %d, which nothing gives", f.Name, in.Op, r)
				}
			}
		})
	}
}

func TestUnboundSampleIsConstant(t *testing.T) {
	one := uint32(0x3F800000)
	p, macros := expandAll([]SamplerState{{Unbound: [4]uint32{3: one}}})
	if macros != 0 {
		t.Errorf("%d functions for an unbound sampler", macros)
	}
	ones := 0
	p.Funcs[0].Body.Walk(func(in *Inst) {
		if in.Op == Const && in.Imm == uint64(one) {
			ones++
		}
	})
	if sites := 8; ones < sites {
		t.Errorf("alpha is 1 at %d of %d sites", ones, sites)
	}
}

// TestSiteText: every property of samplers and sites is written and read back.
func TestSiteText(t *testing.T) {
	b := NewBuilder("main", nil, nil)
	x := b.F(0)
	sites := []SampleSite{
		{Kind: SampleGrad, Layer: true, Compare: true, Offset: [3]int8{-8, 7, 0}},
		{Kind: FetchTexel, Offset: [3]int8{0, 0, -1}},
		{Kind: FetchGatherOffset, Component: 3},
	}
	for _, s := range sites {
		op := Sample
		if s.Kind >= FetchTexel {
			op = Fetch
		}
		args := make([]Reg, s.Operands())
		for i := range args {
			args[i] = x
		}
		b.EmitN(op, s.Imm(), args...)
	}
	p := &Program{Name: "all", Kind: Linear, Funcs: []*Func{b.Finish()},
		Interface: Interface{Resources: []Resource{{Name: "t0", Kind: Texture, Dim: DimCubeArray}}},
		Samplers: []SamplerState{{Dim: DimCubeArray, Format: R32F, U: MirrorOnce, LODRange: true, MinLOD: -1, MaxLOD: 3, Seamless: true,
			Compare: GreaterEqual, Aniso: 16, CompareZ: true, Ones: 6, RefBits: 24, Outside: [4]uint32{3: 1}}}}
	if err := p.Verify(); err != nil {
		t.Fatal(err)
	}
	q, list := Parse(p.String())
	if len(list) > 0 || q.String() != p.String() || q.Samplers[0] != p.Samplers[0] {
		t.Fatalf("%v\n%s\n%s", list, p, q)
	}
	for i, in := range q.Funcs[0].Body.Insts[1:4] {
		if got := SampleSiteOf(in.Imm); got != sites[i] {
			t.Errorf("%+v, want %+v", got, sites[i])
		}
	}
}
