// The runs that a person is or was enrolled in: today's, those to come, what came of the others, and those that were cancelled.

import { requireSession } from "../web/api.js";
import { element, find, told } from "../web/dom.js";
import { pagedList } from "../web/list.js";
import { duration, number, t } from "../web/words.js";
import { progress } from "./placings.js";
import { localTime } from "./zone.js";

const api = "/track4run/v1/me/enrolments";
const isToday = (time) => new Date(time).toDateString() === new Date().toDateString();

const result = ({ place, time_s: time, ...rest }) => place && time
  ? t("my-runs.result", { place, time: duration(time) }) : progress({ place, ...rest });

/** What the runner is to know or to do. */
function standing({ run, state, clauses_accepted: isAccepted, check_in_from: from, placing }) {
  if (placing) return result(placing);
  if (state === "enrolled" && !isAccepted) return t("my-runs.clauses_changed");
  if (state !== "enrolled" || run.state !== "upcoming") return t(`run.mine.${state}`);
  return Date.now() < Date.parse(from) ? t("my-runs.check_in_at", { time: localTime(from) }) : t("my-runs.check_in_now");
}

function card(enrolment) {
  const { run, bib, state, check_in_from: from } = enrolment;
  const checksIn = run.state === "upcoming" && state === "enrolled" && Date.now() >= Date.parse(from);
  return element("li", { class: "card", "data-state": run.state },
    element("a", { class: "cover", href: `/runs/${run.code}` },
      element("h3", {}, run.name),
      element("p", {}, `${run.place}, ${number(run.length_m / 1000, 1)} km`, element("br"),
        element("time", { datetime: run.start }, localTime(run.start))),
      element("p", {}, element("strong", {}, t(`runs.state.${run.state}`)), ` · ${t("my-runs.bib", { bib })}`),
      element("p", {}, standing(enrolment))),
    checksIn ? element("p", { class: "acts" },
      element("a", { class: "button", href: `/runs/${run.code}#me` }, t("run.check_in"))) : null);
}

function show(list, enrolments) {
  for (const enrolment of enrolments) {
    find(`#${list(enrolment)}-box`).hidden = false;
    find(`#${list(enrolment)}`).append(card(enrolment));
  }
}

const coming = pagedList(`${api}?state=current`, ({ enrolments }) =>
  show(({ run }) => (isToday(run.start) || run.state === "under-way" ? "today" : "coming"), enrolments), { more: find("#more-coming") });
const past = pagedList(`${api}?state=past`, ({ enrolments }) => show(() => "past", enrolments), { more: find("#more-past") });
const cancelled = pagedList(
  `${api}?state=cancelled`, ({ enrolments }) => show(() => "cancelled", enrolments), { more: find("#more-cancelled") });

if (requireSession()) {
  try {
    await Promise.all([coming.load(), past.load(), cancelled.load()]);
    find("#none").hidden = find("li.card") !== null;
  } catch (error) {
    told(error);
  }
}
