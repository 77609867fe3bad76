// Where somebody is, for a contact: on a map, and for the maps of the phone.

import { colours, find } from "../web/dom.js";
import { plainMap } from "../web/map.js";
import { t } from "../web/words.js";

const { L } = window;
const zoom = 15;
let shown;

/** Shows a position with its accuracy, or takes it away. */
export function showPlace(position) {
  find("#where").hidden = !position;
  if (!position) {
    shown?.map.remove();
    shown = undefined;
    find("#in-maps").removeAttribute("href");
    return;
  }
  const at = [position.latitude, position.longitude];
  find("#in-maps").href = `geo:${at.join(",")}`;
  const colour = colours();
  if (!shown) {
    const map = plainMap(find("#map"), t("sos-contact.place"));
    map.setView(at, zoom);
    shown = {
      map, disc: L.circleMarker(at, { radius: 9, weight: 4, color: colour("--bad"), fillColor: colour("--bad"), fillOpacity: 1 }).addTo(map),
      around: L.circle(at, { radius: 1, weight: 2, color: colour("--bad"), fillOpacity: 0.1 }).addTo(map),
    };
  }
  shown.disc.setLatLng(at);
  shown.around.setLatLng(at).setRadius(position.accuracy_m ?? 1);
  if (!shown.map.getBounds().contains(at)) shown.map.panTo(at, { animate: false });
}
