// The runs that somebody organises: those to come first, those that are over some at a time.

import { json, requireSession } from "../web/api.js";
import { element, find, told } from "../web/dom.js";
import { number, t } from "../web/words.js";
import { localTime } from "./zone.js";

const step = 20;
/** As many as the API gives. */
const runsMax = 200;
const isToCome = ({ state }) => state === "upcoming" || state === "under-way";

const card = ({ code, name, place, start, state, participants, participants_max, length_m }) =>
  element("li", { class: "card" }, element("a", { class: "cover", href: `/organise/${code}` },
    element("h3", {}, name),
    element("p", {}, t("runs.where", { place, length_m: number(length_m / 1000, 1) }), element("br"), localTime(start)),
    element("p", {}, element("strong", {}, t(`runs.state.${state}`)), " · ", t("runs.places", { participants, participants_max }))));

async function show() {
  const { organised } = await json("/track4run/v1/me/runs");
  const toCome = organised.filter(isToCome).reverse();
  const over = organised.filter((run) => !isToCome(run));
  const more = find("#more");
  find("#open").replaceChildren(...toCome.map(card));
  find("#none-open").hidden = toCome.length > 0;
  find("#over-box").hidden = over.length === 0;
  let shown = 0;
  const next = () => {
    find("#over").append(...over.slice(shown, shown + step).map(card));
    shown += step;
    more.hidden = shown >= over.length;
    find("#oldest").hidden = !more.hidden || organised.length < runsMax;
  };
  more.addEventListener("click", next);
  next();
}

if (requireSession()) await show().catch(told);
