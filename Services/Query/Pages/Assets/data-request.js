// One request for a person's data: how it stands, the data as a plot and as a table, files, its end in two touches.

import { call, json, requireSession } from "../web/api.js";
import { element, find, findAll, notice, told } from "../web/dom.js";
import { handle, mark } from "../web/form.js";
import { busy, twoTouches } from "../web/touches.js";
import { ago, date, datetime, number, t } from "../web/words.js";
import { drawSamples, fillTable, stepWords } from "./data-drawing.js";
import { saveFile } from "./files.js";
import { money } from "./money.js";
import { isReadable, wasAccepted } from "./request-state.js";
import { isCursorGone, remember, Samples, seen } from "./samples.js";
import { termsWords } from "./terms.js";

const id = location.pathname.split("/").at(-1);
const api = `/query/v1/requests/${id}`;
const rowsMax = 100;
/** Devices send every 30 s. */
const lookInterval = 30_000;

let request;
let samples;
let isReading = false;
let firstRow = 0;
let kept;

const typeNames = (types) => types.map((type) => t(`types.${type}`)).join(", ");
const isAccepted = () => isReadable(request);
const isDue = () => isAccepted() && request.payment !== undefined && request.payment.state !== "paid";
const isOpen = () => isAccepted() && !isDue();

function describe() {
  const { individual, mode, data_types: types, accepted_types: accepted, from, to, reason, state } = request;
  const { unavailable_types: unavailable } = request;
  find("#person").textContent = individual;
  find("#state").textContent = t(`data-requests.states.${state}`);
  const facts = [
    ["why", reason], ["what", t(`requests.${mode}`)], ["how", termsWords(request)], ["asked_types", typeNames(types)],
    ["accepted_types", accepted && typeNames(accepted)],
    ["unavailable_types", unavailable && typeNames(unavailable)],
    ["period", t("requests.from_to", { from: date(from), to: date(new Date(to) - 1) })],
    // Only where the deployment has prices.
    ["price", request.price && money(request.price)],
    ["payment", request.payment && t(`data-request.payments.${request.payment.state}`)],
  ];
  find("#facts").replaceChildren(...facts.filter(([, value]) => value).flatMap(([name, value]) =>
    [element("dt", {}, t(`data-request.${name}`)), element("dd", {}, value)]));
  find("#history").replaceChildren(...steps().map(([time, words]) => element("li", {},
    element("time", { datetime: time }, datetime(time)), ` · ${words}`)));
  const { pay_url: link, due_until: until } = request.payment ?? {};
  find("#pay").replaceChildren(...(isDue() ? [element("p", { class: "notice" },
    t("data-request.due", { price: money(request.payment), until: datetime(until) }), " ",
    link ? element("a", { href: link, rel: "noreferrer" }, t("data-request.pay")) : t("data-request.pay_soon"))] : []));
  find("#end").replaceChildren(...(state === "pending" || state === "accepted" ? [twoTouches(
    { ask: t("data-requests.end"), sure: t("data-requests.end_sure"), keep: t("data-requests.keep") }, end)] : []));
}

/** What has happened and what will, in the order of time. */
function steps() {
  const { created_at: created, decided_at: decided, closed_at: closed, state } = request;
  return [
    [created, t("data-request.steps.asked")],
    ...(wasAccepted(request) ? [[decided, t("data-request.steps.accepted")]] : []),
    ...(closed ? [[closed, t(`data-requests.states.${state}`)]] : []),
    ...(state === "pending" ? [[request.lapses_at, t("data-request.steps.lapses")]] : []),
    ...(isAccepted() ? [[request.access_until, t("data-request.steps.until")]] : []),
  ];
}

async function end(button) {
  button.setAttribute("aria-disabled", "true");
  try {
    await call(api, { method: "DELETE" });
    await show();
    notice(t("data-requests.ended"), "good");
  } catch (error) {
    button.removeAttribute("aria-disabled");
    await failed(error);
  }
}

/** A consent that has ended meanwhile shows in the request; everything else is told as it is. */
async function failed(error) {
  if (!error.code?.startsWith("consent-") && error.code !== "payment-required" && error.code !== "request-decided") return told(error);
  await show().catch(told);
  return notice(t("data-request.over"), "bad");
}

const chosen = () => find("#type").selectedOptions[0];

function showSamples() {
  const { value: type, dataset: { kind, decimals } } = chosen();
  const { step, all, isThinned } = samples.buckets(type);
  const [count, isSummed] = [samples.countOf(type), samples.isSummed(type)];
  find("#told").textContent = (isSummed ? count : all.length) === 0 ? t("data-request.none_of_type") : [
    t(isSummed ? "data-request.read_sums" : "data-request.read", { count: number(count) }),
    isThinned ? t("data-request.thinned", { step: stepWords(step) }) : t(isSummed ? "data-request.each_sum" : "data-request.each"),
    samples.hasMore ? t("data-request.has_more") : samples.isDelayed ? t("data-request.delayed") : "",
  ].join(" ");
  find("#read-on").hidden = !samples.hasMore || isReading;
  drawSamples({ type, kind, decimals: Number(decimals), step, buckets: all });
  kept = undefined;
  firstRow = 0;
  if (find("#single").open) showRows();
}

