// Maps: a ground with scale, on which paths, places and runners are drawn (NFR-11). Leaflet is a classic script that the page
// has loaded before.

import { colours } from "./dom.js";
import { layGround } from "./ground.js";
import { movingRunners } from "./runners.js";

const { L } = window;

/** A map in `box` that shows `bounds`. All is drawn on one canvas, so that a thousand markers move smoothly. */
export function plainMap(box, label) {
  box.hidden = false;
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", label);
  const map = L.map(box, { preferCanvas: true, attributionControl: false, zoomAnimation: false, fadeAnimation: false });
  L.control.scale({ imperial: false }).addTo(map);
  layGround(map);
  return map;
}

/** What people typed, for a tooltip: Leaflet would take a string for HTML. */
const text = (name) => document.createTextNode(name);
const latLng = ([longitude, latitude]) => [latitude, longitude];

/** A course with its checkpoints, and the runners who move along it; `onChoose(bib)` when somebody touches one. */
export function courseMap(box, path, { label, start, finish, checkpoints, onChoose = () => {} }) {
  const map = plainMap(box, label);
  const colour = colours();
  const line = L.polyline(path.map(latLng), { color: colour("--accent"), weight: 5, opacity: 0.6 }).addTo(map);
  map.fitBounds(line.getBounds(), { padding: [24, 24], maxZoom: 17 });
  const point = (at, name) =>
    L.circleMarker(latLng(at), { radius: 7, color: colour("--text"), weight: 2, fillColor: colour("--ground"), fillOpacity: 1 })
      .bindTooltip(text(name)).addTo(map);
  for (const { name, coordinates } of checkpoints) point(coordinates, name);
  point(path[0], start);
  point(path.at(-1), finish);
  return movingRunners(map, onChoose);
}

/**
 * Places that a list beside the map names: `places` are `{ at: [longitude, latitude], name, isFilled }`, discs or rings.
 * `onChoose(index)` is called for the one that is touched; `mark(index)` makes one larger.
 */
export function placesMap(box, label, places, onChoose) {
  const map = plainMap(box, label);
  const colour = colours();
  const radius = 9;
  const discs = places.map(({ at, name, isFilled }, index) =>
    L.circleMarker(latLng(at), {
      radius, weight: 4, color: colour("--accent"), fillColor: colour(isFilled ? "--accent" : "--ground"), fillOpacity: 1,
    }).bindTooltip(text(name)).on("click", () => onChoose(index)).addTo(map));
  map.fitBounds(L.latLngBounds(places.map(({ at }) => latLng(at))), { paddingTopLeft: [56, 32], paddingBottomRight: [32, 64], maxZoom: 12 });
  return {
    mark: (index) => discs.forEach((disc, other) => {
      disc.setRadius(other === index ? 1.6 * radius : radius);
      if (other === index) disc.bringToFront();
    }),
  };
}
