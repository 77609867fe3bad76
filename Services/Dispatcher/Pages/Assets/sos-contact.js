// What the link in a message to an emergency contact shows: whether one wants to be a contact, or how an emergency stands.

import { json, Refused } from "../web/api.js";
import { element, find, notice, told } from "../web/dom.js";
import { keepLooking } from "../web/looking.js";
import { ago, clock, datetime, hasWord, number, t } from "../web/words.js";
import { showPlace } from "./sos-where.js";

const path = "/dispatcher/v1/contact-links";
const lookEvery = 5000;
/** In the fragment, which is in no request and no log. */
const token = () => location.hash.slice(1);

/** Replaced only when it changes, so that screen readers say it once. */
function setState(kind, text) {
  const box = find("#state");
  box.dataset.kind = kind;
  if (box.textContent !== text) box.textContent = text;
}

async function show() {
  if (!token()) return setState("none", t("sos-contact.gone"));
  const link = await json(path, { method: "POST", body: { token: token() } });
  find("#question").hidden = link.kind !== "question" || link.answer === "declined";
  find("#yes").hidden = link.answer !== "asked";
  find("#incident").hidden = link.kind !== "incident";
  if (link.kind === "question") setState("none", t(`sos-contact.answer.${link.answer}`));
  else {
    find("#withheld").hidden = link.answer === "confirmed";
    showIncident(link.incident);
  }
}

/** The word for how far the helpers are. */
const stage = (state, { dispatched_at: dispatched, on_scene_at: onScene } = {}) => (onScene ? "on-scene" : dispatched ? "dispatched" : state);

function showIncident(incident) {
  const { state, opened_at: openedAt, accepted_by: service, help, name, callback_phone: phone, causes = [], sos_pressed: pressed, position } = incident;
  setState("alarm", t(`sos-contact.state.${stage(state, help)}`, { service: service ?? "" }));
  const arrival = !help?.on_scene_at && help?.arrival_expected;
  const facts = [
    ["who", name], ["since", datetime(openedAt)], ["arrival", arrival && `${clock(arrival)} (${ago(arrival)})`],
    ["pressed", pressed && datetime(pressed)],
    ["causes", causes.map((type) => (hasWord(`types.${type}`) ? t(`types.${type}`) : type)).join(", ")],
    ["seen", position && `${datetime(position.time)} (${ago(position.time)})`],
    ["place", position && `${position.latitude.toFixed(5)}, ${position.longitude.toFixed(5)}`],
    ["accuracy", position?.accuracy_m !== undefined && t("sos-contact.metres", { metres: number(position?.accuracy_m) })],
  ].filter(([, value]) => value);
  find("#facts").replaceChildren(...facts.flatMap(([key, value]) =>
    [element("dt", {}, t(`sos-contact.${key}`)), element("dd", {}, value)]));
  const call = find("#call");
  call.hidden = !phone;
  if (phone) Object.assign(call, { href: `tel:${phone}`, textContent: t("sos-contact.call", { phone }) });
  showPlace(position);
}

/** What was shown may have changed by now. A link that has ended shows nothing of before. */
function lost(error) {
  if (!(error instanceof Refused)) return told(error);
  if (![404, 410].includes(error.status)) return notice(error.words, "bad");
  find("#question").hidden = true;
  find("#incident").hidden = true;
  // Of what has ended nothing stays in the page.
  find("#facts").replaceChildren();
  find("#call").removeAttribute("href");
  find("#call").textContent = "";
  showPlace(undefined);
  setState("none", t(error.code === "incident-over" ? "sos-contact.over" : "sos-contact.gone"));
}

async function answer(given) {
  try {
    await json(`${path}/answer`, { method: "POST", body: { token: token(), answer: given } });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    notice(error.code === "answered-already" ? t("sos-contact.too_late") : error.words, "bad");
  }
  await show().catch(lost);
}

find("#yes").addEventListener("click", () => answer("confirmed"));
find("#no").addEventListener("click", () => answer("declined"));
const look = keepLooking(show, lookEvery, lost);
addEventListener("hashchange", look);
await look();
