// Devices that are silent, and how much of the time is covered by measurements (ING-12).

import { json } from "../web/api.js";
import { element, find } from "../web/dom.js";
import { ago, clock, dayAndMonth, number, t } from "../web/words.js";
import { bar, table } from "./table.js";

/** As long as the service waits before it tells the owner of a device. */
const silence = 86_400_000;
/** Gaps of one data type that are listed, the newest first. */
const gapsMax = 20;
/** At most so much of the time may be lacking. */
const coveredMin = 0.95;

const moment = (time) => `${dayAndMonth(time)}, ${clock(time)}`;
const percent = (share) => `${number(100 * share, 1)} %`;

function deviceWords({ name, seen_at: seen }) {
  if (seen === undefined) return t("my-data.device_never", { name });
  const isSilent = Date.now() - new Date(seen) > silence;
  return t(isSilent ? "my-data.device_silent" : "my-data.device_sends", { name, when: ago(seen) });
}

function cardOf({ type, covered, days, gaps }) {
  const name = t(`types.${type}`);
  const newest = [...gaps].reverse().slice(0, gapsMax);
  return element("li", { class: "card" },
    element("h4", {}, name),
    element("p", {}, t(covered >= coveredMin ? "my-data.covered_enough" : "my-data.covered_little", { share: percent(covered) })),
    element("details", {}, element("summary", {}, t("my-data.by_day")),
      table(t("my-data.by_day_of", { name }), [t("my-data.day"), t("my-data.covered")],
        days.map(({ date: day, covered: share }) => [dayAndMonth(`${day}T12:00`), [percent(share), bar(share)]]))),
    gaps.length === 0 ? element("p", {}, t("my-data.no_gaps")) : element("details", {},
      element("summary", {}, t("my-data.gaps", { count: number(gaps.length) })),
      gaps.length > gapsMax ? element("p", {}, t("my-data.newest_gaps", { count: number(gapsMax) })) : null,
      table(t("my-data.gaps_of", { name }), [t("my-data.from"), t("my-data.to"), t("my-data.hours"), t("my-data.why")],
        newest.map(({ from, to, hours, text }) => [moment(from), moment(to), number(hours), text]))));
}

/** Shows the devices, whose list may be on its way, and fetches and shows the gaps of the last four weeks. */
export async function showTracking(devices) {
  const [list, { types }] = await Promise.all([devices, json("/ingestion/v1/me/tracking")]);
  find("#no-devices").hidden = list.length > 0;
  find("#silent").replaceChildren(...list.map((device) => element("li", {}, deviceWords(device))));
  find("#no-tracking").hidden = types.length > 0;
  find("#tracking").replaceChildren(...types.map(cardOf));
}
