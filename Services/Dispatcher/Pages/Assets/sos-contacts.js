// The own emergency contacts: whether they want to be contacts, and what became of the messages to them.

import { jsonIfThere, requireSession } from "../web/api.js";
import { element, find } from "../web/dom.js";
import { keepLooking } from "../web/looking.js";
import { datetime, t } from "../web/words.js";

const path = "/dispatcher/v1/contacts";
const lookEvery = 10_000;
const messagesMax = 20;
let drawn = "";

async function show() {
  const known = await jsonIfThere(path, "not-enrolled");
  const now = JSON.stringify(known);
  // Drawn anew only when there is something else, so that nobody is interrupted.
  if (now === drawn) return;
  drawn = now;
  const { contacts = [], messages = [] } = known ?? {};
  find("#not-enrolled").hidden = known !== null;
  find("#own").hidden = known === null;
  find("#none").hidden = contacts.length > 0;
  find("#contacts").replaceChildren(...contacts.map(card));
  find("#no-messages").hidden = messages.length > 0;
  find("#messages").replaceChildren(...messages.slice(0, messagesMax).map(message));
}

const card = ({ name, phone, email, answer, asked_at: asked, answered_at: answered }) => element("li", { class: "card", "data-answer": answer },
  element("h3", {}, name),
  element("p", {}, element("strong", {}, t(`sos-contacts.answer.${answer}`))),
  element("p", {}, [phone, email].filter(Boolean).join(", ")),
  answered || asked ? element("p", { class: "quiet" }, t(`sos-contacts.${answered ? "answered" : "asked"}`, { when: datetime(answered ?? asked) })) : null);

const message = ({ contact, channel, about, state, changed_at: changed, incident }) => element("li", { class: "card" },
  element("p", {}, t("sos-contacts.message", {
    about: t(`sos-contacts.about.${about}`), channel: t(`sos-contacts.channel.${channel}`), name: contact ?? t("sos-contacts.former"),
  })),
  element("p", { class: "quiet" }, `${t(`sos-contacts.state.${state}`)}, ${datetime(changed)}`,
    incident ? " · " : null, incident ? element("a", { href: `/sos/incidents/${incident}` }, t("sos-contacts.incident")) : null));

if (requireSession()) await keepLooking(show, lookEvery)();
