// One operation of an OpenAPI document, as elements.

import { element } from "../web/dom.js";
import { copyButton } from "../web/copy.js";
import { t } from "../web/words.js";
import { kind, lazy, members, named, prose, resolve } from "./schema.js";

/** All operations of a document, and what the service itself calls (webhooks), each with its place. */
export function operations(document) {
  const found = [];
  for (const [paths, isWebhook] of [[document.paths, false], [document.webhooks ?? {}, true]]) {
    for (const [path, item] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(item)) {
        if (!operation.operationId) continue;
        const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])]
          .map((parameter) => resolve(document, parameter));
        found.push({ document, path, isWebhook, method: method.toUpperCase(), operation, parameters });
      }
    }
  }
  return found;
}

/** The first example of a parameter or body. */
function example(document, holder) {
  const first = Object.values(holder.examples ?? {})[0];
  const schema = resolve(document, holder.schema);
  return holder.example ?? first?.value ?? schema.examples?.[0];
}

const text = (value) => (typeof value === "string" ? value : JSON.stringify(value, null, 2));
const quoted = (value) => `'${value.replaceAll("'", "'\\''")}'`;

/** Where none are needed, the example of the body has what is. */
function credentials({ document, operation }) {
  const choices = (operation.security ?? document.security ?? []).map((choice) => Object.keys(choice)[0]);
  if (choices.length === 0 || choices.includes(undefined)) return [];
  const { scheme } = document.components.securitySchemes[choices[0]];
  return [scheme === "basic" ? "-u 'CLIENT_ID:CLIENT_SECRET'" : "-H 'Authorization: Bearer TOKEN'"];
}

function bodyLines({ document, operation }) {
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  if (!type) return [];
  const value = example(document, content);
  if (type === "application/x-www-form-urlencoded" && value) {
    return Object.entries(value).map(([name, part]) => `--data-urlencode ${quoted(`${name}=${part}`)}`);
  }
  return [`-H ${quoted(`Content-Type: ${type}`)}`,
    value === undefined ? "--data-binary @FILE" : `-d ${quoted(type.endsWith("json") ? JSON.stringify(value) : text(value))}`];
}

/** A call of the operation as it is typed. */
function curl(one) {
  const { document, method, parameters } = one;
  const value = (parameter) => String(example(document, parameter) ?? parameter.name.toUpperCase());
  const needed = (place) => parameters.filter((parameter) => parameter.in === place && parameter.required);
  const path = needed("path").reduce(
    (path, parameter) => path.replace(`{${parameter.name}}`, () => encodeURIComponent(value(parameter))), one.path);
  const query = new URLSearchParams(needed("query").map((parameter) => [parameter.name, value(parameter)])).toString();
  return [
    `curl ${method === "GET" ? "" : `-X ${method} `}${quoted(location.origin + path + (query ? `?${query}` : ""))}`,
    ...credentials(one), ...needed("header").map((parameter) => `-H ${quoted(`${parameter.name}: ${value(parameter)}`)}`),
    ...bodyLines(one),
  ].join(" \\\n  ");
}

const part = (title, ...content) => (content.length === 0 ? [] : [element("h4", {}, t(`developers.${title}`)), ...content]);

/** Bodies by media type: what they hold, and an example. */
const contents = (document, content = {}) => Object.entries(content).map(([type, holder]) => {
  const value = example(document, holder);
  const schema = resolve(document, holder.schema);
  return lazy([element("code", {}, type), ` ${kind(document, schema)}`], () => [
    ...(schema.description ? [element("p", {}, prose(schema.description))] : []), ...members(document, schema),
    ...(value === undefined ? [] : [element("pre", {}, element("code", {}, text(value)))]),
  ]);
});

function answer(document, [status, response]) {
  const { description, headers = {}, content } = resolve(document, response);
  return element("li", {}, element("strong", {}, status), " – ", prose(description),
    ...(Object.keys(headers).length === 0 ? [] : [element("ul", {}, ...Object.entries(headers).map(([name, header]) => {
      const { schema, description, required } = resolve(document, header);
      return named(document, name, schema, { isRequired: required, description, where: t("developers.header") });
    }))]),
    ...(Number(status) < 400 ? contents(document, content) : []));
}

function who({ document, operation }) {
  const choices = operation.security ?? document.security ?? [];
  const names = choices.flatMap((choice) => Object.keys(choice));
  if (names.length === 0) return element("p", {}, t("developers.open"));
  return element("ul", {}, ...names.map((name) => element("li", {}, element("code", {}, name),
    " – ", prose(document.components.securitySchemes[name]?.description ?? ""))));
}

/** Everything about an operation. `id` is where links to it lead. */
export function drawn(one, id) {
  const { document, operation, parameters, isWebhook } = one;
  const responses = Object.entries(operation.responses).sort(([first], [second]) => first.localeCompare(second));
  const command = element("code", {}, isWebhook ? "" : curl(one));
  const list = (entries) => (entries.length === 0 ? [] : [element("ul", {}, ...entries.map((entry) => answer(document, entry)))]);
  return [
    ...(operation.description ? [element("p", {}, prose(operation.description))] : []),
    ...(isWebhook ? [element("p", {}, t("developers.webhook"))] : part("who", who(one))),
    ...(parameters.length === 0 ? [] : part("parameters", element("ul", {}, ...parameters.map(
      ({ name, schema, required, description, in: place }) =>
        named(document, name, schema, { isRequired: required, description, where: t(`developers.${place}`) }))))),
    ...part("body", ...contents(document, operation.requestBody?.content)),
    ...part("answers", ...list(responses.filter(([status]) => Number(status) < 400))),
    ...part("errors", ...list(responses.filter(([status]) => Number(status) >= 400))),
    ...(isWebhook ? [] : part("example", element("pre", {}, command), copyButton(command))),
    element("p", { class: "way" }, element("a", { href: `#${id}` }, t("developers.link"))),
  ];
}
