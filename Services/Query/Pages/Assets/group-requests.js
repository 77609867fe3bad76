// Questions about groups: asking, the answer with its intervals as a plot and as a table, and the answers of before.

import { json, requireSession } from "../web/api.js";
import { element, find, findAll, notice, told } from "../web/dom.js";
import { handle, mark } from "../web/form.js";
import { pagedList } from "../web/list.js";
import { datetime, t } from "../web/words.js";
import { csv, dayWords, show as showAnswer } from "./group-answer.js";
import { money } from "./money.js";

const api = "/query/v1/group-requests";
const typesMax = 5;
const daysMax = 92;
const criteriaMax = 4;
/** In this time the broker has said where it takes a payment. */
const payLinkDelay = 2000;
const iso = (time) => new Date(time).toISOString().slice(0, 10);
const boxes = findAll("#types input");

/** A criterion of the form's `region NAME` or `province XX`. */
const place = (text) => ({ [text.slice(0, text.indexOf(" "))]: text.slice(text.indexOf(" ") + 1) });

function where({ sex, age_min: min, age_max: max, occupation, residence, birthplace }) {
  const age = { ...(min ? { min: Number(min) } : {}), ...(max ? { max: Number(max) } : {}) };
  return {
    ...(Object.keys(age).length > 0 ? { age } : {}), ...(sex ? { sex } : {}), ...(occupation ? { occupation } : {}),
    ...(residence ? { residence: place(residence) } : {}), ...(birthplace ? { birthplace: place(birthplace) } : {}),
  };
}

/** Names of municipalities and states that programs have asked about, by their codes. */
const titles = new Map();

/** Fetches the names that the words of these questions need. */
async function learnTitles(questions) {
  const codes = questions.flatMap(({ where: { residence, birthplace } }) => [residence, birthplace])
    .map((place) => place?.municipality ?? place?.state).filter((code) => code && !titles.has(code));
  await Promise.all([...new Set(codes)].map(async (code) => {
    try {
      titles.set(code, (await json(`/accounts/v1/places/${code}`)).title);
    } catch {
      // The code stands for its name, which is asked for again with the next page.
    }
  }));
}

function placeName({ region, province, municipality, state }) {
  if (region) return region;
  if (province) return find(`#residence option[value="province ${CSS.escape(province)}"]`)?.textContent ?? province;
  return titles.get(municipality ?? state) ?? municipality ?? state;
}

/** A question in words. */
function words({ data_types: types, from, to, where: { age, sex, occupation, residence, birthplace } }) {
  return [
    types.map((type) => t(`types.${type}`)).join(", "), t("requests.from_to", { from: dayWords(from), to: dayWords(to) }),
    sex && t(`group-requests.${sex === "female" ? "women" : "men"}`),
    age && t("group-requests.ages", { min: age.min ?? 0, max: age.max ?? 120 }),
    occupation && t(`group-requests.occupations.${occupation}`),
    residence && t("group-requests.living", { place: placeName(residence) }),
    birthplace && t("group-requests.born", { place: placeName(birthplace) }),
  ].filter(Boolean).join(" · ");
}

/** What cannot be asked whatever the data: the field, and the word for why. */
function faultOf(from, to, { min = 0, max = 120 } = {}) {
  if (min > max) return { field: "age_max", word: "ages_turned" };
  if (from > to) return { field: "to", word: "days_turned" };
  if (Date.parse(to) - Date.parse(from) >= daysMax * 86400e3) return { field: "to", word: "too_many_days" };
  return null;
}

const payWay = ({ pay_url: link }) =>
  (link ? element("a", { href: link, rel: "noreferrer" }, t("data-request.pay")) : t("data-request.pay_soon"));

/** The question that was asked on this page and has to be paid. */
let unpaid;

/** What has to be paid for the answer; nothing of what costs nothing, or is paid. */
function showPayment(payment) {
  find("#pay").replaceChildren(...(payment?.state === "due" ? [element("p", { class: "notice" },
    t("group-requests.due", { price: money(payment), until: datetime(payment.due_until) }), " ", payWay(payment))] : []));
}

