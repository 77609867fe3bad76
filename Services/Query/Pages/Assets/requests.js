// Requests for the own data: deciding, and withdrawing in two touches.

import { json, requireSession } from "../web/api.js";
import { element, find, findAll, notice, told } from "../web/dom.js";
import { pagedList } from "../web/list.js";
import { twoTouches } from "../web/touches.js";
import { ago, date, datetime, t } from "../web/words.js";
import { termsWords } from "./terms.js";

const api = "/query/v1/me/requests";
const lists = { pending: find("#pending"), accepted: find("#followers"), past: find("#past") };

const facts = (pairs) => element("dl", { class: "facts" }, ...pairs.flatMap(([name, value]) =>
  value ? [element("dt", {}, t(`requests.${name}`)), element("dd", {}, value)] : []));

function described(request) {
  const { requester, kind, mode, from, to, reason, lapses_at: lapses, state } = request;
  const { decided_at: decided, access_until: until, last_read_at: lastRead } = request;
  const isFollowing = state === "accepted";
  return [
    element("h3", {}, requester.name),
    facts([
      ["why", reason],
      ["what", kind === "check-in" ? t("requests.check_in") : t(`requests.${mode}`)],
      ["how", termsWords(request)],
      // The end is not included.
      ["period", t("requests.from_to", { from: date(from), to: date(new Date(to) - 1) })],
      ["contact", [requester.email, requester.vat_number && t("requests.vat", { number: requester.vat_number })].filter(Boolean).join(", ")],
      ["answer_by", state === "pending" ? datetime(lapses) : null],
      ["since", isFollowing ? datetime(decided) : null],
      ["until", isFollowing ? datetime(until) : null],
      ["last_read", isFollowing ? (lastRead ? ago(lastRead) : t("requests.nothing_yet")) : null],
    ]),
  ];
}

const typeNames = (types) => types.map((type) => t(`types.${type}`)).join(", ");

/** The request after the decision, and whether it was this one that was taken: it may have been decided before. Throws `Refused`. */
async function sent(id, act, body) {
  try {
    return [await json(`${api}/${id}/${act}`, { method: "POST", ...(body ? { body } : {}) }), true];
  } catch (error) {
    if (error.code !== "request-decided") throw error;
    // Those decided lately are among the latest.
    const { requests } = await json(`${api}?limit=100`);
    return [requests.find((one) => one.id === id), false];
  }
}

/**
 * Sends a decision. What became of it stands in the card's place, where the button was and as high as the card, so that no other
 * request comes under a finger that presses twice; what was chosen in the other cards stays.
 */
async function decide(button, request, act, body, words) {
  const card = button.closest(".card");
  if (card.dataset.sends) return;
  card.dataset.sends = true;
  button.setAttribute("aria-disabled", "true");
  try {
    const [decided, isTaken] = await sent(request.id, act, body);
    const outcome = element("p", { class: `notice ${isTaken ? "good" : "bad"}`, tabindex: -1, role: "status" },
      t(isTaken ? words : "requests.decided"));
    card.style.minHeight = `${card.offsetHeight}px`;
    card.classList.add("decided");
    card.replaceChildren(...described(decided ?? request), outcome);
    outcome.focus({ preventScroll: true });
    if (decided) add(decided, true);
    showWhatIsNone();
  } catch (error) {
    button.removeAttribute("aria-disabled");
    told(error);
  } finally {
    delete card.dataset.sends;
  }
}

function pending(request) {
  const { id, kind, data_types: types } = request;
  const boxes = types.map((type) => element("div", { class: "check" },
    element("input", {
      type: "checkbox", id: `${id}-${type}`, value: type, checked: true,
      disabled: kind === "check-in" && type === "position",
    }),
    element("label", { for: `${id}-${type}` }, t(`types.${type}`))));
  const card = element("li", { class: "card" }, ...described(request),
    element("fieldset", {}, element("legend", {}, t("requests.share_these")), ...boxes),
    element("p", { class: "acts" },
      element("button", {
        type: "button", onclick: ({ currentTarget }) => {
          const chosen = findAll("input", card).filter(({ checked }) => checked).map(({ value }) => value);
          if (chosen.length === 0) return notice(t("requests.choose_one"), "bad");
          return decide(currentTarget, request, "acceptance", { data_types: chosen }, "requests.accepted");
        },
      }, t("requests.accept")),
      element("button", {
        type: "button", class: "second",
        onclick: ({ currentTarget }) => decide(currentTarget, request, "refusal", null, "requests.refused"),
      }, t("requests.refuse"))));
  return card;
}

function follower(request) {
  const { accepted_types: types = [] } = request;
  const words = { ask: t("requests.withdraw"), sure: t("requests.withdraw_sure"), keep: t("requests.keep") };
  return element("li", { class: "card" }, ...described(request),
    element("p", {}, t("requests.shares", { types: typeNames(types) })),
    twoTouches(words, (button) => decide(button, request, "withdrawal", null, "requests.withdrawn")));
}

const past = (request) => element("li", { class: "card" }, ...described(request),
  element("p", {}, element("strong", {}, t(`requests.states.${request.state}`)),
    request.closed_at ? ` · ${datetime(request.closed_at)}` : ""));

/** Adds a request to its list, as the newest or the oldest. */
function add(request, isNewest = false) {
  const [list, made] = request.state === "pending" ? [lists.pending, pending(request)]
    : request.state === "accepted" ? [lists.accepted, follower(request)] : [lists.past, past(request)];
  if (isNewest) list.prepend(made);
  else list.append(made);
}

function showWhatIsNone() {
  find("#no-pending").hidden = lists.pending.children.length > 0;
  find("#no-followers").hidden = lists.accepted.children.length > 0;
  find("#no-past").hidden = lists.past.children.length > 0;
}

const { load } = pagedList(api, ({ requests }) => {
  for (const request of requests) add(request);
  showWhatIsNone();
});

if (requireSession()) await load().catch(told);
