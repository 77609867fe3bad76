// The subscription of this browser to push messages (RFC 8030), which the person turns on and off on the account's page.

import { call, isLoggedIn } from "./api.js";

const path = "/accounts/v1/push-subscription";
const workerMilliseconds = 10_000;
/** Of a browser that is subscribed: whose it is, the address that the service knows, the key. Gone at log-out. */
const place = "push";

export const isAble = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

/** The service worker, which every page registers; none within a while counts as one that is lacking. */
function worker() {
  const none = new Promise((_, reject) => setTimeout(() => reject(new DOMException("no worker")), workerMilliseconds));
  return Promise.race([navigator.serviceWorker.ready, none]);
}

/** Subscribes with `key`, that of whoever sends (VAPID, RFC 8292). Errors: `DOMException` when the browser cannot. */
export async function subscribe(key) {
  const { pushManager } = await worker();
  // One that was made with another key cannot be used.
  await (await pushManager.getSubscription())?.unsubscribe();
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = made.toJSON();
  await call(path, { method: "PUT", body: { endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } } });
  localStorage.setItem(place, JSON.stringify({ account: localStorage.getItem("account"), endpoint, key }));
}

export async function unsubscribe() {
  await call(path, { method: "DELETE" });
  localStorage.removeItem(place);
}

let keeping;
/**
 * Once for a page, subscribes anew when the browser has dropped or replaced the subscription, which it does without a word to the
 * service: alarms would go nowhere. A person who has taken back the permission is not asked again. What does not succeed is tried
 * again with the next page.
 */
export const keepSubscribed = () =>
  (keeping ??= keep().catch((error) => console.warn(`push messages do not come: ${error}`)));

async function keep() {
  const { account, endpoint, key } = JSON.parse(localStorage.getItem(place) ?? "{}");
  if (!endpoint || !isAble || !isLoggedIn() || account !== localStorage.getItem("account")) return;
  if (Notification.permission !== "granted") return;
  const { pushManager } = await worker();
  if ((await pushManager.getSubscription())?.endpoint !== endpoint) await subscribe(key);
}
