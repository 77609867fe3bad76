// Messages, newest first. A message counts as read when it has been on the page.

import { call, json, requireSession } from "../web/api.js";
import { element, find, notice } from "../web/dom.js";
import { datetime, t } from "../web/words.js";

const list = find("#messages");
const more = find("#more");
let next;

async function load() {
  const page = await json(`/accounts/v1/inbox${next ? `?cursor=${next}` : ""}`);
  next = page.next;
  more.hidden = !next;
  for (const message of page.messages) {
    list.append(element("li", { class: "card" },
      element("h2", {}, message.subject, message.is_read ? null : element("strong", {}, ` · ${t("inbox.new")}`)),
      element("p", { class: "quiet" }, element("time", { datetime: message.time }, datetime(message.time))),
      ...message.text.split("\n\n").map((paragraph) => element("p", {}, paragraph))));
  }
  find("#none").hidden = list.children.length > 0;
  await Promise.all(page.messages.filter(({ is_read }) => !is_read)
    .map(({ id }) => call(`/accounts/v1/inbox/${id}/read`, { method: "POST" })));
}

const told = (error) => notice(error.words ?? String(error), "bad");
if (requireSession()) {
  more.addEventListener("click", () => load().catch(told));
  await load().catch(told);
}
