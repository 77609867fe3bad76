// What an erasure has erased where. While a service has not reported, it is looked again.

import { json, Refused } from "../web/api.js";
import { element, find, told } from "../web/dom.js";
import { handle } from "../web/form.js";
import { date, datetime, hasWord, number, t } from "../web/words.js";
import { takeToken, tokenIn } from "./link-token.js";

const form = find("#receipt");
/** Pauses between two looks grow up to this. */
const pauseMaxMilliseconds = 60_000;
let look = 0;

handle(form, "receipt", async ({ token }) => show(await read(tokenIn(token))));
takeToken(form, () => follow(tokenIn(form.elements.token.value)));

const read = (token) => json("/accounts/v1/erasure-receipts", { method: "POST", body: { token } });

async function follow(token) {
  const own = (look += 1);
  for (let pause = 1000; own === look; pause = Math.min(pause * 2, pauseMaxMilliseconds)) {
    try {
      const receipt = await read(token);
      if (own !== look) return;
      show(receipt);
      if (receipt.completed_at) return;
    } catch (error) {
      told(error);
      if (error instanceof Refused && error.status === 404) return;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

function show(receipt) {
  form.hidden = true;
  find("#state").textContent = t(receipt.completed_at ? `receipt.done_${receipt.scope}` : "receipt.under_way");
  find("#times").textContent = t("receipt.times", { when: datetime(receipt.requested_at) });
  find("#services").replaceChildren(...receipt.services.map(card));
  const until = receipt.anonymous_values_until;
  find("#anonymous").textContent = until ? t("receipt.anonymous", { when: date(until) }) : "";
  const section = find("#shown");
  if (!section.hidden) return;
  section.hidden = false;
  section.focus();
}

function card({ service, erased_at: time, items }) {
  const lines = items.map(line).filter(Boolean);
  const nothing = element("p", {}, t(time ? "receipt.nothing" : "receipt.waiting"));
  return element("li", { class: "card" }, element("h3", {}, t(`receipt.services.${service}`)),
    time ? element("p", { class: "quiet" }, datetime(time)) : null,
    lines.length > 0 ? element("ul", {}, ...lines.map((text) => element("li", {}, text))) : nothing);
}

/** What a service tells that is newer than these words stands there as it is. */
function line({ what, count, kept_until: until, ground }) {
  const name = hasWord(`receipt.items.${what}`) ? t(`receipt.items.${what}`) : what;
  if (!ground) return t("receipt.erased", { name, count: number(count) });
  const why = t(`receipt.grounds.${ground}`);
  const kept = count > 0 ? `${name}: ${number(count)}` : name;
  return until ? t("receipt.kept_until", { kept, why, when: date(until) }) : t("receipt.kept", { kept, why });
}
