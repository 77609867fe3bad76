// The own profile, password, sessions, and whether this browser gets push messages.

import { call, json, logOut, requireSession } from "../web/api.js";
import { element, find, notice, told } from "../web/dom.js";
import { handle, mark } from "../web/form.js";
import { placeField } from "../web/place-field.js";
import { busy } from "../web/touches.js";
import { ago, date, t } from "../web/words.js";
import { showChoices } from "./choices.js";
import { showConsents } from "./consents.js";
import { showExports } from "./exports.js";
import { showNotifications } from "./notifications.js";
import { showPicture } from "./picture.js";
import { showPasskeys } from "./passkeys.js";
import { showSecondFactor } from "./second-factor.js";

const form = find("#profile-form");
/** Companies have none. */
const residence = form.elements.residence && placeField(form.elements.residence, "residence");

if (requireSession()) {
  Intl.supportedValuesOf("timeZone").forEach(addZone);
  handle(form, "account", saveProfile);
  handle(find("#password-form"), "account", changePassword);
  find("#end-all").addEventListener("click", endAll);
  find("#email-trial").addEventListener("click", ({ currentTarget }) => busy(currentTarget, tryEmail));
  await Promise.all([
    json("/accounts/v1/me").then((own) => {
      showProfile(own);
      showPicture(own.picture_changed_at);
    }), showConsents(), showChoices(), showSessions(),
    showNotifications(), showSecondFactor(showSessions), showPasskeys(showSessions), showExports(),
  ]).catch(told);
}

/** What never changes as facts, the rest in the form. */
function showProfile(own) {
  const { email, person, company, language, created_at, birthplace, birthplace_title: born, residence_title: lives } = own;
  const helper = own.filled_in_by;
  const facts = [
    ["birth_date", person && date(person.birth_date)], ["birthplace", born ?? birthplace], ["fiscal_code", person?.fiscal_code],
    ["vat_number", company?.vat_number], ["email", email], ["since", date(created_at)],
    ["filled_in_by", helper && `${helper.name} ${helper.surname}`],
  ].filter(([, value]) => value);
  find("#profile").replaceChildren(
    ...facts.flatMap(([name, value]) => [element("dt", {}, t(`account.${name}`)), element("dd", {}, value)]));
  find("#undeliverable").hidden = !own.email_undeliverable_since;
  find("#undeliverable-text").textContent = t("account.undeliverable", { when: date(own.email_undeliverable_since ?? created_at) });
  addZone(person?.zone);
  const shown = { ...person, ...company, language };
  for (const field of form.elements) {
    if (field.name) field.value = field.name.split(".").reduce((part, name) => part?.[name], shown) ?? "";
  }
  residence?.set(person?.residence, lives ?? person?.residence);
  form.hidden = false;
}

async function saveProfile(typed) {
  const body = { ...typed };
  // What was emptied.
  for (const { name } of form.elements) if (name) body[name.split(".")[0]] ??= null;
  if (body.legal_representative?.fiscal_code) {
    body.legal_representative.fiscal_code = body.legal_representative.fiscal_code.toUpperCase();
  }
  showProfile(await json("/accounts/v1/me", { method: "PATCH", body }));
  notice(t("account.saved"), "good");
}

async function tryEmail() {
  await call("/accounts/v1/me/email-trial", { method: "POST" });
  find("#undeliverable").hidden = true;
  notice(t("account.email_tried"), "good");
}

async function changePassword(values, passwords) {
  try {
    await call("/accounts/v1/me/password", { method: "PUT", body: values });
  } catch (error) {
    if (error.code !== "wrong-password") throw error;
    mark(passwords, "old_password", t("account.fault.wrong-password"));
    passwords.elements.old_password.focus();
    return;
  }
  passwords.reset();
  notice(t("account.changed"), "good");
  await showSessions();
}

function addZone(zone) {
  const zones = find("#zone");
  if (!zone || !zones || [...zones.options].some(({ value }) => value === zone)) return;
  zones.append(element("option", { value: zone }, zone.replaceAll("_", " ")));
}

async function showSessions() {
  const { sessions } = await json("/accounts/v1/sessions");
  find("#sessions").replaceChildren(...sessions.map((session) => element("li", { class: "card" },
    element("p", {}, session.is_current ? t("account.this_one") : t("account.used", { when: ago(session.used_at) })),
    element("p", { class: "quiet" }, t("account.begun", { when: date(session.created_at) })),
    session.is_current ? null : element("button", {
      type: "button", class: "second", onclick: ({ currentTarget }) => busy(currentTarget, () => end(currentTarget, session.id)),
    }, t("account.end")))));
}

/** What became of it stands in the button's place: no other session comes under a finger that presses twice. */
async function end(button, id) {
  await call(`/accounts/v1/sessions/${id}`, { method: "DELETE" });
  const ended = element("p", { class: "notice good", tabindex: -1, role: "status" }, t("account.ended"));
  button.replaceWith(ended);
  ended.focus({ preventScroll: true });
}

async function endAll() {
  if (!confirm(t("account.sure_end_all"))) return;
  try {
    await call("/accounts/v1/sessions", { method: "DELETE" });
    await logOut();
  } catch (error) {
    told(error);
  }
}
