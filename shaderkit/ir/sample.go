package ir

// SampleKind says how the level of detail of a Sample comes about.
type SampleKind uint8

const (
	SampleImplicit SampleKind = iota // from the quad's differences; operands x, y, z
	SampleBias                       // the same plus a bias; operands x, y, z, bias
	SampleLevel                      // given; operands x, y, z, level
	SampleGrad                       // from given derivatives; operands x, y, z, dx/dx, dy/dx, dz/dx, dx/dy, dy/dy, dz/dy
)

// SampleImm packs the Imm of a Sample.
func SampleImm(resource int, kind SampleKind) uint64 { return uint64(resource) | uint64(kind)<<32 }

// SampleOf unpacks the Imm of a Sample.
func SampleOf(imm uint64) (resource int, kind SampleKind) {
	return int(uint32(imm)), SampleKind(imm >> 32)
}
