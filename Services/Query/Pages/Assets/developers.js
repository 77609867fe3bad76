// The reference of the API, drawn from the documents that the services themselves give. A link leads to an operation by its
// service and id: /developers#query/showARequest.

import { Refused } from "../web/api.js";
import { element, find, findAll, told } from "../web/dom.js";
import { number, t } from "../web/words.js";
import { drawn, operations } from "./operation.js";
import { lazy, prose } from "./schema.js";

const found = find("#found");
/** All operations that are on the page: their words for the search, and their elements. */
const entries = [];

/** The browser keeps a document and asks whether it is still so. */
async function documentOf(service) {
  let answer;
  try {
    answer = await fetch(`/${service}/openapi.json`, { cache: "no-cache" });
    if (answer.ok) return await answer.json();
  } catch (error) {
    throw error instanceof TypeError ? new Refused(0) : error;
  }
  throw new Refused(answer.status);
}

function entry(service, one) {
  const { path, method, operation } = one;
  const id = `${service}/${operation.operationId}`;
  const details = lazy(
    [element("code", {}, `${method} ${path}`), " – ", prose(operation.summary)], () => drawn(one, id), { id });
  details.addEventListener("toggle", () => details.open && history.replaceState(null, "", `#${id}`));
  const words = [id, method, path, operation.summary, operation.description, ...(operation.tags ?? [])];
  entries.push({ id, details, words: words.join(" ").toLowerCase() });
  return details;
}

function draw(section, document) {
  const service = section.dataset.service;
  const all = operations(document);
  const tags = document.tags ?? [];
  const rest = all.filter(({ operation }) => !tags.some(({ name }) => operation.tags?.includes(name)));
  find(".operations", section).replaceChildren(
    lazy([t("developers.about")], () => [element("p", {}, prose(document.info.description ?? ""))]),
    ...tags.map(({ name, description }) => element("div", { "data-group": "" },
      element("h3", {}, element("span", { lang: "en" }, name)), description ? element("p", {}, prose(description)) : null,
      ...all.filter(({ operation }) => operation.tags?.[0] === name).map((one) => entry(service, one)))),
    ...rest.map((one) => entry(service, one)));
}

function search() {
  const words = find("#search").value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const { details, words: own } of entries) {
    details.hidden = !words.every((word) => own.includes(word));
    if (!details.hidden) count += 1;
  }
  const hasSome = (box) => findAll("details[id]", box).some(({ hidden }) => !hidden);
  for (const group of findAll("[data-group]")) group.hidden = !hasSome(group);
  for (const section of findAll("section[data-service]")) section.hidden = words.length > 0 && !hasSome(section);
  found.textContent = t(words.length === 0 ? "developers.all" : "developers.found", { count: number(count) });
}

/** Opens what the address names. */
function openLinked() {
  const linked = entries.find(({ id }) => id === location.hash.slice(1));
  if (!linked) return;
  linked.details.open = true;
  linked.details.scrollIntoView();
  find("summary", linked.details).focus({ preventScroll: true });
}

for (const sample of findAll("[data-address]")) sample.textContent = sample.textContent.replace("ADDRESS", location.origin);
const sections = findAll("section[data-service]");
const documents = await Promise.allSettled(sections.map(({ dataset: { service } }) => documentOf(service)));
documents.forEach(({ value, reason }, index) => (value ? draw(sections[index], value) : told(reason)));
search();
openLinked();
find("#search").addEventListener("input", search);
addEventListener("hashchange", openLinked);
find("#search-box").hidden = false;
