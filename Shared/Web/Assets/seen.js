// What the account has seen can be read without network. The service worker keeps it in one cache, `seen-` and a random
// name: that there is one is the permission to keep something, so it begins with a session and goes with it.

const isSeen = (name) => name.startsWith("seen-");

async function alone(act) {
  // Pages that are not served safely have neither caches nor a service worker.
  if (!globalThis.caches) return;
  try {
    await navigator.locks.request("seen", act);
  } catch (error) {
    // Nor have private windows of some browsers, which say so late.
    if (error.name !== "SecurityError") throw error;
  }
}

/** Deletes what was seen. */
export const deleteSeen = () => alone(async () => {
  for (const name of (await caches.keys()).filter(isSeen)) await caches.delete(name);
});

/** Lets what is seen be kept from now on, where there is room. `isLoggedIn` is asked when nobody else begins or deletes. */
export const keepSeen = (isLoggedIn) => alone(async () => {
  if (isLoggedIn() && !(await caches.keys()).some(isSeen)) await caches.open(`seen-${crypto.randomUUID()}`);
}).catch((error) => console.warn(`nothing can be read without network: ${error}`));
