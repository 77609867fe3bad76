// What lies below all that maps draw: tiles where the deployment has a service for them, else names of municipalities
// (NFR-11). Both come through the one address.

import { colours, element, told } from "./dom.js";
import { mapServices, municipalities } from "./places.js";
import { t } from "./words.js";

const { L } = window;

/** So many names at once are enough to know where one is. */
const namesMax = 40;
const tilesZoomMax = 19;

/** Lays the ground of a map. What cannot be had is told and left out: a map is drawn without it, too. */
export async function layGround(map) {
  try {
    const { tiles } = await mapServices();
    if (tiles) {
      L.tileLayer("/tiles/{z}/{x}/{y}.png", { maxZoom: tilesZoomMax }).addTo(map);
      credit(map, tiles.attribution, tiles.link);
    } else {
      new Names(await municipalities()).addTo(map);
      credit(map, t("map.names_by"), "https://www.geonames.org/");
    }
  } catch (error) {
    told(error);
  }
}

/** Who made what lies below, in a corner of the map. */
function credit(map, text, link) {
  const control = L.control({ position: "bottomright" });
  control.onAdd = () => element("p", { class: "map-credit" }, link ? element("a", { href: link, rel: "noreferrer" }, text) : text);
  control.addTo(map);
}

/** Names of places, the largest first, so far as they do not cover each other. */
const Names = L.Layer.extend({
  initialize(places) {
    this._places = places;
  },

  onAdd(map) {
    this._canvas = element("canvas", { class: "map-names", "aria-hidden": "true" });
    map.getPane("tilePane").append(this._canvas);
    map.on("moveend viewreset resize", this._draw, this);
    this._draw();
  },

  onRemove(map) {
    map.off("moveend viewreset resize", this._draw, this);
    this._canvas.remove();
  },

  _draw() {
    const [map, canvas, scale] = [this._map, this._canvas, window.devicePixelRatio];
    const size = map.getSize();
    [canvas.width, canvas.height] = [size.x * scale, size.y * scale];
    [canvas.style.width, canvas.style.height] = [`${size.x}px`, `${size.y}px`];
    L.DomUtil.setPosition(canvas, map.containerPointToLayerPoint([0, 0]));
    const context = canvas.getContext("2d");
    const colour = colours();
    context.scale(scale, scale);
    context.font = `14px ${getComputedStyle(document.body).fontFamily}`;
    [context.textAlign, context.textBaseline, context.lineJoin, context.lineWidth] = ["center", "middle", "round", 3];
    [context.strokeStyle, context.fillStyle] = [colour("--raised"), colour("--quiet")];
    const bounds = map.getBounds();
    const [south, west, north, east] = [bounds.getSouth(), bounds.getWest(), bounds.getNorth(), bounds.getEast()];
    const taken = [];
    for (const { name, latitude, longitude } of this._places) {
      if (taken.length === namesMax) break;
      if (latitude < south || latitude > north || longitude < west || longitude > east) continue;
      const { x, y } = map.latLngToContainerPoint([latitude, longitude]);
      const half = context.measureText(name).width / 2 + 8;
      const box = { left: x - half, right: x + half, top: y - 14, bottom: y + 14 };
      const isFree = (other) => box.right < other.left || box.left > other.right || box.bottom < other.top || box.top > other.bottom;
      if (!taken.every(isFree)) continue;
      taken.push(box);
      context.strokeText(name, x, y);
      context.fillText(name, x, y);
    }
  },
});
