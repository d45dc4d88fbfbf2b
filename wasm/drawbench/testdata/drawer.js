// The Worker around the drawer.
"use strict";
importScripts("wasm_exec.js");
const go = new Go();
WebAssembly.instantiateStreaming(fetch("drawer.wasm"), go.importObject).then(
  ({instance}) => go.run(instance),
  (err) => setTimeout(() => { throw err; }));
