// Messages, newest first, as they come. A message counts as read when it has been on the page.

import { call, keepSession, requireSession } from "../web/api.js";
import { element, find, notice, told } from "../web/dom.js";
import { pagedList } from "../web/list.js";
import { SharedEvents } from "../web/stream.js";
import { datetime, t } from "../web/words.js";

const list = find("#messages");
/** A stream may tell of a message again. */
const shown = new Set();
const keepSessionEvery = 60_000;

/** Without network it stays new, and is marked when it is read the next time. */
async function markRead(id) {
  try {
    await call(`/accounts/v1/inbox/${id}/read`, { method: "POST" });
  } catch (error) {
    if (error.status !== 0) throw error;
  }
}

const card = (message) => element("li", { class: "card" },
  element("h2", {}, message.subject, message.is_read ? null : element("strong", {}, ` · ${t("inbox.new")}`)),
  element("p", { class: "quiet" }, element("time", { datetime: message.time }, datetime(message.time))),
  ...message.text.split("\n\n").map((paragraph) => element("p", {}, paragraph)));

/** Those that are not on the page yet. */
const fresh = (messages) => messages.filter(({ id }) => !shown.has(id) && shown.add(id));

const { load } = pagedList("/accounts/v1/inbox", async ({ messages }) => {
  const more = fresh(messages);
  list.append(...more.map(card));
  find("#none").hidden = list.children.length > 0;
  await Promise.all(more.filter(({ is_read }) => !is_read).map(({ id }) => markRead(id)));
});

/** One that has just come. It counts as read when the page is looked at. */
async function come(message) {
  if (fresh([message]).length === 0) return;
  list.prepend(card(message));
  find("#none").hidden = true;
  notice(t("inbox.come", { subject: message.subject }));
  if (document.hidden) {
    await new Promise((resolve) => document.addEventListener("visibilitychange", resolve, { once: true }));
  }
  await markRead(message.id);
}

if (requireSession()) {
  await load().catch(told);
  const events = new SharedEvents("/accounts/v1/inbox/events");
  events.addEventListener("message", ({ data }) => come(JSON.parse(data)).catch(told));
  // The stream ends with the token, and goes on with a new one.
  setInterval(() => keepSession().catch(told), keepSessionEvery);
}
