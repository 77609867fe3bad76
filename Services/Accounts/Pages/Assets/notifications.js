// Push messages of this browser: permission is asked for when the person presses the button, and not before.

import { json } from "../web/api.js";
import { find, notice, told } from "../web/dom.js";
import { isAble, keepSubscribed, subscribe, unsubscribe } from "../web/push.js";
import { t } from "../web/words.js";

const button = find("#push-switch");
let isOn = false;
let publicKey;

/** Shows whether this browser gets messages. */
export async function showNotifications() {
  // What could not be made anew is shown below as it is: off.
  await keepSubscribed();
  const state = await json("/accounts/v1/push-subscription");
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

async function begin() {
  if (await Notification.requestPermission() !== "granted") return notice(t("account.push_denied"), "bad");
  await subscribe(publicKey);
  show(true);
  notice(t("account.push_begun"), "good");
}

async function stop() {
  await unsubscribe();
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
