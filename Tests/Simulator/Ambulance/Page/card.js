// The card of an incident: who, where, what, and what can be done. All that a message says is shown as text.

import { clock, element, find, hasWord, language, named, number, t } from "./words.js";

const minutesUsual = 8;
const join = (values) => (values ?? []).filter(Boolean).join(", ");

export const nameOf = ({ message }) => join([[message?.person?.name, message?.person?.surname].filter(Boolean).join(" ")]) || t("unknown");

function address({ home }) {
  const { street, floor, postal_code: code, city, province } = home?.address ?? {};
  return join([street, floor && t("floor", { floor }), [code, city].filter(Boolean).join(" "), province, home?.notes, home?.is_fallback && t("home_first")]);
}

function position({ position: fix }) {
  if (!fix) return t("no_position");
  const { latitude, longitude, accuracy_m: accuracy, time, is_current: isCurrent } = fix;
  return join([
    `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`, accuracy !== undefined && t("metres", { metres: number(accuracy) }),
    t(isCurrent ? "position_of" : "position_last", { clock: clock(time) }),
  ]);
}

const values = (list) => join((list ?? []).map(({ type, value, unit }) => `${named("types", type)} ${number(value, 1)} ${hasWord(`units.${type}`) ? t(`units.${type}`) : unit}`));

/** Pairs of a word and what stands beside it. */
function facts({ received_at: received, message, told, arrival }) {
  const { person = {}, incident = {} } = message ?? {};
  const born = [person.age !== undefined && t("age", { age: person.age }), person.sex && named("sexes", person.sex)];
  return [
    ["received", clock(received)], ["trigger", incident.trigger && named("triggers", incident.trigger)],
    ["causes", values(incident.causes)], ["delayed", incident.is_delayed && t("is_delayed")],
    ["place", position(message ?? {})], ["home", address(message ?? {})],
    ["person", join(born)], ["fiscal_code", person.fiscal_code],
    ["phone", person.callback_phone && element("a", { href: `tel:${person.callback_phone}` }, person.callback_phone)],
    ["languages", join(person.languages)], ["conditions", join(person.conditions)], ["medication", join(person.medication)],
    ["vitals", values(message?.vitals)], ["contacts", join((message?.contacts ?? []).map(({ name, phone }) => `${name} ${phone}`))],
    ["told", join((told ?? []).map(({ word, at }) => `${named("progress", word)} ${clock(at)}`))], ["arrival", arrival && clock(arrival)],
  ].filter(([, value]) => value);
}

/** What a voice call says, in the page's language. */
const speech = ({ speech: texts }) => ((texts ?? []).find((one) => one.language === language) ?? texts?.[0])?.text;

function standing({ state, pending, refused_with: refused, message }) {
  const reason = message?.incident?.reason;
  return [
    t(`states.${state}`), state === "cancelled" && reason && `(${named("reasons_cancelled", reason)})`,
    pending && t("sending"), refused !== undefined && t("refused_with", { status: refused ?? "" }),
  ].filter(Boolean).join(" ");
}

function show(card, incident) {
  const { is_exercise: isExercise, message } = incident;
  const words = message && speech(message);
  find(".shown", card).replaceChildren(
    element("h3", {}, nameOf(incident)), isExercise ? element("p", {}, element("span", { class: "mark" }, t("exercise"))) : "",
    element("p", { class: "standing" }, standing(incident)), words ? element("p", { class: "speech" }, words) : "",
    message?.cap ? element("pre", {}, message.cap) : "",
    element("dl", {}, ...facts(incident).flatMap(([key, value]) => [element("dt", {}, t(`facts.${key}`)), element("dd", {}, value)])));
}

/** What can be done now; a group that stays as long as it is the same, so that nobody loses what they have chosen. */
function acts({ id, state }, act) {
  const button = (word, kind, body = () => ({})) => element("button", {
    type: "button", class: kind, "data-word": word, onclick: ({ currentTarget }) => act(currentTarget, id, word, body()),
  }, t(`acts.${word}`));
  const reasons = element("select", { id: `reason-${id}` },
    ...["no-vehicle", "outside-area", "duplicate", "not-an-emergency", "technical", "other"].map((reason) => element("option", { value: reason }, t(`reasons.${reason}`))));
  const rejection = [
    element("div", {}, element("label", { for: `reason-${id}` }, t("reason")), reasons),
    button("reject", "second", () => ({ reason: reasons.value })),
  ];
  if (state === "waiting") return [element("div", { class: "acts" }, button("accept", "")), element("div", { class: "acts" }, ...rejection)];
  if (state !== "accepted") return [];
  const minutes = element("input", { id: `minutes-${id}`, type: "number", min: 1, max: 600, value: minutesUsual });
  return [
    element("div", { class: "acts" }, button("dispatched", ""), button("on-scene", ""), button("resolve", "second")),
    element("div", { class: "acts" }, element("div", {}, element("label", { for: `minutes-${id}` }, t("minutes")), minutes),
      button("arrival", "second", () => ({ minutes: Number(minutes.value) }))),
    element("details", {}, element("summary", {}, t("cannot")), element("div", { class: "acts" }, ...rejection)),
  ];
}

/** A new card. */
export const card = (id) => element("li", { class: "card", tabindex: -1, "data-id": id },
  element("div", { class: "shown" }), element("div", { class: "answers" }));

/** Draws what has changed of an incident; `act(button, id, word, body)` is what a button does. */
export function draw(own, incident, act) {
  const now = JSON.stringify(incident);
  if (own.dataset.now === now) return;
  own.dataset.now = now;
  own.dataset.state = incident.state;
  own.classList.toggle("exercise", incident.is_exercise);
  show(own, incident);
  if (own.dataset.acts !== incident.state) {
    const isFocused = find(".answers", own).contains(document.activeElement);
    own.dataset.acts = incident.state;
    find(".answers", own).replaceChildren(...acts(incident, act));
    if (isFocused) own.focus({ preventScroll: true });
  }
  // Whom it is about is part of a button's name, since there may be many; it may become known later.
  for (const button of own.querySelectorAll("button")) button.setAttribute("aria-label", `${t(`acts.${button.dataset.word}`)}: ${nameOf(incident)}`);
}

