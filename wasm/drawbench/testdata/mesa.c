// Draws a workload with Mesa, without a window: mesa VERT FRAG CORNERS INDICES TEXTURE DEPTH BLEND R G B A.
// CORNERS are pairs of floats, INDICES 16-bit numbers, three a triangle; TEXTURE is 256x256 RGBA8, or nothing. Prints the renderer, then answers
//
//	time SIZE MILLIS     the number of frames and the milliseconds
//	picture SIZE         the pixels: RGBA, rows from the bottom
//
// llvmpipe leaves out what a later opaque frame hides, so every frame is finished.
#include <EGL/egl.h>
#include <EGL/eglext.h>
#define GL_GLEXT_PROTOTYPES
#include <GLES2/gl2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void die(const char *what) {
	fprintf(stderr, "%s\n", what);
	exit(1);
}

static double now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

static char *slurp(const char *name, size_t *n) {
	char *s = calloc(1, 1 << 20);
	FILE *f = fopen(name, "rb");
	if (!f) die(name);
	*n = fread(s, 1, (1 << 20) - 1, f);
	fclose(f);
	return s;
}

static void attach(GLuint program, GLenum type, const char *name) {
	size_t n;
	const char *text = slurp(name, &n);
	GLuint s = glCreateShader(type);
	GLint ok;
	glShaderSource(s, 1, &text, NULL);
	glCompileShader(s);
	glGetShaderiv(s, GL_COMPILE_STATUS, &ok);
	if (!ok) die("a shader does not compile");
	glAttachShader(program, s);
}

static void target(int size) {
	static int current;
	if (size == current) return;
	current = size;
	GLuint f, d, t;
	glGenFramebuffers(1, &f);
	glBindFramebuffer(GL_FRAMEBUFFER, f);
	glActiveTexture(GL_TEXTURE1);
	glGenTextures(1, &t);
	glBindTexture(GL_TEXTURE_2D, t);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, size, size, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t, 0);
	glGenRenderbuffers(1, &d);
	glBindRenderbuffer(GL_RENDERBUFFER, d);
	glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT16, size, size);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, d);
	if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) die("framebuffer");
	glActiveTexture(GL_TEXTURE0);
	glViewport(0, 0, size, size);
}

static int indices;

static void frame(void) {
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
	glDrawElements(GL_TRIANGLES, indices, GL_UNSIGNED_SHORT, NULL);
	glFinish();
}

int main(int argc, char **argv) {
	if (argc != 12) die("arguments");
	PFNEGLGETPLATFORMDISPLAYEXTPROC display = (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
	if (!display) die("no eglGetPlatformDisplayEXT");
	EGLDisplay d = display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
	if (!eglInitialize(d, NULL, NULL)) die("eglInitialize");
	EGLint want[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT, EGL_NONE};
	EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
	EGLConfig config = NULL;
	EGLint n;
	eglChooseConfig(d, want, &config, 1, &n);
	eglBindAPI(EGL_OPENGL_ES_API);
	EGLContext c = eglCreateContext(d, config, EGL_NO_CONTEXT, version);
	if (!c || !eglMakeCurrent(d, EGL_NO_SURFACE, EGL_NO_SURFACE, c)) die("no context");
	printf("%s\n", glGetString(GL_RENDERER));
	fflush(stdout);

	GLuint program = glCreateProgram(), buffer, texture;
	attach(program, GL_VERTEX_SHADER, argv[1]);
	attach(program, GL_FRAGMENT_SHADER, argv[2]);
	glBindAttribLocation(program, 0, "corner");
	glLinkProgram(program);
	GLint ok;
	glGetProgramiv(program, GL_LINK_STATUS, &ok);
	if (!ok) die("the program does not link");
	glUseProgram(program);
	size_t size;
	char *bytes = slurp(argv[3], &size);
	glGenBuffers(1, &buffer);
	glBindBuffer(GL_ARRAY_BUFFER, buffer);
	glBufferData(GL_ARRAY_BUFFER, size, bytes, GL_STATIC_DRAW);
	glEnableVertexAttribArray(0);
	glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, 0);
	bytes = slurp(argv[4], &size);
	indices = size / 2;
	glGenBuffers(1, &buffer);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer);
	glBufferData(GL_ELEMENT_ARRAY_BUFFER, size, bytes, GL_STATIC_DRAW);
	bytes = slurp(argv[5], &size);
	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	if (size == 256 * 256 * 4) glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 256, 256, 0, GL_RGBA, GL_UNSIGNED_BYTE, bytes);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
	glDisable(GL_DITHER);
	if (!strcmp(argv[6], "true")) glEnable(GL_DEPTH_TEST);
	glDepthFunc(GL_LEQUAL);
	if (!strcmp(argv[7], "true")) glEnable(GL_BLEND);
	glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
	glClearColor(atof(argv[8]), atof(argv[9]), atof(argv[10]), atof(argv[11]));

	char line[100];
	int side, millis;
	while (fgets(line, sizeof line, stdin)) {
		if (sscanf(line, "time %d %d", &side, &millis) == 2) {
			target(side);
			glFinish();
			double began = now(), t;
			int frames = 0;
			do {
				frame();
				frames++;
				t = now() - began;
			} while (t < millis);
			printf("%d %g\n", frames, t);
		} else if (sscanf(line, "picture %d", &side) == 1) {
			target(side);
			frame();
			char *p = malloc(4 * side * side);
			glReadPixels(0, 0, side, side, GL_RGBA, GL_UNSIGNED_BYTE, p);
			if (glGetError()) die("OpenGL failed");
			fwrite(p, 1, 4 * side * side, stdout);
			free(p);
		}
		fflush(stdout);
	}
	return 0;
}
