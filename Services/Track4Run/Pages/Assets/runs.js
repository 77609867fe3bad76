// The list of runs beside its map: touching one shows the other.

import { find, findAll } from "../web/dom.js";
import { placesMap } from "../web/map.js";
import { t } from "../web/words.js";

const cards = findAll("#runs > li");
/** Runs that start at the same point share a place. */
const groups = new Map();
for (const card of cards) {
  const at = card.dataset.at.trim();
  groups.set(at, [...(groups.get(at) ?? []), card]);
}
const places = [...groups].map(([at, members]) => ({
  at: at.split(" ").map(Number), name: members.map((card) => find("h3", card).textContent).join(" · "),
  isFilled: members.some((card) => card.dataset.state === "under-way"),
}));

if (places.length > 0) {
  find(".map-side").hidden = false;
  const shared = [...groups.values()];
  const map = placesMap(find("#map"), t("runs.map_label"), places, (index) => {
    find("a", shared[index][0]).focus({ preventScroll: true });
    shared[index][0].scrollIntoView({ block: "nearest" });
    mark(shared[index]);
  });
  function mark(marked) {
    for (const card of cards) card.classList.toggle("marked", marked.includes(card));
    map.mark(shared.findIndex((members) => members.includes(marked[0])));
  }
  for (const card of cards) {
    for (const event of ["focusin", "pointerenter"]) card.addEventListener(event, () => mark([card]));
  }
}