function showRows() {
  const { value: type, dataset: { kind, decimals } } = chosen();
  kept ??= samples.kept(type);
  fillTable(kept.slice(firstRow, firstRow + rowsMax), { type, kind, decimals: Number(decimals) });
  find("#rows-told").textContent = t(samples.isCut ? "data-request.rows_cut" : "data-request.rows", {
    first: number(Math.min(firstRow + 1, kept.length)), last: number(Math.min(firstRow + rowsMax, kept.length)),
    count: number(kept.length),
  });
  find("#later").hidden = firstRow === 0;
  find("#earlier").hidden = firstRow + rowsMax >= kept.length;
}

function turn(rows) {
  firstRow += rows;
  showRows();
  find("#rows-told").focus();
}

/** Reads on, and remembers where the data ends, for the next time. Returns how many samples came. */
async function readOn() {
  if (isReading) return 0;
  setReading(true);
  try {
    const reader = samples;
    const count = await reader.readOn(() => reader === samples && showSamples());
    if (!reader.hasMore) remember(id, reader.cursor);
    return count;
  } finally {
    setReading(false);
  }
}

function setReading(value) {
  isReading = value;
  for (const button of findAll("#since button")) button.setAttribute("aria-disabled", String(value));
  find("#read-on").hidden = value || !samples.hasMore;
}

/** Begins anew: with what has come since last time, or with everything. */
async function begin(since) {
  samples = new Samples(`${api}/data`, since?.cursor);
  for (const button of findAll("#since button")) {
    button.setAttribute("aria-current", String((button.dataset.since === "last") === (since !== undefined)));
  }
  const count = await readOn().catch((error) => {
    if (!since || !isCursorGone(error)) throw error;
    return 0;
  });
  if (since && count === 0) {
    find("#news").textContent = t("data-request.no_news", { when: ago(since.at) });
    return begin();
  }
  if (since) find("#news").textContent = t("data-request.news", { count: number(count), when: ago(since.at) });
  return showSamples();
}

async function look() {
  if (document.visibilityState !== "visible" || !samples || samples.hasMore || isReading || !isOpen()) return;
  const count = await readOn();
  if (count > 0) find("#news").textContent = t("data-request.came", { count: number(count) });
}

async function showData() {
  const last = request.mode === "subscription" ? seen(id) : undefined;
  for (const option of findAll("#type option")) if (!request.accepted_types.includes(option.value)) option.remove();
  // What has a plot comes first.
  (findAll("#type option").find(({ dataset: { kind } }) => kind === "rate") ?? find("#type option")).selected = true;
  find("#since").hidden = !last;
  for (const [name, since] of [["last", last], ["all", undefined]]) {
    find(`[data-since=${name}]`).onclick = () => isReading || begin(since).catch(failed);
  }
  const iso = (time) => new Date(time - 60_000 * new Date(time).getTimezoneOffset()).toISOString().slice(0, 10);
  find("#from").value = iso(Date.parse(request.from));
  find("#to").value = iso(Math.min(Date.parse(request.to) - 1, Date.now()));
  await begin(last);
}

async function show() {
  request = await json(api);
  describe();
  find("#data").hidden = !isOpen();
  find("#results").hidden = isOpen() || !wasAccepted(request);
  find("#mail").hidden = !wasAccepted(request);
}

const tellSaved = (isAll) => notice(t(isAll ? "data-request.downloading" : "data-request.file_cut"), isAll ? "good" : "bad");

if (requireSession()) {
  find("#type").addEventListener("change", showSamples);
  find("#single").addEventListener("toggle", () => find("#single").open && showRows());
  find("#later").addEventListener("click", () => turn(-rowsMax));
  find("#earlier").addEventListener("click", () => turn(rowsMax));
  find("#read-on").addEventListener("click", () => readOn().then(showSamples).catch(failed));
  handle(find("#files"), "data-request", async ({ from, to, format }, form) => {
    const [first, end] = [Date.parse(`${from}T00:00`), new Date(`${to}T00:00`).setHours(24)];
    if (first >= end || first >= Date.parse(request.to) || end <= Date.parse(request.from)) {
      mark(form, "to", t("data-request.fault.to")).focus();
      return notice(t("problem.fields"), "bad");
    }
    await show();
    if (!isOpen()) return notice(t("data-request.over"), "bad");
    const span = { from: new Date(first).toISOString(), to: new Date(end).toISOString() };
    return tellSaved(await saveFile(`${api}/data`, id, format, span));
  });
  for (const button of findAll("#results button")) {
    button.addEventListener("click", () => busy(button, async () => {
      tellSaved(await saveFile(`${api}/results`, id, button.dataset.format));
    }));
  }
  find("#mail-link").addEventListener("click", ({ currentTarget }) => busy(currentTarget, async () => {
    await call(`${api}/results/mail`, { method: "POST" });
    notice(t("data-request.mailed"), "good");
  }));
  await show().then(() => (isOpen() ? showData() : undefined)).catch(failed);
  if (request?.mode === "subscription") setInterval(() => look().catch(failed), lookInterval);
}
