// The weekly report: for each data type the days from Monday to Sunday with bars beside them, their mean, and how it compares
// with the week before.

import { json, requireSession } from "../web/api.js";
import { element, find, told } from "../web/dom.js";
import { date, locale, number, t } from "../web/words.js";
import { addDays, today } from "./days.js";
import { bar } from "./table.js";
import { amountWords, decimalsOf, isCounter, unitWords } from "./values.js";

const noon = (day) => `${day}T12:00`;
const weekdays = new Intl.DateTimeFormat(locale, { weekday: "short" });

/** A mean with one digit more than values have. */
const meanWords = (type, value) => (isCounter(type) || decimalsOf(type) > 0 ? amountWords(type, value) : `${number(value, 1)} ${unitWords(type)}`);

function changeWords({ type, change, mean }) {
  if (change === undefined) return t("week.no_change");
  if (Math.abs(change) < Math.abs(mean) / 200) return t("week.same");
  return t(change > 0 ? "week.more" : "week.less", { amount: meanWords(type, Math.abs(change)) });
}

/** Whether values are written in one of several units, which stands beside each. */
const hasOwnUnit = (type) => type === "sleep" || type === "distance";

/** A day's value; the unit of others stands above. */
const dayWords = (type, value) =>
  hasOwnUnit(type) ? amountWords(type, value) : number(value, isCounter(type) ? 0 : Math.max(1, decimalsOf(type)));

/** Bars of amounts begin at 0; those of levels, which differ by little, below the least one. */
function scaleOf(type, days) {
  const values = days.filter((value) => value !== null);
  const [least, greatest] = [Math.min(...values), Math.max(...values)];
  const floor = isCounter(type) ? 0 : least - Math.max(greatest - least, greatest / 20);
  return (value) => (greatest === floor ? 0 : (value - floor) / (greatest - floor));
}

function cardOf(line, from) {
  const { type, days, mean } = line;
  const share = scaleOf(type, days);
  const name = t(`types.${type}`);
  return element("li", { class: "card" },
    element("h2", {}, element("a", { href: `/measurements/${type}?${new URLSearchParams({ from, to: addDays(from, 6) })}` }, name)),
    element("p", { class: "big" }, meanWords(type, mean)),
    element("p", {}, type === "heart-rate" ? t("week.resting") : t(isCounter(type) ? "week.mean_day" : "week.mean")),
    element("p", {}, changeWords(line)),
    element("table", {}, element("caption", { class: "only-read" }, hasOwnUnit(type) ? name : `${name}, ${unitWords(type)}`),
      element("tbody", {}, ...days.map((value, index) => element("tr", {},
        element("th", { scope: "row" }, weekdays.format(new Date(noon(addDays(from, index))))),
        element("td", { class: "number" }, value === null ? t("week.nothing") : dayWords(type, value)),
        element("td", { class: "bars" }, value === null ? null : bar(share(value))))))));
}

async function show() {
  const asked = new URLSearchParams(location.search).get("week");
  const query = /^\d{4}-\d\d-\d\d$/.test(asked ?? "") ? `?week=${asked}` : "";
  const { from, to, lines } = await json(`/ingestion/v1/me/report${query}`);
  find("#which").textContent = t("week.days", { from: date(noon(from)), to: date(noon(to)) });
  find("#none").hidden = lines.length > 0;
  find("#lines").replaceChildren(...lines.map((line) => cardOf(line, from)));
  find("#before").hidden = false;
  find("#before").href = `?week=${addDays(from, -7)}`;
  // A week has a report when it is over.
  find("#after").hidden = addDays(to, 7) >= today();
  find("#after").href = `?week=${addDays(from, 7)}`;
}

if (requireSession()) {
  try {
    await show();
  } catch (error) {
    // Nothing is stored of this person, or so long ago there are no reports.
    if (error.code === "no-data" || error.status === 422) find("#none").hidden = false;
    else told(error);
  }
}
