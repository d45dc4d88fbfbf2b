// The bench page: it lets WebGL and the engines, in one Worker or more, take turns with one workload.
"use strict";

// What is drawn: {scene, vert, frag, depth, blend, clear, corners, indices, texture}, the last in base64.
let work, gl, program;
const workers = [];
const targets = {};
const pixel = new Uint8Array(4);
let fresh = 0; // shaders so far that were used once

async function start(w, count) {
  work = w;
  for (let i = 0; i < count; i++) {
    const worker = workers[i] = new Worker("drawer.js");
    await new Promise((ready, failed) => { worker.onmessage = ready; worker.onerror = (e) => failed(e.message); });
  }
  gl = document.createElement("canvas").getContext("webgl", {antialias: false, depth: false});
  if (!gl) throw new Error("no WebGL");
  program = link(work.frag);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  // The mesh of package render.
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(work.corners), gl.STATIC_DRAW);
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint16Array(work.indices), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  gl.disable(gl.DITHER);
  if (work.depth) gl.enable(gl.DEPTH_TEST);
  gl.depthFunc(gl.LEQUAL);
  if (work.blend) gl.enable(gl.BLEND);
  gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
  gl.clearColor(...work.clear);
  if (work.texture) {
    const side = work.side, bytes = Uint8Array.from(atob(work.texture), (c) => c.charCodeAt(0));
    gl.bindTexture(gl.TEXTURE_2D, work.image = gl.createTexture());
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, side, side, 0, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
  }
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  return gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER);
}

function link(frag) {
  const p = gl.createProgram();
  for (const [type, text] of [[gl.VERTEX_SHADER, work.vert], [gl.FRAGMENT_SHADER, frag]]) {
    const s = gl.createShader(type);
    gl.shaderSource(s, text);
    gl.compileShader(s);
    if (!gl.getShaderParameter(s, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(s));
    gl.attachShader(p, s);
  }
  gl.bindAttribLocation(p, 0, "corner");
  gl.linkProgram(p);
  if (!gl.getProgramParameter(p, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(p));
  return p;
}

// target makes a framebuffer of RGBA8 with depth the current one.
function target(size) {
  if (!targets[size]) {
    const f = targets[size] = gl.createFramebuffer(), t = gl.createTexture(), d = gl.createRenderbuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, f);
    gl.bindTexture(gl.TEXTURE_2D, t);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, size, size, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, t, 0);
    gl.bindRenderbuffer(gl.RENDERBUFFER, d);
    gl.renderbufferStorage(gl.RENDERBUFFER, gl.DEPTH_COMPONENT16, size, size);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, d);
    if (gl.checkFramebufferStatus(gl.FRAMEBUFFER) !== gl.FRAMEBUFFER_COMPLETE) throw new Error("framebuffer");
    gl.bindTexture(gl.TEXTURE_2D, work.image || null);
  }
  gl.bindFramebuffer(gl.FRAMEBUFFER, targets[size]);
  gl.viewport(0, 0, size, size);
}

function frame() {
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  gl.drawElements(gl.TRIANGLES, work.indices.length, gl.UNSIGNED_SHORT, 0);
}

// finish waits until all that was asked for is drawn.
function finish() { gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel); }

// ask gives the answer of a worker that draws one of so many parts.
function ask(part, parts, message) {
  const worker = workers[part];
  return new Promise((done, failed) => {
    worker.onmessage = ({data}) => data.error ? failed(new Error(data.error)) : done(data);
    worker.onerror = (e) => failed(new Error(e.message));
    worker.postMessage({part, parts, frames: 1, ...message});
  });
}

function base64(bytes) {
  let s = "";
  for (let i = 0; i < bytes.length; i += 0x8000) s += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(s);
}

// pictures gives what each engine and WebGL draw: RGBA in base64, of WebGL rows from the bottom.
async function pictures(engines, size) {
  const out = [];
  for (const engine of engines) {
    const whole = (await ask(0, 1, {op: "picture", engine, scene: work.scene, size})).pixels;
    out.push(base64(whole));
    // The picture that all workers draw, each its rows of tiles.
    const band = 4 * 64 * size, put = new Uint8Array(whole.length);
    for (let i = 0; i < workers.length; i++) {
      const {pixels} = await ask(i, workers.length, {op: "picture", engine, scene: work.scene, size});
      for (let y = i; y * band < pixels.length; y += workers.length) put.set(pixels.subarray(y * band, (y + 1) * band), y * band);
    }
    out.push(base64(put));
  }
  gl.useProgram(program);
  target(size);
  frame();
  const bytes = new Uint8Array(4 * size * size);
  gl.readPixels(0, 0, size, size, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
  if (gl.getError() !== gl.NO_ERROR) throw new Error("WebGL failed");
  out.push(base64(bytes));
  return out;
}

// engineTime draws for millis with an engine on so many workers, which wait for one another behind every fourth frame,
// and gives the number of frames and the milliseconds.
async function engineTime(engine, count, size, millis) {
  const each = 4, began = performance.now();
  for (let frames = each; ; frames += each) {
    const parts = [];
    for (let i = 0; i < count; i++) parts.push(ask(i, count, {op: "draw", engine, scene: work.scene, size, frames: each}));
    await Promise.all(parts);
    const t = performance.now() - began;
    if (t >= millis) return [frames, t];
  }
}

// glTime does so with WebGL, with so many frames for each readback.
function glTime(size, millis, each) {
  gl.useProgram(program);
  target(size);
  finish();
  const began = performance.now();
  for (let frames = each; ; frames += each) {
    for (let i = 0; i < each; i++) frame();
    finish();
    const t = performance.now() - began;
    if (t >= millis) return [frames, t];
  }
}

// firsts measures from a new text to a finished picture of size x size pixels, in milliseconds, taking turns;
// scenes and frags are each used once. Without frags it measures the engine alone.
async function firsts(engine, size, scenes, frags) {
  const times = [[], []];
  for (let i = 0; i < scenes.length; i++) {
    times[0].push((await ask(0, 1, {op: "first", engine, scene: scenes[i], size, number: ++fresh})).millis);
    if (!frags) continue;
    target(size);
    finish();
    const began = performance.now();
    const p = link(frags[i]);
    gl.useProgram(p);
    frame();
    finish();
    times[1].push(performance.now() - began);
    gl.deleteProgram(p);
  }
  return times;
}
