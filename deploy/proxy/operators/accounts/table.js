// Tables of what the service tells.

import { element, find } from "/web/dom.js";
import { t } from "/web/words.js";

/** Makes the table in `#name`, and returns what fills it with rows of cells; its words are `name.COLUMN` and `name.none`. */
export function table(name, columns, heading = `${name}.heading`) {
  const body = element("tbody");
  find(`#${name}`).replaceChildren(element("table", { class: columns.length > 4 && "many" },
    element("caption", { class: "only-read" }, t(heading)),
    element("thead", {}, element("tr", {}, ...columns.map((column) => element("th", { scope: "col" }, t(`${name}.${column}`))))), body));
  const row = (cells) => element("tr", {}, ...cells.map((cell, index) => element(index === 0 ? "th" : "td", { scope: index === 0 && "row" }, cell)));
  return {
    fill: (rows) => body.replaceChildren(...(rows.length > 0 ? rows.map(row) : [element("tr", {}, element("td", { colspan: columns.length }, t(`${name}.none`)))])),
    add: (rows) => body.append(...rows.map(row)),
  };
}
