// What the account has seen can be read without network. The service worker keeps it in one cache, `seen-` and a random
// name: that there is one is the permission to keep something, so it begins with a session and goes with it.

const isSeen = (name) => name.startsWith("seen-");

/** Without locks: one that a page takes which the browser then keeps frozen would hold up every log-in. */
async function withCaches(act) {
  // Pages that are not served safely have neither caches nor a service worker.
  if (!globalThis.caches) return;
  try {
    await act();
  } catch (error) {
    // Nor have private windows of some browsers, which say so late.
    if (error.name !== "SecurityError") throw error;
  }
}

/** Deletes what was seen. */
export const deleteSeen = () => withCaches(async () => {
  for (const name of (await caches.keys()).filter(isSeen)) await caches.delete(name);
});

/** Lets what is seen be kept from now on, where there is room. */
export const keepSeen = (isLoggedIn) => withCaches(async () => {
  if (!isLoggedIn() || (await caches.keys()).some(isSeen)) return;
  const name = `seen-${crypto.randomUUID()}`;
  await caches.open(name);
  // Somebody may have logged out meanwhile.
  if (!isLoggedIn()) await caches.delete(name);
}).catch((error) => console.warn(`nothing can be read without network: ${error}`));
