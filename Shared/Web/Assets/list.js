// Lists that the API gives in pages.

import { json } from "./api.js";
import { find, told } from "./dom.js";

/**
 * The list at `path`: `load` fetches its next page and gives it to `show`, after what `prepare` waits for, as the button `more`
 * does, which is there as long as there are more; `again` begins anew after `clear`.
 */
export function pagedList(path, show, { clear = () => {}, prepare = () => {}, more = find("#more") } = {}) {
  let [next, loads] = [undefined, 0];
  async function load() {
    const number = (loads += 1);
    const page = await json(`${path}${next ? `${path.includes("?") ? "&" : "?"}cursor=${next}` : ""}`);
    await prepare(page);
    // The same page was asked for again, or the list begins anew.
    if (number !== loads) return;
    next = page.next;
    more.hidden = !next;
    await show(page);
  }
  more.addEventListener("click", () => load().catch(told));
  return {
    load,
    again() {
      next = undefined;
      clear();
      return load();
    },
  };
}
