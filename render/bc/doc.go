// Package bc decodes the block-compressed texture formats BC1 to BC7 (Direct3D 11.3 functional
// specification, section 19.5), exactly as the specification's pseudo-code computes.
//
// # A block
//
// A block is 4x4 texels: 8 bytes of BC1 and BC4, 16 of the others, read as one little-endian number,
// whose lowest bits come first. Texels are in rows, left to right, top to bottom.
//
//	BC1   colours 5:6:5, 5:6:5, then 2 bits a texel
//	BC2   4 bits of alpha a texel, then a BC1 block of four colours
//	BC3   a BC4 block of alpha, then a BC1 block of four colours
//	BC4   values of 8 bits, 8 bits, then 3 bits a texel
//	BC5   two BC4 blocks: red, green
//	BC6H  mode, endpoints of half floats as bases and differences, partition, 3 or 4 bits a texel
//	BC7   one of eight modes: partition, rotation, endpoints, 2 to 4 bits a texel
//
// # Rounding
//
// BC6H and BC7 are integers. Of BC1 to BC3 the specification allows a tolerance: here the promoted
// endpoints are combined in integers and divided to nearest, a half upwards. BC4 and BC5 give the
// rational number rounded once to single. Blocks of reserved modes decode to what the specification
// says: BC6H to black, BC7 to zeros.
//
// # Invariants
//
// Every block decodes: there is no wrong one. No function allocates.
package bc

// Texels are the decoded texels of a block as bytes: red, green, blue, alpha.
type Texels [16][4]uint8
