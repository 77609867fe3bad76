// Today at a glance: the newest value of each type, and the health score with its reasons.

import { json, requireSession } from "../web/api.js";
import { element, find, told } from "../web/dom.js";
import { ago, clock, t } from "../web/words.js";
import { isListed, valueWords } from "./values.js";

async function showLatest() {
  const { latest } = await json("/ingestion/v1/me/latest");
  const listed = latest.filter(({ type }) => isListed(type));
  find("#none").hidden = listed.length > 0;
  find("#latest").replaceChildren(...listed.map((sample) => element("li", { class: "card" },
    element("a", { class: "cover", href: `/measurements/${sample.type}` },
      element("h3", {}, t(`types.${sample.type}`)),
      element("p", { class: "big" }, valueWords(sample)),
      element("p", { class: "quiet" }, element("time", { datetime: sample.time }, ago(sample.time)))))));
  find("#age").textContent = t("time.updated", { clock: clock(Date.now()) });
}

async function showHealth() {
  const { score, out_of_range: outside, advice, tips } = await json("/ingestion/v1/me/health");
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
}

if (requireSession()) {
  await Promise.all([showLatest().catch(told), showHealth().catch(told)]);
  // Devices send every 30 s.
  setInterval(() => document.visibilityState === "visible" && showLatest().catch(told), 30_000);
}
