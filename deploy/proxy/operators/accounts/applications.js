// Applications of others that deliver data: admitting them, another secret, withdrawing them.

import { copyButton } from "/web/copy.js";
import { dataTypes } from "/web/data-types.js";
import { element, find, findAll, notice, told } from "/web/dom.js";
import { handle, tellRefusal } from "/web/form.js";
import { busy, twoTouches } from "/web/touches.js";
import { date, number, t } from "/web/words.js";
import { ask } from "./ask.js";
import { reasonForm } from "./reason.js";

export function showApplications() {
  find("#types").append(...Object.keys(dataTypes).map((type) => element("div", { class: "check" },
    element("input", { type: "checkbox", id: `type-${type}`, value: type }), element("label", { for: `type-${type}` }, t(`types.${type}`)))));
  find("#copy-id").append(copyButton(find("#client-id")));
  find("#copy-secret").append(copyButton(find("#client-secret")));
  find("#kept").addEventListener("click", () => (forgetSecret(), find("#applications-heading").scrollIntoView()));
  handle(find("#admit"), "applications", async ({ name, redirect_uris: uris }, form) => {
    const chosen = findAll("#types input").filter(({ checked }) => checked).map(({ value }) => value);
    if (chosen.length === 0) {
      find("#types input").focus();
      return notice(t("applications.fault.data_types"), "bad");
    }
    const made = await ask("/applications", {
      method: "POST",
      body: { name, data_types: chosen, redirect_uris: uris.split(/\s+/).filter(Boolean), is_public: find("#is-public").checked },
    });
    form.reset();
    tell(made.client_id, made.client_secret);
    return look();
  });
  return look().catch(told);
}

/** Shows what is shown once only. */
function tell(id, secret) {
  find("#client-id").textContent = id;
  find("#client-secret").textContent = secret ?? "";
  find("#secret-part").hidden = !secret;
  find("#made").hidden = false;
  find("#made").focus();
}

export function forgetSecret() {
  find("#client-id").textContent = "";
  find("#client-secret").textContent = "";
  find("#made").hidden = true;
}

async function look() {
  const { applications } = await ask("/applications");
  find("#no-applications").hidden = applications.length > 0;
  find("#applications").replaceChildren(...applications.map(card));
}

function card({ client_id: id, name, is_public: isPublic, withdrawn_at: withdrawn, people }) {
  const parts = [
    element("h3", {}, name), element("p", {}, element("code", {}, id)),
    element("p", { class: "quiet" }, t(isPublic ? "applications.is_public" : "applications.is_confidential"), " · ", t("applications.people", { count: number(people) })),
  ];
  if (withdrawn) return element("li", { class: "card" }, ...parts, element("p", {}, t("applications.withdrawn", { date: date(withdrawn) })));
  const { form, act } = reasonForm("applications", `withdrawal-${id}`, "reason");
  form.append(twoTouches(
    { ask: t("applications.withdraw"), sure: t("applications.withdraw_sure"), keep: t("keep"), what: t("applications.withdraw_what") },
    act(async (reason) => {
      await ask(`/applications/${id}/withdrawal`, { method: "POST", body: { reason } });
      if (find("#client-id").textContent === id) forgetSecret();
      await look();
      notice(t("applications.withdraw_done", { name }), "good");
    })));
  const renew = isPublic ? null : twoTouches(
    { ask: t("applications.renew"), sure: t("applications.renew_sure"), keep: t("keep") },
    (button) => busy(button, async () => {
      const { client_secret: secret } = await ask(`/applications/${id}/secret`, { method: "POST" });
      await look();
      tell(id, secret);
    }, (error) => tellRefusal("applications", error)));
  return element("li", { class: "card" }, ...parts, renew, form);
}
