// The service worker: after one visit the page works without a network. The build puts version and
// files in front. Hashed files never change, so the cache answers; the rest is asked for anew, and
// the cache answers only when nothing else does.
"use strict";
const cacheName = "swizzle-" + version;
const hashed = /\.[0-9a-f]{16}\.\w+$/;

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(cacheName).then((cache) => cache.addAll(files)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(caches.keys()
    .then((names) => Promise.all(names.filter((n) => n.startsWith("swizzle-") && n !== cacheName).map((n) => caches.delete(n))))
    .then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin) return;
  const cached = () => caches.match(event.request, {ignoreSearch: true});
  event.respondWith(hashed.test(url.pathname)
    ? cached().then((hit) => hit || fetch(event.request))
    : fetch(event.request).catch(() => cached().then((hit) => hit || Response.error())));
});
