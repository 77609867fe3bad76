// Requests for one person's data: asking, how they stand, the way to each, downloading, ending in two touches.

import { call, download, json, Refused, requireSession } from "../web/api.js";
import { element, find, findAll, notice, told } from "../web/dom.js";
import { handle, mark } from "../web/form.js";
import { pagedList } from "../web/list.js";
import { twoTouches } from "../web/touches.js";
import { date, t } from "../web/words.js";

const api = "/query/v1/requests";
const list = find("#requests");
const endWords = { ask: t("data-requests.end"), sure: t("data-requests.end_sure"), keep: t("data-requests.keep") };

function card(request) {
  const { id, individual, state, data_types: types, accepted_types: accepted, from, to, reason } = request;
  const isOpen = state === "pending" || state === "accepted";
  return element("li", { class: "card" },
    element("h3", {}, element("a", { href: `/data-requests/${id}` }, individual)),
    element("p", {}, element("strong", {}, t(`data-requests.states.${state}`))),
    element("p", {}, (accepted ?? types).map((type) => t(`types.${type}`)).join(", ")),
    element("p", {}, t("requests.from_to", { from: date(from), to: date(new Date(to) - 1) })),
    element("p", { class: "quiet" }, reason),
    state === "accepted" ? element("p", { class: "acts" }, element("button", {
      type: "button", onclick: () => download(`${api}/${id}/data?format=csv`).catch(told),
    }, t("data-requests.download"))) : null,
    isOpen ? twoTouches(endWords, (button) => end(button, id)) : null);
}

const { load, again } = pagedList(api, ({ requests }) => {
  list.append(...requests.map(card));
  find("#none").hidden = list.children.length > 0;
}, { clear: () => list.replaceChildren() });

async function end(button, id) {
  button.setAttribute("aria-disabled", "true");
  try {
    await call(`${api}/${id}`, { method: "DELETE" });
    await again();
    notice(t("data-requests.ended"), "good");
  } catch (error) {
    button.removeAttribute("aria-disabled");
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
    const end = new Date(new Date(`${to}T00:00`).setHours(24));
    // Codes are written with spaces, too.
    const typed = person.includes("@") ? person : person.replaceAll(/\s/g, "").toUpperCase();
    try {
      const { unavailable_types: unavailable } = await json(api, {
        method: "POST",
        body: {
          [person.includes("@") ? "email" : "fiscal_code"]: typed,
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
