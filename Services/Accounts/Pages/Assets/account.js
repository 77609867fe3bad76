// The own profile, password and sessions.

import { call, json, requireSession } from "../web/api.js";
import { element, find, notice, told } from "../web/dom.js";
import { handle } from "../web/form.js";
import { ago, date, t } from "../web/words.js";

if (requireSession()) {
  handle(find("#password-form"), "account", async (values, form) => {
    await call("/accounts/v1/me/password", { method: "PUT", body: values });
    form.reset();
    notice(t("account.changed"), "good");
    await showSessions();
  });
  await Promise.all([showProfile(), showSessions()]).catch(told);
}

async function showProfile() {
  const { email, person, company, created_at } = await json("/accounts/v1/me");
  const facts = person
    ? [["name", `${person.name} ${person.surname}`], ["birth_date", date(person.birth_date)], ["fiscal_code", person.fiscal_code], ["phone", person.phone]]
    : [["company_name", company.company_name], ["vat_number", company.vat_number]];
  const all = [...facts, ["email", email], ["since", date(created_at)]].filter(([, value]) => value);
  find("#profile").replaceChildren(
    ...all.flatMap(([name, value]) => [element("dt", {}, t(`account.${name}`)), element("dd", {}, value)]));
}

async function showSessions() {
  const { sessions } = await json("/accounts/v1/sessions");
  find("#sessions").replaceChildren(...sessions.map((session) => element("li", { class: "card" },
    element("p", {}, session.is_current ? t("account.this_one") : t("account.used", { when: ago(session.used_at) })),
    element("p", { class: "quiet" }, t("account.begun", { when: date(session.created_at) })),
    session.is_current ? null : element("button", {
      type: "button", class: "second", onclick: () => end(session.id),
    }, t("account.end")))));
}

async function end(id) {
  try {
    await call(`/accounts/v1/sessions/${id}`, { method: "DELETE" });
    await showSessions();
    notice(t("account.ended"), "good");
  } catch (error) {
    told(error);
  }
}