/** What a question of before has: its answer, why there is none, or what it costs. */
function outcome({ question, outcome: word, answer, payment }) {
  const parts = [];
  if (payment) parts.push(element("p", {}, `${t(`data-request.payments.${payment.state}`)}: ${money(payment)}`));
  if (answer) {
    parts.push(element("p", { class: "acts" }, element("button", {
      type: "button", class: "second", onclick: () => show(question, answer),
    }, t("group-requests.show"))));
  } else if (payment) {
    parts.push(element("p", {}, payment.state === "due" ? payWay(payment) : t("group-requests.over")));
  } else {
    parts.push(element("p", {}, t(word === "answered" ? "group-requests.over" : `group-requests.fault.${word}`)));
  }
  return parts;
}

let shown;
function show(question, answer) {
  shown = { question, answer };
  find("#question").textContent = words(question);
  find("#answer").hidden = false;
  showAnswer(answer);
  find("#answer").focus();
}

const list = find("#history");
const { load, again } = pagedList(`${api}?limit=10`, ({ group_requests: entries }) => {
  list.append(...entries.map((entry) => element("li", { class: "card" },
    element("h3", {}, datetime(entry.asked_at)), element("p", {}, words(entry.question)), ...outcome(entry))));
  const asked = entries.find(({ id }) => id === unpaid);
  if (asked) showPayment(asked.payment);
  find("#none").hidden = list.children.length > 0;
}, {
  clear: () => list.replaceChildren(),
  prepare: ({ group_requests: entries }) => learnTitles(entries.map(({ question }) => question)),
});

/** Tells why nothing is listed: a company that is not admitted has its own words. */
const refused = (error) => (
  error.code === "insufficient-scope" ? notice(t("group-requests.fault.insufficient-scope"), "bad") : told(error));

function save() {
  const address = URL.createObjectURL(new Blob([csv(shown.answer)], { type: "text/csv" }));
  element("a", { href: address, download: `trackme-${shown.answer.id}.csv` }).click();
  URL.revokeObjectURL(address);
}

/** Shows an answer, or what has to be paid for it. */
function tell(question, answer) {
  if (answer.buckets) return show(question, answer);
  unpaid = answer.id;
  showPayment(answer.payment);
  find("#pay").focus();
  return setTimeout(() => again().catch(refused), payLinkDelay);
}

if (requireSession()) {
  const price = find("#price")?.dataset;
  if (price) {
    find("#price").textContent = t("group-requests.price", { price: money({ amount: Number(price.amount), currency: price.currency }) });
  }
  boxes.find(({ value }) => value === "heart-rate").checked = true;
  // Days are closed 48 hours after their end.
  find("#to").value = iso(Date.now() - 4 * 86400e3);
  find("#from").value = iso(Date.now() - 10 * 86400e3);
  find("#save").addEventListener("click", save);
  handle(find("#ask"), "group-requests", async ({ from, to, ...criteria }, form) => {
    const types = boxes.filter(({ checked }) => checked).map(({ value }) => value);
    const group = where(criteria);
    const count = Object.keys(group).length;
    const isWithin = (number, most) => number > 0 && number <= most;
    const fault = !isWithin(types.length, typesMax) ? "data_types" : !isWithin(count, criteriaMax) ? "where" : null;
    if (fault) {
      (fault === "where" ? find("#sex") : boxes[0]).focus();
      return notice(t(`group-requests.fault.${fault}`), "bad");
    }
    const wrong = faultOf(from, to, group.age);
    if (wrong) {
      mark(form, wrong.field, t(`group-requests.fault.${wrong.word}`)).focus();
      return notice(t("problem.fields"), "bad");
    }
    find("#answer").hidden = true;
    unpaid = undefined;
    showPayment();
    const question = { data_types: types, bucket: "day", from, to, where: group };
    try {
      tell(question, await json(api, { method: "POST", body: question }));
    } finally {
      await again().catch(refused);
    }
    return undefined;
  });
  await load().catch(refused);
}
