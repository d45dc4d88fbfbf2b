package ir

// SampleKind says what a Sample or a Fetch reads, and so what operands it has behind x, y, z.
type SampleKind uint8

const (
	// Of Sample: how the level of detail comes about.
	SampleImplicit SampleKind = iota // from the quad's differences
	SampleBias                       // the same plus a bias: 1 operand
	SampleLevel                      // given: 1 operand
	SampleGrad                       // from given derivatives: dx/dx, dy/dx, dz/dx, dx/dy, dy/dy, dz/dy
	SampleLOD                        // reads no texel: the level of detail, clamped and as computed, 0, 0

	// Of Fetch.
	FetchTexel        // texel of integers x, y, z of a level: 1 operand, an integer
	FetchGather       // one component of the four texels that Bilinear would filter in level 0: left bottom, right bottom, right top, left top
	FetchGatherOffset // the same away by texels along x and y: 2 operands, integers, of which 6 bits count
)

// kindOperands is the number of operands behind the coordinates.
var kindOperands = [...]int{SampleBias: 1, SampleLevel: 1, SampleGrad: 6, FetchTexel: 1, FetchGather: 0, FetchGatherOffset: 2}

// A SampleSite is what the Imm of a Sample or Fetch says.
//
// Operands are x, y, z, whatever the texture has of them; the layer, if Layer; the reference, if
// Compare; then those of the kind.
type SampleSite struct {
	Resource  int
	Kind      SampleKind
	Layer     bool    // a layer is given: a float of Sample and gather, an integer of FetchTexel
	Compare   bool    // each texel's red is compared, 1 or 0 takes its place; all four components are that
	Offset    [3]int8 // texels, -8..7, added along the axes before the address modes
	Component uint8   // of a gather
}

// Imm packs a site: resource, kind, flags, component, offsets of 4 bits, lowest first.
func (s SampleSite) Imm() uint64 {
	imm := uint64(uint32(s.Resource)) | uint64(s.Kind)<<32 | uint64(s.Component&3)<<42
	if s.Layer {
		imm |= 1 << 40
	}
	if s.Compare {
		imm |= 1 << 41
	}
	for i, o := range s.Offset {
		imm |= uint64(o&15) << (44 + 4*i)
	}
	return imm
}

// SampleSiteOf unpacks the Imm of a Sample or Fetch.
func SampleSiteOf(imm uint64) SampleSite {
	s := SampleSite{Resource: int(uint32(imm)), Kind: SampleKind(imm >> 32), Layer: imm>>40&1 != 0, Compare: imm>>41&1 != 0, Component: uint8(imm>>42) & 3}
	for i := range s.Offset {
		s.Offset[i] = int8(imm>>(44+4*i)<<4) >> 4
	}
	return s
}

// Operands is the number of operands of a site.
func (s SampleSite) Operands() int {
	n := s.extra()
	if int(s.Kind) < len(kindOperands) {
		n += kindOperands[s.Kind]
	}
	return n
}

// reference is the number of the operand to compare with.
func (s SampleSite) reference() int {
	if s.Layer {
		return 4
	}
	return 3
}

// extra is the number of the first operand that belongs to the kind.
func (s SampleSite) extra() int {
	if s.Compare {
		return s.reference() + 1
	}
	return s.reference()
}

// fits reports whether op may have sites like s.
func (s SampleSite) fits(op Op, imm uint64) bool {
	if s.Imm() != imm || s.Kind > FetchGatherOffset || op == Fetch != (s.Kind >= FetchTexel) {
		return false
	}
	return !(s.Compare && (s.Kind == SampleLOD || s.Kind == FetchTexel)) && (s.Component == 0 || s.Kind >= FetchGather && !s.Compare)
}

// SampleImm packs the Imm of a plain Sample.
func SampleImm(resource int, kind SampleKind) uint64 {
	return SampleSite{Resource: resource, Kind: kind}.Imm()
}
