// The form of a new request: whom, which data, of which time, how fine and how often, and what became of each of those asked.

import { Refused } from "../web/api.js";
import { element, find, findAll, notice } from "../web/dom.js";
import { handle, mark, tellRefusal } from "../web/form.js";
import { busy } from "../web/touches.js";
import { number, t } from "../web/words.js";
import { ask, askAgain, isAsked, isOpen, isUnknown, nameMax, nameOf, outcomeWords, peopleMax, peopleOf, priceWords } from "./asking.js";

/** So many take long enough that it is told. */
const manyPeople = 20;
const day = 86_400_000;

const form = find("#ask");
const boxes = findAll("#types input");
const { from, to, frequency, every_minutes: minutes, granularity, person } = form.elements;

/** A field's day: that of the reader's clock. */
const fieldDay = (time) => new Date(time - 60_000 * new Date(time).getTimezoneOffset()).toISOString().slice(0, 10);
/** The last day counts whole. */
const endOf = (lastDay) => new Date(new Date(`${lastDay}T00:00`).setHours(24));
/** A period that reaches into the future is a subscription (REQ-01). */
const isSubscription = () => to.value !== "" && endOf(to.value) > new Date();

/** Shows the fields that the others ask for. Those that are hidden are not sent. */
function showFields() {
  find("#frequency-box").hidden = frequency.disabled = !isSubscription();
  find("#minutes-box").hidden = minutes.disabled = frequency.disabled || frequency.value !== "interval";
}

/** A duration from today fills in the days. */
function setDuration({ target }) {
  const days = Number(target.value);
  if (!days) return;
  to.value = fieldDay(Date.now() + days * day);
  if (from.value === "") from.value = fieldDay(Date.now());
  showFields();
}

/** What keeps the form from being sent, at its field; `null` when nothing does. */
function marked(people, types) {
  const fault = (field, word) => mark(form, field, t(`data-requests.fault.${word}`));
  if (people.length === 0) return fault("person", "person");
  if (people.length > peopleMax) return fault("person", "people");
  if (people.some((one) => nameOf(one).length > nameMax)) return fault("person", "person_wrong");
  if (types.length === 0) return fault("data_types", "data_types");
  // A mean of positions is no place.
  if (types.includes("position") && granularity.value !== "raw") return fault("granularity", "granularity");
  return null;
}

/** The people whom asking again may help stay in the form, to be put right. */
function keep(outcomes) {
  const rest = outcomes.filter((outcome) => isUnknown(outcome) || isOpen(outcome));
  if (rest.length === 0) {
    form.reset();
    showFields();
    find("#new").open = false;
  } else person.value = rest.map((outcome) => nameOf(outcome.person)).join("\n");
}

const line = (outcome) => {
  const name = nameOf(outcome.person);
  return element("li", {},
    isAsked(outcome) ? element("a", { href: `/data-requests/${outcome.id}` }, name) : element("strong", {}, name),
    ` – ${outcomeWords(outcome)}`);
};

/** What became of several people. */
function showOutcomes(outcomes) {
  const [asked, open] = [outcomes.filter(isAsked).length, outcomes.filter(isOpen).length];
  find("#outcome-told").textContent = [
    t("data-requests.outcomes.told", { asked: number(asked), all: number(outcomes.length) }),
    open > 0 ? t("data-requests.outcomes.open", { count: number(open) }) : "",
  ].filter(Boolean).join(" ");
  find("#outcomes").replaceChildren(...outcomes.map(line));
  find("#ask-again").hidden = open === 0;
  find("#outcome").hidden = false;
  keep(outcomes);
}

/** What became of the only one is told as of any form. Throws `Refused`. */
function showOutcome(outcome) {
  if (isUnknown(outcome)) {
    mark(form, "person", outcomeWords(outcome)).focus();
    notice(t("problem.fields"), "bad");
    return;
  }
  if (!isAsked(outcome)) throw new Refused(outcome.status, outcome);
  keep([outcome]);
  const { unavailable_types: unavailable } = outcome;
  const sent = unavailable.length === 0 ? t("data-requests.sent")
    : t("data-requests.sent_without", { types: unavailable.map((type) => t(`types.${type}`)).join(", ") });
  notice([sent, priceWords(outcome)].filter(Boolean).join(" "), "good");
}

async function send(values, changed) {
  const people = peopleOf(person.value);
  const types = boxes.filter(({ checked }) => checked).map(({ value }) => value);
  const wrong = marked(people, types);
  if (wrong) {
    wrong.focus();
    return notice(t("problem.fields"), "bad");
  }
  find("#outcome").hidden = true;
  if (people.length > manyPeople) notice(t("data-requests.asking", { count: number(people.length) }));
  const outcomes = await ask(people, {
    data_types: types, from: new Date(`${values.from}T00:00`).toISOString(), to: endOf(values.to).toISOString(),
    mode: isSubscription() ? "subscription" : "once", granularity: values.granularity,
    ...(values.frequency ? { frequency: values.frequency } : {}),
    ...(values.every_minutes ? { every_minutes: Number(values.every_minutes) } : {}),
    reason: values.reason,
  });
  if (outcomes.length === 1) showOutcome(outcomes[0]);
  else {
    notice("");
    showOutcomes(outcomes);
    find("#outcome").focus();
  }
  return changed();
}

/** Makes the form work; `changed` is awaited when somebody may have been asked. */
export function askForm(changed) {
  boxes[0].dataset.members = "data_types";
  find("#duration").addEventListener("change", setDuration);
  to.addEventListener("input", showFields);
  frequency.addEventListener("change", showFields);
  // A day that is typed is no longer that of the duration.
  to.addEventListener("input", () => (find("#duration").value = ""));
  showFields();
  handle(form, "data-requests", (values) => send(values, changed));
  find("#ask-again").addEventListener("click", ({ currentTarget }) => busy(currentTarget, async () => {
    showOutcomes(await askAgain());
    await changed();
    find("#outcome").focus();
  }, (error) => tellRefusal("data-requests", error)));
}
