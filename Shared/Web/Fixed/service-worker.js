// What TrackMe does without network. While there is one, all comes from it and nothing of what is kept here is shown.
//
// Kept are the page for who is offline, the files of the pages, and what the account that has logged in has seen: rendered
// pages and answers with its own data. The last is in a cache `seen-…` that web/seen.js begins at a log-in and deletes when
// the session ends. Its being there is the permission to keep something: it is opened before the request goes out, so an
// answer that comes after the log-out is put into what has been deleted, and another account's has another name. API answers
// say `no-store`, which holds for every cache that we do not delete ourselves.

importScripts("/away/push.js");

const offline = "offline-@VERSION@";
const fixed = ["offline.html", "offline.js", "style.css", "icon.svg"].map((name) => `/away/${name}`);

/** Own data that is still worth reading when it is old. The state of AutomatedSOS is not, and other people's data is not own. */
const own = /^\/(accounts|ingestion|query|track4run)\/v1\/(me(\/[a-z-]+)*|inbox|devices|imports)$/;

const answersMax = 100;
const answerBytesMax = 256 * 1024;
/** As long as a session lives that nobody uses. */
const daysMax = 30;
/** While services are brought up to date one by one their pages name two trees of files. */
const treesMax = 2;

const seenAt = "TrackMe-Seen-At";

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(caches.open(offline).then((cache) =>
    cache.addAll(fixed.map((path) => new Request(path, { cache: "no-cache" })))));
});

addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) {
    if (name.startsWith("offline-") && name !== offline) await caches.delete(name);
  }
  await clients.claim();
})()));

addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== location.origin) return;
  const tree = /^\/assets\/([0-9a-f]{16})\//.exec(pathname)?.[1];
  if (tree) event.respondWith(asset(event, `assets-${tree}`));
  else if (fixed.includes(pathname)) event.respondWith(fetch(event.request).catch(() => fixedFile(pathname)));
  else if (own.test(pathname) && mode !== "navigate") event.respondWith(ownData(event));
  // Links to files of the API are no pages.
  else if (mode === "navigate" && !/^\/[a-z0-9]+\/v1\//.test(pathname)) event.respondWith(page(event));
});

const fixedFile = async (path) => (await caches.match(path, { cacheName: offline })) ?? Response.error();

async function page(event) {
  const key = keyOf(event.request.url);
  const answer = await seeing(event, key, "text/html");
  if (answer) return answer;
  const kept = await recalled(key);
  if (kept) return new Response(await marked(kept), { headers: kept.headers });
  const told = await fixedFile("/away/offline.html");
  return told.ok ? new Response(told.body, { status: 503, headers: told.headers }) : told;
}

/** Tells the page's script (web/frame.js) from when the page is. */
const marked = async (kept) =>
  (await kept.text()).replace("<html ", `<html data-seen-at="${kept.headers.get(seenAt)}" `);

async function ownData(event) {
  const key = keyOf(event.request.url);
  return (await seeing(event, key, "application/json")) ?? (await recalled(key)) ?? Response.error();
}

/** The answer from the network, which is kept when there is an account that may see it again; none without network. */
async function seeing(event, key, type) {
  // Whose it is, is decided before the request goes out.
  const account = seenCache().then((name) => name && caches.open(name));
  let answer;
  try {
    answer = await fetch(event.request);
  } catch {
    return null;
  }
  const isFit = answer.status === 200 && answer.type === "basic" && !answer.redirected &&
    (answer.headers.get("Content-Type") ?? "").startsWith(type);
  if (isFit) event.waitUntil(keep(await account, key, answer.clone()).catch(notKept));
  return answer;
}

/** A full disk, or a page that is left before the answer has come. */
const notKept = (error) => console.info(`not kept for when there is no network: ${error}`);

const seenCache = async () => (await caches.keys()).find((name) => name.startsWith("seen-"));

async function keep(cache, key, answer) {
  if (cache === undefined) return;
  const body = await answer.arrayBuffer();
  if (body.byteLength > answerBytesMax) return;
  const headers = new Headers(answer.headers);
  headers.set(seenAt, new Date().toISOString());
  await cache.delete(key, { ignoreVary: true });
  await cache.put(key, new Response(body, { headers }));
  for (const oldest of (await cache.keys()).slice(0, -answersMax)) await cache.delete(oldest, { ignoreVary: true });
}

async function recalled(key) {
  const cacheName = await seenCache();
  const kept = cacheName && (await caches.match(key, { cacheName, ignoreVary: true }));
  if (!kept || Date.now() - Date.parse(kept.headers.get(seenAt)) > daysMax * 86400e3) return null;
  return kept;
}

/**
 * What an answer is found by: its address without the fragment, which may hold a secret, and with times that were counted
 * from the moment (“the last seven days”, with seconds) as minutes before it, so that the same question is found later.
 */
function keyOf(url) {
  const key = new URL(url);
  key.hash = "";
  for (const [name, value] of [...key.searchParams]) {
    const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:(?!00(\.0+)?(Z|[+-]))\d\d/.test(value) ? Date.parse(value) : NaN;
    if (!Number.isNaN(time)) key.searchParams.set(name, `${Math.round((Date.now() - time) / 60e3)} min ago`);
  }
  return key.href;
}

/** Files whose address holds the hash of their content: the browser's own cache has them, this one for when it has not. */
async function asset(event, cacheName) {
  try {
    const answer = await fetch(event.request);
    if (answer.status === 200) event.waitUntil(keepAsset(cacheName, event.request, answer.clone()).catch(notKept));
    return answer;
  } catch {
    return (await caches.match(event.request, { cacheName, ignoreVary: true })) ?? Response.error();
  }
}

async function keepAsset(cacheName, request, answer) {
  if (await caches.match(request, { cacheName, ignoreVary: true })) return;
  const trees = (await caches.keys()).filter((name) => name.startsWith("assets-") && name !== cacheName);
  for (const name of trees.slice(0, -(treesMax - 1))) await caches.delete(name);
  await (await caches.open(cacheName)).put(request, answer);
}
