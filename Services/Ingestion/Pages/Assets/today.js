// Today at a glance: the newest value of each type, and the health score with its reasons.

import { json, jsonIfThere, requireSession } from "../web/api.js";
import { element, find } from "../web/dom.js";
import { keepLooking } from "../web/looking.js";
import { ago, clock, t } from "../web/words.js";
import { amountWords, isState, lengthWords } from "./values.js";

/** Milliseconds: so often devices send. */
const lookEvery = 30_000;

/** Whether a sample is told in a sentence, not in a number. */
const isWritten = ({ type, contact }) => type === "position" || isState(type) || contact === false;

/** A sample's value in words; positions are on the map. */
function valueWords({ type, value, contact, duration_ms: length }) {
  if (type === "position") return t("today.on_map");
  if (contact === false) return t("today.no_contact");
  if (type === "sleep" && length !== undefined) return lengthWords(length / 1000);
  return amountWords(type, value);
}

const cards = new Map();

/** The card of a data type, which stays the same while its value changes, so that nobody loses the place they are at. */
function cardOf(type) {
  if (!cards.has(type)) {
    const [value, time] = [element("p"), element("time")];
    const card = element("li", { class: "card" },
      element("a", { class: "cover", href: type === "position" ? "/places" : `/measurements/${type}` },
        element("h3", {}, t(`types.${type}`)), value, element("p", { class: "quiet" }, time)));
    cards.set(type, { card, value, time });
    find("#latest").append(card);
  }
  return cards.get(type);
}

async function showLatest() {
  const { latest } = await json("/ingestion/v1/me/latest");
  find("#none").hidden = latest.length > 0;
  // Where somebody is stands on the map; how somebody is comes first.
  for (const sample of latest.sort((one, other) => (one.type === "position") - (other.type === "position"))) {
    const { value, time } = cardOf(sample.type);
    const [words, isNumber] = [valueWords(sample), !isWritten(sample) && sample.type !== "sleep"];
    const [first, ...unit] = isNumber ? words.split(" ") : [words];
    value.replaceChildren(first, ...(isNumber ? [" ", element("span", { class: "unit" }, unit.join(" "))] : []));
    value.className = isWritten(sample) ? "" : "big";
    time.textContent = ago(sample.time);
    time.dateTime = sample.time;
  }
  const there = new Set(latest.map(({ type }) => type));
  for (const [type, { card }] of cards) if (!there.has(type)) card.remove(), cards.delete(type);
  find("#age").textContent = t("time.updated", { clock: clock(Date.now()) });
}

/** What the data say; nothing of who has none yet. */
async function showHealth() {
  const known = await jsonIfThere("/ingestion/v1/me/health", "no-data");
  find("#health").hidden = known === null;
  if (known === null) return;
  const { score, out_of_range: outside, advice, tips, too_little: tooLittle, sources } = known;
  find("#score").textContent = score.points === undefined ? "" : t("today.points", { points: score.points });
  find("#score-reason").textContent = score.points === undefined ? score.reason : "";
  find("#parts").replaceChildren(
    ...score.parts.map(({ component, points, reason }) => element("li", { class: "card" },
      element("h3", {}, t(`today.components.${component}`)),
      element("p", { class: "big" }, t("today.points", { points })), element("p", {}, reason))),
    ...score.unknown.map(({ component, reason }) => element("li", { class: "card" },
      element("h3", {}, t(`today.components.${component}`)), element("p", { class: "quiet" }, reason))));
  const list = (title, statements) => statements.length === 0 ? [] : [
    element("h3", {}, t(title)), element("ul", {}, ...statements.map(({ text }) => element("li", {}, text)))];
  find("#statements").replaceChildren(
    ...list("today.outside", outside), ...list("today.advice", advice), ...list("today.tips", tips));
  find("#more-health").hidden = tooLittle.length + sources.length === 0;
  find("#too-little").replaceChildren(...tooLittle.map(({ text }) => element("li", {}, text)));
  find("#sources").replaceChildren(...sources.map(({ citation }) => element("li", {}, citation)));
}

if (requireSession()) {
  let isHealthShown = false;
  await keepLooking(async () => {
    await Promise.all([showLatest(), isHealthShown ? null : showHealth()]);
    isHealthShown = !find("#health").hidden;
  }, lookEvery)();
}
