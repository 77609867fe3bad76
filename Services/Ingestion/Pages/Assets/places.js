// Where the person was: places and ways of some days on a map, and the same as a list.

import { json, requireSession } from "../web/api.js";
import { element, find, notice, told } from "../web/dom.js";
import { save } from "../web/save.js";
import { clock, date, dayAndMonth, number, t } from "../web/words.js";
import { addDays, askedDays, countOf, dayOf, timesOf, today } from "./days.js";
import { historyMap } from "./places-map.js";
import { distanceWords, lengthWords } from "./values.js";

/** Fixes that are drawn; the API says when there are more. */
const pointsMax = 3000;
/** Stays that lie as near to each other are at one place, in metres. */
const sameWithin = 200;

/** The newest day of which there is a position, today without any. */
async function newestDay() {
  const { latest } = await json("/ingestion/v1/me/latest");
  const position = latest.find(({ type }) => type === "position");
  return position ? dayOf(position.time) : today();
}

/** Metres between two places that lie near to each other. */
function between(first, second) {
  const metres = 111_195;
  const across = (first.longitude - second.longitude) * Math.cos((first.latitude * Math.PI) / 180);
  return metres * Math.hypot(first.latitude - second.latitude, across);
}

/** A, B, … Z, AA, AB … */
const letter = (index) => (index < 26 ? "" : letter(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26));

/** Stays and ways in the order of time; stays at one place have one name. */
function ordered({ places, tracks }) {
  const known = [];
  const stays = places.map((place) => {
    let found = known.find((other) => between(other, place) <= sameWithin);
    if (!found) known.push(found = { ...place, name: letter(known.length) });
    return { ...place, isStay: true, name: found.name, isFirst: found.from === place.from };
  });
  const ways = tracks.map((track) => ({
    ...track, isStay: false,
    path: track.series.flatMap(({ latitudes, longitudes }) => latitudes.map((latitude, index) => [latitude, longitudes[index]])),
  }));
  const all = [...stays, ...ways].sort((first, second) => new Date(first.from) - new Date(second.from));
  const name = (item) => (item?.isStay ? t("places.place", { name: item.name }) : null);
  return all.map((item, index) => ({
    ...item, title: item.isStay ? name(item)
      : wayTitle(name(all[index - 1]), name(all[index + 1])),
  }));
}

function wayTitle(start, end) {
  if (start && end) return t("places.way_between", { start, end });
  if (start) return t("places.way_from", { start });
  return end ? t("places.way_to", { end }) : t("places.way");
}

const degrees = (value, names) => `${number(Math.abs(value), 4)}° ${t(`places.${names[value < 0 ? 1 : 0]}`)}`;

function timeWords({ from, to }, isOneDay) {
  const when = (time) => (isOneDay ? clock(time) : `${dayAndMonth(time)}, ${clock(time)}`);
  return t("places.from_to", { from: when(from), to: when(to) });
}

function facts(item) {
  const length = lengthWords((new Date(item.to) - new Date(item.from)) / 1000);
  return item.isStay
    ? `${length} · ${degrees(item.latitude, ["north", "south"])}, ${degrees(item.longitude, ["east", "west"])}`
    : `${distanceWords(item.distance)} · ${length}`;
}

function showList(items, isOneDay, focus) {
  find("#list").replaceChildren(...items.map((item) => element("li", { class: "card" },
    element("h3", {}, item.title), element("p", {}, timeWords(item, isOneDay)), element("p", { class: "quiet" }, facts(item)),
    element("button", {
      type: "button", class: "second", "aria-label": t("places.show_this", { title: item.title, time: timeWords(item, isOneDay) }),
      onclick: () => {
        focus(item);
        find("#shown").textContent = t("places.shown", { title: item.title, time: timeWords(item, isOneDay) });
        find("#map").scrollIntoView({ block: "nearest" });
      },
    }, t("places.show")))));
}

async function show(days) {
  const { from, to } = timesOf(days);
  const query = new URLSearchParams({ from: from.toISOString(), to: to.toISOString() });
  find("#save").addEventListener("click", () =>
    save(`/ingestion/v1/me/locations.gpx?${query}`, `trackme-${days.from}.gpx`, "application/gpx+xml").catch(told));
  const answer = await json(`/ingestion/v1/me/locations?${query}&max_points=${pointsMax}`);
  const items = ordered(answer);
  const isOneDay = days.from === days.to;
  const isEmpty = items.length === 0;
  find("#none").hidden = !isEmpty;
  find("#history").hidden = isEmpty;
  if (isEmpty) return;
  find("#sum").textContent = t("places.sum", {
    distance: distanceWords(answer.tracks.reduce((sum, { distance }) => sum + distance, 0)),
    places: number(new Set(items.filter(({ isStay }) => isStay).map(({ name }) => name)).size),
  });
  find("#thinned").hidden = answer.thinned === undefined;
  if (answer.thinned) {
    find("#thinned").textContent = t("places.thinned", {
      shown: number(answer.thinned.shown), samples: number(answer.thinned.samples),
    });
  }
  const { focus } = historyMap(find("#map"), items, {
    label: t("places.map"), words: (item) => `${item.title}: ${timeWords(item, isOneDay)}, ${facts(item)}`,
  });
  showList(items, isOneDay, focus);
}

function showDays(days) {
  const { from, to } = find("#days").elements;
  [from.value, to.value] = [days.from, days.to];
  find("#which").textContent = days.from === days.to ? date(`${days.from}T12:00`)
    : t("places.days", { from: date(`${days.from}T12:00`), to: date(`${days.to}T12:00`) });
  const count = countOf(days);
  const address = (shift) => `?${new URLSearchParams({ from: addDays(days.from, shift), to: addDays(days.to, shift) })}`;
  find("#before").href = address(-count);
  find("#after").hidden = days.to >= today();
  find("#after").href = address(count);
}

if (requireSession()) {
  try {
    const days = askedDays() ?? await newestDay().then((day) => ({ from: day, to: day }));
    showDays(days);
    await show(days);
  } catch (error) {
    if (error.status === 422) notice(t("places.fault.span"), "bad");
    else told(error);
  }
}
