// Starts the page: compiles the program once, runs it on the main thread, and keeps the compiled
// module for the engine's workers. What the page shows before that is static HTML.
(() => {
  "use strict";
  const script = document.currentScript;
  const at = (key) => new URL(script.dataset[key], document.baseURI).href;

  try {
    const theme = localStorage.getItem("swizzle-theme");
    if (theme) document.documentElement.dataset.theme = theme;
  } catch {
    // storage may be refused; the system's theme is used then
  }

  // What is kept for the tab lasts as long as the tab; what is kept for all outlasts it.
  globalThis.swizzleKeep = (key, value, tab) => {
    try {
      (tab ? sessionStorage : localStorage).setItem(key, value);
    } catch {
      // storage is refused or full: it lasts as long as the page then
    }
  };
  globalThis.swizzleKept = (key) => {
    try {
      const value = sessionStorage.getItem(key);
      sessionStorage.removeItem(key);
      return value;
    } catch {
      return null;
    }
  };

  const load = (src) => new Promise((resolve, reject) => {
    const s = document.createElement("script");
    s.src = src;
    s.onload = resolve;
    s.onerror = () => reject(new Error("could not load " + src));
    document.head.append(s);
  });

  globalThis.swizzleWorker = (module) => {
    const worker = new Worker(at("worker"));
    worker.postMessage({exec: at("exec"), module});
    return worker;
  };

  async function start() {
    const [module] = await Promise.all([WebAssembly.compileStreaming(fetch(at("wasm"))), load(at("exec"))]);
    const go = new Go();
    go.argv = ["swizzle", "page"];
    globalThis.swizzleModule = module;
    const instance = await WebAssembly.instantiate(module, go.importObject);
    await go.run(instance);
    throw new Error("the program ended");
  }

  const failed = (err) => {
    const engine = document.getElementById("engine");
    engine.textContent = "The playground could not start: " + err.message + ". Reload the page to try again.";
    engine.className = "bad";
    const toast = document.getElementById("toast");
    toast.textContent = "What you see is the example as it opens: " + err.message + ". Reload the page to try again.";
    toast.hidden = false;
    console.error(err);
  };
  addEventListener("DOMContentLoaded", () => start().catch(failed));

  if ("serviceWorker" in navigator && script.dataset.offline) {
    addEventListener("load", () => navigator.serviceWorker.register(at("offline")).catch(() => {}));
  }
})();
