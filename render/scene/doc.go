// Package scene is the project file of Swizzle, and what plays it.
//
// A scene is one text file, a txtar archive: scene.json, a member for each shader and texture, and
// lesson.md for the text beside it. A member whose bytes are not plain text (valid UTF-8 with a final
// newline, no carriage returns, no line that looks like a marker) is stored in base64 under its name
// plus ".base64".
//
//	-- scene.json --
//	{
//	  "version": 1,
//	  "title": "Orange quad",
//	  "textures": {"board": {"image": "checker", "size": 64}},
//	  "passes": [{"draws": [{
//	    "mesh": "quad",
//	    "ps": "ps.asm",
//	    "psConstants": [{"to": "c0", "value": [1, 0.5, 0.2, 1], "label": "Tint", "color": true}],
//	    "psTextures": [{"to": "s0", "texture": "board"}]
//	  }]}]
//	}
//	-- ps.asm --
//	ps_2_0
//	...
//
// # Keys of scene.json, version 1
//
// Every key may be left out; the value in parentheses then holds, for ever: a later version has a
// number of its own. A key that is not listed is an error.
//
//	version        1; the only key that must be there
//	title          ("")
//	size           width and height in pixels ([256, 256])
//	clear          colour of the empty target ([0.11, 0.12, 0.15, 1])
//	pixel          the selected pixel ([128, 128])
//	camera         yaw (30), pitch (20), distance (4), target ([0, 0, 0]), fov (40), near (0.1), far (100):
//	               degrees, world units; flat (false): the view is the identity, x and y are -1 to 1 and
//	               only scaled to keep the picture's shape
//	light          direction towards the light, in the world ([0.5, 0.8, 0.6])
//	textures       by name: image ("checker", a name of render.ImageNames), size (256), seed (0), or
//	               file (""): a PNG member
//	passes         one pass: draws, a list
//
// A draw has
//
//	mesh           a name of render.MeshNames ("quad")
//	detail         steps along curves (32)
//	vs, ps         names of the shader members (""): one may be missing, a partner is made for the other
//	scale          of the object ([1, 1, 1]), then
//	rotate         degrees around x, y, z in this order ([0, 0, 0]), then
//	spin           degrees a second around y (0), then
//	translate      ([0, 0, 0])
//	cull           none, cw, ccw ("ccw")
//	depth          never, less, equal, lessequal, greater, notequal, greaterequal, always ("lessequal")
//	depthWrite     (true)
//	blend          off, alpha, add ("off")
//	vsConstants, psConstants   lists of bindings
//	vsTextures, psTextures     lists of texture bindings
//
// A binding of constants has
//
//	to             a register (c0, i0, b0), the name of a constant in the shader's own table, or bump0: the bump
//	               matrix of texture stage 0 of ps_1_x, values [[M00, M01, M10, M11], [luminance scale, offset]]
//	value          one to four numbers ([]); b registers take 0 or 1
//	values         as many registers, from that one on ([])
//	from           what the scene computes ("")
//	inverse        the matrix inverted (false)
//	transpose      then rows and columns exchanged (false)
//	rows           registers that a matrix takes: 1 to 4 (4)
//	label          for a person ("")
//	min, max       range of a slider (0, 1)
//	color          shown as a colour (false)
//
// from is one of
//
//	world view projection worldview viewprojection worldviewprojection
//	               matrices, register i is row i: dp4 with it gives component i. HLSL compilers lay
//	               float4x4 out so by default
//	eye            the camera's place, in the world; eye-object in the object
//	light          towards the light, unit length; light-object in the object
//	time           seconds, their fraction, sine and cosine
//	size           width, height, 1/width, 1/height of the target in pixels
//	rotation       the object's rotation as a quaternion
//	bones          render.Bones matrices of rows registers each: the mesh sways, twisting around y
//
// All of these are rounded to 16 fractional bits; values are the nearest singles.
//
// A binding of textures has
//
//	to             a register (s0), or a name in the shader's table
//	texture        a key of textures
//	filter         nearest, linear ("linear"), mip none, nearest, linear ("linear")
//	address        wrap, clamp, mirror, border ("wrap"): for all coordinates
//	bias           added to the level of detail (0)
//
// # Links
//
// A link is "#v1=" and the base64url form, without padding, of the archive under deflate. Old links
// open for ever: tests hold links and what they decode to, never the encoder's bytes.
//
// # Playing
//
// A View compiles the shaders by a function that its caller supplies (Compile is the usual one), and
// draws with an engine. After a change of the Scene, Load it again: what did not change is kept.
//
//	s, err := scene.Parse(data)
//	v := scene.NewView(engine)
//	err = v.Load(s, scene.Compile)
//	picture, stats, err := v.Draw(seconds, 256, 256)
package scene
