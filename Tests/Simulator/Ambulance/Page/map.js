// The map: a plain ground with names of municipalities, and a disc for each incident. Without Leaflet there is none, and the list says it all.

import { element, find, t } from "./words.js";

const namesMax = 40;
const italy = [[36.5, 6.5], [47.1, 18.6]];
const zoom = 14;

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const colours = { waiting: "--bad", accepted: "--accent" };

function names(L, places) {
  return L.Layer.extend({
    onAdd(map) {
      this._canvas = element("canvas", { class: "names", "aria-hidden": "true" });
      map.getPane("tilePane").append(this._canvas);
      map.on("moveend viewreset resize", this._draw, this);
      this._draw();
    },
    onRemove(map) {
      map.off("moveend viewreset resize", this._draw, this);
      this._canvas.remove();
    },
    _draw() {
      const [map, canvas, scale, size] = [this._map, this._canvas, window.devicePixelRatio, this._map.getSize()];
      [canvas.width, canvas.height] = [size.x * scale, size.y * scale];
      [canvas.style.width, canvas.style.height] = [`${size.x}px`, `${size.y}px`];
      L.DomUtil.setPosition(canvas, map.containerPointToLayerPoint([0, 0]));
      const context = canvas.getContext("2d");
      context.scale(scale, scale);
      context.font = `14px ${getComputedStyle(document.body).fontFamily}`;
      [context.textAlign, context.textBaseline, context.fillStyle] = ["center", "middle", colour("--quiet")];
      const [bounds, taken] = [map.getBounds(), []];
      for (const [name, latitude, longitude] of places) {
        if (taken.length === namesMax) break;
        if (!bounds.contains([latitude, longitude])) continue;
        const { x, y } = map.latLngToContainerPoint([latitude, longitude]);
        const half = context.measureText(name).width / 2 + 8;
        const box = { left: x - half, right: x + half, top: y - 14, bottom: y + 14 };
        if (!taken.every((other) => box.right < other.left || box.left > other.right || box.bottom < other.top || box.top > other.bottom)) continue;
        taken.push(box);
        context.fillText(name, x, y);
      }
    },
  });
}

/** What shows incidents on the map: `show(incidents)`; `onChoose(id)` when somebody touches one. */
export async function incidentMap(onChoose) {
  const { L } = window;
  find("#no-map").hidden = Boolean(L);
  find("#map").hidden = !L;
  if (!L) return { show() {} };
  const box = find("#map");
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", t("map"));
  const map = L.map(box, { preferCanvas: true, attributionControl: false, zoomAnimation: false, fadeAnimation: false }).fitBounds(italy);
  L.control.scale({ imperial: false }).addTo(map);
  fetch("/places.json").then((answer) => answer.json()).then((places) => new (names(L, places))().addTo(map)).catch((error) => console.warn(error));
  const discs = new Map();

  function disc({ id, at, accuracy, name, state }) {
    const known = discs.get(id) ?? {
      disc: L.circleMarker(at, { radius: 10, weight: 4 }).on("click", () => onChoose(id)).addTo(map),
      around: L.circle(at, { radius: 1, weight: 1, fillOpacity: 0.1, interactive: false }).addTo(map),
    };
    const shown = colour(colours[state] ?? "--line");
    known.disc.setLatLng(at).setStyle({ color: shown, fillColor: shown, fillOpacity: state === "waiting" ? 1 : 0.4 });
    known.disc.unbindTooltip().bindTooltip(document.createTextNode(name));
    known.around.setLatLng(at).setRadius(accuracy ?? 1).setStyle({ color: shown });
    const isNew = !discs.has(id);
    discs.set(id, known);
    return isNew;
  }

  return {
    /** `incidents` are `{id, at: [latitude, longitude], accuracy, name, state}`. One that is new and waits is brought into sight. */
    show(incidents) {
      for (const [id, { disc: own, around }] of discs) {
        if (incidents.some((one) => one.id === id)) continue;
        own.remove();
        around.remove();
        discs.delete(id);
      }
      const fresh = incidents.filter((one) => disc(one) && one.state === "waiting");
      if (fresh.length === 1) map.setView(fresh[0].at, zoom, { animate: false });
      else if (fresh.length > 1) map.fitBounds(L.latLngBounds(fresh.map(({ at }) => at)).pad(0.2), { maxZoom: zoom, animate: false });
    },
  };
}
