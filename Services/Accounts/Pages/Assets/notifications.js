// Push messages of this browser: permission is asked for when the person presses the button, and not before.

import { call, json } from "../web/api.js";
import { find, notice, told } from "../web/dom.js";
import { t } from "../web/words.js";

const path = "/accounts/v1/push-subscription";
const workerMilliseconds = 10_000;
const isAble = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
const button = find("#push-switch");
let isOn = false;
let publicKey;

/** Shows whether this browser gets messages. */
export async function showNotifications() {
  const state = await json(path);
  publicKey = state.public_key;
  show(state.is_subscribed && await isReached());
}

/** Whether what is sent still comes here: the person, or the browser, may have ended it without a word to the service. */
async function isReached() {
  if (!isAble || Notification.permission !== "granted") return false;
  const registration = await navigator.serviceWorker.getRegistration();
  return Boolean(await registration?.pushManager.getSubscription());
}

function show(isSubscribed) {
  isOn = isSubscribed;
  const isPossible = Boolean(publicKey) && isAble;
  find("#push-state").textContent = t(isPossible ? (isOn ? "account.push_on" : "account.push_off") : "account.push_none");
  button.textContent = t(isOn ? "account.push_stop" : "account.push_begin");
  button.hidden = !isPossible;
}

/** The service worker, which every page registers; none within a while counts as one that is lacking. */
function worker() {
  const none = new Promise((_, reject) => setTimeout(() => reject(new DOMException("no worker")), workerMilliseconds));
  return Promise.race([navigator.serviceWorker.ready, none]);
}

async function begin() {
  if (await Notification.requestPermission() !== "granted") return notice(t("account.push_denied"), "bad");
  const { pushManager } = await worker();
  // One that was made with another key cannot be used.
  await (await pushManager.getSubscription())?.unsubscribe();
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  const { endpoint, keys } = made.toJSON();
  await call(path, { method: "PUT", body: { endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } } });
  show(true);
  notice(t("account.push_begun"), "good");
}

async function stop() {
  await call(path, { method: "DELETE" });
  show(false);
  notice(t("account.push_stopped"), "good");
}

button.addEventListener("click", async () => {
  if (button.getAttribute("aria-disabled") === "true") return;
  button.setAttribute("aria-disabled", "true");
  try {
    await (isOn ? stop() : begin());
  } catch (error) {
    if (error instanceof DOMException) notice(t("account.push_failed"), "bad");
    else told(error);
  } finally {
    button.removeAttribute("aria-disabled");
  }
});
