// A field to look for a place on a map: by its address where the deployment has a search for that, else by its municipality.

import { element, told } from "./dom.js";
import { mapServices, placesFor } from "./places.js";
import { t } from "./words.js";

/**
 * Puts the field before `box`, the map's. `choose({name, latitude, longitude})` is called for the place that was chosen.
 * The search is a form of its own, so it must not lie within another.
 */
export async function placeSearch(box, choose) {
  let isAddress;
  try {
    isAddress = (await mapServices()).geocoder;
  } catch (error) {
    told(error);
    return;
  }
  const field = element("input", { type: "search", id: `${box.id}-place`, minlength: 2, maxlength: 100, required: true });
  const found = element("ul", { class: "plain-list", role: "list" });
  const status = element("p", { role: "status", class: "quiet" });
  const form = element(
    "form", { class: "field", role: "search" },
    element("label", { for: field.id }, t(isAddress ? "map.search_address" : "map.search_municipality")), field,
    element("p", { class: "acts" }, element("button", { type: "submit", class: "second" }, t("map.search"))), status, found);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const places = await placesFor(field.value.trim());
      status.textContent = places.length === 0 ? t("map.found_none") : t("map.found", { count: places.length });
      found.replaceChildren(...places.map((place) => element(
        "li", {}, element("button", { type: "button", class: "plain", onclick: () => choose(place) }, place.name))));
    } catch (error) {
      told(error);
    }
  });
  box.before(form);
}
