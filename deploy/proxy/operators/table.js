// Tables, which stay while their rows change.

import { element, find } from "/web/dom.js";
import { t } from "/web/words.js";

/**
 * Makes the table in `#name`, with a column for each of the words `name.COLUMN`; those that end with # are of numbers. `fill` replaces its
 * rows, or says `none` when there are none; `add` adds some. A row is `{level, cells}`; a cell a text, or `{content, isNumber}`.
 */
export function table(name, columns, heading = `${name}.heading`) {
  const body = element("tbody");
  const head = columns.map((column) => element("th", { scope: "col", class: column.endsWith("#") && "number" }, t(`${name}.${column.replace("#", "")}`)));
  find(`#${name}`).append(
    element("table", {}, element("caption", { class: "only-read" }, t(heading)), element("thead", {}, element("tr", {}, ...head)), body));
  return {
    fill: (rows, none = t(`${name}.none`)) =>
      body.replaceChildren(...(rows.length > 0 ? rows.map(row) : [element("tr", {}, element("td", { colspan: columns.length }, none))])),
    add: (rows) => body.append(...rows.map(row)),
  };
}

const row = ({ level, cells }) => element("tr", { class: level || null }, ...cells.map(cell));

function cell(value, index) {
  const { content = [value], isNumber = false } = typeof value === "object" ? value : {};
  return element(index === 0 ? "th" : "td", { scope: index === 0 && "row", class: isNumber && "number" }, ...content);
}
