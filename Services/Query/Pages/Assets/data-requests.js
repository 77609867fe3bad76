// Requests for one person's data: asking, how they stand, downloading, ending.

import { call, file, json, Refused, requireSession } from "../web/api.js";
import { element, find, findAll, notice, told } from "../web/dom.js";
import { handle, mark } from "../web/form.js";
import { pagedList } from "../web/list.js";
import { date, t } from "../web/words.js";

const api = "/query/v1/requests";
const list = find("#requests");

function card(request) {
  const { id, individual, state, data_types: types, accepted_types: accepted, from, to, reason } = request;
  const isOpen = state === "pending" || state === "accepted";
  return element("li", { class: "card" },
    element("h3", {}, individual), element("p", {}, element("strong", {}, t(`data-requests.states.${state}`))),
    element("p", {}, (accepted ?? types).map((type) => t(`types.${type}`)).join(", ")),
    element("p", {}, t("requests.from_to", { from: date(from), to: date(to) })), element("p", { class: "quiet" }, reason),
    element("p", { class: "acts" },
      state === "accepted" ? element("button", { type: "button", onclick: () => download(id) }, t("data-requests.download")) : null,
      isOpen ? element("button", { type: "button", class: "second", onclick: () => end(id) }, t("data-requests.end")) : null));
}

const { load, again } = pagedList(api, ({ requests }) => {
  list.append(...requests.map(card));
  find("#none").hidden = list.children.length > 0;
}, () => list.replaceChildren());

async function download(id) {
  try {
    const data = await file(`${api}/${id}/data`, { headers: { Accept: "text/csv" } });
    const address = URL.createObjectURL(data);
    element("a", { href: address, download: `trackme-${id}.csv` }).click();
    URL.revokeObjectURL(address);
  } catch (error) {
    told(error);
  }
}

async function end(id) {
  if (!confirm(t("data-requests.sure"))) return;
  try {
    await call(`${api}/${id}`, { method: "DELETE" });
    await again();
    notice(t("data-requests.ended"), "good");
  } catch (error) {
    told(error);
  }
}

if (requireSession()) {
  handle(find("#ask"), "data-requests", async ({ person, from, to, reason }, form) => {
    const types = findAll("#types input").filter(({ checked }) => checked).map(({ value }) => value);
    if (types.length === 0) {
      find("#types input").focus();
      return notice(t("data-requests.fault.data_types"), "bad");
    }
    // The last day counts whole; a period that reaches into the future is a subscription (REQ-01).
    const end = new Date(new Date(`${to}T00:00`).getTime() + 86400e3);
    try {
      const { unavailable_types: unavailable } = await json(api, {
        method: "POST",
        body: {
          [person.includes("@") ? "email" : "fiscal_code"]: person.includes("@") ? person : person.toUpperCase(),
          data_types: types, from: new Date(`${from}T00:00`).toISOString(), to: end.toISOString(),
          mode: end > new Date() ? "subscription" : "once", reason,
        },
      });
      form.reset();
      find("#new").open = false;
      notice(unavailable.length === 0 ? t("data-requests.sent")
        : t("data-requests.sent_without", { types: unavailable.map((type) => t(`types.${type}`)).join(", ") }), "good");
      await again();
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== "no-such-individual") throw error;
      mark(form, "person", t("data-requests.fault.no-such-individual"));
      form.elements.person.focus();
    }
  });
  await load().catch(told);
}
