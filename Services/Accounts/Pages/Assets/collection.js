// What is collected: health data and position paused and resumed by themselves, and the types that devices may provide.

import { json } from "../web/api.js";
import { element, find, findAll, notice } from "../web/dom.js";
import { handle } from "../web/form.js";
import { busy, twoTouches } from "../web/touches.js";
import { datetime, t } from "../web/words.js";

const place = "/accounts/v1/me/collection";
const groups = ["health", "position"];

/** How long a pause may be chosen to last, in hours; none: until it is ended. */
const hours = ["1", "8", "24", ""];

export async function showCollection() {
  show(await json(place));
  handle(find("#types"), "collection", async () => {
    const excluded = findAll("#types input").filter(({ checked }) => !checked).map(({ value }) => value);
    show(await json(place, { method: "PATCH", body: { excluded_types: excluded } }));
    notice(t("collection.saved"), "good");
  });
}

function show(collection) {
  find("#collection").replaceChildren(...groups.map((group) => card(group, collection[group])));
  for (const box of findAll("#types input")) box.checked = !collection.excluded_types.includes(box.value);
}

function words({ is_collected: isCollected, has_consent: hasConsent, paused_at: since, paused_until: until }) {
  if (isCollected) return t("collection.on");
  if (!hasConsent) return t("collection.no_consent");
  return until ? t("collection.paused_until", { when: datetime(until) }) : t("collection.paused", { when: datetime(since) });
}

function card(group, state) {
  return element("li", { class: "card", "data-group": group },
    element("h3", {}, t(`collection.${group}`)),
    element("p", {}, words(state)),
    ...acts(group, state));
}

function acts(group, { has_consent: hasConsent, paused_at: since }) {
  if (!hasConsent) return [element("p", { class: "acts" }, element("a", { class: "button second", href: "/account#consents" }, t("collection.consent")))];
  if (since) {
    return [element("p", { class: "acts" }, element("button", {
      type: "button", class: "second",
      onclick: ({ currentTarget }) => busy(currentTarget, () => change(group, { is_paused: false }, "collection.resumed")),
    }, t("collection.resume")))];
  }
  const time = element("select", { id: `pause-${group}` }, ...hours.map((value) => element("option", { value }, t(`collection.for.${value || "ever"}`))));
  return [
    element("div", { class: "field" }, element("label", { for: time.id }, t("collection.how_long")), time),
    twoTouches({
      ask: t("collection.pause"), sure: t("collection.sure"), keep: t("collection.keep"), what: t(`collection.what.${group}`),
    }, (button) => busy(button, () => {
      const until = time.value ? { until: new Date(Date.now() + time.value * 3600e3).toISOString() } : {};
      return change(group, { is_paused: true, ...until }, "collection.now_paused");
    })),
  ];
}

async function change(group, body, outcome) {
  show(await json(place, { method: "PATCH", body: { [group]: body } }));
  notice(t(outcome), "good");
  find(`[data-group=${group}] button`)?.focus({ preventScroll: true });
}
