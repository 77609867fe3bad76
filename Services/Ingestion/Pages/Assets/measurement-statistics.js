// Statistics of one data type over a span with how they were computed, and the own values beside people's of the same age.

import { json, jsonIfThere } from "../web/api.js";
import { element, find } from "../web/dom.js";
import { date, number, t } from "../web/words.js";
import { bar } from "./table.js";
import { amountWords, decimalsOf, isState, lengthWords, stateWords, unitWords } from "./values.js";

const measures = [
  ["mean"], ["median"], ["p5"], ["p25"], ["p75"], ["p95"], ["min"], ["max"], ["standard_deviation", "variance"],
  ["standard_error", "variance"], ["variance"],
];

/** A statistic in words; one that too few values say nothing about is said to be so. */
function words(type, name, lacksAs, { percentiles, too_few: tooFew, ...statistics }) {
  const value = statistics[name] ?? percentiles[name];
  if (value === undefined) {
    const isLacking = tooFew.includes(lacksAs ?? name) || (name.startsWith("p") && tooFew.includes("percentiles"));
    return isLacking ? t("measurement.too_few") : null;
  }
  // One digit more than the values have; a variance is in the square of their unit.
  if (name === "variance") return `${number(value, decimalsOf(type) + 1)} (${unitWords(type)})²`;
  if (type === "sleep" || type === "distance") return amountWords(type, value);
  return `${number(value, decimalsOf(type) + (name.startsWith("standard") ? 2 : 1))} ${unitWords(type)}`;
}

function showStates(states) {
  const all = Object.values(states).reduce((sum, seconds) => sum + seconds, 0);
  find("#states").hidden = all === 0;
  find("#state-rows").replaceChildren(...Object.entries(states).sort(([, first], [, second]) => second - first)
    .map(([value, seconds]) => element("tr", {},
      element("td", {}, stateWords(value)), element("td", { class: "number" }, lengthWords(seconds)),
      element("td", {}, `${number((100 * seconds) / all)} %`, bar(seconds / all)))));
}

/** Fetches and shows the statistics of `asked`, the parameters of a span. */
export async function showStatistics(type, asked) {
  const { basis, weights, statistics, states, without_contact: without } =
    await json(`/ingestion/v1/me/statistics?${new URLSearchParams(asked)}`);
  if (states !== undefined) showStates(states);
  const facts = isState(type) ? [] : measures.map(([name, lacksAs]) => [name, words(type, name, lacksAs, statistics)]);
  find("#facts").replaceChildren(...[["count", number(statistics.count)], ...facts]
    .filter(([, value]) => value !== null)
    .flatMap(([name, value]) => [element("dt", {}, t(`measurement.statistics.${name}`)), element("dd", {}, value)]));
  const told = [t(`measurement.basis.${basis}`)];
  if (weights === "time") told.push(t("measurement.weighs_time"));
  if (without > 0) told.push(t("measurement.without_contact", { count: number(without) }));
  find("#basis").textContent = told.join(" ");
}

/** Fetches and shows how the own values compare with those of people of the same age. */
export async function showComparison(type) {
  if (isState(type)) return;
  find("#comparison").hidden = false;
  const box = find("#compared");
  const answer = await jsonIfThere(`/ingestion/v1/me/comparison?${new URLSearchParams({ type })}`, "no-data");
  if (answer === null) {
    box.textContent = t("measurement.compared.too-little-data");
    return;
  }
  const { own, days, group, missing } = answer;
  const mean = (value) => (type === "sleep" || type === "distance" ? amountWords(type, value)
    : `${number(value, Math.max(1, decimalsOf(type)))} ${unitWords(type)}`);
  box.replaceChildren(...[
    own === undefined ? null : t("measurement.compared.own", { mean: mean(own), days }),
    group === undefined ? null : t("measurement.compared.group", {
      from: group.age_from, to: group.age_to, mean: mean(group.mean), margin: mean(group.margin), day: date(`${group.day}T12:00`),
    }),
    missing === undefined ? null : t(`measurement.compared.${missing}`),
  ].filter(Boolean).map((text) => element("p", {}, text)));
}
