// A worker of the engine: runs the page's own compiled module in its engine role. The first message
// brings the module; the program takes the later ones and says when it is ready for them.
"use strict";
self.onmessage = async ({data}) => {
  self.onmessage = null;
  importScripts(data.exec);
  const go = new Go();
  go.argv = ["swizzle", "engine"];
  go.run(await WebAssembly.instantiate(data.module, go.importObject));
};
