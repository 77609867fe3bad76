// One webhook: how it stands, calling it for a test, changing it, a new secret, what was sent and sending it again.

import { call, json, requireSession } from "../web/api.js";
import { element, find, notice, told } from "../web/dom.js";
import { handle, tellRefusal } from "../web/form.js";
import { busy, twoTouches } from "../web/touches.js";
import { datetime, t } from "../web/words.js";
import { chooseKinds, chosenKinds } from "./event-kinds.js";
import { attemptLog, outcome } from "./webhook-attempts.js";
import { secretBox, showSecret } from "./webhook-secret.js";
import { heldWords, kindsWords, stateWords, whyWords } from "./webhook-state.js";

const api = `/query/v1/webhooks/${location.pathname.split("/").at(-1)}`;
const form = find("#change");
const refused = (error) => tellRefusal("webhook", error);

function describe(webhook) {
  const { url, description, state, payload, created_at: created, previous_secret_until: until } = webhook;
  find("#address").textContent = description ? `${description} · ${url}` : url;
  find("#state").textContent = stateWords(webhook);
  const why = whyWords(webhook);
  find("#why").textContent = why ?? "";
  find("#why").hidden = !why;
  const facts = [
    ["payload", t(`webhooks.payloads.${payload}`)], ["kinds", kindsWords(webhook)], ["held", heldWords(webhook)],
    ["secrets", until && t("webhook.both_until", { until: datetime(until) })], ["made_at", datetime(created)],
  ];
  find("#facts").replaceChildren(...facts.filter(([, value]) => value).flatMap(([name, value]) =>
    [element("dt", {}, t(`webhook.facts.${name}`)), element("dd", {}, value)]));
  find("#go-on").hidden = state === "active";
  find("#pause").hidden = state !== "active";
}

/** What is typed into the form stays. */
function fill({ url, description, payload, events }) {
  form.elements.url.value = url;
  form.elements.description.value = description ?? "";
  form.elements.payload.value = payload;
  chooseKinds(events ?? []);
}

const show = async () => describe(await json(api));
const change = async (body) => json(api, { method: "PATCH", body });

async function setState(state) {
  describe(await change({ state }));
  notice(t(state === "active" ? "webhook.goes_on" : "webhook.paused"), "good");
  find(state === "active" ? "#pause" : "#go-on").focus();
}

/** What came of a call that was made at once. */
function showResult(result) {
  find("#result").replaceChildren(
    element("p", { class: `notice ${result.is_delivered ? "good" : "bad"}` }, ...outcome(result)),
    ...(result.body ? [element("p", {}, t("webhook.answer")), element("pre", {}, element("code", {}, result.body))] : []));
}

/** Has all from there on sent again. */
async function begin(point) {
  // What goes on by itself is answered without a body.
  await call(`${api}/replay`, { method: "POST", body: point });
  notice(t("webhook.begun_again"), "good");
}

const log = attemptLog(`${api}/attempts`, {
  async sendOne(event) {
    const result = await json(`${api}/replay`, { method: "POST", body: { event_id: event } });
    showResult(result);
    await log.again();
    notice(t(result.is_delivered ? "webhook.sent_one" : "webhook.not_sent"), result.is_delivered ? "good" : "bad");
  },
  sendFrom: (event) => begin({ from_event_id: event }),
});

async function rotate() {
  const webhook = await json(`${api}/secret`, { method: "POST" });
  describe(webhook);
  makeRotation();
  showSecret(webhook.secret, t("webhook.replaced", { until: datetime(webhook.previous_secret_until) }));
}

const makeRotation = () => find("#rotate").replaceChildren(twoTouches(
  { ask: t("webhook.rotate"), sure: t("webhook.rotate_sure"), keep: t("webhook.keep") },
  (button) => busy(button, rotate, refused)));

async function remove() {
  await call(api, { method: "DELETE" });
  location.assign("/webhooks");
}

if (requireSession()) {
  secretBox(find("#test"));
  makeRotation();
  find("#remove").append(twoTouches(
    { ask: t("webhook.remove"), sure: t("webhook.remove_sure"), keep: t("webhook.keep") },
    (button) => busy(button, remove, refused)));
  const onPress = (selector, act) =>
    find(selector).addEventListener("click", ({ currentTarget }) => busy(currentTarget, act, refused));
  onPress("#go-on", () => setState("active"));
  onPress("#pause", () => setState("paused"));
  onPress("#test", async () => {
    find("#result").replaceChildren();
    showResult(await json(`${api}/test`, { method: "POST" }));
    await log.again();
  });
  onPress("#refresh", async () => {
    await show();
    await log.again();
  });
  handle(form, "webhooks", async (values) => {
    // What was emptied is taken away.
    describe(await change({ description: "", ...values, events: chosenKinds() }));
    find("#change-box").open = false;
    notice(t("webhook.changed"), "good");
    find("#change-box summary").focus();
  });
  handle(find("#again"), "webhook", ({ since }) => begin({ since: new Date(since).toISOString() }));
  await json(api).then((webhook) => (describe(webhook), fill(webhook))).catch(told);
  await log.load().catch(told);
}
