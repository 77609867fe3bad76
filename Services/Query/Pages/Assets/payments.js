// What a third party has to pay, has paid, and does not owe.

import { requireSession } from "../web/api.js";
import { element, find, told } from "../web/dom.js";
import { pagedList } from "../web/list.js";
import { datetime, t } from "../web/words.js";
import { money } from "./money.js";
import { learnLatestNames, learnNames, requestLink } from "./request-links.js";

/** What is due of each currency, of the invoices that were read. */
const sums = new Map();

const line = (words) => (words ? element("p", {}, words) : null);
const when = (word, time) => (time ? t(`payments.${word}`, { when: datetime(time) }) : null);

function way({ state, pay_url: link }) {
  if (state !== "due") return null;
  return link ? element("p", { class: "acts" }, element("a", { class: "button", href: link, rel: "noreferrer" }, t("data-request.pay")))
    : line(t("data-request.pay_soon"));
}

const isOfGroup = ({ kind }) => kind === "group-once";
const subject = (invoice) => (isOfGroup(invoice)
  ? element("a", { href: "/group-requests" }, t("group-requests.title")) : requestLink(invoice.request_id));

const card = (invoice) => element("li", { class: "card" },
  element("h3", {}, subject(invoice)),
  element("p", { class: "big" }, money(invoice)),
  line(t(`payments.kinds.${invoice.kind}`)),
  line(when(isOfGroup(invoice) ? "asked_at" : "made_at", invoice.created_at)),
  line(when(isOfGroup(invoice) ? "group_until" : "until", invoice.due_until)),
  invoice.state === "due" && invoice.failed_at ? element("p", { class: "notice bad" }, when("failed_at", invoice.failed_at)) : null,
  line(when("paid_at", invoice.paid_at)),
  line(when("cancelled_at", invoice.cancelled_at)),
  way(invoice));

/** One is told only of all of it. */
function showSum(hasMore) {
  find("#sum").textContent = hasMore || sums.size === 0 ? ""
    : t("payments.sum", { amount: [...sums].map(([currency, amount]) => money({ amount, currency })).join(" + ") });
}

function list(state) {
  const [box, more] = [find(`#${state}`), find(`#more-${state}`)];
  return pagedList(`/query/v1/invoices?state=${state}`, ({ invoices, next }) => {
    box.append(...invoices.map(card));
    find(`#no-${state}`).hidden = box.children.length > 0;
    if (state === "due") {
      for (const { amount, currency } of invoices) sums.set(currency, (sums.get(currency) ?? 0) + amount);
      showSum(Boolean(next));
    }
    learnNames().catch(told);
  }, { more });
}

if (requireSession()) {
  await learnLatestNames().catch(told);
  for (const state of ["due", "paid", "cancelled"]) await list(state).load().catch(told);
}
