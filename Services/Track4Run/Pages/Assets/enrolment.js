// What a runner does with a run: enrols, accepts clauses that have changed, checks in, leaves, reads the result.

import { json, Refused } from "../web/api.js";
import { element, find, findAll, notice, told } from "../web/dom.js";
import { handle } from "../web/form.js";
import { twoTouches } from "../web/touches.js";
import { number, t } from "../web/words.js";
import { facts, ownResult } from "./own-result.js";
import { localMinute, localTime } from "./zone.js";

const requests = "/query/v1/me/requests";
/** Milliseconds between two looks for the request to check in. */
const lookEvery = 5000;
/** After a check-in the run knows of it within a second or so: milliseconds between two looks, and their number. */
const [confirmEvery, confirmsMax] = [1000, 20];
/** Milliseconds after a time at which the service has done what is due at it. */
const patience = 4000;
const timerMax = 24 * 3600 * 1000;

/** Refusals of an enrolment after which the page is no longer as things are. */
const changedMeanwhile = ["clauses-changed", "run-full", "enrolment-closed", "not-open", "already-enrolled"];

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const paragraph = (text, kind) => element("p", { class: kind }, text);
const check = (id, label, attributes) => element("div", { class: "check" },
  element("input", { type: "checkbox", id, ...attributes }), element("label", { for: id }, label));

