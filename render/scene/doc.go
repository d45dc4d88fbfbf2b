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
//	lightSize      what the light sees: so far from the middle of the world to each side (3)
//	textures       by name: image ("checker", a name of render.ImageNames), size (256), seed (0), or
//	               file (""): a PNG, JPEG or DDS member; or target (""): what a target of the scene holds, from an
//	               earlier pass or, in a pass that draws into it, from before that pass, with mip levels where the
//	               sampler reads them; srgb (false): the colours of an image or a file are sRGB, made linear where
//	               they are read
//	targets        by name, what passes draw into besides the picture: format ("rgba8"; a name of
//	               render.TargetFormatNames), size ([0, 0]: of the picture) or scale, times the picture (1), samples a pixel, 1 or 4 (1)
//	passes         what is drawn, one behind the other ([]: the clear colour)
//	samples        of a pixel of the picture, 1 or 4 (1); the picture then is their mean
//	rate           frames a second (0: a frame for each picture). With a rate the picture at a time is that of
//	               the last of the frames at 0, 1/rate, 2/rate …, drawn one after the other; so a frame may build
//	               on the one before and every program shows the same. At most 600 frames lead to a picture
//
// A pass has
//
//	colors         its colour targets by number, at most 8: target (""), load (false), clear ([]), resolve ("":
//	               a target of one sample that gets the mean of the samples). The target ""
//	               is the picture, an RGBA8 target; [] is [{}] where depth names no target, else none
//	depth          its depth buffer: target (""), load (false), clear ([1, 0]: depth and stencil). "" is a D32F
//	               buffer of the pass's size, which passes of that size share; "none" is none
//	draws          a list ([])
//
// load keeps what a target holds, from an earlier pass or from the frame before; else it is cleared: to
// clear, the picture without one to the scene's, other targets to 0. What a target holds at first is 0.
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
//	fill           solid, wireframe, vertices ("solid"); lines aliased, quads ("aliased"); pointSize (0: 1), sprite (false)
//	frontCCW       counter-clockwise faces are front faces (false)
//	bias           added to depth: constant, times slope, at most ([0, 0, 0])
//	depthClip      cut at the near and far plane (true)
//	viewport       left, top, width, height in parts of the target, least and greatest depth ([0, 0, 1, 1, 0, 1])
//	scissor        left, top, right, bottom in parts of the target, on whole pixels ([0, 0, 1, 1])
//	planes         clip planes in clip space, four numbers each ([])
//	api            whose pixel centres and depths: d3d9, d3d10, gl, pica ("d3d9")
//	blend          off, alpha, add ("off"), for all targets but those of
//	outputs        by number of the target: blend ("equation"; off, alpha, add), src ("one"), op ("add"), dst ("zero"),
//	               srcAlpha, opAlpha, dstAlpha ("": as for colour), write ("rgba": the components that are written)
//	blendFactor    of the factors that name it ([1, 1, 1, 1])
//	logic          a name of render.LogicNames ("off"), in place of blending
//	stencil        on (false), front and back: func ("always"), fail, depthFail, pass ("keep"), read, write (255), ref (0)
//	alphaTest      as depth ("always"), against alphaRef (0)
//	fog            mode off, vertex, linear, exp, exp2 ("off"), w (false), start (0), end (1), density (1), color ([0, 0, 0])
//	srgbWrite      targets that have an sRGB format are written as that (false)
//	alphaToCoverage  alpha says how many samples are covered (false)
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
//	lightviewprojection lightworldviewprojection
//	               the same, seen from the light without perspective: lightSize to each side
//	eye            the camera's place, in the world; eye-object in the object
//	light          towards the light, unit length; light-object in the object
//	time           seconds, their fraction, sine and cosine
//	size           width, height, 1/width, 1/height of the pass's targets in pixels
//	rotation       the object's rotation as a quaternion
//	bones          render.Bones matrices of rows registers each: the mesh sways, twisting around y
//
// All of these are rounded to 16 fractional bits; values are the nearest singles.
//
// A binding of textures has
//
//	to             a register (s0), or a name in the shader's table
//	texture        a key of textures
//	filter         nearest, linear ("linear"), mag the same where texels are larger than pixels ("": as filter)
//	mip            none, nearest, linear ("linear")
//	aniso          most places of an anisotropic filter, up to 16 (0: isotropic)
//	address        wrap, clamp, mirror, border, mirroronce ("wrap"): for all coordinates but those of
//	               addressU, addressV, addressW ("")
//	border         the colour outside ([0, 0, 0, 0])
//	bias           added to the level of detail (0)
//	lod            the least and the most of it ([]: all)
//	seamless       filters of cubes go across the edges of faces (false, as in Direct3D 9)
//	compare        as depth (""): what is read is 1 where the third coordinate compares so with red, else 0
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
//
// A Mode shows something else of the same frame: edges, depth, how often pixels are drawn, what they
// cost, a value of the vertices, colours that are no numbers (mode.go).
package scene
