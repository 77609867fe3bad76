// What an OpenAPI document says of values, as elements. Nothing is drawn before it is opened, so schemas may refer to themselves.

import { element } from "../web/dom.js";
import { t } from "../web/words.js";

/** A reference to a reference ends somewhere. */
const referencesMax = 8;

/** What `value` refers to within `document`; itself where it refers to nothing. */
export function resolve(document, value) {
  let found = value;
  for (let step = 0; found?.$ref && step < referencesMax; step++) {
    found = found.$ref.slice(2).split("/").reduce(
      (part, name) => part?.[name.replaceAll("~1", "/").replaceAll("~0", "~")], document);
  }
  return found ?? {};
}

/** The document's English, with what stands between backticks as code. */
export const prose = (text) => element("span", { lang: "en" },
  ...text.split("`").map((part, number) => (number % 2 === 1 ? element("code", {}, part) : part)));

/** Details whose content `fill` gives when they are opened, and which forget it when they are closed. */
export function lazy(summary, fill, attributes = {}) {
  const box = element("div");
  const details = element("details", attributes, element("summary", {}, element("span", {}, ...summary)), box);
  details.addEventListener("toggle", () => box.replaceChildren(...(details.open ? fill() : [])));
  return details;
}

const limits = [
  "format", "pattern", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
  "multipleOf", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "default",
];

/** The kind of a value and its limits, in the words of JSON Schema. */
export function kind(document, schema) {
  const found = resolve(document, schema);
  if (found.const !== undefined) return JSON.stringify(found.const);
  if (found.enum) return found.enum.map((value) => JSON.stringify(value)).join(" | ");
  const types = [found.type ?? (found.properties ? "object" : [])].flat();
  const names = types.map((type) => (type === "array" && found.items ? `array<${kind(document, found.items)}>` : type));
  return [names.join(" | ") || t("developers.value"),
    ...limits.filter((name) => found[name] !== undefined).map((name) => `${name} ${JSON.stringify(found[name])}`),
  ].join(", ");
}

const alternatives = ["oneOf", "anyOf", "allOf"];
const isNested = (document, schema) => {
  const found = resolve(document, schema);
  return Boolean(found.properties || found.prefixItems || alternatives.some((name) => found[name])
    || (found.items && isNested(document, found.items)));
};

/** A named value: its kind, whether it is needed, what it means; its members when they are opened. */
export function named(document, name, schema, { isRequired = false, description, where } = {}) {
  const found = resolve(document, schema);
  const text = description ?? found.description;
  const line = [
    element("code", {}, name), " ", element("span", { class: "quiet" }, [
      where, kind(document, found), isRequired ? t("developers.required") : null,
    ].filter(Boolean).join(", ")), ...(text ? [" – ", prose(text)] : []),
  ];
  return element("li", {}, ...(isNested(document, found) ? [lazy(line, () => members(document, found))] : line));
}

/** What a schema holds. */
export function members(document, schema) {
  const found = resolve(document, schema);
  const parts = [];
  if (found.properties) {
    parts.push(element("ul", {}, ...Object.entries(found.properties).map(([name, member]) =>
      named(document, name, member, { isRequired: found.required?.includes(name) ?? false }))));
  }
  for (const name of alternatives) {
    if (!found[name]) continue;
    parts.push(element("p", {}, t(`developers.${name}`)), element("ul", {}, ...found[name].map((part) =>
      element("li", {}, element("span", { class: "quiet" }, kind(document, part)), ...members(document, part)))));
  }
  if (found.prefixItems) {
    parts.push(element("ol", {}, ...found.prefixItems.map((part) => element("li", {},
      element("span", { class: "quiet" }, kind(document, part)),
      ...(part.description ? [" – ", prose(part.description)] : [])))));
  }
  if (found.items) parts.push(...members(document, found.items));
  return parts;
}
