// Who received which of the own data, by which way and of which time, and who looked the person up, which can be shown by itself.

import { requireSession } from "../web/api.js";
import { element, find, findAll, told } from "../web/dom.js";
import { pagedList } from "../web/list.js";
import { busy } from "../web/touches.js";
import { datetime, number, t } from "../web/words.js";

/** Pages that are loaded by themselves until there is one entry of those that are shown. */
const pagesMax = 20;

const list = find("#accesses");
const more = find("#more");
/** `all`, `received` or `look-ups`. */
let shown = "all";

const isShown = (entry) => shown === "all" || (entry.dataset.way === "look-up") === (shown === "look-ups");
const time = (moment) => element("time", { datetime: moment }, datetime(moment));

/** What left, type by type. A look-up found out only whether these types are collected. */
function received({ way, data_types: types, counts }) {
  if (way === "look-up") return element("p", {}, types.map((type) => t(`types.${type}`)).join(", "));
  return element("ul", {}, ...types.map((type) => element("li", {},
    t("access-log.of_type", { type: t(`types.${type}`), count: number(counts[type] ?? 0) }))));
}

const card = (access) => element("li", { class: "card", "data-way": access.way },
  element("h2", {}, access.requester_name),
  element("p", {}, t(`access-log.ways.${access.way}`)),
  received(access),
  access.measured_from ? element("p", {}, t("access-log.measured", {
    from: datetime(access.measured_from), to: datetime(access.measured_to),
  })) : null,
  // A stream goes on for a while.
  element("p", { class: "quiet" }, time(access.began_at),
    ...(datetime(access.last_at) === datetime(access.began_at) ? [] : [" – ", time(access.last_at)])));

function showChosen() {
  const entries = [...list.children];
  for (const entry of entries) entry.hidden = !isShown(entry);
  const isEmpty = entries.every(({ hidden }) => hidden);
  find("#none").textContent = t(`access-log.none_of.${shown}`);
  find("#none").hidden = !isEmpty || !more.hidden;
  return isEmpty;
}

const { load } = pagedList("/query/v1/me/access-log", ({ accesses }) => {
  list.append(...accesses.map(card));
  showChosen();
}, { more });

/** Loads on while nothing of what was chosen is there. */
async function fill() {
  for (let page = 0; showChosen() && !more.hidden && page < pagesMax; page++) await load();
}

if (requireSession()) {
  const buttons = findAll("#shown button");
  for (const button of buttons) {
    button.addEventListener("click", () => busy(button, () => {
      shown = button.dataset.shown;
      for (const one of buttons) one.setAttribute("aria-pressed", String(one === button));
      return fill();
    }));
  }
  await load().catch(told);
}
