// Requests for one person's data: asking, how they stand, downloading, ending.

import { call, json, Refused, requireSession } from "../web/api.js";
import { element, find, findAll, notice } from "../web/dom.js";
import { handle, mark } from "../web/form.js";
import { date, t } from "../web/words.js";

const api = "/query/v1/requests";
const [list, more] = [find("#requests"), find("#more")];
let next;

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

async function load() {
  const page = await json(`${api}${next ? `?cursor=${next}` : ""}`);
  next = page.next;
  more.hidden = !next;
  list.append(...page.requests.map(card));
  find("#none").hidden = list.children.length > 0;
}

async function reload() {
  next = undefined;
  list.replaceChildren();
  await load();
}

const told = (error) => notice(error.words ?? String(error), "bad");

async function download(id) {
  try {
    const answer = await call(`${api}/${id}/data`, { headers: { Accept: "text/csv" } });
    const address = URL.createObjectURL(await answer.blob());
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
    await reload();
    notice(t("data-requests.ended"), "good");
  } catch (error) {
    told(error);
  }
}

if (requireSession()) {
  more.addEventListener("click", () => load().catch(told));
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
      await reload();
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== "no-such-individual") throw error;
      mark(form, "person", t("data-requests.fault.no-such-individual"));
      form.elements.person.focus();
    }
  });
  await load().catch(told);
}
