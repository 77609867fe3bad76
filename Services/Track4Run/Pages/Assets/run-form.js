// The form of a run, for a new one (RUN-02) and for changes (RUN-04). What is typed is kept in this tab until it is sent, so
// that neither a session that ends nor a page that is left loses it.

import { isLoggedIn, Refused } from "../web/api.js";
import { element, find, notice } from "../web/dom.js";
import { handle } from "../web/form.js";
import { t } from "../web/words.js";
import { fault } from "./course.js";
import { courseEditor } from "./course-editor.js";
import { neighbourCheck } from "./neighbour-check.js";
import { fromField, toField, zoneName } from "./zone.js";

const texts = ["name", "place", "description", "clauses"];
const times = ["start", "end", "enrolment_deadline"];
/** Another account that uses this tab does not find it. */
const kept = `run-form:${localStorage.getItem("account")}:${location.pathname}`;
const keepAfter = 300;

const changed = (members, before) =>
  Object.fromEntries(Object.entries(members).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])));

/** Whether there is something typed that has not been sent. */
export const isKept = () => sessionStorage.getItem(kept) !== null;

/**
 * The form, filled with `run` where it is there already. `send(members)` sends what is new; `sent` is called with its
 * answer.
 */
export function runForm(run, send, sent) {
  const form = find("#run-form");
  const { elements } = form;
  const limits = Object.fromEntries(Object.entries(form.dataset).map(([name, value]) => [name, Number(value)]));
  const seconds = () => (Date.parse(fromField(elements.end.value)) - Date.parse(fromField(elements.start.value))) / 1000;
  let timer;
  const compare = neighbourCheck(find("#neighbours"), run);
  const editor = courseEditor(form, limits, seconds, changedSomething);
  find("#zone-name").textContent = zoneName;

  /** Of a plan that could be sent it is asked whether another run stands in its way. */
  function check() {
    editor.check();
    const { points } = editor.course;
    const [start, end] = [fromField(elements.start.value), fromField(elements.end.value)];
    const isPossible = Date.parse(start) > Date.now() && start < end && fault(points, seconds(), limits) === null;
    compare(isPossible ? { path: points, start, end } : null);
  }

  function changedSomething() {
    check();
    keepSoon();
  }

  /** All members of the run, as the API has them. */
  function members() {
    const { points, checkpoints } = editor.course;
    return {
      ...Object.fromEntries(texts.map((name) => [name, elements[name].value.trim()])),
      ...Object.fromEntries(times.map((name) => [name, fromField(elements[name].value)])),
      participants_max: Number(elements.participants_max.value),
      path: { type: "LineString", coordinates: points },
      checkpoints: checkpoints.map(({ name, coordinates }) => ({ name: name.trim(), coordinates })),
    };
  }

  if (run) {
    for (const name of [...texts, "participants_max"]) elements[name].value = run[name];
    for (const name of times) elements[name].value = toField(run[name]);
    editor.begin({
      points: run.path.coordinates, checkpoints: run.checkpoints.map(({ name, coordinates }) => ({ name, coordinates })),
    });
  }
  const before = members();
  const fields = [...texts, ...times, "participants_max", "path"];
  const typed = () => Object.fromEntries(fields.map((name) => [name, elements[name].value]));
  const untouched = typed();

  function keep() {
    clearTimeout(timer);
    timer = undefined;
    if (Object.keys(changed(members(), before)).length === 0 && elements.path.value === untouched.path) return forget();
    try {
      sessionStorage.setItem(kept, JSON.stringify({ ...typed(), course: editor.course }));
    } catch (error) {
      if (error.name !== "QuotaExceededError") throw error;
      notice(t("run-form.not_kept"), "bad");
      return;
    }
    find("#discard").hidden = false;
  }

  function keepSoon() {
    timer ??= setTimeout(keep, keepAfter);
  }

  function forget() {
    clearTimeout(timer);
    timer = undefined;
    sessionStorage.removeItem(kept);
    find("#discard").hidden = true;
  }

  function restore() {
    const text = sessionStorage.getItem(kept);
    if (!text) return;
    const { course, path, ...values } = JSON.parse(text);
    for (const [name, value] of Object.entries(values)) {
      // What was typed may be older than this form.
      if (elements[name]) elements[name].value = value;
    }
    editor.begin(course);
    if (elements.path.value !== path) {
      elements.path.value = path;
      elements.path.dispatchEvent(new Event("change"));
    }
    find("#discard").hidden = false;
    notice(t("run-form.restored"));
  }

  restore();
  form.addEventListener("input", changedSomething);
  // Unless somebody has logged out: then nothing is left behind.
  addEventListener("pagehide", () => timer !== undefined && isLoggedIn() && keep());
  find("#discard").addEventListener("click", () => {
    forget();
    location.reload();
  });

  handle(form, "run-form", async () => {
    const all = members();
    const body = run ? changed(all, before) : all;
    if (Object.keys(body).length === 0) return notice(t("run-form.unchanged"));
    // Without them those of the course before would have to lie on the new path.
    if (body.path) body.checkpoints = all.checkpoints;
    try {
      const answer = await send(body);
      forget();
      sent(answer);
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 401) throw error;
      keep();
      notice(element("span", {}, error.words, " ", t("problem.kept"), " ", element("a", {
        href: `/login#to=${encodeURIComponent(location.pathname)}`,
      }, t("frame.log_in"))), "bad");
    }
  });
}
