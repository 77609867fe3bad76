// Data of a request as files. The service writes them, but for JSON, which comes in answers that become one.

import { download, json } from "../web/api.js";
import { element } from "../web/dom.js";

/** Samples of one answer, about: each is a line in the person's access log. */
const answerMax = 20_000;
/** So many answers are a file that no browser opens; NDJSON has no limit. */
const answersMax = 500;

/** `true` when all of it is in the file. Throws `Refused`. */
async function saveJSON(path, span, name) {
  const lists = { series: [], sums: [] };
  let [cursor, hasMore] = ["0", true];
  for (let answer = 0; hasMore && answer < answersMax; answer++) {
    const query = new URLSearchParams({ limit: answerMax, cursor, ...span });
    const page = await json(`${path}?${query}`);
    // Kept as text, which browsers hold in less room than objects.
    for (const [list, parts] of Object.entries(lists)) {
      for (const part of page[list] ?? []) parts.push(`${parts.length > 0 ? ",\n" : ""}${JSON.stringify(part)}`);
    }
    ({ next: cursor, has_more: hasMore } = page);
  }
  const lines = Object.entries(lists).filter(([list, parts]) => list === "series" || parts.length > 0)
    .flatMap(([list, parts], index) => [`${index > 0 ? "," : ""}"${list}":[`, ...parts, "]"]);
  const address = URL.createObjectURL(new Blob(["{", ...lines, "}\n"], { type: "application/json" }));
  element("a", { href: address, download: name }).click();
  URL.revokeObjectURL(address);
  return !hasMore;
}

/**
 * Saves what is at `path` of the request `id`, its data or its results: all of it or the `span` `{from, to}`. `format` is `json`, or one
 * of those that the service writes. Returns whether it is all. Throws `Refused`.
 */
export async function saveFile(path, id, format, span = {}) {
  if (format === "json") return saveJSON(path, span, `trackme-${id}.json`);
  await download(`${path}?${new URLSearchParams({ format, ...span })}`);
  return true;
}
