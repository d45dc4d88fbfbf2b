// Package render is the fixed-function pipeline: it draws meshes with shaders into a picture, by
// writing the fixed function as IR around the shaders and letting an exec.Engine run that. It knows
// no instruction set and no engine; shaders come as ir.Programs with an ir.Interface.
//
// # Data flow
//
//		Mesh ──▶ vertex program ──▶ clip, snap, set up ──▶ records per tile ──▶ pixel program ──▶ tiles ──▶ Image
//		         program.go         clip.go, setup.go      renderer.go          program.go        renderer.go
//
//	  - The vertex program (a Linear one) fetches the inputs of the vertex shader from the mesh by
//	    semantic, calls it, and stores its outputs.
//	  - Go clips, snaps and culls the triangles in double precision and 64-bit integers, and writes for
//	    each 64x64 tile that a triangle touches a record: edge functions and planes relative to the tile.
//	  - The pixel program (a Tile one) runs once for each tile and draw: coverage, depth test, inputs by
//	    perspective planes, the pixel shader, blending, conversion, stores.
//
// NUMERICS.md beside this file states every rounding. Programs and kernels are kept by the shader's
// text and the state around it; constants, textures and targets are data in the arena.
//
// # Passes
//
// A frame is a list of passes, drawn one behind the other: each draws into up to eight colour targets
// and a depth buffer of one size (Pass, Attachment). Targets keep their content from frame to frame.
// BeginPicture is a frame of one pass into a picture.
//
//	shader ──▶ alpha test ──▶ stencil, depth ──▶ fog ──▶ blending or logic, write mask ──▶ format ──▶ Target
//	           output.go      stencil.go         fog.go  blend.go                          convert.go
//	                          (first, where nobody can tell)                                format.go
//
// All of it is part of the pixel program, so state that is off costs nothing. A Target is tiles of planes
// of words (target.go). Behind the last tile of a pass its samples are resolved (copy.go) and its targets
// become texels, where they are textures (readback.go):
//
//	shadow := &render.Target{Format: render.D24S8, Width: 512, Height: 512}
//	light := render.Clearing(shadow, 1, 0, 0, 0)
//	draw.Pixel.Textures = map[string]render.Texture{"s0": {Image: render.TargetImage(shadow)}}
//	err := r.Begin([]render.Pass{
//		{Depth: &light, Draws: casters},
//		{Colors: []render.Attachment{render.Clearing(picture, 0, 0, 0, 1)}, Draws: []render.Draw{draw}},
//	})
//
// # Textures
//
// An Image is the texels of a texture in any Format: of one picture, the faces of a cube, the slices
// of a volume, the layers of an array. When a frame first draws with it, it is decoded to one of three
// classes of texels (texel.go) and its mip levels are made if it has none (mips.go); the image keeps
// what the file held. A draw gives it a name and an ir.SamplerState, of which the format fills in its
// part.
//
//	m, err := render.ReadImage(data) // PNG, JPEG or DDS
//	m.SetSRGB()
//	draw.Pixel.Textures = map[string]render.Texture{"s0": {Image: m, Sampler: ir.SamplerState{Min: ir.Bilinear, Mag: ir.Bilinear}}}
//
// # A record
//
// Behind the box of pixels that package exec defines, which also ends at the edge of the target:
//
//	4..12   A, B, C of the three edges, 32-bit integers
//	13..15  plane of the depth: a pixel right, a pixel down, value at the tile's first pixel
//	16..18  plane of 1/w
//	19      +1 for front faces, -1 for back faces
//	20      number of the triangle in its mesh
//	21..    for each component of each input that the pixel shader reads: a plane, of v/w or of v
//	        without perspective; or one word, when flat
//
// # Conventions
//
// How APIs place pixels and depth is data, a Convention: D3D9, D3D10 (and later), GL, PICA.
//
//	                   Direct3D 9   Direct3D 10+   OpenGL, TGSI   PICA200
//	pixel centre       0            1/2            1/2            1/2
//	inside             0 <= z <= w  0 <= z <= w    -w <= z <= w   -w <= z <= 0
//	depth              z/w          z/w            z/w/2 + 1/2    -z/w
//	position input     x y 0 0      x+½ y+½ z w    x+½ y+½ z 1/w  the same
//	provoking vertex   first        first          last           last
//	depth bias counts  depth        least steps    least steps    least steps
//
// # Input
//
// A draw reads a Mesh, or an Input: streams of bytes, elements of many formats, indices with cuts,
// instances, and a topology that makes triangles, lines or points of them.
//
// # Shaders alone
//
// A draw may have one shader; VertexPartner and PixelPartner make the other from its interface.
//
// # Example
//
//	r := render.New(engine)
//	err := r.BeginPicture(256, 256, [4]float32{0, 0, 0, 1}, []render.Draw{{
//		Vertex: render.Stage{Float: render.Rows(matrix)}, // no shader: a partner that multiplies by c0 to c3
//		Pixel:  render.Stage{Shader: program},
//		Mesh:   render.NewMesh("teapot", 0),
//		State:  render.DefaultState,
//	}})
//	for !r.DrawTiles(4) {
//		// a slice of the frame is done
//	}
//	picture := r.Image()
package render
