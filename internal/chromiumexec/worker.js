// Runs a Go program in a Worker of Chromium with the part of Node's fs that tests need: reading files
// of the machine, by requests that wait, writing to standard output and whole files for temporary use.
"use strict";

const error = (code) => Object.assign(new Error(code), { code });
const ask = (path) => {
  const r = new XMLHttpRequest();
  r.open("GET", "/file?path=" + encodeURIComponent(path), false);
  r.responseType = "arraybuffer";
  r.send();
  if (r.status !== 200) throw error("ENOENT");
  return { kind: r.getResponseHeader("Swizzle-Kind"), data: new Uint8Array(r.response) };
};
const attempt = (callback, f) => {
  let result;
  try {
    result = f();
  } catch (e) {
    callback(e.code ? e : error("EIO"));
    return;
  }
  callback(null, result);
};
const send = (address, body) => {
  const r = new XMLHttpRequest();
  r.open("POST", address, false);
  r.send(body);
  if (r.status !== 200) throw error("EPERM");
};
const open = new Map();
let next = 10;
const stat = ({ kind, data }) => ({
  dev: 0, ino: 0, mode: kind === "folder" ? 0o040755 : 0o100644, nlink: 1, uid: 0, gid: 0, rdev: 0,
  size: data.length, blksize: 4096, blocks: 0, atimeMs: 0, mtimeMs: 0, ctimeMs: 0,
  isDirectory: () => kind === "folder",
});
const refuse = (...args) => args.at(-1)(error("EPERM"));

globalThis.fs = {
  constants: { O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_TRUNC: 512, O_APPEND: 1024, O_EXCL: 128, O_DIRECTORY: 65536 },
  writeSync(fd, buf) {
    send("/out?fd=" + fd, buf.slice());
    return buf.length;
  },
  write(fd, buf, offset, length, position, callback) {
    attempt(callback, () => {
      const part = buf.subarray(offset, offset + length);
      const f = open.get(fd);
      if (!f) return this.writeSync(fd, part);
      f.written.push(part.slice());
      return length;
    });
  },
  open(path, flags, mode, callback) {
    attempt(callback, () => {
      open.set(next, flags & 3 ? { path, written: [], kind: "file", data: "" } : { ...ask(path), at: 0 });
      return next++;
    });
  },
  read(fd, buffer, offset, length, position, callback) {
    attempt(callback, () => {
      const f = open.get(fd);
      if (!f) throw error("EBADF");
      const from = position ?? f.at;
      const part = f.data.subarray(from, from + length);
      buffer.set(part, offset);
      if (position === null) f.at += part.length;
      return part.length;
    });
  },
  close(fd, callback) {
    attempt(callback, () => {
      const f = open.get(fd);
      open.delete(fd);
      if (f?.written) send("/write?path=" + encodeURIComponent(f.path), new Blob(f.written));
    });
  },
  stat(path, callback) { attempt(callback, () => stat(ask(path))); },
  lstat(path, callback) { attempt(callback, () => stat(ask(path))); },
  fstat(fd, callback) { attempt(callback, () => (open.has(fd) ? stat(open.get(fd)) : stat({ kind: "file", data: "" }))); },
  readdir(path, callback) { attempt(callback, () => JSON.parse(new TextDecoder().decode(ask(path).data))); },
  fsync(fd, callback) { callback(null); },
  chmod: refuse, chown: refuse, fchmod: refuse, fchown: refuse, ftruncate: refuse, lchown: refuse, link: refuse,
  mkdir(path, mode, callback) { attempt(callback, () => send("/mkdir?path=" + encodeURIComponent(path), "")); },
  readlink: refuse, rename: refuse, rmdir: refuse, symlink: refuse, truncate: refuse, unlink: refuse, utimes: refuse,
};

(async () => {
  const { args, env, folder } = await (await fetch("/start")).json();
  globalThis.process = {
    getuid: () => -1, getgid: () => -1, geteuid: () => -1, getegid: () => -1, getgroups: () => [], pid: 1, ppid: 1,
    umask: () => 0, cwd: () => folder, chdir() { throw error("EPERM"); },
  };
  globalThis.path = { resolve: (...parts) => parts.reduce((a, b) => (b.startsWith("/") ? b : a + "/" + b)) };
  importScripts("/wasm_exec.js");
  const go = new Go();
  go.argv = args;
  go.env = env;
  let code = 2; // a program that ends without saying how
  go.exit = (n) => { code = n; };
  const program = await WebAssembly.instantiateStreaming(fetch("/program.wasm"), go.importObject);
  await go.run(program.instance);
  send("/exit?code=" + code, "");
})().catch((e) => {
  send("/out?fd=2", new TextEncoder().encode(e + "\n" + e.stack + "\n"));
  send("/exit?code=2", "");
});
