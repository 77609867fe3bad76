// Files with measurements: choosing, sending, how far they are read, what became of them.

import { call, json, Refused, requireSession } from "../web/api.js";
import { element, find, notice, told } from "../web/dom.js";
import { handle, mark } from "../web/form.js";
import { datetime, number, t } from "../web/words.js";
import { reportOf, newOf } from "./import-report.js";
import { begin, imports as api, send } from "./upload.js";
import { sizeWords } from "./values.js";

const fileBytesMax = 4 * 2 ** 30;
/** How often is asked how far the reading is, and when again after an answer that failed. */
const [every, retryAfter] = [1000, 10_000];

/** What tells a file that is chosen again from others, kept in this browser only. */
const printOf = ({ size, lastModified }) => `${size}-${lastModified}`;
const printKey = (id) => `import-${id}`;

let known = [];
const cards = new Map();
let timer;
/** The file that is being sent: the import's id, and what ends it. */
let sending = null;

function progress(label, value, max) {
  return [element("p", {}, label), element("progress", { value, max: Math.max(1, max), "aria-label": label })];
}

function progressOf({ id, state, received_bytes: received, length_bytes: length, read_bytes: read }) {
  const [done, all] = [sizeWords(state === "receiving" ? received : read), sizeWords(length ?? received)];
  if (state === "receiving" && sending?.id === id) return [];
  if (state === "receiving") return [element("p", {}, t("imports.broken_off", { done, all }))];
  if (state === "waiting") return [element("p", {}, t("imports.waiting"))];
  if (state === "reading") return progress(t("imports.reading", { done, all }), read, length ?? received);
  return [];
}

function cardOf(job) {
  const { id, state, created_at: created, report } = job;
  return element("li", { class: "card" },
    element("h3", {}, datetime(created)), element("p", {}, element("strong", {}, t(`imports.states.${state}`)),
      job.length_bytes === undefined ? "" : ` · ${sizeWords(job.length_bytes)}`),
    ...progressOf(job),
    ...(state === "done" ? [element("p", {}, t("imports.taken", { count: number(newOf(report)) })),
      element("details", {}, element("summary", {}, t("imports.report.title")), ...reportOf(report))] : []),
    sending?.id === id ? null : element("p", { class: "acts" },
      element("button", { type: "button", class: "second", onclick: () => remove(job) }, t("imports.remove"))));
}

/** Brings the list up to date; cards that are the same stay, so that nobody loses the place they read at. */
function showList(jobs) {
  const list = find("#imports");
  find("#none").hidden = jobs.length > 0;
  jobs.forEach((job, index) => {
    const looks = JSON.stringify([job, sending?.id === job.id]);
    let shown = cards.get(job.id);
    if (shown?.looks !== looks) {
      const card = cardOf(job);
      shown?.card.replaceWith(card);
      shown = { looks, card };
      cards.set(job.id, shown);
    }
    if (list.children[index] !== shown.card) list.insertBefore(shown.card, list.children[index] ?? null);
  });
  const there = new Set(jobs.map(({ id }) => id));
  for (const [id, { card }] of cards) if (!there.has(id)) card.remove(), cards.delete(id);
}

function sayWhatIsDone(jobs) {
  for (const job of jobs) {
    if (job.state !== "done" || !known.some(({ id, state }) => id === job.id && state !== "done")) continue;
    find("#state").textContent = job.report.failure
      ? t("imports.failed") : t("imports.finished", { count: number(newOf(job.report)) });
  }
}

/** Of files that nothing is lacking of nothing is kept here. */
function forgetPrints(jobs) {
  const open = new Set(jobs.filter(({ state }) => state === "receiving").map(({ id }) => printKey(id)));
  for (const key of Object.keys(localStorage)) if (key.startsWith(printKey("")) && !open.has(key)) localStorage.removeItem(key);
}

/** Fetches and shows the list, and again as long as something of it goes on by itself. */
async function refresh() {
  clearTimeout(timer);
  const { imports: jobs } = await json(api);
  sayWhatIsDone(jobs);
  known = jobs;
  forgetPrints(jobs);
  showList(jobs);
  if (jobs.some(({ state }) => state === "waiting" || state === "reading")) {
    timer = setTimeout(look, every);
  }
}

/** Brings the page up to date. What fails is told and tried again: files are read whether that can be seen or not. */
async function look() {
  try {
    await refresh();
  } catch (error) {
    told(error);
    if (error.status !== 401) timer = setTimeout(look, retryAfter);
  }
}

async function remove({ id, state }) {
  if (!confirm(t(state === "done" ? "imports.sure_report" : "imports.sure"))) return;
  try {
    await call(`${api}/${id}`, { method: "DELETE" });
    await refresh();
    notice(t("imports.removed"), "good");
  } catch (error) {
    told(error);
  }
}

function showSending(file, sent) {
  const words = t("imports.sending", { done: sizeWords(sent), all: sizeWords(file.size) });
  [find("#progress").value, find("#progress").max] = [sent, file.size];
  find("#sent").textContent = words;
}

/** Sends `file`, from where it broke off if it was chosen before. */
async function importFile(file) {
  const print = printOf(file);
  const earlier = known.find(({ id, state }) => state === "receiving" && localStorage.getItem(printKey(id)) === print);
  const ending = new AbortController();
  find("#sending").hidden = false;
  find("#state").textContent = t(earlier ? "imports.goes_on" : "imports.begins");
  showSending(file, earlier?.received_bytes ?? 0);
  find("#stop").onclick = () => ending.abort();
  try {
    const id = earlier?.id ?? await begin(file);
    localStorage.setItem(printKey(id), print);
    sending = { id };
    await send(file, id, {
      signal: ending.signal,
      onSent: (sent) => ((find("#broken").hidden = true), showSending(file, sent)),
      onBreak: () => (find("#broken").hidden = false),
    });
    known = [...known.filter((job) => job.id !== id), { id, state: "waiting" }];
    find("#state").textContent = t("imports.sent");
  } catch (error) {
    find("#state").textContent = error.name === "AbortError" ? t("imports.stopped") : "";
    if (error.name !== "AbortError") throw error;
  } finally {
    sending = null;
    find("#sending").hidden = true;
    find("#broken").hidden = true;
    await look();
  }
}

if (requireSession()) {
  handle(find("#choose"), "imports", async (_, form) => {
    const [file] = form.elements.file.files;
    find("#state").textContent = "";
    if (file.size === 0 || file.size > fileBytesMax) {
      mark(form, "file", t(file.size === 0 ? "imports.fault.empty" : "imports.fault.file-too-large")).focus();
      return notice(t("problem.fields"), "bad");
    }
    await importFile(file);
    form.reset();
    return undefined;
  });
  // What is being sent would stop.
  window.addEventListener("beforeunload", (event) => sending && event.preventDefault());
  await look();
}
