// The map of a location history: ways are lines, places are discs with their letters.

import { colours } from "../web/dom.js";
import { plainMap } from "../web/map.js";

const { L } = window;
const zoomMax = 17;

/** Draws `items` in `box`; `words` are what is told of an item that is pointed at. `focus` brings one to the front. */
export function historyMap(box, items, { label, words }) {
  const map = plainMap(box, label);
  const colour = colours();
  const bounds = L.latLngBounds([]);
  const shapes = new Map();
  for (const item of items) {
    if (item.isStay) {
      const at = [item.latitude, item.longitude];
      bounds.extend(at);
      const disc = L.circleMarker(at, {
        radius: 9, weight: 2, color: colour("--text"), fillColor: colour("--ground"), fillOpacity: 1,
      }).addTo(map);
      // A place has its letter once, however often somebody was there.
      if (item.isFirst) disc.bindTooltip(item.name, { permanent: true, direction: "right", offset: [8, 0] });
      shapes.set(item, disc);
    } else {
      const line = L.polyline(item.path, { color: colour("--accent"), weight: 4, opacity: 0.8 }).addTo(map);
      line.bindTooltip(words(item), { sticky: true });
      bounds.extend(line.getBounds());
      shapes.set(item, line);
    }
  }
  for (const [item, shape] of shapes) if (item.isStay) shape.bringToFront();
  map.fitBounds(bounds, { padding: [24, 24], maxZoom: zoomMax });

  let chosen;
  const look = (item, isChosen) => shapes.get(item).setStyle(
    item.isStay ? { weight: isChosen ? 5 : 2 } : { weight: isChosen ? 9 : 4, opacity: isChosen ? 1 : 0.8 });
  return {
    focus(item) {
      if (chosen) look(chosen, false);
      chosen = item;
      look(item, true);
      if (item.isStay) map.setView([item.latitude, item.longitude], Math.max(map.getZoom(), 15), { animate: false });
      else map.fitBounds(shapes.get(item).getBounds(), { padding: [24, 24], maxZoom: zoomMax, animate: false });
      shapes.get(item).bringToFront();
    },
  };
}
