// The fields for own limits, with what can be set in each.

import { element, find, findAll } from "../web/dom.js";
import { hasWord, number, t } from "../web/words.js";

const box = find("#ranges");
const form = find("#own");
const member = (type) => type.replaceAll("-", "_");
const name = (type) => (hasWord(`units.${type}`) ? `${t(`types.${type}`)} (${t(`units.${type}`)})` : t(`types.${type}`));
let filled;

/** Makes the fields once; `safe` are the ranges that the service takes. */
export function fields(safe) {
  if (box.children.length > 0) return;
  box.append(...safe.map(({ type, ...range }) => element("fieldset", {}, element("legend", {}, name(type)),
    ...["low", "high"].filter((end) => range[`${end}_from`] !== undefined).map((end) => {
      const [id, least, most] = [`${member(type)}-${end}`, range[`${end}_from`], range[`${end}_to`]];
      return element("div", { class: "field" }, element("label", { for: id }, t(`sos-limits.${end}`)),
        element("p", { class: "hint", id: `${id}-hint` }, t("sos-limits.range", { from: number(least, 1), to: number(most, 1) })),
        element("input", {
          id, name: `${member(type)}.${end}`, type: "number", inputmode: "decimal", step: "any", min: least, max: most, "aria-describedby": `${id}-hint`,
        }));
    }))));
}

/** Shows the own limits in the fields, when they have changed: what somebody is typing stays. */
export function fill(own) {
  const now = JSON.stringify(own ?? null);
  if (now === filled) return;
  filled = now;
  for (const field of findAll("input", form)) {
    const [type, end] = field.name.split(".");
    if (field.type === "checkbox") field.checked = field.name === "saturation_scale" ? own?.saturation_scale === 2 : own?.[field.name] === true;
    else field.value = own?.[type]?.[end] ?? "";
    field.defaultValue = field.value;
    field.defaultChecked = field.checked;
  }
}

/** What is sent: numbers instead of texts, and of the choices those that are made. */
export function limitsOf({ doctor, ...typed }, { elements }) {
  const body = { doctor };
  for (const [type, ends] of Object.entries(typed)) {
    if (typeof ends === "object") body[type] = Object.fromEntries(Object.entries(ends).map(([end, text]) => [end, Number(text)]));
  }
  if (elements.saturation_scale.checked) body.saturation_scale = 2;
  for (const name of ["on_oxygen", "pacemaker"]) if (elements[name].checked) body[name] = true;
  return body;
}
