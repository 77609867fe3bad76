// Asking one or several people on the same terms, by one call with a key: sent again, it goes on where it stopped, and nobody is
// asked twice.

import { json } from "../web/api.js";
import { hasWord, t } from "../web/words.js";
import { money } from "./money.js";

export const peopleMax = 1000;
/** Characters of a name. */
export const nameMax = 254;
/** The service answers within a minute. */
const answerMillisecondsMax = 75_000;

/** As typed or pasted from a spreadsheet, one on a line or in a cell: each once, as the API takes them. Codes have spaces, too. */
export function peopleOf(text) {
  const people = new Map();
  for (const cell of text.split(/[\n\r\t;,]+/)) {
    const typed = cell.trim().replace(/^"(.*)"$/, "$1").trim();
    if (typed === "") continue;
    const person = typed.includes("@") ? { email: typed } : { fiscal_code: typed.replaceAll(/\s/g, "").toUpperCase() };
    const key = nameOf(person).toLowerCase();
    if (!people.has(key)) people.set(key, person);
  }
  return [...people.values()];
}

export const nameOf = ({ email, fiscal_code: code }) => email ?? code;

/** What has been sent, until there is an answer for everybody: `{text, body, key}`. The same again has the same key. */
let sent;

/** Pages that are not served safely have no `randomUUID`. */
const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Asks `people`. What became of each, in their order: `{person, status, id, unavailable_types, code, detail}`. Throws `Refused`. */
export function ask(people, terms) {
  const body = { people, ...terms };
  const text = JSON.stringify(body);
  if (sent?.text !== text) sent = { text, body, key: newKey() };
  return askAgain();
}

/** Goes on with what was sent last: with those whom nothing was decided about. Throws `Refused`. */
export async function askAgain() {
  const { body, key } = sent;
  const { items } = await json("/query/v1/request-batches", {
    method: "POST", body, headers: { "Idempotency-Key": key }, signal: AbortSignal.timeout(answerMillisecondsMax),
  });
  const outcomes = items.map((item, index) => ({ ...item, person: body.people[index] }));
  if (!outcomes.some(isOpen) && sent?.key === key) sent = undefined;
  return outcomes;
}

export const isAsked = ({ status }) => status === 201;
/** Nothing was decided: a limit was reached, or a service was away. The same call goes on with it. */
export const isOpen = ({ status }) => status === 429 || status >= 500;
/** Nobody has this name; it may be written wrongly. */
export const isUnknown = ({ status }) => status === 404 || status === 422;

/** What it costs when the person accepts; `null` when nothing. */
export const priceWords = ({ price }) => (price ? t("data-requests.costs", { price: money(price) }) : null);

/** What became of one of them, in words. */
export function outcomeWords(outcome) {
  const { status, code, detail, unavailable_types: unavailable = [] } = outcome;
  if (isAsked(outcome)) {
    return [unavailable.length === 0 ? t("data-requests.outcomes.asked")
      : t("data-requests.outcomes.asked_without", { types: unavailable.map((type) => t(`types.${type}`)).join(", ") }),
    priceWords(outcome)].filter(Boolean).join(" ");
  }
  if (status === 422) return t("data-requests.fault.person_wrong");
  const key = `data-requests.fault.${code}`;
  if (hasWord(key)) return t(key);
  return isOpen(outcome) ? t("data-requests.outcomes.away") : detail;
}
