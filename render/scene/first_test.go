package scene_test

import (
	"encoding/binary"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"swizzle/internal/jittest"
	"swizzle/render/scene"
	"swizzle/shaderkit/ir"
)

// BenchmarkFirst takes a shader that has not been seen to its first 64x64 pixels: each pixel shader has
// another number as its first constant.
func BenchmarkFirst(b *testing.B) {
	for _, file := range gallery(b) {
		b.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(b *testing.B) {
			v := scene.NewView(jittest.New(b))
			n := uint32(0)
			compile := func(s scene.Source) (*scene.Shader, error) {
				sh, err := scene.Compile(s)
				if err == nil && s.Stage == ir.Pixel {
					done := false
					sh.Program.Funcs[0].Body.Walk(func(in *ir.Inst) {
						if in.Op == ir.Const && !done {
							in.Imm, done = in.Imm^uint64(n), true
						}
					})
				}
				return sh, err
			}
			for b.Loop() {
				n++
				s := parse(b, file)
				comment(s.File(s.First().PS), n)
				if err := v.Load(s, compile); err != nil {
					b.Fatal(err)
				}
				if _, stats, err := v.Draw(1, 64, 64); err != nil || stats.Compiled == 0 {
					b.Fatal(stats, err)
				}
			}
		})
	}
}

// comment adds a comment to a shader, of Direct3D 9 where it is binary.
func comment(f *scene.File, n uint32) {
	if f.Data[len(f.Data)-1] == '\n' {
		f.Data = fmt.Appendf(f.Data, "// %d\n", n)
		return
	}
	words := binary.LittleEndian.AppendUint32([]byte{0xFE, 0xFF, 1, 0}, n)
	f.Data = append(append(f.Data[:4:4], words...), f.Data[4:]...)
}
