// Where places are: the services that the deployment has for maps, and the municipalities that come with these pages.

import { Refused } from "./api.js";
import { language } from "./words.js";

const addressesMax = 5;
const namesMax = 5;

/** The JSON of a file. Throws `Refused`. */
async function file(path, options) {
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    throw new Refused(0);
  }
  if (!answer.ok) throw new Refused(answer.status);
  return answer.json();
}

/** Keeps what was loaded; what could not be is asked for again. */
function once(load) {
  let kept;
  return () => (kept ??= load().catch((error) => {
    kept = undefined;
    throw error;
  }));
}

/** What the deployment has for maps: `{tiles: {attribution, link} or null, geocoder}`. Throws `Refused`. */
export const mapServices = once(() => file("/maps.json"));

/** Italian municipalities, the largest first: `{name, latitude, longitude}`. Throws `Refused`. */
export const municipalities = once(() => file(`${document.documentElement.dataset.assets}/web/places.json`).then(read));

/** As `Shared/Domain/Places/Table/make.py` writes them. */
function read({ names, at }) {
  const degrees = (start) => parseInt(at.slice(start, start + 3), 36) / 1000;
  return names.split("\n").map((name, index) => ({ name, latitude: 35 + degrees(index * 6), longitude: 6 + degrees(index * 6 + 3) }));
}

/** How people type names: words without case and accents. */
const words = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().split(/[^\p{L}\d]+/u).filter(Boolean);

/** Whether each word begins one of the name's, in their order: `reggio emilia` is `Reggio nell'Emilia`. */
function fits(wanted, name) {
  let next = 0;
  for (const word of name) if (next < wanted.length && word.startsWith(wanted[next])) next += 1;
  return next === wanted.length;
}

/**
 * Places that fit what somebody has typed, the best first: addresses where the deployment has a search for them, else
 * municipalities whose names have such words. `{name, latitude, longitude}`. Throws `Refused`.
 */
export async function placesFor(text) {
  const { geocoder } = await mapServices();
  if (geocoder) {
    const found = await file(`/geocoder?q=${encodeURIComponent(text)}&lang=${language}`, { cache: "no-store" });
    return found.slice(0, addressesMax)
      .map(({ display_name: name, lat, lon }) => ({ name: String(name), latitude: Number(lat), longitude: Number(lon) }))
      .filter(({ latitude, longitude }) => Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180);
  }
  const wanted = words(text);
  if (wanted.length === 0) return [];
  const found = (await municipalities()).filter(({ name }) => fits(wanted, words(name)));
  const begins = ({ name }) => words(name)[0].startsWith(wanted[0]);
  return [...found.filter(begins), ...found.filter((place) => !begins(place))].slice(0, namesMax);
}
