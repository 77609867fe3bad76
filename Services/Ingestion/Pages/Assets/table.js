// Tables and the bars in them.

import { element } from "../web/dom.js";

/**
 * A table that scrolls by itself where it is wider than the page. `headings` are texts, or pairs of a text and a class;
 * `rows` are lists of cells, each a text, an element, or a list of these.
 */
export function table(caption, headings, rows) {
  const columns = headings.map((heading) => [heading].flat());
  return element("div", { class: "table-box", tabindex: 0, role: "group", "aria-label": caption },
    element("table", {}, element("caption", {}, caption),
      element("thead", {}, element("tr", {}, ...columns.map(([text, kind]) => element("th", { scope: "col", class: kind }, text)))),
      element("tbody", {}, ...rows.map((cells) => element("tr", {},
        ...cells.map((cell, column) => element("td", { class: columns[column][1] }, ...[cell].flat())))))));
}

/** A bar as long as `share`, from 0 to 1, of its cell, beside the number that it stands for. */
export function bar(share) {
  const made = element("span", { class: "bar", "aria-hidden": "true" });
  made.style.width = `${Math.round(100 * Math.min(1, Math.max(0, share)))}%`;
  return made;
}
