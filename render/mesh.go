package render

import (
	"encoding/binary"
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// A Vertex holds every attribute that meshes have; all singles with 16 fractional bits.
type Vertex struct {
	Position     [4]float32
	Normal       [4]float32
	Tangent      [4]float32 // w is the handedness of the tangent frame
	Binormal     [4]float32
	TexCoord     [4]float32
	Color        [4]float32
	BlendWeight  [4]float32
	BlendIndices [4]float32
}

// attributes are the mesh's semantics in the order of Vertex, four words each in memory.
var attributes = []string{"POSITION", "NORMAL", "TANGENT", "BINORMAL", "TEXCOORD", "COLOR", "BLENDWEIGHT", "BLENDINDICES"}

// vertexWords is the length of a vertex in memory.
var vertexWords = 4 * len(attributes)

// attribute gives the number of the mesh's attribute with this semantic, or -1.
func attribute(semantic string, index int) int {
	if index == 0 {
		for i, a := range attributes {
			if a == semantic {
				return i
			}
		}
	}
	return -1
}

// append writes v as it lies in memory.
func (v *Vertex) append(out []byte) []byte {
	for _, a := range [...]*[4]float32{&v.Position, &v.Normal, &v.Tangent, &v.Binormal, &v.TexCoord, &v.Color, &v.BlendWeight, &v.BlendIndices} {
		for _, f := range a {
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(f))
		}
	}
	return out
}

// input gives the mesh as an Input.
func (m *Mesh) input() *Input {
	in := &Input{Indices: m.Indices}
	if in.Indices == nil {
		in.Indices = []uint32{}
	}
	for i, a := range attributes {
		in.Elements = append(in.Elements, InputElement{Semantic: a, Offset: uint32(16 * i), Format: VertexFormat{Kind: Float, Bits: 32, Comps: 4}})
	}
	var data []byte
	for i := range m.Vertices {
		data = m.Vertices[i].append(data)
	}
	in.Streams = []Stream{{Buffer: &Buffer{Data: data}, Stride: uint32(4 * vertexWords)}}
	return in
}

// A Mesh is a list of triangles, clockwise seen from outside.
type Mesh struct {
	Vertices []Vertex
	Indices  []uint32 // three for each triangle
}

// Round16 gives the single with 16 fractional bits nearest to v.
func Round16(v float64) float32 { return float32(math.RoundToEven(v*65536) / 65536) }

func round3(v mgl64.Vec3, w float64) [4]float32 {
	return [4]float32{Round16(v[0]), Round16(v[1]), Round16(v[2]), Round16(w)}
}
