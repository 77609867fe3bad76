// Requests for people's data: asking, how they stand, the way to each, downloading, ending in two touches.

import { call, download, requireSession } from "../web/api.js";
import { element, find, notice, told } from "../web/dom.js";
import { pagedList } from "../web/list.js";
import { twoTouches } from "../web/touches.js";
import { date, t } from "../web/words.js";
import { askForm } from "./ask-form.js";
import { money } from "./money.js";
import { isReadable, wasAccepted } from "./request-state.js";
import { termsWords } from "./terms.js";

const api = "/query/v1/requests";
const list = find("#requests");
const endWords = { ask: t("data-requests.end"), sure: t("data-requests.end_sure"), keep: t("data-requests.keep") };

const typeNames = (types) => types.map((type) => t(`types.${type}`)).join(", ");

/** A file of the data while it can be read; afterwards of what was received. */
function fileButton(request) {
  const isOpen = isReadable(request);
  if (!isOpen && !wasAccepted(request)) return null;
  return element("p", { class: "acts" }, element("button", {
    type: "button", ...(isOpen ? {} : { class: "second" }),
    onclick: () => download(`${api}/${request.id}/${isOpen ? "data" : "results"}?format=csv`).catch(told),
  }, t(isOpen ? "data-requests.download" : "data-requests.download_results")));
}

function card(request) {
  const { id, individual, state, data_types: types, accepted_types: accepted, from, to, reason, payment } = request;
  const { unavailable_types: unavailable } = request;
  return element("li", { class: "card" },
    element("h3", {}, element("a", { href: `/data-requests/${id}` }, individual)),
    element("p", {}, element("strong", {}, t(`data-requests.states.${state}`))),
    element("p", {}, typeNames(accepted ?? types)),
    element("p", {}, termsWords(request)),
    element("p", {}, t("requests.from_to", { from: date(from), to: date(new Date(to) - 1) })),
    unavailable ? element("p", {}, t("data-requests.unavailable", { types: typeNames(unavailable) })) : null,
    element("p", { class: "quiet" }, reason),
    // Only where the deployment has prices.
    payment ? element("p", {}, `${t(`data-request.payments.${payment.state}`)}: ${money(payment)}`) : null,
    payment && payment.state !== "paid" ? null : fileButton(request),
    state === "pending" || state === "accepted" ? twoTouches(endWords, (button) => end(button, id)) : null);
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
  // That somebody was asked stays told when the list cannot be read.
  askForm(() => again().catch(told));
  await load().catch(told);
}
