// The log of a webhook: what was sent when, what came of it, and sending it again.

import { element, find, told } from "../web/dom.js";
import { pagedList } from "../web/list.js";
import { busy } from "../web/touches.js";
import { datetime, number, t } from "../web/words.js";
import { kindWords } from "./event-kinds.js";
import { learnNames, requestLink } from "./request-links.js";

const rows = find("#attempts");
const time = (moment) => element("time", { datetime: moment }, datetime(moment));
const act = (words, doIt) => element("button", {
  type: "button", class: "plain", onclick: ({ currentTarget }) => busy(currentTarget, doIt),
}, words);

/** What came of a call, as elements: services tell what failed in English. */
export function outcome({ is_delivered: isDelivered, status, error, duration_ms: took }) {
  const words = [t(isDelivered ? "webhook.delivered" : "webhook.failed"), status ? t("webhook.answered", { status }) : t("webhook.no_answer")];
  return [
    element("strong", {}, words[0]), ` · ${words[1]} · ${t("webhook.took", { milliseconds: number(took) })}`,
    ...(error ? [element("br"), element("span", { class: "quiet", lang: "en" }, error)] : []),
  ];
}

function row(attempt, { sendOne, sendFrom }) {
  const { type, request_id: request, event_id: event, attempt: count, next_at: next, began_at: began } = attempt;
  return element("tr", {},
    element("td", { class: "time" }, time(began)),
    element("td", {}, type === "webhook.test" ? t("webhook.test_call") : kindWords(type), ...(request ? [" · ", requestLink(request)] : [])),
    element("td", {}, ...outcome(attempt), element("br"),
      count ? t("webhook.attempt", { count: number(count) }) : t("webhook.sent_by_hand"),
      ...(next ? [" · ", t("webhook.next", { when: datetime(next) })] : [])),
    element("td", {}, ...(request ? [
      act(t("webhook.send_one"), () => sendOne(event)), " ", act(t("webhook.send_from"), () => sendFrom(event)),
    ] : [])));
}

/** The log at `path`, with what its buttons do: `sendOne(event)` and `sendFrom(event)`. As `pagedList`. */
export const attemptLog = (path, acts) => pagedList(path, ({ attempts }) => {
  rows.append(...attempts.map((attempt) => row(attempt, acts)));
  find("#none").hidden = rows.children.length > 0;
  find("#table").hidden = rows.children.length === 0;
  learnNames().catch(told);
}, { clear: () => rows.replaceChildren() });
