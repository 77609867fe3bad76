// What AutomatedSOS costs, where it costs something: accepted with the enrolment, and shown while something is due.

import { json } from "../web/api.js";
import { element } from "../web/dom.js";
import { date, locale, t } from "../web/words.js";

const money = ({ amount, currency }) =>
  new Intl.NumberFormat(locale, { style: "currency", currency }).format(amount / 100);

/** `null` where nothing costs anything. */
const read = () => json("/dispatcher/v1/price");

/** Asks whoever enrols to accept the price, before `acts`. What is sent for it: nothing where there is no price. */
export async function offerPrice(acts) {
  const price = await read();
  if (!price) return () => undefined;
  const words = { price: money(price), days: price.days, due: price.due_days, warning: price.warning_days };
  acts.before(element("fieldset", {}, element("legend", {}, t("sos-price.step")),
    element("p", { id: "price-hint" }, t("sos-price.unpaid", words)),
    element("div", { class: "field" }, element("div", { class: "check" },
      element("input", {
        id: "accepts-price", name: "accepts_price", type: "checkbox", required: true, value: "true", "aria-describedby": "price-hint",
      }),
      element("label", { for: "accepts-price" }, t("sos-price.accepts", words))))));
  return ({ accepts_price: accepts }) => (accepts ? { amount: price.amount, currency: price.currency } : undefined);
}

/** Says below `state` what is due, and what follows. */
export async function showDue(state) {
  const due = (await read())?.accepted?.due;
  if (!due) return;
  const kind = due.pause_from === undefined ? "due" : new Date(due.pause_from) > new Date() ? "warned" : "paused";
  const words = { price: money(due), until: date(due.due_until), from: due.pause_from && date(due.pause_from) };
  state.after(element("section", { "aria-labelledby": "due-title" },
    element("h2", { id: "due-title" }, t("sos-price.title")),
    element("p", {}, t(`sos-price.${kind}`, words)),
    due.pay_url
      ? element("p", { class: "acts" }, element("a", { class: "button", href: due.pay_url }, t("sos-price.pay", words)))
      : element("p", {}, t("sos-price.soon"))));
}
