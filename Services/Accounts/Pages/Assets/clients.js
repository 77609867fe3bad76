// A company's programs, which get tokens by client credentials: making, replacing, removing in two touches.

import { call, json, requireSession } from "../web/api.js";
import { copyButton } from "../web/copy.js";
import { element, find, findAll, notice, told } from "../web/dom.js";
import { handle, tellRefusal } from "../web/form.js";
import { busy, twoTouches } from "../web/touches.js";
import { ago, date, t } from "../web/words.js";

const api = "/accounts/v1/clients";
const boxes = findAll("#scopes input");

/** Makes a program and shows its secret, this once. Throws `Refused`. */
async function make(name, scopes, words) {
  const { client_id: id, client_secret: secret } = await json(api, { method: "POST", body: { name, scopes } });
  find("#made-text").textContent = t(words, { name });
  find("#client-id").textContent = id;
  find("#client-secret").textContent = secret;
  find("#made").hidden = false;
  find("#made").focus();
  await show();
}

function forgetSecret() {
  find("#client-id").textContent = "";
  find("#client-secret").textContent = "";
  find("#made").hidden = true;
}

const refused = (error) => tellRefusal("clients", error);

async function remove({ client_id: id, name }) {
  await call(`${api}/${id}`, { method: "DELETE" });
  if (find("#client-id").textContent === id) forgetSecret();
  await show();
  notice(t("clients.removed", { name }), "good");
}

function card(client) {
  const { client_id: id, name, scopes, created_at: created, used_at: used } = client;
  return element("li", { class: "card" },
    element("h3", {}, name), element("p", {}, element("code", {}, id)),
    element("p", {}, scopes.map((scope) => t(`clients.scopes.${scope}`)).join(", ")),
    element("p", { class: "quiet" }, t("clients.made_on", { when: date(created) }), " · ",
      used ? t("clients.used", { when: ago(used) }) : t("clients.never_used")),
    element("p", { class: "acts" }, element("button", {
      type: "button", class: "second",
      onclick: ({ currentTarget }) => busy(currentTarget, () => make(name, scopes, "clients.replaced"), refused),
    }, t("clients.replace"))),
    twoTouches(
      { ask: t("clients.remove"), sure: t("clients.remove_sure"), keep: t("clients.keep") },
      (button) => busy(button, () => remove(client), refused)));
}

async function show() {
  const { clients } = await json(api);
  find("#none").hidden = clients.length > 0;
  find("#clients").replaceChildren(...clients.map(card));
}

if (requireSession()) {
  find("#copy-id").append(copyButton(find("#client-id")));
  find("#copy-secret").append(copyButton(find("#client-secret")));
  find("#kept").addEventListener("click", () => (forgetSecret(), find("#name").focus()));
  handle(find("#create"), "clients", async ({ name }, form) => {
    const scopes = boxes.filter(({ checked }) => checked).map(({ value }) => value);
    if (scopes.length === 0) {
      boxes[0].focus();
      return notice(t("clients.fault.scopes"), "bad");
    }
    await make(name, scopes, "clients.made");
    return form.reset();
  });
  await show().catch(told);
}
