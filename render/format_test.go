package render

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"swizzle/internal/jittest"
	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/interp"
	"swizzle/shaderkit/ir"
)

// unpacked evaluates the code that reads a pixel.
func unpacked(f Format, words [4]uint32) (colour Vec) {
	n := f.row().words
	b := ir.NewBuilder("unpack", ir.C32s(n), nil)
	c := converter{b: b, table: b.U(0)}
	copy(colour[:], evaluate(b.Finish(c.read(f, b.Func.Params)...), words[:n]...))
	return
}

// What is read from a pixel and stored again is what it was: 11.3 19.1.2. All fields of up to 16 bits.
func TestFormatsInvert(t *testing.T) {
	for f := range numFormats {
		row := f.row()
		if row.words == 0 {
			continue
		}
		widest := 0
		for _, c := range row.channels {
			widest = max(widest, int(c.bits))
		}
		step := max(1, 1<<widest/4096) // every value of the small ones
		for v := uint64(0); v < 1<<widest; v += uint64(step) {
			var words [4]uint32
			row.fields(func(c channel, word, shift int) {
				words[word] |= uint32((v*2654435761>>3^v)&(1<<c.bits-1)) << shift
				if c.bits <= 16 {
					words[word] &^= uint32(1<<c.bits-1) << shift
					words[word] |= uint32(v&(1<<c.bits-1)) << shift
				}
			})
			colour := unpacked(f, words)
			if z := math.Float32frombits(colour[0]); row.depth && !(0 <= z && z <= 1) {
				continue // no depth
			}
			again := f.Pack(colour)
			want := words
			row.fields(func(c channel, word, shift int) {
				mask := uint32(1<<c.bits - 1)
				field := words[word] >> shift & mask
				switch k := row.kindOf(c); {
				case k == snorm && field == mask/2+1: // the other -1
					field++
				case k == float && c.bits < 32: // the other NaNs
					m := int(c.bits) - 5
					if c.bits == 16 {
						m--
					}
					if inf := uint32(31 << m); field&(1<<(m+5)-1) > inf {
						field = inf | 1<<(m-1)
					}
				}
				want[word] = want[word]&^(mask<<shift) | field<<shift
			})
			if again != want {
				t.Fatalf("%s: %08X reads %08X, stored again %08X", f, words, colour, again)
			}
		}
	}
}

// Fields of normalised formats lie within 0.6 of the value, as 11.3 3.2.3.4 and 3.2.3.6 allow, and depths
// as close; they never fall while the value grows.
func TestFormatsAreAccurate(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	for f := range numFormats {
		row := f.row()
		if row.words == 0 || row.kind != unorm && row.kind != snorm {
			continue
		}
		var last [4]uint32
		lo := float32(0)
		if row.kind == snorm {
			lo = -1
		}
		values := []float32{lo, 1}
		for range 300 {
			values = append(values, lo+(1-lo)*r.Float32())
		}
		slices.Sort(values)
		for i, v := range values {
			words := f.Pack(FloatVec(v, v, v, v))
			row.fields(func(c channel, word, shift int) {
				if row.depth && c.comp == 1 {
					return
				}
				bits := int(c.bits)
				field := words[word] >> shift & uint32(1<<bits-1)
				max, got := int64(1)<<bits-1, int64(field)
				if row.kind == snorm {
					max, got = max/2, int64(int32(field<<(32-bits))>>(32-bits))
				}
				d := new(big.Rat).Mul(new(big.Rat).SetFloat64(float64(v)), big.NewRat(max, 1))
				d.Sub(d, big.NewRat(got, 1))
				if d.Abs(d).Cmp(big.NewRat(6, 10)) > 0 {
					t.Errorf("%s: %v is stored as %d, %v away", f, v, got, d.FloatString(4))
				}
				if before := int64(int32(last[c.comp])); i > 0 && got < before {
					t.Errorf("%s: %v is stored as %d, less than %d before", f, v, got, before)
				}
				last[c.comp] = uint32(got)
			})
		}
	}
}

// Small floats are the largest of their kind that is not farther from zero: 11.3 3.2.2, by the values of
// all of them.
func TestSmallFloatsAreCut(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 7))
	for _, f := range []Format{R16F, R11G11B10F} {
		f.row().fields(func(c channel, word, shift int) {
			m := int(c.bits) - 5
			if c.bits == 16 {
				m--
			}
			var values []float64 // of the fields from 0 on, without sign
			for field := range 31 << m {
				e, fraction := field>>m, float64(field&(1<<m-1))/float64(int(1)<<m)
				if e == 0 {
					values = append(values, math.Ldexp(fraction, -14))
				} else {
					values = append(values, math.Ldexp(1+fraction, e-15))
				}
			}
			for range 2000 {
				bits := r.Uint32() & 0x7FFFFFFF
				if r.IntN(4) > 0 { // mostly within their range
					bits = bits%0x10000000 + 0x37000000
				}
				v := float64(math.Float32frombits(bits))
				if v != v || math.IsInf(v, 0) {
					continue
				}
				want, found := slices.BinarySearch(values, v)
				if !found {
					want--
				}
				var colour Vec
				colour[c.comp] = bits
				if got := f.Pack(colour)[word] >> shift & uint32(1<<c.bits-1); int(got) != want {
					t.Fatalf("%s: %v is stored as %X, want %X", f, v, got, want)
				}
			}
		})
	}
}

// What a shader stores is what a clear colour stores, on every engine, in every format.
func TestShadersStoreAsClears(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	special := []uint32{0, 1 << 31, 0x7F800000, 0xFF800000, 0x7FC00000, 1, 0x3F800000, 0xBF800000, 0x3F000000, 0x7F7FFFFF}
	for _, e := range []exec.Engine{interp.New(), jittest.New(t)} {
		t.Run(e.Name(), func(t *testing.T) {
			renderer := New(e)
			for f := range numFormats {
				if f.row().words == 0 || f.IsDepth() {
					continue
				}
				target := &Target{Format: f, Width: 8, Height: 8}
				d := solid{colors: make([]Vec, 1)}
				draw := Draw{Vertex: Stage{Float: identity}, Pixel: Stage{Shader: d.program()}, Mesh: pixelRect([4]float32{0, 0, 8, 8}, 0, 8, 8), State: flatState}
				for i := range 24 {
					var c Vec
					for k := range c {
						if c[k] = math.Float32bits(r.Float32()*2.5 - 1.25); i%3 == 0 {
							c[k] = special[r.IntN(len(special))]
						}
					}
					draw.Pixel.Float = []Vec{c}
					if err := renderer.Begin([]Pass{{Colors: []Attachment{{Target: target}}, Draws: []Draw{draw}}}); err != nil {
						t.Fatal(err)
					}
					renderer.DrawTiles(1)
					if got, want := renderer.Texel(target, 3, 5, 0), f.Pack(c); got != want {
						t.Errorf("%s: %08X is stored as %08X, as a clear colour %08X", f, c, got, want)
					}
				}
			}
		})
	}
}
