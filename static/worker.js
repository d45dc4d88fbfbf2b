// A worker of the engine: runs the page's own compiled module in its engine role. The first message
// brings the module; the program takes the later ones and says when it is ready for them.
"use strict";
self.onmessage = async ({data}) => {
  self.onmessage = null;
  importScripts(data.exec);
  const go = new Go();
  go.argv = ["swizzle", "engine"];
  try {
    await go.run(await WebAssembly.instantiate(data.module, go.importObject));
    throw new Error("its program ended");
  } catch (err) {
    setTimeout(() => { throw err; }); // the page hears of errors, not of rejected promises
  }
};
