// Questions about groups: asking, the answer with its intervals as a plot and as a table, and the answers of before.

import { json, requireSession } from "../web/api.js";
import { element, find, findAll, notice, told } from "../web/dom.js";
import { handle, mark } from "../web/form.js";
import { pagedList } from "../web/list.js";
import { datetime, t } from "../web/words.js";
import { csv, dayWords, show as showAnswer } from "./group-answer.js";

const api = "/query/v1/group-requests";
const typesMax = 5;
const daysMax = 92;
const criteriaMax = 4;
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
  list.append(...entries.map(({ asked_at: asked, question, outcome, answer }) => element("li", { class: "card" },
    element("h3", {}, datetime(asked)), element("p", {}, words(question)),
    answer ? element("p", { class: "acts" }, element("button", {
      type: "button", class: "second", onclick: () => show(question, answer),
    }, t("group-requests.show"))) : element("p", {}, t(`group-requests.fault.${outcome}`)))));
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

if (requireSession()) {
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
    const question = { data_types: types, bucket: "day", from, to, where: group };
    try {
      show(question, await json(api, { method: "POST", body: question }));
    } finally {
      await again().catch(refused);
    }
    return undefined;
  });
  await load().catch(refused);
}
