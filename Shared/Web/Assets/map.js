// Maps: a ground with scale, on which paths, places and runners are drawn (NFR-11). Leaflet is a classic script that the page
// has loaded before.

import { colours } from "./dom.js";
import { layGround } from "./ground.js";

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

const latLng = ([longitude, latitude]) => [latitude, longitude];

/** A course with its checkpoints, and markers that move along it. */
export function courseMap(box, path, { label, start, finish, checkpoints }) {
  const map = plainMap(box, label);
  const colour = colours();
  const line = L.polyline(path.map(latLng), { color: colour("--accent"), weight: 5, opacity: 0.6 }).addTo(map);
  map.fitBounds(line.getBounds(), { padding: [24, 24], maxZoom: 17 });
  const point = (at, name) =>
    L.circleMarker(latLng(at), { radius: 7, color: colour("--text"), weight: 2, fillColor: colour("--ground"), fillOpacity: 1 })
      .bindTooltip(name, { permanent: false }).addTo(map);
  for (const { name, coordinates } of checkpoints) point(coordinates, name);
  point(path[0], start);
  point(path.at(-1), finish);

  const markers = new Map();
  let followed;

  /** Measured positions are filled discs; a lost signal is a ring: the shape tells it, not the colour alone. */
  const look = ({ bib, is_signal_lost: isLost }) => ({
    radius: bib === followed ? 11 : 7, weight: isLost ? 3 : 2,
    color: colour(isLost ? "--bad" : "--ground"), fillColor: colour(bib === followed ? "--bad" : "--accent"), fillOpacity: isLost ? 0 : 1,
  });

  function put(marker) {
    const at = [marker.latitude, marker.longitude];
    const known = markers.get(marker.bib);
    if (known) {
      known.marker = marker;
      known.disc.setLatLng(at).setStyle(look(marker));
      return;
    }
    const disc = L.circleMarker(at, look(marker)).bindTooltip(String(marker.bib)).addTo(map);
    markers.set(marker.bib, { marker, disc });
  }

  function remove(bib) {
    markers.get(bib)?.disc.remove();
    markers.delete(bib);
  }

  return {
    replace(positions) {
      const there = new Set(positions.map(({ bib }) => bib));
      for (const bib of [...markers.keys()]) if (!there.has(bib)) remove(bib);
      positions.forEach(put);
    },
    move(positions, removed) {
      removed.forEach(remove);
      positions.forEach(put);
      const at = markers.get(followed)?.disc.getLatLng();
      if (at && !map.getBounds().pad(-0.2).contains(at)) map.panTo(at, { animate: false });
    },
    follow(bib) {
      if (bib === followed) return;
      followed = bib;
      for (const { marker, disc } of markers.values()) disc.setRadius(look(marker).radius).setStyle(look(marker));
      const disc = markers.get(bib)?.disc;
      if (disc) map.panTo(disc.getLatLng(), { animate: false }), disc.bringToFront();
    },
  };
}
