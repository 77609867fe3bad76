// Messages, newest first. A message counts as read when it has been on the page.

import { call, requireSession } from "../web/api.js";
import { element, find, told } from "../web/dom.js";
import { pagedList } from "../web/list.js";
import { datetime, t } from "../web/words.js";

const list = find("#messages");

/** Without network it stays new, and is marked when it is read the next time. */
async function markRead(id) {
  try {
    await call(`/accounts/v1/inbox/${id}/read`, { method: "POST" });
  } catch (error) {
    if (error.status !== 0) throw error;
  }
}

const { load } = pagedList("/accounts/v1/inbox", async ({ messages }) => {
  for (const message of messages) {
    list.append(element("li", { class: "card" },
      element("h2", {}, message.subject, message.is_read ? null : element("strong", {}, ` · ${t("inbox.new")}`)),
      element("p", { class: "quiet" }, element("time", { datetime: message.time }, datetime(message.time))),
      ...message.text.split("\n\n").map((paragraph) => element("p", {}, paragraph))));
  }
  find("#none").hidden = list.children.length > 0;
  await Promise.all(messages.filter(({ is_read }) => !is_read).map(({ id }) => markRead(id)));
});

if (requireSession()) await load().catch(told);
