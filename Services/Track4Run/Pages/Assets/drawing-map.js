// A map on which a course is drawn: a tap on the ground, on one of its points, or a point that is pulled elsewhere.

import { colours } from "../web/dom.js";
import { plainMap } from "../web/map.js";

const { L } = window;

/** Points in view that can be taken hold of; where there are more only the chosen one and the ends can. */
const handlesMax = 150;
/** Italy, until it is known where the course is. */
const beginning = [[42.2, 12.6], 5];

const latLng = ([longitude, latitude]) => [latitude, longitude];
const point = (at) => (({ lng, lat }) => [lng, lat])(at.wrap());

/**
 * `tapped(point)`, `taken(index)` and `moved(index, point)` are told what is done, `crowded(isCrowded)` whether there are too many
 * points in view for all to be taken hold of.
 */
export function drawingMap(box, label, { tapped, taken, moved, crowded }) {
  const map = plainMap(box, label).setView(...beginning);
  map.doubleClickZoom.disable();
  // Leaflet 1.7.1 tells taps twice where it watches for them itself (Safari).
  map.tap?.disable();
  const colour = colours();
  const line = L.polyline([], { color: colour("--accent"), weight: 5, opacity: 0.6, interactive: false }).addTo(map);
  const marks = L.layerGroup().addTo(map);
  let course = { points: [], checkpoints: [] };
  let chosen = null;

  const icon = (kind) => L.divIcon({ className: `handle ${kind}`, iconSize: [28, 28] });

  function handle(index) {
    const last = course.points.length - 1;
    const kind = [index === chosen ? "chosen" : "", index === 0 ? "start" : index === last ? "finish" : ""].join(" ");
    const marker = L.marker(latLng(course.points[index]), { icon: icon(kind), keyboard: false, draggable: true });
    marker.on("click", () => taken(index));
    marker.on("drag", () => {
      const way = line.getLatLngs();
      way[index] = marker.getLatLng();
      line.setLatLngs(way);
    });
    marker.on("dragend", () => moved(index, point(marker.getLatLng())));
    return marker;
  }

  /** The marks that there is room for in what is seen at the moment. */
  function drawMarks() {
    marks.clearLayers();
    const seen = map.getBounds().pad(0.1);
    let indices = [...course.points.keys()].filter((index) => seen.contains(latLng(course.points[index])));
    const isCrowded = indices.length > handlesMax;
    crowded(isCrowded);
    if (isCrowded) {
      const always = new Set([0, course.points.length - 1, chosen]);
      indices = indices.filter((index) => always.has(index));
    }
    for (const index of indices) marks.addLayer(handle(index));
    for (const { name, coordinates } of course.checkpoints) {
      const marker = L.marker(latLng(coordinates), {
        icon: icon("checkpoint"), keyboard: false, interactive: name !== "", bubblingMouseEvents: true, zIndexOffset: -1000,
      });
      // As text: what people have typed must not become HTML.
      if (name) marker.bindTooltip(document.createTextNode(name));
      marks.addLayer(marker);
    }
  }

  map.on("click", ({ latlng }) => tapped(point(latlng)));
  map.on("moveend", drawMarks);

  return {
    show(next, index) {
      [course, chosen] = [next, index];
      line.setLatLngs(course.points.map(latLng));
      drawMarks();
    },
    /** Brings a place, or the whole course, into view. */
    go: (at) => map.setView(latLng(at), 16),
    fit() {
      if (course.points.length > 0) map.fitBounds(line.getBounds(), { padding: [32, 32], maxZoom: 16 });
    },
  };
}