/** Shows in `#me` how the reader takes part in `run`, and what there is to do. `onFollow(bib)` follows the reader. */
export async function enrolment(run, onFollow) {
  const api = `/track4run/v1/runs/${run.code}`;
  const [box, start, end] = [find("#me-content"), Date.parse(run.start), Date.parse(run.end)];
  let timer = 0;

  const mine = async () => (await json(`/track4run/v1/me/enrolments?run=${run.code}`)).enrolments[0];

  /** Shows how things stand; again when that changes by itself. */
  async function again() {
    clearTimeout(timer);
    const [enrolled, now] = [await mine(), Date.now()];
    const content = (await parts(enrolled, now)).filter(Boolean);
    box.replaceChildren(...content);
    find("#me").hidden = content.length === 0;
    const isAskedSoon =
      enrolled?.state === "enrolled" && enrolled.clauses_accepted && isCheckIn(enrolled, now) && !find("#check-in");
    const next = [Date.parse(enrolled?.check_in_from ?? run.start), start + patience, end + patience].find((time) => time > now);
    if (isAskedSoon) lookAgain();
    else if (next) timer = setTimeout(retry, Math.min(next - now + 500, timerMax));
  }

  const retry = () => again().catch((error) => failed(error, retry));

  /** A service that is away at the moment must not cost anybody the check-in. */
  function failed(error, next) {
    told(error);
    if (error.status !== 401) timer = setTimeout(next, lookEvery);
  }

  /** Looks for the request to check in until it is there or the run starts; meanwhile what the reader does stays as it is. */
  function lookAgain() {
    timer = setTimeout(async () => {
      try {
        if (Date.now() >= start || (await asked())) await again();
        else lookAgain();
      } catch (error) {
        failed(error, retry);
      }
    }, lookEvery);
  }

  /** Places that are taken, as they are now. */
  async function count() {
    const { participants, participants_max } = await json(api);
    Object.assign(run, { participants });
    find("#places").textContent = t("run.of_max", { participants, participants_max });
  }

  const isCheckIn = ({ check_in_from: from }, now) => now >= Date.parse(from) && now < start;

  async function parts(enrolled, now) {
    if (enrolled?.placing) return ownResult(run, enrolled, onFollow);
    if (!enrolled || enrolled.state === "out") {
      return [enrolled ? paragraph(t("run.mine.out")) : null, ...enrolling(now)];
    }
    const { state, bib, check_in_from: from, clauses_accepted: isAccepted } = enrolled;
    const said = paragraph(`${t(`run.mine.${state}`)} ${t("run.your_bib", { bib })}`, "lead");
    if (run.state === "cancelled" || now >= end) return [said];
    if (state === "enrolled" && !isAccepted) {
      run.clauses = (await json(api)).clauses;
      return [paragraph(t("run.clauses_changed"), "notice"), acceptance(), leaving(now)];
    }
    if (state === "enrolled" && isCheckIn(enrolled, now)) return [said, await checkIn(), leaving(now)];
    if (state === "enrolled") {
      return [said, paragraph(t("run.check_in_at", { time: localTime(from) })), device(), leaving(now)];
    }
    if (state !== "checked-in") return [said];
    const follow = element("button", { type: "button", class: "second", onclick: () => onFollow(bib) }, t("run.follow_me"));
    return [said, now >= start ? follow : device(), leaving(now)];
  }

  const device = () => element("p", { class: "quiet" }, `${t("run.needs_device")} `,
    element("a", { href: "/devices" }, t("run.devices")));

  // Enrolling

  function enrolling(now) {
    if (run.state !== "upcoming" || now >= start) return [];
    if (now >= Date.parse(run.enrolment_deadline)) return [paragraph(t("run.enrolment_closed"))];
    const free = run.participants_max - run.participants;
    if (free <= 0) return [paragraph(t("run.full"))];
    return [
      paragraph(t("run.free", { free: number(free), deadline: localTime(run.enrolment_deadline) })), acceptance("run.enrol"),
    ];
  }

  /** Clauses and their acceptance: enrols, or goes on taking part when they have changed. */
  function acceptance(word = "run.accept") {
    const form = element("form", { id: "enrol" },
      run.clauses ? element("p", { class: "written card" }, run.clauses) : null,
      run.clauses ? element("div", { class: "field" }, check("accepts", t("run.accepts"), { name: "accepts", required: true })) : null,
      element("p", { class: "acts" }, element("button", { type: "submit" }, t(word))));
    handle(form, "run", async () => {
      try {
        const body = { clauses_accepted: true, clauses: run.clauses ?? "" };
        const { bib } = await json(`${api}/enrolments`, { method: "POST", body });
        await Promise.all([again(), count()]);
        notice(t("run.enrolled", { bib }), "good");
      } catch (error) {
        if (!(error instanceof Refused) || !changedMeanwhile.includes(error.code)) throw error;
        // What is accepted is what was read.
        const { clauses, participants, state } = await json(api);
        Object.assign(run, { clauses, participants, state });
        await Promise.all([again(), count()]);
        notice(t(error.code === "clauses-changed" ? "run.clauses_changed" : `run.fault.${error.code}`), "bad");
      }
      find("#me-title").focus();
    });
    return form;
  }

  // Checking in: accepting the organiser's request for the position, which the query service holds (RUN-08).

  /** The request to check in, which is among the latest. */
  async function asked() {
    const list = (await json(`${requests}?limit=100`)).requests;
    return list.find(({ run_id: id, state }) => id === run.id && state === "pending");
  }

  async function checkIn() {
    const request = await asked();
    if (!request) return paragraph(t("run.check_in_soon"));
    const { id, requester, data_types: types, to, lapses_at: lapses } = request;
    const form = element("form", { id: "check-in" },
      element("h3", {}, t("run.check_in")),
      paragraph(t("run.check_in_what", { until: localMinute(to), before: localMinute(lapses) })),
      facts([["organiser", requester.name], ["email", requester.email], ["vat_number", requester.vat_number]]),
      element("fieldset", {}, element("legend", {}, t("run.share_these")),
        ...types.map((type) => check(`share-${type}`, t(`types.${type}`),
          { value: type, checked: true, disabled: type === "position" }))),
      element("p", { class: "acts" }, element("button", { type: "submit" }, t("run.check_in"))));
    handle(form, "run", async () => {
      const chosen = findAll("input", form).filter(({ checked }) => checked).map(({ value }) => value);
      try {
        await json(`${requests}/${id}/acceptance`, { method: "POST", body: { data_types: chosen } });
      } catch (error) {
        // Decided in another tab, or too late: the page shows how it stands.
        if (!(error instanceof Refused) || error.code !== "request-decided") throw error;
      }
      await confirm();
    });
    return form;
  }

  async function confirm() {
    notice(t("run.checking_in"));
    let enrolled = await mine();
    for (let tries = 0; enrolled?.state === "enrolled" && tries < confirmsMax; tries += 1) {
      await pause(confirmEvery);
      enrolled = await mine();
    }
    await again();
    if (enrolled?.state === "checked-in") notice(t("run.checked_in"), "good");
    else notice(t("run.not_checked_in"), "bad");
    find("#me-title").focus();
  }

  // Leaving

  const leaving = (now) => twoTouches({
    ask: t("run.leave"), sure: t("run.leave_sure"), keep: t("run.leave_keep"),
    what: t(now >= start ? "run.leave_under_way" : "run.leave_before"),
  }, leave);

  async function leave(button) {
    button.setAttribute("aria-disabled", "true");
    try {
      await json(`${api}/enrolments`, { method: "DELETE" });
      await Promise.all([again(), count()]);
      notice(t("run.left"), "good");
      find("#me-title").focus();
    } catch (error) {
      button.removeAttribute("aria-disabled");
      told(error);
    }
  }

  await again();
  // The browser could not go there before, when there was nothing to see.
  if (location.hash === "#me") find("#me-title").focus();
}
